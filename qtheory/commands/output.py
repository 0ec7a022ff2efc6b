"""Whether a command's result can be written where it is to go; asked before the work."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from qtheory.errors import InputError


def require_writable(out: str | Path | None, makes_folder: bool = False) -> None:
    """InputError for a file that could not be written after the work; nothing is made yet. A link is said to be one.

    ``makes_folder``: the command makes the file's folder, where it is not there.
    """
    if out is None or not str(out):
        return
    path = Path(out)
    if path.is_symlink():
        typer.echo(f"{path} is a link: {os.path.realpath(path)} is written", err=True)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a device or a pipe; name a file")
    folder = Path(os.path.realpath(path)).parent
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder; name a file in it")
    if makes_folder:
        return require_folder(folder)
    if not folder.is_dir():
        named = folder if path.is_symlink() else path.parent
        raise InputError(f"{path}: cannot be written: there is no folder {named}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: cannot be written: you may not write into the folder {folder}")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{path}: cannot be written: the file is read-only")


def require_folder(folder: Path) -> None:
    """InputError for a folder that could not be written, or not be made, after the work; nothing is made yet."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    there = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{folder}: cannot be written: {there} is not a folder that you may write")


def made_folder(path: Path) -> Path:
    """The folder, made if it is not there; InputError where files could not be written into it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: no folder can be made there: {getattr(error, 'strerror', None) or error}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError(f"{path}: you may not write into this folder")
    return path
