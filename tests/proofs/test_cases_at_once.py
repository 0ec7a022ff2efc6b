"""Many disjunctions among the conditions, of which few bear on the goal."""

from __future__ import annotations

from typing import Any

import pytest

from qtheory.proofs import gate
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.along import along
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.pointwise import pointwise

MANY = tuple(f"Or(x{n} > 0, x{n} < -1, x{n} == y)" for n in range(12))
EACH = "ForAll(i, And(floor(i) == i, i >= 1), {})"


def proved(goal: str, *where: str, budget: float = 4.0) -> dict[str, Any]:
    statement = Statement(goal, where)
    data = pointwise(statement.parsed(), budget)
    assert gate.certified(statement, data, look=0).verdict == "proved"
    return data


@pytest.mark.parametrize(("goal", "where"), [
    ("Or(a > b, c <= d)", ("Or(a > b, c <= e)", "e == d")),
    ("And(a >= 0, Or(a > b, And(c == 0, d == 1)))", ("Or(a > b, And(c >= 0, d == 1))", "c <= 0", "a >= 0")),
    ("Or(a > b, c == 0)", ("Or(a > b, d == 0)", "Or(d >= 1, c <= 0)", "c >= 0")),
    ("a > 0", ("Or(a > 1, a == 1, b < 0)", "b >= 0")),
])
def test_those_that_do_not_bear_on_the_goal_are_no_cases(goal: str, where: tuple[str, ...]) -> None:
    """Three to the twelfth cases would take some hundred thousand steps."""
    assert len(proved(goal, *MANY, *where)["steps"]) < 150


def test_one_bears_on_the_goal_by_way_of_another() -> None:
    proved("Or(a > b, c == 0)", "Or(a > b, x > y)", "Or(x <= y, z > 1)", "Or(z <= 1, c == 0)")


def test_conditions_are_taken_at_all_terms_and_few_of_what_they_say_are_cases() -> None:
    grows = "ForAll(v, v >= 0, ForAll(y, y >= 0, Or(v > y, f(v) <= f(y))))"
    statement = Statement(EACH.format("Or(g(i) > h(i), f(g(i)) <= s(i))"), (
        "f, g, h, s in functions", grows, EACH.format("And(g(i) >= 0, h(i) >= 0)"), EACH.format("s(i) == f(h(i))")))
    terms = [Statement(f"{t} == 0", ("g, h in functions",)).conclusion[1] for t in ("i", "g(i)", "h(i)")]
    data = along(statement.parsed(), terms, 4.0)
    assert gate.certified(statement, data, look=0).verdict == "proved" and len(data["steps"]) < 150


@pytest.mark.parametrize("where", [
    ("Or(a > b, c <= d)",), ("Or(a > b, d == 0)", "Or(d >= 1, c >= 0)"), ("Or(a > b, And(c >= 0, d == 1))",)])
def test_what_does_not_follow_is_not_found(where: tuple[str, ...]) -> None:
    with pytest.raises(Stuck):
        pointwise(Statement("Or(a > b, c == 0)", where).parsed(), 0.5)
