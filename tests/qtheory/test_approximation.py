"""Where the closed forms are good: the regions' ends are where the error crosses the level; the table and its plot."""

from __future__ import annotations

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.report import approximation, plots, tables
from qtheory.theory import accuracy


@pytest.mark.parametrize(("gamma", "rho", "level"), [(0.01, 0.0, 0.05), (1.0, 10.0, 0.01), (0.1, 1.0, 0.2)])
def test_the_end_of_a_region_is_where_the_error_meets_the_level(gamma, rho, level) -> None:
    errors = accuracy.correction_error(gamma, rho, accuracy.SLOPES)
    end = accuracy.slope_reach(errors, level)
    assert end is not None
    inside = np.geomspace(1e-5, end, 50)
    assert np.abs(accuracy.correction_error(gamma, rho, inside)).max() <= level * 1.01
    assert abs(accuracy.correction_error(gamma, rho, np.array([1.03 * end]))[0]) > level


def test_a_region_may_be_empty_or_reach_the_end() -> None:
    slopes = np.array([1.0, 2.0, 4.0])
    assert accuracy.slope_reach(np.array([0.3, 0.0, 0.0]), 0.2, slopes) is None
    assert accuracy.slope_reach(np.array([0.0, 0.1, -0.1]), 0.2, slopes) == 4.0
    assert accuracy.slope_reach(np.array([0.0, -0.4, 0.0]), 0.2, slopes) == pytest.approx(2**0.5)


def test_batch_regions_reach_up_to_the_largest() -> None:
    def error(n: int) -> float | None:
        return {8: None, 16: 0.3, 32: 0.1, 64: -0.04, 128: 0.005}[n]

    assert accuracy.batch_reaches(error, (8, 16, 32, 64, 128)) == (128, 64, 32)
    assert accuracy.batch_reaches(lambda n: 1.0, (8, 16)) == (None, None, None)


def test_the_fluid_phase_is_off_by_the_chains_own_mean() -> None:
    """At N = 1 the phase is one geometric life, cut nowhere: k = N has no fluid value, so N = 2, k = 1 by hand."""
    p = 0.2
    mean = 1 / (1 - (1 - p) ** 2)
    assert accuracy.decode_error(0.5, p, 2) == pytest.approx(np.log(2) / p / mean - 1)


def test_the_chains_best_threshold_is_found_by_the_search() -> None:
    from qtheory.numerics.phases import phase_moments
    from qtheory.numerics.special import base_threshold

    gamma, p, n = 0.1, 0.01, 64
    rates = [k / (phase_moments(n, k, p).iterations + gamma / p) for k in range(1, n + 1)]
    best = 1 + int(np.argmax(rates))
    assert accuracy.threshold_error(gamma, p, n) == pytest.approx(float(base_threshold(gamma).theta0) * n / best - 1)


@pytest.mark.slow
def test_the_table_and_its_order() -> None:
    table = tables.build("eb-approximation")
    assert len(table.rows) == 9 + 9 + 3 + 6 + 8 + 6
    for row in table.rows:
        one, five, twenty = row[-3:]
        if row[6] == approximation.SLOPE_UP_TO:
            assert 0 < one <= five <= twenty
        else:
            assert twenty is not None and (five or 4096) >= twenty and (one or 4096) >= (five or 0)
    with pytest.raises(InputError, match="takes no --batch"):
        tables.build("eb-approximation", batch=[32])
    assert r"\eta/p_0^2" in table.render("latex")


def test_the_papers_workloads_on_the_plot() -> None:
    points, without = approximation.operating_points()
    assert {p.name for p in points} == {"eb-gamma-2", "eb-wildchat"}
    assert {"eb-balanced", "eb-sharegpt", "eb-numinamath"} <= set(without)
    gamma_2 = next(p for p in points if p.name == "eb-gamma-2")
    # Appendix E.5: an absolute error of 2.8e-4 is one of 15 percent, so p0 = 0.0019
    assert gamma_2.gamma / approximation.RATIO == pytest.approx(2.8e-4 / 0.15, rel=0.05)


@pytest.mark.slow
def test_the_plot_is_a_picture() -> None:
    assert plots.find("eb-approximation").draw(".png").startswith(b"\x89PNG")


def test_the_labels_stand_on_their_lines() -> None:
    x, y = np.geomspace(1e-3, 1e2, 100), np.geomspace(3e-3, 10, 90)
    grid = np.array([100 * accuracy.correction_error(g, 0.0, x) for g in y])
    points = approximation._label_points(x, y, grid, (1.0, 5.0, 20.0))
    assert all(x[0] < px < x[-1] and y[0] < py < y[-1] for px, py in points) and len(set(points)) == 6
    errors = [100 * float(accuracy.correction_error(py, 0.0, np.array([px]))[0]) for px, py in points]
    assert errors == pytest.approx([1, -1, 5, -5, 20, -20], rel=0.25)
