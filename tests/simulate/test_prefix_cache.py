"""A prefix cache: what it holds of a prompt by the hashes of a trace, and what is not prefilled then."""

import json

import numpy as np
import pytest
from test_engine import PIECEWISE, PROMPTS, SHORT, agree
from test_policies_by_hand import SECOND, iterations

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Discrete, Exponential, Geometric, Listed
from qtheory.simulate.scenarios import parse, parse_points, read
from qtheory.workloads import shared_prefix

SCENARIO = """
horizon = 20.0
[engine]
policy = "sarathi"
budget = 600
[engine.time]
law = "affine"
constants = [1.0, 0.0]
[[class]]
name = "r"
prompt = {law = "trace", file = "t.jsonl"}
output = {law = "trace", file = "t.jsonl"}
arrivals = {law = "trace", file = "t.jsonl"}
cached = {law = "trace", file = "t.jsonl"}
"""


def lines(*rows):
    keys = ("timestamp", "input_length", "output_length", "hash_ids")
    return "".join(json.dumps(dict(zip(keys, row, strict=False))) + "\n" for row in rows)


def cached(hashes, blocks=None):
    return (shared_prefix(hashes, np.full(len(hashes), 10**6), blocks) // 512).tolist()


def test_what_a_small_cache_keeps():
    hashes = ((1, 2, 3), (4, 5), (1, 2, 3), (4, 5), (1, 2, 9), (1, 7, 3))
    assert cached(hashes) == [0, 0, 3, 2, 2, 1]
    assert cached(hashes, 5) == cached(hashes, 50) == cached(hashes)
    # Four blocks: 1 2 3; 4 5 1 2; 1 2 3 4; 4 5 1 2; 1 2 9 4; 1 7 3 2.
    assert cached(hashes, 4) == [0, 0, 2, 1, 2, 1]
    assert cached(hashes, 1) == [0, 0, 0, 0, 0, 1]


def test_a_block_is_kept_with_all_that_leads_to_it():
    """Also where a hash is of its block alone: 7 8 was in the first prompt, but not at its beginning."""
    assert cached(((7, 7, 8), (7, 8), (7, 8, 8), (8,), (7, 7, 8, 8))) == [0, 1, 2, 0, 3]
    assert cached(((7, 7, 8), (7, 8), (7, 7, 8)), 3) == [0, 1, 2]  # 7 8 takes the place of the third block


def test_iterations_by_hand_from_the_hashes_of_a_trace(tmp_path):
    """Budget 600, a second each. At 0: 1024 tokens, two blocks, 600 + 424 and two decodes; at 4 the same prompt and
    100 tokens: 100 are prefilled; at 8 the first block only, 512 of 1024 are; at 12 nothing is new: one token.
    """
    (tmp_path / "t.jsonl").write_text(
        lines((0, 1024, 2, [1, 2]), (4000, 1124, 1, [1, 2, 3]), (8000, 1024, 1, [1, 4]), (12000, 1024, 1, [1, 2]))
    )
    (engine,) = parse(SCENARIO, folder=tmp_path).variants.values()
    run = run_engine(engine, horizon=16.0, windows=1, records=True)
    assert iterations(run) == [
        (0, 600, 0), (1, 424, 0), (2, 0, 1), (3, 0, 1), (4, 100, 0), (5, 0, 1), (8, 512, 0), (9, 0, 1), (12, 1, 0),
        (13, 0, 1),
    ]  # fmt: skip
    # The cached tokens are in the KV cache as others are: 1124 at the end of the prompt, 1125 of the next iteration.
    alone = RequestClass("r", Listed((1124,), 1.0), Listed((1,), 1.0), Listed((0.0, 99.0)), cached=Listed((1024,), 0.0))
    run = run_engine(LLMEngine((alone,), SECOND, "sarathi", {"budget": 600}), horizon=2.0, windows=1)
    assert run.total(E.RESIDENT_AREA) == 1024 + 50 + 1124 + 0.5


@pytest.mark.parametrize(("policy", "options"), [
    ("sarathi", {"parameters": {"budget": 24}}),
    ("sarathi", {"parameters": {"budget": 24}, "capacity": 150}),
    ("sarathi", {"parameters": {"budget": 24}, "capacity": 150, "recompute": False, "order": "spf"}),
    ("vllm-whole", {"parameters": {"budget": 130}, "slots": 12, "capacity": 150}),
])  # fmt: skip
def test_iterations_are_those_of_the_reference(policy, options):
    memory = "capacity" in options
    classes = (
        RequestClass("a", SHORT if memory else PROMPTS, Discrete((2.0, 10.0, 40.0), (0.4, 0.4, 0.2)), Exponential(0.5),
                     cached=Discrete((0.0, 4.0, 30.0, 90.0), (0.4, 0.2, 0.2, 0.2))),
        RequestClass("b", Discrete((3.0,), (1.0,)), Geometric(0.2), Exponential(1.0)),
    )  # fmt: skip
    parameters, others = options["parameters"], {k: v for k, v in options.items() if k != "parameters"}
    got, _ = agree(LLMEngine(classes, PIECEWISE, policy, parameters, **others))
    assert not memory or got.total(E.PREEMPTIONS) > 0


def test_a_larger_cache_prefills_less_in_the_shipped_scenario():
    points = parse_points(*read("prefix-caching"))
    work = [run_engine(*p.scenario.variants.values(), horizon=120.0).total(E.PREFILL_TOKENS) for p in points]
    # 72 turns of 2 to 7 full blocks and 200 tokens. Two blocks: the system prompt, once; endless: each block once.
    assert work == sorted(work, reverse=True) and work[0] > work[1] > work[2]
    assert work[0] == 72 * 200 + 512 * (12 * (2 + 3 + 4 + 5 + 6 + 7) - 71 * 2)
    assert work[2] == 72 * 200 + 512 * (2 + 12 * 5)


@pytest.mark.parametrize(("change", "says"), [
    (("[1, 2]", "null"), "hash_ids: a list of whole numbers"),
    ((', "hash_ids": [1, 2]', ""), "no hashes of prompts' blocks"),
], ids=["null", "none"])  # fmt: skip
def test_a_trace_without_hashes_has_no_prefix_cache(tmp_path, change, says):
    (tmp_path / "t.jsonl").write_text(lines((0, 1024, 2, [1, 2]), (9, 1024, 2, [1, 2])).replace(*change))
    with pytest.raises(InputError, match=says):
        parse(SCENARIO, folder=tmp_path)


def test_the_cache_is_of_whole_blocks_and_on_the_engine(tmp_path):
    (tmp_path / "t.jsonl").write_text(lines((0, 1024, 2, [1, 2]), (9, 1024, 2, [1, 2])))
    head, found, end = SCENARIO.rpartition('file = "t.jsonl"')
    with pytest.raises(InputError, match="blocks must be a whole number"):
        parse(head + found + ", blocks = 0.5" + end, folder=tmp_path)
    request = RequestClass("r", PROMPTS, SHORT, Exponential(1.0), cached=Listed((2,), 0.0))
    pool = {"prefill_nodes": 1, "transfer": 0.0, "transfer_per_token": 0.0}
    with pytest.raises(InputError, match="prefills elsewhere, and no prefix cache"):
        LLMEngine((request,), PIECEWISE, "distserve", pool)
