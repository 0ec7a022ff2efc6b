"""The memory of phases of one length, under any output law: no simulated share of overflows exceeds the bound."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from qtheory.numerics.any_phase import overflow_bound, safe_slots

LAWS = {
    "all alike": np.array([1.0] * 30),
    "geometric": 0.95 ** np.arange(400.0),
    "two lengths": np.where(np.arange(200) < 10, 1.0, 0.2),
}


def simulated(survivors: NDArray[np.float64], length: int, slots: int, prompt: int, capacity: float) -> float:
    """Share of the phases in steady state whose memory exceeds the capacity, slot by slot."""
    rng, runs = np.random.default_rng(3), 600
    chances = -np.diff(np.append(survivors, 0.0))
    left, age = np.zeros((runs, slots), dtype=int), np.zeros((runs, slots), dtype=int)
    over = []
    for phase in range(60):
        idle = left == 0
        left[idle] = 1 + rng.choice(chances.size, size=int(idle.sum()), p=chances / chances.sum())
        age[idle] = 0
        peak = np.zeros(runs)
        for _ in range(length):
            busy = left > 0
            age[busy] += 1
            peak = np.maximum(peak, (busy * (prompt + age)).sum(axis=1))
            left[busy] -= 1
        if phase >= 40:
            over.append(peak > capacity)
    return float(np.mean(over))


@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("length", [1, 7, 40])
def test_no_simulated_overflow_exceeds_the_bound(name: str, length: int) -> None:
    tail = LAWS[name]
    for capacity in (900, 1400, 2500):
        bound = overflow_bound(tail, length, 20, 30, capacity)
        found = simulated(tail, length, 20, 30, capacity)
        assert found <= bound + 3 * np.sqrt(bound * (1 - bound) / 12_000) + 1e-12


@pytest.mark.parametrize("name", LAWS)
def test_the_safe_size_is_the_last_one_that_is(name: str) -> None:
    sizes = [safe_slots(LAWS[name], 7, 30, capacity, 0.01) for capacity in (0, 20, 500, 2000, 9000)]
    assert sizes == sorted(sizes) and sizes[0] == sizes[1] == 0 < sizes[-1]
    last = sizes[-1]
    assert overflow_bound(LAWS[name], 7, last, 30, 9000) <= 0.01 < overflow_bound(LAWS[name], 7, last + 1, 30, 9000)


def test_all_alike_and_in_step_are_as_many_as_fit() -> None:
    """Phases as long as the outputs: every slot holds its prompt and all tokens at the last iteration, for sure, ten
    fewer an iteration before: at the parameter 0.9 of the bound these are a geometric series, and the best is no more.
    """
    tail = LAWS["all alike"]
    for capacity in (601, 605, 620):
        assert overflow_bound(tail, 30, 10, 30, capacity) <= math.exp(-0.9 * (capacity - 600)) / (1 - math.exp(-9.0))
    assert overflow_bound(tail, 30, 10, 30, 599) == overflow_bound(tail, 30, 10, 30, 600) == 1.0


def chernoff(survivors: NDArray[np.float64], length: int, slots: int, prompt: int, capacity: float) -> float:
    """The logarithm of the least over s of the sum over a phase's iterations of E exp(s (memory - capacity)), slots
    independent: one decodes a request of age i + j D with probability S(i + j D)/R_0, or is idle and holds nothing."""
    refilled = survivors[::length].sum()

    def logarithm(s: float) -> float:
        parts = []
        for i in range(length):
            ages = range(i, survivors.size, length)
            more = math.fsum(survivors[a] / refilled * math.expm1(s * (prompt + a + 1)) for a in ages)
            parts.append(slots * math.log1p(more) - s * capacity)
        most = max(parts)
        return most + math.log(math.fsum(math.exp(p - most) for p in parts))

    return float(minimize_scalar(logarithm, bounds=(0.0, 60.0 * slots / capacity), method="bounded",
                                 options={"xatol": 1e-10}).fun)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize(("length", "capacity"), [(7, 900), (40, 1150), (13, 1400)])
def test_the_bound_is_its_definition(name: str, length: int, capacity: int) -> None:
    found = overflow_bound(LAWS[name], length, 20, 30, capacity)
    assert found == pytest.approx(math.exp(min(chernoff(LAWS[name], length, 20, 30, capacity), 0.0)), rel=1e-4)


def test_a_bound_over_iterations_that_differ_by_hundreds_of_powers_of_ten() -> None:
    """20,000 requests in step: from 620,000 tokens to 1,200,000 in a phase, and never more."""
    assert overflow_bound(LAWS["all alike"], 30, 20_000, 30, 1_212_000) < 1e-300
