"""Kernels as functions of a load's columns, and those of attention: surfaces over sequences and the tokens they see."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from qtheory.profiles.kernels.interpolation import Array, Surface, corners
from qtheory.profiles.kernels.tables import Rows

Kernel = Callable[[list[Array]], Array]  # of a load's columns: seconds, all layers together
TOKENS, PREFILLS, LENGTH, SHARE, DECODES, CONTEXT, SAMPLED = range(7)  # the columns, in the order of a load's fields
Surfaces = list[tuple[Surface, float]]  # for measured numbers of heads, with weights


def by_heads(rows: Rows, heads: float) -> Surfaces:
    """Surfaces over sequences and tokens for the measured numbers of heads around ``heads``."""
    found = []
    for each, weight in corners(heads, rows.columns["num_heads"]):
        part = rows.where(num_heads=each)
        length = part.columns["isl"] + part.columns.get("step", 0)
        found.append((Surface.of(part.columns["batch_size"], length, part.seconds), weight))
    return found


def of_surfaces(kind: str, surfaces: Sequence[tuple[int, Surfaces]]) -> Kernel:
    """The kernel of attention in numbers of layers: ``kind`` is prefill or decode."""
    first, second = (PREFILLS, LENGTH) if kind == "prefill" else (DECODES, CONTEXT)

    def seconds(columns: list[Array]) -> Array:
        sequences, length = columns[first], columns[second]
        present = np.maximum(sequences, 1.0)
        time = sum(count * np.exp(sum(weight * each.log_seconds(present, length) for each, weight in surface))
                   for count, surface in surfaces)
        share = columns[SHARE] if kind == "prefill" else 1.0
        return np.where(sequences > 0, share * time, 0.0)

    return seconds
