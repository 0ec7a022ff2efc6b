"""The fluid model of a cluster under each policy, as a switched system of differential equations.

State, per GPU and class: waiting for prefill ``q_p``, in prefill ``x``, and for each of two pools, solo and mixed,
waiting for decode ``q`` and in decode ``y``. Between the policy's decisions it obeys (24) to (32); what a policy
decides are rates of admission, and these jump where a queue empties, a slot becomes free, or classes come to be
equally far from their targets. Each of these is found as the end of a regime (:mod:`qtheory.numerics.switching`);
nothing is smoothed.

Gates. Freed prefill slots go to the waiting class that is most below its target, ``least (x_i - x*_i)/x*_i``
(``occupancy``), or of the largest ``D_i/P_i`` (``priority``). Classes equally far from their targets share so that
they stay so; one whose queue is empty takes no more than arrives.

Routers. ``greedy``: one queue; what leaves prefill, or waits, takes free solo slots first, then mixed ones.
``split``: a share p_s,i of each class waits for solo slots, the others for mixed ones. ``weighted``: the same, and
slots go to nonempty queues by the weights pi of EC.6. Who waits in one queue is served in proportion to the classes
in it, which is what first come, first served does when the classes' shares have not changed while they waited.

Source: arXiv:2602.02987v1, Sections 3 to 5, EC.3, EC.5 and EC.6.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.switching import Path, follow
from qtheory.theory.planning.plan import Plan
from qtheory.theory.planning.policies import policy_of

Array = NDArray[np.float64]
POLICIES = ("gate-and-route", "prioritize-and-route", "sli-aware", "general-sli-aware")
ZERO = 1e-7  # requests a GPU below which a queue is empty
LAST = 1e9
TIE = 1e-7  # of the distance from a target, relative to it


class Regime(NamedTuple):
    """Which formula holds. ``empty``: of each class, is its prefill queue; ``full``: are all prefill slots taken;
    ``clamped``: of each class, is its admission 0 (-1), all its arrivals (1), or its part of the slots that are freed
    (0), which all such classes share so that they stay equally far from their targets; ``pools``: of each pool, is it
    full, does anybody wait, do arrivals exceed completions; ``waits``: of each pool and class, does its weight count
    (where queues are served by weights)."""

    empty: tuple[bool, ...]
    full: bool
    clamped: tuple[int, ...]
    pools: tuple[tuple[bool, bool, bool], ...]
    waits: tuple[bool, ...]


@dataclass(frozen=True)
class FluidPath:
    """A path of the fluid model: ``times`` (n,), and ``q_p``, ``x``, ``q_d``, ``y_m``, ``y_s`` (n, classes)."""

    times: Array
    q_p: Array
    x: Array
    q_d: Array
    y_m: Array
    y_s: Array
    switches: tuple[float, ...]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<fluid path of {self.x.shape[1]} classes, to {self.times[-1]:.6g} s>")

    def distance(self, plan: Plan) -> Array:
        """The largest difference of an occupancy from the plan's, at each time; shape (n,)."""
        pairs = ((self.x, plan.x), (self.y_m, plan.y_m), (self.y_s, plan.y_s))
        return np.max([np.abs(a - np.array([float(v) for v in b])).max(axis=1) for a, b in pairs], axis=0)

    def revenue(self, plan: Plan) -> Array:
        """$ a second of a GPU at each time, by the plan's charging; shape (n,)."""
        it = plan.instance
        mu_p, mu_m, mu_s = (np.array([float(v) for v in r]) for r in (it.mu_p, it.mu_m, it.mu_s))
        done = self.y_m * mu_m + self.y_s * mu_s
        if plan.charging == "bundled":
            return np.asarray(done @ np.array([float(w) for w in it.rewards]))
        prompts, decodes = (np.array([float(getattr(c, k)) for c in it.classes]) for k in ("prompt", "decode"))
        return np.asarray(float(it.prices.prefill) * (self.x * mu_p) @ prompts
                          + float(it.prices.decode) * done @ decodes)


class FluidModel:
    """The fluid model of a plan's instance under one of :data:`POLICIES`, with the plan's targets and partition."""

    def __init__(self, plan: Plan, policy: str) -> None:
        if policy not in POLICIES:
            raise UnknownNameError("policy", policy, list(POLICIES))
        self.plan, self.policy = plan, policy
        self.gate, self.router = policy_of(policy).gate, policy_of(policy).router
        it = plan.instance
        self.k = len(it)

        def floats(values: Iterable[Fraction]) -> Array:
            return np.array([float(v) for v in values])

        self.rate, self.theta = floats([c.rate for c in it.classes]), floats([c.patience for c in it.classes])
        self.mu_p, self.mu_m, self.mu_s = floats(it.mu_p), floats(it.mu_m), floats(it.mu_s)
        self.target = floats(plan.x)
        self.slots = float(plan.mixed_share)
        self.capacity = np.array([it.batch * (1 - self.slots), (it.batch - 1) * self.slots])  # solo, mixed
        self.mu = np.stack([self.mu_s, self.mu_m])
        self.solo = floats(plan.solo_shares)
        self.order = floats([c.decode / c.prompt for c in it.classes])
        self.unserved = self.target <= 0  # by the plan: such classes are admitted after all others
        self.target = np.where(self.unserved, 1.0, self.target)
        self.suffices = bool((self.rate / self.mu_p).sum() <= self.slots + ZERO)  # slots, for all prefills

    # ---- the state as a vector: q_p, x, q of solo and mixed, y of solo and mixed ----

    def start(self, q_p: ArrayLike = 0.0, x: ArrayLike = 0.0, q_d: ArrayLike = 0.0, y_m: ArrayLike = 0.0,
              y_s: ArrayLike = 0.0) -> Array:
        """A state from amounts a GPU, each a number or one a class. InputError where slots do not hold them."""
        parts = [np.broadcast_to(np.asarray(v, dtype=float), (self.k,)) for v in (q_p, x, q_d, y_m, y_s)]
        q_p_, x_, q_d_, y_m_, y_s_ = parts
        if min(float(v.min()) for v in parts) < 0:
            raise InputError("amounts of requests must be at least 0")
        if x_.sum() > self.slots + ZERO or y_s_.sum() > self.capacity[0] + ZERO or \
                y_m_.sum() > self.capacity[1] + ZERO:
            raise InputError(f"the slots hold {self.slots:g} prefills, {self.capacity[1]:g} decodes beside them and "
                             f"{self.capacity[0]:g} others")
        split = self.solo if self.router != "greedy" else np.ones(self.k)
        return np.concatenate([q_p_, x_, q_d_ * split, q_d_ * (1 - split), y_s_, y_m_])

    def _parts(self, z: Array) -> tuple[Array, Array, Array, Array]:
        k = self.k
        return z[:k], z[k:2 * k], z[2 * k:4 * k].reshape(2, k), z[4 * k:].reshape(2, k)

    @cached_property
    def _split(self) -> Array:
        """The share of each pool in what a class's prefills bring; shape (2, k). One queue counts as solo's."""
        if self.router == "greedy":
            return np.stack([np.ones(self.k), np.zeros(self.k)])
        return np.stack([self.solo, 1 - self.solo])

    @cached_property
    def _weights(self) -> Array:
        """pi of EC.6, of solo and mixed; shape (2, k)."""
        return np.array([[float(v) for v in pool] for pool in self.plan.pool_weights])

    def settle(self, z: Array) -> Array:
        """After jumps: free slots do not stay free while somebody waits for them."""
        z = np.maximum(z, 0.0)
        q_p, x, q, y = self._parts(z)
        q_p[q_p <= ZERO] = 0.0
        while self.slots - x.sum() > ZERO and q_p.sum() > ZERO:  # the gate, a class after the other
            waiting = np.flatnonzero(q_p > ZERO)
            keys = self._keys(x)[waiting]
            i = waiting[int(np.argmin(keys))]
            above = np.sort(keys)[1] if len(keys) > 1 else np.inf
            room = self.slots - x.sum()
            if self.gate == "occupancy" and np.isfinite(above):
                room = min(room, max((above - keys.min()) * self.target[i], 1e-4 * self.slots))
            moved = min(room, q_p[i])
            q_p[i] -= moved
            x[i] += moved
        for pool in (0, 1):
            source = 0 if self.router == "greedy" else pool
            room, waiting_there = self.capacity[pool] - y[pool].sum(), q[source].sum()
            if room > ZERO and waiting_there > ZERO:
                moved_each = q[source] * min(1.0, room / waiting_there)
                y[pool] += moved_each
                q[source] -= moved_each
        return z

    # ---- the gate ----

    def _keys(self, x: Array) -> Array:
        """What the gate admits by, the least first."""
        return np.where(self.unserved, LAST, x / self.target - 1) if self.gate == "occupancy" else -self.order

    def _groups(self, x: Array) -> tuple[tuple[int, ...], ...]:
        """Classes equally far from their targets, or in a chain of such, in the order in which they are admitted."""
        if self.slots == 0:
            return ()
        keys = self._keys(x)
        order = np.argsort(keys, kind="stable")
        groups, last = list[list[int]](), -np.inf
        for i in order:
            if groups and keys[i] - last <= TIE and self.gate == "occupancy":
                groups[-1].append(int(i))
            else:
                groups.append([int(i)])
            last = keys[i]
        return tuple(tuple(sorted(g)) for g in groups)

    def _clamped(self, x: Array, empty: tuple[bool, ...], full: bool) -> tuple[int, ...]:
        """Of each class, how its admission is found (:class:`Regime`): freed slots go to the groups in turn."""
        if not full:
            return (1,) * self.k
        clamped, left = [-1] * self.k, float(self.mu_p @ x)
        for group in self._groups(x):
            state = self._water(group, {i: self.rate[i] if empty[i] else np.inf for i in group}, left, x)
            for i in group:
                clamped[i] = state[i]
            if 0 in state.values():  # these take what is left
                break
            left -= sum(self.rate[i] for i in group if state[i] == 1)
        return tuple(clamped)

    def _admissions(self, x: Array, clamped: tuple[int, ...], empty: tuple[bool, ...], full: bool) -> Array:
        """Rates of admission, by class."""
        if not full:
            return np.where(empty, self.rate, 0.0)
        state = np.array(clamped)
        u, free = np.where(state == 1, self.rate, 0.0), state == 0
        if free.any():
            kept = self.mu_p * x
            growth = (kept.sum() - u.sum() - kept[free].sum()) / self.target[free].sum()
            u[free] = kept[free] + growth * self.target[free]
        return u

    def _water(self, group: tuple[int, ...], caps: dict[int, float], left: float, x: Array) -> dict[int, int]:
        """Of each class of a group: admitted at 0 (-1), between, or at its cap (1), so that distances stay equal where
        they can: the common growth c of the distances is the one at which the rates use what is left."""
        if sum(caps.values()) <= left:
            return dict.fromkeys(group, 1)
        if left <= 0:
            return dict.fromkeys(group, -1)

        def used(c: float) -> float:
            return sum(min(max(self.mu_p[i] * x[i] + c * self.target[i], 0.0), caps[i]) for i in group)

        low, high = -1.0, 1.0
        while used(low) > left:
            low *= 2
        while used(high) < left:
            high *= 2
        for _ in range(100):
            c = (low + high) / 2
            low, high = (c, high) if used(c) < left else (low, c)
        wanted = {i: self.mu_p[i] * x[i] + high * self.target[i] for i in group}
        return {i: 1 if wanted[i] >= caps[i] * (1 + 1e-12) else -1 if wanted[i] <= 0 else 0 for i in group}

    # ---- regimes and rates ----

    def regime(self, z: Array) -> Hashable:
        """Which formula holds at a settled state."""
        q_p, x, q, y = self._parts(z)
        empty = tuple(bool(v) for v in q_p <= ZERO)
        # Where the slots suffice for all that arrive, they are filled at the end of time alone.
        nearly = -10 * ZERO if all(empty) and self.suffices else 10 * ZERO
        full = bool(self.slots - x.sum() <= nearly)
        if full and all(empty) and self.rate.sum() < self.mu_p @ x:
            full = False  # more slots are freed than requests arrive
        clamped = self._clamped(x, empty, full)
        inflow = self._split * (self.mu_p * x)
        pools = list[tuple[bool, bool, bool]]()
        for pool in (0, 1):
            source = 0 if self.router == "greedy" else pool
            is_full = bool(self.capacity[pool] - y[pool].sum() <= 10 * ZERO)
            somebody = bool(q[source].sum() > ZERO)
            arriving, freed = inflow[source].sum(), float(self.mu[pool] @ y[pool])
            if self.router == "greedy" and pool == 1:
                solo_full = pools[0][0]
                arriving = max(arriving - float(self.mu[0] @ y[0]), 0.0) if solo_full else 0.0
            pools.append((is_full, somebody, bool(arriving > freed)))
        waits = tuple(v for pool in (0, 1) for v in self._weighing(pool, q[pool], inflow[pool], y[pool])
                      ) if self.router == "weighted" else ()
        return Regime(empty, full, clamped, tuple(pools), waits)

    def rates(self, z: Array, regime: Hashable) -> Array:
        """The right side in a regime."""
        assert isinstance(regime, Regime)
        q_p, x, q, y = self._parts(z)
        u = self._admissions(x, regime.clamped, regime.empty, regime.full)
        inflow = self._split * (self.mu_p * x)
        to = np.zeros((2, self.k))  # admissions of each pool
        taken = np.zeros((2, self.k))  # of each queue
        coming = inflow.copy()
        for pool in (0, 1):
            source = 0 if self.router == "greedy" else pool
            is_full, waits, exceed = regime.pools[pool]
            freed = float(self.mu[pool] @ y[pool])
            total = float(coming[source].sum())
            if waits:
                some = regime.waits[source * self.k:(source + 1) * self.k]
                to[pool] = self._from_queue(pool, q[source], inflow[source], freed, some)
                taken[source] += to[pool]
            elif not is_full or not exceed:
                to[pool] = coming[source]
                coming[source] = np.zeros(self.k)
            elif total > 0:
                to[pool] = coming[source] * (freed / total)
                coming[source] = coming[source] - to[pool]
        dq = np.stack([coming[s] - taken[s] for s in (0, 1)])
        for pool in (0, 1):
            if self.router != "greedy" or pool == 0:
                dq[pool] -= self.theta * q[pool]
        return np.concatenate([self.rate - u - self.theta * q_p, u - self.mu_p * x, dq.ravel(),
                               (to - self.mu * y).ravel()])

    def _from_queue(self, pool: int, waiting: Array, inflow: Array, freed: float, some: tuple[bool, ...]) -> Array:
        """Admissions of each class from a queue that is not empty.

        By weights, a class of which nobody waits is admitted as it comes, as long as its weight would give it no less:
        it slides along the edge at which its weight counts or does not. ``some``: whose weights count.
        """
        if self.router != "weighted":
            return freed * waiting / waiting.sum()
        weights = np.where(some, self._weights[pool], 0.0)
        coming = np.where(some, 0.0, inflow)
        total = weights.sum()
        return coming + max(freed - coming.sum(), 0.0) * (weights / total if total > 0 else waiting / waiting.sum())

    def _weighing(self, pool: int, waiting: Array, inflow: Array, busy: Array) -> tuple[bool, ...]:
        """Whose weights count: who waits, and who comes faster than a weight would admit."""
        weights, freed = self._weights[pool], float(self.mu[pool] @ busy)
        some = waiting > ZERO
        for _ in range(self.k):
            rest = freed - inflow[~some].sum()
            share = (rest + inflow) * weights / np.maximum(weights[some].sum() + weights, 1e-300)
            more = ~some & (inflow > share * (1 + 1e-6) + 1e-12)
            if not more.any():
                break
            some = some | more
        return tuple(bool(v) for v in some)

    def path(self, seconds: float, start: Array | None = None, *, tolerance: float = 1e-8) -> FluidPath:
        """The path from a state (by default the empty cluster) over so many seconds."""
        if not 0 < seconds < np.inf:
            raise InputError(f"the path goes over {seconds} s; a positive number is needed")
        found: Path = follow(self.regime, self.rates, self.settle, self.start() if start is None else start, seconds,
                             tolerance=tolerance)
        k, z = self.k, found.states
        return FluidPath(found.times, z[:, :k], z[:, k:2 * k], z[:, 2 * k:3 * k] + z[:, 3 * k:4 * k], z[:, 5 * k:],
                         z[:, 4 * k:5 * k], found.switches)
