"""Laws of the times between arrivals at a rate that varies with time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.checks import positive
from qtheory.simulate.kernel import variates as kernel
from qtheory.simulate.law import Law


@dataclass(frozen=True)
class VaryingRate(Law):
    """Gaps of a Poisson process whose rate varies with time: a law for arrivals alone."""

    @property
    def variance(self) -> float:
        raise InputError("the gaps of a time-varying process have no common law, so no variance")

    @property
    def varies(self) -> tuple[float, float]:
        """Seconds: (period, 0) of a periodic rate, (0, last change) of another, (0, 0) of a constant one."""
        raise NotImplementedError


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
    def varies(self) -> tuple[float, float]:
        changes = np.flatnonzero(np.diff(self.rates))
        if changes.size == 0:
            return 0.0, 0.0
        ends = np.cumsum(self.lengths)
        return (float(ends[-1]), 0.0) if self.periodic else (0.0, float(ends[changes[-1]]))

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
    def varies(self) -> tuple[float, float]:
        return (self.period if self.amplitude else 0.0), 0.0

    @property
    def mean(self) -> float:
        """The mean time between arrivals in the long run; seconds."""
        return 1.0 / self.rate

    def expected(self, time: float) -> float:
        """The mean number of arrivals until ``time``, the integral of the rate."""
        w = 2.0 * math.pi / self.period
        return self.rate * time + self.amplitude / w * (math.cos(self.phase) - math.cos(w * time + self.phase))
