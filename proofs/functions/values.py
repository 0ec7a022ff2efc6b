"""Values at many points at once, with what is undefined kept apart from what overflows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
TINY, LOST = 5e-324, 1e-300  # what stands for a value that is too small, and a size at which it tells nothing
NEVER = np.zeros((), bool)  # of any shape, where it is joined with others


class Values(NamedTuple):
    """Values, where they are undefined, and a bound for the size of what was added up to them."""

    value: Array
    undefined: Flags
    size: Array


def either(flags: list[Flags]) -> Flags:
    """Where one of the flags is set."""
    some = [f for f in flags if f is not NEVER]
    out = some[0] if some else NEVER
    for f in some[1:]:
        out = out | f
    return out


__all__ = ["LOST", "NEVER", "TINY", "Array", "Flags", "Values", "either"]
