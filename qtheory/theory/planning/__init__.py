"""Planning a cluster of GPUs: the fluid model's steady-state programs, solved exactly, with prices and frontiers.

Source: "Large-Scale LLM Inference with Heterogeneous Workloads: Prefill-Decode Contention and Asymptotically Optimal
Control" (arXiv:2602.02987v1).

>>> from qtheory.theory.planning import plan, two_class_instance
>>> found = plan(two_class_instance(), "separate")
>>> f"{float(found.value):.4f} $/s a GPU, {found.mixed_gpus(200)} of 200 GPUs take prefills"
'298.5866 $/s a GPU, 43 of 200 GPUs take prefills'
"""

from qtheory.theory.planning.instance import (
    Instance,
    IterationTimes,
    Prices,
    RequestClass,
    eight_class_instance,
    two_class_instance,
)
from qtheory.theory.planning.levels import DecodeFairness, PrefillFairness, ServiceLevel, TokenTime
from qtheory.theory.planning.plan import Plan, frontier, plan
from qtheory.theory.planning.policies import POLICIES, Policy
from qtheory.theory.planning.programs import CHARGING, steady_state

__all__ = [
    "CHARGING", "POLICIES", "DecodeFairness", "Instance", "IterationTimes", "Plan", "Policy", "PrefillFairness",
    "Prices", "RequestClass", "ServiceLevel", "TokenTime", "eight_class_instance", "frontier", "plan", "steady_state",
    "two_class_instance",
]
