"""Equal arguments give equal values: f(a) = f(b) from a = b."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.terms import KernelError, Node, minus
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size

HEADS = ("app", *FUNCTIONS)
MAX_PAIRS = 12


def values_of_functions(search: Search, goal: Node, facts: Facts) -> list[tuple[Node, Node]]:
    """Pairs of values of one function, if there are equations by which the arguments may be equal."""
    if not any(f.concl[0] == "=" for f in facts):
        return []
    terms = [goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS)]
    values = {s: None for t in terms for s in occurring(t) if isinstance(s, tuple) and s[0] in HEADS}
    pairs = ((a, b) for a, b in itertools.combinations(sorted(values, key=size), 2) if name(a) == name(b))
    return list(itertools.islice(pairs, MAX_PAIRS))


def by_congruence(search: Search, goal: Node, facts: Facts) -> Step:
    found = list(congruences(search, goal, facts))
    if not found:
        raise Stuck("no equal arguments")
    return search.combined(goal, [*facts, *found], 1)


def congruences(search: Search, goal: Node, facts: Facts) -> Iterator[Step]:
    """The small values first: they may be arguments of others."""
    known = list(facts)
    for a, b in values_of_functions(search, goal, facts):
        search.tick()
        step = equal_values(search, a, b, known)
        if step is not None:
            known.append(step)
            yield step


def equal_values(search: Search, a: Node, b: Node, facts: Facts) -> Step | None:
    """a - b = 0, from a - a = 0 by changing one argument after the other."""
    try:
        known = (*facts, *search.define(a, facts))
        step = apply("combine", ("=", minus(a, a)), known, ())
    except (Stuck, KernelError):
        return None
    first, now = len(name(a)), a
    for i in range(first, len(a)):
        if a[i] == b[i]:
            continue
        equation = search.quick(("=", minus(a[i], b[i])), facts)
        if equation is None:
            return None
        changed = (*now[:i], "z'", *now[i + 1:])
        try:
            step = apply("rewrite", equation, step, "z'", ("=", minus(a, changed)), a[i], b[i])
        except KernelError:
            return None
        now = (*now[:i], b[i], *now[i + 1:])
    return step


def name(value: Node) -> tuple[Node, ...]:
    """What is no argument of it: the operation, and a function symbol's name or a branch."""
    return tuple(value[:2]) if value[0] in ("app", "W") else (value[0],)
