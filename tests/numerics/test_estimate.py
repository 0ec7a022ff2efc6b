"""Hazard estimates against their definitions, and trend tests against SciPy and published formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from qtheory.errors import InputError
from qtheory.numerics import estimate

LENGTHS = st.lists(st.integers(1, 40), min_size=1, max_size=60)
STEADY = settings(derandomize=True, max_examples=60, deadline=None)


@STEADY
@given(LENGTHS)
def test_hazard_is_completions_over_active(lengths: list[int]) -> None:
    hazard = estimate.empirical_hazard(lengths)
    for t, rate in zip(hazard.t, hazard.rate, strict=True):
        assert rate == sum(o == t for o in lengths) / sum(o >= t for o in lengths)
    # the product-limit estimate of the survival function is the empirical one
    survival = np.cumprod(1.0 - hazard.rate)
    assert np.allclose(survival, [np.mean([o > t for o in lengths]) for t in hazard.t], atol=1e-12)


@STEADY
@given(LENGTHS, st.sampled_from([0.5, 0.95, 1.0]))
def test_percentile_is_numpys_inverted_cdf(lengths: list[int], share: float) -> None:
    assert estimate.percentile(lengths, share) == np.quantile(lengths, share, method="inverted_cdf")


@STEADY
@given(LENGTHS)
def test_fit_is_weighted_least_squares_over_the_hazard(lengths: list[int]) -> None:
    fit = estimate.fit_linear_hazard(lengths)
    hazard = estimate.empirical_hazard(lengths, fit.last)
    if fit.last == 1:
        assert fit == (hazard.rate[0], 0.0, 1)
        return
    root = np.sqrt(hazard.at_risk)
    design = np.column_stack((root, root * hazard.t))
    want, *_ = np.linalg.lstsq(design, root * hazard.rate, rcond=None)
    assert np.allclose((fit.p0, fit.eta), want, rtol=0, atol=1e-9)


def test_fit_finds_the_hazard_that_made_the_lengths() -> None:
    rng = np.random.default_rng(1)
    p0, eta, n = 0.01, 0.0004, 40_000
    lengths = np.zeros(n, dtype=int)
    active, t = np.ones(n, dtype=bool), 0
    while active.any():
        t += 1
        ends = active & (rng.random(n) < p0 + eta * t)
        lengths[ends] = t
        active &= ~ends
    fit = estimate.fit_linear_hazard(lengths)
    assert abs(fit.p0 - p0) < 5e-4 and abs(fit.eta - eta) < 2e-5
    hazard = estimate.empirical_hazard(lengths, fit.last)
    assert estimate.mann_kendall(hazard.rate).p_value < 1e-12
    assert estimate.regression_slope(hazard.t, hazard.rate, hazard.at_risk).p_value < 1e-12


def test_constant_hazard_is_not_called_a_trend_more_often_than_it_should() -> None:
    rng = np.random.default_rng(2)
    kendall, slope = [], []
    for _ in range(200):
        hazard = estimate.empirical_hazard(lengths := rng.geometric(0.05, 400), estimate.percentile(lengths))
        kendall.append(estimate.mann_kendall(hazard.rate).p_value)
        slope.append(estimate.regression_slope(hazard.t, hazard.rate, hazard.at_risk).p_value)
    # at most 5 percent at the 5 percent level, with 3.3 standard errors of a binomial share
    assert np.mean(np.array(kendall) < 0.05) < 0.05 + 0.051 and np.mean(np.array(slope) < 0.05) < 0.05 + 0.051


@STEADY
@given(st.lists(st.integers(0, 12), min_size=3, max_size=40))
def test_mann_kendall_by_its_definition(values: list[int]) -> None:
    got = estimate.mann_kendall(values)
    n = len(values)
    s = sum(np.sign(values[j] - values[i]) for i in range(n) for j in range(i + 1, n))
    assert got.statistic == s
    # SciPy's asymptotic test of Kendall's tau against time has the same variance, and takes nothing off for continuity
    against = stats.norm.isf(stats.kendalltau(range(n), values, method="asymptotic").pvalue / 2) if s else 0.0
    z = against * (s - np.sign(s)) / abs(s) if s else 0.0
    assert got.z == pytest.approx(z, rel=1e-9) and got.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-8)
    # without ties S is n (n - 1)/2 times Kendall's tau against time
    if len(set(values)) == n:
        assert got.statistic == pytest.approx(stats.kendalltau(range(n), values).statistic * n * (n - 1) / 2)


def test_mann_kendall_without_ties() -> None:
    """The variance of S is then n (n - 1)(2 n + 5)/18 (Gilbert, 1987); 5 of the 6 pairs are in order."""
    got = estimate.mann_kendall([10, 15, 14, 20])
    assert got.statistic == 4 and got.z == pytest.approx(3 / math.sqrt(4 * 3 * 13 / 18))


@STEADY
@given(st.lists(st.floats(-5, 5), min_size=3, max_size=30))
def test_regression_slope_is_scipys(values: list[float]) -> None:
    t = np.arange(1.0, len(values) + 1)
    want = stats.linregress(t, values)
    got = estimate.regression_slope(t, values)
    assert got.statistic == pytest.approx(want.slope, abs=1e-9)
    if want.stderr > 1e-9:
        assert got.p_value == pytest.approx(want.pvalue, abs=1e-6)


def test_weights_are_repetitions() -> None:
    t, y, w = [1.0, 2.0, 3.0, 4.0], [0.1, 0.4, 0.2, 0.9], [3, 1, 2, 4]
    weighted = estimate.regression_slope(t, y, w)
    repeated = estimate.regression_slope(np.repeat(t, w), np.repeat(y, w))
    assert weighted.statistic == pytest.approx(repeated.statistic)
    assert weighted.z == pytest.approx(repeated.z * math.sqrt((len(t) - 2) / (sum(w) - 2)))


@pytest.mark.parametrize(("call", "says"), [
    (lambda: estimate.empirical_hazard([]), "at least 1"),
    (lambda: estimate.empirical_hazard([0, 3]), "not 0"),
    (lambda: estimate.empirical_hazard([1.5]), "not 1.5"),
    (lambda: estimate.empirical_hazard([3, 2], 4), "not at 4"),
    (lambda: estimate.percentile([1], 0.0), "share"),
    (lambda: estimate.mann_kendall([1, 2]), "at least 3"),
    (lambda: estimate.mann_kendall([1, math.nan, 2]), "finite"),
    (lambda: estimate.mann_kendall("abc"), "list of numbers"),
    (lambda: estimate.regression_slope([1, 1, 1], [1, 2, 3]), "two different"),
    (lambda: estimate.regression_slope([1, 2, 3], [1, 2, 3, 4]), "differ in length"),
    (lambda: estimate.regression_slope([1, 2, 3], [1, 2, 3], [1, 0, 1]), "positive"),
])
def test_bad_samples_are_one_line(call: object, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        call()  # type: ignore[operator]
    assert "\n" not in str(caught.value)
