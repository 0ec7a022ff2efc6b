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

from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.WHOLE] = 1
    s.decision[E.WATCH] = 2
    s.decision[E.HOLD] = 1
    s.decision[E.REPEAT] = 1
    s.prompts[0] = 0
    run = True
    for i in range(s.take.size):
        at_first = s.waiting[0] if i == 0 else s.decoding[i] - s.active[i]
        run = run and at_first >= engine.policy_parameters[i]
        s.take[i] = 0
        if run and i == 0:
            s.prompts[0] = engine.policy_parameters[0]
            s.take[0] = E.ENDLESS
        elif run:
            s.take[i] = s.active[i] + engine.policy_parameters[i]


def _lacks(engine: LLMEngine) -> str:
    """Segments that follow one another, and a queue that is counted."""
    ends = np.atleast_1d(np.asarray(engine.parameters["ends"]))
    if ends.size != np.size(engine.parameters["thresholds"]) or not (np.diff(ends) > 0).all():
        return "one threshold a segment, and the stages at which the segments end, increasing"
    return "arrivals: what waits in a saturated engine is not counted" if engine.saturated else ""


def _arrays(engine: LLMEngine) -> dict[str, Any]:
    """Decode iterations in each segment; the last one holds what lies beyond it."""
    ends = np.atleast_1d(np.asarray(engine.parameters["ends"], dtype=np.int64))
    return {"groups": ends.size, "segments": np.append(np.diff(ends, prepend=0)[:-1], E.ENDLESS)}


POLICY = Policy(
    "nested-wait", decide, whole=("thresholds", "ends"), lists=("thresholds", "ends"), own_order=True,
    own_decode_order=True, lacks=_lacks, arrays=_arrays,
)  # fmt: skip
