"""Markov chains on counts alone, as plain data: moves at rates that the counts give, or slots with drawn numbers.

The same data runs in the compiled loop, however many are present, and gives the exact stationary law of a chain
that is small enough (:func:`exact`), by :mod:`qtheory.numerics.markov`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics import markov
from qtheory.simulate.checks import MOST, positive, require_model, whole
from qtheory.simulate.kernel import counts as K
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.laws import Discrete, Exponential, Law, Uniform
from qtheory.simulate.showing import InALine, Replication, listed
from qtheory.simulate.streams import Plan

State = tuple[int, ...]
_MOVE = 16 << 24  # role of the streams: a move's number is added


@dataclass(frozen=True)
class Factor:
    """A factor of a move's size, of x = ``offset`` + sum of ``weights[name]`` times the count.

    ``kind``: "clamp", min(max(x, low), high); "between", 1 if low <= x <= high, else 0; "inverse", 1/x where x is
    positive, else 0.
    """

    kind: str
    weights: Mapping[str, float]
    offset: float = 0.0
    low: float = 0.0
    high: float = math.inf

    KINDS = ("clamp", "between", "inverse")  # in the kernel's order

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise UnknownNameError("factor", self.kind, list(self.KINDS))
        if not self.low <= self.high or (self.kind == "clamp" and self.low < 0):
            raise InputError(f"a {self.kind} factor needs 0 <= low <= high, not {self.low}, {self.high}")
        if not all(math.isfinite(v) for v in (self.offset, *self.weights.values())):
            raise InputError("the offset and the weights of a factor must be finite")

    def value(self, counts: Mapping[str, int]) -> float:
        """The factor at these counts."""
        x = self.offset + sum(w * counts[n] for n, w in self.weights.items())
        if self.kind == "clamp":
            return min(max(x, self.low), self.high)
        if self.kind == "between":
            return float(self.low <= x <= self.high)
        return 1.0 / x if x > 0 else 0.0


def up_to(name: str, most: float = math.inf) -> Factor:
    """min(count, most): busy servers of ``most``, or all that are present."""
    return Factor("clamp", {name: 1.0}, high=most)


@dataclass(frozen=True)
class Move:
    """What happens: each count ``n`` becomes n + ``change[name]`` (missing: 0).

    The move's *size* is the product of its factors (none: 1). In continuous time it happens at the rate ``rate``
    times the size, in 1/s. In discrete time it happens at the end of each step a number of times: the size itself
    (``number`` "all"), binomial with size trials of chance ``rate`` ("binomial"), Poisson with mean rate times size
    ("poisson"), or size times a variate of ``law`` ("law"). Moves of a step go in order, each seeing the counts after
    those before it. ``seconds``: what it adds to its step's length, (if it happens, each time).
    """

    name: str
    change: Mapping[str, int]
    rate: float = 1.0
    factors: tuple[Factor, ...] = ()
    number: str = "all"
    law: Discrete | None = None
    seconds: tuple[float, float] = (0.0, 0.0)

    NUMBERS = ("all", "binomial", "poisson", "law")  # in the kernel's order

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", tuple(self.factors))
        if self.number not in self.NUMBERS:
            raise UnknownNameError(f"number of move {self.name!r}", self.number, list(self.NUMBERS))
        if not (math.isfinite(self.rate) and self.rate >= 0) or (self.number == "binomial" and self.rate > 1):
            raise InputError(f"move {self.name!r}: a rate is nonnegative, a chance at most 1, not {self.rate}")
        if (self.number == "law") != (self.law is not None):
            raise InputError(f"move {self.name!r}: number 'law' needs a law, and no other number takes one")
        for v in self.change.values():
            whole(f"move {self.name!r}: what a count changes by", v, -MOST)
        if not all(0 <= v < math.inf for v in self.seconds):
            raise InputError(f"move {self.name!r}: seconds must be nonnegative and finite, not {self.seconds}")

    def size(self, counts: Mapping[str, int]) -> float:
        return math.prod(f.value(counts) for f in self.factors)


@dataclass(frozen=True)
class CountsChain(InALine):
    """A Markov chain on counts, started from ``start`` (name: count).

    ``step``: None for continuous time; in discrete time the seconds of a step, and ``step_each`` the seconds that
    each of a count adds to it. Counts stay during a step and change at its end.
    """

    start: Mapping[str, int]
    moves: tuple[Move, ...]
    step: float | None = None
    step_each: Mapping[str, float] = field(default_factory=dict)

    @property
    def line(self) -> str:
        return f"chain of {listed(self.start)}; moves {listed(m.name for m in self.moves)}"

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(self.moves))
        if not self.start or not self.moves:
            raise InputError("a chain needs at least one count and one move")
        for name, v in self.start.items():
            whole(f"the count {name!r} at the start", v, 0)
        names = [m.name for m in self.moves]
        twice = [n for n in names if names.count(n) > 1]
        if twice:
            raise InputError(f"move {twice[0]!r} is defined twice")
        used = [n for m in self.moves for n in (*m.change, *(n for f in m.factors for n in f.weights))]
        for name in (*used, *self.step_each):
            if name not in self.start:
                raise UnknownNameError("count", name, list(self.start))
        if self.step is None:
            self._check_continuous()
        else:
            positive("the length of a step", self.step)
            if any(not 0 <= v < math.inf for v in self.step_each.values()):
                raise InputError(f"the seconds of a count must be nonnegative and finite, not {dict(self.step_each)}")

    def _check_continuous(self) -> None:
        for m in self.moves:
            if m.number != "all" or m.seconds != (0.0, 0.0) or self.step_each:
                raise InputError(f"move {m.name!r}: numbers and seconds belong to discrete time; give a step")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.start)

    def counts_of(self, state: State) -> dict[str, int]:
        return dict(zip(self.start, state, strict=True))

    def after(self, state: State, move: Move, times: int = 1) -> State:
        """The state after ``move`` has happened so often; raises InputError if a count becomes negative."""
        later = tuple(n + times * int(move.change.get(k, 0)) for k, n in zip(self.start, state, strict=True))
        if min(later) < 0:
            raise InputError(_negative(move.name, self.counts_of(state)))
        return later

    def arrays(self, key: np.ndarray, window: float) -> K.Counts:
        """The kernel's arrays."""
        names, factors = self.names, [f for m in self.moves for f in m.factors]
        laws = [self._variates(m) for m in self.moves]
        encoded = [law.encode() for law in laws if law is not None]
        numbers = np.cumsum([law is not None for law in laws]) - 1
        return K.Counts(
            discrete=int(self.step is not None),
            change=np.array([[int(m.change.get(n, 0)) for n in names] for m in self.moves], dtype=np.int64),
            scale=np.array([m.rate for m in self.moves], dtype=float),
            number=np.array([Move.NUMBERS.index(m.number) for m in self.moves], dtype=np.int64),
            factor_first=np.cumsum([0] + [len(m.factors) for m in self.moves]),
            factor_kind=np.array([Factor.KINDS.index(f.kind) for f in factors], dtype=np.int64),
            factor_weights=np.array([[f.weights.get(n, 0.0) for n in names] for f in factors]).reshape(-1, len(names)),
            factor_offset=np.array([f.offset for f in factors], dtype=float),
            factor_low=np.array([f.low for f in factors], dtype=float),
            factor_high=np.array([f.high for f in factors], dtype=float),
            step_seconds=np.array([self.step or 0.0, *(self.step_each.get(n, 0.0) for n in names)], dtype=float),
            move_seconds=np.array([m.seconds for m in self.moves], dtype=float),
            move_source=np.where([law is not None for law in laws], numbers, -1),
            kind=np.array([kind for kind, _ in encoded], dtype=np.int64),
            parameter_first=np.cumsum([0] + [len(p) for _, p in encoded]),
            parameters=np.array([v for _, p in encoded for v in p], dtype=float),
            stream=np.array([_MOVE + r for r, law in enumerate(laws) if law is not None], dtype=np.int64),
            key=key,
            window=float(window),
        )

    @property
    def event_rate(self) -> tuple[float, str]:
        """Steps a second at most; of a chain in continuous time the moves a second in its first state."""
        if self.step is not None:
            return (1.0 / self.step if self.step > 0 else 0.0), "steps"
        return float(sum(m.rate * m.size(self.start) for m in self.moves)), "moves"

    def run(self, **options: Any) -> CountsRun:
        """One replication: :func:`run_counts`."""
        return run_counts(self, **options)

    def _variates(self, m: Move) -> Law | None:
        if self.step is None:
            return Exponential(1.0)
        return {"all": None, "law": m.law}.get(m.number, Uniform(0.0, 1.0))


def _negative(move: str, counts: Mapping[str, int]) -> str:
    at = ", ".join(f"{n} = {v}" for n, v in counts.items())
    return f"move {move!r} makes a count negative at {at}: its size must vanish there"


@dataclass(frozen=True, repr=False)
class CountsRun(Replication):
    """One replication of w windows; d counts and r moves in the chain's order.

    ``area`` (w, d): integrals of the counts over each window; ``at_end`` (w, d): counts at its end; ``moves`` (w, r):
    how many times each move happened in it; ``levels`` (d, LEVELS): seconds at each level after the warm-up;
    ``records`` (n, 3): time, move's number, times; or None.
    """

    chain: CountsChain
    seed: int
    replication: int
    window: float
    warm_up: int
    events: int
    area: np.ndarray
    at_end: np.ndarray
    moves: np.ndarray
    levels: np.ndarray
    records: np.ndarray | None

    @property
    def windows(self) -> int:
        return int(self.area.shape[0])

    @property
    def backlog(self) -> np.ndarray:
        """All that is present at the end of each window; shape (w,)."""
        return np.asarray(self.at_end.sum(axis=1), dtype=float)

    present = backlog

    @property
    def noise(self) -> float:
        """Sum of the squares of all that moves changed of the number present, a second."""
        steps = np.array([sum(m.change.values()) for m in self.chain.moves])
        return float(self.moves.sum(axis=0) @ steps**2) / (self.window * self.windows)

    @property
    def level(self) -> np.ndarray:
        """The mean number present in each window; shape (w,)."""
        return np.asarray(self.area.sum(axis=1) / self.window)


def _new_state(chain: CountsChain, model: K.Counts, windows: int, records: bool) -> K.CountsState:
    d, r, v = len(chain.names), len(chain.moves), model.kind.size
    ints: dict[str, Any] = {"dtype": np.int64}
    return K.CountsState(
        integers=np.zeros(7, **ints),
        floats=np.zeros(3),
        counts=np.array([chain.start[n] for n in chain.names], **ints),
        later=np.zeros(d, **ints),
        times=np.zeros(r, **ints),
        rates=np.zeros(r),
        remaining=np.zeros(r),
        buffer=np.zeros((v, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64),
        position=np.full(v, BLOCK, **ints),
        drawn=np.zeros(v, **ints),
        area=np.zeros((windows, d)),
        present=np.zeros((windows, d), **ints),
        moves=np.zeros((windows, r), **ints),
        levels=np.zeros((d, K.LEVELS)),
        records=np.zeros((4096 + r if records else 0, 3)),
    )


def run_counts(chain: CountsChain, **options: Any) -> CountsRun:
    """One replication; ``options``: those of :class:`~qtheory.simulate.streams.Plan`."""
    require_model(chain, CountsChain, call="run_counts")
    plan = Plan.of(options)
    plan.check_events(*chain.event_rate)
    model = chain.arrays(plan.key, plan.window)
    s = _new_state(chain, model, plan.windows, plan.records)
    kept: list[np.ndarray] = []

    def meet(status: int) -> None:
        if status == K.NEGATIVE:
            fault = int(s.integers[K.FAULT])
            before = s.counts - (1 if chain.step is None else s.times[fault]) * model.change[fault]
            raise InputError(_negative(chain.moves[fault].name, chain.counts_of(tuple(map(int, before)))))
        kept.append(s.records[: s.integers[K.RECORDED]].copy())
        s.integers[K.RECORDED] = 0

    plan.follow(lambda stop: K.advance(model, s, stop, plan.warm), meet, lambda: int(s.integers[K.EVENTS]))
    start = np.array([chain.start[n] for n in chain.names])
    if (start + s.moves.sum(axis=0) @ model.change != s.counts).any():
        raise AssertionError("counts are not conserved")
    kept.append(s.records[: s.integers[K.RECORDED]])
    return CountsRun(
        chain, plan.seed, plan.replication, model.window, plan.warm, int(s.integers[K.EVENTS]), s.area, s.present,
        s.moves, s.levels, np.concatenate(kept) if plan.records else None,
    )  # fmt: skip


@dataclass(frozen=True)
class Exact:
    """Stationary values of a small chain: ``law`` over time (state: probability), mean ``counts`` and ``moves`` a
    second."""

    law: Mapping[State, float] = field(repr=False)
    counts: Mapping[str, float]
    moves: Mapping[str, float]


def _numbers(move: Move, size: float) -> Iterator[tuple[int, float]]:
    """(how many times, probability) of a move of a discrete step."""
    if move.number == "all":
        yield int(size + 0.5), 1.0
    elif move.number == "law":
        assert move.law is not None
        yield from ((int(size * v + 0.5), p) for v, p in zip(move.law.values, move.law.weights, strict=True) if p > 0)
    else:
        table = (
            Discrete.binomial(int(size + 0.5), move.rate)
            if move.number == "binomial"
            else Discrete.poisson(size * move.rate)
            if size * move.rate > 0
            else Discrete((0.0,), (1.0,))
        )
        yield from ((int(v), p) for v, p in zip(table.values, table.weights, strict=True) if p > 0)


def _outcomes(chain: CountsChain, state: State, first: int = 0) -> Iterator[tuple[float, State, State]]:
    """(probability, next state, times of each move) of one discrete step."""
    if first == len(chain.moves):
        yield 1.0, state, ()
        return
    move = chain.moves[first]
    for times, p in _numbers(move, move.size(chain.counts_of(state))):
        later = chain.after(state, move, times) if times else state
        for q, end, others in _outcomes(chain, later, first + 1):
            yield p * q, end, (times, *others)


def _jumps(chain: CountsChain, state: State) -> Iterator[tuple[float, State]]:
    """(rate or probability, next state)."""
    if chain.step is not None:
        yield from ((p, later) for p, later, _ in _outcomes(chain, state))
        return
    for m in chain.moves:
        rate = m.rate * m.size(chain.counts_of(state))
        if rate > 0:
            yield rate, chain.after(state, m)


def _rewards(chain: CountsChain, state: State) -> tuple[float, np.ndarray]:
    """Mean seconds of a step from ``state`` and how often each move happens in it; a second in continuous time."""
    counts = chain.counts_of(state)
    if chain.step is None:
        return 1.0, np.array([m.rate * m.size(counts) for m in chain.moves])
    mean, happens = np.zeros(len(chain.moves)), np.zeros(len(chain.moves))
    for p, _, times in _outcomes(chain, state):
        mean += p * np.array(times)
        happens += p * (np.array(times) > 0)
    seconds = chain.step + sum(v * counts[n] for n, v in chain.step_each.items())
    moves = np.array([m.seconds for m in chain.moves])
    return float(seconds + moves[:, 0] @ happens + moves[:, 1] @ mean), mean


def exact(chain: CountsChain, *, limit: int = 2000) -> Exact:
    """The stationary values of a chain of at most ``limit`` states, by elimination; raises InputError for a larger."""
    start = tuple(int(v) for v in chain.start.values())
    found = markov.explore(start, lambda s: _jumps(chain, s), continuous=chain.step is None, limit=limit)
    weights = found.stationary()
    rewards = [_rewards(chain, state) for state in found.states]
    seconds = np.array([t for t, _ in rewards])
    in_time = weights * seconds / (weights @ seconds)
    rates = weights @ np.array([m for _, m in rewards]) / (weights @ seconds)
    return Exact(
        dict(zip(found.states, map(float, in_time), strict=True)),
        {n: float(in_time @ [s[i] for s in found.states]) for i, n in enumerate(chain.names)},
        {m.name: float(v) for m, v in zip(chain.moves, rates, strict=True)},
    )
