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

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import inlined


@inlined
def take_by_deadline(engine: Engine, s: EngineState, total: int, limit: int, until: float) -> int:
    """Take decodes in the order of their deadlines up to ``until``, ``limit`` in all with the ``total`` taken."""
    while total < limit:
        best, earliest = -1, np.inf
        for g in range(engine.groups):
            j = s.cursor[g]
            if j >= 0:
                # The first of a group's list advance together, and their last tokens came together.
                last = s.group_last[g] if s.take[g] < s.active[g] else s.request_t[j, E.LAST]
                if last + engine.tbt_limit[g] < earliest:
                    best, earliest = g, last + engine.tbt_limit[g]
        if best < 0 or earliest > until:
            break
        s.take[best] += 1
        s.cursor[best] = s.request_i[s.cursor[best], E.NEXT]
        total += 1
    return total


@inlined
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
