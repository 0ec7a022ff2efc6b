"""The Markov chain of Section 2.2, line by line in exact arithmetic, and its one-step laws by enumeration.

A state is (R, requests): the slots that the current batch still takes, and (P_i, D_i) for each request, oldest first;
features play no part. A scheduler maps requests and budget to a batch (``schedulers``); it is asked where R = 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from .schedulers import Batch, Scheduler

Request = tuple[int, int]  # (P_i, D_i); of an arrival (v_p(i), v_d(i))
State = tuple[int, tuple[Request, ...]]
Law = Sequence[tuple[Fraction, tuple[Request, ...]]]  # of a slot's arrivals: probability, requests
Function = Callable[[State], Fraction]


@dataclass(frozen=True)
class Engine:
    """``times[j]``: slots that a batch of j tokens takes, j = 0 (an idle slot), ..., b."""

    times: tuple[int, ...]

    @property
    def b(self) -> int:
        return len(self.times) - 1

    @property
    def rate(self) -> Fraction:
        """b/t_b, tokens a slot."""
        return Fraction(self.b, self.times[-1])


def by_2_3(b: int, c: int, a: int, b_0: int) -> Engine:
    """(2.3): t_b' = c + a max(0, b' - b_0); an idle slot is one slot."""
    return Engine((1, *(c + a * max(0, j - b_0) for j in range(1, b + 1))))


def chosen(engine: Engine, scheduler: Scheduler, state: State) -> Batch:
    """pi(x): "when r > 0, we enforce b' = 0 since batch processing is ongoing"."""
    r, requests = state
    return [(0, 0)] * len(requests) if r > 0 else scheduler(requests, engine.b)


def next_state(engine: Engine, state: State, batch: Batch, arrivals: tuple[Request, ...]) -> State:
    """"P_i' = P_i - delta_i^p; D_i' = D_i - delta_i^d; Q_n' = Q_n less {D_i' = 0}; Q_{n+1} = Q_n' and A_n"."""
    r, requests = state
    left = [(p - dp, d - dd) for (p, d), (dp, dd) in zip(requests, batch, strict=True)]
    loaded = sum(dp + dd for dp, dd in batch)
    remaining = r - 1 if r > 0 else engine.times[loaded] - 1
    return remaining, (*((p, d) for p, d in left if d > 0), *arrivals)


def step(engine: Engine, scheduler: Scheduler, state: State, arrivals: tuple[Request, ...]) -> State:
    return next_state(engine, state, chosen(engine, scheduler, state), arrivals)


def run(engine: Engine, scheduler: Scheduler, start: State, arrivals: Sequence[tuple[Request, ...]]) -> Iterator[State]:
    """X(0) = start, X(1), ..., with these arrivals slot by slot."""
    state = start
    yield state
    for now in arrivals:
        state = step(engine, scheduler, state, now)
        yield state


def transitions(engine: Engine, scheduler: Scheduler, law: Law, state: State) -> dict[State, Fraction]:
    """The law of X(n+1) given X(n) = state."""
    out: dict[State, Fraction] = {}
    for weight, arrivals in law:
        after = step(engine, scheduler, state, arrivals)
        out[after] = out.get(after, Fraction(0)) + weight
    return out


def drift(engine: Engine, scheduler: Scheduler, law: Law, f: Function, state: State) -> Fraction:
    """E[f(X(n+1)) | X(n) = state] - f(state)."""
    return sum((w * f(x) for x, w in transitions(engine, scheduler, law, state).items()), Fraction(0)) - f(state)


def tokens(state: State) -> int:
    """|x| of (2.9): the unprocessed tokens."""
    return sum(p + d for p, d in state[1])


def sketched(engine: Engine) -> Function:
    """Section 2.3's f(X) = sum_i (P_i + D_i) + R b/t_b."""
    return lambda state: tokens(state) + state[0] * engine.rate


def squared(weight: Fraction) -> Function:
    """Appendix B's f(X) = sum_i (p_i' + d_i' + weight (1(p_i' > 0) + d_i')^2), weight = eps/(4 L lambda)."""
    def f(state: State) -> Fraction:
        return sum((n * (p + d + weight * ((p > 0) + d) ** 2) for (p, d), n in Counter(state[1]).items()), Fraction(0))

    return f


def decrease(weight: Fraction, state: State, batch: Batch, printed: bool) -> Fraction:
    """Appendix B's Delta(X); where not ``printed``, a request without prefill tokens counts only if it decodes."""
    total = Fraction(0)
    for (p, d), (dp, dd) in zip(state[1], batch, strict=True):
        stage = dd == 1 or (dp == p and (printed or p > 0))
        total += dp + dd + (weight * (2 * (d + (p > 0)) - 1) if stage else 0)
    return total


def mean_tokens(law: Law) -> Fraction:
    """lambda (m_p + m_d): the mean number of tokens that a slot brings."""
    return sum((w * sum(p + d for p, d in arrivals) for w, arrivals in law), Fraction(0))


# ---- engines in parallel, Section 4.1: each has its own state, and a balancer routes the requests of a slot ----

Engines = tuple[State, ...]
Routes = Iterable[tuple[Fraction, tuple[int, ...]]]  # of a slot's requests: probability, the engine of each
Balancer = Callable[[Engines, int], Routes]  # of the engines' states when the slot begins, and how many arrive


def at_random(engines: Engines, many: int) -> Routes:
    """"Assign a request randomly (uniformly) among K engines"."""
    return [(Fraction(1, len(engines) ** many), r) for r in product(range(len(engines)), repeat=many)]


def least_tokens(engines: Engines, many: int) -> Routes:
    """"Use the engine that has the least number of tokens", the first of those; all requests of a slot join it."""
    loads = [tokens(state) for state in engines]
    return [(Fraction(1), (loads.index(min(loads)),) * many)]


def least_requests(engines: Engines, many: int) -> Routes:
    """"To the engine that has the least number of requests", the first of those; all requests of a slot join it."""
    counts = [len(requests) for _, requests in engines]
    return [(Fraction(1), (counts.index(min(counts)),) * many)]


def joint_transitions(engine: Engine, scheduler: Scheduler, balancer: Balancer, law: Law,
                      engines: Engines) -> dict[Engines, Fraction]:
    """The law of all engines' states after a slot."""
    out: dict[Engines, Fraction] = {}
    for weight, arrivals in law:
        for chance, routes in balancer(engines, len(arrivals)):
            joined = [tuple(a for a, k in zip(arrivals, routes, strict=True) if k == j) for j in range(len(engines))]
            after = tuple(step(engine, scheduler, x, now) for x, now in zip(engines, joined, strict=True))
            out[after] = out.get(after, Fraction(0)) + weight * chance
    return out
