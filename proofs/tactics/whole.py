"""A statement about every integer between two numbers, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, minus, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.elimination import linear
from qtheory.proofs.tactics.known import shown

MOST = 12
Bound = tuple[Fraction, Fraction, Step]  # slope a and rest b of the fact a x + b > 0 or >= 0


def each_integer(point: Point, formula: Node) -> Step:
    """A step for ("all", x, ("imp", premise, goal)) where the premise says that x is an integer between numbers."""
    _, x, body = formula
    if body[0] != "imp":
        raise Stuck("no premise")
    _, premise, goal = body
    facts = parts(hyp(premise))
    whole = _whole(x, facts)
    rising, falling = _bounds(x, facts)
    if not rising or not falling:
        raise Stuck("no numbers around the integer")
    start, low = max((_start(x, whole, bound) for bound in rising), key=lambda pair: pair[1])
    high, last = min(((_last(bound), bound) for bound in falling), key=lambda pair: pair[0])
    if high - low >= MOST:
        raise Stuck("too many integers")
    step = _from(point, x, low, high, goal, (whole, start, last))
    return apply("all_intro", x, apply("imp_intro", premise, step))


def _whole(x: str, facts: Sequence[Step]) -> Step:
    for f in facts:
        if f.concl == ("isint", x):
            return f
        if f.concl == ("=", minus(("floor", x), x)):
            step = apply("and_elim", apply("floor_bounds", x, ()), 0)
            return apply("rewrite", f, step, "z'''", ("isint", "z'''"), ("floor", x), x)
    raise Stuck("no integer")


def _bounds(x: str, facts: Sequence[Step]) -> tuple[list[Bound], list[Bound]]:
    """The facts that bound x by numbers: from below, and from above."""
    found: tuple[list[Bound], list[Bound]] = ([], [])
    for f in facts:
        pair = linear(f.concl[1], x) if f.concl[0] in (">", ">=") else None
        if pair is not None and isinstance(pair[0], Fraction) and isinstance(pair[1], Fraction) and pair[0] != 0:
            found[pair[0] < 0].append((*pair, f))
    return found


def _start(x: str, whole: Step, bound: Bound) -> tuple[Step, Fraction]:
    """x >= n for the least integer n that the bound leaves."""
    a, b, fact = bound
    least = -b / a
    low = Fraction(floor(least) + 1 if fact.concl[0] == ">" else ceil(least))
    goal = (">=", minus(x, low))
    if low == least:
        return apply("combine", goal, (fact,), ((1 / a, ((0, 1),), ()),)), low
    above: Node = (">", minus(x, low - 1))
    room = least - low + 1
    rows = [(1 / a, ((0, 1),), ()), *([(room, (), ())] if room else [])]
    return _next(x, low, whole, apply("combine", above, (fact,), tuple(rows))), low


def _next(x: str, low: Fraction, whole: Step, above: Step) -> Step:
    """x >= n from x > n - 1."""
    step = apply("gap", apply("integral_polynomial", above.concl[1], (whole,)), above)
    return apply("combine", (">=", minus(x, low)), (step,), ((ONE, ((0, 1),), ()),))


def _last(bound: Bound) -> int:
    """The greatest integer that the bound leaves."""
    a, b, fact = bound
    return ceil(-b / a) - 1 if fact.concl[0] == ">" else floor(-b / a)


def _from(point: Point, x: str, n: Fraction, high: int, goal: Node, known: tuple[Step, Step, Bound]) -> Step:
    """The goal of every integer x >= n."""
    whole, start, (a, b, fact) = known
    point.tick()
    if n > high:
        rows = [(-1 / a, ((0, 1),), ()), (ONE, ((1, 1),), ()), *([(n + b / a, (), ())] if n + b / a else [])]
        return apply("absurd", apply("combine", (">", ZERO), (fact, start), tuple(rows)), goal)
    cases = apply("trichotomy", minus(x, n), ())
    above, equal, below = map(hyp, cases.concl[1:])
    further = _from(point, x, n + 1, high, goal, (whole, _next(x, n + 1, whole, above), (a, b, fact)))
    same = apply("combine", ("=", minus(n, x)), (equal,), ((MINUS, ((0, 1),), ()),))
    here = apply("rewrite", same, shown(point, substitute(goal, x, n)), "z'''", substitute(goal, x, "z'''"), n, x)
    false = apply("combine", (">", ZERO), (start, below), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    return apply("or_elim", cases, (further, here, apply("absurd", false, goal)), goal)


__all__ = ["each_integer"]
