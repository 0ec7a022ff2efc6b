"""One LLM engine as plain data: request classes, an iteration-time law, a policy; validated, encoded for the kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import whole
from qtheory.simulate.iteration_time import LONGEST
from qtheory.simulate.iteration_time import IterationTime as IterationTime
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.kernel_times import KernelTime
from qtheory.simulate.law import noise_per_second, per_second
from qtheory.simulate.law_of_values import MOST_AT_ONCE, Discrete, values_of, whole_law
from qtheory.simulate.laws import Law
from qtheory.simulate.showing import InALine, listed

if TYPE_CHECKING:
    from qtheory.simulate.engine_runs import EngineRun

_ROLE = 1 << 24
_GAP, _SIZE, _PROMPT, _OUTPUT, _CACHED, _ACCEPTED = range(8, 14)


MOST_DRAFTED = 64  # tokens of a request an iteration
LARGEST_BLOCK = 4096  # in tokens


@dataclass(frozen=True)
class RequestClass(InALine):
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

    @property
    def line(self) -> str:
        apart = "" if self.arrivals is None else f", {self.arrivals.mean:g} s apart"
        means = f"prompts of {self.prompt.mean:g}, outputs of {self.output.mean:g}{apart}"
        return f"requests {self.name!r}: in the mean {means}"

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
class LLMEngine(InALine):
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

    The KV cache is given out in blocks of ``block`` tokens, as many whole ones as the capacity holds; a request that
    prefills holds those of its whole prompt. Where fewer are free than decodes may begin next, the last decode is
    evicted. With speculative decoding a decode iteration drafts ``draft`` tokens of each request: the law charges it
    for 1 + draft tokens a request, a budget counts these, and the KV cache has room for them while it lasts. Each is
    accepted with probability ``acceptance`` if those before it are. ``draft_time``: seconds by which an iteration with
    decodes is longer for its drafts.
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
    block: int = 1
    draft: int = 0
    acceptance: float = 0.0
    draft_time: float = 0.0

    ORDERS: ClassVar[dict[str, int]] = {
        "fcfs": E.FCFS, "spf": E.SPF, "srpt": E.SRPT, "class": E.CLASS_FIRST, "class-spf": E.CLASS_SPF
    }  # fmt: skip

    @property
    def line(self) -> str:
        given = "".join(f", {k} {v:,g}" for k, v in self.parameters.items() if isinstance(v, float | int))
        return f"engine under {self.policy}{given}; {listed(c.name for c in self.classes)}"

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
        whole("the block", self.block, 1, LARGEST_BLOCK)
        self._check_drafts()
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

    def _check_drafts(self) -> None:
        whole("the draft", self.draft, 0, MOST_DRAFTED)
        if not 0 <= self.acceptance <= 1 or not 0 <= self.draft_time < math.inf:
            raise InputError(f"the acceptance is a probability, not {self.acceptance}, and the draft_time finite and "
                             f"not negative, not {self.draft_time}")  # fmt: skip
        if self.draft == 0:
            if self.acceptance or self.draft_time:
                raise InputError("an acceptance or a draft_time is given, and no draft")
            return
        arrays = POLICIES[self.policy].arrays(self)
        if arrays.get("deadlines") or "segments" in arrays or self.decode_order == "srpt":
            what = "decode order 'srpt'" if self.decode_order == "srpt" else f"policy {self.policy!r}"
            raise InputError(f"{what} counts on one token an iteration: it takes no draft")
        if self.most_tokens < 1 + self.draft:
            raise InputError(f"a token with its draft of {self.draft} exceeds the budget of {self.most_tokens:.0f}")

    def _check_capacity(self) -> None:
        for c in self.classes:
            least = min(values_of(c.prompt)) + min(values_of(c.output))
            if self.capacity is not None and least > self.capacity // self.block * self.block:
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
    def nodes(self) -> int:
        """Decode nodes with a clock of their own, a group each; 0: one engine."""
        return int(POLICIES[self.policy].arrays(self).get("nodes", 0))

    @property
    def late_first(self) -> bool:
        """Whether a request's first token comes with its first decode iteration, not with the end of its prompt."""
        return bool(POLICIES[self.policy].arrays(self).get("late_first", 0))

    @property
    def accepted(self) -> Discrete | None:
        """The drafted tokens that an iteration accepts of a request; None where nothing is drafted."""
        if self.draft == 0:
            return None
        ends = [self.acceptance**i * (1.0 - self.acceptance) for i in range(self.draft)]
        return Discrete(tuple(map(float, range(self.draft + 1))), (*ends, self.acceptance**self.draft))

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
        accepted = sources(_ACCEPTED, lambda c: self.accepted)
        one = np.zeros(len(self.classes), dtype=np.int64)
        usual = Engine(
            decide=0,
            observe=0,
            accept=0,
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
            class_accepted=accepted,
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
            block=int(self.block),
            blocks=E.ENDLESS if self.capacity is None else int(self.capacity // self.block),
            draft=int(self.draft),
            draft_time=float(self.draft_time),
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
            nodes=0,
            share=1.0,
            transfer=np.zeros(2),
            late_first=0,
            ttft_limit=np.array([c.ttft_slo for c in self.classes]),
            tbt_limit=np.array([c.tbt_slo for c in self.classes]),
            tpot_limit=np.array([c.tpot_slo for c in self.classes]),
            latency_limit=np.array([c.latency_slo for c in self.classes]),
            window=float(window),
        )
        return usual._replace(**policy.arrays(self))
