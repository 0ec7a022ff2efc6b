"""The theory, a module a subject, each a set of symbolic functions with numeric twins."""

from qtheory.theory import threshold

__all__ = ["threshold"]
