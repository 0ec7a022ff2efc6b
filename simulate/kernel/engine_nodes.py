"""The event loop of disaggregated serving with several decode nodes, each with a clock and a KV cache of its own.

A prompt is prefilled on the node of the prefill pool that is free first; at its end the decode node with the fewest
requests (those that decode, are on their way to it, or wait for room there) is chosen, of equal ones the first. A
decode node is a group of requests: it takes in those that have come at the ends of its iterations, and decodes all.
What a span of alike iterations changes is counted at its end, so that a node is known at any time as it then is; a
request that is sent to it cuts the span at the iteration's end after its coming. At one time iterations end, requests
arrive, prompts that ended are sent on, and iterations start, in this order.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine import end_window, records_full, set_out
from qtheory.simulate.kernel.engine_account import account, finish_decodes
from qtheory.simulate.kernel.engine_batch import set_active
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import free_blocks, iterations_in_memory, next_blocks
from qtheory.simulate.kernel.engine_requests import evict, join_from_pool, send_to_node, take_arrivals
from qtheory.simulate.kernel.engine_time import clock, iterations_over
from qtheory.simulate.kernel.jit import call, compiled, inlined
from qtheory.simulate.kernel.patience import heap_remove
from qtheory.simulate.kernel.pause import PAUSED, TURNS


@inlined
def _cut(s: EngineState, g: int, until: float) -> None:
    """The span of node ``g`` ends with the first of its iterations that ends at ``until`` or later."""
    start, first, slope = s.span[g, E.START], s.span[g, E.SECONDS], s.span[g, E.SLOPE]
    n = min(s.span_i[g, E.COUNT], iterations_over(until - start, first, slope))
    s.span_i[g, E.COUNT] = n
    s.span[g, E.END] = start + (n * first + slope * (0.5 * n * (n - 1)))


@inlined
def _send_on(engine: Engine, s: EngineState, now: float) -> None:
    """Prompts that have ended go to a decode node each."""
    while s.order_size[0] > 0 and s.request_t[s.order_heap[0, 0], E.KEY] <= now:
        j = s.order_heap[0, 0]
        s.order_size[0] = heap_remove(s.order_heap[0], s.heap_place, s.request_t, s.order_size[0], j)
        chosen = 0
        for g in range(1, engine.nodes):
            if s.decoding[g] + s.order_size[1 + g] < s.decoding[chosen] + s.order_size[1 + chosen]:
                chosen = g
        s.request_i[j, E.GROUP] = chosen
        send_to_node(engine, s, j)
        coming = s.request_t[s.order_heap[1 + chosen, 0], E.KEY]
        if s.span[chosen, E.END] < np.inf and coming >= now:  # one that waits for room since before cuts nothing
            _cut(s, chosen, coming)


@inlined
def _start(engine: Engine, s: EngineState, g: int, now: float, window_end: float) -> int:
    """Node ``g``, which does nothing, takes in who has come, and starts iterations if it has requests."""
    join_from_pool(engine, s, 1 + g, g, now)
    short = 0
    while s.decoding[g] > 0 and next_blocks(engine, s, g, g + 1, s.decoding[g]) > free_blocks(engine, s, g, g + 1):
        evict(engine, s, g)
        short = 1
    s.sums[E.OUT_OF_MEMORY] += short
    decode = s.decoding[g]
    coming = s.request_t[s.order_heap[1 + g, 0], E.KEY] if s.order_size[1 + g] > 0 else np.inf
    if decode == 0:
        s.integers[E.FAULT] = s.order_heap[1 + g, 0]
        return E.OVER_CAPACITY if coming <= now else E.DONE
    for other in range(engine.groups):
        s.take[other] = 0
    s.take[g] = decode
    s.span_i[g, E.JOINED] = set_active(s, g, decode, 0)
    n = int(s.request_t[s.heap[g, 0], E.KEY]) - s.counter[g]
    if engine.capacity < E.ENDLESS:
        n = min(n, max(1, iterations_in_memory(engine, s, g, g + 1, decode, decode, n)))
    if engine.draft > 0 or s.floats[E.OVERHEAD] > 0.0:
        n = 1
    n, first, slope = clock(engine, s, n, 0, decode, float(s.context[g]), 0.0, 0, 0)
    s.span[g, E.START] = now
    s.span[g, E.SECONDS] = first + s.floats[E.OVERHEAD] + engine.draft_time
    s.span[g, E.SLOPE] = slope
    s.span_i[g, E.COUNT] = n
    s.floats[E.OVERHEAD] = 0.0
    _cut(s, g, min(window_end, coming) if coming > now else window_end)
    return E.DONE


@compiled
def _finish(engine: Engine, s: EngineState, g: int) -> None:
    """The iterations of node ``g`` have ended."""
    for other in range(engine.groups):
        s.take[other] = 0
    decode = s.take[g] = s.active[g]
    joined = s.span_i[g, E.JOINED]
    j = s.last_active[g]
    for i in range(joined):  # the last to join stand last
        s.list_b[joined - 1 - i] = j
        j = s.request_i[j, E.PREVIOUS]
    start, first, slope, end = s.span[g, E.START], s.span[g, E.SECONDS], s.span[g, E.SLOPE], s.span[g, E.END]
    account(engine, s, start, s.span_i[g, E.COUNT], first, slope, 0, decode, joined, s.context[g], decode)
    if engine.draft > 0:
        s.floats[E.LENGTH_NOW] = end - start
        call(engine.accept, engine, s)
    finish_decodes(engine, s, end)
    s.span[g, E.END] = np.inf


@inlined
def _next(engine: Engine, s: EngineState, now: float, until: float) -> float:
    """When something happens next, ``until`` at the latest."""
    if engine.arrivals == E.OPEN:
        for k in range(s.next_arrival.size):
            until = min(until, s.next_arrival[k])
    if s.order_size[0] > 0:
        until = min(until, s.request_t[s.order_heap[0, 0], E.KEY])
    for g in range(engine.nodes):
        until = min(until, s.span[g, E.END])
        if s.span[g, E.END] == np.inf and s.order_size[1 + g] > 0:
            until = min(until, s.request_t[s.order_heap[1 + g, 0], E.KEY])
    return until


@compiled
def advance_nodes(engine: Engine, s: EngineState, stop_window: int) -> int:
    """Run until ``stop_window`` windows have ended; returns DONE or why it stopped before. Call again to go on."""
    turns = 0
    if s.integers[E.SET_OUT] == 0:
        set_out(engine, s)
    now = s.floats[E.NOW]
    while s.integers[E.NOW_WINDOW] < stop_window:
        s.floats[E.NOW] = now
        window_end = (s.integers[E.NOW_WINDOW] + 1) * engine.window
        if turns == TURNS:
            return PAUSED
        turns += 1
        if records_full(engine, s):
            return E.RECORDS_FULL
        ended = 0
        while ended < engine.nodes and s.span[ended, E.END] > now:
            ended += 1
        if ended < engine.nodes:
            _finish(engine, s, ended)
            continue
        if engine.arrivals == E.OPEN and not take_arrivals(engine, s, now):
            return E.REQUESTS_FULL
        if now >= window_end:
            end_window(engine, s)
            continue
        _send_on(engine, s, now)
        idle = 0
        for g in range(engine.nodes):
            if s.span[g, E.END] == np.inf:
                status = _start(engine, s, g, now, window_end)
                if status != E.DONE:
                    return status
                idle += s.span[g, E.END] == np.inf
        later = _next(engine, s, now, window_end)
        s.sums[E.WAITING_AREA] += (later - now) * s.waiting[0]
        s.sums[E.IDLE_TIME] += (later - now) * idle * engine.share
        now = later
    s.floats[E.NOW] = now
    return E.DONE
