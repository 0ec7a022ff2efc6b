"""How often the test of a log for saturation errs, and how often it decides: labelled logs of five schedulers.

    python tests/studies/saturation_logs.py FILE [LOGS] [REQUESTS] [ERROR_RATE] [SEED]

prints a table in Markdown, and exits with 1 where more are wrong than the error rate says, or fewer than 95 in 100 of
those more than 2 percent from the critical rate are decided rightly; each finished log has a line in FILE, so that a
study that was cut off goes on there. A log is one simulated run from the empty engine under Poisson arrivals: arrivals,
first tokens, completions and lengths of so many requests, all that has not happened at the last arrival left open. Half
of the rates lie within 5 percent of the critical one, which is exact, the others between half and one and a half of it.
Below it "saturated" is an error, from it on "not saturated".
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qtheory import workloads
from qtheory.numerics import capacity as exact
from qtheory.numerics.saturation import Saturation, saturation
from qtheory.simulate import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Exponential
from qtheory.simulate.sources import length_law

LAW, PROMPT, MEAN = (0.012, 4.2e-5), 129, 112  # seconds, seconds a token; tokens
BUDGET, SLOTS, SWITCH, BATCH = 512, 96, 24, 32
HAZARD = 1 / MEAN
DECIDED = 0.95  # the share that is promised
BANDS = (0.5, 0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1, 1.5)


def seconds(prefill: exact.Array, decode: exact.Array) -> exact.Array:
    """An iteration's time by the study's law."""
    return LAW[0] + LAW[1] * (prefill + decode)


class Scheduler(NamedTuple):
    """A scheduler of the simulator, its limits, and its critical rate."""

    policy: str
    parameters: dict[str, int]
    slots: int | None
    rate: float


def schedulers() -> list[Scheduler]:
    """Five, each with its critical rate by an exact computation."""
    tail = (1 - HAZARD) ** np.arange(int(40 * MEAN))
    full = BUDGET / (LAW[0] + LAW[1] * BUDGET) / (PROMPT + MEAN)
    return [
        Scheduler("sarathi", {"budget": BUDGET}, None, full),
        Scheduler("vllm", {"budget": BUDGET}, None, exact.prefill_first(PROMPT, BUDGET, MEAN, seconds)),
        Scheduler("mixed", {"budget": BUDGET}, SLOTS, exact.mixed(SLOTS, BUDGET, PROMPT, HAZARD, seconds)),
        Scheduler("eb", {"k": SWITCH}, SLOTS, exact.switching(SWITCH, SLOTS, PROMPT, HAZARD, seconds)),
        Scheduler("request-level", {"batch": BATCH}, None, exact.one_batch(BATCH, PROMPT, tail, seconds)),
    ]


def log(s: Scheduler, load: float, requests: int, seed: int, error_rate: float) -> Saturation:
    """The verdict on one log, of which nothing beyond the last arrival is told."""
    outputs = length_law(workloads.Geometric(HAZARD))
    rate = load * s.rate
    engine = LLMEngine((RequestClass("request", Deterministic(PROMPT), outputs, Exponential.with_rate(rate)),),
                       IterationTime("affine", LAW), s.policy, s.parameters, slots=s.slots)
    # beyond the last arrival of the log, so that all of its requests end
    run = engine.run(horizon=requests / rate * max(1.0, load) * 1.1 + 600, windows=1, seed=seed, records=True)
    assert run.records is not None
    rows = run.records[np.argsort(run.records[:, 6])]
    rows = rows[rows[:, 6] < rows[0, 6] + requests]
    come, first, end, prompt, output = rows[:, 1:6].T
    last = come.max()
    first, end = np.where(first <= last, first, np.nan), np.where(end <= last, end, np.nan)
    return saturation(come, first, end, prompt, np.where(np.isnan(end), np.nan, output), error_rate)


def main(kept: str, logs: int = 1000, requests: int = 100_000, error_rate: float = 0.01, seed: int = 0) -> int:
    generator = np.random.default_rng(19 + seed)
    counts: dict[tuple[str, float], list[int]] = defaultdict(lambda: [0, 0, 0])
    kinds, file = schedulers(), Path(kept)
    done = file.read_text().split("\n") if file.exists() else []
    for i in range(logs):
        load = float(generator.uniform(0.95, 1.05) if i % 2 else generator.uniform(0.5, 1.5))
        s = kinds[(i // 2) % len(kinds)]
        key = f"{i} {s.policy} {load:.6f} {requests} {error_rate:g} {seed}: "
        verdict = next((line.removeprefix(key) for line in done if line.startswith(key)), "")
        if not verdict:
            verdict = log(s, load, requests, seed + i, error_rate).verdict
            with file.open("a") as out:
                out.write(f"{key}{verdict}\n")
        truth = "saturated" if load >= 1 else "not saturated"
        band = max(b for b in BANDS if b <= load)
        for cell in ((s.policy, band), ("all", band)):
            counts[cell][0] += 1
            counts[cell][1] += verdict not in (truth, "undecided")
            counts[cell][2] += verdict == truth
    names = ["all", *(s.policy for s in kinds)]
    print(f"{logs} logs of {requests:,} requests at an error rate of {error_rate:g}: logs, wrong, decided rightly\n")
    print("| load | " + " | ".join(names) + " |\n| --- |" + " ---: |" * len(names))
    for low, high in pairwise(BANDS):
        cells = [counts[name, low] for name in names]
        print(f"| {low:g} to {high:g} | " + " | ".join(f"{n}, {bad}, {good / n:.0%}" if n else "" for n, bad, good in
                                                      cells) + " |")
    apart = [c for (name, band), c in counts.items() if name == "all" and band not in (0.98, 1.0)]
    n, good = sum(c[0] for c in apart), sum(c[2] for c in apart)
    wrong = sum(c[1] for (name, _), c in counts.items() if name == "all")
    print(f"\nwrong: {wrong} of {logs}; more than 2 percent from the critical rate: {good} of {n} decided rightly "
          f"({good / n:.1%})")
    return 0 if wrong <= error_rate * logs and good >= DECIDED * n else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4]), *map(float, sys.argv[4:5]), *map(int, sys.argv[5:6])))
