"""Laws of times with a density, in seconds, parametrised by what papers print: means, stages, phases."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.checks import positive, probabilities, whole
from qtheory.simulate.kernel import variates as kernel
from qtheory.simulate.law import Law, cumulative

MOST_STAGES = 10_000  # each is drawn


@dataclass(frozen=True)
class Exponential(Law):
    """Exponential with the given mean."""

    scale: float

    def __post_init__(self) -> None:
        positive("the mean of an exponential law", self.scale)

    @classmethod
    def with_rate(cls, rate: float) -> Exponential:
        """Exponential with mean 1/rate."""
        return cls(1.0 / positive("a rate", rate))

    def encode(self) -> tuple[int, list[float]]:
        return kernel.EXPONENTIAL, [float(self.scale)]

    @property
    def mean(self) -> float:
        return float(self.scale)

    @property
    def variance(self) -> float:
        return float(self.scale) ** 2


@dataclass(frozen=True)
class Erlang(Law):
    """Sum of ``stages`` exponential times; ``total`` is the mean of the sum."""

    stages: int
    total: float

    def __post_init__(self) -> None:
        whole("the stages of an Erlang law", self.stages, 1, MOST_STAGES)
        positive("the mean of an Erlang law", self.total)

    def encode(self) -> tuple[int, list[float]]:
        return kernel.ERLANG, [float(self.stages), self.total / self.stages]

    @property
    def mean(self) -> float:
        return float(self.total)

    @property
    def variance(self) -> float:
        return self.total**2 / self.stages


@dataclass(frozen=True)
class HyperExponential(Law):
    """With probability ``weights[i]`` exponential with mean ``means[i]``."""

    weights: tuple[float, ...]
    means: tuple[float, ...]

    def __post_init__(self) -> None:
        probabilities("the weights of a hyperexponential law", self.weights)
        if len(self.means) != len(self.weights):
            raise InputError(f"{len(self.weights)} weights need as many means, not {len(self.means)}")
        for m in self.means:
            positive("the mean of a branch", m)

    def encode(self) -> tuple[int, list[float]]:
        steps = cumulative(np.array(self.weights, dtype=float))
        return kernel.HYPEREXPONENTIAL, [float(len(self.means)), *steps, *map(float, self.means)]

    @property
    def mean(self) -> float:
        return float(np.dot(self.weights, self.means))

    @property
    def variance(self) -> float:
        return float(2.0 * np.dot(self.weights, np.square(self.means))) - self.mean**2


@dataclass(frozen=True)
class PhaseType(Law):
    """Absorption time of a Markov chain: initial law ``start`` (m,), sub-generator ``generator`` (m, m)."""

    start: tuple[float, ...]
    generator: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        p = probabilities("the initial law of a phase-type law", self.start)
        t = np.asarray(self.generator, dtype=float)
        off = t - np.diag(np.diag(t)) if t.shape == (p.size, p.size) else None
        if off is None or not (np.diag(t) < 0).all() or (off < 0).any() or (t.sum(axis=1) > 1e-9).any():
            raise InputError(
                f"the generator must be {p.size} x {p.size}, its diagonal negative, the rest nonnegative, "
                "each row summing to at most 0"
            )
        if abs(np.linalg.det(t)) < 1e-300:
            raise InputError("the generator is singular: from some phase absorption is impossible")

    def _moment(self, k: int) -> float:
        inverse = np.linalg.inv(-np.asarray(self.generator, dtype=float))
        power = np.linalg.matrix_power(inverse, k)
        return float(math.factorial(k) * np.asarray(self.start) @ power @ np.ones(len(self.start)))

    def encode(self) -> tuple[int, list[float]]:
        t = np.asarray(self.generator, dtype=float)
        rates = -np.diag(t)
        jump = (t + np.diag(rates)) / rates[:, None]
        rows = [cumulative(np.append(r, max(0.0, 1.0 - r.sum()))) for r in jump]
        parameters = [float(len(rates)), *cumulative(np.array(self.start, dtype=float)), *(1.0 / rates)]
        for row in rows:
            parameters.extend(row)
        return kernel.PHASE, parameters

    @property
    def mean(self) -> float:
        return self._moment(1)

    @property
    def variance(self) -> float:
        return self._moment(2) - self._moment(1) ** 2


@dataclass(frozen=True)
class Uniform(Law):
    """Uniform on (low, high)."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (0 <= self.low < self.high < math.inf):
            raise InputError(f"a uniform law needs 0 <= low < high, not {self.low}, {self.high}")

    def encode(self) -> tuple[int, list[float]]:
        return kernel.UNIFORM, [float(self.low), float(self.high)]

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2.0

    @property
    def variance(self) -> float:
        return (self.high - self.low) ** 2 / 12.0


@dataclass(frozen=True)
class LogNormal(Law):
    """exp of a normal variate with mean ``location`` and standard deviation ``spread``."""

    location: float
    spread: float

    def __post_init__(self) -> None:
        positive("the spread of a lognormal law", self.spread)
        if not abs(self.location) + self.spread**2 < 300:
            raise InputError(f"a lognormal law with location {self.location} and spread {self.spread} is out of range")

    def encode(self) -> tuple[int, list[float]]:
        return kernel.LOGNORMAL, [float(self.location), float(self.spread)]

    @property
    def mean(self) -> float:
        return math.exp(self.location + self.spread**2 / 2.0)

    @property
    def variance(self) -> float:
        return math.expm1(self.spread**2) * self.mean**2


@dataclass(frozen=True)
class Weibull(Law):
    """P(X > x) = exp(-(x/scale)**shape)."""

    scale: float
    shape: float

    def __post_init__(self) -> None:
        positive("the scale of a Weibull law", self.scale)
        positive("the shape of a Weibull law", self.shape)
        if self.shape < 0.02:
            raise InputError(f"the shape of a Weibull law must be at least 0.02, not {self.shape}: its mean overflows")

    def encode(self) -> tuple[int, list[float]]:
        return kernel.WEIBULL, [float(self.scale), 1.0 / self.shape]

    @property
    def mean(self) -> float:
        return self.scale * math.gamma(1.0 + 1.0 / self.shape)

    @property
    def variance(self) -> float:
        return self.scale**2 * math.gamma(1.0 + 2.0 / self.shape) - self.mean**2
