"""The kernel's enclosures of terms, with the work that they take."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from qtheory.proofs.kernel.balls import Interval, enclose
from qtheory.proofs.kernel.terms import KernelError, Node, integer, minus
from qtheory.proofs.tactics.effort import spend

FUNCTION = 15  # numbers that the value of a function counts as
INNER = 30  # summands of a sum whose ends depend on the place


def enclosed(term: Node, box: Mapping[str, Interval], bits: int) -> Interval:
    """An interval with the term's values over the box.  KernelError where the kernel gives none."""
    spend("enclosed", _numbers(term) * (1 + bits // 512))
    return enclose(term, dict(box), bits)


@lru_cache(maxsize=5_000)
def _numbers(term: Node) -> int:
    """How many numbers an enclosure computes, roughly; the value of a function takes as long as several."""
    def count(t: Node) -> int:
        if not isinstance(t, tuple):
            return 1
        if t[0] != "sum":
            return (1 if t[0] in ("+", "*") or (t[0] == "^" and integer(t[2])) else FUNCTION) + sum(map(count, t[1:]))
        try:
            summands = int(enclose(minus(t[3], t[2]), {}, 64)[1]) + 1
        except KernelError:  # ends that depend on the place
            summands = INNER
        return max(1, summands) * count(t[4])

    return count(term)


__all__ = ["enclosed"]
