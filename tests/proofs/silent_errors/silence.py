"""All classes, the run over them, and the figures."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from . import analysis, claims_door, doors, laws, networks, objects, statements, theorems_door, walks
from .cases import Class, Reader, read

MOST = 10  # false statements in a class
NEVER_REFUTING = {"axioms"}  # doors of which a refutation is no possible answer
TABLES: tuple[tuple[str, Reader, tuple[dict[str, str], ...]], ...] = (
    ("command line", doors.by_command_line, (statements.QUEUES, analysis.LANGUAGE, laws.LAWS)),
    ("Python, strings", doors.by_python, (statements.LOGARITHMS, analysis.CALCULUS, analysis.QUANTIFIERS)),
    ("derivation, a step", doors.by_step, (statements.MEMORY, statements.MOMENTS)),
    ("derivation, LaTeX", doors.by_latex, (objects.LATEX,)),
    ("Python, SymPy", doors.by_sympy, (objects.SYMPY,)),
    ("claims file", claims_door.by_statement, (claims_door.STATED,)),
    ("claims file", claims_door.by_proof, (claims_door.PROOFS,)),
    ("claims file", claims_door.by_words, (claims_door.IN_WORDS,)),
    ("records", claims_door.by_evidence, (claims_door.EVIDENCE,)),
    ("records", claims_door.by_record, (claims_door.RECORDED,)),
    ("certificate", doors.as_another, (objects.AS_ANOTHER,)),
    ("certificate", doors.shown_for, (objects.SHOWN_FOR,)),
    ("certificate", doors.turned, (objects.TURNED,)),
    ("certificate", doors.spoilt, (objects.SPOILT,)),
    ("axioms", theorems_door.by_fluid, (theorems_door.QUEUE,)),
    ("axioms", theorems_door.by_draws, (theorems_door.DRAWS,)),
    ("axioms", walks.said, (walks.WALKS,)),
    ("network", networks.said, (networks.SAID,)),
    ("network", networks.shown, (networks.SHOWN,)),
    ("network", networks.forged, (networks.FORGED,)),
)


def classes() -> Iterator[Class]:
    for door, says, tables in TABLES:
        for table in tables:
            for name, block in table.items():
                yield read(door, name, block, says)


@dataclass(frozen=True)
class Result:
    """What a class' false statements came to: each statement's text with what the door said."""

    group: Class
    words: tuple[tuple[str, str], ...]
    seconds: float

    @property
    def counts(self) -> Counter[str]:
        return Counter(word for _, word in self.words)

    @property
    def silent(self) -> bool:
        """Is nothing false proved?"""
        return not self.counts.keys() & {"proved", "checked", "supported", "conditional", "valid"}


def run(group: Class, most: int = MOST) -> Result:
    """Bring ``most`` of its false statements to the door, drawn once for all, in their order."""
    started = time.process_time()
    drawn = sorted(random.Random(group.name).sample(range(len(group.false)), min(most, len(group.false))))
    words = tuple((group.false[i].text, group.false[i].run()) for i in drawn)
    return Result(group, words, time.process_time() - started)


def figures(results: Iterable[Result]) -> str:
    """The figures as a table of Markdown, a row for each door."""
    rows: dict[str, Counter[str]] = {}
    for result in results:
        row = rows.setdefault(result.group.door, Counter())
        row += result.counts
        row += Counter(classes=1, statements=len(result.words), near=sum(bool(c.near) for c in result.group.false))
    total: Counter[str] = sum(rows.values(), Counter())
    columns = ("classes", "statements", "near", "proved", "refuted", "unknown", doors.ERROR)
    heads = ("door", "classes", "statements", "of which near a true one", "proved", "refuted or rejected", "unknown",
             "input error")
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " --- |" * len(columns)]
    for door, row in [*rows.items(), ("all", total)]:
        lines.append(f"| {door} | {' | '.join(str(row[c]) for c in columns)} |")
    judged = sum(row["statements"] - row[doors.ERROR] for door, row in rows.items() if door not in NEVER_REFUTING)
    share = 100 * total["refuted"] / judged if judged else 0.0
    return "\n".join([*lines, "", f"Of the {judged} that could be, {share:.0f} % are refuted (or rejected)."])
