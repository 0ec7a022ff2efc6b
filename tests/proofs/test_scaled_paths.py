"""What (C.8) says of batches' times, and what is shown of slots, held against drawn runs."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from qtheory.proofs.claims.to.models.limit_points import BY_BATCHES, FLUID_LIMIT


@pytest.mark.parametrize("t_b", [1, 2, 3, 5])
def test_no_slot_brings_more_than_a_batch(t_b: int) -> None:
    """Of nondecreasing counts those that meet (C.8) grow by at most b a slot, and others need not."""
    rng, b, other = random.Random(t_b), 4, False
    for _ in range(400):
        done = [0]
        for _ in range(3 * t_b):
            done.append(done[-1] + rng.choice((0, 0, 1, 2, b, b + 1)))
        slots = all(done[k] - done[j] <= b * (k - j) for j, k in combinations(range(len(done)), 2))
        whole = all(done[m * t_b] - done[n * t_b] <= (m - n) * b for n, m in combinations(range(4), 2))
        assert slots or not whole
        other |= not slots
    assert other


def test_both_say_the_same_of_limits() -> None:
    """Lemma 1 from (C.8) and from slots have one conclusion, and differ in what is known of the processes alone."""
    first, second = FLUID_LIMIT.theorem, BY_BATCHES.theorem
    assert first is not None and second is not None and first.goal == second.goal
    apart = {*second.where} - {*first.where}
    assert len(apart) == 4 and all("t_b" in w for w in apart)
