"""``qtheory table``: a table for a paper, every number computed from a named, measured hardware profile."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import chosen_form, deliver
from qtheory.commands.numbers import batch_sizes
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.commands.sharing import Dask, Workers, sharing
from qtheory.errors import InputError


class Class(StrEnum):
    """The class of the paper that a LaTeX table is for."""

    article = "article"
    ieeetran = "IEEEtran"
    acmart = "acmart"


class Form(StrEnum):
    """How to print a table."""

    latex = "latex"
    md = "md"
    csv = "csv"
    html = "html"
    json = "json"


_BY_SUFFIX = {".tex": Form.latex, ".md": Form.md, ".txt": Form.md, ".csv": Form.csv, ".html": Form.html,
              ".json": Form.json}


def register(app: typer.Typer) -> None:
    @app.command("table", help="Print a table for a paper, computed from a measured profile.")
    def table(
        name: Annotated[str | None, typer.Argument(metavar="NAME", help="The table, such as eb-threshold.")] = None,
        profile: Annotated[list[str] | None, typer.Option(
            help="A profile's name or TOML file; may be given several times. Default: all that fit.")] = None,
        workload: Annotated[list[str] | None, typer.Option(
            help="A workload's name, TOML file or trace CSV; several times. Default: the paper's.")] = None,
        batch: Annotated[list[str] | None, typer.Option(
            metavar="N", help="A batch size N; may be given several times. Default: 64, 256, 1024.")] = None,
        form: Annotated[Form | None, typer.Option(
            "--format", help="How to print it. Default: by the ending of the file, else md.")] = None,
        document: Annotated[bool, typer.Option(
            "--document", help="LaTeX: a whole document that pdflatex compiles, not the table alone.")] = False,
        document_class: Annotated[Class, typer.Option(
            "--class", help="LaTeX: the paper's class; those of two columns get floats of at most a page.",
            case_sensitive=False)] = Class.article,
        wide: Annotated[bool | None, typer.Option(
            "--wide/--narrow", show_default=False, help=(
                "LaTeX: over both columns of a page, or in one column in any case, scaled down to it. "
                "Default: in one where that holds it."))] = None,
        caption: Annotated[str | None, typer.Option(
            metavar="short|full|TEXT", help=(
                "LaTeX: the title alone, with provenance as notes below, or all; or a text of your own, "
                "formulas between dollar signs, in place of the title, with these notes. Default: short in two "
                "columns."))] = None,
        label: Annotated[str | None, typer.Option(
            metavar="LABEL", help="The label in place of the table's own, such as tab:mine.")] = None,
        intervals: Annotated[bool, typer.Option(
            "--intervals", help="Print 95 percent intervals, for profiles whose fit records a covariance.")] = False,
        paper: Annotated[str | None, typer.Option(
            metavar="KEY|NOTE.md", help="The paper, or a file or folder of your own, for verdicts and errata. "
                                        "Default: eb.")] = None,
        out: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
        workers: Workers = 1,
        dask: Dask = None,
        listing: Annotated[bool, typer.Option("--list", help="List the tables.")] = False,
    ) -> int:
        from qtheory.report import captions, floats, latex, tables

        if listing:
            for known in tables.names():
                typer.echo(f"{known}  {tables.TABLES[known].summary}")
            return 0
        if name is None:
            raise InputError(f"no table named; the tables are: {', '.join(tables.names())}")
        tables.find(name)
        chosen = chosen_form(form, out, _BY_SUFFIX, Form.md)
        for option, given in (("--document", document), ("--narrow" if wide is False else "--wide", wide is not None),
                              ("--caption", caption is not None),
                              ("--class", document_class is not Class.article)):
            if given and chosen is not Form.latex:
                raise InputError(f"{option} goes with --format latex, not with {chosen.value}")
        if label is not None and chosen in (Form.md, Form.csv):
            raise InputError(f"--label goes with --format latex, html or json; {chosen.value} has no labels")
        layout = floats.Layout.of(document_class.value, wide is True, caption, wide is False)
        if document and caption is not None and caption not in floats.CAPTIONS:
            captions.require(caption, whole=True)
        sizes = batch_sizes(batch)
        require_writable(out)
        with sharing(workers, dask) as executor, progress_bar(f"computing {name}", lines=True):
            result = tables.build(name, profile or (), workload or (), sizes, intervals=intervals, paper=paper,
                                  executor=executor)
        if label is not None:
            result = result.labelled(label)
        typeset = latex.document if document else latex.table
        content = typeset(result, layout=layout) if chosen is Form.latex else result.render(chosen.value)
        if chosen is Form.latex and wide is None and r"\begin{table*}" in content:
            typer.echo(f"{name} is set over both columns, as one column does not hold it; --narrow scales it down to "
                       "one", err=True)
        deliver(content.encode(), out)
        return 0

