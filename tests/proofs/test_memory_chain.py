"""The memory of the machine of Section 3.1 of the exclusive-batching paper, enumerated: what its cap leaves out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs.claims.eb.models.memory_chain import Machine, constant, increasing, machine
from qtheory.proofs.claims.phase_starts import start_exceeds

HALF, STEEP, SLOW = Fraction(1, 2), Fraction(1, 4), Fraction(1, 20)


@pytest.mark.parametrize(("slots", "k", "slope", "prompt", "capacity"), [
    (2, 1, SLOW, 100, 203), (2, 1, STEEP, 0, 3), (3, 2, STEEP, 1, 8), (2, 2, SLOW, 0, 4)])
@pytest.mark.parametrize("ends", [True, False])
def test_the_cap_loses_nothing_under_an_increasing_rate(slots: int, k: int, slope: Fraction, prompt: int,
                                                        capacity: int, ends: bool) -> None:
    """Tokens beyond the cap have the rate that they have at it, so that more of them count alike."""
    hazard = increasing(HALF, slope)
    found = machine(slots, k, hazard, prompt, capacity)
    assert hazard(found.cap + 1) == hazard(found.cap + 2) == 1
    more = Machine(slots, k, hazard, found.cap + 2)
    assert found.exceeds(prompt, capacity, ends=ends) == more.exceeds(prompt, capacity, ends=ends)


def test_a_cap_where_the_rate_rises_gives_another_law() -> None:
    hazard = increasing(HALF, SLOW)
    short, full = Machine(2, 1, hazard, 4), machine(2, 1, hazard, 100, 203)
    assert short.exceeds(100, 203, ends=True) != full.exceeds(100, 203, ends=True)


def test_a_constant_rate_needs_no_larger_cap_than_the_capacity() -> None:
    assert machine(2, 1, constant(HALF), 100, 203).cap == 4


def test_one_slot_by_hand() -> None:
    """N = 1 without prompts: the tokens held during iterations exceed C exactly if the request is longer."""
    hazard = increasing(Fraction(1, 10), Fraction(1, 5))
    longer = (1 - hazard(1)) * (1 - hazard(2))
    assert machine(1, 1, hazard, 0, 2).exceeds(0, 2, ends=False) == longer


@pytest.mark.parametrize(("slots", "k", "cap"), [(2, 1, 20), (2, 2, 20), (3, 2, 9), (4, 3, 5)])
def test_the_phases_starts_are_those_of_the_machine_and_rounding_only_lowers(slots: int, k: int, cap: int) -> None:
    """X_0 from the phases before it has the law of the machine's starts below the cap."""
    starts = Machine(slots, k, constant(HALF), cap).starts
    for tokens in range(cap - 1):
        exact = sum(q for batch, q in starts.items() if sum(batch) > tokens)
        close = start_exceeds(slots, k, HALF, tokens, step=1, grid=1, phases=60)
        coarse = start_exceeds(slots, k, HALF, tokens, step=2, grid=3, phases=60)
        assert exact - Fraction(1, 10**6) < close <= exact
        assert coarse <= close
