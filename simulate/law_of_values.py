"""Laws of values that are given one by one, or whole: constants, traces, tabulated laws, numbers of tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.checks import positive, probabilities, whole
from qtheory.simulate.kernel import variates as kernel
from qtheory.simulate.law import Law, cumulative
from qtheory.simulate.showing import InALine

MOST_TABULATED = 1_000_000
MOST_AT_ONCE = 10**6  # requests of one arrival


@dataclass(frozen=True)
class Deterministic(Law):
    """Always ``value``, which may be 0."""

    value: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and self.value >= 0):
            raise InputError(f"a deterministic value must be nonnegative and finite, not {self.value}")

    def encode(self) -> tuple[int, list[float]]:
        return kernel.DETERMINISTIC, [float(self.value)]

    @property
    def mean(self) -> float:
        return float(self.value)

    @property
    def variance(self) -> float:
        return 0.0


@dataclass(frozen=True)
class _Values(InALine, Law):
    """Measured values, all nonnegative and finite."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        v = np.asarray(self.values, dtype=float)
        if v.ndim != 1 or v.size == 0 or not np.isfinite(v).all() or (v < 0).any():
            raise InputError(f"{type(self).__name__} needs at least one value, all nonnegative and finite")

    @property
    def line(self) -> str:
        return f"{type(self).__name__.lower()} law of {len(self.values):,} values of mean {self.mean:g}"

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def variance(self) -> float:
        return float(np.var(self.values))


@dataclass(frozen=True)
class Empirical(_Values):
    """One of the measured ``values``, each equally likely."""

    def encode(self) -> tuple[int, list[float]]:
        return kernel.EMPIRICAL, [float(v) for v in self.values]


@dataclass(frozen=True)
class Listed(_Values):
    """The ``values`` one after the other, then ``beyond`` for ever: a trace. Infinite gaps end the arrivals."""

    beyond: float = math.inf

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.beyond >= 0:
            raise InputError(f"what comes after a list must be nonnegative, not {self.beyond}")

    def encode(self) -> tuple[int, list[float]]:
        return kernel.LISTED, [float(self.beyond), *map(float, self.values)]


@dataclass(frozen=True)
class Discrete(InALine, Law):
    """``values[i]`` with probability ``weights[i]``; the form that any tabulated law takes."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        probabilities("the weights of a discrete law", self.weights)
        v = np.asarray(self.values, dtype=float)
        if v.shape != (len(self.weights),) or not np.isfinite(v).all() or (v < 0).any():
            raise InputError("a discrete law needs a nonnegative finite value for each weight")

    @classmethod
    def binomial(cls, trials: int, chance: float) -> Discrete:
        """Number of successes in ``trials`` trials."""
        from scipy.stats import binom

        whole("the trials of a binomial law", trials, 0, MOST_TABULATED)
        if not 0 <= chance <= 1:
            raise InputError(f"a binomial law needs a chance in [0, 1], not {chance}")
        k = np.arange(trials + 1)
        p = binom.pmf(k, trials, chance)
        return cls(tuple(map(float, k)), tuple(p / p.sum()))

    @classmethod
    def poisson(cls, mean: float) -> Discrete:
        """Poisson, cut where the tail is far below the 2**-53 that a uniform word resolves."""
        from scipy.stats import poisson

        if positive("the mean of a Poisson law", mean) > MOST_TABULATED:
            raise InputError(f"the mean of a Poisson law must be at most {MOST_TABULATED}, not {mean}")
        k = np.arange(int(mean + 12.0 * math.sqrt(mean) + 40.0))
        p = poisson.pmf(k, mean)
        return cls(tuple(map(float, k)), tuple(p / p.sum()))

    def encode(self) -> tuple[int, list[float]]:
        steps = cumulative(np.array(self.weights, dtype=float))
        return kernel.DISCRETE, [float(len(self.values)), *steps, *map(float, self.values)]

    @property
    def line(self) -> str:
        return f"discrete law on {len(self.values):,} values, of mean {self.mean:g}"

    @property
    def mean(self) -> float:
        return float(np.dot(self.weights, self.values))

    @property
    def variance(self) -> float:
        return float(np.dot(self.weights, np.square(self.values))) - self.mean**2


@dataclass(frozen=True)
class Geometric(Law):
    """On 1, 2, ... with P(n) = p (1-p)**(n-1)."""

    chance: float

    def __post_init__(self) -> None:
        if not (0 < self.chance <= 1):
            raise InputError(f"the chance of a geometric law lies in (0, 1], not {self.chance}")

    @classmethod
    def with_mean(cls, mean: float) -> Geometric:
        """Geometric on 1, 2, ... with the given mean, at least 1."""
        return cls(1.0 / positive("the mean of a geometric law", mean))

    def encode(self) -> tuple[int, list[float]]:
        if self.chance == 1:
            return kernel.DETERMINISTIC, [1.0]
        return kernel.GEOMETRIC, [-1.0 / math.log1p(-self.chance)]

    @property
    def mean(self) -> float:
        return 1.0 / self.chance

    @property
    def variance(self) -> float:
        return (1.0 - self.chance) / self.chance**2


def values_of(law: Law) -> list[float]:
    """The values that ``law`` can take, or the least and the mean; empty for a law of other than whole numbers."""
    match law:
        case Deterministic(value):
            return [value]
        case Empirical(values):
            return list(values)
        case Listed(values, beyond):
            return [*values, beyond]
        case Discrete(values, weights):
            return [v for v, p in zip(values, weights, strict=True) if p > 0]
        case Geometric():
            return [1.0, float(math.ceil(law.mean))]
    return []


def whole_law(name: str, law: Law | None, least: int, most: int) -> None:
    """Raises InputError unless the values of ``law`` are whole numbers from ``least`` to ``most``."""
    values = [float(least)] if law is None else values_of(law)
    if not values or any(not least <= v <= most or not float(v).is_integer() for v in values):
        raise InputError(
            f"{name} must be whole numbers, at least {least} and at most {most:,}: Deterministic, Geometric, Discrete, "
            "Empirical or Listed"
        )
