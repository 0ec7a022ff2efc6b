"""``qtheory plot NAME -o FILE``: a picture of what the tables hold, as PDF, PNG, SVG or HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import deliver
from qtheory.commands.numbers import batch_sizes
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError


def register(app: typer.Typer) -> None:
    @app.command("plot", help="Draw a plot of computed numbers.")
    def plot(
        name: Annotated[str | None, typer.Argument(metavar="NAME", help="The plot, such as eb-approximation.")] = None,
        profile: Annotated[list[str] | None, typer.Option(
            help="A profile's name or TOML file; may be given several times. Default: the plot's own.")] = None,
        workload: Annotated[list[str] | None, typer.Option(
            help="A workload's name, TOML file or trace CSV; several times. Default: the plot's own.")] = None,
        batch: Annotated[list[str] | None, typer.Option(
            metavar="N", help="A batch size N; may be given several times. Default: 64, 256, 1024.")] = None,
        out: Annotated[Path | None, typer.Option(
            "-o", "--output", help="Write to this file, which ends in .pdf, .png, .svg or .html.")] = None,
        listing: Annotated[bool, typer.Option("--list", help="List the plots.")] = False,
    ) -> int:
        from qtheory.report import plots

        if listing:
            for key in plots.names():
                typer.echo(f"{key}: {plots.PLOTS[key].summary}")
            return 0
        if name is None:
            raise InputError(f"no plot named; the plots are: {', '.join(plots.names())}")
        chosen = plots.find(name)
        if out is None:
            raise InputError("a plot needs a file: -o FILE.pdf, .png, .svg, or .html, whose values the pointer reads")
        from qtheory.profiles.plotting import check_format

        check_format(out, ".html")
        sizes = batch_sizes(batch)
        require_writable(out)
        with progress_bar(f"drawing {name}"):
            content = chosen.draw(out.suffix, profile or (), workload or (), sizes)
        deliver(content, out)
        return 0
