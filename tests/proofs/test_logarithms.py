"""Logarithms of numbers and of roots: the sum of log(r)*e over numbers r is the logarithm of the product of r**e, and
is known as that in equations, in inequalities and beside variables."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import pytest
from searching import verdict

DRAWN = random.Random(17)
SUMS = [[(Fraction(DRAWN.randint(1, 40), DRAWN.randint(1, 12)), DRAWN.choice((-3, -2, -1, 1, 2, 3)))
         for _ in range(DRAWN.randint(2, 4))] for _ in range(12)]


def written(terms: list[tuple[Fraction, int]]) -> tuple[str, str]:
    """The sum, and the logarithm of the product."""
    return " + ".join(f"({e})*log({r})" for r, e in terms), f"log({prod(r ** e for r, e in terms)})"


@pytest.mark.sliced(4)
@pytest.mark.parametrize("terms", SUMS)
def test_a_sum_of_logarithms_is_the_logarithm_of_the_product(terms: list[tuple[Fraction, int]]) -> None:
    left, right = written(terms)
    for relation in ("==", "<=", ">="):
        assert verdict(f"{left} {relation} {right}") == "proved"
        assert verdict(f"x*({left}) + y {relation} x*{right} + y") == "proved"
    assert verdict(f"{left} + x > {right}", "x > 0") == "proved"
    for relation in ("!=", "<", ">"):
        assert verdict(f"{left} {relation} {right}") == "refuted"


@pytest.mark.parametrize("terms", SUMS)
def test_one_that_is_off_by_little_is_told_from_it(terms: list[tuple[Fraction, int]]) -> None:
    left, right = written(terms)
    assert verdict(f"{left} + 1/10**30 > {right}") == verdict(f"{left} - 1/10**30 < {right}") == "proved"
    assert verdict(f"{left} + 1/10**30 <= {right}") == verdict(f"{left} - 1/10**30 == {right}") == "refuted"


@pytest.mark.sliced(3)
@pytest.mark.parametrize("power", ["sqrt(x)", "x**(1/2)", "x**(2/3)", "x**(-1/3)", "x**y"])
def test_the_logarithm_of_a_power_is_a_multiple_of_that_of_its_base(power: str) -> None:
    exponent = "1/2" if power == "sqrt(x)" else power.removeprefix("x**")
    for relation in ("==", "<=", ">="):
        assert verdict(f"log({power}) {relation} {exponent}*log(x)", "x > 0") == "proved"
        assert verdict(f"log(z*{power}) {relation} log(z) + {exponent}*log(x)", "x > 0", "z > 0") == "proved"
    at = f"log({power}) != {exponent}*log(x)".replace("x", "12").replace("y", "(1/7)")
    assert verdict(at) == "refuted"
