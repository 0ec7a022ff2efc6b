"""The file that a command is about, or the name of a shipped one: the argument, and the word where it is missing."""

from __future__ import annotations

from typing import Any

import typer

from qtheory.errors import InputError


def model_file(kind: str, metavar: str) -> Any:
    """The argument, for an annotation. ``kind``: what the file describes, which is the command's ``--list`` too."""
    return typer.Argument(metavar=metavar, help=f"A TOML file, or the name of a shipped {kind} (see --list).")


def given(source: str | None, kind: str, command: str) -> str:
    """The argument's value; InputError where it is left out."""
    if source is None:
        raise InputError(f"which {kind}? Give a TOML file, or the name of a shipped one: qtheory {command} --list")
    return source
