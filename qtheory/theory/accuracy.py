"""How good the closed forms of exclusive batching are: where they are within a share of the exact answer.

Source of the closed forms: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Sections 3.2,
3.3 and 3.5 and Appendix D.  The exact answers are those of the paper's own models: the decode phase as a Markov chain
(Section 3.1), Appendix C's fluid model with the linear hazard rate, and the system whose requests keep their age.
Pure numbers as in `qtheory.numerics.increasing_hazard`; ``p0`` per iteration, ``N`` in requests, ``m = p0 mu_L``; the
costs per token are 0 where they only dilute an error (`decode_error`, `throughput_error`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory.numerics import increasing_hazard, kept_ages
from qtheory.numerics.peaks import simulate_peaks
from qtheory.numerics.phases import phase_moments
from qtheory.numerics.special import base_threshold
from qtheory.theory import memory
from qtheory.theory.threshold import switching_threshold

LEVELS = (0.01, 0.05, 0.20)
SLOPES = np.geomspace(1e-5, 1e3, 161)  # eta/p0^2 at which errors are taken
FEWER_SLOPES = SLOPES[::4]  # where each takes a search over the phase length
BATCHES = tuple(2**i for i in range(3, 13))  # N at which errors are taken
SMALLER_BATCHES = BATCHES[:8]  # where each N takes a search over k, or a simulation
EVERY_BATCH = tuple(range(BATCHES[0], BATCHES[-1] + 1))  # where an error jumps with the rounding of k0*
PHASES, REPLICATIONS = 100, 20  # simulated for a capacity
PROMPTS = np.geomspace(1e-3, 10, 161)  # m at which errors are taken


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


def condition_errors(gamma: float, batches: Sequence[int]) -> list[float | None]:
    """Relative errors of ``(alpha_p + alpha_d zeta mu_O)/k0*`` in (7), whose zeta is at theta0, against the same term
    of the fluid throughput at k0* = floor(theta0 N), zeta at k0*/N; None where k0* = 0."""
    base, N = base_threshold(gamma), np.asarray(batches)
    k = np.asarray(switching_threshold(float(base.theta0), N))
    errors = (gamma + float(base.zeta)) / (gamma - np.log1p(-k / N)) - 1
    return [float(e) if started else None for e, started in zip(errors, k > 0, strict=True)]


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


# ---- memory (Section 3.3, Appendix D) ----

def start_error(m: float | NDArray[np.float64], theta: float, p0: float, N: int) -> NDArray[np.float64] | float:
    """Relative error of E[X_0] of Appendix D.2 against the chain's mean at the start of a phase, k = floor(theta N)."""
    mu_L = np.asarray(m) / p0
    tokens = phase_moments(N, memory.threshold_count(theta, N), p0).tokens
    return memory.numeric("mean_start", theta=theta, N=1, p0=p0, mu_L=mu_L) / (mu_L + tokens) - 1


def variance_error(m: float | NDArray[np.float64], p0: float, spread: float) -> NDArray[np.float64] | float:
    """Relative error of ``2n/p0`` against v_n of Appendix D.3, the same for every n; ``spread`` = sigma_L/mu_L."""
    mu_L = np.asarray(m) / p0
    return 2 / p0 / memory.numeric("increment_variance", n=1, p0=p0, mu_L=mu_L, sigma_L=spread * mu_L) - 1


class BatchErrors(NamedTuple):
    """Relative errors of the three batch sizes of Appendix D.5; -1 where the formula admits nothing."""

    static: float
    expected: float
    safe: float  # (6)


def batch_errors(theta: float, p0: float, mu_L: int, N: int, *, eps: float = 0.01, seed: int = 1) -> BatchErrors:
    """The three sizes at the capacity that ``N`` requests need, relative to ``N``, less 1; all prompts ``mu_L`` tokens.

    That capacity is the least C with Pr(X_max > C) <= eps at k = floor(theta N), X_max the peak during a phase's
    iterations: a quantile of simulated phases, with the simulation's error.
    """
    peaks = simulate_peaks(N, memory.threshold_count(theta, N), p0, mu_L, phases=PHASES,
                           replications=REPLICATIONS, seed=seed).during
    point = {"C": float(np.quantile(peaks, 1 - eps, method="inverted_cdf")), "theta": theta, "p0": p0, "mu_L": mu_L}
    sizes = (memory.numeric("static_batch", **point), memory.numeric("expected_batch", **point),
             memory.numeric("probabilistic_batch", eps=eps, **point))
    return BatchErrors(*(max(float(size), 0.0) / N - 1 for size in sizes))


def static_limit_error(m: NDArray[np.float64], theta: float) -> NDArray[np.float64]:
    """Relative error of N_static for large N, where the fluid memory's largest value within the phase is what a batch
    needs: it has no noise, and that of N_expected and (6) tends to the same."""
    start = np.asarray(memory.numeric("mean_start", theta=theta, N=1, p0=1, mu_L=m))
    return np.asarray(memory.numeric("fluid_peak", N=1, p0=1, x0=np.minimum(start, 1.0)) / np.minimum(start, 1.0) - 1)


# ---- regions ----

def batch_reaches(error: Callable[[int], float | None], batches: Sequence[int] = BATCHES) -> tuple[int | None, ...]:
    """For each of `LEVELS` the least batch size from which on the error stays within it; None where none does."""
    return reaches([error(n) for n in batches], batches)


def reaches(errors: Sequence[float | None], batches: Sequence[int]) -> tuple[int | None, ...]:
    """`batch_reaches` from the errors at the batch sizes."""
    return tuple(_reach(errors, level, batches) for level in LEVELS)


def _reach(errors: Sequence[float | None], level: float, batches: Sequence[int]) -> int | None:
    good: int | None = None
    for n, e in zip(reversed(batches), reversed(errors), strict=True):
        if e is None or abs(e) > level:
            break
        good = n
    return good
