"""The laws far out, against mpmath at 50 digits: survival, hazard rate and moments keep their digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from qtheory.workloads import DiscretisedGamma, Geometric, NegativeBinomial, Poisson, ShiftedExponential

mp = mpmath.mpf
FACTORS = (0.02, 0.5, 1.0, 1.5, 4.0, 30.0, 400.0)


def check(law: object, age: int, pmf: mpmath.mpf, survival: mpmath.mpf, tolerance: float = 3e-12) -> None:
    """Logarithms to ``tolerance`` (absolute below 1, relative above), hazard rates relatively."""
    for name, truth in (("log_pmf", mpmath.log(pmf)), ("log_survival", mpmath.log(survival))):
        value = getattr(law, name)(age)
        assert abs(mp(value) - truth) <= tolerance * max(1, abs(truth) / 100), (name, age)
    hazard = pmf / survival
    assert abs(mp(law.hazard(age)) - hazard) <= tolerance * hazard + 1e-300, age  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["conditioned", "shifted"])
@pytest.mark.parametrize("rate", [0.01, 3.7, 32.0, 512.0])
def test_poisson(rate: float, form: str) -> None:
    law = Poisson(rate, form)  # type: ignore[arg-type]
    for factor in FACTORS:
        age = int(np.ceil(law.mean * factor)) + 1
        with mpmath.workdps(50):
            m = mp(rate)
            kept = 1 - mpmath.exp(-m) if form == "conditioned" else mp(1)
            n = age if form == "conditioned" else age - 1
            pmf = mpmath.exp(n * mpmath.log(m) - m - mpmath.loggamma(n + 1)) / kept
            survival = pmf * mpmath.hyp1f1(1, n + 1, m)
            check(law, age, pmf, survival)


@pytest.mark.parametrize(("size", "success"), [(0.4, 0.02), (1.0, 0.3), (8.3, 0.001), (500.0, 0.6)])
def test_negative_binomial(size: float, success: float) -> None:
    law = NegativeBinomial(size, success)
    for factor in FACTORS[:-1]:
        age = int(np.ceil(law.mean * factor)) + 1
        with mpmath.workdps(50):
            r, p, k = mp(size), mp(success), age - 1
            log_pmf = mpmath.loggamma(k + r) - mpmath.loggamma(r) - mpmath.loggamma(k + 1)
            pmf = mpmath.exp(log_pmf + r * mpmath.log(p) + k * mpmath.log(1 - p))
            survival = pmf * mpmath.hyp2f1(1, k + r, k + 1, 1 - p)
            check(law, age, pmf, survival)


@pytest.mark.parametrize(
    ("shape", "rate"), [(0.3, 0.002), (1.0, 0.01), (2.0, 1 / 128), (2.9, 2.5), (50.0, 0.1), (900.0, 1.0)]
)
def test_gamma(shape: float, rate: float) -> None:
    law = DiscretisedGamma(shape, rate)
    for factor in FACTORS:
        age = int(np.ceil(law.mean * factor)) + 1
        with mpmath.workdps(60):
            a, x = mp(shape), mp(rate)
            survival = mpmath.gammainc(a, x * (age - 1), regularized=True)
            pmf = mpmath.gammainc(a, x * (age - 1), x * age, regularized=True)
            check(law, age, pmf, survival)


@pytest.mark.parametrize(
    ("shape", "rate"), [(0.3, 0.002), (1.0, 0.001), (2.0, 1 / 128), (2.9, 2.5), (7.5, 0.0004), (60.0, 0.005)]
)
def test_gamma_moments(shape: float, rate: float) -> None:
    law = DiscretisedGamma(shape, rate)
    ages = np.arange(1, int((shape + 12 * np.sqrt(shape) + 60) / rate) + 2)
    survival = law.survival(ages)
    mean = float(survival.sum())
    second = float(((2 * ages - 1) * survival).sum())
    assert law.mean == pytest.approx(mean, rel=1e-12)
    assert law.variance == pytest.approx(second - mean**2, rel=1e-10)


def test_gamma_of_shape_one_is_geometric() -> None:
    law, twin = DiscretisedGamma(1.0, 0.004), Geometric(-float(np.expm1(-0.004)))
    ages = np.array([1, 2, 50, 1000, 100_000])
    np.testing.assert_allclose(law.hazard(ages), twin.hazard(ages), rtol=1e-11)
    np.testing.assert_allclose(law.log_survival(ages), twin.log_survival(ages), rtol=1e-12)
    assert (law.mean, law.variance) == pytest.approx((twin.mean, twin.variance), rel=1e-11)


def test_tails_that_underflow() -> None:
    age = 10_000_000
    assert Geometric(0.001).log_survival(age) == pytest.approx((age - 1) * np.log1p(-0.001), rel=1e-14)
    assert Geometric(0.001).hazard(age) == 0.001
    law = ShiftedExponential(100, 0.5)
    assert law.hazard(age) == pytest.approx(1 - np.exp(-0.5), rel=1e-14)
    assert law.log_survival(age) == pytest.approx(-0.5 * (age - 101), rel=1e-14)
    assert law.survival(age) == 0.0


def test_small_rates_keep_the_poisson_variance() -> None:
    """m (1 + rate - m) with m = rate/(1 - exp(-rate)) loses all digits at small rates."""
    for rate in (1e-9, 1e-3, 0.49, 0.51, 20.0):
        with mpmath.workdps(60):
            r = mp(rate)
            mean = r / (1 - mpmath.exp(-r))
            variance = mean * (1 + r - mean)
        assert Poisson(rate).variance == pytest.approx(float(variance), rel=1e-14)
