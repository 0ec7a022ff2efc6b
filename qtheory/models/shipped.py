"""Files that ship with the library, by name, beside a user's own, by path."""

from __future__ import annotations

from pathlib import Path

from qtheory.errors import InputError, UnknownNameError


def names(folder: Path) -> list[str]:
    """The shipped TOML files of a folder, without their ending."""
    return sorted(file.stem for file in folder.glob("*.toml"))


def find(name: str | Path, folder: Path, what: str) -> Path:
    """The file at this path, or the shipped one of this name; ``what`` it describes.

    Raises InputError for a file that is missing, UnknownNameError for an unknown name.
    """
    file = Path(name)
    if file.exists():
        return file
    if file.suffix or file.parent != Path():  # no shipped name has an ending or a folder
        raise InputError(f"{name}: no such file")
    if str(name) not in names(folder):
        raise UnknownNameError(what, str(name), names(folder))
    return folder / f"{name}.toml"
