"""What every law of times, sizes and lengths offers: mean and variance, its code for the kernel, and samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qtheory.simulate.kernel import variates as kernel


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
        kernel.fill_drawn(kind, kernel.Drawn(np.array(par), out, words, stream_key(seed, replication)), source)
        return out[:size]


def per_second(gaps: Law | None, sizes: Law | None) -> float:
    """Arrivals a second in groups of ``sizes`` (None: one) after ``gaps`` of seconds; 0 where there are no gaps."""
    return 0.0 if gaps is None else (1.0 if sizes is None else sizes.mean) / gaps.mean


def noise_per_second(gaps: Law | None, sizes: Law | None, mean: float, variance: float) -> float:
    """Variance, for each second of a long time, of the work of all that arrives; each brings ``mean`` of it on average.

    Of renewal arrivals in groups; a rate that varies in time counts as a Poisson process of its mean rate.
    """
    if gaps is None:
        return 0.0
    number, spread = (1.0, 0.0) if sizes is None else (sizes.mean, sizes.variance)
    scatter = 1.0 if hasattr(gaps, "varies") else gaps.variance / gaps.mean**2
    return (number * variance + (spread + scatter * number**2) * mean**2) / gaps.mean


def cumulative(p: np.ndarray) -> np.ndarray:
    """Cumulative probabilities of ``p`` (m,); shape (m,)."""
    c = np.cumsum(p)
    # Everything from the last possible value on gets 1: rounding must not give a probability-zero value a chance.
    c[np.flatnonzero(p)[-1] :] = 1.0
    return c
