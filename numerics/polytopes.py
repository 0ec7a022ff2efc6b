"""Intervals, convex polygons and bodies with rational corners: cut, measured and triangulated exactly.

A polytope is given by its sides, affine forms ``(constant, coefficients..)`` that are >= 0 on it, in one to three
dimensions. All that is asked here is of bounded ones.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key

from qtheory.numerics.lp import solve_exactly

LARGE = 10**6  # of a side's integers
Point = tuple[Fraction, ...]
Side = tuple[Fraction, ...]


def at(side: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    """The form's value at a point."""
    return side[0] + sum((c * x for c, x in zip(side[1:], point, strict=True)), Fraction(0))


def negative(side: Side) -> Side:
    """The form that is >= 0 on the other side."""
    return tuple(-c for c in side)


def less(first: Side, second: Side) -> Side:
    """The form that is >= 0 where the first is at least the second."""
    return tuple(p - q for p, q in zip(first, second, strict=True))


def plain(side: Side) -> Side:
    """The same side with coprime integers, or, where these are large, with 1 as its largest number."""
    scale = math.lcm(*(c.denominator for c in side))
    divide = math.gcd(*(int(c * scale) for c in side)) or 1
    whole = tuple(c * scale / divide for c in side)
    most = max(map(abs, whole))
    return whole if most < LARGE else tuple(c / most for c in whole)


@dataclass(frozen=True)
class Polytope:
    """``sides``: forms >= 0 on it."""

    sides: tuple[Side, ...]

    @property
    def dimension(self) -> int:
        return len(self.sides[0]) - 1

    @cached_property
    def vertices(self) -> tuple[Point, ...]:
        """The corners, in order round a polygon."""
        found = dict.fromkeys(
            tuple(point) for some in itertools.combinations(self.sides, self.dimension)
            if independent([s[1:] for s in some])
            and (point := solve_exactly([s[1:] for s in some], [-s[0] for s in some])) is not None
            and all(at(s, point) >= 0 for s in self.sides))
        return round_about(tuple(found)) if self.dimension == 2 else tuple(sorted(found))

    @property
    def full(self) -> bool:
        """Whether it has an inside."""
        first, *rest = self.vertices or ((),)
        return len(rest) >= self.dimension and _rank([[p - q for p, q in zip(v, first, strict=True)] for v in rest]) \
            == self.dimension

    @cached_property
    def centre(self) -> Point:
        """The mean of the corners, inside where there is an inside."""
        return tuple(sum(x, Fraction(0)) / len(self.vertices) for x in zip(*self.vertices, strict=True))

    @cached_property
    def facets(self) -> tuple[Side, ...]:
        """The sides that are needed, as :func:`plain` writes them, each once; for one with an inside."""
        found: dict[Side, None] = {}
        for side in map(plain, self.sides):
            on = [v for v in self.vertices if at(side, v) == 0]
            if on and any(side[1:]) and _rank([[p - q for p, q in zip(v, on[0], strict=True)] for v in on[1:]]) \
                    == self.dimension - 1:
                found[side] = None
        return tuple(found)

    @cached_property
    def volume(self) -> Fraction:
        """Length, area or volume; 0 without an inside."""
        if not self.full:
            return Fraction(0)
        if self.dimension == 1:
            return self.vertices[-1][0] - self.vertices[0][0]
        if self.dimension == 2:
            return area(self.vertices)
        return sum((_pyramids(side, [v for v in self.vertices if at(side, v) == 0], self.centre)
                    for side in self.facets), Fraction(0))

    def cut(self, *sides: Side) -> Polytope:
        """What of it is on these sides as well."""
        return Polytope((*self.sides, *sides))

    def trimmed(self) -> Polytope:
        """The same with no more sides than needed."""
        return Polytope(self.facets)

    def halves(self, scale: Sequence[Fraction]) -> tuple[Polytope, Polytope]:
        """Cut through the middle of the longest way between corners, coordinates measured in ``scale``."""
        first, last = max(itertools.combinations(self.vertices, 2),
                          key=lambda e: sum(((p - q) / s) ** 2 for p, q, s in zip(*e, scale, strict=True)))
        normal = [(q - p) / s**2 for p, q, s in zip(first, last, scale, strict=True)]
        most = max(abs(c) for c in normal)
        rounded = [(c / most).limit_denominator(8) * most for c in normal]
        rounded = [Fraction(c).limit_denominator(10**6) if c else Fraction(0) for c in rounded]
        middle = [(p + q) / 2 for p, q in zip(first, last, strict=True)]
        side = plain((-sum((c * x for c, x in zip(rounded, middle, strict=True)), Fraction(0)), *rounded))
        return self.cut(side).trimmed(), self.cut(negative(side)).trimmed()


def apart(first: Polytope, second: Polytope) -> bool:
    """Whether two polytopes with an inside share none of it."""
    for one, other in ((first, second), (second, first)):
        if any(all(at(side, v) <= 0 for v in other.vertices) for side in one.facets):
            return True
    return first.dimension == 3 and not first.cut(*second.sides).full  # bodies may be parted by no side of theirs


def independent(rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether no row is a combination of the others."""
    return _rank(rows) == len(rows)


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    from flint import fmpq, fmpq_mat

    if not rows or not rows[0]:
        return 0
    return int(fmpq_mat(len(rows), len(rows[0]), [fmpq(v.numerator, v.denominator) for r in rows for v in r]).rank())


def round_about(points: Sequence[Point]) -> tuple[Point, ...]:
    """The corners of a convex polygon counterclockwise, from the lowest and leftmost."""
    if len(points) < 3:
        return tuple(sorted(points))
    middle = tuple(sum(x, Fraction(0)) / len(points) for x in zip(*points, strict=True))

    def compare(p: Point, q: Point) -> int:
        (a, b), (c, d) = ((x - middle[0], y - middle[1]) for x, y in (p, q))
        upper = ((b > 0 or (b == 0 and a > 0)), (d > 0 or (d == 0 and c > 0)))
        if upper[0] != upper[1]:
            return -1 if upper[0] else 1
        turn = a * d - b * c
        return -1 if turn > 0 else int(turn < 0)

    ordered = sorted(points, key=cmp_to_key(compare))
    first = ordered.index(min(ordered, key=lambda p: (p[1], p[0])))
    return tuple(ordered[first:] + ordered[:first])


def area(corners: Sequence[Point]) -> Fraction:
    """The area of a polygon with these corners in order."""
    pairs = zip(corners, [*corners[1:], *corners[:1]], strict=True)
    return abs(sum((p[0] * q[1] - q[0] * p[1] for p, q in pairs), Fraction(0))) / 2


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """The corners of the convex hull of points of the plane, counterclockwise."""
    ordered = sorted(set(points))

    def half(some: Sequence[Point]) -> list[Point]:
        line: list[Point] = []
        for p in some:
            while len(line) > 1 and (line[-1][0] - line[-2][0]) * (p[1] - line[-2][1]) <= \
                    (line[-1][1] - line[-2][1]) * (p[0] - line[-2][0]):
                line.pop()
            line.append(p)
        return line[:-1]

    if len(ordered) < 3:
        return tuple(ordered)
    return round_about([*half(ordered), *half(ordered[::-1])])


def _pyramids(side: Side, on: Sequence[Point], tip: Point) -> Fraction:
    """The volume between a facet with these corners and a point."""
    drop = next(i for i in range(3) if side[1 + i])
    flat = {tuple(x for i, x in enumerate(p) if i != drop): p for p in on}
    corners = [flat[p] for p in round_about(list(flat))]
    total = Fraction(0)
    for p, q in itertools.pairwise(corners[1:]):
        (a, b, c), (d, e, f), (g, h, i) = ([x - t for x, t in zip(v, tip, strict=True)] for v in (corners[0], p, q))
        total += abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)) / 6
    return total
