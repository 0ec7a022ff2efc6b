"""Request-level batching: a batch of up to B requests is prefilled, then decoded until its last request ends.

The static batching before Orca, as the throughput-optimal paper recalls it in Section 1: no request joins before
the whole batch has left. A batch is taken from those present, it does not wait to be full.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    if s.seen[E.IN_SERVICE] == 0:
        # The batch is fixed now.
        s.memory[0] = s.seen[E.PREFILLED] + min(engine.policy_parameters[0], max(s.seen[E.WAITING], 1))
    if s.seen[E.PREFILLED] < s.memory[0]:
        s.decision[E.PREFILL_FIRST] = 1
        s.decision[E.EXCLUSIVE] = 1
        s.decision[E.PIECES] = s.memory[0] - s.seen[E.PREFILLED]
    else:
        s.decision[E.CHUNK] = 0
        s.decision[E.WATCH] = 0


POLICY = Policy("request-level", decide, whole=("batch",))
