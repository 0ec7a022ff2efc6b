"""Measured thresholds of the exclusive-batching paper (arXiv:2606.00516) beside its model: Tables 10, 11 and 13 and
Figure 12.

The paper prints no iteration times.  Where a constant is fitted to its numbers, the caption says so, and the rows say
how well the model with that constant does on the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory import workloads
from qtheory.numerics import kept_ages
from qtheory.numerics.phases import phase_moments
from qtheory.numerics.special import base_threshold
from qtheory.proofs.claims.eb.models.tables import TABLES
from qtheory.report.approximation import RATIO, fitted_hazard
from qtheory.report.reproduce_rows import Progress, Reproduced, Row
from qtheory.report.style import COLUMN, PAGE, STYLES, drawn
from qtheory.report.table import Math
from qtheory.theory import accuracy, increasing_hazard, threshold
from qtheory.workloads import Geometric, LengthLaw
from qtheory.workloads.gamma import DiscretisedGamma

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Points = Sequence[tuple[float, float]]
RATIO_NAME, THETA = Math(r"\alpha_p/\alpha_d", "α_p/α_d"), Math(r"\theta", "θ")


# ---- Table 10 ----

BATCHES = (64, 128, 256, 512)


def base_threshold_at(mean_output: float, ratio: float = RATIO) -> float:
    """theta0 of (3) for geometric outputs of that mean."""
    return float(base_threshold(threshold.numeric("ratio", p0=1 / mean_output, alpha_p=ratio, alpha_d=1.0)).theta0)


def optima(progress: Progress) -> Reproduced:
    """Table 10: the best k/N of the chain for each cell, theta0 beside the rows' means."""
    cells, rows = TABLES[10].rows, []
    for done, (mean_output, c) in enumerate(cells.items()):
        mu_O = float(mean_output)
        for N in BATCHES:
            best = accuracy.chain_threshold(RATIO / mu_O, 1 / mu_O, N) / N
            rows.append(Row(f"μ_O = {mean_output}", f"best k/N, N = {N}", float(c[str(N)]), best))
        rows.append(Row(f"μ_O = {mean_output}", "mean, against θ0", float(c["mean"]), base_threshold_at(mu_O)))
        progress(done + 1, len(cells))
    caption = ("The threshold of the highest throughput (1): with the exact mean decode phase of the chain, geometric "
               "outputs and no cost per token, in each cell; ", Math(r"\theta_0", "θ0"), " of (3) in the rows' means. ",
               RATIO_NAME, f" = {RATIO:g} is fitted to the six means (their median); the cells and what is left of "
               "the means test the model.")
    return Reproduced("Optimal thresholds under geometric outputs", caption, rows)


def optima_picture(suffix: str) -> bytes:
    """theta0 over the mean output length, and the cells of Table 10."""
    means = np.linspace(48, 400, 120)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.plot(means, [base_threshold_at(m) for m in means], "k-",
                  label=rf"$\theta_0$ at $\alpha_p/\alpha_d={RATIO:g}$")
        for i, ((colour, _), N) in enumerate(zip(STYLES, BATCHES, strict=False)):
            aside = 6 * (i - (len(BATCHES) - 1) / 2)  # equal entries of a row side by side
            points = [(float(m) + aside, float(c[str(N)])) for m, c in TABLES[10].rows.items()]
            axes.plot(*zip(*points, strict=True), "o", color=colour, markersize=3, label=f"Table 10, $N={N}$")
        axes.set(xlabel=r"mean output length $\mu_O$ (tokens)", ylabel=r"optimal threshold $k^{*}/N$", ylim=(0, None))
        axes.legend()

    return drawn(draw, (COLUMN, 2.5), suffix)


# ---- Table 11 ----

SLOTS, MEAN_OUTPUT, INPUTS = 128, 64, (1, 32, 64, 128)


class Costs(NamedTuple):
    """Constants in s: a decode iteration, a decoded token, a prefill, a prompt's token."""

    alpha_d: float
    beta_d: float
    alpha_p: float
    beta_p: float


def swept() -> Iterator[tuple[int, int, float]]:
    """(k, mu_L, printed throughput) of Table 11."""
    for k, c in TABLES[11].rows.items():
        if k.isdigit():
            yield from ((int(k), m, float(c[str(m)])) for m in INPUTS)


def cycle(k: int, prompt: float) -> tuple[Array, float]:
    """What a cycle takes of each of `Costs`, and the output tokens that it gives, by the chain's exact means."""
    m = phase_moments(SLOTS, k, 1 / MEAN_OUTPUT)
    return np.array([m.iterations, MEAN_OUTPUT * m.completions, 1.0, prompt * m.completions]), (
        MEAN_OUTPUT * m.completions)


def fitted_costs() -> Costs:
    """The constants, none negative, of the least relative squares over the 64 throughputs."""
    from scipy.optimize import nnls

    found = [(*cycle(k, m), printed) for k, m, printed in swept()]
    rows = np.array([parts * printed / tokens for parts, tokens, printed in found])
    return Costs(*(float(x) for x in nnls(rows, np.ones(len(rows)))[0]))


def swept_throughput(k: int, prompt: float, costs: Costs) -> float:
    """Output tokens per second."""
    parts, tokens = cycle(k, prompt)
    return float(tokens / (parts @ np.array(costs)))


def throughputs(progress: Progress) -> Reproduced:
    """Table 11: output tokens per second by k and mu_L."""
    costs = fitted_costs()
    rows = [Row(f"μ_L = {m}", f"k = {k}", printed, swept_throughput(k, m, costs))
            for k, m, printed in sorted(swept(), key=lambda row: (row[1], row[0]))]
    caption = (f"Output tokens per second at N = {SLOTS} and geometric outputs of mean {MEAN_OUTPUT}, from the chain's "
               "exact means. Four constants are fitted to the 64 printed values by least relative squares: ",
               Math(r"\alpha_d", "α_d"), f" = {1e3 * costs.alpha_d:.3g} ms, ", Math(r"\beta_d", "β_d"),
               f" = {1e6 * costs.beta_d:.3g} µs, ", Math(r"\alpha_p", "α_p"), f" = {1e3 * costs.alpha_p:.3g} ms, ",
               Math(r"\beta_p", "β_p"), f" = {1e6 * costs.beta_p:.3g} µs.")
    return Reproduced("Throughput over the threshold and the prompt length", caption, rows, "tokens/s")


def throughputs_picture(suffix: str) -> bytes:
    costs, slots = fitted_costs(), range(4, SLOTS + 1)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), m in zip(STYLES, INPUTS, strict=False):
            _curve(axes, [(k, swept_throughput(k, m, costs)) for k in slots], dash, colour, rf"$\mu_L={m}$")
            _points(axes, [(k, y) for k, prompt, y in swept() if prompt == m], colour)
        axes.set(xlabel=rf"threshold $k$ of {SLOTS} slots", ylabel="output tokens/s", ylim=(0, None))
        axes.legend(title="dots: Table 11")

    return drawn(draw, (COLUMN, 2.5), suffix)


# ---- Table 13 ----

SWEEPS = {"gamma": "eb-gamma-2", "sharegpt": "eb-sharegpt"}
FIXED = tuple(TABLES[13].rows["gamma.tp"])[:-1]  # the thresholds of the sweep, without the controller's column


def fixed_times(law: LengthLaw, theta: float) -> Array:
    """N times what a completed request takes of alpha_d, alpha_p and all that is per token, where requests keep their
    age: D M(D), M(D) and 1."""
    tail = increasing_hazard.survivors(law)
    length = kept_ages.phase_length(tail, theta)
    batch = kept_ages.cohort_batch(tail, length)
    return np.array([length * batch, batch, 1.0])


def sweep(workload: str) -> Callable[[float], float]:
    """The throughput over theta in tokens/s, with fitted constants (over N)."""
    from scipy.optimize import nnls

    law = workloads.load(SWEEPS[workload]).output
    printed = [float(TABLES[13].rows[f"{workload}.tp"][t]) for t in FIXED]
    rows = np.array([fixed_times(law, float(t)) * p for t, p in zip(FIXED, printed, strict=True)])
    costs = nnls(rows / float(law.mean), np.ones(len(FIXED)))[0]
    return lambda theta: float(law.mean) / float(fixed_times(law, theta) @ costs)


def sensitivity(progress: Progress) -> Reproduced:
    """Table 13: throughput in percent of the sweep's peak."""
    rows = []
    for name in SWEEPS:
        rate = sweep(name)
        rates = {t: rate(float(t)) for t in FIXED}
        rows += [Row(name, f"θ = {t}", float(TABLES[13].rows[f"{name}.percent"][t]),
                     100 * rates[t] / max(rates.values())) for t in FIXED]
    caption = ("Throughput in percent of the sweep's peak, of the model in which requests keep their age. Three "
               "constants a workload, for the fixed times and all that is per token, are fitted to its nine "
               "throughputs by least relative squares; the output laws are those of the workloads ",
               " and ".join(SWEEPS.values()), ".")
    return Reproduced("Sensitivity to the threshold", caption, rows, "percent")


def sensitivity_picture(suffix: str) -> bytes:
    thetas = np.linspace(0.06, 0.94, 89)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), name in zip(STYLES, SWEEPS, strict=False):
            rate = sweep(name)
            _curve(axes, [(float(t), rate(float(t))) for t in thetas], dash, colour, name)
            _points(axes, [(float(t), float(TABLES[13].rows[f"{name}.tp"][t])) for t in FIXED], colour)
        axes.set(xlabel=r"threshold $\theta^{*}$", ylabel="tokens/s", ylim=(0, None))
        axes.legend(title="dots: Table 13", loc="lower left")

    return drawn(draw, (COLUMN, 2.5), suffix)


# ---- Figure 12 ----

CONSTANT, INCREASING = 0.16, 0.36  # the printed optima, line 1188
FIGURE_MEAN = 256.0  # the figure's is not printed; in units of the mean the optima do not depend on it


def figure_ratio() -> float:
    """alpha_p/alpha_d at which (3) gives the printed optimum under a constant hazard rate."""
    equation = threshold.base_threshold_equation(CONSTANT)
    return float((equation.lhs).evalf()) * FIGURE_MEAN


def shifts(progress: Progress) -> Reproduced:
    """Figure 12: the optimum under Gamma outputs with a = 2."""
    ratio, law = figure_ratio(), DiscretisedGamma.with_mean(FIGURE_MEAN, 2.0)
    p0, eta = fitted_hazard(law)
    base = base_threshold_at(1 / p0, ratio)
    general = increasing_hazard.general_rule(law, ratio, 1.0).theta
    first = float(threshold_shifted(base, p0, eta))
    exact = float(increasing_hazard.optimal_threshold(p0, eta, ratio, 1.0, 0.0, 1.0))
    rows = [
        Row("a = 1", "optimum (used to fit)", CONSTANT, increasing_hazard.general_rule(
            Geometric.with_mean(FIGURE_MEAN), ratio, 1.0).theta),
        Row("a = 2", "optimum, requests keep their age", INCREASING, general),
        Row("a = 2", "optimum, clocks start anew (App. C), ρ = 0", INCREASING, exact),
        Row("a = 2", "θ0 + Δθ by (3) and (5) of the fit, ρ = 0", INCREASING, first),
        Row("a = 2", "θ0 by (3) at the fitted p0", INCREASING, base),
        Row("shift", "Δθ, requests keep their age", INCREASING - CONSTANT, general - CONSTANT),
    ]
    caption = (RATIO_NAME, f" = {ratio:.3g} is that at which (3) gives the printed optimum for a = 1 at a mean output "
               f"of {FIGURE_MEAN:g} tokens; the figure's mean is not printed and hardly matters. The fit is Section "
               "3.4's, to the law's own hazard rate; ", Math(r"\rho = \beta_d N/\alpha_d", "ρ = β_d·N/α_d"),
               " matters where clocks start anew only.")
    return Reproduced("The optimal threshold under an increasing hazard rate", caption, rows)


def threshold_shifted(base: float, p0: float, eta: float) -> float:
    """theta0 + Delta theta of (5) without a cost per token."""
    return base + float(increasing_hazard.first_order_correction(base, 1, p0, eta, 1, 0))


def shifts_picture(suffix: str) -> bytes:
    thetas, ratio = np.linspace(0.02, 0.98, 97), figure_ratio()
    laws = {"a = 1": (Geometric.with_mean(FIGURE_MEAN), CONSTANT),
            "a = 2": (DiscretisedGamma.with_mean(FIGURE_MEAN, 2.0), INCREASING)}

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (name, (law, printed)), (colour, _) in zip(panels, laws.items(), STYLES, strict=False):
            points = [(float(t), 1 / increasing_hazard.relative_cost(law, float(t), ratio, 1.0)) for t in thetas]
            _curve(axes, points, "-", colour, "computed, ages kept")
            axes.axvline(printed, color="0.4", linestyle=":", label=f"printed optimum {printed}")
            axes.set(xlabel=r"threshold $\theta$", title=f"${name}$", ylim=(0, 1.05))
            axes.legend(loc="lower right")  # right of both dotted lines, below the curves
        panels[0].set_ylabel("throughput over the best")

    return drawn(draw, (PAGE, 2.5), suffix)


def _curve(axes: Axes, points: Points, dash: str, colour: str, label: str) -> None:
    axes.plot(*zip(*points, strict=True), dash, color=colour, label=label)


def _points(axes: Axes, points: Points, colour: str) -> None:
    axes.plot(*zip(*points, strict=True), "o", color=colour, markersize=3)
