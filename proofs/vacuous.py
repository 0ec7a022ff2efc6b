"""Statements that say nothing: their conditions, or a guard in their goal, are met by nothing.

A search: it can only take the word ``proved`` away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    evidently_defined,
    free,
    minus,
    neg_term,
    negate,
    substitute,
)
from qtheory.proofs.plain import term_text
from qtheory.proofs.tactics.applied import premise
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.conditions import conditions_of
from qtheory.proofs.tactics.definedness import with_signs
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.elimination import layout
from qtheory.proofs.tactics.interpretations import met_by
from qtheory.proofs.tactics.logic import solve_with
from qtheory.proofs.tactics.prover import ORDINARY, THOROUGH
from qtheory.proofs.tactics.refute import meeting, witness
from qtheory.proofs.tactics.state import Prover, Search
from qtheory.proofs.tactics.stopping import OutOfTime, limited
from qtheory.proofs.tactics.whole_numbers import no_solution

NOTHING: Node = (">", ZERO)
SHORT = 0.3  # seconds for one attempt
STOPPED = 1.5  # times its share of the budget, where a look at the conditions forgets it
KEPT = 500  # statements of one section share their conditions
TOLD, WIDE = 30, 40  # of what a proof says on its way, facts that are looked at; integers that are gone through
Said = Sequence[tuple[frozenset[Node], Node]]  # what follows from hypotheses, and these
_looked: dict[tuple[tuple[Node, ...], tuple[Node, ...], frozenset[Node], float], str | None] = {}


def why_vacuous(statement: Statement, budget: float, said: Said = ()) -> str | None:
    """Why nothing meets the conditions, or a guard in the goal under them; None where that is not proved within so
    many seconds of work.  ``said``: the theorems of a proof of the statement, which may have gone through what cannot
    be: where its conditions contradict each other, a proof that was told how says so on its way."""
    rounded = 2.0 ** math.floor(math.log2(budget))  # so that what was looked at as long is not looked at again
    key = statement.hypotheses, statement.owed, frozenset(concl for _, concl in said), rounded
    if key not in _looked:
        if len(_looked) == KEPT:
            _looked.clear()
        _looked[key] = None
        with suppress(Exception, OutOfTime), limited(STOPPED * rounded):  # a search that fails has found nothing
            _looked[key] = vacuous(statement, after(rounded), said)
    return _looked[key]


def met(statement: Statement, budget: float) -> bool:
    """Is a point known that meets the conditions and the guards?"""
    with suppress(Exception, OutOfTime), limited(STOPPED * budget):
        return not statement.owed or witness(statement, after(budget)) is not None or met_by(statement)[1] is not None
    return False


def vacuous(statement: Statement, deadline: float, said: Said = ()) -> str | None:
    """Why the statement says nothing, in a line: its conditions contradict each other, or they and a guard of its goal
    do.  None where that is not proved before the deadline."""
    alone = Statement("0 < 1", statement.where, statement.let).owed
    if any(is_contradictory(formula, deadline, said) for formula in alone):
        return f"the conditions contradict each other: {', '.join(statement.where)}"
    for formula in statement.owed:
        if formula not in alone and is_contradictory(formula, deadline, said):
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


def is_contradictory(formula: Node, deadline: float, said: Said = ()) -> bool:
    with suppress(Stuck, KernelError, RecursionError):
        return left(deadline) > 0 and contradictory(opened(formula), deadline, said)
    return False


def opened(formula: Node) -> list[Node]:
    """What a closed formula says of some values of variables, which keep their names where they can."""
    found: list[Node] = []
    waiting = [formula]
    while waiting:
        phi = waiting.pop(0)
        if phi[0] == "ex":
            x = phi[1] if phi[1] not in free(("and", *found, *waiting)) else fresh(phi[1].rstrip("'"), *found, *waiting,
                                                                                  phi)
            waiting.insert(0, substitute(phi[2], phi[1], x))
        elif phi[0] == "and":
            waiting = [*phi[1:], *waiting]
        else:
            found.append(phi)
    return found


def contradictory(formulas: Sequence[Node], deadline: float, said: Said = ()) -> bool:
    """Is it proved, by the kernel's rules, that nothing meets all of the formulas?"""
    given = set(formulas)
    told = [phi for hyps, phi in reversed(said) if hyps <= given and phi not in given]  # first what comes last
    if any(phi == NOTHING for phi in told):
        return True
    told = [phi for phi in dict.fromkeys(told) if phi[0] in RELATIONS and free(phi)][:TOLD]
    false = (negate(phi) for phi in formulas if not free(phi))
    return any(undefined(phi, deadline) for phi in formulas) or any(
        meeting(phi, min(deadline, after(SHORT))) is not None for phi in false) or any(
        step.concl == NOTHING and step.hyps <= {*given, *more}
        for more in ([], told)[:1 + bool(told)] for step in attempts([*formulas, *more], deadline)) or (
        gone_through(formulas, deadline))


def gone_through(formulas: Sequence[Node], deadline: float) -> bool:
    """Does one of them say that a variable is an integer, which lies between two numbers, and can it be none?"""
    plan = layout(formulas, sorted(free(("and", *formulas))))
    if plan is None:
        return False
    for n in plan.whole:
        ends = [end[0] for side in (plan.low, plan.high) if (end := side.get(n)) is not None and end[0] is not None]
        if ("isint", n) not in formulas or len(ends) < 2 or not 0 <= ends[1] - ends[0] <= WIDE:
            continue
        low, high = math.ceil(ends[0]), math.floor(ends[1])
        facts, search = [*map(hyp, formulas)], ORDINARY.search(SHORT)
        search.solve((">=", minus(n, Fraction(low))), facts)  # or it is stuck
        search.solve((">=", minus(Fraction(high), n)), facts)
        return all(contradictory([substitute(phi, n, Fraction(k)) for phi in formulas if phi != ("isint", n)], deadline)
                   for k in range(low, high + 1))
    return False


def undefined(formula: Node, deadline: float) -> bool:
    """Has a term without variables, which the formula says to have a value, none?"""
    closed = (s for s in evidently_defined(formula) if isinstance(s, tuple) and not free(s))
    return any(meeting(("undef", s), min(deadline, after(SHORT))) is not None for s in closed)


def attempts(formulas: Sequence[Node], deadline: float) -> Iterator[Step]:
    """Proofs of 0 > 0: from all of them; and from one, or what it says of a term, the opposite of which the others
    give."""
    def search(prover: Prover = ORDINARY) -> Search:
        return prover.search(max(0.05, min(SHORT, left(deadline))))

    facts = [*map(hyp, formulas), *instances(formulas, search())]
    with suppress(Stuck, KernelError):  # where their terms have values
        facts += with_signs(search(), conditions_of(facts), facts)
    for f in facts:  # the term is 0 whatever the variables are, as in x < x
        with suppress(Stuck, KernelError):
            if f.concl[0] == ">":
                yield apply("combine", NOTHING, (f, *facts), ((ONE, ((0, 1),), ()),))
    for prove in (no_solution, lambda search, goal, facts: solve_with(search, goal, facts, [], 3)):
        with suppress(Stuck, KernelError):
            yield prove(search(), NOTHING, facts)
    for fact in facts:
        if fact.concl[0] not in RELATIONS or left(deadline) <= 0:
            continue
        with suppress(Stuck, KernelError):
            relation, term = fact.concl
            opposite = {">": (">=", neg_term(term)), ">=": (">", neg_term(term)), "=": ("!=", term), "!=": ("=", term)}
            others = [f for f in facts if f.concl != fact.concl]
            others.append(apply("defined", term, (fact,)))
            for prover in (ORDINARY, THOROUGH):
                with suppress(Stuck, KernelError):
                    yield clash(fact, solve_with(search(prover), opposite[relation], others, [], 4))


def clash(fact: Step, step: Step) -> Step:
    """0 > 0 from a comparison and its opposite."""
    relation, term = fact.concl
    if relation in (">", ">="):
        return apply("combine", NOTHING, (fact, step), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    equation, unequal = (fact, step) if relation == "=" else (step, fact)
    square = apply("combine", (">", ("*", term, term)), (unequal,), ((ONE, ((0, 2),), ()),))
    return apply("combine", NOTHING, (square, equation), ((ONE, ((0, 1),), ()), (MINUS, ((1, 2),), ())))


def instances(formulas: Sequence[Node], search: Search) -> list[Step]:
    """What universal ones among them say at numbers, at the variables, their neighbours and their inverses, and at the
    integers above these."""
    facts = [hyp(phi) for phi in formulas]
    names = sorted(free(("and", *formulas)))
    terms: list[Node] = [ZERO, ONE, MINUS, *names, *(("+", v, c) for v in names[:4] for c in (ONE, MINUS)),
                         *(("^", v, MINUS) for v in names[:4]), *(("+", ("floor", v), ONE) for v in names[:4])]
    out: list[Step] = []
    for phi in (phi for phi in facts if phi.concl[0] == "all"):
        for t in terms:
            with suppress(Stuck, KernelError):
                step = apply("all_elim", phi, t, (*facts, *search.define(t, facts)))
                if step.concl[0] == "imp":
                    step = apply("imp_elim", step, premise(search, step.concl[1], [*facts, *out]))
                out += parts(step)
    return out


__all__ = ["met", "vacuous", "why_vacuous"]
