"""The law of greatest entropy that meets what a paper prints of a length: range, mean, standard deviation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import Array, FailureRateVerdict, LengthLaw, integer, positive, real

# The law is kept as a table.
_LARGEST_RANGE = 5_000_000


@dataclass(frozen=True)
class MaximumEntropy(LengthLaw):
    """The law of greatest entropy on ``least .. greatest`` with the given mean and, if given, standard deviation.

    f(t) is proportional to exp(b t + c t**2), c = 0 without a deviation. It holds what a paper prints (range,
    mean, deviation) and assumes nothing besides.
    """

    least: int
    greatest: int
    target_mean: float
    target_deviation: float | None = None

    def __post_init__(self) -> None:
        least, greatest = integer("least", self.least), integer("greatest", self.greatest)
        if greatest - least >= _LARGEST_RANGE:
            raise InputError(f"the range {least} to {greatest} is too wide: at most {_LARGEST_RANGE} lengths")
        mean = real("mean", self.target_mean)
        if not least < mean < greatest:
            raise InputError(f"mean is {mean:g}; it must lie between least, {least}, and greatest, {greatest}")
        if self.target_deviation is not None:
            deviation = positive("standard deviation", self.target_deviation)
            most = (mean - least) * (greatest - mean)
            if not 0.25 < deviation**2 < most:
                raise InputError(
                    f"standard deviation is {deviation:g}; with this range and mean it must lie between "
                    f"0.5 and {np.sqrt(most):g}"
                )
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "greatest", greatest)
        object.__setattr__(self, "target_mean", mean)
        _ = self._log_table  # solved now, so that an unattainable law fails where it is made

    @cached_property
    def _log_table(self) -> tuple[Array, Array]:
        """log f and log P(O >= t) for t = least .. greatest, by Newton's method on the convex dual."""
        lengths = np.arange(self.least, self.greatest + 1, dtype=float)
        scale = self.target_deviation or min(self.target_mean - self.least, self.greatest - self.target_mean)
        u = (lengths - self.target_mean) / scale
        if self.target_deviation is None:
            features, theta = u[None, :], np.zeros(1)
        else:
            features, theta = np.stack([u, u * u - 1.0]), np.array([0.0, -0.5])
        log_f = _solve_dual(features, theta)
        log_survival = np.logaddexp.accumulate(log_f[::-1])[::-1]
        return log_f - log_survival[0], log_survival - log_survival[0]

    @property
    def mean(self) -> float:
        lengths = np.arange(self.least, self.greatest + 1, dtype=float)
        return float(np.exp(self._log_table[0]) @ lengths)

    @property
    def variance(self) -> float:
        lengths = np.arange(self.least, self.greatest + 1, dtype=float)
        return float(np.exp(self._log_table[0]) @ (lengths - self.mean) ** 2)

    @property
    def minimum(self) -> int:
        return self.least

    @property
    def maximum(self) -> int:
        return self.greatest

    def describe(self) -> str:
        deviation = "" if self.target_deviation is None else f" and deviation {self.target_deviation:g}"
        return f"maximum entropy on {self.least} to {self.greatest} with mean {self.target_mean:g}{deviation}"

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        if self.target_deviation is None:
            reason = "log f is linear, so f is log-concave and the rate increases"
            return FailureRateVerdict(True, True, 1, self.greatest, reason)
        return super()._increasing_failure_rate()

    def _look_up(self, table: Array, t: Array, before: float) -> Array:
        place = t.astype(np.int64) - self.least
        return np.where(place >= 0, table[np.maximum(place, 0)], before)

    def _log_pmf(self, t: Array) -> Array:
        return self._look_up(self._log_table[0], t, -np.inf)

    def _log_survival(self, t: Array) -> Array:
        return np.minimum(self._look_up(self._log_table[1], t, 0.0), 0.0)

    def _pmf(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_pmf(t)))

    def _survival(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_survival(t)))

    def _hazard(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_pmf(t) - self._log_survival(t)))

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        # P(O >= t) > u for exactly the t up to the drawn length
        survival = np.exp(self._log_table[1])
        longer = np.searchsorted(-survival[1:], -generator.random(size=shape), side="left")
        return self.least + longer


def _solve_dual(features: Array, theta: Array) -> Array:
    """log f for f proportional to exp(theta . features) with all features of mean 0."""

    def log_law(parameters: Array) -> tuple[Array, float]:
        exponent = parameters @ features
        top = exponent.max()
        log_total = top + np.log(np.exp(exponent - top).sum())
        return exponent - log_total, float(log_total)

    log_f, objective = log_law(theta)
    for _ in range(200):
        f = np.exp(log_f)
        gradient = features @ f
        if np.abs(gradient).max() < 1e-13:
            return log_f
        curvature = (features * f) @ features.T - np.outer(gradient, gradient)
        direction = np.linalg.solve(curvature, gradient)
        step = 1.0
        while True:
            candidate = theta - step * direction
            new_log_f, new_objective = log_law(candidate)
            if new_objective <= objective + 1e-12 * abs(objective) or step < 1e-9:
                break
            step /= 2
        theta, log_f, objective = candidate, new_log_f, new_objective
    if np.abs(features @ np.exp(log_f)).max() < 1e-9:
        return log_f
    raise InputError("no maximum-entropy law meets this range, mean and standard deviation")
