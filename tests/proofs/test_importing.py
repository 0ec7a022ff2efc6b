"""SymPy objects: what is let in means the same, every assumption becomes a condition, the rest is refused."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from qtheory.errors import InputError
from qtheory.proofs.importing import statement_texts
from qtheory.proofs.kernel.statements import Statement

x, y, t, a, b = sp.symbols("x y t a b")
p = sp.Symbol("p", positive=True)
n = sp.Symbol("n", integer=True, nonnegative=True)
k = sp.Symbol("k", integer=True)
q = sp.Symbol("q", integer=True, nonzero=True)

SAME = [
    (sp.Gt(-sp.log(1 - x), x), "-log(1 - x) > x"),
    ((1 + x) ** n >= 1 + n * x, "(x + 1)**n >= n*x + 1"),
    (sp.Eq(sp.Derivative(t / (1 - t), t), 1 / (1 - t) ** 2), "diff(t/(1 - t), t) == 1*1/(1 - t)**2"),
    (sp.Eq(sp.Integral(sp.exp(-p * t), (t, 0, sp.oo)), 1 / p), "Integral(exp(-p*t), (t, 0, oo)) == 1/p"),
    (sp.Eq(sp.Limit(sp.exp(t) / 2, t, 0), a), 'Limit(exp(t)/2, t, 0, "+") == a'),
    (sp.Sum(k**2, (k, 1, n)) <= n**3, "Sum(k**2, (k, 1, n)) <= n**3"),
    (sp.Max(a, b) - sp.sqrt(t) / 3 >= -a / 7, "-sqrt(t)/3 + Max(a, b) >= -a/7"),
    (sp.Eq(sp.LambertW(-sp.exp(-1) / 2, -1), a), "LambertW(-exp(-1)/2, -1) == a"),
    (sp.Implies(x > 0, sp.Or(x > y, a <= y)), "Implies(x > 0, Or(a <= y, x > y))"),
    (sp.Ne(sp.floor(x) + sp.ceiling(y), sp.Abs(a)), "floor(x) + ceiling(y) != Abs(a)"),
]


@pytest.mark.parametrize("expression, text", SAME, ids=[text for _, text in SAME])
def test_the_object_and_its_text_are_one_statement(expression: Any, text: str) -> None:
    goal, _ = statement_texts(expression, ())
    ours, theirs = Statement(goal), Statement(text)
    assert ours.conclusion == theirs.conclusion or numeric_twin(ours, theirs)


def numeric_twin(ours: Statement, theirs: Statement) -> bool:
    """Sums may come in another order: then the kernel's normal form must see that they are equal."""
    from qtheory.proofs.kernel.poly import Forms
    from qtheory.proofs.kernel.terms import minus

    left, right = ours.conclusion, theirs.conclusion
    return left[0] == right[0] and len(left) == 2 and Forms().zero(minus(left[1], right[1]))


@pytest.mark.parametrize("assumptions, condition", [
    ({"positive": True}, "s > 0"), ({"nonnegative": True}, "s >= 0"), ({"negative": True}, "s < 0"),
    ({"nonpositive": True}, "s <= 0"), ({"nonzero": True}, "s != 0"), ({"integer": True}, "s in integers"),
    ({"integer": True, "nonnegative": True}, "s in naturals"), ({"positive": False}, "s <= 0"),
    ({"even": True}, "Integer(s/2)"), ({"odd": True}, "Integer((s - 1)/2)"),
])
def test_each_assumption_becomes_a_condition(assumptions: dict[str, bool], condition: str) -> None:
    s = sp.Symbol("s", real=True, **assumptions)
    assert statement_texts(sp.Gt(s + x, 1), ["x > 0"]) == (f"{sp.Gt(s + x, 1).lhs} > 1", ("x > 0", condition))


def test_bound_variables_give_no_condition() -> None:
    i = sp.Symbol("i", integer=True, positive=True)
    assert statement_texts(sp.Sum(i, (i, 1, n)) >= 0, ())[1] == ("n in naturals",)


@pytest.mark.parametrize("goal, message", [
    (sp.sin(x) > 0, "sin is outside the statement language"),
    (sp.Function("f")(x) > 0, "f is not a known function"),
    (x * sp.Float("0.1") > 0, "is not exact"),
    (sp.pi * x > 0, "Pi is outside"),
    (sp.true, "bare truth value"),
    (p > -1, "bare truth value"),
    (sp.Symbol("s", rational=True) > x, "rational=True"),
    (x**2 + sp.Symbol("x y") > 0, "cannot be used"),
    (sp.Eq(sp.Symbol("x", positive=True), x), "two different symbols are named x"),
    (sp.Symbol("Max") > x, "no name of the statement language"),
    (sp.Symbol("__import__") > x, "letters, digits and _"),
    (sp.Eq(a, sp.Piecewise((1, t > 0), (0, True))), "Piecewise is outside"),
    (sp.Eq(sp.Integral(x, x), a), "needs its ends"),
    (sp.Matrix([x]), "is of type"),
    (17, "is of type int"),
])
def test_what_is_refused(goal: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        statement_texts(goal, ())


def test_a_tower_of_powers_is_refused() -> None:
    tower = x
    for _ in range(200):
        tower = sp.Pow(x, tower, evaluate=False)
    with pytest.raises(InputError, match="nested too deeply"):
        statement_texts(sp.Gt(tower, 0, evaluate=False), ())


# ---- one name, two symbols ----

i, j = sp.symbols("i j")
integers = {name: sp.Symbol(name, integer=True) for name in "xktij"}
dummy = sp.Dummy("k")
CAPTURED = [  # in each a bound symbol would catch another one of its name, or be caught
    sp.Eq(sp.Sum(integers["k"] * sp.Symbol("k"), (integers["k"], 1, 2)), 5),
    sp.Eq(sp.Sum(integers["k"] * sp.Symbol("k"), (sp.Symbol("k"), 1, 2)), 5),
    sp.Eq(sp.Integral(t * integers["t"], (t, 0, 1)), 5),
    sp.Eq(sp.Integral(t, (t, 0, integers["t"])), 5),
    sp.Eq(sp.Sum(i * integers["j"], (i, 1, integers["j"]), (j, 1, 3)), 5),
    sp.Eq(sp.Limit(x * integers["x"], x, 0), 5),
    sp.Eq(sp.Limit(x, x, integers["x"]), 5),
    sp.Eq(sp.Derivative(t * integers["t"], t), 5),
    sp.Gt(sp.Sum(i, (i, 1, n)), integers["i"]),
    sp.And(sp.Sum(i, (i, 1, n)) > 0, sp.Sum(integers["i"], (integers["i"], 1, n)) > 0),
    sp.Eq(sp.Sum(dummy * k, (dummy, 1, 2)), 5), dummy > x, sp.Wild("w") > x,
    sp.Eq(sp.Sum(dummy * sp.Dummy("k"), (dummy, 1, 2)), 5),
]


@pytest.mark.parametrize("goal", CAPTURED, ids=str)
def test_no_symbol_is_caught_by_another_of_its_name(goal: Any) -> None:
    with pytest.raises(InputError, match=r"two different symbols are named|name of its own") as caught:
        statement_texts(goal, ())
    assert "\n" not in str(caught.value)


def test_two_symbols_of_one_name_in_goal_and_condition() -> None:
    with pytest.raises(InputError, match="two different symbols are named k"):
        statement_texts(sp.Sum(k, (k, 1, 2)) >= x, [sp.Symbol("k") > 0])


@pytest.mark.parametrize(("expression", "text"), [
    (sp.Eq(sp.Sum(k * x, (k, 1, 2)), 3 * k), "Sum(k*x, (k, 1, 2)) == 3*k"),
    (sp.Eq(sp.Sum(k, (k, 1, k)), 5), "Sum(k, (k, 1, k)) == 5"),
    (sp.Eq(sp.Sum(k, (k, 1, 2)) * sp.Sum(k, (k, 1, 3)), 18), "Sum(k, (k, 1, 2))*Sum(k, (k, 1, 3)) == 18"),
    (sp.Eq(sp.Sum(x, (k, 1, n), (x, 1, 2)), 5), "Sum(Sum(x, (k, 1, n)), (x, 1, 2)) == 5"),
    (sp.Eq(sp.Mul(0, 1 / x, evaluate=False), 0, evaluate=False), "0/x == 0"),
    (sp.Eq(sp.Add(x, x, evaluate=False), 0), "x + x == 0"),
    (sp.Eq(sp.Pow(sp.Pow(x, 2), 3, evaluate=False), 0), "(x**2)**3 == 0"),
    (sp.Gt(sp.E, 2, evaluate=False), "exp(1) > 2"),
])
def test_one_symbol_may_be_bound_and_free(expression: Any, text: str) -> None:
    assert statement_texts(expression, ())[0] == text


@pytest.mark.parametrize("assumptions", [
    {"complex": True}, {"extended_real": True}, {"hermitian": True}, {"imaginary": True}, {"real": False},
    {"commutative": False}, {"infinite": True}, {"finite": False}, {"prime": True}, {"composite": True},
    {"rational": True}, {"irrational": True}, {"algebraic": True}, {"transcendental": True}, {"integer": False},
    {"noninteger": True}, {"even": False}, {"extended_positive": True}, {"antihermitian": True},
    {"polar": True}], ids=str)
def test_assumptions_that_the_language_cannot_say_are_refused(assumptions: dict[str, bool]) -> None:
    s = sp.Symbol("s", **assumptions)
    summed = sp.Sum(s, (s, 1, 2)) if s.is_commutative else s
    for goal in (sp.Eq(s + x, y, evaluate=False), sp.Eq(summed, y, evaluate=False)):
        with pytest.raises(InputError, match="has no counterpart in the statement language"):
            statement_texts(goal, ())


@pytest.mark.parametrize("assumptions", [{"integer": True}, {"nonnegative": True}, {"nonpositive": True}], ids=str)
def test_what_holds_at_a_point_alone_is_not_assumed_of_a_derivative(assumptions: dict[str, bool]) -> None:
    """SymPy takes floor(s) for s, and Abs(s), by it."""
    s = sp.Symbol("s", **assumptions)
    with pytest.raises(InputError, match="does not hold around each point"):
        statement_texts(sp.Eq(sp.Derivative(sp.Abs(s) + sp.floor(s), s), x), ())


@pytest.mark.parametrize("goal", [
    sp.Eq(sp.Sum(sp.Abs(sp.Symbol("s", positive=True)), (sp.Symbol("s", positive=True), -2, 2)), a),
    sp.Eq(sp.Limit(sp.Symbol("s", integer=True), sp.Symbol("s", integer=True), sp.oo), x),
    sp.Eq(sp.Limit(sp.Symbol("s", positive=True), sp.Symbol("s", positive=True), 0, "-"), a),
    sp.Eq(sp.Integral(sp.Symbol("s", positive=True), (sp.Symbol("s", positive=True), -1, 1)), a),
    sp.Eq(sp.Integral(sp.Abs(p), (p, 0, -1)), sp.Rational(1, 2)), sp.Eq(sp.Integral(p, (p, 0, a)), x),
    sp.Eq(sp.Sum(q, (q, -1, 1)), a), sp.Eq(sp.Integral(p, (p, -1, 2)), x), sp.Eq(sp.Integral(k, (k, 0, 1)), a),
], ids=str)
def test_a_bound_symbols_assumptions_must_follow_from_its_range(goal: Any) -> None:
    with pytest.raises(InputError, match="is not what its range says"):
        statement_texts(goal, ())


@pytest.mark.parametrize("goal", [
    sp.Eq(sp.I * x, x), sp.Eq(x, sp.zoo), sp.Eq(x, sp.nan, evaluate=False), sp.Eq(x, sp.pi),
    sp.Symbol("E") > x, sp.Symbol("I") > x, sp.Contains(x, sp.Interval(0, 1)), sp.Eq(sp.Product(k, (k, 1, n)), 2),
    sp.Eq(sp.IndexedBase("a")[k], 0), sp.Eq(sp.Sum(sp.IndexedBase("a")[k], (k, 1, 2)), 0), sp.Not(sp.Symbol("q")),
    sp.MatrixSymbol("A", 2, 2)[0, 0] > x, sp.ImmutableMatrix([x, y]), sp.Interval(0, 1), sp.Eq(sp.sign(x), 1),
    sp.Eq(sp.re(sp.Symbol("s", complex=True)), 1), sp.Eq(sp.Sum(k, (k, 1, -2)), 1), sp.Eq(sp.O(x), 0),
    sp.Eq(sp.Subs(sp.Derivative(x**2, x), x, 1), 2), sp.Eq(sp.Function("f\ng")(x), 1), sp.Symbol("x\ny") > 0],
    ids=lambda g: repr(str(g)))
def test_the_rest_of_sympy_is_refused_in_one_line(goal: Any) -> None:
    with pytest.raises(InputError) as caught:
        statement_texts(goal, ())
    assert "\n" not in str(caught.value)


def test_what_is_read_is_what_the_verdict_shows() -> None:
    from qtheory.proofs.api import prove

    verdict = prove(sp.Gt(p + 1 / p, 1), budget=2.0)
    assert verdict.verdict == "proved" and verdict.statement == "p + 1/p > 1  for p > 0"


def test_a_door_that_lies_proves_nothing_but_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from qtheory.proofs.api import prove

    monkeypatch.setattr("qtheory.proofs.importing.statement_texts", lambda *_: ("x + 1 > x", ("x > 0",)))
    verdict = prove(sp.Gt(x, x + 1 + y), budget=2.0)
    assert verdict.verdict == "proved" and verdict.statement == "x + 1 > x  for x > 0"
