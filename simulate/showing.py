"""What a notebook shows of models and runs: a line. ``repr`` of a model has all of it; hashes of runs rest on that."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

SHOWN = 6  # names of a list that are shown


class InALine:
    """``line``: what it is, in a line, which a notebook shows."""

    def __init_subclass__(cls) -> None:
        cls._repr_pretty_ = InALine._repr_pretty_  # type: ignore[method-assign]  # looked for where ``__repr__`` is

    @property
    def line(self) -> str:
        raise NotImplementedError

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<{self.line}>")


class Replication(InALine):
    """A run, whose first field is the model; a terminal shows the line too, for there are arrays in it."""

    seed: int
    replication: int
    window: float

    @property
    def windows(self) -> int:
        raise NotImplementedError

    @property
    def line(self) -> str:
        model = getattr(self, dataclasses.fields(self)[0].name)  # type: ignore[arg-type]
        return (f"run of {model.line}; seed {self.seed}, replication {self.replication}; "
                f"{self.windows} windows of {self.window:,g} s")

    def __repr__(self) -> str:
        return f"<{self.line}>"


def listed(names: Iterable[object]) -> str:
    """The names, the first few where they are many."""
    texts = [str(n) for n in names]
    return ", ".join(texts[:SHOWN]) + f" and {len(texts) - SHOWN} more" * (len(texts) > SHOWN)
