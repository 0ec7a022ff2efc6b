"""Fleets of GPUs: clusters that mix prefill and decode by a plan, on two levels, and engines behind a router.

:class:`FleetChain` counts requests alone; :class:`GPUFleet` tells the GPUs apart. Both run the policies of
:mod:`qtheory.theory.planning.policies` in the model of "Large-Scale LLM Inference with Heterogeneous Workloads:
Prefill-Decode Contention and Asymptotically Optimal Control" (arXiv:2602.02987v1), Section 2.3. :class:`RoutedFleet`
sends each request to one of many engines by what it sees of them.
"""

from qtheory.simulate.fleet.chain import FleetChain, FleetRun, replicate_chain
from qtheory.simulate.fleet.gpus import GPUFleet, GPURun
from qtheory.simulate.fleet.routing import Prefixes, RoutedFleet, RoutedRun

__all__ = ["FleetChain", "FleetRun", "GPUFleet", "GPURun", "Prefixes", "RoutedFleet", "RoutedRun", "replicate_chain"]
