"""Running a scenario: replications of every variant on the same random numbers, and what is reported of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate import measures
from qtheory.simulate.agent_runs import AgentRun
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.bootstrap import Bootstrapped, is_random
from qtheory.simulate.checks import require_model
from qtheory.simulate.counts import CountsChain, CountsRun
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.fingerprint import simulator_digest
from qtheory.simulate.keeping import Place
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.measures import Measure
from qtheory.simulate.networks import Network
from qtheory.simulate.routing import RoutedFleet, RoutedRun
from qtheory.simulate.routing.measures import HISTOGRAMS as FLEET_HISTOGRAMS
from qtheory.simulate.routing.measures import of_fleet
from qtheory.simulate.runs import Run, run_some
from qtheory.simulate.scenarios import PERCENTILES, Expectation, Scenario
from qtheory.simulate.showing import Results
from qtheory.simulate.statistics import Interval, histogram_quantile, paired_difference, student
from qtheory.simulate.statistics.intervals import alone
from qtheory.simulate.statistics.stability import Stability, stability
from qtheory.simulate.statistics.steady import WARM_UP, after_warm_up, warm_up_windows
from qtheory.simulate.workers import as_finished

ONE_RUN, REPLICATIONS = "nothing in it is random, so that there is one run", "independent replications"
Runs = Sequence[Run] | Sequence[EngineRun] | Sequence[CountsRun] | Sequence[AgentRun] | Sequence[RoutedRun]
ENGINE_HISTOGRAMS = {"TTFT": E.TTFT, "time between tokens": E.TBT, "latency": E.LATENCY,
                     "TPOT": E.TPOT}
TOGETHER = 50_000  # events, as the models' ``event_rate`` counts them: shorter replications share a task
_STEADY = ("TTFT", "latency", "KV tokens")  # what has no steady state in an engine that is not stable


def events_of(run: Any) -> int:
    """Events of a run: arrivals and departures of a network, moves of a chain, iterations of an engine."""
    return int(run.iterations if isinstance(run, EngineRun) else run.events)


def run_scenario(scenario: Scenario, **options: Any) -> dict[str, Runs]:
    """Replications of each variant, on the same random numbers, shown by their means; ``options``: those of
    :func:`run_scenarios`."""
    require_model(scenario, Scenario, call="run_scenario")
    ((_, results),) = run_scenarios([(scenario, None)], **options)
    return Results(scenario, results)


def run_scenarios(
    wanted: Sequence[tuple[Scenario, Place | None]],
    *,
    executor: Executor | None = None,
    done: Callable[[int], None] | None = None,
    within: Callable[[float, int], None] | None = None,
) -> Iterator[tuple[int, dict[str, Runs]]]:
    """The number of each scenario, and the replications of its variants, as scenarios are finished.

    An executor works on replications of several scenarios at a time; short ones of a variant are one task. A
    replication that a scenario's place has kept is taken from it, and one that was a task of its own is kept there as
    soon as it is finished. ``done(events)`` is called after each replication, ``within(fraction, events)`` during one,
    where there is no executor.
    """
    if executor is not None:
        _compile(scenario for scenario, _ in wanted)
    digest, counted = simulator_digest(), itertools.count()
    handed: dict[int, tuple[int, _UnderWay, list[int]]] = {}  # by task: its scenario and its replications

    def tasks() -> Iterator[tuple[str, list[Job]]]:
        for number, (scenario, place) in enumerate(wanted):
            point = _UnderWay(scenario, place, None if executor else within)
            for run in point.runs:
                if done and run is not None:
                    done(events_of(run))
            for task in point.tasks:
                handed[next(counted)] = number, point, task
                yield digest, [point.jobs[i] for i in task]

    for count, runs in as_finished(run_some, tasks(), executor):
        number, point, task = handed.pop(count)
        for i, run in zip(task, runs, strict=True):
            point.take(i, run, alone=len(task) == 1)
            if done:
                done(events_of(run))
        point.tasks_left -= 1
        if not point.tasks_left:
            yield number, point.results()


def _compile(scenarios: Iterable[Scenario]) -> None:
    """Have the loop of each kind of model and each policy compiled here, before the workers all ask for them."""
    models = [(model, s) for s in scenarios for model in s.variants.values()]
    first = {(type(model), getattr(model, "policy", "")): (model, s) for model, s in models}
    for model, scenario in first.values():
        model.run(horizon=float(model.slot_seconds) if isinstance(model, SlottedAgents) else 1e-6 * scenario.horizon,
                  windows=1)


Job = tuple[Any, dict[str, Any]]  # a model, and the options of its run


class _UnderWay:
    """A scenario, the ``runs`` of it that are there (None: still to come), and the ``tasks`` that make the others.

    Replications of a variant that are short are one task: to hand each out would take longer than to run it. One task
    without any stands for a scenario whose runs had all been kept.
    """

    def __init__(self, scenario: Scenario, place: Place | None, progress: Callable[[float, int], None] | None) -> None:
        self.place, self.labels = place, list(scenario.variants)
        self.keys: list[tuple[int, int]] = []  # variant and replication
        self.jobs: list[Job] = []
        self.runs: list[Any] = []
        self.tasks: list[list[int]] = []
        options: dict[str, Any] = {"horizon": scenario.horizon, "windows": int(scenario.windows),
                                   "seed": int(scenario.seed), "warm_up": WARM_UP}
        if progress is not None:
            options["progress"] = progress
        for variant, model in enumerate(scenario.variants.values()):
            chance = bool(scenario.bootstrap) or is_random(model)  # else each replication would be the same run
            drawn: Any = Bootstrapped(model, scenario.bootstrap) if scenario.bootstrap else model  # type: ignore[arg-type]
            first = len(self.keys)
            for r in range(int(scenario.replications) if chance else 1):
                self.keys.append((variant, r))
                self.jobs.append((drawn, {**options, "replication": r}))
                self.runs.append(None if place is None else place.run(variant, r, model))
            missing = [i for i in range(first, len(self.keys)) if self.runs[i] is None]
            size = max(1, int(TOGETHER / max(1.0, scenario.horizon * model.event_rate[0])))
            self.tasks += [missing[i : i + size] for i in range(0, len(missing), size)]
        self.tasks = self.tasks or [[]]
        self.tasks_left = len(self.tasks)

    def take(self, i: int, run: Any, alone: bool) -> None:
        """Replication ``i`` is there; it is kept where it was ``alone`` in its task."""
        self.runs[i] = run
        if self.place is not None and alone:
            self.place.keep_run(self.keys[i][0], run)

    def results(self) -> dict[str, Runs]:
        """The replications by variant."""
        found: dict[str, Any] = {label: [] for label in self.labels}
        for (variant, _), run in zip(self.keys, self.runs, strict=True):
            found[self.labels[variant]].append(run)
        return found


def _quantile(counts: Sequence[np.ndarray], q: float, confidence: float) -> Interval | None:
    if not all(c.sum() for c in counts):
        return None
    if len(counts) == 1:
        return alone(histogram_quantile(counts[0], q), confidence)
    return student([histogram_quantile(c, q) for c in counts], confidence)


def _mean(runs: Runs, measure: Measure, confidence: float) -> Interval | None:
    try:
        if len(runs) == 1:
            value = measure.value(runs[0], warm_up_windows(runs))
            return None if math.isnan(value) else alone(value, confidence)
        return after_warm_up(runs, measure, confidence)
    except InputError:
        return None  # nothing was counted, say no request ever ended


def summarise_engine(
    model: LLMEngine, runs: Sequence[EngineRun], confidence: float, percentiles: Sequence[float] = PERCENTILES
) -> dict[str, Any]:
    """Intervals of an engine's measures; of one that is not stable only rates, its growth in place of the rest."""
    opened = not model.saturated and model.concurrency is None
    verdict = stability(runs) if opened and len(runs) > 1 else None
    intervals = {name: _mean(runs, m, confidence) for name, m in measures.ENGINE.items()}
    kinds = [(k, c.name) for k, c in enumerate(model.classes)] if len(model.classes) > 1 else []
    for k, kind in kinds:
        intervals |= {name: _mean(runs, m, confidence) for name, m in measures.of_request_class(k, kind).items()}
    for name, row in ENGINE_HISTOGRAMS.items():
        for p in percentiles:
            q = p / 100
            intervals[f"{name}, {p:g}% quantile, s"] = _quantile([r.histogram[row] for r in runs], q, confidence)
            for k, kind in kinds:
                counts = [r.class_histogram[k, row] for r in runs]
                intervals[f"{name} of {kind}, {p:g}% quantile, s"] = _quantile(counts, q, confidence)
    if verdict is not None and verdict.verdict != "stable":
        intervals = {k: v for k, v in intervals.items() if not any(s in k for s in _STEADY)}
    return {"stability": verdict, "measures": intervals, "warm_up": warm_up_windows(runs)}


def summarise_network(
    network: Network, runs: Sequence[Run], confidence: float, percentiles: Sequence[float] = PERCENTILES
) -> dict[str, Any]:
    """Intervals of a network's steady state; empty where it is not stable."""
    verdict = stability(runs) if len(runs) > 1 else None
    if verdict is not None and verdict.verdict != "stable":
        return {"stability": verdict, "measures": {}, "warm_up": None}
    wanted = [measures.number()]
    wanted += [m(c.name) for c in network.sources for m in (measures.sojourn, measures.throughput)]
    wanted += [measures.wait(c.name) for c in network.classes]
    wanted += [measures.utilisation(s.name) for s in network.stations]
    if any(s.capacity is not None for s in network.stations):
        wanted += [measures.lost(c.name) for c in network.sources]
    ever = np.sum([r.stations[:, :, L.BLOCKED].sum(axis=0) for r in runs], axis=0) > 0
    wanted += [measures.blocked(s.name) for s, b in zip(network.stations, ever, strict=True) if b]
    named = {m.name + (f", {m.unit}" if m.unit != "1" else ""): m for m in wanted}
    intervals = {name: _mean(runs, m, confidence) for name, m in named.items()}
    for i, c in enumerate(network.sources):
        for p in percentiles:
            quantile = _quantile([r.histogram[i] for r in runs], p / 100, confidence)
            intervals[f"{p:g}% quantile of the sojourn time of {c.name}, s"] = quantile
    return {"stability": verdict, "measures": intervals, "warm_up": warm_up_windows(runs)}


def summarise_chain(chain: CountsChain, runs: Sequence[CountsRun], confidence: float) -> dict[str, Any]:
    """Intervals of a chain's steady state; empty where it is not stable."""
    verdict = stability(runs)
    if verdict.verdict != "stable":
        return {"stability": verdict, "measures": {}, "warm_up": None}
    wanted = [measures.count(n) for n in chain.names] + [measures.move(m.name) for m in chain.moves]
    intervals = {m.name: _mean(runs, m, confidence) for m in wanted}
    return {"stability": verdict, "measures": intervals, "warm_up": warm_up_windows(runs)}


def summarise_agents(agents: SlottedAgents, runs: Sequence[AgentRun], confidence: float) -> dict[str, Any]:
    """Intervals of what slotted agents do a second; of stable ones what is there and how long it stays, too."""
    verdict = stability(runs)
    names = agents.network
    wanted = [measures.agent_requests(t.name) for t in names.types]
    wanted += [measures.agent_tokens(e.name) for e in names.engines]
    if verdict.verdict == "stable":
        wanted += [measures.agents_at(v.name) for v in names.visits]
        wanted += [measures.agent_sojourn(t.name) for a, t in enumerate(names.types) if not agents.forks(a)]
    intervals = {m.name + (f", {m.unit}" if m.unit != "1" else ""): _mean(runs, m, confidence) for m in wanted}
    return {"stability": verdict, "measures": intervals, "warm_up": warm_up_windows(runs)}


def summarise_fleet(
    fleet: RoutedFleet, runs: Sequence[RoutedRun], confidence: float, percentiles: Sequence[float] = PERCENTILES
) -> dict[str, Any]:
    """Intervals of a fleet's measures; of one that is not stable only rates."""
    verdict = stability(runs) if len(runs) > 1 else None
    intervals = {name: _mean(runs, m, confidence) for name, m in of_fleet(fleet).items()}
    for name, row in FLEET_HISTOGRAMS.items():
        for p in percentiles:
            counts = [r.histogram[:, row].sum(axis=0) for r in runs]
            intervals[f"{name}, {p:g}% quantile, s"] = _quantile(counts, p / 100, confidence)
    if verdict is not None and verdict.verdict != "stable":
        intervals = {k: v for k, v in intervals.items() if not any(s in k for s in (*_STEADY, "number"))}
    return {"stability": verdict, "measures": intervals, "warm_up": warm_up_windows(runs)}


def summarise(scenario: Scenario, results: dict[str, Runs]) -> dict[str, dict[str, Any]]:
    """For each variant: its ``stability`` (or None), the intervals of its ``measures`` (None: nothing was counted) and
    the windows of its ``warm_up``."""
    summary = {}
    how = scenario.confidence, scenario.percentiles
    for label, runs in results.items():
        model = scenario.variants[label]
        if isinstance(model, Network):
            summary[label] = summarise_network(model, runs, *how)  # type: ignore[arg-type]
        elif isinstance(model, SlottedAgents):
            summary[label] = summarise_agents(model, runs, scenario.confidence)  # type: ignore[arg-type]
        elif isinstance(model, RoutedFleet):
            summary[label] = summarise_fleet(model, runs, *how)  # type: ignore[arg-type]
        elif isinstance(model, CountsChain):
            summary[label] = summarise_chain(model, runs, scenario.confidence)  # type: ignore[arg-type]
        else:
            summary[label] = summarise_engine(model, runs, *how)  # type: ignore[arg-type]
    return summary


@dataclass(frozen=True)
class Judgement:
    """Whether what a paper ``says`` is seen: "seen", "not seen" or "undecided", and the numbers that say so."""

    says: str
    verdict: str
    numbers: str


def _measure_values(runs: Runs, name: str) -> list[float]:
    """The measure of each replication, after the warm-up."""
    first = warm_up_windows(runs)
    return [measures.of_engine(r.engine)[name].value(r, first) for r in runs if isinstance(r, EngineRun)]


def judge(expectation: Expectation, scenario: Scenario, results: dict[str, Runs]) -> Judgement:
    """A stability verdict at its error rate, or a paired difference on common random numbers."""
    e = expectation
    if min(len(results[v]) for v in (e.variant, *filter(None, [e.than]))) == 1:
        return Judgement(e.says, "undecided", f"{ONE_RUN}: no test")
    if e.stability:
        verdict: Stability = stability(results[e.variant])
        seen = {e.stability: "seen", "undecided": "undecided"}.get(verdict.verdict, "not seen")
        return Judgement(e.says, seen, f"{e.variant} is {verdict}")
    a, b = (_measure_values(results[v], e.measure) for v in (e.variant, e.than))
    if not np.isfinite([*a, *b]).all():
        return Judgement(e.says, "undecided", f"{e.measure}: nothing was counted in some replication")
    difference = paired_difference(a, b, scenario.confidence)
    seen = "seen" if difference.low > 0 else "not seen" if difference.high < 0 else "undecided"
    return Judgement(
        e.says, seen, f"{e.measure}: {np.mean(a):.5g} of {e.variant} against {np.mean(b):.5g} of {e.than}, "
        f"difference {difference}",
    )  # fmt: skip


def judge_all(scenario: Scenario, results: dict[str, Runs]) -> list[Judgement]:
    """What the scenario expects, judged in order."""
    return [judge(e, scenario, results) for e in scenario.expectations]
