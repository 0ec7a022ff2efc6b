"""The base threshold in symbols: formulas against their definitions, the numeric twins, and the referee's claims."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from formula_claims import assert_proved
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.special import base_threshold as numeric_base_threshold
from qtheory.proofs.corpus import paper
from qtheory.theory import threshold as th

CALM = settings(derandomize=True, deadline=None, max_examples=60)
SHARE = st.floats(1e-9, 1 - 1e-9)
HAZARD = st.floats(1e-4, 1.0)
COST = st.floats(1e-6, 1e3)
CLAIM = {c.id: c for c in paper("eb").claims}


@pytest.mark.slow
@given(SHARE, HAZARD, COST, COST, st.integers(1, 4096))
@CALM
def test_decode_duration_is_the_integral_of_the_iteration_times(theta, p0, alpha_d, beta_d, slots) -> None:
    with mp.workdps(40):
        end = -mp.log(1 - mpf(theta)) / mpf(p0)
        integral = mp.quad(lambda t: alpha_d + beta_d * slots * mp.exp(-mpf(p0) * t), mp.linspace(0, end, 4))
        got = th.numeric("decode_duration", theta=theta, N=slots, p0=p0, alpha_d=alpha_d, beta_d=beta_d)
        assert got == pytest.approx(float(integral), rel=1e-13)


@given(SHARE, HAZARD, COST, COST, COST, COST, COST, st.integers(1, 4096))
@CALM
def test_cycle_and_throughput(theta, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L, slots) -> None:
    given_ = {"N": slots, "p0": p0, "alpha_p": alpha_p, "alpha_d": alpha_d, "beta_p": beta_p, "beta_d": beta_d,
              "mu_L": mu_L}
    phases = (th.numeric("decode_duration", theta=theta, N=slots, p0=p0, alpha_d=alpha_d, beta_d=beta_d)
              + th.numeric("prefill_duration", theta=theta, N=slots, alpha_p=alpha_p, beta_p=beta_p, mu_L=mu_L))
    assert th.numeric("cycle_time", theta=theta, **given_) == pytest.approx(phases, rel=1e-14)
    k = slots * theta
    # k/N differs from theta by a rounding, which ln(1 - theta) enlarges near 1
    rate = k / th.numeric("cycle_time", theta=k / slots, **given_)
    assert th.numeric("throughput", k=k, **given_) == pytest.approx(rate, rel=1e-12)


@given(st.floats(-12, 12))
@CALM
def test_closed_form_solves_equation_3(exponent) -> None:
    with mp.workdps(60):
        gamma = mpf(10) ** mpf(exponent)
        theta = 1 + 1 / mp.lambertw(-mp.exp(-1 - gamma), -1).real
        assert abs(theta / (1 - theta) + mp.log(1 - theta) - gamma) < mpf(10) ** -30 * gamma
        assert float(th.numeric("base_threshold", gamma=float(gamma))) == pytest.approx(float(theta), rel=1e-15)


def test_closed_form_and_equation_are_the_same_object_symbolically() -> None:
    for gamma in (sp.Rational(1, 100), 1, 7):
        root = th.base_threshold(gamma)
        equation = th.base_threshold_equation(root, gamma)
        assert abs((equation.lhs - equation.rhs).evalf(40)) < sp.Float("1e-35")
    assert th.base_threshold().has(sp.LambertW)


def test_base_threshold_maximizes_the_throughput() -> None:
    values = {"N": 1000, "p0": 0.01, "alpha_p": 0.05, "alpha_d": 0.02, "beta_p": 1e-5, "beta_d": 2e-5, "mu_L": 300}
    rates = np.asarray(th.numeric("throughput", k=np.arange(1, 1000), **values))
    gamma = float(th.ratio(values["p0"], values["alpha_p"], values["alpha_d"]))
    assert abs(rates.argmax() + 1 - 1000 * numeric_base_threshold(gamma).theta0) < 1


def test_a_share_that_rounds_to_one_leaves_a_request() -> None:
    assert th.switching_threshold(1.0, [1, 8]).tolist() == [0, 7]
    assert th.switching_threshold([0.5, 0.99, 0.1], 8).tolist() == [4, 7, 0]


def test_small_thresholds_keep_their_digits() -> None:
    assert th.numeric("zeta", theta=1e-12) == pytest.approx(1.0000000000005e-12, rel=1e-15)


def test_arrays_broadcast_and_numbers_stay_numbers() -> None:
    values = th.numeric("decode_duration", theta=[[0.1], [0.2]], N=[1, 2, 3], p0=0.1, alpha_d=1, beta_d=1)
    assert np.shape(values) == (2, 3)
    assert isinstance(th.numeric("zeta", theta=0.5), float)
    assert np.shape(th.numeric("base_threshold", gamma=[0.0, 1.0])) == (2,)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"theta": 1.0}, "theta must be at least 0 and below 1"),
    ({"theta": [0.1, -0.1]}, r"theta\[1\] must be"),
    ({"theta": float("nan")}, "theta must be"),
    ({"theta": "a"}, "theta must be a number"),
    ({}, "needs a value for theta"),
])
def test_bad_input_is_named(arguments, message) -> None:
    with pytest.raises(InputError, match=message):
        th.numeric("zeta", **arguments)


def test_unknown_names_and_impossible_thresholds_are_named() -> None:
    with pytest.raises(UnknownNameError, match="decode_duration"):
        th.numeric("decode_durations")
    with pytest.raises(UnknownNameError, match="theta"):
        th.numeric("zeta", thetta=0.5)
    with pytest.raises(InputError, match="throughput needs k < N"):
        th.numeric("throughput", k=4, N=4, p0=0.1, alpha_p=1, alpha_d=1, beta_p=1, beta_d=1, mu_L=1)
    with pytest.raises(InputError, match="broadcast"):
        th.numeric("prefill_duration", theta=[0.1, 0.2], N=[1, 2, 3], alpha_p=1, beta_p=1, mu_L=1)


def test_each_formula_names_claims_of_the_referee() -> None:
    assert set(th.FORMULAS) == {"zeta", "decode_duration", "prefill_duration", "cycle_time", "throughput", "ratio",
                                "base_threshold_equation", "base_threshold"}
    for formula in th.FORMULAS.values():
        assert formula.claims and all(c in CLAIM for c in formula.claims)
        assert all(CLAIM[c].severity is None for c in formula.claims)


# ---- one formula, one object: the claim built from the function's own expression, and its certificate ----

def sides(formula: str) -> tuple[sp.Basic, tuple[str, ...]]:
    """A statement of the paper about the formula, its expression taken from the function."""
    theta, other = th.THETA, sp.Symbol("s", positive=True)
    t = sp.Symbol("t", real=True)
    inside = ("theta < 1", "p0 <= 1")
    if formula == "zeta":
        return sp.Eq(sp.Derivative(th.zeta(), theta), 1 / (1 - theta), evaluate=False), ("theta < 1",)
    if formula == "decode_duration":
        integral = sp.Integral(th.ALPHA_D + th.BETA_D * th.SLOTS * sp.exp(-th.P0 * t), (t, 0, other))
        return sp.Eq(integral, th.decode_duration(), evaluate=False), (*inside, "exp(-p0*s) == 1 - theta")
    if formula == "prefill_duration":
        return sp.Eq(th.prefill_duration(), th.ALPHA_P + th.BETA_P * (theta * th.SLOTS) * th.MU_L,
                     evaluate=False), inside
    if formula == "cycle_time":
        grouped = (th.ALPHA_D * th.zeta() / th.P0 + th.ALPHA_P
                   + (th.BETA_D * th.SLOTS / th.P0 + th.BETA_P * th.SLOTS * th.MU_L) * theta)
        return sp.Eq(th.cycle_time(), grouped, evaluate=False), inside
    if formula == "throughput":
        mu_O = 1 / th.P0
        beta = (th.BETA_P * th.MU_L + th.BETA_D * mu_O) / (th.MU_L + mu_O)
        printed = 1 / ((th.ALPHA_P - th.ALPHA_D * mu_O * sp.log(1 - th.K / th.SLOTS)) / th.K + beta * (th.MU_L + mu_O))
        return sp.Eq(th.throughput(), printed, evaluate=False), ("k < N", "p0 <= 1")
    if formula == "ratio":
        return sp.Eq(th.ratio() * th.ALPHA_D, th.P0 * th.ALPHA_P, evaluate=False), ("p0 <= 1",)
    if formula == "base_threshold_equation":
        psi = th.base_threshold_equation().lhs
        return sp.Eq(sp.Derivative(psi, theta), theta / (1 - theta) ** 2, evaluate=False), ("theta < 1",)
    # each root of (3) is the closed form; that there is one is eb.eq-3
    root = th.base_threshold_equation(theta)
    return sp.Eq(theta, th.base_threshold(), evaluate=False), ("theta < 1", f"{root.lhs} == {root.rhs}")


@pytest.mark.parametrize("formula", sorted(th.FORMULAS))
def test_the_claim_of_each_formula_is_proved_from_its_own_expression(formula) -> None:
    assert_proved(*sides(formula))
