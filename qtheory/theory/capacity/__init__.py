"""What one engine can serve: critical rates of schedulers, and the tiling paper's law with what follows from it.

Sources: the schedulers' papers (`rates`); "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice"
(`tiles`, `requests`, `chunking`, `draining`).

>>> law = TileLaw.of_rates(A100[1], MISTRAL_7B, flops=312e12, bandwidth=2.039e12)
>>> law.chunks(131072).chunks[:3], len(law.chunks(131072).chunks)
((256, 256, 256), 512)
"""

from qtheory.theory.capacity.chunking import Chunking
from qtheory.theory.capacity.draining import Drained, Request, least_seconds, shortest_drain
from qtheory.theory.capacity.rates import (
    joint_thresholds,
    longest_of_geometric,
    request_level,
    slots_refilled,
    work_conserving,
)
from qtheory.theory.capacity.requests import (
    Means,
    cycle_length,
    means,
    request_time,
    stable_below,
    worst_time,
)
from qtheory.theory.capacity.tiles import A100, MISTRAL_7B, Decoder, Tile, TileLaw

__all__ = [
    "A100", "MISTRAL_7B", "Chunking", "Decoder", "Drained", "Means", "Request", "Tile", "TileLaw", "cycle_length",
    "joint_thresholds", "least_seconds", "longest_of_geometric", "means", "request_level", "request_time",
    "shortest_drain", "slots_refilled", "stable_below", "work_conserving", "worst_time",
]
