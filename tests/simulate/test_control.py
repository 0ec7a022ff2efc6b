"""The controller of exclusive batching: its compiled estimates, hand-worked traces, the token-by-token reference."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from test_engine import agree
from test_policies_by_hand import SECOND, iterations

from qtheory.errors import InputError
from qtheory.numerics.estimate import fit_linear_hazard
from qtheory.numerics.increasing_hazard import optimal_threshold
from qtheory.numerics.special import base_threshold
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import control
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Discrete, Exponential, Geometric, Listed

# theta is clipped to 1/2, the risk is 1/2: N* = (C - ln 2/(p0^2 mu_L))/(mu_L + ln 2/p0), k = floor(N*/2).
HALVES = {
    "window": 2, "least": 2, "interval": 2, "n_default": 2, "alpha_p": 1.0, "alpha_d": 1.0, "beta_d": 0.0,
    "risk": 0.5, "theta_default": 0.5, "theta_min": 0.5, "theta_max": 0.5, "kv_safety": 2.0, "kv_reserve": 0.0,
}  # fmt: skip
MIXED = {"budget": 3, "beta_p": 0.0, "alpha_mb": 0.5, "c0": 1.0, "c1": 0.0, "c2": 0.0, "delta": 0.5, "smoothing": 1.0}


def requests_at(times, outputs):
    """Prompts of two tokens at these times, and one more long after."""
    gaps = np.diff([0, *times, 999], prepend=0)[1:]
    return RequestClass("r", Listed((2.0,), 2.0), Listed(tuple(outputs), 1.0), arrivals=Listed(tuple(map(float, gaps))))


@pytest.mark.later
def test_adaptive_by_hand():
    """C = 20; eleven prompts at 0 with outputs 1 4 1 1 1 1 3 3 2 5 1.

    (k, N) = (1, 2) at first. At 4 the window is {1, 1}: p0 = 1, N = 19.65/2.69 -> 7, k = 3, of which memory admits
    five. At 6 four of the seven slots are idle, but 11 tokens are held and the gate wants 7*1*2/20 -> 0.6 of 20 free:
    the refill waits. At 7 the window is {1, 4}: hazards 1/2 0 0 1, p0 = 7/34, N = 11.82/5.37 -> 2, k = 1. {3, 3},
    {3, 2}, {2, 1} give p0 <= 0: the pair stands. At 8 nothing decodes, at 11 one slot is idle and 16 tokens are free.
    """
    model = LLMEngine((requests_at([0] * 11, (1, 4, 1, 1, 1, 1, 3, 3, 2, 5, 1)),), SECOND, "eb-adaptive", HALVES,
                      capacity=20)  # fmt: skip
    run = run_engine(model, horizon=16.0, records=True)
    assert iterations(run) == [
        (0, 4, 0), (1, 0, 2), (2, 2, 0), (3, 0, 2), (4, 10, 0), (5, 0, 6), (6, 0, 3), (7, 0, 2), (8, 4, 0), (9, 0, 2),
        (10, 0, 2), (11, 2, 0), (12, 0, 2), (13, 0, 1), (14, 0, 1),
    ]  # fmt: skip
    ends = sorted((int(r[3]), int(r[5])) for r in run.records)
    assert ends == [(2, 1), (4, 1), (6, 1), (6, 1), (6, 1), (7, 4), (8, 3), (8, 3), (11, 2), (13, 1), (15, 5)]
    assert run.total(E.PREEMPTIONS) == 0


def test_plus_by_hand():
    """Four slots, budget 3; eight prompts at 0 with outputs 1 1 4 2 3 3 3 4, a ninth at 13 with output 1.

    Mixed until {1, 1} at 3: p0 = 1, zeta = 1.146, theta0 = 0.682, N = 4, k = 2. With the margin 1/2 rule (8) is
    N_obs/2 > ((1 + zeta)/theta0 - 1)/3 = 0.715: exclusive after an iteration with two requests decoding or more.
    That is so from 5 to 10; later windows give p0 < 0. A refill is due where fillable >= n, of n who decode: at 5 and
    at 8 one slot is idle and three decode; at 6 two can be filled and two decode; at 9 two slots are idle, but only the
    eighth waits, and two decode; at 10 nobody does. At 11 nobody decoded before: mixed, and at 12 one, so still.
    """
    model = LLMEngine((requests_at([0] * 8 + [13], (1, 1, 4, 2, 3, 3, 3, 4, 1)),), SECOND, "eb-plus",
                      {**HALVES, **MIXED, "kv_safety": 0.5}, capacity=20, slots=4)  # fmt: skip
    run = run_engine(model, horizon=16.0, records=True)
    assert iterations(run) == [
        (0, 3, 0), (1, 2, 1), (2, 2, 1), (3, 2, 1), (4, 1, 2), (5, 0, 3), (6, 4, 0), (7, 0, 4), (8, 0, 3), (9, 0, 2),
        (10, 2, 0), (11, 0, 1), (12, 0, 1), (13, 2, 1), (14, 0, 2),
    ]  # fmt: skip
    ends = sorted((int(r[3]), int(r[5])) for r in run.records)
    assert ends == [(2, 1), (3, 1), (6, 2), (8, 4), (9, 3), (10, 3), (10, 3), (15, 1), (15, 4)]


CONTROL = {
    "window": 40, "least": 15, "interval": 5, "n_default": 6, "alpha_p": 0.06, "alpha_d": 0.03, "beta_d": 0.001,
    "risk": 0.2, "theta_default": 0.4, "theta_min": 0.1, "theta_max": 0.8, "kv_safety": 0.8, "kv_reserve": 0.02,
}  # fmt: skip
PLUS = {
    "budget": 24, "beta_p": 0.001, "alpha_mb": 0.04, "c0": 0.001, "c1": 0.006, "c2": -0.004, "delta": 0.0,
    "smoothing": 0.05,
}  # fmt: skip
TIME = IterationTime("mixed-quadratic", (0.04, 0.001, 0.006, -0.004))
PROMPTS = Discrete((5.0, 20.0, 70.0), (0.5, 0.3, 0.2))
OUTPUTS = Discrete(tuple(map(float, range(1, 41))), (0.025,) * 40)  # a rising hazard: eta is not 0


def engine(policy, gap=0.6, capacity=600, **options):
    classes = (
        RequestClass("a", PROMPTS, OUTPUTS, Exponential(gap)),
        RequestClass("b", Discrete((3.0,), (1.0,)), Geometric(0.2), Exponential(2 * gap)),
    )
    parameters = {**CONTROL, **(PLUS if policy == "eb-plus" else {})}
    return LLMEngine(classes, TIME, policy, parameters, capacity=capacity, **options)


@pytest.mark.parametrize("policy", ["eb-adaptive", "eb-plus"])
@pytest.mark.parametrize(("gap", "capacity", "slots"), [(0.6, 600, None), (0.5, 160, None), (1.5, 600, 10)])
def test_iteration_by_iteration(policy, gap, capacity, slots):
    got, want = agree(engine(policy, gap, capacity, slots=slots), seed=3)
    assert len(want.lengths) == CONTROL["window"]
    changed = (want.k, want.n) != (int(CONTROL["theta_default"] * CONTROL["n_default"]), CONTROL["n_default"])
    assert changed and want.estimates
    if policy == "eb-plus" and gap < 1:
        assert 0 < got.total(E.MIXED) < 0.9 * got.iterations  # both kinds of batch


def test_requests_that_end_together_complete_in_the_order_of_their_arrival():
    """C = 20, N = 3, k = 1, an estimate every third completion: A at 0 with output 3; B, C at 3 with output 1.

    A decodes at 1 and 2, B and C are prefilled at 3, and all three end at 5. A came first, so the window of two is
    {1, 1}: p0 = 1, N = 19.65/2.69 -> 7, and the four prompts that come at 6 are taken at once. In any other order it
    would be {3, 1}: p0 = 2/11, N = 9.52/5.81 -> 1.
    """
    model = LLMEngine((requests_at([0, 3, 3, 6, 6, 6, 6], (3, 1, 1, 1, 1, 1, 1, 1)),), SECOND, "eb-adaptive",
                      {**HALVES, "n_default": 3, "interval": 3}, capacity=20)  # fmt: skip
    run = run_engine(model, horizon=9.0, records=True)
    assert iterations(run) == [(0, 2, 0), (1, 0, 1), (2, 0, 1), (3, 4, 0), (4, 0, 3), (6, 8, 0), (7, 0, 4)]
    assert [(int(r[3]), int(r[6])) for r in run.records] == [(5, 0), (5, 1), (5, 2), *((8, n) for n in range(3, 7))]


@pytest.mark.parametrize("policy", ["eb-adaptive", "eb-plus"])
def test_records_of_one_iteration_are_in_the_order_of_arrival(policy):
    run = run_engine(engine(policy, 0.3), horizon=300.0, records=True)
    ends, numbers = run.records[:, 3], run.records[:, 6]
    together = ends[1:] == ends[:-1]
    assert together.sum() > 20 and (numbers[1:][together] > numbers[:-1][together]).all()


def test_gate_defers_but_never_blocks():
    """A gate that wants 60 percent free all the time leaves an engine that works off what it has, then refills."""
    strict = {**CONTROL, "kv_reserve": 0.6}
    loose = {**CONTROL, "kv_safety": 0.0}
    runs = {}
    for name, parameters in (("strict", strict), ("loose", loose)):
        model = LLMEngine((RequestClass("a", PROMPTS, OUTPUTS),), TIME, "eb-adaptive", parameters, capacity=300,
                          saturated=True)  # fmt: skip
        runs[name] = run_engine(model, horizon=400.0)
    peak = {n: r.total(E.RESIDENT_AREA) / r.seconds for n, r in runs.items()}
    assert peak["strict"] < peak["loose"] and runs["strict"].requests > 100
    assert runs["strict"].total(E.PREEMPTIONS) <= runs["loose"].total(E.PREEMPTIONS)


@pytest.mark.parametrize(("used", "reserve", "share"), [(0.0, 0.0, 0.05), (0.0, 0.02, 0.05), (0.25, 0.125, 0.375),
                                                        (0.5, 0.4, 0.6)])  # fmt: skip
def test_the_gate_opens_at_its_share(used, reserve, share):
    """(23): open when at least the share is free, which lies between 0.05 and 0.6: from both sides of it."""
    capacity, n = 1000, 10
    memory, reals = np.zeros(64), np.zeros(64)
    memory[control.N], reals[control.MU_O] = n, used * capacity / n
    engine = SimpleNamespace(policy_reals=np.zeros(64), capacity=capacity)
    engine.policy_reals[control.KV_SAFETY], engine.policy_reals[control.KV_RESERVE] = 1.0, reserve
    most = capacity - round(share * capacity)
    for resident, opened in ((most, True), (most + 1, False)):
        seen = np.zeros(64)
        seen[E.RESIDENT] = resident
        state = SimpleNamespace(memory=memory, memory_reals=reals, seen=seen)
        assert getattr(control.gate_open, "py_func", control.gate_open)(engine, state) is opened


LENGTHS = st.lists(st.integers(1, 3000), min_size=1, max_size=80)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(LENGTHS)
def test_compiled_fit_is_the_numeric_one(lengths):
    want = fit_linear_hazard(lengths)
    got = np.empty(2)
    control.fit(control.Fit(np.array(lengths), got))
    assert tuple(got) == pytest.approx((want.p0, want.eta), rel=1e-11, abs=1e-14)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.floats(1e-9, 1e6))
def test_compiled_threshold_is_the_numeric_one(ratio):
    assert control.base_zeta(ratio) == pytest.approx(base_threshold(ratio).zeta, rel=1e-14)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(0.002, 0.05), st.floats(0.05, 0.9), st.floats(0.5, 1e3), st.floats(1e-3, 0.2))
def test_compiled_batch_size_meets_the_bound_of_its_proof(p0, theta, mu_l, risk):
    """(6) by Appendix D: the memory of N requests at a phase's start, with what is exceeded by chance, is the capacity.

    In a phase the batch decays at rate p0 to 1 - theta of it; what a slot holds at a phase's start goes on with that
    chance, a phase longer. What is exceeded is the supremum of a walk: of drift -p0 mu_L and variance 2/p0 a request.
    """
    phase = quad(lambda share: 1.0 / (p0 * share), 1.0 - theta, 1.0, epsabs=0.0, epsrel=1e-13)[0]
    held, later = -1.0, 0.0
    while later > held:
        held, later = later, (1.0 - theta) * (later + phase)
    drift, variance = p0 * mu_l, 2.0 / p0
    exceeded = brentq(lambda x: np.exp(-2.0 * drift * x / variance) - risk, 0.0, 100.0 * variance / drift, xtol=1e-9)
    n = control.safe_batch(theta, p0, mu_l, 1e6, risk)
    assert n * (mu_l + held) + exceeded == pytest.approx(1e6, rel=1e-10)


@settings(derandomize=True, max_examples=30, deadline=None)
@given(st.floats(0.05, 5.0), st.floats(0.0, 5.0), st.floats(0.005, 0.2))
def test_compiled_shift_is_the_slope_of_the_optimum(gamma, rho, p0):
    """(5): where the optimal threshold begins to go as the hazard rate p0 + eta t begins to rise; eta = epsilon p0^2.
    Of the quotients at epsilon and twice that the linear parts of the errors cancel."""
    epsilon, base = np.array([1e-4, 2e-4]), base_threshold(gamma)
    rise = (optimal_threshold(gamma, epsilon, rho).theta - base.theta0) / epsilon
    got = control.threshold_shift(float(base.theta0), float(base.zeta), p0, p0**2, rho)
    assert got == pytest.approx(2.0 * rise[0] - rise[1], rel=1e-6)


def test_compiled_shift_by_hand():
    """theta0 = 1/2, zeta = ln 2, p0 = 1/10, eta = 1/1000, rho = 2: 1/20 (ln 2 (1 - ln 2 / 2) + 2 (ln 2 - 1/2)), to the
    last digits, which a slope does not reach."""
    assert control.threshold_shift(0.5, np.log(2), 0.1, 0.001, 2.0) == pytest.approx(0.0419607517360367608, rel=1e-14)


@pytest.mark.parametrize(("changes", "options", "says"), [
    ({}, {"capacity": None}, "needs a capacity"),
    ({"least": 50}, {}, "a window of at least"),
    ({"theta_min": 0.5}, {}, "theta_min <= theta_default"),
    ({"theta_max": 1.0}, {}, "theta_max < 1"),
    ({"risk": 1.0}, {}, "risk strictly between"),
    ({"alpha_d": 0.0}, {}, "positive alphas"),
    ({"kv_safety": -1.0}, {}, "not negative"),
    ({"beta_d": float("nan")}, {}, "must be finite"),
    ({"window": 0}, {}, "window must be a whole number"),
])  # fmt: skip
def test_bad_control_is_one_line(changes, options, says):
    with pytest.raises(InputError, match=says) as caught:
        LLMEngine((RequestClass("a", PROMPTS, OUTPUTS, Exponential(1.0)),), TIME, "eb-adaptive",
                  {**CONTROL, **changes}, **{"capacity": 100, **options})  # fmt: skip
    assert "\n" not in str(caught.value)
