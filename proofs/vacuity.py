"""Can a statement's conditions and guards be met at all?  A search: it can only take the word ``proved`` away."""

from __future__ import annotations

import math
from contextlib import suppress

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.stopping import OutOfTime, limited

STOPPED = 1.5  # times its share of the budget, where a look at the conditions forgets it
_looked: dict[tuple[tuple[Node, ...], tuple[Node, ...], float], str | None] = {}
KEPT = 500  # statements of one section share their conditions


def why_vacuous(statement: Statement, budget: float) -> str | None:
    """Why nothing meets the conditions, or a guard in the goal under them; None where that is not proved within so
    many seconds of work."""
    from qtheory.proofs.vacuous import vacuous

    rounded = 2.0 ** math.floor(math.log2(budget))  # so that what was looked at as long is not looked at again
    key = statement.hypotheses, statement.owed, rounded
    if key not in _looked:
        if len(_looked) == KEPT:
            _looked.clear()
        _looked[key] = None
        with suppress(Exception, OutOfTime), limited(STOPPED * rounded):  # a search that fails has found nothing
            _looked[key] = vacuous(statement, after(rounded))
    return _looked[key]


def met(statement: Statement, budget: float) -> bool:
    """Is a point known that meets the conditions and the guards?"""
    from qtheory.proofs.tactics.refute import witness

    with suppress(Exception, OutOfTime), limited(STOPPED * budget):
        return not statement.owed or witness(statement, after(budget)) is not None
    return False
