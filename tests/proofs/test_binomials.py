"""Sums with binomial coefficients, to an end that is a symbol, and inductions whose step is a multiple of what was
assumed: the true ones are proved, and what is false next to them is refuted."""

from __future__ import annotations

import pytest
from searching import decided

LAW = ("0 <= p <= 1", "n in naturals")
TRUE = [  # those marked follow from others, or take longest
    pytest.param("Sum(binomial(n, k), (k, 0, n)) == 2**n", ("n in naturals",), marks=pytest.mark.study),
    ("Sum(binomial(n, k)*x**k*y**(n - k), (k, 0, n)) == (x + y)**n", ("x > 0", "y > 0", "n in naturals")),
    pytest.param("Var(X, (X, Binomial(n, p))) == n*p*(1 - p)", LAW, marks=pytest.mark.study),
    ("E(s**X, (X, Binomial(n, p))) == (1 - p + p*s)**n", (*LAW, "0 <= s <= 1")),
    ("p**n*(1 - p)**n <= 4**(-n)", LAW),
    ("Pr(X >= 1, (X, Binomial(n, p))) <= n*p", LAW),
    ("Sum(j*binomial(m, j)*q**j*(1 - q)**(m - j), (j, 1, m)) == m*q", ("0 <= q <= 1", "m in naturals")),
]
FALSE = [
    pytest.param("Sum(binomial(n, k), (k, 0, n)) == 2**n - 1", ("n in naturals",), marks=pytest.mark.study),
    ("E(X, (X, Binomial(n, p))) == n*p + p*(1 - p)", LAW),
    ("p**n*(1 - p)**n <= 5**(-n)", LAW),
    ("Pr(X >= 1, (X, Binomial(n, p))) <= n*p/2", LAW),
]


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "where"), TRUE)
def test_what_is_true_is_proved(goal: str, where: tuple[str, ...]) -> None:
    assert decided(goal, where).verdict == "proved"


@pytest.mark.sliced(2)
@pytest.mark.parametrize(("goal", "where"), FALSE)
def test_what_is_false_is_refuted(goal: str, where: tuple[str, ...]) -> None:
    assert decided(goal, where).verdict == "refuted"
