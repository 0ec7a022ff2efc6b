"""A paper's errata as its editor wants them: a page that sums up the main results, then one entry a root cause, the
gravest first, with the claims that fall with it, then what was confirmed, what was not decided, and remarks.

All of it is read off the paper's claims and the recorded verdicts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qtheory import __version__
from qtheory.errors import UnknownNameError
from qtheory.proofs.claims.loading import own
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import read, readings, usual_domain
from qtheory.proofs.claims.roots import RANKS, Premise, Root
from qtheory.proofs.corpus import claims, papers, verify
from qtheory.proofs.corpus import paper as paper_of
from qtheory.proofs.records import STANDING, current, record, title
from qtheory.proofs.verdict import VERDICTS, Verdict
from qtheory.proofs.visible import flowing
from qtheory.report import latex
from qtheory.report.printed import printed, statement_lines
from qtheory.report.prose import set_in, shortened
from qtheory.report.verdicts import WRONG, cut, failing, obstacle, sentences, why_not

HEADINGS = {
    "main-result": "Main results",
    "step": "Steps that can be repaired",
    "number": "Constants and numbers",
    "wording": "Wording",
    "typographical": "Typographical",
}
NUMBERED = r"-[0-9A-Z]+(\.\d+)?[a-z]?$"
MAIN = re.compile(r"\.(thm|prop|conj|alg)" + NUMBERED)  # the ids of a paper's main results
NAMED = re.compile(r"\.(thm|prop|conj|alg|lem|cor|eq|lp)" + NUMBERED)  # and of all that it gives a name
FIRM = ("proved", "checked")
NARROWED = ", in a narrower form"
STATED = 700  # characters of LaTeX: a longer statement, as of a table's rows, is told in words alone
SCOPE = ("What is not true as printed, what was confirmed, by name, and what was not decided. Each statement in full, "
         "with its verdict and certificate, is in the HTML page that qtheory report writes.")
QUOTED = 110  # characters of what is printed
Runs = tuple[tuple[str, str], ...]  # pieces of a line: style ("", "strong", "em", "code", "math", "quote"), text


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
        """As a whole LaTeX document, with packages for fonts, lists, margins and mathematics."""
        out = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}",
               r"\usepackage{lmodern,enumitem,amsmath,amssymb}", r"\usepackage[margin=28mm]{geometry}",
               r"\setlist{nosep}", r"\sloppy", r"\begin{document}",
               rf"\section*{{\raggedright Errata: {latex.escape(self.title)}}}", rf"\emph{{{latex.escape(SCOPE)}}}\par"]
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


@dataclass(frozen=True)
class _Told:
    """What there is to tell of a paper: its claims, the record, its roots, what falls with each, its premises."""

    mine: tuple[Claim, ...]
    known: Mapping[str, Any]
    roots: Mapping[str, Root]
    fallen: Mapping[str, tuple[Claim, ...]]
    premises: Mapping[str, Premise]
    own: str  # the name of a file of one's own; none of a paper of the corpus
    work: str  # what it is called: a file of one's own is a note

    def verdict(self, claim: Claim) -> str:
        return str(self.known.get(claim.id, {}).get("verdict"))

    def printed(self, *verdicts: str) -> list[Claim]:
        """The statements that quote the paper, or stand in one's own, and are no corrections, with these verdicts."""
        return [c for c in self.mine if self.says(c) and self.verdict(c) in verdicts]

    def says(self, claim: Claim) -> bool:
        return bool(self.own or claim.quote) and claim.corrects is None

    def uncaused(self) -> list[Claim]:
        """What the paper says, and is wrong, and names no root cause; in one's own, corrections that are wrong too."""
        return [c for c in self.mine if self.verdict(c) in WRONG and (self.own or self.says(c))
                and "root" not in c.marks and c.severity != "remark"]

    def leading(self) -> list[str]:
        """The roots that the summary tells in full: those that break a main result, or with which one falls."""
        return [name for name, claims in self.fallen.items() if self.roots[name].rank == RANKS[0]
                or any(MAIN.search(c.marks.get("against", c.id)) for c in claims)]


def errata(paper: str, known: Mapping[str, Any] | None = None) -> Errata:
    """The errata of a paper of the corpus, or of a Markdown file or folder of one's own.

    ``known``: what is recorded of its claims' verdicts, by id; by default the corpus's record, and of one's own what is
    found afresh. UnknownNameError for a paper that is none.
    """
    ours = paper in papers()
    if not ours and not Path(paper).exists():
        raise UnknownNameError("paper", paper, list(papers()))
    found = paper_of(paper) if ours else read(Path(paper))
    if not ours and known is None:
        known = {str(v.id): fresh(v) for v in verify([own(paper)], kept=True)}
    known = current() if known is None else {**current(), **known}
    mine = tuple(claims(None if ours else paper).values())
    if ours:
        mine = tuple(c for c in mine if c.id.startswith(f"{paper}."))
    fallen: dict[str, tuple[Claim, ...]] = {}
    for name, _ in sorted(found.roots.items(), key=lambda r: (RANKS.index(r[1].rank), r[1].outside)):
        under = tuple(c for c in mine if c.marks.get("root") == name and known.get(c.id, {}).get("verdict") in
                      (STANDING if "against" in c.marks else WRONG))
        fallen |= {name: under} if under else {}
    work = "paper" if ours or Path(paper).is_dir() else "note"
    told = _Told(mine, known, found.roots, fallen, found.premises, "" if ours else Path(paper).name, work)
    leading = told.leading()
    summary = _summary(told, leading)
    parts = [Part("", _counted(told)), *([summary] if summary.entries else [])]
    for rank in RANKS:
        entries = tuple(Entry(_cause(root, whole=name not in leading), tuple(_line(c, known) for c in fallen[name]))
                        for name, root in ((n, found.roots[n]) for n in fallen) if root.rank == rank)
        parts += [Part(HEADINGS[rank], (), entries)] if entries else []
    if alone := told.uncaused():
        heading = ("Further statements" if fallen else "Statements") + " that are not true as printed"
        parts.append(Part(heading, (), tuple(Entry((*_line(c, known), *_where_it_fails(known[c.id]), *(
            _remarked(known[c.id]) if told.own else ()))) for c in alone)))
    return Errata(found.title, (*parts, *_rest(told)))


def fresh(verdict: Verdict) -> dict[str, Any]:
    """What is recorded of a verdict, with where it fails and why it is open: records of the corpus leave these out."""
    fails = {"fails": failing(verdict)} if verdict.verdict == "refuted" else {}
    return {**record(verdict), **fails, "note": verdict.note}


def _where_it_fails(known: Mapping[str, Any]) -> Runs:
    return (("em", " Fails at:"), ("", f" {cut(known['fails'])}.")) if known.get("fails") else ()


def _remarked(known: Mapping[str, Any]) -> Runs:
    """What a note, or the referee, says of it: what is true instead, for one."""
    note = flowing(known.get("note", "")).rstrip(".")
    return (("em", " Note:"), ("", f" {note}.")) if note else ()


def _counted(told: _Told) -> tuple[str, ...]:
    counts = Counter(told.verdict(c) for c in told.mine if told.says(c))
    listed = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    heard = readings(told.mine)
    read = sum(heard.values()) - heard.get("not read", 0)
    second = (f"A second reader, who saw the {told.work} and each statement alone, called "
              f"{heard.get('faithful', 0)} of {read} faithful. ") if read else ""
    n = len(told.uncaused())
    alone = f"; {n} further statement{'s stand' if n > 1 else ' stands'} after them" if n else ""
    some = "root cause" + "s" * (len(told.fallen) > 1)
    causes = (f"What is not true as printed has {len(told.fallen)} {some}, listed below by how much of the {told.work} "
              f"depends on them{alone}. ") if told.fallen else ""
    return (f"Of the statements that the {told.work} prints, {listed}. {causes}{second}Both checkers of "
            f"qtheory {__version__} have accepted a certificate for each refutation and each repair that is called "
            "proved, unless replay, enumeration or simulation is named; the command qtheory show "
            f"{f'{told.own}#' if told.own else ''}ID gives the numbers, and the whole of it.",)


def _summary(told: _Told, leading: Sequence[str]) -> Part:
    """Of the main results: what fails, where in practice, the repair, what survives; then what is open, and what
    stands, by the whole words of the verdicts: a theorem whose parts end differently is named by its parts."""
    entries = [Entry(_cause(told.roots[name])) for name in leading]
    entries += [Entry((("strong", f"{c.place} is not decided."), ("", f" {' '.join(sentences(c.note)[:2])}")))
                for c in told.printed("unknown") if MAIN.search(c.id)]
    main = [c for c in told.printed(*VERDICTS) if MAIN.search(c.id)]
    words: dict[str, set[str]] = {}
    for c in main:
        words.setdefault(_where(c), set()).add(_word(told, c))
    for word in sorted({_word(told, c) for c in main if told.verdict(c) in STANDING}):
        stand = dict.fromkeys(_where(c) if len(words[_where(c)]) == 1 else f"{_where(c)} ({c.id})"
                              for c in main if _word(told, c) == word)
        told_as = word if word.endswith(NARROWED) else f"{word}, as printed"
        entries += [Entry((("strong", f"{told_as[0].upper()}{told_as[1:]}:"), ("", f" {', '.join(stand)}.")))]
    return Part("Summary: the main results", (), tuple(entries))


def _where(claim: Claim) -> str:
    return claim.place.split(", (")[0]


def _word(told: _Told, claim: Claim) -> str:
    """The verdict with all that it rests on; what was looked at up to a bound is not said to hold beyond it."""
    return title(told.known[claim.id]) + " up to a bound" * (told.verdict(claim) == "checked") + _narrowed(claim)


def _cause(root: Root, *, whole: bool = True) -> Runs:
    """What fails; and, if the whole is told, the counterexample, the repair and what survives."""
    line = [("strong", root.fails.rstrip(".") + ".")]
    for head, text in (("At", root.example), ("Repair", root.repair), ("What survives", root.survives)):
        line += [("em", f" {head}:"), ("", f" {text.rstrip('.')}.")] if text and whole else []
    return tuple(line)


def _place(claim: Claim) -> str:
    """Where it stands, to be put into parentheses: an equation's number without its own."""
    return re.sub(r"^\(([^()]*)\)(?=$|,)", r"\1", claim.place)


def _line(claim: Claim, known: Mapping[str, Any]) -> Runs:
    """A claim in one line: its place, what is printed, what is stated of it, and its correction."""
    where = f" ({', '.join(filter(None, (_place(claim), claim.where)))})"
    if "against" in claim.marks:
        return (("code", claim.id), ("", f"{where}, {title(known[claim.id])}, speaks against "),
                ("code", claim.marks["against"]), ("", f": {why_not(claim.note)}" if claim.note else ""))
    said = _said(claim)
    out = [("code", claim.id), ("", f"{where}, {_by(claim)}" + (": " if said else ".")),
           ("quote" if claim.quote else "", said)]
    if claim.statement is not None:
        stated = printed(claim.statement)
        out += [("math", stated)] if len(stated) <= STATED else []
    better = claim.corrected_by or ""
    if better in known:
        out += [("", " Instead: "), ("code", better), ("", f", {title(known[better])}.")]
    return tuple(out)


def _narrowed(claim: Claim) -> str:
    """What a second reader found narrower than the paper's sentence is not told as printed."""
    return NARROWED if claim.marks.get("reading") == "narrowed" else ""


def _said(claim: Claim) -> str:
    """The printed words, or, of a statement beside the paper, the reason."""
    quote = claim.quote
    if not quote:
        return f"{why_not(claim.note).rstrip('.')}." if claim.note else ""
    told = shortened(quote, QUOTED)
    return f"'{told}'{'.' * (told[-1] not in '.?!')}"


def _by(claim: Claim) -> str:
    if claim.studies is not None:
        return "contradicted by simulation"
    return "refuted" if claim.statement is not None or claim.theorem is not None else "refuted by replay"


def _rest(told: _Told) -> Iterator[Part]:
    firm, open_ = told.printed(*FIRM), told.printed("unknown")
    named = [c for c in firm if told.own or NAMED.search(c.id)]
    ends = [f"{c.id} ({', '.join(usual_domain(c))})" for c in firm if usual_domain(c)]
    some = "statement" + "s" * (len(firm) != 1)
    more = len(firm) - len(named)
    others = f", and {more} further statement{'s' * (more != 1)}" * bool(more) if named else f": {len(firm)} {some}"
    said = (f"{'These, as' if named else 'As'} printed where no narrower form is named{others}.",
            *((f"Typographical: {len(ends)} of them without end points of a stated range at which a printed term is "
               f"undefined: {', '.join(ends)}.",) if ends else ()))
    if firm or not told.own:
        yield Part("What was confirmed", said, tuple(
            Entry((("code", c.id), ("", f" ({_place(c)}): {title(told.known[c.id])}{_narrowed(c)}"))) for c in named))
    if told.premises:
        yield Part(f"What the {told.work} takes for granted", (), tuple(
            Entry((("", f"{p.says} ({p.source})."),)) for p in told.premises.values()))
    if open_:
        yield Part("What was not decided", (), tuple(
            Entry((("code", c.id), ("", f" ({_place(c)}): {obstacle(c.note or told.known[c.id].get('note') or '')}")))
            for c in open_))
    alone = [c for c in told.mine if told.verdict(c) in WRONG and "root" not in c.marks and c not in told.uncaused()]
    if alone:
        yield Part("Remarks", (f"Refuted, and said by nobody: statements that go beyond what the {told.work} prints, "
                               "and need no correction.",), tuple(
            Entry((("code", c.id), ("", f" ({_place(c)})" + (f": {why_not(c.note)}" if c.note else "")),
                   *_where_it_fails(told.known[c.id])))
            for c in alone))


def _marked(text: str) -> str:
    """Plain text in Markdown: a star or underscore that would set it in italics stands for itself."""
    return re.sub(r"(?<!\\)([*<>|]|(?<!\w)_|_(?!\w))", r"\\\1", flowing(text)).strip()


def _around(text: str, inside: str) -> str:
    """With the blanks at the text's ends, which are no part of what is set in another style."""
    return f"{' ' * text.startswith(' ')}{inside}{' ' * text.endswith(' ')}"


def _in_markdown(run: tuple[str, str]) -> str:
    style, text = run
    if style == "math":
        return ""  # the statement is in the paper's page, and typed in its claim
    mark = {"strong": "**", "em": "*"}.get(style, "")
    return f"`{flowing(text)}`" if style == "code" else _around(text, f"{mark}{_marked(text)}{mark}")


def _in_latex(run: tuple[str, str]) -> str:
    style, text = run
    if style == "math":
        goal, conditions = statement_lines(text)
        given = " for " + ", ".join(f"${c}$" for c in conditions) if conditions else ""
        return f" Stated: ${' '.join(goal)}${given}."
    command = {"code": "texttt", "strong": "textbf", "em": "emph"}.get(style)
    if style == "code":  # an id may be broken after its dots and hyphens
        shown = re.sub(r"(?<=\w)[.-](?=\w)", r"\g<0>\\allowbreak{}", latex.escape(text.strip()))
    else:
        opened = re.sub(r"(?<![^\s(])'(?=\S)", "‘", text.strip())
        shown = latex.verbatim(opened) if style == "quote" else set_in(
            opened, lambda said: _around(said, latex.escape(said)), lambda symbol: f"${symbol}$")
    return _around(text, rf"\{command}{{{shown}}}" if command else shown)
