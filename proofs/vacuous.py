"""Statements that say nothing: their conditions, or a guard in their goal, are met by nothing.

A search: it can only take the word ``proved`` away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    evidently_defined,
    free,
    neg_term,
    negate,
    substitute,
)
from qtheory.proofs.printing import term_text
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.interpretations import met_by
from qtheory.proofs.tactics.refute import meeting, witness
from qtheory.proofs.tactics.solve import Prover
from qtheory.proofs.tactics.stopping import OutOfTime, limited

NOTHING: Node = (">", ZERO)
SHORT = 0.3  # seconds for one attempt
STOPPED = 1.5  # times its share of the budget, where a look at the conditions forgets it
_looked: dict[tuple[tuple[Node, ...], tuple[Node, ...], float], str | None] = {}
KEPT = 500  # statements of one section share their conditions


def why_vacuous(statement: Statement, budget: float) -> str | None:
    """Why nothing meets the conditions, or a guard in the goal under them; None where that is not proved within so
    many seconds of work."""
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
    with suppress(Exception, OutOfTime), limited(STOPPED * budget):
        return not statement.owed or witness(statement, after(budget)) is not None or met_by(statement)[1] is not None
    return False


def vacuous(statement: Statement, deadline: float) -> str | None:
    """Why the statement says nothing, in a line: its conditions contradict each other, or they and a guard of its goal
    do.  None where that is not proved before the deadline."""
    alone = Statement("0 < 1", statement.where, statement.let).owed
    if any(is_contradictory(formula, deadline) for formula in alone):
        return f"the conditions contradict each other: {', '.join(statement.where)}"
    for formula in statement.owed:
        if formula not in alone and is_contradictory(formula, deadline):
            under = f" under the conditions {', '.join(statement.where)}" if statement.where else ""
            return f"nothing meets the guard {term_text(guard_of(formula))} of the goal{under}"
    return None


def guard_of(formula: Node) -> Node:
    """What the last part of the conjunction within the existential closure says of some values."""
    while formula[0] == "ex":
        formula = formula[2]
    guard = formula[-1]
    while guard[0] == "ex":
        guard = guard[2]
    return guard


def is_contradictory(formula: Node, deadline: float) -> bool:
    with suppress(Stuck, KernelError, RecursionError):
        return left(deadline) > 0 and contradictory(opened(formula), deadline)
    return False


def opened(formula: Node) -> list[Node]:
    """What a closed formula says of some values of fresh variables."""
    found: list[Node] = []
    waiting = [formula]
    while waiting:
        phi = waiting.pop(0)
        if phi[0] == "ex":
            waiting.insert(0, substitute(phi[2], phi[1], fresh(phi[1].rstrip("'"), *found, *waiting, phi)))
        elif phi[0] == "and":
            waiting = [*phi[1:], *waiting]
        else:
            found.append(phi)
    return found


def contradictory(formulas: Sequence[Node], deadline: float) -> bool:
    """Is it proved, by the kernel's rules, that nothing meets all of the formulas?"""
    false = (negate(phi) for phi in formulas if not free(phi))
    return any(undefined(phi, deadline) for phi in formulas) or any(
        meeting(phi, min(deadline, after(SHORT))) is not None for phi in false) or any(
        step.concl == NOTHING and step.hyps <= set(formulas) for step in attempts(formulas, deadline))


def undefined(formula: Node, deadline: float) -> bool:
    """Has a term without variables, which the formula says to have a value, none?"""
    closed = (s for s in evidently_defined(formula) if isinstance(s, tuple) and not free(s))
    return any(meeting(("undef", s), min(deadline, after(SHORT))) is not None for s in closed)


def attempts(formulas: Sequence[Node], deadline: float) -> Iterator[Step]:
    """Proofs of 0 > 0: from all of them; and from one, the opposite of which the others give."""
    def prover() -> Prover:
        return Prover(max(0.05, min(SHORT, left(deadline))))

    for phi in formulas:  # the term is 0 whatever the variables are, as in x < x
        with suppress(Stuck, KernelError):
            if phi[0] == ">":
                yield apply("combine", NOTHING, (hyp(phi),), ((ONE, ((0, 1),), ()),))
    facts = [*map(hyp, formulas), *instances(formulas, prover())]
    for prove in (Prover.no_solution, lambda p, goal, facts: p.solve_with(goal, facts, [], 3)):
        with suppress(Stuck, KernelError):
            yield prove(prover(), NOTHING, facts)
    for phi in formulas:
        if phi[0] not in RELATIONS or left(deadline) <= 0:
            continue
        with suppress(Stuck, KernelError):
            relation, term = phi
            opposite = {">": (">=", neg_term(term)), ">=": (">", neg_term(term)), "=": ("!=", term), "!=": ("=", term)}
            others = [f for f in facts if f.concl != phi]
            value = apply("defined", term, (hyp(phi),))
            step = prover().solve_with(opposite[relation], [*others, value], [], 4)
            yield clash(phi, step)


def clash(phi: Node, step: Step) -> Step:
    """0 > 0 from a comparison and its opposite."""
    if phi[0] in (">", ">="):
        return apply("combine", NOTHING, (hyp(phi), step), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    equation, unequal = (hyp(phi), step) if phi[0] == "=" else (step, hyp(phi))
    square = apply("combine", (">", ("*", phi[1], phi[1])), (unequal,), ((ONE, ((0, 2),), ()),))
    return apply("combine", NOTHING, (square, equation), ((ONE, ((0, 1),), ()), (MINUS, ((1, 2),), ())))


def instances(formulas: Sequence[Node], prover: Prover) -> list[Step]:
    """What universal ones among them say at numbers and at the variables and their neighbours."""
    facts = [hyp(phi) for phi in formulas]
    names = sorted(free(("and", *formulas)))
    terms: list[Node] = [ZERO, ONE, MINUS, *names, *(("+", v, c) for v in names[:4] for c in (ONE, MINUS))]
    out: list[Step] = []
    for phi in (phi for phi in facts if phi.concl[0] == "all"):
        for t in terms:
            with suppress(Stuck, KernelError):
                step = apply("all_elim", phi, t, ())
                if step.concl[0] == "imp":
                    step = apply("imp_elim", step, prover.premise(step.concl[1], facts))
                out += parts(step)
    return out


__all__ = ["met", "vacuous", "why_vacuous"]
