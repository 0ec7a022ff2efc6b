"""WAIT of the WAIT paper, Algorithm 1: prompts of type j are processed only when n_j of them await prefill.

"Algorithm 1, line 12: check if n_j0 >= n_j for any j." Then a batch takes min(n_j, n_jk) prompts of type j at each
stage k. At most n_j enter stage 0 in a batch, so no later stage ever holds more, and all of them advance. Types
below their threshold pause, decodes included. Each type is a group of its own.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray, decision: np.ndarray, take: np.ndarray, prompts: np.ndarray, waiting: np.ndarray
) -> None:
    decision[E.WHOLE] = 1
    decision[E.WATCH] = 2
    decision[E.HOLD] = 1
    for j in range(take.size):
        ready = waiting[j] >= par[j]
        take[j] = E.ENDLESS if ready else 0
        prompts[j] = par[j] if ready else 0
