"""Clusters of GPUs that mix prefill and decode by a plan, on two levels.

:class:`FleetChain` counts requests alone; :class:`GPUFleet` tells the GPUs apart. Both run the policies of
:mod:`qtheory.theory.planning.policies` in the model of "Large-Scale LLM Inference with Heterogeneous Workloads:
Prefill-Decode Contention and Asymptotically Optimal Control" (arXiv:2602.02987v1), Section 2.3.
"""

from qtheory.simulate.fleet.chain import FleetChain, FleetRun
from qtheory.simulate.fleet.gpus import GPUFleet, GPURun

__all__ = ["FleetChain", "FleetRun", "GPUFleet", "GPURun"]
