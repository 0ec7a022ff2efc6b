"""Bounds under any iteration-time law: lines nowhere above it, and the closed forms where it is affine."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import (
    AffineLaw,
    ConcaveLaw,
    ContextAffineLaw,
    MemoryLinearLaw,
    PiecewiseLinearLaw,
    StaircaseLaw,
)
from qtheory.theory import capacity
from qtheory.theory.any_law import (
    Lengths,
    Times,
    iterations_needed,
    least_with_full_batches,
    most_under_any_scheduler,
    with_slots_refilled,
)
from qtheory.theory.critical_rate import Engine, critical_rate, lengths_of

LENGTHS = Lengths(Fraction(129), Fraction(112), Fraction(112 * 129 + 112 * 111))
LAWS = (AffineLaw(0.012, 4.2e-5), PiecewiseLinearLaw(0.0455, 3e-4, 64.0), StaircaseLaw(0.004, 1e-5, 128.0),
        ConcaveLaw(0.01, 2e-5, 7e-5, 64.5))
steps = st.lists(st.integers(0, 50), min_size=1, max_size=40).filter(lambda s: sum(s) > 0 and s[0] > 0)


def table(counts: list[int]) -> Times:
    return Times(tuple(sum(counts[:i]) for i in range(1, len(counts) + 1)), Fraction(1, 7))


@pytest.mark.parametrize("law", LAWS)
def test_the_table_is_the_law(law: object) -> None:
    times = Times.of_law(law, 300)  # type: ignore[arg-type]
    assert [float(times.at(n)) for n in range(1, 301)] == pytest.approx(
        law.time(list(range(1, 301))).tolist(), rel=1e-13)  # type: ignore[attr-defined]


def test_context_is_told_apart() -> None:
    both = Times.of_law(ContextAffineLaw(0.01, 1e-5, 2e-8), 10)
    assert (both.at(7), both.context) == (Fraction("0.01007"), Fraction("2e-8"))
    held = Times.of_law(MemoryLinearLaw(0.01, 2e-8), 10)  # the tokens of the batch are held too
    assert (held.at(7), held.context) == (Fraction("0.01") + 7 * Fraction("2e-8"), Fraction("2e-8"))


@settings(max_examples=80, deadline=None)
@given(steps, st.fractions(1, 60))
def test_lines_are_the_hulls(counts: list[int], at: Fraction) -> None:
    """Nowhere on the wrong side, and no better: they touch the law on both sides of the point."""
    times = table(counts)
    below = times.line_below(at)
    assert below.is_below(times)
    touched = [n for n in range(1, times.most + 1) if below.at(Fraction(n)) == times.at(n)]
    assert touched and (min(touched) <= at <= max(touched) or (below.intercept == 0 and max(touched) <= at))
    if at <= times.most:
        above = times.line_above(at)
        assert all(above.at(Fraction(n)) >= times.at(n) for n in range(1, times.most + 1))
        assert sum(above.at(Fraction(n)) == times.at(n) for n in range(1, times.most + 1)) >= min(2, times.most)


@settings(max_examples=60, deadline=None)
@given(steps, st.lists(st.integers(0, 20), min_size=40, max_size=40), st.integers(1, 30))
def test_no_mix_of_iterations_beats_the_bound(counts: list[int], mix: list[int], slots: int) -> None:
    """Any schedule is a mix of iterations, so many of each size: it serves no more than the bound."""
    times = table(counts)
    mix = mix[: times.most]
    iterations, tokens = sum(mix), sum(w * n for n, w in enumerate(mix, 1))
    if not iterations:
        return
    seconds = sum(w * times.at(n) for n, w in enumerate(mix, 1))
    lengths = Lengths(Fraction(3), Fraction(2), Fraction(0))
    served = min(Fraction(tokens) / lengths.tokens, Fraction(iterations * slots) / (1 + lengths.output)) / seconds
    assert served <= most_under_any_scheduler(times, lengths, slots)[0]


def test_the_closed_forms_where_the_law_is_affine() -> None:
    law = LAWS[0]
    times = Times.of_law(law, 512)
    closed = Fraction(512) / (Fraction("0.012") + 512 * Fraction("4.2e-5")) / LENGTHS.tokens
    assert most_under_any_scheduler(times, LENGTHS)[0] == least_with_full_batches(times, LENGTHS) == closed
    low, high = with_slots_refilled(times, LENGTHS, 96)
    assert low == high == most_under_any_scheduler(times, LENGTHS, 96)[0]
    assert float(low) == pytest.approx(float(capacity.slots_refilled(96, 129, 112, 0.012, 4.2e-5)), rel=1e-12)


def test_a_smaller_batch_may_be_the_faster_one() -> None:
    """A step just below the budget: the papers' load condition is then sufficient alone (Theorem 1)."""
    times = Times.of_function(lambda n: 1 if n < 100 else 5, 100)
    most, line, limit = most_under_any_scheduler(times, LENGTHS)
    assert times.fastest == 99 and limit == "tokens a second" and line.slope == Fraction(1, 99)
    assert least_with_full_batches(times, LENGTHS) < most and not times.concave


def test_which_limit_binds() -> None:
    assert iterations_needed(LENGTHS, 512)[1] == "tokens"
    assert iterations_needed(LENGTHS, 512, 10) == (Fraction(113, 10), "slots")
    assert iterations_needed(LENGTHS, 512, 96, 1000)[1] == "memory"


def test_points_and_functions() -> None:
    times = Times.of_points([(1, 0.01), (8, 0.01), (16, 0.03)], 16)
    assert [times.at(n) for n in (1, 8, 12, 16)] == [Fraction(x) for x in ("0.01", "0.01", "0.02", "0.03")]
    with pytest.raises(InputError, match="last point is at 16 tokens; 17 are asked for"):
        Times.of_points([(1, 0.01), (16, 0.03)], 17)
    with pytest.raises(InputError, match="the time falls from 2 s to 1 s at 2 tokens"):
        Times.of_function(lambda n: 3 - n, 2)
    with pytest.raises(InputError, match="is no function of the number of tokens alone"):
        Times.of_law(profiles.load("a100-40gb-qwen-8b").law, 8)


def test_the_lengths_means() -> None:
    lengths, exact = lengths_of(workloads.load("to-homogeneous"))
    assert exact and lengths.held == lengths.prompt * lengths.output + lengths.output * (lengths.output - 1) / 2


def test_a_critical_rate_and_its_verdicts() -> None:
    law = profiles.load("h100-llama-8b-vllm-kernels").law
    found = critical_rate(Engine(law, "sarathi", {"budget": 512}), workloads.load("to-homogeneous"))
    assert found.kind == "certified" and found.low == found.high == found.any_scheduler
    assert found.verdict(0.99 * found.high)[0] == "stable" and found.verdict(1.01 * found.high)[0] == "unstable"
    two = critical_rate(Engine(law, "sarathi", {"budget": 512}, 2), workloads.load("to-homogeneous"))
    assert two.high == 2 * found.high
    limited = critical_rate(Engine(law, "sarathi", {"budget": 512, "memory": 20_000}), workloads.load("to-homogeneous"))
    assert limited.kind == "bounded" and limited.low is None and limited.limit == "memory"
    with pytest.raises(InputError, match="sarathi takes no k"):
        Engine(law, "sarathi", {"budget": 8, "k": 3})
