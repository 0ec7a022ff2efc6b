"""A claim: what a paper prints, as data. Strategies (hints) stand beside it and need no trust."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.kernel.statements import Statement

KINDS = ("identity", "inequality", "existence/uniqueness", "limit", "drift", "LP", "expansion", "coupling",
         "distributional", "theorem", "algorithm", "table value", "empirical")


@dataclass(frozen=True)
class Claim:
    """One catalogued item of a paper, or a correction of one.

    ``statement`` is what is checked, worded as printed; ``sources`` names, for each condition of the statement,
    the catalogue item or the paper's sentence that states it.  Exactly one of ``statement``, ``theorem``, ``judge``,
    ``studies`` and ``verdict`` says how the verdict comes about: the search and the kernel; these, and axioms whose
    hypotheses they prove (``qtheory.proofs.axiomatic``); a function that computes it (enumeration, replay of a printed
    algorithm, recomputation of printed numbers); simulations, whose records are kept
    (``qtheory.proofs.claims.evidence``); or ``reported`` / ``assumed``, where there is nothing to compute.
    """

    id: str
    place: str
    quote: str
    lines: tuple[int, int]  # of the seed file, first and last
    kind: str
    statement: Statement | None = None
    judge: Callable[[], Mapping[str, Any]] | None = None
    studies: Callable[[], Mapping[str, Any]] | None = None  # a Study by name, made when it is asked for
    verdict: str | None = None
    theorem: Theorem | Recurrence | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    hint: Mapping[str, Any] = field(default_factory=dict)
    corrects: str | None = None  # the id of the refuted claim that this one replaces
    corrected_by: str | None = None
    severity: str | None = None  # of a recorded refutation: "substantive" or "edge"
    note: str = ""
    readings: tuple[str, ...] = ()  # of an imprecise claim: the ids of its strong and weak readings

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those of its statement, or of its theorem."""
        stated = self.statement or self.theorem
        return () if stated is None else stated.where


def sourced(id: str, where: Sequence[str], own: Mapping[str, str] | None, section: Mapping[str, str] | None,
            paper: Mapping[str, str]) -> dict[str, str]:
    """Where each condition of a claim is stated: by the claim itself, or else its section, or else the paper.

    Raises KeyError for a condition that nothing states, and for a source of what is no condition.
    """
    if unused := set(own or ()).difference(where):
        raise KeyError(f"{id}: sources for what is no condition: {sorted(unused)}")
    stated = {**paper, **(section or {}), **(own or {})}
    return {w: stated[w] for w in where}
