"""RAD of the tiling paper, Algorithm 1: cycles of prefills in chunks of t_lcm, then decodes of t_col requests.

Parameters n (prefills a cycle at most), t_col and t_lcm = LCM(t_row, t_col, t_red).
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
    # memory[0]: requests prefilled before this cycle; memory[1]: the last batch decoded.
    in_cycle = view[E.PREFILLED] - memory[0]
    # Line 9: the cycle ends once its decodes have; or at once, after n requests without a token to decode.
    if view[E.DECODING] == 0 and (memory[1] == 1 or (in_cycle == n and view[E.WAITING] > 0)):
        memory[0] = view[E.PREFILLED]
        in_cycle = 0
    if view[E.DECODING] == t_col or view[E.WAITING] == 0 or in_cycle == n:  # line 6
        decision[E.CHUNK] = 0  # line 7: one decode iteration of every request in D
        memory[1] = min(view[E.DECODING], 1)
    else:
        take[0] = 0
        decision[E.CHUNK] = t_lcm  # lines 11-16: the oldest request, chunk by chunk
        decision[E.PIECES] = 1
        memory[1] = 0
