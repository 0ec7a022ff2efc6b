"""One decode phase of exclusive batching under a constant hazard rate: exact moments of its length and completions.

N requests are active at its start; in every iteration each completes independently with probability p; the phase
ends after the first iteration at whose end at least k have completed, and all idle slots are filled again.  At its
start the residual lives are independent and geometric, whatever the ages, so that its length M is their k-th
smallest and all moments are sums over t of binomial tails (Appendix B.1 of arXiv:2606.00516 for the chain).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError

Vector = NDArray[np.float64]
_TERMS = 4_000_000  # iterations up to which the sums are taken
_TAIL = 1e-18


class PhaseMoments(NamedTuple):
    """Means over one decode phase, and of the tokens that a slot's request holds when a phase starts."""

    iterations: float  # E[M]
    completions: float  # E[I], at least k: several may complete in the last iteration
    tokens: float  # E[G] over all slots at the start of a phase in steady state; a new request holds none
    tokens_variance: float  # Var(G)
    tokens_covariance: float  # Cov(G_i, G_j) of two slots; 0 for one slot


def phase_moments(slots: int, k: int, p: float) -> PhaseMoments:
    """The exact moments for ``slots`` requests, threshold ``k`` and hazard rate ``p`` per iteration.

    With s = Pr(a request survives the phase), the tokens obey G' = (G + M) 1{survives}, M and survival independent of
    G, so that in steady state E[G] = E[M; survives]/(1 - s), and so on for the second moments.
    InputError for arguments outside 1 <= k <= slots, 0 < p <= 1, or p so small that the sums would be too long.
    """
    require_phase(slots, k, p)
    t = np.arange(_horizon(slots, k, p), dtype=float)
    alive = np.exp(t * math.log1p(-p)) if p < 1 else np.where(t == 0, 1.0, 0.0)
    one = _ended(slots - 1, k, alive) * alive  # Pr(a given request is alive after t iterations, the phase over by t)
    two = _ended(slots - 2, k, alive) * alive**2 if slots > 1 else np.zeros_like(alive)
    iterations = float((1.0 - _ended(slots, k, alive)).sum())
    s1, m1, q1 = _moments(one, t, 1.0 - p)
    s2, m2, q2 = _moments(two, t, (1.0 - p) ** 2)
    mean = m1 / (1.0 - s1)
    square = (2.0 * mean * m1 + q1) / (1.0 - s1)
    product = (2.0 * mean * m2 + q2) / (1.0 - s2)
    covariance = product - mean**2 if slots > 1 else 0.0
    return PhaseMoments(iterations, slots * (1.0 - s1), mean, square - mean**2, covariance)


def _moments(alive_and_over: Vector, t: Vector, survival: float) -> tuple[float, float, float]:
    """Pr(S), E[M; S], E[M^2; S] for the event S of surviving the phase: a(t) = Pr(S up to t, M <= t), and a request
    of the phase that ended before t survives iteration t with the given probability."""
    before = np.concatenate(([0.0], alive_and_over[:-1])) * survival
    at = np.maximum(alive_and_over - before, 0.0)  # Pr(M = t, S)
    return float(at.sum()), float((t * at).sum()), float((t * t * at).sum())


def _ended(others: int, k: int, alive: Vector) -> Vector:
    """Pr(at least k of ``others`` requests have completed), each alive with the given probability."""
    from scipy.special import betainc

    if k > others:
        return np.zeros_like(alive)
    ended: Vector = betainc(k, others - k + 1, 1.0 - alive)
    return ended


def _horizon(slots: int, k: int, p: float) -> int:
    """Iterations after which less than _TAIL of anything is left."""
    if p >= 1:
        return 3
    steps = (math.log(slots) - math.log(_TAIL)) / -math.log1p(-p)
    if steps > _TERMS:
        raise InputError(f"p is {p}; the exact moments need p of at least about {45 / _TERMS:.1e}")
    return math.ceil(steps) + 2


def require_phase(slots: int, k: int, p: float) -> None:
    """InputError unless slots and k are integers with 1 <= k <= slots, and 0 < p <= 1."""
    for name, value in (("slots", slots), ("k", k)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise InputError(f"{name} is {value!r}; it must be an integer of at least 1")
    if k > slots:
        raise InputError(f"k is {k}; it must be at most the number of slots, {slots}")
    if not (isinstance(p, int | float | np.floating) and 0 < p <= 1):
        raise InputError(f"p is {p!r}; it must be above 0 and at most 1")
