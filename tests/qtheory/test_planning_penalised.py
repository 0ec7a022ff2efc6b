"""The mean time per output token as a penalty and as a frontier, exactly."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from qtheory.errors import InputError
from qtheory.theory.planning import Instance, IterationTimes, TokenTime, plan, two_class_instance
from qtheory.theory.planning.penalised import least_token_time, maximise, time, token_time_frontier

TWO = two_class_instance()


@pytest.mark.parametrize("bound", ["0.0221", "0.023", "0.0241", "0.03"])
def test_the_frontier_is_that_of_the_bounded_plans(bound: str) -> None:
    found = token_time_frontier(TWO)
    assert found.at(F(bound)) == plan(TWO, "bundled", [TokenTime(F(bound))]).value


def test_its_slope_is_the_price() -> None:
    found, at, step = token_time_frontier(TWO), F("0.023"), F(1, 10**9)
    assert float((found.at(at + step) - found.at(at)) / step) == pytest.approx(float(found.price(at)), rel=1e-4)
    assert found.breakpoints == tuple(sorted(found.breakpoints)) and found.breakpoints[-1] == plan(TWO).token_time
    assert found.price(F("0.03")) == 0
    with pytest.raises(InputError, match=r"below the 0\.022"):
        found.at(F("0.02"))


def test_the_least_time_for_a_revenue_is_the_frontier_read_backwards() -> None:
    found = token_time_frontier(TWO)
    for bound in ("0.0221", "0.0235"):
        assert least_token_time(TWO, found.at(F(bound))) == F(bound)


@pytest.mark.parametrize("weight", [0, 1000, 60_000, 91_000, 10**6])
def test_no_grid_point_beats_the_penalised_plan(weight: int) -> None:
    found = maximise(TWO, F(weight))
    assert found.value <= found.upper <= found.value + F(1, 10**12)
    front = token_time_frontier(TWO)
    for k in range(60):
        share = F(k, 200)
        bound = time(TWO, share)
        assert front.at(bound) - weight * bound <= found.upper


def test_a_best_share_that_is_a_root() -> None:
    """Where the slope of a piece is met inside it, x = B - sqrt(..)."""
    front = token_time_frontier(TWO)
    low, high = front.by_share.pieces[1].low, front.by_share.pieces[2].low
    middle = (low + high) / 2
    batch = TWO.batch
    bend = batch * (batch - 1) * (TWO.times.mixed - TWO.times.solo) / (batch - middle) ** 2
    weight = (front.by_share.pieces[1].slope / bend).limit_denominator(1000)
    found = maximise(TWO, weight)
    assert low < found.plan.mixed_share < high and not found.share.is_Rational
    assert float(found.share) == pytest.approx(float(found.plan.mixed_share), rel=1e-12)
    assert F(0) <= found.upper - found.value < F(1, 10**15)
    for step in (F(1, 10**6), -F(1, 10**6)):
        bound = time(TWO, found.plan.mixed_share + step)
        assert front.at(bound) - weight * bound < found.value


def test_faster_mixed_iterations() -> None:
    """Then prefills shorten the mean time, and the maximum is at a breakpoint."""
    fast = Instance(TWO.classes, IterationTimes(F("0.01"), F("0.02"), F(256)), 16, TWO.prices)
    found = maximise(fast, F(10_000))
    assert found.value == found.upper
    with pytest.raises(InputError, match="do not lengthen"):
        token_time_frontier(fast)
    with pytest.raises(InputError, match="must be at least 0"):
        maximise(TWO, F(-1))
