"""Tactic: what holds of each index, from what the conditions say at chosen terms; by induction over it, if told so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, minus, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, hyp, parts
from qtheory.proofs.tactics.logic import solve_with
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.state import Search


def along(statement: Statement, at: Iterable[Node], budget: float, split: Iterable[Node] = (), *,
          inductive: bool = False) -> dict[str, Any]:
    """A certificate of a goal ``ForAll(i, G, ForAll(j, H, .. A))`` from conditions that are taken at each of the terms
    ``at``, wherever their own guards are seen to be met there; nested ones at all of them. Signs of the terms in
    ``split`` are cases. ``inductive``: the goal is ``ForAll(l, And(Integer(l), l >= 1), A)``; the conditions are then
    taken at 1 for the start, and at ``at`` for the step from l to l + 1. Stuck if nothing is found.
    """
    goal, search = statement.conclusion, ORDINARY.search(budget)
    indices, guards = list[str](), list[Node]()
    while goal[0] == "all" and goal[2][0] == "imp" and not (inductive and indices):
        indices, guards, goal = [*indices, goal[1]], [*guards, goal[2][1]], goal[2][2]
    if set(indices) & frozenset().union(*map(free, statement.hypotheses)) or (inductive and not indices):
        raise Stuck(f"the conditions speak of {', '.join(indices)}, or nothing is said of each index")
    try:
        facts = [hyp(h) for h in statement.hypotheses]
        if inductive:
            main = _induction(search, indices[0], goal, facts, list(at), list(split))
        else:
            known = [p for g in guards for p in parts(hyp(g))]
            main = _here(search, goal, [*facts, *known], list(at), list(split))
            for i, guard in zip(reversed(indices), reversed(guards), strict=True):
                main = apply("all_intro", i, apply("imp_intro", guard, main))
    except KernelError as error:
        raise Stuck(str(error)) from None
    return certificate(statement, "proved", main)


def _here(search: Search, goal: Node, facts: list[Step], at: Sequence[Node], split: Sequence[Node]) -> Step:
    known = list(facts)
    for fact in facts:
        known += _instances(search, fact, at, facts)
    known += [apply("trichotomy", t, tuple(known)) for t in split]
    step = solve_with(search, goal, known, [], 6)
    for fact in known:
        if fact.concl in step.hyps and fact.hyps != frozenset((fact.concl,)):
            step = apply("cut", fact, step)
    return step


def _instances(search: Search, fact: Step, at: Sequence[Node], facts: list[Step]) -> list[Step]:
    """What a universal fact says at the terms, where its guard is seen to be met."""
    if fact.concl[0] != "all" or fact.concl[2][0] != "imp":
        return []
    found = []
    for t in at:
        with suppress(KernelError, Stuck):
            taken = apply("all_elim", fact, t, tuple(facts))
            here = apply("imp_elim", taken, search.solve(taken.concl[1], facts))
            found += [q for p in parts(here) for q in (p, *_instances(search, p, at, facts))]
    return found


def _induction(search: Search, n: str, claim: Node, facts: list[Step], at: Sequence[Node],
               split: Sequence[Node]) -> Step:
    start = _here(search, substitute(claim, n, ONE), facts, [ONE], [])
    known = [*facts, hyp(("isint", n)), hyp((">=", minus(n, ONE))), *parts(hyp(claim))]
    step = _here(search, substitute(claim, n, ("+", n, ONE)), known, at or [n], split)
    return apply("induction", n, ONE, claim, apply("integral_polynomial", ONE, ()), start, step)
