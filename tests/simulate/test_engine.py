"""The compiled engine against the token-by-token reference, iteration by iteration and request by request."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from engine_reference import Reference
from test_counts import PRIORITY

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Discrete, Exponential, Geometric, Listed
from qtheory.simulate.statistics.quantiles import bin_edges

PIECEWISE = IterationTime("piecewise", (0.04, 0.001, 16.0))
PROMPTS, OUTPUTS = Discrete((5.0, 20.0, 70.0), (0.5, 0.3, 0.2)), Geometric(0.05)
SHORT = Discrete((2.0, 10.0, 40.0), (0.4, 0.4, 0.2))  # no request alone exceeds 130 tokens
POLICIES = {
    "faster-transformer": {"budget": 64},
    "vllm": {"budget": 64},
    "vllm-whole": {"budget": 130},
    "orca": {"budget": 24},
    "sarathi": {"budget": 24},
    "kp-kd-fcfs": {"budget": 24, "k_p": 2, "k_d": 5},
    "request-level": {"batch": 6},
    "rad": {"n": 7, "t_col": 5, "t_lcm": 16},
    "eb": {"k": 3},
    "fcfs-memory": {},
    "wait": {"thresholds": (3, 2)},
    "mixed": {"budget": 24},
    "nested-wait": {"thresholds": (2, 2, 1), "ends": (4, 9, 20)},
}
SLOTS = {"eb": 8, "vllm-whole": 15, "fcfs-memory": 12, "mixed": 10}


def engine(policy, gap=0.5, time=PIECEWISE, outputs=OUTPUTS, **options):
    classes = (
        RequestClass("a", PROMPTS, outputs, Exponential(gap)),
        RequestClass("b", Discrete((3.0,), (1.0,)), Geometric(0.2), Exponential(2 * gap), sizes=Geometric(0.6)),
    )
    parameters = options.pop("parameters", POLICIES[policy])
    return LLMEngine(classes, time, policy, parameters, slots=options.pop("slots", SLOTS.get(policy)), **options)


def agree(model, horizon=150.0, seed=0):
    got = run_engine(model, horizon=horizon, windows=1, seed=seed, records=True)
    want = Reference(model, horizon, seed)
    start, n, first, slope, prefill, decode, _ = got.epochs.T
    n = n.astype(int)
    step = np.concatenate([np.arange(k) for k in n])
    rows = np.repeat(np.arange(n.size), n)
    starts = start[rows] + step * first[rows] + slope[rows] * step * (step - 1) / 2
    ours = np.column_stack((starts, prefill[rows], decode[rows]))
    theirs = np.array(want.iterations)
    size = min(len(ours), len(theirs))  # the last epoch may run on beyond the horizon
    assert size > 80 and len(theirs) - size <= 1
    assert np.array_equal(ours[:size, 1:], theirs[:size, 1:])
    assert np.allclose(ours[:size, 0], theirs[:size, 0], rtol=0, atol=1e-7)
    done = sorted((r.end, r.kind, r.arrival, r.first, r.prompt, r.output) for r in want.done)
    mine = sorted((r[3], r[0], r[1], r[2], r[4], r[5]) for r in got.records)
    size = min(len(done), len(mine))
    assert size >= 20 and abs(len(done) - len(mine)) <= 5
    assert np.allclose(mine[:size], done[:size], rtol=0, atol=1e-7)
    return got, want


@pytest.mark.sliced(2)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("gap", [0.3, 1.5])
def test_policies_iteration_by_iteration(policy, gap):
    got, _ = agree(engine(policy, gap))
    assert got.total(E.PREEMPTIONS) == 0


@pytest.mark.parametrize("policy", ["sarathi", "orca", "vllm", "vllm-whole", "eb", "fcfs-memory", "kp-kd-fcfs"])
@pytest.mark.parametrize("recompute", [True, False])
def test_policies_short_of_memory(policy, recompute):
    model = engine(policy, 0.4, outputs=SHORT, capacity=130, recompute=recompute, overhead=(0.01, 0.001, 1e-5))
    got, want = agree(model)
    assert got.total(E.PREEMPTIONS) > 5
    assert abs(got.total(E.PREEMPTIONS) - want.preempted) <= 3


LAWS = [
    IterationTime("affine", (0.03, 0.002)),
    IterationTime("concave", (0.03, 0.001, 0.003, 12.5)),
    IterationTime("staircase", (0.02, 8.0, 0.001)),
    IterationTime("two-affine", (0.05, 0.001, 0.02, 0.0005)),
    IterationTime("mixed-quadratic", (0.02, 0.001, 0.0005, 0.002)),
    IterationTime("memory", (0.03, 0.0002)),
    IterationTime("piecewise", (0.04, 0.001, 16.0), prefill_attention=1e-5, decode_attention=1e-4),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.kind)
@pytest.mark.parametrize("policy", ["sarathi", "vllm"])
def test_every_law(law, policy):
    agree(engine(policy, 0.8, time=law))


@pytest.mark.parametrize("policy", ["sarathi", "orca", "eb", "rad"])
def test_closed_loop(policy):
    classes = (RequestClass("a", PROMPTS, OUTPUTS),)
    agree(LLMEngine(classes, PIECEWISE, policy, POLICIES[policy], slots=SLOTS.get(policy), concurrency=10))


@pytest.mark.parametrize("policy", ["sarathi", "vllm", "orca", "wait", "nested-wait"])
def test_times_between_tokens_are_exact(policy):
    got, _ = agree(engine(policy, 0.6, time=IterationTime("memory", (0.03, 0.0002))), horizon=250.0)
    want = Reference(got.engine, got.seconds - 1e-6)  # to the end of the run's last iteration
    everyone = want.done + want.decoding + want.waiting
    for column, times in ((E.TBT, [g for r in everyone for g in r.gaps]),
                          (E.TTFT, [r.first - r.arrival for r in everyone if r.first >= 0]),
                          (E.LATENCY, [r.end - r.arrival for r in want.done])):
        exact, ours = np.histogram(times, bin_edges())[0], got.histogram[column]
        assert ours.sum() == exact.sum() > 100
        # Times on an edge may fall to either side.
        assert np.abs(np.cumsum(ours) - np.cumsum(exact)).max() <= 0.001 * exact.sum()


class Counted(Reference):
    """Adds up seconds busy, idle, times tokens in the KV cache and times decode requests, iteration by iteration."""

    sums = np.zeros(4)

    def iterate(self):
        begin, held, decoding, count = self.now, self.resident, len(self.decoding), len(self.iterations)
        super().iterate()
        tokens = [sum(loaded) for _, *loaded in self.iterations[count:]]  # of the batch, if there is one
        busy, held = len(tokens), held + sum(tokens) / 2  # they come in the course of it
        self.sums = self.sums + (self.now - begin) * np.array([busy, 1 - busy, held, decoding])


@pytest.mark.parametrize(("policy", "gap"), [("sarathi", 0.5), ("vllm", 0.8), ("orca", 1.5), ("eb", 1.5)])
def test_tokens_and_time_add_up(policy, gap):
    model = engine(policy, gap)
    got = run_engine(model, horizon=150.0, records=True)
    want = Counted(model, got.seconds - 1e-6)
    assert want.now == pytest.approx(got.seconds, abs=1e-6)  # to the end of an iteration
    columns = (E.BUSY_TIME, E.IDLE_TIME, E.RESIDENT_AREA, E.DECODING_AREA)
    assert [got.total(c) for c in columns] == pytest.approx(want.sums.tolist(), rel=1e-9)
    loaded = np.array(want.iterations)[:, 1:]
    assert [got.total(E.PREFILL_TOKENS), got.total(E.DECODE_TOKENS)] == loaded.sum(axis=0).tolist()
    assert got.iterations == len(loaded) and got.total(E.MIXED) == loaded.all(axis=1).sum()
    for histogram, tokens in zip(got.batch_histogram, loaded.T.astype(int), strict=True):
        assert np.array_equal(histogram, np.bincount(tokens, minlength=histogram.size))


def test_a_run_does_not_depend_on_its_windows():
    a = run_engine(engine("sarathi", 0.6), horizon=300.0, windows=1, records=True)
    b = run_engine(engine("sarathi", 0.6), horizon=300.0, windows=60, records=True, progress=lambda f, i: None)
    size = min(len(a.records), len(b.records))
    assert size > 200 and np.allclose(a.records[:size], b.records[:size], rtol=0, atol=1e-9)


@pytest.mark.parametrize("law", [
    IterationTime("piecewise", (0.0, 0.1, 0.5)), IterationTime("concave", (0.0, 0.0, 0.1, 0.5)),
    IterationTime("staircase", (0.0, 64.0, 0.001)),
    IterationTime("mixed-quadratic", (0.01, 0.001, 0.0, -0.001)),
    IterationTime("mixed-quadratic", (0.0, 0.3, -1.0, 1.0)),
])  # fmt: skip
def test_the_shortest_iteration_is_that_of_the_formula(law):
    c = law.constants
    for tokens in (1, 7, 64):
        n, r = np.arange(1.0, tokens + 1)[:, None], np.linspace(0.0, 1.0, 1001)
        if law.kind == "piecewise":
            times = c[0] + c[1] * np.maximum(0.0, n - c[2])
        elif law.kind == "concave":
            times = c[0] + c[1] * n + c[2] * np.minimum(n, c[3])
        elif law.kind == "staircase":
            times = c[0] * np.ceil(n / c[1]) + c[2] * n
        else:
            times = c[0] + (c[1] + c[2] * r + c[3] * r * r) * n
        assert law.least(tokens) == pytest.approx(times.min(), rel=1e-12) and law.least(tokens) > 0


def test_who_came_before_a_window_ends_is_present_though_an_iteration_runs_on():
    one = RequestClass("r", Deterministic(1.0), Deterministic(1.0), Deterministic(1.0))
    got = run_engine(LLMEngine((one,), IterationTime("affine", (100.0, 0.0)), "sarathi", {"budget": 64}),
                     horizon=50.0, windows=50)  # fmt: skip
    assert got.present.tolist() == list(range(1, 51)) and got.longest == 100.0
    assert got.sums[:, E.REQUESTS_IN].tolist() == [1.0] * 50


ONE = RequestClass("r", PROMPTS, OUTPUTS, Exponential(1.0))
SAME = RequestClass("r", PROMPTS, OUTPUTS)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RequestClass("r", Exponential(5.0), OUTPUTS), "prompt lengths must be whole numbers"),
        (lambda: RequestClass("r", Deterministic(0.0), OUTPUTS), "at least 1"),
        (lambda: RequestClass("r", PROMPTS, Deterministic(1.5)), "output lengths"),
        (lambda: RequestClass("r", PROMPTS, OUTPUTS, Deterministic(0.0)), "time between arrivals"),
        (lambda: LLMEngine((), PIECEWISE, "sarathi", {"budget": 8}), "at least one request class"),
        (lambda: LLMEngine((ONE, ONE), PIECEWISE, "sarathi", {"budget": 8}), "one name"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "sarathi", {"budget": 0}), "budget must be a whole number"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "sarathi", {}), "needs budget, not none"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "eb", {"k": 9}, slots=8), "k at most"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "wait", {"thresholds": (1, 2)}), "one threshold a class"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "mixed", {"budget": 8}), "needs slots"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "nested-wait", {"thresholds": (1, 2), "ends": 3}), "one threshold a seg"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "nested-wait", {"thresholds": (1, 2), "ends": (3, 3)}), "increasing"),
        (lambda: LLMEngine((SAME,), PIECEWISE, "sarathi", {"budget": 8}), "arrivals are missing"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "sarathi", {"budget": 8}, saturated=True), "takes none"),
        (lambda: LLMEngine((SAME,), PIECEWISE, "fcfs-memory", {}, saturated=True), "without end"),
        (lambda: LLMEngine((SAME,), PIECEWISE, "sarathi", {"budget": 8}, saturated=True, concurrency=2), "not both"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "sarathi", {"budget": 8}, capacity=5), "exceeds the capacity of 5"),
        (lambda: LLMEngine((ONE,), PIECEWISE, "sarathi", {"budget": 8}, slots=0), "slots must be"),
        (lambda: IterationTime("affine", (1.0,)), "needs 2 constants"),
        (lambda: IterationTime("affine", (-1.0, 1.0)), "negative"),
        (lambda: IterationTime("affine", (0.0, 0.0)), "no time"),
        (lambda: IterationTime("affine", (float("nan"), 0.0)), "finite"),
        (lambda: IterationTime("mixed-quadratic", (0.01, 0.001, -0.1, 0.0)), "one token would take -0.089 s"),
        (lambda: IterationTime("mixed-quadratic", (0.01, 0.0, 0.0, 0.0), decode_attention=-1.0), "not be negative"),
        (lambda: IterationTime("mixed-quadratic", (0.0, 0.25, -1.0, 1.0)), "no time"),  # at r = 1/2 alone
        (lambda: IterationTime("staircase", (0.01, 0.0, 0.0001)), "second constant, .* at least 1, not 0.0"),
        (lambda: IterationTime("staircase", (0.01, 0.001, 0.0)), "second constant, .* at least 1, not 0.001"),
        (lambda: IterationTime("staircase", (0.01, 2.5, 0.0)), "whole number"),
        (lambda: IterationTime("staircase", (0.0, 64.0, 0.0)), "no time"),
        (lambda: IterationTime("piecewise", (0.0, 0.1, 64.0)), "no time"),
        (lambda: IterationTime("two-affine", (0.01, 0.001, 0.0, 0.0)), "no time"),
        (lambda: IterationTime("two-affine", (0.0, 0.0, 0.01, 0.001)), "no time"),
        (lambda: engine("sarathi", time=IterationTime("mixed-quadratic", (0.01, 0, -0.0005, 0))), "24 tokens would"),
        (lambda: engine("eb", time=IterationTime("mixed-quadratic", (0.01, 0.0, -1e-9, 0.0))), "many tokens would"),
        (lambda: run_engine(engine("sarathi"), horizon=1e300), r"e\+300 arrivals, more than the 2\*\*53"),
        (lambda: run_engine(LLMEngine((SAME,), PIECEWISE, "sarathi", {"budget": 8}, saturated=True), horizon=1e16),
         r"2\.5e\+17 iterations, more than the 2\*\*53"),
        (lambda: run_engine(engine("sarathi"), horizon=0.0), "horizon"),
    ],
)
def test_bad_input_is_one_line(make, says):
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_unknown_names_name_the_nearest():
    with pytest.raises(UnknownNameError, match="sarathi"):
        LLMEngine((ONE,), PIECEWISE, "sarati", {"budget": 8})
    with pytest.raises(UnknownNameError, match="affine"):
        IterationTime("afine", (1.0, 1.0))


def test_a_request_that_outgrows_the_cache_is_named():
    long = RequestClass("r", Deterministic(10.0), Listed((5.0, 500.0), 5.0), Exponential(5.0))
    model = LLMEngine((long,), PIECEWISE, "sarathi", {"budget": 8}, capacity=100)
    with pytest.raises(InputError, match="class 'r': a request of 100 tokens and the next one do not fit"):
        run_engine(model, horizon=100.0)


@pytest.mark.parametrize(("policy", "parameters"), [("sarathi", {"budget": 8}), ("wait", {"thresholds": (2,)}),
                                                     ("distserve", {"prefill_nodes": 1, "transfer": 0.0,
                                                                    "transfer_per_token": 0.0})])  # fmt: skip
def test_a_prompt_that_never_fits_is_named_though_others_arrive(policy, parameters):
    """One token more than its prompt must fit, and all that the capacity allows does."""
    def model(prompt, output):
        requests = RequestClass("big", Deterministic(prompt), Deterministic(output), Exponential(1.0))
        return LLMEngine((requests,), PIECEWISE, policy, parameters, capacity=20)

    with pytest.raises(InputError, match="class 'big': a request of 20 tokens and the next one"):
        run_engine(model(20, 0), horizon=100.0)
    assert run_engine(model(12, 8), horizon=100.0).requests > 30


SECOND_PROCESS = """
from numba.core import event
recorder = event.RecordingListener()
event.register("numba:compile", recorder)
from test_counts import PRIORITY
from test_engine import engine, run_engine
run_engine(engine("sarathi"), horizon=10.0)
PRIORITY.run(horizon=10.0)
print(len(recorder.buffer))
"""


@pytest.mark.slow
def test_a_second_process_compiles_nothing():
    """Neither of an engine nor of a chain of counts; test_network_kernel asserts it of a network."""
    run_engine(engine("sarathi"), horizon=10.0)
    PRIORITY.run(horizon=10.0)
    out = subprocess.run(
        [sys.executable, "-c", SECOND_PROCESS], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "0"
