"""The switching threshold of exclusive batching under a constant hazard rate, in symbols.

Sources: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Sections 3.1 to 3.2.1 and
Appendix B.  Each function returns a SymPy expression in the paper's symbols, or in what is given for them; its
attribute ``claims`` names the claims of the referee that prove it.  `numeric` compiles a function for arrays; the
base threshold's numeric form is `qtheory.numerics.special.base_threshold`.

Units: times in seconds, lengths in tokens, batch sizes in requests, the hazard rate p0 per iteration; thresholds,
zeta and the ratio are dimensionless.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.theory.formulas import Formulas, Range, Value, numbers

THETA, P0, RATIO = sp.symbols("theta p0 gamma", positive=True)
ALPHA_P, ALPHA_D, MU_L = sp.symbols("alpha_p alpha_d mu_L", positive=True)
BETA_P, BETA_D = sp.symbols("beta_p beta_d", nonnegative=True)
SLOTS, K = sp.symbols("N k", positive=True, integer=True)

SHARE = Range(0, 1, "]")  # of a hazard rate per iteration
FORMULAS = Formulas({"theta": Range(0, 1, "["), "p0": SHARE, "gamma": Range(0, float("inf"), "[]")})


@FORMULAS.proved_by("eb.app-B.2.t-star", "eb.app-B.6.zeta-prime")
def zeta(theta: Value = THETA) -> sp.Expr:
    """``zeta(theta) = -ln(1 - theta)`` (Appendix B.2), for 0 <= theta < 1; p0 times the length of a decode phase in
    iterations."""
    return -sp.log(1 - sp.sympify(theta))


@FORMULAS.proved_by("eb.eq-13.final", "eb.sec-3.2.1.Td")
def decode_duration(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, alpha_d: Value = ALPHA_D,
                    beta_d: Value = BETA_D) -> sp.Expr:
    """Fluid length of a decode phase, ``E[T_d] = alpha_d zeta/p0 + beta_d N theta/p0`` (Section 3.2.1, (13)).

    ``theta``: completed share of the N requests at which the phase ends, 0 <= theta < 1; ``p0``: hazard rate per
    iteration; ``alpha_d`` (s): time of a decode iteration; ``beta_d`` (s/request): its increase per request.
    Seconds.
    """
    return alpha_d * zeta(theta) / p0 + beta_d * N * sp.sympify(theta) / p0


@FORMULAS.proved_by("eb.app-B.4")
def prefill_duration(theta: Value = THETA, N: Value = SLOTS, alpha_p: Value = ALPHA_P, beta_p: Value = BETA_P,
                     mu_L: Value = MU_L) -> sp.Expr:
    """Expected length of a prefill phase, ``E[T_p] = alpha_p + beta_p N mu_L theta`` (Appendix B.4).

    ``alpha_p`` (s): time of a prefill batch; ``beta_p`` (s/token): its increase per token; ``mu_L`` (tokens): mean
    prompt length. Seconds.
    """
    return alpha_p + beta_p * N * mu_L * sp.sympify(theta)


@FORMULAS.proved_by("eb.app-B.5.sum", "eb.app-B.5.grouped")
def cycle_time(theta: Value = THETA, N: Value = SLOTS, p0: Value = P0, alpha_p: Value = ALPHA_P,
               alpha_d: Value = ALPHA_D, beta_p: Value = BETA_P, beta_d: Value = BETA_D, mu_L: Value = MU_L) -> sp.Expr:
    """Length of a cycle, decode and prefill (Appendix B.5); arguments as in the two phases. Seconds."""
    return decode_duration(theta, N, p0, alpha_d, beta_d) + prefill_duration(theta, N, alpha_p, beta_p, mu_L)


@FORMULAS.proved_by("eb.sec-3.2.1.TP-EB", "eb.lem-B.4.unimodal", where=K < SLOTS)
def throughput(k: Value = K, N: Value = SLOTS, p0: Value = P0, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D,
               beta_p: Value = BETA_P, beta_d: Value = BETA_D, mu_L: Value = MU_L) -> sp.Expr:
    """Fluid throughput of EB(k), (1) with Section 3.2.1's duration: ``k`` over the cycle time at theta = k/N.

    ``k``: idle slots at which the phase switches, 1 <= k < N. Requests per second.
    """
    return sp.sympify(k) / cycle_time(sp.sympify(k) / N, N, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L)


@FORMULAS.proved_by("eb.prop-3.1.ratio", "eb.prop-3.1.independent")
def ratio(p0: Value = P0, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D) -> sp.Expr:
    """The one number ``gamma = p0 alpha_p/alpha_d`` on which the base threshold depends (Proposition 3.1)."""
    return sp.sympify(p0) * alpha_p / alpha_d


@FORMULAS.proved_by("eb.eq-15", "eb.lem-B.2", "eb.lem-B.4")
def base_threshold_equation(theta: Value = THETA, gamma: Value = RATIO) -> sp.Eq:
    """Equation (3): ``theta/(1 - theta) + ln(1 - theta) = gamma``, whose one solution in (0, 1) is theta0.

    Over the reals below 1 there is a second, negative solution (`eb.eq-3.second-root`).
    """
    theta = sp.sympify(theta)
    return sp.Eq(theta / (1 - theta) + sp.log(1 - theta), gamma, evaluate=False)


def _base_threshold(gamma: ArrayLike) -> NDArray[np.float64]:
    from qtheory.numerics.special import base_threshold

    return np.asarray(base_threshold(gamma).theta0)


@FORMULAS.proved_by("eb.eq-3.lambert", "eb.eq-3.lambert.equal", twin=_base_threshold)
def base_threshold(gamma: Value = RATIO) -> sp.Expr:
    """The base threshold in closed form, ``theta0 = 1 + 1/W_{-1}(-exp(-1 - gamma))``, for gamma > 0.

    With ``u = 1/(1 - theta0)``, (3) reads ``u - ln u = 1 + gamma``, so ``-u exp(-u) = -exp(-1 - gamma)`` with u > 1.
    Its numeric form is `qtheory.numerics.special.base_threshold`: the closed form loses digits at both ends.
    """
    return 1 + 1 / sp.LambertW(-sp.exp(-1 - sp.sympify(gamma)), -1)


def switching_threshold(theta: ArrayLike, N: ArrayLike) -> NDArray[np.int64]:
    """``k* = floor(theta N)`` (Section 3.2.1), at most N - 1: theta < 1, also where its float rounds to 1.

    0 where theta N < 1, which is no threshold. InputError for a theta outside [0, 1] or an N below 1.
    """
    share, slots = numbers("theta", theta, Range(0, 1, "[]")), numbers("N", N, Range(1, closed="["))
    if (slots != np.floor(slots)).any():
        raise InputError("N must be whole numbers")
    return np.asarray(np.minimum(np.floor(share * slots), slots - 1), dtype=np.int64)


def numeric(name: str, **arguments: ArrayLike) -> NDArray[np.float64] | float:
    """The formula of that name for numbers or arrays (broadcast together), by its arguments' names.

    >>> round(numeric("decode_duration", theta=0.5, N=64, p0=0.01, alpha_d=0.02, beta_d=1e-4), 6)
    1.706294

    Raises InputError for a missing, unknown or unusable argument, naming the first index that is out of range.
    """
    return FORMULAS.numeric(name, arguments)
