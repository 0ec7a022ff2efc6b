"""A variable that an equation with exponentials or logarithms gives by the others, put out of the goal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from qtheory.proofs.kernel.terms import KernelError, Node, free, minus
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, in_place_of
from qtheory.proofs.tactics.equations import inverted
from qtheory.proofs.tactics.solving import solve_linear
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import in_function

MOST = 2  # variables to be tried
ASSUMED = ("hyp", "and_elim")  # what other rules give is no condition


def by_parameter(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """What x = exp(m*(x - 1)) says of m, m = log(x)/(x - 1), for m: what is left speaks of x alone, of which calculus
    knows more than of a root."""
    if depth < 3:
        raise Stuck("too deep")
    for m, value, equation, known in list(_given_by_others(search, goal, facts))[:MOST]:
        with suppress(Stuck, KernelError):
            others = [f for f in known if f.concl[0] in RELATIONS and f.concl[0] != "="]
            return in_place_of(m, value, equation, goal, others, lambda now, moved: search.atom(now, moved, depth - 1))
        search.tick()
    raise Stuck("no equation gives a variable")


def _given_by_others(search: Search, goal: Node, facts: Facts) -> Iterator[tuple[str, Node, Step, list[Step]]]:
    """Variables of the goal, with their values, the equations that say so, and the facts."""
    known = inverted(search, [f for f in facts if f.concl[0] != "=" or f.rule in ASSUMED], freely=True)
    for f in known:
        names = free(f.concl[1]) if f.concl[0] == "=" else frozenset()
        for m in sorted(names & free(goal[1])):
            value = solve_linear(f.concl[1], m)
            if value is None or in_function(f.concl[1], m) or not any(in_function(value, x) for x in free(value)):
                continue
            with suppress(Stuck, KernelError):
                more = [*known, *search.define(value, known)]
                yield m, value, search.combine(("=", minus(m, value)), more, 1), more


__all__ = ["by_parameter"]
