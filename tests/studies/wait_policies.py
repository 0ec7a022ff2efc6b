"""Thresholds against first come first served, Sarathi-Serve and vLLM on recorded traces: output tokens, on pairs.

    python tests/studies/wait_policies.py [FOLDER ...]

takes the traces in the FOLDERs (../shared/data/traces-more), draws replications of each in blocks of
consecutive requests, and runs every policy on the same ones: as fast as recorded, and with the times between arrivals
changed until half as much comes as the engine can serve, and more. Prints a table in Markdown: output tokens a second
of complete requests (the WAIT paper's measure, Section 2.3), and what Nested WAIT has more than each other policy, with
the 95 percent interval of the pairs. Exits with 1 where a comparison is neither decided nor within EQUAL percent of 0.

Nested WAIT does not know lengths. Its segments end at quantiles of the outputs, and its thresholds are the least whole
ones that meet (14) for the rate, where a batch's time goes by its tokens, as this engine's does. The other policies
have as many requests and tokens in a batch at most as these thresholds give.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from qtheory import profiles
from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.report.reproduce_waiting import GPU, latency, output_rate
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.laws import Listed
from qtheory.simulate.sources import profile_time
from qtheory.simulate.statistics import student
from qtheory.theory.waiting import System
from qtheory.workloads import read_trace

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
DRAWN, REQUESTS, BLOCK, SEED = 32, 20_000, 100, 0  # replications, their requests, and those of a block
QUANTILES = (0.25, 0.5, 0.75, 0.9, 1.0)
OVERLOAD, SLACK = 1.3, Fraction(1, 10)
MOST_LOADED = 0.8  # the load for which thresholds are made where more comes
EQUAL = 0.1  # percent
POLICIES = {"nested-wait": "Nested WAIT", "fcfs-memory": "FCFS", "sarathi": "Sarathi-Serve", "vllm-whole": "vLLM"}


class Part(NamedTuple):
    """Requests of a replication: seconds between arrivals, prompts, outputs (tokens)."""

    gaps: np.ndarray
    prompts: np.ndarray
    outputs: np.ndarray

    @property
    def seconds(self) -> float:
        return float(self.gaps.sum())

    def faster(self, factor: float) -> Part:
        return self._replace(gaps=self.gaps / factor)


def parts(path: Path) -> list[Part]:
    """InputError for a trace without arrival times."""
    trace = read_trace(path).trace
    assert trace is not None
    if trace.arrival_times is None:
        raise InputError(f"{path.name} has no arrival times")
    gaps, generator = np.diff(trace.arrival_times, prepend=trace.arrival_times[0]), np.random.default_rng(SEED)
    found = []
    for _ in range(DRAWN):
        first = generator.integers(0, len(gaps) - BLOCK, REQUESTS // BLOCK)
        at = (first[:, None] + np.arange(BLOCK)).ravel()
        found.append(Part(gaps[at], np.maximum(trace.prompt_lengths[at], 1), trace.output_lengths[at]))
    return found


def thresholds(found: list[Part], rate: float) -> tuple[tuple[int, ...], tuple[int, ...], float] | None:
    """(n, ends, tokens of a prompt in the mean), or None where no thresholds are admissible at the rate."""
    law: Any = profiles.load(GPU).law
    outputs, prompt = np.concatenate([p.outputs for p in found]), np.mean(np.concatenate([p.prompts for p in found]))
    ends = tuple(sorted({int(np.quantile(outputs, q, method="higher")) for q in QUANTILES}))
    beyond = [float((outputs > e).mean()) for e in ends[:-1]]
    passes = [Fraction(b / a).limit_denominator(10**6) for a, b in zip([1.0, *beyond], beyond, strict=False)]
    steps = np.diff(ends, prepend=0)
    weights = (Fraction(round(prompt) + int(steps[0])), *(Fraction(int(s)) for s in steps[1:]))
    more = 1 + SLACK
    system = System((Fraction(rate).limit_denominator(10**6) * more, *(None for _ in passes)),
                    tuple((k, k - 1, p * more) for k, p in enumerate(passes, 1)), weights,
                    MemoryLinearLaw(float(law.c) - float(law.a) * float(law.b0), float(law.a)), strict=True)
    n = system.least()
    return None if n is None else (n, ends, float(prompt))


def engines(part: Part, n: tuple[int, ...], ends: tuple[int, ...], prompt: float) -> Iterator[tuple[str, LLMEngine]]:
    """The engine under each policy, for the requests of a part."""
    requests = RequestClass("request", Listed(tuple(map(float, part.prompts)), 1.0),
                            Listed(tuple(map(float, part.outputs)), 1.0), Listed(tuple(map(float, part.gaps))))
    slots = int(n[0] + sum(x * s for x, s in zip(n, np.diff(ends, prepend=0), strict=True)))
    budget = int(max(slots + n[0] * prompt, part.prompts.max()))
    for policy in POLICIES:
        mine: dict[str, Any] = {"nested-wait": {"thresholds": n, "ends": ends}, "fcfs-memory": {}}.get(
            policy, {"budget": budget})
        longest = int((part.prompts + part.outputs).max())
        held = max(int(slots * (prompt + float(part.outputs.mean()))), longest) if policy == "fcfs-memory" else None
        yield policy, LLMEngine((requests,), profile_time(GPU), policy, mine, capacity=held,
                                slots=None if policy in ("nested-wait", "fcfs-memory") else slots)


def compared(found: list[Part], rate: float) -> dict[str, tuple[list[float], list[float]]] | None:
    """Output tokens a second and mean latency of each policy, part by part, with thresholds for the rate; None where
    none are admissible."""
    chosen = thresholds(found, rate)
    if chosen is None:
        return None
    values: dict[str, tuple[list[float], list[float]]] = {p: ([], []) for p in POLICIES}
    for part in found:
        for policy, engine in engines(part, *chosen):
            run = run_engine(engine, horizon=part.seconds, windows=1)
            values[policy][0].append(output_rate(run))
            values[policy][1].append(latency(run))
    return values


def percent(ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float, float]:
    """What ours is more in percent, by the geometric mean of the pairs' quotients, and its 95 percent interval."""
    found = student(list(np.log(ours / theirs)))
    low, middle, high = (100 * float(np.expm1(x)) for x in (found.low, found.estimate, found.high))
    return low, middle, high


def shown(low: float, middle: float, high: float) -> str:
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def rows(path: Path) -> Iterator[tuple[str, bool]]:
    """Lines of the table, and whether each is decided."""
    found = parts(path)
    law: Any = profiles.load(GPU).law
    mean = float(np.mean([p.prompts.mean() + p.outputs.mean() for p in found]))
    full = 1 / (float(law.a) * mean)  # requests a second of endless batches
    rate = float(np.mean([len(p.gaps) / p.seconds for p in found]))
    for name, factor in (("as recorded", 1.0), ("half of what it can serve", 0.5 * full / rate),
                         ("more than it can serve", OVERLOAD * full / rate)):
        if name != "as recorded" and abs(factor - 1) < 0.1:
            continue
        fast = [p.faster(factor) for p in found]
        values = compared(fast, min(rate * factor, MOST_LOADED * full))
        if values is None:
            yield f"| {path.stem} | {name} | {rate * factor:.3g} | no thresholds are admissible | | | | |", True
            continue
        ours = np.array(values["nested-wait"][0])
        none = ", ".join(POLICIES[p] for p, (tokens, _) in values.items() if min(tokens) == 0)
        if none:
            yield f"| {path.stem} | {name} | {rate * factor:.3g} | nothing is complete under {none} | | | | |", True
            continue
        theirs = [np.array(values[p][0]) for p in POLICIES if p != "nested-wait"]
        more = [percent(ours, t) for t in theirs]
        decided = all(low > 0 or high < 0 or max(-low, high) <= EQUAL for low, _, high in more)
        cells = " | ".join(shown(*x) for x in more)
        slower = np.mean(values["nested-wait"][1]) - np.mean(values["sarathi"][1])
        yield (f"| {path.stem} | {name} | {rate * factor:.3g} | {ours.mean():,.0f} | {cells} | {slower:.3g} |", decided)


def main(*folders: str) -> int:
    where = [Path(f) for f in folders] or [SHARED / "traces-more"]
    print("| trace | arrivals | requests/s | output tokens/s | percent more than FCFS | than Sarathi-Serve | than vLLM "
          "| seconds later than Sarathi-Serve |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    good = []
    for path in sorted(p for folder in where for p in folder.glob("*.*") if p.suffix in (".csv", ".jsonl")):
        try:
            for line, decided in rows(path):
                good.append(decided)
                print(line if decided else line + " undecided", flush=True)
        except InputError as error:
            print(f"| {path.stem} | {error} | | | | | | |", flush=True)
    print(f"\n{sum(good)} of {len(good)} lines are decided")
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
