"""Requests come, wait, are evicted and leave; the pool of prefill nodes, where there is one."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import blocks, free_blocks, next_blocks, pause_in_block
from qtheory.simulate.kernel.engine_order import deactivate, enter_group, leave_group, put_back
from qtheory.simulate.kernel.engine_time import law_time
from qtheory.simulate.kernel.histogram import bin_of
from qtheory.simulate.kernel.jit import call, compiled, inlined
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.queues import append
from qtheory.simulate.kernel.variates import draw

_SLACK = 1.0 + 1e-12  # a mean of equal times does not miss a limit that each of them meets


@inlined
def enter_segment(engine: Engine, s: EngineState, j: int) -> None:
    """Request ``j`` is at the start of its group's segment: of what is left, these iterations lie in it."""
    rest = s.request_i[j, E.REST]
    here = min(rest, engine.segments[s.request_i[j, E.GROUP]]) if engine.segments.size > 0 else rest
    s.request_i[j, E.LEFT] = here
    s.request_i[j, E.REST] = rest - here


@compiled
def send_to_node(engine: Engine, s: EngineState, j: int) -> None:
    """The KV cache of request ``j`` goes to its decode node at the end of its prompt; there it waits for room."""
    row = 1 + s.request_i[j, E.GROUP] if engine.nodes > 0 else 0
    end = s.request_t[j, E.LAST] if s.request_t[j, E.FIRST] < 0.0 else s.request_t[j, E.FIRST]
    s.request_t[j, E.KEY] = end + engine.transfer[0] + engine.transfer[1] * s.request_i[j, E.PROMPT_ALL]
    s.order_size[row] = heap_push(s.order_heap[row], s.heap_place, s.request_t, s.order_size[row], j)


@compiled
def _enter_pool(engine: Engine, s: EngineState, j: int, time: float) -> None:
    """Request ``j`` is prefilled on the node that is free first, whole and without interruption.

    First come first served, so its end is known now. A request evicted from the decode node only waits to come back.
    """
    if s.request_t[j, E.FIRST] < 0.0:
        prompt = s.request_i[j, E.PROMPT_ALL]
        node = 0
        for other in range(1, engine.pool):
            if s.pool_free[other] < s.pool_free[node]:
                node = other
        busy = law_time(engine, prompt, 0, 0.0, float(prompt) * prompt)
        end = max(time, s.pool_free[node]) + busy
        s.pool_free[node] = end
        s.request_t[j, E.LAST] = end
        s.sums[E.POOL_TIME] += busy
        s.sums[E.PREFILL_TOKENS] += prompt
        if engine.nodes > 0:  # to which it goes is known at the end of its prompt
            s.request_t[j, E.KEY] = end
            s.order_size[0] = heap_push(s.order_heap[0], s.heap_place, s.request_t, s.order_size[0], j)
            return
    send_to_node(engine, s, j)


@compiled
def new_request(engine: Engine, s: EngineState, k: int, time: float) -> None:
    """A request of class ``k`` arrives and waits for prefill."""
    j = s.integers[E.FREE]
    s.integers[E.FREE] = s.request_i[j, E.NEXT]
    s.integers[E.FREE_REQUESTS] -= 1
    prompt = int(draw(engine, s, engine.class_prompt[k]))
    output = int(draw(engine, s, engine.class_output[k]))
    cached = int(draw(engine, s, engine.class_cached[k])) if engine.class_cached[k] >= 0 else 0
    s.request_i[j, E.CLASS] = k
    s.request_i[j, E.PROMPT] = max(1, prompt - cached)
    s.request_i[j, E.PROMPT_ALL] = prompt
    s.request_i[j, E.OUTPUT_ALL] = output
    s.request_i[j, E.GROUP] = engine.class_group[k]
    s.request_i[j, E.REST] = output
    enter_segment(engine, s, j)
    s.request_i[j, E.CONTEXT] = 0
    s.request_i[j, E.STARTED] = 0
    s.request_i[j, E.ACTIVE] = 0
    s.request_i[j, E.LATE] = 0
    s.request_i[j, E.NUMBER] = s.integers[E.NUMBERED]
    s.integers[E.NUMBERED] += 1
    s.request_t[j, E.ARRIVAL] = time
    s.request_t[j, E.FIRST] = -1.0
    q = engine.class_queue[k]
    s.waiting[q] += 1
    if engine.pool > 0:
        _enter_pool(engine, s, j, time)
    else:
        append(s, s.request_i, q, j)
    s.sums[E.REQUESTS_IN] += 1
    s.class_sums[k, E.CLASS_IN] += 1


@compiled
def take_arrivals(engine: Engine, s: EngineState, now: float) -> bool:
    """Take in all requests that have arrived by ``now``, in order; False if the arrays are full."""
    while True:
        k = 0
        for other in range(1, s.next_arrival.size):
            if s.next_arrival[other] < s.next_arrival[k]:
                k = other
        if s.next_arrival[k] > now:
            return True
        size = 1
        if engine.class_size[k] >= 0:
            size = int(draw(engine, s, engine.class_size[k]))
            if s.integers[E.FREE_REQUESTS] < size:
                s.position[engine.class_size[k]] -= 1
        if s.integers[E.FREE_REQUESTS] < size:
            return False
        for _ in range(size):
            new_request(engine, s, k, s.next_arrival[k])
        s.next_arrival[k] += draw(engine, s, engine.class_gap[k])


@inlined
def next_event(engine: Engine, s: EngineState, now: float) -> float:
    """When the next request arrives, or comes out of the prefill pool."""
    first = np.inf
    if engine.arrivals == E.OPEN:
        for k in range(s.next_arrival.size):
            first = min(first, s.next_arrival[k])
    if engine.pool > 0 and s.order_size[0] > 0:
        ready = s.request_t[s.order_heap[0, 0], E.KEY]
        if ready > now:
            first = min(first, ready)
    return first


@inlined
def first_token(s: EngineState, j: int, time: float) -> None:
    """The first token of request ``j`` is out."""
    k = s.request_i[j, E.CLASS]
    s.request_t[j, E.FIRST] = time
    ttft = time - s.request_t[j, E.ARRIVAL]
    s.histogram[k, E.TTFT, bin_of(ttft)] += 1
    s.class_sums[k, E.FIRST_TOKENS] += 1
    s.class_sums[k, E.TTFT_SUM] += ttft


@compiled
def leave(engine: Engine, s: EngineState, j: int, now: float) -> None:
    """Request ``j`` is complete: its KV cache is free, its times are counted."""
    k = s.request_i[j, E.CLASS]
    ttft = s.request_t[j, E.FIRST] - s.request_t[j, E.ARRIVAL]
    latency = now - s.request_t[j, E.ARRIVAL]
    late = s.request_i[j, E.LATE]
    good = (ttft <= engine.ttft_limit[k]) and (latency <= engine.latency_limit[k]) and late == 0
    later = s.request_i[j, E.OUTPUT_ALL] - engine.late_first  # tokens after the first
    if later > 0:
        tpot = (latency - ttft) / later
        good = good and tpot <= engine.tpot_limit[k] * _SLACK
        s.histogram[k, E.TPOT, bin_of(tpot)] += 1
        s.class_sums[k, E.TPOT_SUM] += tpot
        s.class_sums[k, E.TPOT_OUT] += 1
    tokens = s.request_i[j, E.PROMPT_ALL] + s.request_i[j, E.OUTPUT_ALL]
    s.seen[E.RESIDENT] -= tokens
    s.held[s.request_i[j, E.GROUP]] -= blocks(engine, tokens)
    s.seen[E.IN_SERVICE] -= 1
    s.seen[E.COMPLETED] += 1
    s.sums[E.REQUESTS_OUT] += 1
    if s.observed.shape[1] > 0:
        place = (s.seen[E.COMPLETED] - 1) % s.observed.shape[1]
        s.observed[0, place] = s.request_i[j, E.PROMPT_ALL]
        s.observed[1, place] = s.request_i[j, E.OUTPUT_ALL]
        call(engine.observe, engine, s)
    s.histogram[k, E.LATENCY, bin_of(latency)] += 1
    s.sums[E.GOOD] += good
    s.sums[E.LENGTH] += latency
    s.class_sums[k, E.CLASS_OUT] += 1
    s.class_sums[k, E.CLASS_GOOD] += good
    s.class_sums[k, E.LATENCY_SUM] += latency
    s.class_sums[k, E.OUTPUT_TOKENS] += s.request_i[j, E.OUTPUT_ALL]
    s.class_sums[k, E.LATE_OUT] += late
    if s.records.shape[0] > 0:
        r = s.integers[E.RECORDED]
        s.records[r, 0] = k
        s.records[r, 1] = s.request_t[j, E.ARRIVAL]
        s.records[r, 2] = s.request_t[j, E.FIRST]
        s.records[r, 3] = now
        s.records[r, 4] = s.request_i[j, E.PROMPT_ALL]
        s.records[r, 5] = s.request_i[j, E.OUTPUT_ALL]
        s.records[r, 6] = s.request_i[j, E.NUMBER]
        s.integers[E.RECORDED] = r + 1
    s.request_i[j, E.NEXT] = s.integers[E.FREE]
    s.integers[E.FREE] = j
    s.integers[E.FREE_REQUESTS] += 1
    if engine.arrivals == E.CLOSED:
        new_request(engine, s, k, now)


@compiled
def preempt(engine: Engine, s: EngineState) -> bool:
    """Evict the last decoding request. False if none decodes."""
    for step in range(engine.groups):
        g = engine.groups - 1 - step
        if s.decoding[g] > 0:
            evict(engine, s, g)
            return True
    return False


@compiled
def evict(engine: Engine, s: EngineState, g: int) -> None:
    """Evict the last decoding request of group ``g``; it waits at the head of its queue."""
    j = s.queue_tail[engine.groups + g]
    if s.request_i[j, E.ACTIVE] == 1:
        deactivate(s, g, j)
    leave_group(engine, s, g, j)
    s.seen[E.DECODING] -= 1
    s.seen[E.IN_SERVICE] -= 1
    x = float(s.request_i[j, E.CONTEXT])
    s.integers[E.FAULT] = j
    s.seen[E.RESIDENT] -= s.request_i[j, E.CONTEXT]
    s.held[g] -= blocks(engine, s.request_i[j, E.CONTEXT])
    pause_in_block(s, g, s.request_i[j, E.CONTEXT], -1)
    s.floats[E.OVERHEAD] += engine.overhead[0] + engine.overhead[1] * x + engine.overhead[2] * x * x
    # Recomputed: all its tokens are prefilled again. Swapped: they come back with one token's prefill.
    s.request_i[j, E.PROMPT] = s.request_i[j, E.CONTEXT] if engine.recompute == 1 else 1
    s.request_i[j, E.STARTED] = 0
    q = engine.class_queue[s.request_i[j, E.CLASS]]
    if engine.pool > 0:
        s.waiting[q] += 1
        _enter_pool(engine, s, j, s.floats[E.NOW])
    else:
        put_back(engine, s, q, j)
    s.sums[E.PREEMPTIONS] += 1


@compiled
def join_from_pool(engine: Engine, s: EngineState, row: int, g: int, now: float) -> None:
    """Requests that have come to the node of group ``g`` decode from now on, in order, while slots and memory last."""
    while s.order_size[row] > 0:
        j = s.order_heap[row, 0]
        back = s.request_i[j, E.CONTEXT] if s.request_i[j, E.CONTEXT] > 0 else s.request_i[j, E.PROMPT_ALL]
        held = next_blocks(engine, s, g, g + 1, s.decoding[g]) + blocks(engine, back + 1 + engine.draft)
        if s.request_t[j, E.KEY] > now or s.decoding[g] >= engine.slots or held > free_blocks(engine, s, g, g + 1):
            return
        s.order_size[row] = heap_remove(s.order_heap[row], s.heap_place, s.request_t, s.order_size[row], j)
        s.waiting[engine.class_queue[s.request_i[j, E.CLASS]]] -= 1
        s.seen[E.IN_SERVICE] += 1
        s.seen[E.RESIDENT] += back
        s.held[s.request_i[j, E.GROUP]] += blocks(engine, back)
        s.request_i[j, E.CONTEXT] = back
        if s.request_t[j, E.FIRST] < 0.0:
            s.seen[E.PREFILLED] += 1
            first_token(s, j, s.request_t[j, E.LAST])
        if s.request_i[j, E.LEFT] == 0:
            leave(engine, s, j, s.request_t[j, E.FIRST])
        else:
            enter_group(engine, s, s.request_i[j, E.GROUP], j)
            s.seen[E.DECODING] += 1
