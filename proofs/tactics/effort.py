"""The work that searches have done, counted: seconds would let the speed of a machine decide what is found.

Budgets and deadlines are in seconds of an ordinary core, ``SECOND`` of this count each; that of one statement depends
on nothing but what was done for it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Microseconds that one of each takes on an ordinary core, roughly, fitted to the searches of a corpus
COSTS = {
    # for proofs
    "rule": 50, "fact": 40, "combiner": 30, "column": 20, "entry": 10, "program": 3000, "form": 100, "value": 10,
    "quadrature": 2000, "summand": 2, "compared": 1, "monomial": 25, "part": 2000, "sympy": 100_000,
    # for counterexamples and witnesses; enclosures serve proofs too
    "array": 1, "batch": 200, "layout": 120, "enclosed": 8,
    # for decisions about networks: a visit in a fluid path, a pattern of one, a push start, the check of a proof
    "visit": 7, "pattern": 1000, "start": 250, "checked": 7000,
    # for their simulations: a thousand events, or of events whose rates are sums a thousand summands; and before each
    # replication a visit, a million of the cube of their number (linear equations), and the law of a length in tokens
    "events": 200, "summands": 11, "station": 60, "equations": 120, "length": 600}
SECOND = 1_000_000
_work = 0
_limit = math.inf


class OutOfTime(BaseException):
    """The search ran past its budget and was stopped; no ``except Exception`` of a tactic may swallow this."""


def spend(kind: str, amount: int = 1) -> None:
    spend_again(COSTS[kind] * amount)


def spend_again(work: int) -> None:
    """What was done before and kept costs as much as if it were done now: a search may not depend on those before."""
    global _work
    _work += work
    if _work > _limit and threading.current_thread() is threading.main_thread():  # the limit is that of what it runs
        raise OutOfTime


def spent() -> int:
    """The work so far in this process: the difference of two values depends on nothing but what was done between."""
    return _work


def after(seconds: float) -> float:
    """The deadline that many seconds of work from now."""
    return _work + seconds * SECOND


def left(deadline: float) -> float:
    """Seconds of work until the deadline."""
    return (deadline - _work) / SECOND


@contextmanager
def until(deadline: float) -> Iterator[None]:
    """What goes on beyond the deadline is stopped, or beyond an earlier one that was set before; in the main thread."""
    global _limit
    before, _limit = _limit, min(_limit, deadline)
    try:
        yield
    finally:
        _limit = before


__all__ = ["SECOND", "OutOfTime", "after", "left", "spend", "spend_again", "spent", "until"]
