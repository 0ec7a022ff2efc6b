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
    (sp.Symbol("s", even=True) > x, "even=True"),
    (sp.Symbol("s", rational=True) > x, "rational=True"),
    (sp.Symbol("s", complex=True, imaginary=True) * x**2 + sp.Symbol("x y") > 0, "cannot be used"),
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
