"""One LLM engine as plain data: request classes, an iteration-time law, a scheduling policy; validated, then run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.histogram import BINS
from qtheory.simulate.kernel.policies import POLICIES, REALS
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.laws import Deterministic, Discrete, Empirical, Geometric, Law, Listed
from qtheory.simulate.streams import checked_key

_ROLE = 1 << 24
_GAP, _SIZE, _PROMPT, _OUTPUT = 8, 9, 10, 11


def _token_counts(law: Law) -> list[float]:
    """The values that ``law`` can take, or the least of them; empty for a law of other than token counts."""
    match law:
        case Deterministic(value):
            return [value]
        case Empirical(values):
            return list(values)
        case Listed(values, beyond):
            return [*values, beyond]
        case Discrete(values, weights):
            return [v for v, p in zip(values, weights, strict=True) if p > 0]
        case Geometric():
            return [1.0]
    return []


def _whole(name: str, law: Law, least: int) -> None:
    """Raises InputError unless the values of ``law`` are whole numbers of tokens, at least ``least``."""
    values = _token_counts(law)
    if not values or any(v < least or not float(v).is_integer() for v in values):
        raise InputError(
            f"{name} must be whole numbers, at least {least}: Deterministic, Geometric, Discrete, Empirical or Listed"
        )


@dataclass(frozen=True)
class RequestClass:
    """Requests with laws of ``prompt`` (at least 1) and ``output`` lengths in tokens; ``arrivals``: law of the
    seconds between arrivals, None where the engine is saturated or closed; ``sizes``: requests an arrival."""

    name: str
    prompt: Law
    output: Law
    arrivals: Law | None = None
    sizes: Law | None = None

    def __post_init__(self) -> None:
        _whole(f"class {self.name!r}: prompt lengths", self.prompt, 1)
        _whole(f"class {self.name!r}: output lengths", self.output, 0)
        if self.arrivals is not None and not self.arrivals.mean > 0:
            raise InputError(f"class {self.name!r}: the mean time between arrivals must be positive")


@dataclass(frozen=True)
class IterationTime:
    """Seconds of an iteration with p prefill and d decode tokens, n = p + d.

    affine: a + b n; piecewise: c + a max(0, n - b0); staircase: a ceil(n / tile) + b n; two-affine: the first pair if
    p > 0, else the second; mixed-quadratic: a + (c0 + c1 r + c2 r^2) n with r = d/n; memory: d0 + d1 (tokens in the
    batch's KV cache after it). ``prefill_attention`` times the sum of squared chunks and ``decode_attention`` times
    the KV tokens of the decoding requests come on top (throughput-optimal paper, A.1).
    """

    kind: str
    constants: tuple[float, ...]
    prefill_attention: float = 0.0
    decode_attention: float = 0.0

    KINDS: ClassVar[dict[str, tuple[int, int]]] = {  # name: (the kernel's number, how many constants)
        "affine": (E.AFFINE, 2),
        "piecewise": (E.PIECEWISE, 3),
        "staircase": (E.STAIRCASE, 3),
        "two-affine": (E.TWO_AFFINE, 4),
        "mixed-quadratic": (E.MIXED_QUADRATIC, 4),
        "memory": (E.MEMORY, 2),
    }

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise UnknownNameError("iteration-time law", self.kind, sorted(self.KINDS))
        wanted = self.KINDS[self.kind][1]
        if len(self.constants) != wanted:
            raise InputError(f"law {self.kind!r} needs {wanted} constants, not {len(self.constants)}")
        every = (*self.constants, self.prefill_attention, self.decode_attention)
        if not all(math.isfinite(v) for v in every):
            raise InputError(f"law {self.kind!r}: constants must be finite, not {every}")
        if self.kind != "mixed-quadratic" and min(every) < 0:
            raise InputError(f"law {self.kind!r}: constants must not be negative, not {every}")
        if not self.constants[0] + sum(self.constants[1:2]) > 0:
            raise InputError(f"law {self.kind!r}: an iteration would take no time")

    def encode(self) -> tuple[int, np.ndarray]:
        constants = np.zeros(6)
        constants[: len(self.constants)] = self.constants
        constants[4:] = self.prefill_attention, self.decode_attention
        return self.KINDS[self.kind][0], constants


@dataclass(frozen=True)
class LLMEngine:
    """One engine under one policy.

    ``policy`` and ``parameters`` by name (see ``POLICIES``); ``capacity``: KV cache in tokens (None: unlimited);
    ``slots``: requests in service at most; ``saturated``: a prompt always waits; ``concurrency``: a closed loop of
    so many requests a class; else arrivals come from the classes. A request preempted for lack of memory is
    recomputed, or swapped with ``recompute=False``; ``overhead``: seconds c0 + c1 x + c2 x^2 for its x tokens
    (throughput-optimal paper, A.3). ``ttft_slo``, ``latency_slo`` in seconds define goodput.
    """

    classes: tuple[RequestClass, ...]
    time: IterationTime
    policy: str
    parameters: Mapping[str, float | Sequence[int]] = field(default_factory=dict)
    capacity: int | None = None
    slots: int | None = None
    saturated: bool = False
    concurrency: int | None = None
    recompute: bool = True
    overhead: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ttft_slo: float = math.inf
    latency_slo: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        if not self.classes:
            raise InputError("an engine needs at least one request class")
        names = [c.name for c in self.classes]
        if len(set(names)) < len(names):
            raise InputError("two request classes have one name")
        if self.policy not in POLICIES:
            raise UnknownNameError("policy", self.policy, sorted(POLICIES))
        self._check_parameters()
        self._check_arrivals()
        for name, value in (("capacity", self.capacity), ("slots", self.slots), ("concurrency", self.concurrency)):
            if value is not None and (value < 1 or value != int(value)):
                raise InputError(f"the {name} must be a whole number, at least 1, not {value}")
        if np.shape(self.overhead) != (3,) or not all(v >= 0 for v in self.overhead):
            raise InputError(f"the overhead is three nonnegative constants c0, c1, c2, not {self.overhead}")
        self._check_capacity()

    def _check_parameters(self) -> None:
        whole, reals = POLICIES[self.policy][1], REALS.get(self.policy, ())
        if set(self.parameters) != {*whole, *reals}:
            raise InputError(f"policy {self.policy!r} needs {', '.join(whole + reals) or 'no parameters'}, "
                             f"not {', '.join(self.parameters) or 'none'}")  # fmt: skip
        for name in whole:
            for v in np.atleast_1d(np.asarray(self.parameters[name])):
                if v < 1 or v != int(v):
                    raise InputError(f"policy {self.policy!r}: {name} must be a whole number, at least 1, not {v}")
        for name in reals:
            if not math.isfinite(float(np.asarray(self.parameters[name]))):
                raise InputError(f"policy {self.policy!r}: {name} must be finite, not {self.parameters[name]}")
        wrong = self._lacking()
        if wrong:
            raise InputError(f"policy {self.policy!r} needs {wrong}")

    def _lacking(self) -> str:
        """What the policy needs besides parameters of their kinds, if the engine lacks it."""
        p: Any = self.parameters
        if self.policy == "wait" and np.size(p["thresholds"]) != len(self.classes):
            return f"one threshold a class, {len(self.classes)} in all"
        if self.policy == "eb" and (self.slots is None or p["k"] > self.slots):
            return "slots, and k at most as many"
        if self.policy == "mixed" and self.slots is None:
            return "slots"
        if self.policy == "nested-wait":
            ends = np.atleast_1d(np.asarray(p["ends"]))
            if ends.size != np.size(p["thresholds"]) or not (np.diff(ends) > 0).all():
                return "one threshold a segment, and the stages at which the segments end, increasing"
            if self.saturated:
                return "arrivals: what waits in a saturated engine is not counted"
        if self.policy in ("eb-adaptive", "eb-plus"):
            return _lacking_for_control(p, self.capacity)
        return ""

    def _check_arrivals(self) -> None:
        closed = self.saturated or self.concurrency is not None
        if self.saturated and self.concurrency is not None:
            raise InputError("an engine is saturated or has a fixed concurrency, not both")
        for c in self.classes:
            if closed == (c.arrivals is not None):
                raise InputError(f"class {c.name!r}: " + ("arrivals are given, but the engine takes none"
                                 if closed else "arrivals are missing"))  # fmt: skip
        if self.saturated and len(self.classes) > 1:
            raise InputError("a saturated engine takes one class: what waits has no order among classes")
        if self.saturated and self.spare > 10**6:
            raise InputError(f"policy {self.policy!r} would load prompts without end: give slots or a capacity")

    def _check_capacity(self) -> None:
        for c in self.classes:
            if self.capacity is not None and not isinstance(c.prompt, Geometric) and c.prompt.encode()[1]:
                least = min(c.prompt.sample(64)) + min(c.output.sample(64))
                if least > self.capacity:
                    raise InputError(
                        f"class {c.name!r}: a request of {least:.0f} tokens exceeds the capacity of {self.capacity}"
                    )

    @property
    def spare(self) -> int:
        """Requests that one batch may start at most."""
        budget = self.parameters.get("budget", self.parameters.get("batch", E.ENDLESS))
        slots, capacity = self.slots or E.ENDLESS, self.capacity or E.ENDLESS
        if not self.saturated:
            return 64
        return min(int(budget), slots, capacity) + 1  # type: ignore[arg-type]

    def run(self, **options: Any) -> EngineRun:
        """One replication: :func:`run_engine`."""
        return run_engine(self, **options)

    def arrays(self, key: np.ndarray, window: float) -> Engine:
        """The kernel's arrays."""
        laws: list[tuple[int, list[float]]] = []
        streams: list[int] = []

        def source(law: Law | None, role: int, k: int) -> int:
            if law is None:
                return -1
            laws.append(law.encode())
            streams.append(role * _ROLE + k)
            return len(laws) - 1

        def sources(role: int, laws_of: Callable[[RequestClass], Law | None]) -> np.ndarray:
            return np.array([source(laws_of(c), role, k) for k, c in enumerate(self.classes)], dtype=np.int64)

        number, names = POLICIES[self.policy]
        values = [v for n in names for v in np.atleast_1d(np.asarray(self.parameters[n]))]
        law, constants = self.time.encode()
        own_groups = self.policy == "wait"
        ends = np.atleast_1d(np.asarray(self.parameters["ends"])) if self.policy == "nested-wait" else np.zeros(0)
        # The last segment holds what lies beyond it.
        segments = np.append(np.diff(ends, prepend=0)[:-1], E.ENDLESS) if ends.size else ends
        gaps, sizes = sources(_GAP, lambda c: c.arrivals), sources(_SIZE, lambda c: c.sizes)
        prompts, outputs = sources(_PROMPT, lambda c: c.prompt), sources(_OUTPUT, lambda c: c.output)
        return Engine(
            policy=number,
            policy_parameters=np.array(values, dtype=np.int64),
            policy_reals=np.array([self.parameters[n] for n in REALS.get(self.policy, ())], dtype=float),
            segments=segments.astype(np.int64),
            groups=len(self.classes) if own_groups else max(1, ends.size),
            class_group=np.arange(len(self.classes)) * int(own_groups),
            class_gap=gaps,
            class_size=sizes,
            class_prompt=prompts,
            class_output=outputs,
            kind=np.array([kind for kind, _ in laws], dtype=np.int64),
            parameter_first=np.concatenate(([0], np.cumsum([len(p) for _, p in laws]))),
            parameters=np.concatenate([p for _, p in laws]).astype(float),
            stream=np.array(streams, dtype=np.int64),
            key=key,
            arrivals=E.SATURATED if self.saturated else E.OPEN if self.concurrency is None else E.CLOSED,
            concurrency=self.concurrency or 0,
            law=law,
            law_parameters=constants,
            capacity=self.capacity or E.ENDLESS,
            slots=self.slots or E.ENDLESS,
            spare=self.spare,
            overhead=np.array(self.overhead, dtype=float),
            recompute=int(self.recompute),
            ttft_limit=float(self.ttft_slo),
            latency_limit=float(self.latency_slo),
            window=float(window),
        )


@dataclass(frozen=True)
class EngineRun:
    """One replication. ``sums`` (windows, WINDOW_SUMS): columns named in :mod:`qtheory.simulate.kernel.engine_layout`;
    ``histogram`` (3, BINS): TTFT, times between tokens, latency in s; ``batch_histogram`` (2, 4097): prefill and
    decode tokens of iterations; ``records`` (n, 6) and ``epochs`` (n, 6), or None: see EngineState."""

    engine: LLMEngine
    seed: int
    replication: int
    window: float
    iterations: int
    seconds: float
    sums: np.ndarray
    histogram: np.ndarray
    batch_histogram: np.ndarray
    records: np.ndarray | None
    epochs: np.ndarray | None

    def total(self, column: int, first: int = 0) -> float:
        """Sum of a column over the windows from ``first`` on."""
        return float(self.sums[first:, column].sum())

    @property
    def windows(self) -> int:
        return int(self.sums.shape[0])

    @property
    def present(self) -> np.ndarray:
        """Requests present at the end of each window; shape (windows,)."""
        return np.asarray(self.sums[:, E.PRESENT_AT_END])

    backlog = level = present

    @property
    def requests(self) -> int:
        """Requests completed."""
        return int(self.total(E.REQUESTS_OUT))

    @property
    def throughput(self) -> float:
        """Requests completed a second."""
        return self.requests / self.seconds

    @property
    def busy(self) -> float:
        """Fraction of the time that the engine iterates."""
        return self.total(E.BUSY_TIME) / self.seconds


def _lacking_for_control(p: Mapping[str, Any], capacity: int | None) -> str:
    """What the controller of eb-adaptive and eb-plus needs, if it lacks it."""
    if capacity is None:
        return "a capacity"
    if p["least"] > p["window"]:
        return f"a window of at least the least {p['least']} requests"
    if not 0 < p["theta_min"] <= p["theta_max"] < 1 or not p["theta_min"] <= p["theta_default"] <= p["theta_max"]:
        return "0 < theta_min <= theta_default <= theta_max < 1"
    if not 0 < p["risk"] < 1:
        return f"a risk strictly between 0 and 1, not {p['risk']}"
    costs = {n: p[n] for n in ("alpha_p", "alpha_d", "alpha_mb") if n in p}
    if min(costs.values()) <= 0 or min(p.get(n, 0.0) for n in ("beta_p", "beta_d", "kv_safety", "kv_reserve")) < 0:
        return "positive alphas, and betas, kv_safety and kv_reserve that are not negative"
    if not 0 < p.get("smoothing", 1.0) <= 1:
        return f"a smoothing above 0 and at most 1, not {p['smoothing']}"
    return ""


def _state(engine: Engine, windows: int, records: bool, observed: int = 0) -> EngineState:
    k, g, v = engine.class_group.size, engine.groups, engine.kind.size
    room = max(8192, 2 * engine.concurrency * k, 4 * engine.spare)
    ints: dict[str, Any] = {"dtype": np.int64}
    integers, view = np.zeros(8, **ints), np.zeros(E.VIEW, **ints)
    integers[E.FREE_REQUESTS] = room
    view[E.CAPACITY], view[E.SLOTS] = engine.capacity, engine.slots
    request_i = np.zeros((room, E.REQUEST_COLUMNS), **ints)
    request_i[:, E.NEXT] = np.append(np.arange(1, room), -1)
    kept = 4 * engine.spare + 8192 if records else 0
    return EngineState(
        integers=integers,
        floats=np.zeros(3),
        seen=view,
        decision=np.zeros(E.DECISION, **ints),
        take=np.zeros(g, **ints),
        prompts=np.zeros(g, **ints),
        memory=np.zeros(16, **ints),
        memory_reals=np.zeros(16),
        observed=np.zeros((2, observed), **ints),
        next_arrival=np.full(k, np.inf),
        buffer=np.zeros((v, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64),
        position=np.full(v, BLOCK, **ints),
        drawn=np.zeros(v, **ints),
        request_i=request_i,
        request_t=np.zeros((room, 4)),
        heap=np.zeros((g, room), **ints),
        heap_place=np.full(room, -1, **ints),
        heap_size=np.zeros(g, **ints),
        queue_head=np.full(2 * g, -1, **ints),
        queue_tail=np.full(2 * g, -1, **ints),
        waiting=np.zeros(g, **ints),
        decoding=np.zeros(g, **ints),
        active=np.zeros(g, **ints),
        last_active=np.full(g, -1, **ints),
        counter=np.zeros(g, **ints),
        group_last=np.zeros(g),
        context=np.zeros(g, **ints),
        reserved=np.zeros(1, **ints),
        list_a=np.zeros(room, **ints),
        list_b=np.zeros(room, **ints),
        sums=np.zeros(E.WINDOW_SUMS),
        windows=np.zeros((windows, E.WINDOW_SUMS)),
        histogram=np.zeros((3, BINS), **ints),
        batch_histogram=np.zeros((2, 4097), **ints),
        records=np.zeros((kept, 6)),
        epochs=np.zeros((kept, 6)),
    )


def _grown(s: EngineState) -> EngineState:
    old = s.request_i.shape[0]
    request_i = np.zeros((2 * old, E.REQUEST_COLUMNS), dtype=np.int64)
    request_i[:old] = s.request_i
    request_i[old:, E.NEXT] = np.append(np.arange(old + 1, 2 * old), s.integers[E.FREE])
    s.integers[E.FREE] = old
    s.integers[E.FREE_REQUESTS] += old
    zeros = np.zeros(old, dtype=np.int64)
    return s._replace(
        request_i=request_i,
        request_t=np.concatenate((s.request_t, np.zeros((old, 4)))),
        heap=np.concatenate((s.heap, np.zeros_like(s.heap)), axis=1),
        heap_place=np.concatenate((s.heap_place, zeros - 1)),
        list_a=np.zeros(2 * old, dtype=np.int64),
        list_b=np.zeros(2 * old, dtype=np.int64),
    )


def _explain(engine: LLMEngine, status: int, s: EngineState) -> InputError:
    view = f"at {s.floats[E.NOW]:.6g} s with {s.seen[E.DECODING]} requests decoding and {s.waiting.sum()} waiting"
    if status == E.OVER_CAPACITY:
        return InputError(
            f"policy {engine.policy!r} {view}: a request of {s.integers[E.FAULT]} tokens and the next one do "
            f"not fit into the KV cache of {engine.capacity} tokens even alone"
        )
    if status == E.TOO_LONG:
        return InputError(
            f"policy {engine.policy!r} {view}: a prompt of {s.integers[E.FAULT]} tokens exceeds the budget, and this "
            "policy does not cut prompts"
        )
    if status == E.INFEASIBLE:
        return InputError(f"policy {engine.policy!r} {view} returned an infeasible batch: {s.decision.tolist()}")
    return InputError(f"policy {engine.policy!r} {view} forms no batch, and no arrival is left to change that")


def run_engine(
    engine: LLMEngine,
    *,
    horizon: float,
    windows: int = 200,
    seed: int = 0,
    replication: int = 0,
    warm_up: float = 0.0,
    records: bool = False,
    progress: Callable[[float, int], None] | None = None,
) -> EngineRun:
    """One replication from the empty engine over ``horizon`` seconds; ``records``: every request and every epoch.

    ``warm_up``: fraction of the horizon that the histograms leave out.
    """
    from qtheory.simulate.kernel.engine import advance

    arrays = engine.arrays(checked_key(horizon, windows, warm_up, seed, replication), horizon / windows)
    s = _state(arrays, windows, records, int(engine.parameters.get("window", 0)))  # type: ignore[arg-type]
    kept: list[tuple[np.ndarray, np.ndarray]] = []

    def keep() -> None:
        kept.append((s.records[: s.integers[E.RECORDED]].copy(), s.epochs[: s.integers[E.EPOCHS]].copy()))
        s.integers[E.RECORDED] = s.integers[E.EPOCHS] = 0

    warm = math.ceil(warm_up * windows)
    for stop in range(1, windows + 1) if progress else sorted({warm, windows}):
        while (status := advance(arrays, s, stop)) != E.DONE:
            if status == E.REQUESTS_FULL:
                s = _grown(s)
            elif status == E.RECORDS_FULL:
                keep()
                if s.seen[E.IN_SERVICE] + engine.spare >= s.records.shape[0]:
                    bigger = np.zeros((2 * s.records.shape[0], 6))
                    s = s._replace(records=bigger, epochs=bigger.copy())
            else:
                raise _explain(engine, status, s)
        if stop == warm:
            s.histogram[:] = 0
            s.batch_histogram[:] = 0
        if progress:
            progress(stop / windows, int(s.integers[E.TOTAL_ITERATIONS]))
    _check_conservation(s)
    keep()
    return EngineRun(
        engine, seed, replication, arrays.window, int(s.integers[E.TOTAL_ITERATIONS]), float(s.floats[E.NOW]),
        s.windows, s.histogram, s.batch_histogram,
        np.concatenate([r for r, _ in kept]) if records else None,
        np.concatenate([e for _, e in kept]) if records else None,
    )  # fmt: skip


def _check_conservation(s: EngineState) -> None:
    """Requests in = out + present; KV cache = tokens of the requests present. A failure is a bug of the simulator."""
    present = s.windows[:, E.REQUESTS_IN].sum() - s.windows[:, E.REQUESTS_OUT].sum()
    if s.integers[E.NOW_WINDOW] == s.windows.shape[0] and present != s.windows[-1, E.PRESENT_AT_END]:
        raise AssertionError("requests are not conserved")
    tokens = 0
    groups = s.waiting.size
    for q in range(2 * groups):
        j = s.queue_head[q]
        while j >= 0:
            row = s.request_i[j]
            if row[E.ACTIVE]:
                left = int(s.request_t[j, E.KEY]) - s.counter[q - groups]
                tokens += row[E.CONTEXT] + row[E.LEFT] - left
            elif q >= groups:
                tokens += row[E.CONTEXT]
            elif row[E.STARTED]:
                tokens += (row[E.CONTEXT] or row[E.PROMPT_ALL]) - row[E.PROMPT]
            j = row[E.NEXT]
    if tokens != s.seen[E.RESIDENT]:
        raise AssertionError(f"tokens are not conserved: {tokens} in requests, {s.seen[E.RESIDENT]} in the cache")
