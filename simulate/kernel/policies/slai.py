"""SLAI of the tiling paper, Section 6: decodes wait until their deadline is near, so that prompts come first.

Equation (8): the i-th decode iteration of request j is critical from its last schedulable time on, the end of the
batch with the one before, plus TBT_j, minus delta times the running average of batch times. A batch takes critical
decodes in the order of these times (steps 1 and 2), then prompts, those begun first (step 3), then other decodes in
the same order (step 4); at most the budget of tokens, the decode limit beta of decodes, and alpha (the engine's
slots) active requests. With a dynamic offset (Section 7) delta is the first below a level of memory in use, else the
second. Prompts are ordered by the engine's order: fcfs, spf, or class-spf, "paying first" (Appendix F.2).

Each class is a group, its limit TBT_j; a group's list is kept in the order of deadlines by putting who was served at
its end. While prompts wait an iteration costs O(classes + log n) a decode token; else all decodes go on together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_order import take_by_deadline
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    budget, limit = engine.policy_parameters[0], engine.policy_parameters[1]
    s.decision[E.TOTAL] = budget
    full = s.seen[E.IN_SERVICE] == s.seen[E.DECODING] and s.seen[E.IN_SERVICE] == engine.slots
    if (full or s.seen[E.WAITING] == 0) and s.seen[E.DECODING] <= min(budget, limit):
        return  # no prompt can come between: every decode goes on
    offset = engine.policy_reals[0]
    if engine.policy_reals.size > 1 and s.seen[E.RESIDENT] >= engine.policy_reals[2] * engine.capacity:
        offset = engine.policy_reals[1]
    mean = s.floats[E.TOTAL_BUSY] / max(1, s.integers[E.TOTAL_ITERATIONS])
    for g in range(engine.groups):
        s.take[g] = 0
        s.cursor[g] = s.queue_head[engine.groups + g]
    take_by_deadline(engine, s, 0, min(budget, limit), s.floats[E.NOW] + offset * mean)
    s.decision[E.FILL] = limit
    s.decision[E.ROTATE] = 1
    s.decision[E.REPEAT] = 1


def _lacks(engine: LLMEngine) -> str:
    """A deadline of every decode."""
    if engine.slots is None:
        return "slots, the active requests at most"
    if any(math.isinf(c.tbt_slo) for c in engine.classes):
        return "a tbt_slo of every class"
    dynamic = "full" in engine.parameters
    return "a capacity, whose use sets the offset" if dynamic and engine.capacity is None else ""


def _arrays(engine: LLMEngine) -> dict[str, Any]:
    """Each class decodes in a group of its own, whose list is in the order of its deadlines."""
    classes = np.arange(len(engine.classes))
    return {"groups": classes.size, "class_group": classes, "deadlines": 1}


WHOLE = ("budget", "decode_limit")
SLAI = Policy("slai", decide, WHOLE, ("offset",), own_decode_order=True, lacks=_lacks, arrays=_arrays)
DYNAMIC = Policy(
    "slai-dynamic", decide, WHOLE, ("offset", "offset_full", "full"), own_decode_order=True, lacks=_lacks,
    arrays=_arrays,
)  # fmt: skip
