"""Tactic: what holds of each index, from what the conditions say of each index; and cases, if told which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, hyp, parts
from qtheory.proofs.tactics.logic import by_cases_at_once
from qtheory.proofs.tactics.prover import ORDINARY


def pointwise(statement: Statement, budget: float, split: Iterable[Node] = ()) -> dict[str, Any]:
    """A certificate of ``ForAll(i, G, A)`` from conditions ``ForAll(i, G, B)`` with the same guard, and from others.

    The prover looks at universal facts where an atom asks for it, and at their atoms alone; here each is taken at i
    first, so that its disjunctions are cases, as the signs of the terms in ``split`` are. A goal that is not about each
    index is proved in these cases. Stuck if nothing is found.
    """
    goal = statement.conclusion
    each = goal[0] == "all" and goal[2][0] == "imp"
    i, guard, claim = (goal[1], *goal[2][1:]) if each else ("", None, goal)
    if any(i in free(h) for h in statement.hypotheses):
        raise Stuck(f"the conditions speak of {i}")
    known: list[Step] = parts(hyp(guard)) if each else []
    for h in statement.hypotheses:
        if each and h[0] == "all" and h[2][0] == "imp" and substitute(h[2][1], h[1], i) == guard:
            known += parts(apply("imp_elim", apply("all_elim", hyp(h), i, ()), hyp(guard)))
        else:
            known.append(hyp(h))
    try:
        known += [apply("trichotomy", t, tuple(known)) for t in split]
        step = by_cases_at_once(ORDINARY.search(budget), claim, known, 6)
        for fact in known:  # a case of a disjunction is assumed; what the disjunction rests on is here
            if fact.concl in step.hyps and fact.concl not in statement.hypotheses and fact.concl != guard:
                step = apply("cut", fact, step)
        main = apply("all_intro", i, apply("imp_intro", guard, step)) if each else step
    except KernelError as error:
        raise Stuck(str(error)) from None
    return certificate(statement, "proved", main)
