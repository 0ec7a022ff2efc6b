"""Algorithm 2, SLAI and DistServe of the tiling paper, and an inner order, on traces worked by hand, a second each.

As in test_policies_by_hand: an iteration that starts at t sees what has arrived by t; a request whose prompt ends in
an iteration decodes from the next one on.
"""

import pytest
from test_policies_by_hand import REQUESTS, SECOND, iterations

from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Listed

PROMPTS = (3, 2, 5, 1, 6)  # of the requests A to E


def times(run):
    return [next((r[2], r[3]) for r in run.records if r[4] == p) for p in PROMPTS]


def test_algorithm_2():
    """n = 3, t_col = 2, chunks of 4. Cycle {A, B, C}: C, which came at 2, is prefilled before anyone decodes, and
    replaces B at 6; cycle {D}, for C ended at 9; cycle {E}. First tokens come with the first decode iteration."""
    run = run_engine(LLMEngine((REQUESTS,), SECOND, "cycles", {"n": 3, "t_col": 2, "t_lcm": 4}),
                     horizon=16.0, windows=2, records=True)  # fmt: skip
    assert iterations(run) == [
        (0, 3, 0), (1, 2, 0), (2, 4, 0), (3, 1, 0), (4, 0, 2), (5, 0, 2), (6, 0, 2), (7, 0, 2), (8, 0, 1),
        (9, 1, 0), (10, 0, 1), (11, 0, 1), (12, 4, 0), (13, 2, 0), (14, 0, 1),
    ]  # fmt: skip
    assert times(run) == [(5, 8), (5, 6), (7, 9), (11, 12), (15, 15)]


def test_a_cycle_of_algorithm_2_prefills_n_requests_and_no_more():
    """n = 2, and three of one prompt and one output token each at 0: the third waits until two have decoded."""
    three = RequestClass("r", Listed((1.0,), 1.0), Listed((1.0,), 1.0), arrivals=Listed((0.0, 0, 0, 99)))
    run = run_engine(LLMEngine((three,), SECOND, "cycles", {"n": 2, "t_col": 2, "t_lcm": 4}), horizon=6.0, windows=2,
                     records=True)  # fmt: skip
    assert iterations(run) == [(0, 1, 0), (1, 1, 0), (2, 0, 2), (3, 1, 0), (4, 0, 1)]


def test_slai_takes_the_class_that_is_listed_first_where_deadlines_tie():
    """Both prompts end at 1, with the first tokens; then one decode an iteration, all deadlines at a tie in turn."""
    classes = [RequestClass(n, Listed((2.0,), 2.0), Listed((3.0,), 3.0), arrivals=Listed((0.0, 99.0)), tbt_slo=1.0)
               for n in "ab"]
    parameters = {"budget": 8, "decode_limit": 1, "offset": 0.0}
    run = run_engine(LLMEngine(tuple(classes), SECOND, "slai", parameters, slots=4), horizon=20.0, windows=2,
                     records=True)  # fmt: skip
    ends = {int(r[0]): r[3] for r in run.records}
    assert ends[1] == ends[0] + 1


def test_smallest_remaining_first_among_the_k_p_oldest():
    """Budget 2, K_p = 2, K_d = 3. B goes before A at 0; D, one token, before the two that C still lacks at 6."""
    run = run_engine(
        LLMEngine((REQUESTS,), SECOND, "kp-kd-fcfs", {"budget": 2, "k_p": 2, "k_d": 3}, order="srpt",
                  decode_order="srpt"), horizon=18.0, windows=2, records=True)  # fmt: skip
    assert iterations(run) == [
        (0, 2, 0), (1, 1, 1), (2, 1, 1), (3, 2, 0), (4, 1, 1), (5, 1, 1), (6, 1, 1), (7, 0, 2), (8, 1, 1), (9, 1, 0),
        (10, 0, 1), (11, 0, 1), (12, 1, 1), (13, 2, 0), (14, 2, 0), (15, 1, 0), (16, 0, 1),
    ]  # fmt: skip
    assert times(run) == [(4, 8), (1, 3), (10, 13), (7, 9), (16, 17)]


@pytest.mark.parametrize("decode_order", ["fcfs", "srpt"])
def test_the_k_d_oldest_are_those_that_arrived_first(decode_order):
    """A, B and C at 0 with prompts of 3, 2 and 1 tokens and outputs 3, 2 and 1, budget 6, K_d = 2.

    The shortest prompt first, all three are prefilled in the first iteration, C before B before A. A and B, who
    arrived before C, decode; when B ends at 3 C is one of the two oldest. By entry into decode C would end at 2.
    """
    three = RequestClass("r", Listed((3, 2, 1, 1), 1.0), Listed((3, 2, 1, 1), 1.0), arrivals=Listed((0.0, 0, 0, 99)))
    parameters = {"budget": 6, "k_p": 3, "k_d": 2}
    model = LLMEngine((three,), SECOND, "kp-kd-fcfs", parameters, order="srpt", decode_order=decode_order)
    run = run_engine(model, horizon=8.0, windows=2, records=True)
    assert iterations(run) == [(0, 6, 0), (1, 0, 2), (2, 0, 2), (3, 0, 2)]
    assert sorted((int(r[6]), int(r[3])) for r in run.records) == [(0, 4), (1, 3), (2, 4)]


def test_distserve():
    """Prompts take a second each on the prefill node: A to 1, B to 2, C to 3, D to 7, E to 13; transfers 1/4 s and
    1/8 s a token: they come to the decode node at 1.625, 2.5, 3.875, 7.375, 14. Outputs 6, 2, 3, 3, 1."""
    requests = RequestClass(
        "r", REQUESTS.prompt, Listed((6, 2, 3, 3, 1), 1.0), arrivals=REQUESTS.arrivals, ttft_slo=2.0, tbt_slo=1.5
    )
    parameters = {"prefill_nodes": 1, "transfer": 0.25, "transfer_per_token": 0.125}
    run = run_engine(LLMEngine((requests,), SECOND, "distserve", parameters), horizon=16.0, windows=2, records=True)
    assert iterations(run) == [
        (1.625, 0, 1), (2.625, 0, 2), (3.625, 0, 2), (4.625, 0, 2), (5.625, 0, 2), (6.625, 0, 2), (7.625, 0, 1),
        (8.625, 0, 1), (9.625, 0, 1), (14, 0, 1),
    ]  # fmt: skip
    assert times(run) == [(1, 7.625), (2, 4.625), (3, 7.625), (7, 10.625), (13, 15)]
    assert run.total(E.POOL_TIME) == 5 and run.total(E.BUSY_TIME) == 10 and run.total(E.IDLE_TIME) == 6
    # First gaps 1.625, 1.625, 2.625, 1.625 and 2 s are all too long.
    assert run.total(E.GOOD) == 0 and run.class_sums[:, 0, E.LATE_OUT].sum() == 5


# Paying users (TBT 2 s): P1 0: 3, 3; P2 4: 2, 2. Free users (TBT 4 s): F1 0: 2, 3; F2 1: 6, 1; F3 2: 1, 2; F4 5: 8, 2.
# Budget 4, decode limit 2, at most 3 active requests. With the offset 2 (running average 1 s) a paying decode is
# critical at once and a free one from 2 s after its last token on, with the offset 1 a second later.
PAYING = RequestClass("paying", Listed((3, 2), 1.0), Listed((3, 2), 1.0), Listed((0, 4)), tbt_slo=2.0)
FREE = RequestClass("free", Listed((2, 6, 1, 8), 1.0), Listed((3, 1, 2, 2), 1.0), Listed((0, 1, 1, 3)), tbt_slo=4.0)
SLAI = {"budget": 4, "decode_limit": 2, "offset": 2.0}

TRACES = {
    # F1 is deferred at 2 and fills at 3, 4, 5; F3 waits for a place at 3; F3, its last token at 6, is critical at 8.
    "fcfs": (
        SLAI, {},
        [(0, 4, 0), (1, 3, 1), (2, 3, 1), (3, 1, 2), (4, 1, 2), (5, 2, 2), (6, 3, 1), (7, 3, 1), (8, 2, 1), (9, 0, 1),
         (10, 0, 1)],
        [(1, 4), (6, 8), (2, 6), (4, 5), (5, 9), (9, 11)],
    ),
    # F1 before P1 at 0; at 3 F1 is critical too; at 4 F2, waiting longer, fills before F1; F3 before P2 at 5.
    "spf": (
        SLAI, {"order": "spf"},
        [(0, 4, 0), (1, 4, 0), (2, 3, 1), (3, 0, 2), (4, 0, 2), (5, 3, 1), (6, 0, 2), (7, 3, 1), (8, 3, 1), (9, 2, 1),
         (10, 0, 1), (11, 0, 1)],
        [(2, 5), (6, 8), (1, 7), (3, 5), (6, 10), (10, 12)],
    ),
    # "It always schedules a paying user's request first": P2 before F3 at 4.
    "paying first": (
        SLAI, {"order": "class-spf"},
        [(0, 4, 0), (1, 3, 1), (2, 3, 1), (3, 1, 2), (4, 2, 2), (5, 1, 2), (6, 3, 1), (7, 4, 0), (8, 1, 1), (9, 0, 2),
         (10, 0, 1)],
        [(1, 4), (5, 7), (2, 6), (4, 5), (6, 10), (9, 11)],
    ),
    # Offset 1 below 7 of 20 KV tokens, else 2: P1 is deferred at 1 (4 tokens), P2 at 7 (4); at 8 (8) F3 is critical.
    "dynamic": (
        {**SLAI, "offset": 1.0, "offset_full": 2.0, "full": 0.35}, {"capacity": 20},
        [(0, 4, 0), (1, 4, 0), (2, 3, 1), (3, 0, 2), (4, 0, 2), (5, 3, 1), (6, 0, 2), (7, 4, 0), (8, 2, 2), (9, 2, 1),
         (10, 0, 1), (11, 0, 1)],
        [(1, 5), (6, 9), (2, 7), (3, 5), (6, 10), (10, 12)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRACES)
def test_slai(name):
    parameters, options, trace, ends = TRACES[name]
    policy = "slai-dynamic" if "full" in parameters else "slai"
    model = LLMEngine((PAYING, FREE), SECOND, policy, parameters, slots=3, **options)
    run = run_engine(model, horizon=13.0, windows=1, records=True)
    assert len(trace) > 10
    assert iterations(run) == trace
    by_name = {(int(r[0]), int(r[4])): (r[2], r[3]) for r in run.records}
    assert [by_name[p] for p in ((0, 3), (0, 2), (1, 2), (1, 6), (1, 1), (1, 8))] == ends
