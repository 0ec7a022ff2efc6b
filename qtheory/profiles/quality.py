"""How well the laws fit many measurement sets: held-out errors, the best law of each, and which points it misses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.models.laws import LAWS, TOKENS
from qtheory.profiles.fitting import FitReport, LawFit
from qtheory.profiles.measurements import Array
from qtheory.profiles.plotting import STYLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

@dataclass(frozen=True)
class Miss:
    """A stretch of token counts where the held-out prediction errs most: its ends and the median signed error."""

    least: float
    most: float
    error: float


@dataclass(frozen=True)
class Quality:
    """One measurement set with its fits.

    ``miss``: the worst of the bands between powers of two of the token count, by median held-out error of the best
    law (positive: the law predicts too long a time); None where the set has no token counts.
    """

    report: FitReport
    best: LawFit
    miss: Miss | None

    @property
    def name(self) -> str:
        """GPU, model and tensor-parallel degree where the file tells them, else the file."""
        data = self.report.data
        parts = [data.gpu, data.model, f"TP {data.tensor_parallel}" if data.tensor_parallel else None]
        return ", ".join(part for part in parts if part) or Path(data.file).name

    def to_dict(self) -> dict[str, Any]:
        """The set's quality as plain data."""
        data, fits = self.report.data, self.report.fits
        miss = None if self.miss is None else {
            "tokens_min": self.miss.least, "tokens_max": self.miss.most, "error": self.miss.error}
        return {
            "set": self.name, "file": Path(data.file).name, "gpu": data.gpu, "model": data.model,
            "tensor_parallel": data.tensor_parallel, "rows": len(data.seconds),
            "laws": {f.law.kind: {"cv_error": f.cv_error, "cv_median": f.cv_median, "aic": f.aic} for f in fits},
            "not_fitted": self.report.not_fitted, "best": self.best.law.kind, "miss": miss,
        }


def quality(report: FitReport) -> Quality:
    """The best law of a fitted set by cross-validation, and where it misses most."""
    best = report.best()
    tokens = report.data.columns.get(TOKENS)
    miss = None if tokens is None or best.held_out is None else _worst(tokens, np.array(best.held_out))
    return Quality(report, best, miss)


def _worst(tokens: Array, errors: Array) -> Miss:
    """Bands of token counts between powers of two; those of fewer than five rows are left out if any has five."""
    bands = np.floor(np.log2(np.maximum(tokens, 1.0)))
    counts = {band: int((bands == band).sum()) for band in np.unique(bands)}
    wanted = min(5, max(counts.values()))
    found = [
        Miss(float(tokens[bands == band].min()), float(tokens[bands == band].max()),
             float(np.median(errors[bands == band])))
        for band, count in counts.items() if count >= wanted
    ]
    return max(found, key=lambda miss: abs(miss.error))


def markdown(found: Iterable[Quality]) -> str:
    """A Markdown table: a row a set, median held-out errors by law, the best law, and where it misses most."""
    sets = list(found)
    fitted = {f.law.kind for q in sets for f in q.report.fits}
    kinds = [kind for kind in LAWS if kind in fitted]
    header = ["set", "rows", *(kind.replace("_", " ") for kind in kinds), "best", "its mean", "it misses most"]
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    for q in sets:
        by_kind = {f.law.kind: f for f in q.report.fits}
        cells = [q.name, str(len(q.report.data.seconds))]
        cells += [_percent(by_kind[kind].cv_median) if kind in by_kind else "" for kind in kinds]
        cells += [q.best.law.kind.replace("_", " "), _percent(q.best.cv_error), _missing(q.miss)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _missing(miss: Miss | None) -> str:
    return "" if miss is None else f"{miss.least:,.0f} to {miss.most:,.0f} tokens: {100 * miss.error:+.1f} %"


def picture(found: Iterable[Quality], suffix: str) -> bytes:
    """Held-out errors of every law against the token count, a panel a set, in the format of ``suffix``."""
    from matplotlib.figure import Figure

    sets = [q for q in found if TOKENS in q.report.data.columns]
    columns = min(3, len(sets))
    rows = math.ceil(len(sets) / columns)
    figure = Figure(figsize=(3.6 * columns, 2.2 * rows + 0.4), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, q in zip(grid.flat, sets, strict=False):
        _panel(axes, q)
    for axes in list(grid.flat)[len(sets):]:
        axes.set_visible(False)
    figure.supxlabel("tokens in the batch", fontsize="medium")
    figure.supylabel("held out: fitted / measured − 1, %", fontsize="medium")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False, fontsize="small")
    content = BytesIO()
    figure.savefig(content, format=suffix.removeprefix("."), dpi=100)
    return content.getvalue()


def _panel(axes: Axes, q: Quality) -> None:
    tokens = q.report.data.columns[TOKENS]
    order = np.argsort(tokens, kind="stable")
    fits = {f.law.kind: f for f in q.report.fits if f.held_out is not None}
    for (colour, dash), kind in zip(STYLES, [kind for kind in LAWS if kind in fits], strict=False):
        errors = 100 * np.array(fits[kind].held_out)
        best = kind == q.best.law.kind
        axes.plot(tokens[order], errors[order], dash, color=colour, linewidth=1.4 if best else 0.8,
                  alpha=1 if best else 0.75, label=kind.replace("_", " "))
    axes.axhline(0, color="0.6", linewidth=0.6)
    axes.set_title(q.name, fontsize="small")
    axes.set(xscale="log", ylim=(-40, 40))
