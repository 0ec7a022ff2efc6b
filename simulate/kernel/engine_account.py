"""What an epoch changes: totals, times between tokens, requests that end a prompt, a segment or their output."""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import begun_blocks, blocks
from qtheory.simulate.kernel.engine_order import end_stint, enter_group, leave_group
from qtheory.simulate.kernel.engine_requests import enter_segment, first_token, leave
from qtheory.simulate.kernel.histogram import bin_of, count_steps
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.patience import heap_remove

# Limits are met to within rounding: equal times that were summed in another order do not miss them.
_SLACK = 1.0 + 1e-12


@inlined
def account(
    engine: Engine,
    s: EngineState,
    now: float,
    n: int,
    first: float,
    slope: float,
    prefill: int,
    decode: int,
    joined: int,
    resident: int,
    decoding: int,
) -> float:
    """Count an epoch of ``n`` iterations from ``now``, at whose start so many tokens are ``resident`` and so many
    requests ``decoding``; returns its end."""
    length = n * first + slope * (0.5 * n * (n - 1))
    s.sums[E.RESIDENT_AREA] += length * resident + 0.5 * length * n * (prefill + decode)
    s.sums[E.DECODING_AREA] += length * decoding
    s.sums[E.PREFILL_TOKENS] += prefill * n
    s.sums[E.DECODE_TOKENS] += decode * n
    s.sums[E.ITERATIONS] += n
    s.sums[E.MIXED] += n if prefill > 0 and decode > 0 else 0
    s.sums[E.BUSY_TIME] += length * engine.share
    s.floats[E.TOTAL_BUSY] += length
    s.floats[E.LONGEST] = max(s.floats[E.LONGEST], first + slope * (n - 1))
    s.integers[E.TOTAL_ITERATIONS] += n
    s.batch_histogram[0, min(prefill, 4096)] += n
    s.batch_histogram[1, min(decode, 4096)] += n
    s.seen[E.RESIDENT] += (prefill + decode) * n
    for g in range(engine.groups):
        if s.take[g] > 0:
            s.held[g] += begun_blocks(engine, s, g, n)
            s.counter[g] += n
            s.context[g] += n * s.take[g]
    if s.epochs.shape[0] > 0:
        _record_epoch(engine, s, now, n, first, slope, prefill, decode)
    if decode > 0:
        _gaps(engine, s, now + first, n, first, slope, joined)
        for g in range(engine.groups):
            if s.take[g] > 0:
                s.group_last[g] = now + length
    return float(now + length)


@inlined
def _record_epoch(
    engine: Engine, s: EngineState, now: float, n: int, first: float, slope: float, prefill: int, decode: int
) -> None:
    e = s.integers[E.EPOCHS]
    s.epochs[e, 0] = now
    s.epochs[e, 1] = n
    s.epochs[e, 2] = first
    s.epochs[e, 3] = slope
    s.epochs[e, 4] = prefill
    s.epochs[e, 5] = decode
    s.epochs[e, 6] = 0.0
    for g in range(engine.groups):
        if s.take[g] > 0:
            s.epochs[e, 6] += 2.0**g
    s.integers[E.EPOCHS] = e + 1


@inlined
def _gaps(engine: Engine, s: EngineState, first_end: float, n: int, first: float, slope: float, joined: int) -> None:
    """Times between the tokens of an epoch: for who joins the first one by one, all others class by class."""
    for i in range(joined):
        j = s.list_b[i]
        s.active_class[s.request_i[j, E.GROUP], s.request_i[j, E.CLASS]] -= 1
    for g in range(engine.groups):
        if s.take[g] > 0:
            gap = first_end - s.group_last[g]
            for k in range(engine.class_group.size):
                if s.active_class[g, k] > 0:
                    s.histogram[k, E.TBT, bin_of(gap)] += s.active_class[g, k]
                    s.late[g, k] += gap > engine.tbt_limit[k] * _SLACK
    for i in range(joined):
        j = s.list_b[i]
        g, k = s.request_i[j, E.GROUP], s.request_i[j, E.CLASS]
        s.active_class[g, k] += 1
        s.request_i[j, E.LATE_BEFORE] = s.late[g, k]
        if s.request_t[j, E.FIRST] < 0.0:
            first_token(s, j, first_end)
            continue
        gap = first_end - s.request_t[j, E.LAST]
        s.histogram[k, E.TBT, bin_of(gap)] += 1
        if gap > engine.tbt_limit[k] * _SLACK:
            s.request_i[j, E.LATE] = 1
    if n == 1:
        return
    for g in range(engine.groups):
        if s.take[g] > 0:
            for k in range(engine.class_group.size):
                if s.active_class[g, k] > 0:
                    count_steps(s.histogram[k, E.TBT], first + slope, slope, n - 1, s.active_class[g, k])
                    s.late[g, k] += first + slope * (n - 1) > engine.tbt_limit[k] * _SLACK


@inlined
def finish_decodes(engine: Engine, s: EngineState, now: float) -> None:
    """Who is at the end of its group's segment goes on in the next; requests whose last token this was leave.

    These leave in the order of their arrival, which the window of an online controller remembers.
    """
    ended = 0
    for g in range(engine.groups):
        while s.heap_size[g] > 0 and s.request_t[s.heap[g, 0], E.KEY] <= s.counter[g]:
            j = s.heap[g, 0]
            if engine.segments.size > 0:
                # The heap has no order among requests that end together; into the next group they go in order.
                oldest = s.queue_head[engine.groups + g]
                if s.request_i[oldest, E.ACTIVE] == 1 and s.request_t[oldest, E.KEY] <= s.counter[g]:
                    j = oldest
            end_stint(s, g, j)
            s.heap_size[g] = heap_remove(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
            if s.last_active[g] == j:
                s.last_active[g] = s.request_i[j, E.PREVIOUS]
            s.active[g] -= 1
            s.context[g] -= s.request_i[j, E.CONTEXT] + s.request_i[j, E.LEFT]
            leave_group(engine, s, g, j)
            if s.request_i[j, E.REST] > 0:
                _next_segment(engine, s, j, now)
                continue
            s.seen[E.DECODING] -= 1
            place = ended
            while place > 0 and s.request_i[s.list_b[place - 1], E.NUMBER] > s.request_i[j, E.NUMBER]:
                s.list_b[place] = s.list_b[place - 1]
                place -= 1
            s.list_b[place] = j
            ended += 1
    for i in range(ended):
        leave(engine, s, s.list_b[i], now)


@compiled
def _next_segment(engine: Engine, s: EngineState, j: int, now: float) -> None:
    """Request ``j``, out of its group, waits for its turn in the next one."""
    g = s.request_i[j, E.GROUP] + 1
    s.request_i[j, E.CONTEXT] += s.request_i[j, E.LEFT]
    s.held[g - 1] -= blocks(engine, s.request_i[j, E.CONTEXT])
    s.held[g] += blocks(engine, s.request_i[j, E.CONTEXT])
    s.request_i[j, E.ACTIVE] = 0
    s.request_i[j, E.GROUP] = g
    s.request_t[j, E.LAST] = now
    enter_segment(engine, s, j)
    enter_group(engine, s, g, j)


@inlined
def finish_prefills(engine: Engine, s: EngineState, ends: int, now: float) -> None:
    """Prompts that ended have their first token and decode from now on."""
    for i in range(ends):
        j = s.list_a[i]
        s.seen[E.PREFILLED] += 1
        if s.request_i[j, E.CONTEXT] == 0:
            s.request_i[j, E.CONTEXT] = s.request_i[j, E.PROMPT_ALL]
            s.request_t[j, E.LAST] = now
            if engine.late_first == 0 or s.request_i[j, E.LEFT] == 0:
                first_token(s, j, now)
        elif engine.recompute == 0:
            # Swapped in: what lay outside is resident again; the one token of its prefill was none of its own.
            s.seen[E.RESIDENT] += s.request_i[j, E.CONTEXT] - 1
        if s.request_i[j, E.LEFT] == 0:
            leave(engine, s, j, now)
        else:
            enter_group(engine, s, s.request_i[j, E.GROUP], j)
            s.seen[E.DECODING] += 1
