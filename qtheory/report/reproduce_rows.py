"""What a reproduced table or figure of a paper is made of: the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from qtheory.report.table import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[float, float], None]


class Row(NamedTuple):
    """One number of the paper beside ours; ``printed`` is None where the paper prints none, ``low`` and ``high`` are
    the ends of the 95 percent interval of a simulated one."""

    place: str
    what: str
    printed: float | None
    computed: float
    low: float | None = None
    high: float | None = None


def measured(place: str, what: str, values: NDArray[np.float64], printed: float | None = None) -> Row:
    """A row of replications' values: their mean and its 95 percent interval."""
    from qtheory.simulate.statistics.intervals import student  # what needs no simulation does without its imports

    found = student(values, 0.95)
    return Row(place, what, printed, found.estimate, found.low, found.high)


class Reproduced(NamedTuple):
    """What a maker returns; ``unit``: of all the numbers, or ""."""

    title: str
    caption: Text
    rows: Sequence[Row]
    unit: str = ""


@dataclass(frozen=True)
class Reproduction:
    """A table or figure that can be asked for: ``make(progress)``, and ``picture(ending)`` where there is one.

    ``shares``: it is simulated, and ``make`` takes an ``executor`` that shares the replications.
    """

    summary: str
    make: Callable[..., Reproduced]
    picture: Callable[[str], bytes] | None = None
    shares: bool = False
