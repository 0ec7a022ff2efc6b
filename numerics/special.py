"""Special functions whose straightforward formulas lose digits, for whole arrays at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

# The working arrays of one block stay in the second-level cache.
_BLOCK = 8192

# Below this ratio zeta is found from its series, above it from the logarithm: there the error of the
# logarithm is amplified by 1/theta0 < 4/3 only.
_SERIES_UP_TO = 2.0

# Terms of expm1(z) - z that matter at zeta(_SERIES_UP_TO) < 1.51: 2 * 1.51**21 / 23! < 2**-60.
_TERMS = 21


class BaseThreshold(NamedTuple):
    """The base threshold, its complement and its log-complement; floats, or arrays of the ratio's shape.

    ``zeta = -log(1 - theta0)`` (dimensionless). Each is accurate in itself: ``one_minus_theta0`` and ``zeta``
    keep their digits where ``1 - theta0`` or ``-log1p(-theta0)`` would lose them.
    """

    theta0: float | NDArray[np.float64]
    one_minus_theta0: float | NDArray[np.float64]
    zeta: float | NDArray[np.float64]


def base_threshold(ratio: ArrayLike) -> BaseThreshold:
    """Solve ``theta0/(1 - theta0) + log(1 - theta0) = ratio`` for the threshold ``theta0`` in [0, 1].

    This is Eq. (3) of the exclusive-batching paper (Proposition 3.1), whose ratio is
    ``alpha_p p0 / alpha_d`` (dimensionless). With ``zeta = -log(1 - theta0)`` it reads
    ``exp(zeta) - 1 - zeta = ratio``, so that ``1/(1 - theta0) = 1 + zeta + ratio`` is the Lambert function
    ``-W_{-1}(-exp(-1 - ratio))``.

    ``ratio``: number or array of any shape, not negative. 0 gives ``theta0 = 0`` and infinity gives 1.
    Returns a `BaseThreshold` of floats for a scalar, else of arrays of the same shape.
    Raises InputError for a negative ratio, NaN or what is not a real number, naming the first index.
    """
    ratios = _ratios(ratio)
    flat = ratios.ravel()
    zeta = np.empty_like(flat)
    theta0 = np.empty_like(flat)
    complement = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        _solve_block(flat[block], zeta[block], theta0[block], complement[block])
    if ratios.ndim == 0:
        return BaseThreshold(float(theta0[0]), float(complement[0]), float(zeta[0]))
    return BaseThreshold(*(a.reshape(ratios.shape) for a in (theta0, complement, zeta)))


def _ratios(ratio: ArrayLike) -> NDArray[np.float64]:
    try:
        raw = np.asarray(ratio)
        if raw.dtype.kind not in "iuf" and raw.size:
            raise TypeError(f"it is of type {raw.dtype}")
        ratios = raw.astype(np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"ratio must be a real number or an array of them: {error}") from None
    usable = ratios >= 0  # false for NaN
    if not usable.all():
        index = np.unravel_index(int(np.argmin(usable)), ratios.shape)
        place = f"ratio[{', '.join(str(int(i)) for i in index)}]" if index else "ratio"
        raise InputError(f"{place} is {ratios[index]}; a ratio must be at least 0")
    return ratios


def _solve_block(
    ratio: NDArray[np.float64],
    zeta: NDArray[np.float64],
    theta0: NDArray[np.float64],
    complement: NDArray[np.float64],
) -> None:
    """Fill the last three from the first: exp(zeta) = 1 + zeta + ratio gives them without cancellation."""
    small = ratio <= _SERIES_UP_TO
    if small.all():
        zeta[:] = _zeta_of_small(ratio)
    elif small.any():
        zeta[small] = _zeta_of_small(ratio[small])
        zeta[~small] = _zeta_of_large(ratio[~small])
    else:
        zeta[:] = _zeta_of_large(ratio)
    rise = zeta + ratio
    whole = 1.0 + rise
    np.divide(1.0, whole, out=complement)
    theta0.fill(1.0)
    np.divide(rise, whole, out=theta0, where=whole < np.inf)


def _zeta_of_small(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Halley's method on expm1(z) - z = ratio, with the left side summed by its series of positive terms."""
    s = np.sqrt(2.0 * ratio)
    # the inverse series in s, from matching powers in z**2 (1 + z/3 + z**2/12 + ...) = s**2
    z = s * (1.0 - s * (1 / 6 - s * (1 / 36 - s * (1 / 270 - s / 4320))))
    for _ in range(2):
        tail = np.ones_like(z)
        for k in range(_TERMS + 2, 2, -1):
            tail *= z
            tail /= k
            tail += 1.0
        excess = 0.5 * z * z * tail
        slope = z + excess
        error = excess - ratio
        step = 2.0 * error * slope
        step /= np.maximum(2.0 * slope * slope - error * (1.0 + slope), np.finfo(float).tiny)
        z -= step
    return z


def _zeta_of_large(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Newton's method on z - log(1 + z + ratio) = 0, convex and with slope theta0 > 3/4: three steps do."""
    finite = np.minimum(ratio, np.finfo(float).max)
    z: NDArray[np.float64] = np.log1p(finite + np.log1p(finite))
    for _ in range(3):
        rise = z + finite
        z -= (z - np.log1p(rise)) * (1.0 + 1.0 / rise)
    z[ratio == np.inf] = np.inf
    return z
