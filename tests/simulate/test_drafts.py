"""Speculative decoding: tokens an iteration in closed form, by hand, and against the reference."""

import numpy as np
import pytest
from engine_reference import Reference
from test_engine import PIECEWISE, SHORT, SLOTS, agree, engine
from test_policies_by_hand import SECOND, iterations

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Exponential, Listed
from qtheory.simulate.statistics import student
from qtheory.simulate.token_series import token_times


@pytest.mark.parametrize(("draft", "acceptance"), [(1, 0.5), (4, 0.8), (7, 0.3)])
def test_tokens_a_step_are_those_of_the_closed_form(draft, acceptance):
    """(1 - a^(g + 1))/(1 - a) tokens an iteration and request (Leviathan et al., equation (1)), its end aside."""
    requests = RequestClass("r", Deterministic(1.0), Deterministic(2000.0))
    model = LLMEngine((requests,), IterationTime("affine", (0.01, 0.001)), "sarathi", {"budget": 64}, concurrency=3,
                      draft=draft, acceptance=acceptance)  # fmt: skip
    found = []
    for replication in range(10):
        run = run_engine(model, horizon=300.0, windows=1, replication=replication, records=True)
        steps = float(run.epochs[:, 1] @ run.epochs[:, 5])
        assert run.total(E.DECODE_TOKENS) >= run.records[:, 5].sum()
        found.append(run.total(E.DECODE_TOKENS) / steps)
    mean = (1 - acceptance ** (draft + 1)) / (1 - acceptance)
    # The last iteration of a request is cut: at most by the draft, in 2,000 tokens.
    interval = student(found, 0.999)
    assert interval.low - mean * draft / 2000 <= mean <= interval.high + mean * draft / 2000
    assert interval.relative_half_width < 0.01


def test_certain_drafts_by_hand():
    """Drafts of 2, always accepted: three tokens an iteration. A (3 prompt tokens, 7 outputs) has 3 + 3 + 1, B (2, 2)
    its two at once. Budget 6: at 1 both decode, 3 tokens each. The token with a prompt's end is the first."""
    requests = RequestClass("r", Listed((3, 2), 1.0), Listed((7, 2), 1.0), arrivals=Listed((0, 0, 99)))
    law = IterationTime("affine", (1.0, 0.5))
    model = LLMEngine((requests,), law, "sarathi", {"budget": 6}, draft=2, acceptance=1.0, draft_time=0.25)
    run = run_engine(model, horizon=30.0, windows=1, records=True)
    # 1 + 5/2 s; then 1 + 6/2 + 1/4, and 1 + 3/2 + 1/4 twice
    assert iterations(run) == [(0, 5, 0), (3.5, 0, 2), (7.75, 0, 1), (10.5, 0, 1)]
    assert run.records[:, 3].tolist() == [7.75, 13.25]
    assert run.total(E.DECODE_TOKENS) == 9
    # B's second token comes with its first decode, and A's four others that were drafted with the one before each.
    assert run.histogram[E.TBT, 0] == 1 + 4 and run.histogram[E.TBT].sum() == 9


def test_drafts_of_no_use_are_paid_for():
    """Acceptance 0: a token an iteration, as without drafts, and the law is charged for all that is verified."""
    requests = RequestClass("r", Listed((3, 2), 1.0), Listed((4, 2), 1.0), arrivals=Listed((0, 0, 99)))
    law = IterationTime("affine", (1.0, 0.5))
    got, plain = (LLMEngine((requests,), law, "fcfs-memory", {}, **options).run(horizon=30.0, windows=1, records=True)
                  for options in ({"draft": 3}, {}))  # fmt: skip
    assert [row[1:] for row in iterations(got)] == [row[1:] for row in iterations(plain)]
    assert np.diff([row[0] for row in iterations(got)]).tolist() == [3.5, 5.0, 5.0, 3.0]


@pytest.mark.parametrize("policy", ["sarathi", "orca", "vllm", "vllm-whole", "faster-transformer", "eb", "fcfs-memory",
                                    "kp-kd-fcfs", "rad", "wait", "request-level"])  # fmt: skip
def test_iterations_are_those_of_the_reference(policy):
    agree(engine(policy, 0.6, draft=3, acceptance=0.7, draft_time=0.002))


@pytest.mark.parametrize("block", [1, 7])
@pytest.mark.parametrize(("policy", "recompute"), [("sarathi", True), ("vllm-whole", False), ("fcfs-memory", True)])
def test_drafts_need_room_in_the_cache(policy, recompute, block):
    model = engine(policy, 0.4, outputs=SHORT, capacity=140, block=block, recompute=recompute, draft=2, acceptance=0.5)
    got, want = agree(model)
    assert got.total(E.PREEMPTIONS) > 2
    assert abs(got.total(E.PREEMPTIONS) - want.preempted) <= 3


@pytest.mark.later
def test_times_between_tokens_are_exact():
    got, _ = agree(engine("sarathi", 0.6, draft=4, acceptance=0.8), horizon=300.0)
    want = Reference(got.engine, got.seconds - 1e-6)  # to the end of the run's last iteration
    gaps = np.array([g for r in want.done + want.decoding for g in r.gaps])
    assert got.histogram[E.TBT].sum() == gaps.size
    assert got.histogram[E.TBT, 0] == (gaps == 0.0).sum()


ONE = RequestClass("r", Deterministic(3.0), Deterministic(3.0), Exponential(1.0), tbt_slo=1.0)


@pytest.mark.parametrize(("policy", "options", "says"), [
    (("sarathi", {"budget": 8}), {"draft": -1}, "the draft must be a whole number, at least 0"),
    (("sarathi", {"budget": 8}), {"draft": 2, "acceptance": 1.5}, "a probability, not 1.5"),
    (("sarathi", {"budget": 8}), {"acceptance": 0.5}, "and no draft"),
    (("sarathi", {"budget": 3}), {"draft": 3}, "exceeds the budget of 3"),
    (("sarathi", {"budget": 8}), {"draft": 3, "decode_order": "srpt"}, "takes no draft"),
    (("nested-wait", {"thresholds": (1, 1), "ends": (1, 2)}), {"draft": 3}, "takes no draft"),
    (("slai", {"budget": 8, "decode_limit": 4, "offset": 1.0}), {"draft": 3, "slots": 4}, "takes no draft"),
])  # fmt: skip
def test_what_is_no_draft_is_refused(policy, options, says):
    with pytest.raises(InputError, match=says):
        LLMEngine((ONE,), SECOND, *policy, **options)


def test_no_series_of_tokens_is_made_up():
    model = LLMEngine((ONE,), PIECEWISE, "eb", {"k": 3}, slots=SLOTS["eb"], draft=2, acceptance=0.5)
    with pytest.raises(InputError, match="drafted tokens"):
        token_times(run_engine(model, horizon=20.0, windows=1, records=True))
