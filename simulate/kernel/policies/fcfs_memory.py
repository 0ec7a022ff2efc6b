"""First come first served by memory, the benchmark of the WAIT paper, Proposition 4.

Every request in service advances in every batch; the oldest waiting prompts join whole while the KV cache has room.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.WHOLE] = 1


POLICY = Policy("fcfs-memory", decide)
