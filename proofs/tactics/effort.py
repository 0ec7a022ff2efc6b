"""The work that searches have done, counted: seconds would let the speed of a machine decide what is proved."""

from __future__ import annotations

# Microseconds that one of each takes on an ordinary core, roughly: fitted to the searches for the proofs of a corpus.
# A second of work is a million of them.
COSTS = {"rule": 50, "fact": 40, "combiner": 30, "column": 20, "entry": 10, "program": 3000, "form": 100, "value": 10,
         "quadrature": 2000, "part": 2000, "sympy": 100_000}
SECOND = 1_000_000
_work = 0


def spend(kind: str, amount: int = 1) -> None:
    global _work
    _work += COSTS[kind] * amount


def spend_again(work: int) -> None:
    """What was done before and kept costs as much as if it were done now: a search may not depend on those before."""
    global _work
    _work += work


def spent() -> int:
    """The work so far in this process: the difference of two values depends on nothing but what was done between."""
    return _work


__all__ = ["SECOND", "spend", "spend_again", "spent"]
