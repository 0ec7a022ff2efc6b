"""Lower bounds on fleets: nine cases with their gaps, and no fleet below its bound that meets its limits.

    python tests/studies/fleet_bounds.py [RUNS]

The cases are the shipped clusters, each kind of GPU, under three service levels: the cluster's own, a tighter time
per output token, a tighter time to the first token. Then RUNS (1,000) runs of fleets below the bound of their own
requests: cases, schedulers, dispatchers and bootstrap seeds in turn, each of 300 s at four times the rates. Fails if
a gap exceeds one GPU and 10 percent, or a run below its bound meets its limits.
"""

from __future__ import annotations

import itertools
import math
import sys
from fractions import Fraction

from qtheory.models.cluster import Cluster
from qtheory.numerics.linprog import Infeasible, solve
from qtheory.planning import shipped
from qtheory.planning.deciding import fleet, workers_of
from qtheory.planning.requests import hour, redrawn
from qtheory.planning.simulating import RULES, simulate_fleet
from qtheory.theory.planning.fleet import Needs, least_fleet

LEVELS = ((1.0, 1.0), (1.0, 0.8), (0.5, 1.0))  # of the cluster's own limits on ttft and tpot
POLICIES = ("sarathi", "orca", "vllm")
SECONDS, FACTOR = 300.0, 4.0


def cases() -> list[tuple[str, Cluster]]:
    """Each cluster under each service level."""
    found = []
    for name, (first, token) in itertools.product(shipped.names(), LEVELS):
        c = shipped.load(name)
        assert c.limits.ttft is not None and c.limits.tpot is not None
        limits = c.limits.model_copy(update={"ttft": c.limits.ttft * first, "tpot": c.limits.tpot * token})
        label = f"{name}, ttft {limits.ttft:g} s, tpot {limits.tpot:g} s"
        found.append((label, c.model_copy(update={"limits": limits})))
    return found


def gaps() -> int:
    """Print the gap of each kind in each case; how many are too large."""
    wrong = 0
    for name, cluster in cases():
        at = hour(cluster)
        for gpu, worker in zip(cluster.gpu, workers_of(cluster), strict=True):
            f = fleet(cluster, at, gpu, worker)
            if f.conflict:
                print(f"{name}: {gpu.name}: {f.conflict}")
                continue
            good = f.gap is not None and f.found is not None and (f.gap <= 1 or f.gap <= 0.1 * f.found)
            wrong += not good
            print(f"{name}: {gpu.name}: at least {f.least} ({f.long_run_least} in the long run), found {f.found}, gap "
                  f"{f.gap}{'' if good else ': TOO LARGE'}", flush=True)
    return wrong


def below(runs: int) -> int:
    """Run fleets below their bound; how many meet their limits, which none may."""
    met = done = 0
    turns = itertools.cycle(itertools.product(cases(), POLICIES, RULES))
    for seed in itertools.count():
        (name, cluster), policy, rule = next(turns)
        faster = tuple(c.model_copy(update={"rate": (c.rate or 0) * FACTOR}) for c in cluster.classes)
        at = hour(cluster.model_copy(update={"seconds": SECONDS, "classes": faster}), seed)
        requests = redrawn(at.requests, 10.0, seed)
        ttft, tpot = (Fraction(str(v)) for v in (cluster.limits.ttft, cluster.limits.tpot))
        for gpu, worker in zip(cluster.gpu, workers_of(cluster), strict=True):
            try:
                needs = Needs.of(requests, ttft, tpot, worker.least_decode)
                bound = -solve(least_fleet(needs, [worker], "count")).value
            except Infeasible:
                continue
            number = math.ceil(bound) - 1
            if number < 1:
                continue
            measured = simulate_fleet(requests, [gpu.law], [worker], [number], policy=policy, rule=rule, seed=seed)
            done += 1
            if measured.meets(float(ttft), float(tpot)):
                met += 1
                print(f"{name}: {number} {gpu.name} under {policy}, {rule}, seed {seed} meet the limits below "
                      f"{float(bound):.3f}")
            if done == runs:
                print(f"{done:,} runs below their bound, {met} met their limits")
                return met
    raise AssertionError


if __name__ == "__main__":
    bad = gaps() + below(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
    raise SystemExit(1 if bad else 0)
