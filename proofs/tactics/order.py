"""Subterms in the order in which they are read: that of a set changes from run to run, and would steer a search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from qtheory.proofs.kernel.terms import TRUE_ATOMS, Node, children


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


def evident(formula: Node) -> Mapping[Node, None]:
    """Terms that are defined wherever the formula is true (the same as the kernel's ``evidently_defined``)."""
    if formula[0] == "and":
        return {s: None for part in formula[1:] for s in evident(part)}
    return occurring(formula[1]) if formula[0] in TRUE_ATOMS else {}


__all__ = ["evident", "occurring"]
