"""Operators over laws without an end at a case: their values against the known ones, and what is not decided."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, Phase, settings

from qtheory.proofs.api import read
from qtheory.testing import Case, TheoremFailedError, UndecidedError, assert_theorem, theorem
from qtheory.testing.asserting import Question
from qtheory.testing.claims import Conjecture
from qtheory.testing.places import Place
from qtheory.testing.truth import truth

LOOK = settings(derandomize=True, database=None, deadline=None, phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck))


def stated(goal: str, where: object = (), let: object = ()) -> Conjecture:
    return Conjecture(goal, read(goal, where, let))  # the referee is not asked


def verdicts(goal: str, n: int) -> list[bool | None]:
    theorem = Question(stated(goal, ["n in naturals"])).theorem
    place = Place({"n": Fraction(n)})
    return [truth(part.conclusion, place) for part in theorem.parts]


@pytest.mark.parametrize(("goal", "n"), [
    ("E(X, (X, Poisson(n))) == n", 1), ("E(X, (X, Poisson(n))) == 0", 0), ("Pr(X == 0, (X, Poisson(n))) == 1", 0),
    ("E(X**2, (X, Poisson(n))) == n + n**2", 3), ("Pr(X >= 40, (X, Poisson(n))) < 1/10**48", 1),
    ("Pr(X >= 40, (X, Poisson(n))) > 1/10**49", 1), ("E(exp(X/2), (X, Poisson(n))) == exp(n*(exp(1/2) - 1))", 5),
    ("E(Max(X - 1, 0), (X, Poisson(n))) == n - 1 + exp(-n)", 2), ("Pr(X != 3, (X, Poisson(n))) == 1 - exp(-1)/6", 1),
    ("E(X, (X, Geometric(1/n))) == n", 1), ("Var(X, (X, Geometric(1/n))) == n*(n - 1)", 100),
    ("Pr(X >= n, (X, Geometric(1/n))) == (1 - 1/n)**(n - 1)", 100), ("E((1/2)**X, (X, Geometric(1/n))) == 1/3", 2),
    ("E(X, (X, Pmf(1/2**X, 1, oo))) == n", 2), ("Sum(1/2**k, (k, 0, oo)) == n", 2),
    ("Var(X, (X, Exponential(n))) == 1/n**2", 2), ("E(Min(X, 2), (X, Exponential(n))) == (1 - exp(-2*n))/n", 3),
    ("E(Abs(X - 1/n), (X, Exponential(n))) == 2*exp(-1)/n", 3), ("E(X, (X, Gamma(3, n))) == 3/n", 2),
    ("Pr(X > 1, (X, Gamma(3, n))) == 5*exp(-2)", 2), ("E(Max(X, n/2), (X, Uniform(0, n))) == 5/8", 1),
    ("E(X, (X, Poisson(E(Z, (Z, Geometric(1/n)))))) == n", 4)])
def test_a_true_equation_holds_and_holds_nearly_nowhere_else(goal: str, n: int) -> None:
    assert all(verdicts(goal, n))
    assert goal.startswith("Sum") or all(verdicts(goal.replace("==", "<="), n))
    if "==" in goal:
        assert False in verdicts(f"{goal} + 1/10**30", n) and False in verdicts(f"{goal} - 1/10**30", n)


@pytest.mark.parametrize(("goal", "n"), [("E(X, (X, Poisson(n))) < n", 1), ("E(X, (X, Geometric(1/n))) != n", 100),
                                         ("Pr(X > 1, (X, Exponential(n))) < exp(-n)", 2),
                                         ("E(X, (X, Pmf(1/3**X, 1, oo))) > 0", 1)])
def test_what_is_false_at_equality_is_false(goal: str, n: int) -> None:
    assert False in verdicts(goal, n)


@pytest.mark.parametrize(("goal", "n"), [
    ("E(2**X, (X, Geometric(1/n))) > 0", 2),  # has no value
    ("E(exp(X), (X, Exponential(n))) > 0", 1), ("E(X, (X, Exponential(n))) >= 0", 0),
    ("E((-1)**X, (X, Geometric(1/n))) < 0", 2), ("E(sqrt(X), (X, Poisson(n))) < 2", 1),
    ("E(X*Y, (X, Poisson(n)), (Y, Poisson(n))) == n**2", 1),
    ("Pr(X >= 200, (X, Poisson(n))) == 0", 1), ("Pr(X >= 200, (X, Poisson(n))) <= Pr(X >= 300, (X, Poisson(n)))", 1)])
def test_what_has_no_value_or_no_closed_form_is_not_decided(goal: str, n: int) -> None:
    assert verdicts(goal, n)[-1] is None or False in verdicts(goal, n)
    assert not all(verdicts(goal, n))


def keeping(seen: list[Case]) -> Callable[[Case], None]:
    def test(case: Case) -> None:
        seen.append(case)

    return test


@pytest.mark.parametrize(("goal", "where", "let", "right", "wrong"), [
    ("w == n", ["n > 0"], "w = E(X, (X, Poisson(n)))", lambda n: n, lambda n: n * (1 + 1e-7)),
    ("w >= 0", ["n > 0", "w == Pr(X >= 1, (X, Poisson(n)))"], (), lambda n: -math.expm1(-n), lambda n: n / (1 + n)),
    ("w(2) <= 1", ["0 < p <= 1"], "w(m) = Pr(X > m, (X, Geometric(p)))", lambda m, p: (1 - p) ** m,
     lambda m, p: (1 - p) ** (m + 1))])
def test_an_operator_is_implemented(goal: str, where: list[str], let: object, right: object, wrong: object) -> None:
    """The variables of its law are among those of a case."""
    for function in (right, wrong):
        seen: list[Case] = []
        test = theorem(stated(goal, where, let), {"w": function}, max_examples=5, settings=LOOK)(keeping(seen))
        if function is right:
            test()
            assert all({"n", "p"} & case.keys() for case in seen) and seen
        else:
            with pytest.raises(TheoremFailedError, match="the true value is"):
                test()


def test_a_variable_that_is_an_operators_value_is_solved_for() -> None:
    tail = stated("w <= 1/2", ["n > 0", "w == Pr(X >= 1, (X, Poisson(n)))"])
    assert assert_theorem(tail, n="1/2")["w"] == pytest.approx(-math.expm1(-0.5))
    with pytest.raises(TheoremFailedError, match=r"w <= 1/2 +\(w = 0\.63"):
        assert_theorem(tail, n=1)


@pytest.mark.parametrize(("goal", "let", "using"), [
    ("E(1/(1 + X), (X, Poisson(n))) < 1", (), {}),
    ("Or(n > 0, w > 0)", "w = E(1/(1 + X), (X, Poisson(n)))", {"w": lambda n: 1 / n}),
    ("w > 0", "w = E(1/(1 + X), (X, Poisson(n)))", {"w": lambda n: 1 / n})])
def test_what_no_case_decides_is_an_error_that_says_why(goal: str, let: object, using: dict[str, object]) -> None:
    with pytest.raises(UndecidedError, match=r"to infinity has no closed form here: no rule for a power of X \+ 1$"):
        theorem(stated(goal, ["n > 0"], let), using, max_examples=3, settings=LOOK)(lambda: None)()
