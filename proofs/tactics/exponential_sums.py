"""Partial sums of q(k) c^k/k! for polynomials q and c >= 0, as those of Poisson moments: their limit, and what is left.

With t_b = c^b/b!, P_b = t_0 + .. + t_b and R_b = e^c - P_b, the sum is Q P_b - c r(b) t_b less the terms before its
first, by induction: (n + 1) t_(n+1) = c t_n, and q(n + 1) = Q - c r(n + 1) + (n + 1) r(n).  What is left is small, for
b R_b <= c e^c, and b^m t_b <= T_m e^c, where T_0 = 1 and T_(m+1) is c times the sum of the binomials (m over i) T_i.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy

from qtheory.proofs.kernel.factorials import factorial as factorial_term
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, ge, integer, minus, neg_term, substitute
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, cut_all, hyp, parts
from qtheory.proofs.tactics.exponential_series import UPPER, N, bounds, by_last, naturals, series
from qtheory.proofs.tactics.falling import END, B, Decay, Form, Names, U, partial
from qtheory.proofs.tactics.maxima import lower
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.tail import Products, Tail
from qtheory.proofs.tactics.terms import factors_of

V = sympy.Symbol("v'", real=True)
MOST = 8  # terms before the first of the sum


class ExponentialTail(Tail):
    """As of weights that fall: u is t_b, and v is R_b."""

    def __init__(self, search: Search, term: Node, facts: Facts) -> None:
        self.search, self.names, self.whole = search, Names(), True
        self.outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
        self.read = {s: _weighted(s) for s in partial(term)}
        if len({bases for bases, _ in self.read.values()}) != 1:
            raise Stuck("no terms of one exponential series")
        bases = next(iter(self.read.values()))[0]
        self.base: Node = bases[0] if len(bases) == 1 else ("*", ONE, ONE, *bases)
        self.top: Node = ("exp", self.base)
        self.decays = {U: Decay(self.last(END), ONE), V: Decay(minus(self.top, series(self.base, END)), ONE)}
        self.lows = {s: lower(search, s[2], self.outer) for s in self.read}
        if not all(integer(low) and 0 <= low <= MOST for low in self.lows.values()):
            raise Stuck("no plain first term")
        self.after = max(ONE, *self.lows.values())
        self.forms = {s: self._form(s, q) for s, (_, q) in self.read.items()}
        self.outer += search.define(self.base, self.outer)
        self.outer += [search.atom((">=", self.base), self.outer), apply("exp_positive", self.base, tuple(self.outer))]
        self.expand(term)

    def last(self, end: Node) -> Node:
        """t_end."""
        return substitute(series(self.base, end)[4], series(self.base, end)[1], end)

    def _form(self, s: Node, q: Node) -> Form:
        """The sum as Q (e^c - v) - c r(b) u less what is before its first term."""
        k, c, low = sympy.Symbol(s[1], real=True), self.names.read(self.base), int(self.lows[s])
        value = self.names.read(q)
        if not value.is_polynomial(k) or any(
                s[1] in free(self.names.terms.get(symbol.name, ZERO)) for symbol in value.free_symbols):
            raise Stuck("not a polynomial but for its weight")
        left, total, falls = sympy.Poly(value, k), sympy.Integer(0), sympy.Integer(0)
        before = sum(left.eval(j) * c**j / sympy.factorial(j) for j in range(low))
        for j in range(left.degree() + 1):  # q(k) = a_0 + a_1 k + a_2 k (k - 1) + ..
            left, rest = left.div(sympy.Poly(k - j, k))
            total += rest.as_expr() * c**j
            falls += sum(rest.as_expr() * c**(j - 1 - i) * sympy.expand_func(sympy.ff(B, i)) for i in range(j))
        return Form(self.decays, total * (self.names.symbol(self.top) - V) - c * falls * U - before, total, falls, B, s)

    def prepare(self) -> None:
        """The T_m."""
        most = max((j for _, j, _ in self.rest), default=0) + 1
        self.sizes_of: list[Step] = [apply("combine", (">=", ONE), (), ((ONE, (), ()),))]
        base = next(f for f in self.outer if f.concl == (">=", self.base))
        for m in range(most):
            size: Node = ("*", self.base, ("+", ZERO, ZERO, *(
                ("*", Fraction(comb(m, i)), t.concl[1]) for i, t in enumerate(self.sizes_of))))
            self.sizes_of.append(apply("combine", (">=", size), (*self.sizes_of, base), tuple(
                (Fraction(comb(m, i)), ((i, 1), (m + 1, 1)), ()) for i in range(m + 1))))

    def room(self, j: int, powers: tuple[int, ...]) -> Step:
        if j and not powers[0]:
            raise Stuck("what is left of the series may grow")
        facts, n = (self.sizes_of[j + 1], next(f for f in self.outer if f.concl == (">", self.top))), sum(powers)
        size: Node = ("*", facts[0].concl[1], ("^", self.top, Fraction(n)))
        return apply("combine", (">=", size), facts, ((ONE, ((0, 1), (1, n)), ()),))

    def tell(self, known: list[Step]) -> None:
        search, (u, v) = self.search, (d.power for d in self.decays.values())
        known.append(search.atom(ge(END, ZERO), known))
        natural = conjunction(("and", ("isint", END), ge(END, ZERO)), known)
        about = apply("imp_elim", apply("all_elim", bounds(search), END, ()), natural)
        positive = next(f for f in known if f.concl == (">=", self.base))
        told = parts(apply("imp_elim", apply("all_elim", about, self.base, tuple(known)), positive))
        told += [search.atom((">=", u), known), apply("combine", (">=", minus(self.top, v)), (*told, *known), (
            (ONE, ((0, 1),), ()),))]
        told += [apply("imp_elim", apply("all_elim", s, END, ()), natural) for s in self._small()]
        told.append(apply("combine", (">=", minus(self.top, u)), (told[5], *known, *told), ((ONE, ((0, 1),), ()),)))
        known += told
        one = ("*", self.sizes_of[1].concl[1], self.top)
        known.append(apply("combine", (">=", minus(one, ("*", ("^", END, ONE), v))), (*told, *known), (
            (ONE, ((2, 1),), ()), (ONE, ((1, 1),), ()))))

    def _claim(self, m: int, n: Node) -> Node:
        """T_m e^c - n^m t_n >= 0."""
        size, t = ("*", self.sizes_of[m].concl[1], self.top), self.last(n)
        return (">=", minus(size, ("*", ("^", n, Fraction(m)), t) if m else t))

    def _next_term(self, facts: Facts) -> Step:
        """(n + 1) t_(n+1) - c t_n = 0."""
        return self.search.atom(("=", minus(("*", UPPER, self.last(UPPER)), ("*", self.base, self.last(N)))), facts, 6)

    def _small(self) -> list[Step]:
        """The claims, each for all integers n >= 0."""
        search, natural = self.search, [*self.outer, *naturals(self.search)]
        guard: Node = ("and", ("isint", N), ge(N, ZERO))
        base, top = (next(f for f in self.outer if f.concl == c) for c in ((">=", self.base), (">", self.top)))
        over = by_last(search, ZERO, ((series(self.base, N), ONE, UPPER),), ZERO, search.atom(
            (">=", self.last(N)), natural), natural, lambda end, p: (">=", minus(p, self.last(end))))
        over, about = (apply("imp_elim", apply("all_elim", s, N, ()), hyp(guard)) for s in (over, bounds(search)))
        rest = parts(apply("imp_elim", apply("all_elim", about, self.base, tuple(natural)), base))[1]
        step = apply("combine", self._claim(0, N), (rest, over, *natural), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        found = [apply("all_intro", N, apply("imp_intro", guard, cut_all(parts(hyp(guard)), step)))]
        ratio, whole = self._next_term(natural), apply("integral_polynomial", ZERO, ())
        for m in range(1, len(self.sizes_of)):
            start = apply("combine", self._claim(m, ZERO), (self.sizes_of[m], top, *self.outer, *search.define(
                self.last(ZERO), self.outer)), ((ONE, ((0, 1), (1, 1)), ()),))
            here = [apply("imp_elim", apply("all_elim", s, N, ()), hyp(guard)) for s in found]
            step = apply("combine", self._claim(m, UPPER), (*here, ratio, base, *natural), (
                *((Fraction(comb(m - 1, i)), ((i, 1), (m + 1, 1)), ()) for i in range(m)),
                (neg_term(("^", UPPER, Fraction(m - 1))), ((m, 1),), ())))
            step = cut_all([apply("and_intro", tuple(map(hyp, guard[1:])))], step)
            found.append(apply("induction", N, ZERO, self._claim(m, N), whole, start, step))
        return found

    def sizes(self, j: int, powers: tuple[int, ...], known: Facts) -> tuple[Step, Step]:
        """T e^(c n) - b^(j+1) u^k v^l >= 0, and the same with +: factor by factor, each at most e^c."""
        at, n = {f.concl: i for i, f in enumerate(known)}, sum(powers)
        terms = [d.power for d, count in zip(self.decays.values(), powers, strict=True) for _ in range(count)]
        size, b = self.sizes_of[j + 1].concl[1], ("^", END, Fraction(j + 1))
        value: Node = ("*", b, *terms)
        first = at[(">=", minus(("*", size, self.top), ("*", b, terms[0])))]
        e, end, signs = at[(">", self.top)], at[(">", END)], [at[(">=", t)] for t in terms]
        rows: Products = [(ONE, ((first, 1), (e, n - 1)) if n > 1 else ((first, 1),), ())]
        for i in range(1, n):
            used = {k: signs[:i].count(k) for k in signs[:i]}
            more = ((e, n - 1 - i),) if n - 1 - i else ()
            rows.append((ONE, ((end, j + 1), (at[(">=", minus(self.top, terms[i]))], 1), *used.items(), *more), ()))
        whole, room = (*known, self.room(j, powers)), self.room(j, powers)
        every = tuple({k: signs.count(k) for k in signs}.items())
        return (apply("combine", (">=", minus(room.concl[1], value)), tuple(known), tuple(rows)),
                apply("combine", (">=", ("+", room.concl[1], value)), whole, (
                    (ONE, ((len(known), 1),), ()), (ONE, ((end, j + 1), *every), ()))))

    def in_closed_form(self, above: Node, s: Node, relation: str, known: Facts) -> Step:
        form, natural = self.forms[above], [*self.outer, *naturals(self.search, max(self.lows[above] - 1, ZERO))]
        value, after = (replaced(self.value(above), END, n) for n in (N, UPPER))
        p, summand = series(self.base, N), substitute(s[4], s[1], UPPER)
        total = self.names.term(form.factor)
        falls = [self.names.term(form.primitive.subs(B, self.names.read(n))) for n in (N, UPPER)]
        # what is added to the value: (Q - c r(n + 1)) t_(n+1) + c r(n) t_n
        added: Node = ("+", ("*", total, self.last(UPPER)), neg_term(("*", self.base, falls[1], self.last(UPPER))),
                       ("*", self.base, falls[0], self.last(N)))
        facts = [*natural, self._next_term(natural)]
        facts += self.search.define(("+", added, summand), facts)
        rows: Products = [(neg_term(falls[0]), ((len(natural), 1),), ())]
        bases, q = self.read[above]
        if len(bases) != 1:  # c^(n + 1) is the product of theirs
            each: Node = ("*", ONE, ONE, *(("^", base, UPPER) if base[0] != "exp" else (
                "exp", ("*", base[1], UPPER)) for base in bases))
            facts.append(self.search.atom(("=", minus(("^", self.base, UPPER), each)), natural))
            rows.append((("*", substitute(q, s[1], UPPER), ("^", factorial_term(UPPER), MINUS)), (
                (len(facts) - 1, 1),), ()))
        if relation != "=":
            facts.append(self.below(substitute(above[4], s[1], UPPER), summand, natural))
            rows.append((ONE, ((len(facts) - 1, 1),), ()))
            at_end, own = (substitute(t[4], s[1], s[2]) for t in (above, s))
            natural.append(self.below(at_end, own, self.outer))
        extra = apply("combine", (relation, minus(added, summand)), tuple(facts), tuple(rows))
        every = by_last(self.search, max(self.lows[above] - 1, ZERO), ((s, MINUS, UPPER), (p, total, UPPER)), ZERO,
                        extra, natural, lambda end, own, _: (relation, minus(value if end == N else after, own)))
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(there.concl[1], [
            self.search.atom(part, known) for part in there.concl[1][1:]]))


def _weighted(s: Node) -> tuple[tuple[Node, ...], Node]:
    """The parts of c and the q of a sum of q(k) c^k/k!; Stuck where it is none."""
    if s[0] != "sum":
        raise Stuck("no partial sum")
    x, bases, others, below = s[1], list[Node](), list[Node](), ("^", factorial_term(s[1]), MINUS)
    for f in factors_of(s[4]):
        head = f[0] if isinstance(f, tuple) else None
        if head == "^" and f[2] == x:
            bases.append(f[1])
        elif head == "exp" and x in free(f):
            bases.append(("exp", from_sympy(sympy.cancel(to_sympy(f[1]) / sympy.Symbol(x, real=True)))))
        else:
            others.append(f)
    if below not in others or any(x in free(base) for base in bases):
        raise Stuck("no term of the exponential series")
    others.remove(below)
    return tuple(bases), ("*", ONE, ONE, *others)


__all__ = ["ExponentialTail"]
