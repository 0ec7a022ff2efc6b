"""The papers' pages: the files of claims as they are, each claim with its statement set and its verdict filled in.

The files of the corpus's papers are copied beside the documentation when it is built, so that the page of a section is
the file that the referee reads. Their verdicts are the recorded ones, which ``qtheory verify`` compares with fresh
ones; those of a note in the documentation are found when the page is built.
"""

from __future__ import annotations

import html
import shutil
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList

from qtheory.proofs import corpus, gate
from qtheory.proofs.claims.blocks import OPTIONS
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.records import current as _current
from qtheory.proofs.records import title
from qtheory.proofs.rendering import proof_html
from qtheory.proofs.verdict import VERDICTS
from qtheory.report.dependencies import drawings
from qtheory.report.printed import printed, statement_lines
from qtheory.report.referee.mathematics import mathml

current = cache(_current)  # which looks at every statement
CLAIMS = Path(corpus.__file__).parent / "claims"
PAPERS = "papers"


def written(app: Any) -> None:
    """The papers' folder of the documentation: a page that leads in and a copy of each section."""
    folder = Path(app.srcdir) / PAPERS
    shutil.rmtree(folder, ignore_errors=True)
    for key in corpus.papers():
        paper = corpus.paper(key)
        (folder / key).mkdir(parents=True)
        for name, _ in paper.pages:
            shutil.copy(CLAIMS / key / name, folder / key / name)
        (folder / key / "index.md").write_text(_front(key), encoding="utf-8")
    listed = "\n".join(f"{key}/index" for key in corpus.papers())
    (folder / "index.md").write_text(f"# The papers\n\nEach page below is the file that the referee reads.\n\n"
                                     f"```{{toctree}}\n:maxdepth: 2\n\n{listed}\n```\n", encoding="utf-8")


def _front(key: str) -> str:
    """A paper's first page: its verdicts by number, its main results with what they lean on, and its sections."""
    paper, known = corpus.paper(key), current()
    counts = Counter(known[c.id]["verdict"] for c in paper.claims if c.id in known)
    told = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    words = {c.id: known[c.id]["verdict"] for c in paper.claims if c.id in known}
    drawn = "\n".join(drawings(paper.claims, words, lambda i: _address(i, f"{PAPERS}/{key}/index")))
    sections = "\n".join(name.removesuffix(".md") for name, _ in paper.pages)
    lean = f"## What the main results lean on\n\n```{{raw}} html\n{drawn}\n```\n\n" if drawn else ""
    return (f"# {paper.title}\n\n{len(paper.claims)} claims: {told}.\n\n{lean}"
            f"## Sections\n\n```{{toctree}}\n:maxdepth: 1\n\n{sections}\n```\n")


@cache
def _pages() -> Mapping[str, str]:
    """The document in which each claim of the corpus stands."""
    return {block.id: f"{PAPERS}/{key}/{name.removesuffix('.md')}" for key in corpus.papers()
            for name, page in corpus.paper(key).pages for block in page.blocks}


def _address(name: str, source: str) -> str:
    """Where a claim stands, seen from a document."""
    up = "../" * source.count("/")
    return f"{up}{_pages()[name]}.html#{name}" if name in _pages() else f"#{name}"


@cache
def _own(source: str) -> Mapping[str, str]:
    """The verdicts on the claims of a note, found afresh."""
    return {str(v.id): v.title for v in corpus.verify([source])}


class Refereed(Directive):
    """``::::{claim} ID, KIND, l. LINES``: the quote, the statement, the verdict, and the note."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = dict.fromkeys(OPTIONS, directives.unchanged)

    def run(self) -> list[nodes.Node]:
        env = self.state.document.settings.env
        name, source = self.arguments[0].split(",")[0].strip(), env.docname
        known = corpus.claims()
        if name in known:
            claim, word = known[name], title(current().get(name, {"verdict": "not recorded"}))
        else:
            path = str(env.doc2path(source))
            env.note_dependency(path)
            claim, word = corpus.claims(path)[name], _own(path)[name]
        box = nodes.container(classes=["claim"], ids=[name])
        box += nodes.raw("", _shown(claim, word, source), format="html")
        if claim.note:
            note = nodes.container(classes=["claim-note"])
            self.state.nested_parse(StringList(claim.note.split("\n"), source), self.content_offset, note)
            box += note
        return [box]


def _shown(claim: Claim, word: str, source: str) -> str:
    verdict = word.split(" ")[0]
    first, last = claim.lines
    lines = f", l. {first}" + (f" to {last}" if last > first else "") if last else ""
    out = [f'<p class="claim-head"><a class="reference internal" href="#{claim.id}"><code>{claim.id}</code></a> '
           f'<span class="verdict {verdict}">{html.escape(word)}</span> <span class="claim-place">'
           f"{html.escape(claim.place)}{lines}; {claim.kind}</span></p>"]
    out += [f"<blockquote><p>{html.escape(claim.quote)}</p></blockquote>"] if claim.quote else []
    if claim.statement is not None:
        goal, conditions = statement_lines(printed(gate.flat(claim.statement)))
        out += [f'<div class="math-block">{mathml(line)}</div>' for line in goal if line]
        out += [f'<p class="claim-for">for {" &ensp; ".join(map(mathml, conditions))}</p>'] if conditions else []
    elif corpus.shown(claim) != claim.quote:
        out += [f"<p>{html.escape(line)}</p>" for line in corpus.shown(claim).split("\n")]
    for heading, others in (("instead", [claim.corrected_by]), ("in place of", [claim.corrects]),
                            ("readings", claim.readings), ("given", claim.imported)):
        links = ", ".join(f'<a class="reference internal" href="{_address(i, source)}"><code>{i}</code></a>'
                          for i in others if i)
        out += [f"<p>{heading}: {links}</p>"] if links else []
    if claim.proof:
        out.append(f"<details><summary>Proof</summary>{proof_html(claim.proof)}</details>")
    return "\n".join(out)


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", written)
    app.add_directive("claim", Refereed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
