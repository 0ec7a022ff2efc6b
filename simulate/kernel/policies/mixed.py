"""Mixed batching (MB) of the exclusive-batching paper, Sections 1 and 3.5: prefill and decode in every batch.

"The MB discipline generates exactly one decoded token per request per iteration"; Section 4.1 takes it as vLLM v1,
"implementing mixed batching with decode-maximal allocation": every decode first, then prompt chunks, oldest first,
up to the token budget and the N slots.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray) -> None:
    decision[E.TOTAL] = par[0]
