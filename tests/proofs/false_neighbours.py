"""False variants of a true statement, each by one change and with a counterexample that the kernel checks."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from text_mutations import Mutation, mutations

from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node, free
from qtheory.proofs.tactics.builder import Step
from qtheory.proofs.tactics.compiled import Place
from qtheory.proofs.tactics.contrast import Original
from qtheory.proofs.tactics.effort import SECOND, OutOfTime, after, left, spent
from qtheory.proofs.tactics.numeric import holds
from qtheory.proofs.tactics.refute import Refutation, refute, refute_by, witness
from qtheory.proofs.tactics.stopping import limited

NEAR_OF_TWENTY, SORT_OF_TWENTY = 5, 3
LIMITS = (0.12, 0.4, 1.5, 4.0, 15.0)  # seconds a variant, round after round
BY_ORIGINAL = (0.6, 4.0)  # in rounds of their own, where the proof of the original is at hand
FROM_START = 1.5  # the last limit with which a point that meets the conditions is tried first
STOPPED = 1.5  # times its limit, where a refutation forgets it
WITNESS = 2.0  # seconds for a point at which the conditions hold

# on both sides of 0 and 1, near them and far
AROUND = tuple(c + s for c in (0.0, 1.0) for s in (0.0, 0.001, -0.001, 0.008, -0.008, 0.5, 50.0, -50.0, 3000.0))

PATIENCE = (2.0, 8.0, 30.0, float("inf"))  # seconds without success after which a round waits for the others, in turn

Kind = tuple[str, tuple[str, int], bool]  # sort, place, near
Pools = dict[Kind, list[Mutation]]


@dataclass(frozen=True)
class Round:
    """Mutations that are tried for so long each; ``by``: with the original alone; ``first``: from the start's point."""

    limit: float
    by: Original | None
    first: bool
    pools: Pools
    tried: set[object]


@dataclass(frozen=True)
class Variant:
    """A false statement that differs from a true one by one change of the given sort.

    ``change`` shows the text before and after; ``near`` says that a constant is changed by at most one percent, or one
    that is 0 by at most 1/100.
    """

    statement: Statement
    sort: str
    change: str
    near: bool
    instance: Statement  # what is refuted: the statement, with the models for its function symbols
    refutation: Refutation


def variants(statement: Statement, count: int = 20, seed: int = 0, *, budget: float = 20.0,
             models: Sequence[str] = (), proof: Step | None = None,
             point: Mapping[str, Node] | None = None, near: int | None = None,
             given: Sequence[Step] = ()) -> list[Variant]:
    """At most ``count`` false variants, at most 3 of one sort for each 20 begun and, where they are found, ``near``
    near ones, by default 5 of 20.

    A change that leaves the statement true, or that no counterexample is found for, is discarded.  A statement about
    any function is refuted by one: ``models`` defines it, by a term that has a value for every real argument.
    ``proof`` of the statement with these models, from its hypotheses or others that the point meets, helps against
    changed limits and orders (see ``contrast``).  ``point``: closed terms for some of the variables, tried first;
    without it those of a point that meets the conditions.  ``given``: proofs of what the conditions say of the models.
    """
    if count < 1:
        raise ValueError(f"variants: count is {count}; it must be at least 1")
    end = after(budget)
    most = SORT_OF_TWENTY * -(-count // 20)
    near_wanted = -(-count * NEAR_OF_TWENTY // 20) if near is None else near
    found: list[Variant] = []
    tally: Counter[str] = Counter()
    seen = {statement.formulas}
    failures: Counter[object] = Counter()  # of a kind of change, less what its place has given
    original = None if proof is None else Original(modelled(statement, models), proof)
    start: Mapping[str, Node] = _start(statement, models) if point is None else dict(point)
    rounds = _rounds(mutations(statement), original, bool(start), seed)
    for patience, now, closely in itertools.product(PATIENCE, rounds, (True, False)):
        last = patience == PATIENCE[-1] and now.limit == LIMITS[-1]
        missing = 0 if last else max(0, near_wanted - _near(found))
        goal = near_wanted if closely else count - missing  # room for the near ones of a later round
        now.tried.update(seen)
        waited = 0.0
        while (_near(found) if closely else len(found)) < goal and len(found) < count and waited < patience:
            mutation, begun = _next(now.pools, closely, failures, tally, most), spent()
            if mutation is None or begun > end:
                break
            if not weaker(statement, mutation):
                continue
            concerned = mutation.place[0] != "where" and now.first
            variant = _broken(mutation, now.tried, min(end, begun + now.limit * SECOND), models,
                              start if concerned else {}, now.by, given)
            waited = 0.0 if variant else waited + (spent() - begun) / SECOND
            if variant is None:
                failures[mutation.sort, mutation.place] += 1
            else:
                failures[mutation.place] -= 1
                found.append(variant)
                seen.add(variant.statement.formulas)
                tally[variant.sort] += 1
    return found


def _rounds(offered: list[Mutation], original: Original | None, started: bool, seed: int) -> list[Round]:
    """Limits, whether the original is held against the variants, and whether the start comes first, or alone with the
    original."""
    plan: list[tuple[float, Original | None, bool]] = [(limit, None, limit <= FROM_START) for limit in LIMITS]
    if original is not None:
        first, second = BY_ORIGINAL
        at_start = [(first, original, True)] if started else []
        plan = [*at_start, plan[0], (first, original, False), *plan[1:-1], (second, original, False), plan[-1]]
    return [Round(limit, by, first, _pools([m for m in offered if by is None or m.place[0] != "where"], seed), set())
            for limit, by, first in plan]


def _near(found: Sequence[Variant]) -> int:
    return sum(v.near for v in found)


def _start(statement: Statement, models: Sequence[str]) -> dict[str, Node]:
    """A point that meets the conditions, as far as it is rational: many a variant fails there."""
    try:
        met = witness(modelled(statement, models).parsed(), after(WITNESS))
    except (KernelError, RecursionError):
        return {}
    return {v: value for v, value in met.point.items() if isinstance(value, Fraction)} if met else {}


def _pools(items: list[Mutation], seed: int) -> Pools:
    """The mutations by kind, each group in a random order."""
    rng = random.Random(seed)
    groups: Pools = defaultdict(list)
    for m in items:
        groups[m.sort, m.place, m.near].append(m)
    for group in groups.values():
        rng.shuffle(group)
    return groups


def _next(pools: Pools, closely: bool, failures: Counter[object], tally: Counter[str], most: int) -> Mutation | None:
    """A mutation of the sort that has failed least, at a place that has given most, so far; None if none is left.
    ``closely``: a near one."""
    left = [key for key, group in pools.items() if group and tally[key[0]] < most and (key[2] or not closely)]
    if not left:
        return None
    return pools[min(left, key=lambda k: (failures[k[:2]] + failures[k[1]], tally[k[0]], k))].pop()


def weaker(statement: Statement, mutation: Mutation) -> bool:
    """May the change break the statement? Not if the goal is as it was and no sampled point meets the new conditions
    and fails the old ones: what follows from them follows from stronger ones."""
    try:
        (old, goal), (new, after) = statement.formulas, mutation.statement.formulas
    except (KernelError, RecursionError):
        return False
    gone, added = [h for h in old if h not in new], [h for h in new if h not in old]
    if goal != after or any(h[0] not in (">", ">=") for h in gone + added):
        return True
    names = sorted(free(("and", *gone, *added)))
    rng = random.Random(0)
    every = list(itertools.product(AROUND, repeat=len(names))) if len(names) <= 2 else \
        [tuple(rng.choice(AROUND) for _ in names) for _ in range(500)]
    points = [dict(zip(names, values, strict=True)) for values in every]

    def met(conditions: list[Node], point: Place) -> bool:  # a tie of the old condition is no room to spare
        return all(holds(h, point, clearly=True) for h in conditions)

    return any(met(added, p) and not met(gone, p) for p in points)


def modelled(statement: Statement, models: Sequence[str]) -> Statement:
    """The statement with definitions for the function symbols that its conditions declare.

    A model may use the statement's own definitions; it stands before the first that speaks of its function.
    """
    names = {text.partition("(")[0].strip(): text for text in models}
    where = tuple(w for w in statement.where
                  if not (found := declared(w, "functions")) or not names.keys() >= set(found))
    let: list[str] = []
    for definition in statement.let:
        let += [text for name, text in names.items() if text not in let and re.search(rf"\b{name}\(", definition)]
        let.append(definition)
    return replace(statement, where=where, let=(*let, *(text for text in models if text not in let)))


def _broken(mutation: Mutation, seen: set[object], deadline: float, models: Sequence[str],
            start: Mapping[str, Node], original: Original | None, given: Sequence[Step]) -> Variant | None:
    try:
        formulas = mutation.statement.formulas
        instance = modelled(mutation.statement, models).parsed() if models else mutation.statement
    except (KernelError, RecursionError):
        return None  # the change makes no statement
    if formulas in seen:
        return None
    seen.add(formulas)
    refutation = None
    with suppress(OutOfTime), limited(STOPPED * max(0.01, left(deadline))):
        refutation = refute(instance, deadline, start, given=given) if original is None else \
            refute_by(original, instance, deadline, start, given)
    if refutation is None:
        return None
    return Variant(mutation.statement, mutation.sort, mutation.change, mutation.near, instance, refutation)


__all__ = ["Variant", "modelled", "variants"]
