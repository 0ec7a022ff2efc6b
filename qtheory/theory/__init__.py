"""The theory, a module a subject, each a set of symbolic functions with numeric twins."""

from qtheory.theory import (
    capacity,
    crossover,
    fluid,
    increasing_hazard,
    lyapunov,
    memory,
    stability,
    threshold,
    waiting,
)

__all__ = [
    "capacity", "crossover", "fluid", "increasing_hazard", "lyapunov", "memory", "stability", "threshold", "waiting",
]
