"""Cases at a turning point, and near an end at which a term is 0; and at 0 for a function that is the same on both
sides of it."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.functions.values import Array
from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, ge, minus, neg_term, substitute
from qtheory.proofs.tactics.applied import sides
from qtheory.proofs.tactics.arrays import values
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp
from qtheory.proofs.tactics.cases import by_ball, either_way, in_case, numbers_beyond
from qtheory.proofs.tactics.critical import closed_forms, simplest
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.monotone import from_end
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import Rational
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.solving import bounds, solve_for, solve_linear
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import free_of_functions

SPLITS = 3  # turning points to try for one goal
FEW = 12  # the largest denominator of a number that a flat minimum is taken for
MAX_SUMMANDS = 40  # of a slope whose zeros are looked for


def by_turning_point(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on which side of a turning point a function is; beside it the mean value theorem does the rest."""
    assumed = [f for f in facts if f.rule in ("hyp", "and_elim")]  # other equations say what holds for all values
    fixed = frozenset().union(*(f.variables for f in assumed if f.concl[0] == "="))
    names = free(goal[1])
    if depth < 3 or not names - fixed:
        raise Stuck("no variable")
    solved = [(v, c, stationary_side) for v in sorted(free_of_functions(goal[1]) - fixed)
              for c in stationary(goal[1], v)
              if free(c) and not free_of_functions(c) and not _below(search, goal, facts, v, c)]
    found = [(v, c, in_case) for v in names - fixed if len(names) == 1
             for c in turning_points(search, goal[1], v, facts)]
    for v, c, side in [*solved, *found]:
        try:
            return beside(search, v, c, goal, facts, depth, side)
        except (Stuck, KernelError):
            search.tick()
    raise Stuck("no turning point")


def stationary(t: Node, v: str) -> list[Node]:
    """Terms in other variables at which the slope vanishes, as a factor of it does that is linear in v or in one
    function of v."""
    try:
        slope = undiff(derivative(t, v))[0]
    except KernelError:
        return []
    forms = Forms()
    num, den = forms.quotient(slope)
    if len(num) > MAX_SUMMANDS:
        return []
    _, rows = Rational(forms).split(num, den)
    ends = (_root(poly_term(forms, p), v) for p, e in rows if e > 0)
    return [c for c in ends if c is not None and v not in free(c)]


def _root(t: Node, v: str) -> Node | None:
    """Where the term, linear in v or in one function of terms linear in v, vanishes."""
    within = [s for s in occurring(t) if isinstance(s, tuple) and s[0] in FUNCTIONS and v in free(s)]
    if not within:
        return solve_linear(t, v) if v in free(t) else None
    inverse = FUNCTIONS[within[0][0]].inverse
    value = solve_for(t, within[0]) if len(within) == 1 and inverse is not None else None
    return None if value is None or inverse is None or v in free(value) else _root(
        minus(within[0][1], (inverse.head, value)), v)


def _below(search: Search, goal: Node, facts: Facts, v: str, c: Node) -> bool:
    """Is the goal seen to be false, or without value, there?"""
    at = substitute(goal[1], v, c)
    return not all(evaluate(at, p) > -1e-7 for p in search.points(goal, facts))


def stationary_side(search: Search, case: Node, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal on one side of a stationary point: v > c, or c > v, is the case."""
    low, high = sides(case[1])
    v, c, side = (low, high, "low") if isinstance(low, str) else (high, low, "high")
    return from_end(search, goal[0], goal[1], v, c, side, [*facts, hyp(case)], depth, search.points(goal, facts))


def beside(search: Search, v: str, c: Node, goal: Node, facts: Facts, depth: int, side: Any = in_case) -> Step:
    """Cases on the sign of v - c; where it is 0, the goal at c."""
    known = [*facts, *search.define(c, facts)]
    three = apply("trichotomy", minus(v, c), tuple(known))
    below = apply("combine", (">", minus(c, v)), (hyp(three.concl[3]),), ((ONE, ((0, 1),), ()),))
    at_c = search.atom(substitute(goal, v, c), [f for f in known if v not in f.variables], depth - 1)
    back = apply("combine", ("=", minus(c, v)), (hyp(three.concl[2]),), ((MINUS, ((0, 1),), ()),))
    level = apply("rewrite", back, at_c, "z'", substitute(goal, v, "z'"), c, v)
    rest = [apply("cut", given, side(search, given.concl, goal, known, depth - 1))
            for given in (hyp(three.concl[1]), below)]
    return apply("or_elim", three, (rest[0], level, rest[1]), goal)


def turning_points(search: Search, t: Node, v: str, facts: Facts) -> list[Node]:
    """Simple numbers at which the term seems to have a minimum between the ends of its domain."""
    ends = [(evaluate(a, {}), side) for a, side in bounds(v, facts) if not free(a)]
    lowest = max((a for a, side in ends if side == "low"), default=None)
    highest = min((a for a, side in ends if side == "high"), default=None)
    if lowest is not None and highest is not None and lowest >= highest:  # as in a case that does not occur
        return []
    grid = _grid(lowest, highest)
    spend("value", grid.size)
    found = values(t, {v: grid})
    f = np.broadcast_to(np.where(found.undefined, np.inf, found.value), grid.shape)
    low = [k for k in range(1, grid.size - 1) if np.isfinite(f[k - 1:k + 2]).all() and f[k - 1] > f[k] <= f[k + 1]]
    out: list[Node] = []
    for k in sorted(low, key=lambda k: float(f[k]))[:SPLITS]:
        near, place = _minimum(t, v, grid[k - 1], grid[k + 1])
        out += [c for c in (*closed_forms(place), *near) if c not in out]
    return out


def _grid(low: float | None, high: float | None) -> Array:
    wide = np.geomspace(1e-6, 1e5, 221)
    if low is not None and high is not None:
        return np.linspace(low, high, 402)[1:-1]
    if low is not None:
        return low + wide
    return high - wide[::-1] if high is not None else np.concatenate([-wide[::-1], [0.0], wide])


def _minimum(t: Node, v: str, low: float, high: float) -> tuple[list[Fraction], float]:
    """Where the term is least between two places around a minimum: a number of few digits to three digits, if there
    is one, which is right where the minimum is flatter than a parabola; and to about eight digits the place around
    which the values lie symmetrically."""
    for _ in range(14):
        line = np.linspace(low, high, 33)
        f = values(t, {v: line}).value
        k = int(np.clip(np.nanargmin(f), 1, 31))
        if high - low < 1e-3 * (abs(low) + abs(high) + 1e-9):
            break
        low, high = float(line[k - 1]), float(line[k + 1])
    plain = simplest(Fraction(low), Fraction(high))
    middle, h = float(line[k]), 2e-3 * (abs(float(line[k])) + 1e-6)
    for _ in range(4):  # Newton's method on differences of fourth order
        at = values(t, {v: middle + h * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])}).value
        first = (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * h)
        second = (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h)
        with np.errstate(all="ignore"):
            step = float(first / second)
        if not np.isfinite(step):
            break
        middle -= step
    return [plain] if plain.denominator <= FEW else [], middle


def by_contact(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A goal that comes down to 0 at an end of a range: from there the mean value theorem, as far as the slope has one
    sign, and balls beyond that place."""
    (v,), t = free(goal[1]), goal[1]
    low, high = (choose(numbers_beyond(v, side, facts), default=None) for side, choose in (("low", max), ("high", min)))
    for a, b, side in ((low, high, "low"), (high, low, "high")) if low is not None and high is not None else ():
        c = _reach(t, v, a, b)
        if c is None:
            continue
        near, far = (ge(c, v), ge(v, c)) if side == "low" else (ge(v, c), ge(c, v))
        with suppress(Stuck, KernelError):
            if c == b:
                return from_end(search, goal[0], t, v, a, side, facts, depth, search.points(goal, facts))
            beside = [*facts, hyp(near)]
            steps = {near: from_end(search, goal[0], t, v, a, side, beside, depth, search.points(goal, beside)),
                     far: by_ball(search, goal, [*facts, hyp(far)])}
            return either_way(goal, [(way, steps[way]) for way in (ge(c, v), ge(v, c))])
        search.tick()
    raise Stuck("no end at which the term is 0, or no place up to which its slope has one sign")


def _reach(t: Node, v: str, a: Fraction, b: Fraction) -> Fraction | None:
    """A place up to which, from a, the term rises; None if it is not 0 at a."""
    if not abs(evaluate(t, {v: float(a)})) < 1e-9:
        return None
    slope = undiff(derivative(t, v))[0]
    for share in (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)):
        line = values(slope, {v: np.linspace(float(a), float(a + share * (b - a)), 34)[1:]}).value
        if bool(np.all(line * float(b - a) > 0)):
            return a + share * (b - a)
    return None


def by_mirror(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A goal that is the same at v and -v: for v >= 0, and so for -v."""
    spoken = frozenset().union(*(f.variables for f in facts), *(free(h) for f in facts for h in f.hyps))
    for v in sorted(free_of_functions(goal[1]) - spoken):
        other = substitute(goal, v, neg_term(v))
        if depth < 2 or not Forms().zero(minus(goal[1], other[1])):
            continue
        above = search.atom(goal, [*facts, hyp(ge(v, ZERO))], depth - 1)
        there = apply("instance", above, v, neg_term(v), ())
        back = apply("combine", goal, (there, *facts, *search.define(goal[1], facts)), ((ONE, ((0, 1),), ()),))
        return either_way(goal, ((ge(v, ZERO), above), (ge(neg_term(v), ZERO), back)))
    raise Stuck("not the same at a variable and its opposite")


__all__ = ["by_contact", "by_mirror", "by_turning_point", "stationary"]
