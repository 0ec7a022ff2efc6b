"""Points that steer the search: samples under the conditions, and the places where a counterexample may lie."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import negate
from qtheory.proofs.tactics import sampling
from qtheory.proofs.tactics.arrays import values
from qtheory.proofs.tactics.builder import hyp
from qtheory.proofs.tactics.elimination import layout
from qtheory.proofs.tactics.order import shared
from qtheory.proofs.tactics.points import judge, random_points, simple_points
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.sampling import ENOUGH
from qtheory.proofs.tactics.universal import plausible


def test_no_points_are_sought_where_some_of_the_conditions_gave_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[list[Any]] = []

    def samples(conditions: list[Any], *rest: Any) -> list[dict[str, float]]:
        sought.append(conditions)
        return [] if (">", "x") in conditions else [{"y": 1.0}]

    monkeypatch.setattr(sampling, "samples", samples)
    search, x, y = ORDINARY.search(1.0), hyp((">", "x")), hyp((">", "y"))
    assert search.points((">", "y"), [y]) == [{"y": 1.0}]
    assert search.points((">", "x"), [x]) == []
    assert search.points((">", "x"), [x, y]) == []
    assert sought == [[(">", "y")], [(">", "x")]]
    assert search.points((">", "y"), [y]) == [{"y": 1.0}] and len(sought) == 2


def test_under_more_conditions_on_the_same_variables_the_points_at_which_they_hold_are_taken() -> None:
    search, x, one = ORDINARY.search(1.0), hyp((">", "x")), hyp((">", ("+", Fraction(1), ("*", Fraction(-1), "x"))))
    small = hyp((">", ("+", Fraction(100), ("*", Fraction(-1), "x"))))
    wide = search.points((">", "x"), [x])
    assert len(wide) == 16 and any(p["x"] > 1 for p in wide)
    more = search.points((">", "x"), [x, small])
    assert len(more) >= ENOUGH and more == [p for p in wide if p["x"] < 100]
    few = search.points((">", "x"), [x, one, hyp((">", ("+", Fraction(-999, 1000), "x")))])
    assert all(0.999 < p["x"] < 1 for p in few)  # too few were left: they are sought anew
    other = search.points((">", "y"), [x, hyp((">", ("+", "y", "x")))])
    assert not {p["x"] for p in other} <= {p["x"] for p in wide}  # as for further variables


def test_random_points_lie_between_the_ends_of_their_variable() -> None:
    """Also those that are drawn close to either end."""
    plan = layout(((">=", "x"), (">=", ("+", Fraction(3), ("*", Fraction(-1), "x")))), ("x",))
    assert plan is not None
    x = random_points(plan, np.random.default_rng(0), 2000)["x"]
    assert x.min() >= 0 and x.max() <= 3
    assert (x < 0.01).mean() > 0.05 and (x > 2.99).mean() > 0.05


def test_parts_of_literals_that_are_not_scored_hold_at_the_same_points() -> None:
    literals = ((">", "x"), (">=", ("+", ("log", "x"), "y")), ("!=", "y"), (">", ("+", Fraction(2), ("log", "x"))))
    plan = layout(literals, ("x", "y"))
    assert plan is not None
    at = simple_points(plan, np.random.default_rng(0))
    scored, plain = judge(literals, plan, at, scored=True), judge(literals, plan, at)
    assert scored.clear.any() and not scored.clear.all()
    assert np.array_equal(scored.clear, plain.clear) and np.array_equal(scored.level, plain.level)
    never = judge(((">", "x"), (">", Fraction(-1))), plan, at)
    assert not never.clear.any() and not never.level.any()


def clear_points(goal: str, *where: str) -> int:
    statement = Statement(goal, where)
    literals = (*statement.hypotheses, negate(statement.conclusion)[2])
    plan = layout(literals, tuple(statement.variables))
    assert plan is not None
    return int(judge(literals, plan, simple_points(plan, np.random.default_rng(0))).clear.sum())


def test_what_an_equation_gives_is_no_more_exact_than_what_it_is_computed_from() -> None:
    """Beside terms of a million a difference of rounding was taken for a counterexample."""
    where = ("a + b*n - x + log(x) == b*n", "b > 0", "n > 0", "x > 0")
    assert clear_points("Eq(a, x - log(x))", *where) == 0
    assert clear_points("Eq(a, x - log(x) + 1/10)", *where) > 0


def test_an_integral_with_too_few_nodes_tells_nothing() -> None:
    integral = "Integral(s*exp(-s*u), (u, 0, t))"
    assert clear_points(f"Eq({integral}, 1 - exp(-s*t))", "s > 0", "t >= 0") == 0
    assert clear_points(f"Eq({integral}, 1 - exp(-2*s*t))", "s > 0", "t >= 0") > 0
    assert clear_points(f"Eq({integral}, 2)", "s > 0", "t >= 0", "s < 0") == 0  # nor do no points at all


def test_a_value_that_is_too_small_for_floating_point_is_not_zero() -> None:
    at = {"x": np.array([1.0, 1000.0])}
    found = values(("^", ("exp", ("*", Fraction(-1), "x")), Fraction(-1)), at)
    assert not np.any(found.undefined) and found.value[0] == pytest.approx(math.e)
    assert not np.isfinite(found.value[1])


def test_an_existence_that_holds_for_one_value_alone_is_found_before_its_negation_is_proved() -> None:
    statement = Statement("Exists(c, c > 0, ForAll(r, And(0 <= r, r <= 1), r**2/n == c*r**2))", ("n > 0",))
    false = Statement("Exists(c, c > 0, ForAll(r, And(0 <= r, r <= 1), r**2/n == c*r))", ("n > 0",))
    at = {"n": np.array([1.0, 2.0, 7.0])}
    assert not plausible(negate(statement.conclusion), at).any()
    assert plausible(negate(false.conclusion), at).all()


def test_equal_terms_are_one_object() -> None:
    def term() -> Any:
        return ("+", ("^", ("+", "x", Fraction(1)), Fraction(2)), ("log", ("+", "x", Fraction(1))))

    first, second = shared(term()), shared(term())
    assert first is second and first == term() and first[1][1] is first[2][1]
