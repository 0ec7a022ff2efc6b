"""Intervals and covariances of fits from their definitions: a likelihood ratio, Huber's formula, a union of widths."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from qtheory.models.laws import TOKENS, AffineLaw, PiecewiseLinearLaw, StaircaseLaw
from qtheory.profiles import intervals, quality, robust
from qtheory.profiles.estimating import most_likely, profiled, shortlist
from qtheory.profiles.measurements import Measurements


def scores(errors: Any, corner: float, constants: int) -> tuple[float, float]:
    """Mean square of the derivative of the loss c^2 (sqrt(1 + (e/c)^2) - 1), with Huber's factor for few rows (Robust
    Statistics, 1981, Section 7.6), and the mean of its second derivative."""
    n = len(errors)
    first = [e / math.sqrt(1 + (e / corner) ** 2) for e in errors]
    second = [(1 + (e / corner) ** 2) ** -1.5 for e in errors]
    mean = math.fsum(second) / n
    factor = 1 + constants / n * (math.fsum((s - mean) ** 2 for s in second) / n) / mean**2
    return factor**2 * math.fsum(f * f for f in first) / (n - constants), mean


def test_the_covariance_is_hubers() -> None:
    """Of a line by eight rows, with an outlier: the factor for few rows counts."""
    x, error = np.arange(1.0, 9.0), np.array([0.1, -0.2, 0.15, -0.05, 2.0, -0.1, 0.05, 0.1])
    found = robust.covariance(np.stack([np.ones(8), x], axis=1), 5 + 3 * x + error, 5 + 3 * x, 0.2, "absolute")
    square, mean = scores(error, 0.2, 2)
    one, two = math.fsum(x), math.fsum(x * x)
    inverse = np.array([[two, -one], [-one, 8.0]]) / (8 * two - one**2)
    assert found == pytest.approx(square / mean**2 * inverse, rel=1e-9)


def bent(rows: int = 60) -> Measurements:
    tokens = np.linspace(10, 600, rows)
    noise = np.exp(np.random.default_rng(2).normal(0, 0.03, rows))
    return Measurements("bent.csv", {"tokens": tokens}, (0.01 + 5e-5 * np.maximum(0.0, tokens - 200)) * noise)


def test_a_breakpoint_is_kept_by_the_likelihood_ratio() -> None:
    """Twice the fall of the log-likelihood against Student's squared quantile, scaled for errors that are not of the
    density: from both sides of the threshold, and the interval's ends lie on it."""
    data, confidence = bent(), 0.95
    point = most_likely(PiecewiseLinearLaw, data, "relative")
    law = PiecewiseLinearLaw(**point.constants)
    errors = np.log(data.seconds / law.time(data.columns["tokens"]))
    square, mean = scores(errors, point.corner, 3)
    scale = robust.ZETA * square / point.corner**2 / mean
    most = scale * stats.t.ppf((1 + confidence) / 2, 57) ** 2
    grid = np.linspace(point.at - 40, point.at + 40, 161)
    fall = 2 * (point.log_likelihood - profiled(PiecewiseLinearLaw, data, grid, "relative",
                                                point.corner).log_likelihood)
    kept = intervals._not_rejected(PiecewiseLinearLaw, data, point, "relative", confidence, grid)
    assert kept.tolist() == (fall <= most).tolist() and 5 < kept.sum() < 150
    low, high, method = intervals.intervals(PiecewiseLinearLaw, data, point, "relative", confidence)["b0"]
    assert method == "likelihood" and low < point.at < high
    ends = profiled(PiecewiseLinearLaw, data, np.array([low - 0.2, low, high, high + 0.2]), "relative", point.corner)
    inside = 2 * (point.log_likelihood - ends.log_likelihood) <= most
    assert inside.tolist() == [False, True, True, False]


def test_the_interval_of_a_law_of_tiles_is_the_union_over_its_widths() -> None:
    """Of the widths that are not rejected each has intervals of its own for the two times."""
    rng, tokens = np.random.default_rng(4), np.arange(40.0, 700, 22)
    times = (0.004 * np.ceil(tokens / 100) + 1e-5 * tokens) * np.exp(rng.normal(0, 0.05, tokens.size))
    data = Measurements("tiles.csv", {"tokens": tokens}, times)
    point = most_likely(StaircaseLaw, data, "relative")
    found = intervals.intervals(StaircaseLaw, data, point, "relative", 0.95)
    quantile = stats.t.ppf(0.975, tokens.size - 3)

    def parts(width: float) -> np.ndarray:
        return np.stack([np.ceil(tokens / width), tokens], axis=1)

    best = parts(point.constants["t_col"]) @ [point.constants["tile_time"], point.constants["token_time"]]
    square, mean = scores(np.log(times / best), point.corner, 3)
    most = robust.ZETA * square / point.corner**2 / mean * quantile**2
    tried = profiled(StaircaseLaw, data, point.tried, "relative", point.corner)
    widths = point.tried[2 * (point.log_likelihood - tried.log_likelihood) <= most]
    assert 1 < len(widths) < len(point.tried) and found["t_col"][:2] == (min(widths), max(widths))
    fits, ends = profiled(StaircaseLaw, data, widths, "relative"), []
    for width, constants, corner in zip(widths, fits.theta, fits.corner, strict=True):
        law = parts(width) @ constants
        square, mean = scores(np.log(times / law), corner, 2)
        slopes = parts(width) / law[:, None]  # of the logarithm
        half = quantile * np.sqrt(square / mean**2 * np.diag(np.linalg.inv(slopes.T @ slopes)))
        ends.append((np.maximum(constants - half, 0.0), constants + half))
    for i, name in enumerate(("tile_time", "token_time")):
        assert found[name][:2] == pytest.approx((min(e[0][i] for e in ends), max(e[1][i] for e in ends)), rel=1e-9)
        assert len({e[0][i] for e in ends}) > 1


def test_a_long_files_sample_keeps_the_most_likely_widths() -> None:
    tokens = np.tile(np.arange(1.0, 101), 11)
    data = Measurements("long.csv", {"tokens": tokens}, 0.004 * np.ceil(tokens / 7) + 1e-6 * tokens)
    kept = shortlist(StaircaseLaw, data, "relative")
    assert len(kept) == 60 and 7 in kept and (np.diff(kept) > 0).all()


def test_a_band_begins_at_its_first_count() -> None:
    fit = SimpleNamespace(law=AffineLaw(0.01, 1e-5), held_out=np.array([0.1, -0.2, 0.3]))
    report = SimpleNamespace(data=SimpleNamespace(columns={TOKENS: np.array([255.0, 256.0, 1024.0])}), fits=[fit])
    head, _, row = quality.bands_markdown([SimpleNamespace(report=report)]).splitlines()  # type: ignore[list-item]
    cells = dict(zip(*([c.strip() for c in line.strip("|").split("|")] for line in (head, row)), strict=True))
    assert [*cells][1:] == ["1 to 15", "16 to 63", "64 to 255", "256 to 1,023", "1,024 to 4,095", "4,096 and more"]
    assert cells == {"law": "affine", "1 to 15": "", "16 to 63": "", "64 to 255": "10.0 %, 10.0 %",
                     "256 to 1,023": "20.0 %, 20.0 %", "1,024 to 4,095": "30.0 %, 30.0 %", "4,096 and more": ""}
