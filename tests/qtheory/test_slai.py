"""SLAI's experiments in simulation: a small slice of the study, on fixed seeds, and the entries of ``reproduce``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from qtheory.report import reproduce, reproduce_tiling, slai, tables
from qtheory.simulate.statistics import paired_difference

REPLICATIONS = 3


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slai, "REPLICATIONS", REPLICATIONS)
    monkeypatch.setattr(slai, "HORIZON", 1500.0)
    monkeypatch.setattr(slai, "HALVINGS", 6)


@pytest.mark.slow
def test_the_order_of_the_papers_figure_6() -> None:
    """Capacities at 5 percent paying users: SLAI above Sarathi-Serve, in pairs, and vLLM below by its tail."""
    rates = slai.capacities(slai.POLICIES, 0.05, REPLICATIONS)
    more = paired_difference(rates[slai.BEST.name], rates[slai.BASE.name])
    assert more.low > 0
    assert max(rates["vLLM"]) < min(rates[slai.BASE.name])
    found = slai.gain(rates[slai.BEST.name], rates[slai.BASE.name])
    mean = sum(rates[slai.BASE.name]) / REPLICATIONS
    assert found.estimate == pytest.approx(more.estimate / mean) and 0.05 < found.estimate < 0.5


def test_a_capacity_is_where_the_limits_end() -> None:
    step = (slai.MOST - slai.LEAST) / 2**slai.HALVINGS
    for policy in (slai.BASE, slai.BEST):
        rate = slai.largest_rate(policy, 0.05, 1)
        assert slai.within_limits(slai.seen(policy, rate - 4 * step, 0.05, 1))
        assert not slai.within_limits(slai.seen(policy, rate + 4 * step, 0.05, 1))


def test_shapes_of_the_times_between_tokens() -> None:
    """Section 7: under SLAI free users' tail rises and then falls with the load, within the limit; Sarathi-Serve's is
    that of paying users and rises; vLLM's is beyond the limit of paying users early."""
    seen = {rate: slai.observed((slai.BASE, slai.BEST, slai.POLICIES[-1]), [rate] * REPLICATIONS, 0.05)
            for rate in (0.5, 1.2, 1.65)}

    def mean(rate: float, name: str, field: str) -> float:
        return sum(getattr(s, field) for s in seen[rate][name]) / REPLICATIONS

    free = [mean(rate, slai.BEST.name, "free_99") for rate in seen]
    assert free[0] < free[1] > free[2] and max(free) < slai.FREE
    base = [mean(rate, slai.BASE.name, "free_99") for rate in seen]
    assert base == sorted(base) and base[1] == pytest.approx(mean(1.2, slai.BASE.name, "paying_99"), rel=0.05)
    assert mean(1.2, "vLLM", "paying_99") > slai.PAYING > mean(1.2, slai.BEST.name, "paying_99")
    assert mean(0.5, "vLLM", "ttft") < mean(0.5, slai.BEST.name, "ttft") < mean(0.5, slai.BASE.name, "ttft")


def test_common_random_numbers() -> None:
    """The policies see the same requests: as many leave at a light load, and a run is the same again."""
    one, other = (slai.seen(p, 0.5, 0.05, 2) for p in (slai.BASE, slai.BEST))
    assert one.rate == pytest.approx(other.rate, rel=0.01) and one == slai.seen(slai.BASE, 0.5, 0.05, 2)
    assert one != slai.seen(slai.BASE, 0.5, 0.05, 1)


@pytest.mark.slow
def test_the_table_and_the_entries() -> None:
    table = slai.table((0.05,), REPLICATIONS)
    rows = {r["policy"]: r for r in table.to_dict()["rows"]}
    assert len(rows) == len(slai.POLICIES) and rows[slai.BASE.name]["gain"] is None
    assert rows[slai.BEST.name]["gain_low"] > 0 and rows[slai.BASE.name]["ttft"] == pytest.approx(slai.HIGH, rel=0.3)
    assert all(table.render(form) for form in ("md", "latex")) and "slai" in tables.names()
    found = reproduce.build("rad-fig-6").to_dict()["rows"]
    printed = [r["printed"] for r in found[:6]]
    assert printed == pytest.approx([1.5, 0.7, 1 - 0.7 / 1.5, 1.15, 1.45, 1.45 / 1.15 - 1])
    assert found[1]["computed"] < found[0]["computed"] and found[5]["computed_low"] > 0
    peak = {(r["place"], r["what"]): r["computed"] for r in reproduce.build("rad-fig-7").to_dict()["rows"]}
    assert peak["SLAI (SPF, fixed)", "median TTFT (s)"] < peak["SLAI (FCFS, fixed)", "median TTFT (s)"]
    assert peak["Figure 8", "mean TTFT, paying users (s)"] < peak["Figure 8", "mean TTFT, free users (s)"]


def test_the_picture_of_figure_6_shows_every_rate_and_all_up_to_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    def figure_of(draw: Any, size: Any, suffix: str) -> Figure:
        draw(figure := Figure())
        return figure

    def seen(policies: Any, rates: Any, share: float) -> dict[str, list[Any]]:
        return {p.name: [SimpleNamespace(paying_99=0.1 * r, free_99=0.2 * r, ttft=r) for r in rates] for p in policies}

    monkeypatch.setattr(reproduce_tiling, "drawn", figure_of)
    monkeypatch.setattr(slai, "observed", seen)
    panels = reproduce_tiling.picture(".png").axes  # type: ignore[attr-defined]
    for axes, factor, limit in zip(panels, (0.1, 0.2, 1.0), (slai.PAYING, slai.FREE, slai.TTFT), strict=True):
        *lines, level = axes.get_lines()
        assert len(lines) == len(slai.POLICIES) and set(level.get_ydata()) == {limit}
        for line in lines:
            x, y = (np.asarray(v, dtype=float) for v in line.get_data())
            assert y == pytest.approx(factor * x) and x == pytest.approx(np.linspace(0.4, 1.75, 10))
            assert axes.get_xlim() == pytest.approx((0.4, 1.75))
        assert axes.get_ylim()[0] == 0 < limit < axes.get_ylim()[1]


@pytest.mark.slow
def test_tables_without_simulation() -> None:
    rows = reproduce.build("rad-tab-1").to_dict()["rows"]
    assert [r["difference"] for r in rows if r["what"] != "standard deviation"] == [0, 0, 0, 0]
    rows = reproduce.build("rad-fig-5").to_dict()["rows"]
    ttft = [r["computed"] for r in rows if r["what"] == "TTFT"]
    decodes = [r["computed"] for r in rows if r["place"].startswith("5c")]
    assert ttft == sorted(ttft, reverse=True) and decodes == sorted(decodes)
    svg = reproduce.picture("rad-fig-6", ".svg")
    assert b"<image" not in svg and svg.count(b"<path") > 20
