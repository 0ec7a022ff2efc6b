"""DistServe of the tiling paper, Algorithm 5: prefill on nodes of its own, decode on the engine, or on several nodes.

"In prefill nodes, prefill requests are handled one at a time in FCFS order, with entire prompts processed in a single
iteration. Completed requests are transferred to the decode node", which "continuously batches and schedules decode
iterations", all of them (line 18). What the decode node evicts it swaps (Appendix A.2). Parameters: the prefill nodes;
the seconds of a transfer, and those for each token in it. The prefill nodes' KV caches are not limited. The decode
pool is one node, which is what Algorithm 5 schedules; to which of several a request goes, it does not say.
``distserve-nodes`` has several, each with the engine's slots and capacity, and sends a request at the end of its prompt
to the one with the fewest requests, on their way to it included, of equal ones to the first.
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
    s.decision[E.CHUNK] = 0
    s.decision[E.WATCH] = 2


def _lacks(engine: LLMEngine) -> str:
    """Transfers that take time, and requests that arrive at the prefill nodes."""
    if min(engine.parameters["transfer"], engine.parameters["transfer_per_token"]) < 0:  # type: ignore[type-var,operator]
        return "transfer times that are not negative"
    return "arrivals or a concurrency: its prefill nodes are never saturated" if engine.saturated else ""


def _arrays(engine: LLMEngine) -> dict[str, Any]:
    p = engine.parameters
    usual = {"pool": p["prefill_nodes"], "transfer": np.array([p["transfer"], p["transfer_per_token"]], dtype=float)}
    nodes = p.get("decode_nodes", 0)
    return usual | {"nodes": nodes, "groups": nodes, "share": 1.0 / nodes} if nodes else usual  # type: ignore[operator]


TRANSFER = ("transfer", "transfer_per_token")
ONE = Policy(
    "distserve", decide, ("prefill_nodes",), TRANSFER, own_order=True, own_decode_order=True, lacks=_lacks,
    arrays=_arrays,
)  # fmt: skip
SEVERAL = Policy(
    "distserve-nodes", decide, ("prefill_nodes", "decode_nodes"), TRANSFER, own_order=True, own_decode_order=True,
    lacks=_lacks, arrays=_arrays,
)  # fmt: skip
