"""Algorithm 2 of the tiling paper, Appendix D: a cycle prefills up to n requests, then decodes them t_col at a time.

Its lines 4-13 prefill in chunks of t_lcm, oldest first, one request a batch, with the requests that arrive meanwhile;
lines 14-20 decode the t_col oldest, and who ends is replaced, until all have ended. "The first output token of a
request is only produced when it has been moved to the active decode set": TTFT ends with the first decode iteration.
Parameters n, t_col and t_lcm = LCM(t_row, t_col, t_red).
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
    # memory[0]: requests prefilled before this cycle; memory[1]: it decodes.
    if s.memory[1] == 1 and s.seen[E.DECODING] == 0:
        s.memory[0] = s.seen[E.PREFILLED]  # line 3
        s.memory[1] = 0
    if s.memory[1] == 0 and (s.seen[E.WAITING] == 0 or s.seen[E.PREFILLED] - s.memory[0] >= n):  # line 4
        s.memory[1] = min(s.seen[E.DECODING], 1)
    if s.memory[1] == 0:
        s.take[0] = 0
        s.decision[E.CHUNK] = t_lcm  # lines 5-10
        s.decision[E.PIECES] = 1
    else:
        s.take[0] = t_col  # lines 15 and 19
        s.decision[E.CHUNK] = 0
        s.decision[E.WATCH] = 0


POLICY = Policy(
    "cycles", decide, whole=("n", "t_col", "t_lcm"), arrays=lambda engine: {"late_first": 1}
)
