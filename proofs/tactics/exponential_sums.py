"""Partial sums of w c^k/k! with w, c >= 0, as those of Poisson probabilities: their limit, and the proof."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import NamedTuple

from qtheory.proofs.kernel.factorials import factorial as factorial_term
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, gt, integer, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, hyp, parts
from qtheory.proofs.tactics.exponential_series import bounds, by_last, naturals, series
from qtheory.proofs.tactics.falling import END, replaced
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.tail import lower

N = "n'''"
MOST = 8  # terms before the first of the sum


class Sum(NamedTuple):
    """The partial sum from the number ``low`` of weight base^k/k!."""

    term: Node
    low: Fraction
    weight: Node
    base: Node

    @property
    def before(self) -> Node:
        """What the series has before the sum's first term."""
        return ("+", ZERO, ZERO, *(("*", Fraction(1, factorial(j)), ("^", self.base, Fraction(j)))
                                   for j in range(int(self.low))))

    @property
    def limit(self) -> Node:
        return ("*", self.weight, minus(("exp", self.base), self.before))


def exponential_sum(search: Search, term: Node, facts: Facts) -> Sum:
    """The term as such a sum up to b'; Stuck where it is none."""
    if not isinstance(term, tuple) or term[0] != "sum" or term[3] != END:
        raise Stuck("no partial sum")
    _, x, start, _, body = term
    factors, bases, weight, below = _factors(body), list[Node](), list[Node](), ("^", factorial_term(x), MINUS)
    for f in factors:
        if isinstance(f, tuple) and f[0] == "^" and f[2] == x and x not in free(f[1]):
            bases.append(f[1])
        elif f != below:
            weight.append(f)
    if below not in factors or len(bases) > 1 or any(x in free(w) for w in weight):
        raise Stuck("no term of the exponential series")
    low = lower(search, start, facts)
    if not integer(low) or not 0 <= low <= MOST:
        raise Stuck("no plain first term")
    return Sum(term, low, ("*", ONE, ONE, *weight), bases[0] if bases else ONE)


def _factors(t: Node) -> list[Node]:
    return [f for part in t[1:] for f in _factors(part)] if isinstance(t, tuple) and t[0] == "*" else [t]


def tends_to_exponential(search: Search, s: Sum, facts: Facts) -> Step:
    """For every e' > 0 the sum is within e' of its limit beyond d' = w c e^c/e' + low + 1: it is short of the limit by
    w R, where (b + 1) R <= c e^c."""
    outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
    w, c, value = s.weight, s.base, s.limit
    outer += search.define(("+", w, c, value), outer)
    outer += [search.atom((">=", t), outer) for t in (w, c)]
    outer.append(apply("exp_positive", c, tuple(outer)))
    plain: Node = (*s.term[:2], s.low, *s.term[3:])
    every = _closed(search, s, plain, outer)
    positive = hyp((">", "e'"))
    witness: Node = ("+", ("*", w, c, ("exp", c), ("^", "e'", MINUS)), s.low + 1)
    guard: Node = ("and", ("isint", END), gt(END, witness))
    known = [*outer, positive, *parts(hyp(guard))]
    weight, base, size, e, whole, over = (len(known) - n for n in (6, 5, 4, 3, 2, 1))
    room = (ONE, ((weight, 1), (base, 1), (size, 1), (e, -1)), ())
    for relation, less in ((">", ZERO), (">=", max(s.low - 1, ZERO)), (">=", ZERO)):
        known.append(apply("combine", (relation, END if relation == ">" else minus(END, less)), tuple(known), (
            (ONE, ((over, 1),), ()), room, (s.low + 1 - less, (), ()))))
    b = over + 1
    closed = apply("imp_elim", apply("all_elim", every, END, ()), apply("and_intro", (known[whole], known[b + 1])))
    about = apply("imp_elim", apply("all_elim", bounds(search), END, ()), apply("and_intro", (
        known[whole], known[b + 2])))
    _, rest, small = parts(apply("imp_elim", apply("all_elim", about, c, tuple(known)), known[base]))
    known += [closed, rest, small]
    known += search.define(minus(plain, value), known)
    short = (ONE, ((weight, 1), (b + 4, 1)), ())
    low = apply("combine", (">", minus("e'", minus(plain, value))), tuple(known), (
        (ONE, ((e, 1),), ()), short, (MINUS, ((b + 3, 1),), ())))
    # e' - w R = (e' (b - d') + e' (low + 1) + w (c e^c - (b + 1) R) + w R)/b
    high = apply("combine", (">", ("+", "e'", minus(plain, value))), tuple(known), (
        (ONE, ((over, 1), (e, 1), (b, -1)), ()), (s.low + 1, ((e, 1), (b, -1)), ()),
        (ONE, ((weight, 1), (b + 5, 1), (b, -1)), ()), (ONE, ((weight, 1), (b + 4, 1), (b, -1)), ()),
        (ONE, ((b + 3, 1),), ())))
    step = apply("and_intro", (low, high))
    if plain != s.term:
        same = search.atom(("=", minus(s.low, s.term[2])), outer)
        step = apply("rewrite", same, step, "z'", replaced(step.concl, plain, (*plain[:2], "z'", *plain[3:])), s.low,
                     s.term[2])
    step = apply("all_intro", END, apply("imp_intro", guard, cut_all(parts(hyp(guard)), step)))
    some: Node = ("ex", "d'", replaced(step.concl, witness, "d'"))
    step = apply("ex_intro", some, witness, step, (*outer, positive))
    return apply("all_intro", "e'", apply("imp_intro", (">", "e'"), step))


def _closed(search: Search, s: Sum, plain: Node, facts: Facts) -> Step:
    """For all n from low - 1 on, or from 0: the sum to n is w (P_n(c) - what is before it)."""
    first = max(s.low - 1, ZERO)
    own, p, w = (*plain[:3], N, plain[4]), series(s.base, N), s.weight
    upper: Node = ("+", N, ONE)
    known = [*facts, *naturals(search, first)]
    extra = search.atom(("=", minus(substitute(own[4], own[1], upper), ("*", w, substitute(p[4], p[1], upper)))), known)
    return by_last(search, first, ((own, ONE, upper), (p, neg_term(w), upper)), ZERO, extra, known,
                   lambda a, b: ("=", minus(a, ("*", w, minus(b, s.before)))))


__all__ = ["exponential_sum", "tends_to_exponential"]
