"""The clusters that ship with the library, by name."""

from __future__ import annotations

from pathlib import Path

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.cluster import Cluster, parse
from qtheory.workloads.files import read_text

FOLDER = Path(__file__).parent / "data"


def names() -> list[str]:
    """The shipped clusters."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(name: str | Path) -> Cluster:
    """The cluster in a TOML file, or the shipped one of that name.

    Raises InputError for a file that is missing or wrong, UnknownNameError for an unknown name.
    """
    file = Path(name)
    if not file.exists():
        if file.suffix or file.parent != Path():  # no shipped name has an ending or a folder
            raise InputError(f"{name}: no such file")
        if str(name) not in names():
            raise UnknownNameError("cluster", str(name), names())
        file = FOLDER / f"{name}.toml"
    return parse(read_text(file, "a cluster is a TOML file"), file.name, file.parent)
