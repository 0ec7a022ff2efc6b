"""SLAI's experiments in simulation: a small slice of the study, on fixed seeds, and the entries of ``reproduce``."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import mean as average
from statistics import stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

from qtheory.report import reproduce, reproduce_tiling, slai, tables
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.statistics import paired_difference
from qtheory.simulate.statistics.quantiles import bin_edges

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


SEEN = slai.Seen(ttft=0.5, ttft_99=9.0, tbt=9.0, tbt_99=9.0, paying_99=0.1, free_99=0.5, paying_mean=9.0, free_mean=9.0,
                 rate=1.0)


@pytest.mark.parametrize("name", ["ttft", "paying_99", "free_99"])
def test_the_limits_are_half_a_second_and_a_tenth_for_paying_users(name: str) -> None:
    """Of the median TTFT and of the 99th percentiles of the time between tokens: each is met at itself alone."""
    assert slai.within_limits(SEEN)
    assert not slai.within_limits(replace(SEEN, **{name: getattr(SEEN, name) * (1 + 1e-12)}))


def test_each_number_of_a_replication() -> None:
    """Of 200 values in two bins the first 150 or so are in one: the median and the 99th percentile lie in between."""
    edges, places = bin_edges(), {"ttft": 700, "tbt": 600, "paying": 650, "free": 680}

    def counts(name: str) -> np.ndarray:
        bins = np.zeros(edges.size - 1, dtype=int)
        bins[places[name]], bins[places[name] + 1] = 150, 50
        return bins

    def at(name: str, q: float) -> float:
        place, share = (places[name], q * 200 / 150) if q * 200 <= 150 else (places[name] + 1, (q * 200 - 150) / 50)
        return float(edges[place] + share * (edges[place + 1] - edges[place]))

    sums = np.zeros((3, 2, 8))
    sums[:, 0, E.TTFT_SUM], sums[:, 0, E.FIRST_TOKENS] = (4.0, 5.0, 6.0), (2, 2, 1)
    sums[:, 1, E.TTFT_SUM], sums[:, 1, E.FIRST_TOKENS] = (1.0, 2.0, 4.0), (1, 1, 2)
    run = SimpleNamespace(histogram={E.TTFT: counts("ttft"), E.TBT: counts("tbt")}, class_sums=sums, throughput=1.25,
                          class_histogram=[{E.TBT: counts("paying")}, {E.TBT: counts("free")}])
    found = slai._read(run)  # type: ignore[arg-type]
    assert found == pytest.approx(slai.Seen(at("ttft", 0.5), at("ttft", 0.99), at("tbt", 0.5), at("tbt", 0.99),
                                            at("paying", 0.99), at("free", 0.99), 3.0, 1.75, 1.25))


def test_the_largest_rate_is_found_by_halving(monkeypatch: pytest.MonkeyPatch) -> None:
    """To a 2^7-th of the range, whatever end the true one is near."""
    monkeypatch.setattr(slai, "seen", lambda policy, rate, share, replication, classes: replace(SEEN, ttft=rate))
    for true in (0.21, 0.75, 1.9, 2.39):
        rate = slai.largest_rate(slai.BASE, 0.05, 1, good=lambda found, true=true: found.ttft <= true)  # type: ignore[misc]
        assert abs(rate - true) <= 2.2 / 2**7 * (1 + 1e-9)
    assert slai.largest_rate(slai.BASE, 0.05, 1, good=lambda found: found.ttft <= 0.5, most=1.2) == pytest.approx(
        0.5, abs=1.0 / 2**7)


def test_each_column_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means over replications at their own rates of high load, Student's interval of the capacity, and of the gain that
    of its differences in pairs, over the mean of Sarathi-Serve (FCFS)."""
    rng = np.random.default_rng(3)
    high = [1.5, 1.6, 1.7]
    there = {p.name: [slai.Seen(*rng.uniform(0.1, 2.0, 9)) for _ in high] for p in slai.POLICIES}
    rates = {p.name: list(map(float, rng.uniform(1.0, 2.0, 3))) for p in slai.POLICIES}
    monkeypatch.setattr(slai, "loaded", lambda level, share, replications, executor: high if level == 1.5 else None)
    monkeypatch.setattr(slai, "observed", lambda policies, at, share, executor: there if at is high else None)
    monkeypatch.setattr(slai, "capacities", lambda policies, share, replications, executor: rates)
    table = slai.table((0.05, 0.5), REPLICATIONS)
    assert {c.name: c.unit for c in table.columns if c.unit} == dict.fromkeys(
        ("ttft", "ttft_99", "tbt", "paying_99", "free_99"), "s") | dict.fromkeys(
        ("capacity", "capacity_low", "capacity_high", "rate"), "1/s")
    rows = table.to_dict()["rows"]
    assert [(r["share"], r["policy"]) for r in rows] == [(s, p.name) for s in (0.05, 0.5) for p in slai.POLICIES]
    quantile, base = float(stats.t.ppf(0.975, 2)), rates["Sarathi-Serve (FCFS)"]

    def interval(values: list[float]) -> tuple[float, float, float]:
        half = quantile * stdev(values) / math.sqrt(3)
        return average(values) - half, average(values), average(values) + half

    for row in rows:
        for name in ("ttft", "ttft_99", "tbt", "paying_99", "free_99"):
            assert row[name] == pytest.approx(average(getattr(s, name) for s in there[row["policy"]])), name
        own = rates[row["policy"]]
        assert (row["capacity_low"], row["capacity"], row["capacity_high"]) == pytest.approx(interval(own))
        gained = [(r - b) / average(base) for r, b in zip(own, base, strict=True)]
        ends = row["gain_low"], row["gain"], row["gain_high"]
        assert ends == ((None,) * 3 if own is base else pytest.approx(interval(gained)))
        assert row["rate"] == pytest.approx(1.6)


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
