"""Hazard rates from samples of lengths, and tests for a trend in them.

The exclusive-batching paper (arXiv:2606.00516) estimates the hazard rate of the output lengths from a window of
completed requests (Section 3.4) and tests it for an increase (Appendix E.4). Lengths are counted in tokens from 1;
a hazard rate is a probability per iteration.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

SHARE = 0.95  # of the lengths that the fit and the tests reach (Section 3.4: the 95th percentile)


class EmpiricalHazard(NamedTuple):
    """``rate[i] = ended[i] / at_risk[i]`` at the lengths ``t[i]`` = 1, 2, ..., each of shape (n,)."""

    t: NDArray[np.int64]
    ended: NDArray[np.int64]
    at_risk: NDArray[np.int64]

    @property
    def rate(self) -> NDArray[np.float64]:
        return self.ended / self.at_risk


class LinearHazard(NamedTuple):
    """``h(t) = p0 + eta t`` fitted over t = 1, ..., last; per iteration, and per iteration squared.

    Either may be negative: a hazard that starts near 0 and rises late has a negative intercept.
    """

    p0: float
    eta: float
    last: int


class Trend(NamedTuple):
    """A test's statistic, its standardised value and the two-sided p-value."""

    statistic: float
    z: float
    p_value: float


def percentile(lengths: ArrayLike, share: float = SHARE) -> int:
    """The least length that at least ``share`` of the lengths do not exceed, 0 < share <= 1."""
    values = np.sort(_lengths(lengths))
    if not 0 < share <= 1:
        raise InputError(f"a share must lie in (0, 1], not {share}")
    return int(values[max(0, math.ceil(share * values.size) - 1)])


def empirical_hazard(lengths: ArrayLike, last: int | None = None) -> EmpiricalHazard:
    """``h(t)``: of the requests still active at t, the share that completes at exactly t (Section 3.4).

    ``lengths``: whole numbers from 1, shape (n,), n at least 1. ``last``: up to this t (default: the longest).
    Raises InputError for other lengths, and for a ``last`` at which none is active.
    """
    values = _lengths(lengths)
    end = int(values.max()) if last is None else last
    if not 1 <= end <= values.max():
        raise InputError(f"the hazard is defined at t = 1, ..., {values.max()}, not at {end}")
    counts = np.bincount(np.minimum(values, end + 1), minlength=end + 2)
    t = np.arange(1, end + 1)
    return EmpiricalHazard(t, counts[1 : end + 1], values.size - np.cumsum(counts)[:end])


def fit_linear_hazard(lengths: ArrayLike, share: float = SHARE) -> LinearHazard:
    """Weighted least squares of the empirical hazard on ``p0 + eta t`` over t = 1, ..., the percentile ``share``.

    The paper names no weights; these are the numbers at risk, inverse to the variance of each rate where the true
    hazard is constant. The sums over t then collapse to sums over the requests, each cut at ``last``. Where ``last``
    is 1 there is one rate: it is ``p0``, and ``eta`` is 0. Raises InputError as `empirical_hazard` does.
    """
    values = _lengths(lengths)
    last = percentile(values, share)
    reach = np.minimum(values, last).astype(float)
    ended = values[values <= last].astype(float)
    # sums over t of the weights times 1, t, t^2 and times the rate times 1, t
    w0, w1 = reach.sum(), (reach * (reach + 1) / 2).sum()
    w2 = (reach * (reach + 1) * (2 * reach + 1) / 6).sum()
    d0, d1 = float(ended.size), ended.sum()
    determinant = w0 * w2 - w1 * w1
    if last == 1:
        return LinearHazard(float(d0 / w0), 0.0, 1)
    return LinearHazard(float((d0 * w2 - d1 * w1) / determinant), float((d1 * w0 - d0 * w1) / determinant), last)


def mann_kendall(values: ArrayLike) -> Trend:
    """Mann-Kendall test of "no monotonic trend" in ``values`` (n,), n at least 3, in their order.

    The statistic is S = sum over i < j of sign(x_j - x_i); its variance under the hypothesis is corrected for ties,
    and one unit is taken off for continuity. Appendix E.4, (i).
    """
    x = _values(values, 3)
    distinct, counts = np.unique(x, return_counts=True)
    ranks = np.searchsorted(distinct, x)
    # S in O(n log n): pairs in order less pairs out of order, by a tree of counts over the ranks
    s, tree = 0, np.zeros(distinct.size + 1, dtype=np.int64)
    for position, rank in enumerate(ranks.tolist()):
        below, upto = _prefix(tree, rank), _prefix(tree, rank + 1)
        s += below - (position - upto)
        place = rank + 1
        while place <= distinct.size:
            tree[place] += 1
            place += place & -place
    n = x.size
    ties = float((counts * (counts - 1.0) * (2.0 * counts + 5.0)).sum())
    variance = (n * (n - 1.0) * (2.0 * n + 5.0) - ties) / 18.0
    z = 0.0 if variance == 0 or s == 0 else (s - math.copysign(1.0, s)) / math.sqrt(variance)
    return Trend(float(s), z, math.erfc(abs(z) / math.sqrt(2.0)))


def _prefix(tree: NDArray[np.int64], place: int) -> int:
    total = 0
    while place > 0:
        total += int(tree[place])
        place -= place & -place
    return total


def regression_slope(t: ArrayLike, values: ArrayLike, weights: ArrayLike | None = None) -> Trend:
    """Test of "slope 0" in the regression of ``values`` on ``t`` (n,), n at least 3, by Student's t with n - 2 degrees.

    The statistic is the slope, ``z`` the t value. ``weights``: positive, inverse to the variances up to a factor.
    Appendix E.4, (ii). Raises InputError where all ``t`` are alike.
    """
    from scipy.stats import t as student

    x, y = _values(t, 3), _values(values, 3)
    w = np.ones_like(x) if weights is None else _values(weights, 3)
    if not x.size == y.size == w.size:
        raise InputError(f"t, values and weights differ in length: {x.size}, {y.size}, {w.size}")
    if not (w > 0).all():
        raise InputError("weights must be positive")
    x = x - (w @ x) / w.sum()
    y = y - (w @ y) / w.sum()
    spread = w @ (x * x)
    if not spread > 0:
        raise InputError("the regression needs at least two different t")
    slope = (w @ (x * y)) / spread
    residual = y - slope * x
    error = math.sqrt((w @ (residual * residual)) / (x.size - 2) / spread)
    z = math.copysign(math.inf, slope) if error == 0 and slope != 0 else 0.0 if error == 0 else slope / error
    return Trend(float(slope), float(z), float(2.0 * student.sf(abs(z), x.size - 2)))


def _lengths(lengths: ArrayLike) -> NDArray[np.int64]:
    values = _values(lengths, 1)
    if (values < 1).any() or (values != np.floor(values)).any():
        wrong = values[(values < 1) | (values != np.floor(values))][0]
        raise InputError(f"lengths must be whole numbers, at least 1, not {wrong}")
    return values.astype(np.int64)


def _values(values: ArrayLike, least: int) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"a sample must be a list of numbers: {error}") from None
    if array.ndim != 1 or array.size < least:
        raise InputError(f"a sample must be a list of at least {least} numbers, not of shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError("a sample must hold finite numbers only")
    return array
