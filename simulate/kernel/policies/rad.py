"""RAD of the tiling paper, Algorithm 1: cycles of prefills in chunks of t_lcm, then decodes of t_col requests.

Parameters n (prefills a cycle at most), t_col and t_lcm = LCM(t_row, t_col, t_red).
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    par = engine.policy_parameters
    n, t_col, t_lcm = par[0], par[1], par[2]
    # memory[0]: requests prefilled before this cycle; memory[1]: the last batch decoded.
    in_cycle = s.seen[E.PREFILLED] - s.memory[0]
    # Line 9: the cycle ends once its decodes have; or at once, after n requests without a token to decode.
    if s.seen[E.DECODING] == 0 and (s.memory[1] == 1 or (in_cycle == n and s.seen[E.WAITING] > 0)):
        s.memory[0] = s.seen[E.PREFILLED]
        in_cycle = 0
    if s.seen[E.DECODING] == t_col or s.seen[E.WAITING] == 0 or in_cycle == n:  # line 6
        s.decision[E.CHUNK] = 0  # line 7: one decode iteration of every request in D
        s.memory[1] = min(s.seen[E.DECODING], 1)
    else:
        s.take[0] = 0
        s.decision[E.CHUNK] = t_lcm  # lines 11-16: the oldest request, chunk by chunk
        s.decision[E.PIECES] = 1
        s.memory[1] = 0


POLICY = Policy("rad", decide, whole=("n", "t_col", "t_lcm"))
