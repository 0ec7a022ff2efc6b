"""Verdicts on runs that are short on their system's own scale: undecided, not wrong; and longer until they decide."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from test_scenarios import ENGINE, command

from qtheory.errors import InputError
from qtheory.simulate.agent_instances import figure_8
from qtheory.simulate.counts import CountsChain, Move, up_to
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.experiments import run_scenario
from qtheory.simulate.laws import Deterministic, Erlang, Exponential, Geometric, WaveRate
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.results import run_points
from qtheory.simulate.runs import replicate, run
from qtheory.simulate.scenarios import Point, parse_points, read, with_changes
from qtheory.simulate.statistics import stability, until_decided
from qtheory.simulate.statistics.stability import SWING, _averages, _building_up, _swing, stability_of_paths

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))
import stability_errors as study


def reflected(count, windows, seed=0, drift=0.0):
    """Reflected Brownian motion of variance 1 a window."""
    steps = np.random.default_rng(seed).normal(drift, 1.0, size=(count, windows))
    free = np.cumsum(steps, axis=1)
    return free - np.minimum.accumulate(np.minimum(free, 0.0), axis=1)


@pytest.mark.later
def test_the_swing_of_reflected_brownian_motion():
    for windows in (100, 400):
        swing = _swing(_averages(reflected(20_000, windows, seed=windows)), math.sqrt(windows))
        assert SWING - 0.01 < swing.mean() < SWING + 0.06


def test_what_swings_as_at_the_critical_load_is_not_called_stable():
    """Noise without memory stays, whatever its size: "stable" is said where it is small on the scale of the input."""
    paths = 10.0 + np.random.default_rng(3).normal(size=(10, 200))
    for noise, verdict in ((0.0, "stable"), (1.0, "stable"), (0.04, "undecided")):
        got = stability_of_paths(paths, paths, 1.0, noise=noise)
        assert got.verdict == verdict and ("would decide" in got.note) == (verdict == "undecided")


def test_nothing_is_unstable_while_departures_rise():
    """A number in service that is still building up looks like growth; the same path with steady departures grows."""
    time = np.arange(1, 201) / 200
    random = np.random.default_rng(1)
    paths = 1000.0 * (1.0 - np.exp(-time / 0.6)) + random.normal(0.0, 5.0, size=(10, 200))
    assert stability_of_paths(paths, paths, 1.0).verdict == "unstable"
    rising = random.poisson(10.0 * (1.0 - np.exp(-time / 0.6)), size=(10, 200))
    got = stability_of_paths(paths, paths, 1.0, departed=rising)
    assert got.verdict == "undecided" and "departures rose by" in got.note
    steady = random.poisson(10.0, size=(10, 200))
    assert stability_of_paths(paths, paths, 1.0, departed=steady).verdict == "unstable"
    assert _building_up(np.zeros((10, 200))) == 0.0


@pytest.mark.parametrize("load", [1.0, 1.05])
def test_preemptive_rybko_stolyar_over_a_short_horizon(load):
    found = [stability(replicate(study.rybko_stolyar(load), replications=range(10 * e, 10 * e + 10), horizon=500.0))
             for e in range(10)]  # fmt: skip
    assert not any(v.verdict == "stable" for v in found)


def test_rad_near_its_critical_load_over_the_horizon_of_one_cycle():
    model = first("policy-rad").variants["rad"]
    (chat,) = model.classes
    closed = LLMEngine((RequestClass("chat", chat.prompt, chat.output),), model.time, "rad", model.parameters,
                       concurrency=600)  # fmt: skip
    saturated = closed.run(horizon=2000.0)
    critical = saturated.departed[50:].sum() / (0.75 * saturated.window * saturated.windows)
    for load in (1.02,):
        busy = LLMEngine((RequestClass("chat", chat.prompt, chat.output, Exponential.with_rate(load * critical)),),
                         model.time, "rad", model.parameters)  # fmt: skip
        for e in range(4):
            runs = replicate(busy, replications=range(10 * e, 10 * e + 10), horizon=600.0)
            assert stability(runs).verdict != "stable"


def first(name):
    return parse_points(*read(name))[0].scenario


@pytest.mark.parametrize("name", ["policy-wait", "policy-cycles", "policy-request-level"])
def test_shipped_scenarios_that_were_too_short(name):
    """Undecided over 600 s, WAIT for it still builds up; stable over the horizon that they have now."""
    scenario = first(name)
    for seed in range(3):
        (runs,) = run_scenario(with_changes(scenario, seed=seed)).values()
        assert stability(runs).verdict == "stable"
        (runs,) = run_scenario(with_changes(scenario, seed=seed, horizon=600.0)).values()
        assert stability(runs).verdict == "undecided"


@pytest.mark.slow
def test_a_slice_of_the_study(tmp_path):
    """Few experiments at the shortest horizons: an error in a hundred is stated, and these seeds have none."""
    for system in (study.SYSTEMS[0], study.SYSTEMS[7], *study.SYSTEMS[9:12]):
        for load in study.LOADS:
            assert study.wrong(load, study.kept(tmp_path, system, load, 0, 3)) == 0
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == 25 and json.loads(kept[0].read_text())
    kept[0].write_text('{"stable": 99}')
    again = [study.kept(tmp_path, s, load, 0, 3) for s in (study.SYSTEMS[0], study.SYSTEMS[7], *study.SYSTEMS[9:12])
             for load in study.LOADS]  # fmt: skip
    assert {"stable": 99} in again and sorted(tmp_path.iterdir()) == kept  # nothing is run again


def test_errors_are_counted():
    found = {"stable": 2, "unstable": 3, "undecided": 5}
    counts = [study.wrong(load, study.Counter(found)) for load in (0.8, 1.0, 1.25)]
    assert counts == [3, 5, 2]


def test_noise_of_single_queues():
    """Variance a second of the work that arrives: E[S^2] a Poisson arrival; c_a^2 E[S]^2 + Var S a renewal one."""
    def queue(service, arrivals, **options):
        return Network((Station("s"),), (JobClass("a", "s", service, arrivals, **options),))

    assert queue(Exponential(2.0), Exponential(4.0)).noise == pytest.approx(8.0 / 4.0)
    assert queue(Deterministic(2.0), Exponential(4.0)).noise == pytest.approx(1.0)
    assert queue(Exponential(2.0), Erlang(4, 4.0)).noise == pytest.approx((4.0 + 4.0 / 4.0) / 4.0)
    assert queue(Deterministic(2.0), WaveRate(0.25, 0.125, 10.0)).noise == pytest.approx(1.0)
    assert queue(Deterministic(2.0), Exponential(4.0), sizes=Geometric(0.5)).noise == pytest.approx((2.0 + 4.0) * 4 / 4)


def test_noise_and_work_to_come_follow_the_routes():
    """Feedback with chance 1/3: the work is a geometric sum of services, exponential with mean 1."""
    back = study.feedback(0.5)
    assert back.noise == pytest.approx(0.5 * 2.0)
    assert back.work_to_come == pytest.approx([1.0 / 3.0])
    line = study.tandem(0.5)
    assert line.work_to_come == pytest.approx([1.0, 0.0]) and line.noise == pytest.approx(0.5 * 2.0)
    runs = replicate(study.rybko_stolyar(0.8), replications=100, horizon=200.0, windows=20)
    entered = [r.backlog[-1] for r in runs]
    present = [r.present[-1] for r in runs]
    assert np.corrcoef(entered, present)[0, 1] > 0.8
    empty = [r.backlog[-1] for r in runs if r.present[-1] == 0]
    assert empty and np.abs(empty).max() < 1e-9


def test_noise_of_other_models():
    chat = RequestClass("chat", Geometric.with_mean(4), Deterministic(6), Exponential(0.5))
    time = IterationTime("affine", (0.03, 0.002))
    assert LLMEngine((chat,), time, "sarathi", {"budget": 8}).noise == pytest.approx(2.0 * (1.0 + 12.0 / 100.0))
    moves = Move("in", {"jobs": 1}, 0.5), Move("out", {"jobs": -1}, 1.0, (up_to("jobs", 1.0),))
    chain = CountsChain({"jobs": 0}, moves)
    assert chain.run(horizon=20_000.0).noise == pytest.approx(1.0, rel=0.05)
    agents = figure_8("1/2").run(horizon=2000, windows=20)
    # 12/19 requests of each type a second, of 64 and 544 tokens at the first engine, in batches of 768
    assert agents.noise == pytest.approx(12 / 19 * (64**2 + 544**2) / 768**2)
    assert agents.departed.sum() == agents.types[-1, :, 1].sum()


def test_until_decided_doubles_the_horizon_and_begins_as_before():
    queue = study.queue(Exponential(1.0))(0.9)
    short = stability(replicate(queue, replications=10, horizon=200.0))
    assert short.verdict == "undecided"
    found = until_decided(queue, horizon=200.0, limit=1e5)
    assert found.verdict.verdict == "stable" and found.horizon > 200.0
    assert math.log2(found.horizon / 200.0) == int(math.log2(found.horizon / 200.0))
    assert until_decided(queue, horizon=200.0, limit=390.0).horizon == 200.0
    one, two = (run(queue, horizon=h, windows=w) for h, w in ((200.0, 100), (400.0, 200)))
    assert np.array_equal(one.present, two.present[:100])
    with pytest.raises(InputError, match="the limit finite and not below it"):
        until_decided(queue, horizon=200.0, limit=100.0)


def test_points_are_run_until_they_are_decided(tmp_path):
    """Only those that are open, each in its folder once; what was kept is not run again."""
    scenario = with_changes(first("policy-wait"), horizon=600.0)
    closed = first("policy-sarathi")
    points = [Point({}, scenario), Point({}, closed)]
    begun = []
    options = {"until_decided": 1e4, "each": lambda n, point, runs: begun.append((n, False)),
               "kept": lambda n: begun.append((n, True))}
    wait, sarathi = run_points(points, tmp_path, **options)
    assert wait["horizon"] in (1200.0, 2400.0, 4800.0, 9600.0) and sarathi["horizon"] == closed.horizon
    assert [d["variants"][0]["stability"]["verdict"] for d in (wait, sarathi)] == ["stable", "stable"]
    assert begun[:2] == [(0, False), (1, False)] and {n for n, _ in begun[2:]} == {0}
    begun.clear()
    assert run_points(points, tmp_path, **options) == [wait, sarathi]
    assert all(kept for _, kept in begun)


@pytest.mark.slow
def test_command_until_decided(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ENGINE.replace("horizon = 50.0", "horizon = 5.0"))
    asked = command(str(file), "--until-decided", "4000", "--format", "json")
    assert asked.returncode == 0
    document = json.loads(asked.stdout)
    assert document["horizon"] > 5.0 and document["variants"][0]["stability"]["verdict"] == "stable"
    for wrong in ("4", "inf", "nan"):
        refused = command(str(file), "--until-decided", wrong)
        assert refused.returncode == 2 and refused.stderr.count("\n") == 1 and "--until-decided" in refused.stderr
