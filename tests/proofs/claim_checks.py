"""What holds of every paper's claims: they are well formed, their hypotheses are the paper's, its lines are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from qtheory.proofs.axiomatic import owed
from qtheory.proofs.catalogue import items
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.model import KINDS, SEVERITIES, Claim
from qtheory.proofs.records import admitted

SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"  # the papers' texts, not part of the repository
CITED = re.compile(r"(?:\bl\.|[Ll]ine) (\d+)")


def check_form(claims: Sequence[Claim]) -> None:
    by_id = {c.id: c for c in claims}
    assert len(by_id) == len(claims)
    for c in claims:
        assert c.kind in KINDS
        assert sum(way is not None for way in (c.statement, c.theorem, c.run, c.studies, c.verdict)) == 1, c.id
        for other in (*c.readings, *(i for i in (c.corrects, c.corrected_by) if i)):
            assert other in by_id, (c.id, other)
        if c.corrected_by:
            assert c.severity in SEVERITIES, c.id
        if c.corrects:
            assert by_id[c.corrects].corrected_by == c.id, c.id
        if c.verdict == "imprecise":
            assert c.note.strip(), f"{c.id}: its note says which words leave it open"
        if c.verdict is not None:
            assert admitted(c.kind, c.verdict, c.note), c.id
        if c.statement is not None:
            c.statement.parsed()
        if c.theorem is not None:
            assert owed(c.theorem).obligations, c.id
        assert set(c.sources) == set(c.conditions), c.id


def check_refutations(paper: str, claims: Iterable[Claim]) -> None:
    """Extraction damage is nobody's error: what is refuted under a printed id has the raw line and an independent use
    of the same thing in the paper's text, in its own note or in that of a claim which falls with the same root."""
    printed, notes = {i.id for i in items(paper)}, dict[str, str]()
    for c in claims:
        root = c.marks.get("root", c.id)
        notes[root] = notes.get(root, "") + c.note
    for c in claims:
        if c.severity is not None and c.id in printed:
            said = notes[c.marks.get("root", c.id)]
            assert re.search(r"[Rr]aw line \d+", said) and "ndependent use" in said, c.id


def check_hypotheses(paper: str, claims: Iterable[Claim]) -> None:
    """Nothing that the paper prints is checked under a hypothesis that it has not: that makes a correction."""
    printed = {i.id for i in items(paper)}
    for c in claims:
        if any(source.startswith("added") for source in c.sources.values()):
            assert c.id not in printed, c.id


def check_lines(seed: Path, claims: Iterable[Claim], texts: Iterable[str]) -> None:
    """The lines of the paper that claims quote, and those that their sources and these texts name, are not empty."""
    lines = seed.read_text(encoding="utf-8").splitlines()
    cited = [*texts]
    for c in claims:
        first, last = c.lines
        assert 1 <= first <= last <= len(lines) and any(lines[i - 1].strip() for i in range(first, last + 1)), c.id
        cited += c.sources.values()
        for theorem in c.theorem if isinstance(c.theorem, tuple) else filter(None, (c.theorem,)):
            cited += [w for use in theorem.uses for w in use.words.values()] if isinstance(theorem, Theorem) else [
                theorem.words]
    for text in cited:
        for number in CITED.findall(text):
            assert lines[int(number) - 1].strip(), (number, text)
