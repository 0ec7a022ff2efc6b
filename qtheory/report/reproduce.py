"""``qtheory reproduce KEY``: a paper's table or figure recomputed, the paper's value beside ours.

A key is an entry of `KEYS`; what it holds is in `reproduce_rows`.
"""

from __future__ import annotations

from dataclasses import replace

from qtheory import __version__
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import reproduce_printed, reproduce_thresholds, reproduce_workloads
from qtheory.report.reproduce_rows import Progress, Reproduction
from qtheory.report.table import Column, Math, Table, ends_of

KEYS: dict[str, Reproduction] = {**reproduce_printed.KEYS, **reproduce_thresholds.KEYS, **reproduce_workloads.KEYS}


def columns(unit: str, intervals: bool) -> tuple[Column, ...]:
    """Place and quantity, the printed and the computed number, its interval, which is shown where there is one, and
    their difference."""
    ends = ends_of("computed", r"\mathrm{computed}", "computed", unit, digits=4, trim=True)
    return (
        Column("place", "place", "row or panel of the paper's table or figure", text=True, once=True),
        Column("what", "quantity", "what is compared", text=True),
        Column("printed", "paper", "the number as printed", unit, digits=6, trim=True),
        Column("computed", "computed", "the number that the model gives", unit, digits=4, trim=True),
        *(replace(end, printed=intervals) for end in ends),
        Column("difference", Math(r"\Delta", "Δ"), "computed less printed", unit, digits=2, trim=True),
    )


def build(key: str, progress: Progress = lambda done, of: None) -> Table:
    """The table of that key; UnknownNameError, with the nearest ones, for another."""
    found = find(key).make(progress)
    rows = tuple((r.place, r.what, r.printed, r.computed, r.low, r.high,
                  None if r.printed is None else r.computed - r.printed) for r in found.rows)
    heads = columns(found.unit, any(r.low is not None for r in found.rows))
    return Table(name=key, title=found.title, caption=(*found.caption, f" Computed by qtheory {__version__}."),
                 label=f"tab:{key}", columns=heads, rows=rows, version=__version__)


def picture(key: str, suffix: str) -> bytes:
    """The picture of that key as PDF, PNG or SVG; InputError where the paper draws no curve that it could show."""
    draw = find(key).picture
    if draw is None:
        drawn = ", ".join(k for k in names() if KEYS[k].picture)
        raise InputError(f"{key} has no picture, only a table; these have one: {drawn}")
    return draw(suffix)


def find(key: str) -> Reproduction:
    """The entry of that key; UnknownNameError, with the nearest ones, for another."""
    if key not in KEYS:
        raise UnknownNameError("table or figure", key, names())
    return KEYS[key]


def names() -> list[str]:
    """The keys, in the order in which they are listed."""
    return list(KEYS)
