"""Numbers for the evaluator of meaning: exact rationals, decimals of 100 digits, and numbers with a slope.

Partial operations raise ``Undefined``.  Where the digits do not decide, ``CannotTell`` is raised: never a guess.
A ``Slope`` is a value with its derivative in one hidden variable; ``derivative`` reads it off, and looks at difference
quotients where an operation has a kink.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import mpmath
from flint import fmpq

mpmath.mp.dps = 100
Q = fmpq  # exact rationals
ZERO, ONE, HALF = Q(0), Q(1), Q(1, 2)
TINY = mpmath.mpf(10) ** -70  # below this, decimals do not tell a number from zero
VANISHING = mpmath.mpf(10) ** -40_000
MAX_BITS = 40_000
MAX_TERMS = 80
QUARTERS = tuple(fmpq(k, 4) for k in range(-20, 21))  # places at which integrands are asked for a value
Real = Any  # Q | mpf | Slope


class Undefined(Exception):
    """A term that has no value."""


class CannotTell(Exception):
    """The evaluator does not know."""


class TooLong(Exception):
    """A statement takes more work than one is given."""


class Work:
    """How many values may still be worked out for a statement."""

    left = math.inf

    def one(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLong


WORK = Work()


class Kink(CannotTell):
    """An operation that is not smooth where it is taken."""


@dataclass(frozen=True)
class Slope:
    """A value and its derivative in the variable of one differentiation."""

    level: int
    value: Real
    slope: Real


_levels = itertools.count(1)


def plain(a: Real) -> Real:
    """The value without its slopes."""
    while isinstance(a, Slope):
        a = a.value
    return a


def parts(level: int, a: Real) -> tuple[Real, Real]:
    return (a.value, a.slope) if isinstance(a, Slope) and a.level == level else (a, ZERO)


def top(*values: Real) -> int:
    return max((v.level for v in values if isinstance(v, Slope)), default=0)


def bounded(a: Real) -> Real:
    if isinstance(a, Q):
        if a.height_bits() > MAX_BITS:
            raise CannotTell
    elif not mpmath.isfinite(a):
        raise CannotTell
    return a


def decimal(a: Real) -> Any:
    """The number to 100 digits."""
    return mpmath.mpf(int(a.p)) / int(a.q) if isinstance(a, Q) else a


def add(a: Real, b: Real) -> Real:
    if isinstance(a, Q) and isinstance(b, Q):
        return a + b
    level = top(a, b)
    if level:
        (a, da), (b, db) = parts(level, a), parts(level, b)
        return Slope(level, add(a, b), add(da, db))
    return decimal(a) + decimal(b)


def mul(a: Real, b: Real) -> Real:
    if isinstance(a, Q) and isinstance(b, Q):
        return bounded(a * b)
    level = top(a, b)
    if level:
        (a, da), (b, db) = parts(level, a), parts(level, b)
        return Slope(level, mul(a, b), add(mul(da, b), mul(a, db)))
    if a == 0 or b == 0:
        return ZERO
    return decimal(a) * decimal(b)


def neg(a: Real) -> Real:
    return mul(Q(-1), a)


def sub(a: Real, b: Real) -> Real:
    return add(a, neg(b))


def sign(a: Real) -> int:
    """-1, 0 or 1; of a number with slopes, the sign of its value."""
    a = plain(a)
    if isinstance(a, Q):
        return (a > 0) - (a < 0)
    if abs(a) < TINY:
        raise CannotTell
    return 1 if a > 0 else -1


def differ(a: Real, b: Real) -> bool:
    """Are they different numbers, or numbers with different slopes, as far as the digits tell?"""
    gap = sub(a, b)
    if isinstance(gap, Slope):
        return differ(gap.value, Q(0)) or differ(gap.slope, Q(0))
    return bool(gap != 0 if isinstance(gap, Q) else abs(gap) > TINY)


def whole(a: Real) -> bool:
    """Is it an integer?"""
    if isinstance(a, Slope):
        if not still(a):
            raise Kink
        return whole(a.value)
    if isinstance(a, Q):
        return bool(a.q == 1)
    if abs(a - mpmath.nint(a)) < TINY:
        raise CannotTell
    return False


def still(a: Real) -> bool:
    """Does it not move with any variable of differentiation?"""
    return not isinstance(a, Slope) or (a.slope == ZERO and still(a.value))


def smooth(a: Slope, outer: Callable[[Real], Real], slope: Callable[[Real], Real]) -> Slope:
    """outer(a), by the chain rule."""
    return Slope(a.level, outer(a.value), mul(slope(a.value), a.slope))


def exp(a: Real) -> Real:
    if isinstance(a, Slope):
        return smooth(a, exp, exp)
    if a == 0:
        return ONE
    if a > 100_000:
        raise CannotTell
    return VANISHING if a < -100_000 else mpmath.exp(decimal(a))


def log(a: Real) -> Real:
    if sign(a) <= 0:
        raise Undefined
    if isinstance(a, Slope):
        return smooth(a, log, lambda v: power(v, -ONE))
    return ZERO if a == 1 else mpmath.log(decimal(a))


def sqrt(a: Real) -> Real:
    s = sign(a)
    if s < 0:
        raise Undefined
    if isinstance(a, Slope):
        if s == 0:
            raise Kink
        return smooth(a, sqrt, lambda v: mul(HALF, power(sqrt(v), -ONE)))
    if isinstance(a, Q):
        root = Q(math.isqrt(int(a.p)), math.isqrt(int(a.q)))
        if root * root == a:
            return root
    return mpmath.sqrt(decimal(a))


def floor(a: Real) -> Real:
    if isinstance(a, Slope):
        if whole(plain(a)) and not still(a):
            raise Kink
        return floor(plain(a))
    if isinstance(a, Q):
        return Q(a.floor())
    if abs(a - mpmath.nint(a)) < TINY or abs(a) > mpmath.mpf(10) ** 60:
        raise CannotTell
    return Q(int(mpmath.floor(a)))


def larger(a: Real, b: Real) -> Real:
    s = sign(sub(a, b))
    if s == 0 and not (still(a) and still(b)):
        if a == b:
            return a
        raise Kink
    return a if s >= 0 else b


def power(a: Real, b: Real) -> Real:
    """Natural exponents are total; negative integers a base that is not 0; 0^b = 0 for b > 0; else exp(b log a)."""
    if not isinstance(b, Q):
        if isinstance(b, Slope):
            if still(b):
                return power(a, plain(b))
            if sign(a) <= 0:
                raise Kink
            return exp(mul(b, log(a)))
        whole(b)  # near an integer the case is not known
    elif b.q == 1:
        if b < 0 and sign(a) == 0:
            raise Undefined
        return integer_power(a, int(b))
    s = sign(a)
    if s < 0 or (s == 0 and sign(b) <= 0):
        raise Undefined
    if isinstance(a, Slope):
        if s == 0:
            raise Kink
        return smooth(a, lambda v: power(v, b), lambda v: mul(b, power(v, sub(b, ONE))))
    if s == 0:
        return ZERO
    if b == HALF:
        return sqrt(a)
    if a == 1:
        return ONE
    exponent = mul(b, mpmath.log(decimal(a)))
    return exp(exponent)


def integer_power(a: Real, n: int) -> Real:
    if n == 0:
        return ONE
    if isinstance(a, Slope):
        return smooth(a, lambda v: integer_power(v, n), lambda v: mul(Q(n), integer_power(v, n - 1)))
    if abs(n) > 64:
        if a in (0, 1):
            return a
        if a == -1:
            return -ONE if n % 2 else ONE
        if not isinstance(a, Q) or abs(n) * a.height_bits() > MAX_BITS:
            return mpmath.power(decimal(a), n)
    return bounded(a ** n)


def lambert(branch: int, a: Real) -> Real:
    """The w with w exp(w) = a on the branch: w >= -1 (0) or w <= -1 (-1)."""
    least = -mpmath.exp(-1)
    v = decimal(plain(a))
    if abs(v - least) < TINY:
        raise CannotTell
    if v < least or (branch == -1 and sign(a) >= 0):
        raise Undefined
    if isinstance(a, Slope):
        return smooth(a, lambda u: lambert(branch, u), lambda u: power(
            mul(exp(lambert(branch, u)), add(ONE, lambert(branch, u))), -ONE))
    return ZERO if a == 0 else mpmath.re(mpmath.lambertw(decimal(a), branch))


def total(low: Real, high: Real, term: Callable[[Real], Real]) -> Real:
    """A sum: its ends are integers, the upper one at least the lower one less 1."""
    return total_of(add, ZERO, low, high, term)


def total_of(combine: Callable[[Real, Real], Real], result: Real, low: Real, high: Real,
             term: Callable[[Real], Real]) -> Real:
    if not (whole(low) and whole(high)):
        raise Undefined
    first, last = int(plain(low)), int(plain(high))
    if last < first - 1:
        raise Undefined
    unknown = False
    for i in range(first, last + 1):
        if i > first + MAX_TERMS:
            raise CannotTell
        try:
            result = combine(result, term(Q(i)))
        except CannotTell:  # a later term may be undefined
            unknown = True
    if unknown:
        raise CannotTell
    return result


def factorial(n: Real) -> Real:
    """1 2 .. n, of an integer n >= 0."""
    if not whole(n) or plain(n) < 0:
        raise Undefined
    return product(ONE, n)


def product(low: Real, high: Real) -> Real:
    """low (low + 1) .. high; undefined where a sum is, or where a factor is not positive."""
    return total_of(mul, ONE, low, high, positive)


def positive(k: Real) -> Real:
    if sign(k) <= 0:
        raise Undefined
    return k


def simple(a: Real) -> Real:
    """The simple fraction that a number is within 18 digits of; CannotTell if there is none."""
    value = decimal(plain(a))
    for bottom in range(1, 721):
        top = mpmath.nint(value * bottom)
        if abs(value * bottom - top) < mpmath.mpf(10) ** -18:
            return Q(int(top), bottom)
    raise CannotTell


def integral(low: Real, high: Real, term: Callable[[Real], Real]) -> Real:
    """A Riemann integral, of what is defined on the whole range; exact for polynomials up to degree 5, else unknown."""
    a, b = sorted((plain(low), plain(high)), key=decimal)
    ends = (a, b) if isinstance(a, Q) and isinstance(b, Q) else (decimal(a), decimal(b))
    for place in (a, b, *(q for q in QUARTERS if ends[0] < (q if isinstance(ends[0], Q) else decimal(q)) < ends[1])):
        term(place)
    if a == b and still(low) and still(high):
        return ZERO
    coarse = boole(low, high, term)
    middle = add(mul(Q(1, 3), low), mul(Q(2, 3), high))
    fine, size = add(boole(low, middle, term), boole(middle, high, term)), plain(coarse)
    if coarse != fine or (not isinstance(size, Q) and abs(size) < TINY):  # one that vanishes at each of these places
        raise CannotTell
    return coarse


def boole(low: Real, high: Real, term: Callable[[Real], Real]) -> Real:
    width, result = sub(high, low), ZERO
    for k, weight in enumerate((7, 32, 12, 32, 7)):
        result = add(result, mul(Q(weight, 90), term(add(low, mul(Q(k, 4), width)))))
    return mul(width, result)


def derivative(function: Callable[[Real], Real], at: Real) -> Real:
    """The two-sided derivative; undefined where the function is not differentiable."""
    level = next(_levels)
    try:
        result = function(Slope(level, at, ONE))
        function(at)
        return parts(level, result)[1]
    except Kink:
        if isinstance(at, Slope):
            raise
        return kinked(function, at)


def kinked(function: Callable[[Real], Real], at: Real) -> NoReturn:
    """One-sided difference quotients that stay apart show that there is no derivative; else nothing is known."""
    middle = function(at)
    sides: list[list[Real]] = []
    for direction in (1, -1):
        sides.append([])
        for digits in (10, 20):
            step = Q(direction, 10 ** digits)
            sides[-1].append(decimal(mul(sub(function(add(at, step)), middle), 1 / step)))
    (r1, r2), (l1, l2) = sides
    if abs(r2 - l2) > 0.001 and abs(r1 - l1) > 0.001 and abs(r1 - r2) < 0.0001 and abs(l1 - l2) < 0.0001:
        raise Undefined
    if any(abs(far) > 100 and abs(near) > 50 * abs(far) for far, near in sides):
        raise Undefined
    raise CannotTell
