"""Negated limits: however close to the point one looks, somewhere the function stays away from the value.

The negation says: for all d (positive, or a bound at infinity) there is an x within d (or beyond) at which f is
outside the neighbourhood.  It is proved from one inequality on a fixed interval (a, a + r), or beyond a bound, at
x = a + r d / (r + d), which is within both r and d, or at x = d^2 + 1 + bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, free, gt, minus, neg_term, negate, substitute
from qtheory.proofs.tactics.arrays import values
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, cut_all, hyp

Products = tuple[Any, ...]
Prove = Callable[[Node, list[Step]], Step]
RADII = tuple(Fraction(1, n) for n in (10, 100, 1000))
FAR = (Fraction(10), Fraction(1000))


def diverges(formula: Node, prove: Prove) -> Step:
    """A step for ("all", d, ..) as the negation of a limit gives it; Stuck if it is none, or none is found."""
    _, d, body = formula
    if body[0] == "ex":
        return apply("all_intro", d, _far(d, body, prove))
    if body[0] != "or" or len(body) != 3 or body[1] != negate((">", d)) or body[2][0] != "ex":
        raise Stuck("no negated limit")
    near = _near(d, body[2], prove)
    cases = (apply("or_intro", near, body), apply("or_intro", hyp(body[1]), body))
    return apply("all_intro", d, apply("or_elim", apply("excluded_middle", (">", d)), cases, body))


def _near(d: str, exists: Node, prove: Prove) -> Step:
    _, x, (_, ball, outside) = exists
    above = next((t for t in ball[1:] if t[0] in (">", "!=")), None)
    if ball[0] != "and" or above is None:
        raise Stuck("another neighbourhood")
    forward = above[0] == "!=" or above[1][1] == x
    a = above[1][2][2] if forward else above[1][1]
    if {x, d} & free(a):
        raise Stuck("another neighbourhood")
    for r in RADII:
        for sign in (1, -1) if above[0] == "!=" else (1 if forward else -1,):
            inside = (gt(x, a), gt(("+", a, r), x)) if sign == 1 else (gt(a, x), gt(x, minus(a, r)))
            points = float(_number(a)) + sign * float(r) * np.geomspace(1e-6, 0.99, 40)
            step = _outside(x, outside, inside, points, prove)
            if step is not None:
                return _within(d, exists, a, r, sign, inside, step)
    raise Stuck("the function is not known to stay away")


def _within(d: str, exists: Node, a: Node, r: Fraction, sign: int, inside: Sequence[Node], step: Step) -> Step:
    _, x, (_, ball, _) = exists
    positive = hyp((">", d))
    total = apply("combine", (">", ("+", d, r)), (positive,), ((ONE, ((0, 1),), ()), (r, (), ())))
    facts = (positive, total)
    w: Node = ("*", r, d, ("^", ("+", d, r), MINUS))
    at = ("+", a, w if sign == 1 else neg_term(w))
    share = (r, ((0, 1), (1, -1)), ())
    options: list[Products] = [(share,), ((ONE, ((0, 2), (1, -1)), ()),), ((r * r, ((1, -1),), ()),),
                               ((ONE, ((0, 1),), ()), share), ((-r, ((0, 1), (1, -1)), ()),)]
    return _at(exists, at, inside, step, facts, options, [substitute(b, x, at) for b in ball[1:]])


def _far(d: str, exists: Node, prove: Prove) -> Step:
    _, x, (_, beyond, outside) = exists
    if beyond not in (gt(x, d), gt(d, x)):
        raise Stuck("another neighbourhood")
    sign = 1 if beyond == gt(x, d) else -1
    for bound in FAR:
        inside = (gt(x, bound),) if sign == 1 else (gt(-bound, x),)
        step = _outside(x, outside, inside, sign * float(bound) * np.geomspace(1.01, 1e4, 40), prove)
        if step is None:
            continue
        size = ("+", ("^", d, Fraction(2)), ONE, bound)
        at = size if sign == 1 else neg_term(size)
        half = ("+", d, Fraction(-sign, 2))
        reflexive = apply("combine", ("=", minus(d, d)), (), ())  # d is a variable, so it is defined
        options: list[Products] = [((ONE, (), (d,)), (ONE, (), ())),
                                   ((ONE, (), (half,)), (Fraction(3, 4) + bound, (), ()))]
        return _at(exists, at, inside, step, (reflexive,), options, [substitute(beyond, x, at)])
    raise Stuck("the function is not known to stay away")


def _at(exists: Node, at: Node, inside: Sequence[Node], step: Step, facts: tuple[Step, ...],
        options: Sequence[Products], ball: list[Node]) -> Step:
    """The existence at a term, whose place is shown by one of the options for combinations."""
    _, x, body = exists
    here = apply("instance", step, x, at, facts)
    known = [_combined(substitute(i, x, at), facts, options) for i in inside]
    here = cut_all(known, here)
    parts = tuple(_combined(b, facts, options) for b in ball)
    whole = parts[0] if body[1][0] != "and" else apply("and_intro", parts)
    return apply("ex_intro", exists, at, apply("and_intro", (whole, here)), facts)


def _combined(goal: Node, facts: tuple[Step, ...], options: Sequence[Products]) -> Step:
    for products in options:
        step = attempt("combine", goal, facts, products)
        if step is not None:
            return step
    raise Stuck("the place of the point is not shown")


def _outside(x: str, outside: Node, inside: Sequence[Node], points: np.ndarray, prove: Prove) -> Step | None:
    """``outside`` on the interval: a part of it that holds at all sample points, proved there."""
    for path, leaf in _leaves(outside):
        seen = values(leaf[1], {x: points})
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
