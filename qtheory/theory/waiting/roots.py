"""The exponential-martingale root of a queue's increments: theta > 0 with ``E exp(theta (Y - n)) = 1``.

For Y binomial of N and p with ``N p < n < N`` it is the paper's theta of (16); it is a function of ``q = n/N`` and p
alone, the root of ``kappa(theta) = (q - p) theta``, where ``kappa(theta) = ln(1 - p + p exp(theta)) - p theta`` is
convex with ``kappa(theta) = theta^2 * integral from 0 to 1 of (1 - u) v(u theta) du``, v(s) > 0 the variance of a
Bernoulli variable tilted by s. The integral keeps all digits where the terms of kappa cancel; where theta > 1 the same
equation is read from its other end, ``(1 - q) theta = -ln(p + (1 - p) exp(-theta))``. Newton's method from the right of
the root of a convex function decreases to it. For Y Poisson of mean a < n: ``exp(theta) - 1 - theta = (n/a - 1)
theta``.

Bounds on the binomial root (Lemma 8 has the first one): ``8 (q - p) <= 4 (q - p) ln((1 - p)/p)/(1 - 2 p) <= theta <=
-ln(p)/(1 - q)``, the middle one by the inequality of Kearns and Saul. Theorem 2 prints ``8 (n_j - n_{j-1} p_j)/n_j``,
with n_j for n_{j-1} below the line: no lower bound.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.theory.waiting.requests import exact

Array = NDArray[np.float64]
STEPS = 200  # of Newton's method at most; near the load 1 each of the first halves the distance
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)  # errors of about 1e-20: the poles are pi away
_U, _W = (_NODES + 1) / 2, (1 - _NODES) / 4 * _WEIGHTS  # nodes on [0, 1]; weights times 1 - u
PRECISIONS = (128, 256, 512, 1024, 4096)  # bits


def binomial_roots(trials: ArrayLike, share: ArrayLike, thresholds: ArrayLike) -> Array:
    """Theta for arrays, broadcast together: N ``trials`` (prompts), p the ``share`` that passes on, n ``thresholds``.

    To about 14 digits for the floats given. Where n >= N no queue of more than n builds up: infinity. InputError, with
    the index, unless 0 < p < 1 and n > N p.
    """
    big, p, n = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (trials, share, thresholds)))
    _check(big, p, n)
    drift = _excess(n, big, p) / big
    rest = (big - n) / big
    with np.errstate(divide="ignore"):
        start = np.where(rest > 0, -np.log(p) / rest, 1.0)
    return np.where(rest > 0, _newton(start, lambda t: _binomial(t, p, drift, rest)), np.inf)


def poisson_roots(means: ArrayLike, thresholds: ArrayLike) -> Array:
    """Theta for Poisson arrivals of mean a an iteration and thresholds n > a > 0, arrays broadcast together."""
    a, n = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (means, thresholds)))
    good = (a > 0) & (n > a) & np.isfinite(n)
    if not good.all():
        raise InputError(f"a root needs a threshold above the mean arrivals, above 0{_place(good)}")
    drift = (n - a) / a
    start = 2 * np.log1p(drift) + np.minimum(2 * drift, 2.0)  # at its right: exp(x) - 1 > (1 + drift) x there
    return _newton(start, lambda t: _poisson(t, drift))


def root_bounds(trials: ArrayLike, share: ArrayLike, thresholds: ArrayLike) -> tuple[Array, Array, Array]:
    """(Lemma 8's lower bound, a sharper one, an upper bound) of `binomial_roots`, n < N."""
    big, p, n = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (trials, share, thresholds)))
    _check(big, p, n)
    drift, odds = (n - big * p) / big, 1 - 2 * p
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(np.abs(odds) < 1e-6, 8.0, 4 * np.log1p(odds / p) / odds)
        return 8 * drift, factor * drift, np.where(n < big, -np.log(p) * big / (big - n), np.inf)


def _check(big: Array, p: Array, n: Array) -> None:
    good = (big > 0) & (p > 0) & (p < 1) & (_excess(n, big, p) > 0) & np.isfinite(n) & np.isfinite(big)
    if not good.all():
        raise InputError(f"a root needs 0 < p < 1 and a threshold above N p{_place(good)}")


def _excess(n: Array, big: Array, p: Array) -> Array:
    """``n - N p`` to the last digits: the product as two floats, by Dekker, so that nothing cancels."""
    split = 134217729.0  # 2^27 + 1
    product = big * p
    high_a, high_b = split * big - (split * big - big), split * p - (split * p - p)
    low_a, low_b = big - high_a, p - high_b
    rest = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return (n - product) - rest


def _place(good: NDArray[np.bool_]) -> str:
    return f"; at index {', '.join(str(int(i)) for i in np.argwhere(~good)[0])} it is not" if good.ndim else ""


def _newton(start: Array, of: Any) -> Array:
    """The root at the left of ``start`` of a convex function, given with its derivative."""
    theta = np.array(start, dtype=np.float64)
    for _ in range(STEPS):
        value, slope = of(theta)
        after = np.where(slope > 0, theta - value / np.where(slope > 0, slope, 1.0), theta)
        if np.all(np.abs(after - theta) <= 1e-9 * np.abs(theta)):  # the error left is of the order of its square
            return np.asarray(after)
        theta = np.where(after > 0, after, theta / 2)
    return theta


def _binomial(theta: Array, p: Array, drift: Array, rest: Array) -> tuple[Array, Array]:
    """``kappa(theta)/theta - (q - p)``, times theta, and the derivative of that."""
    small = np.minimum(theta, 1.0)
    e = np.exp(-small[..., None] * _U)
    tilted = p[..., None] / (p[..., None] + (1 - p[..., None]) * e)
    near = small * small * ((tilted * (1 - tilted)) @ _W) - drift * small
    left = p + (1 - p) * np.exp(-theta)
    far = rest * theta + np.where(left < 0.5, np.log(left), np.log1p((1 - p) * np.expm1(-theta)))
    value = np.where(theta <= 1, near, far)
    slope = rest - (1 - p) * np.exp(-theta) / left
    exact_slope = small * ((tilted * (1 - tilted)) @ (_WEIGHTS / 2)) - drift
    return value, np.where(theta <= 1, exact_slope, slope)


def _poisson(theta: Array, drift: Array) -> tuple[Array, Array]:
    small = np.minimum(theta, 1.0)
    near = small * small * (np.exp(small[..., None] * _U) @ _W) - drift * small
    value = np.where(theta <= 1, near, np.expm1(theta) - (1 + drift) * theta)
    return value, np.expm1(theta) - drift


def enclosure(trials: int, share: Any, threshold: int, width: Fraction = Fraction(1, 10**12)
              ) -> tuple[Fraction, Fraction]:
    """Rationals with the binomial root strictly between them, at most ``width`` of it apart: rigorous.

    The function ``-n theta + N ln(1 - p + p exp(theta))`` is convex, 0 at 0 and falls there, so it is negative left of
    its one positive root and positive right of it; balls (Arb) certify the two signs.
    """
    p = exact(share, "the share")
    if not (0 < p < 1 and trials * p < threshold < trials):
        raise InputError("an enclosure needs 0 < p < 1 and N p < n < N")
    middle = Fraction(float(binomial_roots(trials, float(p), threshold)))
    step = middle * width / 4
    for _ in range(60):
        low, high = middle - step, middle + step
        if _sign(trials, p, threshold, low) < 0 < _sign(trials, p, threshold, high):
            if high - low > width * low:
                break
            return low, high
        step *= 2
    return _bisected(trials, p, threshold, width)


def _bisected(trials: int, p: Fraction, threshold: int, width: Fraction) -> tuple[Fraction, Fraction]:
    """By halving, where the floats of p and theta say too little."""
    low, high = 8 * (Fraction(threshold, trials) - p) / 2, Fraction(1)
    while _sign(trials, p, threshold, high) <= 0:
        high *= 2
    while high - low > width * low:
        middle = (low + high) / 2
        middle = middle.limit_denominator(10**24 * high.denominator)
        if _sign(trials, p, threshold, middle) < 0:
            low = middle
        else:
            high = middle
    return low, high


def _sign(trials: int, p: Fraction, threshold: int, theta: Fraction) -> int:
    """The certified sign of ``N ln(1 - p + p exp(theta)) - n theta``, theta > 0."""
    from flint import arb, ctx, fmpq

    before = ctx.prec
    try:
        for bits in PRECISIONS:
            ctx.prec = bits
            x, q = arb(fmpq(theta.numerator, theta.denominator)), arb(fmpq(p.numerator, p.denominator))
            value = trials * (1 + q * x.expm1()).log() - threshold * x
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    finally:
        ctx.prec = before
    raise InputError(f"the sign is not found with {PRECISIONS[-1]} bits: theta {float(theta):g} is too near the root")
