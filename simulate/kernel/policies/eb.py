"""EB(k) of the exclusive-batching paper, Section 3.1: decode until k of the N slots are idle, then refill them all.

A "capacity-triggered policy that switches to the prefill phase whenever k decode slots become idle" (Section 1): "the
system then enters a prefill phase", one batch, during which the other requests keep their KV cache and generate
nothing. Where fewer wait than slots are idle, which the saturated regime of Section 3.1 leaves out, the switch is that
of Appendix D.6: ``fillable (N - k) >= n k`` with n requests decoding, and fillable the idle slots for which a request
waits; with all of N - n filled it is N - n >= k. When no request is left to decode, whatever waits is prefilled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy
from qtheory.simulate.kernel.refill import due, wait

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    idle = s.seen[E.SLOTS] - s.seen[E.IN_SERVICE]
    s.decision[E.WHOLE] = 1
    if s.seen[E.DECODING] == 0 or due(s.seen[E.SLOTS], engine.policy_parameters[0], idle, s.seen):
        s.decision[E.PREFILL_FIRST] = 1
        s.decision[E.EXCLUSIVE] = 1
    else:
        wait(idle, s.seen, s.decision)


def _lacks(engine: LLMEngine) -> str:
    """At most all slots are idle."""
    too_few = engine.slots is None or engine.parameters["k"] > engine.slots  # type: ignore[operator]
    return "slots, and k at most as many" if too_few else ""


POLICY = Policy("eb", decide, whole=("k",), lacks=_lacks)
