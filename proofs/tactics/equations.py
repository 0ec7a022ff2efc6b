"""Tactics: equations among the facts, used as definitions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    KernelError,
    Node,
    free,
    integer,
    minus,
    neg_term,
)
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.simplify import size

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]


class Equations:
    """Inverting exponentials and logarithms, solving for a variable, values of Lambert's W."""

    def inverted(self: Prover, facts: Facts) -> list[Step]:
        """The facts, and for each e^u = w also u = log w, for each log u = w also u = e^w."""
        out = list(facts)
        for f in facts:
            if f.concl[0] != "=" or f.concl in self.inverses:
                continue
            for s in occurring(f.concl[1]):
                if isinstance(s, tuple) and s[0] in ("exp", "log"):
                    step = self.inverse(f, s, out)
                    if step is not None:
                        out.append(step)
        return out

    def inverse(self: Prover, fact: Step, s: Node, facts: list[Step]) -> Step | None:
        value = solve_for(fact.concl[1], s)
        if value is None or free(value) & free(s[1]) or not free(s[1]):
            return None
        other = {"exp": "log", "log": "exp"}[s[0]]
        goal = ("=", minus(s[1], (other, value)))
        if any(f.concl == goal for f in facts):
            return None
        try:
            facts = [*facts, *self.define(value, facts)]
            equal = self.combine(("=", minus(s, value)), facts, 1)
            if s[0] == "exp":
                positive = apply("exp_positive", s[1], tuple(facts))
                moved = apply("rewrite", equal, positive, "z'", (">", "z'"), s, value)
                facts.append(moved)
                undo = apply("log_exp", s[1], tuple(facts))
            else:
                undo = apply("exp_log", s[1], tuple(facts))
            step = apply("rewrite", equal, undo, "z'", ("=", minus((other, "z'"), s[1])), s, value)
            self.inverses.add(goal)
            return apply("combine", goal, (step, *facts), ((-ONE, ((0, 1),), ()),))
        except (Stuck, KernelError):
            return None

    def definitions(self: Prover, facts: Facts) -> list[tuple[str, Node, Step]]:
        """(variable, value, step for variable - value = 0) for equations that determine a variable; each value is
        free of the variables determined before it."""
        out: list[tuple[str, Node, Step]] = []
        for f in facts:
            if f.concl[0] != "=":
                continue
            if any(w in free(f.concl[1]) for w, _, _ in out):
                continue
            used = set().union(*(free(value) for _, value, _ in out), set())
            choices = [(size(value), v, value) for v in free(f.concl[1]) - used if not in_function(f.concl[1], v)
                       and (value := solve_for(f.concl[1], v)) is not None and v not in free(value)
                       and not any(isinstance(s, tuple) and s[0] == "app" for s in occurring(value))]
            for _, v, value in sorted(choices, key=lambda c: c[:2])[:3]:
                try:
                    below = [poly_term(forms, dict(d)) for forms in [Forms()] for d in forms.quotient(value)[1]]
                    if any(self.quick((">", d), facts) is None for d in below):
                        continue
                    more = [*facts, *self.define(value, facts, 1)]
                    out.append((v, value, self.combine(("=", minus(v, value)), more, 1)))
                    break
                except (Stuck, KernelError):
                    continue
        return out

    def solved(self: Prover, conditions: Sequence[Node]) -> list[tuple[str, Node]]:
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

    def differentiated(self: Prover, goal: Node, facts: Facts) -> Step | None:
        """The equation, if it is formally true once its derivatives are carried out."""
        if not any(isinstance(s, tuple) and s[0] == "diff" for s in occurring(goal[1])):
            return None
        try:
            plain, duties = undiff(goal[1])
            if not Forms().zero(plain):
                return None
            known = list(facts)
            for t in (*duties, plain):
                known += self.define(t, known)
            step = apply("differentiate", goal[1], tuple(known))
            return apply("combine", goal, (step, *known), ((ONE, ((0, 1),), ()),))
        except (Stuck, KernelError):
            self.tick()
            return None

    def lambert_values(self: Prover, term: Node, facts: list[Step]) -> None:
        """For each W(u) in the term that no fact speaks of: W(u) = v, with v read off the term as an equation."""
        known: set[Node] = set().union(*(self.evident(f) for f in facts))
        unknown = [s for s in occurring(term) if isinstance(s, tuple) and s[0] == "W" and s not in known]
        for w in sorted(unknown, key=size):
            v = solve_for(term, w)
            if v is not None:
                with suppress(Stuck, KernelError):
                    more = [*facts, *self.define(v, facts)]
                    equation = self.atom(("=", minus(("*", v, ("exp", v)), w[2])), more)
                    side = self.atom((">=", ("+", v, ONE)) if w[1] == 0 else (">=", neg_term(("+", v, ONE))), more)
                    facts.append(apply("lambert_value", w, v, equation, side))


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


def in_function(t: Node, v: str) -> bool:
    """Does v stand inside a function, an exponent or a binder?"""
    if not isinstance(t, tuple):
        return False
    if t[0] in ("+", "*") or (t[0] == "^" and integer(t[2])):
        return any(in_function(c, v) for c in t[1:])
    return v in free(t)
