"""The memory that Nested WAIT needs: as Theorems 2 to 4 have it, and what the process needs for the same guarantee.

A batch at the thresholds holds M tokens (`segments.Segments.weights`), n_k requests at the first stage of segment k
among them. More is held by the requests that wait at the first stage of a segment beyond n_k alone: with V_k there,
those are ``(V_k - n_k)^+``, each with the tokens of its prompt and of e_{k-1} outputs. Hence with probability at least
1 - delta, during all of the first S batches,

    memory <= M + sum over k >= 2 of x_k (l + e_{k-1}),    where   sum of Pr(V_k > n_k + x_k in some batch) <= delta.

(12) has ``n_k + ln(m S/delta)/theta_k`` for x_k: it counts the n_k twice, bounds the law of V by the martingale's, and
the maximum over batches by the sum. Here the probabilities are exact (`queues.reaches`; beyond a level of 1,000
requests the martingale's), and delta is shared so that the sum is small. Requests that
wait for segment 1 hold no memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from qtheory.errors import InputError
from qtheory.theory.waiting.queues import Arrivals, reaches, reaches_bound
from qtheory.theory.waiting.requests import Law, seconds
from qtheory.theory.waiting.roots import binomial_roots
from qtheory.theory.waiting.segments import Segments

EXACT = 1000  # the level up to which probabilities are exact; beyond it they are the martingale's bounds


@dataclass(frozen=True)
class Parts:
    """Tokens of the three parts of (12) and (15): a batch, the queues' thresholds, the queues beyond these."""

    batch: float
    queues: float
    reserve: float

    @property
    def total(self) -> float:
        return self.batch + self.queues + self.reserve


@dataclass(frozen=True)
class Requirement:
    """``batch`` tokens, and the ``beyond`` x_k that wait, k >= 2; ``risks`` bound the probabilities of more."""

    batch: Fraction
    beyond: tuple[int, ...]
    risks: tuple[float, ...]
    waiting: int

    @property
    def total(self) -> float:
        """Tokens that suffice."""
        return float(self.batch + self.waiting)

    @property
    def risk(self) -> float:
        """Bound on the probability that they do not, in the batches asked for."""
        return math.fsum(self.risks)


def printed(segments: Segments, n: Sequence[float], batches: int, delta: float, *, weights: str = "right") -> Parts:
    """The right side of (12) at zeta = 1 and m the number of segments; Theorem 4's, (15), where segments hold several
    lengths. ``weights``: the batch's tokens as they are (right), or by the formula printed in (11) or 7.2. Thresholds
    may be reals."""
    _require(segments, n, delta)
    chosen = {"right": segments.weights, "11": segments.printed_weights, "7.2": segments.printed_even_weights}
    if weights not in chosen:
        raise InputError(f"the weights are {', '.join(chosen)}, not {weights!r}")
    batch = sum(float(w) * x for w, x in zip(chosen[weights], n, strict=True))
    if len(n) == 1:
        return Parts(batch, 0.0, 0.0)
    held = np.array(segments.waiting_tokens, dtype=float)
    passes = np.array([float(p) for p in segments.passes])
    roots = binomial_roots(np.array(n[:-1]), passes, np.array(n[1:]))
    reserve = float(held @ (1 / roots)) * math.log(len(n) * batches / delta)
    return Parts(batch, float(held @ np.array(n[1:])), reserve)


def requirement(segments: Segments, n: Sequence[int], batches: int, delta: float) -> Requirement:
    """What suffices for the first ``batches`` batches with probability 1 - delta."""
    _require(segments, n, delta)
    if any(isinstance(x, bool) or x != int(x) or x < 1 for x in n):
        raise InputError(f"whole thresholds of at least 1 are needed, not {list(n)}")
    batch = sum((w * x for w, x in zip(segments.weights, n, strict=True)), Fraction(0))
    steps = [(a, float(p), b) for a, p, b in zip(n[:-1], segments.passes, n[1:], strict=True)]
    if not steps:
        return Requirement(batch, (), (), 0)
    roots = np.array([min(Arrivals.binomial(a, p).root(b), 50.0) for a, p, b in steps])
    shares = np.array(segments.waiting_tokens) / roots
    shares = delta * shares / shares.sum() * (1 - 1e-9)
    found = [_beyond(*step, batches, float(share)) for step, share in zip(steps, shares, strict=True)]
    waiting = sum(x * w for (x, _), w in zip(found, segments.waiting_tokens, strict=True))
    return Requirement(batch, tuple(x for x, _ in found), tuple(r for _, r in found), waiting)


@lru_cache(maxsize=4096)
def _beyond(trials: int, share: float, n: int, batches: int, risk: float) -> tuple[int, float]:
    """The least x with Pr(V > n + x within the batches) <= risk, and a bound on that probability."""
    y = Arrivals.binomial(trials, share)

    def exceeds(x: int) -> float:
        bound = reaches_bound(y, n, n + x + 1, batches)
        return min(bound, reaches(y, n, n + x + 1, batches)) if n + x < EXACT else bound

    theta, low, high, x = y.root(n), -1, math.inf, 0
    at_high = 0.0
    while high > low + 1:  # the probability falls by a factor of about exp(-theta) with each request
        found = exceeds(x)
        step = math.ceil(math.log(max(found, 1e-300) / risk) / theta)
        if found > risk:
            low = x
        else:
            high, at_high = x, found
        x = int(min(max(x + (step or -1), low + 1), high - 1))
    return int(high), at_high


def most_batches(segments: Segments, law: Law, n: Sequence[int], horizon: float, risk: float) -> tuple[int, float]:
    """(S, r): at most S batches begin within ``horizon`` seconds, but for a probability r <= ``risk``.

    Each batch takes n_1 arrivals, and the time of n_1 prompts at least; the arrivals are Poisson.
    """
    from scipy.stats import poisson

    shortest = seconds(law, Fraction(n[0] * segments.prompt))
    if shortest is None or not (horizon > 0 and math.isfinite(horizon)):
        raise InputError(f"batches are counted over a positive time, within the law; not over {horizon:g} s")
    by_time = math.floor(horizon / float(shortest) * (1 + 1e-12)) + 1
    arrivals = int(poisson(float(segments.rate) * horizon).isf(risk * (1 - 1e-9))) + 1
    by_arrivals = arrivals // n[0]
    return (by_arrivals, risk) if by_arrivals < by_time else (by_time, 0.0)


def _require(segments: Segments, n: Sequence[float], delta: float) -> None:
    if len(n) != len(segments.ends) or min(n) <= 0:
        raise InputError(f"{len(segments.ends)} thresholds above 0 are needed, not {list(n)}")
    for k, p in enumerate(segments.passes, 1):
        if n[k] <= p * n[k - 1]:
            raise InputError(f"threshold {k + 1} must be above {float(p):.4g} times threshold {k}, not {n[k]} to "
                             f"{n[k - 1]}: its queue would grow without bound")
    if not 0 < delta < 1:
        raise InputError(f"delta must be above 0 and below 1, not {delta:g}")
