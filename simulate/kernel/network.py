"""The event loop of multiclass open queueing networks.

One loop serves every network: c servers a station, first come first served within priority levels, preemptive
or not, batch service, impatient jobs, batch arrivals, random routes. The cost of an event is O(log clocks), and
O(log waiting) where jobs are impatient; it does not grow with the backlog.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.events import set_clock
from qtheory.simulate.kernel.histogram import BINS, bin_of
from qtheory.simulate.kernel.jit import apart, assume, compiled, index, inlined
from qtheory.simulate.kernel.layout import Model, State
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.queues import append, insert_after, unlink
from qtheory.simulate.kernel.variates import draw, first_at_least


@inlined
def _count(state: State, k: int, change: int, now: float) -> None:
    """Change the number of jobs present in class ``k`` and carry its integral to ``now``."""
    n = state.class_sums[k, L.JOBS]
    state.class_sums[k, L.AREA] += n * (now - state.class_sums[k, L.JOBS_LAST])
    state.class_sums[k, L.JOBS_LAST] = now
    state.class_sums[k, L.JOBS] = n + change


@inlined
def _busy(state: State, m: int, change: int, now: float) -> None:
    n = state.station_i[m, L.BUSY_SERVERS]
    state.station_t[m, L.WORK_DONE] += n * (now - state.station_t[m, L.BUSY_LAST])
    state.station_t[m, L.BUSY_LAST] = now
    state.station_i[m, L.BUSY_SERVERS] = n + change


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
        # A job that ends at this very moment is left to end.
        if state.when[half + server] > now and (q > lowest or (q == lowest and since > started)):
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
    _count(state, k, 1, now)
    if state.station_i[m, L.IDLE] > 0 and model.stations[m, L.BATCH] == 1:
        state.station_i[m, L.IDLE] -= 1
        server = index(state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])])
        _busy(state, m, 1, now)
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


@compiled
def _close_cycle(cycle_sums: np.ndarray, integers: np.ndarray, floats: np.ndarray, now: float) -> None:
    """An arrival finds the system empty: the cycle that the last such arrival opened ends."""
    if integers[L.CYCLE_OPEN] == 1:
        length = now - floats[L.CYCLE_START]
        jobs = float(integers[L.CYCLE_JOBS])
        sojourn = floats[L.CYCLE_SOJOURN]
        cycle_sums[L.CYCLES] += 1.0
        cycle_sums[L.SUM_L] += length
        cycle_sums[L.SUM_K] += jobs
        cycle_sums[L.SUM_Y] += sojourn
        cycle_sums[L.SUM_LL] += length * length
        cycle_sums[L.SUM_KK] += jobs * jobs
        cycle_sums[L.SUM_YY] += sojourn * sojourn
        cycle_sums[L.SUM_YK] += sojourn * jobs
        cycle_sums[L.SUM_YL] += sojourn * length
    integers[L.CYCLE_OPEN] = 1
    integers[L.CYCLE_JOBS] = 0
    floats[L.CYCLE_START] = now
    floats[L.CYCLE_SOJOURN] = 0.0


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


@compiled
def _move(sums: np.ndarray, window: np.ndarray) -> None:
    for i in range(window.size):
        window[i] = sums[i]
        sums[i] = 0.0


@compiled
def _end_window(model: Model, state: State, now: float) -> None:
    """Write the sums of the window that ends ``now`` and open the next."""
    w = state.integers[L.WINDOW]
    for k in range(model.classes.shape[0]):
        _count(state, k, 0, now)
        _move(state.class_sums[k], state.class_windows[w, k])
    for a in range(model.source_class.size):
        _move(state.type_sums[a], state.type_windows[w, a])
    for k in range(model.classes.shape[0]):
        state.station_windows[w, model.classes[k, L.STATION], L.PRESENT] += state.class_sums[k, L.JOBS]
    for m in range(model.stations.shape[0]):
        _busy(state, m, 0, now)
        state.station_windows[w, m, L.BUSY] = state.station_t[m, L.WORK_DONE] - state.station_t[m, L.WORK_BEFORE]
        # Of a station without jobs the difference is rounding: a clock at 10^5 s does not see services of 10^-12 s.
        if state.station_i[m, L.BUSY_SERVERS] + state.station_i[m, L.WAITING] > 0:
            left = state.station_t[m, L.WORK_IN] - state.station_t[m, L.WORK_DONE]
            state.station_windows[w, m, L.UNFINISHED] = left
        state.station_t[m, L.WORK_BEFORE] = state.station_t[m, L.WORK_DONE]
    state.integers[L.WINDOW] = w + 1
    set_clock(state.when, state.who, model.server_station.size + 1 + model.source_class.size, (w + 2) * model.window)


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
    state.station_t[m, L.WORK_IN] -= state.job_t[j, L.WORK]
    state.class_sums[k, L.ABANDONED] += 1
    state.class_sums[k, L.WAIT] += now - state.job_t[j, L.ARRIVED]
    state.class_sums[k, L.DELAYED] += 1
    _count(state, k, -1, now)
    _leave(state, j, now, warm)


@inlined
def _born(model: Model, state: State, a: int, size: int, now: float) -> None:
    """``size`` new jobs from source ``a`` enter."""
    if state.integers[L.IN_SYSTEM] == 0:
        _close_cycle(state.cycle_sums, state.integers, state.floats, now)
    state.integers[L.IN_SYSTEM] += size
    state.integers[L.CYCLE_JOBS] += size
    state.type_sums[a, L.BORN_JOBS] += size
    for _ in range(size):
        j = index(state.integers[L.FREE])
        state.integers[L.FREE] = state.job_i[j, L.NEXT]
        state.integers[L.FREE_JOBS] -= 1
        state.job_i[j, L.CLASS] = model.source_class[a]
        state.job_i[j, L.TYPE] = a
        state.job_t[j, L.BORN] = now
        _enter(model, state, j, now)


@inlined
def _finish(model: Model, state: State, server: int, now: float, warm: bool) -> int:
    """The jobs on ``server`` are done: each goes to its next class or leaves. Returns how many."""
    j = state.server_job[server]
    jobs = 0
    while j >= 0:
        after = state.job_i[j, L.NEXT]
        k = index(state.job_i[j, L.CLASS])
        state.class_sums[k, L.COMPLETIONS] += 1
        _count(state, k, -1, now)
        r = index(model.classes[k, L.FIRST_ROUTE])
        if model.classes[k, L.ROUTING] >= 0:
            u = draw(model, state, model.classes[k, L.ROUTING])
            r += first_at_least(model.route_cumulative[r : model.classes[k, L.END_ROUTE]], u)
        following = model.route_to[r]
        if following < 0:
            _leave(state, j, now, warm)
        else:
            state.job_i[j, L.CLASS] = following
            _enter(model, state, j, now)
        jobs += 1
        j = after
    return jobs


@inlined
def _next_job(model: Model, state: State, server: int, now: float) -> None:
    """``server`` is free: it takes who waits, or rests."""
    m = index(model.server_station[server])
    if state.station_i[m, L.WAITING] > 0:
        _begin(model, state, m, server, now)
    else:
        _busy(state, m, -1, now)
        state.server_job[server] = -1
        state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])] = server
        state.station_i[m, L.IDLE] += 1
        set_clock(state.when, state.who, server, np.inf)


@compiled
def _start_batches(model: Model, state: State, now: float) -> None:
    for m in model.batch_stations:
        while state.station_i[m, L.IDLE] > 0 and state.station_i[m, L.WAITING] > 0:
            state.station_i[m, L.IDLE] -= 1
            server = index(state.idle[index(model.stations[m, L.FIRST_SERVER] + state.station_i[m, L.IDLE])])
            _busy(state, m, 1, now)
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
            state.integers[L.EVENTS] += _finish(model, state, clock, now, warm)
            _next_job(model, state, clock, now)
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
        else:
            _end_window(model, state, now)
        state.floats[L.NOW] = now
    return L.DONE
