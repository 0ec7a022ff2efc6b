"""Mixed against exclusive batching: when which is faster, and the convexity of the mixed batch's cost, in symbols.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.5 and Appendix A.3.

Units: times in seconds, costs in seconds per token, lengths in tokens, batch sizes in requests; thresholds, decode
ratios and the convexity index are dimensionless.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.theory.threshold import ALPHA_D, ALPHA_P, BETA_D, BETA_P, MU_L, SLOTS, THETA, K, Value, proved_by, zeta

MU_O, ALPHA_MB, BETA_MB, OCCUPANCY = sp.symbols("mu_O alpha_MB beta_MB n", positive=True)
RATIO, C0, C1, C2, MARGIN = sp.symbols("r c0 c1 c2 delta", real=True)
SIGNED = {str(s) for s in (C1, C2, MARGIN)}
FORMULAS: dict[str, Callable[..., Any]] = {}


@proved_by("eb.sec-3.5.TP-MB-2", into=FORMULAS)
def mixed_throughput(N: Value = SLOTS, alpha_MB: Value = ALPHA_MB, beta_MB: Value = BETA_MB, mu_L: Value = MU_L,
                     mu_O: Value = MU_O) -> sp.Expr:
    """Throughput of mixed batching at effective batch size ``N`` (Section 3.5). Requests per second.

    ``alpha_MB`` (s): fixed time of a mixed batch; ``beta_MB`` (s/token): its cost per token.
    """
    return 1 / (alpha_MB * (1 + sp.sympify(mu_O)) / N + beta_MB * (mu_L + mu_O))


@proved_by("eb.sec-3.5.lhs", "eb.app-A.4.analytic", into=FORMULAS)
def exclusive_cost(beta_p: Value = BETA_P, beta_d: Value = BETA_D, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """``beta_EB^w``, the mean of the exclusive costs per token over a request's tokens (Section 3.2.1). s/token."""
    return (beta_p * sp.sympify(mu_L) + beta_d * mu_O) / (sp.sympify(mu_L) + mu_O)


@proved_by("eb.prop-3.4.corrected", into=FORMULAS)
def largest_gap(k: Value = K, N: Value = SLOTS, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D,
                alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """Right-hand side of (7), zeta taken at k/N: mixed batching is the faster one where ``beta_MB^e - beta_EB^w`` is
    below it. For 1 <= k < N. s/token."""
    fixed = (alpha_p + alpha_d * zeta(sp.sympify(k) / N) * mu_O) / sp.sympify(k)
    return (fixed - alpha_MB * (1 + sp.sympify(mu_O)) / N) / (mu_L + mu_O)


@proved_by("eb.eq-7.solved", "eb.eq-7.sign", into=FORMULAS)
def largest_gap_at_optimum(theta: Value = THETA, N: Value = SLOTS, alpha_d: Value = ALPHA_D,
                           alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O) -> sp.Expr:
    """Right-hand side of (7) at ``k = theta N`` for the base threshold ``theta`` of (3): alpha_p has gone. s/token."""
    return (alpha_d * mu_O / (1 - sp.sympify(theta)) - alpha_MB * (1 + sp.sympify(mu_O))) / (N * (mu_L + mu_O))


@proved_by("eb.eq-8.reversal", "eb.sec-3.5.endpoints.zero", into=FORMULAS)
def online_bound(n: Value = OCCUPANCY, theta: Value = THETA, alpha_p: Value = ALPHA_P, alpha_d: Value = ALPHA_D,
                 alpha_MB: Value = ALPHA_MB, mu_L: Value = MU_L, mu_O: Value = MU_O, delta: Value = MARGIN) -> sp.Expr:
    """Right-hand side of (8): EB+ takes exclusive batches where the gap exceeds it, at occupancy ``n`` and base
    threshold ``theta``; ``delta`` (s/token) is the margin. s/token."""
    fixed = (alpha_p + alpha_d * zeta(theta) * mu_O) / sp.sympify(theta) - alpha_MB * (1 + sp.sympify(mu_O))
    return fixed / (n * (sp.sympify(mu_L) + mu_O)) + delta


@proved_by("eb.app-A.3.K1", into=FORMULAS)
def kernel_time(r: Value = RATIO, c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """``K(r) = c0 + c1 r + c2 r^2``, a mixed batch's time at decode ratio ``r`` (Appendix A.3). Seconds."""
    return c0 + c1 * sp.sympify(r) + c2 * sp.sympify(r) ** 2


@proved_by("eb.eq-10", "eb.app-A.3.ii", "eb.app-A.3.ii.gap", into=FORMULAS)
def interference(r: Value = RATIO, c2: Value = C2) -> sp.Expr:
    """``K(r) - Kbar(r) = -c2 r (1 - r)`` (10), what mixing costs over pure batches. Seconds."""
    return -c2 * sp.sympify(r) * (1 - sp.sympify(r))


@proved_by("eb.app-A.3.c2-kappa", into=FORMULAS)
def convexity_index(c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """``kappa = 2 c2/(c0 + c1 + c2)`` (11). It says nothing of K(0), nor compares two GPUs of different K(1)."""
    return 2 * sp.sympify(c2) / (sp.sympify(c0) + c1 + c2)


@proved_by("eb.app-A.3.ii.best", "eb.app-A.3.ii.gain.corrected", into=FORMULAS)
def best_decode_ratio(c0: Value = C0, c1: Value = C1, c2: Value = C2) -> sp.Expr:
    """Decode ratio at which ``(K - Kbar)/Kbar`` is largest, for c2 < 0: ``sqrt K(0)/(sqrt K(0) + sqrt K(1))``.

    The paper has 1/2, where the difference is largest; the gain in throughput is largest here.
    """
    prefill, decode = sp.sqrt(kernel_time(0, c0, c1, c2)), sp.sqrt(kernel_time(1, c0, c1, c2))
    return prefill / (prefill + decode)


@cache
def _compiled(name: str) -> Callable[..., Any]:
    arguments = [p.default for p in inspect.signature(FORMULAS[name]).parameters.values()]
    compiled: Callable[..., Any] = sp.lambdify(arguments, FORMULAS[name](), "numpy")
    return compiled


def numeric(name: str, **arguments: ArrayLike) -> NDArray[np.float64] | float:
    """The formula of that name for numbers or arrays (broadcast together), by its arguments' names.

    >>> numeric("convexity_index", c0=3, c1=3, c2=-2)
    -1.0

    Raises InputError for a missing, unknown or unusable argument.
    """
    if name not in FORMULAS:
        raise UnknownNameError("formula", name, list(FORMULAS))
    symbols = {n: p.default for n, p in inspect.signature(FORMULAS[name]).parameters.items()}
    for given in arguments:
        if given not in symbols:
            raise UnknownNameError(f"argument of {name}", given, list(symbols))
    if missing := [n for n in symbols if n not in arguments]:
        raise InputError(f"{name}: needs a value for {', '.join(missing)}")
    values = dict(zip(symbols, np.broadcast_arrays(*(_value(n, arguments[n]) for n in symbols)), strict=True))
    if "k" in values and not (values["k"] < values["N"]).all():
        raise InputError("k must be below N")
    if name in ("convexity_index", "best_decode_ratio") and not (values["c0"] + values["c1"] + values["c2"] > 0).all():
        raise InputError("c0 + c1 + c2, the cost of pure decode, must be positive")
    result = np.asarray(_compiled(name)(*values.values()), dtype=np.float64)
    return result if result.ndim else float(result)


def _value(name: str, value: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a number or an array of numbers: {error}") from None
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite")
    if name == "r" and not ((array >= 0) & (array <= 1)).all():
        raise InputError("r must lie in [0, 1]")
    if name == "theta" and not ((array > 0) & (array < 1)).all():
        raise InputError("theta must lie between 0 and 1")
    if name in ("beta_p", "beta_d", "r"):
        if (array < 0).any():
            raise InputError(f"{name} must not be negative")
    elif name not in SIGNED and (array <= 0).any():
        raise InputError(f"{name} must be positive")
    return array
