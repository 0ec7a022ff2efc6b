"""Iteration-time laws: the numeric form against the symbolic one, the papers' formulas, and bad input."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import (
    LAWS,
    AffineLaw,
    ConcaveLaw,
    ContextAffineLaw,
    Law,
    MemoryLinearLaw,
    MixedQuadraticLaw,
    PiecewiseLinearLaw,
    PrefillDecodeLaw,
    StaircaseLaw,
    law_type,
)

seconds = st.floats(1e-6, 10.0)
tokens = st.integers(0, 100_000)


def every_law() -> st.SearchStrategy[Law]:
    """One law of any kind with constants in a realistic range."""
    return st.one_of(
        st.builds(AffineLaw, seconds, seconds),
        st.builds(PrefillDecodeLaw, seconds, seconds, seconds, seconds),
        st.builds(PiecewiseLinearLaw, seconds, seconds, st.floats(0, 5000)),
        st.builds(ConcaveLaw, seconds, seconds, seconds, st.floats(0, 5000)),
        st.builds(StaircaseLaw, seconds, seconds, st.integers(1, 512)),
        st.builds(MemoryLinearLaw, seconds, seconds),
        st.builds(ContextAffineLaw, seconds, seconds, seconds),
        st.builds(lambda c0, c1, c2: MixedQuadraticLaw(c0, c1, c2 - c1), seconds, seconds, seconds),
    )


@st.composite
def point(draw: st.DrawFn, law: Law) -> dict[str, float]:
    """One value for each variable of the law, exactly representable."""
    values: dict[str, float] = {}
    for name in law.variables:
        values[name] = draw(
            {"decode": st.sampled_from([0, 1]), "decode_ratio": st.integers(0, 64).map(lambda i: i / 64)}.get(
                name, tokens
            )
        )
    return values


@pytest.mark.slow
@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.data())
def test_numeric_form_is_the_symbolic_form(data: st.DataObject) -> None:
    law = data.draw(every_law())
    at = data.draw(point(law))
    symbols = law.symbols()
    exact = law.expression().subs({symbols[name]: sp.Rational(at[name]) for name in law.variables})
    assert float(law.time(**at)) == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


@pytest.mark.later
@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.data())
def test_design_times_constants_is_the_time(data: st.DataObject) -> None:
    law = data.draw(every_law())
    rows = [data.draw(point(law)) for _ in range(4)]
    columns = {name: np.array([row[name] for row in rows], dtype=float) for name in law.variables}
    at = law.constants[law.breakpoint] if law.breakpoint else None
    linear = np.array([law.constants[name] for name in law.linear_constants()])
    assert law.design(columns, at) @ linear == pytest.approx(law.time(**columns), rel=1e-9, abs=1e-12)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(every_law(), tokens, tokens)
def test_time_does_not_fall_with_tokens(law: Law, first: int, second: int) -> None:
    if law.kind == "mixed_quadratic":
        return
    low, high = sorted((first, second))
    other = {name: 1 for name in ("decode", "resident_tokens") if name in law.variables[1:]}
    times = law.time([low, high], **other)
    assert times[0] <= times[1]


def test_printed_examples() -> None:
    # seed 002, Section 2.1: c = 45.5 ms, a = 0.30 ms/token, b0 = 64 tokens; flat, then 0.30 ms a token
    law = PiecewiseLinearLaw(c=0.0455, a=0.0003, b0=64)
    assert law.time([1, 64, 65, 512]) == pytest.approx([0.0455, 0.0455, 0.0458, 0.1799])
    # seed 001, (4): a batch of 128 tokens needs one tile of width 128, one of 129 needs two
    assert StaircaseLaw(0.04, 0.0, 128).time([1, 128, 129]) == pytest.approx([0.04, 0.04, 0.08])


def test_pair_gives_its_halves() -> None:
    law = PrefillDecodeLaw(alpha_p=0.02, beta_p=6e-5, alpha_d=0.01, beta_d=1e-5)
    n = np.array([1, 100, 1000])
    assert law.prefill.time(n) == pytest.approx(law.time(n, decode=0))
    assert law.decode.time(n) == pytest.approx(law.time(n, decode=1))
    assert (law.alpha_p, law.beta_p, law.alpha_d, law.beta_d) == (0.02, 6e-5, 0.01, 1e-5)


def test_convexity_index_is_the_normalised_second_derivative() -> None:
    # seed 004, (11): kappa = K''(r) / K(1)
    symbols = MixedQuadraticLaw.symbols()
    r = symbols["decode_ratio"]
    time = MixedQuadraticLaw.symbolic()
    expected = sp.diff(time, r, 2) / time.subs(r, 1)
    assert sp.simplify(MixedQuadraticLaw.symbolic_convexity_index() - expected) == 0
    assert MixedQuadraticLaw(0.03, 0.05, -0.06).kappa == pytest.approx(-6.0)


@pytest.mark.slow
@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(1, 200), st.integers(-300, 300), st.integers(-300, 300))
def test_crossover_is_where_mixing_starts_to_cost_more(c0: int, c1: int, c2: int) -> None:
    if c0 + c1 + c2 <= 0:
        return
    law = MixedQuadraticLaw(float(c0), float(c1), float(c2))
    ratios = [Fraction(i, 997) for i in range(997)]
    dearer = [r for r in ratios if c0 + c1 * r + c2 * r * r > c0 + c1 + c2]
    if law.crossover is None:
        assert not dearer or dearer[-1] < ratios[-1]
    else:
        assert dearer == [r for r in ratios if r > law.crossover + 1e-12 or (r == 0 and c1 + c2 < 0)]


def test_scalars_arrays_and_broadcasting() -> None:
    assert AffineLaw(1.0, 2.0).time(3).shape == ()
    assert AffineLaw(1.0, 2.0).time([]).shape == (0,)
    assert PrefillDecodeLaw(1, 2, 3, 4).time([[1, 2]], [[0], [1]]).tolist() == [[3, 5], [7, 11]]


def test_laws_are_frozen_and_named() -> None:
    law = AffineLaw(1.0, 2.0)
    with pytest.raises(AttributeError):
        law.alpha = 3.0  # type: ignore[misc]
    for kind, law_class in LAWS.items():
        assert law_type(kind) is law_class
        assert set(law_class.units) == set(law_class.constant_names())
        assert law_class.symbolic().free_symbols == set(law_class.symbols().values())


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: AffineLaw(-1.0, 2.0), "alpha = -1.0 s is negative"),
        (lambda: AffineLaw(math.nan, 2.0), "alpha = nan is not a finite number"),
        (lambda: AffineLaw("1", 2.0), "alpha = '1' is not a finite number"),  # type: ignore[arg-type]
        (lambda: AffineLaw(True, 2.0), "alpha = True is not a finite number"),
        (lambda: AffineLaw(0.0, 0.0), "all zero"),
        (lambda: PiecewiseLinearLaw(1.0, 1.0, -1.0), "b0 = -1.0 tokens is negative"),
        (lambda: StaircaseLaw(1.0, 1.0, 0.5), "t_col = 0.5 is not a whole number"),
        (lambda: MixedQuadraticLaw(1.0, 1.0, -2.0), "K(1) = 0.0 is not positive"),
        (lambda: AffineLaw(1.0, 2.0).time([1.0, math.nan]), "tokens[1] = nan"),
        (lambda: AffineLaw(1.0, 2.0).time([[1.0, 2.0], [3.0, -1.0]]), "tokens[1, 1] = -1.0"),
        (lambda: AffineLaw(1.0, 2.0).time(["a"]), "tokens: not numbers"),
        (lambda: PrefillDecodeLaw(1, 1, 1, 1).time([1], [0.5]), "decode[0] = 0.5: 0 (prefill) or 1 (decode)"),
        (lambda: MixedQuadraticLaw(1, 0, 0).time(1.5), "decode_ratio = 1.5"),
        (lambda: PrefillDecodeLaw(1, 1, 1, 1).time([1, 2], [0, 1, 0]), "do not broadcast"),
        (lambda: PrefillDecodeLaw(1, 1, 1, 1).time([1, 2]), "decode not given"),
        (lambda: AffineLaw(1, 1).time(1, 2), "2 arguments given"),
    ],
)
def test_bad_input_is_named(build: object, words: str) -> None:
    with pytest.raises(InputError) as caught:
        build()  # type: ignore[operator]
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="staircase"):
        law_type("stair")
    with pytest.raises(UnknownNameError, match="tokens"):
        AffineLaw(1, 1).time(token=3)
