"""What is wrong in a paper, by its root causes, and what it takes for granted, by premise.

Several statements fall with one cause, and an editor needs to hear it once: a section's file may end with a table of
causes, and a refuted claim names its own by ``:root:``. What a paper assumes stands in one table of premises, so that
none is a hypothesis in one place and refuted in another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from qtheory.proofs.claims.blocks import PREMISES, ROOTS, Cells
from qtheory.proofs.claims.names import parts

# how much of the paper depends on it
RANKED = {"main-result": "it breaks a main result", "step": "it breaks a step that can be repaired",
          "number": "a constant or number is wrong", "wording": "the wording says more, or less, than is meant",
          "typographical": "a misprint, a last digit, or an end point at which a printed term is undefined"}
RANKS = tuple(RANKED)
OUTSIDE = "Outside the paper's settings:"  # how the counterexample of one begins that no table or setting has


@dataclass(frozen=True)
class Root:
    """A root cause: what fails, a practical counterexample, the repair and what survives, each in a sentence or two."""

    name: str
    rank: str
    fails: str
    example: str
    repair: str
    survives: str

    @property
    def outside(self) -> bool:
        """Does the counterexample lie outside the paper's tables and settings? Then it ranks below the others."""
        return self.example.startswith(OUTSIDE)


def roots(cells: Iterable[Cells]) -> Mapping[str, Root]:
    """By name. Raises InputError for a row that says less than what fails, and how much of the paper with it."""
    out: dict[str, Root] = {}
    for row in cells:
        name, rank, fails, *_ = row.texts
        if rank not in RANKS:
            raise row.at.unknown("rank of a root", rank, RANKS)
        if not name or not fails:
            raise row.at.error(f"a root needs a name and what fails; its columns are {' | '.join(ROOTS)}")
        if name in out:
            raise row.at.error(f"the root {name} stands twice")
        out[name] = Root(*row.texts)
    return out


@dataclass(frozen=True)
class Premise:
    """What the paper assumes, where it says so, the claims that take it as a hypothesis, and those that judge it."""

    name: str
    says: str
    source: str
    taken: tuple[str, ...]
    judged: tuple[str, ...]


def premises(cells: Iterable[Cells], known: Collection[str]) -> Mapping[str, Premise]:
    """By name. Raises InputError for a row that says less than what is assumed and where, or names no claim."""
    out: dict[str, Premise] = {}
    for row in cells:
        name, says, source, *ids = row.texts
        if not (name and says and source):
            raise row.at.error(f"a premise needs all but the last of its columns: {' | '.join(PREMISES)}")
        if name in out:
            raise row.at.error(f"the premise {name} stands twice")
        taken, judged = (tuple(filter(None, parts(text))) for text in ids)
        if lost := [i for i in (*taken, *judged) if i not in known]:
            raise row.at.unknown("claim of a premise", lost[0], sorted(known))
        out[name] = Premise(name, says, source, taken, judged)
    return out
