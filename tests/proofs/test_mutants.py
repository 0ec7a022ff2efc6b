"""After any single change a certificate is rejected, or still proves the caller's unchanged statement."""

from __future__ import annotations

import json
import random
import types
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutants, statements
from outcomes import outcome
from recheck_sheets import SHEETS

from qtheory.proofs.api import prove
from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.kernel.theorem import RULES
from qtheory.proofs.recheck import RecheckError
from qtheory.proofs.recheck import check as recheck

GOALS = [("-log(1-x) > x", ("0 < x < 1",)), ("(1+x)**n >= 1 + n*x", ("x > -1", "n in naturals")),
         ("x/(1-x) + log(1-x) > 0", ("0 < x < 1",)), ("x > x**2", ("0 < x < 2",)),
         ("Sum(1/(k - 2), (k, 0, n)) < 1", ("n in naturals",)), ("Integral(log(t), (t, -1, y)) < LambertW(y)", ()),
         ("Max(2*l, W + X - l) >= V + l", ("W >= V + l", "l >= 0", "V >= 0", "W >= 0", "X >= 0"))]
CASES = [s.__name__ for s in SHEETS] + [goal for goal, _ in GOALS]
LONG = {"-log(1-x) > x", "(1+x)**n >= 1 + n*x", "x/(1-x) + log(1-x) > 0", "enclosed"}  # to check
SAMPLE = 30


@cache
def certificate(case: str) -> dict[str, Any]:
    for sheet in SHEETS:
        if sheet.__name__ == case:
            return json.loads(json.dumps(sheet().certificate()))
    record = prove(case, dict(GOALS)[case])
    assert record.certificate is not None
    return json.loads(json.dumps(record.certificate.data))


def both(data: Any, statement: Statement | None = None) -> tuple[str, str]:
    """What the kernel and the second checker say, for the caller's statement."""
    asked = statement.to_json() if statement is not None else None
    return (outcome(lambda: kernel_check(data, statement), KernelError),
            outcome(lambda: recheck(data, asked), RecheckError))


def examine(case: str, changes: list[tuple[str, Any]]) -> Counter[str]:
    """Judge the changed certificates against the caller's statement; returns how they ended."""
    data = certificate(case)
    stated = Statement.from_json(data["statement"])
    assert both(data, stated) == ("accepted", "accepted")
    ends: Counter[str] = Counter()
    for kind, other in changes:
        first, second = both(other, stated)
        assert first in ("accepted", "rejected") and first == second, (kind, first, second, json.dumps(other))
        if first == "accepted":
            assert other["verdict"] == data["verdict"], "a statement both proved and refuted"
            assert kernel_check(other)[0].same(stated)
        ends[first] += 1
    return ends


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.slow] * (c in LONG)) for c in CASES])
def test_single_changes(case: str, record_property: Any) -> None:
    changes = list(mutants(certificate(case)))
    random.Random(case).shuffle(changes)
    ends = examine(case, changes[:SAMPLE])
    share = ends["accepted"] / ends.total()
    record_property("share of harmless changes", round(share, 4))
    print(f"{case}: {ends.total()} changes, {share:.1%} harmless")
    assert share < 0.5


@pytest.mark.study
@pytest.mark.parametrize("case", CASES)
def test_all_single_changes(case: str, record_property: Any) -> None:
    changes = list(mutants(certificate(case)))
    ends = examine(case, changes)
    record_property("changes", ends.total())
    record_property("share of harmless changes", round(ends["accepted"] / ends.total(), 4))
    print(f"{case}: {ends.total()} changes, {ends['accepted'] / ends.total():.1%} harmless")
    assert ends["rejected"] > ends["accepted"]


@pytest.mark.sliced(3)
@pytest.mark.parametrize("case", CASES)
def test_another_statement_is_always_rejected(case: str) -> None:
    """In the certificate, or asked by the caller; what only looks different is left out."""
    data = certificate(case)
    stated, different = Statement.from_json(data["statement"]), 0
    for changed in statements(data["statement"]):
        other = {**data, "statement": changed}
        try:
            asked = Statement.from_json(changed)
        except KernelError:
            assert both(other, stated) == ("rejected", "rejected")
            continue
        if asked.same(stated):
            continue
        different += 1
        assert both(other, stated) == ("rejected", "rejected")
        assert both(data, asked) == ("rejected", "rejected")
        if asked.conclusion != stated.conclusion:
            assert both(other) == ("rejected", "rejected"), changed
    assert different >= 3


# ---- malformed data ----

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6) | st.sampled_from(
    ["x", "0", "1/2", "1/0", "-", "+", "^", ">", "and", "all", "sum", "W", "proved", *sorted(RULES)])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner,
                                                                                       max_size=3), max_leaves=20)
KEYS = ("schema", "verdict", "statement", "nodes", "steps", "main", "witness")


def clean(data: Any) -> None:
    first, second = both(data)
    assert first in ("accepted", "rejected") and second == first, (first, second)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, deadline=None)
@given(JSON)
def test_random_data(data: Any) -> None:
    assert both(data) == ("rejected", "rejected")


def examples(count: int) -> settings:
    return settings(max_examples=count, derandomize=True, deadline=None)


@given(st.sampled_from(KEYS), JSON)
def random_parts(key: str, value: Any) -> None:
    clean({**certificate("division"), key: value})


@given(st.data())
def random_steps(draw: st.DataObject) -> None:
    """Steps of a known rule and the right length, with random arguments among likely ones."""
    data = certificate(draw.draw(st.sampled_from(["division", "mean", "bernoulli", "functions"])))
    index = st.integers(-1, len(data["nodes"])) | st.integers(0, max(0, len(data["steps"]) - 1))
    argument = index | st.lists(index, max_size=3) | st.sampled_from(["x", "t", "n"]) | JSON
    rule = draw.draw(st.sampled_from(sorted(RULES)))
    step = [rule, *(draw.draw(argument) for _ in RULES[rule][1])]
    clean({**data, "steps": [*data["steps"], step]})


@given(st.data())
def random_replacements(draw: st.DataObject) -> None:
    """A valid certificate with a part of its nodes or steps replaced by random data."""
    data = json.loads(json.dumps(certificate("mean")))
    holder: Any = data[draw.draw(st.sampled_from(["nodes", "steps"]))]
    while True:
        place = draw.draw(st.integers(0, len(holder) - 1))
        if not isinstance(holder[place], list) or not holder[place] or draw.draw(st.booleans()):
            break
        holder = holder[place]
    holder[place] = draw.draw(JSON)
    clean(data)


def undecorated(law: Callable[[], None]) -> Callable[[], None]:
    """The law without settings: hypothesis lets a function have them once only."""
    copy = types.FunctionType(law.__code__, law.__globals__, law.__name__, law.__defaults__, law.__closure__)
    copy.__dict__.update({k: v for k, v in law.__dict__.items() if "settings" not in k})
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("law", [random_parts, random_steps, random_replacements], ids=lambda law: law.__name__)
def test_random_changes(law: Callable[[], None]) -> None:
    examples(40)(undecorated(law))()


@pytest.mark.study
@pytest.mark.parametrize("law", [random_parts, random_steps, random_replacements], ids=lambda law: law.__name__)
def test_many_random_changes(law: Callable[[], None]) -> None:
    examples(500)(undecorated(law))()


PIECES = ["x", "y", "1", "0", "+", "-", "*", "/", "**", "(", ")", ",", ">", "<=", "==", "=", "in", "naturals", "log(",
          "Max(", "Sum(", "Limit(", "Eq(", "Or(", "ForAll(", "diff(", "BigO(", "At(", "oo", "E", "'+'", " "]


@pytest.mark.slow
@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.text(max_size=30) | st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_random_statements(text: str) -> None:
    for statement in ({"let": [], "where": [], "goal": text}, {"let": [], "where": [text], "goal": "x > 0"},
                      {"let": [text], "where": [], "goal": "x > 0"}):
        data = {**certificate("division"), "statement": statement}
        assert both(data) == ("rejected", "rejected")
