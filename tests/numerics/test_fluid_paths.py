"""Exact fluid paths: growth factors in closed form, and each segment obeys the model."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from qtheory.numerics.fluid_paths import Paths, starts


def rybko_stolyar(short: F, long: F) -> Paths:
    """Visits 0 at A then 1 at B; 2 at B then 3 at A; the second ones first. Arrivals 1 a second."""
    mu = [1 / short, 1 / long, 1 / short, 1 / long]
    return Paths([F(1), F(0), F(1), F(0)], mu, [[], [(0, F(1))], [], [(2, F(1))]], [[3, 0], [1, 2]])


@pytest.mark.parametrize(("short", "long"), [(F(1, 10), F(3, 5)), (F(1, 100), F(9, 10)), (F(1, 20), F(51, 100))])
def test_the_growth_of_rybko_and_stolyar(short: F, long: F) -> None:
    """While the last visit at one engine empties, for long/(1 - long) seconds for each unit before it, the other
    engine's first visit is not served: each half cycle multiplies by long/(1 - long)."""
    cycle = rybko_stolyar(short, long).cycle((F(1), F(0), F(0), F(0)), 20)
    assert cycle is not None
    assert cycle.growth == (long / (1 - long)) ** 2
    assert cycle.duration == long / (1 - long) * (1 + long / (1 - long))


@pytest.mark.parametrize("long", [F(1, 2), F(499_999, 10**6), F(2, 5)])
def test_no_growth_at_and_below_the_critical_load(long: F) -> None:
    paths = rybko_stolyar(F(1, 10), long)
    assert all(paths.cycle(state, 60) is None for state in starts(4))


def test_segments_are_paths() -> None:
    paths = rybko_stolyar(F(1, 10), F(3, 5))
    cycle = paths.cycle((F(3), F(1), F(1), F(0)), 40)
    assert cycle is not None
    for s, after in zip(cycle.segments, (*[s.start for s in cycle.segments[1:]], None), strict=True):
        assert min(s.efforts) >= 0 and s.duration > 0 and min(paths.end(s)) == 0
        assert after is None or paths.end(s) == after
        assert s.efforts[0] + s.efforts[3] <= 1 and s.efforts[1] + s.efforts[2] <= 1
    assert paths.end(cycle.segments[-1]) == tuple(cycle.growth * z for z in cycle.segments[0].start)


def test_an_empty_network_and_one_that_only_grows() -> None:
    paths = Paths([F(2)], [F(1)], [[]], [[0]])
    assert paths.cycle((F(0),), 5) is None and paths.cycle((F(1),), 5) is None


def test_starts_are_different_states() -> None:
    found = starts(5)
    assert len(set(found)) == len(found) >= 15 and all(any(z) for z in found)
