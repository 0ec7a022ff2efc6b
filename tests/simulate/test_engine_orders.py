"""SLAI, Algorithm 2, DistServe and orders of prefill and decode, against the token-by-token reference."""

import numpy as np
import pytest
from engine_reference import Reference
from test_engine import OUTPUTS, PIECEWISE, PROMPTS, SHORT, agree

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Discrete, Exponential, Geometric
from qtheory.simulate.statistics.quantiles import bin_edges
from qtheory.simulate.token_series import token_times

ORDERS = ["fcfs", "spf", "srpt", "class", "class-spf"]


def two(gap=0.5, outputs=OUTPUTS, **slos):
    return (
        RequestClass("a", PROMPTS, outputs, Exponential(gap), tbt_slo=0.1131371, **slos),
        RequestClass("b", Discrete((3.0, 30.0), (0.5, 0.5)), Geometric(0.1), Exponential(2 * gap),
                     sizes=Geometric(0.6), tbt_slo=0.3717331),
    )  # fmt: skip


SLAI = {"budget": 24, "decode_limit": 6, "offset": 1.5}
DYNAMIC = {**SLAI, "offset_full": 4.0, "full": 0.6}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("gap", [0.25, *(pytest.param(g, marks=pytest.mark.slow) for g in (0.5, 1.5))])
@pytest.mark.parametrize("order", ["fcfs", "spf", "class-spf"])
@pytest.mark.parametrize("parameters", [SLAI, {**SLAI, "offset": 0.5, "decode_limit": 4}, DYNAMIC])
def test_slai(parameters, order, gap):
    name = "slai-dynamic" if "full" in parameters else "slai"
    model = LLMEngine(two(gap), PIECEWISE, name, parameters, slots=12, capacity=800, order=order)
    got, want = agree(model)
    rebuilt_series_agree(got, want)


@pytest.mark.later
@pytest.mark.parametrize("recompute", [True, False])
def test_slai_short_of_memory(recompute):
    model = LLMEngine(two(0.3, SHORT), PIECEWISE, "slai-dynamic", DYNAMIC, slots=12, capacity=130, recompute=recompute,
                      order="spf", overhead=(0.01, 0.001, 1e-5))  # fmt: skip
    got, _ = agree(model)
    assert got.total(E.PREEMPTIONS) > 5


# No sum of prefill times is one of decode times: an iteration starts after or before a request comes, never with it.
POOLS = IterationTime("two-affine", (0.0431717, 0.0013713, 0.0371113, 0.0011939))


@pytest.mark.parametrize("gap", [0.3, 1.5])
@pytest.mark.parametrize("time", [PIECEWISE, IterationTime("memory", (0.03, 0.0002))], ids=lambda t: t.kind)
def test_algorithm_2(gap, time):
    got, want = agree(LLMEngine(two(gap), time, "cycles", {"n": 7, "t_col": 3, "t_lcm": 16}))
    rebuilt_series_agree(got, want)


@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize(("gap", "capacity"), [(0.3, None), (1.5, None), (0.6, 130)])
def test_distserve(nodes, gap, capacity):
    parameters = {"prefill_nodes": nodes, "transfer": 0.0137193, "transfer_per_token": 0.00071733}
    model = LLMEngine(two(gap, SHORT), POOLS, "distserve", parameters, capacity=capacity)
    got, want = agree(model)
    assert (got.total(E.PREEMPTIONS) > 5) == (capacity is not None)
    rebuilt_series_agree(got, want)


BATCHES = ["request-level", "rad"]  # a fixed batch and eviction do not go together
OTHERS = ["sarathi", "vllm", "orca", "eb", "fcfs-memory", "kp-kd-fcfs"]


@pytest.mark.sliced(3)
@pytest.mark.parametrize("order", [ORDERS[1], *(pytest.param(o, marks=pytest.mark.slow) for o in ORDERS[2:])])
@pytest.mark.parametrize(("policy", "capacity"), [*((p, None) for p in OTHERS + BATCHES), *((p, 130) for p in OTHERS)])
def test_prefill_orders(order, policy, capacity):
    parameters = {"eb": {"k": 3}, "fcfs-memory": {}, "request-level": {"batch": 6},
                  "rad": {"n": 7, "t_col": 5, "t_lcm": 16},
                  "kp-kd-fcfs": {"budget": 24, "k_p": 3, "k_d": 5}}  # fmt: skip
    model = LLMEngine(two(0.3 if capacity is None else 0.4, SHORT), PIECEWISE, policy,
                      parameters.get(policy, {"budget": 24}), order=order, capacity=capacity,
                      slots=8 if policy == "eb" else 12 if policy != "sarathi" else None)  # fmt: skip
    got, want = agree(model)
    if capacity:
        assert got.total(E.PREEMPTIONS) >= got.total(E.OUT_OF_MEMORY) > 2
    rebuilt_series_agree(got, want)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["fcfs", "srpt", "class"])
@pytest.mark.parametrize("prefill_order", ["fcfs", "srpt"])
@pytest.mark.parametrize("k_d", [2, 5, 40])
@pytest.mark.parametrize("capacity", [None, 180])
def test_decode_orders(order, prefill_order, k_d, capacity):
    parameters = {"budget": 4, "k_p": 3, "k_d": k_d}
    model = LLMEngine(two(1.6, SHORT), PIECEWISE, "kp-kd-fcfs", parameters, decode_order=order, order=prefill_order,
                      capacity=capacity)  # fmt: skip
    got, want = agree(model, horizon=300.0)
    rebuilt_series_agree(got, want)


@pytest.mark.parametrize("order", ["fcfs", "srpt", "class"])
def test_the_oldest_decode_requests_are_those_that_arrived_first(order):
    """Of prompts of any length, the shortest first: who arrives first often decodes last. K_d = 2 of up to 8."""
    parameters = {"budget": 24, "k_p": 8, "k_d": 2}
    model = LLMEngine(two(1.2, SHORT), PIECEWISE, "kp-kd-fcfs", parameters, decode_order=order, order="srpt")
    got, want = agree(model, horizon=300.0)
    rebuilt_series_agree(got, want)


@pytest.mark.parametrize("policy", ["sarathi", "orca"])
def test_least_remaining_first_where_the_budget_binds(policy):
    model = LLMEngine(two(2.4, SHORT), PIECEWISE, policy, {"budget": 4}, decode_order="srpt", order="srpt")
    got, want = agree(model, horizon=300.0)
    rebuilt_series_agree(got, want)


def rebuilt_series_agree(got, want):
    """Each request's own times between tokens, one by one."""
    theirs = {r.number: r for r in want.done}
    for row, times in zip(got.records, token_times(got), strict=True):
        r = theirs.get(int(row[6]))
        if r is not None:
            assert len(times) == len(r.gaps) + 1
            assert times[0] == row[2] or got.engine.policy == "cycles"
            assert times[-1] == pytest.approx(row[3], abs=1e-9)
            assert np.allclose(np.diff(times), r.gaps, rtol=0, atol=1e-7)


def test_rebuilt_series_have_the_histogram_of_the_run():
    """Saturated under vLLM's interruptions: the last requests aside, the same gaps in the same bins."""
    got = run_engine(LLMEngine(two(0.8), IterationTime("memory", (0.03, 0.0002)), "vllm", {"budget": 64}),
                     horizon=300.0, records=True)  # fmt: skip
    gaps = np.concatenate([np.diff(t) for t in token_times(got)])
    counted = np.histogram(gaps, bin_edges())[0]
    assert got.histogram[E.TBT].sum() - counted.sum() < 3000
    difference = np.cumsum(got.histogram[E.TBT]) - np.cumsum(counted)
    assert difference.min() > -0.002 * counted.sum()  # gaps on an edge may fall to either side


def test_a_request_in_service_is_not_overtaken_by_one_that_was_evicted():
    """Capacity 100: B's 45 tokens are half prefilled when A, 55 tokens, is evicted. A must wait, B must go on."""
    classes = (RequestClass("a", Discrete((45.0,), (1.0,)), Deterministic(25)),)
    model = LLMEngine(classes, PIECEWISE, "sarathi", {"budget": 10}, concurrency=2, capacity=100)
    got, _ = agree(model, horizon=400.0)
    assert got.total(E.PREEMPTIONS) > 5


def test_goodput_counts_requests_that_meet_every_limit():
    """Against the reference's own series, class by class."""
    classes = two(0.3, ttft_slo=0.6, latency_slo=3.0)
    got, _ = agree(LLMEngine(classes, PIECEWISE, "orca", {"budget": 24}), horizon=300.0)
    want = Reference(got.engine, got.seconds - 1e-6)  # to the end of the run's last iteration
    good = [
        [r.first - r.arrival <= c.ttft_slo and r.end - r.arrival <= c.latency_slo and max(r.gaps) <= c.tbt_slo
         for r in want.done if r.kind == k]
        for k, c in enumerate(classes)
    ]  # fmt: skip
    for k, mine in enumerate(good):
        assert 0.05 < np.mean(mine) < 0.95
        assert got.class_sums[:, k, E.CLASS_OUT].sum() == len(mine)
        assert got.class_sums[:, k, E.CLASS_GOOD].sum() == sum(mine)
        assert got.class_sums[:, k, E.LATE_OUT].sum() > 5
    assert got.total(E.GOOD) == got.class_sums[:, :, E.CLASS_GOOD].sum()
    assert got.total(E.REQUESTS_IN) == got.class_sums[:, :, E.CLASS_IN].sum()
    assert got.class_sums[:, :, E.LATENCY_SUM].sum() == pytest.approx(got.total(E.LENGTH))
    assert got.class_histogram.sum(axis=0).tolist() == got.histogram.tolist()
    gaps = [np.concatenate([r.gaps for r in [*want.done, *want.decoding] if r.kind == k]) for k in (0, 1)]
    for k in (0, 1):
        theirs = np.histogram(gaps[k], bin_edges())[0]
        assert got.class_histogram[k, E.TBT].sum() == theirs.sum()
        assert np.abs(np.cumsum(got.class_histogram[k, E.TBT]) - np.cumsum(theirs)).max() <= 0.001 * theirs.sum()


def test_busy_and_idle_time_are_all_the_time():
    got = run_engine(LLMEngine(two(1.5), PIECEWISE, "sarathi", {"budget": 24}), horizon=300.0, windows=30)
    assert got.total(E.BUSY_TIME) + got.total(E.IDLE_TIME) == pytest.approx(got.seconds, rel=1e-12)
    assert got.total(E.IDLE_TIME) > 30.0


FREE = RequestClass("free", PROMPTS, OUTPUTS, Exponential(1.0))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LLMEngine((FREE,), PIECEWISE, "slai", SLAI, slots=8), "tbt_slo of every class"),
        (lambda: LLMEngine(two(), PIECEWISE, "slai", SLAI), "slots, the active requests"),
        (lambda: LLMEngine(two(), PIECEWISE, "slai-dynamic", DYNAMIC, slots=8), "a capacity"),
        (lambda: LLMEngine(two(), PIECEWISE, "slai", SLAI, slots=8, decode_order="srpt"), "decode order of its own"),
        (lambda: LLMEngine((FREE,), PIECEWISE, "wait", {"thresholds": (2,)}, order="spf"), "order of its own"),
        (lambda: RequestClass("r", PROMPTS, OUTPUTS, tbt_slo=0.0), "tbt_slo must be positive"),
        (lambda: LLMEngine((RequestClass("r", PROMPTS, OUTPUTS),), PIECEWISE, "sarathi", {"budget": 8}, order="spf",
                           saturated=True), "no order but fcfs"),
        (lambda: token_times(run_engine(LLMEngine((FREE,), PIECEWISE, "sarathi", {"budget": 8}), horizon=1.0)),
         "records=True"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(make, says):
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_unknown_orders_name_the_nearest():
    with pytest.raises(UnknownNameError, match="spf"):
        LLMEngine((FREE,), PIECEWISE, "sarathi", {"budget": 8}, order="sfp")
    with pytest.raises(UnknownNameError, match="srpt"):
        LLMEngine((FREE,), PIECEWISE, "sarathi", {"budget": 8}, decode_order="srtp")
