"""Values of series, integrals and laws without an end: what is said of them is proved, or refuted by the value that
they have.  Cases are drawn; what is right is computed by mpmath and by sums of the laws' own weights."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest
import sympy
from searching import decided

Q = sympy.Symbol("q")
LAWS = {  # condition on the argument, generating function, and its values by the law's weights
    "Exponential(r)": ("E(exp(-s*X), (X, {}))", ("r > 0", "s > -r"), "r/(r + s)",
                       lambda r, s: mpmath.quad(lambda x: r * mpmath.exp(-(r + s) * x), [0, 1, mpmath.inf])),
    "Gamma(2, r)": ("E(exp(-s*X), (X, {}))", ("r > 0", "s > -r"), "r**2/(r + s)**2",
                    lambda r, s: mpmath.quad(lambda x: r**2 * x * mpmath.exp(-(r + s) * x), [0, 1, mpmath.inf])),
    "Geometric(r)": ("E(s**X, (X, {}))", ("0 < r <= 1", "-1 <= s <= 1"), "r*s/(1 - (1 - r)*s)",
                     lambda r, s: mpmath.nsum(lambda k: r * (1 - r) ** (k - 1) * s**k, [1, mpmath.inf])),
}
WIDER = {"Exponential(r)": ("r > 0", "s >= -r"), "Gamma(2, r)": ("r > 0", "s >= -r"),
         "Geometric(r)": ("0 < r <= 1", "-2 <= s <= 2")}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_generating_functions(law: str) -> None:
    """Proved on their domain alone; at drawn points the formula is what mpmath makes of the law; one that is off by a
    drawn factor is refuted."""
    rng = random.Random(law)
    operator, where, value, by_weights = LAWS[law]
    for _ in range(3):
        r, s = mpmath.mpf(rng.randint(2, 9)) / 10, mpmath.mpf(rng.randint(-1, 9)) / 10
        assert mpmath.almosteq(eval(value, {"r": r, "s": s}), by_weights(r, s), 1e-8)
    mean = operator.format(law)
    assert decided(f"{mean} == {value}", where).verdict == "proved"
    assert decided(f"{mean} == {value}", WIDER[law], budget=2.0).verdict != "proved"
    off = rng.choice(("2*", "1/2*", "3*"))
    assert decided(f"{mean} == {off}{value}", where).verdict == "refuted"


@pytest.mark.slow
@pytest.mark.studied(3)
@pytest.mark.parametrize("seed", range(3))
def test_weights_whose_sign_is_not_known(seed: int) -> None:
    """The sum of g(k) q**k for a drawn polynomial g, where -1 < q < 1; at q = -1 it has no value."""
    rng = random.Random(seed)
    a, b = rng.randint(1, 4), rng.randint(-3, 3)
    value = sympy.together(a * Q / (1 - Q) ** 2 + b / (1 - Q))
    assert sympy.series(value, Q, 0, 4).coeff(Q, 3) == 3 * a + b
    goal = f"Sum(({a}*k + ({b}))*q**k, (k, 0, oo)) == {value}"
    assert decided(goal, ("-1 < q < 1",)).verdict == "proved"
    assert decided(f"{goal} + q", ("-1 < q < 1",)).verdict == "refuted"
    assert decided(goal, ("-1 <= q < 1",), budget=1.0).verdict != "proved"
    assert decided(f"SequenceLimit(({a}*n + ({b}))*q**n, n, 0)", ("-1 < q < 1",)).verdict == "proved"
    assert decided(f"SequenceLimit(({a}*n + ({b}))*q**n, n, 0)", ("-1 <= q < 1",), budget=1.0).verdict != "proved"


def tail(law: str, m: Fraction, least: int) -> float:
    """Pr(X >= least) by the weights of the law at the mean m."""
    if law == "Poisson":
        return 1 - sum(math.exp(-m) * float(m) ** k / math.factorial(k) for k in range(least))
    return float((1 - 1 / m) ** (least - 1)) if law == "Geometric" else math.exp(-least / m)


@pytest.mark.parametrize("seed", [pytest.param(n, marks=[pytest.mark.slow] * (n % 3 == 0)) for n in range(6)])
def test_a_bound_of_a_tail_is_proved_or_refuted(seed: int) -> None:
    """By the value of the tail at a drawn mean, and a bound just above or below it."""
    rng = random.Random(seed)
    law = ("Poisson", "Geometric", "Exponential")[seed % 3]
    m, least = Fraction(rng.randint(5, 20), 4), rng.randint(1, 3)
    parameter = m if law == "Poisson" else 1 / m
    true = tail(law, m, least)
    for share, verdict in ((Fraction(101, 100), "proved"), (Fraction(99, 100), "refuted")):
        bound = Fraction(true).limit_denominator(10**6) * share
        found = decided(f"Pr(X >= {least}, (X, {law}({parameter}))) <= {bound}")
        assert found.verdict == verdict, (law, m, least, bound)


@pytest.mark.parametrize(("goal", "where"), [
    ("E(X, (X, Poisson(m))) > m", "m >= 0"),
    ("Pr(X >= 3, (X, Poisson(m))) <= exp(-m)*m**3/6", "m > 0"),
    ("Pr(X == 2, (X, Poisson(m))) <= 27/100", "m >= 0"),
    ("Pr(X > t, (X, Exponential(r))) <= 1/(3*r*t)", "r > 0, t > 0"),
    ("Var(X, (X, Geometric(p))) < E(X, (X, Geometric(p)))**2/2", "0 < p <= 1"),
    ("E(X**2, (X, Exponential(r))) == E(X, (X, Exponential(r)))**2", "r > 0"),
    ("And(E(X, (X, Exponential(r))) > 0, E(X, (X, Exponential(r))) < 1)", "r > 0"),
])
def test_what_is_false_of_a_value_is_refuted_where_it_fails(goal: str, where: str) -> None:
    found = decided(goal, tuple(where.split(", ")))
    assert found.verdict == "refuted" and found.counterexample


@pytest.mark.slow
@pytest.mark.studied(3)
@pytest.mark.parametrize("seed", range(3))
def test_partial_sums_and_integrals_with_a_closed_form(seed: int) -> None:
    """Telescoping sums and power laws, with drawn constants; with another value they are refuted."""
    rng = random.Random(seed)
    a, b = rng.randint(0, 4), rng.randint(2, 4)
    series = f"Sum(1/((k + {a})*(k + {a + 1})), (k, 1, oo))"
    tail_of_power = f"Integral(({b} - 1)/t**{b}, (t, 1, oo))"
    for term, value in ((series, Fraction(1, a + 1)), (tail_of_power, Fraction(1))):
        assert decided(f"{term} == {value}").verdict == "proved"
        assert decided(f"{term} == {value + Fraction(1, rng.randint(2, 9))}").verdict == "refuted"


@pytest.mark.slow
@pytest.mark.studied(3)
@pytest.mark.parametrize("seed", range(3))
def test_a_sum_of_which_one_part_falls(seed: int) -> None:
    """c + a/n + b q**n tends to c; not to c + 1, and at q = 1 it need not."""
    rng = random.Random(seed)
    a, b, c = (rng.randint(1, 5) for _ in range(3))
    term = f"{c} + {a}/n + {b}*q**n"
    assert decided(f"SequenceLimit({term}, n, {c})", ("0 <= q < 1",)).verdict == "proved"
    assert decided(f"SequenceLimit({term}, n, {c + 1})", ("0 <= q < 1",)).verdict != "proved"
    assert decided(f"SequenceLimit({term}, n, {c})", ("0 <= q <= 1",), budget=2.0).verdict != "proved"


@pytest.mark.slow
@pytest.mark.studied(3)
@pytest.mark.parametrize("seed", range(3))
def test_what_has_no_value_is_refuted(seed: int) -> None:
    """Series and means at a drawn ratio, or rate, at which they diverge or go back and forth; where they converge the
    same formula is proved."""
    rng = random.Random(seed)
    c, s = rng.randint(1, 5), Fraction(rng.randint(2, 9), 4)
    for ratio, verdict in ((rng.choice(("(-1)", "1", "2")), "refuted"), (rng.choice(("(1/2)", "(-1/3)")), "proved")):
        value = "7" if ratio == "1" else f"{c}/(1 - {ratio})"
        assert decided(f"Sum({c}*{ratio}**k, (k, 0, oo)) == {value}").verdict == verdict, ratio
    assert decided(f"E(exp({s}*X), (X, Exponential({s})))  > 1").verdict == "refuted"
    assert decided(f"E(exp({s}*X), (X, Exponential({2 * s}))) == 2").verdict == "proved"
    assert decided(f"E(exp({s}*X), (X, Exponential({s / 2}))) == -1").verdict == "refuted"
    assert decided("Integral(exp(s*t), (t, 0, oo)) == -1/s", ("s != 0",)).verdict == "refuted"
    assert decided("Integral(exp(s*t), (t, 0, oo)) == -1/s", ("s < 0",)).verdict == "proved"


@pytest.mark.slow
def test_the_memoryless_property_holds_from_0_on() -> None:
    goal = "Pr(X > s + t, (X, Exponential(r))) == Pr(X > s, (X, Exponential(r)))*Pr(X > t, (X, Exponential(r)))"
    assert decided(goal, ("r > 0", "s >= 0", "t >= 0")).verdict == "proved"
    assert decided(goal, ("r > 0", "s >= 0", "t >= -1")).verdict == "refuted"


@pytest.mark.parametrize(("goal", "where", "verdict"), [
    pytest.param("limit((1 - exp(-s*x))/s, s, 0) == x", "x > 0", "proved", marks=pytest.mark.slow),
    ("limit((1 - exp(-s*x))/s, s, 0) == 2*x", "x > 0", "refuted"),
    ("limit(log(1 + a*s)/s, s, 0) == a", "a > 0", "proved"),
    pytest.param("(1 + 1/n)**n < exp(1)", "n in naturals, n >= 1", "proved", marks=pytest.mark.slow),
    ("(1 + x/n)**n <= exp(x)", "n in naturals, n >= 1, x >= 0", "proved"),
    ("(1 + 1/n)**n < 27/10", "n in naturals, n >= 1", "refuted"),
])
def test_limits_with_parameters_and_powers_over_the_reals(goal: str, where: str, verdict: str) -> None:
    assert decided(goal, tuple(where.split(", "))).verdict == verdict
