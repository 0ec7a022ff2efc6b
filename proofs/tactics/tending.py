"""Existence from what the facts say of every small number: a limit's definition, used at one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qtheory.proofs.kernel.terms import Node, substitute
from qtheory.proofs.tactics.applied import conclusions, matches
from qtheory.proofs.tactics.builder import Step, Stuck, apply, cut_all, hyp, parts, unused
from qtheory.proofs.tactics.state import Search


def from_tendency(search: Search, goal: Node, facts: Sequence[Step], depth: int) -> Step:
    """The existence of a place beyond which the goal holds, from that for every e > 0 there is one, at the e that the
    goal speaks of."""
    for fact, value in tendencies(goal, facts):
        known = [*facts, *search.define(value, facts)]
        step = apply("all_elim", fact, value, tuple(known))
        step = apply("imp_elim", step, search.solve(step.concl[1], known, depth))
        y = unused("y", known, goal)
        body = substitute(step.concl[2], step.concl[1], y)
        found = parts(hyp(body))
        use = search.solve(substitute(goal[2], goal[1], y), [*known, *found], depth)
        use = cut_all([s for s in found if s.concl != body], apply("ex_intro", goal, y, use, ()))
        return apply("ex_elim", step, y, use)
    raise Stuck("not of this shape")


def tendencies(goal: Node, facts: Sequence[Step]) -> Iterator[tuple[Step, Node]]:
    """Facts "for every e > 0 there is ..", and the term that the goal has in the place of e."""
    wanted = [atom for _, atom in conclusions(goal[2])]
    for fact in filter(_of_limit, facts):
        _, e, (_, _, (_, place, inner)) = fact.concl
        for path, pattern in conclusions(inner):
            names = {e, place, *(x for x in path if isinstance(x, str))}
            for atom in wanted:
                binding: dict[str, Node] = {}
                if matches(pattern, atom, names, binding) and e in binding:
                    yield fact, binding[e]


def _of_limit(fact: Step) -> bool:
    formula = fact.concl
    return bool(formula[0] == "all" and formula[2][0] == "imp" and formula[2][2][0] == "ex")


__all__ = ["from_tendency"]
