"""Algorithm 2 of the tiling paper, Appendix D: a cycle prefills up to n requests, then decodes them t_col at a time.

Its lines 4-13 prefill in chunks of t_lcm, oldest first, one request a batch, with the requests that arrive meanwhile;
lines 14-20 decode the t_col oldest, and who ends is replaced, until all have ended. "The first output token of a
request is only produced when it has been moved to the active decode set": TTFT ends with the first decode iteration.
Parameters n, t_col and t_lcm = LCM(t_row, t_col, t_red).
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.jit import inlined


@inlined
def decide(
    par: np.ndarray, view: np.ndarray, memory: np.ndarray, decision: np.ndarray, take: np.ndarray
) -> None:
    n, t_col, t_lcm = par[0], par[1], par[2]
    # memory[0]: requests prefilled before this cycle; memory[1]: it decodes.
    if memory[1] == 1 and view[E.DECODING] == 0:
        memory[0] = view[E.PREFILLED]  # line 3
        memory[1] = 0
    if memory[1] == 0 and (view[E.WAITING] == 0 or view[E.PREFILLED] - memory[0] >= n):  # line 4
        memory[1] = min(view[E.DECODING], 1)
    if memory[1] == 0:
        take[0] = 0
        decision[E.CHUNK] = t_lcm  # lines 5-10
        decision[E.PIECES] = 1
    else:
        take[0] = t_col  # lines 15 and 19
        decision[E.CHUNK] = 0
        decision[E.WATCH] = 0
