"""Fit every iteration-time law to measurements, with intervals, and rank the laws.

All laws are fitted by maximum likelihood under the one error model of ``robust`` (soft-L1 least squares) and
ranked by AIC under it and by cross-validated error. A breakpoint or tile width is profiled: every candidate's
other constants are fitted, and the most likely candidate wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.models.laws import DECODE, LAWS, TOKENS, Law
from qtheory.profiles import robust
from qtheory.profiles.estimating import most_likely
from qtheory.profiles.intervals import Method, covariance, intervals
from qtheory.profiles.measurements import KIND, Array, Measurements
from qtheory.profiles.robust import Errors
from qtheory.profiles.schema import Covariance


@dataclass(frozen=True)
class Settings:
    """How to fit: the errors' kind, folds of the cross-validation, confidence level, seed of the folds."""

    errors: Errors = "relative"
    folds: int = 5
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.errors not in ("relative", "absolute"):
            raise InputError(f"errors = {self.errors!r}: 'relative' or 'absolute' is wanted")
        if self.folds < 2 or not 0 < self.confidence < 1:
            raise InputError("2 folds or more and a confidence in (0, 1) are wanted")
        if self.seed < 0:
            raise InputError(f"seed = {self.seed}: a whole number of at least 0 is wanted")


@dataclass(frozen=True)
class LawFit:
    """One law fitted: the law, an interval for each constant and its method, their covariance, and how well it fits.

    ``scale``: of the errors (a relative error, or seconds); ``r_squared`` in seconds; ``held_out`` (rows,): the
    relative error ``fitted / measured - 1`` of each row by a fit without its fold (None: too few points).
    """

    law: Law
    intervals: dict[str, tuple[float, float]]
    methods: dict[str, Method]
    covariance: Covariance
    scale: float
    log_likelihood: float
    aic: float
    r_squared: float | None
    held_out: tuple[float, ...] | None

    @property
    def cv_error(self) -> float | None:
        """Mean size of the held-out errors."""
        return None if self.held_out is None else float(np.mean(np.abs(self.held_out)))

    @property
    def cv_median(self) -> float | None:
        """Median size of the held-out errors."""
        return None if self.held_out is None else float(np.median(np.abs(self.held_out)))


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
    point = most_likely(law, data, settings.errors)
    found = intervals(law, data, point, settings.errors, settings.confidence)
    fitted = law(**point.constants)
    times = fitted.time(**{name: data.columns[name] for name in law.variables})
    total = float(((data.seconds - data.seconds.mean()) ** 2).sum())
    held_out = held_out_errors(law, data, settings)
    return LawFit(
        law=fitted,
        intervals={name: (low, high) for name, (low, high, _) in found.items()},
        methods={name: method for name, (_, _, method) in found.items()},
        covariance=covariance(law, data, point, settings.errors),
        scale=point.corner / robust.CORNER,
        log_likelihood=point.log_likelihood,
        aic=2 * (len(point.constants) + 1) - 2 * point.log_likelihood,
        r_squared=1 - float(((data.seconds - times) ** 2).sum()) / total if total else None,
        held_out=None if held_out is None else tuple(map(float, held_out)),
    )


def _obstacle(law: type[Law], data: Measurements) -> str | None:
    missing = [KIND if name == DECODE else name for name in law.variables if name not in data.columns]
    if missing == [KIND] and data.mixed:
        return "some rows are mixed iterations"
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


def clusters(law: type[Law], data: Measurements) -> NDArray[np.intp]:
    """The number of the distinct point to which each row (rows,) belongs: repeats stay together."""
    names = [TOKENS] if TOKENS in data.columns and TOKENS in law.variables else list(law.variables)
    points = np.stack([data.columns[name] for name in names], axis=-1)
    return np.asarray(np.unique(points, axis=0, return_inverse=True)[1]).reshape(-1)


def held_out_errors(law: type[Law], data: Measurements, settings: Settings) -> Array | None:
    """For each row (rows,) the relative error ``fitted / measured - 1`` of a fit to the other folds' points.

    None where a fold's complement does not determine the law.
    """
    groups = clusters(law, data)
    count = int(groups.max()) + 1
    folds = np.random.default_rng(settings.seed).permutation(count) % min(settings.folds, count)
    found = np.empty(len(data.seconds))
    for fold in np.unique(folds):
        held = folds[groups] == fold
        train = data.only(~held, "points of the other folds") if not held.all() else None
        if train is None or _obstacle(law, train):
            return None
        try:
            fitted = law(**most_likely(law, train, settings.errors, bend=False).constants)
        except InputError:
            return None
        times = fitted.time(**{name: data.columns[name][held] for name in law.variables})
        found[held] = times / data.seconds[held] - 1
    return found
