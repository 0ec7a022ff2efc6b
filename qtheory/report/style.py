"""The style of the plots: sized for a column, in colours and dashes that the colour-blind tell apart, as vectors."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.profiles.plotting import STYLES
from qtheory.proofs.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLUMN", "PAGE", "SETTINGS", "SHADES", "STYLES", "drawn", "encoded", "save", "words"]

# Of what is known of a network's stability
SHADES = {"stable": "#d6e6f2", "unstable": "#f6d7c3", "overloaded": "#d9d9d9", "undecided": "#ffffff"}
COLUMN, PAGE = 3.4, 7.0  # inches: the width of a column, and of the text of two
SETTINGS: dict[Any, Any] = {
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
    "legend.fontsize": 7, "legend.frameon": False, "axes.linewidth": 0.6, "lines.linewidth": 1.2,
    "axes.spines.top": False, "axes.spines.right": False, "mathtext.fontset": "stix", "font.family": "STIXGeneral",
    "pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "qtheory", "figure.constrained_layout.use": True,
}


def words(text: str) -> str:
    """A name or title from a file as matplotlib is to write it: a dollar sign in it begins no mathematics."""
    return visible(text).replace("$", r"\$")


def drawn(draw: Callable[[Figure], None], size: tuple[float, float], suffix: str) -> bytes:
    """The picture of that size (inches) that ``draw`` puts into a figure, as PDF, PNG, SVG or a page of HTML by
    ``suffix``."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=size)
        draw(figure)
    return encoded(figure, suffix)


def encoded(figure: Figure, suffix: str) -> bytes:
    """The figure, made under `SETTINGS`, in the format of ``suffix``."""
    import matplotlib

    form = "svg" if suffix == ".html" else suffix.removeprefix(".")
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    content = BytesIO()
    with matplotlib.rc_context(SETTINGS):
        figure.savefig(content, format=form, dpi=300, metadata=undated.get(form))
        if suffix == ".html":
            from qtheory.report.interactive import page

            return page(figure, content.getvalue(), "qtheory: a plot")
    return content.getvalue()


def save(figure: Figure, path: Path) -> None:
    """The figure as a file, whole or not there, in a folder that is made; InputError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    write_whole(path, encoded(figure, path.suffix))
