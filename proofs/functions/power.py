"""Powers, with the exponent a number or a term."""

from __future__ import annotations

import math
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function
from qtheory.proofs.functions.values import NEVER, Flags, Values, either
from qtheory.proofs.kernel.poly import Forms, Poly
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, ge, integer, minus, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, apply, attempt, fresh, transitive
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search



def power_positive(search: Search, s: Node, known: tuple[Step, ...]) -> Step | None:
    """a^n > 0 for a > 0."""
    if not any(f.concl == (">", s[1]) for f in known):
        return None
    log = ("*", s[2], ("log", s[1]))
    equal = attempt("power_exp", s[1], s[2], known)
    positive = attempt("exp_positive", log, known)
    if equal is None or positive is None:
        return None
    return attempt("combine", (">", s), (positive, equal, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


def nonnegative(search: Search, s: Node, known: tuple[Step, ...]) -> Step | None:
    try:
        return power_nonnegative(search, s, known)
    except KernelError:
        return None


def power_nonnegative(search: Search, power: Node, facts: Facts) -> Step | None:
    """a^n >= 0 for a >= 0 and a natural n, by induction."""
    _, a, n = power
    whole = next((f for f in facts if f.concl == ("isint", n)), None)
    base = next((f for f in facts if f.concl in ((">", a), (">=", a))), None) or search.quick((">=", a), facts)
    above = search.quick(ge(n, ZERO), facts) if whole and base else None
    if whole is None or base is None or above is None:
        return None
    m = fresh("m", power, base.concl, base.hyps)
    phi = (">=", ("^", a, m))
    assumed = [apply("hyp", f) for f in (("isint", m), ge(m, ZERO), phi)]
    natural = apply("combine", (">=", m), (assumed[1],), ((ONE, ((0, 1),), ()),))
    next_one = apply("power_step", a, m, (*assumed, natural, base))
    step = apply("combine", (">=", ("^", a, ("+", m, ONE))), (next_one, assumed[2], base),
                 ((ONE, ((0, 1),), ()), (ONE, ((1, 1), (2, 1)), ())))
    start = apply("combine", (">=", ("^", a, ZERO)), (base,), ((ONE, (), ()),))
    every = apply("induction", m, ZERO, phi, apply("integral_polynomial", ZERO, ()), start, step)
    there = apply("all_elim", every, n, tuple(facts))
    return apply("imp_elim", there, apply("and_intro", (whole, above)))


def exponential_of(w: Node, e: Node, n: Fraction, whole: Node, known: tuple[Step, ...]) -> Step:
    """exp(whole) = (w^e)^n for w > 0, an integer n and ``whole`` formally n e log(w)."""
    v = ("*", e, ("log", w))
    inner, raised = apply("power_exp", w, e, known), apply("exp_multiple", v, n, known)
    same = apply("combine", ("=", minus(("*", n, v), whole)), known, ())
    back = apply("combine", ("=", minus(("exp", v), ("^", w, e))), (inner, *known), ((-ONE, ((0, 1),), ()),))
    raised = apply("rewrite", same, raised, "z'", ("=", minus(("exp", "z'"), ("^", ("exp", v), n))), ("*", n, v), whole)
    return apply("rewrite", back, raised, "z'", ("=", minus(("exp", whole), ("^", "z'", n))), ("exp", v), ("^", w, e))


def power_of_power(w: Node, c: Fraction, n: Fraction, known: tuple[Step, ...]) -> Step:
    """(w^c)^n = w^(c n) for w > 0 and an integer n: both are exp(c n log(w))."""
    log, product = ("log", w), c * n
    whole = ("*", product, log)
    raised = exponential_of(w, c, n, whole, known)
    if product.denominator == 1:
        outer, sign = apply("exp_multiple", log, product, known), ONE
        outer = apply("rewrite", apply("exp_log", w, known), outer, "z'",
                      ("=", minus(("exp", whole), ("^", "z'", product))), ("exp", log), w)
    else:
        outer, sign = apply("power_exp", w, product, known), -ONE
    return apply("combine", ("=", minus(("^", ("^", w, c), n), ("^", w, product))), (raised, outer, *known),
                 ((-ONE, ((0, 1),), ()), (sign, ((1, 1),), ())))


def _root(s: Node, known: tuple[Step, ...]) -> Step | None:
    """(a^(p/q))^q = a^p for a > 0."""
    if not isinstance(s[2], Fraction) or not any(f.concl == (">", s[1]) for f in known):
        return None
    try:
        return power_of_power(s[1], s[2], Fraction(s[2].denominator), known)
    except KernelError:
        return None


def _by_common_root(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    """a^(p/q) as a power of a^(1/m), where the term holds other roots of a, for their common denominator m."""
    _, base, exponent = term
    others = {s[2] for s in occurring(simple.current) if isinstance(s, tuple) and s[:2] == term[:2]
              and isinstance(s[2], Fraction) and s[2].denominator > 1}
    common = Fraction(lcm(*(c.denominator for c in others)))
    positive = simple.search.quick((">", base), simple.facts) if len(others) > 1 else None
    if positive is None or exponent * common == 1:
        return None
    simple.facts.append(positive)
    root = ("^", base, 1 / common)
    simple.facts += [s for s in [power_positive(simple.search, root, simple.known(root))] if s is not None]
    equal = power_of_power(base, 1 / common, exponent * common, tuple(simple.facts))
    value: Node = ("^", root, exponent * common)
    return value, apply("combine", ("=", minus(term, value)), (equal, *simple.facts), ((-ONE, ((0, 1),), ()),))


def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    _, base, exponent = term
    forms = Forms()
    num, den = forms.quotient(exponent)
    shift = num.get((), ZERO)
    if isinstance(exponent, Fraction):
        return _of_number(simple, term) or _by_common_root(simple, term)
    if not den and not num.keys() - {()}:  # a number, but not written as one
        return ("^", base, shift), simple.within(("^", base), exponent, shift)
    if not den and shift.denominator == 1 and shift > 0 and len(num) > 1:
        below = poly_term(forms, {**num, (): shift - 1} if shift != 1 else {m: c for m, c in num.items() if m})
        whole = simple.search.quick(("isint", below), simple.facts)
        if whole is not None:
            simple.facts.append(whole)
            step = apply("power_step", base, below, simple.known(("^", base, below)))
            same = simple.within(("^", base), exponent, ("+", below, ONE))
            value: Node = ("*", ("^", base, below), base)
            return value, transitive(same, step, term, value, simple.facts)
    if (found := _with_number_outside(simple, term, num if not den else {})) is not None:
        return found
    if any(f.concl == ("isint", exponent) for f in simple.facts):
        return None
    positive = simple.search.quick((">", base), simple.facts)
    if positive is None:
        return None
    simple.facts.append(positive)
    value = ("exp", ("*", exponent, ("log", base)))
    return value, apply("power_exp", base, exponent, simple.known(("+", exponent, ("log", base))))


def _of_number(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    """A power whose base is a number, but not written as one."""
    _, base, exponent = term
    plain = reduce_term(base)
    if plain == base or not isinstance(plain, Fraction):
        return None
    value: Node = ("^", plain, exponent)
    same, itself = simple.formal(base, plain), apply("combine", ("=", minus(term, term)), simple.known(term), ())
    return value, apply("rewrite", same, itself, "z'", ("=", minus(term, ("^", "z'", exponent))), base, plain)


def _with_number_outside(simple: Simplifier, term: Node, exponent: Poly) -> tuple[Node, Step] | None:
    """(w^c)^n, or w^(c n), as (w^n)^c for an integer c and an integral term n, so that powers of w are of w^n."""
    _, base, n = term
    nested = isinstance(base, tuple) and base[0] == "^" and integer(base[2])
    w, c = (base[1], base[2]) if nested else (base, Fraction(gcd(*(int(q) for q in exponent.values()))))
    if any(q.denominator > 1 for q in exponent.values()) or not exponent.keys() - {()}:
        return None
    if not nested:
        c *= -1 if exponent[min(m for m in exponent if m)] < 0 else 1
        n = reduce_term(("*", 1 / c, n))
    needs = [simple.search.quick(goal, simple.facts) for goal in (("isint", n), (">", w))] if c != 1 else [None]
    if None in needs:
        return None
    simple.facts += [f for f in needs if f is not None]
    value: Node = ("^", ("^", w, n), c)
    known = simple.known(("+", value, term, ("log", w)))
    left = apply("power_exp", base, term[2], known)
    if nested:
        logs = apply("log_power", w, c, known)
        left = apply("rewrite", logs, left, "z'", ("=", minus(term, ("exp", ("*", n, "z'")))), ("log", base),
                     ("*", c, ("log", w)))
    whole = left.concl[1][2][2][1]
    right = exponential_of(w, n, c, whole, known)
    return value, transitive(left, right, term, value, (*known, left, right))


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    """The powers of 0; the sign of one with a symbolic exponent; of which number one is a root."""
    if s[1] == ZERO and (above := search.quick((">", s[2]), known)) is not None:
        return [apply("cut", above, apply("zero_power", s[2]))]
    return [] if integer(s[2]) else [power_positive(search, s, known) or nonnegative(search, s, known),
                                     _root(s, known)]


def _real(a: float, b: float) -> float:
    if b == int(b):
        return a ** int(b)
    if a < 0 or (a == 0 and b < 0):
        return math.nan
    return float(a**b)


def _array(parts: list[Values], undefined: Flags) -> Values:
    base, exponent = parts
    a, b = base.value, exponent.value
    if b.ndim == 0 and b == np.floor(b):  # an integer, as almost always
        n = float(b)
        value = 1 / a if n == -1 else a * a if n == 2 else np.asarray(np.power(a, b))
        bad = a == 0 if n < 0 else NEVER
    else:
        value = np.asarray(np.power(a, b))
        bad = ((a == 0) & (b < 0)) | ((a < 0) & (b != np.floor(b)))
    relative = np.where(a != 0, base.size / np.abs(a), 1.0)
    size = np.abs(value) * (1 + np.abs(b) * relative * (np.abs(b) < 1e6))
    return Values(value, either([undefined, bad]), size)


def _failing(s: Node) -> list[Node]:
    if not isinstance(s[2], tuple) and not isinstance(s[2], str):
        if s[2].denominator == 1 and s[2] >= 0:
            return []
        vanishing = [] if s[2] > 0 else [("and", ("=", s[1]), (">", neg_term(s[2])))]
        negative = [("and", (">", neg_term(s[1])), ("!=", minus(s[2], ("floor", s[2]))))]
        return vanishing if s[2].denominator == 1 else vanishing + negative
    return [("and", ("=", s[1]), (">", neg_term(s[2]))),
            ("and", (">", neg_term(s[1])), ("!=", minus(s[2], ("floor", s[2]))))]


def _tells(s: Node) -> bool:
    return bool(integer(s[2]) and s[2] < 0)


def _primitive(term: Node, negative: bool) -> Node | None:
    _, u, n = term
    if not isinstance(n, Fraction):
        return None
    if n == -1:
        return ("log", neg_term(u) if negative else u)
    return ("*", 1 / (n + 1), ("^", u, n + 1))


def _curved(s: Node) -> bool:
    return not integer(s[2])


POWER = Function(
    "^", "power", _real, _array, failing=_failing, tells=_tells, facts=_facts, rewritten=rewritten,
    primitive=_primitive, curved=_curved, sympy=sympy.Pow, returns=True)
