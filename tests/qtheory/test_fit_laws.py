"""Fits recover planted constants, rank the planted law first, and say which laws cannot be fitted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from qtheory.errors import InputError
from qtheory.models.laws import (
    LAWS,
    AffineLaw,
    ConcaveLaw,
    Law,
    MemoryLinearLaw,
    MixedQuadraticLaw,
    PiecewiseLinearLaw,
    PrefillDecodeLaw,
    StaircaseLaw,
)
from qtheory.profiles.fitting import FitReport, Settings, fit, fit_law
from qtheory.profiles.measurements import Measurements

TOKENS = np.repeat(np.concatenate([[1, 2, 4, 8], np.arange(16, 512, 16), np.arange(512, 4097, 256)]), 2).astype(float)
RATIOS = np.repeat(np.linspace(0, 1, 21), 3)
KIND = (np.arange(TOKENS.size) % 2).astype(float)
QUICK = Settings()

PLANTED: list[tuple[Law, dict[str, np.ndarray]]] = [
    (AffineLaw(0.0174, 6.2e-5), {"tokens": TOKENS}),
    (PiecewiseLinearLaw(0.0455, 3e-4, 100.0), {"tokens": TOKENS}),
    (ConcaveLaw(0.01, 3e-5, 3e-4, 200.0), {"tokens": TOKENS}),
    (StaircaseLaw(0.04, 2e-5, 128), {"tokens": TOKENS}),
    (PrefillDecodeLaw(0.02, 6e-5, 0.01, 2e-5), {"tokens": TOKENS, "decode": KIND}),
    (MemoryLinearLaw(0.01, 3e-7), {"resident_tokens": np.linspace(1, 200_000, 60)}),
    (MixedQuadraticLaw(0.03, 0.05, -0.06), {"decode_ratio": RATIOS}),
]


def noisy(law: Law, columns: dict[str, np.ndarray], seed: int, spread: float = 0.02) -> Measurements:
    times = law.time(**{name: columns[name] for name in law.variables})
    noise = np.exp(np.random.default_rng(seed).normal(0, spread, times.size))
    return Measurements("synthetic.csv", dict(columns), times * noise)


@pytest.mark.slow
@pytest.mark.parametrize(("law", "columns"), PLANTED, ids=lambda value: getattr(value, "kind", ""))
def test_planted_constants_lie_in_their_intervals(law: Law, columns: dict[str, np.ndarray]) -> None:
    # Each interval misses in 5 of 100; 20 draws of a law without breakpoint miss more than 5 times in 3 of 10,000.
    draws = 20 if law.breakpoint is None else 6
    hits = dict.fromkeys(law.constants, 0)
    for seed in range(draws):
        fitted = fit_law(type(law), noisy(law, columns, seed), QUICK)
        for name, (low, high) in fitted.intervals.items():
            hits[name] += low <= law.constants[name] <= high
            assert low <= fitted.law.constants[name] <= high
    allowed = int(stats.binom.ppf(0.9995, draws, 0.05))
    assert all(count >= draws - allowed for count in hits.values()), hits


@pytest.mark.parametrize("scale", [0.01, 0.05])
def test_the_scale_is_that_of_the_errors(scale: float) -> None:
    """Relative errors of the stated density, drawn by SciPy's generalised hyperbolic law: it is found to 10 percent."""
    columns = {"tokens": np.tile(TOKENS, 10)}
    density = stats.genhyperbolic(p=1, a=1.345**2, b=0, scale=1.345 * scale)
    errors = density.rvs(columns["tokens"].size, random_state=np.random.default_rng(3))
    times = AffineLaw(0.0174, 6.2e-5).time(**columns) * np.exp(errors)
    assert fit_law(AffineLaw, Measurements("drawn.csv", columns, times), QUICK).scale == pytest.approx(scale, rel=0.1)


@pytest.mark.parametrize(("law", "columns"), PLANTED, ids=lambda value: getattr(value, "kind", ""))
def test_intervals_are_narrow_and_outliers_do_not_matter(law: Law, columns: dict[str, np.ndarray]) -> None:
    data = noisy(law, columns, seed=7)
    data.seconds[::25] *= 3
    fitted = fit_law(type(law), data, QUICK)
    for name, value in law.constants.items():
        assert fitted.law.constants[name] == pytest.approx(value, rel=0.25), name
    size = {name: abs(value) for name, value in law.constants.items() if name != "token_time"}
    assert all(high - low < size[name] for name, (low, high) in fitted.intervals.items() if name in size)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["affine", "piecewise_linear", "concave", "staircase"])
@pytest.mark.parametrize("errors", ["relative", "absolute"])
def test_the_planted_law_ranks_first(kind: str, errors: str) -> None:
    law, columns = next((law, columns) for law, columns in PLANTED if law.kind == kind)
    report = fit(noisy(law, columns, seed=11), Settings(errors=errors))  # type: ignore[arg-type]
    straight = {"concave"} & set(report.not_fitted)  # where the times bend the other way every b0 fits alike
    assert {fitted.law.kind for fitted in report.fits} | straight == {
        "affine", "piecewise_linear", "concave", "staircase"}
    best = next(fitted for fitted in report.fits if fitted.law.kind == kind)
    assert best.aic <= report.fits[0].aic + 2  # a law that contains the planted one may tie
    assert [fitted.aic for fitted in report.fits] == sorted(fitted.aic for fitted in report.fits)
    assert best.cv_error is not None and best.cv_error < 0.03
    assert best.r_squared is not None and best.r_squared > 0.99


@pytest.mark.later
def test_aic_counts_the_scale_and_uses_one_likelihood() -> None:
    report = fit(noisy(*PLANTED[0], seed=3), QUICK)
    for fitted in report.fits:
        constants = len(fitted.law.constants)
        assert fitted.aic == pytest.approx(2 * (constants + 1) - 2 * fitted.log_likelihood)
    affine, piecewise = report.of("affine"), report.of("piecewise_linear")
    # The affine law is the piecewise one with b0 at the smallest count: it cannot be likelier.
    assert piecewise.log_likelihood >= affine.log_likelihood - 1e-6


@pytest.mark.later
def test_cross_validation_holds_repeats_together() -> None:
    # Two repeats of each count agree to the last digit; a fold that split them would see the answer.
    law = AffineLaw(0.02, 6e-5)
    counts = np.repeat(np.arange(1.0, 31.0), 2)
    noise = np.repeat(np.exp(np.random.default_rng(2).normal(0, 0.05, 30)), 2)
    report = fit(Measurements("pairs.csv", {"tokens": counts}, law.time(counts) * noise), QUICK)
    error = report.of("affine").cv_error
    assert error is not None and error > 0.02


@pytest.mark.later
def test_each_law_without_its_column_is_named() -> None:
    report = fit(noisy(*PLANTED[0], seed=1), QUICK)
    assert report.not_fitted == {
        "prefill_decode": "no column 'kind'",
        "memory_linear": "no column 'resident_tokens'",
        "context_affine": "no column 'resident_tokens'",
        "mixed_quadratic": "no column 'decode_ratio'",
    }
    with pytest.raises(InputError, match="memory_linear was not fitted: no column 'resident_tokens'"):
        report.of("memory_linear")


def test_a_mixed_batch_law_wants_one_token_count() -> None:
    law = MixedQuadraticLaw(0.03, 0.05, -0.06)
    counts = np.where(np.arange(RATIOS.size) % 2, 1024.0, 4096.0)
    data = noisy(law, {"decode_ratio": RATIOS, "tokens": counts}, seed=1)
    assert "one total token count, the file has 2" in fit(data, QUICK).not_fitted["mixed_quadratic"]
    one = data.tokens_between(4096, 4096)
    report = fit(one, QUICK)
    assert [fitted.law.kind for fitted in report.fits] == ["mixed_quadratic"]
    assert "too few" in report.not_fitted["affine"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"tokens": np.array([8.0, 8.0, 8.0, 8.0])}, "1 distinct points in 4 rows are too few"),
        ({"tokens": np.array([8.0, 16.0])}, "2 distinct points in 2 rows are too few"),
    ],
)
def test_too_few_points(columns: dict[str, np.ndarray], words: str) -> None:
    seconds = np.linspace(0.1, 0.2, len(columns["tokens"]))
    with pytest.raises(InputError, match=words):
        fit(Measurements("few.csv", columns, seconds), QUICK)


def test_phases_that_the_rows_do_not_tell_apart() -> None:
    data = Measurements("one.csv", {"tokens": np.arange(1.0, 9.0), "decode": np.zeros(8)}, np.linspace(0.1, 0.2, 8))
    assert fit(data, QUICK).not_fitted["prefill_decode"] == "the rows do not tell its constants apart"


def test_same_seed_same_report() -> None:
    data = noisy(*PLANTED[1], seed=5)
    first, second = (fit_law(PiecewiseLinearLaw, data, QUICK) for _ in range(2))
    assert first == second
    assert fit_law(PiecewiseLinearLaw, data, Settings(seed=1)).cv_error != first.cv_error


@pytest.mark.later
def test_exact_data_gives_exact_constants() -> None:
    for law, columns in PLANTED:
        fitted = fit_law(type(law), noisy(law, columns, seed=0, spread=0.0), Settings()).law
        assert fitted.constants == pytest.approx(law.constants, rel=1e-3, abs=1e-9), law.kind


@pytest.mark.parametrize("bad", [{"errors": "both"}, {"folds": 1}, {"confidence": 1.0}, {"seed": -1}])
def test_settings_are_checked(bad: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Settings(**bad)  # type: ignore[arg-type]


@pytest.mark.later
def test_progress_sees_every_law() -> None:
    seen: list[str] = []

    def track(kinds: list[str]) -> list[str]:
        seen.extend(kinds)
        return kinds

    report = fit(noisy(*PLANTED[0], seed=1), QUICK, track)
    assert isinstance(report, FitReport)
    assert seen == [kind for kind in LAWS if kind not in report.not_fitted]


@pytest.mark.slow
@pytest.mark.parametrize(
    "times",
    [[5.0, 4.0, 3.0, 2.0, 1.0, 0.5, 0.2], [5.0] * 7, [5.0, 5000.0, 5e-7, 5.0, 5.0, 1e5, 5.0]],
    ids=["falling", "constant", "wild"],
)
@pytest.mark.parametrize("errors", ["relative", "absolute"])
def test_times_that_follow_no_law_give_finite_answers(times: list[float], errors: str) -> None:
    data = Measurements("odd.csv", {"tokens": np.array([1.0, 2, 3, 4, 5, 6, 1e6])}, np.array(times))
    report = fit(data, Settings(errors=errors))  # type: ignore[arg-type]
    assert report.not_fitted["piecewise_linear"] == "every b0 fits the times alike"
    for fitted in report.fits:
        ends = np.ravel(list(fitted.intervals.values()))
        assert np.isfinite([*fitted.law.constants.values(), *ends, fitted.aic]).all()


@pytest.mark.slow
def test_long_files_are_sifted_without_losing_the_break() -> None:
    law = PiecewiseLinearLaw(0.0455, 3e-4, 100.0)
    counts = np.random.default_rng(1).integers(1, 4097, 1200).astype(float)
    fitted = fit_law(PiecewiseLinearLaw, noisy(law, {"tokens": counts}, seed=2), Settings()).law
    assert fitted.constants == pytest.approx(law.constants, rel=0.05)
