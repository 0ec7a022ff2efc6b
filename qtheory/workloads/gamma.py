"""The gamma law rounded up to whole tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.numerics.tails import gamma_tail_fraction, log_gamma_cdf, log_gamma_density, log_gamma_survival
from qtheory.workloads.base import Array, FailureRateVerdict, LengthLaw, positive
from qtheory.workloads.counting import DEEP

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
# The 20-point rule integrates the density over one token to full accuracy while its logarithm is flatter than this.
_SMOOTH = 4.0
# Sums over ages run term by term up to here; beyond, for slowly varying tails, Gregory's formula takes over.
_TERM_BY_TERM = 1024
_SLOW = 0.01
_MOST_TERMS = 20_000_000
# Coefficients of the forward differences 0, 1, 2, ... in Gregory's summation formula.
_GREGORY = (1 / 2, -1 / 12, 1 / 24, -19 / 720, 3 / 160, -863 / 60480, 275 / 24192)


@dataclass(frozen=True)
class DiscretisedGamma(LengthLaw):
    """``O = ceil(G)``, G with density proportional to x**(shape - 1) exp(-rate x), rate in 1/token.

    The mean of G is shape/rate; that of O is about half a token more, and `with_mean` fits the latter. The
    exclusive-batching paper (Appendix E.3) draws outputs from the gamma law and leaves the rounding open.
    """

    shape: float
    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", positive("shape", self.shape))
        object.__setattr__(self, "rate", positive("rate", self.rate))

    @classmethod
    def with_mean(cls, mean: float, shape: float) -> DiscretisedGamma:
        """The law of the given shape whose rounded mean is ``mean`` (tokens, above 1)."""
        from scipy.optimize import brentq

        if positive("mean", mean) <= 1:
            raise InputError(f"mean is {mean!r}; it must be above 1")
        # the rounded mean lies between the mean of G and one token more
        low, high = positive("shape", shape) / mean, shape / max(mean - 1.0, 1e-12)
        log_rate = brentq(lambda x: cls(shape, float(np.exp(x))).mean / mean - 1.0, np.log(low), np.log(high),
                          xtol=1e-15, rtol=1e-14)
        return cls(shape, float(np.exp(log_rate)))

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Mean and variance, from the first two moments of O - first, where P(G > first) is 1.

        They are the sums over k >= first of P(G > k) and of (2 (k - first) + 1) P(G > k).
        """
        from scipy.special import gammaincc, gammainccinv, gammaincinv

        a, rate = self.shape, self.rate
        slow = rate < _SLOW
        first = 0 if slow else int(gammaincinv(a, 1e-30) / rate)
        last = _TERM_BY_TERM if slow else int(np.ceil(gammainccinv(a, 1e-30) / rate)) + 1
        if last - first > _MOST_TERMS:
            raise InputError(f"the gamma law of shape {a:g} and rate {rate:g} is spread over too many lengths")
        k = np.arange(last - first + len(_GREGORY), dtype=float)
        terms = np.stack([np.ones_like(k), 2 * k + 1]) * gammaincc(a, rate * (k + first))
        sums = terms[:, : last - first].sum(axis=1)
        if slow:
            tail, tail_1, tail_2 = (gammaincc(a + j, rate * last) for j in range(3))
            over = a / rate * tail_1 - last * tail  # E[(G - last)+]
            over_squares = a * (a + 1) / rate**2 * tail_2 - last**2 * tail
            sums += np.array([over, over_squares + over])
            differences = terms[:, last - first :]
            for coefficient in _GREGORY:
                sums += coefficient * differences[:, 0]
                differences = np.diff(differences, axis=1)
        return first + float(sums[0]), float(sums[1] - sums[0] ** 2)

    @property
    def mean(self) -> float:
        return self._moments[0]

    @property
    def variance(self) -> float:
        return self._moments[1]

    @property
    def minimum(self) -> int:
        return 1

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        if self.shape == 1:
            return FailureRateVerdict(True, True, 1, None, "shape 1 is geometric: the rate is constant")
        if self.shape > 1:
            reason = "shape > 1: log P(G > x) is concave, so P(G > t)/P(G > t - 1) falls and the rate increases"
            return FailureRateVerdict(True, True, 1, None, reason)
        first, second = self._hazard(np.array([1.0, 2.0]))
        reason = "shape < 1: log P(G > x) is convex, so the rate falls"
        return FailureRateVerdict(False, True, 1, None, reason, (1, float(first), float(second)))

    def describe(self) -> str:
        return f"gamma of shape {self.shape:.6g} and rate {self.rate:.6g}, rounded up"

    def _survival(self, t: Array) -> Array:
        from scipy.special import gammaincc

        return np.asarray(gammaincc(self.shape, self.rate * (t - 1.0)))

    def _log_survival(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        logs = np.log(np.maximum(survival, DEEP))
        if deep.any():
            logs[deep] = log_gamma_survival(self.rate * (t[deep] - 1.0), self.shape)
        return logs

    def _log_pmf(self, t: Array) -> Array:
        x = self.rate * (t - 1.0)
        slope = np.abs((self.shape - 1.0) / np.maximum(t - 1.0, 0.5) - self.rate)
        smooth = (t >= 2) & (slope < _SMOOTH)
        logs = np.empty_like(t)
        if smooth.any():
            logs[smooth] = self._log_integral(t[smooth])
        rough = ~smooth
        if rough.any():
            logs[rough] = self._log_difference(t[rough], x[rough])
        return logs

    def _log_integral(self, t: Array) -> Array:
        """log of the density's integral over (t - 1, t] by Gauss-Legendre quadrature, scaled by the middle."""
        middle = log_gamma_density(t - 0.5, self.shape, self.rate)
        points = (t - 0.5)[:, None] + 0.5 * _NODES
        relative = np.exp(log_gamma_density(points, self.shape, self.rate) - middle[:, None])
        return np.asarray(middle + np.log(0.5 * relative @ _WEIGHTS))

    def _log_difference(self, t: Array, x: Array) -> Array:
        """log of the mass of (t - 1, t] where it is a fair share of the smaller side of the law."""
        from scipy.special import gammainc

        logs = np.empty_like(t)
        low = (gammainc(self.shape, x + self.rate) < 0.5) & (x + self.rate < self.shape + 1.0)
        end = log_gamma_cdf(x[low] + self.rate, self.shape)
        logs[low] = end + np.log(-np.expm1(log_gamma_cdf(x[low], self.shape) - end))
        start = self._log_survival(t[~low])
        logs[~low] = start + np.log(-np.expm1(self._log_survival(t[~low] + 1.0) - start))
        return logs

    def _pmf(self, t: Array) -> Array:
        return np.asarray(np.exp(self._log_pmf(t)))

    def _hazard(self, t: Array) -> Array:
        survival = self._survival(t)
        deep = survival < DEEP
        rates = np.exp(self._log_pmf(t) - np.log(np.maximum(survival, DEEP)))
        if deep.any():
            rates[deep] = self._deep_hazard(self.rate * (t[deep] - 1.0))
        return np.asarray(np.minimum(rates, 1.0))

    def _deep_hazard(self, x: Array) -> Array:
        """1 - Gamma(shape, x + rate) / Gamma(shape, x) from the ratio's factors, each close to 1."""
        fractions = gamma_tail_fraction(x, self.shape) / gamma_tail_fraction(x + self.rate, self.shape)
        log_ratio = self.shape * np.log1p(self.rate / x) - self.rate + np.log(fractions)
        return np.asarray(-np.expm1(log_ratio))

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return np.maximum(np.ceil(generator.gamma(self.shape, 1.0 / self.rate, size=shape)), 1.0)
