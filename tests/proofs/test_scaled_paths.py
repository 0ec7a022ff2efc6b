"""What (C.8) says of batches' times, and what is shown of slots, held against drawn runs."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from modelling import Model, conditions

from qtheory.proofs.claims.to.models.limit_points import BY_BATCHES, FLUID_LIMIT


def within(formula: Any) -> Any:
    """What is said under all quantifiers of the last part of a condition."""
    while formula[0] in ("all", "imp") or formula[-1][0] == "all":
        formula = formula[2] if formula[0] in ("all", "imp") else formula[-1]
    return formula


@pytest.mark.parametrize("t_b", [1, 2, 3, 5])
def test_no_slot_brings_more_than_a_batch(t_b: int) -> None:
    """Of nondecreasing counts those that meet (C.8) grow by at most b a slot, and others need not; so the theorems'
    conditions have it."""
    rng, b, other = random.Random(t_b), 4, False
    by_slots, by_batches = (within(next(h for w, h in conditions(model.theorem) if "B_p(n, 0) == 0" in w))
                            for model in (FLUID_LIMIT, BY_BATCHES))
    for _ in range(100):
        done = [0]
        for _ in range(3 * t_b):
            done.append(done[-1] + rng.choice((0, 0, 1, 2, b, b + 1)))
        slots = all(done[k] - done[j] <= b * (k - j) for j, k in combinations(range(len(done)), 2))
        whole = all(done[m * t_b] - done[n * t_b] <= (m - n) * b for n, m in combinations(range(4), 2))
        assert slots or not whole
        values = {"b": Fraction(b), "t_b": Fraction(t_b), "n": Fraction(1)}
        at = Model(values, {"B_p": lambda _, k, done=done: done[k]}, 0)
        assert slots == all(at.holds(by_slots, {"j": Fraction(j), "k": Fraction(k)})
                            for j, k in combinations(range(len(done)), 2))
        assert whole == all(at.holds(by_batches, {"l": Fraction(n), "m": Fraction(m)})
                            for n, m in combinations(range(4), 2))
        other |= not slots
    assert other


def test_both_say_the_same_of_limits() -> None:
    """Lemma 1 from (C.8) and from slots have one conclusion, and differ in what is known of the processes alone."""
    first, second = FLUID_LIMIT.theorem, BY_BATCHES.theorem
    assert first is not None and second is not None and first.goal == second.goal
    apart = {*second.where} - {*first.where}
    assert len(apart) == 4 and all("t_b" in w for w in apart)
