"""A cluster's plan and its smallest fleets: the certified optimum, certified lower bounds, and fleets that are tried.

The iteration times of the plan are those of each kind's profile at full batches, rounded to a nanosecond: a mixed
iteration has ``chunk`` tokens, ``slots - 1`` of them decodes; a solo one has ``slots``; each decode holds the mean
context of the hour's decodes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from qtheory.errors import InputError
from qtheory.models.cluster import GPU, Cluster
from qtheory.numerics.linprog import Infeasible, solve
from qtheory.planning.certified import CertifiedOptimum, certify
from qtheory.planning.requests import Hour, hour
from qtheory.planning.simulating import Measured, simulate_fleet
from qtheory.theory.planning import IterationTimes, Prices
from qtheory.theory.planning.fleet import Needs, Worker, least_fleet
from qtheory.theory.planning.kinds import Kind, MixedCluster, MixedPlan, plan_kinds

MOST_TRIED = 12  # fleets of one kind that are simulated
MILLION = 1_000_000
HOUR = 3600


@dataclass(frozen=True, repr=False)
class KindFleet:
    """Fleets of one kind alone. ``bound``: certified least number of GPUs in this hour, as a real number (its
    ``value``, with the sign changed); ``long_run``: the same for requests like these for ever; ``tried``: GPUs
    and what was measured, in turn; ``found``: the first that meets the limits, None if none was; ``conflict``: why no
    fleet of this kind can, or ""."""

    gpu: GPU
    bound: CertifiedOptimum | None
    long_run: CertifiedOptimum | None
    tried: tuple[tuple[int, Measured], ...]
    conflict: str = ""
    limits: tuple[float | None, float | None] = (None, None)

    def __repr__(self) -> str:
        least = self.long_run_least if self.lasting else self.least
        found = f"{'no fleet found' if self.found is None else f'{self.found} GPUs'}, at least {least}"
        return f"<{self.gpu.name}: {self.conflict or found}>"

    @property
    def lasting(self) -> bool:
        """Is a limit missing, so that work may be left for after the hour, and fleets are tried from the long run's
        bound on?"""
        return None in self.limits

    @property
    def least(self) -> int | None:
        """Whole GPUs below which no fleet of this kind meets the limits."""
        return None if self.bound is None else max(1, math.ceil(-self.bound.value))

    @property
    def long_run_least(self) -> int | None:
        """Whole GPUs below which no fleet of this kind is stable when such requests come for ever."""
        return None if self.long_run is None else max(1, math.ceil(-self.long_run.value))

    @property
    def found(self) -> int | None:
        """The first fleet that met the limits."""
        return next((n for n, measured in self.tried if measured.meets(*self.limits)), None)

    @property
    def gap(self) -> int | None:
        """GPUs between the bound from which fleets are tried and the fleet that was found."""
        bound = self.long_run_least if self.lasting else self.least
        return None if self.found is None or bound is None else self.found - bound


@dataclass(frozen=True, repr=False)
class Decision:
    """All that is said of a cluster. ``cost_bound``: certified least $ an hour (with the sign changed) of any fleet,
    kinds mixed; where a limit is missing, of one that is stable when such requests come for ever."""

    cluster: Cluster
    hour: Hour
    plan: MixedPlan
    certified: CertifiedOptimum
    fleets: tuple[KindFleet, ...]
    cost_bound: CertifiedOptimum | None
    planned: str

    def __repr__(self) -> str:
        return (f"<plan for {self.cluster.title!r}: ${float(self.plan.value) * HOUR:,.2f} an hour of revenue with "
                f"{self.planned}{''.join(f'; {f!r}' for f in self.fleets)}>")

    @property
    def cheapest(self) -> KindFleet | None:
        """The fleet of one kind that meets the limits for the least money."""
        met = [f for f in self.fleets if f.found is not None]
        return min(met, key=lambda f: (f.gpu.price * (f.found or 0), f.found or 0), default=None)


def decide(cluster: Cluster, *, seed: int = 0, fleets: bool = True, executor: Executor | None = None) -> Decision:
    """Plan and fleets. InputError, with the rows that conflict, where the limits cannot be met."""
    at = hour(cluster, seed)
    workers = workers_of(cluster)
    _possible(cluster, at, workers)
    kinds = zip(cluster.gpu, workers, strict=True) if fleets else ()
    found = tuple(fleet(cluster, at, g, w, executor) for g, w in kinds)
    if found and all(f.conflict for f in found) and (len(found) == 1 or not any(g.count for g in cluster.gpu)):
        which = "no fleet" if len(found) == 1 or not _mixed(cluster, at, workers) else "no fleet of one kind"
        raise InputError(f"{which} meets the limits: " + "; ".join(f"{f.gpu.name}: {f.conflict}" for f in found))
    counts, planned = _counts(cluster, found)
    mixed = fluid(cluster, at, workers, counts)
    try:
        plan = plan_kinds(mixed)
    except Infeasible as error:
        raise InputError(f"the plan for {planned} is infeasible: {error}") from None
    cost = cost_bound(cluster, at, workers) if found else None
    return Decision(cluster, at, plan, certify(plan.optimum), found, cost, planned)


def _mixed(cluster: Cluster, at: Hour, workers: Sequence[Worker]) -> bool:
    """Can all requests be done in time, as far as the program knows, by all kinds together?"""
    try:
        solve(least_fleet(Needs.forever(at.requests, _exact_limits(cluster)[1]), workers))
    except Infeasible:
        return False
    return True


def cost_bound(cluster: Cluster, at: Hour, workers: Sequence[Worker]) -> CertifiedOptimum | None:
    """The bound on any fleet's $ an hour, None if there is no fleet. All kinds are in it: one that breaks the limits by
    itself may take a part of the requests beside others."""
    try:
        return certify(solve(least_fleet(needs_of(cluster, at), workers)))
    except Infeasible:
        return None


def workers_of(cluster: Cluster) -> list[Worker]:
    """The kinds as the bound sees them."""
    return [Worker.of_law(g.name, g.law, cluster.engine.chunk, cluster.engine.slots, Fraction(str(g.price)))
            for g in cluster.gpu]


def needs_of(cluster: Cluster, at: Hour) -> Needs:
    """What the hour asks for under the cluster's limits."""
    ttft, tpot = _exact_limits(cluster)
    if ttft is None or tpot is None:
        return Needs.forever(at.requests, tpot)
    return Needs.of(at.requests, ttft, tpot, min(w.least_decode for w in workers_of(cluster)))


def _exact_limits(cluster: Cluster) -> tuple[Fraction | None, Fraction | None]:
    limits = cluster.limits
    return (None if limits.ttft is None else Fraction(str(limits.ttft)),
            None if limits.tpot is None else Fraction(str(limits.tpot)))


def _possible(cluster: Cluster, at: Hour, workers: Sequence[Worker]) -> None:
    ttft = _exact_limits(cluster)[0]
    prompts = at.requests.prompts
    least = float(np.min([w.prefills(prompts) for w in workers], axis=0).mean())
    if ttft is not None and least > float(ttft) * (1 + 1e-9):
        raise InputError(f"the limit ttft = {float(ttft):g} s conflicts with the prompts: by themselves they take "
                         f"{least:.4g} s on average, each on the fastest kind ({', '.join(w.name for w in workers)}), "
                         f"in chunks of {cluster.engine.chunk} tokens")


def fleet(cluster: Cluster, at: Hour, gpu: GPU, worker: Worker, executor: Executor | None = None) -> KindFleet:
    """The bound on the GPUs of one kind, and the first fleet from there on that meets the limits in simulation."""
    limits = cluster.limits.ttft, cluster.limits.tpot
    ttft, tpot = _exact_limits(cluster)
    least = worker.least_prefill(at.requests.prompts)
    if ttft is not None and least > ttft:
        return KindFleet(gpu, None, None, (), f"the prompts by themselves take {float(least):.4g} s", limits)
    try:
        bound = certify(solve(least_fleet(Needs.of(at.requests, ttft, tpot, worker.least_decode), [worker],
                                          "count")))
        long_run = certify(solve(least_fleet(Needs.forever(at.requests, tpot), [worker], "count")))
    except Infeasible as error:
        return KindFleet(gpu, None, None, (), str(error), limits)
    tried: list[tuple[int, Measured]] = []
    count = max(1, math.ceil(-(long_run if None in limits else bound).value))
    while len(tried) < MOST_TRIED:
        measured = simulate_fleet(at.requests, [gpu.law], [worker], [count], executor=executor)
        tried.append((count, measured))
        if measured.meets(*limits):
            break
        count += max(1, count // 25)
    return KindFleet(gpu, bound, long_run, tuple(tried), "", limits)


def _counts(cluster: Cluster, fleets: Sequence[KindFleet]) -> tuple[list[int], str]:
    """GPUs of each kind that the plan has, and in words which these are."""
    if any(g.count is not None for g in cluster.gpu):
        counts = [g.count or 0 for g in cluster.gpu]
        return counts, " and ".join(f"{n} {g.name}" for n, g in zip(counts, cluster.gpu, strict=True) if n)
    met = [(f.gpu.price * f.found, f.found, k) for k, f in enumerate(fleets) if f.found is not None]
    if not met:
        why = "no fleet that was tried meets the limits" if fleets else "fleets are not looked for"
        raise InputError(f"no number of GPUs is given, and {why}: give count in a [[gpu]]")
    _, number, k = min(met)
    return [number if i == k else 0 for i in range(len(cluster.gpu))], f"{number} {cluster.gpu[k].name}"


def fluid(cluster: Cluster, at: Hour, workers: Sequence[Worker], counts: Sequence[int]) -> MixedCluster:
    """The cluster as the fluid plan sees it, kinds without GPUs left out."""
    decodes, contexts = int(at.requests.decodes.sum()), int(at.requests.contexts.sum())
    context = Fraction(contexts, max(decodes, 1))
    chunk, slots = cluster.engine.chunk, cluster.engine.slots

    def seconds(w: Worker, tokens: int, held: Fraction) -> Fraction:
        exact = max(a + b * tokens for a, b in w.lines) + w.context * held
        return Fraction(round(exact * 10**9), 10**9)

    kinds = [Kind(w.name, IterationTimes(seconds(w, chunk, (slots - 1) * context), seconds(w, slots, slots * context),
                                         Fraction(chunk - slots + 1)), slots, Fraction(n))
             for w, n in zip(workers, counts, strict=True) if n]
    limits, (ttft, tpot) = cluster.limits, _exact_limits(cluster)
    fairness = [None if v is None else Fraction(str(v)) for v in (limits.prefill_fairness, limits.decode_fairness)]
    prices = Prices(*(Fraction(str(v)) / MILLION for v in (cluster.prices.prefill, cluster.prices.decode)))
    return MixedCluster(tuple(kinds), at.classes, prices, cluster.charging, ttft, tpot, fairness[0], fairness[1])
