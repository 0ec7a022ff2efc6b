"""(K_p, K_d)-FCFS of the throughput-optimal paper, Section 2.3, decode tokens first.

"When loading tokens in phase f, only tokens from (at most) K_f oldest requests are loaded. Among these K_f requests,
tokens can be selected in any rule including the smallest-remaining-token-first": the engine's two orders. Decode-first
loading makes it work-conserving where the two limits allow.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray, take: np.ndarray
) -> None:
    decision[E.TOTAL] = par[0]
    decision[E.PIECES] = par[1]
    take[0] = par[2]
