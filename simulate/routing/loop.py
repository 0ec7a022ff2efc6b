"""The loop of a fleet of engines behind a router. An event costs the logarithm of their number, an iteration nothing.

A request that finds its engine decoding alone, with a free slot, cuts the epoch at the end of the iteration under way.
"""

from __future__ import annotations

import math

import numpy as np

from qtheory.simulate.kernel.events import set_clock
from qtheory.simulate.kernel.histogram import bin_of
from qtheory.simulate.kernel.jit import apart, compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.variates import draw, first_at_least
from qtheory.simulate.routing import layout as L
from qtheory.simulate.routing.layout import Routed, RoutedState

# ---- what the router sees ----


@inlined
def _one_more(s: RoutedState, g: int) -> None:
    """Engine ``g`` has one more request: it goes behind those that have as many."""
    c, last = s.engines[g, L.PRESENT], s.first[s.engines[g, L.PRESENT] + 1] - 1
    other, place = s.order[last], s.engines[g, L.PLACE]
    s.order[last], s.order[place] = g, other
    s.engines[g, L.PLACE], s.engines[other, L.PLACE] = last, place
    s.first[c + 1] = last
    s.engines[g, L.PRESENT] = c + 1


@inlined
def _one_less(s: RoutedState, g: int) -> None:
    """Engine ``g`` has one request less: it goes before those that have as many."""
    c = s.engines[g, L.PRESENT]
    front, place = s.first[c], s.engines[g, L.PLACE]
    other = s.order[front]
    s.order[front], s.order[place] = g, other
    s.engines[g, L.PLACE], s.engines[other, L.PLACE] = front, place
    s.first[c] = front + 1
    s.engines[g, L.PRESENT] = c - 1


@inlined
def _weigh(model: Routed, s: RoutedState, g: int, j: int, sign: int) -> None:
    """Count request ``j`` among the tokens in flight of engine ``g``, or no more."""
    prompt, output = s.rows[j, L.PROMPT], s.rows[j, L.OUTPUT]
    s.integers[L.IN_FLIGHT] += sign * (prompt + output)
    if model.rule == L.LEAST_TOKENS:
        s.tokens[g] += sign * (prompt + model.expected[s.rows[j, L.CLASS]])
        set_clock(s.load, s.loaded, g, s.tokens[g])


@inlined
def _chosen(model: Routed, s: RoutedState, j: int) -> int:
    """The engine to which the router sends request ``j``."""
    n = s.order.size
    choices = model.expected.size * 3
    if model.rule == L.SHORTEST:
        least = s.engines[s.order[0], L.PRESENT]
        return int(s.order[int(draw(model, s, choices) * s.first[least + 1])])
    if model.rule == L.LEAST_TOKENS:
        return int(s.loaded[1])
    if model.rule == L.RANDOM:
        return int(draw(model, s, choices) * n)
    if model.rule == L.ROUND_ROBIN:
        s.integers[L.TURN] = (s.integers[L.TURN] + 1) % n
        return int(s.integers[L.TURN])
    g = model.home[s.rows[j, L.PREFIX]]
    most = math.ceil(model.bound * (s.integers[L.TOTAL] + 1) / n)
    while s.engines[g, L.PRESENT] >= most:
        g = g + 1 if g + 1 < n else 0
    return int(g)


# ---- an engine's decodes, by the tick of their last token ----


@inlined
def _push(s: RoutedState, g: int, size: int, tick: int, j: int) -> None:
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if s.ends[g, above] <= tick:
            break
        s.ends[g, place], s.ending[g, place] = s.ends[g, above], s.ending[g, above]
        place = above
    s.ends[g, place], s.ending[g, place] = tick, j


@inlined
def _pop(s: RoutedState, g: int, size: int) -> int:
    """The row whose last token comes first; ``size``: of the heap before."""
    found = s.ending[g, 0]
    last = size - 1
    tick, j, place = s.ends[g, last], s.ending[g, last], 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        if below + 1 < last and s.ends[g, below + 1] < s.ends[g, below]:
            below += 1
        if s.ends[g, below] >= tick:
            break
        s.ends[g, place], s.ending[g, place] = s.ends[g, below], s.ending[g, below]
        place = below
    s.ends[g, place], s.ending[g, place] = tick, j
    return int(found)


# ---- epochs ----


@inlined
def _lasts(model: Routed, s: RoutedState, g: int, count: int) -> float:
    """Seconds of the first ``count`` iterations of the epoch: each holds a token of every decode more than the last."""
    d, held = s.engines[g, L.DECODES], s.engines[g, L.HELD]
    return float(count * s.epoch[g, L.BASE] + model.context * (held * count + d * (count * (count - 1) // 2)))


@inlined
def _begun(model: Routed, s: RoutedState, g: int, now: float) -> float:
    """Engine ``g`` loads what it has: the time at which its next epoch ends, never where it has nothing."""
    d, count, full = s.engines[g, L.DECODES], 0, 0
    if d > 0:
        count = s.ends[g, 0] - s.engines[g, L.TICK]
    if s.engines[g, L.ROW] >= 0:
        room, left = model.chunk - d, s.engines[g, L.LEFT]
        whole = left // room
        if whole > 0:
            full = 1
            count = min(count, whole) if d > 0 else whole
            s.epoch[g, L.BASE] = model.with_prompt[model.chunk]
        else:
            count = 1
            s.epoch[g, L.BASE] = model.with_prompt[d + left]
    elif d == 0:
        s.engines[g, L.COUNT] = 0
        return np.inf
    else:
        s.epoch[g, L.BASE] = model.decodes_alone[d]
    s.epoch[g, L.START] = now
    s.engines[g, L.COUNT], s.engines[g, L.FULL] = count, full
    return float(now + _lasts(model, s, g, count))


@inlined
def _cut(model: Routed, s: RoutedState, g: int, now: float) -> None:
    """The epoch of decodes alone ends with the iteration under way."""
    d = s.engines[g, L.DECODES]
    slope = 0.5 * model.context * d
    linear = s.epoch[g, L.BASE] + model.context * (s.engines[g, L.HELD] - 0.5 * d)
    passed = now - s.epoch[g, L.START]
    count = int(passed * 2.0 / (linear + math.sqrt(linear * linear + 4.0 * slope * passed)))  # of those that have ended
    count = max(count - 1, 1)
    while count < s.engines[g, L.COUNT] and _lasts(model, s, g, count) < passed:
        count += 1
    if count < s.engines[g, L.COUNT]:
        s.engines[g, L.COUNT] = count
        set_clock(s.when, s.who, g, s.epoch[g, L.START] + _lasts(model, s, g, count))


@inlined
def _cached(model: Routed, s: RoutedState, g: int, j: int) -> int:
    """Tokens of the prompt that the engine's prefix cache has; the prefix becomes the one that was used last."""
    if model.prefix_tokens == 0 or model.cached == 0:
        return 0
    prefix, at = s.rows[j, L.PREFIX], model.cached - 1
    for place in range(model.cached):
        if s.cache[g, place] == prefix:
            at = place
            break
    found = s.cache[g, at] == prefix
    for place in range(at, 0, -1):
        s.cache[g, place] = s.cache[g, place - 1]
    s.cache[g, 0] = prefix
    return model.prefix_tokens if found else 0


@inlined
def _load(model: Routed, s: RoutedState, g: int) -> None:
    """Engine ``g``, without a prompt in prefill, takes the first of its queue if it has a slot."""
    j = s.engines[g, L.HEAD]
    if j < 0 or s.engines[g, L.DECODES] >= model.slots:
        return
    s.engines[g, L.HEAD] = s.rows[j, L.NEXT]
    if s.rows[j, L.NEXT] < 0:
        s.engines[g, L.TAIL] = -1
    skipped = _cached(model, s, g, j)
    s.sums[s.rows[j, L.CLASS], L.SKIPPED] += skipped
    s.engines[g, L.ROW], s.engines[g, L.LEFT] = j, s.rows[j, L.PROMPT] - skipped


@inlined
def _present(s: RoutedState, change: int, now: float) -> None:
    """Carry the fleet's integrals to ``now``, and change the number of its requests."""
    passed = now - s.floats[L.LAST]
    s.floats[L.PRESENT_AREA] += passed * s.integers[L.TOTAL]
    s.floats[L.BUSY_AREA] += passed * s.integers[L.BUSY]
    s.floats[L.LAST] = now
    s.integers[L.TOTAL] += change


@inlined
def _complete(model: Routed, s: RoutedState, g: int, j: int, now: float, warm: bool) -> None:
    """Request ``j`` has its last token."""
    _present(s, -1, now)
    _one_less(s, g)
    _weigh(model, s, g, j, -1)
    k, output = s.rows[j, L.CLASS], s.rows[j, L.OUTPUT]
    decoding, latency = now - s.times[j, L.FIRST], now - s.times[j, L.ARRIVAL]
    s.sums[k, L.ENDED] += 1
    s.sums[k, L.TOKENS_OUT] += output
    s.sums[k, L.DECODE_SUM] += decoding
    s.sums[k, L.LATENCY_SUM] += latency
    if output > 1:
        s.sums[k, L.TPOT_SUM] += decoding / (output - 1)
        s.sums[k, L.TPOT_OUT] += 1
    if warm:
        s.histogram[k, L.LATENCY, bin_of(latency)] += 1
        if output > 1:
            s.histogram[k, L.TPOT, bin_of(decoding / (output - 1))] += 1
    s.rows[j, L.NEXT] = s.integers[L.FREE]
    s.integers[L.FREE] = j
    s.integers[L.FREE_ROWS] += 1


@inlined
def _prefilled(model: Routed, s: RoutedState, g: int, now: float, warm: bool) -> None:
    """The prompt in prefill is done: its first token is there, and its decode follows."""
    j = s.engines[g, L.ROW]
    k = s.rows[j, L.CLASS]
    s.engines[g, L.ROW] = -1
    s.times[j, L.FIRST] = now
    s.sums[k, L.STARTED] += 1
    s.sums[k, L.TTFT_SUM] += now - s.times[j, L.ARRIVAL]
    if warm:
        s.histogram[k, L.TTFT, bin_of(now - s.times[j, L.ARRIVAL])] += 1
    if s.rows[j, L.OUTPUT] == 1:
        _complete(model, s, g, j, now, warm)
    else:
        _push(s, g, s.engines[g, L.DECODES], s.engines[g, L.TICK] + s.rows[j, L.OUTPUT] - 1, j)
        s.engines[g, L.DECODES] += 1
        s.engines[g, L.HELD] += s.rows[j, L.PROMPT] + 1


@inlined
def _end_epoch(model: Routed, s: RoutedState, g: int, now: float, warm: bool) -> None:
    """The iterations of engine ``g``'s epoch have ended: what they have done, and what comes next."""
    d, count = s.engines[g, L.DECODES], s.engines[g, L.COUNT]
    s.engines[g, L.TICK] += count
    s.engines[g, L.HELD] += d * count
    if s.engines[g, L.ROW] >= 0:
        if s.engines[g, L.FULL] == 1:
            s.engines[g, L.LEFT] -= (model.chunk - d) * count
        else:
            s.engines[g, L.LEFT] = 0
    while d > 0 and s.ends[g, 0] == s.engines[g, L.TICK]:
        j = _pop(s, g, d)
        d -= 1
        s.engines[g, L.HELD] -= s.rows[j, L.PROMPT] + s.rows[j, L.OUTPUT]
        s.engines[g, L.DECODES] = d
        _complete(model, s, g, j, now, warm)
    if s.engines[g, L.ROW] >= 0 and s.engines[g, L.LEFT] == 0:
        _prefilled(model, s, g, now, warm)
    if s.engines[g, L.ROW] < 0:
        _load(model, s, g)
    ends = _begun(model, s, g, now)
    if ends == np.inf:
        _present(s, 0, now)
        s.integers[L.BUSY] -= 1
    set_clock(s.when, s.who, g, ends)


@inlined
def _come(model: Routed, s: RoutedState, k: int, now: float) -> None:
    """A request of class ``k`` arrives and is sent to an engine."""
    j = s.integers[L.FREE]
    s.integers[L.FREE] = s.rows[j, L.NEXT]
    s.integers[L.FREE_ROWS] -= 1
    classes = model.expected.size
    s.rows[j, L.CLASS] = k
    s.rows[j, L.PROMPT] = int(draw(model, s, classes + k)) + model.prefix_tokens
    s.rows[j, L.OUTPUT] = int(draw(model, s, 2 * classes + k))
    if model.prefix_tokens > 0:
        s.rows[j, L.PREFIX] = first_at_least(model.prefix_chances, draw(model, s, 3 * classes + 1))
    s.times[j, L.ARRIVAL] = now
    s.sums[k, L.ARRIVED] += 1
    g = _chosen(model, s, j)
    _present(s, 1, now)
    _one_more(s, g)
    _weigh(model, s, g, j, 1)
    s.rows[j, L.NEXT] = -1
    if s.engines[g, L.TAIL] >= 0:
        s.rows[s.engines[g, L.TAIL], L.NEXT] = j
    else:
        s.engines[g, L.HEAD] = j
    s.engines[g, L.TAIL] = j
    if s.engines[g, L.COUNT] == 0:
        s.integers[L.BUSY] += 1
        _load(model, s, g)
        set_clock(s.when, s.who, g, _begun(model, s, g, now))
    elif s.engines[g, L.ROW] < 0 and s.engines[g, L.DECODES] < model.slots:
        _cut(model, s, g, now)


@apart
def _end_window(model: Routed, s: RoutedState, now: float) -> None:
    w = s.integers[L.WINDOW]
    _present(s, 0, now)
    s.fleet_windows[w, L.AREA], s.fleet_windows[w, L.BUSY_TIME] = s.floats[L.PRESENT_AREA], s.floats[L.BUSY_AREA]
    s.fleet_windows[w, L.REQUESTS], s.fleet_windows[w, L.TOKENS] = s.integers[L.TOTAL], s.integers[L.IN_FLIGHT]
    s.floats[L.PRESENT_AREA], s.floats[L.BUSY_AREA] = 0.0, 0.0
    for k in range(s.sums.shape[0]):
        for c in range(L.SUMS):
            s.sum_windows[w, k, c] = s.sums[k, c]
    s.integers[L.WINDOW] = w + 1
    set_clock(s.when, s.who, s.order.size + s.sums.shape[0], (w + 2) * model.window)


@compiled
def advance(model: Routed, s: RoutedState, stop_window: int, warm_window: int) -> int:
    """Run until ``stop_window`` windows have ended; histograms count from ``warm_window`` on. Returns DONE, PAUSED, or
    ROWS_FULL or LEVELS_FULL where that array must grow; call again to go on."""
    engines, classes, turns = s.order.size, s.sums.shape[0], 0
    if s.integers[L.SET_OUT] == 0:
        for k in range(classes):
            set_clock(s.when, s.who, engines + k, draw(model, s, k))
        set_clock(s.when, s.who, engines + classes, model.window)
        s.integers[L.SET_OUT] = 1
    while s.integers[L.WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        now, clock = s.when[1], s.who[1]
        if clock < engines:
            _end_epoch(model, s, clock, now, s.integers[L.WINDOW] >= warm_window)
            s.integers[L.HAPPENED] += 1
        elif clock < engines + classes:
            if s.integers[L.FREE_ROWS] == 0:
                return L.ROWS_FULL
            if s.engines[s.order[engines - 1], L.PRESENT] + 2 >= s.first.size:
                return L.LEVELS_FULL
            set_clock(s.when, s.who, clock, now + draw(model, s, clock - engines))
            _come(model, s, clock - engines, now)
            s.integers[L.HAPPENED] += 1
        else:
            _end_window(model, s, now)
        s.floats[L.NOW] = now
    return L.DONE
