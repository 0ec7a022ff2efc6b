"""EB(k) of the exclusive-batching paper, Section 3.1: decode until k of the N slots are idle, then refill them all.

A "capacity-triggered policy that switches to the prefill phase whenever k decode slots become idle" (Section 1): "the
system then enters a prefill phase", one batch, during which the other requests keep their KV cache and generate
nothing. Where fewer wait than slots are idle, which the saturated regime of Section 3.1 leaves out, the switch is that
of Appendix D.6: ``fillable (N - k) >= n k`` with n requests decoding, and fillable the idle slots for which a request
waits; with all of N - n filled it is N - n >= k. When no request is left to decode, whatever waits is prefilled.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined
from qtheory.simulate.kernel.refill import due, wait


@inlined
def decide(
    par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray, take: np.ndarray
) -> None:
    idle = view[E.SLOTS] - view[E.IN_SERVICE]
    decision[E.WHOLE] = 1
    if view[E.DECODING] == 0 or due(view[E.SLOTS], par[0], idle, view):
        decision[E.PREFILL_FIRST] = 1
        decision[E.EXCLUSIVE] = 1
    else:
        wait(idle, view, decision)
