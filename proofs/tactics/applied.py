"""What is known used where it fits: lemmas whose premises hold, and universal facts at terms of the goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, children, free, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, parts
from qtheory.proofs.tactics.conditions import whole_from_floor
from qtheory.proofs.tactics.effort import SECOND, spent
from qtheory.proofs.tactics.numeric import holds_at
from qtheory.proofs.tactics.state import Key, Search

MAX_INSTANCE_DEPTH = 4
PATIENCE = SECOND // 4  # for a premise
LESS = PATIENCE // 3  # for one that was refused from other facts
Path = tuple["str | int | None", ...]


@dataclass
class Premises:
    """Premises of lemmas that were refused, from these facts and from any; those whose proof is under way; and how deep
    in instances of universal facts the search is, whose premises are instances of such in turn."""

    refused: set[Key] = field(default_factory=set)
    doubtful: set[Node] = field(default_factory=set)
    pending: set[Node] = field(default_factory=set)
    depth: int = 0


def applied(search: Search, facts: Facts) -> list[Step]:
    """The facts, and the conclusions of those lemmas whose premises they give."""
    key = search.numbered(facts)
    if key not in search.with_given:
        out, search.with_given[key] = list(facts), list(facts)
        for lemma in search.given:
            found = consequence(search, lemma, out)
            out += [s for s in (*found, *whole_from_floor(found)) if s.concl not in {f.concl for f in out}]
        search.with_given[key] = out
    return search.with_given[key]


def consequence(search: Search, step: Step, facts: Facts) -> list[Step]:
    while step.concl[0] == "imp":
        try:
            met = premise(search, step.concl[1], facts)
        except (Stuck, KernelError):
            search.tick()
            return []
        step = apply("imp_elim", step, met)
    return parts(step)


def premise(search: Search, formula: Node, facts: Facts) -> Step:
    """A premise by combination alone, or cheaply."""
    if formula[0] == "and":
        return apply("and_intro", tuple(premise(search, p, facts) for p in formula[1:]))
    for f in facts:
        if f.concl == formula:
            return f
    spoken = frozenset().union(*(f.variables for f in facts))
    if not free(formula) <= spoken:
        raise Stuck("nothing is known of a variable")
    at_hand = literally(search, formula, facts)  # before points are sought, which may cost much
    if at_hand is not None:
        return at_hand
    points = search.points(formula, facts)
    if not holds_at(formula, points):
        raise Stuck("a premise seems false at a sample point")
    found = search.quick(formula, facts) if formula[0] in (">", ">=", "=", "!=", "isint") else None
    if found is not None:
        return found
    opposite = {">": ">=", ">=": ">"}.get(formula[0])
    if opposite and not points and search.quick((opposite, neg_term(formula[1])), facts) is not None:
        raise Stuck("false")
    key, premises = (formula, search.numbered(facts)), search.own(Premises)
    if key in premises.refused or (formula[0] == "all" and formula in premises.pending):
        raise Stuck("tried before")
    deadline = search.deadline  # many premises do not hold: none may take long
    search.deadline = min(deadline, spent() + (LESS if formula in premises.doubtful else PATIENCE))
    premises.pending.add(formula)  # else a universal premise is sought for its own proof, and so on
    try:
        return search.solve(formula, facts, 1)
    except (Stuck, KernelError):
        premises.refused.add(key)
        premises.doubtful.add(formula)
        raise
    finally:
        premises.pending.discard(formula)
        search.deadline = deadline


def literally(search: Search, formula: Node, facts: Facts) -> Step | None:
    """a > b or a >= b where a fact compares just these two, from that fact; Stuck if it says the opposite."""
    if formula[0] not in (">", ">="):
        return None
    here = sides(formula[1])
    for f in facts:
        if f.concl[0] not in (">", ">=", "=") or (there := sides(f.concl[1])) not in (here, here[::-1]):
            continue
        same, equal = there == here, f.concl[0] == "="
        if formula[0] == ">=" and (same or equal):
            return apply("combine", formula, (f, *facts), ((ONE if same else MINUS, ((0, 1),), ()),))
        if equal or (not same and ">" in (formula[0], f.concl[0])):
            raise Stuck("false")
    return None


def from_universal(search: Search, goal: Node, facts: Facts, among: Facts) -> Step | None:
    """The goal as an instance of one of these universal facts whose premises hold."""
    premises = search.own(Premises)
    for f in among if premises.depth < MAX_INSTANCE_DEPTH else ():
        for path, pattern in conclusions(f.concl):
            names = {x for x in path if isinstance(x, str)}
            binding: dict[str, Node] = {}
            if not names or pattern[1] in names or not matches(pattern, goal, names, binding) \
                    or binding.keys() != names:
                continue  # "x > 0 for all x > a" would ask for x - a > 0, and that for x - 2a > 0
            premises.depth += 1
            try:
                return instantiated(search, f, path, binding, facts)
            except (Stuck, KernelError):
                search.tick()
            finally:
                premises.depth -= 1
    return None


def instantiated(search: Search, step: Step, path: Sequence[str | int | None], binding: Mapping[str, Node],
                 facts: Facts) -> Step:
    for way in path:
        if isinstance(way, int):
            step = apply("and_elim", step, way)
        elif way is None:
            step = apply("imp_elim", step, search.solve(step.concl[1], facts, 2))
        else:
            step = apply("all_elim", step, binding[way], (*facts, *search.define(binding[way], facts)))
    return step


def sides(term: Node) -> tuple[Node, Node]:
    """(a, b) of a - b."""
    if isinstance(term, tuple) and term[0] == "+" and len(term) == 3:
        second = term[2]
        if isinstance(second, tuple) and second[0] == "*" and len(second) == 3 and second[1] == MINUS:
            return term[1], second[2]
    return term, ZERO


def conclusions(formula: Node) -> list[tuple[Path, Node]]:
    """What the formula says once variables are replaced and premises met: (the way there, the atom)."""
    if formula[0] == "all":
        return [((formula[1], *path), a) for path, a in conclusions(formula[2])]
    if formula[0] == "imp":
        return [((None, *path), a) for path, a in conclusions(formula[2])]
    if formula[0] == "and":
        return [((i, *path), a) for i, part in enumerate(formula[1:]) for path, a in conclusions(part)]
    return [((), formula)]


def matches(pattern: Node, term: Node, names: set[str], binding: dict[str, Node]) -> bool:
    """Is the term the pattern with terms for the names?  Nothing is put under a binder, but in an integral's ends."""
    if isinstance(pattern, str) and pattern in names:
        return binding.setdefault(pattern, term) == term
    if not isinstance(pattern, tuple) or not isinstance(term, tuple):
        return pattern == term
    outer, bound, inner = children(pattern)
    if bound is not None:
        ends = (("ends", *outer), ("ends", *children(term)[0]))
        if pattern[0] == "int" and not names & free(inner[0]) - {bound}:
            return pattern[0] == term[0] and (bound, inner) == children(term)[1:] and matches(*ends, names, binding)
        return pattern == term
    return len(pattern) == len(term) and pattern[0] == term[0] and \
        all(matches(p, t, names, binding) if not isinstance(p, int) else p == t
            for p, t in zip(pattern[1:], term[1:], strict=True))
