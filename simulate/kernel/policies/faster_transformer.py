"""Decode-first, never mixed: FasterTransformer as the throughput-optimal paper models it, Section 3.

"It fills in all the decode tokens from any request i with p_i = 0 until batch size limit with a predefined order":
prefill waits until no request decodes.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.TOTAL] = par[0]
    decision[E.EXCLUSIVE] = 1
