"""WAIT and Nested WAIT: fluid equilibrium, admissible thresholds, queues, memory, and thresholds with a guarantee.

Source: "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints" (16 April 2025).

>>> from qtheory.models.laws import MemoryLinearLaw
>>> types = request_types([4, 2], 20, [10, 30])
>>> law = MemoryLinearLaw(d0=0.02, d1=1e-6)
>>> wait_rule(types, law).thresholds
(1, 1)
"""

from qtheory.theory.waiting.equilibrium import Equilibrium, equilibrium, largest_scale, over_time
from qtheory.theory.waiting.measured import Measured
from qtheory.theory.waiting.queues import (
    Arrivals,
    QueueLaw,
    kingman,
    lindley_law,
    martingale_tail,
    reaches,
    reaches_bound,
)
from qtheory.theory.waiting.requests import RequestType, of_workload, request_types, total_work
from qtheory.theory.waiting.requirement import Parts, Requirement, most_batches, printed, requirement
from qtheory.theory.waiting.roots import binomial_roots, enclosure, poisson_roots, root_bounds
from qtheory.theory.waiting.rule import Guarantee, at_all_times, nested_rule, wait_rule
from qtheory.theory.waiting.segments import Segments, segments
from qtheory.theory.waiting.thresholds import Conflict, System, cheapest, conflict, nested_system, wait_system

__all__ = [
    "Arrivals", "Conflict", "Equilibrium", "Guarantee", "Measured", "Parts", "QueueLaw", "RequestType",
    "Requirement", "Segments", "System", "at_all_times", "binomial_roots", "cheapest", "conflict", "enclosure",
    "equilibrium", "kingman", "largest_scale", "lindley_law", "martingale_tail", "most_batches", "nested_rule",
    "nested_system", "of_workload", "over_time", "poisson_roots", "printed", "reaches", "reaches_bound",
    "request_types", "requirement", "root_bounds", "segments", "total_work", "wait_rule", "wait_system",
]
