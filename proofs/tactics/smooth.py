"""Derivatives of maxima and floors, away from their kinks and jumps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, free, gt, integer, minus, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, unused
from qtheory.proofs.tactics.compiled import Place
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import swap

HALF = Fraction(1, 2)
MAX_KINKS = 4


def smoothed(search: Search, term: Node, facts: Facts) -> tuple[Node, Step]:
    """(slope, step that the derivative is equal to it): of a function without maxima and floors that is equal to it
    around the point."""
    _, x, body, at = term
    points = search.points(("=", ZERO), facts) or [{}]
    smooth = body
    for _ in range(MAX_KINKS):
        kinks = [s for s in occurring(smooth) if isinstance(s, tuple) and s[0] in ("max", "floor") and x in free(s)]
        if not kinks:
            break
        kink = kinks[-1]
        smooth = swap(smooth, kink, piece(kink, x, at, points))
    other = ("diff", x, smooth, at)
    plain, duties = undiff(other)
    known = list(facts)
    for t in (plain, *duties):
        known += search.define(t, known)
    slope = apply("differentiate", other, tuple(known))
    for low, high in around(search, x, at, facts):
        search.tick()
        try:
            near = agreeing(search, term, other, low, high, slope, known)
        except (Stuck, KernelError):
            continue
        both = (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())
        return plain, apply("combine", ("=", minus(term, plain)), (near, slope), both)
    raise Stuck("the function is not known to be smooth around the point")


def piece(kink: Node, x: str, at: Node, points: Sequence[Place]) -> Node:
    """The argument that is the maximum, or the number that is the floor, at all of the points."""
    values = [[evaluate(substitute(s, x, at), p) for s in kink[1:]] for p in points]
    if any(math.isnan(v) for row in values for v in row):
        raise Stuck("not known at a point")
    if kink[0] == "floor":
        floors = {math.floor(v) for v, in values}
        if len(floors) == 1:
            return Fraction(floors.pop())
    for first in (0, 1) if kink[0] == "max" else ():
        if all(row[first] > row[1 - first] for row in values):
            return kink[1 + first]
    raise Stuck("a kink that may be at the point")


def around(search: Search, x: str, at: Node, facts: Facts) -> Iterator[tuple[Node, Node]]:
    """Ends of intervals around the point, within the bounds that the facts give it."""
    if isinstance(at, str):
        ends = [(end, side) for end, side in bounds(at, facts) if at not in free(end)]
        lows: list[Node] = [("*", HALF, ("+", at, end)) for end, side in ends if side == "low"] or [minus(at, ONE)]
        highs: list[Node] = [("*", HALF, ("+", at, end)) for end, side in ends if side == "high"] or [("+", at, ONE)]
        yield from ((low, high) for low in lows for high in highs)
    for radius in (HALF, Fraction(1, 10), Fraction(1, 1000)) if integer(at) or isinstance(at, Fraction) else ():
        yield at - radius, at + radius


def agreeing(search: Search, term: Node, other: Node, low: Node, high: Node, slope: Step, facts: Facts) -> Step:
    """The two derivatives are equal: their functions are, between the ends."""
    _, x, body, at = term
    y = unused("y", facts, term, other, low, high)
    within = [hyp(gt(y, low)), hyp(gt(high, y))]
    here = [search.atom(gt(at, low), facts, 2), search.atom(gt(high, at), facts, 2)]
    equal = ("=", minus(substitute(body, x, y), substitute(other[2], x, y)))
    same = search.atom(equal, [*facts, *within], 4)
    return apply("derivative_near", term, other[2], y, low, high, same, (slope, *here))


__all__ = ["smoothed"]
