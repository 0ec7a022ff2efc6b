"""Tactic: what holds of each index, from what the conditions say at chosen terms; by induction over it, if told so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, minus, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, hyp, parts, unused
from qtheory.proofs.tactics.logic import by_cases_at_once
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import sum_facts, symbolic_sums


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
            main = _of_each(search, statement.conclusion, facts, list(at), list(split))
    except KernelError as error:
        raise Stuck(str(error)) from None
    return certificate(statement, "proved", main)


def _of_each(search: Search, goal: Node, facts: list[Step], at: Sequence[Node], split: Sequence[Node]) -> Step:
    """A goal of each index, its guards assumed."""
    if goal[0] != "all" or goal[2][0] != "imp":
        return _here(search, goal, facts, at, split)
    _, index, (_, guard, then) = goal
    main = _of_each(search, then, [*facts, *parts(hyp(guard))], at, split)
    return apply("all_intro", index, apply("imp_intro", guard, main))


def _here(search: Search, goal: Node, facts: list[Step], at: Sequence[Node], split: Sequence[Node]) -> Step:
    if goal[0] == "ex":
        for found in _existences(search, facts, at):
            with suppress(KernelError, Stuck):
                return _opened(search, goal, found, [f for f in facts if not _finds(f.concl)], at, split)
    known = list(facts)
    for fact in facts:
        known += _instances(search, fact, at, facts)
    known += [apply("trichotomy", t, tuple(known)) for t in split]
    try:
        step = by_cases_at_once(search, goal, known, 6)
    except Stuck:
        new = sum_facts(search, goal, known) if symbolic_sums(goal) else []
        if not new:
            raise
        known += new
        step = by_cases_at_once(search, goal, known, 6)
    for fact in known:
        if fact.concl in step.hyps and fact.hyps != frozenset((fact.concl,)):
            step = apply("cut", fact, step)
    return step


def _finds(formula: Node) -> bool:
    """Does it say, for each of some numbers, that something exists?"""
    while formula[0] == "all" and formula[2][0] == "imp":
        formula = formula[2][2]
    return bool(formula[0] == "ex")


def _existences(search: Search, facts: list[Step], at: Sequence[Node]) -> Iterator[Step]:
    """What the facts say to exist, for the terms in their order."""
    for fact in filter(lambda f: _finds(f.concl), facts):
        with suppress(KernelError, Stuck):
            for t in at:
                if fact.concl[0] == "all":
                    taken = apply("all_elim", fact, t, tuple(facts))
                    fact = apply("imp_elim", taken, search.solve(taken.concl[1], facts))
            yield fact


def _opened(search: Search, goal: Node, found: Step, facts: list[Step], at: Sequence[Node],
            split: Sequence[Node]) -> Step:
    """An existence, by what another one says to exist, at which the facts are taken too."""
    if found.concl[0] != "ex":
        raise Stuck("nothing is said to exist at these terms")
    x = unused("y", facts, goal)
    body, wanted = (substitute(f[2], f[1], x) for f in (found.concl, goal))
    known = [*facts, *parts(hyp(body))]
    shown = [_of_each(search, p, known, [*at, x], split) for p in (wanted[1:] if wanted[0] == "and" else [wanted])]
    both = apply("and_intro", tuple(shown)) if wanted[0] == "and" else shown[0]
    return apply("ex_elim", found, x, apply("ex_intro", goal, x, both, tuple(known)))


def _instances(search: Search, fact: Step, at: Sequence[Node], facts: list[Step]) -> list[Step]:
    """What a universal fact says at the terms, where its guard is seen to be met."""
    if fact.concl[0] != "all" or fact.concl[2][0] != "imp":
        return []
    found = []
    for t in at:
        with suppress(KernelError, Stuck):
            taken = apply("all_elim", fact, t, tuple(facts))
            here = apply("imp_elim", taken, search.solve(taken.concl[1], facts, 0))
            found += [q for p in parts(here) for q in (p, *_instances(search, p, at, facts))]
    return found


def _induction(search: Search, n: str, claim: Node, facts: list[Step], at: Sequence[Node],
               split: Sequence[Node]) -> Step:
    start = _here(search, substitute(claim, n, ONE), facts, [ONE], [])
    known = [*facts, hyp(("isint", n)), hyp((">=", minus(n, ONE))), *parts(hyp(claim))]
    step = _here(search, substitute(claim, n, ("+", n, ONE)), known, at or [n], split)
    return apply("induction", n, ONE, claim, apply("integral_polynomial", ONE, ()), start, step)
