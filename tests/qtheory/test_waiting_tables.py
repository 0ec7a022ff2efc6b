"""The tables and pictures of WAIT: each row by definition, and what the captions promise."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from qtheory.models.laws import MemoryLinearLaw
from qtheory.report import plots, tables, waiting_plot
from qtheory.report.waiting import COUNTS, LAW, SETTINGS, SLACK, segment_types
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


@pytest.mark.parametrize("name", ["wait-path", "wait-memory", "wait-region"])
def test_pictures(name) -> None:
    svg = plots.find(name).draw(".svg")
    assert svg == plots.find(name).draw(".svg") and b"<image" not in svg
