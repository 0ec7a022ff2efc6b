"""The tables and pictures of WAIT: each row by definition, and what the captions promise."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

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


def test_the_columns_of_the_memory() -> None:
    table = tables.wait_memory()
    assert {c.name: c.unit for c in table.columns if c.unit} == {
        "rate": "1/s", "horizon": "s", "first": "requests",
        **dict.fromkeys(("batch", "queues", "reserve", "printed", "needed"), "tokens")}
    rows = table.to_dict()["rows"]
    for row in rows:  # what suffices beyond a batch, of what (15) has beyond it
        assert row["saved"] == pytest.approx(1 - (row["needed"] - row["batch"]) / (row["printed"] - row["batch"]))
    for row in (rows[0], rows[-1]):
        parts = waiting.segments(segment_types(row["rate"]), row["segments"])
        n = waiting.nested_system(parts, LAW, SLACK).least()
        assert n is not None
        roots = waiting.binomial_roots(n[:-1], [float(p) for p in parts.passes], n[1:])
        held = [62 + e for e in parts.ends[:-1]]
        each = math.log(len(n) * row["batches"] / row["delta"])
        assert row["reserve"] == pytest.approx(sum(h / t for h, t in zip(held, roots, strict=True)) * each)
        assert row["queues"] == pytest.approx(sum(h * x for h, x in zip(held, n[1:], strict=True)))
        # a tenth of what is allowed is for more batches than are counted
        need = waiting.requirement(parts, n, row["batches"], row["delta"] * 0.9)
        assert row["risk"] == pytest.approx(sum(need.risks) + row["delta"] / 10, rel=1e-6)
        assert row["needed"] == pytest.approx(need.total)


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
