"""The loop over slots of a network of LLM engines. Its cost grows with batches and requests, not with the backlog.

In a slot engines without a batch load one from what is there at the slot's start; batches that end with the slot
send their requests on, in the order of loading and of engines; then come the slot's arrivals, type by type. Both are
there at the next slot. Throughput-optimal scheduling, Section 2.2. Slots in which nothing can happen are passed over.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import agent_layout as L
from qtheory.simulate.kernel.agent_decode import end_of_visit, join_decodes, serve_decodes
from qtheory.simulate.kernel.agent_layout import Agents, AgentState, Census
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.variates import draw


@inlined
def _load_prefills(model: Agents, state: AgentState, e: int, level: int, room: int) -> tuple[int, int]:
    """Load prompt tokens, the first request's first. Returns (tokens, the first of the rows whose decode follows)."""
    rows, used, first, last = state.rows, 0, -1, -1
    while used < room:
        j = state.queue_head[level]
        if j < 0:
            break
        left = rows[j, L.PROMPT]
        take = min(left, room - used)
        used += take
        k = rows[j, L.VISIT]
        state.visits[k, L.PROMPTS] -= take
        if take < left:
            rows[j, L.PROMPT] = left - take
            break
        state.queue_head[level] = rows[j, L.NEXT]
        if rows[j, L.NEXT] < 0:
            state.queue_tail[level] = -1
        if rows[j, L.OUTPUT] == 0:
            end_of_visit(model, state, e, j)
            continue
        rows[j, L.NEXT] = -1
        if first < 0:
            first = j
        else:
            rows[last, L.NEXT] = j
        last = j
    state.engines[e, L.PREFILL] -= used
    return used, first


@inlined
def _load(model: Agents, state: AgentState, e: int) -> None:
    """Engine ``e`` loads a batch, level by level; an empty one leaves it idle."""
    could = min(model.budget[e], state.engines[e, L.PREFILL] + state.engines[e, L.DECODE])
    if could == 0:
        return
    room = model.budget[e]
    for level in range(model.level_first[e], model.level_first[e + 1]):
        if room == 0:
            break
        j = -1
        for phase in range(2):
            if (phase == 0) == (model.decode_first[e] == 1):
                room -= serve_decodes(model, state, e, level, room)
            else:
                used, j = _load_prefills(model, state, e, level, room)
                room -= used
        while j >= 0:
            after = state.rows[j, L.NEXT]
            join_decodes(model, state, level, j, state.rows[j, L.OUTPUT])
            j = after
    loaded = model.budget[e] - room
    state.integers[L.IDLED] += loaded != could
    state.engines[e, L.BATCHES] += 1
    state.engines[e, L.LOADED] += loaded
    state.remaining[e] = model.slots[model.slots_first[e] + loaded]


@inlined
def _count(state: AgentState, k: int, change: int, now: int) -> None:
    """Change the number of requests at visit ``k`` and carry its sum over slots to ``now``."""
    state.visits[k, L.AREA] += state.visits[k, L.PRESENT] * (now - state.counted[k])
    state.counted[k] = now
    state.visits[k, L.PRESENT] += change


@inlined
def _new_row(state: AgentState) -> int:
    j: int = state.integers[L.FREE]
    state.integers[L.FREE] = state.rows[j, L.NEXT]
    state.integers[L.FREE_ROWS] -= 1
    return j


@inlined
def _free(state: AgentState, j: int) -> None:
    state.rows[j, L.NEXT] = state.integers[L.FREE]
    state.integers[L.FREE] = j
    state.integers[L.FREE_ROWS] += 1


@inlined
def _come(state: AgentState, j: int, k: int) -> None:
    """Row ``j`` is the last that comes to a visit, ``k``, before the next slot."""
    state.rows[j, L.VISIT] = k
    state.rows[j, L.NEXT] = -1
    if state.integers[L.COMING] >= 0:
        state.rows[state.integers[L.LAST], L.NEXT] = j
    else:
        state.integers[L.COMING] = j
    state.integers[L.LAST] = j


@inlined
def _enter(model: Agents, state: AgentState, j: int, now: int) -> None:
    """Row ``j`` begins its visit: its tokens can be loaded from slot ``now`` on."""
    k = state.rows[j, L.VISIT]
    prompt, output = 0, 0
    if model.prompt_source[k] >= 0:
        prompt = int(draw(model, state, model.prompt_source[k]))
    if model.output_source[k] >= 0:
        output = int(draw(model, state, model.output_source[k]))
    if model.together[k] == 1:
        prompt += output
        output = 0
    _count(state, k, 1, now)
    state.visits[k, L.CAME] += 1
    state.visits[k, L.PROMPTS] += prompt
    state.visits[k, L.OUTPUTS] += output
    level = model.visit_level[k]
    if prompt == 0:
        join_decodes(model, state, level, j, output)
        return
    state.engines[model.visit_engine[k], L.PREFILL] += prompt
    state.rows[j, L.PROMPT] = prompt
    state.rows[j, L.OUTPUT] = output
    state.rows[j, L.NEXT] = -1
    tail = state.queue_tail[level]
    if tail >= 0:
        state.rows[tail, L.NEXT] = j
    else:
        state.queue_head[level] = j
    state.queue_tail[level] = j


@inlined
def _move_on(model: Agents, state: AgentState, j: int, now: int) -> None:
    """Row ``j`` has ended its visit before slot ``now``: on to those that follow, or the request leaves."""
    k = state.rows[j, L.VISIT]
    a = model.visit_type[k]
    state.visits[k, L.ENDED] += 1
    _count(state, k, -1, now)
    first, last = model.follow_first[k], model.follow_first[k + 1]
    forks = model.forks[a] == 1
    root = state.root[j] if forks else 0
    left = first == last
    if left and forks:
        state.joined[root, 0] -= 1
        left = state.joined[root, 0] == 0
        if left:
            _free(state, root)
    state.types[a, L.LEFT] += left
    for i in range(first, last):
        w = model.follow[i]
        if model.join[w] >= 0:
            state.joined[root, model.join[w]] += 1
            if state.joined[root, model.join[w]] < model.needs[w]:
                continue
        row = j
        if forks:
            row = _new_row(state)
            state.root[row] = root
        _come(state, row, w)
    if forks or left:
        _free(state, j)


@inlined
def _begin(model: Agents, state: AgentState, a: int) -> None:
    """A request of type ``a`` comes to its first visits."""
    root = -1
    if model.forks[a] == 1:
        root = _new_row(state)
        state.joined[root, 0] = model.leaves[a]
        for c in range(1, state.joined.shape[1]):
            state.joined[root, c] = 0
    state.types[a, L.BORN] += 1
    for i in range(model.start_first[a], model.start_first[a + 1]):
        row = _new_row(state)
        if root >= 0:
            state.root[row] = root
        _come(state, row, model.start[i])


@compiled
def _copy(counters: np.ndarray, window: np.ndarray) -> None:
    for i in range(counters.shape[0]):
        for c in range(counters.shape[1]):
            window[i, c] = counters[i, c]


@compiled
def _end_window(state: AgentState, now: int) -> None:
    w = state.integers[L.WINDOW]
    for k in range(state.visits.shape[0]):
        _count(state, k, 0, now)
    _copy(state.visits, state.visit_windows[w])
    _copy(state.engines, state.engine_windows[w])
    _copy(state.types, state.type_windows[w])
    state.integers[L.WINDOW] = w + 1


@inlined
def _pass(model: Agents, state: AgentState) -> int:
    """The slots until a batch ends, a request arrives or the window ends: at least 1."""
    now = state.integers[L.NOW]
    span = (state.integers[L.WINDOW] + 1) * model.window - now
    for e in range(state.remaining.size):
        if state.remaining[e] > 0:
            span = min(span, state.remaining[e])
    for a in range(state.arrival.size):
        if state.arrival[a] < now + span:
            span = min(span, int(state.arrival[a]) + 1 - now)
    return int(span)


@compiled
def advance(model: Agents, state: AgentState, stop_window: int) -> int:
    """Run until ``stop_window`` windows have ended. Returns DONE, or ROWS_FULL when there must be more rows; call
    again to go on."""
    turns = 0
    while state.integers[L.WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        if state.integers[L.ARRIVING] == 0:
            if state.integers[L.FREE_ROWS] < model.reserve:
                return L.ROWS_FULL
            for e in range(state.remaining.size):
                if state.remaining[e] == 0:
                    _load(model, state, e)
            span = _pass(model, state)
            state.integers[L.NOW] += span
            now = state.integers[L.NOW]
            for e in range(state.remaining.size):
                if state.remaining[e] > 0:
                    state.remaining[e] -= span
                    if state.remaining[e] == 0:
                        j = state.ending_head[e]
                        state.ending_head[e] = -1
                        while j >= 0:
                            after = state.rows[j, L.NEXT]
                            _move_on(model, state, j, now)
                            j = after
            state.integers[L.ARRIVING] = 1
        now = state.integers[L.NOW]
        for a in range(state.arrival.size):
            need = 1 + model.start_first[a + 1] - model.start_first[a]
            while state.arrival[a] < now:
                if state.integers[L.FREE_ROWS] < need:
                    return L.ROWS_FULL
                gap = draw(model, state, model.gap_source[a])
                if state.arrival[a] < 0.0:  # the first gap begins with the run
                    state.arrival[a] = gap
                else:
                    state.arrival[a] += gap
                    _begin(model, state, a)
        state.integers[L.ARRIVING] = 0
        j = state.integers[L.COMING]
        state.integers[L.COMING] = -1
        while j >= 0:
            after = state.rows[j, L.NEXT]
            _enter(model, state, j, now)
            j = after
        if now == (state.integers[L.WINDOW] + 1) * model.window:
            _end_window(state, now)
    return L.DONE


@compiled
def census(state: AgentState, counted: Census) -> None:
    """Count the rows in all queues and lists: PRESENT, DECODING, PROMPTS and OUTPUTS."""
    levels, rows, found = state.tick.size, state.rows, counted.found
    for level in range(levels):
        j = state.queue_head[level]
        while j >= 0:
            k = rows[j, L.VISIT]
            found[k, L.PRESENT] += 1
            found[k, L.PROMPTS] += rows[j, L.PROMPT]
            found[k, L.OUTPUTS] += rows[j, L.OUTPUT]
            j = rows[j, L.NEXT]
        j = state.queue_head[levels + level]
        while j >= 0:
            k = rows[j, L.VISIT]
            found[k, L.PRESENT] += 1
            found[k, L.DECODING] += 1
            found[k, L.OUTPUTS] += rows[j, L.END] - state.tick[level]
            j = rows[j, L.NEXT]
    for e in range(state.ending_head.size):
        j = state.ending_head[e]
        while j >= 0:
            found[rows[j, L.VISIT], L.PRESENT] += 1
            j = rows[j, L.NEXT]
