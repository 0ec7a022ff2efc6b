"""Statements that a reader sees at a glance: each is proved or refuted, and never left open."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from qtheory.proofs.decide import decide, searched
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.recheck import check
from qtheory.proofs.tactics.builder import Stuck, hyp
from qtheory.proofs.tactics.cleared import product_of
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.prover import ORDINARY

NUMBERS = """
2/3 < 5/7; 1/3 + 1/6 == 1/2; 2**10 == 1024; 2**-3 == 1/8; (1/2)**2 < 1/3; 1/3 != 0.3333; -1/3 > -0.34; 0**0 == 1
1000000007*998244353 > 10**18 - 10**17; 10**400 > 10**399; 0.1 + 0.2 == 0.3; 7/3 - 1/3 == 2; 1/7 + 1/11 > 18/78
3**(1/2) < 2; sqrt(2) < 3/2; sqrt(4) == 2; sqrt(1/4) == 1/2; sqrt(2) != 3/2; sqrt(2) + sqrt(3) > sqrt(5)
sqrt(2)*sqrt(8) == 4; sqrt(8) == 2*sqrt(2); sqrt(2)*sqrt(3) == sqrt(6); sqrt(12) - sqrt(3) == sqrt(3)
1/sqrt(2) == sqrt(2)/2; sqrt(1/2) == sqrt(2)/2; (sqrt(2) + 1)*(sqrt(2) - 1) == 1; 1/(sqrt(2) - 1) == sqrt(2) + 1
sqrt(18)*sqrt(50) == 30; sqrt(2)*sqrt(8) <= 4; sqrt(2)**4 == 4; sqrt(3 + 2*sqrt(2)) == 1 + sqrt(2)
8**(1/3) == 2; 8**(2/3) == 4; (4/9)**(3/2) == 8/27; (4/9)**(-1/2) == 3/2; 2**(1/2)*2**(1/2) == 2; sqrt(2) == 2**(1/2)
log(8) == 3*log(2); log(12) == 2*log(2) + log(3); log(1/2) == -log(2); log(8)/log(2) == 3; exp(log(3)) == 3
exp(0) == 1; log(1) == 0; exp(1) > 27/10; exp(1) != 3; floor(7/2) == 3; ceiling(7/2) == 4; floor(-1/2) == -1
Abs(-3) == 3; Max(1, 2, 3) == 3; Min(1/2, 1/3) == 1/3; floor(sqrt(2)) == 1; LambertW(0) == 0; LambertW(exp(1)) == 1
x*sqrt(8) == 2*x*sqrt(2); sqrt(x**2) == Abs(x)
"""
TRUE = [
    ("sqrt(x)*sqrt(y) == sqrt(x*y)", "x >= 0", "y >= 0"), ("sqrt(x**2*y) == x*sqrt(y)", "x >= 0", "y >= 0"),
    ("sqrt(x)/sqrt(y) == sqrt(x/y)", "x >= 0", "y > 0"),
    # integers
    ("2*n != 7", "n in integers"), ("n != 1/2", "n in integers"), ("4*n + 6*m != 3", "n, m in integers"),
    ("n**2 != 2", "n in integers"), ("n**2 + n != 7", "n in integers"), ("n**2 + m**2 != 3", "n, m in integers"),
    ("Integer(n*(n + 1)/2)", "n in naturals"), ("Integer(n*(n + 1)*(n + 2)/6)", "n in integers"),
    ("Integer(n*(n + 1)*(2*n + 1)/6)", "n in integers"), ("Integer((n**3 - n)/3)", "n in integers"),
    ("Implies(Integer(n/2), Integer(n**2/2))", "n in integers"),
    ("Implies(Integer(n**2/2), Integer(n/2))", "n in integers"),
    ("Implies(Exists(k, Integer(k), n**2 == 2*k), Exists(j, Integer(j), n == 2*j))", "n in integers"),
    ("Implies(Exists(k, Integer(k), n == 2*k), Exists(j, Integer(j), n**2 == 2*j))", "n in integers"),
    ("Or(Integer(n/2), Integer((n + 1)/2))", "n in integers"),
    ("Integer((n + m)/2)", "n, m in integers", "Integer((n - m)/2)"), ("Integer(n/2)", "n == 2*m", "n, m in integers"),
    # existence of integers
    ("Exists(m, Natural(m), Or(n == 2*m, n == 2*m + 1))", "n in naturals"),
    ("Exists(n, Natural(n), n > x)",), ("Exists(n, Natural(n), n >= x)",), ("Exists(n, Integer(n), n < x)",),
    ("Exists(n, Integer(n), And(n <= x, x < n + 1))",), ("Exists(n, And(Integer(n), n > x), n <= x + 1)",),
    ("Exists(n, Natural(n), And(n > x, n > y))",), ("Exists(n, Natural(n), And(n > 0, 1/n < e))", "e > 0"),
    ("Exists(n, Natural(n), n*y > x)", "y > 0"), ("ForAll(x, x == x, Exists(n, Natural(n), n > x))",),
    # equal arguments
    ("f(x) == f(y)", "x == y", "f in functions"), ("f(2*x) == f(y)", "y == x + x", "f in functions"),
    ("f(x, y) == f(y, x)", "x == y", "f in functions"), ("f(x) <= f(y)", "x == y", "f in functions"),
    ("f(g(x)) == f(g(y))", "x == y", "f, g in functions"), ("log(x) == log(y)", "x == y", "x > 0"),
    # derivatives
    ("diff(Abs(x), x) == 1", "x > 0"), ("diff(Abs(x), x) == -1", "x < 0"), ("diff(Max(x, 2*x), x) == 2", "x > 0"),
    ("diff(Max(x**2, x), x) == 2*x", "x > 1"), ("diff(Min(x, 1), x) == 0", "x > 1"),
    ("diff(floor(x), x) == 0", "0 < x < 1"),
    ("diff(Abs(x)*x, x) == 2*x", "x > 0"), ("diff(x**2, x, 5) == 0",), ("diff(x**2, x, 3) == 0",),
    ("diff(x**3 + x, x, 4) == 0",), ("diff(x, x, 2) == 0",), ("diff(5, x) == 0",), ("diff(x**0, x) == 0",),
    ("diff(exp(x), x, 6) == exp(x)",), ("diff(1/x, x, 2) == 2/x**3", "x > 0"),
    # bound names that stand in an end, sums of nothing
    ("Integral(x, (x, 0, x)) == x**2/2",), ("Integral(x, (x, x, 2*x)) == 3*x**2/2",),
    ("Sum(k, (k, 1, k)) == k*(k + 1)/2", "k in naturals"),
    ("Sum(1/k, (k, 0, -1)) == 0",), ("Sum(log(-k), (k, 1, 0)) == 0",), ("Sum(1, (k, 1, n)) == n", "n in naturals"),
]
FALSE = [
    ("2/3 > 5/7",), ("1/3 == 0.3333",), ("10**400 < 10**399",), ("0.1 + 0.2 != 0.3",), ("sqrt(2)*sqrt(8) == 5",),
    ("sqrt(2)*sqrt(8) != 4",), ("8**(1/3) != 2",), ("log(8) != 3*log(2)",), ("0**(1/2) == 1",),
    ("x**(1/2) > 0", "x >= 0"),
    ("LambertW(0) > 0",), ("LambertW(x) > 0", "x >= 0"), ("2*n != 8", "n in integers"),
    ("Integer(n/2)", "n in naturals"),
    ("Exists(n, Natural(n), n < 0)",), ("diff(Abs(x), x) == 1", "x != 0"), ("diff(Max(x, 1), x) == 1",),
    ("diff(floor(x), x) == 1", "0 < x < 1"), ("diff(x**2, x, 3) == 1",), ("Integral(x, (x, 0, x)) == x**2",),
]
UNDEFINED = [
    ("diff(Abs(1/x), x) == -1/x**2", "x >= 0"), ("Integral(1/t, (t, 1, -1)) == 0",),
    ("Integral(log(t), (t, 1, -1)) == 0",),
    ("Sum(k, (k, 1, 1/2)) == 0",), ("Sum(k, (k, 2, 0)) == 0",), ("Integral(1/t, (t, 0, 0)) == 0",),
]


def statement(texts: tuple[str, ...]) -> Statement:
    return Statement(texts[0], texts[1:]).parsed()


@pytest.mark.sliced(2)
@pytest.mark.parametrize("goal", [g.strip() for line in NUMBERS.strip().splitlines() for g in line.split(";")])
def test_numbers(goal: str) -> None:
    test_true((goal,))


@pytest.mark.sliced(2)
@pytest.mark.parametrize("texts", TRUE, ids="; ".join)
def test_true(texts: tuple[str, ...]) -> None:
    """Proved, and by both checkers."""
    verdict = decide(statement(texts), budget=6)
    assert verdict.verdict == "proved" and verdict.certificate is not None
    check(verdict.certificate.data)


@pytest.mark.parametrize("texts", FALSE, ids="; ".join)
def test_false(texts: tuple[str, ...]) -> None:
    verdict = decide(statement(texts), budget=6)
    assert (verdict.verdict, verdict.undefined) == ("refuted", None) and verdict.certificate is not None
    check(verdict.certificate.data)


@pytest.mark.parametrize("texts", UNDEFINED, ids="; ".join)
def test_undefined(texts: tuple[str, ...]) -> None:
    verdict = decide(statement(texts), budget=6)
    assert verdict.verdict == "refuted" and verdict.undefined is not None and verdict.certificate is not None
    check(verdict.certificate.data)


def test_a_power_with_a_symbolic_exponent_is_a_factor() -> None:
    """Its exponent is no number: the search ended with Python's own words about int()."""
    power = ("^", "x", "n")
    assert product_of(ORDINARY.search(1.0), power, [hyp((">", power))]) == ((Fraction(1), ((0, 1),), ()),)


def test_a_value_that_floating_point_does_not_know_is_no_number() -> None:
    """W on its lower branch at 1: the search ended with Python's own words about NaN."""
    with pytest.raises(Stuck):
        Point(ORDINARY, after(1.0)).atom((">", ("W", -1, Fraction(1))))


def test_a_premise_that_is_an_instance_of_its_own_statement_is_given_up() -> None:
    """y > x for all y > x: to prove a premise by the statement itself went on without end."""
    outcome = searched(Statement("x > 5", ("ForAll(y, y > x, y < x)",)).parsed(), None, 1.0)
    assert "Recursion" not in str(outcome.get("obstacle"))


def test_nothing_is_listed_twice() -> None:
    assert max(Counter((*TRUE, *FALSE, *UNDEFINED)).values()) == 1
