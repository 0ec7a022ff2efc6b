"""How good the closed forms of exclusive batching are: where they are within a share of the exact answer.

Source of the closed forms: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.2.
The exact answers are those of the paper's own models: the decode phase as a Markov chain (Section 3.1), Appendix C's
fluid model with the linear hazard rate, and the system whose requests keep their age.  Pure numbers as in
`qtheory.numerics.increasing_hazard`; ``p0`` per iteration, ``N`` in requests; the costs per token are 0 where they
only dilute an error (`decode_batch`, `throughput_batch`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from qtheory.numerics import increasing_hazard, kept_ages
from qtheory.numerics.phases import phase_moments
from qtheory.numerics.special import base_threshold
from qtheory.theory.threshold import switching_threshold

LEVELS = (0.01, 0.05, 0.20)
SLOPES = np.geomspace(1e-5, 1e3, 161)  # eta/p0^2 at which errors are taken
FEWER_SLOPES = SLOPES[::4]  # where each takes a search over the phase length
BATCHES = tuple(2**i for i in range(3, 13))  # N at which errors are taken
SMALLER_BATCHES = BATCHES[:8]  # where each N takes a search over k


def correction_error(gamma: float, rho: float, epsilon: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative error of ``theta0 + Delta theta``, (5), against the optimum of Appendix C's model."""
    exact = increasing_hazard.optimal_threshold(gamma, epsilon, rho).theta
    return np.asarray(increasing_hazard.first_order(gamma, epsilon, rho).theta / exact - 1)


def kept_age_errors(gamma: float, rhos: Sequence[float], epsilon: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative errors against the optimum of the system whose requests keep their age, for every rho the same.

    A row for (5) at each rho, and a last one for the base threshold of (3), which ignores eta.
    """
    exact = kept_ages.kept_age_threshold(gamma, epsilon).theta
    forms = [increasing_hazard.first_order(gamma, epsilon, rho).theta for rho in rhos]
    return np.array([*forms, np.full_like(exact, float(base_threshold(gamma).theta0))]) / exact - 1


def slope_reach(errors: NDArray[np.float64], level: float, slopes: NDArray[np.float64] = SLOPES) -> float | None:
    """The eta/p0^2 up to which the error stays within the level, between two of the slopes by interpolation; None
    where it is beyond it at the first."""
    beyond = np.abs(errors) > level
    if not beyond.any():
        return float(slopes[-1])
    i = int(beyond.argmax())
    if i == 0:
        return None
    low, high = np.abs(errors[i - 1]), np.abs(errors[i])
    share = (level - low) / (high - low)
    return float(slopes[i - 1] * (slopes[i] / slopes[i - 1]) ** share)


def decode_error(theta: float, p0: float, N: int) -> float:
    """Relative error of ``E[T_d] = alpha_d zeta/p0`` (Section 3.2.1, beta_d = 0) at k = theta N, rounded up."""
    k = min(max(math.ceil(theta * N), 1), N - 1)
    return -math.log1p(-k / N) / p0 / phase_moments(N, k, p0).iterations - 1


def throughput_error(gamma: float, p0: float, N: int) -> float | None:
    """Relative error of (4) as printed, against (1) with the chain's E[T_d], at k0* = floor(theta0 N) and no costs per
    token; None where k0* = 0."""
    base = base_threshold(gamma)
    k = int(switching_threshold(float(base.theta0), N))
    if k == 0:
        return None
    return (phase_moments(N, k, p0).iterations + gamma / p0) / ((float(base.zeta) + gamma) / p0) - 1


def threshold_error(gamma: float, p0: float, N: int) -> float:
    """Relative error of theta0 against the chain's best k/N."""
    return float(base_threshold(gamma).theta0) / (chain_threshold(gamma, p0, N) / N) - 1


def chain_threshold(gamma: float, p0: float, N: int) -> int:
    """k*, the best of (1) with the chain's E[T_d] and no costs per token."""

    def rate(k: int) -> float:
        return k / (phase_moments(N, k, p0).iterations + gamma / p0)

    theta0 = float(base_threshold(gamma).theta0)
    low, high = max(int(theta0 * N) - 2, 1), N  # the chain's optimum is not below the fluid one
    step = max((high - low) // 24, 1)
    while True:
        tried = range(low, high + 1, step)
        best = max(tried, key=rate)
        if step == 1:
            return best
        low, high, step = max(best - step, 1), min(best + step, N), max(step // 6, 1)


def batch_reaches(error: Callable[[int], float | None], batches: tuple[int, ...] = BATCHES) -> tuple[int | None, ...]:
    """For each of `LEVELS` the least batch size from which on the error stays within it; None where none does."""
    errors = [error(n) for n in batches]
    return tuple(_reach(errors, level, batches) for level in LEVELS)


def _reach(errors: list[float | None], level: float, batches: tuple[int, ...]) -> int | None:
    good: int | None = None
    for n, e in zip(reversed(batches), reversed(errors), strict=True):
        if e is None or abs(e) > level:
            break
        good = n
    return good
