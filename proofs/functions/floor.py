"""The greatest integer that is not above a number."""

from __future__ import annotations

import math
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function
from qtheory.proofs.functions.values import Flags, Values
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, minus, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, apply, attempt, parts
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search



def floor_of_integer(search: Search, u: Node, facts: Facts) -> Step:
    """floor(u) = u for an integer u: the difference is an integer in [0, 1)."""
    whole = search.whole_number(("isint", u), facts)
    floor = ("floor", u)
    floor_whole, low, high = parts(apply("floor_bounds", u, (whole, *facts)))
    gap = minus(u, floor)
    goal = ("=", minus(floor, u))
    three = apply("trichotomy", gap, (low,))
    integer = apply("integral_polynomial", gap, (whole, floor_whole, low, *facts))
    cases = []
    for case in three.concl[1:]:
        assumed = apply("hyp", case)
        if case[0] == "=":
            cases.append(apply("combine", goal, (assumed, low), ((MINUS, ((0, 1),), ()),)))
            continue
        other, one = (apply("gap", integer, assumed), high) if case[1] == gap else (low, assumed)
        false = apply("combine", (">", ZERO), (one, other), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        cases.append(apply("absurd", false, goal))
    return apply("or_elim", three, tuple(cases), goal)


def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    if simple.search.quick(("isint", term[1]), simple.facts) is None:
        return None
    return term[1], floor_of_integer(simple.search, term[1], simple.known(term))


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    return [attempt("floor_bounds", s[1], known), _of_quotient(search, s, known)]


def _of_quotient(search: Search, s: Node, known: tuple[Step, ...]) -> Step | None:
    """q floor(p/q) >= p - q + 1 for polynomials p and q > 0 of integers, q not 1: both sides are integers."""
    forms = Forms()
    num, den = forms.quotient(s[1])
    number = Fraction(lcm(*(c.denominator for c in num.values())))
    bounds = attempt("floor_bounds", s[1], known)
    if bounds is None or (not den and number == 1):
        return None
    q: Node = ("*", number, ONE, *(("^", poly_term(forms, dict(f)), Fraction(e)) for f, e in den.items()))
    positive = search.quick((">", q), known)
    if positive is None:
        return None
    p = poly_term(forms, {m: c * number for m, c in num.items()})
    more: Node = ("+", ("*", q, s), neg_term(p), q)
    above = attempt("combine", (">", more), (parts(bounds)[2], positive, *known), ((ONE, ((0, 1), (1, 1)), ()),))
    whole = attempt("integral_polynomial", more, (parts(bounds)[0], *known))
    return None if above is None or whole is None else attempt("gap", whole, above)


def _real(v: float) -> float:
    return float(math.floor(v))


def _array(parts: list[Values], undefined: Flags) -> Values:
    value = np.floor(parts[0].value)
    return Values(value, undefined, np.abs(value))


FLOOR = Function("floor", "floor", _real, _array, total=True, facts=_facts, rewritten=rewritten, sympy=sympy.floor)
