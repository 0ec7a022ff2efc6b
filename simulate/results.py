"""Results as plain data: the document of a run, its rows and files; and the points of a sweep, run side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from qtheory.simulate.bootstrap import is_random
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.experiments import (
    ENGINE_HISTOGRAMS,
    ONE_RUN,
    REPLICATIONS,
    Judgement,
    Runs,
    judge_all,
    run_scenarios,
    summarise,
)
from qtheory.simulate.fingerprint import fingerprint, simulator_digest
from qtheory.simulate.keeping import Place, put
from qtheory.simulate.routing import RoutedRun
from qtheory.simulate.routing.measures import HISTOGRAMS as FLEET_HISTOGRAMS
from qtheory.simulate.runs import Run
from qtheory.simulate.scenarios import Point, Scenario, with_changes
from qtheory.simulate.statistics import Interval
from qtheory.simulate.statistics.quantiles import distribution
from qtheory.simulate.statistics.stability import Stability
from qtheory.simulate.table_files import as_csv, as_parquet

SCHEMA = 3
TABLES = ("csv", "parquet")
_ENDS = ("estimate", "low", "high")


def _number(value: float) -> float | None:
    return float(value) if value == value and abs(value) != float("inf") else None


def _ends(interval: Interval | None) -> dict[str, float | None] | None:
    return None if interval is None else {end: _number(getattr(interval, end)) for end in _ENDS}


def _stability(verdict: Stability | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    growth = [_number(getattr(verdict.growth, end)) for end in _ENDS]
    return {
        "verdict": verdict.verdict, "error_rate": verdict.error_rate, "growth": growth, "remark": verdict.remark
    }  # fmt: skip


def _sample(point: Point, label: str) -> str:
    """Where the chance in a variant's intervals comes from."""
    scenario = point.scenario
    if scenario.bootstrap:
        return f"block bootstrap of the trace, blocks of {scenario.bootstrap} requests"
    return REPLICATIONS if is_random(scenario.variants[label]) else ONE_RUN


def document(
    point: Point, summary: Mapping[str, Mapping[str, Any]], judgements: Sequence[Judgement]
) -> dict[str, Any]:
    """What is written and printed of one scenario: plain JSON data."""
    scenario = point.scenario
    variants = [
        {
            "variant": label,
            "sample": _sample(point, label),
            "stability": _stability(result["stability"]),
            "warm_up_windows": result["warm_up"],
            "measures": {name: _ends(i) for name, i in result["measures"].items()},
        }
        for label, result in summary.items()
    ]
    return {
        "schema": SCHEMA,
        "title": scenario.title,
        "claim": scenario.claim,
        "settings": dict(point.settings),
        "horizon": scenario.horizon,
        "windows": int(scenario.windows),
        "replications": int(scenario.replications),
        "seed": int(scenario.seed),
        "confidence": scenario.confidence,
        "simulator": simulator_digest(),
        "fingerprint": fingerprint(point),
        "variants": variants,
        "claims": [{"says": j.says, "verdict": j.verdict, "numbers": j.numbers} for j in judgements],
    }


def rows(documents: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row for each measure of each variant of each point, the settings first."""
    return [
        {**d["settings"], "variant": v["variant"], "measure": name, **i}
        for d in documents
        for v in d["variants"]
        for name, i in v["measures"].items()
        if i is not None
    ]


def write(folder: Path, documents: Sequence[Mapping[str, Any]], table: str = "csv") -> None:
    """results.json (the document, or the list of a sweep's) and results.csv or results.parquet."""
    whole: Any = documents[0] if len(documents) == 1 and not documents[0]["settings"] else list(documents)
    listed = rows(documents)
    encoded = as_csv(listed, ("variant", "measure", *_ENDS)) if table == "csv" else as_parquet(listed)
    put(folder / "results.json", (json.dumps(whole, indent=1) + "\n").encode())
    put(folder / f"results.{table}", encoded)


def write_distributions(folder: Path, scenario: Scenario, results: Mapping[str, Runs]) -> None:
    """distributions.csv: for each delay of each variant the fraction that is at most so many seconds, with a band.

    A variant of one run has no band, and is left out; of a chain of counts there are no delays.
    """
    table = []
    for label, runs in results.items():
        rows_of: dict[str, list[np.ndarray]] = {}
        for run in runs:
            if isinstance(run, EngineRun):
                for name, row in ENGINE_HISTOGRAMS.items():
                    rows_of.setdefault(name, []).append(run.histogram[row])
            elif isinstance(run, RoutedRun):
                for name, row in FLEET_HISTOGRAMS.items():
                    rows_of.setdefault(name, []).append(run.histogram[:, row].sum(axis=0))
            elif isinstance(run, Run):
                for i, c in enumerate(run.network.sources):
                    rows_of.setdefault(f"sojourn time of {c.name}", []).append(run.histogram[i])
        for name, counts in rows_of.items():
            if len(counts) > 1 and all(c.sum() for c in counts):
                d = distribution(counts, scenario.confidence)
                for values in zip(d.times, d.estimate, d.low, d.high, strict=True):
                    numbers = dict(zip(("seconds", "fraction_at_most", "low", "high"), map(float, values), strict=True))
                    table.append({"variant": label, "measure": name, **numbers})
    put(folder / "distributions.csv", as_csv(table, ("variant", "measure", *_ENDS)))


def run_points(
    points: Sequence[Point],
    folder: Path | None = None,
    *,
    until_decided: float = 0.0,
    each: Callable[[int, Point, dict[str, Runs]], None] | None = None,
    kept: Callable[[int], None] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """The documents of all points, in order; ``options``: those of :func:`run_scenarios`.

    An ``executor`` works on replications of several points side by side. With a ``folder`` each finished point is
    written at once to ``points/`` in it, and each finished replication of a point under way that is not short: what is
    there already, of the same scenario and simulator, is not run again, so that what a crash left goes on where it
    stopped. ``until_decided``: while the stability of a variant is undecided, its point is run again with the horizon
    doubled, up to so many seconds; a longer run begins as the shorter one did.
    ``each(number, point, runs)`` is called after a point that was run, ``kept(number)`` for one that was there.
    """
    points, documents = list(points), [dict[str, Any]()] * len(points)
    numbers = list(range(len(points)))
    while numbers:
        places = {n: None if folder is None else Place(folder / "points", fingerprint(points[n])) for n in numbers}
        missing = []
        for n, place in places.items():
            found = None if place is None else place.document()
            if found is None:
                missing.append(n)
                continue
            documents[n] = found
            if kept:
                kept(n)
        for i, runs in run_scenarios([(points[n].scenario, places[n]) for n in missing], **options):
            n, point, place = missing[i], points[missing[i]], places[missing[i]]
            documents[n] = document(point, summarise(point.scenario, runs), judge_all(point.scenario, runs))
            if place is not None:
                place.keep(documents[n])
            if each:
                each(n, point, runs)
        numbers = [n for n in numbers if _is_open(documents[n]) and 2 * points[n].scenario.horizon <= until_decided]
        for n in numbers:
            longer = with_changes(points[n].scenario, horizon=2 * points[n].scenario.horizon)
            points[n] = Point(points[n].settings, longer)
    return documents


def _is_open(document: Mapping[str, Any]) -> bool:
    """Is the stability of a variant undecided, where it is judged?"""
    return any((v["stability"] or {}).get("verdict") == "undecided" for v in document["variants"])
