"""The decode list of a level: requests in order, of which a batch gives one token each to the first few, or to all.

A request in the list holds the tick at which its last token is loaded. A batch that serves the whole list moves the
tick by one and touches only those that end, found in the bucket of that tick. A batch with room for r of n requests
moves the tick or not, whichever leaves fewer requests to correct: O(min(r, n - r)), at most half its token budget.
Requests with the same end stand in a bucket in the order of the list, so that they end in it.
"""

from __future__ import annotations

from qtheory.simulate.kernel import agent_layout as L
from qtheory.simulate.kernel.agent_layout import Agents, AgentState
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.queues import append, unlink


@inlined
def _into(model: Agents, state: AgentState, level: int, j: int, front: bool) -> None:
    """Row ``j`` joins the bucket of its end."""
    rows, place = state.rows, state.rows[j, L.END] & (model.ring - 1)
    head, tail = state.bucket_head, state.bucket_tail
    first, last = head[level, place], tail[level, place]
    if front:
        rows[j, L.BEFORE], rows[j, L.AFTER] = -1, first
        if first >= 0:
            rows[first, L.BEFORE] = j
        else:
            tail[level, place] = j
        head[level, place] = j
    else:
        rows[j, L.BEFORE], rows[j, L.AFTER] = last, -1
        if last >= 0:
            rows[last, L.AFTER] = j
        else:
            head[level, place] = j
        tail[level, place] = j


@inlined
def _out(model: Agents, state: AgentState, level: int, j: int) -> None:
    """Row ``j`` leaves the bucket of its end."""
    rows, place = state.rows, state.rows[j, L.END] & (model.ring - 1)
    before, after = rows[j, L.BEFORE], rows[j, L.AFTER]
    if before >= 0:
        rows[before, L.AFTER] = after
    else:
        state.bucket_head[level, place] = after
    if after >= 0:
        rows[after, L.BEFORE] = before
    else:
        state.bucket_tail[level, place] = before


@inlined
def end_of_visit(model: Agents, state: AgentState, e: int, j: int) -> None:
    """Row ``j`` ends its visit with the batch that engine ``e`` loads."""
    state.rows[j, L.NEXT] = -1
    if state.ending_head[e] >= 0:
        state.rows[state.ending_tail[e], L.NEXT] = j
    else:
        state.ending_head[e] = j
    state.ending_tail[e] = j


@inlined
def _ends(model: Agents, state: AgentState, e: int, level: int, j: int) -> None:
    """Row ``j`` of the decode list, out of its bucket, has its last token in the batch."""
    unlink(state, state.rows, state.tick.size + level, j)
    state.decoding[level] -= 1
    state.visits[state.rows[j, L.VISIT], L.DECODING] -= 1
    state.engines[e, L.DECODE] -= 1
    end_of_visit(model, state, e, j)


@inlined
def join_decodes(model: Agents, state: AgentState, level: int, j: int, tokens: int) -> None:
    """Row ``j``, whose prefill is loaded, joins the decode list with ``tokens`` to come."""
    k = state.rows[j, L.VISIT]
    state.rows[j, L.END] = state.tick[level] + tokens
    append(state, state.rows, state.tick.size + level, j)
    _into(model, state, level, j, False)
    state.decoding[level] += 1
    state.visits[k, L.DECODING] += 1
    state.engines[model.visit_engine[k], L.DECODE] += 1


@inlined
def _move_tick(model: Agents, state: AgentState, e: int, level: int) -> None:
    """One token for each of the list; those whose end the new tick is end."""
    for i in range(model.visit_first[level], model.visit_first[level + 1]):
        k = model.level_visit[i]
        state.visits[k, L.OUTPUTS] -= state.visits[k, L.DECODING]
    state.tick[level] += 1
    tick = state.tick[level]
    j = state.bucket_head[level, tick & (model.ring - 1)]
    while j >= 0:
        after = state.rows[j, L.AFTER]
        if state.rows[j, L.END] == tick:
            _out(model, state, level, j)
            _ends(model, state, e, level, j)
        j = after


@compiled
def _serve_first(model: Agents, state: AgentState, e: int, level: int, room: int) -> None:
    """One token for each of the first ``room``: their ends come one tick nearer."""
    rows, tick = state.rows, state.tick[level]
    j = state.queue_head[state.tick.size + level]
    last = -1
    for _ in range(room):
        after = rows[j, L.NEXT]
        _out(model, state, level, j)
        rows[j, L.END] -= 1
        state.visits[rows[j, L.VISIT], L.OUTPUTS] -= 1
        if rows[j, L.END] == tick:
            _ends(model, state, e, level, j)
        else:
            last = j
        j = after
    while last >= 0:  # backwards, each to the front: before those behind that have the same end
        _into(model, state, level, last, True)
        last = rows[last, L.PREVIOUS]


@compiled
def _pass_over_last(model: Agents, state: AgentState, level: int, spared: int) -> None:
    """The ends of the last ``spared`` come one tick later, before the tick moves: no token for them."""
    rows = state.rows
    j = state.queue_tail[state.tick.size + level]
    for _ in range(spared - 1):
        j = rows[j, L.PREVIOUS]
    while j >= 0:
        _out(model, state, level, j)
        rows[j, L.END] += 1
        _into(model, state, level, j, False)
        state.visits[rows[j, L.VISIT], L.OUTPUTS] += 1
        j = rows[j, L.NEXT]


@inlined
def serve_decodes(model: Agents, state: AgentState, e: int, level: int, room: int) -> int:
    """Load one decode token for each of the list as far as there is room; returns how many."""
    n = state.decoding[level]
    if n == 0 or room == 0:
        return 0
    if 2 * room <= n:
        _serve_first(model, state, e, level, room)
        return int(room)
    if room < n:
        _pass_over_last(model, state, level, n - room)
    _move_tick(model, state, e, level)
    return int(min(n, room))
