"""Figure 3 of the exclusive-batching paper (arXiv:2606.00516): a sweep of fixed thresholds beside the closed form.

The figure's iteration times are not printed.  Those that Table 11 implies, for the same GPU and model, stand in for
them, so that no constant is fitted to the figure itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from qtheory import workloads
from qtheory.numerics.phases import phase_moments
from qtheory.report.reproduce_rows import Progress, Reproduced, Row
from qtheory.report.reproduce_thresholds import Costs, base_threshold_at, fitted_costs
from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.report.table import Math

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLOTS = 1024
SWEPT = range(64, SLOTS + 1, 64)
# workload -> percent by which EB(khat*) is printed to beat the best fixed k, line 223
GAINS = {"decode-heavy": 8.0, "balanced": 3.6, "prefill-heavy": 0.6}


class Point(NamedTuple):
    """A threshold's throughput in requests/s, and the mean time from a request's token to its next one in s."""

    k: int
    rate: float
    tpot: float


class System(NamedTuple):
    """Geometric outputs and prompts of these means (tokens), and the constants of Table 11."""

    prompt: float
    output: float
    costs: Costs

    @property
    def tokens(self) -> float:
        """Seconds that a request's tokens take: the least time a request at any batch size and threshold."""
        return self.costs.beta_p * self.prompt + self.costs.beta_d * self.output

    def at(self, k: int) -> Point:
        """By the chain's exact means; every completion counts, as an engine's counter has it."""
        m = phase_moments(SLOTS, k, 1 / self.output)
        cycle = self.costs.alpha_p + self.costs.alpha_d * m.iterations + self.tokens * m.completions
        return Point(k, m.completions / cycle, cycle / m.iterations)

    def closed_form(self) -> Point:
        """At floor(theta0 N)."""
        return self.at(int(SLOTS * base_threshold_at(self.output, self.costs.alpha_p / self.costs.alpha_d)))


def systems() -> Iterator[tuple[str, System]]:
    costs = fitted_costs()
    for name in GAINS:
        lengths = workloads.load(f"eb-{name}")
        yield name, System(float(lengths.prompt.mean), float(lengths.output.mean), costs)


def gains(progress: Progress) -> Reproduced:
    """What the closed form gains over the sweep, and the most that a threshold and a batch size could."""
    rows = []
    for done, (name, system) in enumerate(systems()):
        best = max(system.at(k).rate for k in SWEPT)
        rows += [Row(name, "k of (3) over the best of the sweep", GAINS[name],
                     100 * (system.closed_form().rate / best - 1)),
                 Row(name, "most that any N and k could gain", GAINS[name], 100 * (1 / system.tokens / best - 1))]
        progress(done + 1, len(GAINS))
    caption = (f"Throughput at N = {SLOTS} slots and geometric outputs over that of the best k = {SWEPT[0]}, "
               f"{SWEPT[1]}, ..., {SLOTS}; printed is the gain of the paper's controller, which chooses its own batch "
               "size. The constants are those that fit Table 11 (same GPU and model, 128 slots), the means those of "
               "Section 4.1's synthetic workloads. At any batch size and threshold a request takes at least its "
               "tokens' time, ", Math(r"\beta_p\mu_L + \beta_d\mu_O", "β_p·μ_L + β_d·μ_O"), ".")
    return Reproduced("The closed form against a sweep of thresholds", caption, rows, "percent")


def picture(suffix: str) -> bytes:
    """Throughput over the best and time per output token, over k; the closed form's choice marked."""

    def draw(figure: Figure) -> None:
        speed, delay = figure.subplots(1, 2)
        for (colour, dash), (name, system) in zip(STYLES, systems(), strict=False):
            found, chosen = [system.at(k) for k in SWEPT], system.closed_form()
            best = max(p.rate for p in found)
            ks = [p.k for p in found]
            speed.plot(ks, [p.rate / best for p in found], dash, color=colour, label=name)
            delay.plot(ks, [1e3 * p.tpot for p in found], dash, color=colour, label=name)
            speed.plot(chosen.k, chosen.rate / best, "o", color=colour)
            delay.plot(chosen.k, 1e3 * chosen.tpot, "o", color=colour)
        speed.set(xlabel=rf"threshold $k$ of {SLOTS} slots", ylabel="throughput over the best")
        delay.set(xlabel=rf"threshold $k$ of {SLOTS} slots", ylabel="time per output token (ms)", ylim=(0, None))
        speed.legend(title=r"$\bullet$: $\lfloor\theta_0 N\rfloor$", loc="lower center")

    return drawn(draw, (PAGE, 2.5), suffix)
