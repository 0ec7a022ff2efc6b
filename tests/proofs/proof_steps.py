"""Steps of a proof: the ones that one of them needs; from formulas, and from tuples of a formula, terms, their
condition, its own steps, and a slope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qtheory.proofs.proving.lines import Line


def steps(entries: Iterable[Any]) -> tuple[Line, ...]:
    return tuple(e if isinstance(e, Line) else step(*((e,) if isinstance(e, str) else e)) for e in entries)


def alone(steps: Sequence[Line], label: str) -> tuple[Line, ...]:
    """The step of this label after those on which it rests."""
    wanted, kept = {label}, list[Line]()
    for line in reversed(steps):
        if line.label in wanted:
            assert line.by is not None, f"{line.label} rests on all before it"
            kept.insert(0, line)
            wanted |= {*line.by}
    assert kept and kept[-1].label == label
    return tuple(kept)


def step(formula: str, at: Any = None, where: str = "", by: Iterable[Any] = (), slope: Any = None) -> Line:
    return Line(formula, at=tuple((at or {}).items()), where=where, proof=steps(by), slope=slope)
