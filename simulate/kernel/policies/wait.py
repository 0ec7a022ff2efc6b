"""WAIT of the WAIT paper, Algorithm 1: prompts of type j are processed only when n_j of them await prefill.

"Algorithm 1, line 12: check if n_j0 >= n_j for any j." Then a batch takes min(n_j, n_jk) prompts of type j at each
stage k. At most n_j enter stage 0 in a batch, so no later stage ever holds more, and all of them advance. Types
below their threshold pause, decodes included. Each type is a group of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.WHOLE] = 1
    s.decision[E.WATCH] = 2
    s.decision[E.HOLD] = 1
    for j in range(s.take.size):
        ready = s.waiting[j] >= engine.policy_parameters[j]
        s.take[j] = E.ENDLESS if ready else 0
        s.prompts[j] = engine.policy_parameters[j] if ready else 0


def _lacks(engine: LLMEngine) -> str:
    """A threshold of each type."""
    types = len(engine.classes)
    return "" if np.size(engine.parameters["thresholds"]) == types else f"one threshold a class, {types} in all"


def _arrays(engine: LLMEngine) -> dict[str, Any]:
    """Each type waits and decodes in a group of its own."""
    types = np.arange(len(engine.classes))
    return {"groups": types.size, "class_group": types, "class_queue": types}


POLICY = Policy(
    "wait", decide, whole=("thresholds",), lists=("thresholds",), own_order=True, own_decode_order=True, lacks=_lacks,
    arrays=_arrays,
)  # fmt: skip
