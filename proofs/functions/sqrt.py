"""The square root."""

from __future__ import annotations

import math
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function, always
from qtheory.proofs.functions.values import LOST, Flags, Values
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, TWO, ZERO, Node, minus, neg_term
from qtheory.proofs.tactics.builder import Step, apply, attempt, hyp, parts
from qtheory.proofs.tactics.quotients import Rational, reduce_term
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search



def square_root(u: Node, positive: Step) -> tuple[Step, Step]:
    """sqrt(u) > 0 and sqrt(u)^2 = u, from u > 0."""
    nonnegative, square = parts(apply("sqrt_square", u, (positive,)))
    root: Node = ("sqrt", u)
    at_zero, below = hyp(("=", root)), hyp((">", neg_term(root)))
    no_zero = apply("combine", (">", ZERO), (at_zero, square, positive),
                    ((neg_term(root), ((0, 1),), ()), (ONE, ((1, 1),), ()), (ONE, ((2, 1),), ())))
    no_below = apply("combine", (">", ZERO), (below, nonnegative), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    goal = (">", root)
    cases = (hyp(goal), apply("absurd", no_zero, goal), apply("absurd", no_below, goal))
    return apply("or_elim", apply("trichotomy", root, (nonnegative,)), cases, goal), square


def equal_squares(s: Node, p: Node, above: Step, at_least: Step, equal: Step) -> Step:
    """s = p from s^2 = p^2, s >= 0 and p >= 0."""
    goal = ("=", minus(s, p))
    three = apply("trichotomy", goal[1], (above, at_least, equal))
    cases = []
    for case, smaller, sign in zip(three.concl[1:], (at_least, None, above), (-ONE, ONE, ONE), strict=True):
        if smaller is None:
            cases.append(hyp(case))
            continue
        products = ((ONE, ((0, 2),), ()), (TWO, ((0, 1), (1, 1)), ()), (sign, ((2, 1),), ()))
        cases.append(apply("absurd", apply("combine", (">", ZERO), (hyp(case), smaller, equal), products), goal))
    return apply("or_elim", three, tuple(cases), goal)


def base_of_square(v: Node) -> Node | None:
    """t with t^2 = v, for a polynomial or quotient of such."""
    forms = Forms()
    num, den = forms.quotient(v)
    c, rows = Rational(forms).split(num, den)
    top, below = isqrt(max(0, c.numerator)), isqrt(c.denominator)
    if not rows or any(e % 2 for _, e in rows) or Fraction(top, below) ** 2 != c:
        return None
    return ("*", Fraction(top, below), *(("^", poly_term(forms, p), Fraction(e // 2)) for p, e in rows))


def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    v = reduce_term(term[1])
    base = base_of_square(v)
    for t in () if base is None else (reduce_term(base), reduce_term(neg_term(base))):
        at_least = simple.search.quick((">=", t), simple.facts)
        if at_least is not None:
            above, square = parts(apply("sqrt_square", term[1], simple.known(term)))
            equal = apply("combine", ("=", minus(("^", term, TWO), ("^", t, TWO))), (square, *simple.known(t)),
                          ((ONE, ((0, 1),), ()),))
            return t, equal_squares(term, t, above, at_least, equal)
    return (("sqrt", v), simple.within(("sqrt",), term[1], v)) if v != term[1] else None


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    """Its sign and its square."""
    positive = next((f for f in known if f.concl == (">", s[1])), None)
    return [attempt("sqrt_square", s[1], known)] if positive is None else list(square_root(s[1], positive))


def _array(parts: list[Values], undefined: Flags) -> Values:
    v, size = parts[0].value, parts[0].size
    value = np.sqrt(v)
    return Values(value, undefined | (v < 0), np.maximum(value, size / np.maximum(value, LOST)))


def _failing(s: Node) -> list[Node]:
    return [(">", neg_term(s[1]))]


SQRT = Function(
    "sqrt", "sqrt", math.sqrt, _array, failing=_failing, need=">=", tells=always, facts=_facts, rewritten=rewritten,
    curved=always, sympy=sympy.sqrt)
