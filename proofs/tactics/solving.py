"""What equations and inequalities say of one variable: its value, and its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, KernelError, Node, free
from qtheory.proofs.tactics.builder import Facts
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.terms import in_function, size


def solve_for(t: Node, s: Node) -> Node | None:
    """The value of the atom s at which t, linear in it, is zero."""
    forms = Forms()
    num, _ = forms.quotient(t)
    key = forms.quotient(s)[0]
    atom = next(iter(next(iter(key))))[0]
    if any(a == atom and e > 1 for m in num for a, e in m) or not any(a == atom for m in num for a, _ in m):
        return None
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in num.items() if (atom, 1) in m}
    rest = {m: -c for m, c in num.items() if (atom, 1) not in m}
    return reduce_term(("*", poly_term(forms, rest), ("^", poly_term(forms, slope), Fraction(-1))))


def solved(conditions: Sequence[Node]) -> list[tuple[str, Node]]:
    """For sampling: variables that the equations give, each from variables that are not given before it."""
    out: list[tuple[str, Node]] = []
    for c in conditions:
        if c[0] != "=":
            continue
        try:
            c = ("=", undiff(c[1])[0])
        except KernelError:
            continue
        used = {v for v, _ in out}.union(*(free(value) for _, value in out))
        choices = [(size(value), v, value) for v in free(c[1]) - used if not in_function(c[1], v)
                   and (value := solve_for(c[1], v)) is not None and not free(value) & {v, *(w for w, _ in out)}]
        if choices:
            _, v, value = min(choices, key=lambda choice: choice[:2])
            out.append((v, value))
    return out


def bounds(v: str, facts: Facts) -> list[tuple[Node, str]]:
    """Terms a with a < v or a <= v (side "low"), v < a or v <= a ("high"), read off the facts."""
    out: list[tuple[Node, str]] = []
    for f in facts:
        if f.concl[0] not in (">", ">=") or v not in free(f.concl[1]):
            continue
        forms = Forms()
        num, den = forms.quotient(f.concl[1])
        atom = next((i for i, n in enumerate(forms.names) if n == v), None)
        own = ((atom, 1),) if atom is not None else None
        if den or own is None or own not in num:
            continue
        rest = {m: -c / num[own] for m, c in num.items() if m != own}
        end = poly_term(forms, rest)
        if v not in free(end):
            out.append((end, "low" if num[own] > 0 else "high"))
    return out


def solve_linear(t: Node, x: str) -> Node | None:
    """The x at which t, linear in x, is zero."""
    forms = Forms()
    num, _ = forms.quotient(t)
    atom = next((i for i, n in enumerate(forms.names) if n == x), None)
    if atom is None or any(a == atom and e > 1 for m in num for a, e in m):
        return None
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in num.items() if (atom, 1) in m}
    rest = {m: -c for m, c in num.items() if (atom, 1) not in m}
    if any(isinstance(forms.names[a], tuple) and x in free(forms.names[a]) for m in num for a, _ in m):
        return None
    return reduce_term(("*", poly_term(forms, rest), ("^", poly_term(forms, slope), MINUS)))
