"""The decode phase of Section 3.1 and Appendix B.1 as a Markov chain, literally and in exact rational arithmetic.

Before each iteration ``n`` requests are active (``N`` at the start of the phase).  The iteration takes time
``alpha_d + beta_d n``; each active request completes in it independently with probability ``p``.  The phase ends
after the first iteration at whose end at least ``k`` slots are idle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import fmpq

from qtheory.proofs.kernel.balls import log_bounds

from .memory_chain import NONE, exact, plain

BITS = 64
Interval = tuple[Fraction, Fraction]


def completions(n: int, p: Fraction) -> list[Fraction]:
    """The law of the number of completions in one iteration with n active requests: Binomial(n, p)."""
    return [comb(n, d) * p**d * (1 - p) ** (n - d) for d in range(n + 1)]


@dataclass(frozen=True)
class Phase:
    """Expectations over one decode phase (counts, no unit)."""

    iterations: Fraction  # E[M]
    request_iterations: Fraction  # E[sum of the batch sizes over the iterations]
    idle: Fraction  # E[idle slots at the end], at least k

    def duration(self, alpha_d: Fraction, beta_d: Fraction) -> Fraction:
        """E[T_d(k; N)], in the unit of alpha_d and beta_d."""
        return alpha_d * self.iterations + beta_d * self.request_iterations


def decode_phase(slots: int, k: int, p: Fraction) -> Phase:
    """The expectations for N = slots, by first-step analysis; 1 <= k <= slots, 0 < p <= 1."""
    return phases(slots, k, p)[k]


def phases(slots: int, largest: int, p: Fraction) -> dict[int, Phase]:
    """`decode_phase` for each threshold from 1 to the largest."""
    laws = {n: [exact(q) for q in completions(n, p)] for n in range(slots - largest + 1, slots + 1)}
    return {k: _phase(slots, k, laws) for k in range(1, largest + 1)}


def _phase(slots: int, k: int, laws: dict[int, list[fmpq]]) -> Phase:
    values: dict[int, tuple[fmpq, fmpq, fmpq]] = {}
    for n in range(slots + 1):
        if slots - n >= k:
            values[n] = NONE, NONE, fmpq(slots - n)
            continue
        law = laws[n]
        later = [sum((law[d] * values[n - d][i] for d in range(1, n + 1)), NONE) for i in range(3)]
        stay = 1 - law[0]
        values[n] = (1 + later[0]) / stay, (n + later[1]) / stay, later[2] / stay
    return Phase(*map(plain, values[slots]))


def active_after(slots: int, iterations: int, p: Fraction) -> Iterator[list[Fraction]]:
    """The laws of the number of active requests after 0, 1, ..., iterations iterations without a stop."""
    law = [Fraction(0)] * slots + [Fraction(1)]
    yield law
    for _ in range(iterations):
        new = [Fraction(0)] * (slots + 1)
        for n, weight in enumerate(law):
            for d, q in enumerate(completions(n, p)):
                new[n - d] += weight * q
        law = new
        yield law


def psi(theta: Fraction) -> Interval:
    """Bounds for theta/(1 - theta) + ln(1 - theta)."""
    low, high = log_bounds(1 - theta, BITS)
    return theta / (1 - theta) + low, theta / (1 - theta) + high


def base_threshold_bounds(ratio: Fraction, steps: int = 40) -> Interval:
    """Rationals around the root of (3) in (0, 1): Psi is strictly increasing there (Lemma B.2)."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(steps):
        middle = (low + high) / 2
        below, above = psi(middle)
        if above < ratio:
            low = middle
        elif below > ratio:
            high = middle
        else:
            break
    return low, high
