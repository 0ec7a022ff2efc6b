"""A request's tokens one by one, rebuilt from the epochs of a run with records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.simulate.engine_runs import EngineRun


def _iteration_ends(epochs: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray]:
    """The epochs in which ``group`` advanced, and its counter at the end of each."""
    mine = epochs[(epochs[:, 6].astype(np.int64) >> group) & 1 == 1]
    return mine, np.cumsum(mine[:, 1])


def token_times(run: EngineRun, rows: Iterable[int] | None = None) -> list[np.ndarray]:
    """When the tokens of completed requests came out, the first token first; seconds.

    ``rows``: those of ``run.records``, all by default. A request with output length L has L times under policy
    cycles, whose first token comes with the first decode iteration, and L + 1 under the others. Raises InputError
    for a run without records, and for one with drafted tokens, of which an iteration has several.
    """
    if run.records is None or run.epochs is None or run.stints is None:
        raise InputError("token times need a run with records=True")
    if run.engine.draft:
        raise InputError("token times are not kept of drafted tokens")
    order = np.argsort(run.stints[:, 0], kind="stable")
    numbers = run.stints[order, 0]
    ends = [_iteration_ends(run.epochs, g) for g in range(int(run.stints[:, 1].max(initial=0)) + 1)]
    series = []
    for row in range(len(run.records)) if rows is None else rows:
        number = run.records[row, 6]
        times = [] if run.engine.late_first and run.records[row, 5] > 0 else [run.records[row, 2:3]]
        for stint in order[np.searchsorted(numbers, number) : np.searchsorted(numbers, number, side="right")]:
            _, group, before, after = run.stints[stint]
            epochs, counts = ends[int(group)]
            counter = np.arange(before + 1, after + 1)
            at = np.searchsorted(counts, counter)
            start, n, first, slope = epochs[at, :4].T
            i = counter - (counts[at] - n)
            times.append(start + i * first + slope * (0.5 * i * (i - 1)))
        series.append(np.concatenate(times))
    return series
