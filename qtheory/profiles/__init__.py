"""Hardware profiles: iteration-time constants measured on GPUs, each with its source.

``load("a100-llama3-70b-tp2")`` gives a shipped profile, ``load("mine.toml")`` one of your own, ``names()`` lists
the shipped ones. Fits live in ``qtheory.profiles.fitting``.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qtheory.errors import UnknownNameError

if TYPE_CHECKING:
    from qtheory.profiles.schema import HardwareProfile

__all__ = ["HardwareProfile", "load", "names"]


def names() -> list[str]:
    """The names of the shipped profiles, in alphabetical order."""
    found = (resources.files(__package__) / "data").iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in found if entry.name.endswith(".toml"))


def load(name_or_path: str | Path) -> HardwareProfile:
    """The shipped profile of that name, or the one in a TOML file.

    A text that ends in ``.toml`` or contains a path separator is taken for a path. Raises UnknownNameError with
    the nearest names, and InputError for a file that cannot be used.
    """
    from qtheory.profiles.files import parse_profile, read_profile

    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith(".toml") or os.sep in text:
        return read_profile(text)
    if text not in names():
        raise UnknownNameError("profile", text, names())
    return parse_profile((resources.files(__package__) / "data" / f"{text}.toml").read_text("utf-8"), text)


def __getattr__(name: str) -> Any:
    if name == "HardwareProfile":
        from qtheory.profiles.schema import HardwareProfile

        return HardwareProfile
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
