"""Existence for a compound parameter: proved for a variable in its place, then instantiated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from qtheory.proofs.kernel.terms import Node, free
from qtheory.proofs.tactics.builder import Step, Stuck, apply, fresh, hyp
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
