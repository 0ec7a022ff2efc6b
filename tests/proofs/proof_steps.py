"""Steps of a proof from formulas, and from tuples of a formula, terms, their condition, its own steps, and a slope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qtheory.proofs.proving.lines import Line


def steps(entries: Iterable[Any]) -> tuple[Line, ...]:
    return tuple(e if isinstance(e, Line) else step(*((e,) if isinstance(e, str) else e)) for e in entries)


def step(formula: str, at: Any = None, where: str = "", by: Iterable[Any] = (), slope: Any = None) -> Line:
    return Line(formula, at=tuple((at or {}).items()), where=where, proof=steps(by), slope=slope)
