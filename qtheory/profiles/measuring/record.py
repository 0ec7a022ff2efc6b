"""A measuring run as files: the raw CSV with its provenance, and the profiles fitted from its series."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError
from qtheory.models.laws import LAWS, MixedQuadraticLaw
from qtheory.profiles.fitted import profile_from_fit
from qtheory.profiles.fitting import FitReport, LawFit, Settings, fit_law
from qtheory.profiles.measurements import parse, series_names
from qtheory.profiles.mixing import shown, with_interval
from qtheory.profiles.schema import HardwareProfile

if TYPE_CHECKING:
    from qtheory.profiles.measuring.design import Point
    from qtheory.profiles.measuring.harness import Run

HEADER = (
    "series", "kind", "tokens", "decode_ratio", "resident_tokens", "decode_requests", "context", "chunk",
    "chunk_context", "repeat", "order", "mode", "attention", "seconds",
)
_BY_TOKENS = ("affine", "piecewise_linear", "concave", "staircase")
# The profile's ending, the series that determine it, and the laws of which the best by held-out error is taken.
_FITS = (
    ("", ("prefill", "decode"), ("prefill_decode",)),
    ("prefill", ("prefill",), _BY_TOKENS),
    ("decode", ("decode",), _BY_TOKENS),
    ("memory", ("context",), ("memory_linear",)),
)


def csv_text(run: Run) -> str:
    """The raw CSV: provenance in lines ``# key: value``, then one row a repetition, in the order of measuring."""
    out = StringIO()
    for key, value in run.provenance.items():
        out.write(f"# {key}: {' '.join(value.split())}\n")
    for point, reason in run.skipped.items():
        out.write(f"# skipped: {_described(point)}: {reason}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    seen: dict[Point, int] = {}
    for order, point in enumerate(run.order):
        repeat = seen[point] = seen.get(point, -1) + 1
        mode, attention = run.modes[point]
        writer.writerow([
            point.series, point.kind, point.tokens, f"{point.decode_ratio:.6g}", point.resident_tokens,
            point.decode_requests, point.context, point.chunk, point.chunk_context, repeat, order, mode, attention,
            f"{run.seconds[point][repeat]:.7g}",
        ])
    return out.getvalue()


def _described(point: Point) -> str:
    return (f"series {point.series}, {point.decode_requests} decode requests at {point.context} tokens, chunk of "
            f"{point.chunk} after {point.chunk_context}")


@dataclass(frozen=True)
class Fitted:
    """The profile fitted from some series, or the ``reason`` why there is none."""

    name: str
    series: tuple[str, ...]
    profile: HardwareProfile | None
    fit: LawFit | None
    reason: str | None

    @property
    def crossover(self) -> str | None:
        """For a mixed series: the decode ratio from which mixing costs more than pure decode, and its interval."""
        if self.profile is None or self.profile.kind != MixedQuadraticLaw.kind:
            return None
        return shown(*with_interval(self.profile))


def fitted(text: str, file: str, name: str, settings: Settings | None = None) -> list[Fitted]:
    """The profiles of a raw CSV: the pair (``name`` itself), the best laws by tokens, by memory, and mixed batches."""
    present = series_names(text, file)
    mixed = tuple((series, (series,), ("mixed_quadratic",)) for series in present if series.startswith("mixed-"))
    found = []
    for ending, series, kinds in (*_FITS, *mixed):
        full = f"{name}-{ending}" if ending else name
        missing = [one for one in series if one not in present]
        try:
            if missing:
                raise InputError(f"nothing measured of the series {', '.join(missing)}")
            report = _report(text, file, series, kinds, settings or Settings())
            best = report.best()
            profile = profile_from_fit(report, kind=best.law.kind, name=full)
            found.append(Fitted(full, series, profile, best, None))
        except InputError as error:
            found.append(Fitted(full, series, None, None, str(error)))
    return found


def _report(text: str, file: str, series: tuple[str, ...], kinds: tuple[str, ...], settings: Settings) -> FitReport:
    data = parse(text, file, series=series)
    fits, reasons = [], {}
    for kind in kinds:
        try:
            fits.append(fit_law(LAWS[kind], data, settings))
        except InputError as error:
            reasons[kind] = str(error)
    if not fits:
        raise InputError("; ".join(reasons.values()))
    return FitReport(data, settings, tuple(sorted(fits, key=lambda f: f.aic)), reasons)


def summary(run: Run, found: list[Fitted]) -> dict[str, Any]:
    """The run and its profiles as plain data."""
    return {
        "provenance": run.provenance,
        "points": [
            {"series": point.series, "kind": point.kind, "tokens": point.tokens, "decode_ratio": point.decode_ratio,
             "resident_tokens": point.resident_tokens, "seconds": middle, "relative_iqr": spread}
            for point, (middle, spread) in run.medians().items()
        ],
        "skipped": [{"point": _described(point), "reason": reason} for point, reason in run.skipped.items()],
        "profiles": [
            {"name": f.name, "series": list(f.series), "law": f.fit.law.kind if f.fit else None, "reason": f.reason,
             "cv_median": f.fit.cv_median if f.fit else None, "crossover": f.crossover}
            for f in found
        ],
    }


def lines(run: Run, found: list[Fitted]) -> list[str]:
    """The run and its profiles for reading."""
    noted = run.provenance
    spreads = sorted(spread for _, spread in run.medians().values())
    text = [
        f"{noted['model']} on {noted['gpu']}: {len(run.seconds)} points, {noted['rounds']} repetitions, "
        f"{noted['run_seconds']} s",
        f"spread (interquartile range over median): {100 * spreads[len(spreads) // 2]:.1f} % at the middle point, "
        f"{100 * spreads[-1]:.1f} % at the worst",
        f"KV cache: {run.kv_bytes_per_token:g} bytes a token; {run.capacity_tokens:,} tokens fit beside the weights",
        *(f"skipped: {_described(point)}: {reason}" for point, reason in run.skipped.items()),
    ]
    for f in found:
        if f.fit is None:
            text.append(f"{f.name}: not fitted: {f.reason}")
            continue
        held = "" if f.fit.cv_median is None else f", held-out median error {100 * f.fit.cv_median:.1f} %"
        cross = "" if f.crossover is None else f", costs more than pure decode from a decode ratio of: {f.crossover}"
        text.append(f"{f.name}: {f.fit.law.kind}{held}{cross}")
    return text
