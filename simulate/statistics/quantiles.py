"""Quantiles of sojourn times, from the kernel's histograms, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.kernel.histogram import BINS, edge
from qtheory.simulate.runs import Run
from qtheory.simulate.showing import InALine
from qtheory.simulate.statistics.intervals import Interval, student, t_quantile

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


@dataclass(frozen=True)
class Distribution(InALine):
    """The fraction of values that are at most each of ``times`` (seconds), with a band; shapes (n,).

    The band holds at each time by itself, at the ``confidence`` of Student's interval over replications.
    """

    times: np.ndarray
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence: float

    @property
    def line(self) -> str:
        ends = f", {self.times[0]:g} to {self.times[-1]:g} s" if len(self.times) else ""
        return f"distribution at {len(self.times):,} times{ends}, with bands of confidence {self.confidence:g}"


def distribution(counts: Sequence[np.ndarray], confidence: float = 0.95) -> Distribution:
    """The distribution function from the histograms of at least two independent replications, (BINS,) each, at the
    upper edges of the bins that hold anything."""
    if len(counts) < 2 or not all(c.sum() for c in counts):
        raise InputError("a distribution with a band needs at least two replications, each with some value")
    table = np.array(counts, dtype=float)
    used = np.flatnonzero(table.sum(axis=0))
    fractions = np.cumsum(table, axis=1)[:, used] / table.sum(axis=1, keepdims=True)
    mean = fractions.mean(axis=0)
    half = t_quantile(confidence, len(counts) - 1) * fractions.std(axis=0, ddof=1) / math.sqrt(len(counts))
    times = np.array([edge(int(i) + 1) for i in used])
    return Distribution(times, mean, np.maximum(mean - half, 0.0), np.minimum(mean + half, 1.0), confidence)


def sojourn_quantile(runs: Sequence[Run], entry: str, q: float, confidence: float = 0.95) -> Interval:
    """Interval for the ``q``-quantile of the sojourn time of type ``entry``, from independent replications."""
    from qtheory.simulate.measures import _type_number

    a = _type_number(runs[0].network, entry)
    return student([histogram_quantile(r.histogram[a], q) for r in runs], confidence, f"{q}-quantile, replications")
