"""Figures of the planning paper that it simulates: many GPUs, occupancies, policies; and its eight classes.

By the chain on counts (:mod:`qtheory.simulate.fleet`), as the paper's model has it, with 95 percent intervals.
Source: arXiv:2602.02987v1, Sections 6.2, 6.3 and EC.7, Figures 4 to 7 and Table EC.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qtheory.report.reproduce_rows import Progress, Reproduced, Row, measured
from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.simulate.fleet import FleetChain, FleetRun
from qtheory.simulate.runs import replicate
from qtheory.theory.planning import (
    Instance,
    IterationTimes,
    Plan,
    Policy,
    RequestClass,
    eight_class_instance,
    plan,
    two_class_instance,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
SIZES = (5, 20, 50, 200, 500)  # GPUs, as in Section 6.2
REPLICATIONS, HORIZON, WARM_UP, SEED = 5, 10_000.0, 0.2, 62  # the paper's seeds and seconds
OCCUPANCIES = {"x": "prefill", "y_m": "mixed decode", "y_s": "solo decode"}
INSTANCES, MANY, SHORT = 12, 500, 3000.0  # of Figure 7: instances, GPUs, seconds
READINGS: Mapping[str, Policy | str] = {
    "GG-SP": "GG-SP", "FI-WSP": "FI-WSP", "GI-WSP": "GI-WSP", "GF-WSP": "GF-WSP", "FG-SP": "FG-SP",
    "GG-SP, gate by queues": Policy("queue", "greedy"),
    "GI-WSP, gate by occupancy": Policy("occupancy", "immediate", planned=False),
    "GF-WSP, gate by occupancy": Policy("occupancy", "prefill-first", planned=False)}
EIGHT_RATE, EIGHT_SIZES = 3, (50, 200, 500)


def simulated(best: Plan, policy: Policy | str, gpus: int, executor: Executor | None = None, *,
              horizon: float | None = None, replications: int | None = None) -> list[FleetRun]:
    """Replications from the empty cluster; the numbers are module constants unless given."""
    return replicate(FleetChain(best, policy, gpus), replications=replications or REPLICATIONS, executor=executor,
                     horizon=horizon or HORIZON, warm_up=WARM_UP, seed=SEED)


def each(runs: list[FleetRun], value: Callable[[FleetRun], Array]) -> Array:
    """A mean after the warm-up, replication by replication; shape (replications, ...)."""
    return np.array([r.mean(value(r)) for r in runs])


def slopes(sizes: tuple[int, ...], gaps: Array) -> Array:
    """The exponent of each replication's gaps, shape (replications, sizes): least squares in logarithms."""
    return np.array([np.polyfit(np.log(sizes), np.log(np.maximum(row, 1e-12)), 1)[0] for row in gaps])


# ---- Figures 4 to 6 ----

def convergence(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figure 4: revenue and queues at each number of GPUs, and the rate at which the optimum is approached."""
    rows, gaps, number = list[Row](), dict[str, list[Array]](), 0
    cases = (("separate", "gate-and-route"), ("bundled", "gate-and-route"), ("bundled", "sli-aware"))
    plans = {charging: plan(two_class_instance(), charging) for charging in ("separate", "bundled")}
    for charging, policy in cases:
        best, name = plans[charging], f"{charging}, {policy}"
        rows.append(Row(f"{name}, plan", "revenue ($/s)", None, float(best.value)))
        for n in SIZES:
            runs = simulated(best, policy, n, executor)
            revenue, place = each(runs, FleetRun.revenue), f"{name}, n = {n}"
            gaps.setdefault(name, []).append(float(best.value) - revenue)
            rows += [measured(place, "revenue ($/s)", revenue),
                     measured(place, "below the optimum (%)", 100 * (1 - revenue / float(best.value)))]
            rows += _queue_rows(place, runs)
            number += 1
            progress(number, len(cases) * len(SIZES))
        rows.append(measured(name, "exponent of n in the gap", slopes(SIZES, np.array(gaps[name]).T)))
    caption = (f"The two-class instance of Section 6.2, {REPLICATIONS} replications of {HORIZON:,g} s from the empty "
               f"cluster, the first {WARM_UP:.0%} left out. The paper draws curves, says that revenue comes to the "
               "optimum, and prints no rate; fluctuations are of the order n^(-1/2). M = ceil(n x*) is 0.40 n at n = 5 "
               "and 0.214 n at n = 500, which moves the gap too.",)
    return Reproduced("Figure 4 of the planning paper", caption, rows)


def _queue_rows(place: str, runs: list[FleetRun]) -> Iterator[Row]:
    for key, what in (("q_p", "prefill"), ("q_d", "decode")):
        found = each(runs, lambda r, key=key: r.occupancies[key])  # type: ignore[misc]
        for i in range(found.shape[1]):
            yield measured(place, f"class {i}: {what} queue", found[:, i])


def occupancies(policy: str, number: int, progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figures 5 and 6: occupancies by class under a router, beside the plan's."""
    best, rows, k = plan(two_class_instance()), list[Row](), 2
    for key, what in OCCUPANCIES.items():
        rows += [Row("plan", f"class {i}: {what}", None, float(getattr(best, key)[i])) for i in range(k)]
    off = []
    for done, n in enumerate(SIZES, 1):
        runs, differences = simulated(best, policy, n, executor), list[Array]()
        for key, what in OCCUPANCIES.items():
            found = each(runs, lambda r, key=key: r.occupancies[key])  # type: ignore[misc]
            rows += [measured(f"n = {n}", f"class {i}: {what}", found[:, i]) for i in range(k)]
            differences.append(np.abs(found - np.array([float(v) for v in getattr(best, key)])))
        off.append(np.max(np.concatenate(differences, axis=1), axis=1))
        rows.append(measured(f"n = {n}", "largest difference from the plan", off[-1]))
        progress(done, len(SIZES))
    rows.append(measured("all n", "exponent of n in that difference", slopes(SIZES, np.array(off).T)))
    said = {5: "prefills converge, decodes by class do not", 6: "all converge to the plan"}[number]
    caption = (f"Requests a GPU under {policy}, bundled plan, {REPLICATIONS} replications of {HORIZON:,g} s. The paper "
               f"draws curves and prints no value; it says: {said}.",)
    return Reproduced(f"Figure {number} of the planning paper", caption, rows)


def convergence_picture(suffix: str) -> bytes:
    """The gap to the optimum over the number of GPUs, in logarithms, under two routers."""
    best, sizes = plan(two_class_instance()), np.array(SIZES)
    found = {policy: np.array([float(best.value) - each(simulated(best, policy, n), FleetRun.revenue) for n in SIZES])
             for policy in ("gate-and-route", "sli-aware")}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), (policy, gaps) in zip(STYLES, found.items(), strict=False):
            axes.errorbar(sizes, gaps.mean(axis=1), gaps.std(axis=1, ddof=1), color=colour, linestyle=dash, marker="o",
                          markersize=3, label=policy)
        start = max(g.mean(axis=1)[0] for g in found.values())
        axes.plot(sizes, start * np.sqrt(sizes[0] / sizes), ":", color="black", linewidth=0.6, label=r"$n^{-1/2}$")
        axes.set(xscale="log", yscale="log", xlabel="GPUs $n$", ylabel="below the optimum (\\$/s a GPU)")
        axes.legend()

    return drawn(draw, (PAGE / 2, 2.6), suffix)


# ---- Figure 7 ----

@cache
def drawn_plans(number: int, seed: int = SEED) -> tuple[Plan, ...]:
    """Plans of two-class instances that are drawn from the ranges of Section 6.3, the rest as in Section 6.2; where
    decode without a prefill beside is the more efficient, as Proposition 1 asks."""
    draw, found = np.random.default_rng(seed), list[Plan]()

    def between(low: float, high: float) -> Fraction:
        return Fraction(str(round(float(draw.uniform(low, high)), 4)))

    while len(found) < number:
        beta = Fraction(str(round(float(10 ** draw.uniform(-5, -3)), 7)))
        times = IterationTimes.linear(between(0.02, 0.15), beta, 256, gamma=between(10, 50))
        classes = tuple(RequestClass(f"class {i}", Fraction(int(draw.integers(200, 3001))),
                                     Fraction(int(draw.integers(200, 3001))), between(0.25, 0.5), Fraction(1, 10))
                        for i in range(2))
        instance: Instance = replace(two_class_instance(), classes=classes, times=times)
        if instance.solo_efficient:
            found.append(plan(instance))
    return tuple(found)


def normalised(task: tuple[Plan, Policy | str]) -> float:
    """Revenue over the optimum, of one instance under one policy."""
    best, policy = task
    (run,) = simulated(best, policy, MANY, horizon=SHORT, replications=1)
    return float(run.mean(run.revenue()) / float(best.value))


def policies(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figure 7: revenue over the optimum under each policy, over instances."""
    plans, rows, values = drawn_plans(INSTANCES), list[Row](), dict[str, Array]()
    for done, (name, policy) in enumerate(READINGS.items(), 1):
        tasks = [(best, policy) for best in plans]
        values[name] = np.array(list(map(normalised, tasks) if executor is None else _shared(executor, tasks)))
        rows += [measured(name, "revenue over the optimum", values[name]),
                 Row(name, "standard deviation over instances", None, float(values[name].std(ddof=1)))]
        if name != "GG-SP":
            rows.append(measured(name, "less than GG-SP, same instances", values["GG-SP"] - values[name]))
        progress(done, len(READINGS))
    caption = (f"{INSTANCES} instances drawn from the ranges of Section 6.3 (α 0.02 to 0.15, β 10^-5 to 10^-3, γ 10 to "
               "50, lengths 200 to 3,000, rates 0.25 to 0.5) where Proposition 1's condition holds, "
               f"{MANY} GPUs, {SHORT:,g} s, bundled; intervals are over instances. The paper draws bars from 0.60 to "
               "1 and prints no value; it says that GG-SP earns most, that the gate alone helps (GI-WSP over FI-WSP), "
               "and that static planning alone can harm (FG-SP). Its gate is by queues in Section 6.3 and by occupancy "
               "in Section 4.1: both are shown.",)
    return Reproduced("Figure 7 of the planning paper", caption, rows)


def _shared(executor: Executor, tasks: list[tuple[Plan, Any]]) -> Iterator[float]:
    futures = [executor.submit(normalised, task) for task in tasks]
    return (f.result() for f in futures)


# ---- Table EC.1 ----

def eight_classes(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """The eight task categories: their plan, the fluid model's revenue, and many GPUs under three policies."""
    from qtheory.theory.planning.fluid import FluidModel

    best = plan(eight_class_instance(EIGHT_RATE))
    rows = [Row("plan", "revenue ($/s)", None, float(best.value)),
            Row("plan", "share of mixed GPUs", None, float(best.mixed_share))]
    for c, served in zip(best.instance.classes, best.served, strict=True):
        rows.append(Row("plan", f"{c.name}: share served", None, float(served / c.rate)))
    for policy in ("gate-and-route", "sli-aware"):
        path = FluidModel(best, policy).path(150.0)
        rows += [Row(f"fluid model, {policy}", "revenue ($/s)", None, float(path.revenue(best)[-1])),
                 Row(f"fluid model, {policy}", "largest difference from the plan", None,
                     float(path.distance(best)[-1]))]
    for done, n in enumerate(EIGHT_SIZES, 1):
        for policy in ("gate-and-route", "sli-aware", "FI-WSP"):
            revenue = each(simulated(best, policy, n, executor, horizon=SHORT), FleetRun.revenue)
            rows += [measured(f"n = {n}, {policy}", "revenue ($/s)", revenue),
                     measured(f"n = {n}, {policy}", "below the optimum (%)", 100 * (1 - revenue / float(best.value)))]
        progress(done, len(EIGHT_SIZES))
    caption = (f"The mean lengths of Table EC.1, categories in proportion to their samples, {EIGHT_RATE} requests a "
               "second and GPU in all; patience, iteration times, batch and prices of Section 6.2; bundled. The paper "
               "prints lengths alone: nothing here stands in it.",)
    return Reproduced("The eight task categories of Table EC.1", caption, rows)
