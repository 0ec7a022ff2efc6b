"""Counterexamples and witnesses: found fast, certified by the kernel, and never for a true statement."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from false_statements import CHAIN, FALSE, INTEGRAL, NONNEGATIVE, THRESHOLD

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import minus, substitute
from qtheory.proofs.tactics.branches import branches
from qtheory.proofs.tactics.builder import certificate
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.effort import after, spent
from qtheory.proofs.tactics.guidance import place
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.refute import refute, witness

UNDEFINED = [
    ("x/x == 1", (), {"x": 0}),
    ("sqrt(x)**2 == x", (), None),
    ("1/x > 0", ("x >= 0",), {"x": 0}),
    ("log(x) <= x - 1", ("x >= 0",), {"x": 0}),
    ("1/(1-p-q) > 0", ("p >= 0", "q >= 0", "p + q <= 1"), None),
    ("diff(log(x), x) == 1/x", ("x >= 0",), {"x": 0}),
    ("1/(x - 1)**2 > 0", (), {"x": 1}),
    ("1/(x**2 + y**2 - 2*x*y) > 0", (), None),
    ("LambertW(x) > -2", (), None),
    ("LambertW(x, -1) <= -1", ("-1/4 < x < 1",), None),
    ("Sum(k, (k, 1, n)) >= 0", ("n > 0",), None),
    ("Sum(k, (k, 1, n)) >= 0", ("n in integers",), None),
    ("Sum(1/(k - 2), (k, 0, n)) < 1", ("n in naturals",), None),
    ("Integral(1/x, (x, 0, a)) > 0", ("a > 0",), None),
    ("Integral(1/(x - 1/2), (x, 0, 1)) == 0", (), {}),
    ("Integral(log(x), (x, -1, 1)) < 0", (), {}),
    ("Integral(Integral(sqrt(x - y), (x, 0, 1)), (y, 2, 3)) < 0", (), {}),
]
# with a value as improper integrals, though their integrands have none at an end
IMPROPER = ["Integral(log(x), (x, 0, 1)) == -1", "Integral(1/sqrt(x), (x, 0, 1)) == 2", "Integral(x/x, (x, 0, 1)) == 1",
            "Integral(1/(x*log(x)**2), (x, 0, 1/2)) > 0"]
TRUE = [
    ("-log(1-x) > x", ("0 < x < 1",)),
    ("x/(1-x) + log(1-x) > 0", ("0 < x < 1",)),
    ("x/(1-x) - (-log(1-x))/2 > 0", ("0 < x < 1",)),
    ("Eq(diff(t/(1-t)+log(1-t), t), t/(1-t)**2)", ("0 < t < 1",)),
    ("(1+x)**n >= 1 + n*x", ("x > -1", "n in naturals")),
    ("Max(2*l, W + X - l) >= V + l", ("W >= V + l", "X >= l", *NONNEGATIVE)),
    ("exp(x) >= 1 + x", ()),
    (INTEGRAL.format("/p"), ("0 < u < 1", "p > 0")),
    ("theta0 >= gamma/(1+gamma)", THRESHOLD),
    ("x**3 - 3*x + 2 >= 0", ("x > 0",)),
    ("sqrt(x)**2 == x", ("x >= 0",)),
    ("Convex(exp(x), x, x > -5)", ()),
    ("x < 3/2", ("x**2 == 2", "x > 0")),
    ("ExistsUnique(t, 0 < t < 1, t/(1-t)+log(1-t) == g)", ("g > 0",)),
    ("Exists(x, x > 0, exp(x) == y)", ("y > 1",)),
    ("Limit(log(1+x)/x, x, 0, '+') == 1", ()),
    ("Limit((1+x)/(2+x), x, oo) == 1", ()),
    ("BigO(-x - log(1 - x) - x**2/2, x**3, x, 0, '+')", ()),
    ("BigO(x**2, x, x, 0)", ()),
    ("Exists(e, e > 0, ForAll(n, n > 0, ceil(s)/s - 1 >= e))", ("s > 0", "ceil(s) > s")),
    ("Exists(e, e > 0, ForAll(n, n >= 1, n*x >= e))", ("x > 0",)),
    ("BigO(x, x**2, x, oo)", ()),
    ("SequenceLimit((n + 1)/n, n, 1)", ()),
]


def soon() -> float:
    """An ample deadline; the benchmark ``counterexamples.py`` shows how fast they are found."""
    return after(20)


@pytest.mark.parametrize(("goal", "where"), FALSE)
def test_false_statements_are_refuted(goal: str, where: tuple[str, ...]) -> None:
    statement = Statement(goal, where)
    found = refute(statement, soon())
    assert found is not None
    assert found.undefined is None
    assert not found.step.hyps
    assert found.step.concl == statement.refutation
    check(certificate(statement, "refuted", found.step), statement)


@pytest.mark.parametrize(("goal", "where", "point"), UNDEFINED)
def test_undefined_conclusions_name_point_and_subterm(goal: str, where: tuple[str, ...],
                                                      point: dict[str, int] | None) -> None:
    statement = Statement(goal, where)
    found = refute(statement, soon())
    assert found is not None
    assert found.undefined is not None
    assert point is None or found.point == point
    check(certificate(statement, "refuted", found.step), statement)


@pytest.mark.parametrize("goal", IMPROPER)
def test_improper_integrals_with_a_value_are_left_alone(goal: str) -> None:
    assert refute(Statement(goal), soon()) is None


@pytest.mark.parametrize(("goal", "where"), TRUE)
def test_true_statements_are_not_refuted(goal: str, where: tuple[str, ...]) -> None:
    found = refute(Statement(goal, where), soon())
    assert found is None


@pytest.mark.parametrize(("goal", "where"), [case for case in FALSE + TRUE if case[1]])
def test_witnesses_meet_the_hypotheses(goal: str, where: tuple[str, ...]) -> None:
    statement = Statement(goal, where)
    found = witness(statement, soon())
    assert found is not None
    assert [s.concl for s in found.steps] == list(statement.owed)
    assert not any(s.hyps for s in found.steps)


def test_witnesses_are_simple() -> None:
    found = witness(Statement("x > 0", ("x > 0", "n in naturals", "x < n")), soon())
    assert found is not None
    assert found.point == {"n": 2, "x": 1}


def test_each_equation_gives_a_root_of_its_own() -> None:
    """The first one speaks of the second's variable besides: solved in this order it would leave the other unmet."""
    where = ("0 < x < 1", "0 < y < 1", "y/(1 - y) + log(1 - y) == x - log(1 - x)/2", "-log(1 - x) == 1 + c", "c > 0")
    found = witness(Statement("y > 0", where), soon())
    assert found is not None
    x, y = (float(sum(q) / 2 if isinstance(q, tuple) else q) for q in (found.point["x"], found.point["y"]))
    assert y / (1 - y) + math.log(1 - y) == pytest.approx(x - math.log(1 - x) / 2, rel=1e-2)


def test_a_universal_hypothesis_is_tried_where_no_sample_breaks_it() -> None:
    where = ("n in naturals", "k in naturals", "1 <= k", "k < n",
             "ForAll(j, And(floor(j) == j, 1 <= j, j < n), (j - 3)**2 >= (k - 3)**2)")
    found = witness(Statement("k > 0", where), soon())
    assert found is not None
    n, k = (int(found.point[v]) for v in ("n", "k") if isinstance(found.point[v], Fraction))  # type: ignore[arg-type]
    assert all((j - 3) ** 2 >= (k - 3) ** 2 for j in range(1, n)) and n <= 10


def test_contradictory_conditions_have_no_witness() -> None:
    assert witness(Statement("x > 0", ("x > 1", "x**2 < 1")), soon()) is None


def test_a_plain_violation_comes_before_an_undefined_point() -> None:
    found = refute(Statement("1/x > 0"), soon())
    assert found is not None
    assert found.undefined is None
    assert found.point["x"] < 0


@pytest.mark.parametrize(("goal", "where", "n"), [
    ("(1 + 1/n)**n < 27/10", ("n >= 1",), 74), ("n**2 < 300000", (), 548), ("n <= 30 + y", ("y >= 1",), 32),
    ("n**2 - 90*n + 2000 > 0", ("n >= 7",), 40),
])
def test_of_an_integer_the_least_refuting_value_is_shown(goal: str, where: tuple[str, ...], n: int) -> None:
    found = refute(Statement(goal, ("n in naturals", *where)), soon())
    assert found is not None and found.point["n"] == n


def test_a_root_is_isolated_and_unique() -> None:
    """The reported interval holds a sign change of the equation, whose derivative has one sign on it."""
    statement = Statement("theta0 <= sqrt(gamma)", CHAIN)
    found = refute(statement, soon())
    assert found is not None
    low, high = found.point["theta0"]
    assert 0 < low < high < 1
    assert high - low <= Fraction(1, 10**4)
    equation = substitute(statement.hypotheses[0][1], "gamma", found.point["gamma"])
    at = Point(ORDINARY)
    assert {at.sign(substitute(equation, "theta0", end)) for end in (low, high)} == {1, -1}
    at.box["theta0"] = (low, high)
    assert at.sign(derivative(equation, "theta0")) is not None
    assert at.sign(minus(("^", "theta0", Fraction(2)), found.point["gamma"])) == 1


def test_a_defining_term_gives_an_interval() -> None:
    found = refute(Statement("theta0 <= sqrt(gamma)", THRESHOLD), soon())
    assert found is not None
    low, high = found.point["gamma"]
    assert 0 < low < high
    assert isinstance(found.point["theta0"], Fraction)


def test_the_deadline_is_kept() -> None:
    """By the clock that counts work, which the same search sets to the same time."""
    statement = Statement("BigO(-x - log(1 - x) + x**2/2, x**3, x, 0, '+')")
    needed = []
    for _ in range(2):
        begun = spent()
        assert refute(statement, soon()) is not None
        needed.append(spent() - begun)
    assert needed[0] == needed[1]
    begun = spent()
    assert refute(statement, begun + needed[0] / 2) is None
    assert spent() - begun < needed[0]


@pytest.mark.parametrize(("goal", "where", "point"), [
    ("Abs(-log(1 - k/n) - Sum(1/(n - i), (i, 0, k - 1))) <= Sum(1/(n - i), (i, 0, k - 1))/20",
     ("n in naturals", "k in naturals", "n >= 64", "1 <= k", "k < n"), {"n": "64", "k": "63"}),
    ("-log(1 - p)/p - 1 <= 1/sqrt(n)", ("3/1000 <= p <= 1/100", "n in naturals", "n >= 64"), {"n": "40000"}),
    ("exp(x)*q < 200", ("0 < q < 1",), {"x": "log(399)"}),
])
def test_a_given_point_is_tried_first(goal: str, where: tuple[str, ...], point: dict[str, str]) -> None:
    statement = Statement(goal, where)
    found = refute(statement, soon(), place(statement, point))
    assert found is not None
    low_high = {x: v if isinstance(v, tuple) else (v, v) for x, v in found.point.items()}
    for x, text in point.items():
        low, high = low_high[x]
        value = float(text) if text.isdigit() else math.log(399)
        assert low - Fraction(1, 10**9) <= value <= high + Fraction(1, 10**9)
    check(certificate(statement, "refuted", found.step), statement)


def test_a_point_that_breaks_nothing_does_not_mislead() -> None:
    statement = Statement("x < 1", ("x > 0",))
    assert refute(statement, soon(), {"x": Fraction(1, 2)}) is not None
    assert refute(Statement("x < 1", ("x > 0", "x < 1")), soon(), {"x": Fraction(2)}) is None


def test_bound_variables_are_told() -> None:
    found = refute(Statement("Increasing(x**2, x, x > -1)"), soon())
    assert found is not None
    assert found.point == {}
    assert "x = " in found.note
    assert "y = " in found.note


def test_a_renamed_variable_is_captured_by_no_quantifier_below() -> None:
    above = ("ex", "y", ("all", "y'", (">", ("+", "y", "y'"))))
    [branch] = branches(("and", ("ex", "y", (">", "y")), above))
    first, second = branch.variables
    assert first == "y" and second not in ("y", "y'")
    assert branch.hard == (("all", "y'", (">", ("+", second, "y'"))),)


def test_a_condition_that_is_an_identity_of_sums_is_met() -> None:
    """It fixes none of its variables, of which solving it finds no value."""
    closed = "(1 - a**(n + 1))/(1 - a)"
    given = Statement(f"{closed} > 0", ("0 < a < 1", "n in naturals", "n >= 1", f"Sum(a**k, (k, 0, n)) == {closed}"))
    found = witness(given, after(3))
    assert found is not None and found.point == {"a": Fraction(1, 2), "n": 1}
    never = Statement(f"{closed} > 0", ("0 < a < 1", "n in naturals", f"Sum(a**k, (k, 0, n)) == {closed} + 1"))
    assert witness(never, after(1)) is None
