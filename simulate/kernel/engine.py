"""The event loop of one LLM engine at token level.

A policy decides at the start of an iteration; as long as nothing that it could see changes (no request ends, no
prompt ends or joins, memory suffices), the following iterations are alike and are taken together, an epoch. So
the cost grows with requests and events, not with tokens.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_account import account, finish_decodes, finish_prefills
from qtheory.simulate.kernel.engine_batch import alike, arrival_matters, ask, compose, set_active, short_of_memory
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import blocks
from qtheory.simulate.kernel.engine_order import next_prompt, rotate, shorten_prompt
from qtheory.simulate.kernel.engine_requests import join_from_pool, new_request, next_event, preempt, take_arrivals
from qtheory.simulate.kernel.engine_time import clock, iterations_over
from qtheory.simulate.kernel.jit import call, compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.variates import draw


@compiled
def set_out(engine: Engine, s: EngineState) -> None:
    for k in range(s.next_arrival.size):
        if engine.arrivals == E.OPEN:
            s.next_arrival[k] = draw(engine, s, engine.class_gap[k])
        elif engine.arrivals == E.CLOSED:
            for _ in range(engine.concurrency):
                new_request(engine, s, k, 0.0)
    s.integers[E.SET_OUT] = 1


@inlined
def _waiting(engine: Engine, s: EngineState) -> int:
    waiting = 0
    for g in range(engine.groups):
        waiting += s.waiting[g]
    return waiting


@compiled
def end_window(engine: Engine, s: EngineState) -> None:
    w = s.integers[E.NOW_WINDOW]
    # Who is partly prefilled waits, and is in service: it is counted once.
    s.sums[E.PRESENT_AT_END] = s.seen[E.DECODING] + _waiting(engine, s)
    s.sums[E.RESIDENT_AT_END] = s.seen[E.RESIDENT]
    for i in range(E.WINDOW_SUMS):
        s.windows[w, i] = s.sums[i]
        s.sums[i] = 0.0
    for k in range(engine.class_group.size):
        for i in range(E.CLASS_SUMS):
            s.class_windows[w, k, i] = s.class_sums[k, i]
            s.class_sums[k, i] = 0.0
    s.integers[E.NOW_WINDOW] = w + 1


@inlined
def _iterate(engine: Engine, s: EngineState, now: float, window_end: float) -> float:
    """One epoch from ``now``; returns its end, or ``now`` if the batch is empty."""
    prefill, decode, squares, ends, pieces = compose(engine, s, now)
    if prefill + decode == 0:
        return now
    joined, context = 0, 0.0
    for g in range(engine.groups):
        # A group without a token in this batch keeps its members: it only stands still.
        if s.take[g] > 0:
            joined = set_active(s, g, s.take[g], joined)
            context += s.context[g]
    n = alike(engine, s, prefill, decode, ends, pieces)
    n, first, slope = clock(engine, s, n, prefill, decode, context, squares, ends, pieces)
    first += s.floats[E.OVERHEAD] + (engine.draft_time if decode > 0 else 0.0)
    if s.floats[E.OVERHEAD] > 0.0:
        n = 1
        s.floats[E.OVERHEAD] = 0.0
    waiting = _waiting(engine, s)
    if n > 1 and arrival_matters(engine, s, prefill, waiting):
        n = min(n, iterations_over(next_event(engine, s, now) - now, first, slope))
    n = min(n, iterations_over(window_end - now, first, slope))
    if prefill > 0 and n > 1:
        shorten_prompt(engine, s, prefill * (n - 1))
    resident, decoding = s.seen[E.RESIDENT], s.seen[E.DECODING]
    end = account(engine, s, now, n, first, slope, prefill, decode, joined, resident, decoding)
    s.sums[E.WAITING_AREA] += (end - now) * waiting
    if decode > 0 and engine.draft > 0:
        s.floats[E.LENGTH_NOW] = end - now
        call(engine.accept, engine, s)
    finish_decodes(engine, s, end)
    if s.decision[E.ROTATE] == 1:
        for g in range(engine.groups):
            if s.take[g] > 0:
                rotate(engine, s, g)
    finish_prefills(engine, s, ends, end)
    return end


@inlined
def _infeasible(s: EngineState) -> bool:
    """Is the policy's decision none that can be carried out?"""
    least = min(s.decision[E.CHUNK], s.decision[E.TOTAL], s.decision[E.PIECES], s.decision[E.FILL])
    for g in range(s.take.size):
        least = min(least, s.take[g])
    return bool(least < 0 or s.decision[E.REPEAT] < 1)


@compiled
def _fault(engine: Engine, s: EngineState, now: float) -> int:
    """Why no batch can be formed, whoever else arrives; STUCK if an arrival could help."""
    if s.seen[E.IN_SERVICE] > 0:
        return E.STUCK
    if engine.pool > 0:
        if s.order_size[0] > 0 and s.request_t[s.order_heap[0, 0], E.KEY] <= now:
            s.integers[E.FAULT] = s.order_heap[0, 0]
            return E.OVER_CAPACITY
        return E.STUCK
    for q in range(engine.groups):
        j = next_prompt(engine, s, q, False)
        if j >= 0:
            s.integers[E.FAULT] = j
            back = max(s.request_i[j, E.CONTEXT], s.request_i[j, E.PROMPT_ALL])
            if blocks(engine, back + 1 + engine.draft) > engine.blocks:
                return E.OVER_CAPACITY
            if s.decision[E.WHOLE] == 1 and s.request_i[j, E.PROMPT] > s.decision[E.TOTAL]:
                return E.TOO_LONG
    return E.STUCK


@inlined
def records_full(engine: Engine, s: EngineState) -> bool:
    """Could the next epoch fill the arrays of records?"""
    room = s.records.shape[0]
    return bool(
        room > 0
        and (
            room - s.integers[E.RECORDED] < s.seen[E.IN_SERVICE] + engine.spare
            or room - s.integers[E.STINTS] < 2 * (s.seen[E.IN_SERVICE] + engine.spare)
            or s.integers[E.EPOCHS] == room
        )
    )


@inlined
def _idle(engine: Engine, s: EngineState, now: float, until: float) -> None:
    """Nothing runs from ``now`` on."""
    s.sums[E.WAITING_AREA] += (until - now) * _waiting(engine, s)
    s.sums[E.RESIDENT_AREA] += (until - now) * s.seen[E.RESIDENT]
    s.sums[E.DECODING_AREA] += (until - now) * s.seen[E.DECODING]
    s.sums[E.IDLE_TIME] += until - now


@compiled
def advance(engine: Engine, s: EngineState, stop_window: int) -> int:
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
        if now >= window_end:
            # Who came before the window's end is in the system, though the iteration under way ends after it.
            if engine.arrivals == E.OPEN and not take_arrivals(engine, s, window_end):
                return E.REQUESTS_FULL
            end_window(engine, s)
            continue
        if engine.arrivals == E.OPEN and not take_arrivals(engine, s, now):
            return E.REQUESTS_FULL
        if engine.arrivals == E.SATURATED and s.integers[E.FREE_REQUESTS] < engine.spare:
            return E.REQUESTS_FULL
        if records_full(engine, s):
            return E.RECORDS_FULL
        if engine.pool > 0:
            join_from_pool(engine, s, 0, 0, now)
        short = 0
        while True:
            ask(engine, s)
            if _infeasible(s):
                return E.INFEASIBLE
            if not short_of_memory(engine, s):
                break
            if not preempt(engine, s) or s.seen[E.IN_SERVICE] == 0:
                return E.OVER_CAPACITY
            short = 1
        s.sums[E.OUT_OF_MEMORY] += short
        end = _iterate(engine, s, now, window_end)
        if end > now:
            now = end
            continue
        later = next_event(engine, s, now)
        if s.seen[E.IN_SERVICE] + _waiting(engine, s) > 0:
            fault = _fault(engine, s, now)
            # Under a threshold those below it wait for company: of a trace that ends, some are left over.
            if fault != E.STUCK or (later == np.inf and s.decision[E.HOLD] == 0):
                return fault
        if engine.segments.size > 0 and s.seen[E.IN_SERVICE] > 0 and s.waiting[0] >= engine.policy_parameters[0]:
            return E.BLOCKED  # the first threshold is met, and paused requests leave no room for a prompt: for good
        later = min(later, window_end)
        _idle(engine, s, now, later)
        now = later
    s.floats[E.NOW] = now
    return E.DONE
