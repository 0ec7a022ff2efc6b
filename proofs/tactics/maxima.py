"""Identities and inequalities of maxima: the cases of which argument is the greater one, each by a combination."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

import sympy

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, ge, gt, minus, neg_term
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.cases import either_way
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size

MOST = 6  # maxima in a goal, which may have as many cases as there are orders of their arguments


def maxima_in(goal: Node) -> list[Node]:
    """The maxima in a comparison, inner ones before those around them."""
    return sorted((s for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] == "max"), key=size)


def by_maxima(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Each maximum in the goal is the argument that the facts, or the case, say to be the greater one."""
    found = maxima_in(goal)
    if len(found) > MOST:
        raise Stuck("too many maxima")
    return _cases(search, found, goal, [*facts, *search.define(goal[1], facts)])


def _cases(search: Search, maxima: Sequence[Node], goal: Node, facts: Facts) -> Step:
    search.tick()
    if not maxima:
        with suppress(Stuck, KernelError):
            return search.combined(goal, facts, 1)
        return search.combined(goal, facts, 2)
    first, *others = maxima
    _, a, b = first
    for greater, less in ((a, b), (b, a)):
        try:
            order = search.combined(ge(greater, less), facts, 1)
        except (Stuck, KernelError):
            continue
        return _cases(search, others, goal, [*facts, equal_to(first, greater, order, facts)])
    ways = []
    for greater, less in ((a, b), (b, a)):
        order = hyp(ge(greater, less))
        ways.append((order.concl, _cases(search, others, goal, [
            *facts, order, equal_to(first, greater, order, facts)])))
    return either_way(goal, ways, facts)


def equal_to(m: Node, greater: Node, order: Step, facts: Facts) -> Step:
    """max(a, b) = a for a >= b: (max - a) (max - b) = 0, and both are positive where max > a."""
    above, below, product = parts(apply("max_bounds", m[1], m[2], tuple(facts)))
    if greater != m[1]:
        above, below = below, above
    t = minus(m, greater)
    three = apply("trichotomy", t, (above,))
    beyond, short = hyp(gt(m, greater)), hyp((">", neg_term(t)))
    high = apply("combine", (">", ZERO), (beyond, order, product), (
        (ONE, ((0, 2),), ()), (ONE, ((0, 1), (1, 1)), ()), (MINUS, ((2, 1),), ())))
    low = apply("combine", (">", ZERO), (short, above), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    goal = ("=", t)
    return apply("or_elim", three, (apply("absurd", high, goal), hyp(goal), apply("absurd", low, goal)), goal)


def lower(search: Search, t: Node, facts: Facts) -> Node:
    """A lower end without max and floor, where the facts tell what these are."""
    if not isinstance(t, tuple) or t[0] not in ("+", "*", "max", "floor"):
        return t
    made = (t[0], *(lower(search, part, facts) for part in t[1:]))
    if made[0] in ("+", "*"):
        return from_sympy(sympy.expand(to_sympy(made)))
    if made[0] == "floor":
        if isinstance(made[1], Fraction):
            return Fraction(made[1].__floor__())
        return made[1] if search.quick(("isint", made[1]), facts) else made
    for a, b in (made[1:], made[:0:-1]):
        if search.quick(ge(a, b), facts):
            return a
    return made


__all__ = ["by_maxima", "equal_to", "lower", "maxima_in"]
