"""The plots by name: ``qtheory plot NAME -o FILE`` on the command line, ``qt.plots.draw(NAME)`` in a notebook.

>>> from qtheory.report import plots
>>> plots.draw("eb-threshold", profiles=["a100-40gb-qwen-8b"], workloads=["eb-sharegpt"])
<picture eb-threshold: the base threshold over the mean output length, for profiles, with 95 percent bands>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.report.later import Later
from qtheory.report.tables import BATCHES, FLAGS

if TYPE_CHECKING:
    from qtheory.report.tables import Profiles, Workloads

approximation, curves = Later("qtheory.report.approximation_plot"), Later("qtheory.report.curves")
traces = Later("qtheory.report.traces")
planning_plot = Later("qtheory.report.planning_plot")
waiting_plot, tiling_plot = Later("qtheory.report.waiting_plot"), Later("qtheory.report.tiling_plot")
stability_map, sample_path = Later("qtheory.report.stability_map"), Later("qtheory.report.sample_path")


@dataclass(frozen=True)
class Plot:
    """A picture that can be asked for by name.

    ``make`` takes profiles, workloads, batch sizes and the ending, .pdf, .png or .svg, and returns the file; without
    ``profiles`` and ``workloads``, the defaults, it is in pure numbers and takes the ending alone. ``of_traces``: it
    takes recorded traces and the ending.
    """

    summary: str
    make: Callable[..., bytes]
    profiles: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    of_traces: bool = False

    def draw(
        self, suffix: str, profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (),
    ) -> bytes:
        """The picture; what is empty takes the plot's default. InputError for what does not go with it."""
        from qtheory.report.inputs import chosen_batches, chosen_profiles, chosen_traces, chosen_workloads

        given: dict[str, Any] = {"profiles": tuple(profiles), "workloads": tuple(workloads), "batch": tuple(batch)}
        if self.of_traces:
            for option in ("profiles", "batch"):
                if given[option]:
                    raise InputError(f"the plot is of traces; it takes no {FLAGS[option]}")
            return self.make(chosen_traces(given["workloads"]), suffix)
        if not self.profiles:
            for option, value in given.items():
                if value:
                    raise InputError(f"the plot is in pure numbers; it takes no {FLAGS[option]}")
            return self.make(suffix)
        return self.make(chosen_profiles(given["profiles"] or self.profiles),
                         chosen_workloads(given["workloads"] or self.workloads, paper="eb"),
                         chosen_batches(given["batch"] or BATCHES), suffix)


@dataclass(frozen=True, repr=False)
class Picture:
    """A plot that a notebook shows, and that is saved by its ending, .pdf, .png, .svg or .html."""

    name: str
    plot: Plot
    given: tuple[tuple[Any, ...], ...]

    def __repr__(self) -> str:
        return f"<picture {self.name}: {self.plot.summary}>"

    def _repr_svg_(self) -> str:
        return self.plot.draw(".svg", *self.given).decode()

    def save(self, path: str | Path) -> Path:
        """Write the picture, whole or not at all; InputError for another ending, or a file that is not writable."""
        from qtheory.files import write_whole
        from qtheory.profiles.plotting import check_format

        check_format(path, ".html")
        target = Path(path)
        write_whole(target, self.plot.draw(target.suffix, *self.given))
        return target


MEASURED = "a100-llama3-70b-tp2-vidur-pair"  # its constants have a covariance
TWO = (MEASURED, "a100-40gb-qwen-8b")
PAPERS = ("eb-sharegpt", "eb-wildchat", "eb-longbench", "eb-numinamath")
PLOTS = {
    "eb-approximation": Plot("errors of the closed forms of exclusive batching, with the paper's workloads",
                             approximation.picture),
    "eb-threshold": Plot("the base threshold over the mean output length, for profiles, with 95 percent bands",
                         curves.thresholds, TWO, PAPERS),
    "eb-throughput": Plot("the fluid throughput over the threshold, for batch sizes, with 95 percent bands",
                          curves.throughputs, (MEASURED,), ("eb-sharegpt",)),
    "eb-memory": Plot("the paper's memory bound (6), what the process needs, and a guarantee, over the batch size",
                      curves.memories, (MEASURED,), ("eb-sharegpt",)),
    "to-map": Plot("where the two agents of the throughput-optimal paper's Figure 8 are stable, over the two long "
                   "visits' lengths: certificates and simulations", stability_map.picture),
    "traces": Plot("recorded traces: dispersion of arrivals over scales, tails of the lengths, hazard rates of the "
                   "outputs with 95 percent bands", traces.picture, of_traces=True),
    "to-path": Plot("the fluid path of that network's growing cycle over the scaled sample path of its tokens",
                    sample_path.picture),
    "plan-frontiers": Plot("revenue of the two-class cluster against bounds on fairness and time per output token, "
                           "with exact breakpoints", planning_plot.frontiers_picture),
    "plan-constants": Plot("revenue and time per output token over batch size and iteration-time constants",
                           planning_plot.constants_picture),
    "plan-prices": Plot("revenue over the split of a price budget between prefill and decode tokens",
                        planning_plot.prices_picture),
    "plan-path": Plot("the fluid path from the empty cluster to the plan, under two routers",
                      planning_plot.path_picture),
    "rad-chunks": Plot("a prompt's time by the size of its chunks under the tile law, and its best chunks",
                       tiling_plot.picture),
    "wait-path": Plot("memory held by WAIT's requests at two scales, over the fluid path and its equilibrium",
                      waiting_plot.path_picture),
    "wait-memory": Plot("memory of Nested WAIT by (12) and by the exact law of its queues, over its risk",
                        waiting_plot.memory_picture),
    "wait-region": Plot("the thresholds of two types that WAIT's (9) admits, and the paper's own",
                        waiting_plot.region_picture),
}


def names() -> list[str]:
    """The names of the plots, in alphabetical order."""
    return sorted(PLOTS)


def find(name: str) -> Plot:
    """The plot of that name; UnknownNameError for another."""
    if name not in PLOTS:
        raise UnknownNameError("plot", name, names())
    return PLOTS[name]


def draw(name: str, profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = ()) -> Picture:
    """The plot of that name, for profiles, workloads and batch sizes; what is empty takes the plot's default.

    Some take minutes to be drawn (to-map). UnknownNameError for another name; once it is drawn, InputError for what
    does not go with the plot.
    """
    return Picture(name, find(name), (tuple(profiles), tuple(workloads), tuple(batch)))


__all__ = ["PLOTS", "Picture", "Plot", "draw", "find", "names"]


def __dir__() -> list[str]:
    return __all__
