"""Equations solved for variables: by a term where one stands linearly, else as roots to be isolated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, integer, substitute
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.order import by_identity, names, shared

ALGEBRAIC = ("+", "*", "^")
Bound = tuple[Fraction | None, bool]  # (end, excluded)


@dataclass(frozen=True)
class Layout:
    """Which variables are chosen, which are terms in the others, and which are roots of equations (in order)."""

    chosen: tuple[str, ...]
    terms: tuple[tuple[str, Node], ...]
    roots: tuple[tuple[str, Node], ...]
    whole: frozenset[str]
    low: dict[str, Bound]
    high: dict[str, Bound]


def fold(t: Node) -> Node:
    """The term with arithmetic on numbers carried out, formally equal to it."""
    if not isinstance(t, tuple) or t[0] in ("sum", "int", "diff"):
        return t
    first = 2 if t[0] in ("W", "app") else 1
    parts = [fold(c) for c in t[first:]]
    if t[0] in ("+", "*"):
        flat = [p for c in parts for p in (c[1:] if isinstance(c, tuple) and c[0] == t[0] else (c,))]
        number = ZERO if t[0] == "+" else ONE
        for p in flat:
            if isinstance(p, Fraction):
                number = number + p if t[0] == "+" else number * p
        others = [p for p in flat if not isinstance(p, Fraction)]
        if t[0] == "*" and number == 0:
            return ZERO
        if number != (ZERO if t[0] == "+" else ONE) or not others:
            others = [*others, number] if t[0] == "+" else [number, *others]
        return others[0] if len(others) == 1 else (t[0], *others)
    if t[0] == "^" and integer(parts[1]) and abs(parts[1]) <= 64:
        if parts[1] == 1:
            return parts[0]
        if isinstance(parts[0], Fraction) and (parts[0] != 0 or parts[1] >= 0):
            return parts[0] ** int(parts[1])
    return (*t[:first], *parts)


def carried_out(t: Node) -> Node:
    """The term with its derivatives carried out, where that can be done."""
    try:
        return undiff(t)[0]
    except KernelError:
        return t


def linear(t: Node, v: str) -> tuple[Node, Node] | None:
    """(a, b) with t = a v + b formally, where that can be read off."""
    try:
        slope = fold(derivative(t, v))
        if v in free(slope) or slope == 0:
            return None
        return slope, fold(substitute(t, v, ZERO))
    except KernelError:
        return None


def algebraic(t: Node) -> bool:
    return not isinstance(t, tuple) or (t[0] in ALGEBRAIC and (t[0] != "^" or integer(t[2]))
                                        and all(algebraic(c) for c in t[1:]))


def vanishes(t: Node) -> bool:
    """Is the algebraic term formally zero?"""
    try:
        return algebraic(t) and Forms().zero(t)
    except KernelError:
        return False


def based(t: Node) -> Node:
    """The base of a natural power: it has the same zeros, and where it changes its sign they are seen."""
    while isinstance(t, tuple) and t[0] == "^" and integer(t[2]) and t[2] > 0:
        t = t[1]
    return t


def inside_functions(t: Node) -> frozenset[str]:
    """The variables that stand inside an operation other than arithmetic."""
    if not isinstance(t, tuple):
        return frozenset()
    if t[0] in ("+", "*") or (t[0] == "^" and integer(t[2])):
        names: frozenset[str] = frozenset().union(*(inside_functions(c) for c in t[1:]))
        return names
    return frozenset(free(t))


def layout(literals: Sequence[Node], variables: Sequence[str], tight: Sequence[Node] = ()) -> Layout | None:
    """A way to meet the literals' equations, and ``tight`` = 0 besides; None if they are contradictory."""
    spend("layout")
    whole = frozenset(lit[1] for lit in literals if lit[0] == "isint" and isinstance(lit[1], str))
    equations = shared(tuple([lit[1] for lit in literals if lit[0] == "="] + list(tight)))
    key = tuple(map(id, equations)), tuple(variables), whole
    if key not in _known:  # the branches of a statement have their hypotheses' equations in common
        if len(_known) >= KEPT:
            _known.clear()
        _known[key] = equations, _solved(equations, key[1], whole)
    solved = _known[key][1]
    if solved is None:
        return None
    terms, roots = solved
    gone = {v for v, _ in (*terms, *roots)}
    low, high = bounds(literals)
    return Layout(tuple(v for v in variables if v not in gone), terms, roots, whole, low, high)


Solved = tuple[tuple[tuple[str, Node], ...], tuple[tuple[str, Node], ...]]  # terms and roots
KEPT = 2_000
_known: dict[tuple[Any, ...], tuple[Node, Solved | None]] = {}  # by the equations' identities, which are kept alive


def _solved(equations: tuple[Node, ...], variables: tuple[str, ...], whole: frozenset[str]) -> Solved | None:
    pending = sorted(dict.fromkeys(equations), key=lambda t: not algebraic(t))
    terms: dict[str, Node] = {}
    left: list[Node] = []
    for raw in pending:
        t = carried_out(raw)
        for v, value in terms.items():
            t = substitute(t, v, value)
        t = based(fold(t))
        if vanishes(t):
            continue
        found = explicit(t, set(variables) - set(terms), whole)
        if found is None:
            if isinstance(t, Fraction):
                if t != 0:
                    return None
                continue
            left.append(t)
            continue
        v, value = found
        terms = {u: fold(substitute(old, v, value)) for u, old in terms.items()} | {v: value}
        left = [fold(substitute(e, v, value)) for e in left]
    roots: list[tuple[str, Node]] = []
    settled: set[str] = set()  # an equation's other variables must be known before its root
    for t in sorted(left, key=lambda t: len(free(t))):  # one with fewer variables has a root of its own to give
        names = (free(t) & set(variables)) - set(terms) - settled - whole
        if names:
            roots.append((min(names, key=lambda v: (v not in inside_functions(t), -len(v), v)), t))
            settled |= free(t)
    return tuple(terms.items()), tuple(roots)


def explicit(t: Node, variables: set[str], whole: frozenset[str]) -> tuple[str, Node] | None:
    """(v, term) from t = 0 for a variable that stands linearly; for transcendental t only one that stands alone."""
    best: tuple[tuple[object, ...], str, Node] | None = None
    plain = algebraic(t)
    inside = frozenset() if plain else inside_functions(t)  # of which the slope would be no number
    for v in sorted((free(t) & variables) - inside):
        pair = linear(t, v)
        if pair is None:
            continue
        a, b = pair
        alone = isinstance(a, Fraction)
        if v in whole and not (alone and abs(a) == 1 and plain and free(b) <= whole):
            continue
        if not alone and not plain:
            continue
        value = fold(("*", MINUS, b, ("^", a, MINUS)))
        rank = (v in whole, not alone, -len(v) if plain else 0, v)
        if best is None or rank < best[0]:
            best = (rank, v, value)
    return None if best is None else (best[1], best[2])


def bounds(literals: Sequence[Node]) -> tuple[dict[str, Bound], dict[str, Bound]]:
    """The ends that literals about one variable alone give it."""
    low: dict[str, Bound] = {}
    high: dict[str, Bound] = {}
    for found in filter(None, map(_bound, literals)):
        v, (end, strict), below = found
        side = low if below else high
        old = side.get(v)
        if old is None or old[0] is None or (end > old[0]) == below or (end == old[0] and strict):
            side[v] = (end, strict)
    return low, high


@by_identity
def _bound(lit: Node) -> tuple[str, tuple[Fraction, bool], bool] | None:
    """The variable that the literal bounds, alone and by a number; the end; whether it lies below."""
    if lit[0] not in (">", ">=") or len(names(lit)) != 1:
        return None
    v, = names(lit)
    pair = linear(lit[1], v)
    if pair is None or not isinstance(pair[0], Fraction) or not isinstance(pair[1], Fraction):
        return None
    return v, (-pair[1] / pair[0], lit[0] == ">"), pair[0] > 0


__all__ = ["Layout", "algebraic", "fold", "layout", "linear"]
