"""What a network's loop counts as it goes: jobs present, busy servers, regeneration cycles, the sums of a window."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.events import set_clock
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.layout import Model, State


@inlined
def count(state: State, k: int, change: int, now: float) -> None:
    """Change the number of jobs present in class ``k`` and carry its integral to ``now``."""
    n = state.class_sums[k, L.JOBS]
    state.class_sums[k, L.AREA] += n * (now - state.class_sums[k, L.JOBS_LAST])
    state.class_sums[k, L.JOBS_LAST] = now
    state.class_sums[k, L.JOBS] = n + change


@inlined
def busy(state: State, m: int, change: int, now: float) -> None:
    n = state.station_i[m, L.BUSY_SERVERS]
    state.station_t[m, L.WORK_DONE] += n * (now - state.station_t[m, L.BUSY_LAST])
    state.station_t[m, L.BUSY_LAST] = now
    state.station_i[m, L.BUSY_SERVERS] = n + change


@compiled
def close_cycle(cycle_sums: np.ndarray, integers: np.ndarray, floats: np.ndarray, now: float) -> None:
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


@compiled
def _move(sums: np.ndarray, window: np.ndarray) -> None:
    for i in range(window.size):
        window[i] = sums[i]
        sums[i] = 0.0


@compiled
def end_window(model: Model, state: State, now: float) -> None:
    """Write the sums of the window that ends ``now`` and open the next."""
    w = state.integers[L.WINDOW]
    for k in range(state.class_sums.shape[0]):
        count(state, k, 0, now)
        _move(state.class_sums[k], state.class_windows[w, k])
    for a in range(model.source_class.size):
        _move(state.type_sums[a], state.type_windows[w, a])
    for k in range(state.class_sums.shape[0]):
        state.station_windows[w, model.classes[k, L.STATION], L.PRESENT] += state.class_sums[k, L.JOBS]
    for m in range(model.stations.shape[0]):
        busy(state, m, 0, now)
        state.station_windows[w, m, L.BUSY] = state.station_t[m, L.WORK_DONE] - state.station_t[m, L.WORK_BEFORE]
        # Of a station without jobs the difference is rounding: a clock at 10^5 s does not see services of 10^-12 s.
        if state.station_i[m, L.BUSY_SERVERS] + state.station_i[m, L.WAITING] > 0:
            left = state.station_t[m, L.WORK_IN] - state.station_t[m, L.WORK_DONE]
            state.station_windows[w, m, L.UNFINISHED] = left
        state.station_t[m, L.WORK_BEFORE] = state.station_t[m, L.WORK_DONE]
        servers = model.stations[m, L.END_SERVER] - model.stations[m, L.FIRST_SERVER]
        blocked = servers - state.station_i[m, L.IDLE] - state.station_i[m, L.BUSY_SERVERS]
        so_far = state.station_t[m, L.BLOCKED_TIME] + blocked * now
        state.station_windows[w, m, L.BLOCKED] = so_far - state.station_t[m, L.BLOCKED_BEFORE]
        state.station_t[m, L.BLOCKED_BEFORE] = so_far
    state.integers[L.WINDOW] = w + 1
    set_clock(state.when, state.who, model.server_station.size + 1 + model.source_class.size, (w + 2) * model.window)
