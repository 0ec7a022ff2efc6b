"""The switching threshold of exclusive batching under an increasing hazard rate, in symbols, with numeric twins.

Sources: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.2.2 and Appendix C, with
the linear hazard rate ``h(t) = p0 + eta t``.  Two models are kept apart:

- *fresh clocks*, Appendix C's fluid model: every request's hazard starts anew with each decode phase;
- *kept ages*, Section 3.1's system: a request that continues into the next phase keeps its age.

They agree under a constant hazard rate.  Under an increasing one the fresh clocks make the cost of a token depend on
the threshold, which it does not: each completed request was decoded for exactly its own length
(`eb.sec-3.2.2.kept-ages.tokens`).

Units as in `threshold`; ``eta`` per iteration squared, ``epsilon = eta/p0^2``, ``rho = beta_d N/alpha_d``.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.numerics import increasing_hazard as numbers
from qtheory.numerics import kept_ages
from qtheory.numerics.kept_ages import PhaseRule
from qtheory.theory.formulas import Formulas, Value
from qtheory.theory.threshold import (
    ALPHA_D,
    ALPHA_P,
    BETA_D,
    BETA_P,
    MU_L,
    P0,
    SLOTS,
    THETA,
    prefill_duration,
    zeta,
)
from qtheory.workloads.base import LengthLaw

ETA = sp.Symbol("eta", positive=True)
FORMULAS = Formulas()
TAIL = 1e-12  # of an output law without a greatest length, left out of its survivors


@FORMULAS.proved_by("eb.app-C.2.root", "eb.app-C.2.xi")
def phase_iterations(theta: Value = THETA, p0: Value = P0, eta: Value = ETA) -> sp.Expr:
    """Iterations of a decode phase from fresh clocks, ``T = (-p0 + sqrt(p0^2 + 2 eta zeta))/eta`` (Appendix C.2)."""
    return (-p0 + sp.sqrt(sp.sympify(p0) ** 2 + 2 * eta * zeta(theta))) / eta


@FORMULAS.proved_by("eb.eq-21", "eb.eq-5", "eb.prop-C.1")
def first_order_correction(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, eta: Value = ETA,
                           alpha_d: Value = ALPHA_D, beta_d: Value = BETA_D) -> sp.Expr:
    """(5), the threshold's rise to first order in eta with fresh clocks; ``theta``: the base threshold theta0."""
    theta = sp.sympify(theta)
    z = zeta(theta)
    inside = z * (theta / (1 - theta) - z / 2) + beta_d * N / alpha_d * (z - theta)
    return eta * (1 - theta) ** 2 / (p0**2 * theta) * inside


@FORMULAS.proved_by("eb.thm-3.2.kept-ages.slope", "eb.sec-3.2.2.kept-ages.rises")
def kept_age_correction(theta: Value = THETA, p0: Value = P0, eta: Value = ETA) -> sp.Expr:
    """The threshold's rise to first order in eta where requests keep their age; ``theta``: the base threshold.

    ``(eta/p0^2) (1 - theta) zeta [2 theta (2 - theta) - zeta (1 - theta)(4 - theta)]/(2 theta^2)``, positive, and
    without N, beta_d, beta_p and mu_L.
    """
    theta = sp.sympify(theta)
    z = zeta(theta)
    inside = 2 * theta * (2 - theta) - z * (1 - theta) * (4 - theta)
    return eta / p0**2 * (1 - theta) * z * inside / (2 * theta**2)


def cumulative_batch(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, eta: Value = ETA) -> sp.Expr:
    """Request-iterations of a phase from fresh clocks, ``I = N int_0^T exp(-p0 s - eta s^2/2) ds`` (Appendix C.3).

    With error functions:
    ``N sqrt(pi/(2 eta)) e^{p0^2/(2 eta)} [erf((p0 + eta T)/sqrt(2 eta)) - erf(p0/sqrt(2 eta))]``.
    Its numeric form is `qtheory.numerics.increasing_hazard.cumulative_batch`.
    """
    scale = sp.sqrt(2 * sp.sympify(eta))
    rise = sp.erf((p0 + eta * phase_iterations(theta, p0, eta)) / scale) - sp.erf(p0 / scale)
    return N * sp.sqrt(sp.pi / (2 * sp.sympify(eta))) * sp.exp(sp.sympify(p0) ** 2 / (2 * sp.sympify(eta))) * rise


def cycle_time(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, eta: Value = ETA, alpha_p: Value = ALPHA_P,
               alpha_d: Value = ALPHA_D, beta_p: Value = BETA_P, beta_d: Value = BETA_D,
               mu_L: Value = MU_L) -> sp.Expr:
    """Length of a cycle from fresh clocks, ``alpha_d T + beta_d I + alpha_p + beta_p N mu_L theta`` (Appendix C.4)."""
    decode = alpha_d * phase_iterations(theta, p0, eta) + beta_d * cumulative_batch(theta, N, p0, eta)
    return decode + prefill_duration(theta, N, alpha_p, beta_p, mu_L)


def optimality(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, eta: Value = ETA, alpha_p: Value = ALPHA_P,
               alpha_d: Value = ALPHA_D, beta_d: Value = BETA_D) -> sp.Expr:
    """Appendix C.5's ``Phi = Tcyc - theta dTcyc/dtheta`` with error functions; its one zero in (0, 1) is the optimum.

    ``alpha_p + alpha_d (T - theta/((1 - theta) h)) + beta_d (I - N theta/h)`` with ``h = sqrt(p0^2 + 2 eta zeta)``, the
    hazard rate at the phase's end.
    """
    theta = sp.sympify(theta)
    h = sp.sqrt(sp.sympify(p0) ** 2 + 2 * eta * zeta(theta))
    duration = alpha_d * (phase_iterations(theta, p0, eta) - theta / ((1 - theta) * h))
    return alpha_p + duration + beta_d * (cumulative_batch(theta, N, p0, eta) - N * theta / h)


def optimal_threshold(p0: ArrayLike, eta: ArrayLike, alpha_p: ArrayLike, alpha_d: ArrayLike, beta_d: ArrayLike,
                      N: ArrayLike) -> NDArray[np.float64]:
    """The exact optimum with fresh clocks, for numbers or arrays that broadcast together. InputError for p0 <= 0."""
    gamma, epsilon = _pure(p0, eta, alpha_p, alpha_d)
    rho = np.asarray(beta_d, dtype=float) * np.asarray(N, dtype=float) / np.asarray(alpha_d, dtype=float)
    return numbers.optimal_threshold(gamma, epsilon, rho).theta


def kept_age_threshold(p0: ArrayLike, eta: ArrayLike, alpha_p: ArrayLike, alpha_d: ArrayLike) -> NDArray[np.float64]:
    """The optimum where requests keep their age, for every N, beta_d, beta_p and mu_L. InputError for p0 <= 0."""
    return kept_ages.kept_age_threshold(*_pure(p0, eta, alpha_p, alpha_d)).theta


def _pure(p0: ArrayLike, eta: ArrayLike, alpha_p: ArrayLike, alpha_d: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    hazard, slope = np.asarray(p0, dtype=float), np.asarray(eta, dtype=float)
    fixed, step = np.asarray(alpha_p, dtype=float), np.asarray(alpha_d, dtype=float)
    if not ((hazard > 0).all() and (step > 0).all()):
        raise InputError("p0 and alpha_d must be positive")
    return hazard * fixed / step, slope / hazard**2


# ---- any output law ----

def survivors(law: LengthLaw) -> NDArray[np.float64]:
    """``Pr(O > t)`` for t = 0, 1, ..., up to the greatest length, or to where it falls below 1e-12."""
    last = law.maximum or law.quantile(1 - TAIL)
    return np.asarray(law.survival(np.arange(1, last + 1)), dtype=float)


def general_rule(law: LengthLaw, alpha_p: float, alpha_d: float) -> PhaseRule:
    """The best decode phase for any output law, from its survival function alone.

    It minimizes ``(D + alpha_p/alpha_d) sum_j Pr(O > j D)`` over the phase's whole number D of iterations; the
    threshold is ``theta = 1/sum_j Pr(O > j D)``.  No hazard rate is fitted, and N, beta_d, beta_p and mu_L do not
    matter.  Raises InputError for alpha_d <= 0 or alpha_p < 0.
    """
    if not (alpha_d > 0 and alpha_p >= 0):
        raise InputError("alpha_d must be positive, and alpha_p at least 0")
    return kept_ages.best_phase(survivors(law), alpha_p / alpha_d)


def relative_cost(law: LengthLaw, theta: float, alpha_p: float, alpha_d: float) -> float:
    """Fixed time per completed request at the threshold theta, over that of `general_rule`; at least 1.

    The fixed time is ``(alpha_d D + alpha_p) M(D)/N``; the time that tokens cost is the same for every threshold.
    """
    tail, ratio = survivors(law), alpha_p / alpha_d
    length = kept_ages.phase_length(tail, theta)
    cost = (length + ratio) * kept_ages.cohort_batch(tail, length)
    return cost / kept_ages.best_phase(tail, ratio).cost
