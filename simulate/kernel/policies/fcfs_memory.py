"""First come first served by memory, the benchmark of the WAIT paper, Proposition 4.

Every request in service advances in every batch; the oldest waiting prompts join whole while the KV cache has room.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.WHOLE] = 1
