"""A Gantt picture of an engine's iterations, and of the requests that they serve."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError
from qtheory.report.style import PAGE, SETTINGS, STYLES, save, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from qtheory.simulate.engine_runs import EngineRun
    from qtheory.simulate.scenarios import Scenario

LINEAR = 30  # tokens up to which the axis is not logarithmic
SHOWN = 60  # iterations in the middle of the run, where no span of time is asked for
_KINDS = {"prefill": STYLES[1][0], "decode": STYLES[0][0], "mixed": STYLES[3][0]}


def require_iterations(scenario: Scenario) -> None:
    """Raises InputError for a scenario whose models have no iterations."""
    from qtheory.simulate.engines import LLMEngine

    if not all(isinstance(model, LLMEngine) for model in scenario.variants.values()):
        raise InputError("a Gantt picture shows the iterations of an engine; this scenario has none")


def gantt(runs: Mapping[str, Any], span: tuple[float, float] | None = None) -> Figure:
    """Two panels a variant: iterations as bars as high as their tokens; below, a line a request, thin until its first
    token. ``span``: seconds from and to; by default ``SHOWN`` iterations in the middle of each.
    Requests that do not end in the run are not shown.

    Raises InputError for a span without any iteration.
    """
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        return _gantt(runs, span)


def _gantt(runs: Mapping[str, Any], span: tuple[float, float] | None) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    figure = Figure(figsize=(PAGE, 3.2 * len(runs) + 0.3))
    panels = figure.subplots(2 * len(runs), 1, squeeze=False, height_ratios=[1.0, 1.5] * len(runs))[:, 0]
    for number, (label, run) in enumerate(runs.items()):
        above, below = panels[2 * number : 2 * number + 2]
        low, high = _draw_iterations(above, run, span)
        _draw_requests(below, run, low, high)
        above.set(title=words(label), ylabel="tokens of an iteration", xlim=(low, high))
        most = above.dataLim.y1
        if most > LINEAR:
            above.set_yscale("symlog", linthresh=10)  # a decode of a few tokens is seen beside a prompt of thousands
            above.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        else:
            above.yaxis.set_major_locator(MaxNLocator(integer=True))
        above.set_ylim(0, most * (1.3 if most > LINEAR else 1.05))
        below.yaxis.set_major_locator(MaxNLocator(integer=True))
        below.set(xlabel="time (s)", ylabel="requests by arrival", xlim=(low, high))
    handles: list[Any] = [Patch(color=c, label=kind) for kind, c in _KINDS.items()]
    handles += panels[-1].plot([], [], color="0.7", linewidth=0.8, label="until its first token")
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


def _draw_iterations(axes: Any, run: EngineRun, span: tuple[float, float] | None) -> tuple[float, float]:
    """The bars; returns the seconds from and to which the picture goes."""
    from qtheory.simulate.request_records import iterations

    table = iterations(run)
    if span is None:
        middle = max(0, len(table) // 2 - SHOWN // 2)
        table = table[middle : middle + SHOWN]
    else:
        table = table[(table[:, 0] < span[1]) & (table[:, 0] + table[:, 1] > span[0])]
    if not len(table):
        raise InputError("no iteration to show" + ("" if span is None else f" from {span[0]:g} to {span[1]:g} s"))
    begin, length, prefill, decode, _ = table.T
    kinds = np.where((prefill > 0) & (decode > 0), "mixed", np.where(prefill > 0, "prefill", "decode"))
    axes.bar(begin, prefill + decode, length, align="edge", color=[_KINDS[k] for k in kinds], edgecolor="white",
             linewidth=0.2)  # fmt: skip
    return (float(begin[0]), float(begin[-1] + length[-1])) if span is None else span


def _draw_requests(axes: Any, run: EngineRun, low: float, high: float) -> None:
    """A line for each completed request that is there at some time from ``low`` to ``high``."""
    assert run.records is not None
    shown = run.records[(run.records[:, 1] < high) & (run.records[:, 3] > low)]
    shown = shown[np.argsort(shown[:, 6], kind="stable")]
    place = np.arange(len(shown))
    axes.hlines(place, shown[:, 1], shown[:, 2], color="0.7", linewidth=0.8)
    axes.hlines(place, shown[:, 2], shown[:, 3], color=_KINDS["decode"], linewidth=1.2)


def save_gantt(path: Path, runs: Mapping[str, Any], span: tuple[float, float] | None = None) -> None:
    """:func:`gantt` as a PDF, SVG or PNG file."""
    save(gantt(runs, span), path)
