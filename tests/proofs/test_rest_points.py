"""A claim that fails near a function's least value alone is refuted, though the place is no rational number; one that
is true by as little is not."""

from __future__ import annotations

import pytest
from searching import verdict

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.refute import refute

LEAST = [  # a function, its least value, where x lies; the value is taken at sqrt(2), log(3), exp(-1), exp(1/2), ..
    ("x**4 - 4*x**2", "-4", ()), ("exp(x) - 3*x", "3 - 3*log(3)", ()), ("x*log(x)", "-exp(-1)", ("x > 0",)),
    ("-log(x)/x**2", "-exp(-1)/2", ("x > 0",)), ("x**x", "exp(-exp(-1))", ("x > 0",)),
    ("x**3 - 2*x", "-4*sqrt(6)/9", ("x > 0",))]
SMALL = ("1/10**6", "1/10**15", "1/10**30")


@pytest.mark.later
@pytest.mark.sliced(6)
@pytest.mark.parametrize(("function", "least", "where"), LEAST)
def test_what_fails_only_beside_a_rest_point_is_refuted(function: str, least: str, where: tuple[str, ...]) -> None:
    assert all(verdict(f"{function} >= {least} + {gap}", *where) == "refuted" for gap in SMALL)


@pytest.mark.parametrize(("function", "least", "where"), LEAST)
def test_what_holds_beside_it_is_not(function: str, least: str, where: tuple[str, ...]) -> None:
    for gap in SMALL:
        assert refute(Statement(f"{function} >= {least} - {gap}", where).parsed(), after(2.0)) is None


@pytest.mark.later
@pytest.mark.sliced(6)
@pytest.mark.parametrize(("function", "least", "where"), LEAST)
def test_what_fails_at_the_rest_point_alone_is_refuted(function: str, least: str, where: tuple[str, ...]) -> None:
    assert verdict(f"{function} > {least}", *where) == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(("function", "least", "where"), [
    ("(x**2 - 2)**2 + (y**3 - 2)**2", "0", ()), ("x**4 - 4*x**2 + exp(y) - 3*y", "-1 - 3*log(3)", ()),
    ("exp(x) - 3*x + y*log(y)", "3 - 3*log(3) - exp(-1)", ("y > 0",))])
def test_of_two_variables_too(function: str, least: str, where: tuple[str, ...]) -> None:
    assert verdict(f"{function} >= {least} + 1/10**12", *where) == "refuted"


def test_a_place_at_which_a_term_has_no_value_is_left_out() -> None:
    """At a = b = 1/2 it is a multiple of 1/0, which SymPy writes as a number of its own."""
    statement = Statement("(a/b)**N*(1 - a/b)/(1 - (a/b)**(N + 1)) < 1", ("0 < a < b", "N in naturals", "N >= 1"))
    assert refute(statement.parsed(), after(2.0)) is None
