"""Intervals and tests of the simulator's statistics, each recomputed in another way, and each threshold from both
sides: SciPy's quantiles, sums written out, paths whose averages are known."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from qtheory.errors import InputError
from qtheory.simulate import experiments
from qtheory.simulate.laws import Exponential, StepRate, WaveRate
from qtheory.simulate.scenarios import Expectation
from qtheory.simulate.statistics import batch_means, paired_difference, sojourn_quantile, stability, steady, student
from qtheory.simulate.statistics.intervals import Interval, on_log_scale, ratio, regenerative
from qtheory.simulate.statistics.periods import judged_over
from qtheory.simulate.statistics.quantiles import bin_edges, distribution, histogram_quantile
from qtheory.simulate.statistics.stability import (
    _above_zero,
    _averages,
    _building_up,
    _doubling,
    _halves,
    _verdict,
    _wandering,
    stability_of_paths,
)
from qtheory.simulate.statistics.steady import after_warm_up, warm_up_windows

RNG = np.random.default_rng(12)


def ends(interval: Interval) -> tuple[float, float, float]:
    return interval.low, interval.estimate, interval.high


# ---- intervals ----

@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [2, 5, 40])
def test_students_interval_is_scipys(n: int, confidence: float) -> None:
    x = RNG.gamma(2.0, 3.0, n)
    low, high = stats.t.interval(confidence, n - 1, x.mean(), stats.sem(x))
    assert ends(student(x, confidence)) == pytest.approx((low, x.mean(), high), rel=1e-9)


def test_a_ratio_by_leaving_out_each_pair() -> None:
    """The jackknife written out: n theta - (n - 1) theta_i, with Student's interval of these."""
    x = RNG.uniform(0.5, 3.0, 9)
    y = 2.0 * x + RNG.normal(0.0, 0.5, 9)
    pseudo = [9 * y.sum() / x.sum() - 8 * sum(np.delete(y, i)) / sum(np.delete(x, i)) for i in range(9)]
    low, high = stats.t.interval(0.9, 8, np.mean(pseudo), stats.sem(pseudo))
    assert ends(ratio(y, x, 0.9, "x")) == pytest.approx((low, np.mean(pseudo), high), rel=1e-9)


def test_a_paired_difference_is_students_of_the_differences() -> None:
    x, y = RNG.normal(5.0, 1.0, 7), RNG.normal(4.0, 1.0, 7)
    low, high = stats.t.interval(0.9, 6, np.mean(x - y), stats.sem(x - y))
    assert ends(paired_difference(x, y, 0.9)) == pytest.approx((low, np.mean(x - y), high), rel=1e-9)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_a_ratio_is_the_same_in_any_unit_and_needs_two_pairs_that_count(unit: float) -> None:
    y, x = np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.3, 0.4])
    of = ends(ratio(y, x, 0.9, "x"))
    assert ends(ratio(y, x * unit, 0.9, "x")) == pytest.approx([v / unit for v in of], rel=1e-9, abs=0.0)
    assert np.isfinite(ends(ratio(y, np.array([0.0, unit, unit]), 0.9, "x"))).all()
    with pytest.raises(InputError, match="in one of the pairs"):
        ratio(y, np.array([0.0, unit, 0.0]), 0.9, "x")


def test_regenerative_cycles_by_the_variance_of_their_differences() -> None:
    x = RNG.exponential(2.0, 30)
    y = 1.5 * x + RNG.normal(0.0, 1.0, 30) + 5.0
    r = y.sum() / x.sum()
    spread = np.var(y - r * x, ddof=1)  # the differences have mean 0
    half = stats.t.ppf(0.95, 29) * math.sqrt(spread / 30) / x.mean()
    found = regenerative(30, y.sum(), x.sum(), (y * y).sum(), (x * x).sum(), (x * y).sum(), 0.9)
    assert ends(found) == pytest.approx((r - half, r, r + half), rel=1e-8)


def test_a_regenerative_interval_begins_with_two_cycles() -> None:
    with pytest.raises(InputError, match="at least 2 cycles, not 1"):
        regenerative(1, 3.0, 2.0, 9.0, 4.0, 6.0)
    found = regenerative(2, 6.0, 3.0, 20.0, 5.0, 10.0)  # cycles (2, 1) and (4, 2): each Y is twice its X
    assert ends(found) == (2.0, 2.0, 2.0)


def test_batches_are_equal_and_leave_out_the_first_windows() -> None:
    series, weights = RNG.normal(5.0, 1.0, 43), RNG.uniform(1.0, 2.0, 43)
    tops = [sum(series[3 + 4 * b : 7 + 4 * b]) for b in range(10)]
    bottoms = [sum(weights[3 + 4 * b : 7 + 4 * b]) for b in range(10)]
    pseudo = [10 * sum(tops) / sum(bottoms) - 9 * (sum(tops) - y) / (sum(bottoms) - x)
              for y, x in zip(tops, bottoms, strict=True)]
    low, high = stats.t.interval(0.95, 9, np.mean(pseudo), stats.sem(pseudo))
    assert ends(batch_means(series, weights, batches=10)) == pytest.approx((low, np.mean(pseudo), high), rel=1e-9)
    assert batch_means(series, weights, batches=10).method == "batch means"
    means = [np.mean(series[3 + 4 * b : 7 + 4 * b]) for b in range(10)]
    low, high = stats.t.interval(0.95, 9, np.mean(means), stats.sem(means))
    assert ends(batch_means(series, batches=10)) == pytest.approx((low, np.mean(means), high), rel=1e-9)


def test_an_interval_holds_its_ends_and_is_symmetric_in_its_logarithm() -> None:
    interval = Interval(4.0, 3.0, 5.0, 0.95, 10, "x")
    assert 3.0 in interval and 5.0 in interval and 2.999 not in interval and 5.001 not in interval
    log = on_log_scale(interval)
    assert log.low * log.high == pytest.approx(16.0) and math.log(log.high / log.low) == pytest.approx(2.0 * 1.0 / 4.0)
    assert (interval.half_width, interval.relative_half_width) == (1.0, 0.25)


# ---- quantiles ----

def test_quantiles_and_the_distribution_of_three_histograms() -> None:
    edges = bin_edges()
    counts = np.zeros((3, edges.size - 1), dtype=int)
    counts[:, 700], counts[:, 702], counts[:, 705] = (4, 5, 6), (4, 2, 2), (2, 3, 2)
    for q, place, share in ((0.2, 700, 0.5), (0.4, 700, 1.0), (0.6, 702, 0.5), (0.9, 705, 0.5)):
        want = edges[place] + share * (edges[place + 1] - edges[place])
        assert histogram_quantile(counts[0], q) == pytest.approx(want, rel=1e-12, abs=0.0)  # seconds of 1e-11
    found = distribution(list(counts), 0.9)
    assert found.times == pytest.approx([edges[701], edges[703], edges[706]], rel=1e-12, abs=0.0)
    for i, shares in enumerate(([0.4, 0.5, 0.6], [0.8, 0.7, 0.8], [1.0, 1.0, 1.0])):
        half = stats.t.ppf(0.95, 2) * np.std(shares, ddof=1) / math.sqrt(3)
        assert found.estimate[i] == pytest.approx(np.mean(shares))
        assert found.low[i] == pytest.approx(max(np.mean(shares) - half, 0.0))
        assert found.high[i] == pytest.approx(min(np.mean(shares) + half, 1.0))


def test_the_interval_of_a_quantile_is_students_of_the_replications_own() -> None:
    """Each type has a histogram of its own."""
    edges, runs = bin_edges(), list[Any]()
    network = SimpleNamespace(sources=[SimpleNamespace(name=name) for name in "ab"])
    for places in ((700, 400), (703, 500), (704, 600)):
        counts = np.zeros((2, edges.size - 1), dtype=int)
        counts[[0, 1], places] = 10
        runs.append(SimpleNamespace(histogram=counts, network=network))
    of = [edges[p] + 0.3 * (edges[p + 1] - edges[p]) for p in (400, 500, 600)]
    low, high = stats.t.interval(0.9, 2, np.mean(of), stats.sem(of))
    assert ends(sojourn_quantile(runs, "b", 0.3, 0.9)) == pytest.approx((low, np.mean(of), high), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("counts", [[[0, 3, 1]], [[0, 3, 1], [0, 0, 0]], []])
def test_a_band_needs_two_replications_with_values(counts: list[list[int]]) -> None:
    with pytest.raises(InputError, match="at least two replications, each with some value"):
        distribution([np.array(c) for c in counts])


# ---- the warm-up ----

@pytest.mark.parametrize(("windows", "left_out"), [(20, 2), (21, 3), (30, 3), (95, 10), (100, 10)])
def test_a_tenth_of_the_windows_is_left_out(windows: int, left_out: int) -> None:
    runs: list[Any] = [SimpleNamespace(windows=windows, top=np.r_[np.full(left_out, 99.0), RNG.uniform(1, 2, windows
                                       - left_out)], bottom=np.ones(windows)) for _ in range(6)]
    measure: Any = SimpleNamespace(totals=lambda r: (r.top, r.bottom))
    assert warm_up_windows(runs) == left_out
    kept = [r.top[left_out:].sum() / (windows - left_out) for r in runs]
    mean = np.mean(kept)
    factor = math.exp(stats.t.ppf(0.975, 5) * stats.sem(kept) / mean)  # symmetric in the logarithm
    assert ends(after_warm_up(runs, measure)) == pytest.approx((mean / factor, mean, mean * factor), rel=1e-9)


@pytest.mark.parametrize(("verdict", "told"), [("stable", True), ("undecided", False), ("unstable", False)])
def test_only_of_what_is_stable_a_mean_is_told(verdict: str, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "stability", lambda runs, error_rate: SimpleNamespace(verdict=verdict))
    monkeypatch.setattr(steady, "after_warm_up", lambda runs, measure, confidence: "the mean")
    of: Any = SimpleNamespace()
    if told:
        assert steady.steady_state([of], of) == "the mean"
    else:
        with pytest.raises(steady.NotStableError):
            steady.steady_state([of], of)


# ---- the stability test ----

def test_growth_is_students_interval_of_the_halves_over_half_the_run() -> None:
    """Paths a t + noise: the halves' averages are half a run apart, so that their difference over it is the slope."""
    time = np.arange(1, 201) * 0.5
    work = 2.0 * time + RNG.normal(0.0, 1.0, (8, 200))
    jobs = 3.0 * time + RNG.normal(0.0, 1.0, (8, 200))
    found = stability_of_paths(work, jobs, 0.5, 0.05)
    for got, paths in ((found.drift, work), (found.growth, jobs)):
        averages = [[(path[i] + (path[i - 1] if i else 0.0)) / 2 for i in range(200)] for path in paths]
        slopes = [(np.mean(a[100:]) - np.mean(a[:100])) / 50.0 for a in averages]
        low, high = stats.t.interval(0.9, 7, np.mean(slopes), stats.sem(slopes))
        assert ends(got) == pytest.approx((low, np.mean(slopes), high), rel=1e-9)
    beyond = [np.mean(a[100:]) - (2 * math.sqrt(2) - 1) * np.mean(a[:100])
              for a in ([(p[i] + (p[i - 1] if i else 0.0)) / 2 for i in range(200)] for p in work)]
    assert found.statistic == pytest.approx(stats.ttest_1samp(beyond, 0.0).statistic, rel=1e-9)
    assert found.verdict == "unstable"


def test_statistics_vanish_for_growth_like_the_root_of_time() -> None:
    """Averages of the square root of time over the halves, and over spans that double, to the windows' resolution."""
    paths = np.sqrt(np.arange(1, 80_001) / 80_000.0)[None, :]
    first, second = _halves(_averages(paths))
    assert second[0] == pytest.approx((2 * math.sqrt(2) - 1) * first[0], rel=1e-4)
    assert abs(_doubling(_averages(paths))[0]) < 1e-4 < 1e-2 < _doubling(_averages(paths**2))[0]


def test_the_wandering_of_reflected_brownian_motion() -> None:
    """Its mean logarithm is what the test compares with; noise has half of log 1/2, a straight line far more."""
    steps = np.random.default_rng(4).normal(size=(4000, 400))
    free = np.cumsum(steps, axis=1)
    reflected = free - np.minimum.accumulate(np.minimum(free, 0.0), axis=1)
    found = _wandering(_averages(reflected))
    assert found.mean() == pytest.approx(0.46, abs=0.03) and found.std() == pytest.approx(0.39, abs=0.03)
    noise = _wandering(np.random.default_rng(5).normal(size=(4000, 400)))
    assert noise.mean() == pytest.approx(-0.5 * math.log(2.0), abs=0.03)
    line = _wandering(np.arange(400.0)[None, :])[0]  # 18 equal steps: the variance of 0 .. 17 is (18^2 - 1)/12
    assert line == pytest.approx(0.5 * math.log((18**2 - 1) / 12))


@pytest.mark.parametrize(("replications", "windows", "enough"), [(5, 20, True), (4, 20, False), (5, 19, False)])
def test_a_verdict_takes_five_replications_of_twenty_windows(replications: int, windows: int, enough: bool) -> None:
    paths = 10.0 + RNG.normal(size=(replications, windows))
    if enough:
        assert stability_of_paths(paths, paths, 1.0).replications == 5
    else:
        with pytest.raises(InputError, match="at least 5 replications of 20 windows"):
            stability_of_paths(paths, paths, 1.0)


RATE = 0.02
# what is said where each statistic is just as far as it may be, and what where it is a millionth further: of D, of the
# rise of the last quarter, of the wandering below 0.46, of the swing below -1.35, of what doubles
LEVELS = {"grows": (RATE, "stable", "unstable"), "rises": (0.01 * RATE, "stable", "undecided"),
          "stays": (0.5 * RATE, "undecided", "stable"), "swings": (0.5 * RATE, "undecided", "stable"),
          "doubles": (RATE, "undecided", "unstable"), "falls short": (RATE, "undecided", "unstable")}


@pytest.mark.parametrize("what", LEVELS)
def test_each_test_of_a_verdict_is_at_its_level(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = RNG.normal(size=12)
    x = (x - x.mean()) / stats.sem(x)  # statistic 0, standard error 1
    level, at, beyond = LEVELS[what]
    for off, verdict in ((-1e-6, at), (1e-6, beyond)):
        edge = stats.t.ppf(1 - level, 11) + off
        says = {"D": -9.0, "rise": -9.0, "staying": 9.0, "swing": 9.0, "doubling": -9.0} | {
            "grows": {"D": edge}, "rises": {"rise": edge}, "stays": {"staying": edge}, "swings": {"swing": edge},
            "doubles": {"staying": -9.0, "doubling": edge},
            "falls short": {"staying": -9.0, "doubling": 9.0, "D": -edge}}[what]
        module = sys.modules[_verdict.__module__]
        for name, values in (("_beyond_critical", x + says["D"]), ("_rise", x + says["rise"]),
                             ("_wandering", 0.46 - x - says["staying"]), ("_doubling", x + says["doubling"]),
                             ("_swing", -1.35 - x - says["swing"])):
            monkeypatch.setattr(module, name, lambda *given, values=values: values)
        assert _verdict(np.ones((12, 20)), RATE, 1.0, None)[0] == verdict, off


@pytest.mark.parametrize("level", [0.001, 0.05])
def test_a_mean_is_above_zero_from_students_quantile_on(level: float) -> None:
    x = RNG.normal(size=12)
    x = (x - x.mean()) / stats.sem(x)  # statistic 0, standard error 1
    edge = stats.t.ppf(1 - level, 11)
    assert not _above_zero(x + edge - 1e-6, level) and _above_zero(x + edge + 1e-6, level)


@pytest.mark.parametrize(("rise", "seen"), [(0.015, False), (0.019, False), (0.021, True), (0.05, True), (-0.1, False)])
def test_departures_rise_by_more_than_a_fiftieth(rise: float, seen: bool) -> None:
    """In the second half against the quarter before it, whatever the first quarter has."""
    departed = np.ones((10, 400)) + 1e-5 * RNG.normal(size=(10, 400))
    departed[:, :100] = 50.0
    departed[:, 200:] += rise
    found = _building_up(departed)
    assert found == (pytest.approx(rise, abs=1e-4) if seen else 0.0)


@pytest.mark.parametrize(("longest", "judged"), [(4.9, True), (5.0, True), (5.1, False)])
def test_an_iteration_of_a_twentieth_of_the_run_leaves_no_verdict(longest: float, judged: bool) -> None:
    rng = np.random.default_rng(3)
    runs = [SimpleNamespace(backlog=path, present=path, window=1.0, longest=longest)
            for path in 10.0 + rng.normal(size=(10, 100))]
    found = stability(runs)
    assert (found.verdict == "stable") is judged and ("an iteration takes up to" in found.note) is not judged


def test_what_runs_do_not_tell_is_not_judged() -> None:
    """Neither noise nor iterations: large noise without memory around a level, over ten seconds, is stable."""
    runs = [SimpleNamespace(backlog=path, present=path, window=0.1)
            for path in 1000.0 + np.random.default_rng(4).normal(0.0, 10.0, size=(10, 100))]
    assert (stability(runs).verdict, stability(runs).note) == ("stable", "")
    told = [SimpleNamespace(**vars(run), noise=1.0) for run in runs]
    assert stability(told).verdict == "undecided"


def test_no_verdict_on_noise_as_large_as_that_of_the_critical_load() -> None:
    """Noise whose swing is just below, and above, exp(-1.35) of the root of noise and horizon."""
    paths = 10.0 + np.random.default_rng(6).normal(size=(30, 400)) * (1 - 1e-9)
    for swing, verdict in ((0.5 * math.exp(-1.35), "stable"), (1.05 * math.exp(-1.35), "undecided")):
        deviation = _averages(paths)[:, 40:].std(axis=1).mean()
        assert stability_of_paths(paths, paths, 1.0, noise=(deviation / swing) ** 2 / 400).verdict == verdict


# ---- what a scenario expects ----

@pytest.mark.parametrize(("side", "off", "verdict"), [(1, 1e-6, "seen"), (1, -1e-6, "undecided"),
                                                      (-1, -1e-6, "undecided"), (-1, 1e-6, "not seen")])
def test_more_is_seen_where_students_interval_of_the_pairs_is_above_zero(side: int, off: float, verdict: str,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """At the scenario's own confidence; values that hardly differ but for their common random numbers."""
    x, common = RNG.normal(size=12), 100.0 * RNG.normal(size=12)
    x = (x - x.mean()) / stats.sem(x)  # statistic 0, standard error 1
    more = x + side * (stats.t.ppf(0.95, 11) + off)
    told = {"few": list(common + more), "many": list(common)}
    monkeypatch.setattr(experiments, "_measure_values", lambda runs, name: told[runs[0]] if name == "m" else None)
    results: Any = {name: [name] * 12 for name in told}
    scenario: Any = SimpleNamespace(confidence=0.9)
    expected = Expectation("few have more", "few", measure="m", than="many")
    assert experiments.judge(expected, scenario, results).verdict == verdict
    told["many"][3] = math.nan
    assert experiments.judge(expected, scenario, results).verdict == "undecided"
    assert experiments.judge(expected, scenario, results | {"many": ["many"]}).verdict == "undecided"  # one run


@pytest.mark.parametrize(("said", "verdict"), [("stable", "seen"), ("unstable", "not seen"),
                                               ("undecided", "undecided")])
def test_a_stability_is_seen_where_the_test_says_so(said: str, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "stability", lambda runs: SimpleNamespace(verdict=said))
    expected, scenario = Expectation("it is stable", "a", stability="stable"), SimpleNamespace()
    assert experiments.judge(expected, scenario, {"a": [1, 2]}).verdict == verdict  # type: ignore[arg-type]
    assert experiments.judge(expected, scenario, {"a": [1]}).verdict == "undecided"  # type: ignore[arg-type]


# ---- periods ----

@pytest.mark.parametrize(("horizon", "judged"), [(1999.0, False), (2000.0, True)])
def test_a_change_of_the_rate_is_over_in_the_first_twentieth(horizon: float, judged: bool) -> None:
    law = StepRate((0.5, 0.8), (100.0, 1.0), periodic=False)
    _, why = judged_over([law], horizon / 400, 400)
    assert ("still changes at 100 s" in why) is not judged


@pytest.mark.parametrize(("rate", "allowed"), [(0.0, False), (1e-9, True), (0.499, True), (0.5, False), (-0.1, False)])
def test_an_error_rate_lies_between_nothing_and_a_coins(rate: float, allowed: bool) -> None:
    paths = 10.0 + RNG.normal(size=(5, 20))
    if allowed:
        assert stability_of_paths(paths, paths, 1.0, rate).error_rate == rate
    else:
        with pytest.raises(InputError, match="an error rate lies in"):
            stability_of_paths(paths, paths, 1.0, rate)


@pytest.mark.parametrize(("periods", "judged"), [(19.99, False), (20.0, True)])
def test_a_run_of_twenty_periods(periods: float, judged: bool) -> None:
    law = WaveRate(1.0, 0.5, 2000.0 / periods, 0.0)
    block, why = judged_over([law, Exponential(1.0)], 5.0, 400)
    assert (block == 2000.0 / periods) is judged and bool(why) is not judged


def test_windows_that_hold_whole_periods_are_taken_as_they_are() -> None:
    assert judged_over([WaveRate(1.0, 0.5, 5.0, 0.0)], 10.0, 200) == (0.0, "")
    assert judged_over([WaveRate(1.0, 0.0, 5.0, 0.0), Exponential(1.0)], 7.0, 200) == (0.0, "")


def test_where_there_is_no_verdict_the_windows_are_taken_as_they_are() -> None:
    """The growth that is told beside the reason is over them."""
    for period, says in ((2000.0 / 73, "do not show a period"), (2000.0 / 7, "holds 7; a verdict needs 20")):
        block, why = judged_over([WaveRate(1.0, 0.5, period, 0.0)], 10.0, 200)
        assert block == 0.0 and says in why


@pytest.mark.parametrize(("off", "common"), [(1e-4, True), (1.1e-3, False)])
def test_periods_are_in_phase_over_the_whole_run(off: float, common: bool) -> None:
    """40 and 20 (1 + off) periods: over the run the phases part by 40 off of the shorter one, 0.02 of it at most."""
    laws = [WaveRate(1.0, 0.5, 50.0, 0.0), WaveRate(1.0, 0.5, 100.0 * (1.0 + off), 0.0)]
    block, why = judged_over(laws, 1.0, 2200)
    assert (block > 0.0) is common and ("no common multiple" in why) is not common
