"""(K_p, K_d)-FCFS of the throughput-optimal paper, Section 2.3, decode tokens first.

"When loading tokens in phase f, only tokens from (at most) K_f oldest requests are loaded. Among these K_f requests,
tokens can be selected in any rule including the smallest-remaining-token-first": the engine's two orders. Decode-first
loading makes it work-conserving where the two limits allow.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]
    s.decision[E.PIECES] = engine.policy_parameters[1]
    s.take[0] = engine.policy_parameters[2]


POLICY = Policy(
    "kp-kd-fcfs", decide, whole=("budget", "k_p", "k_d"),
    arrays=lambda engine: {"oldest": engine.parameters["k_p"], "decode_oldest": engine.parameters["k_d"]},
)  # fmt: skip
