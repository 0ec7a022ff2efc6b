"""Counting laws moved to the positive integers: Poisson and negative binomial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.numerics.tails import (
    log_negative_binomial_pmf,
    log_negative_binomial_survival,
    log_poisson_pmf,
    negative_binomial_hazard,
)
from qtheory.workloads.base import GREATEST_LENGTH, Array, FailureRateVerdict, LengthLaw, positive

# Below this probability the tail is computed by its logarithm alone.
DEEP = 1e-250


@dataclass(frozen=True)
class Poisson(LengthLaw):
    """A Poisson count X of mean ``rate`` moved to 1, 2, ...

    ``form="conditioned"``: O is X given X >= 1; its mean is rate/(1 - exp(-rate)).
    ``form="shifted"``: O = 1 + X; its mean is 1 + rate.
    """

    rate: float
    form: Literal["conditioned", "shifted"] = "conditioned"

    def __post_init__(self) -> None:
        rate = positive("rate", self.rate)
        if rate > GREATEST_LENGTH:
            raise InputError(f"rate is {rate:g}; it must be at most 2**53")
        object.__setattr__(self, "rate", rate)
        if self.form not in ("conditioned", "shifted"):
            raise InputError(f"form is {self.form!r}; it must be 'conditioned' or 'shifted'")

    @property
    def _offset(self) -> int:
        return 1 if self.form == "shifted" else 0

    @property
    def _kept(self) -> float:
        """Probability of the event that is conditioned on."""
        return 1.0 if self.form == "shifted" else float(-np.expm1(-self.rate))

    @property
    def mean(self) -> float:
        return self._offset + self.rate / self._kept

    @property
    def variance(self) -> float:
        if self.form == "shifted":
            return self.rate
        # m (1 + rate - m) with m = rate/(1 - exp(-rate)), written without its cancellation at small rates
        return self.mean * _conditioned_excess(self.rate)

    @property
    def minimum(self) -> int:
        return 1

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        reason = "f(t + 1)/f(t) falls with t, so f is log-concave and the rate increases"
        return FailureRateVerdict(True, True, 1, None, reason)

    def describe(self) -> str:
        kind = "at least 1" if self.form == "conditioned" else "plus 1"
        return f"Poisson of mean {self.rate:.6g}, {kind}"

    def _log_pmf(self, t: Array) -> Array:
        return np.asarray(log_poisson_pmf(t - self._offset, self.rate) - np.log(self._kept))

    def _pmf(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_pmf(t)))

    def _survival(self, t: Array) -> Array:
        from scipy.special import gammainc

        count = t - self._offset
        # P(X >= n) = gammainc(n, rate), which is undefined at n = 0
        tail = gammainc(np.maximum(count, 0.5), self.rate) / self._kept
        return np.where(t == 1, 1.0, tail)

    def _log_survival(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        logs = np.log(np.maximum(survival, DEEP))
        if deep.any():
            logs[deep] = self._log_pmf(t[deep]) + np.log(self._mean_residual_ratio(t[deep]))
        return logs

    def _hazard(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        rates = self._pmf(t) / np.maximum(survival, DEEP)
        if deep.any():
            rates[deep] = 1.0 / self._mean_residual_ratio(t[deep])
        return np.asarray(np.minimum(rates, 1.0))

    def _mean_residual_ratio(self, t: Array) -> Array:
        """P(O >= t)/f(t) = 1 + rate/(n+1) + rate**2/((n+1)(n+2)) + ..., for counts n far beyond the mean."""
        count = t - self._offset
        total, term, k = np.ones_like(t), np.ones_like(t), 0
        while np.any(term > 1e-17 * total):
            k += 1
            term = term * (self.rate / (count + k))
            total = total + term
        return total

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        if self.form == "shifted":
            return 1 + generator.poisson(self.rate, size=shape)
        # Given that there is a point, the first one splits off; those beyond it are Poisson.
        first = -np.log1p(-generator.random(size=shape) * self._kept)
        return 1 + generator.poisson(np.maximum(self.rate - first, 0.0))


def _conditioned_excess(rate: float) -> float:
    """1 + rate - rate/(1 - exp(-rate)): variance over mean of a Poisson count given that it is positive."""
    if rate > 0.5:
        return float(1.0 + rate + rate / np.expm1(-rate))
    # (expm1(rate) - rate) / expm1(rate) with the numerator's series of positive terms
    tail = 1.0
    for k in range(18, 2, -1):
        tail = 1.0 + tail * rate / k
    return float(0.5 * rate * rate * tail / np.expm1(rate))


@dataclass(frozen=True)
class NegativeBinomial(LengthLaw):
    """O = 1 + K with K the number of failures before ``size`` successes of probability ``success``.

    ``size`` may be any real above 0; 1 is the geometric law.
    """

    size: float
    success: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", positive("size", self.size))
        p = positive("success", self.success)
        if p >= 1:
            raise InputError(f"success is {self.success!r}; it must be below 1")
        object.__setattr__(self, "success", p)

    @classmethod
    def with_mean(cls, mean: float, size: float) -> NegativeBinomial:
        """The law of the given mean (tokens, above 1) and size."""
        if positive("mean", mean) <= 1:
            raise InputError(f"mean is {mean!r}; it must be above 1")
        return cls(size, positive("size", size) / (size + mean - 1.0))

    @property
    def mean(self) -> float:
        return 1.0 + self.size * (1.0 - self.success) / self.success

    @property
    def variance(self) -> float:
        return self.size * (1.0 - self.success) / self.success**2

    @property
    def minimum(self) -> int:
        return 1

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        if self.size == 1:
            return FailureRateVerdict(True, True, 1, None, "size 1 is geometric: the rate is constant")
        if self.size > 1:
            reason = "size > 1: f(t + 1)/f(t) falls with t, so f is log-concave and the rate increases"
            return FailureRateVerdict(True, True, 1, None, reason)
        reason = "size < 1: f(t + 1)/f(t) grows with t, so f is log-convex and the rate falls"
        first, second = self._hazard(np.array([1.0, 2.0]))
        return FailureRateVerdict(False, True, 1, None, reason, (1, float(first), float(second)))

    def describe(self) -> str:
        return f"1 plus a negative binomial of size {self.size:.6g} and success {self.success:.6g}"

    def _log_pmf(self, t: Array) -> Array:
        return np.asarray(log_negative_binomial_pmf(t - 1.0, self.size, self.success))

    def _pmf(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_pmf(t)))

    def _survival(self, t: Array) -> Array:
        from scipy.special import betainc, betaincc

        failures = np.maximum(t - 1.0, 0.5)
        # the complement's own argument keeps its digits where success is small
        if self.success < 0.5:
            tail = betaincc(self.size, failures, self.success)
        else:
            tail = betainc(failures, self.size, 1.0 - self.success)
        return np.asarray(np.where(t == 1, 1.0, tail))

    def _log_survival(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        logs = np.log(np.maximum(survival, DEEP))
        if deep.any():
            logs[deep] = log_negative_binomial_survival(t[deep] - 1.0, self.size, self.success)
        return logs

    def _hazard(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        rates = np.exp(self._log_pmf(t) - np.log(np.maximum(survival, DEEP)))
        if deep.any():
            rates[deep] = negative_binomial_hazard(t[deep] - 1.0, self.size, self.success)
        return np.asarray(np.minimum(rates, 1.0))

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return 1 + generator.negative_binomial(self.size, self.success, size=shape)


