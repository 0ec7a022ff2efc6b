"""Fit every iteration-time law to measurements, with intervals, and rank the laws.

All laws are fitted by maximum likelihood under the one error model of ``robust`` (soft-L1 least squares) and
ranked by AIC under it and by cross-validated error. A breakpoint or tile width is profiled: every candidate's
other constants are fitted, and the most likely candidate wins. Its interval comes from a bootstrap, as do those of
the constants beside a tile width; the others come from the estimate's covariance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from qtheory.errors import InputError
from qtheory.models.laws import DECODE, LAWS, TOKENS, Law
from qtheory.profiles import robust
from qtheory.profiles.measurements import KIND, Array, Measurements
from qtheory.profiles.robust import Errors

_MAX_KNOTS = 200
_MAX_TILE = 1024  # twice the widest tile that any current GPU's matrix product uses along the tokens
_CHUNK = 2_000_000  # array elements of one batch of candidates
_LONG = 1000  # rows beyond which candidates are first sifted on a sample
_SHORT = 60  # candidates that the sample leaves
_GRID = 81  # breakpoints from which a bootstrap sample chooses: six to a standard error
_PLAUSIBLE = 12.0  # log-likelihood below the best at which a candidate cannot win a bootstrap sample (4.9 sigma)


@dataclass(frozen=True)
class Settings:
    """How to fit: the errors' kind, folds of the cross-validation, bootstrap samples, confidence level, seed."""

    errors: Errors = "relative"
    folds: int = 5
    bootstrap: int = 300
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.errors not in ("relative", "absolute"):
            raise InputError(f"errors = {self.errors!r}: 'relative' or 'absolute' is wanted")
        if self.folds < 2 or not 20 <= self.bootstrap <= 10_000 or not 0 < self.confidence < 1:
            raise InputError("2 folds or more, 20 to 10000 bootstrap samples and a confidence in (0, 1) are wanted")
        if self.seed < 0:
            raise InputError(f"seed = {self.seed}: a whole number of at least 0 is wanted")


@dataclass(frozen=True)
class LawFit:
    """One law fitted: the law, an interval for each constant and its method, and how well it fits.

    ``scale``: of the errors (a relative error, or seconds); ``r_squared`` in seconds; ``cv_error`` and
    ``cv_median``: mean and median of the relative error on token counts held out (None: too few).
    """

    law: Law
    intervals: dict[str, tuple[float, float]]
    methods: dict[str, Literal["bootstrap", "covariance"]]
    scale: float
    log_likelihood: float
    aic: float
    r_squared: float | None
    cv_error: float | None
    cv_median: float | None


@dataclass(frozen=True)
class FitReport:
    """All laws fitted to ``data``, best AIC first, and for each other law why it was not."""

    data: Measurements
    settings: Settings
    fits: tuple[LawFit, ...]
    not_fitted: dict[str, str]

    def best(self) -> LawFit:
        """The law with the least cross-validated error, or the least AIC where none could be cross-validated."""
        return min(self.fits, key=lambda f: (np.inf if f.cv_error is None else f.cv_error, f.aic))

    def of(self, kind: str) -> LawFit:
        """The fit of the law of that ``kind``; raises InputError with the reason if it was not fitted."""
        for fitted in self.fits:
            if fitted.law.kind == kind:
                return fitted
        raise InputError(f"{self.data.file}: {kind} was not fitted: {self.not_fitted.get(kind, 'no such law')}")


def fit(
    data: Measurements,
    settings: Settings | None = None,
    track: Callable[[list[str]], Iterable[str]] = iter,
) -> FitReport:
    """Fit every law whose variables ``data`` has; raises InputError if there is none.

    ``track`` is given the kinds of law to fit and yields them one by one, as a progress bar does.
    """
    settings = settings or Settings()
    reasons = {kind: reason for kind, law in LAWS.items() if (reason := _obstacle(law, data))}
    if len(reasons) == len(LAWS):
        raise InputError(f"{data.file}: no law can be fitted: {_listed(reasons)}")
    fits = []
    for kind in track([kind for kind in LAWS if kind not in reasons]):
        try:
            fits.append(fit_law(LAWS[kind], data, settings))
        except InputError as error:
            reasons[kind] = str(error).removeprefix(f"{data.file}: {kind} cannot be fitted: ")
    if not fits:
        raise InputError(f"{data.file}: no law can be fitted: {_listed(reasons)}")
    return FitReport(data, settings, tuple(sorted(fits, key=lambda f: f.aic)), reasons)


def _listed(reasons: dict[str, str]) -> str:
    return "; ".join(f"{kind}: {reason}" for kind, reason in reasons.items())


def fit_law(law: type[Law], data: Measurements, settings: Settings) -> LawFit:
    """Fit one law, with intervals and cross-validation; raises InputError if the rows do not determine it."""
    if reason := _obstacle(law, data):
        raise InputError(f"{data.file}: {law.kind} cannot be fitted: {reason}")
    point = _most_likely(law, data, settings.errors)
    fitted = law(**point.constants)
    times = fitted.time(**{name: data.columns[name] for name in law.variables})
    total = float(((data.seconds - data.seconds.mean()) ** 2).sum())
    error, middle = _cross_validate(law, data, settings)
    return LawFit(
        law=fitted,
        intervals=_intervals(law, data, settings, point),
        methods={
            name: "bootstrap" if name == law.breakpoint or not law.continuous else "covariance"
            for name in law.constant_names()
        },
        scale=point.corner / robust.CORNER,
        log_likelihood=point.log_likelihood,
        aic=2 * (len(point.constants) + 1) - 2 * point.log_likelihood,
        r_squared=1 - float(((data.seconds - times) ** 2).sum()) / total if total else None,
        cv_error=error,
        cv_median=middle,
    )


def _obstacle(law: type[Law], data: Measurements) -> str | None:
    missing = [KIND if name == DECODE else name for name in law.variables if name not in data.columns]
    if missing:
        return f"no column {' and '.join(repr(name) for name in missing)}"
    loads = data.columns.get(TOKENS)
    if TOKENS not in law.variables and law.kind == "mixed_quadratic" and loads is not None:
        counts = len(np.unique(loads))
        if counts > 1:
            return f"K(r) belongs to one total token count, the file has {counts}; keep one with --only-tokens"
    points = np.unique(np.stack([data.columns[name] for name in law.variables], axis=-1), axis=0)
    wanted = len(law.constant_names()) + (1 if law.breakpoint else 0)
    if len(points) < wanted or len(data.seconds) <= wanted:
        return f"{len(points)} distinct points in {len(data.seconds)} rows are too few for {wanted} constants"
    if law.breakpoint is None:
        design = law.design(data.columns)
        if np.linalg.matrix_rank(design / np.abs(design).max(axis=0).clip(1e-300)) < design.shape[1]:
            return "the rows do not tell its constants apart"
    return None


@dataclass(frozen=True)
class _Point:
    constants: dict[str, float]
    theta: Array  # the linear constants
    at: float | None  # the breakpoint
    corner: float
    log_likelihood: float


def _most_likely(law: type[Law], data: Measurements, errors: Errors) -> _Point:
    candidates = _shortlist(law, data, errors)
    batch = _profile(law, data, candidates, errors)
    if law.breakpoint is not None and np.ptp(batch.log_likelihood) < 1e-6:
        raise InputError(f"{data.file}: {law.kind} cannot be fitted: every {law.breakpoint} fits the times alike")
    if law.kind == "piecewise_linear":
        candidates, batch = _zoom(law, data, candidates, batch, errors)
    best = _best(candidates, batch.log_likelihood)
    theta = batch.theta[best]
    constants = dict(zip(law.linear_constants(), map(float, theta), strict=True))
    at = None if law.breakpoint is None else float(candidates[best])
    if law.breakpoint is not None and at is not None:
        constants[law.breakpoint] = at
    ordered = {name: constants[name] for name in law.constant_names()}
    return _Point(ordered, theta, at, float(batch.corner[best]), float(batch.log_likelihood[best]))


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
    knots = loads[:-1]  # at least one count above the break, or the slope is free
    pick = np.unique(np.linspace(0, len(knots) - 1, min(len(knots), _MAX_KNOTS)).round().astype(int))
    return np.asarray(knots[pick])


def _shortlist(law: type[Law], data: Measurements, errors: Errors) -> Array:
    """The candidates; in long files the best of them on every so-manieth row, sorted by token count."""
    candidates = _candidates(law, data)
    rows = len(data.seconds)
    if rows <= _LONG or len(candidates) <= _SHORT:
        return candidates
    order = np.argsort(data.columns[TOKENS], kind="stable")
    keep = np.zeros(rows, dtype=bool)
    keep[order[np.linspace(0, rows - 1, _LONG).round().astype(int)]] = True
    batch = _profile(law, data.only(keep, "a sample"), candidates, errors)
    return np.sort(candidates[np.argsort(-batch.log_likelihood, kind="stable")[:_SHORT]])


def _profile(law: type[Law], data: Measurements, candidates: Array, errors: Errors) -> robust.Batch:
    """The fits of the linear constants at each candidate."""
    rows = len(data.seconds)
    size = max(1, _CHUNK // rows)
    parts = []
    for start in range(0, len(candidates), size):
        chosen = candidates[start : start + size]
        design = law.design(data.columns, chosen) if law.breakpoint else law.design(data.columns)[None]
        parts.append(robust.fit(design, data.seconds, np.ones((len(chosen), rows)), errors=errors, signed=law.signed))
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
        batch = _joined([batch, _profile(law, data, added, errors)])
    return candidates, batch


def _clusters(law: type[Law], data: Measurements) -> np.ndarray:
    """The number of the distinct point to which each row belongs: repeats stay together."""
    names = [TOKENS] if TOKENS in data.columns and TOKENS in law.variables else list(law.variables)
    points = np.stack([data.columns[name] for name in names], axis=-1)
    return np.asarray(np.unique(points, axis=0, return_inverse=True)[1]).reshape(-1)


def _cross_validate(law: type[Law], data: Measurements, settings: Settings) -> tuple[float | None, float | None]:
    groups = _clusters(law, data)
    count = int(groups.max()) + 1
    folds = np.random.default_rng(settings.seed).permutation(count) % min(settings.folds, count)
    errors = []
    for fold in np.unique(folds):
        held = folds[groups] == fold
        train = data.only(~held, "points of the other folds") if not held.all() else None
        if train is None or _obstacle(law, train):
            return None, None
        try:
            fitted = law(**_most_likely(law, train, settings.errors).constants)
        except InputError:
            return None, None
        times = fitted.time(**{name: data.columns[name][held] for name in law.variables})
        errors.append(np.abs(times / data.seconds[held] - 1))
    every = np.concatenate(errors)
    return float(every.mean()), float(np.median(every))


def _intervals(
    law: type[Law], data: Measurements, settings: Settings, point: _Point
) -> dict[str, tuple[float, float]]:
    found = _covariance_intervals(law, data, settings, point) if law.continuous else {}
    if law.breakpoint is None:
        return found
    samples = _bootstrap(law, data, settings, point)
    tails = [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2]
    for name, value in point.constants.items():
        if name in found and name != law.breakpoint:
            continue
        low, high = np.quantile(samples[name], tails)
        found[name] = (min(float(low), value), max(float(high), value))
    return found


def _covariance_intervals(
    law: type[Law], data: Measurements, settings: Settings, point: _Point
) -> dict[str, tuple[float, float]]:
    fitted = law(**point.constants)
    times = fitted.time(**{name: data.columns[name] for name in law.variables})
    spread = robust.covariance(
        fitted.gradient(data.columns), data.seconds, times, point.corner, settings.errors
    )
    quantile = stats.t.ppf((1 + settings.confidence) / 2, max(len(data.seconds) - len(spread), 1))
    found = {}
    for (name, value), variance in zip(point.constants.items(), np.diag(spread), strict=True):
        half = float(quantile * np.sqrt(max(variance, 0.0)))
        low = value - half if law.signed else max(value - half, 0.0)
        found[name] = (float(low), float(value + half))
    return found


def _bootstrap(law: type[Law], data: Measurements, settings: Settings, point: _Point) -> dict[str, Array]:
    """Constants (bootstrap samples,) fitted to resampled points, repeats resampled together."""
    groups = _clusters(law, data)
    count = int(groups.max()) + 1
    draw = np.random.default_rng(settings.seed).multinomial(count, np.full(count, 1 / count), size=settings.bootstrap)
    weights = draw[:, groups].astype(float)
    candidates, batch = _plausible(law, data, settings.errors)
    loss = np.full(settings.bootstrap, np.inf)
    chosen = np.full(settings.bootstrap, point.at)
    for at, theta in zip(candidates, batch.theta, strict=True):
        design = law.design(data.columns, at)
        trial, _ = robust.resample(design, data.seconds, theta, point.corner, weights, settings.errors)
        chosen = np.where(trial < loss, at, chosen)
        loss = np.fmin(trial, loss)
    corner = np.full(settings.bootstrap, point.corner)
    design = law.design(data.columns, chosen)
    final = robust.fit(design, data.seconds, weights, errors=settings.errors, corner=corner, steps=6)
    samples = {name: final.theta[:, i] for i, name in enumerate(law.linear_constants())}
    return samples | {str(law.breakpoint): chosen}


def _plausible(law: type[Law], data: Measurements, errors: Errors) -> tuple[Array, robust.Batch]:
    """Candidates that a bootstrap sample could prefer, with their fits."""
    candidates = _shortlist(law, data, errors)
    batch = _profile(law, data, candidates, errors)
    if law.kind == "piecewise_linear":
        for _ in range(3):
            keep = np.flatnonzero(batch.log_likelihood >= batch.log_likelihood.max() - _PLAUSIBLE)
            low, high = candidates[max(keep[0] - 1, 0)], candidates[min(keep[-1] + 1, len(candidates) - 1)]
            candidates = np.linspace(low, high, _GRID)
            batch = _profile(law, data, candidates, errors)
    order = np.argsort(-batch.log_likelihood, kind="stable")
    keep = order[batch.log_likelihood[order] >= batch.log_likelihood.max() - _PLAUSIBLE][:_GRID]
    return candidates[keep], robust.Batch(batch.theta[keep], batch.corner[keep], batch.log_likelihood[keep])
