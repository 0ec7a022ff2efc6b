"""EB+ of the exclusive-batching paper, Section 3.5: exclusive batches where rule (8) says so, else mixed ones.

"The system executes an exclusive batch (EB) when" the mixed batch's marginal cost at the estimated decode ratio
exceeds that of exclusive batching by more than the right-hand side of (8), "and defaults to MB otherwise"; also
before the controller's first estimate. N_obs, the "EMA-smoothed active batch occupancy", averages the number of
decoding requests over the iterations with the weight ``smoothing``; the marginal cost of a mixed batch is
c0 + c1 r + c2 r^2 (Appendix A.4). Mixed batches hold as many requests as the engine has slots.
"""

from __future__ import annotations

from qtheory.simulate.kernel import control
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.policy import Policy

BUDGET = len(control.WHOLE)
BETA_P, ALPHA_MB, C0, C1, C2, DELTA, SMOOTHING = range(len(control.REAL), len(control.REAL) + 7)
WHOLE = (*control.WHOLE, "budget")
REAL = (*control.REAL, "beta_p", "alpha_mb", "c0", "c1", "c2", "delta", "smoothing")

ITERATIONS, OCCUPANCY = 4, 5  # memory: iterations when last asked, requests decoding then
N_OBS = 4  # memory_reals
LOOK_AHEAD = 32  # iterations for which a decision stands at most


@inlined
def _exclusive_pays(engine: Engine, s: EngineState, n_obs: float) -> bool:
    """Rule (8), multiplied by N_obs > 0."""
    real, now = engine.policy_reals, s.memory_reals
    mu_l, mu_o = now[control.MU_L], now[control.MU_O]
    if mu_o == 0.0:
        return False
    r = mu_o / (mu_l + mu_o)
    mixed = real[C0] + real[C1] * r + real[C2] * r * r
    apart = (real[BETA_P] * mu_l + real[control.BETA_D] * mu_o) / (mu_l + mu_o)
    fixed = (real[control.ALPHA_P] + real[control.ALPHA_D] * now[control.ZETA] * mu_o) / now[control.THETA0]
    saved = (fixed - real[ALPHA_MB] * (1.0 + mu_o)) / (mu_l + mu_o)
    return bool((mixed - apart - real[DELTA]) * n_obs > saved)


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    control.start(engine, s)
    a = engine.policy_reals[SMOOTHING]
    n_obs = s.memory_reals[N_OBS]
    for _ in range(s.integers[E.TOTAL_ITERATIONS] - s.memory[ITERATIONS]):
        n_obs += a * (s.memory[OCCUPANCY] - n_obs)
    s.memory[ITERATIONS] = s.integers[E.TOTAL_ITERATIONS]
    s.memory[OCCUPANCY] = s.seen[E.DECODING]
    s.memory_reals[N_OBS] = n_obs
    pays = _exclusive_pays(engine, s, n_obs)
    if pays:
        control.exclusive(engine, s)
    else:
        s.decision[E.TOTAL] = engine.policy_parameters[BUDGET]
    # The occupancy stands still while nothing happens, and the average moves: the decision stands until it turns.
    n = 0
    while n < LOOK_AHEAD and _exclusive_pays(engine, s, n_obs) == pays:
        n_obs += a * (s.memory[OCCUPANCY] - n_obs)
        n += 1
    s.decision[E.REPEAT] = n


POLICY = Policy("eb-plus", decide, WHOLE, REAL, lacks=control.lacks, observe=control.complete)
