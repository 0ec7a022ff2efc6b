"""Which words of a picture lie on each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text

from qtheory.report.style import SETTINGS

POINTS = 1.0  # by which boxes may overlap: they have a margin


def words(figure: Figure) -> Iterator[Text]:
    """Every text that is drawn: of the ticks only those in view."""
    of_axes = set[Text]()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        of_axes |= set(axis.findobj(Text))
        if not axis.get_visible():
            continue
        yield axis.label
        low, high = sorted(axis.get_view_interval())
        for minor in (False, True):
            labels, places = axis.get_ticklabels(minor=minor), axis.get_ticklocs(minor=minor)
            yield from (t for t, at in zip(labels, places, strict=False) if low <= at <= high)
    yield from (t for t in figure.findobj(Text) if t not in of_axes)


def collisions(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap."""
    with matplotlib.rc_context(SETTINGS):
        figure.draw_without_rendering()
        boxes: list[tuple[str, Any]] = [(t.get_text(), t.get_window_extent()) for t in words(figure)
                                        if t.get_visible() and t.get_text().strip()]
    return [(s, t) for (s, a), (t, b) in combinations(boxes, 2)
            if min(a.x1, b.x1) - max(a.x0, b.x0) > POINTS and min(a.y1, b.y1) - max(a.y0, b.y0) > POINTS]
