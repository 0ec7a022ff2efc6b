"""Powers of a base whose sign is not known, against those of its absolute value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, ge, minus, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, apply, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import swap

HALF = Fraction(1, 2)


def absolute(t: Node) -> Node:
    return ("max", t, neg_term(t))


def within(search: Search, base: Node, end: Node, facts: Facts) -> list[Step]:
    """|a|^n - a^n >= 0 and |a|^n + a^n >= 0 for an integer n >= 0, by induction: the next of both are |a| and a times
    as much, and |a| - a and |a| + a are not negative."""
    n = fresh("n", base, end, [f.concl for f in facts], [h for f in facts for h in f.hyps])
    outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
    outer += search.define(base, outer)
    size, upper = absolute(base), ("+", n, ONE)

    def claim(t: Node) -> Node:
        w, u = ("^", size, t), ("^", base, t)
        return ("and", (">=", minus(w, u)), (">=", ("+", w, u)))

    bounds = parts(apply("max_bounds", base, size[2], tuple(outer)))[:2]
    whole = apply("integral_polynomial", ZERO, ())
    start = apply("and_intro", tuple(search.atom(part, [*outer, *bounds]) for part in claim(ZERO)[1:]))
    here = [*outer, hyp(("isint", n)), hyp(ge(n, ZERO))]
    here += [search.combine((">=", n), here, 1), search.atom(("isint", upper), here)]
    more = [*parts(hyp(claim(n))), *bounds, *(apply("power_step", a, n, tuple(here)) for a in (size, base))]
    facts_now = (*more, *here, *search.define(claim(upper)[1][1], here))
    step = []
    for goal, sign, cross in zip(claim(upper)[1:], (MINUS, ONE), ((1, 0), (0, 1)), strict=True):
        # |a| |a|^n -+ a a^n = ((|a| - a) (|a|^n +- a^n) + (|a| + a) (|a|^n -+ a^n))/2
        rows: list[Product] = [(ONE, ((4, 1),), ()), (sign, ((5, 1),), ())]
        rows += [(HALF, ((2 + i, 1), (j, 1)), ()) for i, j in enumerate(cross)]
        step.append(apply("combine", goal, facts_now, tuple(rows)))
    every = apply("induction", n, ZERO, claim(n), whole, start, apply("and_intro", tuple(step)))
    there = apply("all_elim", every, end, tuple(facts))
    natural = conjunction(there.concl[1], [search.atom(p, facts) for p in there.concl[1][1:]])
    return parts(apply("imp_elim", there, natural))


def with_absolute_bases(t: Node, x: str) -> Node:
    """The term with the absolute values of the bases of powers with x in the exponent."""
    for s in occurring(t):
        if isinstance(s, tuple) and s[0] == "^" and x in free(s[2]) and x not in free(s[1]):
            t = swap(t, s, ("^", absolute(s[1]), s[2]))
    return t


def signed_powers(above: Node, below: Node) -> Iterator[tuple[Node, Node]]:
    """The bases and exponents of powers in the one of which the other has the absolute values."""
    sizes = {s for s in occurring(above) if isinstance(s, tuple) and s[0] == "^"}
    for s in occurring(below):
        if isinstance(s, tuple) and s[0] == "^" and ("^", absolute(s[1]), s[2]) in sizes:
            yield s[1], s[2]


__all__ = ["absolute", "signed_powers", "with_absolute_bases", "within"]
