"""``qtheory reproduce KEY``: a paper's table or figure recomputed, the paper's value beside ours.

A key is an entry of `KEYS`; what it holds is in `reproduce_rows`.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

from qtheory import __version__
from qtheory.errors import InputError, UnknownNameError
from qtheory.report.later import Later
from qtheory.report.reproduce_rows import Progress, Reproduction
from qtheory.report.table import Column, Math, Table, ends_of

_printed, _thresholds, _sweep, _workloads, _loads, _agents, _tiling, _waiting, _planning, _fleet = (
    Later(f"qtheory.report.reproduce_{part}")
    for part in ("printed", "thresholds", "figure_3", "workloads", "figure_1", "agents", "tiling", "waiting",
                 "planning", "fleet"))
_plots = Later("qtheory.report.planning_plot")
KEYS: dict[str, Reproduction] = {
    "eb-tab-1": Reproduction("FLOP per byte of the GPUs", _printed.ratios),
    "eb-tab-2": Reproduction("throughput gains on the real workloads, and their averages",
                             partial(_printed.gains, 2, "Gains on the real workloads", ("8b", "30b"))),
    "eb-tab-6": Reproduction("gains at long contexts, seven models", _printed.across_models),
    "eb-tab-17": Reproduction("throughput gains of Gemma-3-1B-IT, and their averages",
                              partial(_printed.gains, 17, "Gains of Gemma-3-1B-IT", ("rtx", "h200"))),
    "eb-tab-10": Reproduction("optimal thresholds by mean output length and batch size", _thresholds.optima,
                              _thresholds.optima_picture),
    "eb-tab-11": Reproduction("throughput by threshold and mean prompt length", _thresholds.throughputs,
                              _thresholds.throughputs_picture),
    "eb-tab-13": Reproduction("throughput by threshold, in percent of the peak", _thresholds.sensitivity,
                              _thresholds.sensitivity_picture),
    "eb-fig-3": Reproduction("the closed form's threshold against a sweep of fixed ones", _sweep.gains, _sweep.picture),
    "eb-fig-12": Reproduction("the shift of the optimal threshold under an increasing hazard rate", _thresholds.shifts,
                              _thresholds.shifts_picture),
    "eb-tab-12": Reproduction("tests for an increasing hazard rate, on simulated samples", _workloads.tests),
    "to-fig1": Reproduction("critical rates of Figure 1's requests under the schedulers that it names",
                            _loads.figure_1, _loads.picture, shares=True),
    "to-fig8": Reproduction("two agents of the Rybko-Stolyar type under the printed and the reversed priority",
                            _agents.figure_8, _agents.picture, shares=True),
    "rad-tab-1": Reproduction("lengths of the requests in SLAI's experiments", _tiling.lengths),
    "rad-fig-5": Reproduction("time to the first token by the token budget, and of a batch by its decodes",
                              _tiling.parameters),
    "rad-fig-6": Reproduction("SLAI, Sarathi-Serve and vLLM at 5% paying users: TTFT, time between tokens, capacity",
                              _tiling.figure_6, _tiling.picture, shares=True),
    "rad-fig-7": Reproduction("the schedulers at 1.6 requests a second, and paying users first (Figure 8)",
                              _tiling.at_peak, shares=True),
    "rad-fig-9": Reproduction("SLAI and Sarathi-Serve at 50% paying users", _tiling.figure_9, shares=True),
    "rad-fig-10": Reproduction("SLAI and Sarathi-Serve at 95% paying users", _tiling.figure_10, shares=True),
    "wait-fig-6": Reproduction("the example of Nested WAIT, event by event", _waiting.figure_6),
    **{f"wait-fig-{number}": Reproduction(f"throughput and latency of {ours} beside Sarathi-Serve and vLLM, {where}",
                                          partial(_waiting.figure, number), shares=True)
       for number, ours, where in (
           (7, "WAIT", "low demand"), (8, "WAIT", "high demand"), (11, "Nested WAIT", "four lengths"),
           (12, "Nested WAIT", "ten lengths, 55 requests a second"),
           (13, "Nested WAIT", "ten lengths, 550 requests a second"), (14, "Nested WAIT", "lengths by bins"))},
    **{f"wait-fig-{number}": Reproduction(f"the parts of Nested WAIT's memory over the number of segments, {where}",
                                          partial(_waiting.memory_shares, number),
                                          partial(_waiting.shares_picture, number))
       for number, where in ((16, "low rate"), (17, "high rate"), (18, "two horizons"))},
    "gr-fig-2": Reproduction("optimal revenue and queues of a GPU cluster, charged bundled and separately",
                             _planning.charging_schemes),
    "gr-fig-4": Reproduction("revenue and queues at 5 to 500 GPUs, and the rate at which the optimum is approached",
                             _fleet.convergence, _fleet.convergence_picture, shares=True),
    "gr-fig-5": Reproduction("occupancies by class at 5 to 500 GPUs: the drift under the greedy router",
                             partial(_fleet.occupancies, "gate-and-route", 5), shares=True),
    "gr-fig-6": Reproduction("the same under the service-level-aware router, its cure",
                             partial(_fleet.occupancies, "sli-aware", 6), shares=True),
    "gr-fig-7": Reproduction("revenue over the optimum of gate-and-route, baselines and ablations, drawn instances",
                             _fleet.policies, shares=True),
    "gr-fig-8": Reproduction("exact frontiers of revenue against each service level, with shadow prices",
                             _planning.frontiers, _plots.frontiers_picture),
    "gr-fig-9": Reproduction("revenue and time per output token over batch size and iteration-time constants",
                             _planning.sensitivity, _plots.constants_picture),
    "gr-fig-10": Reproduction("revenue over batch size and speed, and the best split of a price budget",
                              _planning.prices, _plots.prices_picture),
    "gr-tab-ec1": Reproduction("eight classes of requests: plan, fluid model, and 50 to 500 GPUs",
                               _fleet.eight_classes, shares=True),
}


def columns(unit: str, intervals: bool) -> tuple[Column, ...]:
    """Place and quantity, the printed and the computed number, its interval, which is shown where there is one, and
    their difference."""
    ends = ends_of("computed", r"\mathrm{computed}", "computed", unit, digits=4, trim=True)
    return (
        Column("place", "place", "row or panel of the paper's table or figure", text=True, once=True),
        Column("what", "quantity", "what is compared", text=True),
        Column("printed", "paper", "the number as printed", unit, digits=6, trim=True),
        Column("computed", "computed", "the number that the model gives", unit, digits=4, trim=True),
        *(replace(end, printed=intervals) for end in ends),
        Column("difference", Math(r"\Delta", "Δ"), "computed less printed", unit, digits=2, trim=True),
    )


def build(key: str, progress: Progress = lambda done, of: None, executor: Executor | None = None) -> Table:
    """The table of that key; UnknownNameError, with the nearest ones, for another.

    An ``executor`` (of ``concurrent.futures``, or Dask's) shares the replications of what is simulated; the numbers do
    not depend on it.
    """
    entry = find(key)
    found = entry.make(progress, executor=executor) if entry.shares else entry.make(progress)
    rows = tuple((r.place, r.what, r.printed, r.computed, r.low, r.high,
                  None if r.printed is None else r.computed - r.printed) for r in found.rows)
    heads = columns(found.unit, any(r.low is not None for r in found.rows))
    return Table(name=key, title=found.title, caption=(*found.caption, f" Computed by qtheory {__version__}."),
                 label=f"tab:{key}", columns=heads, rows=rows, version=__version__)


def picture(key: str, suffix: str) -> bytes:
    """The picture of that key as PDF, PNG or SVG; InputError where the paper draws no curve that it could show."""
    draw = find(key).picture
    if draw is None:
        drawn = ", ".join(k for k in names() if KEYS[k].picture)
        raise InputError(f"{key} has no picture, only a table; these have one: {drawn}")
    return draw(suffix)


def find(key: str) -> Reproduction:
    """The entry of that key; UnknownNameError, with the nearest ones, for another."""
    if key not in KEYS:
        raise UnknownNameError("table or figure", key, names())
    return KEYS[key]


def names() -> list[str]:
    """The keys, in the order in which they are listed."""
    return list(KEYS)
