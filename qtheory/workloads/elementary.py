"""Laws with elementary closed forms: deterministic, uniform, geometric, shifted exponential."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import Array, FailureRateVerdict, LengthLaw, integer, positive, real


@dataclass(frozen=True)
class Deterministic(LengthLaw):
    """Every length is ``length`` tokens."""

    length: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", integer("length", self.length))

    @property
    def mean(self) -> float:
        return float(self.length)

    @property
    def variance(self) -> float:
        return 0.0

    @property
    def minimum(self) -> int:
        return self.length

    @property
    def maximum(self) -> int:
        return self.length

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        return FailureRateVerdict(True, True, 1, self.length, "the rate is 0 before the length and 1 at it")

    def describe(self) -> str:
        return f"always {self.length}"

    def _pmf(self, t: Array) -> Array:
        return np.asarray(t == self.length, dtype=float)

    def _survival(self, t: Array) -> Array:
        return np.ones_like(t)

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return np.full(shape, self.length)


@dataclass(frozen=True)
class Uniform(LengthLaw):
    """All lengths from ``least`` to ``greatest`` are equally likely."""

    least: int
    greatest: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "least", integer("least", self.least))
        object.__setattr__(self, "greatest", integer("greatest", self.greatest))
        if self.greatest < self.least:
            raise InputError(f"greatest is {self.greatest}; it must be at least least, {self.least}")

    @property
    def mean(self) -> float:
        return (self.least + self.greatest) / 2

    @property
    def variance(self) -> float:
        count = self.greatest - self.least + 1
        return (count * count - 1) / 12

    @property
    def minimum(self) -> int:
        return self.least

    @property
    def maximum(self) -> int:
        return self.greatest

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        reason = "h(t) = 1/(greatest - t + 1) from least on, 0 below it"
        return FailureRateVerdict(True, True, 1, self.greatest, reason)

    def describe(self) -> str:
        return f"uniform on {self.least} to {self.greatest}"

    def _pmf(self, t: Array) -> Array:
        return np.asarray(t >= self.least, dtype=float) / (self.greatest - self.least + 1)

    def _survival(self, t: Array) -> Array:
        return np.minimum(1.0, (self.greatest - t + 1) / (self.greatest - self.least + 1))

    def _hazard(self, t: Array) -> Array:
        return np.where(t >= self.least, 1.0 / (self.greatest - t + 1), 0.0)

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return generator.integers(self.least, self.greatest, size=shape, endpoint=True)


@dataclass(frozen=True)
class Geometric(LengthLaw):
    """P(O = t) = p (1 - p)**(t - 1): the constant hazard rate p of the exclusive-batching paper, Section 3.2.1."""

    success: float

    def __post_init__(self) -> None:
        p = positive("success", self.success)
        if p > 1:
            raise InputError(f"success is {self.success!r}; a probability is at most 1")
        object.__setattr__(self, "success", p)

    @classmethod
    def with_mean(cls, mean: float) -> Geometric:
        """The geometric law of the given mean (tokens), at least 1."""
        if positive("mean", mean) < 1:
            raise InputError(f"mean is {mean!r}; a length is at least 1 token")
        return cls(1.0 / mean)

    @property
    def mean(self) -> float:
        return 1.0 / self.success

    @property
    def variance(self) -> float:
        return (1.0 - self.success) / self.success**2

    @property
    def minimum(self) -> int:
        return 1

    @property
    def maximum(self) -> int | None:
        return 1 if self.success == 1 else None

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        return FailureRateVerdict(True, True, 1, self.maximum, "the rate is constant")

    def describe(self) -> str:
        return f"geometric with mean {self.mean:.6g}"

    def _log_pmf(self, t: Array) -> Array:
        return np.asarray(np.log(self.success) + self._log_survival(t))

    def _log_survival(self, t: Array) -> Array:
        if self.success == 1:
            return np.zeros_like(t)
        return np.asarray((t - 1.0) * np.log1p(-self.success))

    def _pmf(self, t: Array) -> Array:
        return self.success * self._survival(t)

    def _survival(self, t: Array) -> Array:
        return np.exp(self._log_survival(t))

    def _hazard(self, t: Array) -> Array:
        return np.full_like(t, self.success)

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return generator.geometric(self.success, size=shape)


@dataclass(frozen=True)
class ShiftedExponential(LengthLaw):
    """``O = shift + ceil(E)`` with E exponential of the given rate (1/token): no length up to ``shift`` tokens.

    ceil(E) is geometric with success probability 1 - exp(-rate).
    """

    shift: int
    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", integer("shift", self.shift, least=0))
        object.__setattr__(self, "rate", positive("rate", self.rate))

    @classmethod
    def with_mean(cls, mean: float, shift: int) -> ShiftedExponential:
        """The law of the given mean (tokens, as a length) beyond the given shift."""
        excess = real("mean", mean) - integer("shift", shift, least=0)
        if excess <= 1:
            raise InputError(f"mean is {mean!r}; beyond a shift of {shift} it must be above {shift + 1}")
        return cls(shift, float(-np.log1p(-1.0 / excess)))

    @property
    def mean(self) -> float:
        return float(self.shift - 1.0 / np.expm1(-self.rate))

    @property
    def variance(self) -> float:
        return float(np.exp(-self.rate) / np.expm1(-self.rate) ** 2)

    @property
    def minimum(self) -> int:
        return self.shift + 1

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        return FailureRateVerdict(True, True, 1, None, "the rate is 0 up to the shift and constant beyond it")

    def describe(self) -> str:
        return f"{self.shift} plus an exponential of rate {self.rate:.6g}, rounded up"

    def _log_survival(self, t: Array) -> Array:
        return -self.rate * np.maximum(t - 1.0 - self.shift, 0.0)

    def _log_pmf(self, t: Array) -> Array:
        return np.where(t > self.shift, np.log(-np.expm1(-self.rate)) + self._log_survival(t), -np.inf)

    def _survival(self, t: Array) -> Array:
        return np.exp(self._log_survival(t))

    def _pmf(self, t: Array) -> Array:
        return self._hazard(t) * self._survival(t)

    def _hazard(self, t: Array) -> Array:
        return np.where(t > self.shift, -np.expm1(-self.rate), 0.0)

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        return self.shift + np.maximum(np.ceil(generator.exponential(1.0 / self.rate, size=shape)), 1.0)
