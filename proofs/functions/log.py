"""The natural logarithm."""

from __future__ import annotations

import math
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function, Inverse, always
from qtheory.proofs.functions.power import POWER
from qtheory.proofs.functions.sqrt import SQRT, square_root
from qtheory.proofs.functions.values import Flags, Values
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, TWO, ZERO, Node, integer, minus, neg_term
from qtheory.proofs.tactics.bounds import bound_once
from qtheory.proofs.tactics.builder import Step, apply, attempt, transitive
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import Rational, reduce_term
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search

LARGE, HUGE = 10**9, 10**1000  # a number beyond the first has its small factors taken out; one beyond the second none
SMALL = 2**12


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
    if (inner := positive_base(simple, v)) is not None:
        return of_root(simple, u, v, inner)
    for s in occurring(v):
        if (inner := positive_base(simple, s)) is not None:
            simple.facts += [f for f in (SQRT if s[0] == "sqrt" else POWER).facts(
                simple.search, s, (*simple.facts, inner)) if f is not None]
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


def positive_base(simple: Simplifier, v: Node) -> Step | None:
    """w > 0, for the square root of w or a power of it whose exponent is no integer."""
    if not isinstance(v, tuple) or v[0] not in ("sqrt", "^") or (v[0] == "^" and integer(v[2])):
        return None
    return simple.search.quick((">", v[1]), simple.facts)


def of_root(simple: Simplifier, u: Node, v: Node, positive: Step) -> tuple[Node, Step]:
    """log(u) = e log(w), where u is formally v = w^e, or v = sqrt(w) and e = 1/2."""
    simple.facts.append(positive)
    w = v[1]
    if v[0] == "sqrt":
        root, square = square_root(w, positive)
        double: Node = ("*", TWO, ("log", v))
        twice = apply("rewrite", square, apply("log_power", v, TWO, (root,)), "z'",
                      ("=", minus(("log", "z'"), double)), ("^", v, TWO), w)
        value: Node = ("*", ONE / TWO, ("log", w))
        simple.facts.append(root)
        own = apply("combine", ("=", minus(("log", v), value)), (twice, *simple.known(("log", v))),
                    ((-ONE / TWO, ((0, 1),), ()),))
    else:
        value = ("*", v[2], ("log", w))
        power = apply("power_exp", w, v[2], simple.known(value))
        back = apply("combine", ("=", minus(("exp", value), v)), (power,), ((-ONE, ((0, 1),), ()),))
        own = apply("rewrite", back, apply("log_exp", value, simple.known(value)), "z'",
                    ("=", minus(("log", "z'"), value)), ("exp", value), v)
    return value, transitive(simple.within(("log",), u, v), own, ("log", u), value, simple.facts)


def positive_factors(simple: Simplifier, v: Node) -> list[tuple[Node, int]] | None:
    """v as a product of powers of terms, each provably positive; None if v does not split."""
    forms = Forms()
    num, den = forms.quotient(v)
    content, rows = Rational(forms).split(num, den)
    numbers = prime_powers(content) if beside_others(simple, v) else [root_of(abs(content))]
    if (len(rows) == 0 and numbers[0][1] == len(numbers) == 1) or (len(rows) == 1 and rows[0][1] == 1 and content == 1):
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
    return out + (numbers if content != 1 else [])


def beside_others(simple: Simplifier, v: Node) -> bool:
    """Do logarithms of other numbers stand beside that of v?  Those of primes alone are not tied to one another."""
    return any(isinstance(s, tuple) and s[0] == "log" and isinstance(s[1], Fraction) and s[1] != v
               for s in occurring(simple.current))


def root_of(q: Fraction) -> tuple[Fraction, int]:
    """(r, n) with q = r^n, r > 1 and the largest n, so far as q's factors are found."""
    powers = prime_powers(q)
    if powers == [(q, 1)]:
        return q, 1
    n = gcd(*(e for _, e in powers)) * (1 if q > 1 else -1)
    return Fraction(prod(p ** (e // n) for p, e in powers)), n


def prime_powers(q: Fraction) -> list[tuple[Fraction, int]]:
    """Pairs (p, e) with q the product of p^e, for primes p and perhaps what is left of a large number; [(q, 1)] of 0
    and 1."""
    top, below = abs(q.numerator), q.denominator
    if q in (0, 1) or max(top, below) > HUGE:
        return [(q, 1)]
    exponents = {**_factors(top), **{p: -e for p, e in _factors(below).items()}}
    return [(Fraction(int(p)), e) for p, e in exponents.items()]


def _factors(n: int) -> dict[int, int]:
    found: dict[int, int] = sympy.factorint(n, limit=None if n <= LARGE else SMALL)
    return found


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
