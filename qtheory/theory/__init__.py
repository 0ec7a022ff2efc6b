"""The theory, a module a subject, each a set of symbolic functions with numeric twins."""

from qtheory.theory import crossover, increasing_hazard, memory, threshold

__all__ = ["crossover", "increasing_hazard", "memory", "threshold"]
