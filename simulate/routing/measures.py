"""What to read off a fleet's run, as :mod:`qtheory.simulate.measures` has it for other models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qtheory.simulate.measures import Measure, Totals
from qtheory.simulate.routing import layout as L
from qtheory.simulate.routing.fleets import RoutedFleet, RoutedRun

HISTOGRAMS = {"TTFT": L.TTFT, "latency": L.LATENCY, "TPOT": L.TPOT}


def _seconds(run: RoutedRun) -> np.ndarray:
    return np.full(run.windows, run.window)


def _of(k: int | None, *columns: int) -> Callable[[RoutedRun], np.ndarray]:
    """Sums of these columns in each window, of class ``k`` or of all."""
    chosen = slice(None) if k is None else slice(k, k + 1)
    return lambda run: np.asarray(run.sums[:, chosen][:, :, list(columns)].sum(axis=(1, 2)))


def _ratio(name: str, unit: str, top: Callable[[RoutedRun], np.ndarray],
           bottom: Callable[[RoutedRun], np.ndarray]) -> Measure:
    def totals(run: RoutedRun) -> Totals:
        return top(run), bottom(run)

    return Measure(name, unit, totals)


def _of_requests(k: int | None, name: str = "") -> list[Measure]:
    of = f" of {name}" if name else ""
    return [
        _ratio(f"requests a second{of}", "1/s", _of(k, L.ENDED), _seconds),
        _ratio(f"mean TTFT{of}, s", "s", _of(k, L.TTFT_SUM), _of(k, L.STARTED)),
        _ratio(f"mean TPOT{of}, s", "s", _of(k, L.TPOT_SUM), _of(k, L.TPOT_OUT)),
        _ratio(f"mean latency{of}, s", "s", _of(k, L.LATENCY_SUM), _of(k, L.ENDED)),
    ]


def of_fleet(fleet: RoutedFleet) -> dict[str, Measure]:
    """The measures of a fleet, of each of its classes too where there are several, by name."""
    found = _of_requests(None)
    found += [
        _ratio("output tokens a second", "tokens/s", _of(None, L.TOKENS_OUT), _seconds),
        _ratio("busy fraction", "1", lambda run: run.fleet_sums[:, L.BUSY_TIME],
               lambda run: _seconds(run) * run.fleet.engines),
        _ratio("mean number of requests", "requests",
               lambda run: run.fleet_sums[:, L.AREA], _seconds),
    ]
    if fleet.prefixes is not None:
        found.append(_ratio("prompt tokens from prefix caches, a request", "tokens", _of(None, L.SKIPPED),
                            _of(None, L.STARTED)))
    if len(fleet.classes) > 1:
        found += [m for k, c in enumerate(fleet.classes) for m in _of_requests(k, c.name)]
    return {m.name: m for m in found}
