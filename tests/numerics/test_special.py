"""The base threshold against 50 digits, against SciPy's Lambert function, and at its edges."""

from __future__ import annotations

import math
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import lambertw

from qtheory.errors import InputError
from qtheory.numerics.special import BaseThreshold, base_threshold

ULP = 8.0


def solved(ratio: float) -> tuple[arb, arb, arb]:
    """theta0, 1 - theta0 and zeta to 60 digits, from Eq. (3) itself, not from the Lambert function."""
    def excess(z: arb) -> arb:
        return z.expm1() - z - ratio

    with ctx.workprec(320):
        zeta = arb(math.sqrt(2 * ratio) if ratio < 1 else math.log1p(ratio + math.log1p(ratio)))
        for _ in range(10):  # Newton's steps, which double the digits
            zeta = (zeta - excess(zeta) / zeta.expm1()).mid()
        near = arb(10) ** -60
        assert excess(zeta * (1 - near)) < 0 < excess(zeta * (1 + near))  # of intervals: a proof
        return -(-zeta).expm1(), (-zeta).exp(), zeta


def ulp_errors(ratios: np.ndarray) -> np.ndarray:
    """Errors in units in the last place, one row a ratio, one column each for theta0, 1 - theta0, zeta."""
    computed = np.stack(base_threshold(ratios), axis=-1)
    errors = np.empty_like(computed)
    for i, ratio in enumerate(ratios):
        for j, truth in enumerate(solved(float(ratio))):
            errors[i, j] = float(abs(arb(float(computed[i, j])) - truth)) / np.spacing(float(truth))
    return errors


def test_reference_solves_the_papers_equation() -> None:
    with mpmath.workdps(50):
        for ratio in (1e-12, 0.3, 2.0, 1e12):
            theta, complement, zeta = (mpmath.mpf(x.str(60, radius=False)) for x in solved(ratio))
            residual = theta / (1 - theta) + mpmath.log(1 - theta) - mpmath.mpf(ratio)
            assert abs(residual) < mpmath.mpf(10) ** -30 * ratio
            assert abs(complement - mpmath.exp(-zeta)) < mpmath.mpf(10) ** -48


def test_eight_ulp_on_a_log_grid() -> None:
    errors = ulp_errors(np.geomspace(1e-12, 1e12, 721))
    assert errors.max(axis=0).tolist() == pytest.approx([0, 0, 0], abs=ULP)


def test_eight_ulp_at_random_and_where_the_methods_meet() -> None:
    rng = np.random.default_rng(20)
    ratios = np.concatenate([10.0 ** rng.uniform(-12, 12, 300), np.linspace(1.9, 2.1, 101)])
    assert ulp_errors(ratios).max() <= ULP


@pytest.mark.slow
def test_eight_ulp_on_a_dense_grid() -> None:
    rng = np.random.default_rng(21)
    ratios = np.concatenate([np.geomspace(1e-12, 1e12, 20_001), 10.0 ** rng.uniform(-12, 12, 10_000)])
    assert ulp_errors(ratios).max() <= ULP


def test_lambert_closed_form() -> None:
    """1/(1 - theta0) = -W_{-1}(-exp(-1 - ratio)), where the exponential neither cancels nor underflows."""
    ratios = np.geomspace(1e-2, 700.0, 500)
    growth = -lambertw(-np.exp(-1.0 - ratios), -1).real
    solution = base_threshold(ratios)
    np.testing.assert_allclose(1.0 / solution.one_minus_theta0, growth, rtol=1e-12)
    np.testing.assert_allclose(solution.zeta, np.log(growth), rtol=1e-11)


def test_edges() -> None:
    solution = base_threshold([0.0, np.inf, -0.0, 5e-324, 1.7e308])
    assert solution.theta0[[0, 1, 2]].tolist() == [0.0, 1.0, 0.0]
    assert solution.one_minus_theta0[[0, 1, 2]].tolist() == [1.0, 0.0, 1.0]
    assert solution.zeta[[0, 1, 2]].tolist() == [0.0, np.inf, 0.0]
    assert solution.theta0[3] == pytest.approx(np.sqrt(2.0) * np.sqrt(5e-324), rel=1e-12)
    assert solution.theta0[4] == 1.0
    assert solution.zeta[4] == pytest.approx(np.log(1.7e308), rel=1e-15)


def test_no_warnings() -> None:
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        base_threshold(np.array([0.0, 1e-300, 1e-12, 1.0, 2.0, 3.0, 1e300, 1.79e308, np.inf]))


def test_scalars_shapes_and_types() -> None:
    one = base_threshold(0.5)
    assert isinstance(one, BaseThreshold)
    assert all(type(value) is float for value in one)
    table = base_threshold(np.array([[0, 1, 2], [3, 4, 5]]))
    assert table.zeta.shape == (2, 3)
    assert base_threshold(np.full((2, 3), 0.5)[:, ::2]).theta0.tolist() == [[one.theta0] * 2] * 2
    assert base_threshold(np.array([0.5], dtype=np.float32)).theta0[0] == one.theta0
    assert base_threshold([]).theta0.shape == (0,)


def test_blocks_do_not_matter() -> None:
    ratios = np.geomspace(1e-12, 1e12, 20_000)
    whole = base_threshold(ratios)
    parts = [base_threshold(ratios[i : i + 777]) for i in range(0, ratios.size, 777)]
    for j in range(3):
        np.testing.assert_allclose(np.concatenate([p[j] for p in parts]), whole[j], rtol=1e-15)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.floats(0, 1e300), st.floats(0, 1e300))
def test_monotone_and_consistent(a: float, b: float) -> None:
    low, high = base_threshold(min(a, b)), base_threshold(max(a, b))
    assert 0 <= low.theta0 <= 1
    assert low.theta0 + low.one_minus_theta0 == pytest.approx(1, abs=1e-15)
    slack = 1 + 1e-14  # rounding may swap neighbours
    assert low.theta0 <= high.theta0 * slack
    assert low.zeta <= high.zeta * slack


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (-1.0, "ratio is -1.0"),
        (float("nan"), "ratio is nan"),
        ([1.0, -2.0, -3.0], r"ratio\[1\] is -2.0"),
        ([[1.0, 2.0], [3.0, float("nan")]], r"ratio\[1, 1\] is nan"),
        (-np.inf, "ratio is -inf"),
        ("0.5", "real number"),
        ([1j], "real number"),
        (None, "real number"),
        ([[1.0], [1.0, 2.0]], "real number"),
        (True, "real number"),
    ],
)
def test_bad_input(bad: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        base_threshold(bad)


def test_first_bad_index_beyond_the_first_block() -> None:
    ratios = np.ones(30_000)
    ratios[[20_001, 25_000]] = -1.0, np.nan
    with pytest.raises(InputError, match=r"ratio\[20001\]"):
        base_threshold(ratios)


def test_import_is_light() -> None:
    heavy = "{'sympy', 'scipy', 'numba', 'mpmath', 'matplotlib'}"
    code = f"import sys, qtheory.numerics.special; sys.exit(len({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
