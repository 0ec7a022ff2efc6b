"""Request-level batching: a batch of up to B requests is prefilled, then decoded until its last request ends.

The static batching before Orca, as the throughput-optimal paper recalls it in Section 1: no request joins before
the whole batch has left. A batch is taken from those present, it does not wait to be full.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray, take: np.ndarray
) -> None:
    if view[E.IN_SERVICE] == 0:
        memory[0] = view[E.PREFILLED] + min(par[0], max(view[E.WAITING], 1))  # the batch is fixed now
    if view[E.PREFILLED] < memory[0]:
        decision[E.PREFILL_FIRST] = 1
        decision[E.EXCLUSIVE] = 1
        decision[E.PIECES] = memory[0] - view[E.PREFILLED]
    else:
        decision[E.CHUNK] = 0
        decision[E.WATCH] = 0
