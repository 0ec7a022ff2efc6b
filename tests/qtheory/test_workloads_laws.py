"""Every length law: it sums to one, its functions agree with each other, its samples follow it, bad input is named."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.errors import InputError
from qtheory.workloads import (
    Binned,
    Deterministic,
    DiscretisedGamma,
    Empirical,
    Geometric,
    LengthLaw,
    MaximumEntropy,
    Mixture,
    NegativeBinomial,
    Poisson,
    ShiftedExponential,
    Uniform,
)

LAWS = [
    Deterministic(5),
    Uniform(64, 192),
    Geometric.with_mean(280),
    Geometric(1.0),
    ShiftedExponential(40, 1 / 239),
    Poisson(32.0),
    Poisson(0.3),
    Poisson(1e-6),
    Poisson(32.0, "shifted"),
    NegativeBinomial(2.5, 0.02),
    NegativeBinomial(0.4, 0.02),
    NegativeBinomial(3.0, 0.9),
    DiscretisedGamma(2.0, 2 / 256),
    DiscretisedGamma(0.3, 0.004),
    DiscretisedGamma(50.0, 0.1),
    DiscretisedGamma(3.0, 2.5),
    DiscretisedGamma(900.0, 1.0),
    Empirical.of([3, 3, 4, 9, 1]),
    Binned((2, 51, 101, 151), (23, 0, 8)),
    MaximumEntropy(2, 500, 280, 153),
    MaximumEntropy(1, 20448, 105),
    MaximumEntropy(1000, 4000, 2492),
    Mixture((Deterministic(10), Geometric(0.01), Uniform(3, 9)), (1, 2, 0.5)),
]
BY_NAME = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.describe())


def ages_of(law: LengthLaw) -> np.ndarray:
    """All ages that matter: up to the largest length, or to a tail of 1e-15."""
    return np.arange(1, (law.maximum or law.quantile(1 - 1e-15)) + 1)


@BY_NAME
def test_functions_agree(law: LengthLaw) -> None:
    t = ages_of(law)
    f, survival = law.pmf(t), law.survival(t)
    assert f.sum() == pytest.approx(1, abs=1e-13)
    assert survival[0] == 1
    np.testing.assert_allclose(f, survival - np.append(survival[1:], law.survival(int(t[-1]) + 1)), atol=3e-15)
    np.testing.assert_allclose(law.hazard(t), f / survival, rtol=1e-11)
    assert ((law.hazard(t) >= 0) & (law.hazard(t) <= 1)).all()
    positive = f > 1e-300  # below, f itself has lost digits
    np.testing.assert_allclose(law.log_pmf(t)[positive], np.log(f[positive]), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(law.log_survival(t), np.log(survival), rtol=1e-12, atol=1e-13)


@BY_NAME
def test_moments_and_support(law: LengthLaw) -> None:
    t = ages_of(law)
    f = law.pmf(t)
    assert law.mean == pytest.approx(law.survival(t).sum(), rel=1e-12)
    assert law.variance == pytest.approx((f * (t - law.mean) ** 2).sum(), rel=1e-10, abs=1e-12)
    assert law.standard_deviation == pytest.approx(law.variance**0.5)
    possible = t[np.isfinite(law.log_pmf(t))]
    assert possible[0] == law.minimum
    if law.maximum is not None:
        assert possible[-1] == law.maximum


@BY_NAME
def test_outside_the_support(law: LengthLaw) -> None:
    assert (law.pmf(0), law.survival(0), law.survival(-3), law.hazard(0)) == (0.0, 1.0, 1.0, 0.0)
    if law.maximum is not None:
        beyond = law.maximum + 1
        assert (law.pmf(beyond), law.survival(beyond)) == (0.0, 0.0)
        assert law.log_survival(beyond) == -np.inf
        assert np.isnan(law.hazard(beyond))
        assert law.hazard(law.maximum) == pytest.approx(1.0, abs=1e-12)


@BY_NAME
def test_quantiles(law: LengthLaw) -> None:
    for q in (0.0, 0.01, 0.5, 0.95, 0.999999):
        t = law.quantile(q)
        assert 1 - law.survival(t + 1) >= q
        assert t == law.minimum or 1 - law.survival(t) < q


@BY_NAME
def test_samples_follow_the_law(law: LengthLaw) -> None:
    n = 40_000
    x = law.sample(np.random.default_rng(7), n)
    assert x.dtype == np.int64
    assert x.min() >= law.minimum
    assert law.maximum is None or x.max() <= law.maximum
    assert abs(x.mean() - law.mean) <= 5 * law.standard_deviation / np.sqrt(n)
    for q in (0.05, 0.3, 0.5, 0.8, 0.99):
        t = law.quantile(q)
        p = law.survival(t)
        assert abs((x >= t).mean() - p) <= 5 * np.sqrt(p * (1 - p) / n) + 1e-12
    assert law.sample(np.random.default_rng(7), (3, 2)).shape == (3, 2)
    assert (law.sample(np.random.default_rng(7), 50) == law.sample(np.random.default_rng(7), 50)).all()


@BY_NAME
def test_exact_verdicts_agree_with_the_rates(law: LengthLaw) -> None:
    verdict = law.increasing_failure_rate()
    last = verdict.last_age or law.quantile(1 - 1e-6)
    rates = law.hazard(np.arange(1, last + 1))
    falls = np.flatnonzero(rates[1:] < rates[:-1] * (1 - 1e-10))
    assert bool(verdict) == verdict.increasing == (len(falls) == 0)
    if verdict.decrease is not None:
        age, rate, following = verdict.decrease
        assert age == falls[0] + 1
        assert (rate, following) == pytest.approx((rates[age - 1], rates[age]), rel=1e-12)


def test_failure_rates_by_family() -> None:
    expected = [
        (Geometric(0.1), True, True), (Uniform(1, 9), True, True), (Deterministic(4), True, True),
        (Poisson(3.0), True, True), (NegativeBinomial(1.0, 0.1), True, True), (NegativeBinomial(0.9, 0.1), False, True),
        (DiscretisedGamma(2, 0.1), True, True), (DiscretisedGamma(1, 0.1), True, True),
        (DiscretisedGamma(0.5, 0.1), False, True), (Empirical.of([1, 2, 2, 3, 3, 3]), True, True),
        (Empirical.of([1, 1, 2, 3]), True, True), (Empirical.of([1, 1, 3]), False, True),
        (Binned((1, 5, 9), (1, 1)), True, True), (Binned((1, 2, 9), (5, 1)), False, True),
        (MaximumEntropy(1, 400, 105), True, True),
        (MaximumEntropy(1, 19, 11, 4), True, False), (MaximumEntropy(2, 500, 280, 153), False, False),
        (Mixture((Geometric(0.5), Geometric(0.01)), (1, 1)), False, False),
    ]
    for law, increasing, exact in expected:
        verdict = law.increasing_failure_rate()
        assert (verdict.increasing, verdict.exact) == (increasing, exact), law.describe()
        assert verdict.reason


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(0.1, 8), st.floats(0.01, 0.9), st.floats(0.05, 60))
def test_exact_verdicts_hold_at_computed_rates(shape: float, p: float, rate: float) -> None:
    for law in (NegativeBinomial(shape, p), DiscretisedGamma(shape, p), Poisson(rate), Poisson(rate, "shifted")):
        verdict = law.increasing_failure_rate()
        assert verdict.exact
        rates = law.hazard(np.arange(1, 300))
        steps = np.diff(rates) / rates[:-1]
        if verdict.increasing:
            assert steps.min() > -1e-10
        else:
            assert steps.max() < 1e-10


def test_examined_ages_are_said() -> None:
    verdict = MaximumEntropy(1, 19, 11, 4).increasing_failure_rate()
    assert (verdict.first_age, verdict.last_age) == (1, 19)
    mixture = Mixture((Geometric(0.5), Geometric(0.01)), (1, 1))
    # beyond t tokens lie 1/2 99/100^t, and of the other law nothing by then: 10^-12 of all from 2681 on
    assert mixture.increasing_failure_rate().last_age == mixture.quantile(1 - 1e-12) == 2681
    part = Empirical.of([1, 2, 2, 3, 9]).increasing_failure_rate(up_to=3)
    assert part.increasing
    assert part.last_age == 3
    assert "1 to 3" in part.reason
    assert not Empirical.of([1, 2, 2, 3, 9]).increasing_failure_rate()
    assert DiscretisedGamma(2, 0.1).increasing_failure_rate(up_to=50).last_age == 50


def test_hazard_is_the_at_risk_ratio_of_appendix_e_1() -> None:
    lengths = np.random.default_rng(3).integers(1, 30, 500)
    law = Empirical.of(lengths)
    for t in range(1, 30):
        assert law.hazard(t) == pytest.approx((lengths == t).sum() / (lengths >= t).sum(), rel=1e-14)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
def test_empirical_is_exact(sample: list[int]) -> None:
    law = Empirical.of(sample)
    mean = Fraction(sum(sample), len(sample))
    variance = Fraction(sum(v * v for v in sample), len(sample)) - mean**2
    assert law.mean == float(mean)
    assert law.variance == float(variance)
    hazard = [Fraction(sample.count(t), sum(v >= t for v in sample)) for t in range(1, max(sample) + 1)]
    assert law.increasing_failure_rate().increasing == (sorted(hazard) == hazard)
    np.testing.assert_allclose(law.hazard(np.arange(1, max(sample) + 1)), [float(h) for h in hazard], rtol=1e-14)


@pytest.mark.slow
@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.data())
def test_binned_verdict_is_exact(widths: list[int], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(widths), max_size=len(widths)).filter(any))
    edges = (1, *(1 + int(e) for e in np.cumsum(widths)))
    law = Binned(edges, tuple(weights))
    f = [Fraction(w, n) / sum(weights) for w, n in zip(weights, widths, strict=True) for _ in range(n)]
    hazard = [f[t] / sum(f[t:]) for t in range(len(f)) if sum(f[t:]) > 0]
    assert law.increasing_failure_rate().increasing == (sorted(hazard) == hazard)
    np.testing.assert_allclose(law.hazard(np.arange(1, len(hazard) + 1)), [float(h) for h in hazard], rtol=1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(1.01, 5000), st.floats(0.2, 30))
def test_laws_of_a_given_mean(mean: float, shape: float) -> None:
    assert Geometric.with_mean(mean).mean == pytest.approx(mean, rel=1e-14)
    assert NegativeBinomial.with_mean(mean, shape).mean == pytest.approx(mean, rel=1e-13)
    assert DiscretisedGamma.with_mean(mean, shape).mean == pytest.approx(mean, rel=1e-11)
    assert ShiftedExponential.with_mean(mean + 7, 7).mean == pytest.approx(mean + 7, rel=1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(1, 50), st.integers(10, 400), st.floats(0.1, 0.9), st.floats(0.2, 0.9))
def test_greatest_entropy(least: int, width: int, place: float, spread: float) -> None:
    mean = least + place * width
    deviation = spread * np.sqrt((mean - least) * (least + width - mean))
    law = MaximumEntropy(least, least + width, mean, deviation)
    assert law.mean == pytest.approx(mean, rel=1e-10)
    assert law.standard_deviation == pytest.approx(deviation, rel=1e-8)
    second_differences = np.diff(law.log_pmf(np.arange(least, least + width + 1)), 3)
    assert np.abs(second_differences).max() < 1e-9  # the logarithm is a quadratic: no other law has more entropy


def test_mixture_by_hand() -> None:
    law = Mixture((Deterministic(1), Deterministic(3)), (1, 3))
    assert [law.pmf(t) for t in (1, 2, 3)] == pytest.approx([0.25, 0, 0.75])
    assert (law.mean, law.variance) == pytest.approx((2.5, 0.75))
    assert [law.hazard(t) for t in (1, 2, 3)] == pytest.approx([0.25, 0.0, 1.0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Deterministic(0), "length is 0; it must be at least 1"),
        (lambda: Deterministic(2.5), "must be an integer"),
        (lambda: Deterministic("5"), "must be a number"),
        (lambda: Deterministic(True), "must be a number"),
        (lambda: Deterministic(10**400), "must be finite"),
        (lambda: Deterministic(10**17), "at most"),
        (lambda: Uniform(5, 4), "greatest is 4"),
        (lambda: Geometric(0.0), "success is 0.0"),
        (lambda: Geometric(1.5), "at most 1"),
        (lambda: Geometric(float("nan")), "finite"),
        (lambda: Geometric.with_mean(0.5), "at least 1 token"),
        (lambda: Poisson(-1.0), "above 0"),
        (lambda: Poisson(1.0, "other"), "form is 'other'"),  # type: ignore[arg-type]
        (lambda: NegativeBinomial(1.0, 1.0), "below 1"),
        (lambda: DiscretisedGamma(1.0, float("inf")), "finite"),
        (lambda: DiscretisedGamma.with_mean(1.0, 2.0), "above 1"),
        (lambda: ShiftedExponential(-1, 1.0), "at least 0"),
        (lambda: ShiftedExponential.with_mean(5.0, 4), "above 5"),
        (lambda: Empirical.of([]), "at least one length"),
        (lambda: Empirical.of([1, 2, 0, 0]), r"sample\[2\] is 0"),
        (lambda: Empirical.of([1, 2.5]), r"sample\[1\] is 2.5"),
        (lambda: Empirical.of(["a"]), "array of integers"),
        (lambda: Empirical((3, 2), (1, 1)), "strictly increase"),
        (lambda: Empirical((3,), (1, 1)), "one count a length"),
        (lambda: Binned((1, 5), (1, 2)), "one more edge"),
        (lambda: Binned((1, 5, 5), (1, 2)), "strictly increase"),
        (lambda: Binned((1, 5), (-1,)), "not negative"),
        (lambda: Binned((1, 5), (0,)), "positive sum"),
        (lambda: MaximumEntropy(1, 9, 9.0), "between least"),
        (lambda: MaximumEntropy(1, 9, 5.0, 4.0), "must lie between"),
        (lambda: MaximumEntropy(1, 10**9, 5.0), "too wide"),
        (lambda: Mixture((), ()), "positive sum"),
        (lambda: Mixture((3,), (1,)), "must be a length law"),  # type: ignore[arg-type]
    ],
)
def test_bad_parameters(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda law: law.pmf(1.5), "age is 1.5"),
        (lambda law: law.survival([1, 2, float("nan")]), r"age\[2\] is nan"),
        (lambda law: law.hazard("1"), "array of integers"),
        (lambda law: law.quantile(1.0), "0 <= probability < 1"),
        (lambda law: law.quantile("half"), "must be a number"),
        (lambda law: law.sample(3, 5), "numpy.random.Generator"),
        (lambda law: law.sample(np.random.default_rng(0), -1), "size"),
        (lambda law: law.sample(np.random.default_rng(0), 2.5), "size"),
        (lambda law: law.increasing_failure_rate(up_to=0), "up_to is 0"),
    ],
)
def test_bad_arguments(call: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(Geometric(0.1))  # type: ignore[operator]
