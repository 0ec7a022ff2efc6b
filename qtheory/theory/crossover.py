"""Mixed against exclusive batching: when which is faster, and the convexity of the mixed batch's cost, in symbols.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.5 and Appendix A.3.

Units: times in seconds, costs in seconds per token, lengths in tokens, batch sizes in requests; thresholds, decode
ratios and the convexity index are dimensionless.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.theory.formulas import Formulas, Range, Value
from qtheory.theory.threshold import ALPHA_D, ALPHA_P, BETA_D, BETA_P, MU_L, SLOTS, THETA, K, zeta

MU_O, ALPHA_MB, BETA_MB, OCCUPANCY = sp.symbols("mu_O alpha_MB beta_MB n", positive=True)
RATIO, C0, C1, C2, MARGIN = sp.symbols("r c0 c1 c2 delta", real=True)
COST = C0 + C1 + C2  # of a batch of pure decode
FORMULAS = Formulas({"r": Range(0, 1, "[]"), "theta": Range(0, 1), "c0": Range(0)})


@FORMULAS.proved_by("eb.sec-3.5.TP-MB-2")
def mixed_throughput(N: Value = SLOTS, alpha_MB: Value = ALPHA_MB, beta_MB: Value = BETA_MB, mu_L: Value = MU_L,
                     mu_O: Value = MU_O) -> sp.Expr:
    """Throughput of mixed batching at effective batch size ``N`` (Section 3.5). Requests per second.

    ``alpha_MB`` (s): fixed time of a mixed batch; ``beta_MB`` (s/token): its cost per token.
    """
    return 1 / (alpha_MB * (1 + sp.sympify(mu_O)) / N + beta_MB * (mu_L + mu_O))


@FORMULAS.proved_by("eb.sec-3.5.lhs", "eb.app-A.4.analytic")
def exclusive_cost(beta_p: Value = BETA_P, beta_d: Value = BETA_D, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """``beta_EB^w``, the mean of the exclusive costs per token over a request's tokens (Section 3.2.1). s/token."""
    return (beta_p * sp.sympify(mu_L) + beta_d * mu_O) / (sp.sympify(mu_L) + mu_O)


@FORMULAS.proved_by("eb.prop-3.4.rounded", where=K < SLOTS)
def largest_gap(k: Value = K, N: Value = SLOTS, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D,
                alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """Right-hand side of (7), zeta taken at k/N: mixed batching is the faster one where ``beta_MB^e - beta_EB^w`` is
    below it. For 1 <= k < N. s/token."""
    fixed = (alpha_p + alpha_d * zeta(sp.sympify(k) / N) * mu_O) / sp.sympify(k)
    return (fixed - alpha_MB * (1 + sp.sympify(mu_O)) / N) / (mu_L + mu_O)


@FORMULAS.proved_by("eb.eq-7.solved", "eb.eq-7.sign")
def largest_gap_at_optimum(theta: Value = THETA, N: Value = SLOTS, alpha_d: Value = ALPHA_D,
                           alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """Right-hand side of (7) at ``k = theta N`` for the base threshold ``theta`` of (3): alpha_p has gone. s/token."""
    return (alpha_d * mu_O / (1 - sp.sympify(theta)) - alpha_MB * (1 + sp.sympify(mu_O))) / (N * (mu_L + mu_O))


@FORMULAS.proved_by("eb.eq-8.reversal", "eb.sec-3.5.endpoints")
def online_bound(n: Value = OCCUPANCY, theta: Value = THETA, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D,
                 alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O, delta: Value = MARGIN) -> sp.Expr:
    """Right-hand side of (8): EB+ takes exclusive batches where the gap exceeds it, at occupancy ``n`` and base
    threshold ``theta``; ``delta`` (s/token) is the margin. s/token."""
    fixed = (alpha_p + alpha_d * zeta(theta) * mu_O) / sp.sympify(theta) - alpha_MB * (1 + sp.sympify(mu_O))
    return fixed / (n * (sp.sympify(mu_L) + mu_O)) + delta


@FORMULAS.proved_by("eb.app-A.3.K1")
def kernel_time(r: Value = RATIO, c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """``K(r) = c0 + c1 r + c2 r^2``, a mixed batch's time at decode ratio ``r`` (Appendix A.3). Seconds."""
    return c0 + c1 * sp.sympify(r) + c2 * sp.sympify(r) ** 2


@FORMULAS.proved_by("eb.eq-10", "eb.app-A.3.ii", "eb.app-A.3.ii.gap")
def interference(r: Value = RATIO, c2: Value = C2) -> sp.Expr:
    """``K(r) - Kbar(r) = -c2 r (1 - r)`` (10), what mixing costs over pure batches. Seconds."""
    return -c2 * sp.sympify(r) * (1 - sp.sympify(r))


@FORMULAS.proved_by("eb.app-A.3.c2-kappa", where=COST > 0)
def convexity_index(c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """``kappa = 2 c2/(c0 + c1 + c2)`` (11). It says nothing of K(0), nor compares two GPUs of different K(1)."""
    return 2 * sp.sympify(c2) / (sp.sympify(c0) + c1 + c2)


@FORMULAS.proved_by("eb.app-A.3.ii.best", "eb.app-A.3.ii.gain.most", where=COST > 0)
def best_decode_ratio(c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """Decode ratio at which ``(K - Kbar)/Kbar`` is largest, for c2 < 0: ``sqrt K(0)/(sqrt K(0) + sqrt K(1))``.

    The paper has 1/2, where the difference is largest; the gain in throughput is largest here.
    """
    prefill, decode = sp.sqrt(kernel_time(0, c0, c1, c2)), sp.sqrt(kernel_time(1, c0, c1, c2))
    return prefill / (prefill + decode)


def numeric(name: str, **arguments: ArrayLike) -> NDArray[np.float64] | float:
    """The formula of that name for numbers or arrays (broadcast together), by its arguments' names.

    >>> numeric("convexity_index", c0=3, c1=3, c2=-2)
    -1.0

    Raises InputError for a missing, unknown or unusable argument.
    """
    return FORMULAS.numeric(name, arguments)
