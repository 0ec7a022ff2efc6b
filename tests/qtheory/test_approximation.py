"""Where the closed forms are good: the regions' ends are where the error crosses the level; the table and its plot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from scipy.special import lambertw

from qtheory.errors import InputError
from qtheory.report import approximation, approximation_plot, tables
from qtheory.report.table import Table
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
    """Of all k, the phase by whether fewer than k of n have completed after t iterations, theta0 by Lambert's W."""
    gamma, p, n = 0.1, 0.01, 64
    completed = stats.binom(n, 1 - (1 - p) ** np.arange(4000))
    rates = [k / (completed.cdf(k - 1).sum() + gamma / p) for k in range(1, n + 1)]
    best = 1 + int(np.argmax(rates))
    theta0 = 1 + 1 / lambertw(-np.exp(-1 - gamma), -1).real
    assert accuracy.threshold_error(gamma, p, n) == pytest.approx(theta0 * n / best - 1, rel=1e-9)


@pytest.mark.parametrize(("gamma", "batches"), [(0.01, (8, 16, 64)), (1.0, (8, 4096))])
def test_condition_7_at_theta0_against_both_sides(gamma, batches) -> None:
    """With alpha_d = mu_O = mu_L = 1 and alpha_MB = 0 the right-hand side of (7) at k0*/N is half the term."""
    from qtheory.numerics.special import base_threshold
    from qtheory.theory import crossover

    base = base_threshold(gamma)
    for n, error in zip(batches, accuracy.condition_errors(gamma, batches), strict=True):
        k = int(float(base.theta0) * n)
        if k == 0:
            assert error is None
            continue
        exact = crossover.numeric("largest_gap", k=k, N=n, alpha_p=gamma, alpha_d=1, alpha_MB=1e-12, mu_L=1, mu_O=1)
        assert error == pytest.approx((gamma + float(base.zeta)) / k / 2 / exact - 1, rel=1e-6)
        assert error >= 0  # k0*/N is at most theta0


def test_condition_7_is_good_from_its_reach_on_and_not_just_below() -> None:
    errors = accuracy.condition_errors(0.1, accuracy.EVERY_BATCH)
    one, five, twenty = accuracy.reaches(errors, accuracy.EVERY_BATCH)
    assert one and five and twenty and one > five > twenty
    assert all(e is not None and e <= 0.01 for e in errors[one - 8:]) and errors[one - 9] > 0.01


def test_the_mean_memory_against_a_system_of_two_by_hand() -> None:
    """N = 2, k = 1: E[G] = E[M; survives]/(1 - s), G the tokens held, s = Pr(a slot survives a phase of M)."""
    p, m = 0.2, 0.4
    q = 1 - p
    # both survive an iteration with q^2; the phase ends when one completes, the other surviving with p q
    ends = [(t, q ** (2 * (t - 1)) * p * q) for t in range(1, 400)]
    tokens = sum(t * w for t, w in ends) / (1 - sum(w for _, w in ends))
    printed = m / p + np.log(2) / p
    assert accuracy.start_error(m, 0.5, p, 2) == pytest.approx(printed / (m / p + tokens) - 1, rel=1e-9)
    more = accuracy.start_error(np.array([0.01, 0.4, 40.0]), 0.5, p, 2)
    assert np.all(np.diff(np.abs(more)) < 0)  # prompts dilute the error


def test_the_variance_leaves_out_the_prompts() -> None:
    """p0 v_n/n = (p0 sigma_L)^2 + (1 - p0)(1 + (1 + m)^2), of which 2n/p0 keeps the 2."""
    for m, p0, spread in ((0.05, 0.01, 0.0), (1.0, 0.003, 1.0), (0.001, 0.01, 0.0)):
        exact = (m * spread) ** 2 + (1 - p0) * (1 + (1 + m) ** 2)
        assert accuracy.variance_error(m, p0, spread) == pytest.approx(2 / exact - 1, rel=1e-12)


@pytest.mark.slow
def test_the_batch_sizes_at_the_capacity_that_a_batch_needs() -> None:
    """Geometric outputs of mean 64: (6) admits a small share of the 64 requests that fit, N_static too many."""
    short = accuracy.batch_errors(0.48, 1 / 64, 1, 64)
    assert short.safe == -1.0 and short.expected < -0.4 < 0 < short.static
    # long prompts leave the outputs no weight: all three are right within a request
    long = accuracy.batch_errors(0.74, 1 / 11, 2492, 64)
    assert max(map(abs, long)) < 0.01 and long.safe <= long.expected <= long.static


def test_the_static_size_for_large_batches_is_the_simulated_ones_limit() -> None:
    """Of N slots exp(-t) hold a request still after t mean outputs, each y + t of them: the highest over a fine grid of
    times, y at the start. Above y = 1 it does not rise."""
    m, theta = 0.01, 0.9
    limit = float(accuracy.static_limit_error(np.array([m]), theta)[0])
    y, times = m + (1 - theta) / theta * np.log(1 / (1 - theta)), np.linspace(0, 3, 300_001)
    assert limit == pytest.approx((np.exp(-times) * (y + times)).max() / y - 1, rel=1e-9) and limit > 0.5
    assert accuracy.static_limit_error(np.array([2.0]), theta)[0] == 0
    errors = [accuracy.batch_errors(theta, 0.01, 1, n).static - limit for n in (32, 256)]
    assert 0 < errors[1] < errors[0] / 2


@pytest.mark.slow
def test_the_table_and_its_order(built: Callable[[str], Table]) -> None:
    table = built("eb-approximation")
    assert len(table.rows) == 9 + 9 + 3 + 6 + 8 + 6 + 3 + 16 + 4 + 48 + 24
    sizes = ("N_static (App. D.5)", "N_expected (App. D.5)", "safe batch (6)")
    for row in table.rows:
        one, five, twenty = row[-3:]
        if row[7] != approximation.BATCH_FROM:
            assert 0 < one <= five <= twenty
        else:
            assert (five or 4096) >= (twenty or 0) and (one or 4096) >= (five or 0)
            assert twenty is not None or row[0] in sizes
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


def test_every_workload_with_prompts_is_marked() -> None:
    marked = approximation_plot.loads()
    assert [load.mark for load in marked if load.rate is None] == ["W"]  # WildChat has no prompt lengths
    prompted = {f"eb-{approximation_plot.MARKS[load.mark]}": load for load in marked if load.rate is not None}
    assert set(prompted) == set(approximation.MEMORY_WORKLOADS)
    for name, load in prompted.items():
        p0, prompt, theta = approximation.memory_point(name)
        assert load.rate == pytest.approx(p0 * prompt) and load.theta == theta
    assert prompted["eb-sharegpt"].rate == pytest.approx(105 / 280)


@pytest.mark.later
def test_the_labels_stand_on_their_lines() -> None:
    x, y = np.geomspace(1e-3, 1e2, 100), np.geomspace(3e-3, 10, 90)
    grid = np.array([100 * accuracy.correction_error(g, 0.0, x) for g in y])
    points = approximation_plot._label_points(x, y, grid, (1.0, 5.0, 20.0))
    assert all(x[0] < px < x[-1] and y[0] < py < y[-1] for px, py in points) and len(set(points)) == 6
    errors = [100 * float(accuracy.correction_error(py, 0.0, np.array([px]))[0]) for px, py in points]
    assert errors == pytest.approx([1, -1, 5, -5, 20, -20], rel=0.25)
