"""What a reproduced table or figure of a paper is made of: the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qtheory.report.table import Text

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


class Reproduced(NamedTuple):
    """What a maker returns; ``unit``: of all the numbers, or ""."""

    title: str
    caption: Text
    rows: Sequence[Row]
    unit: str = ""


@dataclass(frozen=True)
class Reproduction:
    """A table or figure that can be asked for: ``make(progress)``, and ``picture(ending)`` where there is one."""

    summary: str
    make: Callable[[Progress], Reproduced]
    picture: Callable[[str], bytes] | None = None
