"""Log-densities and log-tails of the Poisson, gamma and negative binomial laws, where floats underflow.

The densities are written with Loader's deviance (C. Loader, Fast and accurate computation of binomial
probabilities, 2000), which has no large terms that cancel. The tails are continued fractions (DLMF 8.9.2 and
8.17.22), evaluated by the modified Lentz method, for arguments beyond the mean, where they converge fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

Array = NDArray[np.float64]

_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)
# Coefficients B_{2k} / (2k (2k-1)) of Stirling's series (DLMF 5.11.1) for k = 1, 2, ...
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


def stirling_error(x: ArrayLike) -> Array:
    """log Gamma(x + 1) - (x + 1/2) log x + x - log(2 pi)/2 for x > 0: what Stirling's formula misses."""
    from scipy.special import gammaln

    x = np.asarray(x, dtype=float)
    large = np.maximum(x, 16.0)
    inverse_square = 1.0 / (large * large)
    series = np.zeros_like(large)
    for coefficient in reversed(_STIRLING):
        series = series * inverse_square + coefficient
    small = np.clip(x, np.finfo(float).tiny, 16.0)
    direct: Array = gammaln(small + 1.0) - (small + 0.5) * np.log(small) + small - _LOG_SQRT_2PI
    error: Array = np.where(x < 16.0, direct, series / large)
    return error


def deviance(x: ArrayLike, mean: ArrayLike) -> Array:
    """x log(x/mean) - x + mean for x > 0 and mean > 0: nonnegative, zero where they agree."""
    x, mean = np.asarray(x, dtype=float), np.asarray(mean, dtype=float)
    gap = x - mean
    # where x is far below the mean, log1p of a number near -1 would lose digits
    log_ratio: Array = np.where(x > 0.5 * mean, np.log1p(np.maximum(gap / mean, -0.5)), np.log(x / mean))
    difference: Array = x * log_ratio - gap
    return difference


def log_poisson_pmf(count: ArrayLike, mean: ArrayLike) -> Array:
    """log of exp(-mean) mean**count / Gamma(count + 1), for real count >= 0 and mean > 0."""
    count, mean = np.asarray(count, dtype=float), np.asarray(mean, dtype=float)
    x = np.maximum(count, np.finfo(float).tiny)
    inside = -_LOG_SQRT_2PI - 0.5 * np.log(x) - stirling_error(x) - deviance(x, mean)
    return np.where(count > 0, inside, -mean)


def log_gamma_density(x: ArrayLike, shape: float, rate: float) -> Array:
    """Log-density at x > 0 of the gamma law with density proportional to x**(shape - 1) exp(-rate x)."""
    x = np.asarray(x, dtype=float)
    jacobian: Array = np.log(shape / x)
    return jacobian + log_poisson_pmf(shape, x * rate)


def log_negative_binomial_pmf(failures: ArrayLike, size: float, success: float) -> Array:
    """log of Gamma(k + r) / (Gamma(r) k!) p**r (1 - p)**k: k failures, r = size > 0, 0 < p = success < 1."""
    k = np.asarray(failures, dtype=float)
    x = np.maximum(k, np.finfo(float).tiny)
    total = x + size
    binomial = (
        stirling_error(total) - stirling_error(x) - stirling_error(size)
        - deviance(x, total * (1.0 - success)) - deviance(size, total * success)
    )
    inside = 0.5 * np.log(size / (total * x)) - _LOG_SQRT_2PI + binomial
    log_pmf: Array = np.where(k > 0, inside, size * np.log(success))
    return log_pmf


def log_gamma_survival(x: ArrayLike, shape: float) -> Array:
    """log of Gamma(shape, x) / Gamma(shape), for x > shape + 1."""
    x = np.asarray(x, dtype=float)
    front = log_gamma_density(x, shape, 1.0)  # x**(shape - 1) exp(-x) / Gamma(shape)
    tail: Array = front + np.log(x) - np.log(gamma_tail_fraction(x, shape))
    return tail


def gamma_tail_fraction(x: ArrayLike, shape: float) -> Array:
    """x**shape exp(-x) / Gamma(shape, x), for x > shape + 1 (DLMF 8.9.2)."""
    x = np.asarray(x, dtype=float)

    def fraction() -> Iterator[tuple[Array, Array]]:
        n = 0
        while True:
            n += 1
            yield np.asarray(n * (shape - n)), x + (2 * n + 1 - shape)

    return _lentz(x + (1.0 - shape), fraction)


def log_gamma_cdf(x: ArrayLike, shape: float) -> Array:
    """log of gamma(shape, x) / Gamma(shape), the mass below x, for 0 <= x < shape + 1 (DLMF 8.11.4)."""
    x = np.asarray(x, dtype=float)
    inside = np.where(x > 0, x, 1.0)
    total, term, n = np.ones_like(x), np.ones_like(x), 0
    while np.any(term > 1e-17 * total):
        n += 1
        term = term * (x / (shape + n))
        total = total + term
    log_mass: Array = np.where(x > 0, log_poisson_pmf(shape, inside) + np.log(total), -np.inf)
    return log_mass


def log_negative_binomial_survival(failures: ArrayLike, size: float, success: float) -> Array:
    """log P(K >= k) of the negative binomial law, for k = failures >= 1 beyond its mean."""
    log_hazard = np.log(negative_binomial_hazard(failures, size, success))
    tail: Array = log_negative_binomial_pmf(failures, size, success) - log_hazard
    return tail


def negative_binomial_hazard(failures: ArrayLike, size: float, success: float) -> Array:
    """P(K = k) / P(K >= k) of the negative binomial law, for k = failures >= 1 beyond its mean.

    P(K >= k) is the regularised incomplete beta function I_{1-p}(k, r), and P(K = k) the factor in front of its
    continued fraction (DLMF 8.17.22), since k B(k, r) = Gamma(k + 1) Gamma(r) / Gamma(k + r).
    """
    a, b, x = np.asarray(failures, dtype=float), size, 1.0 - success

    def fraction() -> Iterator[tuple[Array, Array]]:
        one = np.ones_like(a)
        m = 0
        while True:
            yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), one
            m += 1
            yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), one

    return _lentz(np.ones_like(a), fraction)


def _lentz(
    leading: Array, fraction: Callable[[], Iterator[tuple[Array, Array]]], limit: int = 100_000
) -> Array:
    """leading + a1/(b1 + a2/(b2 + ...)) by the modified Lentz method, with (a_n, b_n) from ``fraction``."""
    tiny = 1e-300
    value = np.where(leading == 0, tiny, leading).astype(float)
    c, d = value.copy(), np.zeros_like(value)
    for n, (numerator, denominator) in enumerate(fraction()):
        d = denominator + numerator * d
        c = denominator + numerator / c
        d = 1.0 / np.where(d == 0, tiny, d)
        c = np.where(c == 0, tiny, c)
        step = c * d
        value = value * step
        if np.all(np.abs(step - 1.0) < 4e-16):
            return value
        if n >= limit:
            break
    raise InputError(f"the continued fraction of a tail needs over {limit} terms: argument too small")
