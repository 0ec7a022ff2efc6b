"""Integers of known order, sums, roots, bent functions and polynomials: what laws say is proved for drawn numbers, and
what is false next to it is refuted, or at least not proved."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from searching import decided

RANDOM = random.Random(7)
RATES = [Fraction(RANDOM.randint(11, 40), 10) for _ in range(2)]
POWERS = [Fraction(1, 2), Fraction(5, 2)]
ROOTS = [(RANDOM.randint(-9, -1), RANDOM.randint(1, 9)) for _ in range(2)]
ORDERED = ("n in naturals", "k in naturals", "k <= n")
LAW = ("0 < rho < 1", "N in naturals")
ABOVE = ("x >= 0", "y >= 0")

TRUE = [
    ("binomial(n, k) >= 1", ORDERED),
    ("q**n <= q**k", (*ORDERED, "0 < q < 1")),
    ("Sum(j*(alpha + beta*L/n), (j, 1, n)) == n*(n + 1)/2*(alpha + beta*L/n)", ("n in naturals", "n >= 1")),
    ("Sum(k/2**k, (k, 1, n)) < 2", ("n in naturals",)),
    ("rho**N*(1 - rho)/(1 - rho**(N + 1)) <= 1/(N + 1)", LAW),
    *((f"(x*y)**({p}) == x**({p})*y**({p})", ABOVE) for p in POWERS),
    ("sqrt((x - y)**2) == Max(x - y, y - x)", ()),
    ("log(x)/sqrt(x) <= 2*exp(-1)", ("x > 0",)),
    ("ExistsUnique(z, And(z > 0, z < 1), z == exp(m*(z - 1)))", ("m > 1",)),
    ("ExistsUnique(y, And(y > 0, y < 1), y == 1 - exp(-m*y))", ("m > 1",)),
    *((f"ExistsUnique(z, And(z > 0, z < 1), z == exp({m}*(z - 1)))", ()) for m in RATES),
    *((f"Or(x == {a}, x == {b})", (f"x**2 - ({a + b})*x + ({a * b}) == 0",)) for a, b in ROOTS),
    ("x**4*y**2 + x**2*y**4 + z**6 - 3*x**2*y**2*z**2 >= 0", ()),
    ("1 + x**2*y**2 + y**2*z**2 + z**2*x**2 - 4*x*y*z >= 0", ()),
    ("x*(x - y)*(x - z) + y*(y - x)*(y - z) + z*(z - x)*(z - y) >= 0", (*ABOVE, "z >= 0")),
    *((f"Exists(k, Integer(k), n**2 + n == {m}*k)", ("n in integers",)) for m in (1, 2)),
]
FALSE = [
    ("binomial(n, k) >= 2", ORDERED),
    ("q**n < q**k", (*ORDERED, "0 < q < 1")),
    ("Sum(j*(alpha + beta*L/n), (j, 1, n)) == n*(n - 1)/2*(alpha + beta*L/n)", ("n in naturals", "n >= 1")),
    ("Sum(k/2**k, (k, 1, n)) < 199/100", ("n in naturals",)),
    ("rho**N*(1 - rho)/(1 - rho**(N + 1)) <= 1/(N + 2)", LAW),
    *((f"(x + y)**({p}) == x**({p}) + y**({p})", ABOVE) for p in POWERS),
    ("sqrt((x - y)**2) == x - y", ()),
    ("log(x)/sqrt(x) <= 7/10", ("x > 0",)),
    ("ExistsUnique(z, And(z > 0, z < 1), z == exp(m*(z - 1)))", ("m > 0",)),
    *((f"ExistsUnique(z, And(z > 0, z <= 1), z == exp({m}*(z - 1)))", ()) for m in RATES),
    *((f"Or(x == {a}, x == {b + 1})", (f"x**2 - ({a + b})*x + ({a * b}) == 0",)) for a, b in ROOTS),
    ("x**4*y**2 + x**2*y**4 + z**6 - 31/10*x**2*y**2*z**2 >= 0", ()),
    ("1 + x**2*y**2 + y**2*z**2 + z**2*x**2 - 41/10*x*y*z >= 0", ()),
    ("x*(x - y)*(x - z) + y*(y - x)*(y - z) + z*(z - x)*(z - y) >= 0", ("x >= 0", "y >= 0")),
    *((f"Exists(k, Integer(k), n**2 + n == {m}*k)", ("n in integers",)) for m in (3, 4)),
]


@pytest.mark.sliced(5)
@pytest.mark.parametrize(("goal", "where"), TRUE)
def test_what_is_true_is_proved(goal: str, where: tuple[str, ...]) -> None:
    assert decided(goal, where).verdict == "proved"


@pytest.mark.parametrize(("goal", "where"), FALSE)
def test_what_is_false_next_to_it_is_not(goal: str, where: tuple[str, ...]) -> None:
    assert decided(goal, where, budget=3.0).verdict != "proved"
