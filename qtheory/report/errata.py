"""A paper's errata as its editor wants them: main results first, one entry a root cause, the smallest last.

All of it is read off the paper's claims and the recorded verdicts: what fails, with the numbers at which it fails; what
repairs it, and whether the repair is proved; what survives; the claims that fall with it; and what was confirmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qtheory import __version__
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.roots import RANKS, Root
from qtheory.proofs.corpus import claims
from qtheory.proofs.corpus import paper as paper_of
from qtheory.proofs.records import current, title
from qtheory.proofs.visible import flowing
from qtheory.report import latex
from qtheory.report.verdicts import WRONG, counterexample, cut, why_not

HEADINGS = {
    "main-result": "Main results",
    "step": "Steps that can be repaired",
    "number": "Constants and numbers",
    "wording": "Wording",
    "typographical": "Typographical",
}
MAIN = re.compile(r"\.(thm|prop|lem|cor|alg|eq|lp)-[^.]+$")  # the ids of a paper's main results
FIRM = ("proved", "checked")
UNROOTED = "without a root of their own"
Runs = tuple[tuple[str, str], ...]  # pieces of a line: style ("", "strong", "code"), text


@dataclass(frozen=True)
class Entry:
    """An item of a list: the cause, as pieces of text, and what falls with it, below."""

    line: Runs
    below: tuple[Runs, ...] = ()


@dataclass(frozen=True)
class Part:
    """A heading, what is said under it, and its entries."""

    heading: str
    said: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = field(default_factory=tuple)


@dataclass(frozen=True)
class Errata:
    """The whole document."""

    title: str
    parts: tuple[Part, ...]

    def markdown(self) -> str:
        """As Markdown."""
        out = [f"# Errata: {flowing(self.title)}"]
        for part in self.parts:
            out += ["", f"## {part.heading}"] if part.heading else []
            for text in part.said:
                out += ["", _marked(text)]
            for entry in part.entries:
                out += ["", "- " + "".join(map(_in_markdown, entry.line))]
                out += ["  - " + "".join(map(_in_markdown, line)) for line in entry.below]
        return "\n".join(out) + "\n"

    def latex(self) -> str:
        """As a whole LaTeX document, with no package but a font encoding and lists."""
        out = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage{lmodern,enumitem}",
               r"\setlist{nosep}", r"\sloppy", r"\begin{document}", rf"\section*{{Errata: {latex.escape(self.title)}}}"]
        for part in self.parts:
            out += [rf"\subsection*{{{latex.escape(part.heading)}}}"] if part.heading else []
            out += [latex.escape(text) + r"\par" for text in part.said]
            if part.entries:
                out.append(r"\begin{itemize}")
                for entry in part.entries:
                    out.append(r"\item " + "".join(map(_in_latex, entry.line)))
                    if entry.below:
                        out.append(r"\begin{itemize}")
                        out += [r"\item " + "".join(map(_in_latex, line)) for line in entry.below]
                        out.append(r"\end{itemize}")
                out.append(r"\end{itemize}")
        return "\n".join([*out, r"\end{document}", ""])


def errata(paper: str) -> Errata:
    """The errata of a paper of the corpus. InputError for a paper that is none."""
    found, known = paper_of(paper), current()
    mine = [c for i, c in claims().items() if i.startswith(f"{paper}.")]
    wrong = [c for c in mine if known.get(c.id, {}).get("verdict") in WRONG]
    against = [c for c in mine if "against" in c.marks]
    fallen: dict[str, list[Claim]] = {}
    for claim in (*wrong, *against):
        if "root" in claim.marks:
            fallen.setdefault(claim.marks["root"], []).append(claim)
    parts = [Part("", _summary(mine, wrong, against, known))]
    for rank in RANKS:
        entries = [_entry(root, fallen[name], known) for name, root in found.roots.items()
                   if root.rank == rank and name in fallen]
        if entries:
            parts.append(Part(HEADINGS[rank], (), tuple(entries)))
    alone = [c for c in wrong if "root" not in c.marks]
    if alone:
        parts.append(Part("Remarks", (f"{len(alone)} refuted statements stand {UNROOTED}: remarks that go beyond what "
                                      "the paper says, which nobody need correct.",),
                          tuple(Entry(_line(c, known)) for c in alone)))
    return Errata(found.title, (*parts, *_confirmed(mine, known)))


def _summary(mine: Sequence[Claim], wrong: Sequence[Claim], against: Sequence[Claim],
             known: Mapping[str, Any]) -> tuple[str, ...]:
    counts = Counter(known[c.id]["verdict"] for c in mine if c.id in known and c.quote)
    told = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    roots = len({c.marks["root"] for c in (*wrong, *against) if "root" in c.marks})
    return (f"Of the statements that quote the paper, {told}. What is not true as printed has {roots} root causes, "
            "listed by how much of the paper depends on them; each with the numbers at which it fails, its repair, and "
            "what survives.",
            "Both checkers of qtheory have accepted a certificate for each refutation and each repair that is called "
            "proved, unless replay, enumeration or simulation is named; the command qtheory show ID gives the whole "
            f"of it (qtheory {__version__}).")


def _entry(root: Root, fallen: Sequence[Claim], known: Mapping[str, Any]) -> Entry:
    line: list[tuple[str, str]] = [("strong", root.fails.rstrip("."))]
    for head, text in (("Numbers", root.example), ("Repair", root.repair), ("What survives", root.survives)):
        if text:
            line += [("", ". " if head == "Numbers" else "; "), ("", f"{head}: {text.rstrip('.')}")]
    line.append(("", "."))
    return Entry(tuple(line), tuple(_line(c, known) for c in fallen))


def _line(claim: Claim, known: Mapping[str, Any]) -> Runs:
    """A claim in one line: its place, what is wrong and where, its correction."""
    first, last = claim.lines
    where = f" ({claim.place}, l. {first}" + (f" to {last}" if last > first else "") + ")"
    if "against" in claim.marks:
        return (("code", claim.id), ("", f"{where}, {title(known[claim.id])}, speaks against "),
                ("code", claim.marks["against"]), ("", f": {why_not(claim.note)}" if claim.note else ""))
    out = [("code", claim.id), ("", where + (", " + _by(claim)) + ": " + cut(counterexample(claim.id)) + ".")]
    better = claim.corrected_by or ""
    if better in known:
        out += [("", " Instead: "), ("code", better), ("", f", {title(known[better])}.")]
    return tuple(out)


def _by(claim: Claim) -> str:
    if claim.studies is not None:
        return "contradicted by simulation"
    return "refuted" if claim.statement is not None or claim.theorem is not None else "refuted by replay"


def _confirmed(mine: Sequence[Claim], known: Mapping[str, Any]) -> Iterator[Part]:
    main = [c for c in mine if c.quote and MAIN.search(c.id)]
    firm = [c for c in main if known.get(c.id, {}).get("verdict") in FIRM]
    open_ = [c for c in mine if c.quote and known.get(c.id, {}).get("verdict") == "unknown"]
    rest = sum(c.quote != "" and known.get(c.id, {}).get("verdict") in FIRM for c in mine) - len(firm)
    said = (f"Main results that hold as printed, and {rest} further statements.",)
    yield Part("What was confirmed", said, tuple(
        Entry((("code", c.id), ("", f" ({c.place}): {title(known[c.id])}"))) for c in firm))
    if open_:
        yield Part("What was not decided", (), tuple(
            Entry((("code", c.id), ("", f" ({c.place}): {why_not(c.note)}"))) for c in open_))


def _marked(text: str) -> str:
    """Plain text in Markdown: a star or underscore that would set it in italics stands for itself."""
    inside = re.sub(r"(?<!\\)([*<>|]|(?<!\w)_|_(?!\w))", r"\\\1", flowing(text))
    return f"{' ' * text.startswith(' ')}{inside.strip()}{' ' * text.endswith(' ')}"


def _in_markdown(run: tuple[str, str]) -> str:
    style, text = run
    if style == "code":
        return f"`{flowing(text)}`"
    return f"**{_marked(text)}**" if style == "strong" else _marked(text)


def _in_latex(run: tuple[str, str]) -> str:
    style, text = run
    shown = (" " if text[:1] == " " else "") + latex.escape(text) + (" " if text[-1:] == " " else "")
    return rf"\texttt{{{shown}}}" if style == "code" else rf"\textbf{{{shown}}}" if style == "strong" else shown
