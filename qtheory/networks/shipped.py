"""The networks that ship with the library, by name."""

from __future__ import annotations

from pathlib import Path

from qtheory.errors import InputError, UnknownNameError
from qtheory.models import network_files
from qtheory.models.network import AgentNetwork

FOLDER = Path(__file__).parent / "data"


def names() -> list[str]:
    """The shipped networks."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(name: str | Path) -> AgentNetwork:
    """The network in a TOML file, or the shipped one of that name.

    Raises InputError for a file that is missing or bad, UnknownNameError for an unknown name.
    """
    if Path(name).exists():
        return network_files.load(name)
    if name in names():
        return network_files.load(FOLDER / f"{name}.toml")
    if Path(name).suffix or Path(name).parent != Path():  # no shipped name has an ending or a folder
        raise InputError(f"{name}: no such file")
    raise UnknownNameError("network", str(name), names())
