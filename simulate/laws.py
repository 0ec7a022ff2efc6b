"""Laws of times, batch sizes and lengths: plain frozen data, with mean and variance, encoded for the kernel.

Parametrised by what papers print: means, probabilities, stages. All times in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.kernel import variates as kernel


def positive(name: str, value: float) -> float:
    """``value`` as a finite positive float; raises InputError naming it otherwise."""
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"{name} must be positive and finite, not {value}")
    return float(value)


def probabilities(name: str, values: Sequence[float]) -> np.ndarray:
    """Probabilities that sum to 1 within 1e-9, shape (m,); raises InputError otherwise."""
    p = np.asarray(values, dtype=float)
    if p.ndim != 1 or p.size == 0 or not np.all(p >= 0) or abs(p.sum() - 1.0) > 1e-9:
        raise InputError(f"{name} must be nonnegative and sum to 1, not {list(values)}")
    return p


def _cumulative(p: np.ndarray) -> np.ndarray:
    c = np.cumsum(p)
    # Everything from the last possible value on gets 1: rounding must not give a probability-zero value a chance.
    c[np.flatnonzero(p)[-1] :] = 1.0
    return c


@dataclass(frozen=True)
class Law:
    """Base of all laws; ``encode`` gives the kernel's (kind, parameters)."""

    def encode(self) -> tuple[int, list[float]]:
        raise NotImplementedError

    @property
    def mean(self) -> float:
        raise NotImplementedError

    @property
    def variance(self) -> float:
        raise NotImplementedError

    def sample(self, size: int, *, seed: int = 0, replication: int = 0, source: int = 0) -> np.ndarray:
        """The first ``size`` variates of a source, as the compiled loops see them; shape (size,)."""
        from qtheory.simulate.kernel.random import stream_key

        kind, par = self.encode()
        out = np.empty(size + size % 2)
        words = np.empty(out.size, dtype=np.uint64)
        kernel.fill(kind, np.array(par), out, words, stream_key(seed, replication), source, 0)
        return out[:size]


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
        if self.stages < 1 or self.stages != int(self.stages):
            raise InputError(f"an Erlang law needs a whole number of stages, at least 1, not {self.stages}")
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
        cumulative = _cumulative(np.array(self.weights, dtype=float))
        return kernel.HYPEREXPONENTIAL, [float(len(self.means)), *cumulative, *map(float, self.means)]

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
        rows = [_cumulative(np.append(r, max(0.0, 1.0 - r.sum()))) for r in jump]
        parameters = [float(len(rates)), *_cumulative(np.array(self.start, dtype=float)), *(1.0 / rates)]
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
class _Values(Law):
    """Measured values, all nonnegative and finite."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        v = np.asarray(self.values, dtype=float)
        if v.size == 0 or not np.isfinite(v).all() or (v < 0).any():
            raise InputError(f"{type(self).__name__} needs at least one value, all nonnegative and finite")

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
class Discrete(Law):
    """``values[i]`` with probability ``weights[i]``; the form that any tabulated law takes."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        probabilities("the weights of a discrete law", self.weights)
        v = np.asarray(self.values, dtype=float)
        if v.size != len(self.weights) or not np.isfinite(v).all() or (v < 0).any():
            raise InputError("a discrete law needs a nonnegative finite value for each weight")

    @classmethod
    def binomial(cls, trials: int, chance: float) -> Discrete:
        """Number of successes in ``trials`` trials."""
        from scipy.stats import binom

        if trials != int(trials) or trials < 0 or not 0 <= chance <= 1:
            raise InputError(f"a binomial law needs whole trials and a chance in [0, 1], not {trials}, {chance}")
        k = np.arange(trials + 1)
        p = binom.pmf(k, trials, chance)
        return cls(tuple(map(float, k)), tuple(p / p.sum()))

    @classmethod
    def poisson(cls, mean: float) -> Discrete:
        """Poisson, cut where the tail is far below the 2**-53 that a uniform word resolves."""
        from scipy.stats import poisson

        k = np.arange(int(positive("the mean of a Poisson law", mean) + 12.0 * math.sqrt(mean) + 40.0))
        p = poisson.pmf(k, mean)
        return cls(tuple(map(float, k)), tuple(p / p.sum()))

    def encode(self) -> tuple[int, list[float]]:
        cumulative = _cumulative(np.array(self.weights, dtype=float))
        return kernel.DISCRETE, [float(len(self.values)), *cumulative, *map(float, self.values)]

    @property
    def mean(self) -> float:
        return float(np.dot(self.weights, self.values))

    @property
    def variance(self) -> float:
        return float(np.dot(self.weights, np.square(self.values))) - self.mean**2


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


@dataclass(frozen=True)
class LogNormal(Law):
    """exp of a normal variate with mean ``location`` and standard deviation ``spread``."""

    location: float
    spread: float

    def __post_init__(self) -> None:
        positive("the spread of a lognormal law", self.spread)

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

    def encode(self) -> tuple[int, list[float]]:
        return kernel.WEIBULL, [float(self.scale), 1.0 / self.shape]

    @property
    def mean(self) -> float:
        return self.scale * math.gamma(1.0 + 1.0 / self.shape)

    @property
    def variance(self) -> float:
        return self.scale**2 * math.gamma(1.0 + 2.0 / self.shape) - self.mean**2


@dataclass(frozen=True)
class VaryingRate(Law):
    """Gaps of a Poisson process whose rate varies with time: a law for arrivals alone."""

    @property
    def variance(self) -> float:
        raise InputError("the gaps of a time-varying process have no common law, so no variance")


@dataclass(frozen=True)
class StepRate(VaryingRate):
    """Poisson arrivals at ``rates[i]`` a second for ``lengths[i]`` seconds, piece after piece, shapes (m,).

    ``periodic``: then from the first piece again; otherwise the last piece never ends.
    """

    rates: tuple[float, ...]
    lengths: tuple[float, ...]
    periodic: bool = True

    def __post_init__(self) -> None:
        rates = np.asarray(self.rates, dtype=float)
        if rates.size == 0 or not np.isfinite(rates).all() or (rates < 0).any() or not rates.max() > 0:
            raise InputError(f"arrival rates must be nonnegative and finite, one of them positive, not {self.rates}")
        if len(self.lengths) != rates.size:
            raise InputError(f"{rates.size} rates need as many lengths, not {len(self.lengths)}")
        for length in self.lengths:
            positive("the length of a piece", length)

    def encode(self) -> tuple[int, list[float]]:
        ends = np.cumsum(self.lengths)
        period = float(ends[-1]) if self.periodic else math.inf
        ends[-1] = period
        return kernel.STEPS, [0.0, max(self.rates), period, float(ends.size), *ends, *map(float, self.rates)]

    @property
    def mean(self) -> float:
        """The mean time between arrivals in the long run; seconds."""
        if self.periodic:
            return float(sum(self.lengths) / np.dot(self.rates, self.lengths))
        return 1.0 / self.rates[-1] if self.rates[-1] else math.inf

    def expected(self, time: float) -> float:
        """The mean number of arrivals until ``time``, the integral of the rate."""
        rounds, rest = divmod(time, sum(self.lengths)) if self.periodic else (0.0, time)
        lengths = np.array(self.lengths)
        starts = np.cumsum(lengths) - lengths
        if not self.periodic:
            lengths[-1] = math.inf
        whole = float(np.dot(self.rates, self.lengths)) if self.periodic else 0.0
        return float(rounds * whole + np.dot(self.rates, np.clip(rest - starts, 0.0, lengths)))


@dataclass(frozen=True)
class WaveRate(VaryingRate):
    """Poisson arrivals at ``rate`` + ``amplitude`` sin(2 pi t / ``period`` + ``phase``) a second."""

    rate: float
    amplitude: float
    period: float
    phase: float = 0.0

    def __post_init__(self) -> None:
        positive("a rate", self.rate)
        positive("a period", self.period)
        if not 0 <= self.amplitude <= self.rate:
            raise InputError(f"the amplitude lies between 0 and the mean rate {self.rate}, not {self.amplitude}")
        if not math.isfinite(self.phase):
            raise InputError(f"the phase must be finite, not {self.phase}")

    def encode(self) -> tuple[int, list[float]]:
        largest = self.rate + self.amplitude
        return kernel.WAVE, [0.0, largest, self.rate, self.amplitude, 2.0 * math.pi / self.period, self.phase]

    @property
    def mean(self) -> float:
        """The mean time between arrivals in the long run; seconds."""
        return 1.0 / self.rate

    def expected(self, time: float) -> float:
        """The mean number of arrivals until ``time``, the integral of the rate."""
        w = 2.0 * math.pi / self.period
        return self.rate * time + self.amplitude / w * (math.cos(self.phase) - math.cos(w * time + self.phase))
