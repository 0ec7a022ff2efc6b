"""``qtheory workflow``: load, verdict, critical rate of agents as people build them. Exit as ``qtheory network``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.model_files import given, model_file
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar

EXIT = {"stable": 0, "unstable": 1, "undecided": 3}


def register(app: typer.Typer) -> None:
    @app.command("workflow", help="Load, verdict and critical rate of a workflow of agents, and the priority that "
                                  "destabilises it. Exit 0 stable, 1 unstable, 3 undecided, 2 bad input.")
    def workflow(
        source: Annotated[str | None, model_file("workflow", "FLOW.toml")] = None,
        output: Annotated[Path | None, typer.Option(
            "-o", "--output", metavar="NET.toml",
            help="Write the network that the workflow becomes, for qtheory network.")] = None,
        budget: Annotated[float, typer.Option(
            "--budget", metavar="S", help="Units of work in all, of about a second of an idle core each.")] = 60.0,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print it.")] = OutputFormat.text,
        schema: Annotated[bool, typer.Option(
            "--schema", help="Print the JSON schema of a workflow's file, and end.")] = False,
        listing: Annotated[bool, typer.Option("--list", help="List the shipped workflows, and end.")] = False,
    ) -> int:
        from qtheory.files import write_whole
        from qtheory.models.network_files import dumps
        from qtheory.models.workflow_network import compiled
        from qtheory.networks.judging import judge, load
        from qtheory.proofs.visible import json_text

        if schema or listing:
            _about(schema)
            return 0
        source = given(source, "workflow", "workflow")
        require_writable(output)
        read = compiled(load(source))
        with progress_bar("deciding"):
            found = judge(read, budget=budget)
        if output is not None:
            write_whole(output, dumps(found.network))
        if form == "json":
            typer.echo(json_text(found.to_json() | {"network": str(output) if output else None}))
        else:
            for line in found.lines():
                typer.echo(line)
            if output is not None:
                typer.echo(f"wrote {output}: 'qtheory network {output} -o CERT.json' has the certificate")
        return EXIT[found.decision.verdict]


def _about(schema: bool) -> None:
    from qtheory.models import workflow as files
    from qtheory.networks.judging import load, names
    from qtheory.proofs.visible import visible

    if schema:
        typer.echo(json.dumps(files.schema(), indent=1))
        return
    for name in names():
        typer.echo(f"{name:32s} {visible(load(name).title)}")
