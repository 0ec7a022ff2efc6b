"""From a fit to a profile, and a fit beside the constants that a paper prints."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import TOKENS, Law
from qtheory.profiles.files import profile_from_dict
from qtheory.profiles.fitting import FitReport, LawFit, Settings, fit_law
from qtheory.profiles.measurements import Measurements
from qtheory.profiles.robust import CORNER
from qtheory.profiles.schema import HardwareProfile

LOSS = f"soft_l1 at {CORNER} scales; hyperbolic likelihood"
_MILLI = {"s": "ms", "s/token": "ms/token", "s/tile": "ms/tile"}


def profile_from_fit(
    report: FitReport,
    *,
    kind: str | None = None,
    name: str | None = None,
    gpu: str | None = None,
    model: str | None = None,
    note: str | None = None,
) -> HardwareProfile:
    """The profile of one fitted law: of that ``kind``, or of the best by cross-validation.

    ``name``, ``gpu`` and ``model`` default to what the file tells. Raises InputError if the law was not fitted,
    or if the GPU is not known from either.
    """
    data, fitted = report.data, report.best() if kind is None else report.of(kind)
    gpu = gpu_of(data, gpu)
    model = model or data.model
    parts = [gpu, model or "", f"tp{data.tensor_parallel}" if data.tensor_parallel else "", fitted.law.kind]
    return profile_from_dict(
        {
            "name": name or slug(" ".join(parts)),
            "gpu": gpu,
            "model": model,
            "tensor_parallel": data.tensor_parallel,
            "engine": data.provenance.get("engine", "PyTorch" if "torch" in data.provenance else None),
            "engine_version": data.provenance.get("engine_version", data.provenance.get("torch")),
            "source": {"measurements": _source(data), "place": data.provenance.get("tables")},
            "law": _law_table(fitted, data),
            "r_squared": [] if fitted.r_squared is None else [{"value": fitted.r_squared}],
            "fit": _record(report, fitted),
            "kv_cache": _kv_cache(data),
            "leaves_out": list(data.leaves_out),
            "note": note,
        },
        "the fitted profile",
    )


def gpu_of(data: Measurements, gpu: str | None = None) -> str:
    """The GPU as given, else as the file tells; InputError where neither does. It needs no fit, and is asked before."""
    known = gpu or data.gpu
    if known is None:
        raise InputError(f"{data.file}: does not tell the GPU; give --gpu")
    return known


def slug(text: str) -> str:
    """The text as a profile's name: lower-case letters, digits, dots and hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")


def _source(data: Measurements) -> str:
    file = Path(data.file).name
    if data.layout == "vidur":
        return f"microsoft/vidur (MIT licence), {file}"
    if data.layout == "kernels":
        return data.file
    made = [data.provenance.get(key) for key in ("measured_at", "qtheory")]
    return f"{file}, measured {made[0]} by qtheory {made[1]}" if all(made) else file


def _kv_cache(data: Measurements) -> dict[str, float] | None:
    """What the file's provenance says of the KV cache: bytes a token, and how many tokens fit."""
    names = {"tokens": "kv_capacity_tokens", "bytes_per_token": "kv_bytes_per_token"}
    try:
        found = {key: float(data.provenance[name]) for key, name in names.items()}
    except (KeyError, ValueError):
        return None
    return found if min(found.values()) > 0 else None


def _law_table(fitted: LawFit, data: Measurements) -> dict[str, object]:
    law = fitted.law
    table: dict[str, object] = {
        "kind": law.kind,
        "constants": {
            name: {
                "value": float(value),
                "unit": law.units[name],
                "interval": list(fitted.intervals[name]),
                "interval_by": fitted.methods[name],
            }
            for name, value in law.constants.items()
        },
        "covariance": fitted.covariance,
    }
    tokens = data.columns.get(TOKENS)
    if tokens is not None:
        table |= {"tokens_min": float(tokens.min()), "tokens_max": float(tokens.max())}
        if TOKENS not in law.variables and tokens.min() == tokens.max():
            table["tokens"] = float(tokens[0])
    return table


def _record(report: FitReport, fitted: LawFit) -> dict[str, object]:
    settings, data = report.settings, report.data
    points = np.unique(np.stack([data.columns[name] for name in fitted.law.variables], axis=-1), axis=0)
    return {
        "errors": settings.errors,
        "loss": LOSS,
        "scale": fitted.scale,
        "rows": len(data.seconds),
        "points": len(points),
        "aic": fitted.aic,
        "cv_error": fitted.cv_error,
        "cv_median": fitted.cv_median,
        "confidence": settings.confidence,
        "seed": settings.seed,
    }


@dataclass(frozen=True)
class Comparison:
    """A law fitted to the rows up to ``limit`` tokens, beside the printed law on the same rows.

    ``printed_r_squared`` and ``printed_error``: R-squared (in seconds) and mean relative error of the printed
    constants there; ``inside``: for each constant, whether the printed value lies in the fit's interval.
    """

    limit: float
    rows: int
    fitted: LawFit
    printed: Law
    printed_r_squared: float
    printed_error: float

    @property
    def inside(self) -> dict[str, bool]:
        return {
            name: low <= self.printed.constants[name] <= high
            for name, (low, high) in self.fitted.intervals.items()
        }


def compare_with_printed(
    data: Measurements,
    printed: HardwareProfile,
    limits: tuple[float, ...] = (512, 2048, math.inf),
    settings: Settings | None = None,
) -> list[Comparison]:
    """Fit the printed profile's law to ``data`` up to each token limit; raises InputError as the fit does."""
    law, found = printed.law, []
    for limit in limits:
        part = data.tokens_between(most=limit)
        fitted = fit_law(type(law), part, settings or Settings())
        times = law.time(**{name: part.columns[name] for name in law.variables})
        total = float(((part.seconds - part.seconds.mean()) ** 2).sum())
        r_squared = 1 - float(((part.seconds - times) ** 2).sum()) / total
        error = float(np.abs(times / part.seconds - 1).mean())
        found.append(Comparison(limit, len(part.seconds), fitted, law, r_squared, error))
    return found


def comparison_markdown(comparisons: list[Comparison]) -> str:
    """The comparison as a Markdown table: a column a token range, a row a constant, in milliseconds and tokens."""
    printed = comparisons[0].printed
    header = ["constant", "printed", *(f"fit, {_range(c)}" for c in comparisons)]
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    for name, value in printed.constants.items():
        unit = printed.units[name]
        cells = [f"`{name}`, {_MILLI.get(unit, unit)}", _shown(value, unit)]
        for c in comparisons:
            low, high = c.fitted.intervals[name]
            cells.append(f"{_shown(c.fitted.law.constants[name], unit)} [{_shown(low, unit)}, {_shown(high, unit)}]")
        lines.append("| " + " | ".join(cells) + " |")
    quality: dict[str, list[float | None]] = {
        "R² of the fit": [c.fitted.r_squared for c in comparisons],
        "R² of the printed constants": [c.printed_r_squared for c in comparisons],
        "mean relative error of the fit, held out": [c.fitted.cv_error for c in comparisons],
        "mean relative error of the printed constants": [c.printed_error for c in comparisons],
    }
    for what, values in quality.items():
        shown = ["" if v is None else f"{v:.4f}" if what.startswith("R²") else f"{100 * v:.1f} %" for v in values]
        lines.append(f"| {what} | | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def _range(comparison: Comparison) -> str:
    upto = "all" if math.isinf(comparison.limit) else f"up to {comparison.limit:,.0f}"
    return f"{upto} ({comparison.rows} rows)"


def _shown(value: float, unit: str) -> str:
    return f"{value * 1000 if unit in _MILLI else value:#.3g}".rstrip(".")
