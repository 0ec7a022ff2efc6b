"""The load of one engine under each iteration-time law: by hand, and proved where it says more than a quotient."""

from __future__ import annotations

import pytest
import sympy as sp
from formula_claims import assert_proved

from qtheory.errors import UnknownNameError
from qtheory.models.laws import LAWS
from qtheory.theory.crossover import kernel_time
from qtheory.theory.stability import engine_load, law_load

lam, m_p, m_d, b, W, r, s, q = sp.symbols("l m_p m_d b W r s q", real=True)
c0, c1, c2, d0, d1 = sp.symbols("c0 c1 c2 d_0 d_1", real=True)
TRAFFIC = {"lam": sp.Rational(1, 2), "m_p": sp.Integer(300), "m_d": sp.Integer(100), "b": sp.Integer(200)}
# seconds of a full iteration of each kind, times the requests' 1.5 of prompt and 0.5 of output, or 1000/200 of memory
CASES = {
    "affine": ({"alpha": 1, "beta": 2}, {}, sp.Rational(1, 2) * 2 * 401),
    "piecewise_linear": ({"c": 3, "a": 2, "b_0": 150}, {}, sp.Rational(1, 2) * 2 * 103),
    "concave": ({"alpha": 3, "beta": 1, "eta": 2, "b_0": 150}, {}, sp.Rational(1, 2) * 2 * 503),
    "staircase": ({"mu_Lin^-1": 5, "mu_nLin^-1": 1, "t_col": 64}, {}, sp.Rational(1, 2) * 2 * (4 * 5 + 200)),
    "prefill_decode": ({"alpha_p": 1, "beta_p": 2, "alpha_d": 3, "beta_d": 4}, {},
                       sp.Rational(1, 2) * (sp.Rational(3, 2) * 401 + sp.Rational(1, 2) * 803)),
    "memory_linear": ({"d_0": 1, "d_1": 2}, {"held": sp.Integer(1000)}, sp.Rational(1, 2) * 5 * 401),
    "context_affine": ({"alpha": 1, "beta": 2, "gamma": 3}, {"held": sp.Integer(1000)},
                       sp.Rational(1, 2) * (2 * 401 + 3 * 1000)),
    "mixed_quadratic": ({"c0": 5, "c1": 4, "c2": -8}, {}, sp.Rational(1, 2) * 2 * sp.Rational(11, 2)),  # K(1/4)
}


def test_every_law_has_a_case() -> None:
    assert set(CASES) == set(LAWS)


@pytest.mark.parametrize("kind", CASES)
def test_loads_by_hand(kind: str) -> None:
    constants, more, expected = CASES[kind]
    found = law_load(kind, **TRAFFIC, **more)
    assert found.subs({x: constants[str(x)] for x in found.free_symbols}) == expected


def test_mixing_costs_or_saves() -> None:
    """K = 5 + 4 r - 8 r^2 lies above its chord from 5 to 1: pure batches are the shortest."""
    found = law_load("mixed_quadratic", **TRAFFIC, worst=False)
    values = {x: {"c0": 5, "c1": 4, "c2": -8}[str(x)] for x in found.free_symbols}
    assert found.subs(values) == sp.Rational(1, 2) * 2 * (sp.Rational(3, 4) * 5 + sp.Rational(1, 4) * 1)


def test_one_law_for_both_phases_is_the_papers_load() -> None:
    found = law_load("prefill_decode", lam, m_p, m_d, b)
    alpha, beta = sp.symbols("alpha beta", real=True)
    named = {str(x): x for x in found.free_symbols}
    same = found.subs({named["alpha_p"]: alpha, named["alpha_d"]: alpha, named["beta_p"]: beta, named["beta_d"]: beta})
    assert_proved(sp.Eq(same, engine_load(lam, m_p, m_d, b, alpha + beta * b)), ("b > 0",))


def test_the_load_by_memory_is_below_one_where_the_equilibrium_fits() -> None:
    """In equilibrium l T requests begin in an iteration of T = d0 + d1 M seconds, and M = l T W."""
    found = law_load("memory_linear", lam, m_p, m_d, b, W)
    load = found.subs({x: {"d_0": d0, "d_1": d1}[str(x)] for x in found.free_symbols if str(x) in ("d_0", "d_1")})
    where = ("l > 0", "W > 0", "b > 0", "d_0 > 0", "d_1 >= 0", "d_1*l*W < 1")
    memory = d0 * lam * W / (1 - d1 * lam * W)
    assert_proved(sp.Eq(memory, lam * W * (d0 + d1 * memory)), where)
    assert_proved(sp.Lt(memory, b), (*where, f"{load} < 1"))
    assert_proved(sp.Lt(load, 1), (*where, f"{memory} < b"))


def test_no_mixing_is_worse_than_the_worst() -> None:
    """Batches of two kinds, in shares s and 1 - s, take at most K at their mean ratio, or each at most the chord."""
    within = ("0 <= r", "r <= 1", "0 <= q", "q <= 1", "0 <= s", "s <= 1")
    mean = s * r + (1 - s) * q
    both = s * kernel_time(r, c0, c1, c2) + (1 - s) * kernel_time(q, c0, c1, c2)
    assert_proved(sp.Le(both, kernel_time(mean, c0, c1, c2)), (*within, "c2 <= 0"))
    chord = (1 - r) * kernel_time(0, c0, c1, c2) + r * kernel_time(1, c0, c1, c2)
    assert_proved(sp.Le(kernel_time(r, c0, c1, c2), chord), ("0 <= r", "r <= 1", "c2 >= 0"))


def test_an_unknown_law() -> None:
    with pytest.raises(UnknownNameError, match="nearest: affine"):
        law_load("afine")
