"""What holds of the first parts of sums: shares of a budget, which are whole numbers and add up to all of it."""

from __future__ import annotations

import pytest

from qtheory.proofs.checkers import both
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.prefixes import prefixes

WHERE = ("a in functions", "Natural(c)", "ForAll(i, And(floor(i) == i, i >= 1), Natural(a(i)))")
LET = ("P(n) = Sum(a(j), (j, 1, n))", "F(n) = Min(c, P(n))", "g(i) = F(i) - F(i - 1)")
EVERY = "ForAll(l, And(Integer(l), l >= 0), {})"


@pytest.mark.parametrize("claim", [
    "Integer(P(l))", "And(Integer(P(l)), P(l) >= 0)",
    "And(Integer(P(l)), P(l) >= 0, Integer(F(l)), Sum(g(i), (i, 1, l)) == F(l) - F(0))"])
def test_what_holds_of_first_parts_is_proved(claim: str) -> None:
    statement = Statement(EVERY.format(claim), WHERE, LET).parsed()
    both(prefixes(statement, 20.0), statement)


@pytest.mark.parametrize("claim", [
    "P(l) > 0", "Integer(P(l)/2)", "And(Integer(P(l)), Sum(g(i), (i, 1, l)) == F(l) - F(0) + l)"])
def test_what_does_not_hold_is_not(claim: str) -> None:
    with pytest.raises(Stuck):
        prefixes(Statement(EVERY.format(claim), WHERE, LET).parsed(), 3.0)


def test_other_goals_are_left_to_others() -> None:
    with pytest.raises(Stuck):
        prefixes(Statement("c >= 0", WHERE, LET).parsed(), 1.0)
