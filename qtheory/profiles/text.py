"""Profiles and fit reports as lines of text and as plain data."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from qtheory.models.laws import law_type
from qtheory.profiles.schema import Constant, HardwareProfile

if TYPE_CHECKING:  # to list profiles takes no fitting
    from qtheory.profiles.fitting import FitReport, LawFit


def profile_summary(profile: HardwareProfile) -> dict[str, Any]:
    """What ``qtheory profile list`` tells of a profile."""
    return {
        "name": profile.name,
        "gpu": profile.gpu,
        "model": profile.model,
        "law": profile.kind,
        "complete": profile.complete,
        "constants": profile.law.constants if profile.complete else {},
        "missing": profile.missing,
    }


def profile_lines(profile: HardwareProfile) -> list[str]:
    """A profile for reading: what it is, its source, its law with every constant, and what it leaves out."""
    parallel = f", {profile.tensor_parallel} GPU(s) tensor-parallel" if profile.tensor_parallel else ""
    lines = [f"{profile.name}: {profile.model or 'no model'} on {profile.gpu}{parallel}"]
    if profile.engine:
        lines.append(f"engine    {profile.engine} {profile.engine_version or ''}".rstrip())
    source = profile.source
    lines.append(f"source    {', '.join(x for x in (source.measurements or source.paper, source.place) if x)}")
    if source.quote:
        lines.append(f"          “{source.quote}”")
    lines += _law_lines(profile)
    for r in profile.r_squared:
        upto = f" up to {r.tokens_max:g} tokens" if r.tokens_max else ""
        lines.append(f"R²        {r.relation} {r.value:.6g}{upto}" + (f" ({r.place})" if r.place else ""))
    if profile.fit:
        held = f", held-out error {100 * profile.fit.cv_error:.2f} %" if profile.fit.cv_error is not None else ""
        lines.append(f"fit       {profile.fit.rows} rows, {profile.fit.errors} errors, {profile.fit.loss}{held}")
    for table, label in ((profile.kv_cache, "KV cache"), (profile.gpu_data, "GPU data")):
        if table is not None:
            known = table.model_dump(exclude_none=True).items()
            shown = (f"{key} {value:,.10g}" if isinstance(value, float) else f"{key}: {value}" for key, value in known)
            lines.append(f"{label}  " + ", ".join(shown))
    if profile.leaves_out:
        lines.append("left out  " + "; ".join(profile.leaves_out))
    if profile.note:
        lines.append(f"note      {profile.note}")
    return lines


def _law_lines(profile: HardwareProfile) -> list[str]:
    table = profile.law_table
    if table is None:
        return []
    law = law_type(table.kind)
    lines = [f"law       {table.kind}: {law.symbolic()}  [{law.source}]"]
    if table.tokens:
        lines.append(f"          for batches of {table.tokens:g} tokens")
    lines += [f"  {name} = {_constant(constant)}" for name, constant in table.constants.items()]
    if table.covariance:
        lines.append(f"  with the covariance of {', '.join(table.covariance.constants)}")
    if profile.missing:
        lines.append(f"  not given: {', '.join(profile.missing)}")
    return lines


def profile_html(profile: HardwareProfile) -> str:
    """What a notebook shows of a profile: a row for each constant, its law and its source."""
    table, source = profile.law_table, profile.source
    where = ", ".join(x for x in (source.measurements or source.paper, source.place) if x)
    rows = [("", "value", "interval", "")]
    if table is not None:
        rows += [(name, *_parts(constant)) for name, constant in table.constants.items()]
        rows += [(name, "not given", "", "") for name in profile.missing]
    elif profile.gpu_data is not None:
        rows += [(key, f"{value:,.10g}" if isinstance(value, float) else str(value), "", "")
                 for key, value in profile.gpu_data.model_dump(exclude_none=True).items()]
    shown = [i for i in range(4) if any(row[i] for row in rows[1:])]
    lines = ["".join(f"<{'td' if r and i else 'th'}>{escape(row[i])}</{'td' if r and i else 'th'}>" for i in shown)
             for r, row in enumerate(rows)]
    lines += [f'<th>{name}</th><td colspan="{len(shown) - 1}">{said}</td>' for name, said in (
        ("law", "" if table is None else f"{table.kind}: <code>{escape(str(law_type(table.kind).symbolic()))}</code>"),
        ("source", escape(where))) if said]
    caption = escape(f"{profile.name}: {profile.model or 'data sheet'} on {profile.gpu}")
    return f"<table><caption>{caption}</caption>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _constant(constant: Constant) -> str:
    value, interval, shown = _parts(constant)
    return value + (f"  {interval}" if interval else "") + (f"  ({shown})" if shown else "")


def _parts(constant: Constant) -> tuple[str, str, str]:
    """The value with its unit, the interval and how it was found, and what its source says of it."""
    values = constant.alternatives or (constant.value,)
    text = " or ".join(f"{value:.6g}" for value in values if value is not None) + f" {constant.unit}"
    interval = ""
    if constant.interval:
        interval = f"[{constant.interval[0]:.6g}, {constant.interval[1]:.6g}]"
        interval += f" by {constant.interval_by}" if constant.interval_by else ""
    details = [f"printed: {constant.printed}" if constant.printed else None, constant.derivation, constant.note]
    return text, interval, "; ".join(detail for detail in details if detail)


def report_dict(report: FitReport, chosen: LawFit) -> dict[str, Any]:
    """A fit report as plain data (seconds and tokens)."""
    return {
        "file": report.data.file,
        "rows": len(report.data.seconds),
        "errors": report.settings.errors,
        "likelihood": _likelihood(report),
        "confidence": report.settings.confidence,
        "laws": [
            {
                "kind": f.law.kind,
                "constants": {
                    k: {
                        "value": float(v),
                        "unit": f.law.units[k],
                        "interval": list(f.intervals[k]),
                        "interval_by": f.methods[k],
                    }
                    for k, v in f.law.constants.items()
                },
                "covariance": f.covariance.model_dump(mode="json"),
                "r_squared": f.r_squared,
                "aic": f.aic,
                "cv_error": f.cv_error,
                "cv_median": f.cv_median,
                "scale": f.scale,
            }
            for f in report.fits
        ],
        "not_fitted": report.not_fitted,
        "best": chosen.law.kind,
        "leaves_out": list(report.data.leaves_out),
    }


def _likelihood(report: FitReport) -> str:
    from qtheory.profiles.robust import CORNER

    what = "log(measured / fitted)" if report.settings.errors == "relative" else "measured - fitted"
    return f"{what} independent, symmetric hyperbolic (soft-L1 loss with the corner at {CORNER} scales, scale fitted)"


def report_lines(report: FitReport, chosen: LawFit) -> list[str]:
    """A fit report for reading: likelihood, every law with its constants, and why the others were not fitted."""
    data = report.data
    lines = [f"{data.file}: {len(data.seconds)} rows"]
    if data.leaves_out:
        lines.append(f"left out of these times: {'; '.join(data.leaves_out)}")
    lines.append(f"likelihood: {_likelihood(report)}")
    lines.append(f"intervals at {100 * report.settings.confidence:g} %; laws by AIC, best first")
    least = report.fits[0].aic
    by_error = sorted((f for f in report.fits if f.cv_error is not None), key=lambda f: f.cv_error or 0.0)
    for fitted in report.fits:
        r_squared = "-" if fitted.r_squared is None else f"{fitted.r_squared:.4f}"
        held = "not cross-validated"
        if fitted.cv_error is not None:
            held = f"held-out error {100 * fitted.cv_error:.2f} % (rank {by_error.index(fitted) + 1})"
        lines.append(f"{fitted.law.kind}: ΔAIC {fitted.aic - least:.1f}, {held}, R² {r_squared}")
        for name, value in fitted.law.constants.items():
            low, high = fitted.intervals[name]
            by = fitted.methods[name]
            lines.append(f"  {name} = {value:.6g} {fitted.law.units[name]}  [{low:.6g}, {high:.6g}] by {by}")
    lines += [f"{kind}: not fitted: {reason}" for kind, reason in report.not_fitted.items()]
    lines.append(f"chosen: {chosen.law.kind}")
    return lines
