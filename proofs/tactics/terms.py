"""Terms as data: their size, what is put in another's place, and where a variable stands in them."""

from __future__ import annotations

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import Node, free, integer, minus


def size(term: Node) -> int:
    return 1 + sum(size(c) for c in term[1:]) if isinstance(term, tuple) else 1


def swap(term: Node, old: Node, new: Node) -> Node:
    """The term with a subterm replaced wherever it stands outside binders."""
    if term == old:
        return new
    if not isinstance(term, tuple):
        return term
    if term[0] in ("sum", "int"):
        return (*term[:2], swap(term[2], old, new), swap(term[3], old, new), term[4])
    if term[0] == "diff":
        return (*term[:3], swap(term[3], old, new))
    first = 2 if term[0] in ("W", "app") else 1
    return (*term[:first], *(swap(c, old, new) for c in term[first:]))


def in_exponent(t: Node, v: str) -> bool:
    if not isinstance(t, tuple) or not isinstance(v, str):
        return False
    if (t[0] == "^" and v in free(t[2])) or (t[0] == "sum" and v in free(t[3])):
        return True
    return any(in_exponent(c, v) for c in t[1:] if isinstance(c, tuple))


def in_function(t: Node, v: str) -> bool:
    """Does v stand inside a function, an exponent or a binder?"""
    if not isinstance(t, tuple):
        return False
    if t[0] in ("+", "*") or (t[0] == "^" and integer(t[2])):
        return any(in_function(c, v) for c in t[1:])
    return v in free(t)


def free_of_functions(t: Node) -> frozenset[str]:
    """The variables inside exp, log and their kin: those in which a derivative is worth taking."""
    if not isinstance(t, tuple):
        return frozenset()
    if t[0] in FUNCTIONS and FUNCTIONS[t[0]].curved(t):
        return free(t)
    inner = frozenset[str]().union(*(free_of_functions(c) for c in t[1:] if not isinstance(c, int)))
    return inner & free(t) if t[0] in ("sum", "int", "diff") else inner


def difference_of_variables(t: Node) -> tuple[str, str] | None:
    """(x, y) if t is formally x - y."""
    names = sorted(free(t))
    if len(names) != 2:
        return None
    for x, y in (names, names[::-1]):
        if Forms().zero(minus(t, minus(x, y))):
            return x, y
    return None


def factors_of(t: Node) -> list[Node]:
    """Those of a product, and of the products in it."""
    return [f for part in t[1:] for f in factors_of(part)] if isinstance(t, tuple) and t[0] == "*" else [t]


def conjuncts(formula: Node) -> list[Node]:
    """The parts of a conjunction, and of those in it."""
    return [p for f in formula[1:] for p in conjuncts(f)] if formula[0] == "and" else [formula]
