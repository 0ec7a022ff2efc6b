"""Can a statement's conditions be met at all?  A search: what it finds can only take the word ``proved`` away."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import lru_cache

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import ZERO, Node, evidently_defined, free, minus, negate
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.stopping import OutOfTime, limited

STOPPED = 1.5  # times its share of the budget, where a look at the conditions forgets it


def contradictory(statement: Statement, budget: float) -> bool:
    """Is it proved, within so many seconds of work, that nothing meets the conditions, or one of the guards within
    the goal under them?"""
    rounded = 2.0 ** math.floor(math.log2(budget))  # so that what was looked at as long is not looked at again
    return _contradictory(statement.hypotheses, statement.owed, rounded)


@lru_cache(maxsize=500)  # statements of one section share their conditions
def _contradictory(hypotheses: tuple[Node, ...], owed: tuple[Node, ...], budget: float) -> bool:
    deadline = after(budget)
    for term in sorted({s for h in hypotheses for s in evidently_defined(h) if isinstance(s, tuple)}, key=str):
        if not free(term) and _found((), ("def", term), 0.5) == "refuted":
            return True
    goals = [(hypotheses, (">", ZERO)), *(((), negate(formula)) for formula in owed)]
    for h in hypotheses:  # that its term has a value is part of a condition, so its opposite may use it
        if h[0] in (">", ">=", "=", "!="):
            rest = tuple(g for g in hypotheses if g != h)
            goals.append(((*rest, ("=", minus(h[1], h[1]))), negate(h)[2]))
    return any(left(deadline) > 0 and _found(given, goal, left(deadline)) == "proved" for given, goal in goals)


def _found(hypotheses: tuple[Node, ...], goal: Node, budget: float) -> str:
    """What the search says of the formula, from the others."""
    from qtheory.proofs.tactics.search import search

    asked = Statement("0 > 0")
    asked.__dict__["formulas"] = hypotheses, goal  # formulas, which need no texts: no certificate is made of them
    with suppress(Exception, OutOfTime), limited(STOPPED * budget):  # a search that fails has found nothing
        return search(asked, budget=budget, reread=False).verdict
    return "unknown"


def met(statement: Statement, budget: float) -> bool:
    """Is a point known that meets the conditions?"""
    from qtheory.proofs.tactics.refute import witness

    with suppress(Exception, OutOfTime), limited(STOPPED * budget):
        return not statement.owed or witness(statement, after(budget)) is not None
    return False
