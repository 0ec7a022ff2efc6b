"""What a run writes, by hand: records of requests, iterations, traces for a browser, points run until decided."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from qtheory.errors import InputError
from qtheory.simulate import results
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.laws import Discrete
from qtheory.simulate.request_records import chrome_trace, iterations, rows
from qtheory.simulate.runs import Run
from qtheory.simulate.scenarios import Point, parse_points, read, with_changes
from qtheory.simulate.statistics.quantiles import bin_edges
from qtheory.simulate.streams import Plan


@pytest.mark.parametrize(("share", "windows", "left_out"), [(0.0, 10, 0), (0.1, 10, 1), (0.1, 11, 2), (0.99, 10, 10)])
def test_the_warm_up_is_rounded_up_to_whole_windows(share: float, windows: int, left_out: int) -> None:
    assert Plan.of({"horizon": 5.0, "windows": windows, "warm_up": share}).warm == left_out


@pytest.mark.parametrize("share", [-1e-9, 1.0])
def test_a_warm_up_leaves_something(share: float) -> None:
    with pytest.raises(InputError, match=r"a fraction in \[0, 1\)"):
        Plan.of({"horizon": 5.0, "warm_up": share})


def test_a_binomial_law_counts_up_to_all_trials() -> None:
    law = Discrete.binomial(4, 0.3)
    assert law.values == (0, 1, 2, 3, 4)
    assert law.weights == pytest.approx([math.comb(4, k) * 0.3**k * 0.7 ** (4 - k) for k in range(5)])


def made(kind: type, **fields: Any) -> Any:
    """A run with these fields alone."""
    run = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(run, name, value)
    return run


@pytest.fixture
def run() -> EngineRun:
    """A prefill of 7 tokens from 10 to 12 s, and decodes of 2, 2.5 and 3 s; one request that came at 9, number 5."""
    engine = SimpleNamespace(nodes=0, late_first=0, classes=(SimpleNamespace(name="r"),))
    epochs = np.array([[10.0, 1, 2.0, 0.0, 7, 0, 1], [12.0, 3, 2.0, 0.5, 0, 1, 1]])
    return made(EngineRun, engine=engine, epochs=epochs, records=np.array([[0, 9.0, 12.0, 19.5, 7, 3, 5]]))


def test_each_column_of_a_requests_record(run: EngineRun) -> None:
    row, = rows({"v": run})
    assert row == {"variant": "v", "request": 5, "class": "r", "arrival": 9.0, "first_token": 12.0, "end": 19.5,
                   "prompt_tokens": 7, "output_tokens": 3, "ttft": 3.0, "latency": 10.5, "tpot": pytest.approx(2.5)}


def test_iterations_that_grow_begin_where_the_one_before_ends(run: EngineRun) -> None:
    """Start, length, prefill and decode tokens, node."""
    assert iterations(run).tolist() == [[10.0, 2.0, 7, 0, 0], [12.0, 2.0, 0, 1, 0], [14.0, 2.5, 0, 1, 0],
                                        [16.5, 3.0, 0, 1, 0]]


def test_a_trace_is_in_microseconds(run: EngineRun) -> None:
    events = chrome_trace({"v": run})["traceEvents"]
    assert [(e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"] == [
        ("prefill", 10e6, 2e6), ("decode", 12e6, 2e6), ("decode", 14e6, 2.5e6), ("decode", 16.5e6, 3e6)]
    assert [(e["name"], e["ph"], e["ts"]) for e in events if e["ph"] in "be"] == [
        ("r 5", "b", 9e6), ("r 5", "e", 19.5e6), ("to the first token", "b", 9e6), ("to the first token", "e", 12e6),
        ("decode", "b", 12e6), ("decode", "e", 19.5e6)]


def test_distributions_have_bands_at_the_scenarios_confidence(tmp_path: Path) -> None:
    edges, shares = bin_edges(), (0.25, 0.5, 0.6)
    runs = []
    for share in shares:
        counts = np.zeros((1, edges.size - 1), dtype=int)
        counts[0, [600, 700]] = round(20 * share), round(20 * (1 - share))
        runs.append(made(Run, network=SimpleNamespace(sources=[SimpleNamespace(name="job")]), histogram=counts))
    results.write_distributions(tmp_path, SimpleNamespace(confidence=0.8), {"v": runs})  # type: ignore[arg-type, dict-item]
    with (tmp_path / "distributions.csv").open() as file:
        first, last = csv.DictReader(file)
    low, high = stats.t.interval(0.8, 2, np.mean(shares), stats.sem(shares))
    assert (first["variant"], first["measure"]) == ("v", "sojourn time of job")
    assert [float(first[k]) for k in ("seconds", "fraction_at_most", "low", "high")] == pytest.approx(
        [edges[601], np.mean(shares), low, high])
    assert [float(last[k]) for k in ("fraction_at_most", "low", "high")] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("limit", "horizons"), [(399.9, [100.0, 200.0]), (400.0, [100.0, 200.0, 400.0]),
                                                 (0.0, [100.0])])
def test_a_point_is_run_again_up_to_the_limit(limit: float, horizons: list[float],
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its stability stays undecided the horizon doubles as often as it stays within the limit."""
    def document(point: Point, *given: object) -> dict[str, Any]:
        seen.append(point.scenario.horizon)
        return {"variants": [{"stability": None}, {"stability": {"verdict": "undecided"}}]}

    seen: list[float] = []
    monkeypatch.setattr(results, "run_scenarios", lambda asked, **options: [(i, {}) for i in range(len(asked))])
    monkeypatch.setattr(results, "document", document)
    monkeypatch.setattr(results, "summarise", lambda *given: None)
    monkeypatch.setattr(results, "judge_all", lambda *given: None)
    point, *_ = parse_points(*read("policy-wait"))
    results.run_points([Point({}, with_changes(point.scenario, horizon=100.0))], until_decided=limit)
    assert seen == horizons
