"""Closed forms of the length laws in SymPy. The numeric laws are tested against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from qtheory.workloads.base import LengthLaw
from qtheory.workloads.counting import NegativeBinomial, Poisson
from qtheory.workloads.elementary import Deterministic, Geometric, ShiftedExponential, Uniform
from qtheory.workloads.entropy import MaximumEntropy
from qtheory.workloads.gamma import DiscretisedGamma
from qtheory.workloads.tabulated import Binned, Empirical, Mixture

AGE = sp.Symbol("t", integer=True, positive=True)


@dataclass(frozen=True)
class SymbolicLaw:
    """Closed forms in the age ``t`` (a positive integer) and the law's parameters; None where there is none.

    ``parameters`` maps each parameter's symbol to the value in the law it came from, exactly. ``survival`` is
    P(O >= t) and ``hazard`` is f(t)/P(O >= t), as in `LengthLaw`; the hazard rate is nan where no request is.
    """

    age: sp.Symbol
    parameters: dict[sp.Symbol, sp.Expr]
    mean: sp.Expr | None
    variance: sp.Expr | None
    pmf: sp.Expr | None
    survival: sp.Expr | None
    hazard: sp.Expr | None

    def _repr_latex_(self) -> str:
        parts = ("f(t)", self.pmf), ("\\bar F(t)", self.survival), ("h(t)", self.hazard)
        return "$" + ",\\quad ".join(f"{name} = {sp.latex(e)}" for name, e in parts if e is not None) + "$"


def symbolic_law(law: LengthLaw) -> SymbolicLaw:
    """The closed forms of ``law``."""
    return _FORMS[type(law)](law)


def _deterministic(law: Deterministic) -> SymbolicLaw:
    n = sp.Symbol("n", integer=True, positive=True)
    at = sp.Piecewise((1, sp.Eq(AGE, n)), (0, True))
    reached = sp.Piecewise((1, n >= AGE), (0, True))
    hazard = sp.Piecewise((0, n > AGE), (1, sp.Eq(AGE, n)), (sp.nan, True))
    return SymbolicLaw(AGE, {n: sp.Integer(law.length)}, n, sp.Integer(0), at, reached, hazard)


def _uniform(law: Uniform) -> SymbolicLaw:
    a, b = sp.symbols("a b", integer=True, positive=True)
    count = b - a + 1
    pmf = sp.Piecewise((0, a > AGE), (1 / count, b >= AGE), (0, True))
    survival = sp.Piecewise((1, a >= AGE), ((b - AGE + 1) / count, b >= AGE), (0, True))
    hazard = sp.Piecewise((0, a > AGE), (1 / (b - AGE + 1), b >= AGE), (sp.nan, True))
    values = {a: sp.Integer(law.least), b: sp.Integer(law.greatest)}
    return SymbolicLaw(AGE, values, (a + b) / 2, (count**2 - 1) / 12, pmf, survival, hazard)


def _geometric(law: Geometric) -> SymbolicLaw:
    p = sp.Symbol("p", positive=True)
    survival = (1 - p) ** (AGE - 1)
    return SymbolicLaw(AGE, {p: sp.Rational(law.success)}, 1 / p, (1 - p) / p**2, p * survival, survival, p)


def _shifted_exponential(law: ShiftedExponential) -> SymbolicLaw:
    s = sp.Symbol("s", integer=True, nonnegative=True)
    rate = sp.Symbol("lambda", positive=True)
    p = 1 - sp.exp(-rate)
    survival = sp.Piecewise((1, s >= AGE), (sp.exp(-rate * (AGE - 1 - s)), True))
    hazard = sp.Piecewise((0, s >= AGE), (p, True))
    pmf = sp.Piecewise((0, s >= AGE), (p * sp.exp(-rate * (AGE - 1 - s)), True))
    values = {s: sp.Integer(law.shift), rate: sp.Rational(law.rate)}
    return SymbolicLaw(AGE, values, s + 1 / p, (1 - p) / p**2, pmf, survival, hazard)


def _poisson(law: Poisson) -> SymbolicLaw:
    rate = sp.Symbol("lambda", positive=True)
    values = {rate: sp.Rational(law.rate)}

    def count_pmf(n: sp.Expr) -> sp.Expr:
        return sp.exp(-rate) * rate**n / sp.factorial(n)

    def count_tail(n: sp.Expr) -> sp.Expr:
        return sp.lowergamma(n, rate) / sp.gamma(n)

    if law.form == "shifted":
        pmf = count_pmf(AGE - 1)
        survival = sp.Piecewise((1, AGE <= 1), (count_tail(AGE - 1), True))
        return SymbolicLaw(AGE, values, 1 + rate, rate, pmf, survival, pmf / survival)
    kept = 1 - sp.exp(-rate)
    mean = rate / kept
    pmf, survival = count_pmf(AGE) / kept, count_tail(AGE) / kept
    return SymbolicLaw(AGE, values, mean, mean * (1 + rate - mean), pmf, survival, pmf / survival)


def _negative_binomial(law: NegativeBinomial) -> SymbolicLaw:
    r, p = sp.symbols("r p", positive=True)
    values = {r: sp.Rational(law.size), p: sp.Rational(law.success)}
    failures = AGE - 1
    pmf = sp.gamma(failures + r) / (sp.gamma(r) * sp.factorial(failures)) * p**r * (1 - p) ** failures
    survival = sp.Piecewise((1, AGE <= 1), (sp.betainc_regularized(failures, r, 0, 1 - p), True))
    spread = r * (1 - p) / p
    return SymbolicLaw(AGE, values, 1 + spread, spread / p, pmf, survival, pmf / survival)


def _gamma(law: DiscretisedGamma) -> SymbolicLaw:
    a = sp.Symbol("a", positive=True)
    rate = sp.Symbol("lambda", positive=True)
    survival = sp.uppergamma(a, rate * (AGE - 1)) / sp.gamma(a)
    pmf = survival - survival.subs(AGE, AGE + 1)
    mean = variance = None
    if law.shape == int(law.shape):
        mean, variance = _erlang_moments(int(law.shape), rate)
    values = {a: sp.Rational(law.shape), rate: sp.Rational(law.rate)}
    return SymbolicLaw(AGE, values, mean, variance, pmf, survival, pmf / survival)


def _erlang_moments(shape: int, rate: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """Mean and variance of the rounded-up gamma law of an integer shape.

    P(G > k) is the sum of (rate k)**j/j! exp(-rate k) over j < shape; E[O] and E[O**2] are the sums over k of
    P(G > k) and (2k + 1) P(G > k), so polylogarithms of negative order, which are rational.
    """
    q = sp.exp(-rate)
    geometric = 1 / (1 - q)

    def powers(j: int) -> sp.Expr:
        """The sum of k**j q**k over k = 0, 1, ..."""
        return geometric if j == 0 else sp.expand_func(sp.polylog(-j, q))

    first = sum((rate**j / sp.factorial(j) * powers(j) for j in range(shape)), sp.Integer(0))
    second = sum(
        (rate**j / sp.factorial(j) * (2 * powers(j + 1) + powers(j)) for j in range(shape)), sp.Integer(0)
    )
    return first, second - first**2


def _empirical(law: Empirical) -> SymbolicLaw:
    n = law.total
    pairs = list(zip(law.lengths, law.counts, strict=True))
    mean = sp.Rational(sum(v * c for v, c in pairs), n)
    return SymbolicLaw(AGE, {}, mean, sp.Rational(sum(v * v * c for v, c in pairs), n) - mean**2, None, None, None)


def _binned(law: Binned) -> SymbolicLaw:
    pmf, survival, hazard = [], [(sp.Integer(1), law.bins[0][0] > AGE)], [(sp.Integer(0), law.bins[0][0] > AGE)]
    pmf.append((sp.Integer(0), law.bins[0][0] > AGE))
    later = sp.Integer(1)
    for low, high, p in law.bins:
        probability = sp.Rational(p.numerator, p.denominator)
        share = probability / (high - low + 1)
        later -= probability
        reached = later + share * (high - AGE + 1)
        pmf.append((share, high >= AGE))
        survival.append((reached, high >= AGE))
        hazard.append((share / reached if reached != 0 else sp.nan, high >= AGE))
    mean, variance = (sp.Rational(m.numerator, m.denominator) for m in law.exact_moments)
    pieces = (sp.Piecewise(*pmf, (0, True)), sp.Piecewise(*survival, (0, True)), sp.Piecewise(*hazard, (sp.nan, True)))
    return SymbolicLaw(AGE, {}, mean, variance, *pieces)


def _no_closed_form(law: LengthLaw) -> SymbolicLaw:
    return SymbolicLaw(AGE, {}, None, None, None, None, None)


_FORMS: dict[type[LengthLaw], Callable[[Any], SymbolicLaw]] = {
    Deterministic: _deterministic,
    Uniform: _uniform,
    Geometric: _geometric,
    ShiftedExponential: _shifted_exponential,
    Poisson: _poisson,
    NegativeBinomial: _negative_binomial,
    DiscretisedGamma: _gamma,
    Empirical: _empirical,
    Binned: _binned,
    MaximumEntropy: _no_closed_form,
    Mixture: _no_closed_form,
}
