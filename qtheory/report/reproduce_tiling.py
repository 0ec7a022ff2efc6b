"""Tables and figures of the tiling paper recomputed: its lengths, the parameters' impact, and SLAI's experiments.

The paper measures Mistral-7B on an RTX 6000 Ada. Here the engine is simulated as `qtheory.report.slai` says, so that
seconds need not agree; what is compared are ratios at like loads, and shapes.
Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Table 1, Figures 5 to 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from qtheory import profiles, workloads
from qtheory.report import slai
from qtheory.report.reproduce_rows import Progress, Reproduced, Row, measured
from qtheory.report.style import PAGE, STYLES, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROMPT, BUDGETS, POSITION, DECODES = 2048, (64, 128, 256, 512, 1024, 2048), 513, (0, 32, 64, 128, 256, 512)
RATES, PEAK = (0.6, 0.9, 1.2, 1.4, 1.6), 1.6  # requests a second; the paper's highest
PRINTED = {"prompt": (1730, 5696, 2088), "output": (415, 834, 101)}
# paying users: median TTFT of Sarathi-Serve (FCFS) and of SLAI (SPF, dynamic offset) in s, their capacities in 1/s
FIGURES = {0.05: (1.5, 0.7, 1.15, 1.45), 0.5: (1.5, 0.73, 1.15, 1.4), 0.95: (2.0, 0.75, 1.15, 1.25)}
ABOUT = (f"Simulated with the measured law of profile {slai.PROFILE}, {slai.SLOTS} active requests and "
         f"{slai.CAPACITY:,} tokens of KV cache: {slai.REPLICATIONS} replications of {slai.HORIZON:g} s from the empty "
         "engine, on common random numbers, with 95 percent intervals.")


def lengths(progress: Progress) -> Reproduced:
    """Table 1: the shipped laws, which have its medians and 90th percentiles."""
    workload = workloads.load(slai.WORKLOAD)
    rows = []
    for part, printed in PRINTED.items():
        law = getattr(workload, part)
        found = (law.quantile(0.5), law.quantile(0.9), law.standard_deviation)
        rows += [Row(f"{part} length", what, float(p), float(c))
                 for what, p, c in zip(("median", "P90", "standard deviation"), printed, found, strict=True)]
    caption = ("The shipped laws have the printed medians and 90th percentiles. No law on the whole numbers from 1 on "
               "with the output's median and 90th percentile has a standard deviation of 101: it is at least 120.",)
    return Reproduced("Lengths of the requests", caption, rows, "tokens")


def parameters(progress: Progress) -> Reproduced:
    """Figures 5a and 5c by the measured law, without simulation."""
    law = profiles.load(slai.PROFILE).law
    rows = []
    for budget in BUDGETS:
        batches = -(-PROMPT // budget)
        total = float(np.sum(law.time(np.full(batches, PROMPT / batches), np.zeros(batches))))
        rows.append(Row(f"5a, budget {budget}", "TTFT", None, total))
        rows.append(Row(f"5a, budget {budget}", "batch", None, total / batches))
    for decodes in DECODES:
        rows.append(Row(f"5c, {decodes} decodes", "batch", None, float(law.time(512, decodes * POSITION))))
    caption = (f"Figure 5a: a prompt of {PROMPT} tokens alone by the budget, the time to its first token falling and "
               "that of a batch rising, as the paper has it. Figure 5c: batches of 512 tokens with decodes at token "
               f"{POSITION}, which take longer by each. By the measured law of profile {slai.PROFILE}; the paper draws "
               "its points and prints none.",)
    return Reproduced("Impact of the token budget and of decodes", caption, rows, "s")


def experiment(share: float, progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figures 6, 9 and 10: the TTFT under high load, and capacities, with the times between tokens by the rate."""
    level, fast, base, best = FIGURES[share]
    n = slai.REPLICATIONS
    high = slai.loaded(level, share, n, executor)
    there = slai.observed((slai.BASE, slai.BEST), high, share, executor)
    one, two = ([s.ttft for s in there[p.name]] for p in (slai.BASE, slai.BEST))
    progress(1, 3)
    rates = slai.capacities((slai.BASE, slai.BEST), share, n, executor)
    progress(2, 3)
    a, b = np.array(rates[slai.BASE.name]), np.array(rates[slai.BEST.name])
    rows = [
        measured("high load", "median TTFT, Sarathi-Serve (FCFS) (s)", np.array(one), level),
        measured("high load", "median TTFT, SLAI (SPF, dynamic) (s)", np.array(two), fast),
        measured("high load", "reduction", 1 - np.array(two) / np.array(one), 1 - fast / level),
        measured("capacity", "Sarathi-Serve (FCFS) (1/s)", a, base),
        measured("capacity", "SLAI (SPF, dynamic) (1/s)", b, best),
        measured("capacity", "gain", (b - a) / a.mean(), best / base - 1),
        *_by_rate(share, executor),
    ]
    progress(3, 3)
    caption = (f"{share:.0%} paying users. High load: a replication's rate at which Sarathi-Serve (FCFS) has the "
               f"printed median, {fmean(high):.3g}/s here. Capacity: the largest rate with a median TTFT of at most "
               f"{slai.TTFT:g} s and 99th percentiles of the time between tokens of at most {slai.PAYING:g} and "
               f"{slai.FREE:g} s. Below, these "
               f"percentiles by the rate, of which the paper draws curves. {ABOUT}")
    return Reproduced(f"SLAI at {share:.0%} paying users", (caption,), rows)


def _by_rate(share: float, executor: Executor | None) -> Iterator[Row]:
    for rate in RATES:
        found = slai.observed((slai.BASE, slai.BEST, slai.POLICIES[-1]), [rate] * slai.REPLICATIONS, share, executor)
        for name, runs in found.items():
            for what, field in (("paying", "paying_99"), ("free", "free_99")):
                yield measured(f"{rate:g}/s", f"P99 TBT, {what}, {name} (s)",
                               np.array([getattr(s, field) for s in runs]))


def at_peak(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figures 7b, 7c and 8 at 1.6 requests a second: throughput, TTFT, and priority of paying users."""
    some = (*slai.POLICIES, slai.PRIORITY)
    found = slai.observed(some, [PEAK] * slai.REPLICATIONS, 0.05, executor)
    rows = []
    for name, runs in found.items():
        rows.append(measured(name, "requests that leave (1/s)", np.array([s.rate for s in runs])))
        rows.append(measured(name, "median TTFT (s)", np.array([s.ttft for s in runs])))
    for who in ("paying", "free"):
        runs = [getattr(s, f"{who}_mean") for s in found[slai.PRIORITY.name]]
        rows.append(measured("Figure 8", f"mean TTFT, {who} users (s)", np.array(runs)))
    caption = (f"At {PEAK:g} requests a second, 5% paying users: Figure 7b has SLAI serve nearly as many requests as "
               "Sarathi-Serve at a much lower median TTFT, and vLLM fall behind; Figure 7c the SPF policies below the "
               "FCFS ones; Figure 8 the paying users' mean TTFT below that of the others under priority, by little. "
               f"The paper draws curves and prints no numbers. {ABOUT}")
    return Reproduced("SLAI at the peak load", (caption,), rows)


def picture(suffix: str) -> bytes:
    """The three panels of Figure 6: 99th percentiles of the time between tokens, and the median TTFT, by the rate."""
    rates = np.round(np.linspace(0.4, 1.75, 10), 2)
    found = [slai.observed(slai.POLICIES, [float(r)] * 3, 0.05) for r in rates]
    panels = (("paying_99", slai.PAYING, "P99 TBT, paying (s)", (0, 0.3)), ("free_99", slai.FREE, "P99 TBT, free (s)",
              (0, 0.6)), ("ttft", slai.TTFT, "median TTFT (s)", (0, 2.0)))

    def draw(figure: Figure) -> None:
        grid = figure.subplots(1, 3)
        for axes, (field, limit, label, bounds) in zip(grid, panels, strict=True):
            for (colour, dash), p in zip(_styles(), slai.POLICIES, strict=False):
                axes.plot(rates, [fmean(getattr(s, field) for s in at[p.name]) for at in found], dash, color=colour,
                          label=p.name)
            axes.axhline(limit, color="0.5", linewidth=0.6, linestyle=":")
            axes.set(xlabel="requests/s", ylabel=label, ylim=bounds, xlim=(rates[0], rates[-1]))
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)

    return drawn(draw, (PAGE, 2.8), suffix)


def _styles() -> list[tuple[str, str]]:
    return [*STYLES, *((c, "--" if d == "-" else "-") for c, d in STYLES)]


figure_6, figure_9, figure_10 = (partial(experiment, share) for share in FIGURES)
