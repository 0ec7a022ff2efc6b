"""The clusters that ship with the library, by name."""

from __future__ import annotations

from pathlib import Path

from qtheory.models import shipped
from qtheory.models.cluster import Cluster, parse
from qtheory.workloads.files import read_text

FOLDER = Path(__file__).parent / "data"


def names() -> list[str]:
    """The shipped clusters."""
    return shipped.names(FOLDER)


def load(name: str | Path) -> Cluster:
    """The cluster in a TOML file, or the shipped one of that name.

    Raises InputError for a file that is missing or wrong, UnknownNameError for an unknown name.
    """
    file = shipped.find(name, FOLDER, "cluster")
    return parse(read_text(file, "a cluster is a TOML file"), file.name, file.parent)
