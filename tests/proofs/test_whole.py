"""What is said of every integer between two numbers is shown of one after the other."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, substitute
from qtheory.proofs.recheck import certifies
from qtheory.proofs.tactics.builder import Stuck, certificate
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.refute import refute
from qtheory.proofs.tactics.whole import each_integer

BEST = "ForAll(j, And(floor(j) == j, 1 <= j, j < N), exp(-(j - 2)**2) <= exp(-(k - 2)**2))"


@pytest.mark.parametrize("where", ["And(floor(j) == j, 1 <= j, j < 5)", "And(floor(j) == j, 2*j > 1, 3*j <= 13)",
                                   "And(floor(j) == j, j > 0, 4 - j >= 0)"])
def test_each_integer_is_met(where: str) -> None:
    formula = Statement(f"ForAll(j, {where}, (j - 1)*(j - 2)*(j - 3)*(j - 4) == 0)").conclusion
    step = each_integer(Point(ORDINARY), formula)
    assert step.concl == formula and not step.hyps


@pytest.mark.parametrize("where", ["And(floor(j) == j, 1 <= j, j < 6)", "And(floor(j) == j, 1 <= j)", "1 <= j < 5",
                                   "And(floor(j) == j, 1 <= j, j < 10**6)"])
def test_others_are_not(where: str) -> None:
    formula = Statement(f"ForAll(j, {where}, (j - 1)*(j - 2)*(j - 3)*(j - 4) == 0)").conclusion
    with pytest.raises((Stuck, KernelError)):
        each_integer(Point(ORDINARY), formula)


def test_what_is_best_of_a_few_refutes() -> None:
    statement = Statement("k == 1", ("N == 4", "k in naturals", BEST))
    found = refute(statement, after(10))
    assert found is not None and found.point["k"] == 2
    data = certificate(statement, "refuted", found.step)
    check(data, statement)
    assert certifies(data, statement.to_json())


def test_what_is_not_best_is_not_shown() -> None:
    hypothesis = Statement("k == 1", (BEST,)).hypotheses[0]
    assert each_integer(Point(ORDINARY), substitute(substitute(hypothesis, "k", Fraction(2)), "N", Fraction(4)))
    with pytest.raises((Stuck, KernelError)):
        each_integer(Point(ORDINARY), substitute(substitute(hypothesis, "k", Fraction(1)), "N", Fraction(4)))
