"""The batch of an iteration: what the policy decides, and which tokens are loaded for it."""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import blocks, free_blocks, iterations_in_memory, next_blocks
from qtheory.simulate.kernel.engine_order import (
    activate,
    deactivate,
    keep_oldest,
    next_prompt,
    sort_decodes,
    take_by_deadline,
    take_prompt,
)
from qtheory.simulate.kernel.engine_requests import new_request
from qtheory.simulate.kernel.jit import call, inlined


@inlined
def ask(engine: Engine, s: EngineState) -> None:
    """Defaults, what the policy sees, and its decision."""
    s.decision[E.CHUNK] = E.ENDLESS
    s.decision[E.TOTAL] = E.ENDLESS
    s.decision[E.PREFILL_FIRST] = 0
    s.decision[E.EXCLUSIVE] = 0
    s.decision[E.WHOLE] = 0
    s.decision[E.PIECES] = E.ENDLESS
    s.decision[E.REPEAT] = E.ENDLESS
    s.decision[E.WATCH] = 1
    s.decision[E.FILL] = 0
    s.decision[E.ROTATE] = 0
    s.decision[E.HOLD] = 0
    waiting = 0
    for g in range(engine.groups):
        s.take[g] = E.ENDLESS
        s.prompts[g] = E.ENDLESS
        waiting += s.waiting[g]
        if engine.decode_order != E.FCFS:
            sort_decodes(engine, s, g)
    s.seen[E.WAITING] = E.ENDLESS if engine.arrivals == E.SATURATED else waiting
    call(engine.decide, engine, s)


@inlined
def within(engine: Engine, tokens: int) -> int:
    """Decode requests that so many tokens of a batch are for: each has one and its drafts."""
    return tokens if engine.draft == 0 else tokens // (1 + engine.draft)


@inlined
def short_of_memory(engine: Engine, s: EngineState) -> bool:
    """Would the decode requests that the decision may load exceed the KV cache?"""
    wanted = 0
    for g in range(engine.groups):
        wanted += min(s.take[g], s.decoding[g])
    wanted = min(max(wanted, min(s.decision[E.FILL], s.seen[E.DECODING])), within(engine, s.decision[E.TOTAL]))
    s.integers[E.WANTED] = wanted
    every = engine.groups
    return bool(wanted > 0 and next_blocks(engine, s, 0, every, wanted) > free_blocks(engine, s, 0, every))


@inlined
def set_active(s: EngineState, g: int, wanted: int, joined: int) -> int:
    """Let the first ``wanted`` decoding requests of group ``g`` advance; who joins is added to ``s.list_b``."""
    while s.active[g] > wanted:
        deactivate(s, g, s.last_active[g])
    while s.active[g] < wanted:
        last = s.last_active[g]
        j = s.queue_head[s.active.size + g] if last < 0 else s.request_i[last, E.NEXT]
        activate(s, g, j)
        s.list_b[joined] = j
        joined += 1
    return joined


@inlined
def _load_decodes(engine: Engine, s: EngineState, room: int) -> int:
    """How many decode requests the decision loads into ``room`` tokens, group by group, into ``s.take``."""
    total, most = 0, within(engine, room)
    for g in range(engine.groups):
        s.take[g] = min(s.take[g], s.decoding[g], most - total)
        total += s.take[g]
    return total


@inlined
def _load_prefills(engine: Engine, s: EngineState, room: int, now: float) -> tuple[int, float, int, int]:
    """Load up to ``room`` prompt tokens, in the order of the requests that wait.

    Returns (tokens, sum of squared chunks, prompts that end, requests touched); ends are listed in ``s.list_a``.
    """
    tokens, squares, ends, pieces, begun = 0, 0.0, 0, 0, 0
    s.integers[E.PARTIAL] = -1
    s.floats[E.CHUNK_WHOLE] = s.floats[E.CHUNK_WORK] = 0.0
    if engine.order != E.FCFS:
        keep_oldest(engine, s)
    for q in range(engine.groups):
        fresh = s.prompts[q]
        started_only = False
        while tokens < room and pieces < s.decision[E.PIECES]:
            if engine.arrivals == E.SATURATED and s.queue_head[q] < 0:
                new_request(engine, s, q, now)
            j = next_prompt(engine, s, q, started_only)
            if j < 0:
                break
            remaining = s.request_i[j, E.PROMPT]
            if s.decision[E.WHOLE] == 1 and remaining > room - tokens:
                break
            started = s.request_i[j, E.STARTED]
            before = s.request_i[j, E.CONTEXT]
            whole = before or s.request_i[j, E.PROMPT_ALL]
            if started == 0:
                then = blocks(engine, whole + 1 + engine.draft)
                # With room for the next token of every request that decodes then: else it would be evicted at once.
                then += next_blocks(engine, s, 0, engine.groups, s.seen[E.DECODING]) + begun
                free = free_blocks(engine, s, 0, engine.groups)
                if fresh < 1 or s.seen[E.IN_SERVICE] >= engine.slots or then > free:
                    if engine.order == E.FCFS:
                        break
                    started_only = True
                    continue
                fresh -= 1
                s.request_i[j, E.STARTED] = 1
                s.seen[E.IN_SERVICE] += 1
                # What a prefix cache holds of a prompt is there from its start on.
                s.seen[E.RESIDENT] += whole - remaining if before == 0 else 0
                s.held[s.request_i[j, E.GROUP]] += blocks(engine, whole)
            chunk = min(remaining, room - tokens)
            tokens += chunk
            pieces += 1
            squares += float(chunk) * chunk
            if engine.law == E.KERNELS:
                seen = whole - remaining + chunk
                s.floats[E.CHUNK_WHOLE] += float(seen) * seen
                s.floats[E.CHUNK_WORK] += float(seen) * seen - float(seen - chunk) * (seen - chunk)
            s.request_i[j, E.PROMPT] = remaining - chunk
            take_prompt(engine, s, q, j, started, remaining == chunk)
            if remaining > chunk:
                s.integers[E.PARTIAL] = j
                break
            s.list_a[ends] = j
            ends += 1
            begun += blocks(engine, whole + 1 + engine.draft) - blocks(engine, whole)
    return tokens, squares, ends, pieces


@inlined
def compose(engine: Engine, s: EngineState, now: float) -> tuple[int, int, float, int, int]:
    """The batch of this iteration: (prefill tokens, decode requests, squares, prompts that end, prefill requests)."""
    budget = s.decision[E.TOTAL]
    prefill_first, exclusive = s.decision[E.PREFILL_FIRST] == 1, s.decision[E.EXCLUSIVE] == 1
    decode = 0 if prefill_first else _load_decodes(engine, s, budget)
    room = 0 if exclusive and decode > 0 else min(budget - decode * (1 + engine.draft), s.decision[E.CHUNK])
    prefill, squares, ends, pieces = _load_prefills(engine, s, room, now)
    if prefill_first:
        decode = _load_decodes(engine, s, 0 if exclusive and prefill > 0 else budget - prefill)
    elif s.decision[E.FILL] > 0:
        decode = take_by_deadline(engine, s, decode, min(s.decision[E.FILL], budget - prefill), E.FOREVER)
    return prefill, decode, squares, ends, pieces


@inlined
def alike(engine: Engine, s: EngineState, prefill: int, decode: int, ends: int, pieces: int) -> int:
    """How many iterations from now on are alike as far as requests and memory go."""
    n = int(s.decision[E.REPEAT])
    if ends > 0 or pieces > 1 or (decode > 0 and engine.draft > 0):
        return 1
    if prefill > 0:
        # This iteration's tokens are already taken off; the one that ends the prompt comes alone.
        n = min(n, 1 + (s.request_i[s.integers[E.PARTIAL], E.PROMPT] - 1) // prefill)
    for g in range(engine.groups):
        if s.active[g] > 0 and s.take[g] > 0:
            n = min(n, int(s.request_t[s.heap[g, 0], E.KEY]) - s.counter[g])
    if decode > 0 and engine.capacity < E.ENDLESS:
        n = min(n, iterations_in_memory(engine, s, 0, engine.groups, decode, s.integers[E.WANTED], n))
    return max(1, n)


@inlined
def arrival_matters(engine: Engine, s: EngineState, prefill: int, waiting: int) -> bool:
    """Can a request that arrives change the next batch?"""
    watch = s.decision[E.WATCH]
    if watch == 0 or watch == 2 or waiting == 0:
        return bool(watch > 0)
    if engine.order == E.FCFS:
        return False
    # A newcomer may go before those that wait; one prompt at a time is finished before the next.
    return bool(engine.order >= E.SRPT or (prefill == 0 and s.seen[E.IN_SERVICE] < engine.slots))
