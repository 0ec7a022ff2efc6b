"""Decode-first, never mixed: FasterTransformer as the throughput-optimal paper models it, Section 3.

"It fills in all the decode tokens from any request i with p_i = 0 until batch size limit with a predefined order":
prefill waits until no request decodes.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]
    s.decision[E.EXCLUSIVE] = 1


POLICY = Policy("faster-transformer", decide, whole=("budget",))
