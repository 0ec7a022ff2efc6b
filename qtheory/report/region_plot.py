"""The picture of a region of arrival rates: a bar for one rate, polygons for two, slices for three."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.numerics.polytopes import Polytope
from qtheory.report.style import COLUMN, PAGE, SHADES, drawn, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qtheory.networks.regions import Region

SLICES = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))  # of the largest third rate
ROOM = 1.15  # how far the axes go beyond the corners
WORDS = {"stable": "stable", "unstable": "not stable", "undecided": "undecided", "overloaded": "an engine overloaded"}


def picture(region: Region, suffix: str) -> bytes:
    """The region as PDF, PNG, SVG or a page of HTML, by ``suffix``."""
    if len(region.axes) < 3:
        return drawn(lambda figure: _plane(figure, region), (COLUMN, 1.3 if len(region.axes) == 1 else 3.4), suffix)
    return drawn(lambda figure: _slices(figure, region), (PAGE, 2.6), suffix)


def _most(region: Region) -> list[float]:
    """The largest rate on each axis at which no engine is overloaded; 1 where there is none."""
    if region.whole is None:
        return [1.0] * len(region.axes)
    return [float(max(v[i] for v in region.whole.vertices)) for i in range(len(region.axes))]


def _label(region: Region, axis: int) -> str:
    name = words(region.axes[axis])
    return "factor of all arrival rates" if region.axes == ("factor",) else f"rate of {name} (requests/s)"


def _plane(figure: Figure, region: Region) -> None:
    axes = figure.subplots()
    most = _most(region)
    if len(region.axes) == 1:
        _ground(axes, ROOM * most[0], 1.0)
        for verdict, some in _by_verdict(region).items():
            for p in some:
                low, high = (float(v[0]) for v in (p.vertices[0], p.vertices[-1]))
                _fill(axes, [(low, 0.0), (high, 0.0), (high, 1.0), (low, 1.0)], verdict)
        axes.set(yticks=[], xlabel=_label(region, 0))
        axes.spines["left"].set_visible(False)
    else:
        _ground(axes, ROOM * most[0], ROOM * most[1])
        _polygons(axes, _by_verdict(region))
        axes.set(xlabel=_label(region, 0), ylabel=_label(region, 1))
    _legend(figure, region, 2)


def _slices(figure: Figure, region: Region) -> None:
    panels = figure.subplots(1, len(SLICES), sharey=True)
    most = _most(region)
    top = Fraction(0) if region.whole is None else max(v[2] for v in region.whole.vertices)
    for axes, share in zip(panels, SLICES, strict=True):
        third = share * top
        _ground(axes, ROOM * most[0], ROOM * most[1])
        _polygons(axes, {v: [_slice(p, third) for p in some] for v, some in _by_verdict(region).items()})
        axes.set(xlabel=_label(region, 0))
        axes.set_title(f"{_label(region, 2)}: {float(third):.4g}")
    panels[0].set(ylabel=_label(region, 1))
    _legend(figure, region, 4)


def _slice(body: Polytope, third: Fraction) -> Polytope:
    """What of a body has this third rate, over the first two."""
    return Polytope(tuple((s[0] + s[3] * third, s[1], s[2]) for s in body.sides))


def _by_verdict(region: Region) -> dict[str, list[Polytope]]:
    return {v: region.merged(v) for v in ("stable", "unstable", "undecided")}


def _polygons(axes: Axes, found: dict[str, list[Polytope]]) -> None:
    for verdict, some in found.items():
        for polygon in some:
            if len(polygon.vertices) > 2:
                _fill(axes, [(float(x), float(y)) for x, y in polygon.vertices], verdict)


def _ground(axes: Axes, right: float, top: float) -> None:
    axes.set(xlim=(0, right), ylim=(0, top), facecolor=SHADES["overloaded"])


def _fill(axes: Axes, corners: Sequence[tuple[float, float]], verdict: str) -> None:
    """The polygon, and its outline as a line whose corners a page can tell."""
    from matplotlib.patches import Polygon

    hatch = "////" if verdict == "undecided" else None
    axes.add_patch(Polygon(corners, closed=True, facecolor=SHADES[verdict], edgecolor="0.6", hatch=hatch, linewidth=0))
    x, y = zip(*corners, corners[0], strict=True)
    axes.plot(x, y, color="black", linewidth=0.6, label=WORDS[verdict], clip_on=False)


def _legend(figure: Figure, region: Region, columns: int) -> None:
    from matplotlib.patches import Patch

    there = [v for v in ("stable", "unstable", "undecided") if region.merged(v)]
    shown = [Patch(facecolor=SHADES[v], edgecolor="0.6", hatch="////" if v == "undecided" else None, label=WORDS[v],
                   linewidth=0.6) for v in (*there, "overloaded")]
    figure.legend(handles=shown, loc="outside lower center", ncols=columns)
