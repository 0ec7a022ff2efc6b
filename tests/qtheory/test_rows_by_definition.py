"""Rows of tables by what their columns say they are; what is expensive is replaced where only its place counts."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from drawn import pair, requests

from qtheory import workloads
from qtheory.models.laws import AffineLaw, StaircaseLaw
from qtheory.proofs.claims.eb.models.tables import TABLES as PRINTED
from qtheory.report import (
    approximation,
    base_threshold,
    capacity,
    crossover,
    floats,
    hardware,
    latex,
    memory_safety,
    regret,
    reproduce_agents,
    rules,
    traces,
    waiting,
)
from qtheory.report.table import Column, Table
from qtheory.testing.strategies import _profile
from qtheory.theory import accuracy
from qtheory.theory.critical_rate import Engine
from qtheory.workloads import Binned


def surplus(theta: float) -> float:
    """The left side of (3)."""
    return theta / (1 - theta) + math.log(1 - theta)


# ---- approximation ----

def test_the_ratio_of_the_papers_machine_is_the_median_of_its_rows() -> None:
    ratios = [float(mean) * surplus(float(cells["mean"])) for mean, cells in PRINTED[10].rows.items()]
    assert len(ratios) == 6 and round(median(ratios)) == approximation.RATIO
    for name in approximation.MEMORY_WORKLOADS:
        p0, prompt, theta = approximation.memory_point(name)
        of = workloads.load(name)
        assert surplus(theta) == pytest.approx(17 / of.output.mean) and p0 == pytest.approx(1 / of.output.mean)
        assert abs(prompt - of.prompt.mean) <= 0.5 or prompt == 1


def fitted(law: Any) -> tuple[float, float]:
    """By the normal equations of weighted least squares, over the lengths up to the first that 95 percent do not
    exceed, each with the share of requests at risk."""
    sums, t, alive = np.zeros(5), 1, 1.0
    while True:
        left = float(law.survival(np.array([t + 1]))[0])
        hazard = 1 - left / alive
        sums += alive * np.array([1, t, t * t, hazard, t * hazard])
        if 1 - left >= 0.95:
            break
        t, alive = t + 1, left
    one, first, second, h, th = sums
    slope = (one * th - first * h) / (one * second - first**2)
    return (h - slope * first) / one, slope


@pytest.mark.parametrize("law", [Binned((1, 3, 4, 6, 9), (1, 2, 3, 4)), workloads.load("eb-gamma-2").output],
                         ids=["few", "gamma"])
def test_the_fitted_hazard_rate(law: Any) -> None:
    p0, eta = fitted(law)
    assert approximation.fitted_hazard(law) == pytest.approx((p0, eta), rel=1e-6)


@pytest.mark.parametrize(("alpha_p", "beta_d", "rises"), [(0.17, 4e-5, True), (0.17, 1e-7, True), (9.0, 4e-5, False)])
def test_the_thresholds_of_the_rules(alpha_p: float, beta_d: float, rises: bool) -> None:
    """theta0 at the mean; Algorithm 1's by (21) at the fitted hazard rate, at most 0.9; the general one of the best
    whole phase: a slot completes once in as many phases as the request in it takes."""
    N, alpha_d, of = 64, 0.01, workloads.load("eb-gamma-2")
    row, = rules.table((pair(alpha_p, 1e-5, alpha_d, beta_d),), (of,), (N,)).to_dict()["rows"]
    p0, eta = fitted(of.output)
    assert (row["p0"], row["eta"]) == pytest.approx((p0, eta), rel=1e-6) and eta > 0
    assert surplus(row["theta0"]) == pytest.approx(alpha_p / alpha_d / float(of.output.mean), rel=1e-9)
    low, high = 0.0, 1 - 1e-12
    for _ in range(100):
        x = (low + high) / 2
        low, high = (x, high) if surplus(x) < p0 * alpha_p / alpha_d else (low, x)
    zeta = -math.log1p(-x)
    rise = eta * (1 - x) ** 2 / (p0**2 * x) * (zeta * (x / (1 - x) - zeta / 2) + beta_d * N / alpha_d * (zeta - x))
    assert row["theta5"] == pytest.approx(x + rise if rises else 0.9, rel=1e-6) and (x + rise < 0.9) == rises
    left = np.asarray(of.output.survival(1 + np.arange(of.output.quantile(1 - 1e-13))))  # Pr(O > t)
    costs = [(D + alpha_p / alpha_d) * left[::D].sum() for D in range(1, 1200 if rises else 9000)]
    best = 1 + int(np.argmin(costs))
    assert (row["iterations"], row["general"]) == (best, pytest.approx(1 / left[::best].sum(), rel=1e-9))


def test_the_papers_points_are_pure_numbers() -> None:
    points, _ = approximation.operating_points()
    assert len(points) == 2
    for point in points:
        p0, eta = fitted(workloads.load(point.name).output)
        assert (point.gamma, point.epsilon) == pytest.approx((17 * p0, eta / p0**2), rel=1e-6)


def test_each_row_of_the_approximations_has_its_own_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors that name their form: the reach of a row tells which it was computed from."""
    def kept(gamma: float, rhos: Any, slopes: Any) -> np.ndarray:
        return np.array([[1000 * gamma + i] for i in range(len(rhos) + 1)])

    monkeypatch.setattr(accuracy, "kept_age_errors", kept)
    monkeypatch.setattr(accuracy, "correction_error", lambda gamma, rho, slopes: np.array([-1000 * gamma - rho]))
    monkeypatch.setattr(accuracy, "slope_reach", lambda errors, level, slopes: float(errors[0]) + level)
    for name in ("batch_reaches", "reaches"):
        monkeypatch.setattr(accuracy, name, lambda errors, batches=None: (1, 2, 3))
    monkeypatch.setattr(accuracy, "condition_errors", lambda gamma, batches: [])
    rows = [dict(zip((c.name for c in approximation.COLUMNS), row, strict=True))
            for row in approximation._threshold_rows()]
    fresh, kept_ages = ([r for r in rows if r["exact"] == f"best, {what}"] for what in ("fresh clocks", "kept ages"))
    assert len(fresh) == 9 and len(kept_ages) == 12
    rhos = list(approximation.RHOS)
    for row in fresh + kept_ages:
        at = (-1000 * row["gamma"] - row["rho"] if row in fresh else
              1000 * row["gamma"] + (len(rhos) if row["rho"] is None else rhos.index(row["rho"])))
        assert [row[f"within_{n}"] for n in (1, 5, 20)] == pytest.approx([at + n / 100 for n in (1, 5, 20)])


def test_each_row_of_batches_and_memory_has_its_own_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors that are numbers of what was asked: by the form, at the parameters that the row shows."""
    asked: list[tuple[Any, ...]] = []

    def named(name: str) -> Any:
        return lambda *of: asked.append((name, *of)) or float(len(asked) - 1)

    for name in ("threshold_error", "decode_error", "throughput_error", "start_error", "variance_error"):
        monkeypatch.setattr(accuracy, name, named(name))
    monkeypatch.setattr(accuracy, "condition_errors", lambda gamma, batches: [named("condition")(gamma)])
    monkeypatch.setattr(accuracy, "batch_errors", lambda *of: [named(f"size {i}")(*of) for i in range(3)])
    monkeypatch.setattr(accuracy, "batch_reaches", lambda error, batches=None: (error(8),) * 3)
    monkeypatch.setattr(accuracy, "reaches", lambda errors, batches: (errors[0],) * 3)
    for name in ("kept_age_errors", "correction_error"):
        monkeypatch.setattr(accuracy, name, lambda *of: np.zeros((4, 1)))
    monkeypatch.setattr(accuracy, "slope_reach", lambda errors, level, slopes: float(np.max(errors)))
    rows = [dict(zip((c.name for c in approximation.COLUMNS), row, strict=True))
            for row in (*approximation._threshold_rows(), *approximation._memory_rows())]
    seen = 0
    for r in rows:
        wanted = {
            ("base threshold (3)", "chain's best k/N"): ("threshold_error", r["gamma"], r["p0"], 8),
            ("decode phase (Sec. 3.2.1)", "chain's mean"): ("decode_error", r["theta"], r["p0"], 8),
            ("throughput (4)", "(1), chain's phase"): ("throughput_error", r["gamma"], r["p0"], 8),
            ("condition (7)", "zeta at k0*/N"): ("condition", r["gamma"]),
            ("mean memory E[X0] (App. D.2)", "chain's mean"): ("start_error", r["rate"], r["theta"], r["p0"], 8),
            ("variance 2n/p0 (App. D.3)", "v_n, equal"): ("variance_error", accuracy.PROMPTS, r["p0"], 0.0),
            ("variance 2n/p0 (App. D.3)", "v_n, geometric"): ("variance_error", accuracy.PROMPTS, r["p0"], 1.0),
        }.get((r["form"], r["exact"]))
        if r["form"] in (sizes := ("N_static (App. D.5)", "N_expected (App. D.5)", "safe batch (6)")):
            wanted = (f"size {sizes.index(r['form'])}", r["theta"], r["p0"], round(r["rate"] / r["p0"]), 8)
        if wanted is not None:
            found = asked[int(r["within_5"])]
            assert found[0] == wanted[0] and all(a is b or a == b for a, b in zip(found, wanted, strict=True)), r
            seen += 1
    assert seen == len(rows) - 21  # those of slopes
    points = [r for r in rows if r["form"] == "safe batch (6)" and r["gamma"] is not None]
    assert [r["exact"] for r in points] == [n.removeprefix("eb-") for n in approximation.MEMORY_WORKLOADS]
    assert all(r["gamma"] == pytest.approx(17 * r["p0"]) for r in points)


# ---- profiles, capacities, thresholds ----

SECONDS = {"ns/token": 1e-9, "µs/token": 1e-6, "ms": 1e-3, "ms/tile": 1e-3}


def test_a_constant_is_printed_in_the_unit_that_stands_beside_it() -> None:
    """A time below a microsecond a token in nanoseconds, all other times a token in microseconds, the rest in ms."""
    found = set()
    for row in hardware.table(hardware.shipped()).to_dict()["rows"]:
        scale = SECONDS.get(row["shown_unit"], 1.0)
        if row["value"] is not None:
            assert row["shown"] * scale == pytest.approx(row["value"], rel=1e-12), row["profile"]
            if row["unit"] == "s/token":
                assert row["shown_unit"] == ("ns/token" if 0 < row["value"] < 1e-6 else "µs/token"), row["profile"]
            found.add(row["shown_unit"])
    assert {*SECONDS} - {"ms/tile"} <= found


def test_between_the_bounds_of_a_law_of_steps() -> None:
    """Whole budgets below; above the most tokens a second of any batch, which ends with its last tile."""
    tile, token, width, mean, prompt = 0.004, 1e-6, 100, 40.0, 200
    rows = capacity.table([_profile(StaircaseLaw(tile, token, width))], (requests(mean, prompt),)).to_dict()["rows"]
    for row, b in zip(rows, (512, 2048, 8192), strict=True):
        speed = [n / (math.ceil(n / width) * tile + token * n) for n in range(1, b + 1)]
        assert row["low"] == pytest.approx(speed[-1] / (mean + prompt), rel=1e-9)
        assert row["high"] == pytest.approx(max(speed) / (mean + prompt), rel=1e-9)
        assert row["low"] < 0.9999 * row["high"] or b == 8192


def test_the_simulated_horizon_is_of_so_many_requests_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def decided(model: Any, **options: Any) -> Any:
        asked.update(options, arrivals=model.classes[0].arrivals.mean)
        return SimpleNamespace(verdict=SimpleNamespace(verdict="stable", remark="none"))

    monkeypatch.setattr("qtheory.simulate.statistics.until_decided", decided)
    engine = Engine(AffineLaw(0.012, 4e-5), "sarathi", {"budget": 512}, 3)
    found = capacity.simulated(engine, requests(40.0, 200), 6.0, requests=600, seed=5)
    assert asked["horizon"] == 300 and asked["limit"] == 300 * capacity.MOST and asked["seed"] == 5
    assert asked["arrivals"] == pytest.approx(0.5) and (found.rate, found.requests) == (6.0, 600)


def test_without_a_throughput_there_are_no_ends_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At k0* = 0, and for a workload that says nothing of its prompts; the other intervals stay."""
    monkeypatch.setattr(base_threshold, "intervals_of", lambda computed, of: [(1.0, 2.0), (0.1, 0.2), (1.0, 3.0),
                                                                              (4.0, 9.0)])
    profile = pair(0.02, 1e-5, 0.01, 4e-5)
    for prompt, slots in ((200, 2), (None, 64), (200, 64)):
        row, = base_threshold.table((profile,), (requests(40.0, prompt),), (slots,)).to_dict()["rows"]
        there = prompt is not None and slots == 64
        assert (row["k0"] > 0) == (slots == 64) and (row["throughput"] is not None) == there
        assert (row["throughput_low"], row["throughput_high"]) == ((4.0, 9.0) if there else (None, None))
        assert (row["theta0_low"], row["theta0_high"]) == (0.1, 0.2)


def test_the_load_that_is_shown_is_that_of_the_busiest_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce_agents, "nominal_loads", lambda of: {"A": Fraction(1, 4), "B": Fraction(3, 4)})
    panel = SimpleNamespace(network=None, runs=[SimpleNamespace(windows=4)])
    first = next(reproduce_agents._stays("a place", panel))  # type: ignore[arg-type]
    assert (first.what, first.computed, first.printed) == ("load of each agent", 0.75, None)


# ---- how columns are printed ----

def test_rows_of_a_profile_stand_below_its_name() -> None:
    every = (base_threshold.COLUMNS, capacity.COLUMNS, crossover.COLUMNS, memory_safety.COLUMNS, regret.COLUMNS,
             rules.COLUMNS)
    assert all((of[0].name, of[0].group, of[0].text) == ("profile", True, True) for of in every)
    assert (waiting.MEMORY_COLUMNS[0].name, waiting.MEMORY_COLUMNS[0].group) == ("rate", True)


def test_p_values_and_correlations_have_two_digits_and_means_four() -> None:
    digits = {c.name: c.digits for c in traces.COLUMNS if c.digits is not None}
    assert digits == {name: 2 if name.startswith("p_") or name in ("gap_lag", "lengths_rho") else
                      4 if name.endswith("_mean") else 3 for name in digits} and len(digits) == 14


@pytest.mark.parametrize("document_class", ["IEEEtran", "acmart"])
def test_a_float_holds_as_many_rows_as_leave_seven_lines_of_its_page(document_class: str) -> None:
    """A row is a line of 9.5 points; the last two share what is left, so that the notes fit below."""
    layout = floats.Layout.of(document_class)
    rows = tuple((float(i),) for i in range(400))
    table = Table("t", "Title", ("caption",), "tab:t", (Column("n", "n", "number", digits=2),), rows, "0")
    pieces = latex.table(table, layout=layout).split(r"\end{adjustbox}")[:-1]
    counts = [piece.partition(r"\midrule")[2].count(r"\\") for piece in pieces]
    most = math.floor(layout.page.height / 9.5 - 7)
    assert sum(counts) == 400 and len(counts) > 3 and set(counts[:-2]) == {most} and max(counts) == most


def test_in_a_crowded_table_words_above_numbers_stand_upright() -> None:
    """From five letters on, and from nine columns on."""
    names = ("rate", "loads", "a", "b", "c", "d", "e", "f", "g")
    for count, turned in ((9, {"loads"}), (8, set())):
        columns = tuple(Column(name, name, name, digits=2) for name in names[:count])
        table = Table("t", "Title", ("caption",), "tab:t", columns, (tuple(map(float, range(count))),), "0")
        text = latex.table(table)
        assert {n for n in names if rf"\rotatebox{{90}}{{{n}}}" in text} == turned
