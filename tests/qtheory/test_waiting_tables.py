"""The tables and pictures of WAIT: each row by definition, and what the captions promise."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import optimize, stats

from qtheory import workloads
from qtheory.models.laws import MemoryLinearLaw
from qtheory.report import plots, tables, waiting_plot
from qtheory.report.waiting import COUNTS, INSTANCES, LAW, SETTINGS, SLACK, segment_types
from qtheory.theory import waiting


def test_the_equilibria_by_iteration_and_the_papers_thresholds() -> None:
    """T by iterating T = d0 + d1 R T, and (9) of the low-demand instance with the paper's printed numbers."""
    rows = tables.wait_equilibrium().to_dict()["rows"]
    for row in rows:
        assert (row["iteration"] is None) == (row["share"] >= 1)
        if row["iteration"] is not None:
            time = 0.0
            for _ in range(300):
                time = LAW.d0 + row["share"] * time
            assert row["iteration"] == pytest.approx(time) and row["needs"] >= row["memory"]
            assert row["paper_breaks"] >= 1
    low, high = rows[0], rows[1]
    work = 1000 * sum(10 + k for k in range(11)) + 1000 * sum(10 + k for k in range(21))
    assert low["share"] == pytest.approx(LAW.d1 * work) and low["memory"] == pytest.approx(work * low["iteration"])
    assert (low["throughput"], low["printed"]) == (30000, 32000) and high["iteration"] is None
    assert all(tables.wait_equilibrium().render(form) for form in tables.FORMATS)


@pytest.mark.later
def test_the_memory_suffices_with_the_probability_asked_for() -> None:
    rows = tables.wait_memory().to_dict()["rows"]
    assert [(r["rate"], r["horizon"], r["delta"], r["segments"]) for r in rows] == [
        (*setting, count) for setting in SETTINGS for count in COUNTS]
    for row in rows:
        assert row["risk"] <= row["delta"] and row["batch"] <= row["needed"] < row["printed"]
        assert row["printed"] == pytest.approx(row["batch"] + row["queues"] + row["reserve"])
    totals = {r["segments"]: r["printed"] for r in rows if (r["rate"], r["delta"]) == (500, 0.1)}
    assert totals[2] > totals[5] < totals[20]  # the U-shape of Section 7.2
    parts = waiting.segments(segment_types(500), 5)
    system = waiting.nested_system(parts, LAW, SLACK)
    assert system.least()[0] == next(r["first"] for r in rows if (r["rate"], r["segments"]) == (500, 5))


def test_the_fluid_path_rises_to_the_equilibrium() -> None:
    types = waiting.request_types([40, 20], 10, [10, 20])
    law = MemoryLinearLaw(0.02, 1e-5)
    times, memory = waiting_plot.fluid_path(types, law, 20.0)
    found = waiting.equilibrium(types, law)
    level = sum((x * sum(10 + k for k in range(t.output)) for x, t in zip(found.entering, types, strict=True)), F(0))
    assert memory[-1] == pytest.approx(float(level), rel=1e-9)
    assert times[-1] - times[-2] == pytest.approx(float(found.iteration)) and max(memory) <= memory[-1] * (1 + 1e-9)


def test_the_columns_of_the_equilibria_and_their_units() -> None:
    table = tables.wait_equilibrium()
    units = {c.name: c.unit for c in table.columns}
    assert units == {"workload": "", "rate": "1/s", "share": "", "iteration": "s", "memory": "tokens", "least": "",
                     "throughput": "1/s", "printed": "1/s", "needs": "tokens", "paper_breaks": ""}
    for row, (name, rate) in zip(table.to_dict()["rows"], INSTANCES, strict=True):
        types = [(float(t.rate), sum(t.prompt + k for k in range(t.output + 1)), t.output)
                 for t in waiting.of_workload(workloads.load(name), rate)]
        assert sum(r for r, _, _ in types) == pytest.approx(rate) and row["rate"] == rate
        assert row["share"] == pytest.approx(LAW.d1 * sum(r * w for r, w, _ in types))
        assert row["throughput"] == pytest.approx(sum(r * o for r, _, o in types))
        assert row["printed"] == pytest.approx(sum(r * (o + 1) for r, _, o in types))
        if row["iteration"] is None:
            assert row["least"] is row["needs"] is row["paper_breaks"] is None
            continue

        def late(n: list[float], types: list[tuple[float, int, int]] = types) -> int:
            """How many types have more arrivals in a batch at thresholds n than its threshold."""
            time = LAW.d0 + LAW.d1 * sum(x * w for x, (_, w, _) in zip(n, types, strict=True))
            return sum(x < r * time * (1 - 1e-12) for x, (r, _, _) in zip(n, types, strict=True))

        present = row["iteration"] * sum(r * (o + 1) for r, _, o in types)
        assert row["paper_breaks"] == late([present * r / rate / (o + 1) for r, _, o in types])
        n = [1.0] * len(types)
        while late(n):  # each up to what the others ask, from below: the least ones
            time = LAW.d0 + LAW.d1 * sum(x * w for x, (_, w, _) in zip(n, types, strict=True))
            n = [max(x, float(math.ceil(r * time - 1e-9))) for x, (r, _, _) in zip(n, types, strict=True)]
        assert row["least"] == sum(n)
        assert row["needs"] == pytest.approx(sum(x * w for x, (_, w, _) in zip(n, types, strict=True)))


@pytest.mark.later
def test_the_columns_of_the_memory() -> None:
    table = tables.wait_memory()
    assert {c.name: c.unit for c in table.columns if c.unit} == {
        "rate": "1/s", "horizon": "s", "first": "requests",
        **dict.fromkeys(("batch", "queues", "reserve", "printed", "needed"), "tokens")}
    rows = table.to_dict()["rows"]
    for row in rows:  # what suffices beyond a batch, of what (15) has beyond it
        assert row["saved"] == pytest.approx(1 - (row["needed"] - row["batch"]) / (row["printed"] - row["batch"]))
    for row in (rows[0], rows[8], rows[-1]):
        rate, batches, allowed = row["rate"], row["batches"], row["delta"] * 0.9
        ends = [500 * i // row["segments"] for i in range(1, row["segments"] + 1)]
        passes = [above(high) / above(low) for low, high in pairwise([0, *ends[:-1]])]
        weights = [sum(62 + k for k in range(low + 1, high + 1)) for low, high in pairwise([-1, *ends])]
        n, more = [], [1] * len(ends)
        while more != n:  # each up to what (14) asks with a tenth to spare, from below: the least ones
            n, time = more, F("0.02") + F("2e-8") * sum(w * x for w, x in zip(weights, more, strict=True))
            least = (rate * time, *(p * x for p, x in zip(passes, n, strict=False)))
            more = [math.floor(F(11, 10) * x) + 1 for x in least]
        assert (row["first"], row["batch"]) == (n[0], sum(w * x for w, x in zip(weights, n, strict=True)))
        # a tenth of what is allowed is for more arrivals than make so many batches
        assert batches == (int(stats.poisson.isf(row["delta"] / 10, rate * row["horizon"])) + 1) // n[0]
        steps = [(a, float(p), b) for a, p, b in zip(n, passes, n[1:], strict=False)]
        roots = [optimize.brentq(lambda t, N=N, p=p, b=b: N * math.log1p(p * math.expm1(t)) - b * t, 1e-4, 50)
                 if b < N else math.inf for N, p, b in steps]
        held = [62 + end for end in ends[:-1]]
        each = math.log(len(n) * batches / row["delta"])
        assert row["reserve"] == pytest.approx(sum(h / t for h, t in zip(held, roots, strict=True)) * each)
        assert row["queues"] == pytest.approx(sum(h * x for h, x in zip(held, n[1:], strict=True)))
        needed, risk = row["batch"], row["delta"] / 10
        parts = [h / min(t, 50) for h, t in zip(held, roots, strict=True)]
        for h, part, step in zip(held, parts, steps, strict=True):  # each its part of the risk
            share = allowed * part / sum(parts) * (1 - 1e-9)
            beyond = next(x for x in range(500) if exceeded(*step, x, batches) <= share)
            needed, risk = needed + h * beyond, risk + exceeded(*step, beyond, batches)
        assert row["needed"] == pytest.approx(needed) and row["risk"] == pytest.approx(risk, rel=1e-6)


BINS = (23, 11, 8, 7, 6, 4, 3, 2, 1, 1)  # of 66 requests those with outputs of 1 to 50, 51 to 100, ... tokens


def above(length: int) -> F:
    """The share of requests with more output tokens: uniform within a bin."""
    return sum((F(w * min(max(50 * (i + 1) - length, 0), 50), 50 * 66) for i, w in enumerate(BINS)), F(0))


def exceeded(N: int, p: float, n: int, more: int, batches: int) -> float:
    """Pr(V > n + more within so many batches) from V = 0: each takes n of V where they are there, and N requests have
    come to the end before it, of which each goes on with probability p."""
    top = n + more + 1
    goes_on = stats.binom(N, p)
    matrix = np.zeros((top + 1, top + 1))
    matrix[top, top] = 1
    for v in range(top):
        left = v - n if v >= n else v
        matrix[v, left:top] = goes_on.pmf(np.arange(top - left))
        matrix[v, top] = goes_on.sf(top - left - 1)
    return float(np.linalg.matrix_power(matrix, batches)[0, top])


@pytest.mark.later
def test_the_lines_of_the_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def figure_of(draw: Any, size: Any, suffix: str) -> Figure:
        draw(figure := Figure())
        return figure

    monkeypatch.setattr(waiting_plot, "drawn", figure_of)
    path, memory, region = (f(".png").axes[0] for f in (  # type: ignore[attr-defined]
        waiting_plot.path_picture, waiting_plot.memory_picture, waiting_plot.region_picture))
    *_, fluid, level = path.get_lines()
    assert level.get_ydata()[0] == pytest.approx(fluid.get_ydata()[-1], rel=1e-2)
    printed, needed, batch = (np.asarray(line.get_ydata()) for line in memory.get_lines())
    assert (printed > needed).all() and (needed > batch[0]).all() and (np.diff(printed) > 0).all()
    slope = np.diff(printed) / -np.diff(np.log(waiting_plot.DELTAS))  # (12) is linear in ln(1/delta)
    assert slope == pytest.approx(np.full(len(slope), slope[0]))
    papers = next(line for line in region.get_lines() if "rho" in str(line.get_label()))
    x, y = (np.asarray(v, dtype=float) for v in papers.get_data())
    assert y[1:] / x[1:] == pytest.approx((20 / 21) / (40 / 11))  # rates over stages


@pytest.mark.parametrize("name", ["wait-path", "wait-memory", "wait-region"])
def test_pictures(name) -> None:
    svg = plots.find(name).draw(".svg")
    assert svg == plots.find(name).draw(".svg") and b"<image" not in svg
