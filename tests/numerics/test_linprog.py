"""Linear programs: exact optima against the exact simplex method, conflicts, prices, frontiers and ratios."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F

import pytest

from qtheory.errors import InputError
from qtheory.numerics.linprog import (
    Infeasible,
    LinearProgram,
    Row,
    Unbounded,
    maximise_ratio,
    price,
    solve,
    sweep,
    sweep_objective,
)
from qtheory.numerics.lp import minimum

STEP = F(1, 10**9)


def drawn(seed: int) -> LinearProgram:
    """A small program with small numbers, so that many are degenerate, infeasible or unbounded."""
    draw = random.Random(seed)
    names = [f"x{i}" for i in range(draw.randint(1, 5))]
    rows = [Row(f"r{i}", {x: draw.randint(-3, 3) for x in names}, draw.choice(["<=", "<=", ">=", "=="]),
                F(draw.randint(-4, 6))) for i in range(draw.randint(1, 5))]
    return LinearProgram({x: draw.randint(-3, 4) for x in names}, tuple(rows), tuple(names))


def by_simplex(program: LinearProgram) -> F | str | None:
    """The optimum by the dense exact simplex method; None if infeasible, "unbounded" if so."""
    rows, names = program.rows, program.variables
    columns = [[r.coefficients.get(x, F(0)) for r in rows] for x in names]
    costs = [-program.objective.get(x, F(0)) for x in names]
    for i, r in enumerate(rows):
        if r.relation != "==":
            columns.append([F(1 if r.relation == "<=" else -1) if k == i else F(0) for k in range(len(rows))])
            costs.append(F(0))
    try:
        found = minimum(costs, columns, [r.right for r in rows])
    except ArithmeticError:
        return "unbounded"
    return None if found is None else -sum((c * v for c, v in zip(costs, found, strict=True)), F(0))


@pytest.mark.sliced(3)
@pytest.mark.parametrize("seed", range(120))
def test_optimum_conflict_or_ray(seed: int) -> None:
    program = drawn(seed)
    expected = by_simplex(program)
    try:
        found = solve(program)
    except Infeasible as error:
        assert expected is None
        total: dict[str, F] = {}
        for name, m in error.multipliers.items():
            row = program.by_name[name]
            assert row.relation == "==" or (m >= 0) == (row.relation == "<=")
            for x, c in row.coefficients.items():
                total[x] = total.get(x, F(0)) + m * c
        assert min(total.values(), default=0) >= 0
        assert sum(m * program.by_name[n].right for n, m in error.multipliers.items()) < 0
        for row in error.conflict:  # irreducible
            assert solve(LinearProgram({}, tuple(r for r in error.conflict if r is not row), program.variables))
        return
    except Unbounded as error:
        assert expected == "unbounded"
        assert sum(program.objective.get(x, F(0)) * d for x, d in error.ray.items()) > 0
        return
    assert found.value == expected
    assert found.check() == []
    other = found.other()
    if other is not None:
        assert other.point != found.point and other.value == found.value and program.broken(other.point) == []
    else:
        assert all(low == high for low, high in (found.spread({x: F(1)}) for x in program.variables))


def test_one_of_many_conflicts_is_found_at_once() -> None:
    """Each row that is dropped leaves eleven other conflicts."""
    rows = [Row(f"{relation}{i}", {f"x{i}": 1}, relation, F(bound)) for i in range(12)
            for relation, bound in ((">=", 2), ("<=", 1))]
    with pytest.raises(Infeasible) as caught:
        solve(LinearProgram({}, tuple(rows)))
    assert len(caught.value.conflict) == 2 and str(caught.value).startswith("these cannot hold together: ")


@pytest.mark.sliced(3)
@pytest.mark.parametrize("seed", range(120))
def test_a_price_is_the_slope_within_its_range(seed: int) -> None:
    program = drawn(seed)
    try:
        found = solve(program)
    except (Infeasible, Unbounded):
        return
    for row in program.rows:
        p = price(found, row.name)
        for end, slope, sign in ((p.high, p.right, 1), (p.low, p.left, -1)):
            at = row.right + sign * STEP if end is None else end
            if at == row.right:
                continue
            assert solve(program.with_right(row.name, at)).value == found.value + slope * (at - row.right)
            inside = (at + row.right) / 2
            assert solve(program.with_right(row.name, inside)).value == found.value + slope * (inside - row.right)


def test_a_wrong_solution_is_seen() -> None:
    from dataclasses import replace

    rows = (Row("a", {"x": 1, "y": 1}, "<=", F(4)), Row("b", {"x": 1}, "<=", F(3)))
    found = solve(LinearProgram({"x": 3, "y": 2}, rows))
    assert found.value == 11 and found.check() == []
    assert replace(found, point={"x": F(4), "y": F(0)}).check()
    assert replace(found, prices={"a": F(3), "b": F(0)}).check()
    assert replace(found, point={"x": F(2), "y": F(2)}).check() == ["the objectives differ"]


def test_a_frontier_has_every_breakpoint() -> None:
    """Items by value per weight: the slopes of the knapsack's relaxation are these values, largest first."""
    values, weights = [F(7), F(3), F(11), F(5)], [F(2), F(1), F(4), F(5)]
    items = {f"x{i}": v for i, v in enumerate(values)}
    rows = [Row("weight", {f"x{i}": w for i, w in enumerate(weights)}, "<=", F(0)),
            *(Row(f"one{i}", {f"x{i}": 1}, "<=", F(1)) for i in range(4))]
    found = sweep(LinearProgram(items, tuple(rows)), "weight", F(0), F(20))
    order = sorted(range(4), key=lambda i: -values[i] / weights[i])
    assert [p.slope for p in found.pieces] == [*(values[i] / weights[i] for i in order), 0]
    ends = [sum((weights[i] for i in order[:k]), F(0)) for k in range(5)]
    assert [p.low for p in found.pieces] == ends
    assert found.at(F(20)) == sum(values) and all(o.check() == [] for _, o in found.optima)
    with pytest.raises(InputError, match="outside"):
        found.at(F(21))


def test_a_sweep_of_the_objective_is_convex() -> None:
    rows = (Row("a", {"x": 1, "y": 1}, "<=", F(1)), Row("b", {"x": 2, "y": 1}, "<=", F(3, 2)))
    found = sweep_objective(LinearProgram({"x": 1}, rows), {"y": F(1)}, F(0), F(3))
    assert found.breakpoints == (F(1, 2), F(1))
    assert [p.slope for p in found.pieces] == [0, F(1, 2), 1]


def test_a_ratio_is_largest_at_a_vertex() -> None:
    program = LinearProgram({"x": 2, "y": 1}, (Row("a", {"x": 1, "y": 1}, "<=", F(3)), Row("b", {"x": 1}, ">=", F(1))),
                            constant=F(1))
    found = maximise_ratio(program, {"x": F(1), "y": F(2)}, F(1))
    assert (found.value, found.point) == (F(7, 4), {"x": F(3), "y": F(0)})
    assert found.transformed.check() == []
    with pytest.raises(InputError, match="denominator"):
        maximise_ratio(program, {"x": F(-1)}, F(2))


def test_bad_programs_say_what_is_wrong() -> None:
    with pytest.raises(InputError, match="the relation is one of"):
        Row("a", {"x": 1}, "<", F(1))
    with pytest.raises(InputError, match="two rows are named 'a'"):
        LinearProgram({}, (Row("a", {"x": 1}, "<=", F(1)), Row("a", {"x": 1}, ">=", F(0))))
    with pytest.raises(InputError, match="no row 'c'"):
        LinearProgram({}, (Row("a", {"x": 1}, "<=", F(1)),)).with_right("c", F(1))


@pytest.mark.parametrize("size", [F(1), F(1, 10**13), F(1, 10**40)])
def test_prices_know_no_least_size(size: F) -> None:
    """A twofold bound: less of one of them costs, down to 0, and nothing lies below."""
    program = LinearProgram({"x": 1}, (Row("a", {"x": 1}, "<=", size), Row("b", {"x": 1}, "<=", size)))
    for row in "ab":
        found = price(solve(program), row)
        assert (found.left, found.right, found.low, found.high) == (1, 0, 0, None)


def test_variables_may_have_any_names() -> None:
    """Also those of the variables that the search for a feasible point adds."""
    def named(form: Mapping[str, F]) -> dict[str, F]:
        return {x.replace("x", "lack_"): c for x, c in form.items()}

    for seed in range(8):
        program = drawn(seed)
        rows = tuple(replace(r, coefficients=named(r.coefficients)) for r in program.rows)
        found: F | str | None = None
        try:
            found = solve(LinearProgram(named(program.objective), rows)).value
        except (Infeasible, Unbounded) as error:
            found = None if isinstance(error, Infeasible) else "unbounded"
        assert found == by_simplex(program)
