"""The KV cache in blocks: by hand, against the reference, and blocks of one token as the cache counted in tokens."""

from dataclasses import replace

import numpy as np
import pytest
from test_engine import PIECEWISE, SHORT, SLOTS, agree, engine
from test_engine_orders import POOLS
from test_policies_by_hand import SECOND, iterations

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Discrete, Exponential, Geometric, Listed


def two_at_once(**options):
    """Prompts of 3 and 2 tokens at 0, 3 outputs each; a second an iteration."""
    requests = RequestClass("r", Listed((3, 2), 1.0), Listed((3, 3), 1.0), arrivals=Listed((0, 0, 99)))
    return run_engine(LLMEngine((requests,), SECOND, "fcfs-memory", {}, **options), horizon=30.0, records=True)


def test_blocks_by_hand():
    """Blocks of 2, six of them. At 0 A takes 2 blocks, and its next token is for the second; B takes 1 and its next
    token begins one: 3 held, 1 to come, both start. At 1 A's tokens 4 (full), B's 3: 4 held. At 2 A begins its third
    block, B goes on in its second: 5 of 6. At 3 A has 5, B 4, which then begins a block: 6 of 6; both end at 4.
    """
    roomy = two_at_once(capacity=12, block=2)
    assert iterations(roomy) == [(0, 5, 0), (1, 0, 2), (2, 0, 2), (3, 0, 2)]
    assert roomy.total(E.PREEMPTIONS) == 0
    # Five blocks, though 11 tokens are there: at 3 B's block is missing; it is evicted, and comes back when A has left.
    tight = two_at_once(capacity=11, block=2)
    assert iterations(tight) == [(0, 5, 0), (1, 0, 2), (2, 0, 2), (3, 0, 1), (4, 4, 0), (5, 0, 1)]
    assert tight.total(E.PREEMPTIONS) == 1
    # In tokens the same cache holds both to the end: 5 + 2 + 2 + 2.
    assert iterations(two_at_once(capacity=11)) == iterations(roomy)
    # Four blocks: at 0 those of A and B and one that B begins next are all there are; at 2 A begins one, and B goes.
    least = two_at_once(capacity=8, block=2)
    assert iterations(least) == [(0, 5, 0), (1, 0, 2), (2, 0, 1), (3, 0, 1), (4, 3, 0), (5, 0, 1), (6, 0, 1)]


@pytest.mark.parametrize("block", [2, 7, 16])
@pytest.mark.parametrize(("policy", "recompute"), [
    ("sarathi", True), ("orca", False), ("vllm", True), ("vllm-whole", False), ("eb", True), ("fcfs-memory", True),
    ("kp-kd-fcfs", True),
])  # fmt: skip
def test_iterations_are_those_of_the_reference(policy, recompute, block):
    options = {"outputs": SHORT, "capacity": 150, "recompute": recompute, "overhead": (0.01, 0.001, 0.0)}
    model = engine(policy, 0.5, block=block, **options)
    got, want = agree(model)
    assert got.total(E.PREEMPTIONS) > 2
    assert abs(got.total(E.PREEMPTIONS) - want.preempted) <= 3


@pytest.mark.parametrize("order", ["spf", "class-spf"])
def test_orders_and_a_prefix_cache_in_blocks(order):
    classes = (
        RequestClass("a", SHORT, Discrete((2.0, 10.0, 40.0), (0.4, 0.4, 0.2)), Exponential(0.5),
                     cached=Discrete((0.0, 4.0, 30.0), (0.4, 0.3, 0.3))),
        RequestClass("b", Discrete((3.0,), (1.0,)), Geometric(0.2), Exponential(1.0)),
    )  # fmt: skip
    model = LLMEngine(classes, PIECEWISE, "sarathi", {"budget": 24}, capacity=160, block=16, order=order)
    got, _ = agree(model)
    assert got.total(E.PREEMPTIONS) > 0


@pytest.mark.parametrize("policy", ["wait", "nested-wait", "distserve", "slai"])
def test_groups_hold_blocks_of_their_own(policy):
    """As in the reference, and where blocks are short what a run that ends well has checked: those held are those of
    the requests that are there. Whom WAIT evicts its paper leaves open, and the reference with it."""
    parameters = {
        "wait": {"thresholds": (3, 2)}, "nested-wait": {"thresholds": (2, 2, 1), "ends": (4, 9, 20)},
        "distserve": {"prefill_nodes": 1, "transfer": 0.0137193, "transfer_per_token": 0.00071733},
        "slai": {"budget": 24, "decode_limit": 8, "offset": 2.0},
    }[policy]  # fmt: skip
    classes = tuple(RequestClass(name, SHORT, Geometric(0.2), Exponential(gap), tbt_slo=1.0)
                    for name, gap in (("a", 0.3), ("b", 0.6)))  # fmt: skip
    model = LLMEngine(classes, POOLS, policy, parameters, block=16, slots=12 if policy == "slai" else SLOTS.get(policy))
    short = replace(model, capacity=112)
    got, _ = agree(short if policy in ("distserve", "slai") else model)
    if policy == "wait":
        got = run_engine(short, horizon=100.0, windows=7)
    assert (got.total(E.PREEMPTIONS) > 2) == (policy != "nested-wait") and got.requests > 50


def test_larger_blocks_hold_fewer_requests_where_memory_is_short():
    requests = RequestClass("r", SHORT, SHORT)
    served = [LLMEngine((requests,), PIECEWISE, "sarathi", {"budget": 64}, concurrency=40, capacity=600, block=b)
              .run(horizon=400.0).total(E.DECODING_AREA) for b in (1, 20, 80)]  # fmt: skip
    assert np.all(np.diff(served) < 0)


@pytest.mark.parametrize(("options", "says"), [
    ({"block": 0}, "the block must be a whole number, at least 1"),
    ({"block": 2.5}, "the block must be a whole number"),
    ({"block": 16, "capacity": 15}, "exceeds the capacity of 15"),
])  # fmt: skip
def test_what_is_no_block_is_refused(options, says):
    with pytest.raises(InputError, match=says):
        two_at_once(**options)
