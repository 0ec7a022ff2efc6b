"""The exponential function."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np
import sympy

from qtheory.proofs.functions.function import Function, Inverse, always
from qtheory.proofs.functions.values import LOST, TINY, Flags, Values
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, ZERO, Node, minus, neg_term
from qtheory.proofs.tactics.bounds import bound_once
from qtheory.proofs.tactics.builder import Step, apply, attempt, fresh, transitive
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search



def exp_from_above(search: Search, u: Node, known: tuple[Step, ...]) -> Step | None:
    """(1 - u) e^u <= 1, from the tangent of e^(-u)."""
    v = neg_term(u)
    tangent = attempt("exp_above_tangent", v, known)
    positive = attempt("exp_positive", u, known)
    split = attempt("exp_sum", u, v, known)
    if tangent is None or positive is None or split is None:
        return None
    zero = attempt("combine", ("=", minus(("+", u, v), ZERO)), known, ())
    if zero is None:
        return None
    one = apply("rewrite", zero, split, "z'", ("=", minus(("exp", "z'"), split.concl[1][2][2])), ("+", u, v), ZERO)
    goal = (">=", minus(ONE, ("*", minus(ONE, u), ("exp", u))))
    return attempt("combine", goal, (tangent, positive, one, apply("exp_zero"), *known),
                   ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((2, 1),), ()), (-ONE, ((3, 1),), ())))


def rewritten(simple: Simplifier, term: Node) -> tuple[Node, Step] | None:
    u = term[1]
    v = reduce_term(u)
    if v == ZERO:
        zero = apply("exp_zero")
        same = simple.within(("exp",), u, ZERO)
        return ONE, transitive(same, zero, term, ONE, simple.facts)
    logs, rest = split_logs(v, simple.facts)
    if not logs:
        return split_exp(simple, term, u, v)
    pieces: list[Node] = [("*", c, ("log", w)) if c != 1 else ("log", w) for c, w in logs]
    values: list[Node] = [("^", w, c) if c != 1 else w for c, w in logs]
    if rest != ZERO:
        pieces.append(rest)
        values.append(("exp", rest))
    whole = pieces[-1]
    steps = [exp_of(simple, pieces[-1], values[-1])]
    value: Node = values[-1]
    for piece, item in zip(reversed(pieces[:-1]), reversed(values[:-1]), strict=True):
        product = apply("exp_sum", piece, whole, simple.known(("+", piece, whole)))
        both = ("*", item, value)
        joined = chain_product(simple, ("exp", ("+", piece, whole)), product, ("exp", piece), item,
                                    exp_of(simple, piece, item), ("exp", whole), value, steps[-1])
        whole, value = ("+", piece, whole), both
        steps.append(joined)
    same = simple.within(("exp",), u, whole)
    return value, transitive(same, steps[-1], term, value, (*simple.facts, steps[-1]))


def split_exp(simple: Simplifier, term: Node, u: Node, v: Node) -> tuple[Node, Step] | None:
    """exp(c1 m1 + c2 m2 + ..) as a product of powers of exp(g m), g the common measure of m's coefficients."""
    others = [s[1] for s in occurring(simple.current) if isinstance(s, tuple) and s[0] == "exp"]
    if len(others) < 2 and not mostly_negative(v):
        return (("exp", v), simple.within(("exp",), u, v)) if v != u else None
    forms = Forms()
    tables = []
    for o in [v, *(reduce_term(o) for o in others)]:
        num, den = forms.quotient(o)
        tables.append((num, den))
    num, den = tables[0]
    pieces: list[tuple[Node, int]] = []
    for m, c in sorted(num.items()):
        measures = [abs(n[m]) for n, d in tables if d == den and m in n]
        g = reduce(lambda a, b: Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator),
                                         lcm(1, a.denominator * b.denominator)), measures)
        below = [("^", poly_term(forms, dict(f)), Fraction(-e)) for f, e in den.items()]
        unit = poly_term(forms, {m: g})
        unit = ("*", unit, *below) if below else unit
        pieces.append((reduce_term(unit), int(c / g)))
    if len(others) < 2:
        pieces = [(reduce_term(("*", Fraction(-1), v)), -1)]
    if len(pieces) == 1 and pieces[0][1] == 1:
        return (("exp", v), simple.within(("exp",), u, v)) if v != u else None
    whole: Node | None = None
    value: Node = ONE
    step: Step | None = None
    for unit, n in reversed(pieces):
        piece = unit if n == 1 else ("*", Fraction(n), unit)
        item: Node = ("exp", unit) if n == 1 else ("^", ("exp", unit), Fraction(n))
        positive = apply("exp_positive", unit, simple.known(unit))
        simple.facts.append(positive)
        own = exp_of(simple, piece, ("exp", piece)) if n == 1 else \
            apply("exp_multiple", unit, Fraction(n), simple.known(unit))
        if whole is None or step is None:
            whole, value, step = piece, item, own
            continue
        product = apply("exp_sum", piece, whole, simple.known(("+", piece, whole)))
        step = chain_product(simple, ("exp", ("+", piece, whole)), product, ("exp", piece), item, own,
                                  ("exp", whole), value, step)
        whole, value = ("+", piece, whole), ("*", item, value)
    if whole is None or step is None:
        return None
    same = simple.within(("exp",), u, whole)
    return value, transitive(same, step, term, value, (*simple.facts, step))


def exp_of(simple: Simplifier, piece: Node, value: Node) -> Step:
    """exp(piece) = value, for a multiple of a logarithm, or anything else left as it is."""
    if value == ("exp", piece):
        return apply("combine", ("=", minus(value, value)), simple.known(value), ())
    if piece[0] == "log":
        return apply("exp_log", piece[1], simple.known(piece))
    c, log = piece[1], piece[2]
    power = apply("exp_multiple", log, c, simple.known(piece))
    base = apply("exp_log", log[1], simple.known(log))
    z = fresh("z", piece)
    return apply("rewrite", base, power, z, ("=", minus(("exp", piece), ("^", z, c))), ("exp", log), log[1])


def chain_product(simple: Simplifier, left: Node, product: Step, a: Node, a2: Node, ea: Step, b: Node, b2: Node,
                  eb: Step) -> Step:
    """left = a b, a = a2, b = b2 give left = a2 b2."""
    steps = (product, ea, eb, *simple.known(("*", a2, b2)))
    return apply("combine", ("=", minus(left, ("*", a2, b2))), steps,
                 ((ONE, ((0, 1),), ()), (b, ((1, 1),), ()), (a2, ((2, 1),), ())))


def mostly_negative(v: Node) -> bool:
    """Is the first coefficient negative, so that exp(-v) is the better atom?"""
    num, _ = Forms().quotient(v)
    first = next((c for m, c in sorted(num.items()) if m), ONE)
    return first < 0


def split_logs(v: Node, facts: Sequence[Step]) -> tuple[list[tuple[Node, Node]], Node]:
    """v = sum of c log(w) + rest, each c an integer, or a term known to be one, which holds no number."""
    forms = Forms()
    num, den = forms.quotient(v)
    below = [("^", poly_term(forms, dict(f)), Fraction(-e)) for f, e in den.items()]
    whole = {forms.key(f.concl[1]) for f in facts if f.concl[0] == "isint"}
    logs: list[tuple[Node, Node]] = []
    rest = dict(num)
    for index, name in enumerate(list(forms.names)):
        with_log = {m: c for m, c in rest.items() if (index, 1) in m}
        if not isinstance(name, tuple) or name[0] != "log" or not with_log:
            continue
        slope = poly_term(forms, {tuple(p for p in m if p[0] != index): c for m, c in with_log.items()})
        factor = reduce_term(("*", slope, *below)) if below else slope
        polynomial, under = forms.quotient(factor)
        good = not under and all(c.denominator == 1 and all(forms.key(forms.names[a]) in whole for a, _ in m)
                                 for m, c in polynomial.items())
        if good:
            apart = polynomial.get((), ZERO) if len(polynomial) > 1 else ZERO
            logs += [(c, name[1]) for c in ((reduce_term(minus(factor, apart)), apart) if apart else (factor,))]
            rest = {m: c for m, c in rest.items() if m not in with_log}
    left = poly_term(forms, rest)
    return logs, reduce_term(("*", left, *below)) if below else left


def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    """Positivity, and the tangents from below and above."""
    return [attempt("exp_positive", s[1], known), attempt("exp_above_tangent", s[1], known),
            bound_once(search, exp_from_above, s, known)]


def _array(parts: list[Values], undefined: Flags) -> Values:
    size = parts[0].size
    value = np.exp(parts[0].value)
    if np.any(value < LOST):  # it is positive all the same
        return Values(np.maximum(value, TINY), undefined, np.maximum(value * (1 + size), LOST))
    return Values(value, undefined, value * (1 + size))


def _primitive(term: Node, negative: bool) -> Node:
    return term


EXP = Function(
    "exp", "exp", math.exp, _array, total=True, facts=_facts, strict="Implies(x != 0, exp(x) > 1 + x)",
    rewritten=rewritten, at=(ZERO, ONE, "exp_zero"), inverse=Inverse("log", "log_exp", "exp_positive"),
    primitive=_primitive, curved=always, alone=True, sympy=sympy.exp, returns=True)
