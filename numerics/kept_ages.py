"""Exclusive batching whose requests keep their age across decode phases (Section 3.1 of arXiv:2606.00516).

In steady state of the fluid model each phase has the same length D, the batch at its start consists of cohorts that
are 0, D, 2D, ... iterations old, and the share of the batch that completes in a phase is

    theta = 1/M(D),   M(D) = sum_{j >= 0} Pr(O > j D).

Each completed request was decoded for its whole length, so the time that its tokens cost, ``beta_d mu_O``, does not
depend on the threshold: the time per completed request is ``(alpha_d D + alpha_p) M(D)/N + beta_d mu_O + beta_p
mu_L``.  The best phase length minimizes ``(D + alpha_p/alpha_d) M(D)``, for every law of the output length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.numerics.increasing_hazard import Threshold, number
from qtheory.numerics.special import base_threshold

Array = NDArray[np.float64]
Lengths = NDArray[np.int64]

_COHORTS = 40.0  # a cohort with hazard p0 or more has fewer than exp(-40) survivors after 40/p0 iterations


# ---- any law, in whole iterations ----

class PhaseRule(NamedTuple):
    """The best phase: its length (iterations), the completed share of the batch, and ``(D + ratio) M(D)``."""

    iterations: int
    theta: float
    cost: float


def cohort_batch(survivors: ArrayLike, iterations: int) -> float:
    """``M(D)`` for ``survivors[t] = Pr(O > t)``, t = 0, 1, ..., up to where it is negligible."""
    return float(np.asarray(survivors, dtype=float)[:: iterations].sum())


def phase_costs(survivors: ArrayLike, ratio: float) -> Array:
    """``(D + ratio) M(D)`` for D = 1, ..., the number of survivors; ``ratio = alpha_p/alpha_d``."""
    tail = np.asarray(survivors, dtype=float)
    return np.array([(d + ratio) * tail[::d].sum() for d in range(1, tail.size + 1)])


def best_phase(survivors: ArrayLike, ratio: float) -> PhaseRule:
    """The phase length that minimizes the time per completed request.

    ``survivors[t] = Pr(O > t)`` for t = 0, 1, ..., shape (n,): decreasing from 1, cut where it is negligible.
    Raises InputError for other survivors and for a negative ratio.
    """
    tail = np.asarray(survivors, dtype=float)
    if tail.ndim != 1 or not tail.size or tail[0] != 1 or (np.diff(tail) > 0).any() or (tail < 0).any():
        raise InputError("survivors must fall from Pr(O > 0) = 1 and stay at least 0")
    if not (np.isfinite(ratio) and ratio >= 0):
        raise InputError(f"ratio is {ratio}; alpha_p/alpha_d must be at least 0")
    costs = phase_costs(tail, ratio)
    best = int(costs.argmin())
    return PhaseRule(best + 1, (best + 1 + ratio) / float(costs[best]), float(costs[best]))


def phase_length(survivors: ArrayLike, theta: float) -> int:
    """The first whole number D of iterations at whose end at least the share ``theta`` has completed, 1/M(D) >= theta
    (in steady state; 0 < theta <= 1)."""
    tail = np.asarray(survivors, dtype=float)
    if not 0 < theta <= 1:
        raise InputError(f"theta is {theta}; a share must lie in (0, 1]")
    low, high = 0, tail.size  # M falls with D, and is 1 at the last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tail[::middle].sum() * theta <= 1 + 1e-12 else (middle, high)
    return high


# ---- the linear hazard rate, continuous time ----

def kept_age_threshold(gamma: ArrayLike, epsilon: ArrayLike) -> Threshold:
    """The optimum where requests keep their age, under ``h(t) = p0 + eta t``; any rho.

    The best x minimizes ``(x + gamma) M(x)``.  ``zeta`` is ``-ln(1 - theta)``; about 7 digits, as of any minimum that
    is found by its values.  Raises InputError for gamma <= 0 and for what is not finite.
    """
    g, e = np.broadcast_arrays(number("gamma", gamma), number("epsilon", epsilon))
    if not (g > 0).all():
        raise InputError("gamma must be positive")
    theta = np.array([_kept_age(float(a), float(b)) for a, b in zip(g.flat, e.flat, strict=True)]).reshape(g.shape)
    return Threshold(theta, np.asarray(-np.log1p(-theta)))


def cohorts(x: ArrayLike, epsilon: float) -> Array:
    """``M(x)``, the batch over the requests admitted in a cycle."""
    xs = np.atleast_1d(np.asarray(x, dtype=float))
    ages = np.arange(int(np.ceil(_COHORTS / xs.min())) + 1) * xs[:, None]
    return np.asarray(np.exp(-ages - epsilon * ages * ages / 2).sum(axis=1))


def _kept_age(gamma: float, epsilon: float) -> float:
    """By a grid, then golden sections around its best point: the cost may have several valleys."""
    from scipy.optimize import minimize_scalar

    centre = float(base_threshold(gamma).zeta)
    grid = centre * np.geomspace(0.02, 50, 160)
    costs = np.array([(x + gamma) * cohorts(x, epsilon)[0] for x in grid])
    best = int(costs.argmin())
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    found = minimize_scalar(lambda x: (x + gamma) * cohorts(x, epsilon)[0], bounds=(low, high), method="bounded",
                            options={"xatol": 1e-12 * high})
    return float(1 / cohorts(found.x, epsilon)[0])


def kept_age_slope(gamma: ArrayLike) -> Array:
    """d theta/d epsilon at epsilon = 0 of `kept_age_threshold`, in closed form."""
    base = base_threshold(gamma)
    x, p = np.asarray(base.zeta, dtype=float), np.asarray(base.theta0, dtype=float)  # p = 1 - q
    q = np.exp(-x)
    spread = x * x * q * (1 + q) / (2 * p**3)  # -dM/d epsilon
    growth = q * (2 * x * (1 + q) - x * x * (1 + 2 * q)) / (2 * p**3) - 3 * x * x * q * q * (1 + q) / (2 * p**4)
    shift = p * (spread + p / q * growth)  # dx/d epsilon
    return np.asarray(p * p * spread + q * shift)


# ---- the process itself ----

class PhaseMeans(NamedTuple):
    """Means over the simulated phases: iterations, completed requests, and the sum of the batch sizes."""

    iterations: float
    completions: float
    request_iterations: float


def simulate_phases(draw: Callable[[int], Lengths], slots: int, k: int, phases: int, warm_up: int = 0) -> PhaseMeans:
    """The decode phases of EB(k) with N = slots, exactly: each request completes after its own length of iterations.

    ``draw(n)``: n fresh output lengths, integers from 1. A phase ends with the iteration at whose end at least k
    slots are idle, all of which are then filled. The first ``warm_up`` of the phases are left out of the means.
    Raises InputError unless 1 <= k <= slots and 0 <= warm_up < phases.
    """
    if not (1 <= k <= slots and 0 <= warm_up < phases):
        raise InputError(f"needs 1 <= k <= N and 0 <= warm_up < phases, not k = {k}, N = {slots}, {warm_up}, {phases}")
    left = np.asarray(draw(slots), dtype=np.int64)
    totals = np.zeros(3)
    for phase in range(phases):
        end = np.partition(left, k - 1)[k - 1]
        active = np.minimum(left, end)
        left = left - end
        done = left <= 0
        if phase >= warm_up:
            totals += end, done.sum(), active.sum()
        left[done] = draw(int(done.sum()))
    return PhaseMeans(*(float(t) for t in totals / (phases - warm_up)))
