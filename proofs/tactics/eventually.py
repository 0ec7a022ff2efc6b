"""Tactic: beyond every level in the end, from a limit of a sequence that is among the conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute, subterms
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, hyp, parts
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.state import Search


def eventually(statement: Statement, near: Node, level: Node, through: Iterable[Node], budget: float) -> dict[str, Any]:
    """A certificate of ``ForAll(h, A, Exists(N, B, ForAll(n, C, claim)))`` from conditions, a limit among them.

    ``near``: how close to its limit the sequence is to be; ``level``: the N, a term in h and in ``N0``, beyond which
    the sequence is so close; ``through``: comparisons in n, each proved with the help of those before it, that lead to
    the claim. Stuck if nothing is found.
    """
    goal, search = statement.conclusion, ORDINARY.search(budget)
    try:
        _, h, (_, condition, exists) = goal
        _, bound, (_, least, beyond) = exists
        _, n, (_, guard, claim) = beyond
        taken = {h, n, "N0"} & frozenset().union(*map(free, statement.hypotheses))
    except ValueError:
        raise Stuck("no statement of this shape") from None
    if taken:
        raise Stuck(f"the conditions speak of {', '.join(sorted(taken))}")
    try:
        facts = [hyp(f) for f in statement.hypotheses]
        close = _instance(search, next(f for f in facts if _is_limit(f.concl)), near, facts)
        opened = parts(hyp(substitute(close.concl[2], close.concl[1], "N0")))
        known = [*facts, *opened, *parts(hyp(condition))]
        known += [b for m in sorted(set(subterms(level)), key=str) if isinstance(m, tuple) and m[0] == "max"
                  for b in parts(apply("max_bounds", m[1], m[2], (*known, *search.define(m, known))))]
        there = substitute(guard, bound, level)
        here = [*known, *parts(hyp(there))]
        for f in (*facts, *opened):  # at n
            if f.concl[0] == "all" and not _is_limit(f.concl):
                here += parts(_instance(search, f, n, here))
        for t in through:
            here.append(search.solve(t, here))
        step = apply("all_intro", n, apply("imp_intro", there, search.solve(claim, here)))
        both = apply("and_intro", (search.solve(substitute(least, bound, level), known), step))
        found = apply("ex_intro", exists, level, both, (*known, *search.define(level, known)))
        for f in opened:
            found = apply("cut", f, found) if f.concl in found.hyps else found
        found = apply("ex_elim", close, "N0", found)
        main = apply("all_intro", h, apply("imp_intro", condition, found))
    except (KernelError, StopIteration) as error:
        raise Stuck(str(error) or "no limit among the conditions") from None
    return certificate(statement, "proved", main)


def _is_limit(formula: Node) -> bool:
    """For every e > 0 there is a place from which on something holds."""
    return formula[0] == "all" and formula[2][0] == "imp" and formula[2][2][0] == "ex"


def _instance(search: Search, step: Step, t: Node, facts: Sequence[Step]) -> Step:
    """A universal fact at t, its premise met."""
    step = apply("all_elim", step, t, (*facts, *search.define(t, facts)))
    return apply("imp_elim", step, search.solve(step.concl[1], facts))
