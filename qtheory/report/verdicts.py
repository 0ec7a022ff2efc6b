"""The tables ``verdicts`` and ``errata``: what the referee says of a paper by section, and what is untrue as printed.

Both are read off the recorded verdicts, which a fresh ``qtheory verify`` must meet; the counterexamples, and all
verdicts on a paper of one's own, are found, and checked by both checkers, when the table is made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from qtheory import __version__
from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.catalogue import items
from qtheory.proofs.claims.loading import own
from qtheory.proofs.claims.model import SEVERITIES, Claim
from qtheory.proofs.claims.papers import SETTINGS, Paper, read
from qtheory.proofs.corpus import claims, papers, referee, verify
from qtheory.proofs.corpus import paper as paper_of
from qtheory.proofs.records import current, record, title
from qtheory.proofs.verdict import UNMET, VERDICTS, Verdict, point_text
from qtheory.proofs.visible import flowing, visible
from qtheory.report import captions
from qtheory.report.apart import label_of
from qtheory.report.printed import BEFORE_CONDITIONS, printed
from qtheory.report.table import Column, Table, Value

WRONG = ("refuted", "contradicted")
NOT_SAID = "not said"  # how grave a refutation is
SHOWN = 160  # characters of a counterexample in a printed cell
TOLD = 600  # characters of what kept a claim from being decided
_INTERVAL = re.compile(r"in \[(-?\d+(?:[/.]\d+)?), (-?\d+(?:[/.]\d+)?)\]")
SHORTENED = ("App", "Eq", "Eqs", "Fig", "Figs", "Sec", "Thm", "Prop", "Lem", "Cor", "Def", "Ref", "al", "cf", "vs",
             "resp", "e.g", "i.e")  # words whose dot ends no sentence
_SENTENCE = re.compile(r"(?<=[^.A-Z][.)])" + "".join(rf"(?<!\b{re.escape(word)}\.)" for word in SHORTENED)
                       + r"\s+(?=[A-Z'(])")
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
    Column("printed", "what is printed", "the paper's words", text=True, share=0.19, formulas=True),
    Column("shown", "counterexample", "numbers, or an input and its trace, at which it fails: a long one cut, "
           "a root in decimals", text=True, share=0.18, formulas=True),
    Column("why", "why not", "where it fails", text=True, share=0.19, formulas=True),
    Column("correction", "correction", "id of the claim that replaces it, and its verdict", text=True, share=0.15),
    Column("counterexample", "counterexample", "the counterexample in full", text=True, printed=False),
    Column("claim", "claim", "id of the claim", text=True, printed=False),
    Column("lines", "lines", "lines of the paper's text", text=True, printed=False),
    Column("by", "by", "what the verdict rests on", text=True, printed=False),
)


@dataclass(frozen=True)
class _Told:
    """A paper's claims, in its order, with what is recorded of their verdicts, and the section of each that it prints;
    of one's own file or folder, with verdicts given afresh."""

    key: str
    paper: Paper
    claims: Mapping[str, Claim]
    known: Mapping[str, Any]
    sections: Mapping[str, str]
    points: Callable[[Claim], str]  # where a refuted claim fails
    recorded: bool = True

    @property
    def title(self) -> str:
        return f"\u201c{flowing(self.paper.title)}\u201d"

    @property
    def readings(self) -> frozenset[str]:
        """The claims that are but readings of imprecise ones: those that the paper's catalogue does not list itself."""
        return frozenset(r for c in self.claims.values() if c.verdict == "imprecise" for r in c.readings
                         ) - self.sections.keys()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The verdicts; those proved from axioms, or with conditions that may not be met, apart."""
        some = {kind_of(r) for r in self.known.values()}
        return tuple(k for v in VERDICTS for k in (v, *(a for a in APART if v == "proved" and a in some)))


def _told(name: str) -> _Told:
    """Of a paper of the corpus, or of a file or folder of one's own. UnknownNameError for what is neither."""
    if name in papers():
        theirs = {i: c for i, c in claims().items() if i.startswith(f"{name}.")}
        return _Told(name, paper_of(name), theirs, {i: r for i, r in current().items() if i in theirs},
                     {i.id: "" if i.flag else i.section for i in items(name)}, lambda c: counterexample(c.id))
    if not Path(name).exists():
        raise UnknownNameError("paper", name, list(papers()))
    source = own(name)
    if Path(source).suffix == ".py" or not (Path(source).is_file() or (Path(source) / SETTINGS).exists()):
        raise InputError(f"{name}: the table is of a Markdown file, or of a folder with a {SETTINGS}")
    mine, found, paper = claims(source), {str(v.id): v for v in verify([source], kept=True)}, read(Path(source))
    context = {b.id for b in paper.blocks if "flag" in b.options}
    stated = {i: "" if i in context else c.place.split(",")[0] for i, c in mine.items() if c.corrects is None}
    return _Told(Path(source).stem, paper, mine,
                 {i: record(v) for i, v in found.items()}, stated, lambda c: failing(found[c.id]), False)


def verdicts(paper: str) -> Table:
    """How many statements of each section have which verdict. ``paper``: one of the corpus, by its recorded verdicts,
    or a Markdown file or folder of one's own, refereed afresh. UnknownNameError for a paper that there is not."""
    told = _told(paper)
    lead = ("Recorded verdicts on the catalogued statements of" if told.recorded else "Verdicts on the statements of")
    return Table(
        name="verdicts", title=f"Verdicts: {flowing(told.paper.title)}",
        caption=(f"{lead} {told.title} by section (qtheory {__version__}).",),
        label=label_of("tab:verdicts", told.key), columns=(
            *SECTION_COLUMNS, *map(_column, told.kinds), *([OTHERS] * told.recorded)),
        rows=tuple(_counted(told)), version=__version__)


def errata(paper: str) -> Table:
    """The refuted and contradicted statements of a paper, substantive ones first, of these the readings last; ``paper``
    as for ``verdicts``."""
    told = _told(paper)
    return Table(
        name="errata", title=f"Errata: {flowing(told.paper.title)}",
        caption=(f"Statements of {told.title} that are not true as printed, and what "
                 "each verdict rests on: a certificate that both checkers accept, a replay in exact arithmetic, or "
                 "simulations. A reading is one of several of a sentence that is imprecise as worded; another may be "
                 "true. Brackets hold, and ≈ gives, the only root of an equation. The command qtheory show gives the "
                 "whole counterexample, the raw line and the correction of each "
                 f"(qtheory {__version__}).",),
        label=label_of("tab:errata", told.key), columns=ERRATA_COLUMNS, rows=tuple(_wrong(told)), version=__version__)


def _column(kind: str) -> Column:
    return Column(kind, kind, APART.get(kind, f"of these, {kind}"))


def kind_of(record: Mapping[str, Any] | None) -> str:
    """The column in which a recorded verdict is counted."""
    if record is None:
        return "unknown"
    return BY_AXIOMS if record.get("axioms") else OPEN if record.get("satisfiable") else str(record["verdict"])


def _counted(told: _Told) -> Iterator[tuple[Value, ...]]:
    of_section: dict[str, Counter[str]] = {}
    for i, section in told.sections.items():
        if i in told.claims and section:
            of_section.setdefault(section, Counter())[kind_of(told.known.get(i))] += 1
    for section, counts in of_section.items():
        yield (flowing(section), sum(counts.values()), *(counts[k] for k in told.kinds), *([None] * told.recorded))
    beside = [i for i in told.claims if i not in told.sections]
    rest = Counter(kind_of(told.known.get(i)) for i in beside)
    if told.recorded:
        yield ("beside the catalogue", None, *(rest[k] for k in told.kinds), len(beside))
    elif beside:
        yield ("corrections", len(beside), *(rest[k] for k in told.kinds))


def _wrong(told: _Told) -> Iterator[tuple[Value, ...]]:
    recorded = told.known
    found = [c for c in told.claims.values() if recorded.get(c.id, {}).get("verdict") in WRONG]
    order = (*SEVERITIES, None)
    for c in sorted(found, key=lambda c: (order.index(recorded[c.id]["severity"]), c.id in told.readings, c.lines)):
        first, last = c.lines
        better = title(recorded[c.corrected_by]) if c.corrected_by and c.corrected_by in recorded else None
        lines = c.where if not c.names_lines else str(first) if first == last else f"{first}-{last}"
        by = _evidence(c)
        point = told.points(c)
        about = (lines, by, "a reading") if c.id in told.readings else (lines, by)
        words = flowing(c.quote) or f"(nothing: {_said(c)})"
        yield (recorded[c.id]["severity"] or NOT_SAID, f"{c.id} ({'; '.join(about)})", words, cut(point),
               flowing(why_not(c.note)), f"{c.corrected_by}: {better}" if better else _repair(told, c), point, c.id,
               lines, by)


def _said(claim: Claim) -> str:
    """What a claim without a quote says: in words, or its conclusion, as LaTeX where that is short enough to be set."""
    if claim.says or claim.statement is None:
        return claim.says or claim.place
    formula = printed(claim.statement).partition(BEFORE_CONDITIONS)[0]
    return f"${formula}$" if captions.compiles(formula) else claim.statement.goal


def _repair(told: _Told, claim: Claim) -> str:
    """What stands in place of a correction: a remark needs none, and a root names its repair in words."""
    root = told.paper.roots.get(claim.marks.get("root", ""))
    if root is not None:
        return flowing(root.repair)
    return "none: a remark" if told.known[claim.id]["severity"] == "remark" or told.recorded else "none named"


@cache
def counterexample(name: str) -> str:
    """Where the refuted claim of that id fails, refereed afresh: the point, and the subterm that has no value there."""
    claim = claims()[name]
    if claim.studies is not None:
        return "statistics of simulated runs"
    return failing(referee(claim))


def failing(verdict: Verdict) -> str:
    """Where a refuted statement fails: the point, and the subterm that has no value there."""
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


def _evidence(claim: Claim) -> str:
    if claim.studies is not None:
        return "simulation"
    return "kernel" if claim.statement is not None or claim.theorem is not None else "replay"


def why_not(note: str) -> str:
    """The first sentence of a claim's note that gives a reason: not what it quotes of the raw text, where that is
    used, or which reading is meant."""
    first = _reasons(note)[0].split(" Raw line")[0]
    return first[:1].upper() + first[1:]


def obstacle(note: str) -> str:
    """What a note says of why a claim is open: the first reason, and as many of the sentences after it as `TOLD`
    characters hold."""
    first, *others = _reasons(note)
    told = first[:1].upper() + first[1:]
    for sentence in others:
        if len(told) + len(sentence) >= TOLD:
            return f"{told} …"
        told += f" {sentence}"
    return told


def _reasons(note: str) -> list[str]:
    parts = [_LEAD.sub("", part) for part in sentences(note)]
    return [part for part in parts if not part.startswith(("Raw line", "Said of")) and len(part.split()) > 4] or parts


def sentences(note: str) -> list[str]:
    return _SENTENCE.split(note.strip())
