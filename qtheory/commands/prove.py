"""``qtheory prove``: a statement of one's own; exit 0 proved, 1 refuted, 3 unknown, 2 bad input."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar

EXIT = {"proved": 0, "refuted": 1, "unknown": 3}
OPTION = re.compile(r"-[ow]|--[a-z]*(=.*)?", re.DOTALL)


class GoalCommand(TyperCommand):
    """Takes a goal that begins with a minus sign for a goal, not for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        options: list[str] = []
        goals: list[str] = []
        rest = iter(args)
        for argument in rest:
            if argument == "--":
                goals += rest
            elif not OPTION.fullmatch(argument):
                goals.append(argument)
            elif "=" in argument or argument in ("--help", "--explain"):
                options.append(argument)
            else:
                value = next(rest, None)
                if value is None:
                    return super().parse_args(ctx, [argument])  # which says what is missing
                options += [argument, value]
        return super().parse_args(ctx, [*options, "--", *goals])


def register(app: typer.Typer) -> None:
    @app.command("prove", cls=GoalCommand,
                 help="Prove or refute a statement of your own. Exit 0 proved, 1 refuted, 3 unknown, 2 bad input.")
    def prove(
        goal: Annotated[str, typer.Argument(metavar="GOAL", help="A comparison, such as '-log(1-x) > x'.")],
        where: Annotated[list[str] | None, typer.Option(
            "--where", "-w", metavar="COND", help="A condition, such as '0 < x < 1' or 'n in naturals'.")] = None,
        let: Annotated[list[str] | None, typer.Option(
            "--let", metavar="DEF", help="A definition, such as 'f(x) = x/(1-x)'.")] = None,
        budget: Annotated[float, typer.Option("--budget", metavar="S", help=(
            "Units of work to plan the search with, twice as many to end it; one is about a second of an idle core, "
            "counted, so that a slow machine finds as much."))] = 10.0,
        output: Annotated[str, typer.Option(
            "--output", "-o", metavar="FILE", help="Write the certificate to this file.")] = "",
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the verdict.")] = OutputFormat.text,
        explain: Annotated[bool, typer.Option(
            "--explain", help="Search anew, and tell what was tried, what it cost and what was missing.")] = False,
    ) -> int:
        require_writable(output)
        from qtheory.proofs import api
        from qtheory.proofs.tactics.tracing import traced
        from qtheory.proofs.visible import json_text

        with progress_bar("searching"), traced(explain) as trace:
            verdict = api.prove(goal, where or (), let=let or (), budget=budget)
        if output and verdict.certificate is not None:
            verdict.certificate.save(output)
        elif output:
            typer.echo(f"{output} is not written: an unknown goal has no certificate", err=True)
        typer.echo(json_text(verdict.to_json()) if form == "json" else str(verdict))
        if trace is not None:
            from qtheory.proofs.plain import term_text
            from qtheory.proofs.tactics.telling import story

            typer.echo(story(trace, term_text), err=form == "json")
        return EXIT[verdict.verdict]
