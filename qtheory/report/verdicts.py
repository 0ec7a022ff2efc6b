"""The tables ``verdicts`` and ``errata``: what the referee says of a paper by section, and what is untrue as printed.

Both are read off the recorded verdicts, which a fresh ``qtheory verify`` must meet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from qtheory import __version__
from qtheory.proofs.catalogue import items
from qtheory.proofs.corpus import claims, paper_module
from qtheory.proofs.records import records
from qtheory.proofs.verdict import VERDICTS
from qtheory.report.table import Column, Table, Value

WRONG = ("refuted", "contradicted")

VERDICT_COLUMNS = (
    Column("section", "section", "section of the paper, as its catalogue has it", text=True),
    Column("items", "items", "catalogued statements that are neither definitions nor assumptions"),
    *(Column(v, v, f"of these, {v}") for v in VERDICTS),
    Column("others", "others", "readings, corrections and statements beyond the paper"),
)
ERRATA_COLUMNS = (
    Column("claim", "claim", "id of the claim", text=True, share=0.2),
    Column("lines", "lines", "lines of the paper's text", text=True),
    Column("printed", "what is printed", "the paper's words", text=True, share=0.24),
    Column("why", "why not", "where it fails", text=True, share=0.27),
    Column("correction", "correction", "id of the claim that replaces it", text=True, printed=False),
    Column("severity", "severity", "substantive, or edge: at an edge of its domain alone", text=True),
)


def verdicts(paper: str) -> Table:
    """How many statements of each section have which verdict. InputError for a paper without a catalogue."""
    return Table(
        name="verdicts", title=f"Verdicts: {paper_module(paper).TITLE}",
        caption=(f"Recorded verdicts on the catalogued statements of \u201c{paper_module(paper).TITLE}\u201d by "
                 f"section (qtheory {__version__}).",),
        label=f"tab:verdicts-{paper}", columns=VERDICT_COLUMNS, rows=tuple(_counted(paper)), version=__version__)


def errata(paper: str) -> Table:
    """The refuted and contradicted statements of a paper, substantive ones first."""
    return Table(
        name="errata", title=f"Errata: {paper_module(paper).TITLE}",
        caption=(f"Statements of \u201c{paper_module(paper).TITLE}\u201d that are not true as printed; "
                 f"`qtheory show` gives each one's counterexample (qtheory {__version__}).",),
        label=f"tab:errata-{paper}", columns=ERRATA_COLUMNS, rows=tuple(_wrong(paper)), version=__version__)


def _counted(paper: str) -> Iterator[tuple[Value, ...]]:
    recorded = records()
    of_section: dict[str, Counter[str]] = {}
    printed = {i.id for i in items(paper)}
    place = {c.place.split(",")[0]: 0 for c in claims().values() if c.id.startswith(f"{paper}.")}
    for i in items(paper):
        if i.id in claims() and not i.flag:
            of_section.setdefault(i.section, Counter())[recorded.get(i.id, {}).get("verdict", "unknown")] += 1
    for section, counts in of_section.items():
        yield (section, sum(counts.values()), *(counts[v] for v in VERDICTS), None)
    beside = [i for i in claims() if i.startswith(f"{paper}.") and i not in printed]
    rest = Counter(recorded.get(i, {}).get("verdict", "unknown") for i in beside)
    if place:
        yield ("beside the catalogue", None, *(rest[v] for v in VERDICTS), len(beside))


def _wrong(paper: str) -> Iterator[tuple[Value, ...]]:
    recorded = records()
    found = [c for c in claims().values()
             if c.id.startswith(f"{paper}.") and recorded.get(c.id, {}).get("verdict") in WRONG]
    for c in sorted(found, key=lambda c: (recorded[c.id]["severity"] != "substantive", c.lines)):
        first, last = c.lines
        yield (c.id, str(first) if first == last else f"{first}-{last}", c.quote, sentence(c.note), c.corrected_by,
               recorded[c.id]["severity"])


def sentence(note: str) -> str:
    """The first sentence of a claim's note, what it quotes of the raw text left out."""
    first = re.split(r"(?<=[^.A-Z][.)])\s+(?=[A-Z'(])", note.strip())[0]
    return first.split(" Raw line")[0]
