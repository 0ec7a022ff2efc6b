"""A cluster of GPUs with a request in each of their slots: what is simulated, and what a run holds.

The model of Section 2.3 of arXiv:2602.02987v1, as :class:`~qtheory.simulate.fleet.chain.FleetChain` has it, with GPUs
that are told apart: each holds its own decodes, which change their speed when its prefill begins or ends, and a router
chooses among the GPUs with a free slot, all equally likely. What counts alone must take for symmetric is followed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.simulate.checks import whole
from qtheory.simulate.fleet import gpu_layout as L
from qtheory.simulate.fleet.common import Array, Earnings, PlannedCluster
from qtheory.simulate.free_rows import free_rows, twice_as_many
from qtheory.simulate.kernel.variates import BLOCK
from qtheory.simulate.laws import Exponential, Uniform
from qtheory.simulate.streams import Plan as Horizon
from qtheory.theory.planning.plan import Plan
from qtheory.theory.planning.policies import GATES, ROUTERS, Policy, policy_of

_ROLE = 36 << 24  # of the streams
_QUEUED = 1024  # requests that wait, for which there is room at first


@dataclass(frozen=True)
class GPUFleet(PlannedCluster):
    """``gpus`` (n) GPUs, empty at first, that serve n lambda_i requests a second of class i of the plan's instance.

    ``plan``: the targets x*, q*, p_s and pi, and the instance; ``policy``: one of
    :data:`~qtheory.theory.planning.policies.POLICIES` by name, or one made of a gate and a router.

    >>> from qtheory.theory.planning import plan, two_class_instance
    >>> run = GPUFleet(plan(two_class_instance()), "gate-and-route", 20).run(horizon=200.0, seed=1)
    >>> run.revenue().shape
    (200,)
    """

    plan: Plan
    policy: Policy | str
    gpus: int

    def __post_init__(self) -> None:
        whole("the number of GPUs", self.gpus, 1, 10**6)
        object.__setattr__(self, "policy", policy_of(self.policy))

    def arrays(self, key: np.ndarray, window: float) -> L.GPUs:
        """The kernel's arrays."""
        it, p, n = self.plan.instance, self.plan, self.gpus

        def floats(values: Any) -> Array:
            return np.array([float(v) for v in values])

        encoded = [Exponential(1.0).encode(), Uniform(0.0, 1.0).encode()]
        return L.GPUs(
            slots=it.batch,
            gate=GATES.index(self.rule.gate),
            router=ROUTERS.index(self.rule.router),
            rate=n * floats(c.rate for c in it.classes),
            patience=floats(c.patience for c in it.classes),
            mu_p=floats(it.mu_p),
            mu_m=floats(it.mu_m),
            mu_s=floats(it.mu_s),
            target=n * floats(p.x),
            backlog=n * floats(p.q_p),
            urgency=floats(c.decode / c.prompt for c in it.classes),
            solo_share=floats(p.solo_shares),
            weights=np.array([floats(pool) for pool in p.pool_weights]),
            kind=np.array([kind for kind, _ in encoded], dtype=np.int64),
            parameter_first=np.cumsum([0] + [len(v) for _, v in encoded]),
            parameters=np.array([v for _, values in encoded for v in values], dtype=float),
            stream=np.array([_ROLE, _ROLE + 1], dtype=np.int64),
            key=key,
            window=float(window),
        )

    def run(self, **options: Any) -> GPURun:
        """One replication; ``options``: those of :class:`~qtheory.simulate.streams.Plan`, without records."""
        from qtheory.simulate.fleet.gpu_loop import advance

        plan = Horizon(**options)
        if plan.records:
            raise InputError("the cluster of GPUs keeps no records of requests: ask for more windows")
        plan.check_events(*self.event_rate)
        model = self.arrays(plan.key, plan.window)
        state = self._new_state(plan.windows)

        def meet(status: int) -> None:
            nonlocal state
            state = _with_more_rows(state)

        plan.follow(lambda stop: advance(model, state, stop), meet, lambda: int(state.integers[L.HAPPENED]))
        _check(model, state)
        area, totals = (np.diff(a, axis=0, prepend=0) for a in (state.area_windows, state.total_windows))
        return GPURun(self, plan.seed, plan.replication, plan.window, plan.warm, int(state.integers[L.HAPPENED]), area,
                      totals, state.count_windows)

    def _new_state(self, windows: int) -> L.GPUState:
        n, k = self.gpus, len(self.plan.instance)
        rows, movers, slots = n * self.plan.instance.batch + _QUEUED, self.mixed_gpus, self.plan.instance.batch
        ints: dict[str, Any] = {"dtype": np.int64}
        gpus = np.zeros((n, L.GPU_COLUMNS), **ints)
        gpus[:, L.GROUP] = L.EITHER
        if self.rule.planned:
            gpus[:, L.GROUP] = np.where(np.arange(n) < movers, L.MIXED_GROUP, L.SOLO_GROUP)
        integers, room = np.zeros(L.SCALARS, **ints), np.zeros((3, n), **ints)
        integers[L.FREE_ROWS] = rows
        most = slots - (gpus[:, L.GROUP] == L.MIXED_GROUP)  # of decodes
        where = np.where(most == 0, -1, np.where(gpus[:, L.GROUP] == L.MIXED_GROUP, L.ROOM_MIXED, L.ROOM_SOLO))
        gpus[:, L.LIST], gpus[:, [L.AT, L.AT_PREFILL]] = where, -1
        lists = [(which, L.AT, where == which) for which in (L.ROOM_SOLO, L.ROOM_MIXED)]
        for which, column, members in (*lists, (L.ROOM_PREFILL, L.AT_PREFILL, gpus[:, L.GROUP] != L.SOLO_GROUP)):
            found = np.flatnonzero(members)
            room[which, :len(found)], gpus[found, column] = found, np.arange(len(found))
            integers[L.SIZE + which] = len(found)
        return L.GPUState(
            integers=integers, floats=np.zeros(1), buffer=np.zeros((2, BLOCK)), words=np.zeros(BLOCK, dtype=np.uint64),
            position=np.full(2, BLOCK, **ints), drawn=np.zeros(2, **ints), rows=free_rows(rows, L.COLUMNS, L.NEXT),
            times=np.zeros((rows, 2)), queue_head=np.full(L.QUEUES * k, -1, **ints),
            queue_tail=np.full(L.QUEUES * k, -1, **ints), size=np.zeros(L.PHASES * k, **ints),
            lists=np.zeros((L.PHASES * k, rows), dtype=np.int32), gpus=gpus, held=np.zeros((n, k), **ints), room=room,
            rates=np.zeros(6 * k), counts=np.zeros((k, L.COUNTS), **ints), area=np.zeros((k, L.COUNTS)),
            last=np.zeros((k, L.COUNTS)), totals=np.zeros((k, L.TOTALS)),
            area_windows=np.zeros((windows, k, L.COUNTS)), count_windows=np.zeros((windows, k, L.COUNTS), **ints),
            total_windows=np.zeros((windows, k, L.TOTALS)))


def _with_more_rows(s: L.GPUState) -> L.GPUState:
    rows = twice_as_many(s.rows, L.NEXT, s.integers, L.FREE, L.FREE_ROWS)
    return s._replace(rows=rows, times=np.concatenate((s.times, np.zeros_like(s.times))),
                      lists=np.concatenate((s.lists, np.zeros_like(s.lists)), axis=1))


def _check(model: L.GPUs, s: L.GPUState) -> None:
    """Requests are conserved, and GPUs hold what is counted and no more than they can. A failure is a bug."""
    k = s.counts.shape[0]
    gone = s.totals[:, [L.LEFT_PREFILL, L.LEFT_DECODE, L.DECODED_MIXED, L.DECODED_SOLO]].sum(axis=1)
    if (s.totals[:, L.ARRIVED] != gone + s.counts.sum(axis=1)).any():
        raise AssertionError("requests are not conserved")
    mixed = s.gpus[:, L.PREFILLS] == 1
    held = {L.Y_M: s.held[mixed].sum(axis=0), L.Y_S: s.held[~mixed].sum(axis=0),
            L.X: s.size[L.PREFILL * k:(L.PREFILL + 1) * k]}
    if any((s.counts[:, c] != n).any() for c, n in held.items()) or mixed.sum() != s.counts[:, L.X].sum():
        raise AssertionError("the GPUs do not hold what is counted")
    reserved = np.where(s.gpus[:, L.GROUP] == L.MIXED_GROUP, 1, s.gpus[:, L.PREFILLS])
    if (s.held.sum(axis=1) != s.gpus[:, L.DECODES]).any() or (s.gpus[:, L.DECODES] > model.slots - reserved).any():
        raise AssertionError("a GPU holds more decodes than it has slots")


@dataclass(frozen=True, repr=False)
class GPURun(Earnings):
    """One replication of w windows and k classes.

    ``area`` (w, k, COUNTS): integrals of the counts over each window; ``totals`` (w, k, TOTALS): events and seconds in
    each, columns named in :mod:`qtheory.simulate.fleet.gpu_layout`; ``at_end`` (w, k, COUNTS): counts at its end.
    """

    fleet: GPUFleet
    seed: int
    replication: int
    window: float
    warm_up: int
    events: int
    area: Array
    totals: Array
    at_end: NDArray[np.int64]

    @property
    def plan(self) -> Plan:
        """What its cluster is run by."""
        return self.fleet.plan

    def _level(self, *columns: int) -> Array:
        return np.asarray(self.area[:, :, list(columns)].sum(axis=2) / (self.window * self.fleet.gpus))

    @cached_property
    def occupancies(self) -> Mapping[str, Array]:
        """Mean numbers a GPU in each window, by the names of a plan: ``q_p``, ``x``, ``q_d``, ``y_m``, ``y_s``; shape
        (w, k). ``y_s``: on GPUs that run no prefill at the time."""
        return {"q_p": self._level(L.Q_P), "x": self._level(L.X), "q_d": self._level(L.Q_S, L.Q_M),
                "y_m": self._level(L.Y_M), "y_s": self._level(L.Y_S)}

    def _flow(self, *columns: int) -> Array:
        return np.asarray(self.totals[:, :, list(columns)].sum(axis=2) / (self.window * self.fleet.gpus))

    @property
    def prefilled(self) -> Array:
        """Prefills that end, a second and GPU; shape (w, k)."""
        return self._flow(L.PREFILLED)

    @property
    def decoded(self) -> Array:
        """Requests that are complete, a second and GPU; shape (w, k)."""
        return self._flow(L.DECODED_MIXED, L.DECODED_SOLO)

    @property
    def abandoned(self) -> Array:
        """Requests that lose patience, in either queue, a second and GPU; shape (w, k)."""
        return self._flow(L.LEFT_PREFILL, L.LEFT_DECODE)

    @property
    def switched(self) -> Array:
        """Decodes whose GPU took a prefill, and whose GPU was left without one, a second and GPU; shape (w, k, 2)."""
        return np.asarray(self.totals[:, :, [L.TO_MIXED, L.TO_SOLO]] / (self.window * self.fleet.gpus))

    def delays(self) -> Mapping[str, Array]:
        """Means after the warm-up by class (k,), in seconds; NaN where nothing has ended. ``prefill``: from the arrival
        to the end of the prefill; ``sojourn``: to the last token; ``token``: in decode, of a token."""
        sums = self.totals[self.warm_up:].sum(axis=0)
        done = sums[:, [L.DECODED_MIXED, L.DECODED_SOLO]].sum(axis=1)
        lengths = np.array([float(c.decode) for c in self.fleet.plan.instance.classes])
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"prefill": sums[:, L.FIRST] / sums[:, L.PREFILLED], "sojourn": sums[:, L.SOJOURN] / done,
                    "token": sums[:, L.DECODING] / (done * lengths)}
