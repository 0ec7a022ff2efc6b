"""``qtheory reproduce [KEY]``: a paper's table or figure recomputed, the paper's values beside ours."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import chosen_form, deliver
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.commands.sharing import Dask, Workers, sharing
from qtheory.errors import InputError


class Form(StrEnum):
    """How to print the comparison; text is Markdown."""

    text = "text"
    md = "md"
    json = "json"
    csv = "csv"
    html = "html"
    latex = "latex"


_BY_SUFFIX = {".txt": Form.text, ".md": Form.md, ".json": Form.json, ".csv": Form.csv, ".html": Form.html,
              ".tex": Form.latex}
_PICTURES = (".pdf", ".png", ".svg")


def register(app: typer.Typer) -> None:
    @app.command("reproduce", help="Recompute a paper's table or figure: the paper's values beside ours. "
                                   "Without a key, list the keys.")
    def reproduce(
        key: Annotated[str | None, typer.Argument(metavar="[KEY]", help="Such as eb-tab-10 or eb-fig-12.")] = None,
        form: Annotated[Form | None, typer.Option(
            "--format", help="How to print it. Default: by the ending of the file, else text.")] = None,
        out: Annotated[Path | None, typer.Option(
            "-o", "--output", help="Write to this file; ending in .pdf, .png or .svg, a picture of it.")] = None,
        workers: Workers = 1,
        dask: Dask = None,
    ) -> int:
        from qtheory.report import reproduce as reproduced

        if key is None:
            if form is not None or out is not None:
                raise InputError(f"no key given; the keys are {', '.join(reproduced.names())}")
            for name in reproduced.names():
                typer.echo(f"{name}  {reproduced.KEYS[name].summary}")
            return 0
        reproduced.find(key)
        suffix = "" if out is None else out.suffix.lower()
        if suffix in _PICTURES and form is not None:
            raise InputError(f"{out} is a picture; --format {form.value} goes with a table")
        chosen = chosen_form(form, None if suffix in _PICTURES else out, _BY_SUFFIX, Form.text)
        require_writable(out)
        with sharing(workers, dask) as executor, progress_bar(f"reproducing {key}") as report:
            if suffix in _PICTURES:
                content = reproduced.picture(key, suffix)
            else:
                content = reproduced.build(key, report, executor).render(
                    "md" if chosen is Form.text else chosen.value).encode()
        deliver(content, out)
        return 0
