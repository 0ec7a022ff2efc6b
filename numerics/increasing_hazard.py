"""The switching threshold of exclusive batching under an increasing hazard rate, in floating point.

Sources: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.2.2 and Appendix C, for
the fluid model in which every request's hazard clock starts anew with each decode phase.  `kept_ages` has the system
of Section 3.1, whose requests keep their age.

Pure numbers throughout: ``gamma = p0 alpha_p/alpha_d``, ``epsilon = eta/p0^2``, ``rho = beta_d N/alpha_d`` and times
in units of ``1/p0`` iterations.  With ``g(z) = sqrt(1 + 2 epsilon z)`` the optimality condition of Appendix C.5,
``T = theta dT/dtheta``, divided by ``alpha_d/p0``, is ``gamma = excess(zeta)`` with

    excess(zeta) = int_0^zeta (e^z - 1) (1 + 2 epsilon z - epsilon (1 + rho e^-z)) g(z)^-3 dz.

Its integrand changes sign at most once, from negative to positive, so there is exactly one solution for each
gamma > 0; and ``excess(zeta) <= e^zeta - 1 - zeta``, so it lies above the base threshold's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx

from qtheory.errors import InputError
from qtheory.numerics.special import base_threshold

Array = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_BISECTIONS = 60


class Threshold(NamedTuple):
    """The optimal threshold ``theta`` and ``zeta = -ln(1 - theta)``; arrays of the arguments' common shape."""

    theta: Array
    zeta: Array


def duration(zeta: ArrayLike, epsilon: ArrayLike) -> Array:
    """``p0 T = 2 zeta/(1 + g)``, Appendix C.2's positive root without its cancellation at small epsilon."""
    z, e = np.asarray(zeta, dtype=float), np.asarray(epsilon, dtype=float)
    return np.asarray(2 * z / (1 + np.sqrt(1 + 2 * e * z)))


def cumulative_batch(zeta: ArrayLike, epsilon: ArrayLike) -> Array:
    """``p0 I/N = int_0^{p0 T} exp(-s - epsilon s^2/2) ds`` (Appendix C.3), to about 1e-14 relatively."""
    z, e = np.broadcast_arrays(np.asarray(zeta, dtype=float), np.asarray(epsilon, dtype=float))
    out = np.empty(z.shape)
    smooth = 2 * e * z <= 1
    out[smooth] = _panel(lambda s, u: np.exp(-s) / np.sqrt(1 + 2 * u * s), z[smooth], e[smooth])
    z, e = z[~smooth], e[~smooth]
    a = 1 / np.sqrt(2 * e)
    out[~smooth] = np.sqrt(np.pi) * a * (erfcx(a) - np.exp(-z) * erfcx(a * np.sqrt(1 + 2 * e * z)))
    return out


def excess(zeta: ArrayLike, epsilon: ArrayLike, rho: ArrayLike) -> Array:
    """The right-hand side of the optimality condition (see the module), for arrays that broadcast together."""
    z, e, r = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (zeta, epsilon, rho)))
    out = np.empty(z.shape)
    smooth = 2 * e * z <= 1

    def slope(s: Array, u: Array, v: Array) -> Array:
        return np.expm1(s) * (1 + 2 * u * s - u * (1 + v * np.exp(-s))) * (1 + 2 * u * s) ** -1.5

    out[smooth] = _panel(slope, z[smooth], e[smooth], r[smooth])
    z, e, r = z[~smooth], e[~smooth], r[~smooth]
    g = np.sqrt(1 + 2 * e * z)
    out[~smooth] = np.expm1(z) / g - duration(z, e) + r * (-np.expm1(-z) / g - cumulative_batch(z, e))
    return out


def _panel(f: Callable[..., Array], end: Array, *others: Array) -> Array:
    """int_0^end f by Gauss and Legendre's rule; singular at the earliest as far below 0 as ``end`` is above."""
    half = end[..., None] / 2
    values = f(half * (1 + _NODES), *(o[..., None] for o in others))
    return np.asarray((values * _WEIGHTS).sum(axis=-1) * half[..., 0])


def optimal_threshold(gamma: ArrayLike, epsilon: ArrayLike, rho: ArrayLike) -> Threshold:
    """The exact optimum of Appendix C's fluid model, for arrays that broadcast together.

    ``gamma``: positive; ``epsilon`` and ``rho``: at least 0, all finite.  The threshold is the one zero of
    Appendix C.5's Phi and the global maximum of the throughput, whatever epsilon.
    Raises InputError, naming the argument.
    """
    named = (("gamma", gamma), ("epsilon", epsilon), ("rho", rho))
    g, e, r = np.broadcast_arrays(*(number(name, value) for name, value in named))
    if not (g > 0).all():
        raise InputError("gamma must be positive")
    low = np.asarray(base_threshold(g).zeta, dtype=float)
    high = 2 * low
    while (short := excess(high, e, r) < g).any():
        high = np.where(short, 2 * high, high)
        if (high > 1e5).any():
            raise InputError("gamma, epsilon or rho is too large: the threshold is 1 in floating point")
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        below = excess(middle, e, r) < g
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    zeta = np.asarray((low + high) / 2)
    return Threshold(np.asarray(-np.expm1(-zeta)), zeta)


def first_order(gamma: ArrayLike, epsilon: ArrayLike, rho: ArrayLike) -> Threshold:
    """The paper's ``theta0 + Delta theta`` of (5); ``zeta`` is NaN where that is 1 or more."""
    g, e, r = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (gamma, epsilon, rho)))
    base = base_threshold(g)
    theta0, zeta0 = np.asarray(base.theta0), np.asarray(base.zeta)
    rise = zeta0 * (np.expm1(zeta0) - zeta0 / 2) + r * (zeta0 - theta0)
    theta = np.asarray(theta0 + e * np.exp(-2 * zeta0) / theta0 * rise)
    return Threshold(theta, np.where(theta < 1, -np.log1p(-np.minimum(theta, 1 - 1e-16)), np.nan))


def number(name: str, value: ArrayLike) -> Array:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a number or an array of numbers: {error}") from None
    if not (np.isfinite(array) & (array >= 0)).all():
        raise InputError(f"{name} must be finite and at least 0")
    return array
