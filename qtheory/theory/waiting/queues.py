"""The queues of WAIT and of Nested WAIT: bounds by a coupled Lindley process, and exact laws beside them.

*Threshold queue.* V requests wait at a batch's start; it takes n of them if there are as many, and Y come in: ``V' = V
- n 1{V >= n} + Y``. For WAIT Y is Poisson (the arrivals during the longest batch), for a segment of Nested WAIT
binomial of the n_{k-1} requests that the segment before it lets go, each with probability p; n > E Y.

*Lindley process.* ``U' = max(U + Y - n, 0)`` from 0, with the same Y. By induction ``V <= U + 2n - 1``: from V >= n
both sides change alike at most; from V < n, ``V' <= n - 1 + Y`` and ``U' >= Y - n``. What a batch leaves of V, the
paper's W, is at most ``U + n`` (Lemma 7). Kingman: ``E U <= Var Y/(2 (n - E Y))``; martingale: ``Pr(U >= x) <=
exp(-theta x)``, theta of `roots`.

*Exact laws.* That of U after s steps, by convolutions on 0, ..., c - 1; what passes c is counted as error. The
stationary one differs from it by at most ``rho^(s+1)/(1 - rho)``, rho = min of E exp(t (Y - n)) over t. That V reaches
a level within s steps has an exact probability by powers of the matrix of steps below it. All sums are of nonnegative
numbers, so that rounding is relative; ROUNDING covers it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.theory.waiting.roots import binomial_roots, poisson_roots

Array = NDArray[np.float64]
ROUNDING = 1e-9  # relative
LONGEST = 200_000  # steps to a stationary law at most


@dataclass(frozen=True)
class Arrivals:
    """Y of a step: binomial of ``trials`` and ``share``, or Poisson of ``mean`` where ``trials`` is 0."""

    mean: float
    trials: int = 0
    share: float = 0.0

    @classmethod
    def poisson(cls, mean: float) -> Arrivals:
        return cls(float(mean))

    @classmethod
    def binomial(cls, trials: int, share: float) -> Arrivals:
        return cls(trials * float(share), trials, float(share))

    @property
    def variance(self) -> float:
        return self.mean * (1 - self.share) if self.trials else self.mean

    def root(self, n: int) -> float:
        """Theta of ``E exp(theta (Y - n)) = 1``; infinity where Y <= n always."""
        if self.trials:
            return float(binomial_roots(self.trials, self.share, n))
        return float(poisson_roots(self.mean, n))

    def least_moment(self, n: int) -> float:
        """rho: the least value of ``E exp(t (Y - n))`` over t >= 0."""
        if self.trials:
            if n > self.trials:
                return 0.0
            q, p = n / self.trials, self.share
            rest = (1 - q) * math.log((1 - p) / (1 - q)) if q < 1 else 0.0
            return math.exp(self.trials * (q * math.log(p / q) + rest))
        return math.exp(n - self.mean + n * math.log(self.mean / n))

    def masses(self, end: int) -> tuple[Array, Array]:
        """(Pr(Y = y), Pr(Y >= y)) for y = 0, ..., end - 1, and the latter at ``end`` too."""
        from scipy.stats import binom, poisson

        law = binom(self.trials, self.share) if self.trials else poisson(self.mean)
        return np.asarray(law.pmf(np.arange(end))), np.asarray(law.sf(np.arange(end + 1) - 1))


def _require(y: Arrivals, n: int) -> None:
    if not (isinstance(n, int) and 0 < y.mean < n and math.isfinite(y.mean)):
        raise InputError(f"a queue needs a whole threshold above the mean arrivals of a step, above 0: n = {n}, "
                         f"mean {y.mean:g}")


def kingman(y: Arrivals, n: int) -> float:
    """Kingman's bound on the mean of U at any step: ``Var Y/(2 (n - E Y))``."""
    _require(y, n)
    return y.variance / (2 * (n - y.mean))


def martingale_tail(y: Arrivals, n: int, x: float) -> float:
    """Bound on Pr(U >= x) at any step, and so on the probability that the walk ever reaches x: ``exp(-theta x)``."""
    _require(y, n)
    theta = y.root(n)
    return 1.0 if x <= 0 else math.exp(-theta * x) if math.isfinite(theta) else 0.0


@dataclass(frozen=True)
class QueueLaw:
    """Pr(U = x), x = 0, ..., c - 1, each at most ``error`` too small or too large; ``beyond``: a bound on the mean's
    part from c on; ``steps`` taken."""

    masses: Array
    error: float
    beyond: float
    steps: int

    @property
    def mean(self) -> tuple[float, float]:
        """An interval that holds the mean."""
        tails = np.cumsum(self.masses[::-1])[::-1][1:]  # Pr(x <= U < c), x >= 1
        low = float(tails.sum()) * (1 - ROUNDING)
        slack = self.error * (len(self.masses) - 1)
        return max(low - slack, 0.0), low * (1 + 3 * ROUNDING) + slack + self.beyond

    def tail(self, x: int) -> tuple[float, float]:
        """An interval that holds Pr(U >= x)."""
        kept = float(self.masses[max(x, 0):].sum())
        return max(kept * (1 - ROUNDING) - self.error, 0.0), min(kept * (1 + ROUNDING) + self.error, 1.0)


def lindley_law(y: Arrivals, n: int, steps: int | None = None, error: float = 1e-12) -> QueueLaw:
    """The law of U after ``steps`` steps from 0, or the stationary one, with its errors.

    InputError for a load so near 1 that more than 200,000 steps are needed.
    """
    _require(y, n)
    theta, rho = y.root(n), y.least_moment(n)
    count, late = (steps, 0.0) if steps is not None else _steps_to_rest(rho, error)
    c = 2 if math.isinf(theta) else math.ceil(math.log(max(count, 1) / error) / theta) + 2
    pmf, tails = y.masses(c + n + 1)
    law, lost = np.zeros(c), 0.0
    law[0] = 1.0
    for _ in range(count):
        moved = np.convolve(law, pmf)[: c + n]
        lost += float(law @ tails[c + n - np.arange(c)])
        law = moved[n : n + c].copy()
        law[0] += moved[:n].sum()
    beyond = 0.0 if math.isinf(theta) else math.exp(-theta * c) / -math.expm1(-theta)
    return QueueLaw(law, lost + late, beyond, count)


def _steps_to_rest(rho: float, error: float) -> tuple[int, float]:
    """Steps after which the law is within ``error`` of the stationary one, and by how much it can differ."""
    if rho == 0:
        return 1, 0.0
    count = max(math.ceil(math.log(error * (1 - rho)) / math.log(rho)), 1)
    if count > LONGEST:
        raise InputError(f"the load is too near 1: {count} steps to the stationary law, {LONGEST} at most")
    return count, rho ** (count + 1) / (1 - rho)


def reaches(y: Arrivals, n: int, level: int, steps: int) -> float:
    """Upper bound, exact but for rounding, on Pr(V_s >= level for some s <= steps), V_0 = 0.

    By one convolution a step, or by powers of the matrix of steps below the level, whichever is less work.
    """
    _require(y, n)
    if level <= 0:
        return 1.0
    pmf, tails = y.masses(level)
    pmf = np.trim_zeros(pmf, "b") if y.trials else pmf
    squarings = 2 * max(steps, 2).bit_length()
    one_by_one = steps * (2e4 + level * len(pmf)) < squarings * level**3 / 8
    total = _stepped(pmf, tails, n, level, steps) if one_by_one else _powered(pmf, tails, n, level, steps)
    return min(total * (1 + ROUNDING), 1.0)


def _left(n: int, level: int) -> NDArray[np.int64]:
    """What a batch leaves of 0, ..., level - 1."""
    v = np.arange(level)
    return np.where(v >= n, v - n, v)


def _stepped(pmf: Array, tails: Array, n: int, level: int, steps: int) -> float:
    left = max(level - n, n, 1)  # what is left is below n, or below level - n
    hits = tails[level - np.arange(min(left, level))]
    law, total = np.zeros(min(left, level)), 0.0
    law[0] = 1.0
    for _ in range(steps):
        total += float(law @ hits)
        moved = np.convolve(law, pmf)[:level]
        law = np.zeros(len(law))
        below, above = moved[:n], moved[n:]
        law[: len(below)] = below
        law[: len(above)] += above
    return total


def _powered(pmf: Array, tails: Array, n: int, level: int, steps: int) -> float:
    shift = np.arange(level)[None, :] - _left(n, level)[:, None]
    matrix = np.where((shift >= 0) & (shift < len(pmf)), pmf[np.clip(shift, 0, len(pmf) - 1)], 0.0)
    hits = tails[level - _left(n, level)]
    law, total = np.zeros(level), 0.0
    law[0] = 1.0
    while steps:
        if steps & 1:
            total += float(law @ hits)
            law = law @ matrix
        steps >>= 1
        if steps:
            hits = hits + matrix @ hits
            matrix = matrix @ matrix
    return total


def reaches_bound(y: Arrivals, n: int, level: int, steps: int) -> float:
    """Bound on the same probability by the martingale: ``steps exp(-theta (level - n)) E``, E <= exp(theta (n - 1)).

    ``exp(theta (V - n))`` keeps its mean while V >= n; a step from V < n starts it anew at a mean of exp(theta V).
    """
    _require(y, n)
    theta = y.root(n)
    if math.isinf(theta):
        return 1.0 if level < n + y.trials else 0.0
    return min(1.0, steps * math.exp(min(-theta * (level - 2 * n + 1), 0.0)))
