"""A cluster of GPUs as a Markov chain on counts: what is simulated, and what a run holds.

The model of Section 2.3 of arXiv:2602.02987v1: Poisson arrivals, exponential services and patience, n alike GPUs with
at most one prefill and B slots each. A cluster's GPUs are not told apart: see :mod:`qtheory.simulate.fleet.loop`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import whole
from qtheory.simulate.fleet import loop as K
from qtheory.simulate.fleet.common import Array, Earnings, PlannedCluster
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.laws import Exponential, Uniform
from qtheory.simulate.streams import Plan as Horizon
from qtheory.theory.planning.plan import Plan
from qtheory.theory.planning.policies import GATES, ROUTERS, Policy, policy_of

STARTS = ("empty", "plan")
_ROLE = 32 << 24  # of the streams: a clock's number is added
_RING = 1024


@dataclass(frozen=True)
class FleetChain(PlannedCluster):
    """``gpus`` (n) GPUs that serve the arrivals of the plan's instance, n lambda_i requests a second of class i.

    ``plan``: the targets x*, q*, p_s and pi, and the instance; ``policy``: one of
    :data:`~qtheory.theory.planning.policies.POLICIES` by name, or one made of a gate and a router; ``start``: "empty",
    or "plan", the whole parts of n times the plan's occupancies and queues.

    >>> from qtheory.theory.planning import plan, two_class_instance
    >>> chain = FleetChain(plan(two_class_instance()), "gate-and-route", 20)
    >>> run = chain.run(horizon=200.0, seed=1)
    >>> run.revenue().shape
    (200,)
    """

    plan: Plan
    policy: Policy | str
    gpus: int
    start: str = "empty"

    def __post_init__(self) -> None:
        whole("the number of GPUs", self.gpus, 1)
        object.__setattr__(self, "policy", policy_of(self.policy))
        if self.start not in STARTS:
            raise UnknownNameError("start", self.start, list(STARTS))

    def arrays(self, key: np.ndarray, window: float) -> K.Fleet:
        """The kernel's arrays."""
        it, rule, k = self.plan.instance, self.rule, len(self.plan.instance)
        patience = [float(c.patience) for c in it.classes]
        mu_p, mu_m, mu_s = ([float(v) for v in r] for r in (it.mu_p, it.mu_m, it.mu_s))
        flows = [[float(c.rate) for c in it.classes], patience, mu_p, patience, patience, mu_m, mu_s, mu_s]
        movers, batch = self.mixed_gpus, it.batch
        ordered = np.zeros(K.ROWS, dtype=np.int64)
        ordered[K.WAITING] = rule.gate == "fcfs"
        ordered[[K.FOR_SOLO, K.FOR_MIXED]] = rule.router not in ("weighted", "immediate")
        laws = [Exponential(1.0)] * (K.ROWS * k) + [Uniform(0.0, 1.0)] * 4
        encoded = [law.encode() for law in laws]
        return K.Fleet(
            gate=GATES.index(rule.gate),
            router=ROUTERS.index(rule.router),
            planned=int(rule.planned),
            movers=movers,
            solo_slots=batch * (self.gpus - movers),
            idle_slots=batch - 1 if rule.planned else batch,
            mixed_slots=batch - 1,
            coefficient=np.array(flows).ravel(),
            target=self.gpus * np.array([float(v) for v in self.plan.x]),
            backlog=self.gpus * np.array([float(v) for v in self.plan.q_p]),
            urgency=np.array([float(c.decode / c.prompt) for c in it.classes]),
            solo_share=np.array([float(v) for v in self.plan.solo_shares]),
            weights=np.array([[float(v) for v in pool] for pool in self.plan.pool_weights]),
            ordered=ordered,
            kind=np.array([kind for kind, _ in encoded], dtype=np.int64),
            parameter_first=np.cumsum([0] + [len(p) for _, p in encoded]),
            parameters=np.array([v for _, p in encoded for v in p], dtype=float),
            stream=np.array([_ROLE + v for v in range(len(laws))], dtype=np.int64),
            key=key,
            window=float(window),
        )

    def first_counts(self) -> NDArray[np.int64]:
        """Counts at the start, of each row of the loop and class; shape (8, classes)."""
        k, n, p = len(self.plan.instance), self.gpus, self.plan
        counts = np.zeros((K.ROWS, k), dtype=np.int64)
        counts[K.SOURCES] = n
        if self.start == "plan":
            by_row = {K.WAITING: p.q_p, K.PREFILLS: p.x, K.MIXED: p.y_m, K.SOLO: p.y_s}
            if self.rule.router != "immediate":
                by_row[K.FOR_SOLO] = p.q_d
            for row, amounts in by_row.items():
                counts[row] = [math.floor(n * v) for v in amounts]
            self._fit(counts)
        return counts

    def _fit(self, counts: NDArray[np.int64]) -> None:
        """What the slots cannot hold of a rounded plan waits no more: it is left out, class by class."""
        batch, movers = self.plan.instance.batch, self.mixed_gpus
        if not self.rule.planned:  # GPUs that run no prefill are all alike
            counts[K.IDLE] = counts[K.SOLO]
            counts[K.SOLO] = 0
        running = int(counts[K.PREFILLS].sum())
        rooms = {K.MIXED: (batch - 1) * running, K.SOLO: batch * (self.gpus - movers),
                 K.IDLE: (movers - running) * (batch - self.rule.planned)}
        for row, room in rooms.items():
            for i in range(counts.shape[1]):
                counts[row, i] = min(counts[row, i], room)
                room -= int(counts[row, i])

    def run(self, **options: Any) -> FleetRun:
        """One replication; ``options``: those of :class:`~qtheory.simulate.streams.Plan`, without records."""
        plan = Horizon(**options)
        if plan.records:
            raise InputError("a chain of counts keeps no records: ask for more windows")
        plan.check_events(*self.event_rate)
        model = self.arrays(plan.key, plan.window)
        first = self.first_counts()
        state = _new_state(model, first, plan.windows)

        def meet(status: int) -> None:
            nonlocal state
            state = _longer_rings(state)

        plan.follow(lambda stop: K.advance(model, state, stop), meet, lambda: int(state.integers[K.EVENTS]))
        run = FleetRun(self, plan.seed, plan.replication, plan.window, plan.warm, int(state.integers[K.EVENTS]),
                       *(a.reshape(plan.windows, -1, first.shape[1])
                         for a in (state.area, state.present, state.fired, state.switched)))
        run.check(first)
        return run


def _new_state(model: K.Fleet, first: NDArray[np.int64], windows: int) -> K.FleetState:
    counts = first.ravel().copy()
    n, v = counts.size, model.kind.size
    ints: dict[str, Any] = {"dtype": np.int64}
    rings, head, tail = np.zeros((3, _RING), **ints), np.zeros(3, **ints), np.zeros(3, **ints)
    for ring, row in enumerate((K.WAITING, K.FOR_SOLO, K.FOR_MIXED)):
        if model.ordered[row]:  # at the start in proportion: spread evenly over the queue
            places = [((j + 0.5) / m, i) for i, m in enumerate(first[row]) for j in range(m)]
            order = [i for _, i in sorted(places)]
            rings = np.concatenate([rings, np.zeros((3, max(0, 2 * len(order) - rings.shape[1])), **ints)], axis=1)
            rings[ring, :len(order)] = order
            tail[ring] = len(order)
    return K.FleetState(
        integers=np.zeros(3, **ints), floats=np.zeros(1), counts=counts, total=first.sum(axis=1), rates=np.zeros(n),
        remaining=np.zeros(n), rings=rings, head=head, tail=tail, buffer=np.zeros((v, BLOCK)),
        words=np.zeros(BLOCK, dtype=np.uint64), position=np.full(v, BLOCK, **ints), drawn=np.zeros(v, **ints),
        area=np.zeros((windows, n)), present=np.zeros((windows, n), **ints), fired=np.zeros((windows, n), **ints),
        switched=np.zeros((windows, 2 * (n // K.ROWS)), **ints))


def _longer_rings(state: K.FleetState) -> K.FleetState:
    """The state with rings four times as long; places are counted anew."""
    old = state.rings.shape[1]
    rings = np.zeros((3, 4 * old), dtype=np.int64)
    for r in range(3):
        order = state.rings[r, np.arange(state.head[r], state.tail[r]) % old]
        rings[r, :order.size] = order
        state.head[r], state.tail[r] = 0, order.size
    return state._replace(rings=rings)


@dataclass(frozen=True, repr=False)
class FleetRun(Earnings):
    """One replication of w windows and k classes.

    ``area`` (w, 8, k): integrals of the counts over each window; ``at_end`` (w, 8, k): counts at its end; ``fired``
    (w, 8, k): how often each flow of :data:`~qtheory.simulate.fleet.loop.FLOWS` fired; ``switched`` (w, 2, k): decodes
    whose GPU took a prefill, and whose GPU was left without one.
    """

    chain: FleetChain
    seed: int
    replication: int
    window: float
    warm_up: int
    events: int
    area: Array
    at_end: NDArray[np.int64]
    fired: NDArray[np.int64]
    switched: NDArray[np.int64]

    def check(self, first: NDArray[np.int64]) -> None:
        """Every request that came is present, done or gone, class by class; AssertionError else."""
        gone = self.fired.sum(axis=0)[[K.WAITING, *range(K.FOR_SOLO, K.ROWS)]].sum(axis=0)
        came = first[1:].sum(axis=0) + self.fired.sum(axis=0)[K.SOURCES]
        if (came - gone != self.at_end[-1, 1:].sum(axis=0)).any():
            raise AssertionError("requests are not conserved")

    @property
    def plan(self) -> Plan:
        """What its cluster is run by."""
        return self.chain.plan

    def _level(self, *rows: int) -> Array:
        return np.asarray(self.area[:, list(rows)].sum(axis=1) / (self.window * self.chain.gpus))

    @cached_property
    def occupancies(self) -> Mapping[str, Array]:
        """Mean numbers a GPU in each window, by the names of a plan: ``q_p``, ``x``, ``q_d``, ``y_m``, ``y_s``; shape
        (w, k). ``y_s``: on GPUs that run no prefill at the time."""
        return {"q_p": self._level(K.WAITING), "x": self._level(K.PREFILLS),
                "q_d": self._level(K.FOR_SOLO, K.FOR_MIXED), "y_m": self._level(K.MIXED),
                "y_s": self._level(K.SOLO, K.IDLE)}

    def flow(self, *names: str) -> Array:
        """How often flows of these names fired a second and GPU, together; shape (w, k)."""
        for name in names:
            if name not in K.FLOWS:
                raise UnknownNameError("flow", name, list(K.FLOWS))
        rows = [K.FLOWS.index(name) for name in names]
        return np.asarray(self.fired[:, rows].sum(axis=1) / (self.window * self.chain.gpus))

    @property
    def prefilled(self) -> Array:
        """Prefills that end, a second and GPU; shape (w, k)."""
        return self.flow("prefilled")

    @property
    def decoded(self) -> Array:
        """Requests that are complete, a second and GPU; shape (w, k)."""
        return self.flow("decoded_mixed", "decoded_solo", "decoded_idle")
