"""Log-densities and log-tails against mpmath at 50 digits, bulk and far tail alike."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.numerics import tails

mp = mpmath.mpf


def relative_error(value: float, truth: mpmath.mpf) -> float:
    """Error of a logarithm: absolute below 1 (that is the relative error of the probability), relative above."""
    return float(abs(mp(float(value)) - truth) / max(1, abs(truth)))


@pytest.mark.parametrize("x", [1e-8, 0.3, 1.0, 7.5, 15.999, 16.0, 100.0, 1e6, 1e12])
def test_stirling_error(x: float) -> None:
    with mpmath.workdps(50):
        truth = mpmath.loggamma(mp(x) + 1) - (mp(x) + 0.5) * mpmath.log(mp(x)) + mp(x) - mpmath.log(2 * mpmath.pi) / 2
        assert abs(mp(float(tails.stirling_error(x))) - truth) < 2e-14


@pytest.mark.parametrize(("x", "mean"), [(1.0, 1.0), (1e6, 1e6 + 1e-3), (3.0, 1e9), (1e9, 3.0), (1.0, 1.0000001)])
def test_deviance(x: float, mean: float) -> None:
    with mpmath.workdps(50):
        truth = mp(x) * mpmath.log(mp(x) / mp(mean)) - mp(x) + mp(mean)
    assert float(tails.deviance(x, mean)) == pytest.approx(float(truth), rel=1e-13, abs=abs(x - mean) * 3e-16)


@pytest.mark.parametrize("mean", [1e-3, 0.7, 32.0, 512.0, 1e6])
@pytest.mark.parametrize("spread", [-5.0, 0.0, 1.0, 40.0, 1000.0])
def test_poisson_pmf(mean: float, spread: float) -> None:
    count = max(0.0, float(round(mean + spread * np.sqrt(mean))))
    with mpmath.workdps(50):
        truth = count * mpmath.log(mp(mean)) - mp(mean) - mpmath.loggamma(count + 1)
    assert relative_error(float(tails.log_poisson_pmf(count, mean)), truth) < 1e-13


@pytest.mark.parametrize("shape", [0.3, 1.0, 2.0, 37.5, 1e4])
@pytest.mark.parametrize("x", [1e-3, 1.0, 50.0, 1e4, 2e5])
def test_gamma_density(shape: float, x: float) -> None:
    with mpmath.workdps(50):
        a, rate = mp(shape), mp(0.25)
        truth = (a - 1) * mpmath.log(mp(x)) - rate * mp(x) + a * mpmath.log(rate) - mpmath.loggamma(a)
    assert relative_error(float(tails.log_gamma_density(x, shape, 0.25)), truth) < 1e-13


@pytest.mark.parametrize("shape", [0.3, 1.0, 2.0, 37.5, 1e4])
@pytest.mark.parametrize("factor", [1.2, 2.0, 10.0])
def test_gamma_survival(shape: float, factor: float) -> None:
    x = factor * (shape + 5.0)
    with mpmath.workdps(50):
        truth = mpmath.log(mpmath.gammainc(mp(shape), mp(x), regularized=True))
    assert relative_error(tails.log_gamma_survival(np.array([x]), shape)[0], truth) < 1e-13


@pytest.mark.parametrize("shape", [0.3, 1.0, 2.0, 37.5, 1e4])
@pytest.mark.parametrize("factor", [1e-6, 0.1, 0.9])
def test_gamma_cdf(shape: float, factor: float) -> None:
    x = factor * shape
    with mpmath.workdps(50):
        front = shape * mpmath.log(mp(x)) - mp(x) - mpmath.loggamma(mp(shape) + 1)
        truth = front + mpmath.log(mpmath.hyp1f1(1, mp(shape) + 1, mp(x)))
    assert relative_error(float(tails.log_gamma_cdf(x, shape)), truth) < 1e-13
    assert tails.log_gamma_cdf(0.0, shape) == -np.inf


@pytest.mark.parametrize(("size", "success"), [(0.4, 0.02), (1.0, 0.3), (8.3, 0.001), (500.0, 0.6)])
@pytest.mark.parametrize("factor", [0.0, 1.0, 3.0, 40.0])
def test_negative_binomial(size: float, success: float, factor: float) -> None:
    k = float(np.ceil(factor * (size * (1 - success) / success + 2)))
    with mpmath.workdps(50):
        r, p = mp(size), mp(success)
        log_pmf = mpmath.loggamma(k + r) - mpmath.loggamma(r) - mpmath.loggamma(k + 1)
        log_pmf += r * mpmath.log(p) + k * mpmath.log(1 - p)
        log_survival = log_pmf + mpmath.log(mpmath.hyp2f1(1, k + r, k + 1, 1 - p)) if k else mp(0)
    assert relative_error(float(tails.log_negative_binomial_pmf(k, size, success)), log_pmf) < 1e-13
    if k:
        computed = tails.log_negative_binomial_survival(np.array([k]), size, success)[0]
        assert relative_error(computed, log_survival) < 1e-12


def test_a_tail_below_the_mean_is_refused() -> None:
    with pytest.raises(InputError, match="continued fraction"):
        tails._lentz(np.array([1.0]), lambda: iter([(np.array([1.0]), np.array([0.5 + i])) for i in range(3)]), 1)
