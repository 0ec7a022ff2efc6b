"""The online controller of the exclusive-batching paper, Algorithm 1 (Appendix D.7), and its gate (23).

One call of :func:`complete` is one pass of the loop over completed requests, lines 3 to 14. The window is
``s.observed``; integers and real numbers of the controller stand in ``s.memory`` and ``s.memory_reals``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.refill import due, wait

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine

# Whole-number parameters, then real ones, in this order; a policy's own follow.
WINDOW, LEAST, INTERVAL, N_DEFAULT = range(4)
ALPHA_P, ALPHA_D, BETA_D, RISK, THETA_DEFAULT, THETA_MIN, THETA_MAX, KV_SAFETY, KV_RESERVE = range(9)
WHOLE = ("window", "least", "interval", "n_default")
REAL = (
    "alpha_p", "alpha_d", "beta_d", "risk", "theta_default", "theta_min", "theta_max", "kv_safety", "kv_reserve",
)  # fmt: skip

SET_OUT, SINCE, K, N = range(4)  # memory: line 2 done; j; khat*, Nhat*
THETA0, ZETA, MU_O, MU_L = range(4)  # memory_reals: estimates, 0 before the first


@compiled
def fit_linear_hazard(lengths: np.ndarray) -> tuple[float, float]:
    """(p0, eta): the compiled twin of :func:`qtheory.numerics.estimate.fit_linear_hazard`."""
    last = _percentile(lengths)
    w0, w1, w2, d0, d1 = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(lengths.size):
        m = float(min(lengths[i], last))
        w0 += m
        w1 += m * (m + 1.0) / 2.0
        w2 += m * (m + 1.0) * (2.0 * m + 1.0) / 6.0
        if lengths[i] <= last:
            d0 += 1.0
            d1 += m
    determinant = w0 * w2 - w1 * w1
    if last == 1:
        return d0 / w0, 0.0
    return (d0 * w2 - d1 * w1) / determinant, (d1 * w0 - d0 * w1) / determinant


class Fit(NamedTuple):
    """Lengths, and where (p0, eta) go: what a fit from Python is given."""

    lengths: np.ndarray  # (n,), int64
    found: np.ndarray  # (2,)


@compiled
def fit(asked: Fit) -> None:
    asked.found[0], asked.found[1] = fit_linear_hazard(asked.lengths)


@compiled
def _percentile(lengths: np.ndarray) -> int:
    """The least length that 95 percent of the lengths do not exceed, by halving the range."""
    wanted = math.ceil(0.95 * lengths.size)
    low, high = 1, 1
    for i in range(lengths.size):
        high = max(high, lengths[i])
    while low < high:
        middle = (low + high) // 2
        below = 0
        for i in range(lengths.size):
            below += lengths[i] <= middle
        if below >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def base_zeta(ratio: float) -> float:
    """-ln(1 - theta0) for the root theta0 of (3): exp(zeta) - 1 - zeta = ratio > 0, by Newton's method from above.

    The compiled twin of :func:`qtheory.numerics.special.base_threshold`.
    """
    z = min(math.sqrt(2.0 * ratio), 1.0 + math.log1p(ratio))  # both are upper bounds
    for _ in range(60):
        gap = math.expm1(z) - z - ratio
        if z < 0.1:  # expm1(z) - z from its series
            term, gap = z * z / 2.0, -ratio
            for n in range(3, 14):
                gap += term
                term *= z / n
        step = gap / math.expm1(z)
        z -= step
        if abs(step) <= 1e-15 * z:
            break
    return z


@compiled
def threshold_shift(theta0: float, zeta: float, p0: float, eta: float, rho: float) -> float:
    """Delta theta of (5), ``rho = beta_d N/alpha_d``."""
    bracket = zeta * (theta0 / (1.0 - theta0) - zeta / 2.0) + rho * (zeta - theta0)
    return eta * (1.0 - theta0) ** 2 / (p0 * p0 * theta0) * bracket


@compiled
def safe_batch(theta: float, p0: float, mu_l: float, capacity: float, risk: float) -> float:
    """N* of (6) before it is rounded down; may be negative."""
    room = capacity + math.log(risk) / (p0 * p0 * mu_l)
    return room / (mu_l - (1.0 - theta) / (theta * p0) * math.log1p(-theta))


@inlined
def start(engine: Engine, s: EngineState) -> None:
    """Lines 1 and 2."""
    if s.memory[SET_OUT] == 0:
        s.memory[SET_OUT] = 1
        s.memory[N] = engine.policy_parameters[N_DEFAULT]
        s.memory[K] = int(engine.policy_reals[THETA_DEFAULT] * s.memory[N])


@compiled
def complete(engine: Engine, s: EngineState) -> None:
    """Lines 4 to 13 after a request's lengths have been put into the window."""
    par, real = engine.policy_parameters, engine.policy_reals
    s.memory[SINCE] += 1
    size = min(s.seen[E.COMPLETED], s.observed.shape[1])
    if s.memory[SINCE] < par[INTERVAL] or size < par[LEAST]:  # line 6
        return
    p0, eta = fit_linear_hazard(s.observed[1, :size])  # line 7
    if not p0 > 0.0:
        return  # (3) has no root: the estimates stand until the window gives one
    mu_l, mu_o = 0.0, 0.0
    for i in range(size):  # line 8
        mu_l += s.observed[0, i]
        mu_o += s.observed[1, i]
    mu_l, mu_o = mu_l / size, mu_o / size
    zeta = base_zeta(p0 * real[ALPHA_P] / real[ALPHA_D])  # line 9
    theta0 = -math.expm1(-zeta)
    rho = real[BETA_D] * s.memory[N] / real[ALPHA_D]  # of the cycle before (Section 3.4)
    theta = theta0 + threshold_shift(theta0, zeta, p0, eta, rho)
    theta = min(max(theta, real[THETA_MIN]), real[THETA_MAX])  # line 10
    # Line 11; with a batch limit N of the engine the effective one is min(N*hat, N) (Section 4.3).
    most = math.floor(safe_batch(theta, p0, mu_l, float(engine.capacity), real[RISK]))
    s.memory[N] = int(max(1.0, min(most, float(engine.slots))))
    s.memory[K] = int(theta * s.memory[N])  # line 12
    s.memory[SINCE] = 0
    s.memory_reals[THETA0] = theta0
    s.memory_reals[ZETA] = zeta
    s.memory_reals[MU_O] = mu_o
    s.memory_reals[MU_L] = mu_l


@inlined
def gate_open(engine: Engine, s: EngineState) -> bool:
    """(23): free_blocks >= f_KV total_blocks; the engine counts tokens, the block size cancels.

    Before the first estimate of mu_O the gate asks for its least share of 0.05.
    """
    use = s.memory[N] * s.memory_reals[MU_O] * engine.policy_reals[KV_SAFETY] / engine.capacity
    share = min(0.6, max(0.05, use + engine.policy_reals[KV_RESERVE]))
    return bool(engine.capacity - s.seen[E.RESIDENT] >= share * engine.capacity)


@inlined
def exclusive(engine: Engine, s: EngineState) -> None:
    """The decision of EB(khat*) with Nhat* slots: refill once that is due and the gate is open.

    Appendix D.6: "when the gate fires, phase 2 is deferred and the scheduler stays in phase 1, letting existing
    decodes free KV via natural completion". With no decode left to do so the refill goes ahead.
    """
    s.decision[E.WHOLE] = 1
    idle = s.memory[N] - s.seen[E.IN_SERVICE]
    if s.seen[E.DECODING] == 0 or (due(s.memory[N], s.memory[K], idle, s.seen) and gate_open(engine, s)):
        s.decision[E.PREFILL_FIRST] = 1
        s.decision[E.EXCLUSIVE] = 1
        s.decision[E.PIECES] = max(0, s.memory[N] - s.seen[E.DECODING])
    else:
        wait(idle, s.seen, s.decision)


def lacks(engine: LLMEngine) -> str:
    """What the controller needs, if the engine lacks it."""
    p: Any = engine.parameters
    if engine.capacity is None:
        return "a capacity"
    if p["least"] > p["window"]:
        return f"a window of at least the least {p['least']} requests"
    if not 0 < p["theta_min"] <= p["theta_max"] < 1 or not p["theta_min"] <= p["theta_default"] <= p["theta_max"]:
        return "0 < theta_min <= theta_default <= theta_max < 1"
    if not 0 < p["risk"] < 1:
        return f"a risk strictly between 0 and 1, not {p['risk']}"
    costs = {n: p[n] for n in ("alpha_p", "alpha_d", "alpha_mb") if n in p}
    if min(costs.values()) <= 0 or min(p.get(n, 0.0) for n in ("beta_p", "beta_d", "kv_safety", "kv_reserve")) < 0:
        return "positive alphas, and betas, kv_safety and kv_reserve that are not negative"
    if not 0 < p.get("smoothing", 1.0) <= 1:
        return f"a smoothing above 0 and at most 1, not {p['smoothing']}"
    return ""
