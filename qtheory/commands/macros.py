"""``qtheory macros``: ``\\newcommand``s for the numbers of the tables in a paper's running text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import deliver
from qtheory.commands.numbers import batch_sizes
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar


def register(app: typer.Typer) -> None:
    @app.command("macros", help="Write LaTeX macros for computed numbers in running text.")
    def macros(
        profile: Annotated[list[str] | None, typer.Option(
            help="A profile's name or TOML file; may be given several times. Default: all that fit.")] = None,
        workload: Annotated[list[str] | None, typer.Option(
            help="A workload's name, TOML file or trace CSV; several times. Default: the paper's.")] = None,
        batch: Annotated[list[str] | None, typer.Option(
            metavar="N", help="A batch size N; may be given several times. Default: 64, 256, 1024.")] = None,
        table: Annotated[list[str] | None, typer.Option(
            help="A table whose numbers are wanted; several times. Default: profiles, eb-threshold, eb-crossover.",
        )] = None,
        prefix: Annotated[str, typer.Option(help="What each macro's name begins with.")] = "qt",
        out: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    ) -> int:
        from qtheory.report import macros as report

        sizes = batch_sizes(batch)
        require_writable(out)
        with progress_bar("computing"):
            content = report.macros(profile or (), workload or (), sizes, prefix=prefix,
                                    tables=table or report.DEFAULT)
        deliver(content.encode(), out)
        return 0
