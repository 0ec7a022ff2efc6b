"""Isolating intervals of roots, with rational ends of few digits."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.kernel.balls import Interval
from qtheory.proofs.kernel.terms import Node, substitute
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.closed import Point


def isolate(point: Point, equation: Node, name: str, near: float, digits: int) -> Interval:
    """A rational interval of that many digits about the root nearest to the float, with a sign change."""
    width = Fraction(1, 10**digits)
    estimate = Fraction(near)
    if digits > 12:
        low, high = isolate(point, equation, name, near, 12)
        rising = point.sign(substitute(equation, name, high)) == 1
        while high - low > width / 4:
            middle = (low + high) / 2
            if (point.sign(substitute(equation, name, middle)) == 1) == rising:
                high = middle
            else:
                low = middle
        estimate = (low + high) / 2
    at = (estimate / width).__floor__() * width
    for below, above in ((0, 1), (1, 1), (0, 2), (1, 2)):
        low, high = at - below * width, at + above * width
        signs = {point.sign(substitute(equation, name, e)) for e in (low, high)}
        if signs == {1, -1}:
            return low, high
    raise Stuck(f"no sign change near {near}")


__all__ = ["isolate"]
