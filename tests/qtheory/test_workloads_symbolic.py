"""The numeric laws against their closed forms in SymPy."""

from __future__ import annotations

import pytest
import sympy as sp

from qtheory.workloads import (
    Binned,
    Deterministic,
    DiscretisedGamma,
    Empirical,
    Geometric,
    LengthLaw,
    MaximumEntropy,
    Mixture,
    NegativeBinomial,
    Poisson,
    ShiftedExponential,
    Uniform,
)

CLOSED = [
    Deterministic(5),
    Uniform(3, 9),
    Geometric(0.125),
    ShiftedExponential(4, 0.25),
    Poisson(3.5),
    Poisson(3.5, "shifted"),
    NegativeBinomial(2.5, 0.25),
    DiscretisedGamma(2.0, 0.125),
    DiscretisedGamma(2.5, 0.125),
    Binned((2, 6, 9, 12), (2, 0, 3)),
]


@pytest.mark.parametrize("law", CLOSED, ids=lambda law: law.describe())
@pytest.mark.parametrize("age", [1, 2, 5, 6, 9, 11, 12, 40])
def test_functions_of_age(law: LengthLaw, age: int) -> None:
    form = law.symbolic()
    for name in ("pmf", "survival", "hazard"):
        expression = getattr(form, name)
        assert expression is not None
        exact = sp.N(expression.subs(form.parameters).subs(form.age, age), 40)
        value = getattr(law, name)(age)
        if exact is sp.nan:
            assert value != value
        else:
            assert value == pytest.approx(float(exact), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    "law",
    [*CLOSED, DiscretisedGamma(1.0, 0.03), DiscretisedGamma(5.0, 0.5), Empirical.of([1, 4, 4, 9])],
    ids=lambda law: law.describe(),
)
def test_moments(law: LengthLaw) -> None:
    form = law.symbolic()
    for name in ("mean", "variance"):
        expression = getattr(form, name)
        if isinstance(law, DiscretisedGamma) and law.shape == 2.5:
            assert expression is None  # no closed form for a shape that is not an integer
        else:
            exact = sp.N(expression.subs(form.parameters), 40)
            assert getattr(law, name) == pytest.approx(float(exact), rel=1e-12)


def test_geometric_in_symbols() -> None:
    form = Geometric(0.125).symbolic()
    (p,) = form.parameters
    assert form.hazard == p
    assert sp.simplify(form.mean - sp.summation(form.survival, (form.age, 1, sp.oo)).args[0][0]) == 0
    loss = form.pmf - (form.survival - form.survival.subs(form.age, form.age + 1))
    assert sp.simplify(loss / form.survival) == 0


def test_parameters_are_exact() -> None:
    assert set(Geometric(0.1).symbolic().parameters.values()) == {sp.Rational(0.1)}
    assert set(Uniform(3, 9).symbolic().parameters.values()) == {sp.Integer(3), sp.Integer(9)}


@pytest.mark.parametrize("law", [MaximumEntropy(1, 9, 4.0), Mixture((Geometric(0.5), Deterministic(2)), (1, 1))])
def test_no_closed_form(law: LengthLaw) -> None:
    form = law.symbolic()
    assert (form.mean, form.variance, form.pmf, form.survival, form.hazard) == (None,) * 5


def test_latex() -> None:
    assert "h(t) = p" in Geometric(0.5).symbolic()._repr_latex_()
