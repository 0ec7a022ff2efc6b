"""Running a scenario: replications of every variant on the same random numbers, and what is reported of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate import measures
from qtheory.simulate.engines import EngineRun, LLMEngine
from qtheory.simulate.engines import _replicate as engine_task
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.networks import Network
from qtheory.simulate.runs import Run
from qtheory.simulate.runs import _replicate as network_task
from qtheory.simulate.scenarios import Scenario
from qtheory.simulate.statistics import Interval, histogram_quantile, sojourn_quantile, steady_state, student
from qtheory.simulate.statistics.stability import Stability, stability, stability_of_paths

Runs = Sequence[Run] | Sequence[EngineRun]


def run_scenario(
    scenario: Scenario, *, executor: Executor | None = None, done: Callable[[int, int], None] | None = None
) -> dict[str, Runs]:
    """Replications of each variant; ``done(finished, events)`` is called after each replication."""
    results: dict[str, Runs] = {}
    finished = events = 0
    for label, model in scenario.variants.items():
        task: Callable[..., Any] = network_task if isinstance(model, Network) else engine_task
        options = {"horizon": scenario.horizon, "windows": int(scenario.windows), "seed": int(scenario.seed)}
        jobs = [(model, {**options, "replication": r}) for r in range(int(scenario.replications))]
        runs = []
        for run in map(task, jobs) if executor is None else executor.map(task, jobs):
            runs.append(run)
            finished += 1
            events += run.events if isinstance(run, Run) else run.iterations
            if done:
                done(finished, events)
        results[label] = runs
    return results


def engine_stability(runs: Sequence[EngineRun], error_rate: float = 0.01) -> Stability:
    """The stability verdict on an engine with arrivals of its own, by the requests present at the ends of windows."""
    paths = np.array([r.sums[:, E.PRESENT_AT_END] for r in runs])
    return stability_of_paths(paths, paths, runs[0].window, error_rate)


def _interval(values: Sequence[float], confidence: float) -> Interval | None:
    return student(values, confidence) if np.isfinite(values).all() else None


def _engine_values(run: EngineRun) -> dict[str, float]:
    first = run.sums.shape[0] // 10  # the first tenth of the windows is left out of the rates
    span = run.seconds - first * run.window
    iterations = max(1.0, run.total(E.ITERATIONS, first))
    values = {
        "requests a second": run.total(E.REQUESTS_OUT, first) / span,
        "output tokens a second": run.total(E.DECODE_TOKENS, first) / span,
        "goodput, requests a second": run.total(E.GOOD, first) / span,
        "busy fraction": run.total(E.BUSY_TIME, first) / span,
        "tokens an iteration": (run.total(E.PREFILL_TOKENS, first) + run.total(E.DECODE_TOKENS, first)) / iterations,
        "mean KV tokens": run.total(E.RESIDENT_AREA, first) / span,
        "preemptions a second": run.total(E.PREEMPTIONS, first) / span,
    }
    for name, row in (("TTFT", E.TTFT), ("time between tokens", E.TBT), ("latency", E.LATENCY)):
        for q in (0.5, 0.99):
            counted = run.histogram[row].sum() > 0
            values[f"{name}, {q:.0%} quantile, s"] = histogram_quantile(run.histogram[row], q) if counted else np.nan
    return values


def summarise_engine(model: LLMEngine, runs: Sequence[EngineRun], confidence: float) -> dict[str, Any]:
    """Intervals of an engine's measures; of an unstable one only rates, and its growth in place of its delays."""
    values = [_engine_values(r) for r in runs]
    intervals = {k: _interval([v[k] for v in values], confidence) for k in values[0]} if len(runs) > 1 else {}
    opened = not model.saturated and model.concurrency is None
    verdict = engine_stability(runs) if opened and len(runs) >= 5 and runs[0].sums.shape[0] >= 20 else None
    if verdict is not None and verdict.verdict != "stable":
        intervals = {k: v for k, v in intervals.items() if "TTFT" not in k and "latency" not in k}
    return {"stability": verdict, "measures": intervals}


def summarise_network(network: Network, runs: Sequence[Run], confidence: float) -> dict[str, Any]:
    """Intervals of a network's steady state; empty where it is not stable."""
    verdict = stability(runs)
    if verdict.verdict != "stable":
        return {"stability": verdict, "measures": {}}
    wanted = [measures.number()]
    wanted += [m(c.name) for c in network.sources for m in (measures.sojourn, measures.throughput)]
    wanted += [measures.wait(c.name) for c in network.classes]
    wanted += [measures.utilisation(s.name) for s in network.stations]
    intervals: dict[str, Interval] = {}
    for m in wanted:
        try:
            intervals[f"{m.name}, {m.unit}"] = steady_state(runs, m, confidence=confidence)
        except InputError:
            continue  # nothing was counted, say no job of that class ever came
    for c in network.sources:
        intervals[f"99% quantile of the sojourn time of {c.name}, s"] = sojourn_quantile(runs, c.name, 0.99, confidence)
    return {"stability": verdict, "measures": intervals}


def summarise(scenario: Scenario, results: dict[str, Runs]) -> dict[str, dict[str, Any]]:
    """For each variant: its ``stability`` (or None) and the intervals of its ``measures``."""
    summary = {}
    for label, runs in results.items():
        model = scenario.variants[label]
        if isinstance(model, Network):
            summary[label] = summarise_network(model, runs, scenario.confidence)  # type: ignore[arg-type]
        else:
            summary[label] = summarise_engine(model, runs, scenario.confidence)  # type: ignore[arg-type]
    return summary
