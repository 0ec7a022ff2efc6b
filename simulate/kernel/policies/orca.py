"""Prefill-first, mixed: Orca as the throughput-optimal paper models it, Section 3.

"It fills in i with p_i > 0 first. Only after p_i = 0 for all i = 1, ..., q, pack as many decode tokens as possible
till batch size limit or the token budget limit."
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]
    s.decision[E.PREFILL_FIRST] = 1


POLICY = Policy("orca", decide, whole=("budget",))
