"""The engine against exact stationary laws of small discrete-time engines, and against capacity formulas."""

import numpy as np
import pytest
from scipy.stats import binom

from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Exponential, Geometric
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics import histogram_quantile, student

ALPHA_P, BETA_P, ALPHA_D, BETA_D = 0.02, 0.001, 0.01, 0.0005
TWO = IterationTime("two-affine", (ALPHA_P, BETA_P, ALPHA_D, BETA_D))


def exact_eb_throughput(n_slots, k, chance, prompt):
    """Requests a second of EB(k), saturated, geometric outputs: the chain of busy slots from refill to refill.

    Lengths have no memory, so each decode phase starts afresh with all slots busy. ``seconds[n]`` and ``ends[n]``:
    mean time and completions from n busy slots to the switch, from one iteration's binomial number of ends.
    """
    seconds, ends = np.zeros(n_slots + 1), np.zeros(n_slots + 1)
    for n in range(1, n_slots + 1):
        if n_slots - n >= k:
            continue
        p = binom.pmf(np.arange(n + 1), n, chance)
        later = np.array([n - c for c in range(1, n + 1)])
        stay = 1.0 - p[0]
        seconds[n] = (ALPHA_D + BETA_D * n + p[1:] @ seconds[later]) / stay
        ends[n] = p[1:] @ (np.arange(1, n + 1) + ends[later]) / stay
    # The prefill of all the slots that are then idle.
    return ends[n_slots] / (seconds[n_slots] + ALPHA_P + BETA_P * prompt * ends[n_slots])


@pytest.mark.slow
@pytest.mark.parametrize(("n_slots", "k", "mean"), [(4, 1, 10.0), (8, 3, 20.0), (16, 16, 8.0), (32, 10, 50.0)])
def test_exclusive_batching_has_the_throughput_of_its_markov_chain(n_slots, k, mean):
    requests = RequestClass("r", Deterministic(7), Geometric.with_mean(mean))
    model = LLMEngine((requests,), TWO, "eb", {"k": k}, slots=n_slots, saturated=True)
    runs = replicate(model, replications=20, horizon=20_000.0, seed=n_slots)
    interval = student([r.throughput for r in runs], 0.999)
    assert interval.relative_half_width < 0.01
    assert exact_eb_throughput(n_slots, k, 1.0 / mean, 7) in interval


@pytest.mark.parametrize(("load", "policy"), [(0.9, "sarathi"), (0.9, "orca"), (1.1, "sarathi"), (1.1, "orca")])
def test_work_conserving_policies_are_stable_below_the_capacity_and_not_above(load, policy):
    """Theorem 1 of the throughput-optimal paper: lambda (m_p + m_d) < b / t_b."""
    budget, time = 64, IterationTime("piecewise", (0.04, 0.001, 16.0))
    rate = load * budget / (0.04 + 0.001 * (budget - 16)) / 60.0
    requests = RequestClass("r", Deterministic(20), Geometric.with_mean(40.0), Exponential.with_rate(rate))
    runs = replicate(LLMEngine((requests,), time, policy, {"budget": budget}), replications=10, horizon=3000.0)
    left = student([r.sums[-1, E.PRESENT_AT_END] for r in runs], 0.999)
    growing = (load - 1.0) / load * rate * 3000.0
    if load < 1:
        assert left.high < 0.1 * rate * 3000.0
    elif policy == "sarathi":
        assert growing in left
    else:  # Orca prefills first: the same tokens are left over, in more requests, decodes that starve
        assert left.low > growing


@pytest.mark.slow
def test_one_request_at_a_time_is_an_m_g_1_queue():
    """Request-level batches of one, constant iterations: service of 1 + L iterations, Pollaczek-Khinchine."""
    mean, rate = 10.0, 0.7 / 1.1
    time = IterationTime("affine", (0.1, 0.0))
    requests = RequestClass("r", Deterministic(3), Geometric.with_mean(mean), Exponential.with_rate(rate))
    model = LLMEngine((requests,), time, "request-level", {"batch": 1})
    runs = replicate(model, replications=20, horizon=400_000.0, seed=7)
    service, variance = 0.1 * (1.0 + mean), 0.01 * (mean**2 - mean)
    exact = service + rate * (variance + service**2) / (2.0 * (1.0 - rate * service))
    interval = student([r.total(E.LENGTH) / r.requests for r in runs], 0.999)
    assert interval.relative_half_width < 0.01
    # A service that starts while the engine is idle starts at the arrival; so does every busy period.
    assert exact in interval


@pytest.mark.later
def test_batches_without_limit_of_constant_time_are_an_infinite_server_queue():
    """Always busy, whoever comes waits for the end of an iteration, uniform in it, then for 1 + L iterations."""
    seconds, mean, rate = 0.1, 10.0, 100.0
    time = IterationTime("affine", (seconds, 0.0))
    requests = RequestClass("r", Deterministic(3), Geometric.with_mean(mean), Exponential.with_rate(rate))
    runs = replicate(LLMEngine((requests,), time, "sarathi", {"budget": 100_000}), replications=20, horizon=2000.0,
                     seed=8, warm_up=0.01)  # fmt: skip
    half = runs[0].windows // 2
    for top, bottom, exact in (
        (E.TTFT_SUM, E.FIRST_TOKENS, 1.5 * seconds), (E.LATENCY_SUM, E.CLASS_OUT, seconds * (1.5 + mean)),
    ):  # fmt: skip
        sums = [r.class_sums[half:, 0] for r in runs]
        interval = student([s[:, top].sum() / s[:, bottom].sum() for s in sums], 0.999)
        assert interval.relative_half_width < 0.01 and exact in interval
    decoding = student([r.sums[half:, E.DECODING_AREA].sum() / (r.window * (r.windows - half)) for r in runs], 0.999)
    assert decoding.relative_half_width < 0.01 and rate * seconds * mean in decoding
    # TTFT is uniform on one to two iterations.
    quantiles = [student([histogram_quantile(r.histogram[E.TTFT], q) for r in runs], 0.999) for q in (0.1, 0.5, 0.9)]
    assert [i.estimate for i in quantiles] == pytest.approx([0.11, 0.15, 0.19], rel=0.01)
