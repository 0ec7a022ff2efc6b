"""How often the stability verdict errs, and how often it is open: fourteen systems, five loads, three horizons.

    python tests/studies/stability_errors.py FOLDER [SHARE]

prints a table in Markdown, and exits with 1 where more than 1 in 100 verdicts err, or fewer than 98 in 100 are decided
over the longest horizons at loads away from 1. An experiment is what ``qtheory simulate`` does: ten replications from
the empty system and the verdict at 0.01. A load is the arrival rate over the critical one, which is known for the
networks (of the one by Rybko and Stolyar that of the virtual station) and is an engine's saturated throughput by
simulation. Below it "unstable" is an error, above it "stable", at it both. Each finished cell is kept in FOLDER, so
that a study that was cut off goes on there; SHARE takes fewer experiments.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.fingerprint import fingerprint
from qtheory.simulate.laws import Deterministic, Exponential, Geometric, HyperExponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics.stability import stability

LOADS = (0.8, 0.9, 1.0, 1.1, 1.25)
SEED = 5
ERRING, DECIDED = 0.01, 0.98  # the shares that are promised


class System(NamedTuple):
    """``model`` at a load; ``horizons`` in mean times between arrivals, and how many ``experiments`` at each."""

    name: str
    model: Callable[[float], Any]
    rate: Callable[[float], float]
    horizons: tuple[int, int, int]
    experiments: tuple[int, int, int]


def queue(service, servers=1):
    def at(load):
        arrivals = Exponential.with_rate(load * servers)
        return Network((Station("s", servers=servers),), (JobClass("a", "s", service, arrivals),))

    return at


def tandem(load):
    return Network((Station("first"), Station("second")), (
        JobClass("a", "first", Exponential(1.0), Exponential.with_rate(load), routes={"b": 1.0}),
        JobClass("b", "second", Exponential(1.0))))  # fmt: skip


def priority(load):
    """Short jobs before long ones, half of the work each."""
    return Network((Station("s", discipline="priority"),), (
        JobClass("short", "s", Exponential(0.5), Exponential.with_rate(load), priority=0),
        JobClass("long", "s", Exponential(5.0), Exponential.with_rate(load / 10.0), priority=1)))  # fmt: skip


def feedback(load):
    """Every third job is sent back."""
    return Network((Station("s"),), (
        JobClass("a", "s", Exponential(2.0 / 3.0), Exponential.with_rate(load), routes={"a": 1.0 / 3.0}),))  # fmt: skip


def rybko_stolyar(load, discipline="preemptive"):
    """Second visits go first; they have half of ``load`` each, and the virtual station all of it; stations 0.6."""
    first, second = Exponential(0.05), Exponential(load / 2.0)
    return Network((Station("1", discipline=discipline), Station("2", discipline=discipline)), (
        JobClass("a1", "1", first, Exponential(1.0), priority=1, routes={"a2": 1.0}),
        JobClass("a2", "2", second, priority=0),
        JobClass("b1", "2", first, Exponential(1.0), priority=1, routes={"b2": 1.0}),
        JobClass("b2", "1", second, priority=0)))  # fmt: skip


TIME = IterationTime("affine", (0.03, 0.0005))
REQUEST = RequestClass("chat", Geometric.with_mean(32), Geometric.with_mean(16))


@cache
def throughput(policy: str, parameters: tuple[tuple[str, Any], ...], options: tuple[tuple[str, Any], ...]) -> float:
    """Requests a second of the engine before which a thousand requests always stand."""
    model = LLMEngine((REQUEST,), TIME, policy, dict(parameters), concurrency=1000, **dict(options))
    runs = replicate(model, replications=10, horizon=4000.0, seed=SEED)
    return sum(float(r.departed[50:].sum()) for r in runs) / sum(0.75 * r.window * r.windows for r in runs)


def engine(name: str, policy: str, parameters: dict[str, Any], **options: Any) -> System:
    key = (policy, tuple(parameters.items()), tuple(options.items()))

    def rate(load: float) -> float:
        return load * throughput(*key)

    def at(load: float) -> LLMEngine:
        return LLMEngine((replace(REQUEST, arrivals=Exponential.with_rate(rate(load))),), TIME, policy, parameters,
                         **options)  # fmt: skip

    return System(name, at, rate, (600, 3_000, 20_000), (60, 30, 12))


def network(name: str, at: Callable[[float], Network]) -> System:
    return System(name, at, lambda load: at(load).event_rate[0], (1_000, 10_000, 100_000), (60, 60, 40))


SYSTEMS = (
    network("M/M/1", queue(Exponential(1.0))),
    network("M/D/1", queue(Deterministic(1.0))),
    network("M/H2/1", queue(HyperExponential((0.9, 0.1), (0.5, 5.5)))),
    network("M/M/8", queue(Exponential(1.0), 8)),
    network("tandem", tandem),
    network("priority", priority),
    network("feedback", feedback),
    network("Rybko-Stolyar", rybko_stolyar),
    engine("Sarathi-Serve", "sarathi", {"budget": 64}),
    engine("RAD, n = 64", "rad", {"n": 64, "t_col": 32, "t_lcm": 64}),
    engine("EB(8), 32 slots", "eb", {"k": 8}, slots=32),
    engine("WAIT, threshold 4", "wait", {"thresholds": (4,)}),
    engine("request-level, 32", "request-level", {"batch": 32}),
    engine("mixed, 32 slots", "mixed", {"budget": 96}, slots=32),
)


def verdicts(system: System, load: float, which: int, experiments: int) -> Counter[str]:
    """How often each verdict comes at the horizon number ``which``."""
    model, horizon = system.model(load), system.horizons[which] / system.rate(load)
    return Counter(
        stability(replicate(model, replications=range(10 * e, 10 * e + 10), horizon=horizon, seed=SEED)).verdict
        for e in range(experiments)
    )


def kept(folder: Path, system: System, load: float, which: int, experiments: int) -> Counter[str]:
    """The same, from the folder where it is there."""
    mark = fingerprint("stability errors", system.name, load, system.horizons[which], experiments, SEED)
    file = folder / f"{mark[:24]}.json"
    if file.exists():
        return Counter(json.loads(file.read_text()))
    found = verdicts(system, load, which, experiments)
    draft = file.with_suffix(".part")
    draft.write_text(json.dumps(found))
    draft.replace(file)
    return found


def wrong(load: float, found: Counter[str]) -> int:
    return (found["stable"] if load >= 1.0 else 0) + (found["unstable"] if load <= 1.0 else 0)


def lines(folder: Path, part: float = 1.0) -> Generator[str, None, bool]:
    """The table in Markdown: of each system and horizon the errors, and the share decided, by load. Returns whether the
    promised figures are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    yield "| system | arrivals | errors | decided at " + " | ".join(f"{load:g}" for load in LOADS) + " |"
    yield "| --- | ---: | ---: |" + " ---: |" * len(LOADS)
    errors, made, away, decided = 0, 0, [0, 0, 0], [0, 0, 0]
    for system in SYSTEMS:
        for which, horizon in enumerate(system.horizons):
            experiments = max(1, round(part * system.experiments[which]))
            found = {load: kept(folder, system, load, which, experiments) for load in LOADS}
            errs = sum(wrong(load, f) for load, f in found.items())
            open_ = {load: f["undecided"] for load, f in found.items()}
            errors, made = errors + errs, made + experiments * len(LOADS)
            away[which] += experiments * sum(abs(load - 1.0) > 0.101 for load in LOADS)
            decided[which] += sum(experiments - open_[load] for load in LOADS if abs(load - 1.0) > 0.101)
            cells = " | ".join(f"{1.0 - open_[load] / experiments:.0%}" for load in LOADS)
            yield f"| {system.name} | {horizon:,} | {errs} of {experiments * len(LOADS)} | {cells} |"
    yield ""
    shares = ", ".join(f"{d / a:.1%}" for d, a in zip(decided, away, strict=True))
    yield (f"{errors} errors in {made:,} verdicts; decided at 0.8 and 1.25, by horizon: {shares}; in all "
           f"{sum(decided) / sum(away):.1%}.")
    return errors <= ERRING * made and decided[-1] / away[-1] >= DECIDED  # over the longest horizons


def main(folder: str, part: str = "1") -> int:
    found = lines(Path(folder), float(part))
    while True:
        try:
            print(next(found), flush=True)
        except StopIteration as end:
            return 0 if end.value else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
