"""DistServe of the tiling paper, Algorithm 5: prefill on nodes of its own, decode on the engine.

"In prefill nodes, prefill requests are handled one at a time in FCFS order, with entire prompts processed in a single
iteration. Completed requests are transferred to the decode node", which "continuously batches and schedules decode
iterations", all of them (line 18). What the decode node evicts it swaps (Appendix A.2). Parameters: the prefill nodes;
the seconds of a transfer, and those for each token in it. The prefill nodes' KV caches are not limited. The decode
pool is one node, which is what Algorithm 5 schedules; to which of several a request goes, it does not say.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(decision: np.ndarray) -> None:
    decision[E.CHUNK] = 0
    decision[E.WATCH] = 2
