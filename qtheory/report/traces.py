"""The table and the picture of recorded traces: burstiness, lengths, hazard rates, and what papers assume of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qtheory import __version__
from qtheory.errors import InputError
from qtheory.report.style import PAGE, drawn, words
from qtheory.report.table import Column, Math, Table, Value
from qtheory.workloads.summary import Summary, summarise
from qtheory.workloads.workload import Workload

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = (
    Column("trace", "trace", "the file's name without its ending", text=True),
    Column("requests", "requests", "number of requests"),
    Column("rate", "rate", "requests a second, from the first to the last", "1/s", digits=3),
    Column("gap_variation", Math("c_A^2", "c_A²"), "squared coefficient of variation of the times between arrivals; 1 "
           "for Poisson", digits=3),
    Column("dispersion_60", Math("I(60)", "I(60)"), "variance over mean of arrivals in windows of 60 s; 1 for Poisson",
           digits=3),
    Column("p_poisson", Math("p_P", "p Poisson"), "p-value: Poisson within windows of 600 s "
           "(Kolmogorov-Smirnov)", digits=2),
    Column("gap_lag", Math("r_A", "r_A"), "rank correlation of successive times between arrivals", digits=2,
           printed=False),
    Column("p_gaps", Math("p_{gaps}", "p gaps"), "p-value: uncorrelated at ten lags (Ljung-Box on ranks)",
           digits=2, printed=False),
    Column("prompt_mean", "prompt", "mean prompt length", "tokens", digits=4),
    Column("output_mean", "output", "mean output length", "tokens", digits=4),
    Column("output_variation", Math("c_O", "c_O"), "coefficient of variation of the output length; near 1 for "
           "geometric", digits=3),
    Column("p_geometric", Math("p_G", "p geometric"), "p-value: outputs are geometric (chi-square, 20 bins)",
           digits=2),
    Column("falls", "falls", "whether the hazard rate of the output falls somewhere beyond its 95 % bands"),
    Column("lengths_rho", Math(r"\rho", "ρ"), "rank correlation of prompt and output length", digits=2),
    Column("p_lengths", Math("p_{lengths}", "p lengths"), "p-value: prompt and output are uncorrelated", digits=2,
           printed=False),
    Column("p_outputs", Math("p_{outputs}", "p outputs"), "p-value: successive outputs are uncorrelated at ten lags",
           digits=2, printed=False),
    Column("shared", "shared", "share of prompt tokens in a prefix that came before", digits=3),
)
SMALLEST = 1e-99  # p-values below are printed as 0


def table(workloads: tuple[Workload, ...]) -> Table:
    """One row a trace; InputError for a workload that is none."""
    rows = tuple(_row(summarise(workload)) for workload in workloads)
    return Table(
        name="traces", title="Recorded traces", label="tab:traces", columns=COLUMNS, rows=rows, version=__version__,
        caption=("Recorded traces and the assumptions of papers on them. p-values below 0.05 reject; with as many "
                 "requests small departures do, so that their sizes stand beside. Times of a coarse grain are spread "
                 f"over it at random. From qtheory {__version__}.",),
        provenance=tuple({"trace": workload.name, "file": workload.source} for workload in workloads),
    )


def _row(s: Summary) -> tuple[Value, ...]:
    at_60 = next((d.index for d in s.dispersion if d.scale == 60.0), None)
    p_values = [None if p is None else (0.0 if p < SMALLEST else p)
                for p in (s.p_poisson, s.p_gaps, s.p_geometric, s.p_lengths, s.p_outputs)]
    return (s.name, s.requests, s.rate, s.gap_variation, at_60, p_values[0], s.gap_lag, p_values[1], s.prompt_mean,
            s.output_mean, s.output_variation, p_values[2], s.falls, s.lengths_rho, p_values[3], p_values[4], s.shared)


def picture(workloads: tuple[Workload, ...], suffix: str) -> bytes:
    """Dispersion of the arrivals over scales, the lengths' tails, and the outputs' hazard rates with 95 percent bands,
    in the format of ``suffix``."""
    def draw(figure: Figure) -> None:
        arrivals, tails, hazards = figure.subplots(1, 3)
        for i, workload in enumerate(workloads):
            summary, trace, colour = summarise(workload), workload.trace, f"C{i}"
            if trace is None:
                raise InputError(f"workload {workload.name!r} is no trace")
            points = [(d.scale, d.index) for d in summary.dispersion if d.index is not None]
            if points:
                arrivals.plot(*zip(*points, strict=True), "o-", color=colour, label=words(summary.name))
            for lengths, dash in ((trace.prompt_lengths, "--"), (trace.output_lengths, "-")):
                sizes = np.unique(lengths)
                tails.plot(sizes, 1 - np.searchsorted(np.sort(lengths), sizes) / len(lengths), dash, color=colour)
            shown = [h for h in summary.hazards if h.rate > 0]
            middles = [np.sqrt(h.least * h.greatest) for h in shown]
            hazards.plot(middles, [h.rate for h in shown], "-", color=colour, label=words(summary.name))
            hazards.fill_between(middles, [h.low for h in shown], [h.high for h in shown], color=colour, alpha=0.25)
        arrivals.axhline(1, color="0.6", linewidth=0.7)
        arrivals.set(xscale="log", yscale="log", xlabel="window, s", ylabel="variance / mean of arrivals")
        tails.set(xscale="log", yscale="log", xlabel="tokens (dashed: prompt, solid: output)",
                  ylabel="share at least as long")
        hazards.set(xscale="log", yscale="log", xlabel="output tokens", ylabel="hazard rate, 1/token")
        figure.legend(*hazards.get_legend_handles_labels(), loc="outside lower center", ncols=4)

    return drawn(draw, (PAGE, 2.6), suffix)
