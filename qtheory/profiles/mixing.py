"""From which decode ratio a mixed batch takes longer than a pure decode batch, by the context of its decodes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from qtheory.errors import InputError
from qtheory.models.laws import TOKENS, Law, MixedQuadraticLaw
from qtheory.profiles.fitted import profile_from_fit
from qtheory.profiles.fitting import FitReport
from qtheory.profiles.schema import HardwareProfile
from qtheory.profiles.uncertainty import propagate

_SERIES = re.compile(r"mixed-(\d+)")


@dataclass(frozen=True)
class Crossover:
    """``ratio``: the decode ratio from which a mixed batch of ``tokens`` tokens takes longer than that many decodes,
    each with ``context`` tokens behind it; None: from none. ``interval``: at 95 percent, where one can be computed.
    """

    context: int
    tokens: float
    ratio: float | None
    interval: tuple[float, float] | None
    cv_median: float | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"context": self.context, "tokens": self.tokens, "ratio": self.ratio, "cv_median": self.cv_median,
                "interval": None if self.interval is None else list(self.interval)}


def crossover(report: FitReport) -> Crossover | None:
    """Of a mixed series to which K(r) was fitted; None for any other measurement set."""
    data = report.data
    named = _SERIES.fullmatch(data.series[0]) if len(data.series) == 1 else None
    kinds = {fitted.law.kind for fitted in report.fits}
    if named is None or TOKENS not in data.columns or MixedQuadraticLaw.kind not in kinds:
        return None
    fitted = report.of(MixedQuadraticLaw.kind)
    profile = profile_from_fit(report, kind=fitted.law.kind, gpu=data.gpu or "not told")
    ratio, interval = with_interval(profile)
    return Crossover(int(named[1]), float(data.columns[TOKENS][0]), ratio, interval, fitted.cv_median)


def with_interval(profile: HardwareProfile) -> tuple[float | None, tuple[float, float] | None]:
    """The decode ratio from which mixing costs more, and its 95 percent interval from the constants' covariance.

    No interval where the ratio is 0 or none, at which it does not depend smoothly on the constants, or where a
    step of the delta method leaves it undefined. Raises InputError for another law.
    """
    law = profile.law
    if not isinstance(law, MixedQuadraticLaw):
        raise InputError(f"profile {profile.name} has the law {law.kind}; mixed_quadratic is needed")
    ratio = law.crossover
    if not ratio:
        return ratio, None
    try:
        found = propagate(_ratio, profile)
    except InputError:
        return ratio, None
    return ratio, (max(float(found.low), 0.0), min(float(found.high), 1.0))


def _ratio(law: Law) -> float:
    at = law.crossover if isinstance(law, MixedQuadraticLaw) else None
    return float("nan") if at is None else at


def shown(ratio: float | None, interval: tuple[float, float] | None) -> str:
    """For reading: ``0.35 [0.31, 0.40]``, or nowhere."""
    if ratio is None:
        return "nowhere"
    return f"{ratio:.2f}" + ("" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]")


def cell(text: str) -> str:
    """The text as a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", r"\|")


def markdown(found: Iterable[tuple[str, Crossover]]) -> str:
    """A Markdown table of (set, crossover) by context length."""
    lines = ["| set | tokens | context | mixing costs more from a decode ratio of | held out |",
             "| --- | --- | --- | --- | --- |"]
    for name, c in sorted(found, key=lambda pair: pair[1].context):
        held = "" if c.cv_median is None else f"{100 * c.cv_median:.1f} %"
        lines.append(f"| {cell(name)} | {c.tokens:,.0f} | {c.context:,} | {shown(c.ratio, c.interval)} | {held} |")
    return "\n".join(lines) + "\n"
