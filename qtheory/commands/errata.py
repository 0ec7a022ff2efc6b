"""``qtheory errata``: what a paper prints that is not true, for its authors and its editor."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import chosen_form, deliver
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar


class Form(StrEnum):
    """How to print the errata."""

    md = "md"
    latex = "latex"


_BY_SUFFIX = {".md": Form.md, ".txt": Form.md, ".tex": Form.latex}


def register(app: typer.Typer) -> None:
    @app.command("errata", help="Print a paper's errata: root causes by weight, with numbers and repairs.")
    def errata(
        paper: Annotated[str, typer.Argument(metavar="PAPER", help="The paper, such as eb.")],
        form: Annotated[Form | None, typer.Option(
            "--format", help="How to print it. Default: by the ending of the file, else md.")] = None,
        out: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    ) -> int:
        from qtheory.report.errata import errata as made

        chosen = chosen_form(form, out, _BY_SUFFIX, Form.md)
        require_writable(out)
        with progress_bar(f"the errata of {paper}"):
            document = made(paper)
        deliver((document.latex() if chosen is Form.latex else document.markdown()).encode(), out)
        return 0
