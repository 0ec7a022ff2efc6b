"""The tables ``verdicts`` and ``errata``: what the referee says of a paper by section, and what is untrue as printed.

Both are read off the recorded verdicts, which a fresh ``qtheory verify`` must meet; the counterexamples are found, and
checked by both checkers, when the table is made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from qtheory import __version__
from qtheory.proofs.catalogue import items
from qtheory.proofs.claims.model import SEVERITIES, Claim
from qtheory.proofs.corpus import claims, referee
from qtheory.proofs.corpus import paper as paper_of
from qtheory.proofs.records import current, title
from qtheory.proofs.verdict import UNMET, VERDICTS, point_text
from qtheory.proofs.visible import visible
from qtheory.report.table import Column, Table, Value

WRONG = ("refuted", "contradicted")
SHOWN = 160  # characters of a counterexample in a printed cell
_INTERVAL = re.compile(r"in \[(-?\d+(?:/\d+)?), (-?\d+(?:/\d+)?)\]")
_SENTENCE = re.compile(r"(?<=[^.A-Z][.)])(?<!App\.)\s+(?=[A-Z'(])")
_LEAD = re.compile(r"^(?:.*independent use|\w+ reading): ", re.IGNORECASE)

BY_AXIOMS, OPEN = "proved (axioms)", f"proved ({UNMET})"
APART = {BY_AXIOMS: "of these, proved from theorems of textbooks, whose hypotheses are proved",
         OPEN: "of these, proved, no point being known at which the conditions hold"}
SECTION_COLUMNS = (
    Column("section", "section", "section of the paper, as its catalogue has it", text=True),
    Column("items", "items", "catalogued statements that are neither definitions nor assumptions"))
OTHERS = Column("others", "others", "readings, corrections and statements beyond the paper")
ERRATA_COLUMNS = (
    Column("severity", "severity", "substantive; edge: at an edge of its domain, or in the last digit, alone; "
           "remark: beyond what is printed, or a slip on which nothing rests", text=True, group=True),
    Column("about", "claim (lines; by)", "id of the claim, lines of the paper's text, what the verdict rests on, and "
           "whether it is one reading of an imprecise statement", text=True, share=0.17),
    Column("printed", "what is printed", "the paper's words", text=True, share=0.19),
    Column("shown", "counterexample", "numbers, or an input and its trace, at which it fails: a long one cut, "
           "a root in decimals", text=True, share=0.18),
    Column("why", "why not", "where it fails", text=True, share=0.19),
    Column("correction", "correction", "id of the claim that replaces it, and its verdict", text=True, share=0.15),
    Column("counterexample", "counterexample", "the counterexample in full", text=True, printed=False),
    Column("claim", "claim", "id of the claim", text=True, printed=False),
    Column("lines", "lines", "lines of the paper's text", text=True, printed=False),
    Column("by", "by", "what the verdict rests on", text=True, printed=False),
)


def verdicts(paper: str) -> Table:
    """How many statements of each section have which verdict. InputError for a paper that there is not."""
    return Table(
        name="verdicts", title=f"Verdicts: {paper_of(paper).title}",
        caption=(f"Recorded verdicts on the catalogued statements of \u201c{paper_of(paper).title}\u201d by "
                 f"section (qtheory {__version__}).",),
        label=f"tab:verdicts-{paper}", columns=(*SECTION_COLUMNS, *map(_column, _kinds(paper)), OTHERS),
        rows=tuple(_counted(paper)), version=__version__)


def errata(paper: str) -> Table:
    """The refuted and contradicted statements of a paper, substantive ones first, of these the readings last."""
    return Table(
        name="errata", title=f"Errata: {paper_of(paper).title}",
        caption=(f"Statements of \u201c{paper_of(paper).title}\u201d that are not true as printed, and what "
                 "each verdict rests on: a certificate that both checkers accept, a replay in exact arithmetic, or "
                 "simulations. A reading is one of several of a sentence that is imprecise as worded; another may be "
                 "true. Brackets hold, and ≈ gives, the only root of an equation. The command qtheory show gives the "
                 "whole counterexample, the raw line and the correction of each "
                 f"(qtheory {__version__}).",),
        label=f"tab:errata-{paper}", columns=ERRATA_COLUMNS, rows=tuple(_wrong(paper)), version=__version__)


def _kinds(paper: str) -> tuple[str, ...]:
    """The verdicts, those proved from axioms, or with conditions that may not be met, apart where there are some."""
    some = {kind_of(r) for i, r in current().items() if i.startswith(f"{paper}.")}
    return tuple(k for v in VERDICTS for k in (v, *(a for a in APART if v == "proved" and a in some)))


def _column(kind: str) -> Column:
    return Column(kind, kind, APART.get(kind, f"of these, {kind}"))


def kind_of(record: Mapping[str, Any] | None) -> str:
    """The column in which a recorded verdict is counted."""
    if record is None:
        return "unknown"
    return BY_AXIOMS if record.get("axioms") else OPEN if record.get("satisfiable") else str(record["verdict"])


def _counted(paper: str) -> Iterator[tuple[Value, ...]]:
    recorded, kinds = current(), _kinds(paper)
    of_section: dict[str, Counter[str]] = {}
    printed = {i.id for i in items(paper)}
    place = {c.place.split(",")[0]: 0 for c in claims().values() if c.id.startswith(f"{paper}.")}
    for i in items(paper):
        if i.id in claims() and not i.flag:
            of_section.setdefault(i.section, Counter())[kind_of(recorded.get(i.id))] += 1
    for section, counts in of_section.items():
        yield (section, sum(counts.values()), *(counts[k] for k in kinds), None)
    beside = [i for i in claims() if i.startswith(f"{paper}.") and i not in printed]
    rest = Counter(kind_of(recorded.get(i)) for i in beside)
    if place:
        yield ("beside the catalogue", None, *(rest[k] for k in kinds), len(beside))


def _wrong(paper: str) -> Iterator[tuple[Value, ...]]:
    recorded = current()
    found = [c for c in claims().values()
             if c.id.startswith(f"{paper}.") and recorded.get(c.id, {}).get("verdict") in WRONG]
    readings = _readings(paper)
    for c in sorted(found, key=lambda c: (SEVERITIES.index(recorded[c.id]["severity"]), c.id in readings, c.lines)):
        first, last = c.lines
        better = title(recorded[c.corrected_by]) if c.corrected_by in recorded else None
        lines, by = str(first) if first == last else f"{first}-{last}", _evidence(c)
        point = counterexample(c.id)
        about = (lines, by, "a reading") if c.id in readings else (lines, by)
        printed = c.quote or f"(nothing: {_said(c)})"
        yield (recorded[c.id]["severity"], f"{c.id} ({'; '.join(about)})", printed, cut(point),
               why_not(c.note), f"{c.corrected_by}: {better}" if better else _repair(c), point, c.id, lines, by)


def _said(claim: Claim) -> str:
    """What a claim without a quote says: in words, or as its goal."""
    return claim.says or (claim.statement.goal if claim.statement is not None else claim.place)


def _repair(claim: Claim) -> str:
    """What stands in place of a correction: a remark needs none, and a root names its repair in words."""
    root = paper_of(claim.id.partition(".")[0]).roots.get(claim.marks.get("root", ""))
    return root.repair if root is not None else "none: a remark"


@cache
def counterexample(name: str) -> str:
    """Where the refuted claim of that id fails, refereed afresh: the point, and the subterm that has no value there."""
    claim = claims()[name]
    if claim.studies is not None:
        return "statistics of simulated runs"
    verdict = referee(claim)
    point = point_text(verdict.counterexample or {}) or "the printed numbers themselves"
    return visible(point + (f"; no value there: {verdict.undefined}" if verdict.undefined else ""))


def cut(text: str) -> str:
    """At most `SHOWN` characters, ended at a blank, of the counterexample with decimals for narrow intervals."""
    text = _INTERVAL.sub(_decimal, text)
    return text if len(text) <= SHOWN else text[:SHOWN].rpartition(" ")[0].rstrip(",;:") + " …"


def _decimal(found: re.Match[str]) -> str:
    """``≈ 0.693147`` for the only root of an equation in an interval that fixes six digits."""
    low, high = (float(Fraction(end)) for end in found.groups())
    shown = f"{low:.6g}"
    return f"≈ {shown}" if shown == f"{high:.6g}" else found.group()


def _readings(paper: str) -> frozenset[str]:
    """The claims that are but readings of imprecise ones: those that the paper's catalogue does not list itself."""
    listed = {i.id for i in items(paper)}
    return frozenset(r for c in claims().values() if c.verdict == "imprecise" for r in c.readings) - listed


def _evidence(claim: Claim) -> str:
    if claim.studies is not None:
        return "simulation"
    return "kernel" if claim.statement is not None or claim.theorem is not None else "replay"


def why_not(note: str) -> str:
    """The first sentence of a claim's note that gives a reason: not what it quotes of the raw text, where that is
    used, or which reading is meant."""
    parts = [_LEAD.sub("", part) for part in sentences(note)]
    reasons = [part for part in parts if not part.startswith(("Raw line", "Said of")) and len(part.split()) > 4]
    first = (reasons or parts)[0].split(" Raw line")[0]
    return first[:1].upper() + first[1:]


def sentences(note: str) -> list[str]:
    return _SENTENCE.split(note.strip())
