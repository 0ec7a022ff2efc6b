"""Where a command's result goes: to a file, said so, or to the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import typer

from qtheory.errors import InputError

Form = TypeVar("Form", bound=StrEnum)


def require_writable(out: str | Path | None) -> None:
    """InputError for a file that could not be written after the work; nothing is made yet."""
    if out is None or not str(out):
        return
    path = Path(out)
    folder = path.absolute().parent
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder; name a file in it")
    if not folder.is_dir():
        raise InputError(f"{path}: cannot be written: there is no folder {path.parent}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: cannot be written: you may not write into the folder {folder}")


def made_folder(path: Path) -> Path:
    """The folder, made if it is not there; InputError where files could not be written into it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: no folder can be made there: {getattr(error, 'strerror', None) or error}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError(f"{path}: you may not write into this folder")
    return path


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
    from qtheory.profiles.files import write_file

    write_file(out, content)
    typer.echo(f"wrote {out}")
