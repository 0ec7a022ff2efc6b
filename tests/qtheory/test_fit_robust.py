"""The batch solver against scipy's, its likelihood against the density it states, and its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate
from scipy.optimize import least_squares, minimize_scalar

from qtheory.profiles import robust
from qtheory.profiles.robust import Errors


def synthetic(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """An affine law with 2 percent noise and two gross outliers: design (rows, 2) and seconds (rows,)."""
    rng = np.random.default_rng(seed)
    n = np.repeat(np.arange(1, 101) * 8.0, 2)
    seconds = (0.02 + 6e-5 * n) * np.exp(rng.normal(0, 0.02, n.size))
    seconds[5] *= 2
    seconds[100] *= 0.4
    return np.stack([np.ones_like(n), n], axis=-1), seconds


def residuals(design: np.ndarray, seconds: np.ndarray, theta: np.ndarray, errors: Errors) -> np.ndarray:
    if errors == "relative":
        return np.log(seconds) - np.log(design @ theta)
    return seconds - design @ theta


@pytest.mark.parametrize("errors", ["relative", "absolute"])
def test_agrees_with_scipy_at_the_fitted_corner(errors: Errors) -> None:
    design, seconds = synthetic()
    ours = robust.fit(design[None], seconds, np.ones((1, len(seconds))), errors=errors)
    theirs = least_squares(
        lambda theta: residuals(design, seconds, theta, errors), [0.01, 1e-5], loss="soft_l1",
        f_scale=float(ours.corner[0]), x_scale=[1e-2, 1e-5], xtol=1e-15, ftol=1e-15, gtol=1e-15,
    )
    assert ours.theta[0] == pytest.approx(theirs.x, rel=1e-6)
    assert ours.theta[0] == pytest.approx([0.02, 6e-5], rel=0.02)  # the outliers do not matter


@pytest.mark.parametrize("errors", ["relative", "absolute"])
def test_corner_and_likelihood_are_those_of_the_stated_density(errors: Errors) -> None:
    design, seconds = synthetic()
    ours = robust.fit(design[None], seconds, np.ones((1, len(seconds))), errors=errors)
    error = residuals(design, seconds, ours.theta[0], errors)

    def shape(z: float) -> float:
        return float(np.exp(-robust.ZETA * np.sqrt(1 + z * z)))

    mass = integrate.quad(shape, -np.inf, np.inf)[0]

    def log_likelihood(corner: float) -> float:
        density = -robust.ZETA * np.sqrt(1 + (error / corner) ** 2) - np.log(mass * corner)
        return float((density - (np.log(seconds) if errors == "relative" else 0.0)).sum())

    best = minimize_scalar(lambda log_c: -log_likelihood(np.exp(log_c)), bounds=(-15, 0), options={"xatol": 1e-9})
    assert ours.corner[0] == pytest.approx(float(np.exp(best.x)), rel=1e-4)
    assert ours.log_likelihood[0] == pytest.approx(log_likelihood(float(ours.corner[0])), rel=1e-9)


def test_weights_are_repetitions() -> None:
    design, seconds = synthetic()
    weights = np.random.default_rng(3).integers(0, 4, len(seconds))
    index = np.repeat(np.arange(len(seconds)), weights)
    weighted = robust.fit(design[None], seconds, weights[None].astype(float), errors="relative")
    repeated = robust.fit(design[index][None], seconds[index], np.ones((1, len(index))), errors="relative")
    assert weighted.theta[0] == pytest.approx(repeated.theta[0], rel=1e-7)
    assert weighted.log_likelihood[0] == pytest.approx(repeated.log_likelihood[0], rel=1e-9)


def test_constants_stay_nonnegative_and_optimal_there() -> None:
    n = np.arange(1.0, 60.0)
    seconds = 1e-4 * n + 1e-6 * n**2  # an unconstrained line would cross zero with a negative intercept
    design = np.stack([np.ones_like(n), n], axis=-1)[None]
    weights = np.ones((1, n.size))
    free = robust.fit(design, seconds, weights, errors="absolute", signed=True)
    bound = robust.fit(design, seconds, weights, errors="absolute")
    assert free.theta[0, 0] < 0
    assert bound.theta[0, 0] == 0 and bound.theta[0, 1] > 0
    alone = robust.fit(design[..., 1:], seconds, weights, errors="absolute")
    assert bound.log_likelihood[0] == pytest.approx(alone.log_likelihood[0])


def test_a_batch_is_its_members() -> None:
    design, seconds = synthetic()
    weights = np.random.default_rng(4).integers(0, 3, (5, len(seconds))).astype(float)
    together = robust.fit(design[None], seconds, weights, errors="relative")
    for row in range(5):
        alone = robust.fit(design[None], seconds, weights[row : row + 1], errors="relative")
        assert together.theta[row] == pytest.approx(alone.theta[0], rel=1e-7)


@pytest.mark.parametrize("rows", [12, 200])
def test_the_likelihoods_scale_is_one_for_errors_of_its_own_density(rows: int) -> None:
    """Hyperbolic errors need no scaling, so that the likelihood-ratio statistic is chi-squared as it stands."""
    grid = np.linspace(-40, 40, 400_001)
    density = np.exp(-robust.ZETA * np.sqrt(1 + grid**2))
    quantiles = np.interp((np.arange(rows) + 0.5) / rows, np.cumsum(density) / density.sum(), grid)
    assert robust.likelihood_scale(0.03 * quantiles, 0.03, 0) == pytest.approx(1, abs=1.5 / rows)


def test_the_finite_sample_factor_widens_short_fits() -> None:
    error = 0.02 * np.random.default_rng(1).standard_normal(20)
    corner = 0.02 * robust.CORNER
    plain = robust.likelihood_scale(error, corner, 0)
    assert 1.1 < robust.likelihood_scale(error, corner, 3) / plain < 1.5


@pytest.mark.parametrize("errors", ["relative", "absolute"])
def test_exact_data_is_fitted_exactly(errors: Errors) -> None:
    """And by the least squares that the search begins with: what lies on the law is found before its first step."""
    n = np.arange(1.0, 40.0)
    design = np.stack([np.ones_like(n), n], axis=-1)[None]
    for steps in (0, 60):
        fitted = robust.fit(design, 0.03 + 2e-4 * n, np.ones((1, n.size)), errors=errors, steps=steps)
        assert fitted.theta[0] == pytest.approx([0.03, 2e-4], rel=1e-8)
        assert np.isfinite(fitted.log_likelihood[0])
