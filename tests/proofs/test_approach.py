"""Comparisons close to an end, from the signs of terms in the distance from it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.approach import Approach
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.limits import seen_true
from qtheory.proofs.tactics.prover import ORDINARY

ZERO, ONE = Fraction(0), Fraction(1)
TRUE = [
    ("-log(1 - x)/x > 199/200 + 1/1000", ZERO, 1, None),
    ("log(1 - x)/(x/(1 - x)) + 1/100 > 1/1000", ONE, -1, None),
    ("sqrt(x/4)/(x/2) < 1/100 - 1/1000", None, 1, None),
    ("sqrt(x/4)/(x/2) > c*Max(1/x, -1/x)", None, 1, "c"),
    ("exp(-x*(1/x))/(1 - x)**(1/x) - 199/200 > c*Max(x, -x)", ZERO, 1, "c"),
    ("(x/3 - floor(x/3))/(x/3) < 1/100", None, 1, None),
]
FALSE = [("-log(1 - x)/x < 199/200", ZERO, 1, None), ("sqrt(x) < c*x", ZERO, 1, "c")]


def approach(a: Fraction | None, sign: int, c: str | None) -> Approach:
    return Approach("x", a, sign, Fraction(1, 10**12), c)


def test_what_is_false_at_a_sampled_place_near_the_end_is_not_seen_true() -> None:
    search, r = ORDINARY.search(1.0), Fraction(10)
    assert seen_true(search, (">=", "x"), "x", ZERO, "x", r, ())
    assert not seen_true(search, (">=", ("+", "x", Fraction(-1))), "x", ZERO, "x", r, ())  # false close to 0
    assert not seen_true(search, (">=", ("+", ONE, ("*", Fraction(-1), "x"))), "x", ZERO, "x", r, ())  # and farther off


@pytest.mark.parametrize(("goal", "a", "sign", "c"), TRUE)
def test_proved_from_what_is_near(goal: str, a: Fraction | None, sign: int, c: str | None) -> None:
    way, formula = approach(a, sign, c), Statement(goal).conclusion
    step = way.prove(formula, Point(ORDINARY, after(5)))
    assert step.concl == formula
    assert step.hyps <= set(way.inside)


@pytest.mark.parametrize(("goal", "a", "sign", "c"), FALSE)
def test_no_proof_of_what_is_false(goal: str, a: Fraction | None, sign: int, c: str | None) -> None:
    with pytest.raises((Stuck, KernelError)):
        approach(a, sign, c).prove(Statement(goal).conclusion, Point(ORDINARY, after(5)))
