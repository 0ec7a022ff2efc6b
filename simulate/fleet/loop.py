"""The loop of a cluster's Markov chain on counts: a unit-rate Poisson process drives each flow, as in (7) to (9).

GPUs are of three kinds at a time: those that never take prefills (solo), and of the others those that run a prefill
(mixed) and those that do not (idle). The counts say how many decodes of each class each kind holds. Where a GPU changes
its kind, its decodes change with it: which these are is drawn as if all ways to put the decodes of a kind into the
slots of its GPUs were equally likely. That is so wherever a kind has one GPU; else it is what makes counts enough.

A queue that classes share in order of their arrival keeps the order of the classes, in a ring.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.variates import draw

DONE, RING_FULL = 0, 1  # why the loop returned

# Rows of the counts, and flows, each of which fires at its coefficient times its count. SOURCES holds the GPUs.
SOURCES, WAITING, PREFILLS, FOR_SOLO, FOR_MIXED, MIXED, SOLO, IDLE = range(8)
ROWS = 8
FLOWS = ("arrivals", "gave_up_prefill", "prefilled", "gave_up_solo", "gave_up_mixed", "decoded_mixed", "decoded_solo",
         "decoded_idle")
OCCUPANCY, PRIORITY, QUEUE, FCFS = range(4)  # gates
GREEDY, SPLIT, WEIGHTED, IMMEDIATE, PREFILL_FIRST = range(5)  # routers
ROUTE, SWITCH, ORDER, SELECT = range(4)  # variate sources behind the flows' clocks
TO_MIXED, TO_IDLE = range(2)  # rows of the switches
SET_OUT, WINDOW, EVENTS = range(3)
NOW = 0
GONE = -1  # in a ring: who gave up
LAST = 1e18  # the gate's index of classes that the plan does not serve


class Fleet(NamedTuple):
    """Read only. k classes, v = 8 k + 4 variate sources."""

    gate: int
    router: int
    planned: int
    movers: int  # GPUs that take prefills
    solo_slots: int  # of all GPUs that never do
    idle_slots: int  # of a GPU that may take a prefill and runs none
    mixed_slots: int  # beside a prefill
    coefficient: np.ndarray  # (8 k,) 1/s, of each flow and class
    target: np.ndarray  # (k,) n x*_i
    backlog: np.ndarray  # (k,) n q*_i
    urgency: np.ndarray  # (k,) D_i/P_i
    solo_share: np.ndarray  # (k,) p_s,i
    weights: np.ndarray  # (2, k) pi of EC.6: solo, mixed
    ordered: np.ndarray  # (8,) 1: the row's classes are served in order of arrival
    kind: np.ndarray
    parameter_first: np.ndarray
    parameters: np.ndarray
    stream: np.ndarray
    key: np.ndarray
    window: float


class FleetState(NamedTuple):
    """Changed in place; the rings are replaced by longer ones between calls."""

    integers: np.ndarray
    floats: np.ndarray
    counts: np.ndarray  # (8 k,)
    total: np.ndarray  # (8,) over classes
    rates: np.ndarray  # (8 k,)
    remaining: np.ndarray  # (8 k,) of each Poisson process until it next fires
    rings: np.ndarray  # (3, capacity) classes, GONE: gave up; of WAITING, FOR_SOLO, FOR_MIXED
    head: np.ndarray  # (3,) places, counted since the start
    tail: np.ndarray  # (3,)
    buffer: np.ndarray
    words: np.ndarray
    position: np.ndarray
    drawn: np.ndarray
    area: np.ndarray  # (windows, 8 k) integrals of the counts
    present: np.ndarray  # (windows, 8 k) at the ends of the windows
    fired: np.ndarray  # (windows, 8 k)
    switched: np.ndarray  # (windows, 2 k) decodes whose GPU changed its kind


@inlined
def _ring(row: int) -> int:
    return 0 if row == WAITING else row - FOR_SOLO + 1


@inlined
def _add(s: FleetState, row: int, i: int, number: int) -> None:
    s.counts[row * (s.counts.size // ROWS) + i] += number
    s.total[row] += number


@inlined
def _join(model: Fleet, s: FleetState, row: int, i: int) -> None:
    """A request of class i joins the end of a queue."""
    _add(s, row, i, 1)
    if model.ordered[row] == 1:
        r = _ring(row)
        s.rings[r, s.tail[r] % s.rings.shape[1]] = i
        s.tail[r] += 1


@inlined
def _leave_head(model: Fleet, s: FleetState, row: int) -> int:
    """Take the first of a queue that is ordered and not empty; its class."""
    r = _ring(row)
    i = GONE
    while i == GONE:
        i = s.rings[r, s.head[r] % s.rings.shape[1]]
        s.head[r] += 1
    _add(s, row, i, -1)
    return int(i)


@inlined
def _give_up(model: Fleet, s: FleetState, row: int, i: int) -> None:
    """One of class i leaves a queue without service: any of them is equally likely to be the one."""
    _add(s, row, i, -1)
    if model.ordered[row] == 1:
        r = _ring(row)
        while True:
            place = s.head[r] + int(draw(model, s, s.counts.size + ORDER) * (s.tail[r] - s.head[r]))
            if s.rings[r, place % s.rings.shape[1]] == i:
                break
        s.rings[r, place % s.rings.shape[1]] = GONE


@inlined
def _room(s: FleetState) -> bool:
    """Does each ring take one more? Those that gave up are swept out of one that does not."""
    capacity = s.rings.shape[1]
    good = True
    for r in range(3):
        if s.tail[r] - s.head[r] >= capacity - 1:
            to = s.head[r]
            for place in range(s.head[r], s.tail[r]):
                i = s.rings[r, place % capacity]
                if i != GONE:
                    s.rings[r, to % capacity] = i
                    to += 1
            s.tail[r] = to
            good = good and 2 * (to - s.head[r]) < capacity
    return good


@inlined
def _class_at(s: FleetState, row: int, left: float) -> int:
    """The class of the row's request at place ``left``, counted class by class."""
    k = s.counts.size // ROWS
    last = 0
    for i in range(k):
        n = s.counts[row * k + i]
        if n > 0:
            last = i
            if left < n:
                return i
            left -= n
    return last


@inlined
def _by_chance(model: Fleet, s: FleetState, row: int) -> int:
    """A class of the row, in proportion to the counts."""
    return _class_at(s, row, draw(model, s, s.counts.size + SELECT) * s.total[row])


@inlined
def _by_weights(model: Fleet, s: FleetState, row: int) -> int:
    """A class that waits in the row, by the weights pi; in proportion to the counts where none has a weight."""
    k = s.counts.size // ROWS
    pool = row - FOR_SOLO
    total = 0.0
    for i in range(k):
        if s.counts[row * k + i] > 0:
            total += model.weights[pool, i]
    if total <= 0.0:
        return _by_chance(model, s, row)
    left = draw(model, s, s.counts.size + SELECT) * total
    last = -1
    for i in range(k):
        if s.counts[row * k + i] > 0 and model.weights[pool, i] > 0.0:
            last = i
            if left < model.weights[pool, i]:
                return i
            left -= model.weights[pool, i]
    return last


@inlined
def _take(model: Fleet, s: FleetState, row: int) -> int:
    """Take the next of a queue for decode; its class."""
    if model.router != WEIGHTED:
        return _leave_head(model, s, row)
    i = _by_weights(model, s, row)
    _add(s, row, i, -1)
    return i


@inlined
def _switch(model: Fleet, s: FleetState, source: int, to: int, slots: int, among: int) -> None:
    """A GPU changes its kind: of ``among`` slots, ``slots`` are its own, and what they hold goes with it."""
    k = s.counts.size // ROWS
    for _ in range(slots):
        held = s.total[source]
        if held == 0:
            return
        u = draw(model, s, s.counts.size + SWITCH) * among
        among -= 1
        if u >= held:
            continue
        i = _class_at(s, source, u)
        _add(s, source, i, -1)
        _add(s, to, i, 1)
        s.switched[s.integers[WINDOW], (TO_MIXED if to == MIXED else TO_IDLE) * k + i] += 1


@inlined
def _admitted(model: Fleet, s: FleetState) -> int:
    """The class that the gate gives a free prefill slot to, taken from its queue; -1: none."""
    if s.total[WAITING] == 0:
        return -1
    if model.gate == FCFS:
        return _leave_head(model, s, WAITING)
    k = s.counts.size // ROWS
    best, least, most = -1, np.inf, -np.inf
    for i in range(k):
        waiting = s.counts[WAITING * k + i]
        if waiting == 0:
            continue
        above = waiting - model.backlog[i]
        if model.gate == QUEUE:
            index = -above
            if above <= 0.0:
                continue
        elif model.gate == PRIORITY:
            index = -model.urgency[i]
        elif model.target[i] > 0.0:
            index = s.counts[PREFILLS * k + i] / model.target[i]
        else:
            index = LAST
        if index < least or (index == least and model.gate == OCCUPANCY and above > most):
            best, least, most = i, index, above
    if best >= 0:
        _add(s, WAITING, best, -1)
    return best


@inlined
def _admit(model: Fleet, s: FleetState) -> None:
    """Start prefills on GPUs without one, as long as the gate gives some."""
    while s.total[PREFILLS] < model.movers:
        idle = model.movers - s.total[PREFILLS]
        slots = idle * model.idle_slots
        if model.planned == 0 and s.total[IDLE] >= slots:
            return
        i = _admitted(model, s)
        if i < 0:
            return
        if model.planned == 1:
            _switch(model, s, IDLE, MIXED, model.idle_slots, slots)
        else:  # the slot of the prefill is one of the free ones, all equally likely
            _switch(model, s, IDLE, MIXED, model.idle_slots - 1, slots - 1)
        _add(s, PREFILLS, i, 1)


@inlined
def _place(model: Fleet, s: FleetState) -> None:
    """Waiting decodes take free slots."""
    divided = model.router == SPLIT or model.router == WEIGHTED
    while s.total[FOR_SOLO] > 0 and s.total[SOLO] < model.solo_slots:
        _add(s, SOLO, _take(model, s, FOR_SOLO), 1)
    row = FOR_MIXED if divided else FOR_SOLO
    while s.total[row] > 0:
        idle = (model.movers - s.total[PREFILLS]) * model.idle_slots - s.total[IDLE]
        mixed = s.total[PREFILLS] * model.mixed_slots - s.total[MIXED]
        if idle + mixed <= 0:
            return
        to = IDLE if idle > 0 else MIXED
        if model.planned == 1 and idle > 0 and mixed > 0:  # on a partition all free slots are equally likely
            to = IDLE if draw(model, s, s.counts.size + ROUTE) * (idle + mixed) < idle else MIXED
        _add(s, to, _take(model, s, row), 1)


@inlined
def _settle(model: Fleet, s: FleetState) -> None:
    """Free slots are given away, in the policy's order."""
    if model.router == PREFILL_FIRST:
        _admit(model, s)
        _place(model, s)
    else:
        _place(model, s)
        _admit(model, s)


@inlined
def _prefilled(model: Fleet, s: FleetState, i: int) -> None:
    """A prefill of class i ends."""
    running = s.total[PREFILLS]
    _add(s, PREFILLS, i, -1)
    next_class = _admitted(model, s) if model.planned == 1 and running == model.movers else -1
    if next_class >= 0:  # its GPU stays as it is
        _add(s, PREFILLS, next_class, 1)
    else:
        _switch(model, s, MIXED, IDLE, model.mixed_slots, running * model.mixed_slots)
    if model.router == IMMEDIATE:
        _add(s, IDLE, i, 1)
    elif model.router == SPLIT or model.router == WEIGHTED:
        u = draw(model, s, s.counts.size + ROUTE)
        _join(model, s, FOR_SOLO if u <= model.solo_share[i] else FOR_MIXED, i)
    else:
        _join(model, s, FOR_SOLO, i)
    _settle(model, s)


@inlined
def _happen(model: Fleet, s: FleetState, flow: int, i: int) -> None:
    """The flow's process fires for class i."""
    if flow == SOURCES:
        _join(model, s, WAITING, i)
        _admit(model, s)
    elif flow == PREFILLS:
        _prefilled(model, s, i)
    elif flow >= MIXED:
        _add(s, flow, i, -1)
        _settle(model, s)
    else:
        _give_up(model, s, flow, i)


@inlined
def _hold(s: FleetState, until: float) -> None:
    """Let the counts stay as they are until then."""
    w, seconds = s.integers[WINDOW], until - s.floats[NOW]
    for j in range(s.counts.size):
        s.area[w, j] += s.counts[j] * seconds
    s.floats[NOW] = until


@compiled
def advance(model: Fleet, s: FleetState, stop_window: int) -> int:
    """Run until ``stop_window`` windows have ended; returns DONE, or why it stopped before. Call again to go on."""
    n = s.counts.size
    k = n // ROWS
    if s.integers[SET_OUT] == 0:
        for j in range(n):
            s.remaining[j] = draw(model, s, j)
        s.integers[SET_OUT] = 1
        _settle(model, s)
    turns = 0
    while s.integers[WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        if not _room(s):
            return RING_FULL
        soonest, which = np.inf, 0
        for j in range(n):
            rate = model.coefficient[j] * s.counts[j]
            s.rates[j] = rate
            if rate > 0.0:
                wait = s.remaining[j] / rate
                if wait < soonest:
                    soonest, which = wait, j
        border = (s.integers[WINDOW] + 1) * model.window
        ends = s.floats[NOW] + soonest >= border
        length = border - s.floats[NOW] if ends else soonest
        for j in range(n):
            s.remaining[j] -= s.rates[j] * length
        _hold(s, s.floats[NOW] + length if not ends else border)
        if ends:
            for j in range(n):
                s.present[s.integers[WINDOW], j] = s.counts[j]
            s.integers[WINDOW] += 1
        else:
            s.remaining[which] = draw(model, s, which)
            s.fired[s.integers[WINDOW], which] += 1
            s.integers[EVENTS] += 1
            _happen(model, s, which // k, which % k)
    return DONE
