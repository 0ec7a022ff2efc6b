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


def text(name: str | Path) -> str:
    """The text of a TOML file, or of the shipped network of that name.

    Raises InputError for a file that is missing or unreadable, UnknownNameError for an unknown name.
    """
    file = Path(name)
    if not file.exists():
        if file.suffix or file.parent != Path():  # no shipped name has an ending or a folder
            raise InputError(f"{name}: no such file")
        if str(name) not in names():
            raise UnknownNameError("network", str(name), names())
        file = FOLDER / f"{name}.toml"
    return network_files.read(file)


def load(name: str | Path) -> AgentNetwork:
    """The network in a TOML file, or the shipped one of that name; raises as ``text``, InputError for a bad file."""
    return network_files.parse(text(name), Path(name).name)
