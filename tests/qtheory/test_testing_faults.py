"""What the theorems find in a user's formulas: right ones pass, and each seeded fault is found within 200 examples."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, event, seed, settings
from hypothesis.errors import InvalidArgument
from scipy.special import lambertw

from qtheory.numerics.special import base_threshold
from qtheory.testing import Case, TheoremFailedError, conjecture, theorem
from qtheory.theory import crossover, memory, threshold

EXAMPLES = 200  # within which a fault must be found
FRESH = settings(database=None, phases=[Phase.explicit, Phase.generate])
CALM = settings(derandomize=True, database=None, phases=[Phase.generate])


def theta0(p0, alpha_p, alpha_d):
    return float(base_threshold(p0 * alpha_p / alpha_d).theta0)


def decode_duration(k, N, p0, alpha_d, beta_d):
    return (beta_d * k - alpha_d * math.log1p(-k / N)) / p0


def throughput(k, N, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L):
    return threshold.numeric("throughput", k=k, N=N, p0=p0, alpha_p=alpha_p, alpha_d=alpha_d, beta_p=beta_p,
                             beta_d=beta_d, mu_L=mu_L)


def phase_iterations(theta, eta, p0):
    root = math.sqrt(p0 * p0 - 2 * eta * math.log1p(-theta))
    return -2 * math.log1p(-theta) / (p0 + root)


def closed(gamma):
    return 1 + 1 / lambertw(-math.exp(-1 - gamma), -1).real


def start(theta, p0, mu_L):
    return mu_L - (1 - theta) / (theta * p0) * math.log1p(-theta)


def largest(C, eps, theta, p0, mu_L):
    return math.floor((C + math.log(eps) / (p0**2 * mu_L)) / start(theta, p0, mu_L))


def at_optimum(theta0, N, alpha_d, alpha_MB, mu_L, mu_O):
    return crossover.numeric("largest_gap_at_optimum", theta=theta0, N=N, alpha_d=alpha_d, alpha_MB=alpha_MB,
                             mu_L=mu_L, mu_O=mu_O)


def correction(x, e, p0, alpha_d, beta_d, N):
    zeta = -math.log1p(-x)
    return e * (1 - x) ** 2 / (p0**2 * x) * (zeta * (x / (1 - x) - zeta / 2) + beta_d * N / alpha_d * (zeta - x))


# claim, what the claim calls it, the right formula, tolerance (wide where the formula itself loses digits at an end)
RIGHT: dict[str, tuple[str, str, Callable[..., Any], dict[str, float]]] = {
    "base threshold": ("eb.prop-3.1", "theta0", theta0, {"ulps": 8}),
    "base threshold, closed form": ("eb.eq-3.lambert", "closed", closed, {"rtol": 1e-3}),
    "zeta": ("eb.eq-13.final", "zeta", lambda x: -math.log1p(-x), {"ulps": 2}),
    "decode duration": ("eb.sec-3.2.1.Td", "Td", decode_duration, {"rtol": 1e-12}),
    "throughput": ("eb.sec-3.2.1.TP-EB", "TP", throughput, {"rtol": 1e-12}),
    "iterations of a phase": ("eb.app-C.2.root", "dur", phase_iterations, {"rtol": 1e-12}),
    "threshold correction": ("eb.eq-21", "delta", correction, {"rtol": 1e-3}),
    "memory at the start": ("eb.app-D.5.order-2", "m", start, {"rtol": 1e-12}),
    "safe batch": ("eb.eq-6.surrogate", "Nstar", largest, {"rtol": 0.0}),
    "tail rate": ("eb.prop-3.3.rate.positive", "rate", lambda r, p0: memory.numeric("tail_rate", r=r, p0=p0),
                  {"rtol": 1e-3}),
    "crossover": ("eb.eq-7.solved", "SOLVED", at_optimum, {"rtol": 1e-6}),
    "convexity index": ("eb.app-A.3.c2-kappa", "kappa", lambda c0, c1, c2: 2 * c2 / (c0 + c1 + c2), {"rtol": 1e-9}),
}

# what is wrong with it: which formula, and the wrong one
FAULTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "small-ratio expansion": ("base threshold", lambda p0, alpha_p, alpha_d: math.sqrt(2 * p0 * alpha_p / alpha_d)),
    "ratio upside down": ("base threshold", lambda p0, alpha_p, alpha_d: theta0(p0, alpha_d, alpha_p)),
    "hazard rate left out": ("base threshold", lambda p0, alpha_p, alpha_d: theta0(1.0, alpha_p, alpha_d)),
    "single precision": ("base threshold", lambda p0, alpha_p, alpha_d: np.float32(theta0(p0, alpha_p, alpha_d))),
    "digits lost near 0": ("zeta", lambda x: -math.log(1 - x)),
    "binary logarithm": ("zeta", lambda x: -math.log2(1 - x)),
    "sign of the logarithm": ("zeta", lambda x: math.log1p(-x)),
    "other branch": ("base threshold, closed form", lambda g: 1 + 1 / lambertw(-math.exp(-1 - g), 0).real),
    "sign of the fixed part": ("decode duration", lambda k, N, p0, alpha_d, beta_d:
                               (beta_d * k + alpha_d * math.log1p(-k / N)) / p0),
    "one slot too few": ("decode duration", lambda k, N, p0, alpha_d, beta_d:
                         decode_duration(k - 1, N, p0, alpha_d, beta_d)),
    "whole batch": ("decode duration", lambda k, N, p0, alpha_d, beta_d:
                    (beta_d * N - alpha_d * math.log1p(-k / N)) / p0),
    "prompt length left out": ("throughput", lambda k, N, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L:
                               throughput(k, N, p0, alpha_p, alpha_d, beta_p, beta_d, 1.0)),
    "prefill's fixed part left out": ("throughput", lambda k, N, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L:
                                      throughput(k, N, p0, 1e-12, alpha_d, beta_p, beta_d, mu_L)),
    "factor 2 left out": ("iterations of a phase", lambda theta, eta, p0:
                          (-p0 + math.sqrt(p0 * p0 - eta * math.log1p(-theta))) / eta),
    "half left out": ("threshold correction", lambda x, e, p0, alpha_d, beta_d, N:
                      correction(x, e, p0, alpha_d, beta_d, N) - e * (1 - x) ** 2 / (p0**2 * x)
                      * math.log1p(-x) ** 2 / 2),
    "share of active requests left out": ("memory at the start", lambda theta, p0, mu_L:
                                          mu_L - math.log1p(-theta) / (theta * p0)),
    "decimal logarithm": ("safe batch", lambda C, eps, theta, p0, mu_L: math.floor(
        (C + math.log10(eps) / (p0**2 * mu_L)) / start(theta, p0, mu_L))),
    "rounded up": ("safe batch", lambda C, eps, theta, p0, mu_L: largest(C, eps, theta, p0, mu_L) + 1),
    "power of the hazard rate": ("safe batch", lambda C, eps, theta, p0, mu_L: math.floor(
        (C + math.log(eps) / (p0 * mu_L)) / start(theta, p0, mu_L))),
    "complement of the rate": ("tail rate", lambda r, p0: memory.numeric("tail_rate", r=r, p0=1 - p0)),
    "decode tokens only": ("crossover", lambda theta0, N, alpha_d, alpha_MB, mu_L, mu_O:
                           at_optimum(theta0, N, alpha_d, alpha_MB, mu_L, mu_O)
                           + alpha_MB / (N * (mu_L + mu_O))),
    "factor of kappa": ("convexity index", lambda c0, c1, c2: c2 / (c0 + c1 + c2)),
}


def ask(name: str, function: Callable[..., Any], examples: int) -> None:
    """Run the theorem with the implementation."""
    claim, symbol, _, tolerance = RIGHT[name]

    @theorem(claim, using={symbol: function}, max_examples=examples, settings=CALM, **tolerance)
    def check() -> None:
        pass

    check()


@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", RIGHT)
def test_the_right_formula_passes(name: str) -> None:
    ask(name, RIGHT[name][2], 8)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    name, wrong = FAULTS[fault]
    with pytest.raises(TheoremFailedError, match=f"{RIGHT[name][0]}: {RIGHT[name][1]}"):
        ask(name, wrong, EXAMPLES)


def wait_with_a_fault_at(load: float) -> Callable[..., float]:
    return lambda lam, mu: lam / mu / (mu - lam) if lam < load * mu else -1.0


@pytest.mark.parametrize("load", [0.9, 0.99, 0.999])
def test_what_is_wrong_at_heavy_traffic_alone_is_found(load: float) -> None:
    wait = conjecture("W < 1/(mu - lam)", where=["lam > 0", "lam < mu"], let="W = lam/mu/(mu - lam)")
    with pytest.raises(TheoremFailedError):
        theorem(wait, {"W": wait_with_a_fault_at(load)}, max_examples=EXAMPLES, settings=CALM)(lambda: None)()


@pytest.mark.parametrize("chance", range(4))
def test_it_is_found_whatever_is_drawn(chance: int) -> None:
    """The cases next to where the conditions end are tried at last, decorators above and fixtures included."""
    wait = conjecture("W > 0", where=["lam > 0", "lam < mu"], let="W = lam/mu/(mu - lam)")
    drawn = []

    class Tests:
        @seed(chance)
        @theorem(wait, {"W": lambda lam, mu: lam / (mu * max(mu - lam, mu / 1000))}, max_examples=9, settings=FRESH)
        def guarded(self, lam: Fraction, fixture: int) -> None:
            drawn.append(lam)

        @seed(chance)
        @theorem(wait, max_examples=9, settings=FRESH)
        def own(self, case: Case, fixture: int) -> None:
            event(f"{fixture}")
            assert case["lam"] < Fraction(999, 1000) * case["mu"]

    with pytest.raises(TheoremFailedError, match="the true value"):
        Tests().guarded(fixture=7)
    with pytest.raises(AssertionError, match="999"):
        Tests().own(fixture=7)
    assert list(inspect.signature(Tests.own).parameters) == ["self", "fixture"]


@pytest.mark.later
def test_few_cases_are_drawn_twice() -> None:
    wait = conjecture("W > 0", where=["lam > 0", "lam < mu"], let="W = lam/mu/(mu - lam)")
    seen = []
    theorem(wait, settings=CALM)(lambda case: seen.append(case))()
    assert len({*seen[:100]}) >= 70


@pytest.mark.later
def test_a_right_formula_may_underflow_and_a_wrong_one_may_not() -> None:
    mass = conjecture("P(n) <= 1", where=["lam > 0", "lam < mu", "n in naturals"],
                      let="P(k) = (1 - lam/mu)*(lam/mu)**k")
    theorem(mass, {"P": lambda k, lam, mu: (1 - lam / mu) * (lam / mu)**k}, settings=CALM)(lambda: None)()
    with pytest.raises(TheoremFailedError):
        theorem(mass, {"P": lambda k, lam, mu: (1 - lam / mu) * (lam / mu)**k if k < 50 else 0.0},
                max_examples=EXAMPLES, settings=CALM)(lambda: None)()


def test_settings_are_taken_from_a_decorator_above_or_below_as_hypothesis_takes_them() -> None:
    wait = conjecture("W > 0", where=["lam > 0", "lam < mu"], let="W = lam/mu/(mu - lam)")
    few, seen = settings(max_examples=3, database=None, phases=[Phase.explicit, Phase.generate]), []

    def test(case: Case) -> None:
        seen.append(case)

    def asked(decorated: Callable[[], None]) -> int:
        seen.clear()
        decorated()
        return len(seen)

    below = theorem(wait)(few(lambda case: seen.append(case)))
    assert 3 <= asked(few(theorem(wait)(test))) <= 6  # those that are drawn, and as many next to the ends
    assert 3 <= asked(seed(1)(few(theorem(wait)(test)))) <= 6
    assert 3 <= asked(below) <= 6
    assert 3 <= asked(settings(few, max_examples=100)(theorem(wait, max_examples=3)(test))) <= 6
    with pytest.raises(InvalidArgument, match="already been decorated"):
        few(few(theorem(wait)(test)))
    with pytest.raises(InvalidArgument, match="already been decorated"):
        few(below)
    with pytest.raises(InvalidArgument, match="already been decorated"):
        few(theorem(wait, settings=few)(test))
