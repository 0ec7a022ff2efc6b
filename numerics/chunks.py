"""The cheapest way to cut a prompt into chunks when time is a staircase: exact dynamic programming on whole numbers.

A chunk of c tokens that ends at token e takes ``fixed + ceil(c/w) column(e)``, ``column`` nondecreasing: w tokens are a
column of tiles, and the longer the context, the longer a column takes. What a token takes wherever it stands is the
same for every way of cutting, and is left out. Chunks have at most C tokens.

*Why a grid of ends is enough.* Let ``cover(n) = min(n w, C)``, the most tokens of n columns. Take any chunks of n_1,
..., n_K columns, ends e_1 < ... < e_K = L, and from the last to the first put ``e'_K = L``, ``e'_(k-1) = e'_k -
cover(n_k)``. Since a chunk of n_k columns has at most cover(n_k) tokens, e'_k <= e_k for each k by induction. Chunks
whose new ends are at most 0 are dropped; the first of the others starts at 0 and has no more columns than before. So no
chunk that is left takes longer, none is added, and all ends are of the form L - a w - b C. Over these ends f(e) =
min over n of ``f(e - cover(n)) + fixed + n column(e)``, f(0) = 0, is the recursion of optimality, run here over all of
them, without rounding.

Where C is a multiple of w, or there is no C, the ends are ``L - a w`` alone, ceil(L/w) of them. Else all tokens are
ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[Any]  # int64, or Python's whole numbers as objects


def cheapest_chunks(length: int, width: int, limit: int | None, column: Callable[[Whole], Whole], fixed: int
                    ) -> tuple[int, tuple[int, ...]]:
    """The least total of ``fixed + ceil(c/width) column(end)``, and chunks that have it, from the first to the last.

    ``column`` takes ends (array of int64, any shape) to whole numbers, int64 or objects; int64 must hold the total of
    ``length`` chunks. Among chunks of equal time the largest last ones are taken.
    """
    limit = length if limit is None else min(limit, length)
    width = min(width, limit)
    rows, most = -(-length // width), -(-limit // width)
    if most == 1:  # every chunk is one column, and the grid has one way to go
        ends = length - limit * np.arange(rows)[::-1]
        first = length - limit * (rows - 1)
        return sum(map(int, column(ends))) + fixed * rows, (first, *(limit,) * (rows - 1))
    cut = limit - (most - 1) * width  # tokens of the last column of the longest chunk
    short = np.arange(width) if cut < width and limit < length else np.array([rows * width - length])
    ends = np.arange(rows + 1)[:, None] * width - short[None, :]
    times = column(np.clip(ends, 1, length))
    best = np.zeros(ends.shape, dtype=times.dtype)
    taken = np.zeros(ends.shape, dtype=np.int64)  # columns of the chunk that ends there
    whole = most if short.size == 1 else most - 1  # columns that cover their full width
    number, place = np.arange(rows + 1)[::-1, None], np.arange(short.size)
    for j in range(1, rows + 1):
        first = max(j - whole, 0)
        found = best[first:j] + number[rows - (j - first):rows] * times[j]
        pick = found.argmin(axis=0)
        best[j], taken[j] = found[pick, place], j - first - pick
        if short.size > 1 and j >= most:
            over = short + cut
            longest = best[j - most + (over < width), over % width] + most * times[j]
            better = longest <= best[j]
            best[j], taken[j] = np.where(better, longest, best[j]), np.where(better, most, taken[j])
        best[j] += fixed
    chunks, j, at = [], rows, int(np.flatnonzero(short == rows * width - length)[0])
    while j > 0:
        columns, end = int(taken[j, at]), int(ends[j, at])
        start = max(end - min(columns * width, limit), 0)
        chunks.append(end - start)
        j = -(-start // width)
        at = 0 if short.size == 1 else j * width - start
    total = best[rows, int(np.flatnonzero(short == rows * width - length)[0])]
    return int(total), tuple(reversed(chunks))
