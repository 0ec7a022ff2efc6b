"""EB(k) of the exclusive-batching paper, Section 3.1: decode until k of the N slots are idle, then refill them all.

A "capacity-triggered policy that switches to the prefill phase whenever k decode slots become idle" (Section 1): "the
system then enters a prefill phase", one batch, during which the other requests keep their KV cache and generate
nothing. When no request is left to decode, whatever waits is prefilled.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray, take: np.ndarray
) -> None:
    idle = view[E.SLOTS] - view[E.IN_SERVICE]
    decision[E.WHOLE] = 1
    if idle >= par[0] or view[E.DECODING] == 0:
        decision[E.PREFILL_FIRST] = 1
        decision[E.EXCLUSIVE] = 1
    else:
        decision[E.CHUNK] = 0
        decision[E.WATCH] = 0
