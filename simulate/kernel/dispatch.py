"""Where a job of a network may go: whether there is room, and what a dispatcher chooses."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.jit import apart, compiled, index, inlined
from qtheory.simulate.kernel.layout import Model, State
from qtheory.simulate.kernel.variates import draw, first_at_least


@inlined
def no_room(model: Model, state: State, k: int, station: int) -> bool:
    """Is the station of class ``k`` full for a job that is at ``station`` (-1: outside)?"""
    m = index(model.classes[k, L.STATION])
    return bool(state.station_i[m, L.HELD] >= model.stations[m, L.CAPACITY] and m != station)


@compiled
def _burden(model: Model, state: State, k: int, least_work: bool, now: float) -> float:
    """Jobs, or seconds of work, for each server at the station of class ``k``."""
    m = model.classes[k, L.STATION]
    held = state.station_i[m, L.HELD]
    if held == 0:
        return 0.0
    servers = model.stations[m, L.END_SERVER] - model.stations[m, L.FIRST_SERVER]
    if not least_work:
        return float(held) / servers
    done = state.station_t[m, L.WORK_DONE]
    done += state.station_i[m, L.BUSY_SERVERS] * (now - state.station_t[m, L.BUSY_LAST])
    return float(state.station_t[m, L.WORK_IN] - done) / servers


@apart
def dispatched(model: Model, state: State, k: int, now: float) -> int:
    """The class to which dispatcher ``k`` sends a job."""
    first, end = model.classes[k, L.FIRST_ROUTE], model.classes[k, L.END_ROUTE]
    rule, chance = model.classes[k, L.RULE], model.classes[k, L.ROUTING]
    if end - first == 1:
        return int(model.route_to[first])
    if rule == L.ROUND_ROBIN:
        turn = state.turn[k]
        state.turn[k] = (turn + 1) % (end - first)
        return int(model.route_to[first + turn])
    if rule == L.RANDOM:
        u = draw(model, state, chance)
        return int(model.route_to[first + first_at_least(model.route_cumulative[first:end], u)])
    least, equal = np.inf, 0
    for r in range(first, end):
        burden = _burden(model, state, model.route_to[r], rule == L.LEAST_WORK, now)
        if burden < least:
            least, equal = burden, 0
        equal += burden == least
    skip = int(equal * draw(model, state, chance)) if equal > 1 else 0
    for r in range(first, end):
        if _burden(model, state, model.route_to[r], rule == L.LEAST_WORK, now) == least:
            if skip == 0:
                return int(model.route_to[r])
            skip -= 1
    return -1  # never
