"""The greater of two numbers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function
from qtheory.proofs.functions.values import Flags, Values
from qtheory.proofs.kernel.terms import KernelError, Node, ge, minus
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, parts

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search



def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    """max(a, b) = a where a >= b is plain."""
    _, a, b = term
    for first, second in ((a, b), (b, a)):
        order = simple.search.quick(ge(first, second), simple.facts)
        if order is None:
            continue
        told = [order, *parts(apply("max_bounds", a, b, simple.known(term)))]
        goal = ("=", minus(term, first))
        above = next(f for f in told if f.concl == ge(term, first))
        with suppress(Stuck, KernelError):  # of many facts these do, but for divisors of which others speak
            return first, simple.from_both_sides(goal, above, told)
        return first, simple.from_both_sides(goal, above, [*simple.facts, *told])
    return None


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    return [attempt("max_bounds", s[1], s[2], known)]


def _array(parts: list[Values], undefined: Flags) -> Values:
    a, b = parts
    return Values(np.maximum(a.value, b.value), undefined, np.maximum(a.size, b.size))


MAXIMUM = Function("max", "max", max, _array, total=True, facts=_facts, rewritten=rewritten, sympy=sympy.Max)
