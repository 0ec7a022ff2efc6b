"""``qtheory import``: a paper's LaTeX as a note of claims, which ``qtheory referee`` reads at once. TeX is not run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import deliver
from qtheory.commands.output import require_writable
from qtheory.proofs.visible import flowing


def register(app: typer.Typer) -> None:
    @app.command("import", help="List a paper's theorems and equations as claims, with quotes and lines, in a note for "
                                "'qtheory referee'; statements are filled in where the LaTeX is read without doubt.")
    def import_(
        paper: Annotated[Path, typer.Argument(
            metavar="PAPER.tex", help="The paper; files beside it that it inputs are read too.")],
        out: Annotated[Path | None, typer.Option(
            "-o", "--output", metavar="NOTE.md", help="Write the note to this file.")] = None,
    ) -> int:
        from qtheory.proofs.tex_claims import import_paper

        require_writable(out)
        imported = import_paper(paper)
        deliver(imported.note.encode(), out)
        count = len(imported.stubs)
        typer.echo(f"{count} theorems and equations, {imported.read} with a statement; what a symbol may be is to be "
                   "written where its row has ?", err=True)
        if imported.displays:
            some = f"{imported.displays} display" + "s" * (imported.displays > 1)
            typer.echo(rf"not listed: {some} in \[..\] or $$..$$ outside of theorems; equation* lists one", err=True)
        for name in imported.missing:
            typer.echo(f"not read: {flowing(name)}, which is no file beside the paper", err=True)
        return 0
