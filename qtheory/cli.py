"""The command ``qtheory``. Each command lives in ``qtheory.commands`` and is imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

import click
import typer
from typer.core import TyperGroup

from qtheory import __version__
from qtheory.errors import QTheoryError

# command -> its one line of help; the module ``qtheory.commands.<name>`` holds a Typer app called ``app``
COMMANDS = {
    "prove": "Prove or refute a statement of your own.",
    "verify": "Referee the corpus, or single claims, and compare with the record.",
    "check": "Re-check certificates with the kernel alone.",
    "show": "Show one claim: quote, statement, verdict, evidence, correction.",
    "table": "Print a table for a paper, computed from a measured profile.",
    "profile": "List, show and fit hardware profiles.",
}


class _LazyGroup(TyperGroup):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if ctx.resilient_parsing or getattr(ctx, "_qtheory_listing", False):
            return click.Command(cmd_name, help=COMMANDS[cmd_name])
        module = importlib.import_module(f"qtheory.commands.{cmd_name}")
        command = typer.main.get_command(module.app)
        command.name = cmd_name
        return command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        ctx._qtheory_listing = True  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)
