"""Increasing hazard in symbols: formulas against the numbers, the referee's claims, the rule for any output law."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from formula_claims import assert_proved

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.numerics import increasing_hazard as numbers
from qtheory.numerics import kept_ages
from qtheory.numerics.special import base_threshold
from qtheory.proofs.corpus import paper
from qtheory.report.approximation import fitted_hazard
from qtheory.report.rules import fitted_threshold
from qtheory.theory import increasing_hazard as ih
from qtheory.theory.threshold import ALPHA_D, ALPHA_P, BETA_D, P0, SLOTS, THETA, switching_threshold, zeta
from qtheory.workloads import Deterministic, DiscretisedGamma, Geometric, Uniform

TRACES = Path(__file__).resolve().parents[3] / "shared" / "data" / "traces"
CLAIM = {c.id: c for c in paper("eb").claims}
POINT = {P0: sp.Rational(1, 100), ih.ETA: sp.Rational(1, 20_000), SLOTS: 256, ALPHA_P: sp.Rational(17, 1000),
         ALPHA_D: sp.Rational(1, 100), BETA_D: sp.Rational(1, 10_000), THETA: sp.Rational(2, 5)}


def at(expression: sp.Expr) -> float:
    return float(expression.subs(POINT).evalf(50))


def test_the_symbols_agree_with_the_numbers() -> None:
    z, epsilon = float(-np.log1p(-0.4)), 0.5
    assert at(ih.phase_iterations()) == pytest.approx(100 * float(numbers.duration(z, epsilon)), rel=1e-14)
    assert at(ih.cumulative_batch()) == pytest.approx(25_600 * float(numbers.cumulative_batch(z, epsilon)), rel=1e-13)
    gamma, rho = 0.017, 2.56
    rise = float(numbers.first_order(gamma, epsilon, rho).theta) - float(base_threshold(gamma).theta0)
    theta0 = sp.Float(str(base_threshold(gamma).theta0), 30)
    assert float(ih.first_order_correction(theta0).subs(POINT)) == pytest.approx(rise, rel=1e-11)
    slope = float(kept_ages.kept_age_slope(gamma)) * epsilon
    assert float(ih.kept_age_correction(theta0).subs(POINT)) == pytest.approx(slope, rel=1e-10)


def test_optimality_is_cycle_time_less_theta_times_its_derivative() -> None:
    """Appendix C.5's Phi, its derivative taken by SymPy through the error functions."""
    cycle = ih.cycle_time()
    direct = cycle - THETA * sp.diff(cycle, THETA)
    assert float(direct.subs(POINT).subs({s: 1 for s in direct.free_symbols - set(POINT)}).evalf(40)) == pytest.approx(
        at(ih.optimality()), rel=1e-12)


def test_the_optimum_is_the_zero_of_optimality() -> None:
    theta = float(ih.optimal_threshold(0.01, 5e-5, 0.017, 0.01, 1e-4, 256))
    near = [at(ih.optimality(sp.Float(theta * s, 30))) for s in (0.999, 1.001)]
    assert near[0] > 0 > near[1]


def test_arrays_broadcast_and_bad_input_is_named() -> None:
    assert ih.optimal_threshold(0.01, [[0.0], [1e-5]], 0.02, 0.01, 1e-4, [1, 10, 100]).shape == (2, 3)
    assert ih.kept_age_threshold([0.01, 0.02], 1e-5, 0.02, 0.01).shape == (2,)
    with pytest.raises(InputError, match="p0 and alpha_d must be positive"):
        ih.optimal_threshold(0, 1e-5, 0.02, 0.01, 1e-4, 8)
    with pytest.raises(InputError, match="alpha_d must be positive"):
        ih.general_rule(Geometric.with_mean(8), 1.0, 0.0)


def test_the_switching_threshold_is_a_floor_below_n() -> None:
    assert switching_threshold([0.16, 0.999, 1.0, 0.001], 64).tolist() == [10, 63, 63, 0]
    with pytest.raises(InputError, match=r"theta\[1\]"):
        switching_threshold([0.5, 1.5], 64)
    with pytest.raises(InputError, match="N must be"):
        switching_threshold(0.5, 0)


def test_each_formula_names_claims_of_the_referee() -> None:
    assert set(ih.FORMULAS) == {"phase_iterations", "first_order_correction", "kept_age_correction"}
    for formula in ih.FORMULAS.values():
        assert formula.claims and all(CLAIM[c].severity is None for c in formula.claims)


def sides(formula: str) -> tuple[sp.Basic, tuple[str, ...]]:
    """A statement about the formula, its expression taken from the function."""
    inside = ("theta < 1", "p0 <= 1")
    if formula == "phase_iterations":
        end = ih.phase_iterations()
        return sp.Eq(P0 * end + ih.ETA * end**2 / 2, zeta(), evaluate=False), inside
    if formula == "first_order_correction":
        z = zeta()
        printed = (1 - THETA) ** 2 / (P0**2 * THETA * ALPHA_D) * (
            -ALPHA_D * z**2 / 2 + THETA * ALPHA_D * z / (1 - THETA) + BETA_D * SLOTS * (z - THETA)) * ih.ETA
        return sp.Eq(ih.first_order_correction(), printed, evaluate=False), inside
    q = 1 - THETA
    slope = q * zeta() * (2 * (1 - q**2) - zeta() * q * (3 + q)) / (2 * (1 - q) ** 2)
    return sp.Eq(ih.kept_age_correction(), ih.ETA / P0**2 * slope, evaluate=False), inside


@pytest.mark.parametrize("formula", sorted(ih.FORMULAS))
def test_the_claim_of_each_formula_is_proved_from_its_own_expression(formula) -> None:
    assert_proved(*sides(formula))


# ---- the rule for any output law ----

def test_outputs_of_one_length_complete_together() -> None:
    rule = ih.general_rule(Deterministic(64), 0.5, 0.02)
    assert rule.iterations == 64 and rule.theta == 1.0


LAWS = [Uniform(256, 768), DiscretisedGamma.with_mean(shape=2, mean=256), Geometric.with_mean(100)]


@pytest.mark.parametrize("law", LAWS)
def test_no_threshold_beats_the_general_rule(law) -> None:
    for share in (0.02, 0.1, 0.3, 0.6, 0.9, 1.0):
        assert ih.relative_cost(law, share, 0.3, 0.02) >= 1 - 1e-12
    rule = ih.general_rule(law, 0.3, 0.02)
    assert ih.relative_cost(law, rule.theta, 0.3, 0.02) == pytest.approx(1)


def test_the_rules_on_the_papers_workloads() -> None:
    """(5) has no value where the fitted p0 is negative; where it has one, it costs more, the more so at larger rho."""
    times, without, losses = PrefillDecodeLaw(alpha_p=17.0, beta_p=0.0, alpha_d=1.0, beta_d=0.01), [], {}
    for name in workloads.names():
        workload = workloads.load(name)
        if workload.paper != "eb" or name == "eb-long-context":
            continue
        theta = fitted_threshold(times, *fitted_hazard(workload.output), N=500)
        if theta is None:
            without.append(name)
        else:
            losses[name] = ih.relative_cost(workload.output, theta, times.alpha_p, times.alpha_d) - 1
    assert {"eb-balanced", "eb-decode-heavy", "eb-prefill-heavy", "eb-numinamath", "eb-sharegpt"} <= set(without)
    assert losses["eb-gamma-2"] > 0.5 and losses["eb-wildchat"] > 0.1
    assert all(abs(loss) < 0.01 for name, loss in losses.items() if name.startswith("eb-geometric"))


@pytest.mark.slow
@pytest.mark.skipif(not TRACES.exists(), reason="the recorded traces are not beside this checkout")
@pytest.mark.parametrize("trace", ["splitwise_conv.csv", "splitwise_code.csv", "arxiv_summarization.csv"])
def test_the_general_rule_on_recorded_traces(trace) -> None:
    """Simulated with the trace's outputs: no threshold of a grid is cheaper than the rule's by more than 2 percent."""
    law = workloads.load(TRACES / trace).output
    ratio, slots, rng = 17.0, 1024, np.random.default_rng(3)

    def cost(theta: float) -> float:
        k = max(int(theta * slots), 1)
        means = kept_ages.simulate_phases(lambda n: law.sample(rng, n), slots, k, 260, 60)
        return (means.iterations + ratio) * slots / means.completions

    rule = ih.general_rule(law, ratio, 1.0)
    best = cost(rule.theta)
    assert best == pytest.approx(rule.cost, rel=0.05)
    assert all(cost(theta) > 0.98 * best for theta in (0.5 * rule.theta, 0.8 * rule.theta, 1.25 * rule.theta, 0.95))
