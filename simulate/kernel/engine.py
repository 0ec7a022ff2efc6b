"""The event loop of one LLM engine at token level.

A policy decides at the start of an iteration; as long as nothing that it could see changes (no request ends, no
prompt ends or joins, memory suffices), the following iterations are alike and are taken together, an epoch. So
the cost grows with requests and events, not with tokens.
"""

from __future__ import annotations

import math

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.histogram import bin_of, count_steps
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.policies import decide, observe
from qtheory.simulate.kernel.variates import draw


@compiled
def law_time(engine: Engine, prefill: int, decode: int, context: float, squares: float) -> float:
    """Seconds of an iteration with so many tokens; ``context``: tokens in the KV cache of its decode requests,
    ``squares``: sum of the squared prefill chunks."""
    par = engine.law_parameters
    n = float(prefill + decode)
    if engine.law == E.AFFINE:
        time = par[0] + par[1] * n
    elif engine.law == E.PIECEWISE:
        time = par[0] + par[1] * max(0.0, n - par[2])
    elif engine.law == E.STAIRCASE:
        time = par[0] * math.ceil(n / par[1]) + par[2] * n + par[3]
    elif engine.law == E.TWO_AFFINE:
        time = (par[0] + par[1] * n) if prefill > 0 else (par[2] + par[3] * n)
    elif engine.law == E.MIXED_QUADRATIC:
        ratio = decode / n
        time = par[0] + (par[1] + par[2] * ratio + par[3] * ratio * ratio) * n
    else:
        time = par[0] + par[1] * (context + n)
    return float(time + par[4] * squares + par[5] * context)


@inlined
def _slope(engine: Engine, decode: int) -> float:
    """By how much an iteration is longer than the one before it when ``decode`` requests each hold a token more."""
    growth = engine.law_parameters[5] + (engine.law_parameters[1] if engine.law == E.MEMORY else 0.0)
    return float(growth * decode)


@inlined
def _append(s: EngineState, q: int, j: int) -> None:
    tail = s.queue_tail[q]
    s.request_i[j, E.NEXT] = -1
    s.request_i[j, E.PREVIOUS] = tail
    if tail >= 0:
        s.request_i[tail, E.NEXT] = j
    else:
        s.queue_head[q] = j
    s.queue_tail[q] = j


@inlined
def _unlink(s: EngineState, q: int, j: int) -> None:
    before, after = s.request_i[j, E.PREVIOUS], s.request_i[j, E.NEXT]
    if before >= 0:
        s.request_i[before, E.NEXT] = after
    else:
        s.queue_head[q] = after
    if after >= 0:
        s.request_i[after, E.PREVIOUS] = before
    else:
        s.queue_tail[q] = before


@inlined
def _enter_segment(engine: Engine, s: EngineState, j: int) -> None:
    """Request ``j`` is at the start of its group's segment: of what is left, these iterations lie in it."""
    rest = s.request_i[j, E.REST]
    here = min(rest, engine.segments[s.request_i[j, E.GROUP]]) if engine.segments.size > 0 else rest
    s.request_i[j, E.LEFT] = here
    s.request_i[j, E.REST] = rest - here


@compiled
def _new_request(engine: Engine, s: EngineState, k: int, time: float) -> None:
    """A request of class ``k`` arrives and waits for prefill."""
    j = s.integers[E.FREE]
    s.integers[E.FREE] = s.request_i[j, E.NEXT]
    s.integers[E.FREE_REQUESTS] -= 1
    g = engine.class_group[k]
    prompt = int(draw(engine, s, engine.class_prompt[k]))
    output = int(draw(engine, s, engine.class_output[k]))
    s.request_i[j, E.CLASS] = k
    s.request_i[j, E.PROMPT] = prompt
    s.request_i[j, E.PROMPT_ALL] = prompt
    s.request_i[j, E.OUTPUT_ALL] = output
    s.request_i[j, E.GROUP] = g
    s.request_i[j, E.REST] = output
    _enter_segment(engine, s, j)
    s.request_i[j, E.CONTEXT] = 0
    s.request_i[j, E.STARTED] = 0
    s.request_i[j, E.ACTIVE] = 0
    s.request_t[j, E.ARRIVAL] = time
    s.request_t[j, E.FIRST] = -1.0
    _append(s, g, j)
    s.waiting[g] += 1
    s.sums[E.REQUESTS_IN] += 1


@compiled
def _arrivals(engine: Engine, s: EngineState, now: float) -> bool:
    """Take in all requests that have arrived by ``now``, in order; False if the arrays are full."""
    if engine.arrivals != E.OPEN:
        return True
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
            _new_request(engine, s, k, s.next_arrival[k])
        s.next_arrival[k] += draw(engine, s, engine.class_gap[k])


@compiled
def _deactivate(s: EngineState, g: int, j: int) -> None:
    """Active request ``j``, the last active one of group ``g``, pauses."""
    left = int(s.request_t[j, E.KEY]) - s.counter[g]
    s.request_i[j, E.CONTEXT] += s.request_i[j, E.LEFT] - left
    s.context[g] -= s.request_i[j, E.CONTEXT]
    s.request_i[j, E.LEFT] = left
    s.request_i[j, E.ACTIVE] = 0
    s.request_t[j, E.LAST] = s.group_last[g]
    s.heap_size[g] = heap_remove(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
    s.active[g] -= 1
    s.last_active[g] = s.request_i[j, E.PREVIOUS]


@inlined
def _set_active(s: EngineState, g: int, wanted: int, joined: int) -> int:
    """Let the first ``wanted`` decoding requests of group ``g`` advance; who joins is added to ``s.list_b``."""
    while s.active[g] > wanted:
        _deactivate(s, g, s.last_active[g])
    while s.active[g] < wanted:
        last = s.last_active[g]
        j = s.queue_head[s.active.size + g] if last < 0 else s.request_i[last, E.NEXT]
        s.request_t[j, E.KEY] = s.counter[g] + s.request_i[j, E.LEFT]
        s.request_i[j, E.ACTIVE] = 1
        s.context[g] += s.request_i[j, E.CONTEXT]
        s.heap_size[g] = heap_push(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
        s.active[g] += 1
        s.last_active[g] = j
        s.list_b[joined] = j
        joined += 1
    return joined


@compiled
def _leave(engine: Engine, s: EngineState, j: int, now: float) -> None:
    """Request ``j`` is complete: its KV cache is free, its times are counted."""
    ttft = s.request_t[j, E.FIRST] - s.request_t[j, E.ARRIVAL]
    latency = now - s.request_t[j, E.ARRIVAL]
    s.seen[E.RESIDENT] -= s.request_i[j, E.PROMPT_ALL] + s.request_i[j, E.OUTPUT_ALL]
    s.seen[E.IN_SERVICE] -= 1
    s.seen[E.COMPLETED] += 1
    s.sums[E.REQUESTS_OUT] += 1
    if s.observed.shape[1] > 0:
        place = (s.seen[E.COMPLETED] - 1) % s.observed.shape[1]
        s.observed[0, place] = s.request_i[j, E.PROMPT_ALL]
        s.observed[1, place] = s.request_i[j, E.OUTPUT_ALL]
        observe(engine, s)
    s.histogram[E.LATENCY, bin_of(latency)] += 1
    s.sums[E.GOOD] += (ttft <= engine.ttft_limit) and (latency <= engine.latency_limit)
    s.sums[E.LENGTH] += latency
    if s.records.shape[0] > 0:
        r = s.integers[E.RECORDED]
        s.records[r, 0] = s.request_i[j, E.CLASS]
        s.records[r, 1] = s.request_t[j, E.ARRIVAL]
        s.records[r, 2] = s.request_t[j, E.FIRST]
        s.records[r, 3] = now
        s.records[r, 4] = s.request_i[j, E.PROMPT_ALL]
        s.records[r, 5] = s.request_i[j, E.OUTPUT_ALL]
        s.integers[E.RECORDED] = r + 1
    s.request_i[j, E.NEXT] = s.integers[E.FREE]
    s.integers[E.FREE] = j
    s.integers[E.FREE_REQUESTS] += 1
    if engine.arrivals == E.CLOSED:
        _new_request(engine, s, s.request_i[j, E.CLASS], now)


@compiled
def _preempt(engine: Engine, s: EngineState) -> bool:
    """Evict the youngest decoding request; it waits at the head of its queue. False if none decodes."""
    for step in range(engine.groups):
        g = engine.groups - 1 - step
        j = s.queue_tail[engine.groups + g]
        if j < 0:
            continue
        if s.request_i[j, E.ACTIVE] == 1:
            _deactivate(s, g, j)
        _unlink(s, engine.groups + g, j)
        s.decoding[g] -= 1
        s.seen[E.DECODING] -= 1
        s.seen[E.IN_SERVICE] -= 1
        x = float(s.request_i[j, E.CONTEXT])
        s.integers[E.FAULT] = s.request_i[j, E.CONTEXT]
        s.seen[E.RESIDENT] -= s.request_i[j, E.CONTEXT]
        s.floats[E.OVERHEAD] += engine.overhead[0] + engine.overhead[1] * x + engine.overhead[2] * x * x
        # Recomputed: all its tokens are prefilled again. Swapped: they come back with one token's prefill.
        s.request_i[j, E.PROMPT] = s.request_i[j, E.CONTEXT] if engine.recompute == 1 else 1
        s.request_i[j, E.STARTED] = 0
        home = engine.class_group[s.request_i[j, E.CLASS]]
        head = s.queue_head[home]
        s.request_i[j, E.NEXT] = head
        s.request_i[j, E.PREVIOUS] = -1
        if head >= 0:
            s.request_i[head, E.PREVIOUS] = j
        else:
            s.queue_tail[home] = j
        s.queue_head[home] = j
        s.waiting[home] += 1
        s.sums[E.PREEMPTIONS] += 1
        return True
    return False


@inlined
def _load_decodes(engine: Engine, s: EngineState, room: int) -> int:
    """How many decode tokens the decision loads into ``room`` tokens, group by group, into ``s.take``."""
    total = 0
    for g in range(engine.groups):
        s.take[g] = min(s.take[g], s.decoding[g], room - total)
        total += s.take[g]
    return total


@compiled
def _load_prefills(engine: Engine, s: EngineState, room: int, now: float) -> tuple[int, float, int, int]:
    """Load up to ``room`` prompt tokens, oldest first.

    Returns (tokens, sum of squared chunks, prompts that end, requests touched); ends are listed in ``s.list_a``.
    """
    tokens, squares, ends, pieces = 0, 0.0, 0, 0
    for g in range(engine.groups):
        fresh = s.prompts[g]
        while tokens < room and pieces < s.decision[E.PIECES]:
            if s.queue_head[g] < 0 and engine.arrivals == E.SATURATED:
                _new_request(engine, s, g, now)
            j = s.queue_head[g]
            if j < 0:
                break
            remaining = s.request_i[j, E.PROMPT]
            if s.decision[E.WHOLE] == 1 and remaining > room - tokens:
                break
            if s.request_i[j, E.STARTED] == 0:
                # With room for the next token of every request that decodes then: else it would be evicted at once.
                held = s.seen[E.RESIDENT] + s.reserved[0] + s.seen[E.DECODING] + ends + 1
                back = s.request_i[j, E.CONTEXT] if s.request_i[j, E.CONTEXT] > 0 else remaining
                if fresh < 1 or s.seen[E.IN_SERVICE] >= engine.slots or held + back > engine.capacity:
                    break
                fresh -= 1
                s.request_i[j, E.STARTED] = 1
                s.seen[E.IN_SERVICE] += 1
                s.reserved[0] += back
            chunk = min(remaining, room - tokens)
            tokens += chunk
            pieces += 1
            squares += float(chunk) * chunk
            s.request_i[j, E.PROMPT] = remaining - chunk
            if remaining > chunk:
                break
            _unlink(s, g, j)
            s.waiting[g] -= 1
            s.list_a[ends] = j
            ends += 1
    return tokens, squares, ends, pieces


@inlined
def _alike(engine: Engine, s: EngineState, prefill: int, decode: int, ends: int, pieces: int) -> int:
    """How many iterations from now on are alike as far as requests and memory go."""
    n = int(s.decision[E.REPEAT])
    if ends > 0 or pieces > 1:
        return 1
    if prefill > 0:
        for g in range(engine.groups):
            j = s.queue_head[g]
            if j >= 0 and s.request_i[j, E.STARTED] == 1:
                # This iteration's tokens are already taken off; the one that ends the prompt comes alone.
                n = min(n, 1 + (s.request_i[j, E.PROMPT] - 1) // prefill)
    for g in range(engine.groups):
        if s.active[g] > 0 and s.take[g] > 0:
            n = min(n, int(s.request_t[s.heap[g, 0], E.KEY]) - s.counter[g])
    if decode > 0 and engine.capacity < E.ENDLESS:
        n = min(n, (engine.capacity - s.seen[E.RESIDENT] - s.reserved[0]) // decode)
    return max(1, n)


@inlined
def _next_arrival(engine: Engine, s: EngineState) -> float:
    if engine.arrivals != E.OPEN:
        return np.inf
    first = np.inf
    for k in range(s.next_arrival.size):
        first = min(first, s.next_arrival[k])
    return first


@compiled
def _end_window(engine: Engine, s: EngineState, now: float) -> None:
    w = s.integers[E.NOW_WINDOW]
    s.sums[E.PRESENT_AT_END] = s.seen[E.DECODING]
    for g in range(engine.groups):
        s.sums[E.PRESENT_AT_END] += s.waiting[g]  # who is partly prefilled still waits
    s.sums[E.RESIDENT_AT_END] = s.seen[E.RESIDENT]
    for i in range(E.WINDOW_SUMS):
        s.windows[w, i] = s.sums[i]
        s.sums[i] = 0.0
    s.integers[E.NOW_WINDOW] = w + 1


@compiled
def _set_out(engine: Engine, s: EngineState) -> None:
    for k in range(s.next_arrival.size):
        if engine.arrivals == E.OPEN:
            s.next_arrival[k] = draw(engine, s, engine.class_gap[k])
        elif engine.arrivals == E.CLOSED:
            for _ in range(engine.concurrency):
                _new_request(engine, s, k, 0.0)
    s.integers[E.SET_OUT] = 1


@compiled
def _ask(engine: Engine, s: EngineState) -> None:
    """Defaults, what the policy sees, and its decision."""
    s.decision[E.CHUNK] = E.ENDLESS
    s.decision[E.TOTAL] = E.ENDLESS
    s.decision[E.PREFILL_FIRST] = 0
    s.decision[E.EXCLUSIVE] = 0
    s.decision[E.WHOLE] = 0
    s.decision[E.PIECES] = E.ENDLESS
    s.decision[E.REPEAT] = E.ENDLESS
    s.decision[E.WATCH] = 1
    waiting = 0
    for g in range(engine.groups):
        s.take[g] = E.ENDLESS
        s.prompts[g] = E.ENDLESS
        waiting += s.waiting[g]
    s.seen[E.WAITING] = E.ENDLESS if engine.arrivals == E.SATURATED else waiting
    decide(engine, s)


@inlined
def _compose(engine: Engine, s: EngineState, now: float) -> tuple[int, int, float, int, int]:
    """The batch of this iteration: (prefill tokens, decode tokens, squares, prompts that end, prefill requests)."""
    budget = s.decision[E.TOTAL]
    if s.decision[E.PREFILL_FIRST] == 1:
        prefill, squares, ends, pieces = _load_prefills(engine, s, min(budget, s.decision[E.CHUNK]), now)
        room = 0 if s.decision[E.EXCLUSIVE] == 1 and prefill > 0 else budget - prefill
        decode = _load_decodes(engine, s, room)
    else:
        decode = _load_decodes(engine, s, budget)
        room = 0 if s.decision[E.EXCLUSIVE] == 1 and decode > 0 else min(budget - decode, s.decision[E.CHUNK])
        prefill, squares, ends, pieces = _load_prefills(engine, s, room, now)
    return prefill, decode, squares, ends, pieces


@inlined
def _iterations(span: float, first: float, slope: float) -> int:
    """The least n, at least 1, with n first + slope n (n - 1)/2 >= ``span``: iterations that cover it."""
    ratio = span / first
    if not ratio < 1e15:
        return E.ENDLESS
    n = int(math.ceil(ratio))  # noqa: RUF046 (compiled, ceil gives a float)
    if slope > 0.0:
        half = first - 0.5 * slope
        n = int((math.sqrt(half * half + 2.0 * slope * max(span, 0.0)) - half) / slope)
        while n * first + slope * (0.5 * n * (n - 1)) < span:
            n += 1
        while n > 1 and (n - 1) * first + slope * (0.5 * (n - 1) * (n - 2)) >= span:
            n -= 1
    return max(1, n)


@inlined
def _iterate(engine: Engine, s: EngineState, now: float, window_end: float) -> float:
    """One epoch from ``now``; returns its end, or ``now`` if the batch is empty."""
    prefill, decode, squares, ends, pieces = _compose(engine, s, now)
    if prefill + decode == 0:
        return now
    joined, context = 0, 0.0
    for g in range(engine.groups):
        # A group without a token in this batch keeps its members: it only stands still.
        if s.take[g] > 0:
            joined = _set_active(s, g, s.take[g], joined)
            context += s.context[g]
    n = _alike(engine, s, prefill, decode, ends, pieces)
    first = law_time(engine, prefill, decode, context, squares) + s.floats[E.OVERHEAD]
    slope = _slope(engine, decode)
    if s.floats[E.OVERHEAD] > 0.0:
        n = 1
        s.floats[E.OVERHEAD] = 0.0
    waiting = 0
    for g in range(engine.groups):
        waiting += s.waiting[g]
    if s.decision[E.WATCH] == 2 or (s.decision[E.WATCH] == 1 and waiting == 0):
        n = min(n, _iterations(_next_arrival(engine, s) - now, first, slope))
    n = min(n, _iterations(window_end - now, first, slope))
    length = n * first + slope * (0.5 * n * (n - 1))
    s.sums[E.RESIDENT_AREA] += length * s.seen[E.RESIDENT] + 0.5 * length * n * (prefill + decode)
    s.sums[E.WAITING_AREA] += length * waiting
    s.sums[E.DECODING_AREA] += length * s.seen[E.DECODING]
    if s.epochs.shape[0] > 0:
        e = s.integers[E.EPOCHS]
        s.epochs[e, 0] = now
        s.epochs[e, 1] = n
        s.epochs[e, 2] = first
        s.epochs[e, 3] = slope
        s.epochs[e, 4] = prefill
        s.epochs[e, 5] = decode
        s.integers[E.EPOCHS] = e + 1
    if prefill > 0 and n > 1:
        for g in range(engine.groups):
            j = s.queue_head[g]
            if j >= 0 and s.request_i[j, E.STARTED] == 1:
                s.request_i[j, E.PROMPT] -= prefill * (n - 1)
    _account(engine, s, now, n, first, slope, prefill, decode, joined)
    end = float(now + length)
    _finish_decodes(engine, s, n, end)
    _finish_prefills(engine, s, ends, end)
    return end


@inlined
def _account(
    engine: Engine,
    s: EngineState,
    now: float,
    n: int,
    first: float,
    slope: float,
    prefill: int,
    decode: int,
    joined: int,
) -> None:
    s.sums[E.PREFILL_TOKENS] += prefill * n
    s.sums[E.DECODE_TOKENS] += decode * n
    s.sums[E.ITERATIONS] += n
    s.sums[E.MIXED] += n if prefill > 0 and decode > 0 else 0
    s.sums[E.BUSY_TIME] += n * first + slope * (0.5 * n * (n - 1))
    s.integers[E.TOTAL_ITERATIONS] += n
    s.batch_histogram[0, min(prefill, 4096)] += n
    s.batch_histogram[1, min(decode, 4096)] += n
    s.seen[E.RESIDENT] += (prefill + decode) * n
    s.reserved[0] -= prefill * n
    for g in range(engine.groups):
        if s.take[g] > 0:
            s.counter[g] += n
            s.context[g] += n * s.take[g]
    if decode > 0:
        moved = now + n * first + slope * (0.5 * n * (n - 1))
        if n > 1:
            count_steps(s.histogram[E.TBT], first + slope, slope, n - 1, decode)
        _gaps(engine, s, now + first, moved, joined)


@inlined
def _gaps(engine: Engine, s: EngineState, first_end: float, end: float, joined: int) -> None:
    """Times to the first token of an epoch: one by one for who joins, together for the rest of each group."""
    for i in range(joined):
        j = s.list_b[i]
        s.histogram[E.TBT, bin_of(first_end - s.request_t[j, E.LAST])] += 1
        s.take[s.request_i[j, E.GROUP]] -= 1
    for g in range(engine.groups):
        if s.take[g] > 0:
            s.histogram[E.TBT, bin_of(first_end - s.group_last[g])] += s.take[g]
    for i in range(joined):
        s.take[s.request_i[s.list_b[i], E.GROUP]] += 1
    for g in range(engine.groups):
        if s.take[g] > 0:
            s.group_last[g] = end


@inlined
def _finish_decodes(engine: Engine, s: EngineState, n: int, now: float) -> None:
    """Requests whose last token this was leave; who is at the end of its group's segment goes on in the next."""
    for g in range(engine.groups):
        while s.heap_size[g] > 0 and s.request_t[s.heap[g, 0], E.KEY] <= s.counter[g]:
            j = s.heap[g, 0]
            if engine.segments.size > 0:
                # The heap has no order among requests that end together; into the next group they go in order.
                oldest = s.queue_head[engine.groups + g]
                if s.request_i[oldest, E.ACTIVE] == 1 and s.request_t[oldest, E.KEY] <= s.counter[g]:
                    j = oldest
            s.heap_size[g] = heap_remove(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
            if s.last_active[g] == j:
                s.last_active[g] = s.request_i[j, E.PREVIOUS]
            s.active[g] -= 1
            s.context[g] -= s.request_i[j, E.CONTEXT] + s.request_i[j, E.LEFT]
            _unlink(s, engine.groups + g, j)
            s.decoding[g] -= 1
            if s.request_i[j, E.REST] > 0:
                _next_segment(engine, s, j, now)
            else:
                s.seen[E.DECODING] -= 1
                _leave(engine, s, j, now)


@compiled
def _next_segment(engine: Engine, s: EngineState, j: int, now: float) -> None:
    """Request ``j``, out of its group, waits for its turn in the next one."""
    g = s.request_i[j, E.GROUP] + 1
    s.request_i[j, E.CONTEXT] += s.request_i[j, E.LEFT]
    s.request_i[j, E.ACTIVE] = 0
    s.request_i[j, E.GROUP] = g
    s.request_t[j, E.LAST] = now
    _enter_segment(engine, s, j)
    _append(s, engine.groups + g, j)
    s.decoding[g] += 1


@inlined
def _finish_prefills(engine: Engine, s: EngineState, ends: int, now: float) -> None:
    """Prompts that ended have their first token and decode from now on."""
    for i in range(ends):
        j = s.list_a[i]
        g = s.request_i[j, E.GROUP]
        s.seen[E.PREFILLED] += 1
        if s.request_t[j, E.FIRST] < 0.0:
            s.request_t[j, E.FIRST] = now
            s.request_i[j, E.CONTEXT] = s.request_i[j, E.PROMPT_ALL]
            s.histogram[E.TTFT, bin_of(now - s.request_t[j, E.ARRIVAL])] += 1
            s.request_t[j, E.LAST] = now
        elif engine.recompute == 0:
            # Swapped in: what lay outside is resident again; the one token of its prefill was none of its own.
            s.seen[E.RESIDENT] += s.request_i[j, E.CONTEXT] - 1
            s.reserved[0] -= s.request_i[j, E.CONTEXT] - 1
        if s.request_i[j, E.LEFT] == 0:
            _leave(engine, s, j, now)
        else:
            _append(s, engine.groups + g, j)
            s.decoding[g] += 1
            s.seen[E.DECODING] += 1


@compiled
def _fault(engine: Engine, s: EngineState) -> int:
    """Why no batch can be formed though requests are there and no arrival can help."""
    for g in range(engine.groups):
        j = s.queue_head[g]
        if j >= 0 and s.seen[E.IN_SERVICE] == 0:
            s.integers[E.FAULT] = s.request_i[j, E.PROMPT_ALL]
            if s.request_i[j, E.PROMPT] >= engine.capacity:
                return E.OVER_CAPACITY
            if s.decision[E.WHOLE] == 1 and s.request_i[j, E.PROMPT] > s.decision[E.TOTAL]:
                return E.TOO_LONG
    return E.STUCK


@compiled
def advance(engine: Engine, s: EngineState, stop_window: int) -> int:
    """Run until ``stop_window`` windows have ended; returns DONE or why it stopped before."""
    if s.integers[E.SET_OUT] == 0:
        _set_out(engine, s)
    now = s.floats[E.NOW]
    while s.integers[E.NOW_WINDOW] < stop_window:
        window_end = (s.integers[E.NOW_WINDOW] + 1) * engine.window
        if now >= window_end:
            _end_window(engine, s, now)
            continue
        room = s.integers[E.FREE_REQUESTS]
        if not _arrivals(engine, s, now) or (engine.arrivals == E.SATURATED and room < engine.spare):
            s.floats[E.NOW] = now
            return E.REQUESTS_FULL
        if s.records.shape[0] > 0 and (
            s.records.shape[0] - s.integers[E.RECORDED] < s.seen[E.IN_SERVICE] + engine.spare
            or s.integers[E.EPOCHS] == s.epochs.shape[0]
        ):
            s.floats[E.NOW] = now
            return E.RECORDS_FULL
        _ask(engine, s)
        if min(s.decision[E.CHUNK], s.decision[E.TOTAL], s.decision[E.PIECES]) < 0 or s.decision[E.REPEAT] < 1:
            s.floats[E.NOW] = now
            return E.INFEASIBLE
        while _short_of_memory(engine, s):
            if not _preempt(engine, s) or s.seen[E.IN_SERVICE] == 0:
                s.floats[E.NOW] = now
                return E.OVER_CAPACITY
            _ask(engine, s)
        end = _iterate(engine, s, now, window_end)
        if end > now:
            now = end
            continue
        later = _next_arrival(engine, s)
        present = s.seen[E.IN_SERVICE]
        for g in range(engine.groups):
            present += s.waiting[g]
        if later == np.inf and present > 0:
            s.floats[E.NOW] = now
            return _fault(engine, s)
        later = min(later, window_end)
        for g in range(engine.groups):
            s.sums[E.WAITING_AREA] += (later - now) * s.waiting[g]
        s.sums[E.RESIDENT_AREA] += (later - now) * s.seen[E.RESIDENT]
        s.sums[E.DECODING_AREA] += (later - now) * s.seen[E.DECODING]
        now = later
    s.floats[E.NOW] = now
    return E.DONE


@inlined
def _short_of_memory(engine: Engine, s: EngineState) -> bool:
    """Would the decode tokens that the decision may load exceed the KV cache?"""
    wanted = 0
    for g in range(engine.groups):
        wanted += min(s.take[g], s.decoding[g])
    wanted = min(wanted, s.decision[E.TOTAL])
    return bool(wanted > 0 and s.seen[E.RESIDENT] + s.reserved[0] + wanted > engine.capacity)
