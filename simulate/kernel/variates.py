"""Blocks of variates by kind of law: an integer says which law, a slice of a flat array holds its parameters.

Variate number n of a source depends on (key, source, n) alone, but for the gaps of a time-varying process, which
depend on those before them too. Laws that need more than one word a variate take the attempts 1, 2, ... of block n.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from qtheory.simulate.kernel.jit import apart, assume, compiled, index, inlined
from qtheory.simulate.kernel.random import block, fill_exponentials, fill_uniforms, unit

BLOCK = 256  # variates drawn at a time, a source

# kind: parameters
DETERMINISTIC = 0  # value
EXPONENTIAL = 1  # mean
ERLANG = 2  # stages, mean of a stage
HYPEREXPONENTIAL = 3  # branches m, m cumulative probabilities, m means
PHASE = 4  # phases m, m cumulative initial probabilities, m means, m rows of m + 1 cumulative (last: absorbed)
EMPIRICAL = 5  # the values, all equally likely
DISCRETE = 6  # values m, m cumulative probabilities, m values
UNIFORM = 7  # low, high
GEOMETRIC = 8  # 1 / -log(1 - p), on 1, 2, ...
LOGNORMAL = 9  # mean and standard deviation of the logarithm
WEIBULL = 10  # scale, 1 / shape
LISTED = 11  # what comes after the list, then the list, in order
# Gaps of Poisson processes with a rate that varies. The first parameter is the time of the last arrival: 0 at first,
# and the one parameter of all that drawing changes.
STEPS = 12  # time, largest rate, period (infinite: the last rate for ever), pieces m, m ends of pieces, m rates
WAVE = 13  # time, largest rate, mean rate, amplitude, angular frequency, phase


@compiled
def _exponential_from(word: np.uint64) -> float:
    return -math.log(unit(word))


@compiled
def first_at_least(cumulative: np.ndarray, u: float) -> int:
    """The first index whose cumulative probability is at least ``u`` (the last one at the most)."""
    low, high = 0, cumulative.size - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] < u:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _erlang(par: np.ndarray, key: np.ndarray, source: int, n: int) -> float:
    total: float = 0.0
    stages = int(par[0])
    for j in range((stages + 1) // 2):
        a, b = block(key, source, n, j + 1)
        total += _exponential_from(a)
        if 2 * j + 1 < stages:
            total += _exponential_from(b)
    return float(total * par[1])


@compiled
def _phase_type(par: np.ndarray, key: np.ndarray, source: int, n: int) -> float:
    m = int(par[0])
    a, b = block(key, source, n, 1)
    phase = first_at_least(par[1 : m + 1], unit(a))
    total = 0.0
    attempt = 2
    while phase < m:
        a, b = block(key, source, n, attempt)
        attempt += 1
        total += _exponential_from(a) * par[1 + m + phase]
        row = 1 + 2 * m + phase * (m + 1)
        phase = first_at_least(par[row : row + m + 1], unit(b))
    return total


@compiled
def _lognormal(par: np.ndarray, key: np.ndarray, source: int, n: int) -> float:
    a, b = block(key, source, n, 1)
    normal = math.sqrt(2.0 * _exponential_from(a)) * math.cos(2.0 * math.pi * unit(b))
    return math.exp(par[0] + par[1] * normal)


@compiled
def _rate_at(kind: int, par: np.ndarray, time: float) -> float:
    """The arrival rate of a time-varying process at ``time``."""
    if kind == WAVE:
        return float(par[2] + par[3] * math.sin(par[4] * time + par[5]))
    m = int(par[3])
    inside = time - par[2] * math.floor(time / par[2]) if par[2] < np.inf else time
    return float(par[4 + m + first_at_least(par[4 : 4 + m], inside)])


@compiled
def _varying_gap(kind: int, par: np.ndarray, key: np.ndarray, source: int, n: int) -> float:
    """The time to the next arrival by thinning a process of the largest rate (Lewis and Shedler, 1979)."""
    time = par[0]
    attempt = 1
    while True:
        a, b = block(key, source, n, attempt)
        attempt += 1
        time += _exponential_from(a) / par[1]
        rate = _rate_at(kind, par, time)
        if unit(b) * par[1] < rate:
            gap = time - par[0]
            par[0] = time
            return gap
        if kind == STEPS and rate == 0.0 and par[2] == np.inf and time > par[2 + int(par[3])]:
            par[0] = time
            return math.inf  # in the last piece, which has no arrivals and no end


@apart
def fill(
    kind: int, par: np.ndarray, out: np.ndarray, words: np.ndarray, key: np.ndarray, source: int, first: int
) -> None:
    """Variates ``first`` (even), ``first`` + 1, ... of a source into ``out``; ``words``: uint64 work space."""
    if kind == DETERMINISTIC:
        out[:] = par[0]
    elif kind in (EXPONENTIAL, GEOMETRIC, WEIBULL):
        fill_exponentials(out, words, key, source, first // 2)
        if kind == EXPONENTIAL:
            for i in range(out.size):
                out[i] *= par[0]
        elif kind == GEOMETRIC:
            for i in range(out.size):
                out[i] = math.floor(out[i] * par[0]) + 1.0
        else:
            for i in range(out.size):
                out[i] = par[0] * out[i] ** par[1]
    elif kind in (UNIFORM, EMPIRICAL, DISCRETE):
        fill_uniforms(out, words, key, source, first // 2)
        if kind == UNIFORM:
            for i in range(out.size):
                out[i] = par[0] + (par[1] - par[0]) * out[i]
        elif kind == EMPIRICAL:
            for i in range(out.size):
                out[i] = par[int(out[i] * par.size)]
        else:
            m = int(par[0])
            for i in range(out.size):
                out[i] = par[1 + m + first_at_least(par[1 : m + 1], out[i])]
    elif kind == LISTED:
        for i in range(out.size):
            out[i] = par[1 + first + i] if first + i + 1 < par.size else par[0]
    elif kind == ERLANG:
        for i in range(out.size):
            out[i] = _erlang(par, key, source, first + i)
    elif kind == HYPEREXPONENTIAL:
        m = int(par[0])
        for i in range(out.size):
            a, b = block(key, source, first + i, 1)
            out[i] = _exponential_from(a) * par[1 + m + first_at_least(par[1 : m + 1], unit(b))]
    elif kind == PHASE:
        for i in range(out.size):
            out[i] = _phase_type(par, key, source, first + i)
    elif kind == LOGNORMAL:
        for i in range(out.size):
            out[i] = _lognormal(par, key, source, first + i)
    else:
        for i in range(out.size):
            out[i] = _varying_gap(kind, par, key, source, first + i)


@inlined
def draw(model: Any, state: Any, v: int) -> float:
    """The next variate of source ``v``, for the arrays of any model that name them as Model and State do."""
    assume(state.buffer.shape[1] == BLOCK)
    v = index(v)
    p = index(state.position[v])
    if p == BLOCK:
        par = model.parameters[model.parameter_first[v] : model.parameter_first[v + 1]]
        fill(model.kind[v], par, state.buffer[v], state.words, model.key, model.stream[v], state.drawn[v])
        state.drawn[v] += BLOCK
        p = 0
    state.position[v] = p + 1
    return float(state.buffer[v, p])


class Drawn(NamedTuple):
    """What variates are drawn with from Python: a law's parameters, where they go, work space, and a run's key."""

    parameters: np.ndarray
    out: np.ndarray
    words: np.ndarray  # uint64, as long
    key: np.ndarray


@compiled
def fill_drawn(kind: int, drawn: Drawn, source: int) -> None:
    """The first variates of a source."""
    fill(kind, drawn.parameters, drawn.out, drawn.words, drawn.key, source, 0)
