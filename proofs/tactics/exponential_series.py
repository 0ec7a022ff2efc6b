"""The exponential series: partial sums of c^k/k! tend to exp(c), so that Poisson probabilities without an end are
known.

With P_n(t) the sum of t^k/k! for k = 0 .. n and R_n = e^t - P_n, induction and the mean value theorem give P_n >= 0,
R_n >= 0 and (n + 1) R_n <= t e^t for all t >= 0: the slope of P_(n + 1) is P_n, and that of t e^t - (n + 2) R_(n + 1)
is (t e^t - (n + 1) R_n) + P_n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.factorials import factorial as factorial_term
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, ge, gt, minus, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, cut_all, hyp, parts
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.state import Search

N, T, Z, K = "n'''", "t'''", "z'''", "k'''"
UPPER: Node = ("+", N, ONE)


def series(t: Node, end: Node) -> Node:
    """P_end(t)."""
    return ("sum", K, ZERO, end, ("*", ("^", t, K), ("^", factorial_term(K), MINUS)))


def claims(t: Node, end: Node) -> tuple[Node, Node, Node]:
    """P >= 0, R >= 0 and t e^t - (end + 1) R >= 0."""
    p, e = series(t, end), ("exp", t)
    return (">=", p), (">=", minus(e, p)), (">=", minus(("*", t, e), ("*", ("+", end, ONE), minus(e, p))))


class Series(dict[str, Step]):
    """What was proved of the series, once a search."""


def bounds(search: Search) -> Step:
    """For all integers n >= 0 and all t >= 0, the three claims."""
    kept = search.own(Series)
    if "bounds" not in kept:
        kept["bounds"] = _induction(search)
    return kept["bounds"]


def _induction(search: Search) -> Step:
    phi: Node = ("all", T, ("imp", (">=", T), ("and", *claims(T, N))))
    start = search.solve(substitute(phi, N, ZERO), [], 6)
    natural = naturals(search)
    induced, known = hyp(phi), [*natural, hyp((">=", T))]
    order = search.combine(ge(T, ZERO), known, 1)
    whole = conjunction(("and", *(f.concl for f in natural[:2])), natural[:2])
    inside = [*natural, hyp(gt(Z, ZERO)), hyp(gt(T, Z))]
    inside += [apply("combine", (r, Z), tuple(inside), ((ONE, ((len(natural), 1),), ()),)) for r in (">", ">=")]
    here = parts(apply("imp_elim", apply("all_elim", induced, Z, ()), inside[-1]))
    slope_of_p = cut_all([inside[-2]], apply("imp_elim", apply("all_elim", _slopes(search), N, ()), whole))
    at_zero = apply("cut", apply("combine", ge(N, ZERO), tuple(natural), ((ONE, ((1, 1),), ()),)), apply(
        "imp_elim", apply("all_elim", _at_zero(search), UPPER, ()), _natural(search, UPPER, natural)))
    closed = [*natural, hyp(ge(Z, ZERO)), hyp(ge(T, Z))]
    closed.append(apply("combine", (">=", Z), tuple(closed), ((ONE, ((len(natural), 1),), ()),)))
    found = []
    # the slopes: P; R; (t e^t - (n + 1) R) + P, each with P for the slope of the sum to n + 1
    weights = ((ONE, (0,)), (MINUS, (1,)), (("+", N, Fraction(2)), (2, 0)))
    for claim, (weight, positive) in zip(claims(Z, UPPER), weights, strict=True):
        f = claim[1]
        domain = apply("defined", f, (*closed, *search.define(f, closed)))
        slope = derivative(f, Z)
        facts = [*here, slope_of_p, *inside]
        facts += search.define(slope, facts)
        rows = [(ONE, ((i, 1),), ()) for i in positive]
        step = apply("combine", (">=", slope), tuple(facts), (*rows, (weight, ((3, 1),), ())))
        change = apply("mean_value", Z, f, ZERO, T, order, domain, step)
        facts = [change, at_zero, apply("exp_zero"), *known]
        goal = substitute(claim, Z, T)
        facts += search.define(goal[1], facts)
        found.append(search.combine(goal, facts, 2))
    step = apply("all_intro", T, apply("imp_intro", (">=", T), apply("and_intro", tuple(found))))
    return apply("induction", N, ZERO, phi, apply("integral_polynomial", ZERO, ()), start, step)


def naturals(search: Search, low: Node = ZERO) -> list[Step]:
    """That n is an integer from ``low`` >= 0 on, and what follows of n and n + 1."""
    whole = [hyp(("isint", N)), hyp(ge(N, low))]
    return [*whole, *(search.atom(c, whole) for c in ((">=", N), ("isint", UPPER), (">", UPPER)))]


def _natural(search: Search, t: Node, facts: Facts, low: Node = ZERO) -> Step:
    return apply("and_intro", tuple(search.atom(c, facts) for c in (("isint", t), ge(t, low))))


def _slopes(search: Search) -> Step:
    """For all n >= 0, the slope of P_(n + 1) at z > 0 is P_n."""
    natural, above = naturals(search), hyp((">", Z))
    slope = derivative(series(Z, N), Z)
    summand = search.atom(("=", minus(substitute(slope[4], K, UPPER), substitute(series(Z, N)[4], K, N))),
                          [*natural, above], 6)
    extra = cut_all([search.atom(("isint", UPPER), natural), search.atom(ge(UPPER, ZERO), natural)],
                    apply("instance", summand, N, UPPER, tuple(natural)))
    sums = (slope, ONE, ("+", UPPER, ONE)), (series(Z, N), MINUS, UPPER)
    return by_last(search, ZERO, sums, ONE, extra, [*natural, above], lambda end, a, b: ("=", minus(a, b)))


def _at_zero(search: Search) -> Step:
    """P_n(0) = 1 for all n >= 0."""
    natural, p = naturals(search), series(ZERO, N)
    extra = search.atom(("=", substitute(p[4], K, UPPER)), natural)
    return by_last(search, ZERO, ((p, ONE, UPPER),), ZERO, extra, natural, lambda end, a: ("=", minus(a, ONE)))


def by_last(search: Search, low: Node, sums: Sequence[tuple[Node, Node, Node]], ahead: Node, extra: Step,
             facts: Facts, claim: Callable[..., Node]) -> Step:
    """For all n >= ``low`` a comparison ``claim(n, *sums)``, linear in the sums, by induction: each is (sum, its
    weight, its end for n + 1), the first ends by ``ahead`` further than n; ``extra`` compares what is added with 0."""
    known = [*facts, apply("integral_polynomial", ZERO, ())]

    def at(s: Node, end: Node) -> Node:
        return (*s[:3], end, s[4])

    ends = [("+", N, ahead) if ahead != ZERO and i == 0 else N for i in range(len(sums))]
    phi = claim(N, *(at(s, end) for (s, _, _), end in zip(sums, ends, strict=True)))
    induced = hyp(phi)
    lasts, rows = [], [(ONE, ((0, 1),), ())]
    for (s, weight, end), here in zip(sums, ends, strict=True):
        back = apply("combine", ("=", minus(here, minus(end, ONE))), tuple(known), ())
        others = induced.concl
        induced = apply("rewrite", back, induced, "z'", replaced(others, at(s, here), at(s, "z'")), here,
                        minus(end, ONE))
        more = [*known, search.atom(("isint", end), known), search.atom(ge(end, s[2]), known),
                search.atom(("isint", s[2]), known), search.atom((">", end), known)]
        lasts.append((at(s, end), more, substitute(s[4], s[1], end)))
        rows.append((weight, ((len(lasts), 1),), ()))
    steps = []
    for s, more, summand in lasts:
        more = [*more, induced]
        steps.append(apply("sum_last", s, (*more, *search.define(summand, more))))
    whole = (induced, *steps, extra, *known)
    rows.append((ONE, ((len(steps) + 1, 1),), ()))
    then = claim(UPPER, *(s for s, _, _ in lasts))
    step = apply("combine", then, (*whole, *search.define(then[1], whole)), tuple(rows))
    later = substitute(phi, N, UPPER)
    if later != then:
        raise Stuck("another claim")
    others = [f for f in facts if N not in f.variables]
    start = search.atom(substitute(phi, N, low), [*others, *known[-1:]], 6)
    return apply("induction", N, low, phi, search.atom(("isint", low), others), start, step)


__all__ = ["UPPER", "N", "bounds", "by_last", "naturals", "series"]
