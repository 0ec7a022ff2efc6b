"""The work that searches have done, counted: seconds would let the speed of a machine decide what is found.

Budgets and deadlines are in seconds of an ordinary core, ``SECOND`` of this count each; that of one statement depends
on nothing but what was done for it.
"""

from __future__ import annotations

import math
import threading

# Microseconds that one of each takes on an ordinary core, roughly: fitted to the searches for the proofs of a corpus;
# those in the third line to the searches for counterexamples and witnesses, in the last to those for fluid paths.
COSTS = {"rule": 50, "fact": 40, "combiner": 30, "column": 20, "entry": 10, "program": 3000, "form": 100, "value": 10,
         "quadrature": 2000, "part": 2000, "sympy": 100_000,
         "array": 1, "batch": 200, "layout": 120, "enclosed": 8,
         "visit": 7}
SECOND = 1_000_000
_work = 0
_limit = math.inf


class OutOfTime(BaseException):
    """The search ran past its budget and was stopped; no ``except Exception`` of a tactic may swallow this."""


def spend(kind: str, amount: int = 1) -> None:
    global _work
    _work += COSTS[kind] * amount
    if _work > _limit:
        _stop()


def spend_again(work: int) -> None:
    """What was done before and kept costs as much as if it were done now: a search may not depend on those before."""
    global _work
    _work += work
    if _work > _limit:
        _stop()


def _stop() -> None:
    if threading.current_thread() is threading.main_thread():  # the limit is that of what it runs
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


def limit(deadline: float) -> float:
    """From now on, in the main thread, what goes on beyond the deadline is stopped; the limit before."""
    global _limit
    before, _limit = _limit, deadline
    return before


__all__ = ["SECOND", "OutOfTime", "after", "left", "limit", "spend", "spend_again", "spent"]
