"""Agent networks drawn: a column an engine, a row a visit of it, a colour a request type."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qtheory.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qtheory.models.network import AgentNetwork

_STYLES = ("-", "--", "-.", ":")  # with the colours, so that types can be told apart in grey
_APART = 2.0  # engines, whose boxes are 1 wide; rows are 0.6 apart


def draw(network: AgentNetwork, path: str | Path | None = None) -> Figure:
    """The network as a matplotlib figure; saved by ``path``'s ending. InputError where that cannot be written."""
    from matplotlib.figure import Figure

    rows = max((sum(map(len, groups)) for groups in network.groups.values()), default=1)
    figure = Figure(figsize=(2.0 * len(network.engines) + 1.0, 0.75 * rows + 1.4), layout="constrained")
    axes = figure.subplots()
    places = _places(network)
    _engines(axes, network, rows)
    for number, t in enumerate(network.types):
        colour, style = f"C{number % 10}", _STYLES[number % len(_STYLES)]
        for v in t.visits:
            x, y = places[v.name]
            axes.text(x, y, f"{v.name}\n{v.length} tokens", ha="center", va="center", fontsize=8, parse_math=False,
                      bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": colour, "linestyle": style})
            for to, share in network.routing[v.name].items():
                label = "" if share == 1 else str(share)
                if to == v.name:
                    axes.text(x + 0.5, y, f"again: {label}", ha="left", va="center", fontsize=7, color=colour)
                else:
                    _arrow(axes, (x, y), places[to], colour, style, label=label)
            if network.arrivals[v.name]:
                axes.text(x - 0.95, y, f"{t.name}\n{t.rate}/s", ha="center", va="center", fontsize=8, color=colour,
                          parse_math=False)
                _arrow(axes, (x - 0.8, y), (x, y), colour, style, bend=0.0)
    axes.set(xlim=(-1.2, _APART * len(network.engines) - 1.3), ylim=(-0.6 * rows + 0.1, 0.95))
    axes.set_axis_off()
    axes.set_title(network.title, fontsize=10, parse_math=False)
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be drawn: {getattr(error, 'strerror', None) or error}") from None
    return figure


def _places(network: AgentNetwork) -> dict[str, tuple[float, float]]:
    """The middle of each visit's box: those that come first at their engine stand on top."""
    places: dict[str, tuple[float, float]] = {}
    for column, e in enumerate(network.engines):
        names = [n for group in network.groups[e.name] for n in group]
        places |= {n: (_APART * column, -0.6 * row) for row, n in enumerate(names)}
    return places


def _engines(axes: Axes, network: AgentNetwork, rows: int) -> None:
    from matplotlib.patches import Rectangle

    for column, e in enumerate(network.engines):
        axes.add_patch(Rectangle((_APART * column - 0.5, -0.6 * rows + 0.25), 1.0, 0.6 * rows + 0.1, facecolor="0.94",
                                 edgecolor="0.5", zorder=0))
        policy = "priority from the top" if e.priority else e.policy
        axes.text(_APART * column, 0.42, f"{e.name}\n{e.rate} tokens/s\n{policy}", ha="center", va="bottom", fontsize=8,
                  parse_math=False)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, style: str,
           bend: float = 0.15, label: str = "") -> None:
    axes.annotate("", end, start, zorder=1, arrowprops={
        "arrowstyle": "->", "color": colour, "linestyle": style, "shrinkA": 2 if bend == 0 else 26, "shrinkB": 28,
        "connectionstyle": f"arc3,rad={bend}"})
    if label:
        axes.text((2 * start[0] + end[0]) / 3, (2 * start[1] + end[1]) / 3, label, fontsize=7, color=colour)
