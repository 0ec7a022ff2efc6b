"""Histograms of times: 128 bins of equal width within each power of two, from 2**-40 to 2**40 seconds."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel.jit import compiled, inlined

SUBBINS = 128
BINS = 80 * SUBBINS
_FIRST_BIN = (1023 - 40) * SUBBINS


@inlined
def bin_of(value: float) -> int:
    """The bin of ``value``: the upper bits of a double are its logarithm. What lies outside goes into the end bins."""
    return min(max(int(np.float64(value).view(np.int64) >> 45) - _FIRST_BIN, 0), BINS - 1)


@compiled
def edge(place: int) -> float:
    """The lower edge of bin ``place``, 0 ... BINS (its upper edge is that of the next)."""
    return 2.0 ** (place // SUBBINS - 40) * (1.0 + (place % SUBBINS) / SUBBINS)


@compiled
def count_steps(histogram: np.ndarray, first: float, step: float, count: int, weight: int) -> None:
    """Count ``weight`` times each of first, first + step, ... (``count`` of them, step >= 0), bin by bin."""
    i = 0
    while i < count:
        value = first + step * i
        place = bin_of(value)
        same = count - i
        if step > 0.0:
            same = min(same, max(1, int((edge(place + 1) - value) / step)))
        histogram[place] += weight * same
        i += same
