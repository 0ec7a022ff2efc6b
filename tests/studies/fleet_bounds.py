"""Lower bounds on fleets: nine cases with their gaps, and no fleet below its bound that meets its limits.

    python tests/studies/fleet_bounds.py FILE [RUNS]

The cases are the shipped clusters, each kind of GPU, under three service levels: the cluster's own, a tighter time
per output token, a tighter time to the first token. Much tighter ones are shown as well, without a promise: the bound
knows little of what a short wait costs. Then RUNS (1,000) runs of fleets one GPU below the bound of their
own requests: cases, schedulers, dispatchers and bootstrap seeds in turn, each of 300 s at four times the rates. Each
finished case and run has a line in FILE, so that a study that was cut off goes on there. Fails if a gap exceeds one
GPU and 10 percent, or a run below its bound meets its limits.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from qtheory.models.cluster import GPU, Cluster
from qtheory.numerics.linprog import Infeasible, solve
from qtheory.planning import shipped
from qtheory.planning.deciding import fleet, workers_of
from qtheory.planning.requests import Hour, hour, redrawn
from qtheory.planning.simulating import RULES, simulate_fleet
from qtheory.theory.planning.fleet import Needs, Worker, least_fleet

Factors = tuple[tuple[float, float], ...]  # of the cluster's own limits on ttft and tpot
LEVELS: Factors = ((1.0, 1.0), (1.0, 0.8), (0.5, 1.0))
TIGHT: Factors = ((1.0, 0.5), (1.0, 0.4), (0.25, 1.0), (0.1, 1.0))  # where the limits bind, not the work: no promise
POLICIES = ("sarathi", "orca", "vllm")
SECONDS, FACTOR = 300.0, 4.0


def cases(levels: Factors = LEVELS) -> list[tuple[str, Cluster]]:
    """Each cluster under each service level."""
    found = []
    for name, (first, token) in itertools.product(shipped.names(), levels):
        c = shipped.load(name)
        assert c.limits.ttft is not None and c.limits.tpot is not None
        limits = c.limits.model_copy(update={"ttft": c.limits.ttft * first, "tpot": c.limits.tpot * token})
        label = f"{name}, ttft {limits.ttft:g} s, tpot {limits.tpot:g} s"
        found.append((label, c.model_copy(update={"limits": limits})))
    return found


def gap_line(name: str, cluster: Cluster, at: Hour, gpu: GPU, worker: Worker) -> tuple[str, bool]:
    """The gap of one kind in words, percentiles with it, and whether it is as small as promised."""
    f = fleet(cluster, at, gpu, worker)
    if f.conflict:
        return f"{name}: {gpu.name}: {f.conflict}", True
    good = f.gap is not None and f.found is not None and (f.gap <= 1 or f.gap <= 0.1 * f.found)
    if f.found is None:
        return f"{name}: {gpu.name}: at least {f.least}, none found", False
    m = dict(f.tried)[f.found]
    spread = "; ".join(f"{label} mean {mean:.3g} s, percentiles 50, 90, 99: {', '.join(f'{p:.3g}' for p in marks)}"
                       for label, mean, marks in (("TTFT", m.ttft, m.ttft_percentiles),
                                                  ("TPOT", m.tpot, m.tpot_percentiles)))
    return (f"{name}: {gpu.name}: at least {f.least} ({f.long_run_least} in the long run), found {f.found}, gap "
            f"{f.gap}; {spread}", good)


def gaps(kept: Kept, levels: Factors = LEVELS) -> int:
    """Print the gap of each kind in each case; how many exceed one GPU and 10 percent."""
    wrong = 0
    for name, cluster in cases(levels):
        at = hour(cluster)
        for gpu, worker in zip(cluster.gpu, workers_of(cluster), strict=True):
            line, good = kept.of(f"{name}: {gpu.name}", lambda: gap_line(name, cluster, at, gpu, worker))  # noqa: B023
            wrong += not good
            print(line if good else f"TOO LARGE  {line}" if levels is LEVELS else f"large  {line}", flush=True)
    return wrong


def below(name: str, cluster: Cluster, policy: str, rule: str, seed: int) -> list[tuple[str, bool]]:
    """For each kind that can meet the limits: a fleet one GPU below the bound of a resampled stretch of requests, in
    words, and whether it met the limits, which none may. Kinds whose bound is one GPU have no fleet below it."""
    faster = tuple(c.model_copy(update={"rate": (c.rate or 0) * FACTOR}) for c in cluster.classes)
    at = hour(cluster.model_copy(update={"seconds": SECONDS, "classes": faster}), seed)
    requests = redrawn(at.requests, 10.0, seed)
    ttft, tpot = (Fraction(str(v)) for v in (cluster.limits.ttft, cluster.limits.tpot))
    found = []
    for gpu, worker in zip(cluster.gpu, workers_of(cluster), strict=True):
        try:
            needs = Needs.of(requests, ttft, tpot, worker.least_decode)
            bound = -solve(least_fleet(needs, [worker], "count")).value
        except Infeasible:
            continue
        number = math.ceil(bound) - 1
        if number < 1:
            continue
        m = simulate_fleet(requests, [gpu.law], [worker], [number], policy=policy, rule=rule, seed=seed)
        met = m.meets(float(ttft), float(tpot))
        found.append((f"{name}: {number} {gpu.name} under {policy}, {rule}, seed {seed}, below {float(bound):.3f}: "
                      f"TTFT {m.ttft:.3g} s, TPOT {m.tpot:.3g} s{': MET' if met else ''}", met))
    return found


def all_below(kept: Kept, runs: int) -> int:
    """At least so many runs below their bounds; how many met their limits."""
    met = done = 0
    turns = itertools.cycle(itertools.product(cases(), POLICIES, RULES))
    for seed in itertools.count():
        (name, cluster), policy, rule = next(turns)
        for line, good in kept.of(f"below {seed}", lambda: below(name, cluster, policy, rule, seed)):  # noqa: B023
            done, met = done + 1, met + good
            if good:
                print(line, flush=True)
        if done >= runs:
            print(f"{done:,} runs below their bounds, {met} met their limits")
            return met
    raise AssertionError


class Kept:
    """What has been found, by its key, a line of JSON each in a file; a line that was cut off is made again."""

    def __init__(self, file: Path) -> None:
        self.file, self.found = file, dict[str, Any]()
        if file.exists():
            *whole, cut_off = file.read_text().split("\n")
            self.found = dict(json.loads(line) for line in whole)
            if cut_off:
                file.write_text("".join(line + "\n" for line in whole))

    def of(self, key: str, make: Callable[[], Any]) -> Any:
        """What stands there under the key, else what is made and written."""
        if key not in self.found:
            self.found[key] = make()
            with self.file.open("a") as out:
                out.write(json.dumps([key, self.found[key]]) + "\n")
        return self.found[key]


if __name__ == "__main__":
    at_file = Kept(Path(sys.argv[1]))
    bad = gaps(at_file)
    gaps(at_file, TIGHT)
    bad += all_below(at_file, int(sys.argv[2]) if len(sys.argv) > 2 else 1_000)
    raise SystemExit(1 if bad else 0)
