"""Means that a search turns to when the ordinary ones fail: plain truths are proved, their false neighbours never."""

from __future__ import annotations

import pytest
from searching import verdict

SQUARES = [
    ("(N - 2*k)**2 >= 0",), ("k*(N - k) <= N**2/4",), ("x**2 + 4*y**2 >= 4*x*y",), ("x**4 + y**4 >= 2*x**2*y**2",),
    ("2*x**2 + 3*y**2 + z**2 + 1 > 2*x*y - 2*y*z + x",), ("(a + b + c)**2 <= 3*(a**2 + b**2 + c**2)",),
    ("exp(2*x) + y**2 >= 2*y*exp(x)",)]
TURNING = [
    ("x*exp(-x) <= exp(-1)",), ("x*log(x) >= -exp(-1)", "x > 0"), ("log(x) <= x/2", "x > 0"),
    ("log(x) <= sqrt(x)", "x > 0"), ("log(1 + exp(x)) >= x",)]
POWERS = [("x**(1/2) >= 1", "x >= 1"), ("x**(3/2) >= 1", "x >= 1"), ("x**(-1/2) <= 1", "x >= 1")]
WHOLE = [
    ("floor((n + 1)/2) >= n/2", "n in integers"), ("floor(n/2) >= (n - 1)/2", "n in integers"),
    ("floor((n + 2)/3) >= n/3", "n in integers")]
LARGE = [("1/10**400 > 0",), ("2**1000 > 10**300",), ("exp(-1000) > 0",)]
INTEGRALS = [
    ("Integral(t, (t, 0, x)) == x**2/2",), ("Integral(exp(t), (t, a, b)) == exp(b) - exp(a)",),
    ("Integral(1/t, (t, 1, x)) == log(x)", "x > 0")]
ROOTS = [
    ("Exists(x, And(x > 0, x < 1), -log(1 - x) == 2*x)",), ("ExistsUnique(x, And(x > 0, x < 1), -log(1 - x) == 2*x)",),
    ("ExistsUnique(x, x > 0, exp(x) == 1 + 2*x)",), ("ExistsUnique(x, x > 0, x**2 == x)",)]

STRICT = [
    ("1/n != 0", "n > 0"), ("n**2 + n + 1 != 0",), ("log(x) != log(y)", "0 < x < y"), ("log(1 + 1/n) < 1/n", "n > 0"),
    ("(n + 1)*log(1 + 1/n) > 1", "n > 0"), ("exp(1/n) > 1 + 1/n", "n > 0")]
EXPONENTS = [
    ("(1 - p)**t <= exp(-p*t)", "0 < p < 1", "t > 0"), ("(1 - p)**t < exp(-p*t)", "0 < p < 1", "t > 0"),
    ("(1 - q)**n >= exp(-n*q/(1 - q))", "0 < q < 1", "n > 0"), ("x**a < y**a", "0 < x < y", "a > 0"),
    ("(1 + 1/n)**n <= exp(1)", "n > 0")]


CONTACT = [  # 0 at an end, or a double root: other letters, numbers and orders than those of the strategies' examples
    ("(exp(2*t) + exp(-2*t))/2 <= 1 + 2*t**2 + 4*t**4/5", "0 <= t <= 1/2"), ("exp(u) - 1 - u <= u**2", "0 <= u <= 1"),
    ("y == 2", "y*exp(-y/2) == 2*exp(-1)", "y > 0"), ("ExistsUnique(y, y > 0, log(y)/y == exp(-1))",),
    ("ExistsUnique(y, y > 0, y*exp(-y) == exp(-1))",)]
PROBABILITIES = [
    ("Pr(X == 3, (X, Poisson(c))) <= 9*exp(-3)/2", "c >= 0"),
    ("Pr(X >= 2, (X, Poisson(c))) <= exp(-c)*(exp(1)*c/2)**2", "0 < c < 2")]


@pytest.mark.sliced(4)
@pytest.mark.parametrize("case", [*CONTACT, *PROBABILITIES, *SQUARES, *TURNING, *POWERS, *WHOLE, *LARGE, *INTEGRALS,
                                  *ROOTS, *STRICT, *EXPONENTS])
def test_plain_truths(case: tuple[str, ...]) -> None:
    assert verdict(*case) == "proved"


@pytest.mark.parametrize("case", [
    ("(N - 2*k)**2 > 0",), ("x**4 + y**4 >= 3*x**2*y**2",), ("x**2 + 4*y**2 >= 5*x*y",), ("k*(N - k) <= N**2/5",),
    ("(exp(2*t) + exp(-2*t))/2 <= 1 + 2*t**2 + 13*t**4/20", "0 <= t <= 1/2"), ("exp(u) - 1 - u <= 7*u**2/10",
                                                                               "0 <= u <= 1"),
    ("ExistsUnique(y, y > 0, y*exp(-y) == exp(-2))",), ("Pr(X == 3, (X, Poisson(c))) <= 4*exp(-3)", "c >= 0"),
    ("Pr(X >= 2, (X, Poisson(c))) <= exp(-c)*c**2/2", "0 < c < 2"),
    ("x*exp(-x) <= 36/100",), ("x*log(x) >= -36/100", "x > 0"), ("log(x) <= x/3", "x > 0"),
    ("log(1 + exp(x)) >= x + 1",),
    ("x**(1/2) >= 1", "x >= 0"), ("x**(3/2) >= x", "x > 0"), ("x**(-1/2) >= 1", "x >= 1"),
    ("floor((n + 1)/2) > n/2", "n in integers"), ("floor((n + 1)/3) >= n/3", "n in integers"),
    ("floor(n/2) >= n/2", "n in integers"), ("2**1000 < 10**300",), ("Integral(t, (t, 0, x)) == x**2/3",),
    ("1/n != 1", "n > 0"), ("n**2 - n - 1 != 0",), ("log(1 + 1/n) < 1/n",), ("(n + 1)*log(1 + 1/n) > 1 + 1/n", "n > 0"),
    ("(1 - p)**t <= exp(-p*t)", "0 < p < 1"), ("(1 - q)**n >= exp(-n*q)", "0 < q < 1", "n > 0"),
    ("x**a < y**a", "0 < x < y"), ("(1 + 1/n)**n >= exp(1)", "n > 0"),
    ("Integral(1/t, (t, 1, x)) == log(x)",), ("Integral(t, (t, 0, x)) >= x",),
    ("ExistsUnique(x, x > 0, exp(x) == 1 + x)",), ("ExistsUnique(x, And(x > 0, x < 4), x**3 - 3*x**2 + 2*x == 0)",)])
def test_their_false_neighbours(case: tuple[str, ...]) -> None:
    assert verdict(*case) == "refuted"


@pytest.mark.later
def test_a_second_root_at_an_end_that_belongs_to_the_domain_is_counted() -> None:
    assert verdict("ExistsUnique(x, And(x >= 0, x < 1), -log(1 - x) == 2*x)") != "proved"


@pytest.mark.slow
@pytest.mark.parametrize("case", [
    ("x == 0", "x*y == 0"), ("x == 1", "(x - 1)*(y - 2) == 0"), ("y > 0", "x*y*(x - y) == 0", "x > 0"),
    ("Abs(x - 1/3) + Abs(y - 1/7) > 0",), ("Max(x - 1/3, 1/3 - x) > 0",),
    ("limit(exp(x)/x**5, x, oo) == 0",), ("limit(exp(x), x, oo) == 0",), ("limit(exp(x)/x, x, oo) == 1",),
    ("Integral(exp(-p*t), (t, 0, oo)) == 1/p", "p >= 0"), ("limit(x + log(p), x, 0) == log(p)", "p >= 0")])
def test_plain_falsehoods(case: tuple[str, ...]) -> None:
    assert verdict(*case) == "refuted"


@pytest.mark.parametrize("case", [
    ("Abs(x - 1/3) + Abs(y - 1/7) >= 0",), ("limit(exp(-x), x, oo) == 0",), ("x*y == 0", "x == 0")])
def test_their_true_neighbours(case: tuple[str, ...]) -> None:
    assert verdict(*case) == "proved"
