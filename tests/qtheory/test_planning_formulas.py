"""The formulas of planning: their claims, and what the claims say, proved of the functions' own expressions."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
import sympy as sp
from formula_claims import assert_proved

from qtheory.proofs.corpus import paper
from qtheory.theory.planning import formulas as f
from qtheory.theory.planning.instance import evaluate

CLAIM = {c.id: c for c in paper("gr").claims}
POSITIVE = [f"{name} > 0" for name in ("B", "C", "D", "P", "alpha", "beta", "gamma", "tau")]


def among(goal: sp.Basic, *more: str) -> list[str]:
    """The symbols' conditions, of those that the goal names."""
    names = {str(s) for s in goal.free_symbols}
    signs = [f"{name} >= 0" for name in ("x", "y_m", "y_s", "c_p", "c_d")]
    return [c for c in (*POSITIVE, *signs) if c.split()[0] in names] + list(more)


def test_each_formula_names_claims_of_the_referee() -> None:
    named = {c for formula in f.FORMULAS.values() for c in formula.claims}  # type: ignore[attr-defined]
    assert named and all(c in CLAIM for c in named)
    assert {n for n, formula in f.FORMULAS.items() if not formula.claims} == {"reward", "solo_share"}  # type: ignore[attr-defined]


MU_P, MU_M, MU_S = f.prefill_rate(), f.mixed_rate(), f.solo_rate()
SPENT = f.PREFILL_PRICE * f.PROMPT * MU_P * f.X + f.DECODE_PRICE * f.DECODE * (MU_M * f.Y_M + MU_S * f.Y_S)


@pytest.mark.parametrize("goal", [
    sp.Eq(MU_S / MU_M, f.speed_ratio(), evaluate=False),  # gr.lem-EC.5.solo
    sp.Eq(MU_P / MU_M, f.CHUNK * f.DECODE / f.PROMPT, evaluate=False),
    sp.Eq(SPENT, f.separate_revenue(), evaluate=False),  # gr.lp-42.coefficients
    sp.Eq(f.solo_share(), MU_S * f.Y_S / (MU_M * f.Y_M + MU_S * f.Y_S), evaluate=False),
    sp.Eq(f.token_time(0), 1 / f.GAMMA, evaluate=False),
])
def test_identities(goal: sp.Basic) -> None:
    more = ["y_m > 0"] if goal.has(f.Y_M) and goal.has(1 / (f.Y_M / f.TAU + f.GAMMA * f.Y_S)) else []
    assert_proved(goal, among(goal, *more))


def test_the_token_time_lies_between_the_modes() -> None:
    """gr.eq-47.average: a mixture of tau and 1/gamma, which grows with the prefills where tau is the longer one."""
    time = f.token_time()
    goal = sp.And(time >= 1 / f.GAMMA, time <= f.TAU)
    assert_proved(goal, among(goal, "x <= 1", "B > 1", "tau*gamma >= 1"))


@pytest.mark.parametrize(("name", "values", "expected"), [
    ("mixed_time", (256, F("0.0174"), F("0.000062")), F("0.033272")),
    ("prefill_rate", (300, 256, F(1, 100)), F(256, 3)),
    ("solo_rate", (1000, F("45.45")), F("0.04545")),
    ("reward", (300, 1000, F(1, 10), F(1, 5)), 230),
])
def test_exact_twins(name: str, values: tuple[F, ...], expected: F) -> None:
    assert evaluate(name, *values) == expected
    import inspect

    keys = list(inspect.signature(f.FORMULAS[name]).parameters)
    assert f.FORMULAS.numeric(name, dict(zip(keys, map(float, values), strict=True))) == pytest.approx(float(expected))
