"""What expectation, variance and probability are, from the laws themselves: values, and how probable they are.

A law is asked for the mean of a function.  One that takes finitely many values gives it exactly.  Of the others, the
means of polynomials are known exactly by their moments; that a function is one is seen at more places than it takes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from . import reals
from .reals import ONE, ZERO, CannotTell, Q, Real, Undefined

DEGREE, PLACES = 4, 9  # of the polynomials whose means are known; at which a function is looked at
MOST = 60  # values of a law whose masses are added one by one
Function = Callable[[Real], Real]


@dataclass
class Law:
    name: str
    kind: str
    given: list[Any]


def check(condition: bool) -> None:
    if not condition:
        raise Undefined


def added(parts: Iterable[Real]) -> Real:
    return reduce(reals.add, parts, ZERO)


def nonnegative(p: Real) -> bool:
    """Is the parameter valid; and around a point at which a derivative is taken?"""
    if isinstance(p, reals.Slope) and not reals.differ(p.value, ZERO):
        check(not reals.differ(p.slope, ZERO))
        raise CannotTell
    return reals.sign(p) >= 0


def masses(law: Law) -> list[tuple[Real, Real]] | None:
    """The values and their probabilities, if there are finitely many.  Undefined where parameters are not valid."""
    kind, given = law.kind, law.given
    if kind == "Bernoulli":
        kind, given = "Finite", [(ONE, given[0]), (ZERO, reals.sub(ONE, given[0]))]
    if kind == "Empirical":
        return [(v, Q(1, len(given))) for v in given]
    if kind == "Binomial":
        n, p = given
        check(reals.whole(n) and reals.sign(n) >= 0 and nonnegative(p) and nonnegative(reals.sub(ONE, p)))
        top = int(reals.plain(n))
        if top > MOST:
            raise CannotTell
        return [(Q(k), reals.mul(Q(math.comb(top, k)), reals.mul(
            reals.power(p, Q(k)), reals.power(reals.sub(ONE, p), Q(top - k))))) for k in range(top + 1)]
    if kind == "Pmf" and not isinstance(given[2], tuple):
        weight, low, high = given
        check(reals.whole(low) and reals.whole(high))
        if high - low > MOST:
            raise CannotTell
        check(high >= low)
        given = [(Q(k), weight(Q(k))) for k in range(int(low), int(high) + 1)]
    elif kind != "Finite":
        return None
    check(all([nonnegative(p) for _, p in given]))
    total = reals.sub(added(p for _, p in given), ONE)
    check(reals.sign(total) == 0 and not reals.differ(total, ZERO))  # also around it
    return given


def moments(law: Law) -> tuple[list[Real], list[Real]]:
    """Of a law that takes infinitely many values: the means of X**0 .. X**DEGREE, and places among its values."""
    kind, given = law.kind, law.given
    if kind == "Geometric":
        p = given[0]
        check(reals.sign(p) > 0 and nonnegative(reals.sub(ONE, p)))
        q, out = reals.sub(ONE, p), [ONE]
        for j in range(1, DEGREE + 1):  # E X^j = 1 + q (E (X + 1)^j - 1)
            below = added(reals.mul(Q(math.comb(j, i)), out[i]) for i in range(j))
            out.append(reals.mul(reals.add(p, reals.mul(q, below)), reals.power(p, -ONE)))
        return out, [Q(k) for k in range(1, PLACES + 1)]
    if kind == "Poisson":
        m = given[0]
        check(nonnegative(m))
        out = [ONE]
        for j in range(DEGREE):  # E X^(j + 1) = m E (X + 1)^j
            out.append(reals.mul(m, added(reals.mul(Q(math.comb(j, i)), out[i]) for i in range(j + 1))))
        return out, [Q(k) for k in range(PLACES)]
    if kind in ("Exponential", "Gamma"):
        shape, rate = (ONE, given[0]) if kind == "Exponential" else given
        check(reals.whole(shape) and reals.sign(shape) > 0 and reals.sign(rate) > 0)
        k = int(reals.plain(shape))
        return ([reals.mul(Q(math.factorial(k + j - 1), math.factorial(k - 1)), reals.power(rate, Q(-j)))
                 for j in range(DEGREE + 1)], [Q(k, 2) for k in range(PLACES)])
    if kind == "Uniform":
        a, b = given
        check(reals.sign(reals.sub(b, a)) > 0)
        width = reals.sub(b, a)
        out = [reals.mul(reals.sub(reals.power(b, Q(j + 1)), reals.power(a, Q(j + 1))),
                         reals.power(reals.mul(Q(j + 1), width), -ONE)) for j in range(DEGREE + 1)]
        return out, [reals.add(a, reals.mul(Q(k, PLACES - 1), width)) for k in range(PLACES)]
    raise CannotTell


def mean(law: Law, g: Function) -> Real:
    listed = masses(law)
    if listed is not None:
        return added([reals.mul(g(v), p) for v, p in listed])
    known, places = moments(law)
    values_there = [g(x) for x in places]
    if all(not reals.differ(m, known[1]) for m in known[1:]) and not reals.differ(known[1], places[0]):
        return values_there[0]  # the law has one value, and the others, which are not taken, are defined all the same
    return by_moments(places, values_there, known)


def by_moments(places: list[Real], values: list[Real], known: list[Real]) -> Real:
    """The mean of the polynomial with these values, by divided differences; CannotTell if it is none of low degree."""
    table, differences = list(values), [values[0]]
    for width in range(1, len(places)):
        table = [reals.mul(reals.sub(b, a), reals.power(reals.sub(places[i + width], places[i]), -ONE))
                 for i, (a, b) in enumerate(itertools.pairwise(table))]
        differences.append(table[0])
    if any(reals.differ(d, ZERO) for d in differences[len(known):]):
        raise CannotTell
    result, product = ZERO, [ONE]  # coefficients of (x - x0) (x - x1) ..
    for d, x in zip(differences[:len(known)], places, strict=False):
        for c, m in zip(product, known, strict=False):
            result = reals.add(result, reals.mul(d, reals.mul(c, m)))
        shifted = [ZERO, *product]
        product = [reals.sub(a, reals.mul(x, b)) for a, b in zip(shifted, [*product, ZERO], strict=True)]
    return result


def value(kind: str, laws: list[Law], g: Callable[[dict[str, Real]], Real]) -> Real:
    """The operator's value: laws are valid, also those of which g does not speak."""
    for law in laws:
        if masses(law) is None:
            moments(law)

    def over(left: list[Law], at: dict[str, Real], f: Callable[[dict[str, Real]], Real]) -> Real:
        if not left:
            return f(at)
        return mean(left[0], lambda v: over(left[1:], {**at, left[0].name: v}, f))

    if kind != "Var":
        return over(laws, {}, g)
    first = over(laws, {}, g)
    return over(laws, {}, lambda at: reals.power(reals.sub(g(at), first), Q(2)))
