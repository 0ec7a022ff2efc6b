"""Prefill-first, mixed: Orca as the throughput-optimal paper models it, Section 3.

"It fills in i with p_i > 0 first. Only after p_i = 0 for all i = 1, ..., q, pack as many decode tokens as possible
till batch size limit or the token budget limit."
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.TOTAL] = par[0]
    decision[E.PREFILL_FIRST] = 1
