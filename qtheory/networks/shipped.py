"""The networks that ship with the library, by name."""

from __future__ import annotations

from pathlib import Path

from qtheory.models import network_files, shipped
from qtheory.models.network import AgentNetwork

FOLDER = Path(__file__).parent / "data"


def names() -> list[str]:
    """The shipped networks."""
    return shipped.names(FOLDER)


def text(name: str | Path) -> str:
    """The text of a TOML file, or of the shipped network of that name.

    Raises InputError for a file that is missing or unreadable, UnknownNameError for an unknown name.
    """
    return network_files.read(shipped.find(name, FOLDER, "network"))


def load(name: str | Path) -> AgentNetwork:
    """The network in a TOML file, or the shipped one of that name; raises as ``text``, InputError for a bad file."""
    return network_files.parse(text(name), Path(name).name)
