"""Runs of slotted networks of LLM engines: one replication, its counters window by window, and what it conserves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.agents import MOST_SLOTS, SlottedAgents
from qtheory.simulate.free_rows import free_rows, twice_as_many
from qtheory.simulate.kernel import agent_layout as L
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.showing import Replication
from qtheory.simulate.streams import Plan

FIRST_ROWS = 1024


@dataclass(frozen=True, repr=False)
class AgentRun(Replication):
    """One replication of w windows of ``window`` seconds; k visits, e engines and a types in the network's order.

    ``visits`` (w, k, COUNTERS), ``engines`` (w, e, 4), ``types`` (w, a, 2): the counters at the windows' ends, columns
    named in :mod:`qtheory.simulate.kernel.agent_layout`; ``slots``: how many were simulated; ``events``: batches and
    visits ended; ``left_over``: requests present at the end.
    """

    model: SlottedAgents
    seed: int
    replication: int
    window: float
    slots: int
    events: int
    left_over: int
    visits: np.ndarray
    engines: np.ndarray
    types: np.ndarray

    @property
    def windows(self) -> int:
        return int(self.visits.shape[0])

    @property
    def requests(self) -> np.ndarray:
        """Requests at each visit at the end of each window; shape (w, k)."""
        return np.asarray(self.visits[:, :, L.PRESENT])

    @property
    def tokens(self) -> np.ndarray:
        """Unprocessed tokens of the requests at each visit, prompts and outputs; shape (w, k). Throughput-optimal
        scheduling, |X(n)| of (2.9), visit by visit."""
        return np.asarray(self.visits[:, :, L.PROMPTS] + self.visits[:, :, L.OUTPUTS])

    @property
    def present(self) -> np.ndarray:
        """Requests in the network at the end of each window; one that has forked counts once; shape (w,)."""
        return np.asarray(self.types[:, :, L.BORN].sum(axis=1) - self.types[:, :, L.LEFT].sum(axis=1), dtype=float)

    @property
    def backlog(self) -> np.ndarray:
        """Work that the requests present still bring to all engines, at the end of each window; shape (w,). In seconds
        of full batches: unprocessed tokens at the visits they are at, mean lengths of the visits to come.

        Work to come counts because a cycle of growing queues moves work between visits: what stands at visits alone may
        fall for most of a cycle that grows.
        """
        network = self.model.network
        rates = {e.name: float(e.rate) for e in network.engines}
        of_type = [self.model.type_number(v.name) for v in network.visits]
        skipped = np.array([sum(n for name, n in self.model.start.items() if self._leads(v.name, name))
                            for v in network.visits])
        to_come = self.types[:, of_type, L.BORN] - self.visits[:, :, L.CAME] - skipped
        lengths = np.array([float(v.length) for v in network.visits])
        speeds = np.array([rates[v.engine] for v in network.visits])
        return np.asarray((self.tokens + to_come * lengths) @ (1.0 / speeds))

    @property
    def departed(self) -> np.ndarray:
        """Requests that left in each window; shape (w,)."""
        return np.diff(self.types[:, :, L.LEFT].sum(axis=1), prepend=0)

    @property
    def noise(self) -> float:
        """Variance, a second, of the mean work that enters for the most loaded engine: the scale of what piles up there
        at the critical load; seconds of full batches."""
        network = self.model.network
        rates = {e.name: float(e.rate) for e in network.engines}
        work = {e: np.zeros(len(network.types)) for e in rates}
        for v in network.visits:
            work[v.engine][self.model.type_number(v.name)] += float(v.length) / rates[v.engine]
        arrivals = np.array([float(t.rate) for t in network.types])
        gaps = [self.model.gaps.get(t.name) for t in network.types]
        scatter = np.array([1.0 if law is None else law.variance / law.mean**2 for law in gaps])
        most = max(work.values(), key=lambda w: float(arrivals @ w))
        return float((arrivals * scatter) @ most**2)

    def _leads(self, before: str, visit: str) -> bool:
        """Whether requests pass ``before`` on their way to ``visit``."""
        after = {v.name: v.after for v in self.model.network.visits}
        return any(before == n or self._leads(before, n) for n in after[visit])

    @property
    def level(self) -> np.ndarray:
        """Mean number of requests at visits in each window; shape (w,)."""
        area = np.diff(self.visits[:, :, L.AREA].sum(axis=1), prepend=0)
        return np.asarray(area / (self.window / float(self.model.slot_seconds)))


def _new_state(model: L.Agents, windows: int, rows: int, forks: bool) -> L.AgentState:
    e, k, levels, types = model.budget.size, model.visit_level.size, model.visit_first.size - 1, model.forks.size
    ints: dict[str, Any] = {"dtype": np.int64}
    integers = np.zeros(8, **ints)
    integers[L.FREE_ROWS] = rows
    integers[L.ARRIVING], integers[L.COMING] = 1, -1
    held, columns = rows if forks else 1, 1 + int((model.join >= 0).sum())
    return L.AgentState(
        integers=integers,
        arrival=np.full(types, -1.0),
        buffer=np.zeros((model.kind.size, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64),
        position=np.full(model.kind.size, BLOCK, **ints),
        drawn=np.zeros(model.kind.size, **ints),
        rows=free_rows(rows, L.COLUMNS, L.NEXT, dtype=np.int32),
        root=np.zeros(held, dtype=np.int32),
        joined=np.zeros((held, columns), dtype=np.int32),
        remaining=np.zeros(e, **ints),
        ending_head=np.full(e, -1, **ints),
        ending_tail=np.full(e, -1, **ints),
        queue_head=np.full(2 * levels, -1, **ints),
        queue_tail=np.full(2 * levels, -1, **ints),
        tick=np.zeros(levels, **ints),
        decoding=np.zeros(levels, **ints),
        bucket_head=np.full((levels, model.ring), -1, **ints),
        bucket_tail=np.full((levels, model.ring), -1, **ints),
        visits=np.zeros((k, L.COUNTERS), **ints),
        counted=np.zeros(k, **ints),
        engines=np.zeros((e, 4), **ints),
        types=np.zeros((types, 2), **ints),
        visit_windows=np.zeros((windows, k, L.COUNTERS), **ints),
        engine_windows=np.zeros((windows, e, 4), **ints),
        type_windows=np.zeros((windows, types, 2), **ints),
    )


def _with_more_rows(state: L.AgentState, forks: bool) -> L.AgentState:
    old = state.rows.shape[0]
    state = state._replace(rows=twice_as_many(state.rows, L.NEXT, state.integers, L.FREE, L.FREE_ROWS))
    if forks:
        state = state._replace(root=np.resize(state.root, 2 * old),
                               joined=np.concatenate((state.joined, np.zeros_like(state.joined))))
    return state


def _place(state: L.AgentState, a: int, k: int, count: int) -> None:
    """``count`` requests of type ``a`` come to visit ``k`` before the first slot, behind those that do already."""
    if count == 0:
        return
    first = int(state.integers[L.FREE])  # new rows are free in their order
    own = slice(first, first + count)
    state.integers[L.FREE], state.integers[L.FREE_ROWS] = first + count, state.integers[L.FREE_ROWS] - count
    if state.integers[L.COMING] >= 0:
        state.rows[state.integers[L.LAST], L.NEXT] = first
    else:
        state.integers[L.COMING] = first
    state.integers[L.LAST] = first + count - 1
    state.rows[own, L.VISIT] = k
    state.rows[first + count - 1, L.NEXT] = -1
    state.types[a, L.BORN] += count


def _check(model: L.Agents, state: L.AgentState) -> None:
    """Requests and tokens in the queues are those counted, requests are conserved, and no batch was smaller than it
    could have been (2.6). A failure is a bug of the simulator."""
    from qtheory.simulate.kernel.agent_slots import census

    found = np.zeros_like(state.visits)
    census(state, L.Census(found))
    held = [L.PRESENT, L.DECODING, L.PROMPTS, L.OUTPUTS]
    if (found[:, held] != state.visits[:, held]).any():
        raise AssertionError("what the queues hold is not what was counted")
    visits = state.visits
    if (visits[:, L.CAME] != visits[:, L.ENDED] + visits[:, L.PRESENT]).any():
        raise AssertionError("visits are not conserved")
    for a in np.flatnonzero(model.forks == 0):
        there = visits[model.visit_type == a, L.PRESENT].sum()
        if state.types[a, L.BORN] != state.types[a, L.LEFT] + there:
            raise AssertionError("requests are not conserved")
    for k in range(visits.shape[0]):
        for w in model.follow[model.follow_first[k] : model.follow_first[k + 1]]:
            if model.join[w] < 0 and visits[w, L.CAME] < visits[k, L.ENDED]:
                raise AssertionError("requests are lost between visits")
    if state.integers[L.IDLED]:
        raise AssertionError(f"{state.integers[L.IDLED]} batches were not full although they could have been")


def run_agents(agents: SlottedAgents, **options: Any) -> AgentRun:
    """One replication from ``agents.start``; ``options``: those of :class:`~qtheory.simulate.streams.Plan`.

    The horizon is a whole number of slots in each window; there are no histograms that a warm-up would leave out.
    Memory grows with the requests present, 24 bytes each.
    """
    from qtheory.simulate.kernel.agent_slots import advance

    plan = Plan.of(options)
    slots = round(Fraction(plan.horizon) / agents.slot_seconds)
    whole = float(slots * agents.slot_seconds) == plan.horizon  # as near as a float comes to slots of 91/2000 s
    if not whole or slots % plan.windows or slots > MOST_SLOTS:
        near = min(max(1, round(slots / plan.windows)), MOST_SLOTS // plan.windows) * plan.windows
        raise InputError(f"{plan.windows} windows of {plan.horizon:g} s in all are no whole numbers of slots of "
                         f"{agents.slot_seconds} s, at most {MOST_SLOTS:,}; a horizon of "
                         f"{float(near * agents.slot_seconds):g} s is")
    if plan.records:
        raise InputError("a slotted network keeps no records: its windows hold all that is counted")
    forks = agents.any_forks
    model = agents.arrays(plan.key, slots // plan.windows)
    rows = max(FIRST_ROWS, 2 * model.reserve, sum(agents.start.values()))
    state = _new_state(model, plan.windows, 1 << math.ceil(math.log2(rows + 1)), forks)
    number = {v.name: k for k, v in enumerate(agents.network.visits)}
    for name, count in agents.start.items():
        _place(state, agents.type_number(name), number[name], count)

    def meet(status: int) -> None:
        nonlocal state
        state = _with_more_rows(state, forks)

    def events() -> int:
        return int(state.engines[:, L.BATCHES].sum() + state.visits[:, L.ENDED].sum())

    plan.follow(lambda stop: int(advance(model, state, stop)), meet, events)
    _check(model, state)
    return AgentRun(
        model=agents, seed=plan.seed, replication=plan.replication, window=plan.window, slots=slots,
        events=events(), left_over=int(state.types[:, L.BORN].sum() - state.types[:, L.LEFT].sum()),
        visits=state.visit_windows, engines=state.engine_windows, types=state.type_windows,
    )  # fmt: skip
