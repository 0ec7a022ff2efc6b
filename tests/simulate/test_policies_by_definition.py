"""What holds of policies by their definition: which orders they admit, and the time per output token of each."""

from __future__ import annotations

import numpy as np
import pytest
from test_policies_by_hand import REQUESTS, SECOND, iterations

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Exponential, Listed
from qtheory.simulate.measures import ENGINE, of_engine
from qtheory.simulate.token_series import token_times

ONE = RequestClass("r", Deterministic(4.0), Deterministic(4.0), Exponential(1.0), tbt_slo=1.0)
SLAI = {"budget": 8, "decode_limit": 1, "offset": 0.0}
OWN = {  # those with an order of their own, and those with a decode order of their own
    "wait": ({"thresholds": (1,)}, {}, True),
    "nested-wait": ({"thresholds": (1,), "ends": (3,)}, {}, True),
    "distserve": ({"prefill_nodes": 1, "transfer": 0.0, "transfer_per_token": 0.0}, {}, True),
    "distserve-nodes": ({"prefill_nodes": 1, "decode_nodes": 2, "transfer": 0.0, "transfer_per_token": 0.0}, {}, True),
    "slai": (SLAI, {"slots": 4}, False),
    "slai-dynamic": (SLAI | {"offset_full": 0.0, "full": 0.5}, {"slots": 4, "capacity": 99}, False),
}


@pytest.mark.parametrize("policy", OWN)
def test_a_policy_with_an_order_of_its_own_takes_no_other(policy: str) -> None:
    parameters, options, prompts = OWN[policy]
    LLMEngine((ONE,), SECOND, policy, parameters, **options)
    with pytest.raises(InputError, match="decode order of its own"):
        LLMEngine((ONE,), SECOND, policy, parameters, decode_order="srpt", **options)
    if prompts:
        with pytest.raises(InputError, match="order of its own"):
            LLMEngine((ONE,), SECOND, policy, parameters, order="spf", **options)


@pytest.mark.parametrize(("policy", "parameters"), [("cycles", {"n": 3, "t_col": 2, "t_lcm": 4}),
                                                    ("sarathi", {"budget": 4})])
def test_time_per_output_token_is_that_between_the_first_and_the_last(policy: str, parameters: dict) -> None:
    run = run_engine(LLMEngine((REQUESTS,), SECOND, policy, parameters), horizon=30.0, windows=3, records=True)
    spans = [(t[-1] - t[0]) / (len(t) - 1) for t in token_times(run) if len(t) > 1]
    assert len(spans) >= 3
    for measure in (ENGINE["mean TPOT, s"], of_engine(run.engine)[f"mean TPOT of {REQUESTS.name}, s"]):
        assert measure.value(run) == pytest.approx(np.mean(spans), rel=1e-12)


def test_rad_of_one_request_a_cycle():
    """n = 1: a prompt of two tokens, its two decodes, and the next cycle at once."""
    two = RequestClass("r", Listed((2.0, 2.0), 1.0), Listed((2.0, 2.0), 1.0), arrivals=Listed((0.0, 0.0, 99.0)))
    run = run_engine(LLMEngine((two,), SECOND, "rad", {"n": 1, "t_col": 4, "t_lcm": 2}), horizon=9.0, windows=3,
                     records=True)  # fmt: skip
    assert iterations(run) == [(0, 2, 0), (1, 0, 1), (2, 0, 1), (3, 2, 0), (4, 0, 1), (5, 0, 1)]


@pytest.mark.parametrize(("k_p", "k_d", "trace"), [
    (1, 2, [(0, 1, 0), (1, 1, 1), (2, 1, 2), (3, 0, 2), (4, 0, 2), (5, 0, 1)]),
    (2, 1, [(0, 2, 0), (1, 1, 1), (2, 0, 1), (3, 0, 1), (4, 0, 1), (5, 0, 1)]),
])
def test_so_many_prompts_and_so_many_decodes_an_iteration(k_p: int, k_d: int, trace: list) -> None:
    """(K_p, K_d)-FCFS with three at once, of one prompt token and three decodes each."""
    three = RequestClass("r", Deterministic(1.0), Deterministic(3.0), Listed((0.0, 0.0, 0.0, 99.0)))
    model = LLMEngine((three,), SECOND, "kp-kd-fcfs", {"budget": 9, "k_p": k_p, "k_d": k_d})
    assert iterations(run_engine(model, horizon=6.0, records=True)) == trace


def test_rad_decodes_as_soon_as_t_col_can() -> None:
    """n = 3, t_col = 2: two of three decode before the third prompt, which begins where one of them has ended."""
    three = RequestClass("r", Deterministic(2.0), Listed((2.0, 1.0, 1.0), 1.0), Listed((0.0, 0.0, 0.0, 99.0)))
    run = run_engine(LLMEngine((three,), SECOND, "rad", {"n": 3, "t_col": 2, "t_lcm": 4}), horizon=9.0, records=True)
    assert iterations(run) == [(0, 2, 0), (1, 2, 0), (2, 0, 2), (3, 2, 0), (4, 0, 2)]


def test_all_slots_may_be_idle_and_no_more():
    """EB's k, and what a whole prompt needs of the budget of vLLM without chunks."""
    for policy, parameters, bad in (("eb", {"k": 4}, {"k": 5}), ("vllm-whole", {"budget": 4}, {"budget": 3})):
        LLMEngine((ONE,), SECOND, policy, parameters, slots=4)
        with pytest.raises(InputError, match="at most"):
            LLMEngine((ONE,), SECOND, policy, bad, slots=4)
