"""Mixed batching (MB) of the exclusive-batching paper, Sections 1 and 3.5: prefill and decode in every batch.

"The MB discipline generates exactly one decoded token per request per iteration"; Section 4.1 takes it as vLLM v1,
"implementing mixed batching with decode-maximal allocation": every decode first, then prompt chunks, oldest first,
up to the token budget and the N slots.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]


POLICY = Policy(
    "mixed", decide, whole=("budget",), lacks=lambda engine: "slots" if engine.slots is None else ""
)
