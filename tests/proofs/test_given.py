"""Premises of lemmas, and goals, that a fact states, or denies, in so many words."""

from __future__ import annotations

import pytest

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.applied import literally
from qtheory.proofs.tactics.builder import Stuck, hyp
from qtheory.proofs.tactics.logic import as_known
from qtheory.proofs.tactics.prover import ORDINARY


def formula(text: str) -> Node:
    return Statement("0 == 0", (text,)).hypotheses[0]


@pytest.mark.parametrize(("fact", "premise"), [
    ("x == y", "x >= y"), ("x == y", "x <= y"), ("x > y", "x >= y"), ("x == 0", "x <= 0"),
    ("exp(x) == 1 + y", "exp(x) <= 1 + y")])
def test_stated(fact: str, premise: str) -> None:
    step = literally(ORDINARY.search(1.0), formula(premise), [hyp(formula("z > 0")), hyp(formula(fact))])
    assert step is not None
    assert step.concl == formula(premise)
    assert step.hyps <= {formula("z > 0"), formula(fact)}


@pytest.mark.parametrize(("fact", "premise"), [
    ("x == y", "x > y"), ("x == y", "x < y"), ("x <= y", "x > y"), ("x < y", "x >= y"), ("x < y", "x > y"),
    ("x <= 0", "x > 0")])
def test_denied(fact: str, premise: str) -> None:
    with pytest.raises(Stuck, match="false"):
        literally(ORDINARY.search(1.0), formula(premise), [hyp(formula(fact))])


@pytest.mark.parametrize(("fact", "premise"), [
    ("x >= y", "x <= y"), ("x >= y", "x > y"), ("x != y", "x > y"), ("x > z", "x > y"), ("x > y", "x == y")])
def test_left_open(fact: str, premise: str) -> None:
    assert literally(ORDINARY.search(1.0), formula(premise), [hyp(formula(fact))]) is None


X, CASES = formula("x > y"), formula("Or(x > 1, z == 0)")


@pytest.mark.parametrize(("facts", "goal"), [
    ((CASES,), CASES), ((formula("x > 1"),), CASES), ((X, CASES), ("and", X, CASES))])
def test_a_goal_is_known_by_its_words(facts: tuple[Node, ...], goal: Node) -> None:
    step = as_known(goal, {f: hyp(f) for f in facts})
    assert step is not None
    assert step.concl == goal and step.hyps == set(facts)


@pytest.mark.parametrize(("facts", "goal"), [
    ((X,), ("and", X, CASES)), ((("and", X, CASES),), X), ((formula("x >= 1"),), CASES)])
def test_what_has_to_be_proved_is_not_known(facts: tuple[Node, ...], goal: Node) -> None:
    assert as_known(goal, {f: hyp(f) for f in facts}) is None
