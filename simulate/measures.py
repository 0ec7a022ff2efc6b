"""What to read off a run: each measure is a ratio of two totals a window, so that any windows can be pooled exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qtheory.errors import UnknownNameError
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.networks import Network
from qtheory.simulate.runs import Run

Totals = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Measure:
    """``totals(run)``: numerators and denominators of each window, both of shape (windows,)."""

    name: str
    unit: str
    totals: Callable[[Run], Totals]

    def series(self, run: Run) -> np.ndarray:
        """The measure in each window, shape (windows,); NaN where the denominator is 0."""
        top, bottom = self.totals(run)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(top / bottom)

    def value(self, run: Run, first: int = 0) -> float:
        """The measure over the windows from ``first`` on; NaN where nothing was counted."""
        top, bottom = self.totals(run)
        total = float(bottom[first:].sum())
        return float(top[first:].sum()) / total if total else float("nan")


def _class_number(network: Network, name: str) -> int:
    names = [c.name for c in network.classes]
    if name not in names:
        raise UnknownNameError("class", name, names)
    return names.index(name)


def _type_number(network: Network, name: str) -> int:
    names = [c.name for c in network.sources]
    if name not in names:
        raise UnknownNameError("class with arrivals from outside", name, names)
    return names.index(name)


def _station_number(network: Network, name: str) -> int:
    names = [s.name for s in network.stations]
    if name not in names:
        raise UnknownNameError("station", name, names)
    return names.index(name)


def _lengths(run: Run) -> np.ndarray:
    return np.full(run.windows, run.window)


def sojourn(entry: str) -> Measure:
    """Mean time from entering the network as class ``entry`` to leaving it, over jobs that left; seconds."""

    def totals(run: Run) -> Totals:
        a = _type_number(run.network, entry)
        return run.types[:, a, L.SOJOURN], run.types[:, a, L.LEFT_JOBS]

    return Measure(f"mean sojourn time of {entry}", "s", totals)


def throughput(entry: str) -> Measure:
    """Jobs of type ``entry`` that leave a second."""

    def totals(run: Run) -> Totals:
        return run.types[:, _type_number(run.network, entry), L.LEFT_JOBS], _lengths(run)

    return Measure(f"throughput of {entry}", "1/s", totals)


def number(*classes: str) -> Measure:
    """Time average of the number of jobs present in the classes named (none named: in all)."""

    def totals(run: Run) -> Totals:
        chosen = [_class_number(run.network, c) for c in classes] or slice(None)
        return run.classes[:, chosen, L.AREA].sum(axis=1), _lengths(run)

    return Measure(f"mean number of {', '.join(classes) or 'jobs'}", "jobs", totals)


def wait(name: str) -> Measure:
    """Mean time in the queue a job of class ``name``, impatient jobs included; seconds."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.WAIT], sums[:, L.COMPLETIONS] + sums[:, L.ABANDONED]

    return Measure(f"mean wait of {name}", "s", totals)


def delayed(name: str) -> Measure:
    """Fraction of the jobs of class ``name`` that had to wait."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.DELAYED], sums[:, L.STARTS] + sums[:, L.ABANDONED]

    return Measure(f"fraction of {name} delayed", "1", totals)


def abandoned(name: str) -> Measure:
    """Fraction of the jobs of class ``name`` that lost patience."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.ABANDONED], sums[:, L.COMPLETIONS] + sums[:, L.ABANDONED]

    return Measure(f"fraction of {name} that leaves unserved", "1", totals)


def utilisation(name: str) -> Measure:
    """Busy fraction of the servers of station ``name``."""

    def totals(run: Run) -> Totals:
        m = _station_number(run.network, name)
        return run.stations[:, m, L.BUSY], _lengths(run) * run.network.stations[m].servers

    return Measure(f"utilisation of {name}", "1", totals)


def backlog(run: Run) -> np.ndarray:
    """Unfinished work of the whole network at the end of each window, in seconds of service; shape (windows,)."""
    return np.asarray(run.stations[:, :, L.UNFINISHED].sum(axis=1))


def present(run: Run) -> np.ndarray:
    """Jobs present at the end of each window; shape (windows,)."""
    return np.asarray(run.stations[:, :, L.PRESENT].sum(axis=1))
