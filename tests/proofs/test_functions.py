"""The functions that the search knows: what stands in a function's file agrees with itself and with the kernel."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy

from qtheory.proofs.functions.power import power_nonnegative
from qtheory.proofs.functions.table import FUNCTIONS, PARTIAL
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.logic import failures as kernel_failures
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, substitute
from qtheory.proofs.tactics.arrays import margin, values
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import hyp
from qtheory.proofs.tactics.lemmas import facts_about
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.prover import ORDINARY

GRID = np.concatenate([np.linspace(-4, 4, 33), [0.3, 7.0]])
TERMS: dict[str, Node] = {"exp": ("exp", "x"), "log": ("log", "x"), "sqrt": ("sqrt", "x"), "^": ("^", "x", "y"),
                          "max": ("max", "x", "y"), "floor": ("floor", "x"), "W": ("W", 0, "x")}


def test_each_function_has_a_term_here() -> None:
    assert TERMS.keys() == FUNCTIONS.keys() and set(PARTIAL) == {"log", "sqrt", "^", "W"}
    assert all(term[0] == f.head == head for head, f in FUNCTIONS.items() for term in [TERMS[head]])


@pytest.mark.parametrize("head", TERMS)
def test_a_float_an_array_and_the_kernel_s_ball_agree(head: str) -> None:
    """The ball holds the value, and there is none where the value is undefined; W, of which the kernel has none, is
    told by its equation."""
    found = values(TERMS[head], {"x": GRID, "y": np.asarray(0.75)})
    for k, x in enumerate(GRID):
        at = {"x": float(x), "y": 0.75}
        if np.broadcast_to(found.undefined, GRID.shape)[k]:
            with pytest.raises(KernelError):
                enclose(TERMS[head], {v: (Fraction(q), Fraction(q)) for v, q in at.items()}, 64)
            continue
        value = float(np.broadcast_to(found.value, GRID.shape)[k])
        plain = evaluate(TERMS[head], at)
        assert math.isnan(plain) or plain == pytest.approx(value, rel=1e-9, abs=1e-12)
        if head == "W" or (head == "^" and x == 0):  # of which the kernel has no ball
            assert head != "W" or value * math.exp(value) == pytest.approx(x)
            continue
        low, high = enclose(TERMS[head], {v: (Fraction(q), Fraction(q)) for v, q in at.items()}, 64)
        assert float(low) - 1e-9 <= value <= float(high) + 1e-9


@pytest.mark.parametrize("head", PARTIAL)
def test_what_makes_it_undefined_is_so_where_floats_have_no_value_and_is_what_the_kernel_takes(head: str) -> None:
    term = TERMS[head]
    undefined = np.broadcast_to(values(term, {"x": GRID, "y": np.asarray(0.75)}).undefined, GRID.shape)
    if head == "W":
        assert FUNCTIONS[head].failing(term) == list(kernel_failures(term))
        return
    for k, x in enumerate(GRID):
        at = {"x": np.asarray(float(x)), "y": np.asarray(0.75)}
        fails = any(all(margin(part, at)[0] > 0 or (part[0] in (">=", "=") and margin(part, at)[0] == 0)
                        for part in (way[1:] if way[0] == "and" else (way,))) for way in FUNCTIONS[head].failing(term))
        assert fails == bool(undefined[k])


@pytest.mark.parametrize("head", [h for h, f in FUNCTIONS.items() if f.sympy is not None])
def test_to_sympy_and_back(head: str) -> None:
    there = to_sympy(TERMS[head], frozenset({"x"}))
    at = {sympy.Symbol("x", positive=True): Fraction(7, 2), sympy.Symbol("y", real=True): Fraction(3, 4)}
    assert float(there.subs(at)) == pytest.approx(evaluate(TERMS[head], {"x": 3.5, "y": 0.75}))
    if FUNCTIONS[head].returns:
        assert from_sympy(there) == TERMS[head]


@pytest.mark.parametrize("head", [h for h, f in FUNCTIONS.items() if f.primitive is not None])
def test_a_primitive_has_the_function_for_its_slope(head: str) -> None:
    for term in [TERMS[head]] if head != "^" else [("^", "x", Fraction(n)) for n in (-3, -1, 2)]:
        primitive = FUNCTIONS[head].primitive(term, False)  # type: ignore[misc]
        assert primitive is not None
        slope = (evaluate(primitive, {"x": 2.0001}) - evaluate(primitive, {"x": 1.9999})) / 2e-4
        assert slope == pytest.approx(evaluate(term, {"x": 2.0}), rel=1e-6)


@pytest.mark.parametrize("head", TERMS)
def test_the_facts_about_it_are_proved_and_true(head: str) -> None:
    """Each is a step of the kernel's from the facts given; at sample points where these hold it holds."""
    given = [hyp(f) for f in ((">", "x"), (">", "y"), ("isint", "y"))]
    found = list(facts_about(ORDINARY.search(1.0), TERMS[head], given))
    assert found or head == "W"
    for step in found:
        assert step.hyps <= {f.concl for f in given}
        for x in (0.25, 1.0, 3.0):
            assert margin(step.concl, {"x": np.asarray(x), "y": np.asarray(2.0)})[0] >= -1e-12


def test_a_power_by_a_natural_number_has_the_sign_of_what_is_no_less_than_nothing() -> None:
    """By induction: of the base no more is known than that it is not negative."""
    given = tuple(hyp(f) for f in ((">=", "x"), ("isint", "n"), (">=", "n")))
    step = power_nonnegative(ORDINARY.search(1.0), ("^", "x", "n"), given)
    assert step is not None and step.concl == (">=", ("^", "x", "n")) and step.hyps <= {f.concl for f in given}
    assert power_nonnegative(ORDINARY.search(1.0), ("^", "x", "n"), given[1:]) is None


@pytest.mark.parametrize("head", [h for h, f in FUNCTIONS.items() if f.strict])
def test_what_it_says_more_strictly_is_proved(head: str) -> None:
    statement = Statement(FUNCTIONS[head].strict).parsed()
    assert ORDINARY.search(5.0).solve(statement.conclusion, []).concl == statement.conclusion


@pytest.mark.parametrize("head", [h for h, f in FUNCTIONS.items() if f.at or f.inverse])
def test_inverses_undo_each_other(head: str) -> None:
    function = FUNCTIONS[head]
    assert function.at is not None and function.inverse is not None
    argument, value, _ = function.at
    assert evaluate(substitute(TERMS[head], "x", argument), {}) == value
    other = FUNCTIONS[function.inverse.head]
    assert other.inverse is not None and other.inverse.head == head and other.at is not None
    assert (other.at[0], other.at[1]) == (value, argument)
