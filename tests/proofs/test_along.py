"""Lemmas along a variable, limits among the hypotheses, integrals over nothing; and the Gamma laws' hazard rate."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import stats
from test_claims_eb import value

from qtheory.proofs.corpus import paper
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.proving.lines import Line, Proof
from qtheory.proofs.tactics.search import search

AREA = "Integral(n*exp(-p*s - e*s**2/2), (s, 0, {}))"
GIVEN = ("p > 0", "e > 0", "n > 0", "0 < a", "a <= b")
NOTHING, NO_PRIMITIVE = Proof(), Proof(antiderivatives=(("s", ()),))


def proved(goal: str, where: tuple[str, ...], budget: float = 5.0, told: Proof = NOTHING) -> bool:
    statement = Statement(goal, where)
    found = search(statement, proof=told, budget=budget)
    if found.certificate is not None:
        check(found.certificate, statement)
    return found.verdict == "proved"


def test_an_integral_over_nothing_is_zero() -> None:
    assert proved(f"{AREA.format('0')} == 0", GIVEN, told=NO_PRIMITIVE)


@pytest.mark.parametrize("share", ["1", "1/2"])
def test_along_a_variable(share: str) -> None:
    """The integrand is at most n, and so much the integral grows; half as much it need not."""
    goal = f"{AREA.format('b')} <= {AREA.format('a')} + {share}*n*(b - a)"
    step = Line(goal, given=("p > 0", "e > 0", "n > 0", "0 < a", "a <= b"), slope=("b", "a"))
    true = share == "1"
    assert proved(goal, GIVEN, 5.0 if true else 1.0, replace(NO_PRIMITIVE, steps=(step,))) == true


LIMIT = "limit(f(x), x, oo) == 1"


@pytest.mark.later
def test_a_limit_among_the_hypotheses() -> None:
    """Beyond some place f is within q of 1; that it is so from a given place on is not said."""
    where = ("f in functions", LIMIT, "q > 0")
    every = "Exists(d, d == d, ForAll(b, b > d, And(q > f(b) - 1, q + (f(b) - 1) > 0)))"
    assert proved(every, where)
    assert not proved(every.replace("b > d", "b > -d*d"), where, 1.0)


GAMMA = next(c for c in paper("eb").claims if c.id == "eb.app-E.3.gamma-2")


def claimed() -> Statement:
    assert GAMMA.statement is not None
    return GAMMA.statement


def test_hazard_rates_of_gamma_laws() -> None:
    """As printed, in numbers: scipy's density over its survival function, which is what the claim says to increase,
    rises for each shape above 1, not below."""
    t = np.linspace(0.01, 20.0, 400)
    stated = claimed()
    [said] = re.findall(r"StrictlyIncreasing\((.*), t, t >= 0\)", stated.goal)
    ratio = Statement(f"{said} > 0", (), stated.let).conclusion[1]
    for shape in (1.05, 1.5, 2.0, 7.3):
        rate = stats.gamma.pdf(t, shape, scale=2.0) / stats.gamma.sf(t, shape, scale=2.0)
        assert np.all(np.diff(rate) > 0)
        at = {"a": mpf(shape), "lam": mpf(1) / 2, "C": 1 / (2 ** mpf(shape) * mp.gamma(shape))}
        assert [float(value(ratio, {**at, "t": mpf(t[k])})) for k in (20, 150)] == pytest.approx(rate[[20, 150]])
    assert np.all(np.diff(stats.gamma.pdf(t, 0.5) / stats.gamma.sf(t, 0.5)) < 0)


def test_the_gamma_claim_needs_its_shape() -> None:
    """With 0 < a in place of a > 1 the same proof proves nothing."""
    stated = claimed()
    wider = Statement(stated.goal, tuple("0 < a" if w == "a > 1" else w for w in stated.where), stated.let)
    assert "a > 1" in stated.where and "C > 0" in wider.where
    assert search(wider, proof=GAMMA.proof, budget=1.0).verdict != "proved"
