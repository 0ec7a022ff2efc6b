"""Where a run starts to count: MSER-5 (White, Cobb and Spratt, 2000)."""

from __future__ import annotations

import numpy as np

from qtheory.errors import InputError


def mser(series: np.ndarray, size: int = 5) -> int:
    """How many of the first values of ``series`` (n,), n at least 10 * size, to leave out.

    The cut that minimises the standard error of the mean of what is left, over batches of ``size`` values,
    at most half of the series: where half is the answer the run may be too short, or not stationary at all,
    which the stability test tells.
    """
    x = np.asarray(series, dtype=float)
    if x.ndim != 1 or x.size < 10 * size or not np.isfinite(x).all():
        raise InputError(f"MSER-{size} needs at least {10 * size} finite values, not {x.size}")
    batches = x[: x.size // size * size].reshape(-1, size).mean(axis=1)
    batches -= batches.mean()  # or the squares would lose the digits of a small variance
    n = batches.size
    kept = np.arange(n, 0, -1)
    sums = np.cumsum(batches[::-1])[::-1]
    squares = np.cumsum((batches**2)[::-1])[::-1]
    error = (squares - sums**2 / kept) / kept.astype(float) ** 2
    return int(np.argmin(error[: n // 2 + 1])) * size
