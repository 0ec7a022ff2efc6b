"""Decode-first with chunked prefill: Sarathi-Serve as the throughput-optimal paper models it, Section 3.

"Fill in as many as decode tokens (at most one decode token for each request) as possible. When there is additional
space, fill in as many prompt tokens as possible (from a minimal number of requests)." With a limit on the slots
it is the mixed batching (MB) of the exclusive-batching paper, Section 3.5.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]


POLICY = Policy("sarathi", decide, whole=("budget",))
