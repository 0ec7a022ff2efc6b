"""EB(khat*): exclusive batching under the online controller of the exclusive-batching paper, Section 3.4.

The threshold and the batch size (khat*, Nhat*) come from Algorithm 1 (Appendix D.7), pass by pass at each completed
request; the KV-aware gate (23) of Appendix D.6 defers the phase switch.
"""

from __future__ import annotations

from qtheory.simulate.kernel import control
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    control.start(engine, s)
    control.exclusive(engine, s)


POLICY = Policy("eb-adaptive", decide, control.WHOLE, control.REAL, lacks=control.lacks, observe=control.complete)
