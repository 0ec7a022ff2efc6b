"""Formulas and bounds of the theory, recomputed from their definitions in another way."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from qtheory.models.laws import PrefillDecodeLaw
from qtheory.models.network_classics import fork_join
from qtheory.theory import accuracy
from qtheory.theory.any_law import Lengths, Times, most_under_any_scheduler
from qtheory.theory.critical_rate import _of_a_pair
from qtheory.theory.stability import virtual_stations

LENGTHS = Lengths(Fraction(30), Fraction(11), Fraction(400))


def phase(N: int, k: int, p: float) -> float:
    """Mean iterations until k of N have completed: of each, whether fewer than k have."""
    return sum(sum(math.comb(N, j) * (1 - (1 - p) ** t) ** j * (1 - p) ** (t * (N - j)) for j in range(k))
               for t in range(2000))


def base(gamma: float) -> tuple[float, float]:
    """theta0 and zeta by halving: exp(zeta) - 1 - zeta = gamma."""
    low, high = 0.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if math.exp(middle) - 1 - middle < gamma else (low, middle)
    return 1 - math.exp(-low), low


@pytest.mark.parametrize(("gamma", "N"), [(1.0, 2), (1.0, 5), (0.2, 4)])
def test_the_error_of_the_throughput_is_that_of_a_chain(gamma: float, N: int) -> None:
    p, (theta, zeta) = 0.1, base(gamma)
    exact = phase(N, math.floor(theta * N), p) + gamma / p
    assert accuracy.throughput_error(gamma, p, N) == pytest.approx(exact / ((zeta + gamma) / p) - 1, rel=1e-9)
    assert accuracy.throughput_error(1e-4, p, 2) is None  # no threshold


@pytest.mark.parametrize("N", range(1, 7))
@pytest.mark.parametrize("gamma", [1e-3, 0.3])
def test_the_chains_best_threshold_is_the_best_of_all(gamma: float, N: int) -> None:
    p = 0.1
    rates = [k / (phase(N, k, p) + gamma / p) for k in range(1, N + 1)]
    assert accuracy.chain_threshold(gamma, p, N) == 1 + rates.index(max(rates))


def test_errors_of_kept_ages_by_the_cost_itself() -> None:
    """The best x minimizes (x + gamma) M(x), M by its sum, and theta = 1/M: on a grid of a thousandth."""
    gamma, slopes = 0.5, np.array([0.1, 1.0])
    found = accuracy.kept_age_errors(gamma, (0.0, 2.0), slopes)
    assert found.shape == (3, 2)
    for i, e in enumerate(slopes):
        x = np.arange(0.2, 3.0, 1e-3)
        age = np.arange(400)[:, None] * x
        batch = np.exp(-age - e * age**2 / 2).sum(axis=0)
        exact = 1 / batch[np.argmin((x + gamma) * batch)]
        assert found[2, i] == pytest.approx(base(gamma)[0] / exact - 1, abs=1e-3)
        first, one = (found[row, i] + 1 for row in (0, 1))
        assert first * exact == pytest.approx(base(gamma)[0] + e * _rise(gamma, 0.0), abs=2e-3)
        assert one * exact == pytest.approx(base(gamma)[0] + e * _rise(gamma, 2.0), abs=2e-3)


def _rise(gamma: float, rho: float) -> float:
    """d theta/d epsilon at 0 of Appendix C's optimum, by differences of the optimum itself."""
    from qtheory.numerics.increasing_hazard import optimal_threshold

    step = 1e-5
    return (float(optimal_threshold(gamma, step, rho).theta) - base(gamma)[0]) / step


def test_no_virtual_stations_where_visits_join() -> None:
    assert list(virtual_stations(fork_join())) == []


@pytest.mark.parametrize("slots", [None, 3, 60])
def test_the_bound_for_all_schedulers_is_the_best_of_all_lines(slots: int | None) -> None:
    """Of all lines through two points of the law, and the rays from 0, that lie nowhere above it: the one that asks
    most seconds of a request."""
    times = Times.of_function(lambda n: Fraction(5 + n // 7 + n * n // 50, 100), 40)
    law = {n: times.at(n) for n in range(1, 41)}
    needed = max(LENGTHS.tokens / 40, (1 + LENGTHS.output) / slots if slots else 0)
    best = Fraction(0)
    for a, b in [*combinations(law, 2), *((n, None) for n in law)]:
        slope = law[a] / a if b is None else (law[b] - law[a]) / (b - a)
        start = law[a] - slope * a
        if start >= 0 and all(start + slope * n <= t for n, t in law.items()):
            best = max(best, start * needed + slope * LENGTHS.tokens)
    rate, line, limit = most_under_any_scheduler(times, LENGTHS, slots)
    assert rate == 1 / best == 1 / (line.intercept * needed + line.slope * LENGTHS.tokens)
    assert limit == ("slots" if slots == 3 else "tokens a second")


def test_the_line_of_a_pair_says_what_its_bound_says() -> None:
    law = PrefillDecodeLaw(0.02, 3e-5, 0.01, 2e-5)
    rate, line, _ = _of_a_pair(law, LENGTHS, 512, 4, None)
    needed = (1 + LENGTHS.output) / 4
    assert 1 / rate == line.intercept * needed + line.slope * LENGTHS.tokens
    assert 1 / rate == Fraction("0.01") * needed + Fraction("3e-5") * 30 + Fraction("2e-5") * 11
