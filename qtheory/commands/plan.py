"""``qtheory plan``: a cluster's optimal plan, its smallest fleets and their certified lower bounds. Exit 0, or 2."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.delivery import chosen_form, deliver
from qtheory.commands.model_files import given, model_file
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.commands.sharing import Dask, Workers, sharing
from qtheory.errors import InputError


class Form(StrEnum):
    """How to print a plan."""

    text = "text"
    json = "json"
    md = "md"
    latex = "latex"


_BY_SUFFIX = {".txt": Form.text, ".json": Form.json, ".md": Form.md, ".tex": Form.latex}


def register(app: typer.Typer) -> None:
    @app.command("plan", help="How many GPUs take prefills, what service levels cost, and how many GPUs it takes: a "
                              "certified optimum, and certified lower bounds beside fleets that were simulated.")
    def plan(
        cluster: Annotated[str | None, model_file("cluster", "CLUSTER.toml")] = None,
        form: Annotated[Form | None, typer.Option(
            "--format", help="How to print it. Default: by the ending of the file, else text.")] = None,
        output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
        certificate: Annotated[Path | None, typer.Option(
            "--certificate", metavar="CERT.json", help="Write the certificates of optimum and bounds to this file.")
        ] = None,
        fleets: Annotated[bool, typer.Option(
            "--fleets/--no-fleets", help="Also look for the smallest fleets, by simulation.")] = True,
        seed: Annotated[int, typer.Option(help="Of the requests that laws draw.")] = 0,
        workers: Workers = 1,
        dask: Dask = None,
        schema: Annotated[bool, typer.Option(
            "--schema", help="Print the JSON schema of a cluster file, and end.")] = False,
        listing: Annotated[bool, typer.Option("--list", help="List the shipped clusters, and end.")] = False,
    ) -> int:
        from qtheory.planning import shipped
        from qtheory.proofs.visible import json_text, visible

        if schema:
            from qtheory.models.cluster import Cluster

            typer.echo(json.dumps(Cluster.model_json_schema(), indent=1))
            return 0
        if listing:
            for name in shipped.names():
                typer.echo(f"{name:16s} {visible(shipped.load(name).title)}")
            return 0
        cluster = given(cluster, "cluster", "plan")
        if seed < 0:
            raise InputError(f"the seed is {seed}; it must be at least 0")
        chosen = chosen_form(form, output, _BY_SUFFIX, Form.text)
        require_writable(output)
        require_writable(certificate)
        known = shipped.load(cluster)
        from qtheory.planning.deciding import decide
        from qtheory.report import plan as report

        with sharing(workers, dask) as executor, progress_bar("planning"):
            decision = decide(known, seed=seed, fleets=fleets, executor=executor)
        if chosen is Form.json:
            content = json_text(report.document(decision)) + "\n"
        elif chosen is Form.text:
            content = "".join(visible(line) + "\n" for line in report.lines(decision))
        else:
            content = "\n".join(t.render(chosen.value) for t in report.tables(decision))
        if certificate is not None:
            from qtheory.files import write_whole

            write_whole(certificate, json.dumps(report.certificates(decision)) + "\n")
        deliver(content.encode(), output)
        return 0


__all__ = ["register"]
