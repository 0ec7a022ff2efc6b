"""In which order requests wait for prefill, and in which order those of a group decode.

Requests that wait stand in a list, oldest first. In any order but that of arrival the ``oldest`` of the list are kept
in two heaps, of those not started and of those started; a decode list keeps its oldest sorted at its head. Oldest is
who arrived first. A decode list is in the order of entry; under a policy that decodes only the oldest, what is not
sorted stands in the order of arrival, and all that is sorted arrived before it.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import advance_in_block, pause_in_block
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.queues import append, insert_after, unlink


@compiled
def _enter_heap(engine: Engine, s: EngineState, j: int) -> None:
    """Keep waiting request ``j`` in its order: by class, then tokens to prefill, then arrival.

    Started requests are not overtaken by shorter ones but under SRPT, and who was preempted goes first.
    """
    rank = s.request_i[j, E.CLASS] if engine.order >= E.CLASS_FIRST else 0
    started = s.request_i[j, E.STARTED]
    tokens = 0
    if engine.order == E.SRPT or (engine.order != E.CLASS_FIRST and started == 0):
        tokens = min(s.request_i[j, E.PROMPT], (1 << 24) - 1)
    if s.request_i[j, E.CONTEXT] > 0:
        tokens = 0
    s.request_i[j, E.ORDER] = (rank << 56) | (tokens << 32) | (s.request_i[j, E.NUMBER] & 0xFFFFFFFF)
    s.order_size[started] = heap_push(s.order_heap[started], s.heap_place, s.request_i, s.order_size[started], j)


@inlined
def keep_oldest(engine: Engine, s: EngineState) -> None:
    """Keep as many of the oldest waiting requests in order as the policy looks at."""
    while s.order_size[0] + s.order_size[1] < engine.oldest:
        last = s.integers[E.WINDOW_LAST]
        j = s.request_i[last, E.NEXT] if last >= 0 else s.queue_head[0]
        if j < 0:
            break
        _enter_heap(engine, s, j)
        s.integers[E.WINDOW_LAST] = j


@inlined
def next_prompt(engine: Engine, s: EngineState, q: int, started_only: bool) -> int:
    """The request of queue ``q`` whose prompt is next, -1: none."""
    if engine.order == E.FCFS:
        return int(s.queue_head[q])
    started = s.order_heap[1, 0] if s.order_size[1] > 0 else -1
    if started_only or s.order_size[0] == 0:
        return int(started)
    fresh = s.order_heap[0, 0]
    if started >= 0 and s.request_i[started, E.ORDER] < s.request_i[fresh, E.ORDER]:
        return int(started)
    return int(fresh)


@inlined
def take_prompt(engine: Engine, s: EngineState, q: int, j: int, started: int, ends: bool) -> None:
    """A chunk of waiting request ``j`` was loaded (``started``: it was before); with its prompt it leaves the queue."""
    if engine.order != E.FCFS:
        s.order_size[started] = heap_remove(s.order_heap[started], s.heap_place, s.request_i, s.order_size[started], j)
        if ends and s.integers[E.WINDOW_LAST] == j:
            s.integers[E.WINDOW_LAST] = s.request_i[j, E.PREVIOUS]
        if not ends:
            _enter_heap(engine, s, j)
    if ends:
        unlink(s, s.request_i, q, j)
        s.waiting[q] -= 1


@inlined
def shorten_prompt(engine: Engine, s: EngineState, tokens: int) -> None:
    """Further iterations load as many ``tokens`` of the prompt that was begun; it stays the first of its order."""
    j = s.integers[E.PARTIAL]
    s.request_i[j, E.PROMPT] -= tokens
    if engine.order == E.SRPT and s.request_i[j, E.CONTEXT] == 0:
        s.request_i[j, E.ORDER] -= tokens << 32


@inlined
def put_back(engine: Engine, s: EngineState, q: int, j: int) -> None:
    """Preempted request ``j`` waits before all that are not started."""
    head = s.queue_head[q]
    s.waiting[q] += 1
    if engine.order == E.FCFS:
        insert_after(s, s.request_i, q, head if head >= 0 and s.request_i[head, E.STARTED] == 1 else -1, j)
        return
    insert_after(s, s.request_i, q, -1, j)
    _enter_heap(engine, s, j)
    if s.integers[E.WINDOW_LAST] < 0:
        s.integers[E.WINDOW_LAST] = j


@inlined
def activate(s: EngineState, g: int, j: int) -> None:
    """Let ``j``, the first decode request of group ``g`` that is not active, advance."""
    pause_in_block(s, g, s.request_i[j, E.CONTEXT], -1)
    advance_in_block(s, g, s.request_i[j, E.CONTEXT], s.counter[g], 1)
    s.request_t[j, E.KEY] = s.counter[g] + s.request_i[j, E.LEFT]
    s.request_i[j, E.ACTIVE] = 1
    s.context[g] += s.request_i[j, E.CONTEXT]
    s.heap_size[g] = heap_push(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
    s.active[g] += 1
    s.active_class[g, s.request_i[j, E.CLASS]] += 1
    s.last_active[g] = j


@inlined
def end_stint(s: EngineState, g: int, j: int) -> None:
    """Active request ``j`` of group ``g`` stops advancing: what it did since it joined is noted."""
    k = s.request_i[j, E.CLASS]
    if s.late[g, k] > s.request_i[j, E.LATE_BEFORE]:
        s.request_i[j, E.LATE] = 1
    s.active_class[g, k] -= 1
    joined = int(s.request_t[j, E.KEY]) - s.request_i[j, E.LEFT]
    advance_in_block(s, g, s.request_i[j, E.CONTEXT], joined, -1)
    if s.stints.shape[0] > 0:
        e = s.integers[E.STINTS]
        s.stints[e, 0] = s.request_i[j, E.NUMBER]
        s.stints[e, 1] = g
        s.stints[e, 2] = joined
        s.stints[e, 3] = s.counter[g]
        s.integers[E.STINTS] = e + 1


@compiled
def deactivate(s: EngineState, g: int, j: int) -> None:
    """Active request ``j``, the last active one of group ``g``, pauses."""
    end_stint(s, g, j)
    left = int(s.request_t[j, E.KEY]) - s.counter[g]
    s.request_i[j, E.CONTEXT] += s.request_i[j, E.LEFT] - left
    s.context[g] -= s.request_i[j, E.CONTEXT]
    pause_in_block(s, g, s.request_i[j, E.CONTEXT], 1)
    s.request_i[j, E.LEFT] = left
    s.request_i[j, E.ACTIVE] = 0
    s.request_t[j, E.LAST] = s.group_last[g]
    s.heap_size[g] = heap_remove(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
    s.active[g] -= 1
    s.last_active[g] = s.request_i[j, E.PREVIOUS]


@inlined
def _step_back(s: EngineState, g: int, j: int) -> None:
    """Who is active is a head of the list of group ``g``: from ``j`` on all pause."""
    while j >= 0 and s.request_i[j, E.ACTIVE] == 1:
        deactivate(s, g, s.last_active[g])


@compiled
def _goes_before(engine: Engine, s: EngineState, g: int, j: int, other: int) -> bool:
    """Does ``j`` decode before ``other`` of its group, which is sorted already? Of equal ones the first to arrive."""
    if engine.decode_order == E.CLASS_FIRST:
        mine, theirs = s.request_i[j, E.CLASS], s.request_i[other, E.CLASS]
    else:
        mine, theirs = s.request_i[j, E.LEFT], s.request_i[other, E.LEFT]
        if s.request_i[other, E.ACTIVE] == 1:
            theirs = int(s.request_t[other, E.KEY]) - s.counter[g]
    return bool(mine < theirs or (mine == theirs and s.request_i[j, E.NUMBER] < s.request_i[other, E.NUMBER]))


@compiled
def sort_decodes(engine: Engine, s: EngineState, g: int) -> None:
    """Keep the oldest decode requests of group ``g`` sorted at the head of its list.

    Who advances is a head of the list and all advance alike, so it stays sorted; a request that enters is compared
    with those before it, once.
    """
    q = engine.groups + g
    while s.sorted_size[g] < engine.decode_oldest:
        last = s.sorted_last[g]
        j = s.request_i[last, E.NEXT] if last >= 0 else s.queue_head[q]
        if j < 0:
            break
        before = last
        while before >= 0 and _goes_before(engine, s, g, j, before):
            before = s.request_i[before, E.PREVIOUS]
        s.sorted_size[g] += 1
        s.request_i[j, E.ORDER] = 1
        if before == last:
            s.sorted_last[g] = j
            continue
        _step_back(s, g, s.request_i[before, E.NEXT] if before >= 0 else s.queue_head[q])
        unlink(s, s.request_i, q, j)
        insert_after(s, s.request_i, q, before, j)


@inlined
def _last_token(s: EngineState, g: int, j: int) -> float:
    """When decode request ``j`` of group ``g`` had its last token."""
    return float(s.group_last[g] if s.request_i[j, E.ACTIVE] == 1 else s.request_t[j, E.LAST])


@compiled
def _enter_overdue(engine: Engine, s: EngineState, g: int, j: int) -> None:
    """Request ``j``, which was evicted, enters before those of its group whose last token came later."""
    while s.active[g] > 0:
        deactivate(s, g, s.last_active[g])
    before, after = -1, s.queue_head[engine.groups + g]
    while after >= 0 and s.request_t[after, E.LAST] <= s.request_t[j, E.LAST]:
        before, after = after, s.request_i[after, E.NEXT]
    insert_after(s, s.request_i, engine.groups + g, before, j)


@inlined
def leave_group(engine: Engine, s: EngineState, g: int, j: int) -> None:
    """Request ``j`` leaves the decode list of group ``g``."""
    if engine.decode_order != E.FCFS and s.request_i[j, E.ORDER] == 1:
        s.sorted_size[g] -= 1
        if s.sorted_last[g] == j:
            s.sorted_last[g] = s.request_i[j, E.PREVIOUS]
    unlink(s, s.request_i, engine.groups + g, j)
    s.decoding[g] -= 1


@inlined
def _insert_by_age(engine: Engine, s: EngineState, g: int, j: int) -> None:
    """Put ``j`` behind the sorted of group ``g`` and behind those of the rest that came before it."""
    q = engine.groups + g
    before = s.queue_tail[q]
    while before != s.sorted_last[g] and s.request_i[before, E.NUMBER] > s.request_i[j, E.NUMBER]:
        before = s.request_i[before, E.PREVIOUS]
    _step_back(s, g, s.request_i[before, E.NEXT] if before >= 0 else s.queue_head[q])
    insert_after(s, s.request_i, q, before, j)
    s.request_i[j, E.ORDER] = 0
    s.decoding[g] += 1


@compiled
def _enter_by_age(engine: Engine, s: EngineState, g: int, j: int) -> None:
    """Request ``j`` enters where its arrival puts it: whoever is sorted and came later makes room."""
    i = s.sorted_last[g]
    while i >= 0:
        before = s.request_i[i, E.PREVIOUS]
        if s.request_i[i, E.NUMBER] > s.request_i[j, E.NUMBER]:
            _step_back(s, g, i)
            leave_group(engine, s, g, i)
            _insert_by_age(engine, s, g, i)
        i = before
    _insert_by_age(engine, s, g, j)


@inlined
def enter_group(engine: Engine, s: EngineState, g: int, j: int) -> None:
    """Request ``j`` decodes in group ``g`` from now on; where only the oldest do, it stands by its arrival."""
    pause_in_block(s, g, s.request_i[j, E.CONTEXT], 1)
    if engine.decode_oldest < E.ENDLESS:
        _enter_by_age(engine, s, g, j)
        return
    s.request_i[j, E.ORDER] = 0
    tail = s.queue_tail[engine.groups + g]
    if engine.deadlines == 1 and tail >= 0 and _last_token(s, g, tail) > s.request_t[j, E.LAST]:
        _enter_overdue(engine, s, g, j)
    else:
        append(s, s.request_i, engine.groups + g, j)
    s.decoding[g] += 1


@compiled
def rotate(engine: Engine, s: EngineState, g: int) -> None:
    """Those of group ``g`` that advanced pause, and go behind those that did not."""
    last = s.last_active[g]
    if s.active[g] == 0 or s.active[g] == s.decoding[g]:
        return
    while s.active[g] > 0:
        deactivate(s, g, s.last_active[g])
    q = engine.groups + g
    head, tail, first = s.queue_head[q], s.queue_tail[q], s.request_i[last, E.NEXT]
    s.request_i[tail, E.NEXT] = head
    s.request_i[head, E.PREVIOUS] = tail
    s.request_i[last, E.NEXT] = -1
    s.request_i[first, E.PREVIOUS] = -1
    s.queue_head[q], s.queue_tail[q] = first, last


@inlined
def take_by_deadline(engine: Engine, s: EngineState, total: int, limit: int, until: float) -> int:
    """Take decodes in the order of their deadlines up to ``until``, ``limit`` in all with the ``total`` taken."""
    while total < limit:
        best, earliest = -1, np.inf
        for g in range(engine.groups):
            j = s.cursor[g]
            if j >= 0:
                # The first of a group's list advance together, and their last tokens came together.
                last = s.group_last[g] if s.take[g] < s.active[g] else s.request_t[j, E.LAST]
                if last + engine.tbt_limit[g] < earliest:
                    best, earliest = g, last + engine.tbt_limit[g]
        if best < 0 or earliest > until:
            break
        s.take[best] += 1
        s.cursor[best] = s.request_i[s.cursor[best], E.NEXT]
        total += 1
    return total
