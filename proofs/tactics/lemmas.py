"""Tactics: the facts about the functions that occur in a goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.terms import (
    Node,
)
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, parts
from qtheory.proofs.tactics.integrals import integral_bounds
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size


def with_lemmas(search: Search, goal: Node, facts: Facts) -> list[Step]:
    """The facts about the functions that occur: positivity, tangents, bounds."""
    out = list(facts)
    known = {f.concl for f in facts}
    terms = [goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS)]
    values = {s: None for t in terms for s in occurring(t) if isinstance(s, tuple) and s[0] not in ("+", "*")}
    for s in sorted(values, key=size):
        for step in facts_about(search, s, out):
            if step.concl not in known:
                known.add(step.concl)
                out.append(step)
    return out


def facts_about(search: Search, s: Node, facts: list[Step]) -> Iterator[Step]:
    known = tuple(facts)
    steps: Iterable[Step | None] = ()
    if s[0] in FUNCTIONS:
        steps = FUNCTIONS[s[0]].facts(search, s, known)
    elif s[0] == "int" and not any(f.concl[0] == "=" and f.rule == "fundamental_theorem" and s in f.concl[1]
                                   for f in known):
        steps = integral_bounds(search, s, known)
    for step in steps:
        if step is not None:
            yield from parts(step)


def cheaply(search: Search, goal: Node, facts: Facts) -> Step:
    """A goal in standard form by a combination with the facts about its functions."""
    facts = facts if isinstance(goal[1], Fraction) else with_lemmas(search, goal, facts)
    try:
        return search.combined(goal, facts, 1)
    except Stuck:
        return search.combine(goal, facts, 2)
