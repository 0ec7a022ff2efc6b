"""A claim: what a paper prints, as data. Its proof stands beside it and needs no trust."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from qtheory.errors import InputError
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.outcomes import Outcome
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.limits import require_budget
from qtheory.proofs.proving.lines import Proof

KINDS = ("identity", "inequality", "existence/uniqueness", "limit", "drift", "LP", "expansion", "coupling",
         "distributional", "theorem", "algorithm", "table value", "empirical")
DECLARED = ("reported", "assumed", "imprecise", "unknown")  # the verdicts that a claim may say itself
SEVERITIES = ("substantive", "edge", "remark")


@dataclass(frozen=True)
class Claim:
    """One catalogued item of a paper, or a correction of one.

    ``statement`` is what is checked, worded as printed; ``sources`` names, for each condition of the statement,
    the catalogue item or the paper's sentence that states it.  Exactly one of ``statement``, ``theorem``, ``run``,
    ``studies`` and ``verdict`` says how the verdict comes about: the search and the kernel; these, and axioms whose
    hypotheses they prove (``qtheory.proofs.axiomatic``); code that replays a printed algorithm or goes through all
    small cases, and says what happened; simulations, whose records are kept (``qtheory.proofs.claims.evidence``); or
    a word of ``DECLARED``, where there is nothing to compute.

    ``says`` is what ``run`` or ``studies`` decide, in words: the statement that is displayed; without it the quoted
    sentence is.
    Raises InputError for what is no claim.
    """

    id: str
    place: str
    quote: str
    lines: tuple[int, int]  # of the seed file, first and last; of a claim that names none, its own in its file
    kind: str
    statement: Statement | None = None
    run: Callable[[], Outcome] | None = None
    says: str = ""
    studies: Callable[[], Mapping[str, Any]] | None = None  # a Study by name, made when it is asked for
    verdict: str | None = None
    theorem: Theorem | Recurrence | tuple[Theorem | Recurrence, ...] | None = None  # several are stated together
    sources: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)  # of the statement's symbols, in words
    proof: Proof = field(default_factory=Proof)
    first_at: Mapping[str, str] = field(default_factory=dict)  # a point: where a counterexample is looked for first
    budget: float | None = None  # seconds of work, where it needs another than the usual
    setting: str = ""  # the paper's own setting in which that point lies
    corrects: str | None = None  # the id of the refuted claim that this one replaces
    corrected_by: str | None = None
    severity: str | None = None  # of a recorded refutation: one of ``SEVERITIES``
    note: str = ""
    readings: tuple[str, ...] = ()  # of an imprecise claim: the ids of its strong and weak readings
    marks: Mapping[str, str] = field(default_factory=dict)  # what readers say of it: rank, root, reading, against
    imported: tuple[str, ...] = ()  # the ids of the claims whose results stand among the conditions
    names_lines: bool = True

    def __post_init__(self) -> None:
        texts = (self.place, self.quote, self.kind, self.says, self.note, *self.readings)
        if not isinstance(self.id, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", self.id):
            self._refuse("needs another id: letters a to z, digits, dots and hyphens, at most 80")
        if not all(isinstance(text, str) for text in texts) or not (
                isinstance(self.first_at, Mapping) and isinstance(self.sources, Mapping)
                and isinstance(self.lines, tuple) and list(map(type, self.lines)) == [int, int]
                and isinstance(self.proof, Proof)):
            self._refuse("has a text that is none, lines that are no pair of numbers, sources or a first point of no "
                         "names, or a proof that is none")
        ways = (self.statement, self.theorem, self.run, self.studies, self.verdict)
        if sum(way is not None for way in ways) != 1:
            self._refuse("needs exactly one of statement, theorem, run, studies and verdict")
        if self.statement is not None and not _of_texts(self.statement):
            self._refuse(f"has as its statement no Statement(goal, where, let) of texts but {_short(self.statement)}")
        stated = self.theorem if isinstance(self.theorem, tuple) else (self.theorem,)
        if self.theorem is not None and not (stated and all(isinstance(part, Theorem | Recurrence) for part in stated)):
            self._refuse(f"has as its theorem no Theorem(...) but {_short(self.theorem)}")
        for name in ("run", "studies"):
            if getattr(self, name) is not None and not callable(getattr(self, name)):
                self._refuse(f"has as its {name} no function but {_short(getattr(self, name))}")
        if self.verdict is not None and self.verdict not in DECLARED:
            self._refuse(f"cannot declare {_short(self.verdict)} itself: that takes a statement, a theorem, a run or "
                         f"studies; what may be declared is {', '.join(DECLARED)}")
        if (self.verdict == "imprecise") != bool(self.readings):
            self._refuse("needs its readings, and verdict='imprecise', together: the ids of the claims that judge them")
        if self.verdict == "unknown" and not self.note.strip():
            self._refuse("is unknown without a note that names the obstacle")
        if self.budget is not None:
            try:
                require_budget(self.budget)
            except InputError as error:
                self._refuse(f"cannot be searched: {error}")
        if self.kind not in KINDS:
            self._refuse(f"is of no known kind ({_short(self.kind)}); the kinds are {', '.join(KINDS)}")
        if self.severity not in (None, *SEVERITIES):
            self._refuse(f"has the severity {_short(self.severity)}; it is one of {', '.join(SEVERITIES)}")
        in_words = self.run is not None or self.studies is not None
        if self.says and not in_words:
            self._refuse("has says without a run or studies: what is displayed is what is checked")
        if in_words and not self.says:
            if not self.quote.strip():
                self._refuse("needs says: the statement, in words, that its run or its studies decide")
            object.__setattr__(self, "says", self.quote)

    @property
    def where(self) -> str:
        """``l. 3 to 5`` of the paper's text, or the line of the claim itself; empty where there is none."""
        first, last = self.lines
        if not self.names_lines:
            return f"line {first} of its file"
        return "" if not last else f"l. {first}" + (f" to {last}" if last > first else "")

    def _refuse(self, why: str) -> None:
        raise InputError(f"the claim {_short(self.id)} {why}")

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those of its statement, or of its theorem."""
        stated = self.statement or self.theorem
        parts = stated if isinstance(stated, tuple) else () if stated is None else (stated,)
        return tuple(dict.fromkeys(text for part in parts for text in part.where))


def _of_texts(stated: object) -> bool:
    return isinstance(stated, Statement) and isinstance(stated.goal, str) and all(
        isinstance(texts, tuple) and all(isinstance(t, str) for t in texts) for texts in (stated.where, stated.let))


def _short(value: object) -> str:
    """In a line, whatever it is."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."

