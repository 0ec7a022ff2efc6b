"""Series and integrals without an end, and limits with weights that fall: proved with symbolic ratios, refuted where
the value is another one."""

from __future__ import annotations

import random

import pytest
import sympy
from searching import decided

X, M = sympy.symbols("X m")

CASES = [
    ("Sum(k**3*q**k, (k, 0, oo)) == q*(1 + 4*q + q**2)/(1 - q)**4", ("0 <= q < 1",), True),
    ("Sum((2*k + 1)*c**(-k), (k, 0, oo)) == c*(c + 1)/(c - 1)**2", ("c > 1",), True),
    ("Sum(k*exp(-s*k), (k, 1, oo)) == exp(-s)/(1 - exp(-s))**2", ("s > 0",), True),
    ("Sum(k*q**k, (k, 2, oo)) == q/(1 - q)**2", ("0 < q < 1",), False),
    ("Integral((t + c)*exp(-s*t), (t, 0, oo)) == (1 + c*s)/s**2", ("s > 0",), True),
    ("Integral((1 - exp(-a*t))*exp(-b*t), (t, 0, oo)) == a/(b*(a + b))", ("a > 0", "b > 0"), True),
    ("Integral(t*exp(-s*t), (t, 1, oo)) == exp(-s)/s**2", ("s > 0",), False),
    ("SequenceLimit(1 - n**2*p**n, n, 1)", ("0 <= p < 1",), True),
    ("limit(x**3*exp(-2*x) + 1, x, oo) == 1", (), True),
    ("limit(rho**N, N, oo) == 0", ("0 <= rho < 1",), True),
    ("limit(2 - N**2*rho**N, N, oo) == 2", ("0 <= rho < 1",), True),
    ("limit((1 - rho**N)/(1 - rho), N, oo) == 1/(1 - rho)", ("0 <= rho < 1",), True),
    ("limit(N*rho**N, N, oo) == rho", ("0 <= rho < 1",), False),
    ("limit(rho**N, N, oo) == 0", ("0 <= rho <= 1",), False),
    ("SequenceLimit(1 - n**2*p**n, n, 0)", ("0 <= p < 1",), False),
    pytest.param("Pr(X >= 2, (X, Poisson(m))) == 1 - (1 + m)*exp(-m)", ("m >= 0",), True, marks=pytest.mark.study),
    ("Pr(X >= 2, (X, Poisson(m))) == 1 - exp(-m)", ("m >= 0",), False),
    ("Sum(x**k/factorial(k), (k, 1, oo)) == exp(x) - 1", ("x >= 0",), True),
    ("SequenceLimit((1 + c/n)**n, n, exp(c))", ("c > 0",), True),
    ("SequenceLimit((1 + 1/n)**n, n, 1)", (), False),
    ("SequenceLimit(3 + 2*r**m, m, 3)", ("-1 <= r < 1",), False),
    ("SequenceLimit((-1)**m/2, m, 1/2)", (), False),
]


@pytest.mark.sliced(7)
@pytest.mark.parametrize(("goal", "where", "true"), CASES)
def test_weights_that_fall(goal: str, where: tuple[str, ...], true: bool) -> None:
    assert decided(goal, where, budget=10.0).verdict == ("proved" if true else "refuted")


@pytest.mark.parametrize("goal", [pytest.param("Sum(q**k, (k, 0, oo)) == 1/(1 - q)", marks=pytest.mark.slow),
                                  "SequenceLimit(n*q**n, n, 0)"])
def test_a_ratio_that_may_be_one_is_not_proved(goal: str) -> None:
    assert decided(goal, ("0 <= q <= 1",), budget=2.0).verdict != "proved"


@pytest.mark.slow
@pytest.mark.studied(6)  # what is drawn besides is of one kind with it
@pytest.mark.parametrize("seed", range(6))
def test_the_mean_of_a_polynomial_under_a_poisson_law(seed: int) -> None:
    """It is that of the factorial moments, E(X (X - 1) .. (X - j + 1)) == m**j; another constant of it is refuted."""
    rng = random.Random(seed)
    shares = [rng.randint(-3, 3) for _ in range(2)] + [rng.choice((-2, -1, 1, 2))]
    g = sympy.expand(sum(a * sympy.ff(X, j).expand(func=True) for j, a in enumerate(shares)))
    mean = sum(a * M**j for j, a in enumerate(shares))
    assert decided(f"E({g}, (X, Poisson(m))) == {mean}", ("m >= 0",)).verdict == "proved"
    assert decided(f"E({g}, (X, Poisson(m))) == {mean + rng.choice((M, M**2, 1))}", ("m >= 0",)).verdict == "refuted"


@pytest.mark.slow
@pytest.mark.studied(2)
@pytest.mark.parametrize(("goal", "where", "verdict"), [
    ("Var(X, (X, Poisson(m))) == m", "m >= 0", "proved"),
    ("Var(X, (X, Poisson(m))) == m**2", "m >= 0", "refuted"),
    ("E(s**X, (X, Poisson(m))) == exp(m*(s - 1))", "m >= 0, s >= 0", "proved"),
    ("E(exp(t*X), (X, Poisson(m))) == exp(m*(exp(t) - 1))", "m >= 0", "proved"),
    ("E(s**X, (X, Poisson(m))) == exp(m*s)", "m >= 0, s >= 0", "refuted"),
])
def test_moments_of_a_poisson_law(goal: str, where: str, verdict: str) -> None:
    assert decided(goal, tuple(where.split(", "))).verdict == verdict
