"""What every run is given: its horizon, its windows, and the key of its random streams."""

from __future__ import annotations

import math

import numpy as np

from qtheory.errors import InputError

_MAX_32 = 2**32


def checked_key(horizon: float, windows: int, warm_up: float, seed: int, replication: int) -> np.ndarray:
    """The key of a run's random streams; raises InputError for a run that cannot be."""
    from qtheory.simulate.kernel.random import stream_key

    if not (math.isfinite(horizon) and horizon > 0):
        raise InputError(f"the horizon must be positive and finite, not {horizon}")
    if windows < 1 or not 0 <= warm_up < 1:
        raise InputError("a run needs at least one window and a warm-up fraction in [0, 1)")
    for name, value in (("seed", seed), ("replication", replication)):
        if not 0 <= value < _MAX_32:
            raise InputError(f"the {name} lies in 0 ... 2**32 - 1, not {value}")
    return stream_key(seed, replication)
