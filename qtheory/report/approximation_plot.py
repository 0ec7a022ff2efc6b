"""The plot ``eb-approximation``: the errors of the closed forms of exclusive batching, with the paper's own points.

Source of the forms: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516). All numbers come from
`qtheory.theory.accuracy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory import workloads
from qtheory.numerics import increasing_hazard
from qtheory.numerics.special import base_threshold
from qtheory.report.approximation import RATIO, RHOS, OperatingPoint, operating_points
from qtheory.report.style import PAGE, drawn
from qtheory.theory import accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

Array = NDArray[np.float64]
SHADES = ("#5b86a8", "#9dbfd9", "#d6e6f2")  # beyond 20, 5 and 1 percent
POINT: dict[str, Any] = {"color": "#CC79A7", "markeredgecolor": "black", "markersize": 4}
P0, THETA = 0.003, 0.3  # of the panels over N: near those of most of the paper's workloads
# a mark each: the geometric workloads' shortest and longest, those of Table 9, and the synthetic ones
MARKS = {"G64": "geometric-64", "G384": "geometric-384", "S": "sharegpt", "L": "longbench", "N": "numinamath",
         "W": "wildchat", "D": "decode-heavy", "B": "balanced", "P": "prefill-heavy"}
LEFT, BELOW = ("N", "W"), ("W", "gamma-2")  # close to another on their right, or above
SWEPT, TABLE_10 = (256, 2048), (64, 512)  # the batch sizes of Section 4.3, and of the geometric workloads


class Load(NamedTuple):
    """A workload of the paper at a constant hazard rate and ``alpha_p/alpha_d`` = 17: pure numbers."""

    mark: str
    gamma: float
    theta: float
    rate: float | None  # p0 mu_L; None where the paper prints no prompt lengths
    spread: float | None  # sigma_L/mu_L
    batches: tuple[int, int]  # the least and the greatest batch size at which the paper runs it


def loads() -> list[Load]:
    """The workloads of `MARKS`, in that order."""
    found = []
    for mark, name in MARKS.items():
        workload = workloads.load(f"eb-{name}")
        p0 = 1 / float(workload.output.mean)
        rate = spread = None
        if name != "wildchat":
            mean = float(workload.prompt.mean)
            rate, spread = p0 * mean, float(workload.prompt.variance) ** 0.5 / mean
        batches = TABLE_10 if name.startswith("geometric") else SWEPT
        found.append(Load(mark, p0 * RATIO, float(base_threshold(p0 * RATIO).theta0), rate, spread, batches))
    return found


def picture(suffix: str) -> bytes:
    """Nine panels, the paper's operating points in each; PDF, PNG or SVG by ``suffix``.

    Above, the error of (5) over eta/p0^2 and gamma, a panel for each rho; in the middle the forms of the memory; below,
    the batch sizes from which on the decode phase, (4) and the term of (7) are good.
    """
    points, _ = operating_points()
    marked = loads()

    def draw(figure: Figure) -> None:
        panels = figure.subplots(3, 3)
        for panel, rho in zip(panels[0], RHOS, strict=True):
            _draw(panel, rho, points)
        panels[0, 0].set_ylabel(r"$\gamma = p_0\alpha_p/\alpha_d$")
        _memory(panels[1], marked)
        _batches(panels[2], marked)
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2,
                      title=", ".join(f"{mark} {name}" for mark, name in MARKS.items()), title_fontsize=7)

    return drawn(draw, (PAGE, 8.2), suffix)


# ---- forms of the memory ----

def _memory(panels: Sequence[Axes], marked: Sequence[Load]) -> None:
    prompted = [(load, load.rate, load.spread) for load in marked if load.rate is not None and load.spread is not None]
    rates = np.geomspace(1e-3, 1e3, 61)
    starts = {n: np.asarray(accuracy.start_error(rates, THETA, P0, n)) for n in accuracy.BATCHES}
    _from(panels[0], rates, [lambda n, j=j: float(starts[n][j]) for j in range(len(rates))])  # type: ignore[misc]
    _segments(panels[0], [(rate, load) for load, rate, _ in prompted])
    panels[0].set(xscale="log", xlabel=r"$p_0\mu_L$", ylabel=r"$N$",
                  title=rf"$\mathrm{{E}}[X_0]$, $\theta = {THETA}$, $p_0 = {P0}$")

    few, spreads = np.geomspace(1e-3, 1e3, 150), np.linspace(0, 1.25, 60)
    _shaded(panels[1], few, spreads, np.array([accuracy.variance_error(few, P0, s) for s in spreads]))
    _named(panels[1], [(rate, spread, load.mark) for load, rate, spread in prompted])
    panels[1].set(xscale="log", xlabel=r"$p_0\mu_L$", ylabel=r"$\sigma_L/\mu_L$",
                  title=rf"$v_n \approx 2n/p_0$, $p_0 = {P0}$")

    shares = np.linspace(0.02, 0.98, 97)
    _shaded(panels[2], few, shares, np.array([accuracy.static_limit_error(few, s) for s in shares]))
    _named(panels[2], [(rate, load.theta, load.mark) for load, rate, _ in prompted])
    panels[2].set(xscale="log", xlabel=r"$p_0\mu_L$", ylabel=r"$\theta$",
                  title=r"$N^\ast_{\mathrm{static}}$ for large $N$")


def _shaded(panel: Axes, x: Array, y: Array, grid: Array) -> None:
    """The size of the error by the shades of its levels."""
    ends = [100 * level for level in accuracy.LEVELS]
    panel.contourf(x, y, 100 * np.abs(grid), levels=[0, *ends, 1e9], colors=["#ffffff", *reversed(SHADES)])
    lines = panel.contour(x, y, 100 * np.abs(grid), levels=ends, colors="0.2", linewidths=0.8)
    panel.clabel(lines, fmt=lambda v: f"{v:g} %", fontsize=6)


def _named(panel: Axes, points: Sequence[tuple[float, float, str]]) -> None:
    panel.plot([x for x, _, _ in points], [y for _, y, _ in points], "o", clip_on=False, **POINT)
    for x, y, mark in points:
        _name(panel, mark, x, y)


def _name(panel: Axes, name: str, x: float, y: float) -> None:
    left = name in LEFT
    _outlined(panel.annotate(name, (x, y), xytext=(-3 if left else 3, -9 if name in BELOW else 4), fontsize=6,
                             textcoords="offset points", ha="right" if left else "left"))


def _outlined(label: Text) -> None:
    """White around the letters, so that they can be read over lines."""
    from matplotlib.patheffects import withStroke

    label.set_path_effects([withStroke(linewidth=1.5, foreground="white")])


# ---- from which batch size on ----

def _batches(panels: Sequence[Axes], marked: Sequence[Load]) -> None:
    shares = np.linspace(0.05, 0.95, 19)
    _from(panels[0], shares, [lambda n, s=s: accuracy.decode_error(s, P0, n) for s in shares])  # type: ignore[misc]
    _segments(panels[0], [(load.theta, load) for load in marked])
    panels[0].set(xlabel=r"$\theta$", ylabel=r"$N$", title=rf"decode phase, $p_0 = {P0}$")
    gammas = np.geomspace(0.01, 3, 16)
    _from(panels[1], gammas, [lambda n, g=g: accuracy.throughput_error(g, P0, n) for g in gammas])  # type: ignore[misc]
    _segments(panels[1], [(load.gamma, load) for load in marked])
    panels[1].set(xscale="log", xlabel=r"$\gamma = p_0\alpha_p/\alpha_d$", title=rf"throughput (4), $p_0 = {P0}$")
    errors = [dict(zip(accuracy.EVERY_BATCH, accuracy.condition_errors(g, accuracy.EVERY_BATCH), strict=True))
              for g in gammas]
    _from(panels[2], gammas, [e.__getitem__ for e in errors], accuracy.EVERY_BATCH)
    _segments(panels[2], [(load.gamma, load) for load in marked])
    panels[2].set(xscale="log", xlabel=r"$\gamma = p_0\alpha_p/\alpha_d$", title=r"term of (7), $\zeta$ at $\theta_0$")


def _from(panel: Axes, x: Array, errors: Sequence[Callable[[int], float | None]],
          batches: Sequence[int] = accuracy.BATCHES) -> None:
    """For each x the batch sizes from which on the error is within the levels: a line each, shaded below."""
    least, most = batches[0], batches[-1]
    found = np.array([[np.nan if n is None else n for n in accuracy.batch_reaches(error, batches)]
                      for error in errors]).T
    for row, level, shade in zip(found, accuracy.LEVELS, reversed(SHADES), strict=True):
        panel.fill_between(x, least, np.where(np.isnan(row), most, row), color=shade, linewidth=0, step="mid")
        panel.plot(x, row, color="0.2", linewidth=0.8, drawstyle="steps-mid")
        known = np.flatnonzero(~np.isnan(row) & (row > least))
        if len(known):
            at = known[len(known) // 2]
            _outlined(panel.text(x[at], row[at], f"{100 * level:g} %", fontsize=6, va="bottom", zorder=5))
    panel.set_yscale("log", base=2)
    panel.set_ylim(least, most)


def _segments(panel: Axes, marked: Sequence[tuple[float, Load]]) -> None:
    """The paper's batch sizes for each workload, an upright line with its mark."""
    for x, load in marked:
        panel.plot([x, x], load.batches, "-", color=POINT["color"], linewidth=1.0)
        panel.plot([x, x], load.batches, "o", **{**POINT, "markersize": 2.5})
        _name(panel, load.mark, x, load.batches[load.mark not in BELOW])


# ---- the expansion (5) ----

def _label_points(x: Array, y: Array, grid: Array, levels: Sequence[float]) -> list[tuple[float, float]]:
    """A point on each line of a level and of its opposite: high up, where the error is positive, and far down, one
    below the other."""
    points = []
    for i, level in enumerate(levels):
        for sign, height in ((1, 5.0 / 3**i), (-1, 0.02 / 2**i)):
            row = int(np.searchsorted(y, height))
            points.append((float(x[int(np.argmax(sign * grid[row] >= level))]), float(y[row])))
    return points


def _draw(panel: Axes, rho: float, points: list[OperatingPoint]) -> None:
    epsilon, gamma = np.geomspace(1e-3, 1e2, 100), np.geomspace(3e-3, 10, 90)
    grid = np.array([accuracy.correction_error(g, rho, epsilon) for g in gamma])
    ends = [100 * level for level in accuracy.LEVELS]
    signed = [-e for e in reversed(ends)] + ends  # of the error itself: that of its size has a kink where it is 0
    panel.contourf(epsilon, gamma, 100 * grid, levels=[-1e9, *signed, 1e9],
                   colors=[*SHADES, "#ffffff", *reversed(SHADES)])
    lines = panel.contour(epsilon, gamma, 100 * grid, levels=signed, colors="0.2", linewidths=0.8, linestyles="solid")
    for label in panel.clabel(lines, fmt=lambda v: f"{v:+g} %", fontsize=6, inline=False, zorder=5,
                              manual=_label_points(epsilon, gamma, 100 * grid, ends)):
        _outlined(label)
    # beyond this line the formula is no threshold at all
    form = np.array([increasing_hazard.first_order(g, epsilon, rho).theta for g in gamma])
    panel.contour(epsilon, gamma, form, levels=[1.0], colors="#D55E00", linewidths=1.6)
    panel.plot([], [], color="#D55E00", linewidth=1.6, label=r"$\theta_0 + \Delta\theta = 1$")
    panel.plot([p.epsilon for p in points], [p.gamma for p in points], "o", **POINT,
               label="the paper's workloads")
    for p in points:
        _name(panel, p.name.removeprefix("eb-"), p.epsilon, p.gamma)
    marks = [float(np.expm1(-np.log1p(-t)) + np.log1p(-t)) for t in (0.16, 0.23, 0.46)]
    for value, name in zip(marks, ("Fig. 12", "Table 10, 384", "Table 10, 64"), strict=True):
        panel.axhline(value, color="0.45", linewidth=0.6, linestyle=":")
        _outlined(panel.text(1.1e-3, value * 1.04, name, fontsize=5.5, color="0.3"))
    panel.set(xscale="log", yscale="log", xlabel=r"$\eta/p_0^2$", title=rf"$\rho = \beta_d N/\alpha_d = {rho:g}$")
