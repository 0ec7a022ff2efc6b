"""One replication of an LLM engine: the kernel's arrays set up, run and read off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.checks import require_model
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_drafts import accept_drafts
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.histogram import BINS
from qtheory.simulate.kernel.jit import address
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.law import Law
from qtheory.simulate.showing import Replication
from qtheory.simulate.streams import Plan


@dataclass(frozen=True, repr=False)
class EngineRun(Replication):
    """One replication, k classes. ``sums`` (windows, WINDOW_SUMS) and ``class_sums`` (windows, k, CLASS_SUMS): columns
    named in :mod:`qtheory.simulate.kernel.engine_layout`; ``class_histogram`` (k, 4, BINS): TTFT, times between
    tokens, latency, time per output token in s; ``longest``: seconds of the longest iteration; ``batch_histogram``
    (2, 4097): prefill and decode tokens of iterations; ``records`` (n, 7), ``epochs`` (m, 7) and ``stints`` (., 4), or
    None: see EngineState.
    """

    engine: LLMEngine
    seed: int
    replication: int
    window: float
    iterations: int
    seconds: float
    longest: float
    sums: np.ndarray
    class_sums: np.ndarray
    class_histogram: np.ndarray
    batch_histogram: np.ndarray
    records: np.ndarray | None
    epochs: np.ndarray | None
    stints: np.ndarray | None

    @property
    def histogram(self) -> np.ndarray:
        """Of all classes, shape (4, BINS)."""
        return np.asarray(self.class_histogram.sum(axis=0))

    @property
    def arrivals(self) -> tuple[Law, ...]:
        """The laws by which requests arrive; none in a saturated or closed engine."""
        return tuple(c.arrivals for c in self.engine.classes if c.arrivals is not None)

    def total(self, column: int, first: int = 0) -> float:
        """Sum of a column over the windows from ``first`` on."""
        return float(self.sums[first:, column].sum())

    @property
    def windows(self) -> int:
        return int(self.sums.shape[0])

    @property
    def present(self) -> np.ndarray:
        """Requests present at the end of each window; shape (windows,)."""
        return np.asarray(self.sums[:, E.PRESENT_AT_END])

    backlog = level = present

    @property
    def departed(self) -> np.ndarray:
        """Requests completed in each window; shape (windows,)."""
        return np.asarray(self.sums[:, E.REQUESTS_OUT])

    @property
    def noise(self) -> float:
        return self.engine.noise

    @property
    def requests(self) -> int:
        """Requests completed."""
        return int(self.total(E.REQUESTS_OUT))

    @property
    def throughput(self) -> float:
        """Requests completed a second."""
        return self.requests / self.seconds

    @property
    def busy(self) -> float:
        """Fraction of the time that the engine iterates."""
        return self.total(E.BUSY_TIME) / self.seconds


def _state(engine: Engine, windows: int, records: bool, observed: int = 0) -> EngineState:
    k, g, v = engine.class_group.size, engine.groups, engine.kind.size
    room = max(8192, 2 * engine.concurrency * k, 4 * engine.spare)
    ints: dict[str, Any] = {"dtype": np.int64}
    integers, view = np.zeros(E.INTEGERS, **ints), np.zeros(E.VIEW, **ints)
    integers[E.FREE_REQUESTS], integers[E.WINDOW_LAST] = room, -1
    view[E.CAPACITY], view[E.SLOTS] = engine.capacity, engine.slots
    request_i = np.zeros((room, E.REQUEST_COLUMNS), **ints)
    request_i[:, E.NEXT] = np.append(np.arange(1, room), -1)
    kept = 4 * engine.spare + 8192 if records else 0
    return EngineState(
        integers=integers,
        floats=np.zeros(E.FLOATS),
        seen=view,
        decision=np.zeros(E.DECISION, **ints),
        take=np.zeros(g, **ints),
        prompts=np.zeros(g, **ints),
        memory=np.zeros(16, **ints),
        memory_reals=np.zeros(16),
        observed=np.zeros((2, observed), **ints),
        next_arrival=np.full(k, np.inf),
        buffer=np.zeros((v, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64),
        position=np.full(v, BLOCK, **ints),
        drawn=np.zeros(v, **ints),
        request_i=request_i,
        request_t=np.zeros((room, 4)),
        heap=np.zeros((g, room), **ints),
        heap_place=np.full(room, -1, **ints),
        heap_size=np.zeros(g, **ints),
        queue_head=np.full(2 * g, -1, **ints),
        queue_tail=np.full(2 * g, -1, **ints),
        waiting=np.zeros(g, **ints),
        decoding=np.zeros(g, **ints),
        active=np.zeros(g, **ints),
        last_active=np.full(g, -1, **ints),
        counter=np.zeros(g, **ints),
        group_last=np.zeros(g),
        context=np.zeros(g, **ints),
        held=np.zeros(g, **ints),
        phase=np.zeros((g, engine.block), **ints),
        paused=np.zeros((g, engine.block), **ints),
        order_heap=np.zeros((max(2, 1 + engine.nodes), room), **ints),
        order_size=np.zeros(max(2, 1 + engine.nodes), **ints),
        sorted_size=np.zeros(g, **ints),
        sorted_last=np.full(g, -1, **ints),
        pool_free=np.zeros(engine.pool),
        span=np.full((engine.nodes, 4), np.inf),
        span_i=np.zeros((engine.nodes, 2), **ints),
        cursor=np.zeros(g, **ints),
        list_a=np.zeros(room, **ints),
        list_b=np.zeros(room, **ints),
        active_class=np.zeros((g, k), **ints),
        late=np.zeros((g, k), **ints),
        sums=np.zeros(E.WINDOW_SUMS),
        windows=np.zeros((windows, E.WINDOW_SUMS)),
        class_sums=np.zeros((k, E.CLASS_SUMS)),
        class_windows=np.zeros((windows, k, E.CLASS_SUMS)),
        histogram=np.zeros((k, E.HISTOGRAMS, BINS), **ints),
        batch_histogram=np.zeros((2, 4097), **ints),
        records=np.zeros((kept, 7)),
        epochs=np.zeros((kept, 7)),
        stints=np.zeros((kept, 4)),
    )


def _grown(s: EngineState) -> EngineState:
    old = s.request_i.shape[0]
    request_i = np.zeros((2 * old, E.REQUEST_COLUMNS), dtype=np.int64)
    request_i[:old] = s.request_i
    request_i[old:, E.NEXT] = np.append(np.arange(old + 1, 2 * old), s.integers[E.FREE])
    s.integers[E.FREE] = old
    s.integers[E.FREE_REQUESTS] += old
    zeros = np.zeros(old, dtype=np.int64)
    return s._replace(
        request_i=request_i,
        request_t=np.concatenate((s.request_t, np.zeros((old, 4)))),
        heap=np.concatenate((s.heap, np.zeros_like(s.heap)), axis=1),
        heap_place=np.concatenate((s.heap_place, zeros - 1)),
        order_heap=np.concatenate((s.order_heap, np.zeros_like(s.order_heap)), axis=1),
        list_a=np.zeros(2 * old, dtype=np.int64),
        list_b=np.zeros(2 * old, dtype=np.int64),
    )


def _explain(engine: LLMEngine, status: int, s: EngineState) -> InputError:
    view = f"at {s.floats[E.NOW]:.6g} s with {s.seen[E.DECODING]} requests decoding and {s.waiting.sum()} waiting"
    request = s.request_i[s.integers[E.FAULT]]
    which = f"policy {engine.policy!r} {view}: class {engine.classes[request[E.CLASS]].name!r}"
    if status == E.OVER_CAPACITY:
        blocks = f" in blocks of {engine.block}" if engine.block > 1 else ""
        return InputError(
            f"{which}: a request of {request[E.CONTEXT] or request[E.PROMPT_ALL]} tokens and the next one do "
            f"not fit into the KV cache of {engine.capacity} tokens{blocks} even alone"
        )
    if status == E.TOO_LONG:
        return InputError(
            f"{which}: a prompt of {request[E.PROMPT]} tokens exceeds the budget, and this policy does not cut prompts"
        )
    if status == E.INFEASIBLE:
        batch = f"{s.decision.tolist()}, decodes of each group {s.take.tolist()}"
        return InputError(f"policy {engine.policy!r} {view} returned an infeasible batch: {batch}")
    if status == E.BLOCKED:
        return InputError(
            f"policy {engine.policy!r} {view} is blocked for good: requests that wait for their segments' thresholds "
            f"hold {s.seen[E.RESIDENT]} tokens (capacity {engine.capacity}, slots {engine.slots}), and no prompt "
            "comes in; give more memory, or lower thresholds"
        )
    return InputError(f"policy {engine.policy!r} {view} forms no batch, and no arrival is left to change that")


def _loop(nodes: bool) -> Callable[[Engine, EngineState, int], int]:
    """The loop of engines with decode nodes, or without, which takes some time to load."""
    if nodes:
        from qtheory.simulate.kernel.engine_nodes import advance_nodes

        return advance_nodes
    from qtheory.simulate.kernel.engine import advance

    return advance


def run_engine(engine: LLMEngine, **options: Any) -> EngineRun:
    """One replication from the empty engine; ``options``: those of :class:`~qtheory.simulate.streams.Plan`.

    ``records`` are every request and every epoch. Raises InputError, with the state, for a batch that cannot be.
    """
    require_model(engine, LLMEngine, call="run_engine")
    loop = _loop(engine.nodes > 0)
    plan = Plan.of(options)
    plan.check_events(*engine.event_rate)
    arrays = engine.arrays(plan.key, plan.window)
    if plan.records and arrays.groups > 53:
        raise InputError(f"records are kept of at most 53 groups, not of {arrays.groups}")
    s = _state(arrays, plan.windows, plan.records, int(engine.parameters.get("window", 0)))  # type: ignore[arg-type]
    policy = POLICIES[engine.policy]
    accept = accept_drafts if engine.draft else None
    arrays = arrays._replace(decide=address(policy.decide, arrays, s), observe=address(policy.observe, arrays, s),
                             accept=address(accept, arrays, s))  # fmt: skip
    kept: list[tuple[np.ndarray, ...]] = []

    def keep() -> None:
        columns = (E.RECORDED, s.records), (E.EPOCHS, s.epochs), (E.STINTS, s.stints)
        kept.append(tuple(array[: s.integers[column]].copy() for column, array in columns))
        s.integers[[E.RECORDED, E.EPOCHS, E.STINTS]] = 0

    def meet(status: int) -> None:
        nonlocal s
        if status == E.REQUESTS_FULL:
            s = _grown(s)
        elif status == E.RECORDS_FULL:
            keep()
            if 2 * (s.seen[E.IN_SERVICE] + engine.spare) >= s.records.shape[0]:
                room = 2 * s.records.shape[0]
                s = s._replace(records=np.zeros((room, 7)), epochs=np.zeros((room, 7)), stints=np.zeros((room, 4)))
        else:
            raise _explain(engine, status, s)

    def forget() -> None:
        s.histogram[:] = 0
        s.batch_histogram[:] = 0

    plan.follow(lambda stop: loop(arrays, s, stop), meet, lambda: int(s.integers[E.TOTAL_ITERATIONS]), forget)
    _check_conservation(arrays, s)
    keep()
    return EngineRun(
        engine, plan.seed, plan.replication, arrays.window, int(s.integers[E.TOTAL_ITERATIONS]),
        float(s.floats[E.NOW]), float(s.floats[E.LONGEST]), s.windows, s.class_windows, s.histogram, s.batch_histogram,
        *((np.concatenate(parts) for parts in zip(*kept, strict=True)) if plan.records else (None, None, None)),
    )  # fmt: skip


def _check_conservation(engine: Engine, s: EngineState) -> None:
    """Requests in = out + present; KV cache = tokens of the requests present, and their blocks. A failure is a bug of
    the simulator."""
    present = s.windows[:, E.REQUESTS_IN].sum() - s.windows[:, E.REQUESTS_OUT].sum()
    if s.integers[E.NOW_WINDOW] == s.windows.shape[0] and present != s.windows[-1, E.PRESENT_AT_END]:
        raise AssertionError("requests are not conserved")
    tokens = blocks = 0
    groups = s.waiting.size
    for q in range(2 * groups):
        j = s.queue_head[q]
        while j >= 0:
            row = s.request_i[j]
            here = holds = 0
            if row[E.ACTIVE]:
                left = int(s.request_t[j, E.KEY]) - s.counter[q - groups]
                here = holds = row[E.CONTEXT] + row[E.LEFT] - left
            elif q >= groups:
                here = holds = row[E.CONTEXT]
            elif row[E.STARTED]:
                holds = row[E.CONTEXT] or row[E.PROMPT_ALL]
                here = holds - row[E.PROMPT]
            tokens += here
            blocks -= -holds // engine.block
            j = row[E.NEXT]
    if tokens != s.seen[E.RESIDENT]:
        raise AssertionError(f"tokens are not conserved: {tokens} in requests, {s.seen[E.RESIDENT]} in the cache")
    if blocks != s.held.sum():
        raise AssertionError(f"blocks are not conserved: {blocks} of requests, {s.held.sum()} of the cache")
