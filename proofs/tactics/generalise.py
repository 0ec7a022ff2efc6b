"""Goals for a compound parameter: proved for a variable in its place, then instantiated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, minus
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, fresh, hyp
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search

Existence = Callable[[Search, Node, Sequence[Step], int], Step]


def generalised(search: Search, goal: Node, facts: Sequence[Step], depth: int, solve: Existence) -> Step:
    """The goal with a positive compound term c, free of the bound variable, replaced by a variable g > 0."""
    _, x, body = goal
    for c in compounds(body, x):
        try:
            positive = search.atom((">", c), facts, 1)
        except Stuck:
            continue
        g = fresh("g", goal, [f.concl for f in facts], [h for f in facts for h in f.hyps])
        general = everywhere(goal, c, g)
        others = [f for f in facts if not f.variables & free(c)]
        step = solve(search, general, [*others, hyp((">", g))], depth)
        step = apply("instance", step, g, c, (positive, *facts))
        return apply("cut", positive, step)
    raise Stuck("not of this shape")


def by_ratio(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal for a variable g > 0 in the place of a quotient, on the side of 1 on which the quotient is."""
    c = ratio(goal)
    if c is None:
        raise Stuck("no power of a quotient whose variables stand nowhere else")
    told = [search.atom((">", c), facts, 1)]
    for side in (minus(ONE, c), minus(c, ONE)):
        with suppress(Stuck, KernelError):
            told.append(search.atom((">", side), facts, 1))
            break
    g = fresh("g", goal, [f.concl for f in facts], [h for f in facts for h in f.hyps])
    others = [f for f in facts if not f.variables & free(c)]
    step = search.atom(everywhere(goal, c, g), [*others, *(hyp(everywhere(t.concl, c, g)) for t in told)], depth)
    step = apply("instance", step, g, c, (*told, *facts))
    for t in told:
        step = apply("cut", t, step)
    return step


def ratio(goal: Node) -> Node | None:
    """A quotient with a power to an exponent that is no number, where its variables stand in nothing else."""
    bases = {s[1] for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] == "^" and not isinstance(s[2], Fraction)
             and isinstance(s[1], tuple) and s[1][0] == "*" and len(free(s[1])) > 1}
    for c in sorted(bases, key=str):
        if not free(c) & free(everywhere(goal[1], c, ONE)):
            return c
    return None


def compounds(body: Node, x: str) -> Iterator[Node]:
    """Right-hand sides that do not speak of x and are no variables, the first equation's first."""
    if body[0] in ("and", "or"):
        for part in body[1:]:
            yield from compounds(part, x)
    elif body[0] == "=" and isinstance(body[1], tuple):
        for s in sorted(occurring(body[1]), key=lambda t: -len(str(t))):
            if isinstance(s, tuple) and len(free(s)) > 1 and x not in free(s) and s[0] != "+":
                yield s


def everywhere(node: Node, old: Node, new: Node) -> Node:
    """The node with each occurrence of a term replaced, under binders too (the term has none of their variables)."""
    if node == old:
        return new
    return tuple(everywhere(c, old, new) for c in node) if isinstance(node, tuple) else node
