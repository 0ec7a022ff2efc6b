"""The natural logarithm."""

from __future__ import annotations

import math
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function, Inverse, always
from qtheory.proofs.functions.values import Flags, Values
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, ZERO, Node, minus, neg_term
from qtheory.proofs.tactics.bounds import bound_once
from qtheory.proofs.tactics.builder import Step, apply, attempt, transitive
from qtheory.proofs.tactics.quotients import Rational, reduce_term
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search

LARGE = 10**9  # a number beyond it is not factored


def log_from_below(search: Search, u: Node, known: tuple[Step, ...]) -> Step | None:
    """log u >= 1 - 1/u, from the tangent of log(1/u)."""
    inverse = ("^", u, Fraction(-1))
    positive = next((f for f in known if f.concl == (">", u)), None)
    if positive is None:
        return None
    above = apply("combine", (">", inverse), (positive,), ((ONE, ((0, -1),), ()),))
    power = attempt("log_power", u, Fraction(-1), (*known, positive))
    tangent = attempt("log_below_tangent", inverse, (above, *known))
    if power is None or tangent is None:
        return None
    goal = (">=", ("+", ("log", u), inverse, Fraction(-1)))
    return attempt("combine", goal, (tangent, power, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    u = term[1]
    v = reduce_term(u)
    if v == ONE:
        return ZERO, transitive(simple.within(("log",), u, ONE), apply("log_one"), term, ZERO, simple.facts)
    if isinstance(v, tuple) and v[0] == "exp":
        same = simple.within(("log",), u, v)
        return v[1], transitive(same, apply("log_exp", v[1], simple.known(v)), term, v[1], simple.facts)
    split = positive_factors(simple, v)
    if split is None:
        return (("log", v), simple.within(("log",), u, v)) if v != u else None
    simple.facts += [s for w, e in split if (s := simple.search.quick((">", w), simple.facts)) is not None]
    value: Node | None = None
    whole: Node = ONE
    step: Step | None = None
    for w, e in reversed(split):
        item = w if e == 1 else ("^", w, Fraction(e))
        image: Node = ("log", w) if e == 1 else ("*", Fraction(e), ("log", w))
        own = apply("combine", ("=", minus(image, image)), simple.known(image), ()) if e == 1 else \
            apply("log_power", w, Fraction(e), simple.known(("log", w)))
        if value is None or step is None:
            whole, value, step = item, image, own
            continue
        positive = [simple.search.atom((">", t), simple.facts) for t in (item, whole)]
        simple.facts += positive
        product = apply("log_product", item, whole, simple.known(("+", ("log", item), ("log", whole))))
        step = apply("combine", ("=", minus(("log", ("*", item, whole)), ("+", image, value))),
                     (product, own, step, *simple.known(("+", image, value))),
                     tuple((ONE, ((i, 1),), ()) for i in range(3)))
        whole, value = ("*", item, whole), ("+", image, value)
    if value is None or step is None:
        return None
    same = simple.within(("log",), u, whole)
    return value, transitive(same, step, term, value, (*simple.facts, step))


def positive_factors(simple: Simplifier, v: Node) -> list[tuple[Node, int]] | None:
    """v as a product of powers of terms, each provably positive; None if v does not split."""
    forms = Forms()
    num, den = forms.quotient(v)
    content, rows = Rational(forms).split(num, den)
    root, power = root_of(abs(content))
    if (len(rows) == 0 and power == 1) or (len(rows) == 1 and rows[0][1] == 1 and content == 1):
        return None
    out: list[tuple[Node, int]] = []
    for p, e in rows:
        w = poly_term(forms, p)
        if simple.search.quick((">", w), simple.facts) is None:
            w = poly_term(forms, {m: -a for m, a in p.items()})
            if simple.search.quick((">", w), simple.facts) is None:
                return None
            content *= -1 if e % 2 else 1
        out.append((w, e))
    if content <= 0:
        return None
    return out + ([(root, power)] if content != 1 else [])


def root_of(q: Fraction) -> tuple[Fraction, int]:
    """(r, n) with q = r^n, r > 1, where q is no larger than can be factored at once; (q, 1) of others."""
    if q in (0, 1) or max(q.numerator, q.denominator) > LARGE:
        return q, 1
    exponents = {**sympy.factorint(q.numerator), **{p: -e for p, e in sympy.factorint(q.denominator).items()}}
    n = gcd(*exponents.values()) * (1 if q > 1 else -1)
    return Fraction(prod(Fraction(int(p)) ** (e // n) for p, e in exponents.items())), n


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    """The tangents from above and below."""
    return [attempt("log_below_tangent", s[1], known), bound_once(search, log_from_below, s, known)]


def _array(parts: list[Values], undefined: Flags) -> Values:
    v, size = parts[0].value, parts[0].size
    value = np.log(v)
    return Values(value, undefined | (v <= 0), np.abs(value) + size / np.abs(v))


def _failing(s: Node) -> list[Node]:
    return [(">=", neg_term(s[1]))]


def _primitive(term: Node, negative: bool) -> Node:
    return ("+", ("*", term[1], term), neg_term(term[1]))


LOG = Function(
    "log", "log", math.log, _array, failing=_failing, need=">", tells=always, facts=_facts,
    strict="Implies(And(x > 0, x != 1), And(log(x) < x - 1, x*log(x) > x - 1))", rewritten=rewritten,
    at=(ONE, ZERO, "log_one"), inverse=Inverse("exp", "exp_log"), primitive=_primitive, curved=always, alone=True,
    sympy=sympy.log, returns=True)
