"""``qtheory report``: the referee's report on papers, as HTML pages and as LaTeX, with the certificates beside."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.output import made_folder, require_writable
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError

INDEX = "index.html"


def register(app: typer.Typer) -> None:
    @app.command("report", help="Write the referee's report on papers, or on Markdown files of your own: HTML, errata "
                                "as LaTeX, certificates. All verdicts are given afresh; of your own files, what an "
                                "earlier run found is checked again, not searched for.")
    def report(
        sources: Annotated[list[str] | None, typer.Argument(
            metavar="[PAPER|NOTE.md|FOLDER]...", help="All papers of the corpus if none is named.")] = None,
        out: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write to.")] = ...,  # type: ignore[assignment]
        pdf: Annotated[bool, typer.Option("--pdf", help=(
            "Compile the LaTeX too; needs pdflatex. LaTeX and PDF hold the errata, with the names of what was "
            "confirmed; each statement in full is in the HTML."))] = False,
        jobs: Annotated[int, typer.Option(
            "--jobs", "-j", metavar="N", min=0, help="Processes; as many as there are cores by default.")] = 0,
        budget: Annotated[float | None, typer.Option(
            "--budget", metavar="S", min=0.1,
            help="Units of work a claim; one is about a second of an idle core.")] = None,
    ) -> int:
        from qtheory.commands.referee import corrected
        from qtheory.proofs import corpus
        from qtheory.report.referee import account, overview, page

        keys = _keys(sources or list(corpus.papers()))
        if pdf and shutil.which("pdflatex") is None:
            raise InputError("--pdf needs pdflatex, which is not installed (Debian: texlive-latex-extra, lmodern)")
        for source in keys:
            corpus.claims(None if source in corpus.papers() else source)  # what cannot be read leaves no folder behind
        folder = made_folder(out)
        made = []
        for source, key in keys.items():
            with progress_bar(f"refereeing {key}", lines=True) as told:
                verdicts = corpus.verify([source], jobs=jobs or os.cpu_count() or 1, budget=budget, kept=True,
                                         progress=told)
            if source not in corpus.papers():
                verdicts = corrected(verdicts, corpus.claims(source))
            with progress_bar(f"summing up {key}", lines=True):
                made.append(account(source, key, verdicts))
            for verdict in verdicts:
                if verdict.certificate is not None:
                    (folder / "certificates").mkdir(exist_ok=True)
                    verdict.certificate.save(folder / "certificates" / f"{verdict.id}.json")
        alone = len(made) == 1
        for one in made:
            name = INDEX if alone else f"{one.key}.html"
            with progress_bar(f"setting {name}", lines=True):
                content = page(one, None if alone else INDEX)
            _write(folder / name, content)
            _write(folder / f"{one.key}.tex", one.errata.latex())
            if pdf:
                with progress_bar(f"compiling {one.key}.tex", lines=True):
                    typeset = compiled(one.errata.latex(), f"{one.key}.tex")
                _write(folder / f"{one.key}.pdf", typeset)
        if not alone:
            _write(folder / INDEX, overview([(one, f"{one.key}.html") for one in made]))
        return 0


def _write(path: Path, content: str | bytes) -> None:
    from qtheory.files import write_whole

    require_writable(path)
    write_whole(path, content)
    typer.echo(f"wrote {path}")


def _keys(sources: list[str]) -> dict[str, str]:
    """The sources with what their files are named after. InputError for what is no paper and no file of one's own."""
    from qtheory.proofs.corpus import papers

    out: dict[str, str] = {}
    for source in sources:
        path = Path(source)
        if source in papers():
            out[source] = source
            continue
        if not path.exists():
            raise InputError(f"{source}: no paper of the corpus ({', '.join(papers())}), and no such file or folder")
        if (path.is_dir() and not (path / "paper.toml").exists()) or (path.is_file() and path.suffix != ".md"):
            raise InputError(f"{source}: a report is on a Markdown file (.md), or a folder with a paper.toml")
        out[str(path.resolve())] = re.sub(r"[^A-Za-z0-9._-]+", "-", path.resolve().stem).strip(".-") or "note"
    if twice := [key for key in out.values() if list(out.values()).count(key) > 1]:
        raise InputError(f"two sources are named {twice[0]}: their files would have one name; one report each")
    return out


def compiled(latex: str, name: str) -> bytes:
    """The PDF of a document. InputError with TeX's own words where it does not compile."""
    with tempfile.TemporaryDirectory() as where:
        (Path(where) / name).write_text(latex, encoding="utf-8")
        for _ in range(2):  # the second run knows the pages' numbers
            run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name],
                                 cwd=where, capture_output=True, text=True, errors="replace", timeout=120)
            if run.returncode:
                said = next((line for line in run.stdout.splitlines() if line.startswith("!")), "no reason given")
                raise InputError(f"{name}: pdflatex does not compile it: {said}")
        return (Path(where) / name).with_suffix(".pdf").read_bytes()
