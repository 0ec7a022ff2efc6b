"""The best phase under any law: the affine case by the general rule, steps by enumeration, the interval's meaning."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.numerics.any_phase import best_phase, phase_cost
from qtheory.numerics.kept_ages import best_phase as affine_rule

GEOMETRIC = (1 - 1 / 40) ** np.arange(1500)
UNIFORM = np.maximum(0.0, 1 - np.arange(80) / 79.0)
ALPHA_P, BETA_P, ALPHA_D, BETA_D = 0.05, 1e-4, 0.01, 2e-5


def prefill(n):
    return ALPHA_P + BETA_P * np.asarray(n)


def decode(n):
    return ALPHA_D + BETA_D * np.asarray(n)


def steps(n):
    return 0.01 * np.ceil(np.asarray(n) / 32)


@pytest.mark.parametrize("survivors", [GEOMETRIC, UNIFORM])
def test_affine_laws_give_the_general_rule(survivors: np.ndarray) -> None:
    found, rule = best_phase(survivors, 64, 100.0, prefill, decode), affine_rule(survivors, ALPHA_P / ALPHA_D)
    assert (found.iterations, found.theta) == (rule.iterations, pytest.approx(rule.theta))
    tokens = BETA_P * 100 + BETA_D * survivors.sum()
    assert found.low <= rule.cost * ALPHA_D / 64 + tokens <= found.high and found.certain


@pytest.mark.parametrize("survivors", [GEOMETRIC[:200], UNIFORM])
def test_steps_by_enumeration(survivors: np.ndarray) -> None:
    """Every phase length, each by the sum over requests: cohort by cohort."""
    slots = 64

    def cost(D: int) -> float:
        batch = [sum(survivors[i + j * D] for j in range((survivors.size - i - 1) // D + 1)) if i < survivors.size
                 else 0.0 for i in range(D)]
        time = steps(slots * 100 / batch[0]) + sum(steps(slots * b / batch[0]) for b in batch)
        return float(time * batch[0] / slots)

    costs = {D: cost(D) for D in range(1, survivors.size + 1)}
    found = best_phase(survivors, slots, 100.0, steps, steps)
    assert found.low <= min(costs.values()) * (1 + 1e-9)
    assert not found.certain or costs[found.iterations] <= min(costs.values()) * (1 + 1e-9)
    assert costs[found.iterations] <= found.high


def test_the_interval_holds_the_cost_in_exact_numbers() -> None:
    tail = [Fraction(3, 4) ** t for t in range(30)]
    D, slots = 4, 16
    batch = [sum(tail[i::D], Fraction(0)) for i in range(D)]
    exact = (Fraction(1, 20) + Fraction(1, 10_000) * slots * 100 / batch[0]
             + sum(Fraction(1, 100) + Fraction(2, 100_000) * slots * b / batch[0] for b in batch)) * batch[0] / slots
    found = phase_cost(np.array([float(t) for t in tail]), D, slots, 100.0, prefill, decode)
    assert Fraction(found.low) <= exact <= Fraction(found.high)


@pytest.mark.parametrize(("late", "width", "slots", "prompt"), [(24, 8, 32, 44), (30, 8, 32, 44), (10, 16, 24, 7),
                                                                (17, 32, 64, 31), (22, 4, 44, 30),
                                                                (10, 32, 15, 5)])
def test_what_is_certain_beats_every_other_phase(late: int, width: int, slots: int, prompt: int) -> None:
    """At the edge of a step rounding decides, and the intervals overlap. A quarter of the outputs is 30 long. In exact
    numbers, request by request: what is certain is the least, and where two are least nothing is."""
    def law(n):
        return 0.01 * np.ceil(np.maximum(np.asarray(n), 0.5) / width)

    def exact(D: int) -> Fraction:
        refilled = sum(tail[::D])
        tokens = [Fraction(slots * prompt), *(slots * sum(tail[i::D]) for i in range(D))]
        return sum(Fraction(max(1, math.ceil(n / refilled / width)), 100) for n in tokens) * refilled / slots

    tail = [Fraction(1, 1 if t < late else 4) for t in range(30)]
    costs = {D: exact(D) for D in range(1, 31)}
    found = best_phase(np.array(tail, dtype=float), slots, prompt, law, law)
    least = [D for D, cost in costs.items() if cost == min(costs.values())]
    assert found.low <= min(costs.values()) and costs[found.iterations] <= found.high
    assert not found.certain or least == [found.iterations]


def test_refusals() -> None:
    with pytest.raises(InputError, match="survivors must fall"):
        best_phase([1.0, 0.5, 0.6], 4, 10.0, prefill, decode)
    with pytest.raises(InputError, match="the decode law decreases"):
        best_phase(GEOMETRIC, 64, 100.0, prefill, lambda n: 1.0 / (1.0 + np.asarray(n)))
