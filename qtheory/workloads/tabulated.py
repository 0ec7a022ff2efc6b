"""Laws given by a table: empirical, binned, and mixtures of laws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import Array, FailureRateVerdict, LengthLaw, integer, real


def _rise_or_fall(rates: list[tuple[int, Fraction]], last: int) -> FailureRateVerdict:
    """The exact verdict from the rates at consecutive turning ages (age, rate), constant or rising in between."""
    for (age, rate), (next_age, next_rate) in pairwise(rates):
        if next_age == age + 1 and next_rate < rate:
            decrease = (age, float(rate), float(next_rate))
            return FailureRateVerdict(False, True, 1, last, f"the hazard rate falls after age {age}", decrease)
    return FailureRateVerdict(True, True, 1, last, f"no fall at the ages 1 to {last}, in exact arithmetic")


@dataclass(frozen=True)
class Empirical(LengthLaw):
    """The law of observed lengths: ``counts[i]`` requests of ``lengths[i]`` tokens, lengths strictly increasing.

    `of` counts a sample. The variance is that of the law (divisor n, not n - 1).
    """

    lengths: tuple[int, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        lengths = tuple(integer(f"lengths[{i}]", v) for i, v in enumerate(self.lengths))
        counts = tuple(integer(f"counts[{i}]", v) for i, v in enumerate(self.counts))
        if not lengths:
            raise InputError("an empirical law needs at least one length")
        if len(lengths) != len(counts):
            raise InputError(f"{len(lengths)} lengths but {len(counts)} counts; there must be one count a length")
        for i, (here, following) in enumerate(pairwise(lengths)):
            if following <= here:
                raise InputError(f"lengths[{i + 1}] is {following} after {here}; lengths must strictly increase")
        object.__setattr__(self, "lengths", lengths)
        object.__setattr__(self, "counts", counts)

    @classmethod
    def of(cls, sample: ArrayLike) -> Empirical:
        """The law of a sample of lengths (positive integers, any order); InputError names the first bad one."""
        try:
            values = np.asarray(sample, dtype=float).ravel()
        except (TypeError, ValueError):
            raise InputError("a sample of lengths must be an array of integers") from None
        bad = ~((values >= 1) & (values == np.floor(values)) & (values <= 2.0**53))
        if bad.any():
            index = int(np.argmax(bad))
            raise InputError(f"sample[{index}] is {values[index]:g}; a length is an integer of at least 1 token")
        lengths, counts = np.unique(values, return_counts=True)
        return cls(tuple(int(v) for v in lengths), tuple(int(c) for c in counts))

    @property
    def total(self) -> int:
        """Number of observed requests."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return sum(v * c for v, c in zip(self.lengths, self.counts, strict=True)) / self.total

    @property
    def variance(self) -> float:
        pairs = list(zip(self.lengths, self.counts, strict=True))
        first, second, n = sum(v * c for v, c in pairs), sum(v * v * c for v, c in pairs), self.total
        return (n * second - first * first) / (n * n)

    @property
    def minimum(self) -> int:
        return self.lengths[0]

    @property
    def maximum(self) -> int:
        return self.lengths[-1]

    def describe(self) -> str:
        return f"empirical, {self.total} lengths from {self.minimum} to {self.maximum}"

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        return self._examine(self.maximum)

    def _examine(self, last: int) -> FailureRateVerdict:
        rates: list[tuple[int, Fraction]] = []
        at_risk = self.total
        for length, count in zip(self.lengths, self.counts, strict=True):
            if rates and rates[-1][0] + 1 < length:  # the ages between observed lengths have rate 0
                rates.append((rates[-1][0] + 1, Fraction(0)))
            rates.append((length, Fraction(count, at_risk)))
            at_risk -= count
        return _rise_or_fall([rate for rate in rates if rate[0] <= last], last)

    @cached_property
    def _table(self) -> tuple[Array, Array, Array]:
        """Lengths, counts, and the number of requests at least as long, with 0 beyond the last."""
        counts = np.array(self.counts, dtype=float)
        at_risk = np.append(np.cumsum(counts[::-1])[::-1], 0.0)
        return np.array(self.lengths, dtype=float), counts, at_risk

    def _pmf(self, t: Array) -> Array:
        lengths, counts, _ = self._table
        place = np.searchsorted(lengths, t)
        return np.where(lengths[place] == t, counts[place], 0.0) / self.total

    def _survival(self, t: Array) -> Array:
        lengths, _, at_risk = self._table
        return at_risk[np.searchsorted(lengths, t)] / self.total

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        ranks = generator.integers(self.total, size=shape)
        cumulative = np.cumsum(np.array(self.counts, dtype=np.int64))
        return np.array(self.lengths, dtype=np.int64)[np.searchsorted(cumulative, ranks, side="right")]


@dataclass(frozen=True)
class Binned(LengthLaw):
    """Bins of lengths ``edges[i] .. edges[i+1] - 1`` with relative ``weights[i]``, uniform within each bin."""

    edges: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        edges = tuple(integer(f"edges[{i}]", v) for i, v in enumerate(self.edges))
        weights = _weights("weights", self.weights)
        if len(edges) != len(weights) + 1:
            raise InputError(f"{len(edges)} edges for {len(weights)} bins; there must be one more edge than bins")
        for i, (here, following) in enumerate(pairwise(edges)):
            if following <= here:
                raise InputError(f"edges[{i + 1}] is {following} after {here}; edges must strictly increase")
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "weights", weights)

    @cached_property
    def bins(self) -> tuple[tuple[int, int, Fraction], ...]:
        """(least, greatest, exact probability) of each bin, empty ones included."""
        total = sum(Fraction(w) for w in self.weights)
        return tuple(
            (low, high - 1, Fraction(w) / total)
            for (low, high), w in zip(pairwise(self.edges), self.weights, strict=True)
        )

    @cached_property
    def exact_moments(self) -> tuple[Fraction, Fraction]:
        """Mean and variance as exact fractions of the given weights."""
        mean = sum((p * Fraction(low + high, 2) for low, high, p in self.bins), Fraction(0))
        spread = Fraction(0)
        for low, high, p in self.bins:
            count = high - low + 1
            spread += p * (Fraction(count * count - 1, 12) + (Fraction(low + high, 2) - mean) ** 2)
        return mean, spread

    @property
    def mean(self) -> float:
        return float(self.exact_moments[0])

    @property
    def variance(self) -> float:
        return float(self.exact_moments[1])

    @property
    def minimum(self) -> int:
        return next(low for low, _, p in self.bins if p > 0)

    @property
    def maximum(self) -> int:
        return next(high for _, high, p in reversed(self.bins) if p > 0)

    def describe(self) -> str:
        return f"binned, {len(self.weights)} bins from {self.edges[0]} to {self.edges[-1] - 1}"

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        return self._examine(self.maximum)

    def _examine(self, last: int) -> FailureRateVerdict:
        # Within a bin the rate is 0 or grows, so that only the steps from bin to bin decide.
        rates: list[tuple[int, Fraction]] = []
        at_risk = Fraction(1)
        for low, high, p in self.bins:
            share = p / (high - low + 1)
            for age, reached in ((low, at_risk), (high, at_risk - p + share)):
                if reached > 0:
                    rates.append((age, share / reached))
            at_risk -= p
        return _rise_or_fall([rate for rate in rates if rate[0] <= last], last)

    @cached_property
    def _table(self) -> tuple[Array, Array, Array, Array]:
        """Per bin: least, greatest, probability of one length, and probability of all later bins."""
        low, high = (np.array([b[i] for b in self.bins], dtype=float) for i in (0, 1))
        p = [b[2] for b in self.bins]
        later = np.array([float(x) for x in accumulate(reversed(p[1:]), initial=Fraction(0))])[::-1]
        return low, high, np.array([float(x) for x in p]) / (high - low + 1), later

    def _bin(self, t: Array) -> NDArray[np.intp]:
        return np.searchsorted(self._table[0], t, side="right") - 1

    def _pmf(self, t: Array) -> Array:
        place = self._bin(t)
        return np.where(place >= 0, self._table[2][place], 0.0)

    def _survival(self, t: Array) -> Array:
        _, high, share, later = self._table
        place = self._bin(t)
        return np.where(place >= 0, later[place] + share[place] * (high[place] - t + 1), 1.0)

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        low, high, share, _ = self._table
        p = share * (high - low + 1)
        place = generator.choice(len(p), size=shape, p=p / p.sum())
        return generator.integers(low[place].astype(np.int64), high[place].astype(np.int64), endpoint=True)


@dataclass(frozen=True)
class Mixture(LengthLaw):
    """The law of a request whose class is drawn first: ``laws[i]`` with relative ``weights[i]``."""

    laws: tuple[LengthLaw, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        laws = tuple(self.laws)
        weights = _weights("weights", self.weights)
        if len(laws) != len(weights):
            raise InputError(f"{len(laws)} laws but {len(weights)} weights; there must be one weight a law")
        for i, law in enumerate(laws):
            if not isinstance(law, LengthLaw):
                raise InputError(f"laws[{i}] is a {type(law).__name__}; it must be a length law")
        object.__setattr__(self, "laws", laws)
        object.__setattr__(self, "weights", weights)

    @cached_property
    def probabilities(self) -> Array:
        """The weights, normalised to sum 1."""
        return np.array(self.weights) / sum(self.weights)

    @property
    def mean(self) -> float:
        return float(self.probabilities @ [law.mean for law in self.laws])

    @property
    def variance(self) -> float:
        mean = self.mean
        return float(self.probabilities @ [law.variance + (law.mean - mean) ** 2 for law in self.laws])

    @property
    def _present(self) -> list[LengthLaw]:
        return [law for law, w in zip(self.laws, self.weights, strict=True) if w > 0]

    @property
    def minimum(self) -> int:
        return min(law.minimum for law in self._present)

    @property
    def maximum(self) -> int | None:
        largest = [law.maximum for law in self._present]
        return None if None in largest else max(m for m in largest if m is not None)

    def describe(self) -> str:
        return f"mixture of {len(self.laws)} laws"

    def _log_sum(self, logs: list[float | Array]) -> Array:
        with np.errstate(divide="ignore"):
            weighted = np.stack([np.asarray(x) for x in logs]) + np.log(self.probabilities)[:, None]
        return np.asarray(np.logaddexp.reduce(weighted, axis=0))

    def _log_pmf(self, t: Array) -> Array:
        return self._log_sum([law.log_pmf(t) for law in self.laws])

    def _log_survival(self, t: Array) -> Array:
        return np.minimum(self._log_sum([law.log_survival(t) for law in self.laws]), 0.0)

    def _pmf(self, t: Array) -> Array:
        return np.asarray(self.probabilities @ np.stack([np.asarray(law.pmf(t)) for law in self.laws]))

    def _survival(self, t: Array) -> Array:
        survival = self.probabilities @ np.stack([np.asarray(law.survival(t)) for law in self.laws])
        return np.asarray(np.minimum(survival, 1.0))

    def _hazard(self, t: Array) -> Array:
        return np.asarray(np.minimum(np.exp(self._log_pmf(t) - self._log_survival(t)), 1.0))

    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]:
        classes = generator.choice(len(self.laws), size=shape, p=self.probabilities)
        lengths = np.empty(shape, dtype=np.int64)
        for i, law in enumerate(self.laws):
            of_class = classes == i
            lengths[of_class] = law.sample(generator, int(of_class.sum()))
        return lengths


def _weights(name: str, weights: tuple[float, ...]) -> tuple[float, ...]:
    numbers = tuple(real(f"{name}[{i}]", w) for i, w in enumerate(weights))
    for i, w in enumerate(numbers):
        if w < 0:
            raise InputError(f"{name}[{i}] is {w:g}; a weight is not negative")
    if not sum(numbers) > 0:
        raise InputError(f"{name} must have a positive sum")
    return numbers
