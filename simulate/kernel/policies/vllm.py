"""Prefill-first, never mixed: vanilla vLLM as the throughput-optimal paper models it, Section 3.

"It fills in prefill tokens from a request i with p_i > 0 until batch size limit with a predefined order": decode
tokens are loaded only when nothing can be prefilled.
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
    s.decision[E.EXCLUSIVE] = 1


POLICY = Policy("vllm", decide, whole=("budget",))
