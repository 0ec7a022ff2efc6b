"""The style of the plots: sized for a column, in colours and dashes that the colour-blind tell apart, as vectors."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from qtheory.profiles.plotting import STYLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLUMN", "PAGE", "STYLES", "drawn"]

COLUMN, PAGE = 3.4, 7.0  # inches: the width of a column, and of the text of two
SETTINGS: dict[Any, Any] = {
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
    "legend.fontsize": 7, "legend.frameon": False, "axes.linewidth": 0.6, "lines.linewidth": 1.2,
    "axes.spines.top": False, "axes.spines.right": False, "mathtext.fontset": "stix", "font.family": "STIXGeneral",
    "pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "qtheory", "figure.constrained_layout.use": True,
}


def drawn(draw: Callable[[Figure], None], size: tuple[float, float], suffix: str) -> bytes:
    """The picture of that size (inches) that ``draw`` puts into a figure, as PDF, PNG, SVG or a page of HTML by
    ``suffix``."""
    import matplotlib
    from matplotlib.figure import Figure

    form = "svg" if suffix == ".html" else suffix.removeprefix(".")
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    content = BytesIO()
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=size)
        draw(figure)
        figure.savefig(content, format=form, dpi=300, metadata=undated.get(form))
        if suffix == ".html":
            from qtheory.report.interactive import page

            return page(figure, content.getvalue(), "qtheory: a plot")
    return content.getvalue()
