"""Tactics: universal facts used at the terms that occur, and what floor(u) = u says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from qtheory.proofs.kernel.terms import (
    ONE,
    KernelError,
    Node,
    free,
    minus,
    substitute,
)
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, parts
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.solving import solve_for
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size

MAX_INSTANCES, MAX_TERM = 8, 12


@dataclass
class Instances:
    """The instances that were made, and whether some are being made: none within them."""

    made: dict[tuple[int, Node, frozenset[int]], list[Step]] = field(default_factory=dict)
    making: bool = False


def with_instances(search: Search, goal: Node, facts: Facts) -> list[Step]:
    """The facts, and the universal ones at terms that fit the goal."""
    universal = [f for f in facts if f.concl[0] == "all"]
    own = search.own(Instances)
    if not universal or own.making:
        return list(facts)
    out = list(facts)
    known = {f.concl for f in facts}
    terms = occurring(goal[1])
    for s in [s for s in terms if isinstance(s, tuple) and s[0] == "sum"]:
        terms = {**terms, **occurring(substitute(s[4], s[1], s[3]))}
    own.making = True
    try:
        for _ in range(MAX_INSTANCES * len(universal)):
            if not universal:
                break
            f = universal.pop(0)
            for t in candidates(f.concl, terms, facts):
                for step in instance(search, f, t, facts):
                    if step.concl[0] == "all":
                        universal.append(step)
                    elif step.concl not in known and step.concl[0] in RELATIONS:
                        known.add(step.concl)
                        out.append(step)
    finally:
        own.making = False
    return out


def instance(search: Search, fact: Step, t: Node, facts: Facts) -> list[Step]:
    """The parts of a universal fact at t; none if its condition is not seen to hold there."""
    key, made = (search.number(fact), t, search.numbered(facts)), search.own(Instances).made
    if key not in made:
        search.tick()
        try:
            step = apply("all_elim", fact, t, (*facts, *search.define(t, facts)))
            if step.concl[0] == "imp":
                step = apply("imp_elim", step, search.solve(step.concl[1], facts, 0))
            made[key] = parts(step)
        except (Stuck, KernelError):
            search.tick()
            made[key] = []
    return made[key]


def rounded(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """An integer above -1 is not negative: t >= 0 from t + 1 > 0."""
    above: Node = ("+", goal[1], ONE)
    whole = search.whole_number(("isint", above), facts)
    positive = search.atom((">", above), facts, depth)
    return apply("combine", goal, (apply("gap", whole, positive), *facts), ((ONE, ((0, 1),), ()),))


def candidates(claim: Node, terms: Iterable[Node], facts: Facts) -> Iterator[Node]:
    """Terms for the bound variable at which a part of the claim becomes one of the terms; and the integers."""
    _, x, body = claim
    seen: set[Node] = set()
    for p in sorted(_patterns(body, x), key=size):
        for s in sorted((s for s in terms if isinstance(s, tuple) and s[0] == p[0]), key=lambda s: (size(s), str(s))):
            t = _fit(p, s, x)
            if t is not None and t not in seen and size(t) <= MAX_TERM and len(seen) < MAX_INSTANCES:
                seen.add(t)
                yield t
    for f in facts:
        if f.concl[0] == "isint" and isinstance(f.concl[1], str) and f.concl[1] not in seen:
            seen.add(f.concl[1])
            yield f.concl[1]


def _patterns(node: Node, x: str) -> dict[Node, None]:
    """The function values, powers and sums in a formula that speak of x."""
    if not isinstance(node, tuple) or x not in free(node):
        return {}
    if node[0] in ("and", "imp"):
        return {p: None for c in node[1:] for p in _patterns(c, x)}
    if node[0] == "all":
        return {p: None for p in _patterns(node[2], x) if node[1] not in free(p)} if node[1] != x else {}
    if node[0] not in RELATIONS:
        return {}
    return {s: None for s in occurring(node[1])
            if isinstance(s, tuple) and s[0] in ("app", "sum", "^", "log") and x in free(s)}


def _fit(pattern: Node, term: Node, x: str) -> Node | None:
    """The value of x at which the pattern is the term, if the two differ in one place only, linear in x."""
    if len(pattern) != len(term):
        return None
    places = [i for i in range(1, len(pattern)) if pattern[i] != term[i]]
    if len(places) != 1 or (pattern[0] == "sum" and places[0] == 1):
        return None
    try:
        value = solve_for(minus(pattern[places[0]], term[places[0]]), x)
        return None if value is None or x in free(value) else reduce_term(value)
    except (Stuck, KernelError, StopIteration):
        return None
