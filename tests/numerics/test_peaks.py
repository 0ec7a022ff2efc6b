"""The memory of a decode phase: exact moments, exact and simulated peaks, against each other and by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from qtheory.errors import InputError
from qtheory.numerics.peaks import exact_peak_tail, simulate_peaks
from qtheory.numerics.phases import phase_moments

SYSTEMS = [(2, 1, 0.3, 2), (3, 2, 0.3, 1), (3, 1, 0.4, 0), (4, 3, 0.5, 1)]


def test_moments_of_one_slot_by_hand() -> None:
    one = phase_moments(1, 1, 0.2)
    assert one.iterations == pytest.approx(5.0, rel=1e-12)
    assert one.completions == 1.0 and one.tokens == 0.0


def test_moments_of_two_slots_by_hand() -> None:
    """N = 2, k = 1, p = 1/2: the ages are geometric on 0, 1, ... given that one is 0."""
    law = {(g, h): 0.5 ** (g + h) for g, h in product(range(80), repeat=2) if g == 0 or h == 0}
    total = sum(law.values())
    mean = sum(q * g for (g, _), q in law.items()) / total
    square = sum(q * g * g for (g, _), q in law.items()) / total
    got = phase_moments(2, 1, 0.5)
    assert got.iterations == pytest.approx(4 / 3, rel=1e-12) and got.completions == pytest.approx(4 / 3, rel=1e-12)
    assert got.tokens == pytest.approx(mean, rel=1e-12) == pytest.approx(2 / 3, rel=1e-12)
    assert got.tokens_variance == pytest.approx(square - mean**2, rel=1e-10)
    assert got.tokens_covariance == pytest.approx(-(mean**2), rel=1e-10)


def by_chain(slots: int, k: int, p: float) -> tuple[float, float]:
    """Mean iterations and completions of a phase, from the number that is still active to the next."""
    iterations, completions = np.zeros(slots + 1), np.zeros(slots + 1)
    for n in range(slots - k + 1, slots + 1):
        chances = binom.pmf(np.arange(n + 1), n, p)
        later = np.arange(n - 1, -1, -1)
        iterations[n] = (1 + chances[1:] @ iterations[later]) / (1 - chances[0])
        completions[n] = chances[1:] @ (np.arange(1, n + 1) + completions[later]) / (1 - chances[0])
    return float(iterations[slots]), float(completions[slots])


@pytest.mark.parametrize(("slots", "k", "p"), [(2, 1, 0.3), (5, 3, 0.1), (64, 8, 0.01), (1024, 300, 0.003)])
def test_the_chain_of_those_active_and_the_fluid_limit(slots: int, k: int, p: float) -> None:
    got = phase_moments(slots, k, p)
    assert (got.iterations, got.completions) == pytest.approx(by_chain(slots, k, p), rel=1e-10)
    fluid = (1 - k / slots) / (k / slots) * -math.log1p(-k / slots) / p
    if slots >= 64:
        assert got.tokens == pytest.approx(fluid, rel=0.02)
    assert got.tokens_variance > 0


@pytest.mark.parametrize(("slots", "k", "p", "prompt"), SYSTEMS)
def test_simulated_peaks_against_exact_ones(slots: int, k: int, p: float, prompt: int) -> None:
    sample = simulate_peaks(slots, k, p, prompt, phases=4000, replications=20, seed=7)
    for capacity, ends in product((slots * (prompt + 2), slots * (prompt + 3) + 1), (False, True)):
        exact = exact_peak_tail(slots, k, p, prompt, capacity, ends=ends)
        mean, half = sample.tail(capacity, ends=ends)
        assert abs(mean - exact) < 3 * half + 1e-3
    moments = phase_moments(slots, k, p)
    assert sample.start.mean() == pytest.approx(slots * (prompt + moments.tokens), rel=0.01)
    variance = slots * moments.tokens_variance + slots * (slots - 1) * moments.tokens_covariance
    assert sample.start.var() == pytest.approx(variance, rel=0.05, abs=1e-9)
    assert (sample.start <= sample.ends).all() and (sample.ends <= sample.during).all()


def test_one_slot_holds_a_whole_request() -> None:
    """N = k = 1: the peak is L + O, with O geometric."""
    for capacity in (4, 7):
        assert exact_peak_tail(1, 1, 0.3, 2, capacity) == pytest.approx(0.7 ** (capacity - 2), rel=1e-12)


def test_a_run_is_its_seed_and_prompts_may_vary() -> None:
    first = simulate_peaks(8, 3, 0.1, [10.0, 20.0, 60.0], phases=50, replications=3, seed=5)
    again = simulate_peaks(8, 3, 0.1, [10.0, 20.0, 60.0], phases=50, replications=3, seed=5)
    other = simulate_peaks(8, 3, 0.1, [10.0, 20.0, 60.0], phases=50, replications=3, seed=6)
    assert np.array_equal(first.during, again.during) and not np.array_equal(first.during, other.during)
    assert first.start.mean() == pytest.approx(8 * (30 + phase_moments(8, 3, 0.1).tokens), rel=0.1)


@pytest.mark.parametrize(("slots", "k", "p", "message"), [
    (0, 1, 0.5, "slots is 0"), (2, 3, 0.5, "k is 3"), (2, 1, 0.0, "p is 0"), (2, 1.5, 0.5, "k is 1.5"),
])
def test_bad_input_is_named(slots: int, k: int, p: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        phase_moments(slots, k, p)
    with pytest.raises(InputError, match=message):
        simulate_peaks(slots, k, p, 1)


def test_bad_prompts_and_hopeless_hazard_rates_are_named() -> None:
    with pytest.raises(InputError, match="prompt lengths"):
        simulate_peaks(2, 1, 0.5, [-1.0])
    with pytest.raises(InputError, match="at least 2 replications"):
        simulate_peaks(2, 1, 0.5, 1, replications=1)
    with pytest.raises(InputError, match="p of at least"):
        phase_moments(2, 1, 1e-7)


def test_the_first_phase_that_is_kept_is_in_steady_state() -> None:
    """A start from ages of all slots alike holds more than the start of a phase, of whose requests half are new."""
    slots, k, p, prompt = 8, 4, 0.1, 5
    found = simulate_peaks(slots, k, p, prompt, phases=1, replications=3000).start[:, 0]
    exact = slots * (prompt + phase_moments(slots, k, p).tokens)
    assert abs(found.mean() - exact) < 4 * found.std(ddof=1) / math.sqrt(found.size)
    assert slots * (prompt + 1 / p - 1) - exact > 10 * found.std(ddof=1) / math.sqrt(found.size)
