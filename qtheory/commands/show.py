"""``qtheory show``: one claim, with its quote, statement, verdict, evidence and correction."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.progress import progress_bar


def register(app: typer.Typer) -> None:
    @app.command("show", help="Show one claim: quote, statement, verdict (computed afresh), evidence, correction.")
    def show(
        name: Annotated[str, typer.Argument(metavar="ID", help="The claim's id, such as eb.prop-3.1.")],
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the claim.")] = OutputFormat.text,
    ) -> int:
        from qtheory.proofs.corpus import claims, find, referee

        claim = find(name)
        with progress_bar(f"refereeing {name}"):
            verdict = referee(claim)
        if form == "json":
            typer.echo(json.dumps(verdict.to_json(), indent=1, ensure_ascii=False))
            return 0
        typer.echo(f"{claim.id}  [{claim.place}, lines {claim.lines[0]}-{claim.lines[1]}]  {claim.kind}")
        typer.echo(f'  "{claim.quote}"')
        if claim.corrects:
            typer.echo(f"  corrects {claim.corrects}")
        typer.echo(str(verdict))
        for condition, source in claim.sources.items():
            typer.echo(f"  condition {condition}: {source}")
        for key, value in verdict.evidence.items():
            if key not in ("quote", "lines", "sources", "sides"):
                typer.echo(f"  {key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
        if verdict.corrected_by:
            correction = claims().get(verdict.corrected_by)
            typer.echo(f"corrected by {verdict.corrected_by}")
            if correction is not None:
                typer.echo(str(referee(correction)))
        return 0
