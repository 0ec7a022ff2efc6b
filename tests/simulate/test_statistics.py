import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import measures
from qtheory.simulate.laws import Deterministic, Exponential, StepRate, WaveRate
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate, run
from qtheory.simulate.statistics import (
    NotStableError,
    batch_means,
    histogram_quantile,
    paired_difference,
    regenerative_sojourn,
    sojourn_quantile,
    stability,
    steady,
    steady_state,
    student,
    until_precise,
)
from qtheory.simulate.statistics.intervals import on_log_scale, ratio
from qtheory.simulate.statistics.periods import block_averages, judged_over
from qtheory.simulate.statistics.quantiles import bin_edges
from qtheory.simulate.statistics.stability import CRITICAL_RATIO, _averages, _halves, stability_of_paths


def mm1(load, discipline="fcfs"):
    return Network(
        (Station("s", discipline=discipline),), (JobClass("a", "s", Exponential(1.0), Exponential.with_rate(load)),)
    )


def covers(intervals, truth):
    """Nominal 95 percent intervals: of 1,000 between 93 and 97 percent hold the truth; of fewer, as many as chance
    leaves possible within 2.6 standard deviations."""
    held = [truth in i for i in intervals]
    spread = 0.02 if len(held) >= 1000 else 2.6 * math.sqrt(0.95 * 0.05 / len(held))
    return abs(np.mean(held) - 0.95) <= spread


TRIALS = pytest.mark.parametrize("trials", [200, pytest.param(1000, marks=pytest.mark.study)])


def ten_each(trials, load, **options):
    """The runs of ten replications, for each trial."""
    return (replicate(mm1(load), replications=range(10 * s, 10 * s + 10), **options) for s in range(trials))


@pytest.mark.slow
@TRIALS
def test_coverage_of_replications(trials):
    stay = measures.sojourn("a")
    runs = ten_each(trials, 0.5, horizon=4000.0, seed=1)
    assert covers((student([stay.value(r, 10) for r in some]) for some in runs), 2.0)


@pytest.mark.slow
def test_coverage_of_batch_means_and_regenerative_intervals():
    runs = [run(mm1(0.5), horizon=40_000.0, windows=1000, seed=2, replication=s) for s in range(1000)]
    totals = [measures.sojourn("a").totals(r) for r in runs]
    assert covers((batch_means(top, bottom, batches=20) for top, bottom in totals), 2.0)
    assert covers((regenerative_sojourn(r) for r in runs), 2.0)


@pytest.mark.slow
@TRIALS
def test_coverage_of_the_whole_procedure(trials):
    stay = measures.sojourn("a")
    assert covers((steady_state(some, stay) for some in ten_each(trials, 0.6, horizon=2e4, seed=3)), 2.5)


@pytest.mark.slow
@TRIALS
def test_coverage_of_quantiles(trials):
    runs = ten_each(trials, 0.5, horizon=6000.0, seed=4, warm_up=0.05)
    assert covers((sojourn_quantile(some, "a", 0.9) for some in runs), 2.0 * math.log(10.0))


def test_student_against_the_textbook():
    interval = student([1.0, 2.0, 3.0, 4.0], 0.95)
    assert interval.estimate == 2.5
    assert interval.half_width == pytest.approx(3.182446305 * math.sqrt(5.0 / 3.0) / 2.0)
    assert 2.5 in interval and 5.0 not in interval


def test_ratio_of_equal_denominators_is_the_mean():
    y = np.array([1.0, 4.0, 2.0, 7.0])
    assert ratio(y, np.ones(4), 0.9, "x").half_width == pytest.approx(student(y, 0.9).half_width)


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=50), st.floats(0.01, 0.99))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_histogram_quantile_is_within_a_bin_of_the_order_statistic(values, q):
    counts = np.histogram(values, bin_edges())[0]
    order = sorted(values)[max(0, math.ceil(q * len(values)) - 1)]
    assert histogram_quantile(counts, q) == pytest.approx(order, rel=1.0 / 127.0)


def test_the_kernel_counts_into_the_bins_of_the_edges():
    got = run(mm1(0.5), horizon=2000.0, records=True)
    stays = got.records[:, 2] - got.records[:, 1]
    assert np.array_equal(got.histogram[0], np.histogram(stays, bin_edges())[0])


def test_an_interval_on_the_logarithms_scale():
    interval = on_log_scale(student([1.0, 2.0, 3.0, 4.0], 0.95))
    assert interval.low * interval.high == pytest.approx(2.5**2) and interval.estimate == 2.5
    assert math.log(interval.high / 2.5) == pytest.approx(3.182446305 * math.sqrt(5.0 / 3.0) / 2.0 / 2.5)
    assert on_log_scale(student([0.0, 0.0])) == student([0.0, 0.0])
    assert on_log_scale(student([-1.0, 0.5])) == student([-1.0, 0.5])


def test_growth_like_the_root_of_time_is_critical():
    # What the verdict compares with: of a path sqrt(t), given at the ends of 100 windows, the halves' averages.
    first, second = _halves(_averages(np.sqrt(np.arange(1.0, 101.0))[None, :]))
    assert second[0] / first[0] == pytest.approx(CRITICAL_RATIO, rel=0.0015)
    first, second = _halves(_averages(np.arange(1.0, 101.0)[None, :]))
    assert (second[0] - first[0]) / 50 == pytest.approx(1.0) and second[0] / first[0] == pytest.approx(3.0)


@pytest.mark.parametrize(("load", "verdict"), [(0.5, "stable"), (0.9, "stable"), (1.1, "unstable"), (2.0, "unstable")])
def test_stability_verdicts(load, verdict):
    got = stability(replicate(mm1(load), replications=20, horizon=20_000.0))
    assert got.verdict == verdict
    assert max(0.0, load - 1.0) in got.growth


def test_what_rises_in_its_last_quarter_is_not_called_stable():
    """Noise without memory around a level that settles after a quarter, and the same with a rise after three."""
    rng = np.random.default_rng(5)
    paths = 10.0 + rng.normal(size=(20, 200))
    assert stability_of_paths(paths, paths, 1.0).verdict == "stable"
    settled = paths + np.where(np.arange(200) >= 50, 0.45, 0.0)
    assert stability_of_paths(settled, settled, 1.0).verdict == "stable"
    late = settled + np.where(np.arange(200) >= 150, 0.6, 0.0)
    assert stability_of_paths(late, late, 1.0).verdict == "undecided"


@pytest.mark.slow
def test_error_rates_hold_at_the_critical_load():
    # At load 1 either verdict is an error: each may come in at most 5 percent, within 3 standard errors.
    verdicts = [
        stability(replicate(mm1(1.0), replications=range(20 * s, 20 * s + 20), horizon=2000.0), 0.05).verdict
        for s in range(300)
    ]
    for wrong in ("stable", "unstable"):
        assert verdicts.count(wrong) / 300 <= 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / 300)


@pytest.mark.slow
@pytest.mark.parametrize(("drift", "errors"), [(0.0, ("stable", "unstable")), (20.0, ("stable", "undecided"))])
@pytest.mark.parametrize("served", [0.0, 1.0, 100.0])
def test_what_is_in_service_does_not_pass_for_stability(drift, errors, served):
    # Reflected Brownian motion above what comes into service at once: 400 tests of 20 replications.
    steps = np.random.default_rng(0).normal(drift / 400, 0.05, size=(8000, 400))
    free = np.cumsum(steps, axis=1)
    reflected = free - np.minimum.accumulate(np.minimum(free, 0.0), axis=1)
    time = np.arange(1, 401) / 400
    paths = (reflected + served * (1.0 - np.exp(-time / 0.02)))[:, 3::4]
    verdicts = [stability_of_paths(p, p, 1.0).verdict for p in paths.reshape(400, 20, 100)]
    for wrong in errors:
        assert verdicts.count(wrong) <= 400 * (0.01 + 3.0 * math.sqrt(0.01 * 0.99 / 400))


@pytest.mark.parametrize(("drift", "errors"), [(0.0, ("stable", "unstable")), (20.0, ("stable", "undecided")),
                                               (-20.0, ("unstable", "undecided"))])  # fmt: skip
def test_ups_and_downs_of_a_rate_pass_neither_for_growth_nor_for_stability(drift, errors):
    # Reflected Brownian motion whose drift swings: 300 tests of 10 replications, 21.7 periods in a run.
    rng, time = np.random.default_rng(1), np.arange(1, 401) / 400
    swing = np.sin(2.0 * np.pi * 21.7 * time + rng.uniform(0.0, 2.0 * np.pi, (300, 1)).repeat(10, axis=0))
    free = np.cumsum(rng.normal(drift / 400, 0.05, size=(3000, 400)) + swing / 2.0, axis=1)
    paths = (free - np.minimum.accumulate(np.minimum(free, 0.0), axis=1))[:, 3::4]
    verdicts = [stability_of_paths(p, p, 1.0, block=100 / 21.7).verdict for p in paths.reshape(300, 10, 100)]
    for wrong in errors:
        assert verdicts.count(wrong) <= 300 * (0.01 + 3.0 * math.sqrt(0.01 * 0.99 / 300))


def wave(load, periods, phase=0.0, amplitude=0.9, horizon=2e4):
    return WaveRate(load, load * amplitude, horizon / periods, phase)


@pytest.mark.parametrize(("law", "verdict", "says"), [
    (wave(0.8, 2), "undecided", "holds 2; a verdict needs 20: a horizon of at least 200000 s would decide"),
    (wave(0.8, 5, 2.0), "undecided", "holds 5; a verdict needs 20"),
    (wave(0.8, 20), "stable", "judged over 20 spans of 1000 s, whole periods"),
    (wave(0.8, 33.3, 1.0), "stable", "judged over 33 spans"),
    (wave(1.1, 23.5), "unstable", "judged over 23 spans"),
    (wave(0.8, 73), "undecided", "do not show a period of 273.973 s: at least 292 windows would decide"),
    (wave(0.8, 400), "stable", ""),  # two periods a window
    (wave(0.8, 2, amplitude=0.0), "stable", ""),
    (StepRate((0.5, 1.5), (1e4, 1e4), periodic=False), "undecided", "still changes at 10000 s"),
    (StepRate((0.5, 0.8), (1e3, 1.0), periodic=False), "stable", ""),
    (StepRate((0.5, 0.5), (1e4, 1e4)), "stable", ""),
    (StepRate((0.2, 1.2), (500.0, 500.0)), "stable", "judged over 20 spans of 1000 s"),
])  # fmt: skip
def test_growth_is_judged_over_whole_periods(law, verdict, says):
    network = Network((Station("s"),), (JobClass("a", "s", Exponential(1.0), law),))
    got = stability(replicate(network, replications=10, horizon=2e4))
    assert got.verdict == verdict and says in str(got) and bool(got.note) == bool(says)


def test_several_periods_need_a_common_one():
    assert judged_over([wave(1.0, 30), wave(1.0, 60), Exponential(1.0)], 10.0, 2000) == (2e4 / 30, "")
    assert judged_over([wave(1.0, 40), wave(1.0, 60)], 10.0, 2000) == (1000.0, "")
    assert "no common multiple" in judged_over([wave(1.0, 40), wave(1.0, 40 * math.sqrt(2.0))], 10.0, 2000)[1]


def test_averages_over_whole_periods_are_those_of_the_path():
    # Of a line through the origin the average over each span is the value at its middle.
    line = _averages(np.arange(1.0, 101.0)[None, :])
    assert block_averages(line, 1.0, 5.0)[0] == pytest.approx(5.0 * (np.arange(20) + 0.5))
    assert block_averages(line, 2.0, 10.0)[0] == pytest.approx(5.0 * (np.arange(20) + 0.5))  # seconds of another size
    # Where a span ends within a window the path is taken as its mean there: at most an eighth of a window's rise off.
    assert block_averages(line, 1.0, 4.7)[0] == pytest.approx(4.7 * (np.arange(21) + 0.5), abs=0.25 / 4.7)


@pytest.mark.parametrize("mean", [1e-320, 1e-170, 1e-13, 1e200])
def test_a_verdict_does_not_depend_on_the_unit_of_time_nor_on_underflow(mean):
    gap = max(2.0, 2.0 * mean)
    network = Network((Station("s"),), (JobClass("a", "s", Exponential(mean), Exponential(gap)),))
    assert stability(replicate(network, replications=5, horizon=2000.0 * gap)).verdict == "stable"


def test_paths_are_scaled_before_they_are_squared():
    paths = np.cumsum(np.random.default_rng(0).normal(0.3, 1.0, size=(10, 100)), axis=1)
    for scale in (2.0**-1000, 2.0**900):
        small, plain = stability_of_paths(paths * scale, paths, 1.0), stability_of_paths(paths, paths, 1.0)
        assert (small.verdict, small.statistic) == (plain.verdict, plain.statistic)
        assert small.drift.half_width == plain.drift.half_width * scale > 0


def test_no_steady_state_mean_of_what_grows():
    runs = replicate(mm1(1.2), replications=10, horizon=5000.0)
    with pytest.raises(NotStableError, match=r"unstable.*grows by") as caught:
        steady_state(runs, measures.sojourn("a"))
    assert 0.2 in caught.value.verdict.growth


def test_a_deterministic_network_is_stable_without_noise():
    network = Network((Station("s"),), (JobClass("a", "s", Deterministic(0.5), Deterministic(1.0)),))
    assert stability(replicate(network, replications=5, horizon=200.0)).verdict == "stable"


def test_sequential_stopping_reaches_the_wanted_width():
    got = until_precise(mm1(0.6), measures.sojourn("a"), relative_half_width=0.01, horizon=20_000.0)
    assert got.reached and got.interval.relative_half_width <= 0.01
    assert pytest.approx(got.interval.estimate, rel=0.02) == 2.5
    short = until_precise(mm1(0.6), measures.sojourn("a"), relative_half_width=1e-4, limit=12, horizon=20_000.0)
    assert not short.reached and len(short.runs) == 12


def test_sequential_stopping_goes_in_large_steps(monkeypatch):
    """As many replications as the variance calls for, at most twice as many as there are: not one by one."""
    asked = []

    def counted(model, *, replications, **options):
        asked.append(len(replications))
        return replicate(model, replications=replications, **options)

    monkeypatch.setattr(steady, "replicate", counted)
    got = until_precise(mm1(0.5), measures.sojourn("a"), relative_half_width=0.01, horizon=4000.0, limit=1000)
    assert got.reached and asked[0] == 10 and sum(asked) == len(got.runs) > 60
    totals = np.cumsum(asked)
    assert asked[1] == 10 and totals[2] == 40 and len(asked) <= 2 + math.ceil(math.log2(len(got.runs) / 10))


def test_common_random_numbers_narrow_a_difference():
    def two(discipline):
        jobs = (
            JobClass("a", "s", Exponential(1.0), Exponential.with_rate(0.3), priority=1),
            JobClass("b", "s", Exponential(1.0), Exponential.with_rate(0.3), priority=0),
        )
        return Network((Station("s", discipline=discipline),), jobs)

    stay = measures.sojourn("b")
    fcfs = [stay.value(r) for r in replicate(two("fcfs"), replications=30, horizon=50_000.0)]
    urgent = [stay.value(r) for r in replicate(two("preemptive"), replications=30, horizon=50_000.0)]
    other = [stay.value(r) for r in replicate(two("preemptive"), replications=range(30, 60), horizon=50_000.0)]
    paired = paired_difference(fcfs, urgent)
    assert 2.5 - 1.0 / 0.7 in paired_difference(fcfs, urgent, 0.999)
    assert paired.half_width < 0.8 * paired_difference(fcfs, other).half_width


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: student([1.0]), "at least 2"),
        (lambda: student([1.0, math.nan]), "number 1 is not finite"),
        (lambda: student([1.0, 2.0], 1.0), "strictly between"),
        (lambda: paired_difference([1.0, 2.0], [1.0, 2.0, 3.0]), "equally many"),
        (lambda: ratio(np.ones(3), np.zeros(3), 0.9, "x"), "nothing was counted"),
        (lambda: batch_means(np.ones(10)), "at least 40"),
        (lambda: histogram_quantile(np.zeros(4), 0.5), "empty"),
        (lambda: stability(replicate(mm1(0.5), replications=2, horizon=10.0)), "at least 5"),
        (lambda: stability([run(mm1(0.5), horizon=10.0)] * 5, 0.7), "error rate"),
        (lambda: until_precise(mm1(0.5), measures.sojourn("a"), relative_half_width=0.0), "positive"),
        (lambda: run(mm1(0.5), horizon=-1.0), "horizon"),
        (lambda: run(mm1(0.5), horizon=1e300), r"5e\+299 arrivals, more than the 2\*\*53 .* at most 1\.8e\+16 s"),
        (lambda: run(mm1(0.5), horizon=1.0, seed=-1), "seed"),
        (lambda: run(mm1(0.5), horizon=1.0, windows=0), "window"),
        (lambda: replicate(mm1(0.5), replications=0, horizon=1.0), "at least one"),
    ],
)
def test_bad_input_is_one_line(call, says):
    with pytest.raises(InputError, match=says) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_unknown_names_name_the_nearest():
    got = run(mm1(0.5), horizon=10.0)
    with pytest.raises(UnknownNameError, match="nearest: a"):
        measures.sojourn("aa").value(got)
    with pytest.raises(UnknownNameError, match="nearest: s"):
        measures.utilisation("ss").value(got)


def test_a_ratio_needs_counts_in_two_pairs():
    with pytest.raises(InputError, match="one of the pairs"):
        ratio(np.array([0.0, 3.0, 0.0]), np.array([0.0, 2.0, 0.0]), 0.95, "x")
    assert np.isfinite(ratio(np.array([0.0, 3.0, 1.0]), np.array([0.0, 2.0, 1.0]), 0.95, "x").low)
