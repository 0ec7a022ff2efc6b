"""Negated limits and orders: however close to the point one looks, somewhere the function stays away from the value.

The negation says: for all d (positive, or a bound at infinity) there is an x within d (or beyond) at which f is
outside the neighbourhood; that of an order says so for every factor c, of f outside c |g|.  It is proved from one
inequality on a fixed interval (a, a + r), or beyond a bound, at x = a + r d / (r + d), which is within both r and d,
or at x = d^2 + 1 + bound, or at the integer that follows.  With a factor the distance from a is divided by 1 + c^2
(and x is multiplied by it at infinity), so that c and c^2 times the distance are below r besides.  The inequality is
read off close to the end (``approach``), or else is a task for the prover on a wider interval.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from qtheory.proofs.functions.values import Array, Flags
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    KernelError,
    Node,
    free,
    gt,
    minus,
    neg_term,
    negate,
    substitute,
)
from qtheory.proofs.tactics.approach import Approach
from qtheory.proofs.tactics.arrays import Points, margin, values
from qtheory.proofs.tactics.branches import failures
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, cut_all, hyp, parts
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.effort import left
from qtheory.proofs.tactics.order import occurring

Products = tuple[Any, ...]
Prove = Callable[[Node, list[Step]], Step]
CLOSE = (Fraction(1, 10**6), Fraction(1, 10**12))
WIDE = tuple(Fraction(1, n) for n in (10, 100, 1000))
FACTORS = np.array([-100.0, -1.0, 0.0, 1.0, 10.0, 1000.0])
LOOK = np.array([3e-4, 1e-5, 1e-7, 1e-9, 1e-11])  # distances from the end
HALF = Fraction(1, 2)
SLOW = 0.2  # seconds that the prover needs at least


class Shape(NamedTuple):
    """A negated limit or order: for all c and d an x within d of a (None: beyond d) with ``outside``."""

    c: str | None
    d: str
    exists: Node
    a: Node | None
    signs: tuple[int, ...]  # from which sides, or towards which infinity
    whole: bool  # x is an integer

    @property
    def x(self) -> str:
        return str(self.exists[1])

    @property
    def outside(self) -> Node:
        return self.exists[2][2]


def shape(formula: Node, c: str | None = None) -> Shape:
    """What a negated limit or order says; Stuck if the formula is none."""
    _, d, body = formula
    if body[0] == "all" and c is None:
        return shape(body, d)
    exists = body[2] if body[0] == "or" and len(body) == 3 and body[1] == negate((">", d)) else body
    if exists[0] != "ex" or exists[2][0] != "and" or len(exists[2]) != 3:
        raise Stuck("no negated limit")
    return (_far if body[0] == "ex" else _near)(c, d, exists)


def _near(c: str | None, d: str, exists: Node) -> Shape:
    x, ball = exists[1], exists[2][1]
    above = next((t for t in ball[1:] if t[0] in (">", "!=")), None) if ball[0] == "and" else None
    if above is None or not isinstance(above[1], tuple) or above[1][0] != "+":
        raise Stuck("another neighbourhood")
    forward = above[0] == "!=" or above[1][1] == x
    a = above[1][2][2] if forward else above[1][1]
    if {x, d} & free(a):
        raise Stuck("another neighbourhood")
    return Shape(c, d, exists, a, (1, -1) if above[0] == "!=" else (1 if forward else -1,), False)


def _far(c: str | None, d: str, exists: Node) -> Shape:
    x, beyond = exists[1], exists[2][1]
    whole = beyond[0] == "and" and ("isint", x) in beyond[1:]
    last = beyond[-1] if whole else beyond
    if last not in (gt(x, d), gt(d, x)) or (whole and beyond != ("and", ("isint", x), gt(x, d))):
        raise Stuck("another neighbourhood")
    return Shape(c, d, exists, None, (1 if last == gt(x, d) else -1,), whole)


def diverges(formula: Node, prove: Prove, point: Point) -> Step:
    """A step for ("all", d, ..) as the negation of a limit gives it, or ("all", c, ("all", d, ..)) as that of an
    order does; Stuck if it is none, or none is found."""
    says = shape(formula)
    step = _stays_away(says, prove, point)
    inner = formula[2] if says.c is not None else formula
    if inner[2][0] == "or":
        body = inner[2]
        cases = (apply("or_intro", step, body), apply("or_intro", hyp(body[1]), body))
        step = apply("or_elim", apply("excluded_middle", (">", says.d)), cases, body)
    step = apply("all_intro", says.d, step)
    return step if says.c is None else apply("all_intro", says.c, step)


def _stays_away(says: Shape, prove: Prove, point: Point) -> Step:
    """The existence of x, for d > 0 where the end is a point."""
    for radii in (CLOSE, WIDE):
        if radii is WIDE and left(point.deadline) < SLOW:
            break
        for r, sign in itertools.product(radii, says.signs):
            way = Approach(says.x, says.a, sign, r, says.c)
            end = 0.0 if says.a is None else float(values(says.a, {}).value)
            gaps = float(r) * np.geomspace(1e-3, 0.99, 20)
            points = end + sign * gaps if says.a is not None else sign * np.ceil(1 / gaps)
            step = _outside(says, way, points, None if radii is CLOSE else prove, point)
            if step is not None:
                return _within(says, way, step) if says.a is not None else _beyond(says, way, step)
    raise Stuck("the function is not known to stay away")


def seems_away(formula: Node, at: Points) -> Flags | None:
    """At which of the points a look close to the end does not contradict the negated limit or order; None for other
    formulas."""
    size = next((np.size(v) for v in at.values()), 1)
    try:
        says = shape(formula)
    except Stuck:
        return None
    if {says.x, says.c} & at.keys():
        return np.ones(size, bool)
    wide = {v: np.asarray(a)[:, None] for v, a in at.items()}
    gaps, factors = LOOK, np.ones(LOOK.size)
    if says.c is not None:
        gaps, factors = np.tile(LOOK[:2], 3), np.repeat([1.0, 30.0, 3000.0], 2)
        gaps = gaps / (1 + factors**2)
    out = np.zeros(size, bool)
    for sign in says.signs:
        x = sign * np.ceil(1 / gaps)[None, :] if says.a is None else values(says.a, wide).value + sign * gaps[None, :]
        here = wide | {says.x: x} | ({} if says.c is None else {says.c: factors[None, :]})
        for _, leaf in _leaves(says.outside):
            out |= np.broadcast_to(_met(leaf, here), (size, gaps.size)).all(axis=1)
    return out


def _met(leaf: Node, at: Points) -> Flags:
    """Where the leaf seems to hold, or overflows, so that nothing is seen."""
    m, error = margin(leaf, at)
    return np.asarray((m >= -np.minimum(error, 1e-3)) | np.isnan(m))


def _within(says: Shape, way: Approach, step: Step) -> Step:
    c, d, exists, x, a, r = says.c, says.d, says.exists, says.x, says.a, way.r
    ball = exists[2][1]
    positive = hyp((">", d))
    total = apply("combine", (">", ("+", d, r)), (positive,), ((ONE, ((0, 1),), ()), (r, (), ())))
    facts: tuple[Step, ...] = (positive, total)
    w: Node = ("*", r, d, ("^", ("+", d, r), MINUS))
    near_r: Products = (r * r, ((1, -1),), ())
    share: tuple[tuple[int, int], ...] = ((0, 1), (1, -1))
    if c is None:
        options: list[Products] = [((ONE, ((0, 2), (1, -1)), ()),), (near_r,)]
    else:
        size = ("+", ONE, ("^", c, Fraction(2)))
        facts = (*facts, apply("combine", (">", size), (), ((ONE, (), (c,)), (ONE, (), ()))))
        w = ("*", *w[1:], ("^", size, MINUS))
        share = (*share, (2, -1))
        rest: Products = (r, share, (c,))
        options = [(rest, (ONE, ((0, 2), (1, -1)), ())), (near_r, rest), (near_r, (r, share, ())),
                   (near_r, (r, share, (("+", c, -HALF),)), (r * 3 / 4, share, ()))]
    options += [((r, share, ()),), ((ONE, ((0, 1),), ()), (r, share, ())), ((-r, share, ()),)]
    at = ("+", a, w if way.sign == 1 else neg_term(w))
    return _at(exists, at, way.inside, step, facts, options, [substitute(b, x, at) for b in ball[1:]])


def _beyond(says: Shape, way: Approach, step: Step) -> Step:
    c, d, exists, x, sign, bound = says.c, says.d, says.exists, says.x, way.sign, 1 / way.r
    beyond, inside = exists[2][1], ((("isint", x),) if says.whole else ()) + way.inside
    size: Node = ("+", ("^", d, Fraction(2)), ONE, bound)
    half = ("+", d, Fraction(-sign, 2))
    square, past = (ONE, (), (d,)), [(ONE, (), (half,)), (Fraction(3, 4) + bound, (), ())]
    options: list[Products] = [(square, (ONE, (), ())), tuple(past)]
    if c is not None:
        size = ("*", size, ("+", ONE, ("^", c, Fraction(2))))
        both, more = (ONE, (), (c, d)), (ONE, (), (c,))
        most = (ONE + bound, (), (c,))
        options = [(square, (ONE, (), ()), both, most), (*past, both, most),
                   (square, (ONE + bound, (), ()), both, more),
                   (square, (ONE + bound * 3 / 4, (), ()), (bound, (), (("+", c, -HALF),)), both, more)]
    at = size if sign == 1 else neg_term(size)
    reflexive = apply("combine", ("=", minus(size, size)), (), ())  # it has variables alone, so it is defined
    facts: tuple[Step, ...] = (reflexive,)
    if says.whole:
        at = ("+", ("floor", size), ONE)
        bounds = parts(apply("floor_bounds", size, ()))
        facts = (apply("integral_polynomial", at, (bounds[0],)), bounds[2])
        options = [(*products, (ONE, ((1, 1),), ())) for products in options]
    places = beyond[1:] if says.whole else (beyond,)
    return _at(exists, at, inside, step, facts, options, [substitute(b, x, at) for b in places])


def _at(exists: Node, at: Node, inside: Sequence[Node], step: Step, facts: tuple[Step, ...],
        options: Sequence[Products], ball: list[Node]) -> Step:
    """The existence at a term, whose place is shown by one of the options for combinations."""
    _, x, body = exists
    here = apply("instance", step, x, at, facts)
    known = [_combined(substitute(i, x, at), facts, options) for i in inside]
    here = cut_all(known, here)
    places = tuple(_combined(b, facts, options) for b in ball)
    whole = places[0] if body[1][0] != "and" else apply("and_intro", places)
    return apply("ex_intro", exists, at, apply("and_intro", (whole, here)), facts)


def _combined(goal: Node, facts: tuple[Step, ...], options: Sequence[Products]) -> Step:
    known = next((f for f in facts if f.concl == goal), None)
    if known is not None:
        return known
    for products in options:
        step = attempt("combine", goal, facts, products)
        if step is not None:
            return step
    raise Stuck("the place of the point is not shown")


def _outside(says: Shape, way: Approach, points: Array, prove: Prove | None, point: Point) -> Step | None:
    """What is said of x, on the interval: a part of it that holds at all sample points, proved there."""
    at = _samples(says.x, says.c, way.inside, points)
    whole = (("isint", says.x),) if says.whole else ()
    for path, leaf in _leaves(says.outside):
        if not bool(np.all(_met(leaf, at))):
            continue
        try:
            step = _undefined(leaf, way, point) if leaf[0] == "undef" else way.prove(leaf, point) \
                if prove is None else prove(leaf, [hyp(i) for i in (*whole, *way.inside)])
        except (Stuck, KernelError):
            continue
        for formula in reversed(path):
            step = apply("or_intro", step, formula)
        return step
    return None


def _undefined(leaf: Node, way: Approach, point: Point) -> Step:
    """A term has no value near the end: one of its subterms fails its condition there."""
    for s in (s for s in occurring(leaf[1]) if isinstance(s, tuple) and s[0] in ("log", "sqrt", "^") and not free(s)):
        for failing in failures(s):
            with suppress(Stuck, KernelError):
                return apply("undefined", leaf[1], s, apply("and_intro", tuple(map(point.afresh().atom, failing[1:])))
                             if failing[0] == "and" else point.afresh().atom(failing))
    partial = [s for s in occurring(leaf[1]) if isinstance(s, tuple) and s[0] in ("log", "sqrt") and way.x in free(s)]
    for s in sorted(partial, key=lambda s: len(str(s))):
        try:
            return apply("undefined", leaf[1], s, way.prove(failures(s)[0], point))
        except (Stuck, KernelError):
            continue
    raise Stuck("no condition is known to fail")


def _samples(x: str, c: str | None, inside: Sequence[Node], points: Array) -> Points:
    if c is None:
        return {x: points}
    pairs = {x: np.repeat(points, FACTORS.size), c: np.tile(FACTORS, points.size)}
    met = np.logical_and.reduce([values(i[1], pairs).value > 0 for i in inside if i[0] == ">"])
    return {v: column[met] for v, column in pairs.items()}


def _leaves(formula: Node) -> Iterator[tuple[list[Node], Node]]:
    if formula[0] == "or":
        for part in formula[1:]:
            for path, leaf in _leaves(part):
                yield [formula, *path], leaf
    elif formula[0] in (">", ">=", "undef"):
        yield [], formula


__all__ = ["diverges", "seems_away"]
