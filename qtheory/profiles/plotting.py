"""The picture of a fit: measured iteration times, the fitted laws, and what they miss."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.models.laws import DECODE, TOKENS
from qtheory.profiles.fitting import FitReport, LawFit
from qtheory.profiles.measurements import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXIS = {"tokens": "tokens in the batch", "resident_tokens": "tokens in the KV cache", "decode_ratio": "decode ratio"}
# Okabe and Ito's colours, told apart by the colour-blind; lines also differ in dash.
STYLES = (("#0072B2", "-"), ("#D55E00", "--"), ("#009E73", "-."), ("#CC79A7", ":"), ("#E69F00", "-"))
_FORMATS = (".pdf", ".png", ".svg")


def check_format(path: str | Path, *others: str) -> None:
    """Raise InputError unless the path ends in a format that can be drawn, or in one of the ``others``."""
    if Path(path).suffix not in (*_FORMATS, *others):
        raise InputError(f"{path}: a plot ends in {', '.join((*_FORMATS, *others))}")


def plot_fit(report: FitReport, path: str | Path) -> None:
    """Draw the fit into a PDF, PNG or SVG file; raises InputError for another ending or a file not writable."""
    check_format(path)
    write_whole(path, picture(report, Path(path).suffix))


def picture(report: FitReport, suffix: str) -> bytes:
    """Measurements and fitted laws against each variable, residuals below, in the format of ``suffix``."""
    from matplotlib.figure import Figure

    axes = [v for v in _AXIS if any(v in fitted.law.variables for fitted in report.fits)]
    figure = Figure(figsize=(5.2 * len(axes), 5.0), layout="constrained")
    grid = figure.subplots(2, len(axes), sharex="col", squeeze=False, height_ratios=(2.2, 1))
    for column, variable in enumerate(axes):
        _draw(report, variable, grid[0, column], grid[1, column])
    content = BytesIO()
    figure.savefig(content, format=suffix.removeprefix("."), dpi=200)
    return content.getvalue()


def _draw(report: FitReport, variable: str, top: Axes, bottom: Axes) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    data = report.data
    x = data.columns[variable]
    scale = 1000.0 if data.seconds.max() < 100 else 1.0
    top.plot(x, scale * data.seconds, ".", color="0.35", markersize=3.5, label="measured", zorder=1)
    fits = [fitted for fitted in report.fits if variable in fitted.law.variables]
    for (colour, dash), fitted in zip(STYLES * 2, fits, strict=False):
        times = fitted.law.time(**{name: data.columns[name] for name in fitted.law.variables})
        for grid, curve, label in _curves(fitted, data.columns, variable):
            top.plot(grid, scale * curve, dash, color=colour, linewidth=1.3, label=label, zorder=2)
        miss = 100 * (data.seconds / times - 1)
        bottom.plot(x, miss, ".", color=colour, markersize=3, alpha=0.7)
    bottom.axhline(0, color="0.6", linewidth=0.8)
    bottom.set(xlabel=_AXIS[variable], ylabel="measured − fitted, %")
    top.set(ylabel=f"iteration time, {'ms' if scale == 1000 else 's'}")
    top.legend(frameon=False, fontsize="small")
    if variable != "decode_ratio" and x.min() > 0 and x.max() / x.min() > 50:
        top.set(xscale="log", yscale="log")
        for axis, values in ((top.yaxis, scale * data.seconds), (bottom.xaxis, x)):
            crowded = values.max() / values.min() > 1000
            axis.set_major_locator(LogLocator(subs=(1,) if crowded else (1, 2, 5)))
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())


def _curves(fitted: LawFit, columns: dict[str, Array], variable: str) -> list[tuple[Array, Array, str]]:
    """The law over the range of one variable: one curve, or one for prefill and one for decode."""
    law, kind = fitted.law, fitted.law.kind.replace("_", " ")
    if DECODE not in law.variables:
        values = columns[variable]
        grid = np.unique(np.concatenate([np.geomspace(max(values.min(), 1e-3), values.max(), 600), values]))
        return [(grid, law.time(**{variable: grid}), kind)]
    curves = []
    for flag, phase in ((0, "prefill"), (1, "decode")):
        values = columns[TOKENS][columns[DECODE] == flag]
        grid = np.geomspace(values.min(), values.max(), 300)
        curves.append((grid, law.time(grid, flag), f"{kind}: {phase}"))
    return curves
