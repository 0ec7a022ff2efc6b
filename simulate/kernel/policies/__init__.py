"""Scheduling policies: one file each, pure functions of (parameters, view, own memory) that write a decision.

``decide`` dispatches by number; the numbers are part of scenarios' hashes and never change.
"""

from __future__ import annotations

from qtheory.simulate.kernel import control
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.policies import eb_plus
from qtheory.simulate.kernel.policies.cycles import decide as _cycles
from qtheory.simulate.kernel.policies.distserve import decide as _distserve
from qtheory.simulate.kernel.policies.eb import decide as _eb
from qtheory.simulate.kernel.policies.eb_adaptive import decide as _eb_adaptive
from qtheory.simulate.kernel.policies.eb_plus import decide as _eb_plus
from qtheory.simulate.kernel.policies.faster_transformer import decide as _faster_transformer
from qtheory.simulate.kernel.policies.fcfs_memory import decide as _fcfs_memory
from qtheory.simulate.kernel.policies.kp_kd import decide as _kp_kd
from qtheory.simulate.kernel.policies.mixed import decide as _mixed
from qtheory.simulate.kernel.policies.nested_wait import decide as _nested_wait
from qtheory.simulate.kernel.policies.orca import decide as _orca
from qtheory.simulate.kernel.policies.rad import decide as _rad
from qtheory.simulate.kernel.policies.request_level import decide as _request_level
from qtheory.simulate.kernel.policies.sarathi import decide as _sarathi
from qtheory.simulate.kernel.policies.slai import decide as _slai
from qtheory.simulate.kernel.policies.vllm import decide as _vllm
from qtheory.simulate.kernel.policies.wait import decide as _wait

# name: (number, names of the whole-number parameters in order)
POLICIES: dict[str, tuple[int, tuple[str, ...]]] = {
    "faster-transformer": (0, ("budget",)),
    "vllm": (1, ("budget",)),
    "orca": (2, ("budget",)),
    "sarathi": (3, ("budget",)),
    "kp-kd-fcfs": (4, ("budget", "k_p", "k_d")),
    "request-level": (5, ("batch",)),
    "rad": (6, ("n", "t_col", "t_lcm")),
    "eb": (7, ("k",)),
    "fcfs-memory": (8, ()),
    "wait": (9, ("thresholds",)),
    "mixed": (10, ("budget",)),
    "nested-wait": (11, ("thresholds", "ends")),
    "eb-adaptive": (12, control.WHOLE),
    "eb-plus": (13, eb_plus.WHOLE),
    "cycles": (20, ("n", "t_col", "t_lcm")),
    "slai": (21, ("budget", "decode_limit")),
    "slai-dynamic": (22, ("budget", "decode_limit")),
    "distserve": (23, ("prefill_nodes",)),
}
# names of a policy's real parameters in order, where it has any
REALS: dict[str, tuple[str, ...]] = {
    "eb-adaptive": control.REAL,
    "eb-plus": eb_plus.REAL,
    "slai": ("offset",),
    "slai-dynamic": ("offset", "offset_full", "full"),
    "distserve": ("transfer", "transfer_per_token"),
}


@inlined
def decide(engine: Engine, s: EngineState) -> None:
    """Let the engine's policy write its decision into ``s.decision``, ``s.take`` and ``s.prompts``."""
    policy, par = engine.policy, engine.policy_parameters
    if policy == 0:
        _faster_transformer(par, s.seen, s.memory, s.decision)
    elif policy == 1:
        _vllm(par, s.seen, s.memory, s.decision)
    elif policy == 2:
        _orca(par, s.seen, s.memory, s.decision)
    elif policy == 3:
        _sarathi(par, s.seen, s.memory, s.decision)
    elif policy == 4:
        _kp_kd(par, s.seen, s.memory, s.decision, s.take)
    elif policy == 5:
        _request_level(par, s.seen, s.memory, s.decision, s.take)
    elif policy == 6:
        _rad(par, s.seen, s.memory, s.decision, s.take)
    elif policy == 7:
        _eb(par, s.seen, s.memory, s.decision, s.take)
    elif policy == 8:
        _fcfs_memory(par, s.seen, s.memory, s.decision)
    elif policy == 9:
        _wait(par, s.decision, s.take, s.prompts, s.waiting)
    elif policy == 10:
        _mixed(par, s.seen, s.memory, s.decision)
    elif policy == 11:
        _nested_wait(par, s.decision, s.take, s.prompts, s.waiting, s.decoding, s.active)
    elif policy == 12:
        _eb_adaptive(engine, s)
    elif policy == 13:
        _eb_plus(engine, s)
    elif policy == 20:
        _cycles(par, s.seen, s.memory, s.decision, s.take)
    elif policy == 21 or policy == 22:
        _slai(engine, s)
    else:
        _distserve(s.decision)


@compiled
def observe(engine: Engine, s: EngineState) -> None:
    """Let the engine's policy see that a request is complete: its lengths are the last in ``s.observed``."""
    control.complete(engine, s)
