"""Nested WAIT of the WAIT paper, Algorithm 2: a WAIT threshold for each segment of decode stages.

"Line 19: find the largest i such that" the first stage of each segment up to i holds n_i' prompts; "line 21: form
batch B from segments i' <= i by selecting min{n_i', n_i',k} prompts at each stage k". The lengths need not be known:
a prompt moves on from segment to segment until it ends. Segments are groups: segment 1 holds stage 0 (prefill, the
queue) and the decode stages 1, ..., l'_1, segment i the stages l'_{i-1} + 1, ..., l'_i, as the text of Section 5.1
has them. Beyond a segment's first stage at most n_i prompts stand at each stage, so all of them advance: they are the
active ones of their group. With segments of several lengths each it is Section 7.2's; the thresholds hold still
while rates vary (Section 7.1). With less memory than (12) asks for, paused prompts can hold all of it: then no prompt
comes in and no batch is formed any more, and the run ends with an error that says so.

Parameters: the L thresholds, then the L stages l'_i at which the segments end (the last also holds what lies beyond).
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray,
    decision: np.ndarray,
    take: np.ndarray,
    prompts: np.ndarray,
    waiting: np.ndarray,
    decoding: np.ndarray,
    active: np.ndarray,
) -> None:
    decision[E.WHOLE] = 1
    decision[E.WATCH] = 2
    decision[E.HOLD] = 1
    decision[E.REPEAT] = 1
    prompts[0] = 0
    run = True
    for i in range(take.size):
        at_first = waiting[0] if i == 0 else decoding[i] - active[i]
        run = run and at_first >= par[i]
        take[i] = 0
        if run and i == 0:
            prompts[0] = par[0]
            take[0] = E.ENDLESS
        elif run:
            take[i] = active[i] + par[i]
