"""Clusters of GPUs that mix prefill and decode, under the policies of :mod:`qtheory.theory.planning.policies`.

Source: "Large-Scale LLM Inference with Heterogeneous Workloads: Prefill-Decode Contention and Asymptotically Optimal
Control" (arXiv:2602.02987v1), Section 2.3.
"""

from qtheory.simulate.fleet.chain import FleetChain, FleetRun, replicate_chain

__all__ = ["FleetChain", "FleetRun", "replicate_chain"]
