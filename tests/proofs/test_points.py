"""Sample points steer the search: where some conditions gave none, none are sought for more of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from qtheory.proofs.tactics import solve
from qtheory.proofs.tactics.builder import hyp
from qtheory.proofs.tactics.elimination import layout
from qtheory.proofs.tactics.points import judge, simple_points
from qtheory.proofs.tactics.solve import ENOUGH, Prover


def test_no_points_are_sought_where_some_of_the_conditions_gave_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[list[Any]] = []

    def samples(conditions: list[Any], *rest: Any) -> list[dict[str, float]]:
        sought.append(conditions)
        return [] if (">", "x") in conditions else [{"y": 1.0}]

    monkeypatch.setattr(solve, "samples", samples)
    prover, x, y = Prover(1.0), hyp((">", "x")), hyp((">", "y"))
    assert prover.points((">", "y"), [y]) == [{"y": 1.0}]
    assert prover.points((">", "x"), [x]) == []
    assert prover.points((">", "x"), [x, y]) == []
    assert sought == [[(">", "y")], [(">", "x")]]
    assert prover.points((">", "y"), [y]) == [{"y": 1.0}] and len(sought) == 2


def test_under_more_conditions_on_the_same_variables_the_points_at_which_they_hold_are_taken() -> None:
    prover, x, one = Prover(1.0), hyp((">", "x")), hyp((">", ("+", Fraction(1), ("*", Fraction(-1), "x"))))
    small = hyp((">", ("+", Fraction(100), ("*", Fraction(-1), "x"))))
    wide = prover.points((">", "x"), [x])
    assert len(wide) == 16 and any(p["x"] > 1 for p in wide)
    more = prover.points((">", "x"), [x, small])
    assert len(more) >= ENOUGH and more == [p for p in wide if p["x"] < 100]
    few = prover.points((">", "x"), [x, one, hyp((">", ("+", Fraction(-999, 1000), "x")))])
    assert all(0.999 < p["x"] < 1 for p in few)  # too few were left: they are sought anew
    other = prover.points((">", "y"), [x, hyp((">", ("+", "y", "x")))])
    assert not {p["x"] for p in other} <= {p["x"] for p in wide}  # as for further variables


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
