"""How well the laws fit many measurement sets: held-out errors, the best law of each, and which points it misses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import DECODE, LAWS, RATIO, RESIDENT, TOKENS
from qtheory.profiles.estimating import ALIKE
from qtheory.profiles.fitting import FitReport, LawFit
from qtheory.profiles.measurements import Array
from qtheory.profiles.mixing import Crossover, cell, crossover
from qtheory.profiles.plotting import STYLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

@dataclass(frozen=True)
class Miss:
    """Where the best law's held-out predictions err most.

    ``least`` and ``most``: the ends of the band of token counts with the greatest median size of error ``size``;
    ``error``: the greatest single error, at ``tokens`` (positive: the law predicts too long a time).
    """

    least: float
    most: float
    size: float
    tokens: float
    error: float


@dataclass(frozen=True)
class Quality:
    """One measurement set with its fits.

    ``miss``: where the best law errs most; None where the set has no token counts, or one. ``crossover``: of a mixed
    series, the decode ratio from which mixing costs more.
    """

    report: FitReport
    best: LawFit
    miss: Miss | None
    crossover: Crossover | None = None

    @property
    def name(self) -> str:
        """GPU, engine, model, tensor-parallel degree and series where the file tells them, else the file."""
        data = self.report.data
        degree = f"TP {data.tensor_parallel}" if data.tensor_parallel else None
        parts = [data.gpu, data.provenance.get("engine"), data.model, degree, " and ".join(data.series)]
        return ", ".join(part for part in parts if part) or Path(data.file).name

    def to_dict(self) -> dict[str, Any]:
        """The set's quality as plain data."""
        data, fits = self.report.data, self.report.fits
        return {
            "set": self.name, "file": Path(data.file).name, "gpu": data.gpu, "model": data.model,
            "tensor_parallel": data.tensor_parallel, "rows": len(data.seconds),
            "laws": {f.law.kind: {"cv_error": f.cv_error, "cv_median": f.cv_median, "aic": f.aic} for f in fits},
            "not_fitted": self.report.not_fitted, "best": self.best.law.kind,
            "miss": None if self.miss is None else asdict(self.miss),
            "critical_rate_errors": capacity_errors(self.report),
            "crossover": None if self.crossover is None else self.crossover.to_dict(),
        }


def quality(report: FitReport) -> Quality:
    """The best law of a fitted set by cross-validation, and where it misses most."""
    best = report.best()
    tokens = report.data.columns.get(TOKENS)
    if tokens is None or best.held_out is None or not np.ptp(tokens):
        return Quality(report, best, None, crossover(report))
    return Quality(report, best, worst_band(tokens, np.array(best.held_out)))


def worst_band(tokens: Array, errors: Array) -> Miss:
    """Over bands between powers of two; those of fewer than five rows are left out if any has five."""
    bands = np.floor(np.log2(np.maximum(tokens, 1.0)))
    names, counts = np.unique(bands, return_counts=True)
    rows = [bands == name for name, count in zip(names, counts, strict=True) if count >= min(5, counts.max())]
    band = max(rows, key=lambda row: float(np.median(np.abs(errors[row]))))
    at = int(np.argmax(np.abs(errors)))
    return Miss(float(tokens[band].min()), float(tokens[band].max()), float(np.median(np.abs(errors[band]))),
                float(tokens[at]), float(errors[at]))


ADEQUATE = 0.05  # error of the critical rate up to which a law serves a conclusion on stability or throughput


def capacity_errors(report: FitReport) -> dict[str, float]:
    """By law, how far the critical rate is off that follows from it: of full iterations alone, the upper octave of the
    token counts, the median held-out time against the measured one.

    A full iteration's time is all that the papers' stability and throughput conclusions take from the law: the critical
    rate is the tokens of a full iteration over its time.
    """
    tokens = report.data.columns.get(TOKENS)
    if tokens is None:
        return {}
    full = tokens > tokens.max() / 2
    return {f.law.kind: float(1 / (1 + np.median(np.array(f.held_out)[full])) - 1)
            for f in report.fits if f.held_out is not None}


def capacity_markdown(found: Iterable[Quality]) -> str:
    """A Markdown table: a row a set, by law the error of the critical rate, and which laws are within 5 percent."""
    rows = [(q.name, capacity_errors(q.report)) for q in found]
    kinds = [kind for kind in LAWS if any(kind in errors for _, errors in rows)]
    lines = ["| set | " + " | ".join(kind.replace("_", " ") for kind in kinds) + " | adequate |",
             "|" + " --- |" * (len(kinds) + 2)]
    for name, errors in rows:
        good = [kind.replace("_", " ") for kind in kinds if abs(errors.get(kind, 1.0)) <= ADEQUATE]
        cells = [f"{100 * errors[kind]:+.1f} %" if kind in errors else "" for kind in kinds]
        lines.append(f"| {cell(name)} | " + " | ".join(cells) + f" | {', '.join(good) or 'none'} |")
    return "\n".join(lines) + "\n"


BANDS = (1, 16, 64, 256, 1024, 4096)  # lower ends of the bands of token counts in `bands_markdown`


def bands_markdown(found: Iterable[Quality]) -> str:
    """A Markdown table over all sets: for each law and band of token counts the median and the 95th percentile of
    the size of the held-out errors."""
    reports = [q.report for q in found if TOKENS in q.report.data.columns]
    ends = (*BANDS[1:], math.inf)
    heads = [f"{low:,} to {high - 1:,}" if high < math.inf else f"{low:,} and more"
             for low, high in zip(BANDS, ends, strict=True)]
    lines = ["| law | " + " | ".join(heads) + " |", "|" + " --- |" * (len(heads) + 1)]
    for kind in LAWS:
        fits = [(r.data.columns[TOKENS], np.abs(f.held_out)) for r in reports for f in r.fits
                if f.law.kind == kind and f.held_out is not None]
        if not fits:
            continue
        tokens, errors = (np.concatenate(part) for part in zip(*fits, strict=True))
        parts = [errors[(tokens >= low) & (tokens < high)] for low, high in zip(BANDS, ends, strict=True)]
        cells = [f"{_percent(float(np.median(p)))}, {_percent(float(np.quantile(p, 0.95)))}" if p.size else ""
                 for p in parts]
        lines.append(f"| {kind.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def markdown(found: Iterable[Quality]) -> str:
    """A Markdown table: a row a set, median held-out errors by law, the best law, and where it misses most."""
    sets = list(found)
    # A law that bends where no bend is told apart keeps its column, empty: the rows of other sets are then the same.
    straight = {kind for q in sets for kind, why in q.report.not_fitted.items() if why.endswith(ALIKE)}
    fitted = {f.law.kind for q in sets for f in q.report.fits} | straight
    kinds = [kind for kind in LAWS if kind in fitted]
    header = ["set", "rows", *(kind.replace("_", " ") for kind in kinds), "best", "its mean", "it misses most"]
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    for q in sets:
        by_kind = {f.law.kind: f for f in q.report.fits}
        cells = [cell(q.name), str(len(q.report.data.seconds))]
        cells += [_percent(by_kind[kind].cv_median) if kind in by_kind else "" for kind in kinds]
        cells += [q.best.law.kind.replace("_", " "), _percent(q.best.cv_error), _missing(q.miss)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _missing(miss: Miss | None) -> str:
    if miss is None:
        return ""
    return (f"{miss.least:,.0f} to {miss.most:,.0f} tokens: {_percent(miss.size)}; "
            f"{100 * miss.error:+.0f} % at {miss.tokens:,.0f}")


_AXES = {TOKENS: "tokens in the batch", RESIDENT: "tokens in the KV cache", RATIO: "decode ratio"}


def picture(found: Iterable[Quality], suffix: str) -> bytes:
    """Held-out errors of every law, a panel a set, in the format of ``suffix``: against the token count, or where
    that does not vary against the tokens in memory or the decode ratio."""
    from matplotlib.figure import Figure

    sets = [(q, axis) for q in found if (axis := _axis(q)) is not None]
    if not sets:
        raise InputError("nothing to draw: no set has a column that varies and a law with held-out errors")
    columns = min(3, len(sets))
    rows = math.ceil(len(sets) / columns)
    figure = Figure(figsize=(3.6 * columns, 2.2 * rows + 0.4), layout="constrained")
    one = len({axis for _, axis in sets}) == 1
    grid = figure.subplots(rows, columns, sharex=one, sharey=True, squeeze=False)
    used = [kind for kind in LAWS if any(f.law.kind == kind and f.held_out for q, _ in sets for f in q.report.fits)]
    # more laws than styles: the colours again, in other dashes
    styles = dict(zip(used, (*STYLES, *((colour, dash) for dash in (":", "--") for colour, _ in STYLES)), strict=False))
    for axes, (q, axis) in zip(grid.flat, sets, strict=False):
        _panel(axes, q, axis, styles)
        if not one:
            axes.set_xlabel(_AXES[axis], fontsize="small")
    for axes in list(grid.flat)[len(sets):]:
        axes.set_visible(False)
    if one:
        figure.supxlabel(_AXES[sets[0][1]], fontsize="medium")
    figure.supylabel("held out: fitted / measured − 1, %", fontsize="medium")
    handles: dict[str, Any] = {}
    for axes in grid.flat:
        handles |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=len(handles), frameon=False,
                  fontsize="small")
    content = BytesIO()
    figure.savefig(content, format=suffix.removeprefix("."), dpi=100)
    return content.getvalue()


def _axis(q: Quality) -> str | None:
    """The variable of the best law that varies in the set, else that of another law with held-out errors."""
    columns = q.report.data.columns
    laws = [q.best, *q.report.fits]
    wanted = [name for f in laws if f.held_out is not None for name in _AXES if name in f.law.variables]
    return next((name for name in wanted if np.ptp(columns[name])), None)


def _panel(axes: Axes, q: Quality, axis: str, styles: dict[str, tuple[str, str]]) -> None:
    x = q.report.data.columns[axis]
    phase = q.report.data.columns.get(DECODE, np.zeros(len(x)))
    phases = [np.flatnonzero(phase == each) for each in np.unique(phase)]
    lines = [rows[np.argsort(x[rows], kind="stable")] for rows in phases]
    worst = 0.0
    for f in sorted(q.report.fits, key=lambda f: list(LAWS).index(f.law.kind)):
        if f.held_out is None:
            continue
        (colour, dash), best = styles[f.law.kind], f.law.kind == q.best.law.kind
        errors = 100 * np.array(f.held_out)
        worst = max(worst, float(np.abs(errors).max()))
        for i, rows in enumerate(lines):
            axes.plot(x[rows], errors[rows], dash, color=colour, linewidth=1.4 if best else 0.8,
                      alpha=1 if best else 0.75, label=None if i else f.law.kind.replace("_", " "))
    axes.axhline(0, color="0.6", linewidth=0.6)
    axes.set_title(q.name, fontsize="small")
    axes.set(xscale="linear" if axis == RATIO else "log", ylim=(-40, 40))
    if worst > 40:
        axes.annotate(f"up to {worst:.0f} % outside", (0.98, 0.95), xycoords="axes fraction", ha="right", va="top",
                      fontsize="x-small", color="0.3")
