"""The loop of Markov chains on counts alone: Poisson clocks in continuous time, or slots in discrete time.

A chain keeps a vector of counts; each move adds a fixed vector to it, in continuous time at a rate that the counts
give, in discrete time a number of times that is drawn anew at the end of each step. An event costs as much with a
million jobs present as with one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.pause import PAUSED, TURNS
from qtheory.simulate.kernel.variates import draw

# Why the loop returned.
DONE, RECORDS_FULL, NEGATIVE = 0, 1, 2

# Factors of a move's size, of x = offset + weights . counts.
CLAMP, BETWEEN, INVERSE = 0, 1, 2

# How many times a move happens in a step of discrete time, from its size.
ALL, BINOMIAL, POISSON, LAW = 0, 1, 2, 3

LEVELS = 1025  # of a count's histogram; the last: that or more
SET_OUT, WINDOW, EVENTS, RECORDED, FAULT, PENDING, WHICH = range(7)
NOW, LENGTH, END = range(3)


class Counts(NamedTuple):
    """Read only. d counts, r moves, f factors, v variate sources."""

    discrete: int
    change: np.ndarray  # (r, d) int64
    scale: np.ndarray  # (r,) rate constant; chance of a binomial, mean of a Poisson number
    number: np.ndarray  # (r,) ALL, BINOMIAL, POISSON or LAW
    factor_first: np.ndarray  # (r + 1,)
    factor_kind: np.ndarray  # (f,)
    factor_weights: np.ndarray  # (f, d)
    factor_offset: np.ndarray  # (f,)
    factor_low: np.ndarray  # (f,)
    factor_high: np.ndarray  # (f,)
    step_seconds: np.ndarray  # (1 + d,) of a step: fixed, and for each count
    move_seconds: np.ndarray  # (r, 2) what a move adds to its step: if it happens, and each time
    move_source: np.ndarray  # (r,) its variate source, -1: none
    kind: np.ndarray  # (v,) law, see variates
    parameter_first: np.ndarray
    parameters: np.ndarray
    stream: np.ndarray
    key: np.ndarray
    window: float


class CountsState(NamedTuple):
    """Changed in place."""

    integers: np.ndarray
    floats: np.ndarray  # (3,) now, length and end of the step under way
    counts: np.ndarray  # (d,) int64
    later: np.ndarray  # (d,) counts at the end of the step
    times: np.ndarray  # (r,) how many times each move happens at the end of the step
    rates: np.ndarray  # (r,)
    remaining: np.ndarray  # (r,) of the move's own clock, in units of its mean, until it happens
    buffer: np.ndarray
    words: np.ndarray
    position: np.ndarray
    drawn: np.ndarray
    area: np.ndarray  # (windows, d) integrals of the counts over time
    present: np.ndarray  # (windows, d) counts at the ends of windows
    moves: np.ndarray  # (windows, r) how many times each move happened
    levels: np.ndarray  # (d, LEVELS) seconds at each level after the warm-up
    records: np.ndarray  # (capacity, 3): time, move, times; capacity 0: none wanted


@inlined
def _size(model: Counts, counts: np.ndarray, r: int) -> float:
    """The product of the move's factors."""
    size = 1.0
    for f in range(model.factor_first[r], model.factor_first[r + 1]):
        x = model.factor_offset[f]
        for i in range(counts.size):
            x += model.factor_weights[f, i] * counts[i]
        if model.factor_kind[f] == CLAMP:
            size *= min(max(x, model.factor_low[f]), model.factor_high[f])
        elif model.factor_kind[f] == BETWEEN:
            size *= 1.0 if model.factor_low[f] <= x <= model.factor_high[f] else 0.0
        else:
            size *= 1.0 / x if x > 0.0 else 0.0
    return size


@compiled
def binomial(u: float, n: int, p: float) -> int:
    """The binomial number at the uniform variate ``u``, searched outwards from the mode: O(its deviation) steps."""
    if n <= 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return n
    mode = min(n, int((n + 1) * p))
    logarithm = math.lgamma(n + 1.0) - math.lgamma(mode + 1.0) - math.lgamma(n - mode + 1.0)
    top = math.exp(logarithm + mode * math.log(p) + (n - mode) * math.log1p(-p))
    odds = p / (1.0 - p)
    u -= top
    up, down, above, below = mode, mode, top, top
    while u >= 0.0 and above + below > 1e-30:
        above *= (n - up) / (up + 1.0) * odds
        up += 1
        u -= above
        if u < 0.0:
            return up
        below *= down / ((n - down + 1.0) * odds)
        down -= 1
        u -= below
        if u < 0.0:
            return down
    return mode


@compiled
def poisson(u: float, mean: float) -> int:
    """The Poisson number at the uniform variate ``u``, searched outwards from the mode."""
    if mean <= 0.0:
        return 0
    mode = int(mean)
    top = math.exp(mode * math.log(mean) - mean - math.lgamma(mode + 1.0))
    u -= top
    up, down, above, below = mode, mode, top, top
    while u >= 0.0 and above + below > 1e-30:
        above *= mean / (up + 1.0)
        up += 1
        u -= above
        if u < 0.0:
            return up
        below *= down / mean
        down -= 1
        u -= below
        if u < 0.0:
            return down
    return mode


@inlined
def _times(model: Counts, s: CountsState, r: int) -> int:
    """How many times move ``r`` happens at the end of this step, by the counts after the moves before it."""
    size = _size(model, s.later, r)
    if model.number[r] == ALL:
        return int(size + 0.5)
    v = draw(model, s, model.move_source[r])
    if model.number[r] == BINOMIAL:
        return binomial(v, int(size + 0.5), model.scale[r])
    if model.number[r] == POISSON:
        return poisson(v, size * model.scale[r])
    return int(size * v + 0.5)


@inlined
def _step(model: Counts, s: CountsState) -> float:
    """Draw the step's moves into ``s.times`` and ``s.later``; returns its length."""
    length = model.step_seconds[0]
    for i in range(s.counts.size):
        length += model.step_seconds[1 + i] * s.counts[i]
        s.later[i] = s.counts[i]
    for r in range(s.times.size):
        n = _times(model, s, r)
        s.times[r] = n
        if n > 0:
            length += model.move_seconds[r, 0] + n * model.move_seconds[r, 1]
            for i in range(s.counts.size):
                s.later[i] += n * model.change[r, i]
    return float(length)


@inlined
def _next_clock(model: Counts, s: CountsState) -> tuple[float, int]:
    """Time to the next move in continuous time, and which; each move runs on a Poisson clock of its own.

    (Anderson, 2007: so two chains can share the clocks of the moves that they have in common.)
    """
    soonest, which = np.inf, -1
    for r in range(s.rates.size):
        rate = model.scale[r] * _size(model, s.counts, r)
        s.rates[r] = rate
        if rate > 0.0 and s.remaining[r] / rate < soonest:
            soonest, which = s.remaining[r] / rate, r
    return float(soonest), which


@inlined
def _hold(s: CountsState, until: float, warm_window: int) -> None:
    """Let the counts stay as they are until then."""
    w, seconds = s.integers[WINDOW], until - s.floats[NOW]
    for i in range(s.counts.size):
        s.area[w, i] += s.counts[i] * seconds
        if w >= warm_window:
            s.levels[i, min(s.counts[i], LEVELS - 1)] += seconds
    s.floats[NOW] = until


@inlined
def _end_window(s: CountsState) -> None:
    for i in range(s.counts.size):
        s.present[s.integers[WINDOW], i] = s.counts[i]
    s.integers[WINDOW] += 1


@inlined
def _move(model: Counts, s: CountsState, r: int, times: int) -> bool:
    """Let move ``r`` happen; False if a count would become negative."""
    good = True
    for i in range(s.counts.size):
        s.counts[i] += times * model.change[r, i]
        good = good and s.counts[i] >= 0
    s.moves[s.integers[WINDOW], r] += times
    s.integers[EVENTS] += times
    if s.records.shape[0] > 0:
        e = s.integers[RECORDED]
        s.records[e, 0] = s.floats[NOW]
        s.records[e, 1] = r
        s.records[e, 2] = times
        s.integers[RECORDED] = e + 1
    if not good:
        s.integers[FAULT] = r
    return good


@inlined
def _happen(model: Counts, s: CountsState) -> bool:
    """The step under way ends: its moves happen. False if a count would become negative."""
    if model.discrete == 1:
        good = True
        for r in range(s.times.size):
            if good and s.times[r] > 0:
                good = _move(model, s, r, s.times[r])
        return good
    for r in range(s.times.size):
        s.remaining[r] -= s.rates[r] * s.floats[LENGTH]
    which = s.integers[WHICH]
    s.remaining[which] = draw(model, s, model.move_source[which])
    return _move(model, s, which, 1)


@compiled
def advance(model: Counts, s: CountsState, stop_window: int, warm_window: int) -> int:
    """Run until ``stop_window`` windows have ended; returns DONE, or why it stopped before. Call again to go on."""
    if s.integers[SET_OUT] == 0:
        if model.discrete == 0:
            for r in range(s.times.size):
                s.remaining[r] = draw(model, s, model.move_source[r])
        s.integers[SET_OUT] = 1
    turns = 0
    while s.integers[WINDOW] < stop_window:
        if turns == TURNS:
            return PAUSED
        turns += 1
        if s.records.shape[0] > 0 and s.records.shape[0] - s.integers[RECORDED] < s.times.size:
            return RECORDS_FULL
        if s.integers[PENDING] == 0:
            if model.discrete == 1:
                s.floats[LENGTH] = _step(model, s)
            else:
                s.floats[LENGTH], s.integers[WHICH] = _next_clock(model, s)
            s.floats[END] = s.floats[NOW] + s.floats[LENGTH]
            s.integers[PENDING] = 1
        border = (s.integers[WINDOW] + 1) * model.window
        if border <= s.floats[END]:
            _hold(s, border, warm_window)
            _end_window(s)
            continue
        _hold(s, s.floats[END], warm_window)
        s.integers[PENDING] = 0
        if not _happen(model, s):
            return NEGATIVE
    return DONE
