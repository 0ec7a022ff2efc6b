"""The loop of a cluster whose GPUs are told apart, each with its slots and its mode, in continuous time.

All times are exponential, so that the next event is drawn from the rates of all that may happen, and who it happens to
from the lists of those in the same phase: a GPU whose mode changes costs as much as it has classes, whatever else runs.
Decodes of a class are drawn at the larger of their two rates, and one on a GPU in the slower mode is kept with the
chance of the rates' ratio; else nothing happens.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.fleet import gpu_layout as L
from qtheory.simulate.fleet.gpu_layout import GPUs, GPUState
from qtheory.simulate.fleet.loop import (
    FCFS,
    GREEDY,
    IMMEDIATE,
    LAST,
    OCCUPANCY,
    PREFILL_FIRST,
    PRIORITY,
    QUEUE,
    SPLIT,
    WEIGHTED,
)
from qtheory.simulate.kernel.jit import apart, compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.queues import append, unlink
from qtheory.simulate.kernel.variates import draw


@inlined
def _count(s: GPUState, i: int, c: int, change: int, now: float) -> None:
    """Change a count of class ``i`` and carry its integral to ``now``."""
    n = s.counts[i, c]
    s.area[i, c] += n * (now - s.last[i, c])
    s.last[i, c] = now
    s.counts[i, c] = n + change


@inlined
def _enlist(s: GPUState, phase: int, i: int, j: int) -> None:
    q = phase * s.counts.shape[0] + i
    s.rows[j, L.PLACE] = s.size[q]
    s.lists[q, s.size[q]] = j
    s.size[q] += 1


@inlined
def _delist(s: GPUState, phase: int, i: int, j: int) -> None:
    q = phase * s.counts.shape[0] + i
    s.size[q] -= 1
    last = s.lists[q, s.size[q]]
    s.lists[q, s.rows[j, L.PLACE]] = last
    s.rows[last, L.PLACE] = s.rows[j, L.PLACE]


@inlined
def _drawn(model: GPUs, s: GPUState, phase: int, i: int) -> int:
    """One of the class in the phase, all equally likely."""
    q = phase * s.counts.shape[0] + i
    return int(s.lists[q, int(draw(model, s, L.CHANCE) * s.size[q])])


@inlined
def _join(s: GPUState, queue: int, i: int, j: int, now: float) -> None:
    """Row ``j`` joins the end of a queue."""
    append(s, s.rows, queue * s.counts.shape[0] + i, j)
    s.rows[j, L.TURN] = s.integers[L.JOINED]
    s.integers[L.JOINED] += 1
    _enlist(s, queue, i, j)
    _count(s, i, L.Q_P + queue, 1, now)


@inlined
def _depart(s: GPUState, queue: int, i: int, j: int, now: float) -> None:
    """Row ``j`` leaves its queue, wherever it stands."""
    unlink(s, s.rows, queue * s.counts.shape[0] + i, j)
    _delist(s, queue, i, j)
    _count(s, i, L.Q_P + queue, -1, now)


@inlined
def _free(s: GPUState, j: int) -> None:
    s.rows[j, L.NEXT] = s.integers[L.FREE]
    s.integers[L.FREE] = j
    s.integers[L.FREE_ROWS] += 1


@inlined
def _leave_room(s: GPUState, which: int, column: int, g: int) -> None:
    """GPU ``g`` leaves a list of those with room, where it stands at the place that ``column`` says."""
    size = s.integers[L.SIZE + which] - 1
    last, at = s.room[which, size], s.gpus[g, column]
    s.room[which, at] = last
    s.gpus[last, column] = at
    s.integers[L.SIZE + which] = size


@compiled
def _file(model: GPUs, s: GPUState, g: int) -> None:
    """Put GPU ``g`` into the lists of those with room where it belongs now."""
    group, decodes, prefills = s.gpus[g, L.GROUP], s.gpus[g, L.DECODES], s.gpus[g, L.PREFILLS]
    most = model.slots - (1 if group == L.MIXED_GROUP else prefills)  # of the mixed group a slot is reserved
    which = -1
    if decodes < most:
        mixed = prefills == 1 if group == L.EITHER else group == L.MIXED_GROUP
        which = L.ROOM_MIXED if mixed else L.ROOM_SOLO
    old = s.gpus[g, L.LIST]
    if old != which:
        if old >= 0:
            _leave_room(s, old, L.AT, g)
        if which >= 0:
            s.gpus[g, L.AT] = s.integers[L.SIZE + which]
            s.room[which, s.integers[L.SIZE + which]] = g
            s.integers[L.SIZE + which] += 1
        s.gpus[g, L.LIST] = which
    takes = prefills == 0 and (group == L.MIXED_GROUP or (group == L.EITHER and decodes < model.slots))
    if takes and s.gpus[g, L.AT_PREFILL] < 0:
        s.gpus[g, L.AT_PREFILL] = s.integers[L.SIZE + L.ROOM_PREFILL]
        s.room[L.ROOM_PREFILL, s.integers[L.SIZE + L.ROOM_PREFILL]] = g
        s.integers[L.SIZE + L.ROOM_PREFILL] += 1
    elif not takes and s.gpus[g, L.AT_PREFILL] >= 0:
        _leave_room(s, L.ROOM_PREFILL, L.AT_PREFILL, g)
        s.gpus[g, L.AT_PREFILL] = -1


@inlined
def _with_room(model: GPUs, s: GPUState, which: int) -> int:
    """A GPU with room, all equally likely."""
    return int(s.room[which, int(draw(model, s, L.CHANCE) * s.integers[L.SIZE + which])])


@compiled
def _set_mode(model: GPUs, s: GPUState, g: int, prefills: int, now: float) -> None:
    """GPU ``g`` begins or ends to run a prefill: its decodes change their speed."""
    s.gpus[g, L.PREFILLS] = prefills
    for i in range(s.held.shape[1]):
        n = s.held[g, i]
        if n > 0:
            moved = n if prefills == 1 else -n
            _count(s, i, L.Y_M, moved, now)
            _count(s, i, L.Y_S, -moved, now)
            s.totals[i, L.TO_MIXED if prefills == 1 else L.TO_SOLO] += n
    _file(model, s, g)


@inlined
def _start_prefill(s: GPUState, g: int, i: int, now: float) -> None:
    """The first of class ``i`` that waits is prefilled on GPU ``g``."""
    j = s.queue_head[i]
    _depart(s, L.WAITING, i, j, now)
    s.rows[j, L.ON] = g
    _enlist(s, L.PREFILL, i, j)
    _count(s, i, L.X, 1, now)


@inlined
def _start_decode(model: GPUs, s: GPUState, g: int, i: int, j: int, now: float) -> None:
    """Row ``j`` of class ``i`` takes a slot of GPU ``g``."""
    s.rows[j, L.ON] = g
    s.times[j, L.START] = now
    _enlist(s, L.DECODE, i, j)
    _count(s, i, L.Y_M if s.gpus[g, L.PREFILLS] == 1 else L.Y_S, 1, now)
    s.held[g, i] += 1
    s.gpus[g, L.DECODES] += 1
    _file(model, s, g)


@compiled
def _oldest(s: GPUState, queue: int) -> int:
    """The class of whoever waits longest; -1: nobody does."""
    k, best = s.counts.shape[0], -1
    for i in range(k):
        j = s.queue_head[queue * k + i]
        if j >= 0 and (best < 0 or s.rows[j, L.TURN] < s.rows[s.queue_head[queue * k + best], L.TURN]):
            best = i
    return best


@compiled
def _admitted(model: GPUs, s: GPUState) -> int:
    """The class that the gate gives a free prefill slot to; -1: none."""
    if model.gate == FCFS:
        return _oldest(s, L.WAITING)
    best, least, most = -1, np.inf, -np.inf
    for i in range(s.counts.shape[0]):
        if s.counts[i, L.Q_P] == 0:
            continue
        above = s.counts[i, L.Q_P] - model.backlog[i]
        if model.gate == QUEUE:
            number = -above
            if above <= 0.0:
                continue
        elif model.gate == PRIORITY:
            number = -model.urgency[i]
        elif model.target[i] > 0.0:
            number = s.counts[i, L.X] / model.target[i]
        else:
            number = LAST
        if number < least or (number == least and model.gate == OCCUPANCY and above > most):
            best, least, most = i, number, above
    return best


@inlined
def _admit(model: GPUs, s: GPUState, now: float) -> None:
    """Start prefills on GPUs with room for one, as long as the gate gives some."""
    while s.integers[L.SIZE + L.ROOM_PREFILL] > 0:
        i = _admitted(model, s)
        if i < 0:
            return
        g = _with_room(model, s, L.ROOM_PREFILL)
        _start_prefill(s, g, i, now)
        _set_mode(model, s, g, 1, now)


@inlined
def _weight(model: GPUs, s: GPUState, queue: int, i: int, own: bool) -> float:
    """What class ``i`` has in a queue: pi of EC.6, or, where ``own`` is not so, as many as wait."""
    waiting = s.size[queue * s.counts.shape[0] + i]
    if own and waiting > 0:
        return float(model.weights[queue - L.FOR_SOLO, i])
    return float(waiting)


@compiled
def _weighed(model: GPUs, s: GPUState, queue: int) -> int:
    """A class that waits, by the weights, by numbers where no waiting class has one; -1: nobody waits."""
    k = s.counts.shape[0]
    for own in (True, False):
        total = 0.0
        for i in range(k):
            total += _weight(model, s, queue, i, own)
        if total > 0.0:
            left, last = draw(model, s, L.CHANCE) * total, -1
            for i in range(k):
                weight = _weight(model, s, queue, i, own)
                if weight > 0.0:
                    last = i
                    if left < weight:
                        break
                    left -= weight
            return last
    return -1


@inlined
def _fill(model: GPUs, s: GPUState, queue: int, which: int, now: float) -> None:
    """Whoever waits in a queue for decode takes what slots there are on GPUs of a list."""
    while s.integers[L.SIZE + which] > 0:
        i = _weighed(model, s, queue) if model.router == WEIGHTED else _oldest(s, queue)
        if i < 0:
            return
        j = s.queue_head[queue * s.counts.shape[0] + i]
        _depart(s, queue, i, j, now)
        _start_decode(model, s, _with_room(model, s, which), i, j, now)


@compiled
def _settle(model: GPUs, s: GPUState, now: float) -> None:
    """Free slots are given away, in the order of the policy."""
    if model.router == PREFILL_FIRST:
        _admit(model, s, now)
    if model.router == GREEDY or model.router == PREFILL_FIRST:
        _fill(model, s, L.FOR_SOLO, L.ROOM_SOLO, now)
        _fill(model, s, L.FOR_SOLO, L.ROOM_MIXED, now)
    elif model.router != IMMEDIATE:
        _fill(model, s, L.FOR_SOLO, L.ROOM_SOLO, now)
        _fill(model, s, L.FOR_MIXED, L.ROOM_MIXED, now)
    if model.router != PREFILL_FIRST:
        _admit(model, s, now)


@inlined
def _prefilled(model: GPUs, s: GPUState, i: int, now: float) -> None:
    """A prefill of class ``i`` ends. On a reserved slot the next one follows at once, and the mode stays."""
    j = _drawn(model, s, L.PREFILL, i)
    g = s.rows[j, L.ON]
    _delist(s, L.PREFILL, i, j)
    _count(s, i, L.X, -1, now)
    s.totals[i, L.PREFILLED] += 1
    s.totals[i, L.FIRST] += now - s.times[j, L.ARRIVAL]
    following = _admitted(model, s) if s.gpus[g, L.GROUP] == L.MIXED_GROUP else -1
    if following >= 0:
        _start_prefill(s, g, following, now)
    else:
        _set_mode(model, s, g, 0, now)
    if model.router == IMMEDIATE:
        _start_decode(model, s, g, i, j, now)
    elif model.router == SPLIT or model.router == WEIGHTED:
        solo = draw(model, s, L.CHANCE) <= model.solo_share[i]
        _join(s, L.FOR_SOLO if solo else L.FOR_MIXED, i, j, now)
    else:
        _join(s, L.FOR_SOLO, i, j, now)
    _settle(model, s, now)


@inlined
def _decoded(model: GPUs, s: GPUState, i: int, now: float) -> bool:
    """A decode of class ``i`` ends, unless its GPU is in the slower mode and chance keeps it; whether it has ended."""
    j = _drawn(model, s, L.DECODE, i)
    g = s.rows[j, L.ON]
    mixed = s.gpus[g, L.PREFILLS] == 1
    own, other = (model.mu_m[i], model.mu_s[i]) if mixed else (model.mu_s[i], model.mu_m[i])
    if own < other and draw(model, s, L.CHANCE) * other >= own:
        return False
    _delist(s, L.DECODE, i, j)
    _count(s, i, L.Y_M if mixed else L.Y_S, -1, now)
    s.totals[i, L.DECODED_MIXED if mixed else L.DECODED_SOLO] += 1
    s.totals[i, L.SOJOURN] += now - s.times[j, L.ARRIVAL]
    s.totals[i, L.DECODING] += now - s.times[j, L.START]
    s.held[g, i] -= 1
    s.gpus[g, L.DECODES] -= 1
    _free(s, j)
    _file(model, s, g)
    _settle(model, s, now)
    return True


@compiled
def _give_up(model: GPUs, s: GPUState, queue: int, i: int, now: float) -> None:
    j = _drawn(model, s, queue, i)
    _depart(s, queue, i, j, now)
    s.totals[i, L.LEFT_PREFILL if queue == L.WAITING else L.LEFT_DECODE] += 1
    _free(s, j)


@inlined
def _come(model: GPUs, s: GPUState, i: int, now: float) -> None:
    j = s.integers[L.FREE]
    s.integers[L.FREE] = s.rows[j, L.NEXT]
    s.integers[L.FREE_ROWS] -= 1
    s.times[j, L.ARRIVAL] = now
    s.totals[i, L.ARRIVED] += 1
    _join(s, L.WAITING, i, j, now)
    _admit(model, s, now)


@apart
def _end_window(s: GPUState, now: float) -> None:
    w = s.integers[L.WINDOW]
    for i in range(s.counts.shape[0]):
        for c in range(L.COUNTS):
            _count(s, i, c, 0, now)
            s.area_windows[w, i, c] = s.area[i, c]
            s.count_windows[w, i, c] = s.counts[i, c]
        for c in range(L.TOTALS):
            s.total_windows[w, i, c] = s.totals[i, c]
    s.integers[L.WINDOW] = w + 1


@inlined
def _total_rate(model: GPUs, s: GPUState) -> float:
    """The rates of all that may happen next into ``s.rates``; their sum."""
    k, total = s.counts.shape[0], 0.0
    for i in range(k):
        s.rates[i] = model.rate[i]
        s.rates[k + i] = model.mu_p[i] * s.counts[i, L.X]
        s.rates[2 * k + i] = max(model.mu_m[i], model.mu_s[i]) * (s.counts[i, L.Y_M] + s.counts[i, L.Y_S])
        for queue in range(L.QUEUES):
            s.rates[(3 + queue) * k + i] = model.patience[i] * s.counts[i, L.Q_P + queue]
        for kind in range(6):
            total += s.rates[kind * k + i]
    return total


@compiled
def advance(model: GPUs, s: GPUState, stop_window: int) -> int:
    """Run until ``stop_window`` windows have ended; returns DONE, PAUSED, or ROWS_FULL where there must be more rows.
    Call again to go on."""
    turns, k = 0, s.counts.shape[0]
    while s.integers[L.WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        if s.integers[L.FREE_ROWS] == 0:
            return L.ROWS_FULL
        total = _total_rate(model, s)
        border = (s.integers[L.WINDOW] + 1) * model.window
        now = s.floats[0] + draw(model, s, L.EXPONENTIAL) / total if total > 0.0 else np.inf
        if now >= border:  # without memory: what was drawn is drawn anew
            s.floats[0] = border
            _end_window(s, border)
            continue
        s.floats[0] = now
        left, which = draw(model, s, L.CHANCE) * total, -1
        for r in range(6 * k):
            if s.rates[r] > 0.0:
                which = r
                if left < s.rates[r]:
                    break
                left -= s.rates[r]
        kind, i = which // k, which % k
        happened = True
        if kind == 0:
            _come(model, s, i, now)
        elif kind == 1:
            _prefilled(model, s, i, now)
        elif kind == 2:
            happened = _decoded(model, s, i, now)
        else:
            _give_up(model, s, kind - 3, i, now)
        s.integers[L.HAPPENED] += happened
    return L.DONE
