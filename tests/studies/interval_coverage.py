"""How often the intervals of a steady state hold the truth: six systems with closed forms, 2,000 experiments each.

    python tests/studies/interval_coverage.py [EXPERIMENTS]

prints a line a system, and exits with 1 where a share is not within 0.02 of 0.95, and what chance takes of fewer
experiments than 2,000. An experiment is what ``qtheory simulate`` does: ten replications from the empty system, the
warm-up left out, an interval at 0.95 for the mean number of jobs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import NamedTuple

from qtheory.simulate import measures
from qtheory.simulate.laws import Deterministic, Exponential, HyperExponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics.steady import after_warm_up

PROMISED = 0.02  # distance of a share from 0.95 at most


class System(NamedTuple):
    """A network, its mean number of jobs, and the horizon of an experiment, in mean services."""

    name: str
    network: Network
    truth: float
    horizon: float


class Coverage(NamedTuple):
    """Shares of the intervals that hold the truth, lie below and lie above it; the mean error relative to it."""

    held: float
    below: float
    above: float
    bias: float


def single(service, rate, servers=1):
    return Network((Station("s", servers=servers),), (JobClass("a", "s", service, Exponential.with_rate(rate)),))


def pollaczek_khinchine(load: float, variation: float) -> float:
    """Mean number in M/G/1 whose services have mean 1 and this squared coefficient of variation."""
    return load + load**2 * (1.0 + variation) / (2.0 * (1.0 - load))


def erlang_c(servers: int, load: float) -> float:
    """Mean number in M/M/c with services of mean 1, at this load a server."""
    work = servers * load
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = work * blocked / (n + work * blocked)
    waits = blocked / (1.0 - load * (1.0 - blocked))
    return work + waits * load / (1.0 - load)


def tandem(load: float) -> Network:
    return Network((Station("first"), Station("second")), (
        JobClass("a", "first", Exponential(1.0), Exponential.with_rate(load), routes={"b": 1.0}),
        JobClass("b", "second", Exponential(1.0))))  # fmt: skip


SYSTEMS = (
    System("M/M/1 at 0.5", single(Exponential(1.0), 0.5), 1.0, 4_000.0),
    System("M/M/1 at 0.8", single(Exponential(1.0), 0.8), 4.0, 20_000.0),
    System("M/D/1 at 0.9", single(Deterministic(1.0), 0.9), pollaczek_khinchine(0.9, 0.0), 40_000.0),
    System("M/H2/1 at 0.7", single(HyperExponential((0.9, 0.1), (0.5, 5.5)), 0.7),
           pollaczek_khinchine(0.7, 2.0 * (0.9 * 0.25 + 0.1 * 30.25) - 1.0), 40_000.0),
    System("M/M/8 at 0.85", single(Exponential(1.0), 6.8, 8), erlang_c(8, 0.85), 4_000.0),
    System("tandem at 0.7", tandem(0.7), 2.0 * 0.7 / 0.3, 10_000.0),
)  # fmt: skip


def coverage(system: System, experiments: int, seed: int = 11) -> Coverage:
    """The coverage of ``experiments`` intervals."""
    found = []
    for e in range(experiments):
        runs = replicate(system.network, replications=range(10 * e, 10 * e + 10), horizon=system.horizon, seed=seed)
        found.append(after_warm_up(runs, measures.number()))
    below = sum(i.high < system.truth for i in found) / experiments
    above = sum(i.low > system.truth for i in found) / experiments
    bias = sum(i.estimate for i in found) / experiments / system.truth - 1.0
    return Coverage(1.0 - below - above, below, above, bias)


def lines(experiments: int) -> Iterator[tuple[str, bool]]:
    """The table in Markdown, and of each line whether it is as promised."""
    error = 1.96 * math.sqrt(0.95 * 0.05 / experiments)
    yield f"| system | covers (± {error:.3f}) | lies below | lies above | mean error |", True
    yield "| --- | ---: | ---: | ---: | ---: |", True
    for system in SYSTEMS:
        c = coverage(system, experiments)
        yield (f"| {system.name} | {c.held:.3f} | {c.below:.3f} | {c.above:.3f} | {c.bias:+.2%} |",
               abs(c.held - 0.95) <= PROMISED + max(error - 0.01, 0.0))


def main(experiments: int = 2000) -> int:
    kept = True
    for line, good in lines(experiments):
        print(line, flush=True)
        kept &= good
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
