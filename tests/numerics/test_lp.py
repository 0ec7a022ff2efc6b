"""Exact linear programs: against HiGHS, and Farkas multipliers that add up."""

from __future__ import annotations

import random
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import linprog

from qtheory.numerics.lp import Form, highs, minimum, multipliers, roundings, solve_exactly


def test_what_turns_in_a_circle_comes_to_an_end() -> None:
    """Nothing but 0 is feasible, and every basis is: with the last of equal rows in place of the first the pivots
    come back to where they began."""
    columns = [[F(v) for v in column] for column in (
        (-3, 4, 1), (-5, 2, -4), (0, 2, 1), (4, 2, -3), (5, 0, 2), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert minimum([F(c) for c in (3, -4, 1, 4, 3, 0, 0, 0)], columns, [F(0)] * 3) == [0] * 8


def drawn(seed: int) -> tuple[list[F], list[list[F]], list[F]]:
    """A random program with small integers: costs, columns, right side."""
    rng = random.Random(seed)
    m, n = rng.randint(1, 4), rng.randint(1, 7)
    columns = [[F(rng.randint(-3, 3)) for _ in range(m)] for _ in range(n)]
    return [F(rng.randint(-1, 5)) for _ in range(n)], columns, [F(rng.randint(-4, 4)) for _ in range(m)]


@pytest.mark.parametrize("seed", range(60))
def test_the_least_cost_is_that_of_highs(seed: int) -> None:
    costs, columns, right = drawn(seed)
    matrix = np.array(columns, dtype=float).T
    other = linprog([float(c) for c in costs], A_eq=matrix, b_eq=[float(b) for b in right], method="highs")
    if other.status == 3:
        with pytest.raises(ArithmeticError):
            minimum(costs, columns, right)
        return
    found = minimum(costs, columns, right)
    assert (found is None) == (other.status == 2)
    if found is not None:
        assert min(found) >= 0
        assert [sum(x * c[i] for x, c in zip(found, columns, strict=True)) for i in range(len(right))] == right
        assert float(sum(x * c for x, c in zip(found, costs, strict=True))) == pytest.approx(other.fun, abs=1e-7)


@pytest.mark.parametrize("seed", range(60))
def test_multipliers_prove_what_holds_and_nothing_else(seed: int) -> None:
    """Of random facts about x, y in a box: the goal's least value, by HiGHS, says whether there are any."""
    rng = random.Random(seed)

    def form() -> Form:
        return Form({x: F(rng.randint(-2, 2)) for x in "xy"}, F(rng.randint(-2, 3)))

    least = [form() for _ in range(3)] + [Form({x: F(s)}, F(4)) for x in "xy" for s in (1, -1)]
    equal, goal = [form()] if seed % 2 else [], form()
    def row(f: Form) -> list[float]:
        return [float(f.coefficients.get(x, 0)) for x in "xy"]

    other = linprog(row(goal), A_ub=[[-v for v in row(f)] for f in least], b_ub=[float(f.constant) for f in least],
                    A_eq=[row(f) for f in equal] or None, b_eq=[-float(f.constant) for f in equal] or None,
                    bounds=[(None, None)] * 2, method="highs")
    found = multipliers(goal, equal, least)
    assert (found is not None) == (other.status == 2 or other.fun + float(goal.constant) >= -1e-9)
    if found is not None:
        a, b = found
        total = sum((f * v for f, v in zip([*equal, *least], [*a, *b], strict=True)), Form())
        rest = goal - total
        assert min(b) >= 0 and not rest.coefficients and rest.constant >= 0


def test_equations_that_contradict_each_other_prove_anything() -> None:
    x = Form({"x": F(1)})
    facts, goal = [x, x - Form({}, F(1))], Form({"x": F(5)}, F(-7))
    found = multipliers(goal, facts, [])
    assert found is not None
    goal -= sum((f * a for f, a in zip(facts, found[0], strict=True)), Form())
    assert not goal.coefficients and goal.constant >= 0


def test_forms() -> None:
    f = Form({"x": F(1), "y": F(0)}, F(2))
    assert f.coefficients == {"x": 1} and (f - f).key == Form().key and (f * 3).at({"x": F(1, 3)}) == 7


def test_linear_systems() -> None:
    assert solve_exactly([[F(1), F(2)], [F(3), F(4)]], [F(5), F(6)]) == [F(-4), F(9, 2)]
    assert solve_exactly([[F(1), F(1)], [F(1), F(1)]], [F(1), F(2)]) is None
    assert solve_exactly([[F(1), F(1)]], [F(3)]) == [F(3), F(0)]
    assert solve_exactly([], []) == []


def test_floats_and_their_roundings() -> None:
    x = highs([1.0, 1.0], [Form({0: F(1), 1: F(1)}, F(-1)), Form({1: F(1)}, F(2))], [False, True])
    assert x is not None and x.sum() == pytest.approx(1.0)
    assert highs([1.0], [Form({0: F(-1)}, F(-1))], [False]) is None
    tried = roundings([0.3333333333])
    assert tried[0] == [F(1, 3)] and float(tried[-1][0]) == 0.3333333333
