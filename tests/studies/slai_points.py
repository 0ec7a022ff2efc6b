"""SLAI, Sarathi-Serve and vLLM over the request rate, on the tiling paper's workload and on a recorded trace.

    python tests/studies/slai_points.py [TRACE.csv]

prints tables in Markdown: for 5, 50 and 95 percent paying users medians and 99th percentiles of the TTFT and of the
times between tokens by the rate, and capacities with paired intervals (`qtheory.report.slai`), by the paper's limits
and with one on the 99th percentile of the TTFT: a median is met even where long prompts wait for ever. TRACE has
columns arrived_at, num_prefill_tokens, num_decode_tokens; its parts of 3,000 requests are the replications, their gaps
in proportion, so that a part has the rate that is asked for; who pays is drawn, with the part's number as seed. Exit 1
where the order of the paper fails: SLAI (SPF, dynamic offset) serves less than Sarathi-Serve (FCFS) at 5 percent, or
the gain does not fall with the share of paying users.
"""

from __future__ import annotations

import csv
import sys
from functools import cache, partial
from typing import Any

import numpy as np

from qtheory.report import slai
from qtheory.simulate.engines import RequestClass
from qtheory.simulate.law_of_values import Listed
from qtheory.simulate.statistics import student

RATES, PART, REPLICATIONS = (0.6, 0.9, 1.2, 1.4, 1.5, 1.6), 3000, 10
PATIENCE = 10.0  # seconds
HEAD = ("paying", "rate, 1/s", "policy", "TTFT, median", "99 %", "TBT, median", "99 %", "paying, 99 %", "free, 99 %")
FIELDS = ("ttft", "ttft_99", "tbt", "tbt_99", "paying_99", "free_99")


@cache
def recorded(path: str) -> Any:
    """Rows of (arrival, prompt, output)."""
    with open(path, encoding="utf-8") as file:
        rows = [(float(r["arrived_at"]), int(r["num_prefill_tokens"]), int(r["num_decode_tokens"]))
                for r in csv.DictReader(file)]
    return np.array(rows)


def part(path: str, rate: float, share: float, replication: int) -> tuple[tuple[RequestClass, ...], float]:
    """The requests of a part of the trace at that rate, marked, and the seconds until the last one arrives."""
    rows = recorded(path)[replication * PART:(replication + 1) * PART]
    times = (rows[:, 0] - rows[0, 0]) * ((PART - 1) / (rows[-1, 0] - rows[0, 0]) / rate)
    pays = np.random.default_rng(replication).random(PART) < share
    classes = []
    for name, limit, kept in (("paying", slai.PAYING, pays), ("free", slai.FREE, ~pays)):
        gaps = np.diff(np.concatenate(([0.0], times[kept])))
        lengths = (Listed(tuple(rows[kept, k]), float(rows[kept, k][-1])) for k in (1, 2))
        classes.append(RequestClass(name, *lengths, Listed(tuple(gaps)), tbt_slo=limit))
    return tuple(classes), float(times[-1])


def show(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def by_rate(rates: tuple[float, ...], share: float, replications: int, classes: slai.Classes) -> None:
    """A row for each rate and policy: means over the replications, with half the width of their intervals."""
    for rate in rates:
        for name, runs in slai.observed(slai.POLICIES, [rate] * replications, share, classes=classes).items():
            cells = []
            for field in FIELDS:
                found = student([getattr(s, field) for s in runs])
                cells.append(f"{found.estimate:.3g} ± {found.high - found.estimate:.1g}")
            show(f"{share:.0%}", rate, name, *cells)


def served(found: slai.Seen) -> bool:
    """The paper's limits, and a 99th percentile of the TTFT within `PATIENCE`."""
    return slai.within_limits(found) and found.ttft_99 <= PATIENCE


def of_capacity(share: float, replications: int, classes: slai.Classes, most: float) -> float:
    """The capacities and gains, by the paper's limits and by those of `served`; the gain of SLAI (SPF, dynamic offset)
    by the former."""
    ways = [slai.capacities(slai.POLICIES, share, replications, classes=classes, most=most, good=good)
            for good in (slai.within_limits, served)]
    for p in slai.POLICIES:
        cells = []
        for rates in ways:
            found, base = rates[p.name], rates[slai.BASE.name]
            one, more, beyond = student(found), slai.gain(found, base), min(found) > 0.99 * most
            cells.append(f"above {most:g}" if beyond else f"{one.estimate:.3f} [{one.low:.3f}, {one.high:.3f}]")
            known = p is slai.BASE or beyond
            cells.append("" if known else f"{more.estimate:+.1%} [{more.low:+.1%}, {more.high:+.1%}]")
        show(f"{share:.0%}", p.name, *cells)
    return slai.gain(ways[0][slai.BEST.name], ways[0][slai.BASE.name]).estimate


def study(rates: tuple[float, ...], replications: int, classes: slai.Classes, most: float) -> list[float]:
    """Both tables; the gains by the share of paying users."""
    show(*HEAD)
    show(*["---"] * len(HEAD))
    for share in slai.SHARES:
        by_rate(rates, share, replications, classes)
    print()
    show("paying", "policy", "capacity, 1/s", "over Sarathi-Serve (FCFS)", f"99 % in {PATIENCE:g} s too, 1/s", "over")
    show(*["---"] * 6)
    return [of_capacity(share, replications, classes, most) for share in slai.SHARES]


def main(trace: str | None = None) -> int:
    gains = study(RATES, REPLICATIONS, slai.poisson, slai.MOST)
    if trace:
        parts = len(recorded(trace)) // PART
        print(f"\nParts of {PART:,} requests of the trace: {parts}.\n")
        study((2.0, 3.0, 4.0), parts, partial(part, trace), 8.0)
    return 0 if gains[0] > 0 and gains[0] > gains[-1] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
