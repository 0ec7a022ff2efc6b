"""The table ``eb-approximation`` and its plot: where the closed forms of exclusive batching are good.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Section 3.2. All numbers come from
`qtheory.theory.accuracy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory import __version__, workloads
from qtheory.numerics import increasing_hazard
from qtheory.report.style import PAGE, drawn
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory import accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qtheory.workloads import LengthLaw

Array = NDArray[np.float64]
GAMMAS = (0.01, 0.1, 1.0)
RHOS = (0.0, 1.0, 10.0)
HAZARDS = (0.003, 0.01)  # the ends of the paper's operating regime (Appendix B.3)
SHARES = (0.1, 0.3, 0.5, 0.9)
# alpha_p/alpha_d of the paper's H200 with Qwen3-8B, which is not printed: the median over the rows of Table 10 of the
# ratio at which (3) gives the row's mean optimal threshold
RATIO = 17.0

GAMMA = Math(r"\gamma", "γ")
RHO = Math(r"\rho", "ρ")
EPSILON = Math(r"\eta/p_0^2", "η/p0²")

COLUMNS = (
    Column("form", "closed form", "closed form of Section 3.2", text=True, group=True),
    Column("exact", "exact answer", "what it is held against", text=True, once=True),
    Column("gamma", GAMMA, "p0 alpha_p/alpha_d", digits=3, trim=True),
    Column("rho", RHO, "beta_d N/alpha_d", digits=3, trim=True),
    Column("p0", Math("p_0", "p0"), "hazard rate", "1/iteration", digits=3, trim=True, bare=True),
    Column("theta", Math(r"\theta", "θ"), "threshold k/N at which the form is taken", digits=3, trim=True),
    Column("variable", "within", "the parameter that bounds the region", text=True),
    Column("within_1", Math(r"1\,\%", "1 %"), "end of the region of at most 1 percent error", digits=3, trim=True),
    Column("within_5", Math(r"5\,\%", "5 %"), "end of the region of at most 5 percent error", digits=3, trim=True),
    Column("within_20", Math(r"20\,\%", "20 %"), "end of the region of at most 20 percent error", digits=3, trim=True),
)
SLOPE_UP_TO, BATCH_FROM = "slope up to", "N from"


def table() -> Table:
    """Each closed form of Section 3.2, and the region in which it is within 1, 5 and 20 percent of the exact answer."""
    return Table(
        name="eb-approximation", title="Where the closed forms of exclusive batching are good", caption=_caption(),
        label="tab:eb-approximation", columns=COLUMNS, rows=tuple(_rows()), version=__version__)


def _rows() -> Iterator[tuple[Value, ...]]:
    slopes = accuracy.SLOPES
    for gamma in GAMMAS:
        for rho in RHOS:
            errors = accuracy.correction_error(gamma, rho, slopes)
            reach = [accuracy.slope_reach(errors, level, slopes) for level in accuracy.LEVELS]
            yield ("expansion (5)", "optimum, fresh clocks (App. C)", gamma, rho, None, None, SLOPE_UP_TO, *reach)
    slopes = accuracy.FEWER_SLOPES
    kept = {gamma: accuracy.kept_age_errors(gamma, RHOS, slopes) for gamma in GAMMAS}
    for gamma, errors in kept.items():
        for rho, row in zip(RHOS, errors[:-1], strict=True):
            reach = [accuracy.slope_reach(row, level, slopes) for level in accuracy.LEVELS]
            yield ("expansion (5)", "optimum, kept ages (Sec. 3.1)", gamma, rho, None, None, SLOPE_UP_TO, *reach)
    for gamma, errors in kept.items():
        reach = [accuracy.slope_reach(errors[-1], level, slopes) for level in accuracy.LEVELS]
        yield ("base threshold (3)", "optimum, kept ages (Sec. 3.1)", gamma, None, None, None, SLOPE_UP_TO, *reach)
    for p0 in HAZARDS:
        for gamma in GAMMAS:
            found = accuracy.batch_reaches(lambda n, g=gamma, p=p0: accuracy.threshold_error(g, p, n),  # type: ignore[misc]
                                           accuracy.SMALLER_BATCHES)
            yield ("base threshold (3)", "best k/N of the chain", gamma, None, p0, None, BATCH_FROM, *found)
    for p0 in HAZARDS:
        for share in SHARES:
            found = accuracy.batch_reaches(lambda n, s=share, p=p0: accuracy.decode_error(s, p, n))  # type: ignore[misc]
            yield ("decode phase (Sec. 3.2.1)", "mean of the chain's", None, None, p0, share, BATCH_FROM, *found)
    for p0 in HAZARDS:
        for gamma in GAMMAS:
            found = accuracy.batch_reaches(lambda n, g=gamma, p=p0: accuracy.throughput_error(g, p, n))  # type: ignore[misc]
            yield ("throughput (4)", "(1) with the chain's phase", gamma, None, p0, None, BATCH_FROM, *found)


def _caption() -> Text:
    return (
        "Where the closed forms of arXiv:2606.00516, Section 3.2, are within 1, 5 and 20 percent of the exact answer: "
        "the largest slope ", EPSILON, " of the hazard rate up to which, or the least power of two ", Math("N", "N"),
        " from 8 to 4096 (1024 for the base threshold) from which on, they are; nothing where they are not. ", GAMMA,
        " is ",
        Math(r"p_0\alpha_p/\alpha_d", "p0·α_p/α_d"), ", ", RHO, " is ", Math(r"\beta_d N/\alpha_d", "β_d·N/α_d"),
        "; rows without ", RHO, " have no cost per token. Fresh clocks: every request's hazard starts anew with each "
        "phase; kept ages: it does not, and the optimum is the same for every ", RHO, ". "
        f"Computed by qtheory {__version__}.")


# ---- the plot ----

class OperatingPoint(NamedTuple):
    """A workload of the paper with the linear hazard rate that fits it: pure numbers."""

    name: str
    gamma: float
    epsilon: float


def operating_points() -> tuple[list[OperatingPoint], list[str]]:
    """The paper's workloads at ``alpha_p/alpha_d`` = 17, and the names of those whose fitted p0 is not positive."""
    points, without = [], []
    for name in workloads.names():
        workload = workloads.load(name)
        if workload.paper != "eb":
            continue
        p0, eta = fitted_hazard(workload.output)
        if p0 <= 0:
            without.append(name)
        elif eta / p0**2 > 1e-9:  # a constant hazard rate has no place on a logarithmic axis
            points.append(OperatingPoint(name, float(p0 * RATIO), float(eta / p0**2)))
    return points, without


def fitted_hazard(law: LengthLaw) -> tuple[float, float]:
    """(p0, eta) of Section 3.4's fit to the law's own hazard rate: weighted least squares over t = 1, ..., the 95th
    percentile, the weights the shares at risk. p0 may be negative."""
    t = np.arange(1, law.quantile(0.95) + 1)
    root = np.sqrt(np.asarray(law.survival(t)))
    p0, eta = np.linalg.lstsq(np.stack([root, t * root], axis=1), np.asarray(law.hazard(t)) * root, rcond=None)[0]
    return float(p0), float(eta)


def picture(suffix: str) -> bytes:
    """The error of (5) over eta/p0^2 and gamma, a panel for each rho, with the paper's operating points; PDF, PNG or
    SVG by ``suffix``."""
    points, _ = operating_points()

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, len(RHOS), sharey=True)
        for panel, rho in zip(panels, RHOS, strict=True):
            _draw(panel, rho, points)
        panels[0].set_ylabel(r"$\gamma = p_0\alpha_p/\alpha_d$")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)

    return drawn(draw, (PAGE, 2.9), suffix)


def _label_points(x: Array, y: Array, grid: Array, levels: Sequence[float]) -> list[tuple[float, float]]:
    """A point on each line of a level and of its opposite: high up, where the error is positive, and far down, one
    below the other."""
    points = []
    for i, level in enumerate(levels):
        for sign, height in ((1, 5.0 / 3**i), (-1, 0.025 / 2**i)):
            row = int(np.searchsorted(y, height))
            points.append((float(x[int(np.argmax(sign * grid[row] >= level))]), float(y[row])))
    return points


def _draw(panel: Axes, rho: float, points: list[OperatingPoint]) -> None:
    from matplotlib.patheffects import withStroke

    epsilon, gamma = np.geomspace(1e-3, 1e2, 100), np.geomspace(3e-3, 10, 90)
    grid = np.array([accuracy.correction_error(g, rho, epsilon) for g in gamma])
    ends = [100 * level for level in accuracy.LEVELS]
    signed = [-e for e in reversed(ends)] + ends  # of the error itself: that of its size has a kink where it is 0
    shades = ["#5b86a8", "#9dbfd9", "#d6e6f2"]
    panel.contourf(epsilon, gamma, 100 * grid, levels=[-1e9, *signed, 1e9],
                   colors=[*shades, "#ffffff", *reversed(shades)])
    lines = panel.contour(epsilon, gamma, 100 * grid, levels=signed, colors="0.2", linewidths=0.8, linestyles="solid")
    for label in panel.clabel(lines, fmt=lambda v: f"{v:+g} %", fontsize=6, inline=False, zorder=5,
                              manual=_label_points(epsilon, gamma, 100 * grid, ends)):
        label.set_path_effects([withStroke(linewidth=1.5, foreground="white")])
    # beyond this line the formula is no threshold at all
    form = np.array([increasing_hazard.first_order(g, epsilon, rho).theta for g in gamma])
    panel.contour(epsilon, gamma, form, levels=[1.0], colors="#D55E00", linewidths=1.6)
    panel.plot([], [], color="#D55E00", linewidth=1.6, label=r"$\theta_0 + \Delta\theta = 1$")
    panel.plot([p.epsilon for p in points], [p.gamma for p in points], "o", color="#CC79A7", markeredgecolor="black",
               markersize=4, label="the paper's workloads, fitted")
    for p in points:
        below = p.gamma < min(q.gamma for q in points) * 1.01  # of two beside each other
        panel.annotate(p.name.removeprefix("eb-"), (p.epsilon, p.gamma), xytext=(4, -9 if below else 4), fontsize=6,
                       textcoords="offset points", path_effects=[withStroke(linewidth=1.5, foreground="white")])
    marks = [float(np.expm1(-np.log1p(-t)) + np.log1p(-t)) for t in (0.16, 0.23, 0.46)]
    for value, name in zip(marks, ("Fig. 12", "Table 10, 384", "Table 10, 64"), strict=True):
        panel.axhline(value, color="0.45", linewidth=0.6, linestyle=":")
        panel.text(1.1e-3, value * 1.04, name, fontsize=5.5, color="0.3")
    panel.set(xscale="log", yscale="log", xlabel=r"$\eta/p_0^2$", title=rf"$\rho = \beta_d N/\alpha_d = {rho:g}$")
