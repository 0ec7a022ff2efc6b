"""A fleet of engines behind a router that sees their state: what is simulated, and what a run holds.

Each engine is the simplest one that batches continuously and chunks its prompts (Sarathi-Serve's limits, one prompt at
a time as in Section 2.1 of arXiv:2602.02987v1): an iteration has a token of each decode in service and, of the first
prompt, what is left of ``chunk`` tokens. At most ``slots`` requests are in service, prefill or decode; others wait in
the order of arrival. A prompt's first token comes with its last chunk. The router sends a request where it stays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import whole
from qtheory.simulate.engines import IterationTime, RequestClass
from qtheory.simulate.free_rows import free_rows, twice_as_many
from qtheory.simulate.kernel.events import empty_tree
from qtheory.simulate.kernel.histogram import BINS
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.law import Law, noise_per_second, per_second
from qtheory.simulate.laws import Uniform
from qtheory.simulate.routing import layout as L
from qtheory.simulate.showing import InALine, Replication, listed
from qtheory.simulate.streams import Plan as Horizon

RULES = ("random", "round-robin", "shortest-queue", "least-tokens", "prefix-affinity")  # in the kernel's order
MOST_ENGINES, MOST_CHUNK, MOST_PREFIXES = 100_000, 1_000_000, 10_000_000
_GAP, _PROMPT, _OUTPUT, _ROUTE, _PREFIX = range(40, 45)
_ROLE = 1 << 24
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Prefixes:
    """What prompts have in common: each begins with one of ``number`` prefixes of ``tokens`` tokens, number r of them
    with a chance in proportion to r^-``exponent`` (Zipf's law; 0: all alike). An engine keeps the ``cached`` that it
    used last, and does not compute them again."""

    number: int
    tokens: int
    exponent: float = 0.0
    cached: int = 0

    def __post_init__(self) -> None:
        whole("the number of prefixes", self.number, 1, MOST_PREFIXES)
        whole("the tokens of a prefix", self.tokens, 1, MOST_CHUNK)
        whole("the prefixes that an engine keeps", self.cached, 0, 10_000)
        if not 0 <= self.exponent < 100:
            raise InputError(f"the exponent of the prefixes lies in [0, 100), not {self.exponent}")

    @property
    def cumulative(self) -> Array:
        """Chances of the first 1, 2, .. prefixes; shape (number,)."""
        steps = np.cumsum(np.arange(1.0, self.number + 1) ** -self.exponent)
        return np.asarray(steps / steps[-1])


@dataclass(frozen=True)
class RoutedFleet(InALine):
    """``engines`` alike, behind a router.

    ``classes``: with laws of prompts, outputs (at least 1 token: the first comes with the prompt) and arrivals;
    ``time``: of an iteration, by its tokens, by whether it has tokens of a prompt, and by the decodes' context.

    ``rule``: "random", "round-robin"; "shortest-queue": to the engine with the fewest requests, ties at random;
    "least-tokens": with the fewest tokens in flight, where a request counts as its prompt and the mean output of its
    class until it ends, ties to the first engine; "prefix-affinity": to the engine to which the prefix's hash points,
    and while that one has at least ``bound`` times the mean number of requests, rounded up, to the next (consistent
    hashing with bounded loads: Mirrokni, Thorup and Zadimoghaddam, SODA 2018).
    """

    classes: tuple[RequestClass, ...]
    time: IterationTime
    engines: int
    rule: str = "shortest-queue"
    slots: int = 64
    chunk: int = 512
    prefixes: Prefixes | None = None
    bound: float = 1.25

    @property
    def line(self) -> str:
        return f"{self.engines} engines behind a router, {self.rule}; {listed(c.name for c in self.classes)}"

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        whole("the number of engines", self.engines, 1, MOST_ENGINES)
        whole("the slots", self.slots, 1, 10_000)
        whole("the chunk", self.chunk, 1, MOST_CHUNK)
        if self.rule not in RULES:
            raise UnknownNameError("rule of the fleet", self.rule, list(RULES))
        if self.chunk < self.slots:
            raise InputError(f"a chunk of {self.chunk} tokens has no room for the decodes of {self.slots} slots")
        if self.rule == "prefix-affinity" and self.prefixes is None:
            raise InputError("rule 'prefix-affinity' needs prefixes")
        if not 1 <= self.bound < math.inf:
            raise InputError(f"the bound on an engine's load is at least 1 and finite, not {self.bound}")
        if not self.classes:
            raise InputError("a fleet needs at least one request class")
        names = [c.name for c in self.classes]
        if len(set(names)) < len(names):
            raise InputError("two request classes have one name")
        for c in self.classes:
            self._check_class(c)
        self._check_time()

    @staticmethod
    def _check_class(c: RequestClass) -> None:
        from qtheory.simulate.law_of_values import values_of

        if c.arrivals is None:
            raise InputError(f"class {c.name!r}: arrivals are missing")
        for what, given in (("sizes", c.sizes), ("cached", c.cached)):
            if given is not None:
                raise InputError(f"class {c.name!r}: a fleet's requests have no {what}")
        if min(c.ttft_slo, c.tbt_slo, c.latency_slo, c.tpot_slo) < math.inf:
            raise InputError(f"class {c.name!r}: a fleet counts no goodput; leave its limits out")
        if min(values_of(c.output)) < 1:
            raise InputError(f"class {c.name!r}: an output has at least 1 token, which comes with the prompt")

    def _check_time(self) -> None:
        if not isinstance(self.time, IterationTime) or self.time.kind in ("memory", "mixed-quadratic"):
            raise InputError("a fleet takes a law of affine, piecewise, concave, staircase or two-affine iterations")
        if self.time.prefill_attention:
            raise InputError("a fleet's iterations have no prefill_attention")
        self.time.check(self.chunk)

    @property
    def event_rate(self) -> tuple[float, str]:
        """Arrivals a second."""
        return sum(per_second(c.arrivals, None) for c in self.classes), "arrivals"

    @property
    def noise(self) -> float:
        """Variance, a second, of the tokens that arrive."""
        return sum(noise_per_second(c.arrivals, None, c.prompt.mean + c.output.mean + self._prefix_tokens,
                                    c.prompt.variance + c.output.variance) for c in self.classes)

    @property
    def _prefix_tokens(self) -> int:
        return 0 if self.prefixes is None else self.prefixes.tokens

    def seconds(self, with_prompt: bool) -> Array:
        """Of an iteration with 0, 1, .., ``chunk`` tokens, without context; shape (chunk + 1,)."""
        c, n = self.time.constants, np.arange(self.chunk + 1.0)
        if self.time.kind == "two-affine":
            return np.asarray(c[0] + c[1] * n if with_prompt else c[2] + c[3] * n)
        forms = {"affine": lambda: c[0] + c[1] * n, "piecewise": lambda: c[0] + c[1] * np.maximum(0.0, n - c[2]),
                 "concave": lambda: c[0] + c[1] * n + c[2] * np.minimum(n, c[3]),
                 "staircase": lambda: c[0] * np.ceil(n / c[1]) + c[2] * n}
        return np.asarray(forms[self.time.kind]())

    def arrays(self, key: np.ndarray, window: float) -> L.Routed:
        """The kernel's arrays."""
        k = len(self.classes)
        unit = Uniform(0.0, 1.0)
        laws: list[Law] = [law for c in self.classes if (law := c.arrivals) is not None]
        laws += [c.prompt for c in self.classes] + [c.output for c in self.classes] + [unit, unit]
        roles = [r * _ROLE + i for r in (_GAP, _PROMPT, _OUTPUT) for i in range(k)]
        encoded = [law.encode() for law in laws]
        prefixes = self.prefixes
        chances, home = np.ones(1), np.zeros(1, dtype=np.int64)
        if prefixes is not None:
            places = unit.sample(prefixes.number, source=_PREFIX * _ROLE + 1)  # a prefix is hashed alike in every run
            chances, home = prefixes.cumulative, (places * self.engines).astype(np.int64)
        return L.Routed(
            rule=RULES.index(self.rule), slots=self.slots, chunk=self.chunk, with_prompt=self.seconds(True),
            decodes_alone=self.seconds(False), context=float(self.time.decode_attention),
            expected=np.array([c.output.mean for c in self.classes]), prefix_tokens=self._prefix_tokens,
            cached=0 if prefixes is None else prefixes.cached, prefix_chances=chances, home=home,
            bound=float(self.bound), kind=np.array([kind for kind, _ in encoded], dtype=np.int64),
            parameter_first=np.cumsum([0] + [len(p) for _, p in encoded]),
            parameters=np.array([v for _, p in encoded for v in p], dtype=float),
            stream=np.array([*roles, _ROUTE * _ROLE, _PREFIX * _ROLE], dtype=np.int64), key=key, window=float(window))

    def run(self, **options: Any) -> RoutedRun:
        """One replication from the empty fleet; ``options``: those of :class:`~qtheory.simulate.streams.Plan`, without
        records. Memory does not grow with the horizon."""
        from qtheory.simulate.routing.loop import advance

        plan = Horizon(**options)
        if plan.records:
            raise InputError("a fleet keeps no records of requests: ask for more windows")
        plan.check_events(*self.event_rate)
        model = self.arrays(plan.key, plan.window)
        state = self._new_state(model, plan.windows)

        def meet(status: int) -> None:
            nonlocal state
            state = _with_more_rows(state) if status == L.ROWS_FULL else _with_more_levels(state)

        plan.follow(lambda stop: advance(model, state, stop, plan.warm), meet,
                    lambda: int(state.integers[L.HAPPENED]))
        _check(state)
        return RoutedRun(self, plan.seed, plan.replication, plan.window, plan.warm, int(state.integers[L.HAPPENED]),
                         np.diff(state.sum_windows, axis=0, prepend=0), state.fleet_windows, state.histogram)

    def _new_state(self, model: L.Routed, windows: int) -> L.RoutedState:
        n, k, rows, levels = self.engines, len(self.classes), 1024 + 4 * self.engines, 256
        ints: dict[str, Any] = {"dtype": np.int64}
        when, who = empty_tree(n + k + 1)
        load, loaded = empty_tree(n)
        load[:] = np.where(np.arange(load.size) >= load.size // 2 + n, np.inf, 0.0)
        for node in range(load.size // 2 - 1, 0, -1):
            load[node] = min(load[2 * node], load[2 * node + 1])
        engines, sources = np.zeros((n, L.ENGINE_COLUMNS), **ints), model.kind.size
        engines[:, L.PLACE] = np.arange(n)
        engines[:, [L.ROW, L.HEAD, L.TAIL]] = -1
        integers, first = np.zeros(L.SCALARS, **ints), np.full(levels, n, **ints)
        integers[L.FREE_ROWS], integers[L.TURN], first[0] = rows, n - 1, 0
        return L.RoutedState(
            integers=integers, floats=np.zeros(4), buffer=np.zeros((sources, BLOCK)),
            words=np.zeros(BLOCK, dtype=np.uint64), position=np.full(sources, BLOCK, **ints),
            drawn=np.zeros(sources, **ints), when=when, who=who, load=load, loaded=loaded, tokens=np.zeros(n),
            rows=free_rows(rows, L.COLUMNS, L.NEXT), times=np.zeros((rows, 2)), engines=engines, epoch=np.zeros((n, 2)),
            ends=np.zeros((n, self.slots), **ints), ending=np.zeros((n, self.slots), **ints), order=np.arange(n),
            first=first, cache=np.full((n, max(1, model.cached)), -1, **ints), sums=np.zeros((k, L.SUMS)),
            sum_windows=np.zeros((windows, k, L.SUMS)), fleet_windows=np.zeros((windows, L.WINDOW_COLUMNS)),
            histogram=np.zeros((k, 3, BINS), **ints))


def _with_more_rows(s: L.RoutedState) -> L.RoutedState:
    rows = twice_as_many(s.rows, L.NEXT, s.integers, L.FREE, L.FREE_ROWS)
    return s._replace(rows=rows, times=np.concatenate((s.times, np.zeros_like(s.times))))


def _with_more_levels(s: L.RoutedState) -> L.RoutedState:
    return s._replace(first=np.concatenate((s.first, np.full_like(s.first, s.order.size))))


def _check(s: L.RoutedState) -> None:
    """Requests and tokens in flight are conserved, and the router's order is one. A failure is a bug."""
    present = s.engines[:, L.PRESENT]
    if s.sums[:, L.ARRIVED].sum() != s.sums[:, L.ENDED].sum() + present.sum() or present.sum() != s.integers[L.TOTAL]:
        raise AssertionError("requests are not conserved")
    if (np.diff(present[s.order]) < 0).any() or (s.order[s.engines[:, L.PLACE]] != np.arange(len(present))).any():
        raise AssertionError("the engines are not in the order of their requests")
    waiting, held, tokens = 0, np.zeros(len(present), dtype=np.int64), 0
    for g, engine in enumerate(s.engines):
        d = int(engine[L.DECODES])
        rows = [int(j) for j in s.ending[g, :d]]
        to_come = s.ends[g, :d] - engine[L.TICK]
        held[g] = sum(int(s.rows[j, L.PROMPT] + s.rows[j, L.OUTPUT] - t) for j, t in zip(rows, to_come, strict=True))
        if engine[L.ROW] >= 0:
            rows.append(int(engine[L.ROW]))
        j = int(engine[L.HEAD])
        while j >= 0:
            rows.append(j)
            j = int(s.rows[j, L.NEXT])
        waiting += len(rows)
        tokens += int(s.rows[rows][:, [L.PROMPT, L.OUTPUT]].sum())
    if waiting != present.sum() or tokens != s.integers[L.IN_FLIGHT] or (held != s.engines[:, L.HELD]).any():
        raise AssertionError("the engines do not hold what is counted")


@dataclass(frozen=True, repr=False)
class RoutedRun(Replication):
    """One replication of w windows of ``window`` seconds and k classes.

    ``sums`` (w, k, SUMS) and ``fleet_sums`` (w, WINDOW_COLUMNS): of each window, columns named in
    :mod:`qtheory.simulate.routing.layout`; ``histogram`` (k, 3, BINS): time to the first token, mean time between
    tokens and latency of the requests that had theirs after the warm-up.
    """

    fleet: RoutedFleet
    seed: int
    replication: int
    window: float
    warm_up: int
    events: int
    sums: Array
    fleet_sums: Array
    histogram: NDArray[np.int64]

    @property
    def windows(self) -> int:
        return int(self.sums.shape[0])

    @property
    def present(self) -> Array:
        """Requests in the fleet at the end of each window; shape (w,)."""
        return np.asarray(self.fleet_sums[:, L.REQUESTS])

    @property
    def backlog(self) -> Array:
        """Tokens of these, prompts and outputs, done or not; shape (w,)."""
        return np.asarray(self.fleet_sums[:, L.TOKENS])

    @property
    def arrivals(self) -> tuple[Law, ...]:
        """The laws by which requests arrive."""
        return tuple(c.arrivals for c in self.fleet.classes if c.arrivals is not None)

    @property
    def noise(self) -> float:
        return self.fleet.noise

    @property
    def departed(self) -> Array:
        """Requests that ended in each window; shape (w,)."""
        return np.asarray(self.sums[:, :, L.ENDED].sum(axis=1))

    @property
    def level(self) -> Array:
        """The mean number of requests in each window; shape (w,)."""
        return np.asarray(self.fleet_sums[:, L.AREA] / self.window)

    def means(self) -> Mapping[str, float]:
        """After the warm-up, NaN where nothing was counted. ``ttft``, ``tpot`` (of a request), ``token`` (over all
        tokens after the first), ``latency``: seconds; ``requests`` in the fleet; ``throughput``: requests a second;
        ``busy``: fraction of engines; ``skipped``: tokens of prompts from prefix caches, a request."""
        total = self.sums[self.warm_up:].sum(axis=(0, 1))
        seconds = self.window * (self.windows - self.warm_up)
        area, busy = self.fleet_sums[self.warm_up:, [L.AREA, L.BUSY_TIME]].sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"ttft": float(total[L.TTFT_SUM] / total[L.STARTED]),
                    "tpot": float(total[L.TPOT_SUM] / total[L.TPOT_OUT]),
                    "token": float(total[L.DECODE_SUM] / (total[L.TOKENS_OUT] - total[L.ENDED])),
                    "latency": float(total[L.LATENCY_SUM] / total[L.ENDED]), "requests": float(area / seconds),
                    "throughput": float(total[L.ENDED] / seconds),
                    "busy": float(busy / (seconds * self.fleet.engines)),
                    "skipped": float(total[L.SKIPPED] / total[L.STARTED])}


__all__ = ["RULES", "Prefixes", "RoutedFleet", "RoutedRun"]
