"""Statistics of engine runs: exact small chains, refusal of what grows, warm-up, arrivals that vary."""

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.simulate import measures
from qtheory.simulate.counts import CountsChain, Move, exact, up_to
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.laws import Deterministic, Exponential, Geometric, Listed, StepRate
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import _check_conservation, _new_state, replicate, run
from qtheory.simulate.statistics import (
    NotStableError,
    paired_difference,
    regenerative_sojourn,
    stability,
    steady_state,
    until_precise,
)
from qtheory.simulate.statistics.steady import after_warm_up

A, B = 0.02, 0.001
AFFINE = IterationTime("affine", (A, B))
REQUESTS = measures.ENGINE["requests a second"]


def opened(rate, policy="sarathi", law=None, **parameters):
    arrivals = law or Exponential.with_rate(rate)
    requests = RequestClass("r", Deterministic(20), Geometric.with_mean(10.0), arrivals)
    return LLMEngine((requests,), AFFINE, policy, parameters or {"budget": 64})


def mixed_chain(slots, prompt, mean):
    """Mixed batching, saturated: whoever ends is replaced, and the newcomer's prompt fills the next iteration."""
    moves = (
        Move("end", {"busy": -1, "idle": 1}, 1.0 / mean, (up_to("busy"),), "binomial"),
        Move("join", {"fresh": -1, "busy": 1}, 1.0, (up_to("fresh"),)),
        Move("start", {"idle": -1, "fresh": 1}, 1.0, (up_to("idle"),)),
    )
    counts = {"busy": 0, "fresh": slots, "idle": 0}
    return CountsChain(counts, moves, step=A, step_each={"busy": B, "fresh": B * prompt})


@pytest.mark.slow
@pytest.mark.parametrize(("slots", "prompt", "mean"), [(2, 5, 4.0), (6, 20, 10.0), (12, 3, 30.0)])
def test_mixed_batching_has_the_throughput_of_its_exact_chain(slots, prompt, mean):
    requests = RequestClass("r", Deterministic(prompt), Geometric.with_mean(mean))
    model = LLMEngine((requests,), AFFINE, "mixed", {"budget": slots * prompt}, slots=slots, saturated=True)
    interval = after_warm_up(replicate(model, replications=20, horizon=10_000.0, seed=slots), REQUESTS, 0.999)
    assert interval.relative_half_width < 0.01
    assert exact(mixed_chain(slots, prompt, mean)).moves["end"] in interval


def test_a_steady_state_of_an_engine():
    runs = replicate(opened(5.0), replications=10, horizon=2000.0)
    assert 5.0 in steady_state(runs, REQUESTS, confidence=0.999)
    got = until_precise(opened(5.0), measures.ENGINE["mean latency, s"], relative_half_width=0.02, horizon=500.0)
    assert got.reached and got.interval.relative_half_width <= 0.02


def test_an_engine_that_grows_is_refused_a_mean():
    runs = replicate(opened(40.0), replications=10, horizon=200.0)
    with pytest.raises(NotStableError, match=r"unstable.*grows by") as caught:
        steady_state(runs, measures.ENGINE["mean latency, s"])
    assert caught.value.verdict.growth.low > 0


def test_policies_are_compared_on_the_same_requests():
    pairs = [replicate(opened(9.0, p, budget=64), replications=10, horizon=500.0) for p in ("sarathi", "vllm")]
    assert all((a.sums[:, E.REQUESTS_IN].sum() == b.sums[:, E.REQUESTS_IN].sum()) for a, b in zip(*pairs, strict=True))
    latency = [[measures.ENGINE["mean latency, s"].value(r) for r in runs] for runs in pairs]
    unpaired = np.hypot(*(np.std(v, ddof=1) for v in latency))
    assert paired_difference(*latency).half_width < unpaired


def test_the_warm_up_is_left_out_of_histograms():
    got = opened(8.0).run(horizon=100.0, windows=50, warm_up=0.3, records=True)
    ends = got.epochs[:, 0] + got.epochs[:, 1] * got.epochs[:, 2]
    begin = ends[ends >= 15 * got.window][0]
    assert got.histogram[E.LATENCY].sum() == (got.records[:, 3] > begin).sum() < len(got.records)


def test_arrivals_follow_a_rate_that_varies():
    law = StepRate((2.0, 10.0), (50.0, 50.0))
    runs = replicate(opened(0.0, law=law), replications=20, horizon=2000.0, windows=40)
    arrived = np.mean([r.sums[:, E.REQUESTS_IN] for r in runs], axis=0)
    assert arrived[0::2] == pytest.approx(np.full(20, 100.0), rel=0.12)
    assert arrived[1::2] == pytest.approx(np.full(20, 500.0), rel=0.06)
    verdict = stability(runs)
    assert verdict.verdict == "stable" and "judged over 20 spans of 100 s" in str(verdict)


@pytest.mark.parametrize(("seconds", "horizon", "verdict", "says"), [
    (100.0, 50.0, "undecided", "an iteration takes up to 100 s"),
    (100.0, 1500.0, "undecided", "an iteration takes up to 100 s"),
    (100.0, 2500.0, "undecided", "as large as those of the critical load"),
    pytest.param(100.0, 5e5, "stable", "", marks=pytest.mark.slow),
    (2.0, 50.0, "unstable", ""),
])  # fmt: skip
def test_long_iterations_do_not_pass_for_stability_nor_for_growth(seconds, horizon, verdict, says):
    # 5 requests of one token in 100 s fill no budget of 4096; in 2 s they outgrow one of 4.
    one = RequestClass("r", Deterministic(1), Deterministic(1), Exponential.with_rate(5.0))
    budget = 4096 if seconds == 100.0 else 4
    model = LLMEngine((one,), IterationTime("staircase", (seconds, 4096.0, 0.0)), "sarathi", {"budget": budget})
    got = stability(replicate(model, replications=10, horizon=horizon))
    assert got.verdict == verdict and says in got.note and bool(says) == bool(got.note)


@pytest.mark.parametrize("law", [StepRate((1.0, 0.2), (5.0, 5.0)), Listed((2.0, 3.0, 9.0))])
def test_no_regeneration_where_times_between_arrivals_are_not_alike(law):
    network = Network((Station("s"),), (JobClass("a", "s", Exponential(0.5), law),))
    with pytest.raises(InputError, match="are alike"):
        regenerative_sojourn(run(network, horizon=100.0))


def test_the_check_of_conservation_can_fail():
    from qtheory.simulate.kernel.network import advance
    from qtheory.simulate.kernel.random import stream_key

    network = Network((Station("s"),), (JobClass("a", "s", Exponential(1.0), Exponential(0.5)),))
    model = network.arrays(stream_key(0, 0), 10.0)
    state = _new_state(model, 10, False)
    advance(model, state, 10, 0)
    _check_conservation(model, state)
    state.station_t[0, L.WORK_IN] += 0.01
    with pytest.raises(AssertionError, match="work is not conserved"):
        _check_conservation(model, state)


class Wrong(LLMEngine):
    """An engine whose policy has lost its mind after it was validated."""

    def arrays(self, key, window):
        return super().arrays(key, window)._replace(policy_parameters=np.array([-5]))


def test_an_infeasible_batch_is_named_with_the_state():
    requests = RequestClass("r", Deterministic(20), Geometric.with_mean(10.0), Exponential(1.0))
    with pytest.raises(InputError, match=r"'sarathi' at .* s with 0 requests decoding.*infeasible batch") as caught:
        Wrong((requests,), AFFINE, "sarathi", {"budget": 64}).run(horizon=100.0)
    assert "-5" in str(caught.value) and "\n" not in str(caught.value)
