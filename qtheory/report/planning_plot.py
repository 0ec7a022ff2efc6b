"""The plots ``plan-*`` of the two-class instance: frontiers, revenue over constants and prices, and fluid paths.

Source: arXiv:2602.02987v1, Section 6. Frontiers are drawn through their exact breakpoints; the rest are optima at the
points drawn, each solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from qtheory.report.style import STYLES, drawn
from qtheory.theory.planning import DecodeFairness, Instance, IterationTimes, PrefillFairness, Prices, frontier, plan
from qtheory.theory.planning import two_class_instance as two_classes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHA, BETA, CHUNK, GAMMA = Fraction("0.0174"), Fraction("0.000062"), Fraction(256), Fraction("45.45")
BATCHES = range(2, 37)
BUDGETS = ("0.15", "0.3", "0.45")  # c_p + c_d, $ a token
PAGE = 7.0  # inches


def frontiers_picture(suffix: str) -> bytes:
    """Revenue against the bound of each service level, with every breakpoint."""
    from qtheory.theory.planning.penalised import token_time_frontier

    it = two_classes()
    fair = [(frontier(it, PrefillFairness(), Fraction(0), Fraction(3, 10)), r"$\eta_1$, prefill fairness"),
            (frontier(it, DecodeFairness(), Fraction(0), Fraction(10)), r"$\eta_2$, decode fairness")]
    late = token_time_frontier(it)
    least = it.times.solo
    bounds = [least + (late.breakpoints[-1] - least) * Fraction(k, 200) for k in range(231)]

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, 3, sharey=True)
        for ax, (found, label) in zip(axes, fair, strict=False):
            x = [float(p.low) for p in found.pieces] + [float(found.pieces[-1].high or 0)]
            y = [float(p.value) for p in found.pieces] + [float(found.at(found.pieces[-1].high or Fraction(0)))]
            ax.plot(x, y, color=STYLES[0][0])
            ax.plot(x[1:-1], y[1:-1], "o", color="black", markersize=3, label="breakpoints")
            ax.set(xlabel=label, xlim=(0, x[-1]))
        axes[2].plot([float(b) * 1000 for b in bounds], [float(late.at(b)) for b in bounds], color=STYLES[0][0])
        marks = late.breakpoints
        axes[2].plot([float(b) * 1000 for b in marks], [float(late.at(b)) for b in marks], "o", color="black",
                     markersize=3)
        axes[2].axvline(float(least) * 1000, color="black", linewidth=0.6, linestyle=":")
        axes[2].set(xlabel=r"$\eta_3$, time per output token (ms)")
        axes[0].set(ylabel="revenue of a GPU (\\$/s)", ylim=(0, None))
        axes[0].legend(loc="lower right")

    return drawn(draw, (PAGE, 2.4), suffix)


def constants(alpha: Fraction = ALPHA, beta: Fraction = BETA, gamma: Fraction = GAMMA, batch: int = 16) -> Instance:
    """The two-class instance with other constants (s, s/token, tokens/s) and batch size."""
    return replace(two_classes(), times=IterationTimes.linear(alpha, beta, CHUNK, gamma=gamma), batch=batch)


def constants_picture(suffix: str) -> bytes:
    """Revenue and mean time per output token over batch size and iteration-time constants."""
    def steps(low: str, high: str, number: int = 25) -> list[Fraction]:
        a, b = Fraction(low), Fraction(high)
        return [a + (b - a) * Fraction(k, number - 1) for k in range(number)]

    sweeps: Sequence[tuple[str, Sequence[Fraction], Callable[[Fraction], Instance]]] = (
        ("batch size $B$", [Fraction(b) for b in BATCHES], lambda v: constants(batch=int(v))),
        (r"$\alpha$ (s)", steps("0.005", "0.1"), lambda v: constants(alpha=v)),
        (r"$\beta$ (s/token)", steps("0.00001", "0.001"), lambda v: constants(beta=v)),
        (r"$\gamma$ (tokens/s)", steps("2", "60"), lambda v: constants(gamma=v)))
    found = [(label, values, [plan(make(v)) for v in values]) for label, values, make in sweeps]

    def draw(figure: Figure) -> None:
        axes = figure.subplots(2, 2)
        for ax, (label, values, plans) in zip(axes.flat, found, strict=True):
            x = [float(v) for v in values]
            one, = ax.plot(x, [float(p.value) for p in plans], color=STYLES[0][0], label="revenue")
            other = ax.twinx()
            two, = other.plot(x, [1000 * float(p.token_time or 0) for p in plans], STYLES[1][1], color=STYLES[1][0],
                              label="time per output token")
            ax.set(xlabel=label, ylim=(0, None))
            other.set(ylim=(0, None))
            ax.set_ylabel("revenue (\\$/s)")
            other.set_ylabel("ms a token")
        figure.legend(handles=[one, two], loc="outside upper center", ncols=2)

    return drawn(draw, (PAGE, 4.4), suffix)


def prices_picture(suffix: str) -> bytes:
    """Revenue over the split of a price budget c_p + c_d, under both ways of charging."""
    shares = [Fraction(k, 40) for k in range(41)]

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, 2, sharey=True)
        for ax, charging in zip(axes, ("bundled", "separate"), strict=True):
            for (colour, dash), budget in zip(STYLES, BUDGETS, strict=False):
                whole = Fraction(budget)
                values = [plan(replace(two_classes(), prices=Prices(whole * s, whole * (1 - s))), charging).value
                          for s in shares]
                ax.plot([float(s) for s in shares], [float(v) for v in values], dash, color=colour,
                        label=rf"$c_p + c_d = {budget}$")
            ax.set(xlabel=r"$c_p/(c_p + c_d)$", title=f"{charging} charging", xlim=(0, 1))
        axes[0].set(ylabel="revenue of a GPU (\\$/s)", ylim=(0, None))
        axes[0].legend()

    return drawn(draw, (PAGE, 2.6), suffix)


def path_picture(suffix: str) -> bytes:
    """The fluid path from the empty cluster: how far occupancies and revenue are from the plan's, under two routers."""
    from qtheory.theory.planning.fluid import FluidModel

    best = plan(two_classes())
    paths = {policy: FluidModel(best, policy).path(600.0) for policy in ("gate-and-route", "sli-aware")}

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, 2)
        for (colour, dash), (policy, path) in zip(STYLES, paths.items(), strict=False):
            axes[0].plot(path.times, path.revenue(best), dash, color=colour, label=policy)
            axes[1].plot(path.times, np.where((off := path.distance(best)) > 1e-6, off, np.nan), dash, color=colour)
        axes[0].axhline(float(best.value), color="black", linewidth=0.6, linestyle=":", label="the program's optimum")
        axes[0].set(xlabel="time (s)", ylabel="revenue of a GPU (\\$/s)", xlim=(0, 600), ylim=(0, None))
        axes[1].set(xlabel="time (s)", ylabel="occupancies off by", yscale="log", xlim=(0, 600))
        axes[0].legend(loc="lower right")

    return drawn(draw, (PAGE, 2.6), suffix)

