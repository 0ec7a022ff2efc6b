"""The rows that hold a simulation's requests: those that are free form a chain, in which each names the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike


def free_rows(size: int, columns: int, following: int, *, first: int = 0, end: int = -1,
              dtype: DTypeLike = np.int64) -> np.ndarray:
    """``size`` free rows numbered from ``first`` on; column ``following`` names the next, of the last one ``end``."""
    rows = np.zeros((size, columns), dtype=dtype)
    rows[:, following] = np.append(np.arange(first + 1, first + size), end)
    return rows


def twice_as_many(rows: np.ndarray, following: int, integers: np.ndarray, free: int, count: int) -> np.ndarray:
    """The rows and as many free ones, which come first in the chain; ``integers``, changed in place, has the chain's
    first at ``free`` and its length at ``count``."""
    old, columns = rows.shape
    more = free_rows(old, columns, following, first=old, end=int(integers[free]), dtype=rows.dtype)
    integers[free] = old
    integers[count] += old
    return np.concatenate((rows, more))
