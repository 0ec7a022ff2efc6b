"""Everyday facts: rounding between integers, roots of a base that may be 0, laws at the ends of their ranges; by law
over drawn cases, each with variants that are false."""

from __future__ import annotations

import random

import pytest

from qtheory.proofs.api import prove

WHOLE = ("L in naturals", "C in naturals", "C > 0")


@pytest.mark.parametrize("seed", range(3))
def test_rounding_up_is_rounding_down_of_what_is_nearly_one_more(seed: int) -> None:
    """ceiling(u/C) == floor((u + C - 1)/C) for integers u and C > 0, of which u = a L + b is drawn."""
    rng = random.Random(seed)
    u = f"({rng.randint(1, 4)}*L + {rng.randint(0, 3)})"
    assert prove(f"floor(({u} + C - 1)/C) == ceiling({u}/C)", WHOLE).verdict == "proved"
    assert prove(f"C*ceiling({u}/C) <= {u} + C - 1", WHOLE).verdict == "proved"
    off = rng.choice((0, -2, 1, -3))
    assert prove(f"floor(({u} + C + {off})/C) == ceiling({u}/C)", WHOLE).verdict == "refuted"
    assert prove(f"C*ceiling({u}/C) <= {u} + C - 2", WHOLE).verdict == "refuted"
    assert prove(f"ceiling({u}/C) <= ({u} + C - 1)/C", (*WHOLE[:1], "C > 0")).verdict == "refuted"


@pytest.mark.parametrize("seed", range(3))
def test_powers_of_one_base_are_powers_of_a_common_root(seed: int) -> None:
    """x**a*x**b == x**(a + b) for drawn rational a, b > 0, also at x = 0; with another exponent it is refuted."""
    rng = random.Random(seed)
    a, b = ((rng.randint(1, 5), rng.choice((2, 3, 4))) for _ in range(2))
    product = f"x**({a[0]}/{a[1]})*x**({b[0]}/{b[1]})"
    top, below = a[0] * b[1] + b[0] * a[1], a[1] * b[1]
    assert prove(f"{product} == x**({top}/{below})", ("x >= 0",)).verdict == "proved"
    assert prove(f"{product} == x**({top + rng.choice((-1, 1))}/{below})", ("x >= 0",)).verdict == "refuted"


@pytest.mark.parametrize(("goal", "where", "verdict"), [
    ("x**(1/2)*x**(1/2) == x", "x >= 0", "proved"),
    ("x**(1/2) > 0", "x >= 0", "refuted"),
    ("x**(1/2)*x**(-1/2) == 1", "x >= 0", "refuted"),
    ("x**(1/3)*x**(2/3) == x", "x >= -1", "refuted"),
    ("Pr(X >= d, (X, Geometric(p))) == (1 - p)**(d - 1)", "0 < p < 1, d in naturals, d >= 1", "proved"),
    ("Pr(X >= d, (X, Geometric(p))) == (1 - p)**(d - 1)", "0 < p < 1, d in naturals", "refuted"),
    ("Pr(X >= d, (X, Geometric(p))) == (1 - p)**(d - 1)", "0 < p < 1, d in integers", "refuted"),
    ("Pr(X > d, (X, Geometric(p))) == (1 - p)**d", "0 < p < 1, d in naturals", "proved"),
    ("Pr(X > d, (X, Geometric(p))) == (1 - p)**(d + 1)", "0 < p < 1, d in naturals", "refuted"),
    ("Pr(X > t, (X, Exponential(m))) == exp(-m*t)", "m > 0, t >= 0", "proved"),
    ("Pr(X > t, (X, Exponential(m))) == exp(-m*t)", "m > 0", "refuted"),
])
def test_at_the_end_of_a_range(goal: str, where: str, verdict: str) -> None:
    assert prove(goal, tuple(where.split(", "))).verdict == verdict


def test_the_law_s_first_value_is_the_counterexample() -> None:
    found = prove("Pr(X >= d, (X, Geometric(p))) == (1 - p)**(d - 1)", ("0 < p < 1", "d in naturals")).counterexample
    assert found is not None and found["d"] == "0"
