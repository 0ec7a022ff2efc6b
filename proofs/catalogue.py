"""The catalogue of a paper: the statements that it prints and that are claims, in its order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from qtheory.errors import InputError
from qtheory.proofs.corpus import paper


@dataclass(frozen=True)
class Item:
    """One printed statement. ``section`` is the heading of its file, without the title; ``flag`` is "definition" or
    "assumption" where the paper lists it as one, else empty."""

    id: str
    kind: str
    section: str
    flag: str = ""


@cache
def items(name: str) -> tuple[Item, ...]:
    """Those of a paper. Raises InputError for a paper that there is not, and for an id without a claim."""
    found = {block.id: Item(block.id, block.kind, page.place, block.options.get("flag", ""))
             for _, page in paper(name).pages for block in page.blocks}
    if lost := [id for id in paper(name).items if id not in found]:
        raise InputError(f"{name}: its items name {lost[0]}, which has no claim")
    return tuple(found[id] for id in paper(name).items)
