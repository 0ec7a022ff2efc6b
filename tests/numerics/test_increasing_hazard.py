"""Thresholds under an increasing hazard rate: against mpmath at 50 digits, brute force, and the process itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from qtheory.errors import InputError
from qtheory.numerics import increasing_hazard as fresh
from qtheory.numerics import kept_ages as kept
from qtheory.numerics.special import base_threshold

CALM = settings(derandomize=True, deadline=None, max_examples=40)
GAMMA, EPSILON, RHO = st.floats(1e-6, 50), st.floats(1e-8, 1e4), st.floats(0, 100)


def throughput(zeta: float, gamma: float, epsilon: float, rho: float) -> float:
    """theta over the cycle time of Appendix C.4, costs per prompt token apart, in units of p0/alpha_d."""
    return -np.expm1(-zeta) / (fresh.duration(zeta, epsilon) + rho * fresh.cumulative_batch(zeta, epsilon) + gamma)


def phase_of(zeta, epsilon):
    """The time at which a fresh clock's cumulative hazard t + epsilon t^2/2 is zeta, and the integral of those left."""
    end = mp.findroot(lambda t: t + epsilon * t * t / 2 - zeta, zeta / (1 + mp.sqrt(epsilon * zeta)))
    scale = min(mpf(1), 1 / mp.sqrt(epsilon))
    inside = [0, *(s for s in (scale / 4, scale, 2 * scale, 4 * scale, 8 * scale, 16 * scale) if s < end), end]
    return end, mp.quad(lambda s: mp.exp(-s - epsilon * s * s / 2), inside)


@pytest.mark.later
@given(st.floats(1e-6, 30), EPSILON)
@CALM
def test_duration_and_cumulative_batch_are_the_root_and_the_integral(zeta, epsilon) -> None:
    with mp.workdps(30):
        end, batch = phase_of(mpf(zeta), mpf(epsilon))
        assert float(fresh.duration(zeta, epsilon)) == pytest.approx(float(end), rel=1e-14)
        assert float(fresh.cumulative_batch(zeta, epsilon)) == pytest.approx(float(batch), rel=1e-11)


@given(GAMMA, EPSILON, RHO)
@settings(CALM, max_examples=10)
def test_at_the_optimum_the_cycle_time_a_completion_turns(gamma, epsilon, rho) -> None:
    """The time is that of the phase, what its tokens cost, and the prefill; it falls until the optimum and then rises.
    Its logarithm's slope by zeta: dt = dzeta/(1 + epsilon t), and of the share completed e^-zeta/(1 - e^-zeta)."""
    found = fresh.optimal_threshold(gamma, epsilon, rho)
    with mp.workdps(30):
        e, r = mpf(epsilon), mpf(rho)
        for factor, sign in ((1 - mpf(10) ** -10, -1), (1 + mpf(10) ** -10, 1)):
            zeta = mpf(float(found.zeta)) * factor
            end, batch = phase_of(zeta, e)
            time, faster = end + r * batch + mpf(gamma), (1 + r * mp.exp(-zeta)) / (1 + e * end)
            assert mp.sign(faster / time - 1 / mp.expm1(zeta)) == sign


@pytest.mark.later
@given(GAMMA, EPSILON, RHO)
@CALM
def test_the_optimum_is_the_global_maximum_and_above_the_base_threshold(gamma, epsilon, rho) -> None:
    found = fresh.optimal_threshold(gamma, epsilon, rho)
    best = throughput(float(found.zeta), gamma, epsilon, rho)
    grid = np.concatenate([np.geomspace(1e-6, 1, 60) * float(found.zeta), np.geomspace(1, 30, 40) * float(found.zeta)])
    assert (throughput(grid, gamma, epsilon, rho) <= best * (1 + 1e-12)).all()
    assert found.theta >= base_threshold(gamma).theta0 * (1 - 1e-12)


@pytest.mark.parametrize(("gamma", "rho"), [(0.016, 0.0), (0.016, 3.0), (1.0, 1.0)])
def test_the_first_order_expansion_has_a_remainder_of_second_order(gamma, rho) -> None:
    """The ratio of the remainder to epsilon^2 settles: Theorem 3.2 in Appendix C's model."""
    epsilon = np.array([4e-3, 2e-3, 1e-3])
    gap = fresh.first_order(gamma, epsilon, rho).theta - fresh.optimal_threshold(gamma, epsilon, rho).theta
    scaled = gap / epsilon**2
    assert np.ptp(scaled) < 0.1 * np.abs(scaled).max()
    assert abs(scaled[2] - scaled[1]) < 0.7 * abs(scaled[1] - scaled[0])


@pytest.mark.parametrize(("gamma", "share", "rho"), [
    (1e-6, 1, 0), (1e-6, 0.01, 1e5), (0.016, 0.9, 3), (1, 0.5, 1), (40, 0.2, 1e4),
    pytest.param(3, 0.9, 0.5, marks=pytest.mark.slow)])
def test_the_first_order_condition_in_closed_form_and_the_constant_of_the_expansion(gamma, share, rho) -> None:
    """eb.thm-3.2 at 50 digits, p0 = alpha_d = 1: the form of the condition that it rests on, and its constant."""
    with mp.workdps(50):
        g, r = mpf(gamma), mpf(rho)
        e = mpf(share) / (4 * (1 + r))
        zeta0 = mp.findroot(lambda z: mp.expm1(z) - z - g, mp.log(1 + g + mp.sqrt(2 * g)))

        def left(s):
            return mp.exp(-s - e * s * s / 2)

        def end(z):
            return 2 * z / (1 + mp.sqrt(1 + 2 * e * z))

        def over(f, t):
            return mp.quad(f, mp.linspace(0, t, 6))

        def residual(z):
            """Phi, as C.5 has it: the cycle time less theta times its slope; over e^z."""
            t = end(z)
            slope = (mp.exp(z) + r) / (1 + e * t)
            return (t + r * over(left, t) + g + mp.expm1(-z) * slope) * mp.exp(-z)

        low, high = zeta0, g + 2
        assert residual(low) > 0 > residual(high)
        zeta = mp.findroot(residual, (low, high), solver="illinois", tol=mpf(10) ** -64, maxsteps=200)
        assert float(fresh.optimal_threshold(gamma, float(e), rho).zeta) == pytest.approx(float(zeta), rel=1e-12)
        t, theta, theta0 = end(zeta), -mp.expm1(-zeta), -mp.expm1(-zeta0)
        gain = e * (t * t / 2 + g * t + r * over(lambda s: (t - s) * left(s), t))
        assert abs(mp.expm1(zeta) - zeta - g - gain) < mpf(10) ** -25 * gain
        top = (1 + r) * (g + 2) ** 2 / 2 + g * (g + 2)
        further = top * (1 - theta0) / theta0
        off = (further + (g + 2) ** 2) * (2 * g + 2 + r) + r * (g + 2) ** 4
        weight = (1 - theta0) ** 2 / theta0
        first = theta0 + e * (zeta0**2 / 2 + g * zeta0 + r * (zeta0 - theta0)) * weight
        assert float(fresh.first_order(gamma, float(e), rho).theta) == pytest.approx(float(first), rel=1e-12)
        assert theta > theta0
        assert abs(theta - first) <= e * e * (off * weight + top * further / theta0**2)


def test_large_batches_drive_the_fresh_clock_optimum_to_one() -> None:
    theta = fresh.optimal_threshold(0.1, 1e-3, [1.0, 1e3, 1e6, 1e9]).theta
    assert (np.diff(theta) > 0).all() and theta[-1] > 0.99
    assert np.isnan(fresh.first_order(0.1, 1e-3, 1e6).zeta)


def test_the_optimum_of_a_constant_hazard_is_the_base_threshold() -> None:
    gamma = np.array([1e-4, 0.3, 7.0])
    base = base_threshold(gamma).theta0
    assert fresh.optimal_threshold(gamma, 0, 5).theta == pytest.approx(base, rel=1e-9)
    assert kept.kept_age_threshold(gamma, 0).theta == pytest.approx(base, rel=1e-6)


# ---- requests that keep their age ----

@pytest.mark.parametrize("gamma", [0.01, 0.3, 3.0])
def test_the_kept_age_slope_is_the_derivative(gamma) -> None:
    epsilon = np.array([2e-3, 4e-3])
    rise = (kept.kept_age_threshold(gamma, epsilon).theta - base_threshold(gamma).theta0) / epsilon
    assert 2 * rise[0] - rise[1] == pytest.approx(float(kept.kept_age_slope(gamma)), rel=2e-3)


@pytest.mark.parametrize(("gamma", "epsilon"), [(0.02, 0.3), (0.3, 0.1), (0.3, 5.0), (3.0, 0.5)])
def test_the_kept_age_threshold_is_that_of_fine_iterations(gamma, epsilon) -> None:
    """Of phases of whole iterations, 1/2000 of the time unit each, the cheapest by enumeration."""
    times = np.arange(40_000) / 2000
    tail = np.exp(-times - epsilon * times**2 / 2)
    costs = np.array([(d / 2000 + gamma) * tail[::d].sum() for d in range(40, 12_000, 2)])
    best = 40 + 2 * int(costs.argmin())
    assert 40 < best < 11_990
    assert float(kept.kept_age_threshold(gamma, epsilon).theta) == pytest.approx(1 / tail[::best].sum(), abs=5e-4)


@given(st.floats(1e-3, 50))
@CALM
def test_the_kept_age_slope_is_positive(gamma) -> None:
    assert kept.kept_age_slope(gamma) > 0


def law_of(hazard: np.ndarray) -> np.ndarray:
    return np.concatenate([[1.0], np.cumprod(1 - hazard)])[:-1]


@given(st.lists(st.floats(0.001, 0.4), min_size=3, max_size=40), st.floats(0, 200))
@CALM
def test_the_general_rule_is_the_best_of_all_phase_lengths(rates, ratio) -> None:
    tail = law_of(np.array([*rates, 1.0]))
    rule = kept.best_phase(tail, ratio)
    costs = [(d + ratio) * sum(tail[::d]) for d in range(1, tail.size + 6)]
    assert rule.cost == pytest.approx(min(costs), rel=1e-12)
    assert rule.iterations == 1 + costs.index(min(costs))
    assert rule.theta == pytest.approx(1 / sum(tail[::rule.iterations]), rel=1e-12)
    assert kept.phase_length(tail, rule.theta * (1 - 1e-9)) <= rule.iterations


def test_the_general_rule_finds_the_base_threshold_of_geometric_outputs() -> None:
    p, ratio = 0.002, 30.0
    rule = kept.best_phase((1 - p) ** np.arange(20_000), ratio)
    assert rule.theta == pytest.approx(base_threshold(p * ratio).theta0, abs=2 * p)


@pytest.mark.parametrize("share", [0.15, 0.5, 0.8])
def test_simulated_phases_are_those_of_the_cohorts(share) -> None:
    """Section 3.1's process with Gamma-like outputs: phase length, and the cost of tokens whatever the threshold."""
    rng = np.random.default_rng(11)

    def draw(n: int) -> np.ndarray:
        return np.asarray(rng.geometric(0.02, n) + rng.geometric(0.02, n) - 1)

    slots, p = 3000, 0.02
    t = np.arange(2500)
    tail = np.where(t == 0, 1.0, (1 - p) ** t * (1 + p * t))
    means = kept.simulate_phases(draw, slots, int(share * slots), 400, 60)
    fluid = kept.phase_length(tail, share)
    assert means.iterations == pytest.approx(fluid, abs=0.03 * fluid + 1)
    assert means.completions / slots == pytest.approx(share, rel=0.08)
    assert means.request_iterations / means.completions == pytest.approx(tail.sum(), rel=0.02)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: fresh.optimal_threshold(0, 1, 1), "gamma must be positive"),
    (lambda: fresh.optimal_threshold([1.0, 0.0], 1, 1), "gamma must be positive"),
    (lambda: fresh.optimal_threshold(1, -1, 1), "epsilon must be finite and at least 0"),
    (lambda: fresh.optimal_threshold("a", 1, 1), "gamma must be a number"),
    (lambda: kept.kept_age_threshold(1, float("inf")), "epsilon must be finite"),
    (lambda: kept.best_phase([0.5], 1), "survivors must fall"),
    (lambda: kept.best_phase([1.0], -1), "at least 0"),
    (lambda: kept.phase_length([1.0], 0), "must lie in"),
    (lambda: kept.simulate_phases(lambda n: np.ones(n, dtype=int), 4, 5, 3), "1 <= k <= N"),
])
def test_bad_input_is_named(call, message) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_an_expansion_at_one_or_beyond_is_no_threshold() -> None:
    found = fresh.first_order(0.5, [0.01, 3.0], 0.1)
    assert found.theta[0] < 1 < found.theta[1]
    assert found.zeta[0] == pytest.approx(-np.log(1 - found.theta[0])) and np.isnan(found.zeta[1])


def test_means_are_over_the_phases_after_the_warm_up() -> None:
    """Outputs of a single token: each phase is one iteration of all slots, all of which end."""
    assert kept.simulate_phases(lambda n: np.ones(n, dtype=int), 3, 1, 5, 2) == (1.0, 3.0, 3.0)
