"""Networks of LLM engines token by token, in slots: throughput-optimal scheduling, Sections 2 and 4.

The model is an :class:`~qtheory.models.network.AgentNetwork` whose budgets and lengths are tokens, with laws of the
lengths. At the start of a slot an engine without a batch loads one: group of visits by group, the most urgent first,
prompt tokens in any number and, of each request whose prompt is done, one output token; so long as there is room a
less urgent group fills it. A batch takes its slots, and at their end its requests move on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, Visit
from qtheory.simulate.checks import whole
from qtheory.simulate.kernel import agent_layout as L
from qtheory.simulate.law import Law
from qtheory.simulate.laws import Deterministic, Discrete, Exponential, Geometric
from qtheory.simulate.showing import InALine, listed

if TYPE_CHECKING:
    from qtheory.simulate.agent_runs import AgentRun

_GAP, _PROMPT, _OUTPUT = 24 << 24, 25 << 24, 26 << 24  # roles of streams: the number of the type or visit is added
LENGTHS = ("poisson", "geometric", "fixed")
PHASES = ("decode first", "prefill first")
MOST_TOKENS = 10**6  # of a batch, and of a length on average
MOST_SLOTS = 2**30  # of a run: ticks are 32-bit numbers


def positive_poisson(mean: float) -> Discrete:
    """A Poisson law on 1, 2, ..: the law given that it is not 0, with the parameter that makes its mean ``mean``.

    Lengths are at least 1 (throughput-optimal scheduling, (2.1)). From 32 tokens on, as in (4.4), nothing in double
    precision tells it from the Poisson law of that mean.
    """
    from scipy.optimize import brentq

    if mean == 1:
        return Discrete((1.0,), (1.0,))
    if not 1 < mean <= MOST_TOKENS:
        raise InputError(f"a length is 1 token or more: its mean cannot be {mean:g}")
    rate = brentq(lambda x: x / -math.expm1(-x) - mean, 1e-12, mean, xtol=1e-300, rtol=1e-15)
    base = Discrete.poisson(float(rate))
    weights = np.array(base.weights[1:])
    keep = np.flatnonzero(weights > 0)
    values = np.array(base.values[1:])[keep]
    return Discrete(tuple(map(float, values)), tuple(map(float, weights[keep] / weights.sum())))


def length_law(mean: Fraction, kind: str) -> Law:
    """The law of a length by its mean: "poisson" (given that it is positive), "geometric" on 1, 2, .., or "fixed"."""
    if kind == "poisson":
        return positive_poisson(float(mean))
    if mean < 1 or (kind == "fixed" and mean.denominator != 1):
        raise InputError(f"a {kind} length cannot have the mean {mean}; whole numbers from 1 on have")
    return Deterministic(float(mean)) if kind == "fixed" else Geometric.with_mean(float(mean))


@dataclass(frozen=True)
class SlottedAgents(InALine):
    """A network of agents in slots.

    ``network``: budgets are whole numbers of tokens, batch times whole numbers of slots, mean lengths 0 or at least 1
    token; a group of visits without an order among them (policy "fcfs" and "work-conserving" too) is served first
    come, first served. ``lengths``: "poisson" (as (4.4)), "geometric" or "fixed". ``phases``: within a group "decode
    first" (as Section 4.3) or "prefill first". ``one_token``: at most one output token of a request in a batch, (2.5c);
    without it output tokens are loaded like prompt tokens, as in the classical theory. ``slot``: seconds of a slot, a
    divisor of all batch times (default: their largest common one). ``times``: for engines whose smaller batches are
    shorter, the slots of batches of 0, 1, .., budget tokens; others need the same time whatever they hold.
    ``gaps``: by type the law of the slots between arrivals (default: Poisson arrivals at the type's rate); an arrival
    at t comes in slot floor(t). ``start``: how many requests stand before a visit at first.
    """

    network: AgentNetwork
    lengths: str = "poisson"
    phases: str = "decode first"
    one_token: bool = True
    slot: Fraction | None = None
    times: Mapping[str, Sequence[int]] = field(default_factory=dict)
    gaps: Mapping[str, Law] = field(default_factory=dict)
    start: Mapping[str, int] = field(default_factory=dict)

    @property
    def line(self) -> str:
        return f"agents, token by token: {self.network.title or listed(e.name for e in self.network.engines)}"

    def __post_init__(self) -> None:
        for what, value, known in (("law of lengths", self.lengths, LENGTHS), ("order of phases", self.phases, PHASES)):
            if value not in known:
                raise UnknownNameError(what, value, list(known))
        if self.network.routed:
            raise InputError("the token-level model has no random routes; give each way a type of its own")
        if self.network.sharing:
            shares = self.network.sharing[0]
            raise InputError(f"engine {shares!r} shares its time; the token-level model serves in turn")
        slot = self.slot
        if slot is None:
            times = [e.batch_time for e in self.network.engines]
            slot = Fraction(math.gcd(*(t.numerator for t in times)), math.lcm(*(t.denominator for t in times)))
        object.__setattr__(self, "slot", Fraction(slot))
        if self.slot_seconds <= 0:
            raise InputError(f"a slot of {self.slot} seconds is not positive")
        names = (("engine", [*self.times], [e.name for e in self.network.engines]),
                 ("type", [*self.gaps], [t.name for t in self.network.types]),
                 ("visit", [*self.start], [v.name for v in self.network.visits]))
        for what, given, there in names:
            for name in given:
                if name not in there:
                    raise UnknownNameError(what, name, there)
        for e in self.network.engines:
            if e.decode_time is not None:
                raise InputError(f"engine {e.name!r}: the token-level model has mixed batches alone")
            self._check_engine(e.name, e.budget, e.batch_time)
        for v in self.network.visits:
            for what, mean in (("prompt", v.prompt), ("output", v.output)):
                try:
                    if mean:
                        length_law(mean, self.lengths)
                except InputError as error:
                    raise InputError(f"visit {v.name!r}, {what}: {error}") from None
        for name, count in self.start.items():
            whole(f"the requests before visit {name!r}", count, 0, 10**8)
            if count and self.forks(self.type_number(name)):
                raise InputError(f"visit {name!r}: requests that fork or join start before no visit of theirs")

    def _check_engine(self, name: str, budget: Fraction, batch_time: Fraction) -> None:
        if budget.denominator != 1 or budget > MOST_TOKENS:
            raise InputError(f"engine {name!r}: the budget {budget} is no whole number of tokens up to {MOST_TOKENS:,}")
        slots = batch_time / self.slot_seconds
        if slots.denominator != 1 or slots > MOST_SLOTS:
            raise InputError(f"engine {name!r}: a batch of {batch_time} s is no whole number of slots of "
                             f"{self.slot_seconds} s")
        given = self.times.get(name)
        if given is None:
            return
        if len(given) != budget + 1 or given[-1] != slots:
            raise InputError(f"engine {name!r}: give the slots of batches of 0, 1, .., {budget} tokens, the last "
                             f"{slots}")
        for n in given[1:]:
            whole(f"engine {name!r}: the slots of a batch", n, 1, MOST_SLOTS)

    @property
    def slot_seconds(self) -> Fraction:
        """Length of a slot; seconds."""
        assert self.slot is not None
        return self.slot

    def type_number(self, visit: str) -> int:
        """The number of the type that makes the visit."""
        return next(a for a, t in enumerate(self.network.types) if visit in [v.name for v in t.visits])

    def forks(self, a: int) -> bool:
        """Whether the type's requests can be at several visits at once."""
        visits = self.network.types[a].visits
        roots = sum(not v.after for v in visits)
        return roots > 1 or any(len(v.after) > 1 for v in visits) or any(
            sum(v.name in w.after for w in visits) > 1 for v in visits)

    def _source(self, v: Visit, mean: Fraction, role: int, number: int, found: list[tuple[Law, int]]) -> int:
        if not mean:
            return -1
        found.append((length_law(mean, self.lengths), role + number))
        return len(found) - 1

    def arrays(self, key: np.ndarray, window: int) -> L.Agents:
        """The kernel's arrays; ``window``: slots."""
        n, visits = self.network, self.network.visits
        number = {v.name: k for k, v in enumerate(visits)}
        engine = {e.name: i for i, e in enumerate(n.engines)}
        levels = [[number[name] for name in g] for e in n.engines for g in n.groups[e.name]]
        level_of = {k: i for i, g in enumerate(levels) for k in g}
        follow = [[number[w.name] for w in visits if v.name in w.after] for v in visits]
        starts = [[number[v.name] for v in t.visits if not v.after] for t in n.types]
        times = [list(self.times.get(e.name, [int(e.batch_time / self.slot_seconds)] * (int(e.budget) + 1)))
                 for e in n.engines]
        joins = {number[v.name]: 1 + i for t in n.types for i, v in enumerate(v for v in t.visits if len(v.after) > 1)}
        sources: list[tuple[Law, int]] = []
        for a, t in enumerate(n.types):
            gap = self.gaps.get(t.name) or Exponential(1.0 / float(t.rate * self.slot_seconds))
            sources.append((gap, _GAP + a))
        prompts = [self._source(v, v.prompt, _PROMPT, k, sources) for k, v in enumerate(visits)]
        outputs = [self._source(v, v.output, _OUTPUT, k, sources) for k, v in enumerate(visits)]
        encoded = [law.encode() for law, _ in sources]
        longest = max((float(v.output) for v in visits), default=1.0)
        return L.Agents(
            budget=_ints(e.budget for e in n.engines),
            slots_first=np.cumsum([0] + [len(t) for t in times]),
            slots=_ints(s for t in times for s in t),
            level_first=np.cumsum([0] + [len(n.groups[e.name]) for e in n.engines]),
            visit_first=np.cumsum([0] + [len(g) for g in levels]),
            level_visit=_ints(k for g in levels for k in g),
            decode_first=_ints([self.phases == "decode first"] * len(n.engines)),
            visit_level=_ints(level_of[k] for k in range(len(visits))),
            visit_engine=_ints(engine[v.engine] for v in visits),
            visit_type=_ints(self.type_number(v.name) for v in visits),
            prompt_source=_ints(prompts),
            output_source=_ints(outputs),
            together=_ints([not self.one_token] * len(visits)),
            follow_first=np.cumsum([0] + [len(f) for f in follow]),
            follow=_ints(w for f in follow for w in f),
            join=_ints(joins.get(k, -1) for k in range(len(visits))),
            needs=_ints(len(v.after) for v in visits),
            start_first=np.cumsum([0] + [len(s) for s in starts]),
            start=_ints(k for s in starts for k in s),
            forks=_ints(self.forks(a) for a in range(len(n.types))),
            leaves=_ints(sum(not follow[number[v.name]] for v in t.visits) for t in n.types),
            reserve=sum(int(e.budget) for e in n.engines) * max(map(len, follow)) if self.any_forks else 0,
            ring=min(1 << 12, 1 << math.ceil(math.log2(4.0 * longest + 16.0))),
            window=window,
            gap_source=np.arange(len(n.types)),
            kind=_ints(kind for kind, _ in encoded),
            parameter_first=np.cumsum([0] + [len(p) for _, p in encoded]),
            parameters=np.array([v for _, p in encoded for v in p], dtype=float),
            stream=_ints(s for _, s in sources),
            key=key,
        )

    @property
    def any_forks(self) -> bool:
        """Whether any type's requests can be at several visits at once."""
        return any(self.forks(a) for a in range(len(self.network.types)))

    @property
    def event_rate(self) -> tuple[float, str]:
        """Visits a second."""
        return float(sum(self.network.rates.values())), "visits"

    def run(self, **options: Any) -> AgentRun:
        """One replication: :func:`~qtheory.simulate.agent_runs.run_agents`."""
        from qtheory.simulate.agent_runs import run_agents

        return run_agents(self, **options)


def _ints(values: Any) -> np.ndarray:
    return np.array([int(v) for v in values], dtype=np.int64)
