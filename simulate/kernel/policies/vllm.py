"""Prefill-first, never mixed: vanilla vLLM as the throughput-optimal paper models it, Section 3.

"It fills in prefill tokens from a request i with p_i > 0 until batch size limit with a predefined order": decode
tokens are loaded only when nothing can be prefilled.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.TOTAL] = par[0]
    decision[E.PREFILL_FIRST] = 1
    decision[E.EXCLUSIVE] = 1
