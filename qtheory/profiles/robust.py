"""Robust fits of linear models, many at once: the soft-L1 loss and the likelihood to which it belongs.

The errors ``e`` (relative, ``log(t / t_hat)``, or absolute, ``t - t_hat``) have the symmetric hyperbolic
density ``exp(-ZETA sqrt(1 + (e/C)^2)) / (2 C K_1(ZETA))``: Gaussian in the middle, exponential in the tails.
For a given corner ``C`` its most likely constants are those of scipy.optimize.least_squares with the loss
``soft_l1`` and ``f_scale = C``; ``C`` itself is fitted too, so that every law is judged by one likelihood.

A fit takes ``X`` (batch or 1, rows, constants), ``y`` (rows,) and weights (batch, rows). The whole batch
(breakpoint candidates, folds) is one array computation: 1,000 tile widths on 456 rows take a tenth of a
second, where as many calls of scipy take several. A test holds the two against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import k1e

Array = NDArray[np.float64]
Errors = Literal["relative", "absolute"]

CORNER = 1.345  # where the loss turns from square to linear, in scales of the error (Huber's 95 percent)
ZETA = CORNER**2
_FLOOR = 1e-9  # below any clock's relative resolution; exact data would drive the scale to zero
_STEPS = 60
_TOLERANCE = 1e-9  # relative change of the constants and of the corner


@dataclass(frozen=True)
class Batch:
    """Fits: ``theta`` (batch, constants), ``corner`` and ``log_likelihood`` (batch,)."""

    theta: Array
    corner: Array
    log_likelihood: Array


def errors_of(X: Array, y: Array, theta: Array, errors: Errors) -> Array:
    """Errors (batch, rows); infinite where the predicted time is not positive and errors are relative."""
    predicted = np.matmul(X, theta[..., None])[..., 0]
    if errors == "absolute":
        return np.asarray(y - predicted)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(predicted > 0, np.log(y) - np.log(predicted), np.inf)


def fit(
    X: Array,
    y: Array,
    weights: Array,
    *,
    errors: Errors,
    signed: bool = False,
    corner: Array | None = None,
    steps: int = _STEPS,
) -> Batch:
    """Most likely constants, at least 0 unless ``signed``; the corner is fitted unless given, shape (batch,).

    A weight counts a row that many times (0 leaves it out).
    """
    best = _fit_free(X, y, weights, errors, corner, steps)
    negative = np.flatnonzero((best.theta < 0).any(axis=1))
    if signed or not negative.size:
        return best
    # With at most four constants the best fit on the boundary is found by trying which of them are zero.
    theta, scale, likelihood = best.theta.copy(), best.corner.copy(), best.log_likelihood.copy()
    likelihood[negative] = -np.inf
    for size in range(X.shape[-1] - 1, 0, -1):
        for kept in combinations(range(X.shape[-1]), size):
            part = X[..., kept]
            # Relative errors need a positive time in every row, whatever the constants.
            possible = (part > 0).any(axis=-1).all(axis=-1) | (errors == "absolute")
            tried = negative[np.broadcast_to(possible, len(weights))[negative]]
            if not tried.size:
                continue
            given = None if corner is None else corner[tried]
            trial = _fit_free(part if len(X) == 1 else part[tried], y, weights[tried], errors, given, steps)
            better = (trial.theta >= 0).all(axis=1) & (trial.log_likelihood > likelihood[tried])
            rows = tried[better]
            theta[rows] = 0.0
            theta[rows[:, None], list(kept)] = trial.theta[better]
            scale[rows], likelihood[rows] = trial.corner[better], trial.log_likelihood[better]
    return Batch(theta, scale, likelihood)


def _fit_free(X: Array, y: Array, weights: Array, errors: Errors, corner: Array | None, steps: int) -> Batch:
    theta = _start(X, y, weights, errors)
    error = errors_of(X, y, theta, errors)
    free = corner is None
    scale = _fitted_corner(error, weights, y, errors, None) if corner is None else corner
    loss = _loss(error, weights, scale)
    found = theta.copy(), scale.copy(), loss.copy()
    count = weights.sum(axis=1)
    jacobian = (weights * np.log(y)).sum(axis=1) if errors == "relative" else 0.0
    moving = np.arange(len(theta))  # the fits that have not settled: the others need not go on with the slowest
    for _ in range(steps):
        step = _newton_step(X, y, weights, theta, error, scale, errors)
        theta, error, moved = _descend(X, y, weights, theta, error, loss, step, scale, errors)
        if free:
            previous = scale
            scale = _fitted_corner(error, weights, y, errors, scale)
            moved = np.maximum(moved, np.abs(scale / previous - 1))
        loss = _loss(error, weights, scale)
        for kept, now in zip(found, (theta, scale, loss), strict=True):
            kept[moving] = now
        on = moved >= _TOLERANCE
        if not on.any():
            break
        if not on.all():
            X, moving = X if len(X) == 1 else X[on], moving[on]
            weights, theta, error, scale, loss = (a[on] for a in (weights, theta, error, scale, loss))
    theta, scale, loss = found
    likelihood = -loss - count * (np.log(2 * scale * k1e(ZETA)) - ZETA) - jacobian
    return Batch(theta, scale, likelihood)


def _solve(X: Array, curvature: Array, gradient: Array) -> Array:
    """Solve ``X' diag(curvature) X theta = X' gradient``; a tiny ridge decides between equal columns."""
    gram = np.matmul(np.swapaxes(X * curvature[..., None], -1, -2), X)
    return _solve_normal(gram, np.matmul(np.swapaxes(X, -1, -2), gradient[..., None])[..., 0])


def _solve_normal(gram: Array, right: Array) -> Array:
    unit = np.sqrt(np.maximum(np.einsum("...ii->...i", gram), np.finfo(float).tiny))
    gram = gram / (unit[..., :, None] * unit[..., None, :]) + 1e-13 * np.eye(gram.shape[-1])
    return np.asarray(np.linalg.solve(gram, (right / unit)[..., None])[..., 0] / unit)


def _start(X: Array, y: Array, weights: Array, errors: Errors) -> Array:
    scaled = X / y[:, None] if errors == "relative" else X
    theta = _solve(scaled, weights, weights if errors == "relative" else weights * y)
    bad = (np.matmul(X, theta[..., None])[..., 0] <= 0).any(axis=1)
    if errors == "relative" and bad.any():
        # Nonnegative constants predict positive times wherever some column is positive.
        safe = np.maximum(theta, 0.0) + 1e-3 * float(np.median(y)) / np.maximum(X.mean(axis=-2), 1e-300)
        theta = np.where(bad[:, None], safe, theta)
    return theta


def _newton_step(
    X: Array, y: Array, weights: Array, theta: Array, error: Array, corner: Array, errors: Errors
) -> Array:
    counted = weights > 0  # rows left out may have no error: a predicted time that is not positive
    predicted = np.where(counted[..., None], np.matmul(X, theta[..., None]), 1.0)
    jacobian = X / predicted if errors == "relative" else X
    error = np.where(counted, error, 0.0)
    root = np.sqrt(1 + (error / corner[:, None]) ** 2)
    return _solve(jacobian, weights / (root * root * root), weights * error / root)


def _descend(
    X: Array,
    y: Array,
    weights: Array,
    theta: Array,
    error: Array,
    loss: Array,
    step: Array,
    corner: Array,
    errors: Errors,
) -> tuple[Array, Array, Array]:
    """Take the step, halved for the batch elements whose loss would grow; the largest relative move of each."""
    length = np.ones(len(theta))
    for _ in range(12):
        trial = theta + length[:, None] * step
        trial_error = errors_of(X, y, trial, errors)
        worse = _loss(trial_error, weights, corner) > loss * (1 + 1e-12)
        if not worse.any():
            break
        length[worse] /= 2
    keep = worse[:, None]
    moved = np.where(keep, 0.0, np.abs(trial - theta) / np.maximum(np.abs(trial), 1e-300))
    return np.where(keep, theta, trial), np.where(keep, error, trial_error), moved.max(axis=1)


def _loss(error: Array, weights: Array, corner: Array) -> Array:
    root = np.sqrt(1 + (error / corner[:, None]) ** 2)
    with np.errstate(invalid="ignore"):
        return np.asarray(ZETA * np.where(weights > 0, weights * root, 0.0).sum(axis=1))


def _fitted_corner(error: Array, weights: Array, y: Array, errors: Errors, start: Array | None) -> Array:
    """Most likely corner: the root of ``sum w z^2 / sqrt(1 + z^2) = sum w / ZETA`` with ``z = e / C``."""
    floor = _FLOOR * (1.0 if errors == "relative" else float(np.median(y)))
    count = weights.sum(axis=1)
    size = np.where(weights > 0, np.abs(error), 0.0)
    corner = start if start is not None else np.sqrt((weights * size**2).sum(axis=1) / count) * CORNER
    for _ in range(1 if start is not None else 8):
        corner = np.maximum(corner, floor)
        square = (size / corner[:, None]) ** 2
        part = weights * square / np.sqrt(1 + square)
        slope = (part * (2 + square) / (1 + square)).sum(axis=1)
        move = (part.sum(axis=1) - count / ZETA) / np.maximum(slope, 1e-100)
        corner = corner * np.exp(np.clip(move, -1.0, 1.0))
    return np.maximum(corner, floor)


def covariance(gradient: Array, y: Array, predicted: Array, corner: float, errors: Errors) -> Array:
    """Covariance of the constants of one fit: Huber's formula for errors of one scale.

    ``gradient`` (rows, constants) holds the derivatives of the times ``predicted`` (rows,) by the constants.
    """
    jacobian = gradient / predicted[:, None] if errors == "relative" else gradient
    error = np.log(y / predicted) if errors == "relative" else y - predicted
    score, curvature = _score_and_curvature(error, corner, gradient.shape[1])
    variance = score / curvature**2
    # Columns of one length, so that the pseudo-inverse drops what is singular and not what is small.
    length = np.sqrt((jacobian**2).sum(axis=0)).clip(np.finfo(float).tiny)
    unit = jacobian / length
    return np.asarray(variance * np.linalg.pinv(unit.T @ unit) / np.outer(length, length))


def _score_and_curvature(error: Array, corner: float, constants: int) -> tuple[float, float]:
    """Mean square of the loss's derivative and mean of its second derivative over the errors, per unit loss.

    The square is for the constants' number and Huber's finite-sample factor (Robust Statistics, 1981, Section 7.6).
    """
    root = np.sqrt(1 + (error / corner) ** 2)
    bend = root**-3
    curvature = float(bend.mean())
    factor = 1 + constants / len(error) * float(bend.var()) / curvature**2
    return factor**2 * float(((error / root) ** 2).sum()) / max(len(error) - constants, 1), curvature


def likelihood_scale(error: Array, corner: float, constants: int) -> float:
    """By how much twice the log-likelihood's fall exceeds chi-squared, where the errors are not hyperbolic.

    ``error`` (rows,) of a fit of so many ``constants`` at a fixed corner. With Gaussian errors of the fitted scale
    it is about 1. Source: Heritier and Ronchetti, "Robust bounded-influence tests in general parametric models", 1994.
    """
    score, curvature = _score_and_curvature(error, corner, constants)
    return ZETA * score / corner**2 / curvature
