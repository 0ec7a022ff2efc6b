"""Whether a command's result can be written where it is to go; asked before the work."""

from __future__ import annotations

import os
from pathlib import Path

from qtheory.errors import InputError


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
