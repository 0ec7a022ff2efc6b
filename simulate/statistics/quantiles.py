"""Quantiles of sojourn times, from the kernel's histograms, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.kernel.histogram import BINS, edge
from qtheory.simulate.runs import Run
from qtheory.simulate.statistics.intervals import Interval, student

_edge = edge.py_func  # type: ignore[attr-defined]  # for a few values nothing need be compiled


def bin_edges() -> np.ndarray:
    """Edges of the histogram's bins in seconds, shape (BINS + 1,): 128 equal bins within each power of two."""
    return np.array([_edge(i) for i in range(BINS + 1)])


def histogram_quantile(counts: np.ndarray, q: float) -> float:
    """The ``q``-quantile of the values counted, linear within a bin (bins are at most 0.8 percent wide); seconds."""
    if not 0 < q < 1:
        raise InputError(f"a quantile's order lies strictly between 0 and 1, not {q}")
    total = int(counts.sum())
    if total == 0:
        raise InputError("no quantile of an empty histogram: nothing left the network after the warm-up")
    reached = np.cumsum(counts)
    place = int(np.searchsorted(reached, q * total))
    before = reached[place] - counts[place]
    low, high = _edge(place), _edge(place + 1)
    return low + (q * total - before) / float(counts[place]) * (high - low)


def sojourn_quantile(runs: Sequence[Run], entry: str, q: float, confidence: float = 0.95) -> Interval:
    """Interval for the ``q``-quantile of the sojourn time of type ``entry``, from independent replications."""
    from qtheory.simulate.measures import _type_number

    a = _type_number(runs[0].network, entry)
    return student([histogram_quantile(r.histogram[a], q) for r in runs], confidence, f"{q}-quantile, replications")
