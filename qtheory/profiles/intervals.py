"""Covariances of a fit's constants, and their intervals.

Constants on which the time depends smoothly have intervals from Huber's covariance with Student quantiles. A
breakpoint's interval holds the candidates that a likelihood-ratio test does not reject, the other constants fitted
anew at each: with few counts beside the break its likelihood is far from a parabola.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qtheory.models.laws import TOKENS, Law
from qtheory.profiles import robust
from qtheory.profiles.estimating import Point, point_at, profiled
from qtheory.profiles.measurements import Array, Measurements
from qtheory.profiles.robust import Errors
from qtheory.profiles.schema import Covariance

Method = Literal["likelihood", "covariance"]
Interval = tuple[float, float]
_SECTIONS = 17  # candidates by which an end of a breakpoint's interval is narrowed, twice


def covariance(law: type[Law], data: Measurements, point: Point, errors: Errors) -> Covariance:
    """Huber's covariance of the constants; where the time jumps with the breakpoint, of the others given it."""
    fitted = law(**point.constants)
    times = fitted.time(**{name: data.columns[name] for name in law.variables})
    if law.continuous:
        names, gradient = law.constant_names(), fitted.gradient(data.columns)
    else:
        names, gradient = law.linear_constants(), law.design(data.columns, point.at)
    matrix = robust.covariance(gradient, data.seconds, times, point.corner, errors)
    return Covariance(constants=names, matrix=tuple(tuple(map(float, row)) for row in (matrix + matrix.T) / 2))


def intervals(
    law: type[Law], data: Measurements, point: Point, errors: Errors, confidence: float
) -> dict[str, tuple[float, float, Method]]:
    """Low end, high end and method for each constant, at ``confidence``; the estimates lie inside."""
    smooth = _smooth(law, data, point, errors, confidence)
    if law.breakpoint is None:
        return {name: (*smooth[name], "covariance") for name in law.constant_names()}
    if law.continuous:
        at = _breakpoint(law, data, point, errors, confidence)
        return {
            name: (*at, "likelihood") if name == law.breakpoint else (*smooth[name], "covariance")
            for name in law.constant_names()
        }
    fits = _accepted(law, data, point, errors, confidence)
    widths = [float(fitted.at or 0.0) for fitted in fits]
    # Every width that is not rejected has its own interval of the times; all of them are in the answer.
    ends = [_smooth(law, data, fitted, errors, confidence) for fitted in fits]
    found: dict[str, tuple[float, float, Method]] = {
        name: (min(e[name][0] for e in ends), max(e[name][1] for e in ends), "likelihood") for name in ends[0]
    }
    return found | {str(law.breakpoint): (min(widths), max(widths), "likelihood")}


def _smooth(
    law: type[Law], data: Measurements, point: Point, errors: Errors, confidence: float
) -> dict[str, Interval]:
    from scipy import stats  # half a second, which most commands need not wait for

    spread = covariance(law, data, point, errors)
    constants = len(point.constants)
    quantile = stats.t.ppf((1 + confidence) / 2, max(len(data.seconds) - constants, 1))
    found = {}
    for name, variance in zip(spread.constants, np.diag(spread.array()), strict=True):
        value, half = point.constants[name], float(quantile * np.sqrt(max(variance, 0.0)))
        found[name] = (float(value - half if law.signed else max(value - half, 0.0)), float(value + half))
    return found


def _not_rejected(
    law: type[Law], data: Measurements, point: Point, errors: Errors, confidence: float, candidates: Array
) -> NDArray[np.bool_]:
    """Whether the likelihood-ratio test keeps each breakpoint (candidates,); the statistic is F-distributed.

    One and rows - constants degrees of freedom; the corner stays that of the estimate.
    """
    from scipy import stats

    times = law(**point.constants).time(**{name: data.columns[name] for name in law.variables})
    error = np.log(data.seconds / times) if errors == "relative" else data.seconds - times
    constants = len(point.constants)
    freedom = max(len(data.seconds) - constants, 1)
    most = robust.likelihood_scale(error, point.corner, constants) * float(stats.f.ppf(confidence, 1, freedom)) / 2
    # With its own corner a candidate is at least as likely: what is rejected then need not be fitted anew.
    near = np.interp(candidates, point.tried, point.likelihoods) >= point.log_likelihood - 4 * most - 1
    kept = candidates == point.at
    batch = profiled(law, data, candidates[near], errors, point.corner)
    kept[near] |= batch.log_likelihood >= point.log_likelihood - most
    return kept


def _breakpoint(
    law: type[Law], data: Measurements, point: Point, errors: Errors, confidence: float
) -> Interval:
    """The least and the greatest break that is not rejected, from 0 to the greatest token count."""
    candidates, at = point.tried, float(point.at or 0.0)
    kept = np.flatnonzero(_not_rejected(law, data, point, errors, confidence, candidates))
    ends = []
    for last, step, outermost in ((kept[0], -1, 0.0), (kept[-1], 1, float(data.columns[TOKENS].max()))):
        if not 0 <= last + step < len(candidates):
            ends.append(outermost)  # no count lies beyond, so that the likelihood stays what it is
            continue
        inner, outer = float(candidates[last]), float(candidates[last + step])
        for _ in range(2):
            grid = np.linspace(inner, outer, _SECTIONS)
            inside = _not_rejected(law, data, point, errors, confidence, grid)
            first_out = int(np.argmin(inside[1:-1])) + 1 if not inside[1:-1].all() else _SECTIONS - 1
            inner, outer = float(grid[first_out - 1]), float(grid[first_out])
        ends.append(inner)
    return min(ends[0], at), max(ends[1], at)


def _accepted(law: type[Law], data: Measurements, point: Point, errors: Errors, confidence: float) -> list[Point]:
    """The tile widths that are not rejected, each with its fit."""
    kept = point.tried[_not_rejected(law, data, point, errors, confidence, point.tried)]
    batch = profiled(law, data, kept, errors)
    return [point_at(law, kept, batch, i) for i in range(len(kept))]
