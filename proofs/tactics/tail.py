"""Partial sums, or a term with weights that fall, at numbers b' beyond their lower ends: a limit, and what is left."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, ge, gt, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.falling import (
    END,
    B,
    Decay,
    Form,
    Names,
    U,
    before,
    closed,
    decaying,
    falling_in,
    partial,
)
from qtheory.proofs.tactics.maxima import equal_to, lower
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.signed_powers import absolute, signed_powers, within
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.tail_integrals import integrated

HALF = Fraction(1, 2)
Products = list[tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]]


class Tail:
    """Partial sums L + r(b), with the M of b |r(b)| <= M, and what is known of all integers b' > ``after`` >= 1."""

    def __init__(self, search: Search, term: Node, facts: Facts, whole: bool = True) -> None:
        self.search, self.names, self.whole = search, Names(), whole
        sums = list(partial(term))
        self.outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
        self.forms: dict[Node, Form] = {}
        self.lows: dict[Node, Node] = {}
        self.after: Node = ONE
        for s in dict.fromkeys(sums):
            low = self.lows[s] = lower(search, s[2], self.outer)
            self.forms[s] = closed(s, low, self.names)
            if not isinstance(low, Fraction) or low > 1:
                self.after = ("max", self.after, low)
        found = [pair for form in self.forms.values() for pair in form.decays.items()]
        if not sums:
            falling = dict.fromkeys(falling_in(term, END))
            found = [(sympy.Symbol(f"u{i}'", real=True), decaying(fall, END, self.names)[1])
                     for i, fall in enumerate(falling)]
        found = [(u, self.told(decay)) for u, decay in found]
        self.decays = dict(found)
        if not found or any(self.decays[u] != decay for u, decay in found):
            raise Stuck("weights of several kinds")
        for decay in self.decays.values():
            self.outer += search.define(decay.rate, self.outer)
            self.outer.append(search.atom((">", decay.rate), self.outer))
        self.expand(term)

    def told(self, decay: Decay) -> Decay:
        """With the absolute value of the weight, where the sign of its ratio is not known."""
        if decay.ratio is None:
            return decay
        known = self.search.quick((">=", decay.ratio), self.outer)
        if known is not None:
            self.outer += [known] if isinstance(decay.ratio, tuple) and decay.ratio[0] == "*" else []
            return decay
        if decay.power != ("^", decay.ratio, END) or not self.whole:
            raise Stuck("a weight of unknown sign")
        size = absolute(decay.ratio)
        self.outer += self.search.define(size, self.outer)
        self.outer.append(self.search.atom((">=", size), self.outer))
        return replace(decay, rate=minus(ONE, size), size=Decay(("^", size, END), minus(ONE, size), size))

    def expand(self, term: Node) -> None:
        """r and M of a term in the partial sums."""
        marks = {f"s{i}''''''": s for i, s in enumerate(self.forms)}
        for name, s in marks.items():
            term = replaced(term, s, name)
        for u, decay in () if marks else self.decays.items():
            term = replaced(term, decay.power, str(u))
        value = self.names.read(term).subs({sympy.Symbol(n, real=True): self.forms[s].value for n, s in marks.items()})
        if any(END in free(self.names.terms.get(symbol.name, ZERO)) for symbol in value.free_symbols):
            raise Stuck("not a polynomial but for its weight")
        try:
            poly = sympy.Poly(sympy.expand(value), B, *self.decays)
        except sympy.PolynomialError:
            raise Stuck("not a polynomial but for its weight") from None
        if any(j > 0 and not any(powers) for j, *powers in poly.monoms()):
            raise Stuck("the partial sums do not converge")
        self.limit = self.names.term(poly.coeff_monomial(1))
        self.rest = [(self.names.term(c), j, tuple(powers)) for (j, *powers), c in poly.terms() if any(powers)]
        self.prepare()
        rooms, facts = [self.room(j, powers) for _, j, powers in self.rest], list(self.outer)
        self.most: Node = ("+", ZERO, ZERO, *(("*", ("+", ("^", c, Fraction(2)), ONE), room.concl[1])
                                              for (c, _, _), room in zip(self.rest, rooms, strict=True)))
        for c, _, _ in self.rest:
            facts += self.search.define(c, facts)
        products = [(ONE, ((len(facts) + i, 1),), squares)
                    for i, (c, _, _) in enumerate(self.rest) for squares in ((c,), ())]
        self.outer = [*facts, apply("combine", (">=", self.most), (*facts, *rooms), tuple(products))]

    def prepare(self) -> None:
        """What the parts of r are compared with: the s of u (1 + s b)^degree <= 1."""
        self.degree = max((j for _, j, _ in self.rest), default=0) + 1
        self.units: list[Node] = [("*", d.rate, Fraction(1, self.degree)) for d in self.decays.values()]
        self.outer += [self.search.combine((">", unit), self.outer, 1) for unit in self.units]

    def room(self, j: int, powers: tuple[int, ...]) -> Step:
        """The bound of b^(j+1) u^k v^l .. is not negative."""
        unit = self.units[next(i for i, n in enumerate(powers) if n)]
        positive = next(f for f in self.outer if f.concl == (">", unit))
        return apply("combine", (">=", ("^", unit, Fraction(-j - 1))), (positive,), ((ONE, ((0, -j - 1),), ()),))

    def assume(self, witness: Node, more: Facts) -> tuple[Node, list[Step]]:
        """The guard of b' > witness, the witness being ``after`` or M/e' + ``after``, and all that it gives."""
        guard: Node = ("and", ("isint", END), gt(END, witness)) if self.whole else gt(END, witness)
        known = [*self.outer, *more, *parts(hyp(guard))]
        at = {f.concl: i for i, f in enumerate(known)}
        if witness != self.after:
            known.append(apply("combine", gt(END, self.after), tuple(known), (
                (ONE, ((at[gt(END, witness)], 1),), ()),
                (ONE, ((at[(">=", self.most)], 1), (at[(">", "e'")], -1)), ()))))
        if self.after != ONE:
            known.append(self.search.atom(gt(END, ONE), known))
        known.append(self.search.combine((">", END), known, 1))
        self.tell(known)
        return guard, known

    def tell(self, known: list[Step]) -> None:
        """Add to what is known of b' > 1 that the weights are small."""
        self.falls: list[Node] = []
        m = Fraction(self.degree)
        for told, unit in zip(self.decays.values(), self.units, strict=True):
            decay = told.size or told
            known.append(self.search.atom((">=", decay.power), known))
            claim = (">=", minus(ONE, ("*", decay.power, ("^", ("+", ONE, ("*", unit, END)), m))))
            known.append(self.by_tangent(claim, decay, unit, known) if decay.power[0] == "exp" else self.by_ratio(
                claim, decay, unit, known) if self.whole else self.by_logarithm(claim, decay, unit, known))
            self.falls.append(claim)
            if told.size is not None:
                known += within(self.search, told.ratio, END, known)

    def by_tangent(self, claim: Node, decay: Decay, unit: Node, known: Facts) -> Step:
        """1 - u y^m >= 0 for u = v^m, v = exp(-t), t >= s b/m, where v y <= 1: e^t >= 1 + t >= 1 + s b/m = y."""
        m, u, at = self.degree, decay.power, {f.concl: i for i, f in enumerate(known)}
        y: Node = ("+", ONE, ("*", unit, END))
        exponent = u[1] if u[0] == "exp" else ("*", END, ("log", u[1]))
        t: Node = ("*", unit, END) if u[0] == "exp" else ("*", Fraction(-1, m), exponent)
        v: Node = ("exp", neg_term(t))
        both = [apply("exp_above_tangent", t, tuple(known)), apply("exp_positive", neg_term(t), tuple(known))]
        above = apply("combine", (">", y), tuple(known), (
            (ONE, (), ()), (ONE, ((at[(">", unit)], 1), (at[(">", END)], 1)), ())))
        one = self.search.atom(("=", minus(("*", ("exp", t), v), ONE)), [*known, *both])
        facts, rows = [*both, one, *known], [(ONE, ((0, 1), (1, 1)), ()), (MINUS, ((2, 1),), ())]
        if u[0] != "exp":
            facts.append(apply("log_below_tangent", u[1], tuple(known)))
            rows.append((Fraction(1, m), ((len(facts) - 1, 1), (at[(">", END)] + 3, 1), (1, 1)), ()))
        below = apply("combine", (">=", minus(ONE, ("*", v, y))), tuple(facts), tuple(rows))
        power = apply("exp_multiple", neg_term(t), Fraction(m), tuple(known))
        same = apply("combine", ("=", minus(power.concl[1][1][1], exponent)), tuple(known), ())
        equal = apply("rewrite", same, power, "z'", replaced(power.concl, power.concl[1][1][1], "z'"),
                      power.concl[1][1][1], exponent)
        short = neg_term(("^", y, Fraction(m)))
        rows = [(ONE, tuple(p for p in ((0, 1), (1, i), (2, i)) if p[1]), ()) for i in range(m)]
        facts, rows = [below, both[1], above, equal, *known], [*rows, (short, ((3, 1),), ())]
        if u[0] != "exp":
            facts.append(apply("power_exp", u[1], END, tuple(known)))
            rows.append((short, ((len(facts) - 1, 1),), ()))
        return apply("combine", claim, tuple(facts), tuple(rows))

    def by_logarithm(self, claim: Node, decay: Decay, unit: Node, known: Facts) -> Step:
        """1 - u y^m >= 0 for real b: u = a^b is 0 for a = 0, else exp(b log(a)), and log(a) <= a - 1."""
        a, search = decay.power[1], self.search
        if decay.power != ("^", a, END):
            raise Stuck("no power of a number")
        three, least = apply("trichotomy", a, tuple(known)), search.atom((">=", a), known)
        zero = apply("combine", ("=", minus(ZERO, a)), (hyp(("=", a)),), ((MINUS, ((0, 1),), ()),))
        none = search.atom(("=", ("^", ZERO, END)), known)
        none = apply("rewrite", zero, none, "z'", ("=", ("^", "z'", END)), ZERO, a)
        square = neg_term(("^", ("+", ONE, ("*", unit, END)), Fraction(self.degree)))
        absurd = apply("combine", (">", ZERO), (hyp((">", neg_term(a))), least), (
            (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        return apply("or_elim", three, (
            self.by_tangent(claim, decay, unit, [*known, hyp((">", a))]),
            apply("combine", claim, (none, *known), ((ONE, (), ()), (square, ((0, 1),), ()))),
            apply("absurd", absurd, claim)), claim)

    def by_ratio(self, claim: Node, decay: Decay, unit: Node, known: Facts) -> Step:
        """1 - u y^m >= 0 by induction, y = 1 + s n: the next u is a u, and a (y + s)^m <= y^m as a = 1 - m s."""
        n = fresh("n", claim, [f.concl for f in self.outer], [h for f in self.outer for h in f.hyps])
        upper: Node = ("+", n, ONE)
        here, after = (replaced(decay.power, END, t) for t in (n, upper))
        facts = [*self.outer, apply("integral_polynomial", ZERO, ())]
        whole = facts[-1]
        facts += self.search.define(replaced(decay.power, END, ZERO), facts)
        first = self.search.atom(replaced(claim, END, ZERO), facts)
        facts = [*self.outer, hyp(("isint", n)), hyp(ge(n, ZERO))]
        facts += [self.search.atom((">=", n), facts), self.search.atom(("isint", upper), facts)]
        facts += self.search.define(after, [*facts, *self.search.define(here, facts)])
        facts += [self.search.atom((">=", here), facts), hyp(replaced(claim, END, n))]
        then = ("^", ("+", ONE, ("*", unit, upper)), Fraction(self.degree))
        facts += [self._slower(decay, unit, n, facts), self._ratio(decay.ratio, here, after, facts)]
        last = len(facts) - 1
        step = apply("combine", replaced(claim, END, upper), tuple(facts), (
            (ONE, ((last - 2, 1),), ()), (ONE, ((last - 3, 1), (last - 1, 1)), ()), (neg_term(then), ((last, 1),), ())))
        every = apply("induction", n, ZERO, replaced(claim, END, n), whole, first, step)
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(there.concl[1], [
            self.search.atom(p, known) for p in there.concl[1][1:]]))

    def _slower(self, decay: Decay, s: Node, n: str, facts: Facts) -> Step:
        """y^m - a z^m >= 0 for y = 1 + s n and z = y + s, a = 1 - m s: (1 - s) z <= y, and a <= (1 - s)^m, for
        y - (1 - s) z = s^2 (1 + n) and (1 - s)^m - a = s^2 ((m - 1) + (m - 2) (1 - s) + .. + (1 - s)^(m - 2))."""
        m, search = self.degree, self.search
        y, z = (("+", ONE, ("*", s, t)) for t in (n, ("+", n, ONE)))
        known = [next(f for f in facts if f.concl == (">", s)), search.combine((">=", minus(ONE, s)), facts, 1)]
        known.append(search.combine((">", ("+", ONE, n)), facts, 1))
        whole = (*known, *facts)
        at = next(i for i, f in enumerate(whole) if f.concl == (">=", n))
        known += [apply("combine", (">", t), whole, ((ONE, (), ()), (ONE, ((0, 1), (at, 1)), ()), *more))
                  for t, more in ((y, ()), (z, ((ONE, ((0, 1),), ()),)))]

        def row(weight: int, *powers: int) -> tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]:
            return Fraction(weight), tuple((i, k) for i, k in enumerate(powers) if k), ()

        goal = (">=", minus(("^", y, Fraction(m)), ("*", decay.ratio, ("^", z, Fraction(m)))))
        return apply("combine", goal, (*known, *facts), (
            *(row(1, 2, m - 1 - i, 1, i, m - 1 - i) for i in range(m)),
            *(row(m - 1 - i, 2, i, 0, 0, m) for i in range(m - 1))))

    def value(self, s: Node) -> Node:
        """The closed form of a partial sum."""
        value = self.names.term(self.forms[s].value)
        for u, decay in self.decays.items():
            value = substitute(value, str(u), decay.power)
        return value

    def compared(self, above: Node, s: Node, known: Facts) -> Step:
        """closed form of ``above`` - partial sum >= 0, or = 0 where the two are the same."""
        plain, relation = (*s[:2], self.lows[above], *s[3:]), "=" if above == s else ">="
        step = self.in_closed_form(above, plain, relation, known)
        if plain == s:
            return step
        same = self.search.atom(("=", minus(self.lows[above], s[2])), self.outer)
        template = replaced(step.concl, plain, (*plain[:2], "z'", *plain[3:]))
        return apply("rewrite", same, step, "z'", template, self.lows[above], s[2])

    def in_closed_form(self, above: Node, s: Node, relation: str, known: Facts) -> Step:
        """The same, of the sum from its plain lower end."""
        if s[0] != "sum":
            return integrated(self, above, s, relation, known)
        if self.forms[above].ratio is None:
            return self._summed(above, s, relation, known)
        if relation != "=":
            raise Stuck("the summands are not compared")
        return self._weighed(s, known)

    def _summed(self, above: Node, s: Node, relation: str, known: Facts) -> Step:
        """By induction: P(k + 1) a - P(k) = g(k), where g(k) a^(k - 1) is the summand above."""
        form, low = self.forms[above], s[2]
        base, a, search = before(low), form.fall[1], self.search
        n = fresh("n", above, s, [f.concl for f in self.outer], [h for f in self.outer for h in f.hyps])

        def at(expression: Any, k: Any) -> Node:
            return self.names.term(expression.subs(form.k, k))

        def claim(end: Node, upto: Node) -> Node:
            return (relation, minus(replaced(self.value(above), END, end), (*s[:3], upto, s[4])))

        facts = [*self.outer]
        for t in (at(form.primitive, form.k), at(form.factor, form.k), self.value(above)):
            t = replaced(replaced(t, str(form.k), n), self.decays[U].power, ZERO)
            facts += search.define(replaced(t, END, n), facts)
        facts += [search.atom(("isint", low), facts), search.atom(("isint", base), facts)]
        facts.append(search.atom((">=", base), facts))
        empty = apply("sum_empty", (*s[:3], base, s[4]), tuple(facts))
        first = apply("combine", claim(base, base), (*facts, empty, *search.define(("^", a, base), facts)), (
            (MINUS, ((len(facts), 1),), ()),)) if relation == "=" else search.combine(
                claim(base, base), [*facts, empty, *search.define(("^", a, base), facts)], 1)
        facts += [hyp(("isint", n)), hyp(ge(n, base))]
        facts.append(search.combine((">=", n), facts, 1))
        upper: Node = ("+", n, ONE)
        facts += [search.atom(("isint", upper), facts), search.combine(ge(upper, low), facts, 1)]
        back = apply("combine", ("=", minus(n, minus(upper, ONE))), (), ())
        induced = apply("rewrite", back, hyp(claim(n, n)), "z'", claim(n, "z'"), n, minus(upper, ONE))
        power = ("^", a, n)
        same = apply("combine", ("=", minus(power, power)), tuple(facts), ())
        moved = apply("rewrite", back, same, "z'", ("=", minus(power, ("^", a, "z'"))), n, minus(upper, ONE))
        grown = apply("power_step", a, n, (*facts, same))
        summand, larger_one = (substitute(t[4], t[1], upper) for t in (s, above))
        factor = at(form.factor, self.names.read(n) + 1)
        facts += search.define(("+", summand, factor), facts)
        if form.product:
            moved, factor = search.atom(("=", minus(("*", factor, power), larger_one)), facts), ONE
        facts += [moved, grown]
        products: Products = [(ONE, ((len(facts), 1),), ()), (MINUS, ((len(facts) + 1, 1),), ()),
                              (at(form.primitive, self.names.read(n) + 2), ((facts.index(grown), 1),), ()),
                              (factor, ((facts.index(moved), 1),), ())]
        last = apply("sum_last", (*s[:3], upper, s[4]), (*facts, induced))
        more = [induced, last]
        if above != s and relation == ">=":
            more.append(self.below(larger_one, summand, facts))
            products.append((ONE, ((len(facts) + 2, 1),), ()))
        step = apply("combine", claim(upper, upper), (*facts, *more), tuple(products))
        whole = next(f for f in facts if f.concl == ("isint", base))
        every = apply("induction", n, base, claim(n, n), whole, first, step)
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(
            there.concl[1], [self.search.atom(p, [*known, *facts[:len(self.outer)]]) for p in there.concl[1][1:]]))

    def _weighed(self, s: Node, known: Facts) -> Step:
        """As ``_summed``, of weights w with w(n + 1) = a w(n): the sum to n is a P(n + 1) w(n) - P(low) w(low)."""
        form = next(f for t, f in self.forms.items() if (*t[:2], *t[3:]) == (*s[:2], *s[3:]))
        low, search = s[2], self.search
        n = fresh("n", s, [f.concl for f in self.outer], [h for f in self.outer for h in f.hyps])
        upper: Node = ("+", n, ONE)

        def claim(end: Node, upto: Node) -> Node:
            value = substitute(self.names.term(form.value), str(U), self.decays[U].power)
            return ("=", minus(replaced(value, END, end), (*s[:3], upto, s[4])))

        def defined(end: Node, facts: list[Step]) -> list[Step]:
            for t in (claim(end, end)[1][1], substitute(s[4], s[1], end)):
                facts += search.define(t, facts)
            return facts

        facts = [*self.outer, search.atom(("isint", low), self.outer)]
        whole, below = facts[-1], minus(low, ONE)
        facts = defined(low, facts)
        facts += [search.atom(("isint", below), facts), apply("combine", ge(low, low), tuple(facts), ())]
        facts.append(apply("sum_empty", (*s[:3], below, s[4]), tuple(facts)))
        last = apply("sum_last", (*s[:3], low, s[4]), tuple(facts))
        first = apply("combine", claim(low, low), (*facts, last), (
            (MINUS, ((len(facts), 1),), ()), (MINUS, ((len(facts) - 1, 1),), ())))
        facts = [*self.outer, whole, hyp(("isint", n)), hyp(ge(n, low))]
        facts += [search.atom((">=", n), facts), search.atom(("isint", upper), facts)]
        facts.append(search.combine(ge(upper, low), facts, 1))
        facts = defined(upper, defined(n, facts))
        back = apply("combine", ("=", minus(n, minus(upper, ONE))), (), ())
        induced = apply("rewrite", back, hyp(claim(n, n)), "z'", claim(n, "z'"), n, minus(upper, ONE))
        ratio = self._ratio(form.ratio, replaced(form.fall, s[1], n), replaced(form.fall, s[1], upper), facts)
        last = apply("sum_last", (*s[:3], upper, s[4]), (*facts, induced))
        multiplier = self.names.term(form.primitive.subs(form.k, self.names.read(n) + 1))
        step = apply("combine", claim(upper, upper), (*facts, induced, last, ratio), (
            (ONE, ((len(facts), 1),), ()), (MINUS, ((len(facts) + 1, 1),), ()),
            (multiplier, ((len(facts) + 2, 1),), ())))
        every = apply("induction", n, low, claim(n, n), whole, first, step)
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(
            there.concl[1], [search.atom(p, [*known, whole]) for p in there.concl[1][1:]]))

    def _ratio(self, ratio: Node, here: Node, after: Node, facts: Facts) -> Step:
        """after - a here = 0 for the weights at n and n + 1."""
        goal = ("=", minus(after, ("*", ratio, here)))
        if here[0] != "^" or here[2] == MINUS or ratio == here[1]:
            return self.search.atom(goal, facts)
        grown = apply("power_step", here[1], after[2], tuple(facts))  # c^(-n) = c^(-n - 1) c
        same = apply("combine", ("=", minus(("+", after[2], ONE), here[2])), tuple(facts), ())
        power = apply("rewrite", same, grown, "z'", replaced(grown.concl, ("+", after[2], ONE), "z'"),
                      ("+", after[2], ONE), here[2])
        return apply("combine", goal, (power, *facts), ((neg_term(ratio), ((0, 1),), ()),))

    def below(self, above: Node, summand: Node, facts: Facts) -> Step:
        """above - summand >= 0, products of which the first factors are compared and the others are equal."""
        if above[0] != "*" or above[2:] != summand[2:]:
            raise Stuck("the summands are not compared")
        weight, (g, m) = above[2] if len(above) == 3 else ("*", *above[2:]), (above[1], summand[1])
        gap: Node = (">=", minus(g, m))
        if m == ("max", g, neg_term(g)):
            sign = self.search.atom((">=", g), facts)
            order = apply("combine", ge(g, m[2]), (sign,), ((Fraction(2), ((0, 1),), ()),))
            same = equal_to(m, g, order, [*facts, *self.search.define(m, facts)])
            first = apply("combine", gap, (same,), ((MINUS, ((0, 1),), ()),))
        else:
            first = self.search.atom(gap, [*facts, *(s for base, n in signed_powers(g, m) for s in within(
                self.search, base, n, facts))])
        pair = (first, self.search.atom((">=", weight), facts))
        return apply("combine", (">=", minus(above, summand)), (*facts, *pair), (
            (ONE, ((len(facts), 1), (len(facts) + 1, 1)), ()),))

    def bound(self, gap: Node, sign: int, known: Facts) -> Step:
        """M - sign b gap >= 0, where the gap is formally r."""
        facts, products = [*known], Products()
        for c, j, k in self.rest:
            facts += [*self.search.define(c, known), *self.sizes(j, k, known)]
            i, c = len(facts) - 2, c if sign > 0 else neg_term(c)
            products += [(HALF, ((i, 1),), (("+", c, HALF),)), (Fraction(3, 8), ((i, 1),), ()),
                         (HALF, ((i + 1, 1),), (minus(c, HALF),)), (Fraction(3, 8), ((i + 1, 1),), ())]
        goal = (">=", minus(self.most, ("*", Fraction(sign), END, gap)))
        return apply("combine", goal, tuple(facts), tuple(products))

    def sizes(self, j: int, powers: tuple[int, ...], known: Facts) -> tuple[Step, Step]:
        """s^-(j+1) - b^(j+1) u^k v^l .. >= 0, and the same with +."""
        b, m, all_u = END, self.degree, [(d.size or d).power for d in self.decays.values()]
        signed = next((d for d, n in zip(self.decays.values(), powers, strict=True) if n and d.size), None)
        if signed is not None and sum(powers) > 1:
            raise Stuck("a product of weights of unknown sign")
        at = {f.concl: i for i, f in enumerate(known)}
        used = [i for i, n in enumerate(powers) for _ in range(n)]  # one factor each
        u, s = all_u[used[0]], self.units[used[0]]
        fall, iu, ib, unit = at[self.falls[used[0]]], at[(">=", u)], at[(">", b)], at[(">", s)]
        size, power = ("^", s, Fraction(-j - 1)), ("^", b, Fraction(j + 1))
        spread = [int(sympy.binomial(m, i)) for i in range(m + 1)]  # of y^m, y = 1 + s b

        def times(coefficient: int, *powers: tuple[int, int]) -> tuple[Node, tuple[tuple[int, int], ...],
                                                                       tuple[Node, ...]]:
            return Fraction(coefficient), tuple(p for p in powers if p[1]), ()

        def more(goal: Node, facts: Facts, *products: Any) -> Step:
            return apply("combine", goal, tuple(facts), tuple(p for p in products if p[0]))

        # (1 - u y^m) s^-(j+1) + u (y^m - (s b)^(j+1)) s^-(j+1)
        once = more((">=", minus(size, ("*", power, u))), known, times(1, (fall, 1), (unit, -j - 1)),
                    *(times(c - (i == j + 1), (iu, 1), (unit, i - j - 1), (ib, i)) for i, c in enumerate(spread)))
        value: Node = ("*", power, *(("^", v, Fraction(n)) for v, n in zip(all_u, powers, strict=True) if n))
        if signed is not None:
            value = ("*", power, signed.power)
            far = [at[(">=", (minus(u, signed.power) if sign < 0 else ("+", u, signed.power)))] for sign in (-1, 1)]
            return tuple(more((">=", t), [*known, once], times(1, (len(known), 1)), times(1, (ib, j + 1), (f, 1)))
                         for t, f in zip((minus(size, value), ("+", size, value)), far, strict=True))  # type: ignore[return-value]
        below = {i: more((">=", minus(ONE, all_u[i])), known, times(1, (at[self.falls[i]], 1)),
                         *(times(int(sympy.binomial(m, n)), (at[(">=", all_u[i])], 1), (at[(">", self.units[i])], n),
                                 (ib, n)) for n in range(1, m + 1))) for i in dict.fromkeys(used)}
        factors = [tuple((at[(">=", all_u[i])], used[:n].count(i)) for i in dict.fromkeys(used[:n]))
                   for n in range(len(used) + 1)]
        high = more((">=", ("+", size, value)), known, times(1, (unit, -j - 1)), times(1, (ib, j + 1), *factors[-1]))
        facts, places = [*known, once, *below.values()], list(below)  # u - u^k = (1 - u) (u + .. + u^(k-1))
        low = more((">=", minus(size, value)), facts, times(1, (len(known), 1)),
                   *(times(1, (ib, j + 1), *factors[n], (len(known) + 1 + places.index(used[n]), 1))
                     for n in range(1, len(used))))
        return low, high


__all__ = ["Tail"]
