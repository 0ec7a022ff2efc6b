"""One LLM engine as plain data: request classes, an iteration-time law, a policy; validated, encoded for the kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import whole
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.kernel_times import KernelTime
from qtheory.simulate.law import noise_per_second, per_second
from qtheory.simulate.law_of_values import MOST_AT_ONCE, values_of, whole_law
from qtheory.simulate.laws import Law

if TYPE_CHECKING:
    from qtheory.simulate.engine_runs import EngineRun

_ROLE = 1 << 24
_GAP, _SIZE, _PROMPT, _OUTPUT, _CACHED = 8, 9, 10, 11, 12


_ROUNDING = 2.0**-48  # of a sum's terms: below it a computed sum may have either sign
LONGEST = 10**9  # tokens of a prompt or an output at most, on average where they have no bound


@dataclass(frozen=True)
class RequestClass:
    """Requests with laws of ``prompt`` (at least 1) and ``output`` lengths in tokens; ``arrivals``: law of the
    seconds between arrivals, None where the engine is saturated or closed; ``sizes``: requests an arrival; ``cached``:
    tokens of a prompt that the engine's prefix cache holds, which are not prefilled. All but the last token may be: at
    least one is prefilled. The request has a copy of them in the KV cache from its start on, which is counted; the
    prefix cache is memory beside that. Who is recomputed is so whole.

    ``ttft_slo``, ``tbt_slo``, ``latency_slo``, ``tpot_slo``: limits in seconds on the time to the first token, on each
    time between two tokens, on the time to the last, and on the mean time between two tokens of the request (TPOT;
    who has one token meets it). They define goodput, and ``tbt_slo`` the deadlines of SLAI.
    """

    name: str
    prompt: Law
    output: Law
    arrivals: Law | None = None
    sizes: Law | None = None
    cached: Law | None = None
    ttft_slo: float = math.inf
    tbt_slo: float = math.inf
    latency_slo: float = math.inf
    tpot_slo: float = math.inf

    def __post_init__(self) -> None:
        whole_law(f"class {self.name!r}: prompt lengths", self.prompt, 1, LONGEST)
        whole_law(f"class {self.name!r}: output lengths", self.output, 0, LONGEST)
        whole_law(f"class {self.name!r}: cached tokens", self.cached, 0, LONGEST)
        whole_law(f"class {self.name!r}: sizes of arrivals", self.sizes, 0, MOST_AT_ONCE)
        if self.arrivals is not None and not self.arrivals.mean > 0:
            raise InputError(f"class {self.name!r}: the mean time between arrivals must be positive")
        for name in ("ttft_slo", "tbt_slo", "latency_slo", "tpot_slo"):
            if not getattr(self, name) > 0:
                raise InputError(f"class {self.name!r}: {name} must be positive, not {getattr(self, name)}")


@dataclass(frozen=True)
class IterationTime:
    """Seconds of an iteration with p prefill and d decode tokens, n = p + d.

    affine: a + b n; piecewise: c + a max(0, n - b0); concave: a + b n + e min(n, b0); staircase: a ceil(n / tile) +
    b n; two-affine: the first pair if p > 0, else the second; mixed-quadratic: a + (c0 + c1 r + c2 r^2) n, r = d/n;
    memory: d0 + d1 (tokens in the batch's KV cache after it). ``prefill_attention`` times the sum of squared chunks and
    ``decode_attention`` times the KV tokens of the decoding requests come on top (throughput-optimal paper, A.1).
    Raises InputError for constants by which an iteration of one token, of either phase, would take no time.
    """

    kind: str
    constants: tuple[float, ...]
    prefill_attention: float = 0.0
    decode_attention: float = 0.0

    KINDS: ClassVar[dict[str, tuple[int, int]]] = {  # name: (the kernel's number, how many constants)
        "affine": (E.AFFINE, 2),
        "piecewise": (E.PIECEWISE, 3),
        "concave": (E.CONCAVE, 4),
        "staircase": (E.STAIRCASE, 3),
        "two-affine": (E.TWO_AFFINE, 4),
        "mixed-quadratic": (E.MIXED_QUADRATIC, 4),
        "memory": (E.MEMORY, 2),
    }
    FORMULAS: ClassVar[dict[str, str]] = {  # what must be positive
        "affine": "a + b",
        "piecewise": "c + a max(0, 1 - b0)",
        "concave": "a + b + e min(1, b0)",
        "staircase": "a + b (a: seconds a tile, b: seconds a token)",
        "two-affine": "a + b of either pair",
        "mixed-quadratic": "a + (c0 + c1 r + c2 r^2) n, r from 0 to 1,",
        "memory": "d0 + d1",
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
        if min(every if self.kind != "mixed-quadratic" else every[wanted:]) < 0:
            raise InputError(f"law {self.kind!r}: constants must not be negative, not {every}")
        if self.kind == "staircase" and not (self.constants[1] >= 1 and self.constants[1] == int(self.constants[1])):
            raise InputError(f"law 'staircase': the second constant, the tokens of a tile, is a whole number, at least "
                             f"1, not {self.constants[1]}")  # fmt: skip
        self.check(1)

    def least(self, tokens: float) -> float:
        """The shortest iteration of 1 to ``tokens`` tokens (infinity: without a bound) in seconds, without attention.

        Mixed batches at any share r in [0, 1]: what rounding could make of a sum near zero counts as zero.
        """
        c = self.constants
        if self.kind == "piecewise":
            return c[0] + c[1] * max(0.0, 1.0 - c[2])
        if self.kind == "concave":
            return c[0] + c[1] + c[2] * min(1.0, c[3])
        if self.kind == "staircase":
            return c[0] + c[2]
        if self.kind == "two-affine":
            return min(c[0] + c[1], c[2] + c[3])
        if self.kind != "mixed-quadratic":
            return c[0] + c[1]
        inside = -c[2] / (2.0 * c[3]) if c[3] > 0 else 0.0  # where the parabola is lowest
        shares = (0.0, 1.0, min(max(inside, 0.0), 1.0))
        lowest, terms = min(c[1] + c[2] * r + c[3] * r * r for r in shares), sum(map(abs, c[1:]))
        if abs(lowest) <= _ROUNDING * terms:
            lowest = 0.0
        time = c[0] + (lowest * tokens if lowest < 0 else lowest)
        slack = _ROUNDING * (abs(c[0]) + terms * (1.0 if lowest > 0 else min(tokens, LONGEST)))
        return time if abs(time) > slack else 0.0

    def check(self, tokens: float) -> None:
        """Raise InputError unless every iteration of 1 to ``tokens`` tokens takes some time."""
        time = self.least(tokens)
        if not time > 0:
            took = "no time" if time == 0 else f"{time:g} s"
            of = "one token" if tokens == 1 else "many tokens" if math.isinf(tokens) else f"{tokens:.0f} tokens"
            raise InputError(f"law {self.kind!r}: an iteration of {of} would take {took}; with the constants "
                             f"{list(self.constants)}, {self.FORMULAS[self.kind]} must be positive")  # fmt: skip

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
    (throughput-optimal paper, A.3). ``order`` of the requests that wait for prefill: fcfs; spf, the shortest prompt
    first, those begun before all; srpt, the fewest tokens left to prefill first; class, earlier classes first; or
    class-spf. ``decode_order`` of decode requests: fcfs; srpt, the fewest tokens left first; or class. Under
    (K_p, K_d)-FCFS they order the K_p and K_d oldest requests, those that arrived first. What is equal goes by
    arrival; requests whose last tokens come with one iteration complete in the order of arrival.
    """

    classes: tuple[RequestClass, ...]
    time: IterationTime | KernelTime
    policy: str
    parameters: Mapping[str, float | Sequence[int]] = field(default_factory=dict)
    capacity: int | None = None
    slots: int | None = None
    saturated: bool = False
    concurrency: int | None = None
    recompute: bool = True
    overhead: tuple[float, float, float] = (0.0, 0.0, 0.0)
    order: str = "fcfs"
    decode_order: str = "fcfs"

    ORDERS: ClassVar[dict[str, int]] = {
        "fcfs": E.FCFS, "spf": E.SPF, "srpt": E.SRPT, "class": E.CLASS_FIRST, "class-spf": E.CLASS_SPF
    }  # fmt: skip

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
        self._check_orders()
        self._check_arrivals()
        for name, value in (("capacity", self.capacity), ("slots", self.slots), ("concurrency", self.concurrency)):
            if value is not None:
                whole(f"the {name}", value)
        if np.shape(self.overhead) != (3,) or not all(0 <= v < math.inf for v in self.overhead):
            raise InputError(f"the overhead is three nonnegative constants c0, c1, c2, not {self.overhead}")
        self._check_capacity()
        self.time.check(self.most_tokens)

    def _check_parameters(self) -> None:
        policy = POLICIES[self.policy]
        names = policy.parameters
        if set(self.parameters) != {*names}:
            raise InputError(f"policy {self.policy!r} needs {', '.join(names) or 'no parameters'}, "
                             f"not {', '.join(self.parameters) or 'none'}")  # fmt: skip
        for name in policy.whole:
            value = self.parameters[name]
            if name not in policy.lists and np.ndim(value):
                raise InputError(f"policy {self.policy!r}: {name} must be one number, not {value}")
            for v in np.atleast_1d(np.asarray(value)).tolist():
                whole(f"policy {self.policy!r}: {name}", v)
        for name in policy.real:
            value = self.parameters[name]
            if np.ndim(value) or not math.isfinite(value):  # type: ignore[arg-type]
                raise InputError(f"policy {self.policy!r}: {name} must be finite, not {value}")
        lacking = policy.lacks(self)
        if lacking:
            raise InputError(f"policy {self.policy!r} needs {lacking}")
        if policy.arrays(self).get("pool", 0) and any(c.cached for c in self.classes):
            raise InputError(f"policy {self.policy!r} prefills elsewhere, and no prefix cache is there")

    def _check_orders(self) -> None:
        decode_orders = ["fcfs", "srpt", "class"]
        if self.order not in self.ORDERS:
            raise UnknownNameError("order", self.order, list(self.ORDERS))
        if self.decode_order not in decode_orders:
            raise UnknownNameError("decode order", self.decode_order, decode_orders)
        policy = POLICIES[self.policy]
        if policy.own_order and self.order != "fcfs":
            raise InputError(f"policy {self.policy!r} has an order of its own")
        if policy.own_decode_order and self.decode_order != "fcfs":
            raise InputError(f"policy {self.policy!r} has a decode order of its own")
        if self.saturated and self.order != "fcfs":
            raise InputError("what waits in a saturated engine has no order but fcfs")

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
            least = min(values_of(c.prompt)) + min(values_of(c.output))
            if self.capacity is not None and least > self.capacity:
                raise InputError(
                    f"class {c.name!r}: a request of {least:.0f} tokens exceeds the capacity of {self.capacity}"
                )

    @property
    def most_tokens(self) -> float:
        """Tokens that one iteration takes at most: the budget of a policy that has one, else without a bound."""
        return float(self.parameters.get("budget", math.inf))  # type: ignore[arg-type]

    @property
    def event_rate(self) -> tuple[float, str]:
        """Arrivals a second; iterations a second at most, of an engine without arrivals."""
        if self.saturated or self.concurrency is not None:
            return 1.0 / self.time.least(self.most_tokens), "iterations"
        return sum(per_second(c.arrivals, c.sizes) for c in self.classes), "arrivals"

    @property
    def late_first(self) -> bool:
        """Whether a request's first token comes with its first decode iteration, not with the end of its prompt."""
        return bool(POLICIES[self.policy].arrays(self).get("late_first", 0))

    @property
    def noise(self) -> float:
        """Variance, a second, of the tokens that arrive, in requests of the class with the most tokens on average: the
        scale of what piles up at the critical load."""
        tokens = [(c.prompt.mean + c.output.mean, c.prompt.variance + c.output.variance) for c in self.classes]
        arriving = sum(noise_per_second(c.arrivals, c.sizes, *t) for c, t in zip(self.classes, tokens, strict=True))
        return arriving / max(mean for mean, _ in tokens) ** 2

    @property
    def spare(self) -> int:
        """Requests that one batch may start at most."""
        budget = self.parameters.get("budget", self.parameters.get("batch", E.ENDLESS))
        slots, capacity = self.slots or E.ENDLESS, self.capacity or E.ENDLESS
        if not self.saturated:
            return 64
        return min(int(budget), slots, capacity) + 1  # type: ignore[arg-type]

    def run(self, **options: Any) -> EngineRun:
        """One replication: :func:`qtheory.simulate.engine_runs.run_engine`."""
        from qtheory.simulate.engine_runs import run_engine

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

        policy = POLICIES[self.policy]
        values = [v for n in policy.whole for v in np.atleast_1d(np.asarray(self.parameters[n]))]
        law, constants = self.time.encode()
        cached = sources(_CACHED, lambda c: c.cached)
        gaps, sizes = sources(_GAP, lambda c: c.arrivals), sources(_SIZE, lambda c: c.sizes)
        prompts, outputs = sources(_PROMPT, lambda c: c.prompt), sources(_OUTPUT, lambda c: c.output)
        one = np.zeros(len(self.classes), dtype=np.int64)
        usual = Engine(
            decide=0,
            observe=0,
            policy_parameters=np.array(values, dtype=np.int64),
            policy_reals=np.array([self.parameters[n] for n in policy.real], dtype=float),
            segments=np.zeros(0, dtype=np.int64),
            groups=1,
            class_group=one,
            class_queue=one,
            class_gap=gaps,
            class_size=sizes,
            class_prompt=prompts,
            class_output=outputs,
            class_cached=cached,
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
            order=self.ORDERS[self.order],
            oldest=E.ENDLESS,
            decode_order=self.ORDERS[self.decode_order],
            decode_oldest=E.ENDLESS,
            deadlines=0,
            pool=0,
            transfer=np.zeros(2),
            late_first=0,
            ttft_limit=np.array([c.ttft_slo for c in self.classes]),
            tbt_limit=np.array([c.tbt_slo for c in self.classes]),
            tpot_limit=np.array([c.tpot_slo for c in self.classes]),
            latency_limit=np.array([c.latency_slo for c in self.classes]),
            window=float(window),
        )
        return usual._replace(**policy.arrays(self))
