"""What a notebook shows: of models and runs a line, of a scenario's results the means. ``repr`` of a model has all of
it; hashes of runs rest on that."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterable, Mapping
from typing import Any

from qtheory.errors import InputError

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


class Results(dict[str, Any]):
    """The replications of each variant of ``scenario``; shown as the stability and the means after the warm-up."""

    def __init__(self, scenario: Any, runs: Mapping[str, Any]) -> None:
        super().__init__(runs)
        self.scenario = scenario

    def _rows(self) -> list[list[str]]:
        """A row of the variants, of their stability, and of each measure; InputError for too few runs."""
        from qtheory.simulate.experiments import summarise  # which makes such results

        told = summarise(self.scenario, {k: v for k, v in self.items() if k in self.scenario.variants})
        verdicts = ["not tested" if of["stability"] is None else of["stability"].verdict for of in told.values()]
        rows = [["", *told], ["stability", *verdicts]]
        for name in dict.fromkeys(name for of in told.values() for name in of["measures"]):
            found = [of["measures"].get(name) for of in told.values()]
            cells = ["-" if i is None else f"{i.estimate:.5g} ({i.low:.5g} to {i.high:.5g})" for i in found]
            rows.append([name, *cells])
        return rows

    @property
    def _head(self) -> str:
        return f"results of {self.scenario.line}; means after the warm-up, intervals at {self.scenario.confidence:g}"

    def __repr__(self) -> str:
        try:
            rows = self._rows()
        except InputError as error:
            return f"<results of {self.scenario.line}; no means: {error}>"
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([self._head, *lines])

    def _repr_html_(self) -> str:
        try:
            rows = self._rows()
        except InputError:
            return f"<pre>{html.escape(repr(self))}</pre>"
        cells = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><caption>{html.escape(self._head)}</caption>{cells}</table>"


def listed(names: Iterable[object]) -> str:
    """The names, the first few where they are many."""
    texts = [str(n) for n in names]
    return ", ".join(texts[:SHOWN]) + f" and {len(texts) - SHOWN} more" * (len(texts) > SHOWN)
