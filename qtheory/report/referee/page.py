"""The report as HTML: one page a paper that holds all it needs, so that it opens from a disk, a mail or an archive.

It reads without a script; a script adds filters and a search. Whatever a file of claims says is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from qtheory import __version__
from qtheory.proofs.rendering import proof_html
from qtheory.proofs.verdict import VERDICTS, point_text
from qtheory.proofs.visible import flowing, visible
from qtheory.report.dependencies import drawings
from qtheory.report.errata import Runs
from qtheory.report.printed import printed, statement_lines
from qtheory.report.prose import quoted, set_in
from qtheory.report.referee.account import Account, Judged
from qtheory.report.referee.mathematics import mathml

DATA = resources.files("qtheory.report.referee") / "data"
CERTIFICATES = "certificates"  # the folder beside the page
TOLD = ("rests on", "counterexample", "", "undefined", "witness", "note")


def page(account: Account, home: str | None = None) -> str:
    """The page of one paper; ``home``: the file of the page that lists the papers, if there is one."""
    ids = frozenset(j.claim.id for j in account.judged)
    words = {j.claim.id: j.verdict.verdict for j in account.judged}
    drawn = drawings([j.claim for j in account.judged], words, lambda name: f"#{name}")
    return _template("page.html").render(
        account=account, home=home, version=__version__, style=_text("page.css"), script=_text("page.js"),
        drawn=list(map(Markup, drawn)), runs=lambda runs: _runs(runs, ids),
        claims=[_shown(j, ids) for j in account.judged],
        verdicts=[v for v in VERDICTS if account.counts[v]],
        kinds=sorted({j.claim.kind for j in account.judged}),
        sections=list(dict.fromkeys(j.section for j in account.judged)))


def overview(accounts: Sequence[tuple[Account, str]]) -> str:
    """The page that lists the papers, each with its file."""
    words = [v for v in VERDICTS if any(a.counts[v] for a, _ in accounts)]
    return _template("overview.html").render(accounts=accounts, verdicts=words, version=__version__,
                                             style=_text("page.css"))


@cache
def _template(name: str) -> Any:
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                       ).from_string(_text(name))


@cache
def _text(name: str) -> Markup:
    return Markup((DATA / name).read_text(encoding="utf-8"))


def _shown(judged: Judged, ids: frozenset[str]) -> dict[str, Any]:
    """What the template says of a claim."""
    claim, verdict = judged.claim, judged.verdict
    goal, conditions = statement_lines(verdict.latex if claim.statement is None else printed(claim.statement))
    return {
        "id": claim.id, "verdict": verdict.verdict, "title": verdict.title, "kind": claim.kind,
        "section": judged.section, "place": flowing(claim.place),
        "lines": claim.where,
        "quote": flowing(claim.quote), "words": Markup(_quote(claim.quote)),
        "marks": {k: visible(v) for k, v in claim.marks.items()},
        "goal": [Markup(mathml(part)) for part in goal if part],
        "conditions": [Markup(mathml(part)) for part in conditions],
        "typed": [visible(line) for line in verdict.statement.split("\n")],
        "sources": [(visible(c), flowing(judged.sources[c])) for c in claim.conditions if c in judged.sources],
        "rests": list(map(visible, verdict.rests_on)),
        "point": visible(point_text(verdict.counterexample or {})),
        "sides": [visible(s) for s in verdict.evidence.get("sides", ())],
        "undefined": visible(verdict.undefined or ""), "witness": visible(point_text(verdict.witness or {})),
        "note": Markup(_linked(flowing(verdict.note), ids)), "proof": Markup(proof_html(claim.proof)) if claim.proof
        else "", "how": "; ".join(verdict.details()),
        "certificate": f"{CERTIFICATES}/{claim.id}.json" if verdict.certificate else "",
        "corrected_by": verdict.corrected_by or "", "corrects": claim.corrects or "",
        "imported": claim.imported, "readings": claim.readings, "known": ids,
    }


def _runs(runs: Runs, ids: frozenset[str]) -> Markup:
    """A line of the errata, its claims' ids as links to them."""
    return Markup("".join(_run(style, text, ids) for style, text in runs))


def _run(style: str, text: str, ids: frozenset[str]) -> str:
    if style == "math":
        goal, conditions = statement_lines(text)
        given = " for " + ", ".join(map(mathml, conditions)) if conditions else ""
        return f" Stated: {' '.join(map(mathml, goal))}{given}."
    if style == "quote":
        return _quote(text)
    if style == "code":
        shown = html.escape(flowing(text))
        return f'<a class="id" href="#{shown}">{shown}</a>' if text in ids else f"<code>{shown}</code>"
    shown = set_in(flowing(text), html.escape, mathml)
    inside = f"<{style}>{shown}</{style}>" if style else shown
    return f"{' ' * text.startswith(' ')}{inside}{' ' * text.endswith(' ')}"


def _quote(text: str) -> str:
    """A stranger's words, with the formulas of LaTeX in them that are plain."""
    def formula(latex: str) -> str:  # words within a formula the converter does not escape
        return html.escape(latex) if r"\text" in latex else mathml(latex)

    return quoted(flowing(text), html.escape, formula, html.escape)


def _linked(text: str, ids: frozenset[str]) -> str:
    """Prose in which the ids of claims are links."""
    words = (set_in(w, html.escape, mathml) if (bare := w.strip(".,;:()'")) not in ids
             else html.escape(w).replace(bare, f'<a class="id" href="#{bare}">{bare}</a>') for w in text.split(" "))
    return " ".join(words)
