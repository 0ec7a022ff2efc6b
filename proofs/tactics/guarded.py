"""Tactic: what an implication says, from its guard taken as conditions, and from other implications with this guard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, hyp, parts
from qtheory.proofs.tactics.guidance import Guidance
from qtheory.proofs.tactics.logic import solve_with
from qtheory.proofs.tactics.prover import ORDINARY, prove_statement


@dataclass(frozen=True)
class Opened:
    """A statement whose formulas are given as such."""

    hypotheses: tuple[Node, ...]
    conclusion: Node


def guarded(statement: Statement, budget: float, told: Guidance) -> dict[str, Any]:
    """A certificate of ``Implies(G, A)``: A is proved from the conditions, from G's parts, and from each B of which a
    condition is ``Implies(G, B)``. Stuck if nothing is found."""
    goal = statement.conclusion
    if goal[0] != "imp":
        raise Stuck("the goal is no implication")
    guard = hyp(goal[1])
    facts = parts(guard)
    for h in statement.hypotheses:
        if h[0] == "imp" and h[1] == goal[1]:
            facts += parts(apply("imp_elim", hyp(h), guard))
    known = (*(h for h in statement.hypotheses if not (h[0] == "imp" and h[1] == goal[1])), *(f.concl for f in facts))
    try:
        try:
            opened: Any = Opened(known, goal[2])
            step = prove_statement(opened, budget, told)
        except Stuck:
            parts_of = goal[2][1:] if goal[2][0] == "and" else (goal[2],)
            step = apply("and_intro", tuple(_part(p, [hyp(h) for h in known], budget) for p in parts_of))
            step = step if goal[2][0] == "and" else apply("and_elim", step, 0)
        for fact in facts:
            if fact.concl in step.hyps and fact.concl != goal[1]:
                step = apply("cut", fact, step)
        return certificate(statement, "proved", apply("imp_intro", goal[1], step))
    except KernelError as error:
        raise Stuck(str(error)) from None


def _part(goal: Node, facts: list[Step], budget: float) -> Step:
    """A step for the goal; where that is about each index, from what the facts say of it."""
    each = goal[0] == "all" and goal[2][0] == "imp"
    known = list(facts)
    if each:
        i, guard = goal[1], goal[2][1]
        known = parts(hyp(guard))
        for fact in facts:
            h = fact.concl
            same = h[0] == "all" and h[2][0] == "imp" and substitute(h[2][1], h[1], i) == guard
            known += parts(apply("imp_elim", apply("all_elim", fact, i, ()), hyp(guard))) if same else [fact]
    step = solve_with(ORDINARY.search(budget), goal[2][2] if each else goal, known, [], 6)
    own = {f.concl for f in facts}
    for fact in known:  # a case of a disjunction is assumed; what the disjunction rests on is here
        if fact.concl in step.hyps and fact.concl not in own and not (each and fact.concl == guard):
            step = apply("cut", fact, step)
    return apply("all_intro", i, apply("imp_intro", guard, step)) if each else step
