"""Confidence intervals: Student's for independent values, batch means, paired differences, regenerative ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from qtheory.errors import InputError


@dataclass(frozen=True)
class Interval:
    """``estimate`` within (``low``, ``high``) at ``confidence``, from ``n`` (nearly) independent values."""

    estimate: float
    low: float
    high: float
    confidence: float
    n: int
    method: str

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2.0

    @property
    def relative_half_width(self) -> float:
        return self.half_width / abs(self.estimate) if self.estimate else math.inf

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.estimate:.6g} ({self.low:.6g} to {self.high:.6g} at {self.confidence:.4g})"


def _values(values: Sequence[float] | np.ndarray, at_least: int, what: str) -> np.ndarray:
    x = np.asarray(values, dtype=float)
    if x.ndim != 1 or x.size < at_least:
        raise InputError(f"an interval needs at least {at_least} {what}, not {x.size}")
    if not np.isfinite(x).all():
        raise InputError(f"{what} number {int(np.flatnonzero(~np.isfinite(x))[0])} is not finite")
    return x


def t_quantile(confidence: float, freedom: int) -> float:
    """The two-sided quantile of Student's law at ``confidence``."""
    from scipy.special import stdtrit

    if not 0 < confidence < 1:
        raise InputError(f"a confidence lies strictly between 0 and 1, not {confidence}")
    return float(stdtrit(freedom, 0.5 + confidence / 2.0))


def normalised(values: np.ndarray) -> tuple[np.ndarray, int]:
    """(``values`` / 2**e, e) with the largest of them from 1/2 to 1: exact, and squares neither vanish nor overflow."""
    exponent = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    return np.asarray(np.ldexp(values, -exponent)), exponent


def student(values: Sequence[float] | np.ndarray, confidence: float = 0.95, method: str = "replications") -> Interval:
    """Student's interval for the mean of independent values, shape (n,), n at least 2."""
    x, exponent = normalised(_values(values, 2, "values"))
    mean = math.ldexp(float(x.mean()), exponent)
    half = math.ldexp(t_quantile(confidence, x.size - 1) * float(x.std(ddof=1)) / math.sqrt(x.size), exponent)
    return Interval(mean, mean - half, mean + half, confidence, int(x.size), method)


def paired_difference(
    a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray, confidence: float = 0.95
) -> Interval:
    """Interval for the mean of a - b where a[i] and b[i] come from the same random numbers; shapes (n,)."""
    x, y = _values(a, 2, "values"), _values(b, 2, "values")
    if x.size != y.size:
        raise InputError(f"paired values must be equally many, not {x.size} and {y.size}")
    return student(x - y, confidence, "paired differences")


def ratio(top: np.ndarray, bottom: np.ndarray, confidence: float, method: str) -> Interval:
    """Interval for E[top]/E[bottom] from independent pairs, shapes (n,): the jackknife's, Student's quantile."""
    y, x = _values(top, 2, "pairs"), _values(bottom, 2, "pairs")
    n = y.size
    if not x.sum() > 0:
        raise InputError("the denominators of a ratio sum to zero: nothing was counted")
    if not (x.sum() - x > 0).all():
        raise InputError("all that was counted is in one of the pairs: an interval needs two")
    whole = y.sum() / x.sum()
    left_out = (y.sum() - y) / (x.sum() - x)
    pseudo = n * whole - (n - 1) * left_out
    return student(pseudo, confidence, method)


def alone(value: float, confidence: float) -> Interval:
    """What one run gives where nothing is random: a value without an interval."""
    return Interval(value, math.nan, math.nan, confidence, 1, "one run: nothing is random")


def on_log_scale(interval: Interval) -> Interval:
    """The interval of a positive quantity whose spread grows with it: symmetric in its logarithm (delta method).

    Means of queues are skewed to the right: a run that is short of large values is low and looks certain. Symmetric
    about the estimate, the intervals of ten replications of M/M/1 lie below the truth five times as often as above.
    """
    if not interval.estimate > 0:
        return interval
    factor = math.exp(min(interval.half_width / interval.estimate, 700.0))
    return replace(interval, low=interval.estimate / factor, high=interval.estimate * factor)


def batch_means(
    series: np.ndarray, weights: np.ndarray | None = None, *, batches: int = 20, confidence: float = 0.95
) -> Interval:
    """Interval for a steady-state mean from one run: totals a window, shape (w,), pooled into equal ``batches``.

    With ``weights`` the mean is sum(series)/sum(weights). Schmeiser (1982): 10 to 30 batches.
    """
    y = _values(series, 2 * batches, "windows")
    x = np.ones(y.size) if weights is None else _values(weights, 2 * batches, "windows")
    size = y.size // batches
    y, x = (v[v.size - batches * size :].reshape(batches, size).sum(axis=1) for v in (y, x))
    return ratio(y, x, confidence, "batch means")


def regenerative(
    count: int, y: float, x: float, yy: float, xx: float, yx: float, confidence: float = 0.95
) -> Interval:
    """Interval for E[Y]/E[X] from sums over ``count`` independent cycles: sums of Y, X, Y^2, X^2, YX.

    Crane and Iglehart (1975): variance of Y - rX over the cycles.
    """
    if count < 2:
        raise InputError(f"a regenerative interval needs at least 2 cycles, not {int(count)}")
    estimate = y / x
    spread = max(0.0, (yy - 2.0 * estimate * yx + estimate**2 * xx) / (count - 1))
    half = t_quantile(confidence, int(count) - 1) * math.sqrt(spread / count) / (x / count)
    return Interval(estimate, estimate - half, estimate + half, confidence, int(count), "regenerative cycles")
