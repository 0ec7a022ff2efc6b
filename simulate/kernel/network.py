"""The event loop of multiclass open queueing networks.

One loop serves every network: c servers a station, first come first served within priority levels, preemptive
or not, batch service, impatient jobs, batch arrivals, random routes, dispatchers, stations that can be full. The cost
of an event is O(log clocks), O(log waiting) where jobs are impatient, O(stations) where a dispatcher looks at them; it
does not grow with the backlog.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.dispatch import dispatched, no_room
from qtheory.simulate.kernel.events import set_clock
from qtheory.simulate.kernel.histogram import BINS, bin_of
from qtheory.simulate.kernel.jit import apart, assume, compiled, index, inlined
from qtheory.simulate.kernel.layout import Model, State
from qtheory.simulate.kernel.network_account import busy, close_cycle, count, end_window
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.queues import append, insert_after, unlink
from qtheory.simulate.kernel.variates import draw, first_at_least


@inlined
def _start(state: State, server: int, j: int, now: float) -> None:
    """Job ``j`` starts, or goes on, on ``server``."""
    k = index(state.job_i[j, L.CLASS])
    waited = now - state.job_t[j, L.ARRIVED]
    state.class_sums[k, L.WAIT] += waited
    state.class_sums[k, L.DELAYED] += waited > 0.0
    state.class_sums[k, L.STARTS] += 1
    state.job_t[j, L.ARRIVED] = now
    state.server_job[server] = j
    set_clock(state.when, state.who, server, now + state.job_t[j, L.WORK])


@compiled
def _timer(heap: np.ndarray, times: np.ndarray, size: int) -> float:
    return times[heap[0], L.PATIENCE] if size > 0 else np.inf


@inlined
def _take(model: Model, state: State, m: int) -> int:
    """Remove and return the first job of the most urgent queue of station ``m``, which has jobs waiting."""
    q = index(model.stations[m, L.FIRST_QUEUE])
    while state.queue_head[q] < 0:
        q += 1
    j: int = state.queue_head[q]
    unlink(state, state.job_i, q, j)
    state.station_i[m, L.WAITING] -= 1
    if state.heap_place[j] >= 0:
        size = heap_remove(state.heap, state.heap_place, state.job_t, state.integers[L.HEAP], j)
        state.integers[L.HEAP] = size
        set_clock(state.when, state.who, model.server_station.size, _timer(state.heap, state.job_t, size))
    return j


@compiled
def _release(job_i: np.ndarray, integers: np.ndarray, j: int) -> None:
    job_i[j, L.NEXT] = integers[L.FREE]
    integers[L.FREE] = j
    integers[L.FREE_JOBS] += 1


@inlined
def _begin(model: Model, state: State, m: int, server: int, now: float) -> None:
    """``server`` takes the next job of its station, or the next batch, chained by NEXT."""
    j = _take(model, state, m)
    state.job_i[j, L.NEXT] = -1
    last = j
    for _ in range(min(model.stations[m, L.BATCH] - 1, state.station_i[m, L.WAITING])):
        other = _take(model, state, m)
        k = index(state.job_i[other, L.CLASS])
        waited = now - state.job_t[other, L.ARRIVED]
        state.class_sums[k, L.WAIT] += waited
        state.class_sums[k, L.DELAYED] += waited > 0.0
        state.class_sums[k, L.STARTS] += 1
        # The batch takes the time of its first job; the others' own times are no work.
        state.station_t[m, L.WORK_IN] -= state.job_t[other, L.WORK]
        state.job_t[other, L.WORK] = 0.0
        state.job_i[last, L.NEXT] = other
        state.job_i[other, L.NEXT] = -1
        last = other
    _start(state, server, j, now)


@apart
def _preempt(model: Model, state: State, m: int, j: int, now: float) -> bool:
    """Give ``j`` the server of the least urgent job in service, of these the last to have started, if that is
    less urgent than ``j``."""
    half = state.when.size // 2
    victim, lowest, started = -1, model.classes[state.job_i[j, L.CLASS], L.QUEUE], np.inf
    for server in range(model.stations[m, L.FIRST_SERVER], model.stations[m, L.END_SERVER]):
        q = model.classes[state.job_i[state.server_job[server], L.CLASS], L.QUEUE]
        since = state.job_t[state.server_job[server], L.ARRIVED]
        # A job that ends at this very moment is left to end, one that is blocked has ended.
        ends = state.when[half + server]
        if ends > now and ends < np.inf and (q > lowest or (q == lowest and since > started)):
            victim, lowest, started = server, q, since
    if victim < 0:
        return False
    old = state.server_job[victim]
    state.job_t[old, L.WORK] = state.when[half + victim] - now
    state.job_t[old, L.ARRIVED] = now
    insert_after(state, state.job_i, lowest, -1, old)
    state.station_i[m, L.WAITING] += 1
    state.job_i[j, L.NEXT] = -1
    _start(state, victim, j, now)
    return True


@inlined
def _enter(model: Model, state: State, j: int, now: float) -> None:
    """Job ``j`` arrives at the station of its class: into service, or into its queue."""
    k = index(state.job_i[j, L.CLASS])
    m = index(model.classes[k, L.STATION])
    work = draw(model, state, model.classes[k, L.SERVICE])
    state.job_t[j, L.WORK] = work
    state.job_t[j, L.ARRIVED] = now
    state.class_sums[k, L.ARRIVALS] += 1
    state.station_t[m, L.WORK_IN] += work
    state.station_i[m, L.HELD] += 1
    count(state, k, 1, now)
    if state.station_i[m, L.IDLE] > 0 and model.stations[m, L.BATCH] == 1:
        state.station_i[m, L.IDLE] -= 1
        server = index(state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])])
        busy(state, m, 1, now)
        state.job_i[j, L.NEXT] = -1
        _start(state, server, j, now)
    elif not (model.stations[m, L.PREEMPTIVE] == 1 and _preempt(model, state, m, j, now)):
        append(state, state.job_i, index(model.classes[k, L.QUEUE]), j)
        state.station_i[m, L.WAITING] += 1
        if model.classes[k, L.ENDURANCE] >= 0:
            state.job_t[j, L.PATIENCE] = now + draw(model, state, model.classes[k, L.ENDURANCE])
            size = heap_push(state.heap, state.heap_place, state.job_t, state.integers[L.HEAP], j)
            state.integers[L.HEAP] = size
            set_clock(state.when, state.who, model.server_station.size, _timer(state.heap, state.job_t, size))


@inlined
def _leave(state: State, j: int, now: float, warm: bool) -> None:
    """Job ``j`` leaves the network: its sojourn time is counted and its place is free again."""
    a = index(state.job_i[j, L.TYPE])
    sojourn = now - state.job_t[j, L.BORN]
    state.type_sums[a, L.LEFT_JOBS] += 1
    state.type_sums[a, L.SOJOURN] += sojourn
    state.type_sums[a, L.SOJOURN2] += sojourn * sojourn
    state.floats[L.CYCLE_SOJOURN] += sojourn
    if warm:
        state.histogram[a, bin_of(sojourn)] += 1
    if state.records.shape[0] > 0:
        r = state.integers[L.RECORDED]
        state.records[r, 0] = a
        state.records[r, 1] = state.job_t[j, L.BORN]
        state.records[r, 2] = now
        state.integers[L.RECORDED] = r + 1
    state.integers[L.IN_SYSTEM] -= 1
    _release(state.job_i, state.integers, j)


@inlined
def _next_job(model: Model, state: State, server: int, now: float) -> None:
    """``server`` is free: it takes who waits, or rests."""
    m = index(model.server_station[server])
    if state.station_i[m, L.WAITING] > 0:
        _begin(model, state, m, server, now)
    else:
        busy(state, m, -1, now)
        state.server_job[server] = -1
        state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])] = server
        state.station_i[m, L.IDLE] += 1
        set_clock(state.when, state.who, server, np.inf)


@compiled
def _lose(state: State, j: int) -> None:
    """Job ``j`` finds no room and is gone; nothing of it is counted but that."""
    state.type_sums[state.job_i[j, L.TYPE], L.LOST_JOBS] += 1
    state.integers[L.IN_SYSTEM] -= 1
    state.integers[L.CYCLE_JOBS] -= 1
    _release(state.job_i, state.integers, j)


@apart
def _block(model: Model, state: State, server: int, following: int, now: float) -> None:
    """The job on ``server`` waits there for room at the station of class ``following``."""
    m = model.server_station[server]
    busy(state, m, -1, now)
    set_clock(state.when, state.who, server, np.inf)
    state.station_t[m, L.BLOCKED_TIME] -= now
    state.lines[server, L.TARGET] = following
    full = model.classes[following, L.STATION]
    append(state, state.lines, state.queue_head.size - model.stations.shape[0] + full, server)


@apart
def _move_up(model: Model, state: State, m: int, now: float) -> int:
    """There may be room at station ``m``: who is blocked before it moves in, and frees a place behind for another.

    Returns how many jobs moved. Servers of stations that serve batches are never blocked, so that a server frees one
    place; and nobody waits in a circle, so that this ends.
    """
    jobs = 0
    line = state.queue_head.size - model.stations.shape[0]
    while state.queue_head[line + m] >= 0 and state.station_i[m, L.HELD] < model.stations[m, L.CAPACITY]:
        to = m
        while state.queue_head[line + to] >= 0 and state.station_i[to, L.HELD] < model.stations[to, L.CAPACITY]:
            server = state.queue_head[line + to]
            unlink(state, state.lines, line + to, server)
            behind = model.server_station[server]
            j = state.server_job[server]
            k = state.job_i[j, L.CLASS]
            state.class_sums[k, L.COMPLETIONS] += 1
            state.station_i[behind, L.HELD] -= 1
            count(state, k, -1, now)
            state.job_i[j, L.CLASS] = state.lines[server, L.TARGET]
            _enter(model, state, j, now)
            state.station_t[behind, L.BLOCKED_TIME] += now
            busy(state, behind, 1, now)
            _next_job(model, state, server, now)
            jobs += 1
            to = behind
    return jobs


@compiled
def _give_up(model: Model, state: State, now: float, warm: bool) -> None:
    """The waiting job whose patience ends leaves the network."""
    j = state.heap[0]
    k = index(state.job_i[j, L.CLASS])
    m = index(model.classes[k, L.STATION])
    size = heap_remove(state.heap, state.heap_place, state.job_t, state.integers[L.HEAP], j)
    state.integers[L.HEAP] = size
    set_clock(state.when, state.who, model.server_station.size, _timer(state.heap, state.job_t, size))
    unlink(state, state.job_i, model.classes[k, L.QUEUE], j)
    state.station_i[m, L.WAITING] -= 1
    state.station_i[m, L.HELD] -= 1
    state.station_t[m, L.WORK_IN] -= state.job_t[j, L.WORK]
    state.class_sums[k, L.ABANDONED] += 1
    state.class_sums[k, L.WAIT] += now - state.job_t[j, L.ARRIVED]
    state.class_sums[k, L.DELAYED] += 1
    count(state, k, -1, now)
    _leave(state, j, now, warm)
    if model.limited:
        state.integers[L.EVENTS] += _move_up(model, state, m, now)


@inlined
def _born(model: Model, state: State, a: int, size: int, now: float) -> None:
    """``size`` new jobs from source ``a`` enter."""
    if state.integers[L.IN_SYSTEM] == 0:
        close_cycle(state.cycle_sums, state.integers, state.floats, now)
    state.integers[L.IN_SYSTEM] += size
    state.integers[L.CYCLE_JOBS] += size
    state.type_sums[a, L.BORN_JOBS] += size
    for _ in range(size):
        j = index(state.integers[L.FREE])
        state.integers[L.FREE] = state.job_i[j, L.NEXT]
        state.integers[L.FREE_JOBS] -= 1
        state.job_i[j, L.TYPE] = a
        state.job_t[j, L.BORN] = now
        k = index(model.source_class[a])
        if model.classes[k, L.STATION] < 0:
            k = index(dispatched(model, state, k, now))
        state.job_i[j, L.CLASS] = k
        if model.limited and no_room(model, state, k, -1):
            _lose(state, j)
        else:
            _enter(model, state, j, now)


@inlined
def _finish(model: Model, state: State, server: int, now: float, warm: bool) -> int:
    """The jobs on ``server`` are done: each goes to its next class, leaves, or is lost. Returns how many; 0 when the
    job is blocked, and its server with it."""
    j = state.server_job[server]
    m = index(model.server_station[server])
    jobs = 0
    while j >= 0:
        after = state.job_i[j, L.NEXT]
        k = index(state.job_i[j, L.CLASS])
        r = index(model.classes[k, L.FIRST_ROUTE])
        if model.classes[k, L.ROUTING] >= 0:
            u = draw(model, state, model.classes[k, L.ROUTING])
            r += first_at_least(model.route_cumulative[r : model.classes[k, L.END_ROUTE]], u)
        following = model.route_to[r]
        if following >= 0 and model.classes[index(following), L.STATION] < 0:
            following = dispatched(model, state, following, now)
        full = model.limited and following >= 0 and no_room(model, state, index(following), m)
        if full and model.stations[model.classes[index(following), L.STATION], L.BLOCKS] == 1:
            _block(model, state, server, following, now)
            return 0
        state.class_sums[k, L.COMPLETIONS] += 1
        state.station_i[m, L.HELD] -= 1
        count(state, k, -1, now)
        if following < 0:
            _leave(state, j, now, warm)
        elif full:
            _lose(state, j)
        else:
            state.job_i[j, L.CLASS] = following
            _enter(model, state, j, now)
        jobs += 1
        j = after
    return jobs


@compiled
def _start_batches(model: Model, state: State, now: float) -> None:
    for m in model.batch_stations:
        while state.station_i[m, L.IDLE] > 0 and state.station_i[m, L.WAITING] > 0:
            state.station_i[m, L.IDLE] -= 1
            server = index(state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])])
            busy(state, m, 1, now)
            _begin(model, state, m, server, now)


@compiled
def _set_out(model: Model, state: State) -> None:
    """Set the clocks of an empty network: each source's first arrival, and the end of the first window."""
    servers = model.server_station.size
    for a in range(model.source_class.size):
        set_clock(state.when, state.who, servers + 1 + a, draw(model, state, model.source_gap[a]))
    set_clock(state.when, state.who, servers + 1 + model.source_class.size, model.window)
    state.integers[L.SET_OUT] = 1


@compiled
def advance(model: Model, state: State, stop_window: int, warm_window: int) -> int:
    """Run until ``stop_window`` windows have ended; histograms count from ``warm_window`` on.

    Returns DONE, PAUSED, or JOBS_FULL or RECORDS_FULL when that array must grow; call again to go on.
    """
    assume(state.job_i.shape[1] == L.JOB_INTEGERS and state.job_t.shape[1] == L.JOB_TIMES)
    assume(state.class_sums.shape[1] == L.CLASS_ROW and state.type_sums.shape[1] == L.TYPE_SUMS)
    assume(state.station_i.shape[1] == L.STATION_COUNTS and state.station_t.shape[1] == L.STATION_WORK)
    assume(model.classes.shape[1] == L.CLASS_COLUMNS and model.stations.shape[1] == L.STATION_COLUMNS)
    assume(state.histogram.shape[1] == BINS)
    servers = model.server_station.size
    last_source = servers + model.source_class.size
    if state.integers[L.SET_OUT] == 0:
        _set_out(model, state)
    turns = 0
    while state.integers[L.WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        now = state.when[1]
        clock = index(state.who[1])
        warm = state.integers[L.WINDOW] >= warm_window
        if clock < servers:
            if state.records.shape[0] > 0:
                room = state.records.shape[0] - state.integers[L.RECORDED]
                if room < model.stations[model.server_station[clock], L.BATCH]:
                    return L.RECORDS_FULL
            jobs = _finish(model, state, clock, now, warm)
            if jobs > 0:
                state.integers[L.EVENTS] += jobs
                _next_job(model, state, clock, now)
                if model.limited:
                    state.integers[L.EVENTS] += _move_up(model, state, model.server_station[clock], now)
            if model.batch_stations.size > 0:
                _start_batches(model, state, now)
        elif clock > servers and clock <= last_source:
            a = index(clock - servers - 1)
            size = 1
            if model.source_size[a] >= 0:
                # Looked at, not drawn: the event is met again after the arrays have grown.
                v = model.source_size[a]
                size = int(draw(model, state, v))
                if state.integers[L.FREE_JOBS] < size:
                    state.position[v] -= 1
            if state.integers[L.FREE_JOBS] < size:
                return L.JOBS_FULL
            gap = draw(model, state, model.source_gap[a])
            set_clock(state.when, state.who, clock, now + gap)
            if size > 0:
                _born(model, state, a, size, now)
            state.integers[L.EVENTS] += size
            if model.batch_stations.size > 0:
                _start_batches(model, state, now)
        elif clock == servers:
            if state.records.shape[0] > 0 and state.records.shape[0] == state.integers[L.RECORDED]:
                return L.RECORDS_FULL
            _give_up(model, state, now, warm)
            state.integers[L.EVENTS] += 1
            if model.limited and model.batch_stations.size > 0:
                _start_batches(model, state, now)
        else:
            end_window(model, state, now)
        state.floats[L.NOW] = now
    return L.DONE
