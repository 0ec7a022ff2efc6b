"""Running a network: one replication, or many over any executor; results are the kernel's totals, window by window."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.checks import kind, require_model
from qtheory.simulate.fingerprint import simulator_digest
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.events import empty_tree
from qtheory.simulate.kernel.histogram import BINS
from qtheory.simulate.kernel.layout import Model, State
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.law import Law
from qtheory.simulate.networks import Network
from qtheory.simulate.showing import Replication
from qtheory.simulate.streams import Plan
from qtheory.simulate.workers import in_order


@dataclass(frozen=True, repr=False)
class Run(Replication):
    """One replication. w windows of ``window`` seconds each, k classes, a types, m stations.

    ``classes`` (w, k, CLASS_SUMS), ``types`` (w, a, TYPE_SUMS), ``stations`` (w, m, STATION_SUMS): sums within
    each window, columns named in :mod:`qtheory.simulate.kernel.layout`; ``histogram`` (a, BINS): sojourn times of
    jobs that left after the first ``warm_up`` windows; ``cycles`` (9,): regeneration sums; ``records`` (n, 3) or
    None: type, born and left of each job, in order of leaving; ``left_over``: jobs still present at the end.
    """

    network: Network
    seed: int
    replication: int
    window: float
    warm_up: int
    events: int
    left_over: int
    classes: np.ndarray
    types: np.ndarray
    stations: np.ndarray
    histogram: np.ndarray
    cycles: np.ndarray
    records: np.ndarray | None

    @property
    def windows(self) -> int:
        return int(self.types.shape[0])

    @property
    def backlog(self) -> np.ndarray:
        """Work that the jobs present still bring, at the end of each window, in seconds of service; shape (windows,).

        What is left at the stations where they are, and the mean of what is to come at others: a cycle of growing
        queues moves work between stations, and what stands at them alone may fall for most of a cycle that grows.
        """
        moved = self.classes[:, :, L.ARRIVALS] - self.classes[:, :, L.COMPLETIONS] - self.classes[:, :, L.ABANDONED]
        to_come = np.cumsum(moved, axis=0) @ self.network.work_to_come
        return np.asarray(self.stations[:, :, L.UNFINISHED].sum(axis=1) + to_come)

    @property
    def present(self) -> np.ndarray:
        """Jobs present at the end of each window; shape (windows,)."""
        return np.asarray(self.stations[:, :, L.PRESENT].sum(axis=1))

    @property
    def arrivals(self) -> tuple[Law, ...]:
        """The laws by which jobs arrive from outside."""
        return tuple(c.arrivals for c in self.network.sources if c.arrivals is not None)

    @property
    def departed(self) -> np.ndarray:
        """Jobs that left in each window, served or not; shape (windows,)."""
        return np.asarray(self.types[:, :, [L.LEFT_JOBS, L.LOST_JOBS]].sum(axis=(1, 2)))

    @property
    def noise(self) -> float:
        return self.network.noise

    @property
    def level(self) -> np.ndarray:
        """The mean number of jobs present in each window; shape (windows,)."""
        return np.asarray(self.classes[:, :, L.AREA].sum(axis=1) / self.window)


def _new_state(model: Model, windows: int, records: bool) -> State:
    m, a = model.stations.shape[0], model.source_class.size
    k = int((model.classes[:, L.STATION] >= 0).sum())
    servers, sources, room = model.server_station.size, model.kind.size, 1024
    when, who = empty_tree(servers + a + 2)
    integers = np.zeros(10, dtype=np.int64)
    integers[L.FREE_JOBS] = room
    job_i = np.zeros((room, L.JOB_INTEGERS), dtype=np.int64)
    job_i[:, L.NEXT] = np.append(np.arange(1, room), -1)
    queues = int(model.stations[-1, L.END_QUEUE]) + m  # a line of blocked servers before each station
    station_i = np.zeros((m, L.STATION_COUNTS), dtype=np.int64)
    station_i[:, L.IDLE] = model.stations[:, L.END_SERVER] - model.stations[:, L.FIRST_SERVER]
    ints: dict[str, Any] = {"dtype": np.int64}
    return State(
        integers=integers,
        floats=np.zeros(3),
        when=when,
        who=who,
        buffer=np.zeros((sources, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64),
        position=np.full(sources, BLOCK, **ints),
        drawn=np.zeros(sources, **ints),
        job_i=job_i,
        job_t=np.zeros((room, L.JOB_TIMES)),
        heap=np.zeros(room, **ints),
        heap_place=np.full(room, -1, **ints),
        server_job=np.full(servers, -1, **ints),
        idle=np.arange(servers),
        queue_head=np.full(queues, -1, **ints),
        queue_tail=np.full(queues, -1, **ints),
        lines=np.zeros((servers, L.LINE_COLUMNS), **ints),
        turn=np.zeros(model.classes.shape[0], **ints),
        station_i=station_i,
        station_t=np.zeros((m, L.STATION_WORK)),
        class_sums=np.zeros((k, L.CLASS_ROW)),
        type_sums=np.zeros((a, L.TYPE_SUMS)),
        class_windows=np.zeros((windows, k, L.CLASS_SUMS)),
        type_windows=np.zeros((windows, a, L.TYPE_SUMS)),
        station_windows=np.zeros((windows, m, L.STATION_SUMS)),
        histogram=np.zeros((a, BINS), **ints),
        cycle_sums=np.zeros(9),
        records=np.zeros((4096 if records else 0, 3)),
    )


def _with_more_jobs(state: State) -> State:
    old = state.job_i.shape[0]
    job_i = np.zeros((2 * old, L.JOB_INTEGERS), dtype=np.int64)
    job_i[:old] = state.job_i
    job_i[old:, L.NEXT] = np.append(np.arange(old + 1, 2 * old), state.integers[L.FREE])
    state.integers[L.FREE] = old
    state.integers[L.FREE_JOBS] += old
    return state._replace(
        job_i=job_i,
        job_t=np.concatenate((state.job_t, np.zeros((old, L.JOB_TIMES)))),
        heap=np.concatenate((state.heap, np.zeros(old, dtype=np.int64))),
        heap_place=np.concatenate((state.heap_place, np.full(old, -1))),
    )


def _check_conservation(model: Model, state: State) -> None:
    """Work that entered = work done + work in the jobs present; jobs likewise. A failure is a bug of the simulator."""
    half = state.when.size // 2
    left = np.zeros(model.stations.shape[0])
    for server, station in enumerate(model.server_station):
        if state.server_job[server] >= 0 and state.when[half + server] < np.inf:  # else it is blocked, its work done
            left[station] += state.when[half + server] - state.floats[L.NOW]
    for station in range(left.size):
        for q in range(model.stations[station, L.FIRST_QUEUE], model.stations[station, L.END_QUEUE]):
            j = state.queue_head[q]
            while j >= 0:
                left[station] += state.job_t[j, L.WORK]
                j = state.job_i[j, L.NEXT]
    entered = state.station_t[:, L.WORK_IN]
    gap = np.abs(entered - state.station_t[:, L.WORK_DONE] - left)
    if (gap > 1e-9 * (1.0 + entered)).any():
        raise AssertionError(f"work is not conserved: {gap.max()} seconds are missing")
    if state.class_sums[:, L.JOBS].sum() != state.integers[L.IN_SYSTEM]:
        raise AssertionError("jobs are not conserved")


def run(network: Network, **options: Any) -> Run:
    """One replication from the empty network; ``options``: those of :class:`~qtheory.simulate.streams.Plan`.

    Memory does not grow with the horizon unless ``records`` are wanted.
    """
    from qtheory.simulate.kernel.network import advance

    require_model(network, Network, call="run")
    plan = Plan.of(options)
    plan.check_events(*network.event_rate)
    model = network.arrays(plan.key, plan.window)
    state = _new_state(model, plan.windows, plan.records)
    chunks: list[np.ndarray] = []

    def meet(status: int) -> None:
        nonlocal state
        if status == L.JOBS_FULL:
            state = _with_more_jobs(state)
            return
        chunks.append(state.records[: state.integers[L.RECORDED]].copy())
        state.integers[L.RECORDED] = 0
        batch = int(model.stations[:, L.BATCH].max())
        if batch > state.records.shape[0]:
            state = state._replace(records=np.zeros((2 * batch, 3)))

    plan.follow(lambda stop: advance(model, state, stop, plan.warm), meet, lambda: int(state.integers[L.EVENTS]))
    _check_conservation(model, state)
    chunks.append(state.records[: state.integers[L.RECORDED]])
    return Run(
        network=network,
        seed=plan.seed,
        replication=plan.replication,
        window=model.window,
        warm_up=plan.warm,
        events=int(state.integers[L.EVENTS]),
        left_over=int(state.integers[L.IN_SYSTEM]),
        classes=state.class_windows,
        types=state.type_windows,
        stations=state.station_windows,
        histogram=state.histogram,
        cycles=state.cycle_sums,
        records=np.concatenate(chunks) if plan.records else None,
    )


class Simulated(Protocol):
    """What every model offers: a run of one replication."""

    def run(self, **options: Any) -> Any: ...


def run_one(arguments: tuple[Simulated, dict[str, Any]]) -> Any:
    """One replication of a model with these options: a Run, an EngineRun, a CountsRun or an AgentRun."""
    model, options = arguments
    return model.run(**options)


def run_some(task: tuple[str, Sequence[tuple[Simulated, dict[str, Any]]]]) -> list[Any]:
    """:func:`run_one` of each, where the caller's simulator is ours; ``task``: the caller's digest of it, and these.

    Raises InputError in a worker whose simulator is another one, whose runs might differ.
    """
    digest, jobs = task
    if digest != simulator_digest():
        raise InputError("a worker's simulator is not the caller's: install the same version of qtheory on both")
    return [run_one(job) for job in jobs]


def replicate(
    model: Simulated, *, replications: int | Sequence[int], executor: Executor | None = None, **options: Any
) -> list[Any]:
    """Independent replications (0, 1, ... or those listed) of the model's run, in order, whatever the executor."""
    if not callable(getattr(model, "run", None)):
        raise InputError(f"replicate takes a model, such as a Network or an LLMEngine, not {kind(model)}")
    numbers = range(replications) if isinstance(replications, int) else replications
    if len(numbers) < 1:
        raise InputError("at least one replication is needed")
    tasks = [(model, {**options, "replication": r}) for r in numbers]
    return list(in_order(run_one, tasks, executor))
