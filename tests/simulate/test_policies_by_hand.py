"""Each policy on a trace worked by hand from its paper's text, at least ten iterations of one second each.

Requests (arrival: prompt, output): A 0: 3, 4; B 0: 2, 2; C 2: 5, 3; D 6: 1, 2; E 12: 6, 1. An iteration that starts
at t sees what has arrived by t; a request whose prompt ends in an iteration decodes from the next one on.
"""

import numpy as np
import pytest

from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Listed

SECOND = IterationTime("affine", (1.0, 0.0))
REQUESTS = RequestClass(
    "r", Listed((3, 2, 5, 1, 6), 1.0), Listed((4, 2, 3, 2, 1), 1.0), arrivals=Listed((0, 0, 2, 4, 6))
)
LAST = [(12, 4, 0), (13, 2, 0), (14, 0, 1)]  # request E alone, budget 4

# policy: parameters, iterations (start, prefill tokens, decode tokens), first token and end of A, B, C, D, E
TRACES = {
    # A's prompt ends and it decodes alone; B waits half prefilled; at 5 B ends its prompt and C starts, ...
    "faster-transformer": (
        {"budget": 4},
        [(0, 4, 0), (1, 0, 1), (2, 0, 1), (3, 0, 1), (4, 0, 1), (5, 4, 0), (6, 0, 1), (7, 0, 1), (8, 3, 0),
         (9, 0, 2), (10, 0, 2), (11, 0, 1), *LAST],
        [(1, 5), (6, 8), (9, 12), (9, 11), (14, 15)],
    ),
    # No decode before 4, when nothing waits; D interrupts the decodes at 6.
    "vllm": (
        {"budget": 4},
        [(0, 4, 0), (1, 1, 0), (2, 4, 0), (3, 1, 0), (4, 0, 3), (5, 0, 3), (6, 1, 0), (7, 0, 3), (8, 0, 2), *LAST],
        [(1, 9), (2, 6), (4, 8), (7, 9), (14, 15)],
    ),
    # Prompts whole and together: A and B at 0, C at 2, D at 6, each batch of them before any decode.
    "vllm-whole": (
        {"budget": 6},
        [(0, 5, 0), (1, 0, 2), (2, 5, 0), (3, 0, 3), (4, 0, 2), (5, 0, 2), (6, 1, 0), (7, 0, 1), (8, 0, 1),
         (12, 6, 0), (13, 0, 1)],
        [(1, 6), (1, 4), (3, 6), (7, 9), (13, 14)],
    ),
    # As vLLM, but decodes fill what prefill leaves of the budget: A at 1, A and B at 3, C at 6.
    "orca": (
        {"budget": 4},
        [(0, 4, 0), (1, 1, 1), (2, 4, 0), (3, 1, 2), (4, 0, 3), (5, 0, 2), (6, 1, 1), (7, 0, 1), (8, 0, 1), *LAST],
        [(1, 6), (2, 5), (4, 7), (7, 9), (14, 15)],
    ),
    # Every decode in every iteration; C's prompt goes in chunks of 2, 2 and 1 beside them.
    "sarathi": (
        {"budget": 4},
        [(0, 4, 0), (1, 1, 1), (2, 2, 2), (3, 2, 2), (4, 1, 1), (5, 0, 1), (6, 1, 1), (7, 0, 2), (8, 0, 1), *LAST],
        [(1, 5), (2, 4), (5, 8), (7, 9), (14, 15)],
    ),
    # As Sarathi-Serve with N = 2 slots: C waits from 2 until B has left at 4.
    "mixed": (
        {"budget": 4},
        [(0, 4, 0), (1, 1, 1), (2, 0, 2), (3, 0, 2), (4, 3, 1), (5, 2, 0), (6, 1, 1), (7, 0, 2), (8, 0, 2), *LAST],
        [(1, 5), (2, 4), (6, 9), (7, 9), (14, 15)],
    ),
    # K_p = K_d = 1: one prompt and one decode an iteration, the oldest; B decodes only after A has ended.
    "kp-kd-fcfs": (
        {"budget": 4, "k_p": 1, "k_d": 1},
        [(0, 3, 0), (1, 2, 1), (2, 3, 1), (3, 2, 1), (4, 0, 1), (5, 0, 1), (6, 1, 1), (7, 0, 1), (8, 0, 1),
         (9, 0, 1), (10, 0, 1), (11, 0, 1), *LAST],
        [(1, 5), (2, 7), (4, 10), (7, 12), (14, 15)],
    ),
    # Batches {A, B}, {C}, {D}, {E}: each starts when the one before has left.
    "request-level": (
        {"batch": 2},
        [(0, 5, 0), (1, 0, 2), (2, 0, 2), (3, 0, 1), (4, 0, 1), (5, 5, 0), (6, 0, 1), (7, 0, 1), (8, 0, 1),
         (9, 1, 0), (10, 0, 1), (11, 0, 1), (12, 6, 0), (13, 0, 1)],
        [(1, 5), (1, 3), (6, 9), (10, 12), (13, 14)],
    ),
    # n = t_col = 2, chunks of 4: cycle {A, B} until 6, though B has left at 4; cycle {C, D} until 12; {E}.
    "rad": (
        {"n": 2, "t_col": 2, "t_lcm": 4},
        [(0, 3, 0), (1, 2, 0), (2, 0, 2), (3, 0, 2), (4, 0, 1), (5, 0, 1), (6, 4, 0), (7, 1, 0), (8, 1, 0),
         (9, 0, 2), (10, 0, 2), (11, 0, 1), *LAST],
        [(1, 6), (2, 4), (8, 12), (9, 11), (14, 15)],
    ),
    # N = 3 slots, k = 2: refills are due where fillable >= 2 n, which one who waits is for nobody who decodes.
    "eb": (
        {"k": 2},
        [(0, 5, 0), (1, 0, 2), (2, 0, 2), (3, 0, 1), (4, 0, 1), (5, 5, 0), (6, 0, 1), (7, 0, 1), (8, 0, 1),
         (9, 1, 0), (10, 0, 1), (11, 0, 1), (12, 6, 0), (13, 0, 1)],
        [(1, 5), (1, 3), (6, 9), (10, 12), (13, 14)],
    ),
    # Capacity 10: C (5 tokens) waits for A's end at 5; at 8 C and D hold 9 tokens and cannot both grow: D is
    # evicted with 2 tokens, which are prefilled again at 9.
    "fcfs-memory": (
        {},
        [(0, 5, 0), (1, 0, 2), (2, 0, 2), (3, 0, 1), (4, 0, 1), (5, 5, 0), (6, 1, 1), (7, 0, 2), (8, 0, 1),
         (9, 2, 0), (10, 0, 1), (12, 6, 0), (13, 0, 1)],
        [(1, 5), (1, 3), (6, 9), (7, 11), (13, 14)],
    ),
}  # fmt: skip


def iterations(run):
    rows = []
    for start, n, first, slope, prefill, decode, _ in run.epochs:
        assert slope == 0
        rows += [(start + i * first, int(prefill), int(decode)) for i in range(int(n))]
    return rows


@pytest.mark.parametrize("policy", TRACES)
def test_trace_worked_by_hand(policy):
    parameters, trace, times = TRACES[policy]
    limits = {"eb": {"slots": 3}, "vllm-whole": {"slots": 4}, "mixed": {"slots": 2}, "fcfs-memory": {"capacity": 10}}
    model = LLMEngine((REQUESTS,), SECOND, policy, parameters, **limits.get(policy, {}))
    run = run_engine(model, horizon=16.0, windows=2, records=True)
    assert len(trace) >= 10
    assert iterations(run) == trace
    by_prompt = {int(r[4]): (r[2], r[3]) for r in run.records}
    assert [by_prompt[p] for p in (3, 2, 5, 1, 6)] == times
    assert run.total(E.PREEMPTIONS) == (policy == "fcfs-memory")


def test_exclusive_batching_refills_as_soon_as_enough_can_be_filled():
    """N = 4 slots, k = 1: due where 3 fillable >= n. C comes at 2 to two who decode, D at 6 to one."""
    run = run_engine(LLMEngine((REQUESTS,), SECOND, "eb", {"k": 1}, slots=4), horizon=16.0, windows=2, records=True)
    assert iterations(run) == [
        (0, 5, 0), (1, 0, 2), (2, 5, 0), (3, 0, 3), (4, 0, 2), (5, 0, 2), (6, 1, 0), (7, 0, 1), (8, 0, 1), (12, 6, 0),
        (13, 0, 1),
    ]  # fmt: skip
    three = RequestClass("r", Listed((1,) * 5, 1.0), Listed((9, 9, 9, 1, 2), 1.0),
                         arrivals=Listed((0.0, 0.0, 0.0, 3.0, 1.0, 99.0)))
    # N = 6, k = 2: 4 fillable >= 2 n. At 3 one waits and three decode: 4 < 6; at 4 two do: 8 >= 6.
    run = run_engine(LLMEngine((three,), SECOND, "eb", {"k": 2}, slots=6), horizon=9.0, windows=2, records=True)
    assert iterations(run)[:6] == [(0, 3, 0), (1, 0, 3), (2, 0, 3), (3, 0, 3), (4, 2, 0), (5, 0, 5)]


def test_wait_worked_by_hand():
    """Type a (threshold 2; prompt 2, output 3) at 0, 0, 1, 4, 5, 6, 7, 7, 13, 13; type b (1; 1, 2) at 3, 9 to 13.

    A type below its threshold pauses: b1 is prefilled at 3 and stands still until b2 comes at 9.
    """
    a = RequestClass("a", Listed((2,), 2.0), Listed((3,), 3.0), Listed((0, 0, 1, 3, 1, 1, 1, 0, 6, 0)))
    b = RequestClass("b", Listed((1,), 1.0), Listed((2,), 2.0), Listed((3, 6, 1, 1, 1, 1)))
    model = LLMEngine((a, b), SECOND, "wait", {"thresholds": (2, 1)})
    run = run_engine(model, horizon=14.0, windows=1, records=True)
    assert iterations(run) == [
        (0, 4, 0), (3, 1, 0), (4, 4, 2), (6, 4, 4), (7, 4, 6), (9, 1, 1), (10, 1, 2), (11, 1, 2), (12, 1, 2),
        (13, 5, 8),
    ]  # fmt: skip
    ends = sorted((int(r[3]), int(r[0])) for r in run.records)
    assert ends == [(8, 0), (8, 0), (11, 1), (12, 1), (13, 1), (14, 0), (14, 0), (14, 1)]


def test_nested_wait_by_hand():
    """Thresholds (2, 2), segments up to stages 1 and 3. Request i has i prompt tokens, odd ones end at stage 1, even
    ones at stage 3; two arrive a second, three at 4. At each even time from 2 on segment 2 holds one prompt at its
    first stage and pauses, with it the two that it holds at stage 3;
    the third prompt of 4 keeps one prompt back from then on.
    """
    times = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 99]
    gaps = tuple(float(b - a) for a, b in zip([0, *times[:-1]], times, strict=True))
    requests = RequestClass(
        "r", Listed(tuple(range(1, 22)), 1.0), Listed((1, 3) * 10, 1.0), arrivals=Listed(gaps)
    )
    parameters = {"thresholds": (2, 2), "ends": (1, 3)}
    run = run_engine(LLMEngine((requests,), SECOND, "nested-wait", parameters), horizon=12.0, records=True)
    # 2 pauses at stage 2 until 4 has come (at 3), both at stage 3 until 6 and 8 have (at 5); and so on.
    assert iterations(run) == [
        (0, 3, 0), (1, 7, 2), (2, 11, 2), (3, 15, 4), (4, 19, 2), (5, 23, 6), (6, 27, 2), (7, 31, 6), (8, 35, 2),
        (9, 39, 6),
    ]  # fmt: skip
    ends = {int(r[4]): int(r[3]) for r in run.records}
    assert ends == {1: 2, 3: 3, 5: 4, 7: 5, 2: 6, 4: 6, 9: 6, 11: 7, 6: 8, 8: 8, 13: 8, 15: 9, 10: 10, 12: 10, 17: 10}


def test_wait_takes_no_more_prompts_of_a_type_than_its_threshold():
    """Threshold 2, prompts of 1 to 6 tokens, outputs 2: of three at 0 one waits until a fourth comes at 3."""
    gaps = Listed((0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 99.0))
    requests = RequestClass("r", Listed((1, 2, 3, 4, 5, 6), 1.0), Listed((2,), 2.0), gaps)
    model = LLMEngine((requests,), SECOND, "wait", {"thresholds": (2,)})
    assert iterations(run_engine(model, horizon=9.0, records=True)) == [(0, 3, 0), (3, 7, 2), (4, 11, 4)]


def test_a_prompt_starts_only_with_room_for_the_next_token_of_those_that_end_beside_it():
    """Capacity 5, two prompts of 2 tokens: beside the first, which holds 3 from the next iteration on, 3 do not fit."""
    two = RequestClass("r", Listed((2,), 2.0), Listed((2,), 2.0), Listed((0.0, 0.0, 99.0)))
    run = run_engine(LLMEngine((two,), SECOND, "fcfs-memory", capacity=5), horizon=9.0, records=True)
    assert iterations(run) == [(0, 2, 0), (1, 0, 1), (2, 0, 1), (3, 2, 0), (4, 0, 1), (5, 0, 1)]
    assert run.total(E.PREEMPTIONS) == 0


def test_an_iteration_that_ends_a_prompt_comes_once_however_many_wait():
    """8,192 requests at once, what a run at first has room for, one prompt an iteration: 1, 2 and then 5 tokens."""
    room = 8192
    many = RequestClass("r", Listed((1, 2), 5.0), Listed((0,), 0.0), Listed((0.0, 99.0)), sizes=Listed((room,), room))
    model = LLMEngine((many,), SECOND, "kp-kd-fcfs", {"budget": 9, "k_p": 1, "k_d": 1})
    run = run_engine(model, horizon=4.0, windows=1, records=True)
    assert iterations(run) == [(0, 1, 0), (1, 2, 0), (2, 5, 0), (3, 5, 0)]


def test_times_between_tokens_of_a_trace():
    """Under vLLM A's tokens come at 1, 5, 6, 8, 9: gaps 4, 1, 2, 1; B's at 2, 5, 6; C's at 4, 5, 6, 8; D's 7, 8, 9."""
    from qtheory.simulate.statistics.quantiles import bin_edges

    run = run_engine(LLMEngine((REQUESTS,), SECOND, "vllm", {"budget": 4}), horizon=16.0, records=True)
    gaps = [4, 1, 2, 1, 3, 1, 1, 1, 2, 1, 1, 1]
    assert np.array_equal(run.histogram[E.TBT], np.histogram(gaps, bin_edges())[0])
    assert np.array_equal(run.histogram[E.TTFT], np.histogram([1, 2, 2, 1, 2], bin_edges())[0])
    assert np.array_equal(run.histogram[E.LATENCY], np.histogram([9, 6, 6, 3, 3], bin_edges())[0])
