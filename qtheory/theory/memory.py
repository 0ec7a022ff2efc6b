"""KV-cache memory of exclusive batching under a constant hazard rate: batch sizes, and the peak of the process.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.3 and Appendix D.  The
paper's three batch sizes are here as it prints them.  The last, (6), does not keep its promise (`eb.prop-3.3`):
`safe_batch` is a batch size with a guarantee that holds for the process (`eb.prop-3.3.corrected`).

Units: memory, capacity and lengths in tokens, batch sizes in requests, the hazard rate p0 per iteration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.numerics.peaks import exact_peak_tail, simulate_peaks
from qtheory.numerics.phases import phase_moments
from qtheory.theory.formulas import POSITIVE, Formulas, Range, Value, numbers
from qtheory.theory.threshold import MU_L, P0, SHARE, SLOTS, THETA

__all__ = ["FORMULAS", "exact_peak_tail", "numeric", "peak_tail_bound", "safe_batch", "simulate_peaks"]

CAPACITY, EPS, ACTIVE, EXCESS, HELD = sp.symbols("C eps n r x0", positive=True)
SIGMA_L = sp.Symbol("sigma_L", nonnegative=True)
INSIDE = Range(0, 1)  # of a threshold, or of a probability of overflow
FORMULAS = Formulas({"theta": INSIDE, "eps": INSIDE, "p0": SHARE})


@FORMULAS.proved_by("eb.app-D.2.X0")
def mean_start(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, mu_L: Value = MU_L) -> sp.Expr:
    """Fluid mean of the memory at the start of a phase, E[X_0] of Appendix D.2. Tokens."""
    theta = sp.sympify(theta)
    return N * mu_L + N * (1 - theta) / (theta * p0) * sp.log(1 / (1 - theta))


@FORMULAS.proved_by("eb.app-D.3.v-n")
def increment_variance(n: Value = ACTIVE, p0: Value = P0, mu_L: Value = MU_L, sigma_L: Value = SIGMA_L) -> sp.Expr:
    """v_n of Appendix D.3, the variance of an iteration's change of memory with n active requests. Tokens squared."""
    p0 = sp.sympify(p0)
    return n * p0 * (sigma_L**2 + (1 - p0) / p0**2) + n * p0 * (1 - p0) * (mu_L + 1 / p0) ** 2


@FORMULAS.proved_by("eb.app-D.4.v-bar.value")
def volatility(p0: Value = P0, mu_L: Value = MU_L) -> sp.Expr:
    """vbar = 1/(p0^2 mu_L) (Appendix D.4), what the paper takes for the mean rise of memory in a phase. Tokens."""
    return 1 / (sp.sympify(p0) ** 2 * mu_L)


@FORMULAS.proved_by("eb.app-D.5.order-2")
def static_batch(C: Value = CAPACITY, theta: Value = THETA, p0: Value = P0, mu_L: Value = MU_L) -> sp.Expr:
    """N*_static of Appendix D.5: as many requests as fit at the mean memory of a phase's start."""
    return sp.floor(C / mean_start(theta, 1, p0, mu_L))


@FORMULAS.proved_by("eb.app-D.5.order-2")
def expected_batch(C: Value = CAPACITY, theta: Value = THETA, p0: Value = P0, mu_L: Value = MU_L) -> sp.Expr:
    """N*_expected of Appendix D.5, with vbar in reserve."""
    return sp.floor((C - volatility(p0, mu_L)) / mean_start(theta, 1, p0, mu_L))


@FORMULAS.proved_by("eb.eq-6.surrogate", "eb.app-D.4.solve")
def probabilistic_batch(C: Value = CAPACITY, eps: Value = EPS, theta: Value = THETA, p0: Value = P0,
                        mu_L: Value = MU_L) -> sp.Expr:
    """N* of (6), with vbar ln(1/eps) in reserve; neither safe nor the largest that is: see `safe_batch`."""
    return sp.floor((C - volatility(p0, mu_L) * sp.log(1 / sp.sympify(eps))) / mean_start(theta, 1, p0, mu_L))


@FORMULAS.proved_by("eb.prop-3.3.fluid-peak", "eb.prop-3.3.fluid-peak.in-phase")
def fluid_peak(N: Value = SLOTS, p0: Value = P0, x0: Value = HELD) -> sp.Expr:
    """Largest value of the fluid memory N exp(-p0 t) (x0 + t), for p0 x0 <= 1; beyond that it is N x0, at t = 0.

    ``x0``: mean memory of a request at the phase's start. Tokens.
    """
    return N / sp.sympify(p0) * sp.exp(sp.sympify(p0) * x0 - 1)


@FORMULAS.proved_by("eb.prop-3.3.rate.attained", "eb.prop-3.3.rate.positive")
def tail_rate(r: Value = EXCESS, p0: Value = P0) -> sp.Expr:
    """I(r) with Pr(G_1 + ... + G_N >= N r) <= exp(-N I(r)) for r > (1 - p0)/p0, G_i + 1 geometric outputs."""
    r, p0 = sp.sympify(r), sp.sympify(p0)
    return r * sp.log(r / ((1 - p0) * (1 + r))) - sp.log(p0 * (1 + r))


def numeric(name: str, **arguments: ArrayLike) -> NDArray[np.float64] | float:
    """The formula of that name for numbers or arrays (broadcast together), by its arguments' names.

    >>> numeric("probabilistic_batch", C=400000, eps=0.01, theta=0.1, p0=1/280, mu_L=105)
    1070.0

    Raises InputError for a missing, unknown or unusable argument.
    """
    return FORMULAS.numeric(name, arguments)


# ---- a guarantee for the process ----

def threshold_count(theta: float, N: int) -> int:
    """k = floor(theta N), at least 1."""
    return max(math.floor(theta * N), 1)


def peak_tail_bound(N: int, k: int, p0: float, prompt: int, capacity: float) -> float:
    """A bound on Pr(X_max > capacity), the peak during the iterations of a decode phase in steady state.

    ``E[M] Pr(O_1 + ... + O_N > capacity - N prompt)``, M the phase's iterations and O_i independent geometric outputs
    (`eb.prop-3.3.corrected`): the memory during an iteration is dominated by that of N requests of full length.
    ``prompt``: the largest prompt length (tokens).
    """
    from scipy.special import betainc

    spare = math.floor(capacity) - N * prompt - N  # tokens beyond the first of each request
    if spare < 0:
        return 1.0
    tail = float(betainc(spare + 1.0, N, 1.0 - p0)) if p0 < 1 else 0.0
    return min(1.0, _iterations(N, k, p0) * tail)


@lru_cache(maxsize=1024)
def _iterations(N: int, k: int, p0: float) -> float:
    """The mean number of a phase's iterations, which a search over the capacity needs again and again."""
    return phase_moments(N, k, p0).iterations


def safe_batch(capacity: float, eps: float, theta: float, p0: float, prompt: int) -> int:
    """The largest batch size that `peak_tail_bound` proves safe: Pr(X_max > capacity) <= eps at k = floor(theta N).

    0 where not even one request is. Raises InputError for arguments out of range.
    """
    for name, value, within in (("eps", eps, INSIDE), ("theta", theta, INSIDE), ("p0", p0, SHARE),
                                ("C", capacity, POSITIVE)):
        numbers(name, value, within)

    def safe(N: int) -> bool:
        return N == 0 or peak_tail_bound(N, threshold_count(theta, N), p0, prompt, capacity) <= eps

    return _largest(safe, math.floor(capacity / (prompt + 1)))


def _largest(good: Callable[[int], bool], most: int) -> int:
    """By bisection; what is returned is good, and so is 0."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if good(middle) else (low, middle)
    return low
