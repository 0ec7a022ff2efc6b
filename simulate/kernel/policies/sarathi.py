"""Decode-first with chunked prefill: Sarathi-Serve as the throughput-optimal paper models it, Section 3.

"Fill in as many as decode tokens (at most one decode token for each request) as possible. When there is additional
space, fill in as many prompt tokens as possible (from a minimal number of requests)." With a limit on the slots
it is the mixed batching (MB) of the exclusive-batching paper, Section 3.5.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.TOTAL] = par[0]
