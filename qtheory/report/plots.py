"""The plots by name: ``qtheory plot NAME -o FILE``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qtheory.errors import UnknownNameError
from qtheory.report import approximation


@dataclass(frozen=True)
class Plot:
    """A picture that can be asked for by name; ``make`` takes the ending, .pdf, .png or .svg, and returns the file."""

    summary: str
    make: Callable[[str], bytes]


PLOTS = {
    "eb-approximation": Plot("error of the increasing-hazard expansion over its parameters, with the paper's workloads",
                             approximation.picture),
}


def names() -> list[str]:
    """The names of the plots, in alphabetical order."""
    return sorted(PLOTS)


def find(name: str) -> Plot:
    """The plot of that name; UnknownNameError for another."""
    if name not in PLOTS:
        raise UnknownNameError("plot", name, names())
    return PLOTS[name]
