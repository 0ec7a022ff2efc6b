"""Propagated uncertainty: the delta method against exact answers and against the bootstrap, and in the table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, Law, MixedQuadraticLaw, PiecewiseLinearLaw, PrefillDecodeLaw
from qtheory.numerics.special import base_threshold
from qtheory.profiles.files import profile_from_dict
from qtheory.profiles.fitted import profile_from_fit
from qtheory.profiles.fitting import FitReport, Settings, fit_law
from qtheory.profiles.measurements import Measurements
from qtheory.profiles.schema import HardwareProfile
from qtheory.profiles.uncertainty import bootstrap, propagate
from qtheory.report import memory_safety, tables

VIDUR_PAIR = "a100-llama3-70b-tp2-vidur-pair"
COUNTS = np.repeat(np.concatenate([[1, 8, 16, 24], np.arange(32, 257, 32), np.arange(320, 1025, 64)]), 3).astype(float)
PAIR = PrefillDecodeLaw(0.02, 6e-5, 0.01, 2e-5)


def noisy(law: Law, seed: int = 5) -> Measurements:
    columns = {"tokens": COUNTS, "decode": (np.arange(COUNTS.size) % 2).astype(float),
               "decode_ratio": np.linspace(0, 1, 400)}
    times = law.time(**{name: columns[name] for name in law.variables})
    noise = np.exp(np.random.default_rng(seed).normal(0, 0.02, times.size))
    return Measurements("noisy.csv", {name: columns[name] for name in law.variables}, times * noise)


def fitted(law: Law, seed: int = 5) -> HardwareProfile:
    data, settings = noisy(law, seed), Settings()
    return profile_from_fit(FitReport(data, settings, (fit_law(type(law), data, settings),), {}), gpu="drawn")


def threshold(law: PrefillDecodeLaw) -> list[float]:
    return [float(base_threshold(law.alpha_p / law.alpha_d / 280).theta0), float(law.prefill.time(700))]


def test_a_linear_function_has_its_exact_variance() -> None:
    profile = fitted(AffineLaw(0.0174, 6.2e-5))
    table = profile.law_table
    assert table is not None and table.covariance is not None and profile.fit is not None
    found = propagate(lambda law: [law.alpha, law.time(500), 7.0], profile)
    matrix, weights = table.covariance.array(), np.array([1.0, 500.0])
    assert found.standard_error == pytest.approx([matrix[0, 0] ** 0.5, (weights @ matrix @ weights) ** 0.5, 0], 1e-6)
    quantile = stats.t.ppf(0.975, profile.fit.rows - 2)
    assert found.high - found.value == pytest.approx(quantile * found.standard_error)
    interval = table.constants["alpha"].interval
    assert interval is not None and (found.low[0], found.high[0]) == pytest.approx(interval)


@pytest.mark.slow
@pytest.mark.parametrize(("law", "function"), [
    (PAIR, threshold),
    (PiecewiseLinearLaw(0.0455, 3e-4, 100.0), lambda law: [float(law.time(1000)), law.c / law.a]),
    (MixedQuadraticLaw(0.03, 0.08, -0.06), lambda law: [law.kappa, law.crossover or 0.0]),
], ids=["threshold", "break", "mixed"])
def test_the_delta_method_agrees_with_the_bootstrap(law: Law, function: object) -> None:
    delta = propagate(function, fitted(law))  # type: ignore[arg-type]
    samples = 300 if law.breakpoint is None else 100
    drawn = bootstrap(function, type(law), noisy(law), samples=samples)  # type: ignore[arg-type]
    assert drawn.value == pytest.approx(delta.value, rel=1e-9)
    # 100 samples tell a standard error to 7 percent, and 72 rows the noise to 8 percent.
    assert drawn.standard_error == pytest.approx(delta.standard_error, rel=0.25)
    assert (np.abs(drawn.low - delta.low) < 0.7 * delta.standard_error).all()
    correlation = delta.covariance / np.outer(delta.standard_error, delta.standard_error)
    again = drawn.covariance / np.outer(drawn.standard_error, drawn.standard_error)
    assert again == pytest.approx(correlation, abs=0.2)


def test_independent_profiles_add_their_variances() -> None:
    first, second = fitted(PAIR, 1), fitted(AffineLaw(0.02, 6e-5), 2)
    both = propagate(lambda a, b: float(a.prefill.time(300) + b.time(300)), first, second)
    alone = propagate(lambda a: float(a.prefill.time(300)), first), propagate(lambda b: float(b.time(300)), second)
    assert float(both.standard_error) ** 2 == pytest.approx(sum(float(x.standard_error) ** 2 for x in alone))


def test_the_quantile_is_that_of_the_profile_with_the_fewest_rows() -> None:
    few, many = AffineLaw(0.02, 6e-5), AffineLaw(0.01, 3e-5)
    data = noisy(few)
    short = data.rows(np.linspace(0, len(data.seconds) - 1, 8).round().astype(int))
    settings = Settings()
    small = profile_from_fit(FitReport(short, settings, (fit_law(AffineLaw, short, settings),), {}), gpu="drawn")
    large = fitted(many)
    assert small.fit is not None and large.fit is not None and small.fit.rows == 8 < large.fit.rows
    for pair in ((small, large), (large, small)):
        found = propagate(lambda a, b: float(a.time(300) + b.time(300)), *pair)
        assert float(found.high - found.value) == pytest.approx(stats.t.ppf(0.975, 6) * float(found.standard_error))


def test_a_constant_at_zero_is_moved_upwards_alone() -> None:
    data = noisy(AffineLaw(0.02, 6e-5))
    flat = Measurements("flat.csv", data.columns, 1e-4 * data.columns["tokens"] ** 1.2)
    settings = Settings()
    report = FitReport(flat, settings, (fit_law(AffineLaw, flat, settings),), {})
    profile = profile_from_fit(report, gpu="drawn")
    assert profile.law.constants["alpha"] == 0
    assert np.isfinite(propagate(lambda law: float(law.time(10)), profile).standard_error)


def test_what_cannot_be_propagated() -> None:
    with pytest.raises(InputError, match="a100-40gb-qwen-8b: no covariance of its constants"):
        propagate(lambda law: law.alpha_p, profiles.load("a100-40gb-qwen-8b"))
    profile = fitted(PAIR)
    with pytest.raises(InputError, match="the function is not finite at the profiles' constants"):
        propagate(lambda law: np.inf, profile)
    with pytest.raises(InputError, match=r"confidence = 1\.5"):
        propagate(lambda law: law.alpha_p, profile, confidence=1.5)
    with pytest.raises(InputError, match="samples = 3"):
        bootstrap(lambda law: 1.0, PrefillDecodeLaw, noisy(PAIR), samples=3)


def test_the_table_prints_intervals_where_there_is_a_covariance() -> None:
    table = tables.eb_threshold([VIDUR_PAIR, "a100-40gb-qwen-8b"], ["eb-sharegpt"], [64, 256], intervals=True)
    rows = table.to_dict()["rows"]
    for row in rows[:2]:
        assert row["theta0_low"] < row["theta0"] < row["theta0_high"]
        assert row["k0_low"] <= row["k0"] <= row["k0_high"]
        assert row["throughput_low"] < row["throughput"] < row["throughput_high"]
        assert (row["throughput_high"] - row["throughput_low"]) / row["throughput"] < 0.1
    assert all(row[name] is None for row in rows[2:] for name in row if name.endswith(("_low", "_high")))
    # theta/(1 - theta) + log(1 - theta) = alpha_p/(alpha_d mu_O) has the slope theta/(1 - theta)^2
    profile, theta = profiles.load(VIDUR_PAIR), rows[0]["theta0"]
    assert profile.fit is not None and profile.law_table is not None and profile.law_table.covariance is not None
    names, matrix = profile.law_table.covariance.constants, profile.law_table.covariance.array()
    relative = np.array([{"alpha_p": 1, "alpha_d": -1}.get(name, 0) / profile.law.constants[name] for name in names])
    spread = (1 - theta) ** 2 / theta * rows[0]["ratio"] * (relative @ matrix @ relative) ** 0.5
    half = stats.t.ppf(0.975, profile.fit.rows - 4) * spread
    assert [rows[0]["theta0_low"], rows[0]["theta0_high"]] == pytest.approx([theta - half, theta + half], rel=1e-5)
    for form in ("md", "latex", "html"):
        assert "delta method" in table.render(form)
    plain = tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"], [64])
    assert plain.column("theta0_low") == table.column("theta0_low")[:1] and "delta method" not in plain.render("md")


TABLES = {"eb-threshold": ("ratio", "theta0", "zeta", "throughput"),
          "eb-crossover": ("gap", "bound", "mixed", "exclusive", "lead"),
          "eb-memory": ("theta0", "capacity")}


def with_constants(law: Law) -> HardwareProfile:
    constants = {name: {"value": value, "unit": law.units[name]} for name, value in law.constants.items()}
    source = {"measurements": "drawn.csv"}
    return profile_from_dict({"name": "drawn", "gpu": "drawn", "source": source,
                              "law": {"kind": law.kind, "constants": constants}}, "drawn")


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_tables_intervals_agree_with_the_bootstrap(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table computed anew from each resampled fit scatters as its printed intervals say, over three data sets."""
    # The simulated probability and the guarantee rest on the capacity, whose interval is checked.
    monkeypatch.setattr(memory_safety, "REPLICATIONS", 2)
    monkeypatch.setattr(memory_safety, "PHASES", 2)
    monkeypatch.setattr(memory_safety, "safe_batch", lambda *arguments: 1)
    workload = workloads.load("eb-sharegpt")

    def computed(law: Law) -> list[float]:
        table = tables.build(name, [with_constants(law)], [workload], [64])
        return [float(table.column(column)[0]) for column in TABLES[name]]  # type: ignore[arg-type]

    ratios = []
    for seed in (5, 6, 7):
        table = tables.build(name, [fitted(PAIR, seed)], [workload], [64], intervals=True)
        drawn = bootstrap(computed, PrefillDecodeLaw, noisy(PAIR, seed), samples=60)
        value, low, high = (np.array([float(table.column(f"{column}{end}")[0]) for column in TABLES[name]])  # type: ignore[arg-type]
                            for end in ("", "_low", "_high"))
        assert value == pytest.approx(drawn.value, rel=1e-9) and (low < value).all() and (value < high).all()
        ratios.append((high - low) / (2 * stats.t.ppf(0.975, COUNTS.size - 4) * drawn.standard_error))
    # 180 samples tell a standard error to 5 percent, and three times 26 counts to 8 percent.
    assert np.mean(ratios, axis=0) == pytest.approx(1, abs=0.25)


@pytest.mark.slow
def test_a_plans_optimum_and_shadow_price_carry_intervals() -> None:
    """Two pools of GPUs under one load: the least cost of serving it, and its shadow price, by the LP's own answers."""
    first, second = fitted(PAIR, 1), fitted(AffineLaw(0.02, 6e-5), 2)

    def plan(pair: PrefillDecodeLaw, affine: AffineLaw) -> list[float]:
        # x iterations a second on either pool, at most so many busy GPUs; tokens of 512 and 256 an iteration
        busy = [float(pair.prefill.time(512)), float(affine.time(256))]
        found = linprog(busy, A_ub=[[busy[0], 0], [-512, -256]], b_ub=[4.0, -90000.0], method="highs")
        return [found.fun, -found.ineqlin.marginals[1]]

    delta = propagate(plan, first, second)
    rng = np.random.default_rng(4)
    laws = [(type(p.law), list(p.law.constants.values()), p.law_table.covariance.array())  # type: ignore[union-attr]
            for p in (first, second)]
    drawn = np.array([plan(*(kind(*rng.multivariate_normal(at, spread)) for kind, at, spread in laws))
                      for _ in range(400)])
    assert delta.standard_error == pytest.approx(drawn.std(axis=0), rel=0.15)
    assert (delta.low < delta.value).all() and (delta.value < delta.high).all()


def test_intervals_without_any_covariance_are_refused() -> None:
    with pytest.raises(InputError, match="no profile of a100-40gb-qwen-8b has a covariance"):
        tables.eb_threshold(["a100-40gb-qwen-8b"], ["eb-sharegpt"], intervals=True)
