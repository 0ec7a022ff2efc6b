"""The peak of the KV-cache memory in a decode phase of exclusive batching: exactly for small systems, else simulated.

The process is that of Section 3.1 of arXiv:2606.00516 under a constant hazard rate p: a request of prompt length L
that has generated G tokens holds L + G of them; each iteration adds a token to every active request, and then each
completes with probability p and releases its memory; when k slots are idle, all idle slots get new requests.  A peak
is over one decode phase in steady state, taken *during* iterations (before completed requests release their
memory), or at the *ends* of iterations, as Appendix D's increments have it; the phase's start counts among both.
Memory is in tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.numerics.markov import explore
from qtheory.numerics.phases import require_phase

Vector = NDArray[np.float64]
State = tuple[int, ...]  # tokens of the active requests at the start of an iteration, sorted


# ---- exactly, for small systems ----

def exact_peak_tail(slots: int, k: int, p: float, prompt: int, capacity: int, *, ends: bool = False) -> float:
    """Pr(peak > capacity) over one decode phase in steady state, all prompts of ``prompt`` tokens.

    Tokens are counted up to what alone exceeds the capacity, which leaves a finite chain; InputError where it has
    more than 5,000 states.
    """
    require_phase(slots, k, p)
    cap = max(capacity - prompt, 0) + 1
    start: State = (0,) * slots
    chain = explore(start, lambda state: _steps(state, slots, k, p, cap))
    law = chain.stationary()
    starts: dict[State, float] = {}
    for state, weight in zip(chain.states, law, strict=True):
        for q, later in _steps(state, slots, k, p, cap):
            if len(later) == slots and (len(state) < slots or 0 in later):
                starts[later] = starts.get(later, 0.0) + weight * q
    total = math.fsum(starts.values())
    return math.fsum(w / total * _exceeds({state: 1.0}, slots, k, p, cap, prompt, capacity, ends)
                     for state, w in starts.items())


def _steps(state: State, slots: int, k: int, p: float, cap: int) -> Iterator[tuple[float, State]]:
    """The next states, with their probabilities; a full batch holds a 0 exactly when a phase has just begun."""
    for alive, q in _survivors(len(state), p):
        left = tuple(sorted(min(state[i] + 1, cap) for i in alive))
        yield q, left if slots - len(left) < k else (0,) * (slots - len(left)) + left


def _survivors(n: int, p: float) -> Iterator[tuple[tuple[int, ...], float]]:
    for alive in range(n + 1):
        q = (1.0 - p) ** alive * p ** (n - alive)
        for which in combinations(range(n), alive):
            yield which, q


def _exceeds(law: dict[State, float], slots: int, k: int, p: float, cap: int, prompt: int, capacity: int,
             ends: bool) -> float:
    """Pr(the memory exceeds the capacity before the phase ends), from a law of its first state."""
    exceeded = 0.0
    while law:
        new: dict[State, float] = {}
        for state, weight in law.items():
            held = sum(state) + prompt * len(state) + (0 if ends else len(state))
            if held > capacity:
                exceeded += weight
                continue
            for q, later in _steps(state, slots, k, p, cap):
                if slots - len(later) < k and not (len(later) == slots and 0 in later):
                    new[later] = new.get(later, 0.0) + weight * q
        law = new
    return exceeded


# ---- by simulation ----

class PeakSample(NamedTuple):
    """Memory (tokens) in each simulated phase, shape (replications, phases)."""

    start: Vector
    ends: Vector  # the largest value at the start and at the ends of iterations
    during: Vector  # the largest value during iterations

    def tail(self, capacity: float, *, ends: bool = False) -> tuple[float, float]:
        """Pr(peak > capacity) and the half-width of its 95 percent interval, by independent replications."""
        from scipy.stats import t

        means = ((self.ends if ends else self.during) > capacity).mean(axis=1)
        spread = means.std(ddof=1) / math.sqrt(len(means))
        return float(means.mean()), float(t.ppf(0.975, len(means) - 1) * spread)


def simulate_peaks(slots: int, k: int, p: float, prompts: ArrayLike, *, phases: int = 400, replications: int = 20,
                   seed: int = 1) -> PeakSample:
    """Independent replications of the process, each started with geometric ages and warmed up over 4 slots/k phases.

    ``prompts``: prompt lengths (tokens), a number or an array of equally likely ones.  A replication's random numbers
    are the Philox stream (seed, replication).  The work grows with slots times phases, not with tokens.
    """
    require_phase(slots, k, p)
    lengths = np.atleast_1d(np.asarray(prompts, dtype=float)).ravel()
    if lengths.size == 0 or not np.isfinite(lengths).all() or (lengths < 0).any():
        raise InputError("prompts must be prompt lengths in tokens, not negative and finite")
    if replications < 2 or phases < 1:
        raise InputError(f"at least 2 replications of 1 phase are needed, not {replications} of {phases}")
    warm_up = math.ceil(4 * slots / k)
    sample = np.empty((3, replications, phases))
    log_q = math.log1p(-p) if p < 1 else -math.inf
    for r in range(replications):
        stream = np.random.Generator(np.random.Philox(key=np.array([seed, r], dtype=np.uint64)))
        _run(stream, slots, k, log_q, lengths, warm_up, sample[:, r])
    return PeakSample(*sample)


@njit(cache=True, error_model="numpy")
def _geometric(stream: Any, log_q: float) -> float:
    """Geometric on 1, 2, ...: the least t with q^t <= U."""
    return max(1.0, math.ceil(math.log(1.0 - stream.random()) / log_q))


@njit(cache=True, error_model="numpy")
def _run(stream: Any, slots: int, k: int, log_q: float, lengths: Vector, warm_up: int, out: Vector) -> None:
    """Fills out[0..2, phase] with the memory at the start, and the peaks at the ends of and during iterations."""
    memory = np.empty(slots)  # L + G
    residual = np.empty(slots)
    new_memory, new_residual = np.empty(slots), np.empty(slots)
    for i in range(slots):
        memory[i] = lengths[stream.integers(0, lengths.size)] + _geometric(stream, log_q) - 1.0
        residual[i] = _geometric(stream, log_q)
    order = np.argsort(residual)
    memory, residual = memory[order], residual[order]  # the next to end come first, in each phase
    for phase in range(-warm_up, out.shape[1]):
        last = residual[k - 1]
        held, now, ended = memory.sum(), 0.0, 0
        start, ends, during = held, held, held
        while ended < slots and residual[ended] <= last:
            active = slots - ended
            if residual[ended] > now:  # the memory grows until completions: its largest values are just before them
                held += active * (residual[ended] - now)
                now = residual[ended]
                during = max(during, held)
                ends = max(ends, held - active)
            held -= memory[ended] + now
            ended += 1
        if phase >= 0:
            out[0, phase], out[1, phase], out[2, phase] = start, ends, during
        for i in range(ended):
            new_memory[i] = lengths[stream.integers(0, lengths.size)]
            new_residual[i] = _geometric(stream, log_q)
        order, new, old = np.argsort(new_residual[:ended]), 0, ended
        for i in range(slots):  # those that go on, and the new ones, into the order in which they will end
            if new == ended or (old < slots and residual[old] - last <= new_residual[order[new]]):
                memory[i], residual[i] = memory[old] + last, residual[old] - last
                old += 1
            else:
                memory[i], residual[i] = new_memory[order[new]], new_residual[order[new]]
                new += 1
