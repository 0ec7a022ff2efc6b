"""False variants of a true statement, each by one change and with a counterexample that the kernel checks."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.mutations import Mutation, mutations
from qtheory.proofs.tactics.refute import Refutation, refute

NEAR_OF_TWENTY, SORT_OF_TWENTY = 5, 3
LIMITS = (0.15, 0.8)  # seconds a variant, in a first round and in a second


@dataclass(frozen=True)
class Variant:
    """A false statement that differs from a true one by one change of the given sort.

    ``change`` shows the text before and after; ``near`` says that the change is of at most one percent.
    """

    statement: Statement
    sort: str
    change: str
    near: bool
    refutation: Refutation


def variants(statement: Statement, count: int = 20, seed: int = 0, *, budget: float = 20.0) -> list[Variant]:
    """At most ``count`` false variants, at most 3 of 20 of one sort and, where they are found, 5 of 20 near ones.

    A change that leaves the statement true, or that no counterexample is found for, is discarded.
    """
    if count < 1:
        raise ValueError(f"variants: count is {count}; it must be at least 1")
    end = time.monotonic() + budget
    most = max(1, count * SORT_OF_TWENTY // 20)
    near_wanted = -(-count * NEAR_OF_TWENTY // 20)
    found: list[Variant] = []
    tally: Counter[str] = Counter()
    seen = {statement.formulas}
    for limit in LIMITS:
        left = [m for m in mutations(statement) if m.statement not in {v.statement for v in found}]
        tried: set[object] = set(seen)
        for near in (True, False):
            goal = near_wanted if near else count
            for mutation in _round_robin([m for m in left if m.near or not near], seed):
                enough = sum(v.near for v in found) if near else len(found)
                if enough >= goal or len(found) >= count or time.monotonic() > end:
                    break
                if tally[mutation.sort] >= most:
                    continue
                variant = _broken(mutation, tried, min(end, time.monotonic() + limit))
                if variant is not None:
                    found.append(variant)
                    seen.add(variant.statement.formulas)
                    tally[variant.sort] += 1
        if len(found) >= count:
            break
    return found


def _round_robin(items: list[Mutation], seed: int) -> Iterator[Mutation]:
    """The mutations in a random order, one sort after the other."""
    rng = random.Random(seed)
    by_sort: dict[str, list[Mutation]] = defaultdict(list)
    for m in items:
        by_sort[m.sort].append(m)
    for group in by_sort.values():
        rng.shuffle(group)
    while by_sort:
        for sort in sorted(by_sort):
            yield by_sort[sort].pop()
            if not by_sort[sort]:
                del by_sort[sort]


def _broken(mutation: Mutation, seen: set[object], deadline: float) -> Variant | None:
    try:
        formulas = mutation.statement.formulas
    except (KernelError, RecursionError):
        return None  # the change makes no statement
    if formulas in seen:
        return None
    seen.add(formulas)
    refutation = refute(mutation.statement, deadline)
    if refutation is None:
        return None
    return Variant(mutation.statement, mutation.sort, mutation.change, mutation.near, refutation)


__all__ = ["Variant", "variants"]
