"""When exclusive batching goes over to its prefill phase: for EB(k) and for the online controller alike."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def due(slots: int, k: int, idle: int, view: np.ndarray) -> bool:
    """Appendix D.6's condition for the prefill phase, for N = ``slots``."""
    fillable = min(idle, view[E.WAITING])
    return bool(fillable > 0 and fillable * (slots - k) >= view[E.DECODING] * k)


@inlined
def wait(idle: int, view: np.ndarray, decision: np.ndarray) -> None:
    """Decode on; an arrival is looked at while slots are idle for which nobody waits."""
    decision[E.CHUNK] = 0
    decision[E.WATCH] = 2 if view[E.WAITING] < idle else 0
