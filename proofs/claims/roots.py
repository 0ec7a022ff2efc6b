"""What is wrong in a paper, by its root causes: several statements fall with one, and an editor needs to hear it once.

A section's file may end with a table of them; a refuted claim names its own by ``:root:``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qtheory.proofs.claims.blocks import ROOTS, Cells

# how much of the paper depends on it: breaks a main result; breaks a step that can be repaired; a wrong constant or
# number; wording; a misprint, or the last digit, or an end point at which a printed term is undefined
RANKS = ("main-result", "step", "number", "wording", "typographical")
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
