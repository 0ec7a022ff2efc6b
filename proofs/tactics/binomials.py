"""Sums of q(k) n!/(k! (n - k)!) a^k b^(n - k) over k = 0 .. n, as means of a binomial law, q being a polynomial.

With W(n, k) the summand without q, (k + 1) b W(n, k + 1) = (n - k) a W(n, k).  So what
(h(k) k b - h(k + 1) (n - k) a) W(n, k) adds up to is 0, and q is that factor but for a term A without k.  Pascal's rule
W(n + 1, k) = b W(n, k) + a W(n, k - 1) gives the sum of W by induction: (a + b)^n.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy

from qtheory.proofs.kernel.factorials import factorial
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, ge, integer, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, cut_all, hyp
from qtheory.proofs.tactics.falling import Names
from qtheory.proofs.tactics.order import occurring, replaced
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import with_values
from qtheory.proofs.tactics.terms import factors_of

N, M, T = "n'''", "m'''", "t'''"
MOST = 4  # the degree of q
Row = tuple[Node, Node]  # a factor and a sum


class Grown(list[Step]):
    """That (t + 1)! = (t + 1) t!, once a search."""


def by_binomial_sums(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal with the values of such sums."""
    return with_values(search, goal, facts, [Binomial(search, s, facts).value() for s in binomial_sums(goal[1])], depth)


def binomial_sums(t: Node) -> list[Node]:
    """The sums in t in which binomial coefficients of the upper end stand."""
    return [s for s in occurring(t) if isinstance(s, tuple) and s[0] == "sum"
            and {factorial(s[3]), _below(s[3], s[1])} <= set(factors_of(s[4]))]


class Binomial:
    """One such sum: n, its index, the products a and b of the bases of the powers k and n - k, and q."""

    def __init__(self, search: Search, s: Node, facts: Facts) -> None:
        self.search = search
        _, self.k, self.low, self.n, body = s
        if not integer(self.low) or not 0 <= self.low <= MOST:
            raise Stuck("a sum that does not begin at one of the first numbers")
        self.s = (*s[:2], ZERO, *s[3:])
        rest = [f for f in factors_of(body) if f not in (factorial(self.n), _below(self.n, self.k))]
        powers = [f for f in rest if isinstance(f, tuple) and f[0] == "^" and self.k not in free(f[1])]
        self.ups = [f[1] for f in powers if _zero(minus(f[2], self.k))]
        self.downs = [f[1] for f in powers if _zero(minus(f[2], minus(self.n, self.k)))]
        if len(self.ups) + len(self.downs) < len(powers):
            raise Stuck("other powers")
        self.a, self.b = (("*", ONE, ONE, *bases) for bases in (self.ups, self.downs))
        self.q: Node = ("*", ONE, ONE, *(f for f in rest if f not in powers))
        self.facts = [*facts, *(apply("integral_polynomial", t, ()) for t in (ZERO, self.low))]
        self.facts += [search.atom(f, self.facts) for f in (("isint", self.n), ge(self.n, ZERO))]
        self.facts += search.define(("+", self.a, self.b), self.facts)

    def weight(self, n: Node, k: Node) -> Node:
        """W(n, k)."""
        return ("*", factorial(n), _below(n, k), *(("^", u, k) for u in self.ups),
                *(("^", u, minus(n, k)) for u in self.downs))

    def value(self) -> Step:
        """The sum to m is A times that of W, less (n - m) a h(m + 1) W(m), which is 0 for m = n."""
        average, h = self.split()
        own: Node = (*self.s[:4], self.weight(self.n, self.k))

        def left(m: Node) -> Node:
            return ("*", minus(self.n, m), self.a, substitute(h, self.k, ("+", m, ONE)), self.weight(self.n, m))

        whole, value = self.whole(), ("*", average, self.total(self.n))
        facts = [*self.facts, whole, *self.search.define(value, self.facts)]
        ended = self.summed(self.n, [(ONE, self.s), (neg_term(average), own)], left, facts)
        facts += self.search.define(minus(self.s, value), [*facts, ended])
        step = apply("combine", ("=", minus(self.s, value)), (ended, whole, *facts),
                     ((ONE, ((0, 1),), ()), (average, ((1, 1),), ())))
        return step if self.low == ZERO else self.later(step, facts)

    def later(self, whole: Step, facts: Facts) -> Step:
        """The value of the sum from a later number on: without the summands before it."""
        s: Node = (*self.s[:2], self.low, *self.s[3:])
        ahead: Node = ("+", ZERO, *(substitute(s[4], self.k, Fraction(j)) for j in range(int(self.low))))
        base: Node = self.low - 1
        known = [*facts, self.search.atom(ge(self.n, base), facts)]
        known += self.define(ahead, known)
        start = self.search.atom(("=", ("+", ZERO, ("*", ONE, (*self.s[:3], base, s[4])), ("*", MINUS, (
            *s[:3], base, s[4])), neg_term(ahead))), known)
        split = self.summed(self.n, [(ONE, self.s), (MINUS, s)], lambda m: neg_term(ahead), known, start, base)
        value = minus(whole.concl[1][2][2], ahead)
        known = [whole, split, *known]
        return apply("combine", ("=", minus(s, value)), (*known, *self.define(minus(s, value), known)),
                     ((ONE, ((0, 1),), ()), (MINUS, ((1, 1),), ())))

    def split(self) -> tuple[Node, Node]:
        """A and h with q = A + h(k) k b - h(k + 1) (n - k) a."""
        names, k = Names(), sympy.Symbol(self.k, real=True)
        n, a, b = (names.read(t) for t in (self.n, self.a, self.b))
        try:
            left = sympy.Poly(sympy.expand(names.read(self.q)), k)
        except sympy.PolynomialError:
            raise Stuck("no polynomial") from None
        if left.degree() > MOST or any(self.k in free(names.terms.get(c.name, ZERO)) for c in left.free_symbols):
            raise Stuck("no polynomial")
        h: Any = sympy.Integer(0)
        total = sympy.factor(a + b)
        while left.degree() > 0:
            part = sympy.factor(left.LC() / total) * k ** (left.degree() - 1)
            h += part
            left = sympy.Poly(sympy.expand(left.as_expr() - part * k * b + part.subs(k, k + 1) * (n - k) * a), k)
            left = sympy.Poly({m: sympy.cancel(c) for m, c in left.terms()}, k)
        return names.term(sympy.factor(left.as_expr())), names.term(sympy.factor(h))

    def total(self, n: Node) -> Node:
        """(a + b)^n."""
        base = reduce_term(("+", self.a, self.b))
        return ONE if base == ONE else ("^", base, n)

    def whole(self) -> Step:
        """The sum of W = (a + b)^n, by induction on n."""
        s: Node = ("sum", self.k, ZERO, N, self.weight(N, self.k))
        base, upper = ("+", self.a, self.b), ("+", N, ONE)
        outer = [f for f in self.facts if N not in f.variables]

        def claim(n: Node, sum_to_n: Node) -> Node:
            return ("=", minus(sum_to_n, self.total(n)))

        start = self.search.atom(claim(ZERO, substitute(s, N, ZERO)), outer)
        facts = [*outer, hyp(("isint", N)), hyp(ge(N, ZERO))]
        facts += [self.search.atom(f, facts) for f in (("isint", upper), ge(upper, ZERO), (">", upper))]
        induced, then = hyp(claim(N, s)), substitute(s, N, upper)
        rows = [(ONE, (*then[:3], N, then[4])), (neg_term(base), s)]
        ended = self.summed(N, rows, lambda m: ("*", self.a, self.weight(N, m)), facts)
        last = self.last(then, N, ended, facts)
        edge = self.equal(minus(self.weight(upper, upper), ("*", self.a, self.weight(N, N))), facts)
        used = [(last, ONE), (ended, ONE), (induced, base), (edge, ONE)]
        if self.total(N) != ONE:
            used.append((self.power(self.total(N)[1], upper, N, facts), MINUS))
        facts += self.search.define(self.total(upper), facts)
        step = apply("combine", claim(upper, then), (*(f for f, _ in used), *facts),
                     tuple((c, ((i, 1),), ()) for i, (_, c) in enumerate(used)))
        every = apply("induction", N, ZERO, claim(N, s), apply("integral_polynomial", ZERO, ()), start, step)
        there = apply("all_elim", every, self.n, tuple(self.facts))
        return apply("imp_elim", there, self.both(there.concl[1], self.facts))

    def both(self, guard: Node, facts: Facts) -> Step:
        return conjunction(guard, [self.search.atom(p, facts) for p in guard[1:]])

    def last(self, s: Node, before: Node, induced: Step, facts: Facts) -> Step:
        """The sum is that to ``before``, one less, of which the assumption speaks, and the last summand."""
        known = [*facts, *self.define(substitute(s[4], s[1], s[3]), facts)]
        shorter, plain = ((*s[:3], end, s[4]) for end in (minus(s[3], ONE), before))
        there, back = (apply("combine", ("=", minus(*ends)), tuple(known), ()) for ends in (
            (before, shorter[3]), (shorter[3], before)))
        moved = apply("rewrite", there, induced, "z'", replaced(induced.concl, plain, (*s[:3], "z'", s[4])), before,
                      shorter[3])
        step = apply("sum_last", s, (*known, moved))
        return apply("rewrite", back, step, "z'", replaced(step.concl, shorter, (*s[:3], "z'", s[4])), shorter[3],
                     before)

    def summed(self, n: Node, rows: Sequence[Row], left: Callable[[Node], Node], facts: Facts,
               start: Step | None = None, base: Node = ZERO) -> Step:
        """Sums to n, each with its factor, and left(n) add up to 0: so they do to every m from ``base`` up to n, by
        induction, whose start may be given."""
        upper: Node = ("+", M, ONE)

        def to(s: Node, end: Node) -> Node:
            return (*s[:3], end, s[4])

        def claim(m: Node) -> Node:
            return ("=", ("+", ZERO, *(("*", c, to(s, m)) for c, s in rows), left(m)))

        def added(m: Node) -> list[Node]:
            return [("*", c, substitute(s[4], s[1], m)) for c, s in rows]

        if start is None:
            known = [*facts, apply("integral_polynomial", ZERO, ()), apply("combine", ge(ZERO, ZERO), (), ())]
            empty = [apply("sum_empty", to(s, minus(ZERO, ONE)), tuple(known)) for _, s in rows]
            for _, s in rows:
                known += self.define(substitute(s[4], s[1], ZERO), known)
            lasts = [apply("sum_last", to(s, ZERO), (*known, *empty)) for _, s in rows]
            edge = self.equal(("+", ZERO, *added(ZERO), left(ZERO)), known)
            start = apply("combine", claim(ZERO), (edge, *lasts, *empty, *known), (
                (ONE, ((0, 1),), ()), *((c, ((1 + i, 1),), ()) for i, (c, _) in enumerate([*rows, *rows]))))
        start = apply("imp_intro", ge(n, base), start)
        phi: Node = ("imp", ge(n, M), claim(M))
        room = hyp(ge(n, upper))
        known = [*facts, hyp(("isint", M)), hyp(ge(M, base)), room]
        known += [self.search.atom(f, known) for f in (
            ("isint", upper), *(ge(upper, s[2]) for _, s in rows), (">", upper), ge(n, M), (">=", M),
            ("isint", minus(n, upper)), (">=", minus(n, upper)), ("isint", minus(n, M)), (">", minus(n, M)))]
        induced = apply("imp_elim", hyp(phi), next(f for f in known if f.concl == ge(n, M)))
        lasts = [self.last(to(s, upper), M, induced, known) for _, s in rows]
        edge = self.equal(("+", ZERO, *added(upper), left(upper), neg_term(left(M))), known)
        step = apply("combine", claim(upper), (induced, edge, *lasts, *known), (
            (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()), *((c, ((2 + i, 1),), ()) for i, (c, _) in enumerate(rows))))
        every = apply("induction", M, base, phi, apply("integral_polynomial", base, ()), start,
                      apply("imp_intro", room.concl, step))
        there = apply("all_elim", every, n, tuple(facts))
        at_n = apply("imp_elim", there, self.both(there.concl[1], facts))
        return apply("imp_elim", at_n, apply("combine", ge(n, n), tuple(facts), ()))

    def equal(self, t: Node, facts: Facts) -> Step:
        """t = 0, formally so once factorials and powers next to one another are made one from the other."""
        now, ways = t, []
        while (way := self.next_to(now, facts)) is not None:
            old, new, _ = way
            ways.append((replaced(now, old, "z'"), *way))
            now = replaced(now, old, new)
        step = apply("combine", ("=", now), (*facts, *self.define(now, facts)), ())
        for template, old, new, equation in reversed(ways):
            back = apply("combine", ("=", minus(new, old)), (equation,), ((MINUS, ((0, 1),), ()),))
            step = apply("rewrite", back, step, "z'", ("=", template), new, old)
        return step

    def define(self, t: Node, facts: Facts) -> list[Step]:
        """That t is defined: its denominators are products of factorials."""
        below = [self.positive(s[1], facts) for s in occurring(t) if isinstance(s, tuple) and s[0] == "^"
                 and s[2] == MINUS and isinstance(s[1], tuple) and s[1][0] == "*"]
        return [*below, *self.search.define(t, [*facts, *below])]

    def positive(self, t: Node, facts: Facts) -> Step:
        """That a product of factorials and positive terms is positive."""
        factors = factors_of(t)
        known = list(facts)
        for f in factors:
            if f[0] == "exp":
                known += self.search.define(f, known)
            known.append(apply("exp_positive", f[1], tuple(known)) if f[0] == "exp" else
                         self.search.atom((">", f), known))
        at = {f.concl: i for i, f in enumerate(known)}
        powers = {i: sum(at[">", f] == i for f in factors) for i in (at[">", f] for f in factors)}
        return apply("combine", (">", t), tuple(known), ((ONE, tuple(powers.items()), ()),))

    def next_to(self, t: Node, facts: Facts) -> tuple[Node, Node, Step] | None:
        """A factorial or power in t, what it is by one in t whose argument, or exponent, is one less or written in
        another way, and their equation."""
        found = [s for s in occurring(t) if isinstance(s, tuple)]
        ends = {s: s[1][3] for s in found if s[0] == "exp" and s == factorial(s[1][3] if len(s[1]) == 5 else ZERO)}
        for s, other in itertools.permutations(ends, 2):
            gap = reduce_term(minus(ends[s], ends[other]))
            if gap == ZERO:
                known = [*facts, *self.search.define(s, facts), *self.search.define(other, facts)]
                return s, other, self.moved(s, ends[s], ends[other], known)
            if gap == ONE:
                return s, ("*", ends[s], other), self.factorial(ends[s], ends[other], facts)
        powers = [s for s in found if s[0] == "^" and s[1] in (*self.ups, *self.downs)]
        for s, other in itertools.permutations(powers, 2):
            if s[1] == other[1] and reduce_term(minus(s[2], other[2])) == ONE:
                return s, ("*", other, s[1]), self.power(s[1], s[2], other[2], facts)
        return None

    def moved(self, s: Node, end: Node, other: Node, facts: Facts) -> Step:
        """A factorial with its argument written in another way."""
        same = apply("combine", ("=", minus(end, other)), tuple(facts), ())
        reflexive = apply("combine", ("=", minus(s, s)), tuple(facts), ())
        return apply("rewrite", same, reflexive, "z'", ("=", minus(s, factorial("z'"))), end, other)

    def factorial(self, end: Node, below: Node, facts: Facts) -> Step:
        """end! = end below! for end = below + 1."""
        kept, more = self.search.own(Grown), ("+", T, ONE)
        if not kept:
            natural = [hyp(("isint", T)), hyp((">=", T))]
            kept.append(self.search.atom(("=", minus(factorial(more), ("*", more, factorial(T)))), natural))
        known = [*facts, *(self.search.atom(f, facts) for f in (("isint", below), (">=", below)))]
        step = cut_all(known, apply("instance", kept[0], T, below, tuple(known)))
        same = apply("combine", ("=", minus(("+", below, ONE), end)), tuple(known), ())
        return apply("rewrite", same, step, "z'", replaced(step.concl, ("+", below, ONE), "z'"), ("+", below, ONE), end)

    def power(self, base: Node, end: Node, below: Node, facts: Facts) -> Step:
        """base^end = base^below base for end = below + 1."""
        known = [*facts, *(self.search.atom(f, facts) for t in (below, end) for f in (("isint", t), (">=", t)))]
        step = apply("power_step", base, below, (*known, *self.search.define(("^", base, below), known)))
        return apply("combine", ("=", minus(("^", base, end), ("*", ("^", base, below), base))), (step, *known),
                     ((ONE, ((0, 1),), ()),))


def _below(n: Node, k: Node) -> Node:
    return ("^", ("*", factorial(k), factorial(minus(n, k))), MINUS)


def _zero(t: Node) -> bool:
    return Forms().zero(t)


__all__ = ["binomial_sums", "by_binomial_sums"]
