"""Subterms in the order in which they are read: that of a set changes from run to run, and would steer a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from operator import is_
from types import MappingProxyType
from typing import Any, TypeVar

from qtheory.proofs.kernel.terms import TRUE_ATOMS, Node, children, free

Result = TypeVar("Result")
KEPT = 50_000


def by_identity(function: Callable[[Node], Result]) -> Callable[[Node], Result]:
    """The function of a term, remembered for this very object: to find a long term by its contents would take as long
    as the work itself."""
    kept: dict[int, tuple[Node, Result]] = {}  # the term stays beside its identity, so that no other takes it

    @wraps(function)
    def remembered(term: Node) -> Result:
        found = kept.get(id(term))
        if found is None:
            if len(kept) >= KEPT:
                kept.clear()
            found = kept[id(term)] = term, function(term)
        return found[1]

    return remembered


names = by_identity(free)  # the free variables


@lru_cache(maxsize=5_000)
def occurring(term: Node) -> Mapping[Node, None]:
    """The subterms outside binders, each once, a term before its parts (the same as the kernel's ``subterms``)."""
    found: dict[Node, None] = {}
    stack = [term]
    while stack:
        t, before = stack.pop(), len(found)
        found.setdefault(t)
        if len(found) > before:
            stack.extend(reversed(children(t)[0]))
    return MappingProxyType(found)


def shared(node: Node) -> Node:
    """The same term or formula as one object, of which equal parts are one object too: so that what is known of a term
    can be found by its identity."""
    if len(_asked) >= KEPT:
        _asked.clear()
        _made.clear()
    return _shared(node)


_made: dict[tuple[Any, ...], Node] = {}  # by their parts' identities
_asked: dict[int, tuple[Node, Node]] = {}  # by identity: what was asked for, which stays alive, and what it became


def _shared(node: Node) -> Node:
    if isinstance(node, str):
        return node
    found = _asked.get(id(node))
    if found is not None:
        return found[1]
    own = node
    if isinstance(node, tuple):
        parts = tuple([_shared(part) for part in node])
        own = node if all(map(is_, parts, node)) else parts
        key: tuple[Any, ...] = tuple([part if isinstance(part, str) else id(part) for part in own])
    else:
        key = type(node), node.numerator, node.denominator
    own = _made.setdefault(key, own)
    _asked[id(node)] = node, own
    _asked[id(own)] = own, own
    return own


def replaced(node: Node, old: Node, new: Node) -> Node:
    """The node with each occurrence of a term replaced, under binders too (the term has none of their variables)."""
    if node == old:
        return new
    return tuple([replaced(part, old, new) for part in node]) if isinstance(node, tuple) else node


def evident(formula: Node) -> Mapping[Node, None]:
    """Terms that are defined wherever the formula is true (the same as the kernel's ``evidently_defined``)."""
    if formula[0] == "and":
        return {s: None for part in formula[1:] for s in evident(part)}
    return occurring(formula[1]) if formula[0] in TRUE_ATOMS else {}


__all__ = ["by_identity", "evident", "names", "occurring", "replaced", "shared"]
