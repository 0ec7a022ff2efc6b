"""The second checker: independent of the kernel, and of one opinion with it."""

from __future__ import annotations

import ast
import copy
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from recheck_sheets import SHEETS, no_point, refined
from recheck_support import (
    Pair,
    kernel_accepts,
    random_nodes,
    random_step,
    recheck_accepts,
)

from qtheory.proofs import recheck
from qtheory.proofs.api import prove
from qtheory.proofs.kernel.certificate import is_formula
from qtheory.proofs.kernel.theorem import RULES
from qtheory.proofs.recheck import RecheckError, certifies, check
from qtheory.proofs.recheck.judgement import TABLE

SOURCES = sorted(Path(recheck.__file__).parent.glob("*.py"))


def imported(source: str) -> set[str]:
    """The modules that a source file names in its imports; relative ones with their dots."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def test_the_second_checker_imports_nothing_of_the_kernel() -> None:
    assert len(SOURCES) >= 10
    modules = {"." + s.stem for s in SOURCES} | {"."}
    for source in SOURCES:
        for name in imported(source.read_text()):
            package = name.split(".")[0]
            assert name in modules or package == "flint" or package in sys.stdlib_module_names, name


def test_the_kernel_is_not_loaded_with_the_second_checker() -> None:
    code = "import sys, qtheory.proofs.recheck; print([m for m in sys.modules if 'kernel' in m and 'qtheory' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_rules_are_those_of_the_format() -> None:
    assert {name: kinds for name, (_, kinds) in RULES.items()} == {name: kinds for name, (kinds, _) in TABLE.items()}


# ---- whole certificates ----

@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s.__name__)
def test_hand_written_certificates_are_accepted_by_both(sheet: Any) -> None:
    data = sheet().certificate()
    check(data)
    check(data, data["statement"])
    assert kernel_accepts(data)


def test_every_rule_is_used_by_hand() -> None:
    assert {step[0] for sheet in SHEETS for step in sheet().steps} == set(RULES)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s.__name__)
def test_another_goal_is_rejected(sheet: Any) -> None:
    data = sheet().certificate()
    assert not certifies(data, {**data["statement"], "goal": "x > 17"})
    changed = {**data, "statement": {**data["statement"], "goal": "x > 17"}}
    assert not certifies(changed) and not kernel_accepts(changed)
    swapped = {**data, "verdict": "refuted" if data["verdict"] == "proved" else "proved"}
    assert not certifies(swapped) and not kernel_accepts(swapped)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all leaves of JSON data."""
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in places(v, (*path, k))]
    if isinstance(value, list):
        return [path, *(p for i, v in enumerate(value) for p in places(v, (*path, i)))]
    return [path]


def mutant(rng: random.Random, data: Any) -> Any:
    """The certificate with one change: an index, number, name, sign, rule, or a part left out or doubled."""
    changed = copy.deepcopy(data)
    part = rng.choice(["nodes", "steps", "steps", "main", "schema", "verdict", "statement"])
    path = rng.choice(places(changed[part], (part,)))
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    if isinstance(old, int):
        new: Any = rng.choice([old + 1, old - 1, -old, 0, 10 ** 30, str(old), None])
    elif isinstance(old, str):
        new = rng.choice([old + "1", "-" + old, old[1:], "0", "x", "1/0", rng.choice(sorted(RULES)), ">", ">=", "=", 0])
    elif isinstance(old, list):
        new = rng.choice([old[:-1], old + old[-1:], old[::-1], [], None])
    else:
        new = rng.choice([0, [], "x", {}])
    holder[path[-1]] = new
    return changed


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s.__name__)
def test_mutants_are_judged_alike(sheet: Any) -> None:
    data, rng = sheet().certificate(), random.Random(sheet.__name__)
    opinions: Counter[bool] = Counter()
    for _ in range(120):
        other = mutant(rng, data)
        first, second = kernel_accepts(other), recheck_accepts(other)
        assert first == second, json.dumps(other)
        opinions[first] += 1
    assert opinions[False] > 40


@pytest.mark.parametrize("seed", range(30))
def test_mutated_steps_give_the_same_theorems(seed: int) -> None:
    """Each step of each sheet is followed by changed copies; the theorems must coincide, not only the verdicts."""
    rng = random.Random(seed)
    data = SHEETS[seed % len(SHEETS)]().certificate()
    pair = Pair(data["nodes"])
    for step in data["steps"]:
        for _ in range(6):
            other = copy.deepcopy(step)
            path = rng.choice(places(other)[1:])
            holder = other
            for key in path[:-1]:
                holder = holder[key]
            old = holder[path[-1]]
            numbers = [0, 1, 2, 3, rng.randrange(len(data["nodes"]))]
            others = ["x", "t", "n", *RULES] if isinstance(old, str) else numbers
            holder[path[-1]] = old if isinstance(old, list) else rng.choice(others)
            kept = len(pair.steps)
            theirs, ours = pair.attempt(other)
            assert theirs == ours, (other, pair.messages)
            for steps in (pair.kernel.steps, pair.second.steps, pair.steps):
                del steps[kept:]
        theirs, ours = pair.attempt(step)
        assert ours is not None and theirs == ours


@pytest.mark.parametrize("seed", range(40))
def test_random_steps_are_judged_alike(seed: int) -> None:
    rng = random.Random(seed)
    pair = Pair(random_nodes(rng, 60))
    formulas = [i for i, node in enumerate(pair.kernel.nodes) if is_formula(node)]
    terms = [i for i, node in enumerate(pair.kernel.nodes) if not is_formula(node)]
    for f in formulas[:8]:
        pair.attempt(["hyp", f])
    for _ in range(150):
        step = random_step(rng, pair, formulas, terms)
        theirs, ours = pair.attempt(step)
        assert theirs == ours, (step, pair.messages)
    assert len(pair.steps) > 30


# ---- certificates of the prover ----

PROVED = [("exp(x) >= 1 + x", []), ("(1+x)**n >= 1 + n*x", ["x > -1", "n in naturals"]),
          ("x/(1-x) + log(1-x) > 0", ["0 < x < 1"]), ("Sum(i, (i, 0, n)) == n*(n+1)/2", ["n in naturals"]),
          ("sqrt(x)**2 == x", ["x >= 0"]), ("Eq(diff(t/(1-t)+log(1-t), t), t/(1-t)**2)", ["0 < t < 1"])]
REFUTED = [("x < 1", ["x > 0"]), ("1/x > 0", ["x >= 0"]), ("exp(x) >= 2 + x", [])]


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "where"), PROVED + REFUTED)
def test_certificates_of_the_prover_and_their_mutants(goal: str, where: list[str]) -> None:
    record = prove(goal, where)
    assert record.verdict == ("proved" if (goal, where) in PROVED else "refuted")
    assert record.certificate is not None
    data = record.certificate.data
    check(data, {"let": [], "where": where, "goal": goal})
    assert not certifies(data, {"let": [], "where": where, "goal": "x > 17"})
    rng = random.Random(goal)
    for _ in range(40):
        other = mutant(rng, data)
        assert kernel_accepts(other) == recheck_accepts(other), json.dumps(other)


def test_a_derivative_at_an_undefined_point_is_refused() -> None:
    data = no_point().certificate()
    pair = Pair(data["nodes"])
    assert pair.attempt(data["steps"][0]) == (None, None)


# ---- malformed data ----

def whole(**changes: Any) -> Any:
    return {**SHEETS[0]().certificate(), **changes}


DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]

MALFORMED = [
    None, 3, [], {}, "x", whole(extra=1), whole(schema=True), whole(schema="1"), whole(schema=1), whole(schema=3),
    whole(main=-1),
    whole(main=99), whole(main=None), whole(main=1.0), whole(main=True), whole(witness=0), whole(witness="0"),
    whole(nodes=None), whole(nodes=[None]), whole(nodes=[[]]), whole(nodes=[["exp"]]), whole(nodes=[["exp", 0]]),
    whole(nodes=["x", ["exp", -1]]), whole(nodes=["x", ["W", 1, 0]]), whole(nodes=["x", ["W", True, 0]]),
    whole(nodes=["x", ["app", "f"]]), whole(nodes=["x", [">", 0, 0]]), whole(nodes=["x", ["and", 0]]),
    whole(nodes=["x", ["nothing", 0]]), whole(nodes=["1/0"]), whole(nodes=["1" * 5000]), whole(nodes=["1.5"]),
    whole(nodes=["٣"]), whole(nodes=["--1"]), whole(nodes=["x'''''''''"]), whole(nodes=["x" * 50]), whole(nodes=[7]),
    whole(nodes=[10 ** 5000]), whole(nodes=[DEEP]), whole(nodes=["x", *(["exp", i] for i in range(400))]),
    whole(nodes=["x", *(["+", i, i] for i in range(100))]), whole(steps=None), whole(steps=[None]), whole(steps=[[]]),
    whole(steps=[["hyp"]]), whole(steps=[["hyp", "0"]]), whole(steps=[["no_rule", 0]]), whole(steps=[[0]]),
    whole(steps=[[["hyp"], 0]]), whole(steps=[["and_intro", 0]]), whole(steps=[["and_elim", 0, 0]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", 1, 2]], None, 53]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", 10 ** 5000, "2"]], None, 53]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", "2", "1"]], None, 53]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", "1", "2"]], ["x", "3", None, None], 53]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", "1", "2"]], DEEP, 53]]),
    whole(nodes=["x", [">", 0]], steps=[["ball", 1, [["x", "1", "2"]], None, 10 ** 30]]),
    whole(nodes=["x", [">", 0]], steps=[["combine", 1, [], [[0, [[0, 1]], []]]]]),
    whole(nodes=["x", [">", 0]], steps=[["combine", 1, [], [[0, [0], []]]]]),
    whole(statement=None), whole(statement={}), whole(statement={"let": [], "where": [], "goal": 3}),
    whole(statement={"let": {}, "where": [], "goal": "x > 0"}),
    whole(statement={"let": [], "where": [0], "goal": "x > 0"}),
]


@pytest.mark.parametrize("index", range(len(MALFORMED)))
def test_malformed_certificates_are_rejected_cleanly(index: int) -> None:
    with pytest.raises(RecheckError):
        check(MALFORMED[index])
    assert not kernel_accepts(MALFORMED[index])


def test_expressions_that_outgrow_the_limits_are_rejected() -> None:
    nodes: list[Any] = ["x", *(["exp", i] for i in range(140)), [">", 140]]
    deep = [["hyp", 141], *(["instance", i, "x", 140, []] for i in range(20))]
    doubling: list[Any] = [["hyp", 2], *(["instance", i, "x", 1, []] for i in range(60))]
    nested: list[Any] = [["hyp", 1], *(["imp_intro", 1, i] for i in range(3000))]
    for other in (whole(nodes=nodes, steps=deep), whole(nodes=["x", ["+", 0, 0], [">", 1]], steps=doubling),
                  whole(nodes=["x", [">", 0]], steps=nested)):
        with pytest.raises(RecheckError, match="limit"):
            check(other)
        assert not kernel_accepts(other)


def test_a_coarse_subdivision_is_refused_and_a_fine_one_accepted() -> None:
    data = SHEETS[-1]().certificate()
    for levels, good in ((0, False), (2, False), (5, True), (6, True)):
        data["steps"][-1][3] = refined(levels)
        assert recheck_accepts(data) == kernel_accepts(data) == good
