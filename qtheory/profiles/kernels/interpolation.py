"""Between measured kernel times: piecewise linear in the logarithms, never falling with the size.

A kernel's time is a power of its size over long stretches, so that its logarithm is interpolated linearly in the
logarithm of the size. Noise and a change of algorithm make measured times fall here and there; the curves are the
nearest nondecreasing ones (isotone regression of the logarithms), so that more work never takes less time. Below the
smallest measured size the time stays, beyond the greatest it grows in proportion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def isotone(values: Array) -> Array:
    """The nondecreasing sequence nearest to ``values`` in squares (pool adjacent violators)."""
    if (values[1:] >= values[:-1]).all():
        return values
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        means.append(float(value))
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            size = sizes.pop()
            mean = means.pop()
            means[-1] = (means[-1] * sizes[-1] + mean * size) / (sizes[-1] + size)
            sizes[-1] += size
    return np.repeat(means, sizes)


@dataclass(frozen=True, eq=False)
class Curve:
    """Time over one size, both as logarithms, the sizes rising."""

    sizes: Array
    times: Array

    @classmethod
    def of(cls, sizes: Array, seconds: Array) -> Curve:
        """The curve through measured times; of several at one size the median."""
        times = np.log(seconds)
        if (sizes[1:] <= sizes[:-1]).any():  # else they stand in order, each once
            sizes, group = np.unique(sizes, return_inverse=True)
            if len(sizes) < len(times):
                times = np.array([np.median(times[group == i]) for i in range(len(sizes))])
            else:
                times = times[np.argsort(group)]
        return cls(np.log(sizes), isotone(times))

    def log_seconds(self, size: ArrayLike) -> Array:
        """Logarithm of the time in seconds at each size (of at least 1)."""
        at = np.log(np.maximum(np.asarray(size, dtype=float), 1.0))
        return np.interp(at, self.sizes, self.times) + np.maximum(at - self.sizes[-1], 0.0)

    def without(self, index: int) -> Curve:
        """The curve without one of its points."""
        return Curve(np.delete(self.sizes, index), np.delete(self.times, index))


@dataclass(frozen=True, eq=False)
class Surface:
    """Time over two sizes: a curve over the second for each measured value of the first, ``levels`` (rising)."""

    levels: Array
    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, first: Array, second: Array, seconds: Array) -> Surface:
        """The surface through measured times."""
        levels = np.unique(first)
        return cls(levels, tuple(Curve.of(second[first == each], seconds[first == each]) for each in levels))

    def log_seconds(self, first: ArrayLike, second: ArrayLike) -> Array:
        """Logarithm of the time in seconds, the sizes broadcast together."""
        one, two = np.broadcast_arrays(np.asarray(first, dtype=float), np.asarray(second, dtype=float))
        values = np.stack([curve.log_seconds(two) for curve in self.curves])
        values = np.maximum.accumulate(values, axis=0)  # more sequences never take less time
        at, levels = np.log(np.maximum(one, 1e-9)), np.log(self.levels)
        if len(levels) == 1:
            return values[0] + np.maximum(at - levels[0], 0.0)
        low = np.clip(np.searchsorted(levels, at, side="right") - 1, 0, len(levels) - 2)
        share = np.clip((at - levels[low]) / (levels[low + 1] - levels[low]), 0.0, 1.0)
        below = np.take_along_axis(values, low[None], axis=0)[0]
        above = np.take_along_axis(values, low[None] + 1, axis=0)[0]
        return below + share * (above - below) + np.maximum(at - levels[-1], 0.0)


def corners(wanted: float, measured: Array) -> list[tuple[float, float]]:
    """The measured values around ``wanted`` with their weights in its logarithm; the nearest alone outside."""
    known = np.unique(measured)
    if wanted <= known[0] or wanted >= known[-1]:
        return [(float(known[0] if wanted <= known[0] else known[-1]), 1.0)]
    above = int(np.searchsorted(known, wanted))
    if known[above] == wanted:
        return [(float(wanted), 1.0)]
    low, high = float(known[above - 1]), float(known[above])
    share = float(np.log(wanted / low) / np.log(high / low))
    return [(low, 1 - share), (high, share)]


def beyond(wanted: float, measured: Array) -> float:
    """Logarithm of the factor by which ``wanted`` exceeds the greatest measured value, 0 where it does not."""
    return max(0.0, float(np.log(wanted / measured.max())))


@dataclass(frozen=True, eq=False)
class Grid:
    """Curves over a size for pairs of two more sizes (a matrix product's n and k), nearly all pairs measured."""

    curves: Mapping[tuple[float, float], Curve]

    def log_seconds(self, size: ArrayLike, n: float, k: float) -> Array:
        """Logarithm of the time at each size: linear in log n and log k between measured pairs."""
        ns = np.array([pair[0] for pair in self.curves])
        ks = np.array([pair[1] for pair in self.curves])
        parts = [(self.curves[i, j], a * b) for i, a in corners(n, ns) for j, b in corners(k, ks)
                 if (i, j) in self.curves]
        if not parts:  # a corner of the grid that was not measured: the nearest pair, scaled by the work
            i, j = min(self.curves, key=lambda pair: abs(np.log(pair[0] / n)) + abs(np.log(pair[1] / k)))
            return self.curves[i, j].log_seconds(size) + np.log(n * k / (i * j))
        total = sum(weight for _, weight in parts)
        value = sum((weight / total) * curve.log_seconds(size) for curve, weight in parts)
        return np.asarray(value + beyond(n, ns) + beyond(k, ks))
