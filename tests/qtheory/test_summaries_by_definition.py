"""The tables of recorded traces and of a service's clients, each column by plain loops; tails of laws by mpmath."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from qtheory.report import clients, tables
from qtheory.workloads import Deterministic, RequestClass, Trace, Workload
from qtheory.workloads.summary import BINS, Hazard, dispersion, falls, hazard_bands, poisson_p, spread

COUNT = 240


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def spread_of(values: Sequence[float], freedom: int = 0) -> float:
    """The variance, of so many degrees of freedom less than there are values."""
    return math.fsum((v - mean(values)) ** 2 for v in values) / (len(values) - freedom)


def above(statistic: float, freedom: int) -> float:
    """The upper tail of the chi-square law."""
    return float(mp.gammainc(mp.mpf(freedom) / 2, mp.mpf(statistic) / 2, mp.inf, regularized=True))


def ranks(values: Sequence[float]) -> list[float]:
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    a, b = mean(x), mean(y)
    return math.fsum((u - a) * (v - b) for u, v in zip(x, y, strict=True)) / math.sqrt(
        math.fsum((u - a) ** 2 for u in x) * math.fsum((v - b) ** 2 for v in y))


def in_windows(times: Sequence[float], scale: float) -> list[int]:
    """How many come in each whole window from the first on; the last one holds its end."""
    whole = int((times[-1] - times[0]) // scale)
    places = [int((t - times[0]) // scale) for t in times]
    ends = sum(t == times[0] + whole * scale for t in times)
    return [sum(p == w for p in places) + (ends if w == whole - 1 else 0) for w in range(whole)]


@pytest.fixture(scope="module")
def trace() -> Trace:
    rng = np.random.default_rng(11)
    outputs = rng.geometric(0.05, COUNT)
    prompts = rng.integers(1, 900, COUNT) + 20 * outputs
    blocks = tuple(tuple(int(b) for b in rng.integers(0, 5, 3)) for _ in range(COUNT))
    return Trace(prompts, outputs, np.cumsum(rng.gamma(0.5, 10.0, COUNT)), blocks)


def test_each_column_of_the_traces(trace: Trace) -> None:
    one = RequestClass("all", 1.0, Deterministic(1), Deterministic(1))
    row, = tables.traces([Workload("made", "made", "", "made", "", (one,), trace)]).to_dict()["rows"]
    assert trace.arrival_times is not None and trace.prefixes is not None
    times, prompts, outputs = (list(map(float, v)) for v in (trace.arrival_times, trace.prompt_lengths,
                                                             trace.output_lengths))
    gaps = [b - a for a, b in pairwise(times)]
    counts = in_windows(times, 60.0)
    of = ranks(gaps)
    seen, known = set[tuple[int, ...]](), 0.0
    for blocks, prompt in zip(trace.prefixes, prompts, strict=True):  # blocks of 512 tokens
        leading = [blocks[:k] for k in range(1, 4)]
        known += min(512 * next((k for k, part in enumerate(leading) if part not in seen), 3), prompt)
        seen.update(leading)
    rho = correlation(ranks(prompts), ranks(outputs))
    t = rho * math.sqrt((COUNT - 2) / (1 - rho**2))
    wanted = {
        "requests": COUNT, "rate": (COUNT - 1) / (times[-1] - times[0]),
        "gap_variation": spread_of(gaps) / mean(gaps) ** 2, "dispersion_60": spread_of(counts, 1) / mean(counts),
        "gap_lag": math.fsum((a - mean(of)) * (b - mean(of)) for a, b in pairwise(of))
        / (spread_of(of) * len(of)),
        "prompt_mean": mean(prompts), "output_mean": mean(outputs),
        "output_variation": math.sqrt(spread_of(outputs)) / mean(outputs), "lengths_rho": rho,
        "p_lengths": float(mp.betainc(mp.mpf(COUNT - 2) / 2, 0.5, 0, (COUNT - 2) / (COUNT - 2 + t * t),
                                      regularized=True)),
        "shared": known / math.fsum(prompts)}
    assert {n: row[n] for n in wanted} == pytest.approx(wanted, rel=1e-9)
    assert row["trace"] == "made" and 0.05 < row["shared"] < 0.95 and 0 < row["p_lengths"] < 0.05


@pytest.mark.parametrize(("scale", "rate"), [(10.0, 0.5), (60.0, 0.2)])
def test_the_index_of_dispersion_and_its_p_value(scale: float, rate: float) -> None:
    times = np.cumsum(np.random.default_rng(3).exponential(1 / rate, 400))
    counts = in_windows(times.tolist(), scale)
    index = spread_of(counts, 1) / mean(counts)
    tail = above(index * (len(counts) - 1), len(counts) - 1)
    found = dispersion(times, scale)
    assert (found.index, found.p) == pytest.approx((index, 2 * min(tail, 1 - tail)), rel=1e-9)


def test_an_index_of_dispersion_begins_with_ten_windows() -> None:
    times = np.linspace(0.0, 100.0, 41)
    assert dispersion(times, 10.0).index is not None and dispersion(times[:-1], 10.0).index is None


@pytest.mark.parametrize(("arrivals", "told"), [(51, True), (50, False)])
def test_arrivals_are_held_against_poisson_from_fifty_times_on(arrivals: int, told: bool) -> None:
    """The first begins the window and the last ends it, so that one of those after the first has no time of its own."""
    times = np.append(0.0, np.sort(np.random.default_rng(5).uniform(0, 500, arrivals)))
    assert (poisson_p(times) is not None) is told


@pytest.mark.parametrize("level", [0.95, 0.9975])
def test_the_ends_of_a_hazard_rates_band_are_wilsons(level: float) -> None:
    """At either end the share is z standard errors of that end away; a bin's tokens are counted one by one."""
    lengths = np.random.default_rng(8).geometric(0.04, COUNT)
    z = float(mp.sqrt(2) * mp.erfinv(level))
    ordered, least = sorted(map(int, lengths)), 1
    edges = sorted({ordered[math.ceil(COUNT * i / BINS) - 1] for i in range(1, BINS + 1)})
    bands = hazard_bands(lengths, level=level)
    assert [b.greatest for b in bands] == edges
    for band in bands:
        tokens = sum(least <= k <= n for n in map(int, lengths) for k in range(1, n + 1) if k <= band.greatest)
        share = sum(least <= n <= band.greatest for n in lengths) / tokens
        assert band.least == least and band.rate == pytest.approx(share, rel=1e-12)
        assert band.low < share <= band.high or share == band.low == 0.0
        for end in {band.low, band.high} - {0.0, 1.0}:
            assert (share - end) ** 2 == pytest.approx(z * z * end * (1 - end) / tokens, rel=1e-9)
        least = band.greatest + 1


@pytest.mark.parametrize(("high", "seen"), [(0.2, False), (0.2 - 1e-9, True)])
def test_a_rate_falls_where_a_band_is_wholly_below_an_earlier_one(high: float, seen: bool) -> None:
    bands = [(0.1, 0.3), (0.2, 0.4), (0.05, 0.3), (0.0, high)]
    assert falls(tuple(Hazard(i + 1, i + 1, (a + b) / 2, a, b) for i, (a, b) in enumerate(bands))) is seen


def test_a_summary_asks_for_bands_that_hold_in_all_bins_at_once() -> None:
    """At 95 percent for each bin alone the rate of these lengths would be said to fall, at a twentieth of that not."""
    from qtheory.workloads.summary import summarise

    one = RequestClass("all", 1.0, Deterministic(1), Deterministic(1))
    told = Counter[tuple[bool, bool]]()
    for seed in range(20):
        lengths = np.random.default_rng(seed).geometric(0.05, COUNT)
        found = summarise(Workload("x", "x", "", "x", "", (one,), Trace(lengths, lengths, None)))
        by_loops = any(b.high < a.low for i, b in enumerate(hazard_bands(lengths, level=1 - 0.05 / BINS))
                       for a in hazard_bands(lengths, level=1 - 0.05 / BINS)[:i])
        assert found.falls is by_loops
        told[found.falls, falls(hazard_bands(lengths))] += 1
    assert told[True, True] <= 2 and told[False, True] >= 2 and not told[True, False]


def test_ties_are_spread_up_to_the_next_time_that_is_recorded() -> None:
    times = np.array([0.0, 0.0, 0.0, 3.0, 3.0, 10.0, 10.0])
    loose = spread(times)
    for at, end in ((0.0, 3.0), (3.0, 10.0), (10.0, 15.0)):  # the last by the middle one of the steps 3 and 7
        assert sum(at <= t < end for t in loose) == sum(times == at)
    assert len({*loose.tolist()}) == len(times)


# ---- clients ----

def written(folder: Path, number: int, windows: list[tuple[float, float, float]]) -> None:
    text = "".join(f"{start},{rate},{variation},Gamma,1,1\n" for start, rate, variation in windows)
    (folder / f"chunk-{number}-trace.csv").write_text(text)


def test_each_column_of_the_clients(tmp_path: Path) -> None:
    """Windows of 29 requests tell nothing, of 30 they do; a law is rejected from 2.5758 standard deviations on. The
    last window is as long as the one before it."""
    edge = float(mp.sqrt(2) * mp.erfinv(mp.mpf(99) / 100))
    rng = np.random.default_rng(2)
    first = [(0.0, 0.29, 9.0), (100.0, 0.30, 1 + (edge + 1e-6) / math.sqrt(30)), (200.0, 0.5, 1.1), (300.0, 0.0, 0.0),
             (400.0, 0.40, 1 - (edge - 1e-6) / math.sqrt(40)), (500.0, 0.32, 1.2)]
    second = [(100.0 * i, float(rng.integers(20, 60)) / 100, float(rng.uniform(0.5, 1.5))) for i in range(8)]
    written(tmp_path, 0, first)
    written(tmp_path, 1, second)
    rows: list[dict[str, Any]] = tables.clients([tmp_path]).to_dict()["rows"]
    assert clients.LEAST == 30 and clients.LEVEL == 0.01
    of_all: list[tuple[float, float]] = []
    for row, windows in zip(rows, (first, second), strict=False):
        counts = [100 * rate for _, rate, _ in windows]
        enough = [(n, c) for n, (_, _, c) in zip(counts, windows, strict=True) if n > 29.5]
        of_all += enough
        index = spread_of(counts, 1) / mean(counts)
        middle = float(np.median([c for _, c in enough])) ** 2
        wanted = {"requests": round(math.fsum(counts)), "windows": len(enough), "gap_variation": middle,
                  "rejected": mean([abs(c - 1) * math.sqrt(n) > edge for n, c in enough]),
                  "p_poisson": above(math.fsum((c - 1) ** 2 * n for n, c in enough), len(enough)),
                  "dispersion": index, "p_rate": above(index * (len(counts) - 1), len(counts) - 1)}
        assert {n: row[n] for n in wanted} == pytest.approx(wanted, rel=1e-8)
    assert rows[0]["windows"] == 4 and rows[0]["rejected"] == 0.25
    sums = [100 * (first[i][1] if i < len(first) else 0.0) + 100 * second[i][1] for i in range(8)]
    index = spread_of(sums, 1) / mean(sums)
    wanted = {"client": "all", "requests": round(math.fsum(sums)), "windows": len(of_all), "gap_variation": None,
              "rejected": mean([abs(c - 1) * math.sqrt(n) > edge for n, c in of_all]), "p_poisson": None,
              "dispersion": index, "p_rate": above(index * 7, 7)}
    for name, value in wanted.items():
        assert rows[2][name] == (pytest.approx(value, rel=1e-8) if isinstance(value, float) else value), name
