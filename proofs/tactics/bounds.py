"""Bounds of a function's value, which are the same from whatever facts: each is proved once in a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.state import Search



class Bounds(dict[Node, list[Step]]):
    """By the value of exp or log, its bounds: the same from whatever facts."""


def bound_once(search: Search, bound: Callable[[Search, Node, tuple[Step, ...]], Step | None], s: Node,
               known: tuple[Step, ...]) -> Step | None:
    """The bound of s, which is the same from whatever facts: one that was proved before, if it rests on no more
    than these."""
    kept = search.own(Bounds).setdefault(s, [])
    assumed = frozenset().union(*(f.hyps for f in known)) if kept else frozenset()
    step = next((k for k in kept if k.hyps <= assumed), None)
    if step is None and (step := bound(search, s[1], known)) is not None:
        kept.append(step)
    return step
