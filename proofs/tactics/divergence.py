"""Negated limits and orders: however close to the point one looks, somewhere the function stays away from the value.

The negation says: for all d (positive, or a bound at infinity) there is an x within d (or beyond) at which f is
outside the neighbourhood; that of an order says so for every factor c, of f outside c |g|.  It is proved from one
inequality on a fixed interval (a, a + r), or beyond a bound, at x = a + r d / (r + d), which is within both r and d,
or at x = d^2 + 1 + bound, or at the integer that follows.  With a factor the distance from a is divided by 1 + c^2
(and x is multiplied by it at infinity), so that c and c^2 times the distance are below r besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

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
from qtheory.proofs.tactics.arrays import Array, Points, values
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, cut_all, hyp, parts

Products = tuple[Any, ...]
Prove = Callable[[Node, list[Step]], Step]
RADII = tuple(Fraction(1, n) for n in (10, 100, 1000))
FAR = (Fraction(10), Fraction(1000))
FACTORS = np.array([-100.0, -1.0, 0.0, 1.0, 10.0, 1000.0])
HALF = Fraction(1, 2)


def diverges(formula: Node, prove: Prove, c: str | None = None) -> Step:
    """A step for ("all", d, ..) as the negation of a limit gives it, or ("all", c, ("all", d, ..)) as that of an
    order does; Stuck if it is none, or none is found."""
    _, d, body = formula
    if body[0] == "all" and c is None:
        return apply("all_intro", d, diverges(body, prove, d))
    if body[0] == "ex":
        return apply("all_intro", d, _far(d, c, body, prove))
    if body[0] != "or" or len(body) != 3 or body[1] != negate((">", d)) or body[2][0] != "ex":
        raise Stuck("no negated limit")
    near = _near(d, c, body[2], prove)
    cases = (apply("or_intro", near, body), apply("or_intro", hyp(body[1]), body))
    return apply("all_intro", d, apply("or_elim", apply("excluded_middle", (">", d)), cases, body))


def _near(d: str, c: str | None, exists: Node, prove: Prove) -> Step:
    x, body = exists[1:]
    if body[0] != "and" or len(body) != 3 or body[1][0] != "and":
        raise Stuck("another neighbourhood")
    ball, outside = body[1:]
    above = next((t for t in ball[1:] if t[0] in (">", "!=")), None)
    if above is None or not isinstance(above[1], tuple) or above[1][0] != "+":
        raise Stuck("another neighbourhood")
    forward = above[0] == "!=" or above[1][1] == x
    a = above[1][2][2] if forward else above[1][1]
    if {x, d} & free(a):
        raise Stuck("another neighbourhood")
    for r in RADII:
        for sign in (1, -1) if above[0] == "!=" else (1 if forward else -1,):
            gap = minus(x, a) if sign == 1 else minus(a, x)
            inside = ((">", gap), gt(r, gap), *_scaled(c, gap, r, below=True))
            points = float(_number(a)) + sign * float(r) * np.geomspace(1e-6, 0.99, 40)
            step = _outside(x, c, outside, inside, points, prove)
            if step is not None:
                return _within(d, c, exists, a, r, sign, inside, step)
    raise Stuck("the function is not known to stay away")


def _scaled(c: str | None, gap: Node, r: Fraction, *, below: bool) -> tuple[Node, ...]:
    """c and c^2 times the distance are below r; or the distance is above c and c^2 times r."""
    scales: tuple[Node, ...] = () if c is None else (c, ("^", c, Fraction(2)))
    return tuple(gt(r, ("*", s, gap)) if below else gt(gap, ("*", s, r)) for s in scales)


def _within(d: str, c: str | None, exists: Node, a: Node, r: Fraction, sign: int, inside: Sequence[Node],
            step: Step) -> Step:
    _, x, (_, ball, _) = exists
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
    at = ("+", a, w if sign == 1 else neg_term(w))
    return _at(exists, at, inside, step, facts, options, [substitute(b, x, at) for b in ball[1:]])


def _far(d: str, c: str | None, exists: Node, prove: Prove) -> Step:
    _, x, (_, beyond, outside) = exists
    whole = beyond[0] == "and" and ("isint", x) in beyond[1:]
    last = beyond[-1] if whole else beyond
    if last not in (gt(x, d), gt(d, x)) or (whole and beyond != ("and", ("isint", x), gt(x, d))):
        raise Stuck("another neighbourhood")
    sign = 1 if last == gt(x, d) else -1
    gap = x if sign == 1 else neg_term(x)
    for bound in FAR:
        inside = ((("isint", x),) if whole else ()) + (gt(gap, bound), *_scaled(c, gap, bound, below=False))
        points = sign * float(bound) * np.geomspace(1.01, 1e4, 40)
        step = _outside(x, c, outside, inside, np.ceil(points) if whole else points, prove)
        if step is not None:
            return _beyond(d, c, exists, bound, sign, inside, step, whole)
    raise Stuck("the function is not known to stay away")


def _beyond(d: str, c: str | None, exists: Node, bound: Fraction, sign: int, inside: Sequence[Node], step: Step,
            whole: bool) -> Step:
    _, x, (_, beyond, _) = exists
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
    if whole:
        at = ("+", ("floor", size), ONE)
        bounds = parts(apply("floor_bounds", size, ()))
        facts = (apply("integral_polynomial", at, (bounds[0],)), bounds[2])
        options = [(*products, (ONE, ((1, 1),), ())) for products in options]
    places = beyond[1:] if whole else (beyond,)
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


def _outside(x: str, c: str | None, outside: Node, inside: Sequence[Node], points: Array, prove: Prove) -> Step | None:
    """``outside`` on the interval: a part of it that holds at all sample points, proved there."""
    at = _samples(x, c, inside, points)
    for path, leaf in _leaves(outside):
        seen = values(leaf[1], at)
        if not bool(np.all(~seen.undefined & (seen.value >= 0))):
            continue
        try:
            step = prove(leaf, [hyp(i) for i in inside])
        except (Stuck, KernelError):
            continue
        for formula in reversed(path):
            step = apply("or_intro", step, formula)
        return step
    return None


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
    elif formula[0] in (">", ">="):
        yield [], formula


def _number(a: Node) -> float:
    return float(values(a, {}).value)


__all__ = ["diverges"]
