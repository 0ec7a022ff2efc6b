"""The most likely constants of one law: the linear ones by the robust solver, a breakpoint by trying candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import TOKENS, Law
from qtheory.profiles import robust
from qtheory.profiles.measurements import Array, Measurements
from qtheory.profiles.robust import Errors

ALIKE = "fits the times alike"  # how the reason ends for which a breakpoint is not told
_MAX_KNOTS = 200
_MAX_TILE = 1024  # twice the widest tile that any current GPU's matrix product uses along the tokens
_CHUNK = 2_000_000  # array elements of one batch of candidates
_LONG = 1000  # rows beyond which candidates are first sifted on a sample
_SHORT = 60  # candidates that the sample leaves


@dataclass(frozen=True)
class Point:
    """Fitted constants, and the log-likelihood that they maximise.

    ``theta``: the linear constants; ``at``: the breakpoint; ``tried`` and ``likelihoods`` (candidates,): the
    breakpoints tried, in order, each with its greatest log-likelihood.
    """

    constants: dict[str, float]
    theta: Array
    at: float | None
    corner: float
    log_likelihood: float
    tried: Array
    likelihoods: Array


def most_likely(law: type[Law], data: Measurements, errors: Errors, bend: bool = True) -> Point:
    """The most likely constants; raises InputError if every breakpoint fits the times alike.

    With ``bend`` False that is none: the times that the law predicts are then the same for all.
    """
    candidates = shortlist(law, data, errors)
    batch = profiled(law, data, candidates, errors)
    if bend and law.breakpoint is not None and np.ptp(batch.log_likelihood) < 1e-6:
        raise InputError(f"{data.file}: {law.kind} cannot be fitted: every {law.breakpoint} {ALIKE}")
    if law.breakpoint is not None and law.continuous:
        candidates, batch = _zoom(law, data, candidates, batch, errors)
    return point_at(law, candidates, batch, _best(candidates, batch.log_likelihood))


def point_at(law: type[Law], candidates: Array, batch: robust.Batch, best: int) -> Point:
    """The fit at the candidate of index ``best``."""
    theta = batch.theta[best]
    constants = dict(zip(law.linear_constants(), map(float, theta), strict=True))
    at = None if law.breakpoint is None else float(candidates[best])
    if law.breakpoint is not None and at is not None:
        constants[law.breakpoint] = at
    ordered = {name: constants[name] for name in law.constant_names()}
    corner, likelihood, order = float(batch.corner[best]), batch.log_likelihood, np.argsort(candidates, kind="stable")
    return Point(ordered, theta, at, corner, float(likelihood[best]), candidates[order], likelihood[order])


def _best(candidates: Array, likelihood: Array) -> int:
    """The most likely candidate; among equals, as when widths fall between the measured counts, a power of two."""
    equal = np.flatnonzero(likelihood >= likelihood.max() - 1e-6)
    powers = [i for i in equal if candidates[i] > 0 and np.log2(candidates[i]).is_integer()]
    return int((powers or list(equal))[0])


def _candidates(law: type[Law], data: Measurements) -> Array:
    if law.breakpoint is None:
        return np.zeros(1)
    loads = np.unique(data.columns[TOKENS])
    if law.kind == "staircase":
        return np.arange(2.0, max(3.0, min(_MAX_TILE, loads[-1] - 1) + 1))
    # At least one count above the break, or the slope beyond is free; where the slope below is, one below too.
    knots = loads[1:-1] if law.kind == "concave" else loads[:-1]
    pick = np.unique(np.linspace(0, len(knots) - 1, min(len(knots), _MAX_KNOTS)).round().astype(int))
    return np.asarray(knots[pick])


def shortlist(law: type[Law], data: Measurements, errors: Errors) -> Array:
    """The candidates; in long files the best of them on every so-manieth row, sorted by token count."""
    candidates = _candidates(law, data)
    rows = len(data.seconds)
    if rows <= _LONG or len(candidates) <= _SHORT:
        return candidates
    order = np.argsort(data.columns[TOKENS], kind="stable")
    keep = np.zeros(rows, dtype=bool)
    keep[order[np.linspace(0, rows - 1, _LONG).round().astype(int)]] = True
    batch = profiled(law, data.only(keep, "a sample"), candidates, errors)
    return np.sort(candidates[np.argsort(-batch.log_likelihood, kind="stable")[:_SHORT]])


def profiled(
    law: type[Law], data: Measurements, candidates: Array, errors: Errors, corner: float | None = None
) -> robust.Batch:
    """The fits of the linear constants at each candidate (candidates,), the errors' corner given or fitted too."""
    rows = len(data.seconds)
    size = max(1, _CHUNK // rows)
    parts = []
    for start in range(0, len(candidates), size):
        chosen = candidates[start : start + size]
        design = law.design(data.columns, chosen) if law.breakpoint else law.design(data.columns)[None]
        weights = np.ones((len(chosen), rows))
        given = None if corner is None else np.full(len(chosen), corner)
        parts.append(robust.fit(design, data.seconds, weights, errors=errors, signed=law.signed, corner=given))
    return _joined(parts)


def _joined(parts: list[robust.Batch]) -> robust.Batch:
    return robust.Batch(*(np.concatenate([getattr(p, f) for p in parts]) for f in robust.Batch.__annotations__))


def _zoom(
    law: type[Law], data: Measurements, candidates: Array, batch: robust.Batch, errors: Errors
) -> tuple[Array, robust.Batch]:
    """Add ever finer candidates around the three best."""
    for _ in range(4):
        order = np.argsort(candidates, kind="stable")
        candidates = candidates[order]
        batch = robust.Batch(batch.theta[order], batch.corner[order], batch.log_likelihood[order])
        finer: list[Array] = []
        for best in np.argsort(batch.log_likelihood)[-3:]:
            low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
            finer.append(np.linspace(low, high, 17)[1:-1])
        added = np.setdiff1d(np.concatenate(finer), candidates)
        if not added.size:
            break
        candidates = np.concatenate([candidates, added])
        batch = _joined([batch, profiled(law, data, added, errors)])
    return candidates, batch
