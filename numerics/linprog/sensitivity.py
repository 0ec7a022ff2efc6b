"""How an optimum moves with one right side: shadow prices with the range in which they hold, and exact frontiers.

The optimal value is a concave function of a right side, and piecewise linear; each optimum's price is the slope of a
line that lies nowhere below it. Two such lines that differ meet in a point: the value there either lies on both, and
the point is a breakpoint, or below, and the search goes on in both halves (Eisner and Severance, 1976). So the
breakpoints are exact, and each is an optimum of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.numerics.linprog.program import ONE, ZERO, LinearProgram, Point
from qtheory.numerics.linprog.solving import Optimum, Unbounded, solve

MOST_SOLVED = 2_000


@dataclass(frozen=True)
class Piece:
    """From ``low`` to ``high`` (None: without end) the value is ``value`` at ``low`` and grows by ``slope``."""

    low: Fraction
    high: Fraction | None
    value: Fraction
    slope: Fraction

    def at(self, x: Fraction) -> Fraction:
        """The value at a parameter of the piece."""
        return self.value + self.slope * (x - self.low)


@dataclass(frozen=True)
class Frontier:
    """The exact optimal value against a parameter: ``pieces`` from left to right, ``optima`` at their ends in turn."""

    pieces: tuple[Piece, ...]
    optima: tuple[tuple[Fraction, Optimum], ...]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<frontier of {len(self.pieces)} pieces from {float(self.pieces[0].low):.6g}>")

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Where the slope changes."""
        return tuple(p.low for p in self.pieces[1:])

    def at(self, x: Fraction) -> Fraction:
        """The optimal value at a parameter; InputError outside the frontier."""
        for p in self.pieces:
            if p.low <= x and (p.high is None or x <= p.high):
                return p.at(x)
        raise InputError(f"{x} lies outside the frontier")


@dataclass(frozen=True)
class Price:
    """The shadow price of a row's right side: ``left`` for less of it, ``right`` for more; they differ only where the
    optimum is degenerate. They hold from ``low`` (None: without end) to ``high``."""

    row: str
    left: Fraction
    right: Fraction
    low: Fraction | None
    high: Fraction | None


def price(optimum: Optimum, row: str) -> Price:
    """The shadow price of a row with the exact range of right sides in which it holds.

    Where the basis stays feasible to both sides the range is that of the basis, so that it may be wider still; where it
    does not (a degenerate optimum) each side is found by optima beside it.
    """
    program = optimum.program
    here = program.by_name[row].right
    place = next(i for i, r in enumerate(program.rows) if r.name == row)
    low, high = ranging(optimum, place)
    left = right = optimum.prices[row]
    if high is not None and high == here:
        right, high = _side(program, row, here, ONE, optimum)
    if low is not None and low == here:
        left, low = _side(program, row, here, -ONE, optimum)
    return Price(row, left, right, low, high)


def ranging(optimum: Optimum, place: int) -> tuple[Fraction | None, Fraction | None]:
    """Right sides of the row in this place at which the optimum's basis stays optimal; None: without end."""
    basis = optimum.basis
    here = optimum.program.rows[place].right
    least: Fraction | None = None
    most: Fraction | None = None
    for j, v, d in zip(basis.chosen, basis.values, basis.solve({place: ONE}), strict=True):
        if not d:
            continue
        step = -v / d
        if basis.columns.fixed[j]:
            return here, here
        if d > 0:
            least = step if least is None else max(least, step)
        else:
            most = step if most is None else min(most, step)
    return None if least is None else here + least, None if most is None else here + most


def _side(program: LinearProgram, row: str, here: Fraction, sign: Fraction, optimum: Optimum
          ) -> tuple[Fraction, Fraction | None]:
    """(slope, end of its range) of the value to one side of a right side.

    A point beside is moved towards ``here`` until its line passes through the value here.
    """
    step = max(abs(here), ONE)
    room = _room(program, row, sign)
    if room is not None:
        step = min(step, room)
    if not step:
        return optimum.prices[row], here  # nothing lies beyond
    far = here + sign * step
    for _ in range(MOST_SOLVED):
        there = solve(program.with_right(row, far))
        slope = there.prices[row]
        if there.value + slope * (here - far) == optimum.value:
            place = next(i for i, r in enumerate(program.rows) if r.name == row)
            low, high = ranging(there, place)
            return slope, high if sign > 0 else low
        # where the line of ``there`` meets a steeper one through the value here; the value lies above the chord
        chord = (there.value - optimum.value) / (far - here)
        far = here + (far - here) / (2 if chord == slope else 4)
    raise ArithmeticError(f"no slope beside {row} = {here}")


def _room(program: LinearProgram, row: str, sign: Fraction) -> Fraction | None:
    """How far a right side can be moved to one side while the rows can be met; None: without end."""
    moved = program.by_name[row]
    if moved.relation == ("<=" if sign > 0 else ">="):
        return None
    rest = LinearProgram({x: sign * c for x, c in moved.coefficients.items()},
                         tuple(r for r in program.rows if r is not moved), program.variables)
    try:
        return solve(rest).value - sign * moved.right
    except Unbounded:
        return None


def sweep(program: LinearProgram, row: str, low: Fraction, high: Fraction) -> Frontier:
    """The exact value against the right side of a row from ``low`` to ``high``.

    Infeasible, with the conflict, if there is none at either end: the feasible right sides are an interval.
    """
    return _frontier(lambda x: solve(program.with_right(row, x)), lambda o, x: o.prices[row], low, high, concave=True)


def sweep_objective(program: LinearProgram, change: Point, low: Fraction, high: Fraction) -> Frontier:
    """The exact value against t from ``low`` to ``high``, the objective being ``program.objective + t * change``:
    a convex function, since it is the largest of the objectives of the vertices."""
    def at(t: Fraction) -> Optimum:
        mixed = {x: program.objective.get(x, ZERO) + t * change.get(x, ZERO) for x in (*program.objective, *change)}
        return solve(program.with_objective(mixed, program.constant))

    return _frontier(at, lambda o, t: sum((c * o.point.get(x, ZERO) for x, c in change.items()), ZERO), low, high,
                     concave=False)


def _frontier(at: Callable[[Fraction], Optimum], slope: Callable[[Optimum, Fraction], Fraction], low: Fraction,
              high: Fraction, *, concave: bool) -> Frontier:
    if not low < high:
        raise InputError(f"the sweep goes from {low} to {high}; the first must be less")
    solved = {low: at(low), high: at(high)}
    lines = {x: (o.value, slope(o, x)) for x, o in solved.items()}
    work, ends = [(low, high)], {low, high}
    while work:
        if len(solved) > MOST_SOLVED:
            raise ArithmeticError(f"a frontier of more than {MOST_SOLVED} optima")
        a, b = work.pop()
        (va, sa), (vb, sb) = lines[a], lines[b]
        if va + sa * (b - a) == vb or vb - sb * (b - a) == va:
            continue  # one line through both ends: concave (or convex), so linear between
        x = (vb - va + sa * a - sb * b) / (sa - sb)
        solved[x] = at(x)
        lines[x] = solved[x].value, slope(solved[x], x)
        ends.add(x)
        if solved[x].value != va + sa * (x - a):
            work += [(a, x), (x, b)]
    points = sorted(ends)
    pieces: list[Piece] = []
    for a, b in itertools.pairwise(points):
        va, vb = lines[a][0], lines[b][0]
        s = (vb - va) / (b - a)
        if pieces and pieces[-1].slope == s:
            pieces[-1] = Piece(pieces[-1].low, b, pieces[-1].value, s)
        else:
            pieces.append(Piece(a, b, va, s))
    assert all((p.slope > q.slope) == concave for p, q in itertools.pairwise(pieces))
    kept = [pieces[0].low, *(p.high for p in pieces if p.high is not None)]
    return Frontier(tuple(pieces), tuple((x, solved[x]) for x in kept))
