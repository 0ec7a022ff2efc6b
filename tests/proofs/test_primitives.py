"""What has no elementary antiderivative is seen before SymPy is asked; disjunctions by the sign of a term."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.primitives import antiderivative, beyond
from qtheory.proofs.tactics.search import search

SQUARE: Node = ("^", "x", Fraction(2))
GAUSS: Node = ("exp", ("+", ("*", Fraction(-1), "p", "x"), ("*", Fraction(-1), "e", SQUARE)))


@pytest.mark.parametrize("body", [
    GAUSS, ("*", "n", GAUSS), ("*", ("^", "n", Fraction(-1)), GAUSS), ("+", ("*", "n", GAUSS), ("*", "m", GAUSS)),
    ("*", ("exp", "x"), ("exp", SQUARE)), ("exp", ("*", ("^", "e", Fraction(-1)), SQUARE))])
def test_no_elementary_antiderivative(body: Node) -> None:
    assert beyond(body, "x")
    with pytest.raises(Stuck, match="elementary"):
        antiderivative(body, "x", frozenset())


@pytest.mark.parametrize("body", [
    "n", "x", ("exp", "x"), ("*", "x", GAUSS), ("+", GAUSS, Fraction(1)), ("exp", ("log", "x")),
    ("*", ("exp", SQUARE), ("exp", ("*", Fraction(-1), SQUARE))), ("*", ("^", "x", Fraction(-1)), GAUSS),
    ("exp", ("*", "x", ("^", ("+", "x", Fraction(1)), Fraction(-1)))), ("exp", ("*", "p", "x"))])
def test_nothing_else_is_called_so(body: Node) -> None:
    assert not beyond(body, "x")


@pytest.mark.parametrize("goal", ["Or(x > 0, x <= 0)", "Or(t <= r, r < t)", "Or(x < y, x == y, x > y)",
                                  "Or(exp(x) > y, exp(x) <= y)"])
def test_a_disjunction_by_the_sign_of_a_term(goal: str) -> None:
    assert search(Statement(goal), budget=2.0).verdict == "proved"


@pytest.mark.parametrize("goal", ["Or(x > 0, x < 0)", "Or(t < r, r < t)", "Or(log(x) > 0, log(x) <= 0)"])
def test_false_disjunctions_are_not_proved(goal: str) -> None:
    assert search(Statement(goal), budget=2.0).verdict != "proved"
