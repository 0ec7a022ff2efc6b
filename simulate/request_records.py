"""What one replication with records says of each request and each iteration: a table, and a trace for a browser.

Times are seconds from the start. Of an engine: every request that was completed, and every iteration; of a network:
every job that left.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.bootstrap import Bootstrapped
from qtheory.simulate.counts import CountsChain
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.keeping import put
from qtheory.simulate.routing import RoutedFleet
from qtheory.simulate.runs import Run
from qtheory.simulate.scenarios import Scenario
from qtheory.simulate.table_files import as_csv, as_parquet

MOST_ITERATIONS = 10**6  # of a trace: no browser opens more


def require_requests(scenario: Scenario) -> None:
    """Raises InputError for a scenario whose models know no single requests."""
    for model in scenario.variants.values():
        if isinstance(model, RoutedFleet):
            raise InputError("a fleet of engines keeps no records of its requests: run one as an [engine]")
        if isinstance(model, CountsChain | SlottedAgents):
            what = "a chain of counts has no" if isinstance(model, CountsChain) else "agents in slots have no single"
            raise InputError(f"{what} requests, so that there are no records of any")


def recorded(scenario: Scenario) -> dict[str, Run | EngineRun]:
    """The first replication of each variant, with records. Raises InputError where there are none."""
    require_requests(scenario)
    found = {}
    for label, model in scenario.variants.items():
        drawn: Any = Bootstrapped(model, scenario.bootstrap) if scenario.bootstrap else model  # type: ignore[arg-type]
        found[label] = drawn.run(horizon=scenario.horizon, windows=int(scenario.windows), seed=int(scenario.seed),
                                 records=True)  # fmt: skip
    return found


def tpot(run: EngineRun) -> np.ndarray:
    """Time per output token of each record: from the first token to the last, over the tokens after the first; seconds.

    Exclusive-batching paper, Section 4.1, as vLLM measures it; NaN of a request with one token. Shape (n,).
    """
    assert run.records is not None
    after = run.records[:, 5] - run.engine.late_first
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(after > 0, (run.records[:, 3] - run.records[:, 2]) / after, np.nan)


def rows(runs: Mapping[str, Run | EngineRun]) -> Iterator[dict[str, Any]]:
    """A row for each request, in the order of the ends of their runs."""
    for label, run in runs.items():
        assert run.records is not None
        if isinstance(run, Run):
            sources = run.network.sources
            for kind, born, left in run.records.tolist():
                yield {"variant": label, "class": sources[int(kind)].name, "arrival": born, "end": left,
                       "sojourn": left - born}  # fmt: skip
            continue
        for row, per_token in zip(run.records.tolist(), tpot(run).tolist(), strict=True):
            kind, arrival, first, end, prompt, output, number = row
            yield {"variant": label, "request": int(number), "class": run.engine.classes[int(kind)].name,
                   "arrival": arrival, "first_token": first, "end": end, "prompt_tokens": int(prompt),
                   "output_tokens": int(output), "ttft": first - arrival, "latency": end - arrival,
                   "tpot": None if per_token != per_token else per_token}  # fmt: skip


def write_records(path: Path, runs: Mapping[str, Run | EngineRun]) -> None:
    """The rows as CSV, or as Parquet where the path ends so."""
    table = list(rows(runs))
    put(path, as_parquet(table) if path.suffix == ".parquet" else as_csv(table, ("variant",)))


def iterations(run: EngineRun) -> np.ndarray:
    """Start, length, prefill and decode tokens of every iteration, in their order, and the decode node that it is on;
    shape (iterations, 5)."""
    assert run.epochs is not None
    start, n, first, slope, prefill, decode, groups = run.epochs.T
    node = np.log2(groups) if run.engine.nodes else np.zeros(groups.size)
    counts = n.astype(np.int64)
    if counts.sum() > MOST_ITERATIONS:
        raise InputError(f"a trace of {counts.sum():,} iterations: give a --horizon with at most {MOST_ITERATIONS:,}")
    at = np.repeat(np.arange(counts.size), counts)
    i = np.arange(at.size) - np.repeat(np.cumsum(counts) - counts, counts)
    begin = start[at] + i * first[at] + slope[at] * (0.5 * i * (i - 1))
    table = np.column_stack((begin, first[at] + slope[at] * i, prefill[at], decode[at], node[at]))
    return np.asarray(table[np.lexsort((node[at], begin))] if run.engine.nodes else table)


def chrome_trace(runs: Mapping[str, Run | EngineRun]) -> dict[str, Any]:
    """The events of the Trace Event Format, for chrome://tracing and Perfetto; microseconds.

    A process a variant, a thread a decode node: its iterations are slices, and each request is a span that holds one
    from its arrival to its first token and one from there to its end.
    """
    events: list[dict[str, Any]] = []
    for pid, (label, run) in enumerate(runs.items(), 1):
        events.append({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": label}})
        if isinstance(run, EngineRun):
            for node in range(max(1, run.engine.nodes)):
                name = f"node {node + 1}" if run.engine.nodes else "iterations"
                events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": 1 + node, "args": {"name": name}})
            for begin, length, prefill, decode, node in iterations(run).tolist():
                kind = "mixed" if prefill and decode else "prefill" if prefill else "decode"
                place = {"pid": pid, "tid": 1 + int(node), "ts": 1e6 * begin, "dur": 1e6 * length}
                events.append({"ph": "X", "name": kind, "cat": "iteration", **place,
                               "args": {"prefill": int(prefill), "decode": int(decode)}})
    for number, row in enumerate(rows(runs)):
        pid = list(runs).index(row["variant"]) + 1
        name, own = f"{row['class']} {row.get('request', number)}", {"cat": "request", "pid": pid, "id": number}
        spans = [(name, row["arrival"], row["end"])]
        if "first_token" in row:
            spans += [("to the first token", row["arrival"], row["first_token"]),
                      ("decode", row["first_token"], row["end"])]  # fmt: skip
        for what, begin, end in spans:
            events.append({"ph": "b", "name": what, "ts": 1e6 * begin, **own})
            events.append({"ph": "e", "name": what, "ts": 1e6 * end, **own})
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def write_chrome_trace(path: Path, runs: Mapping[str, Run | EngineRun]) -> None:
    """:func:`chrome_trace` as a file."""
    put(path, json.dumps(chrome_trace(runs)).encode())
