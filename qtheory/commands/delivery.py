"""Where a command's result goes: to a file, said so, or to the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import typer

from qtheory.errors import InputError

Form = TypeVar("Form", bound=StrEnum)


def chosen_form(form: Form | None, out: Path | None, endings: Mapping[str, Form], default: Form) -> Form:
    """The form that is asked for, or the one of the file's ending; InputError for an ending that names none."""
    if form is not None or out is None:
        return form or default
    if out.suffix.lower() not in endings:
        ending = f"the ending {out.suffix}" if out.suffix else "a name without an ending"
        raise InputError(f"{out}: {ending} names no format; known: {', '.join(endings)}, or give --format")
    return endings[out.suffix.lower()]


def deliver(content: bytes, out: Path | None) -> None:
    """Write the content whole to the file, or print it as text where no file is named."""
    if out is None:
        typer.echo(content.decode(), nl=False)
        return
    from qtheory.proofs.files import write_whole

    write_whole(out, content)
    typer.echo(f"wrote {out}")
