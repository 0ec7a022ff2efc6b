"""Series, integrals and expectations without an end, and limits of such terms: partial sums in closed form, and what
is left of them bounded.

What a geometric, or exponential, weight makes of a polynomial has partial sums L + r(b), where r is a sum of c b^j u^k
with u = a^b, or exp(-s b), and numbers c of the parameters; so have terms in b that are limits of their own.  With
u (1 + s b)^m <= 1 for a small s, which induction gives, or the tangent of exp, b |r(b)| is at most some M: that bounds
the partial sums, and gives the distance of a limit's definition.  The proofs are put together step by step, nothing is
searched for but the closed forms and the simplest facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    integer,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.numeric import evaluate, samples
from qtheory.proofs.tactics.state import Search

END, B, U = "b'", sympy.Symbol("b'", real=True), sympy.Symbol("u'", real=True)
HALF = Fraction(1, 2)
MOST_DEGREE = 8
Products = list[tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]]


@dataclass(frozen=True)
class Decay:
    """What the summand falls with: ``power`` is u at the end b', and ``rate`` the s of u (1 + s b/m)^m <= 1."""

    power: Node
    rate: Node


@dataclass(frozen=True)
class Closed:
    """A partial sum or integral in closed form: an expression in B and U over the parameters."""

    decay: Decay
    value: Any


def shape(goal: Node) -> str | None:
    """Does the goal say that partial sums to b' are bounded, or that they, or a term with weights, tend to a value?"""
    body = _inside(goal)
    if body is None or goal[1] not in ("c'", "e'"):
        return None
    if goal[1] == "c'" and body[0] == ">=" and any(True for _ in partial(body[1])):
        return "bounded"
    if goal[1] == "e'" and body[0] == "and" and len(body) == 3 and any(
            True for found in (partial(body[1][1]), _falling(body[1][1], END)) for _ in found):
        return "tends"
    return None


def _every(goal: Node) -> Node | None:
    """What is said of all large numbers, or integers."""
    try:
        step = goal[2][2] if goal[0] == "all" and goal[2][0] == "imp" and goal[2][1] == (">", "e'") else goal[2]
        every = step[2]
        x = every[1]
        good = step[:2] == ("ex", "d'") and every[0] == "all" and every[2][0] == "imp" and every[2][1] in (
            ("and", ("isint", x), (">", minus(x, "d'"))), (">", minus(x, "d'")))
        return every if good else None
    except (IndexError, TypeError):
        return None


def _inside(goal: Node) -> Node | None:
    """What is said of each of them, called b'."""
    every = _every(goal)
    if every is None or (every[1] != END and END in free(every)):
        return None
    try:
        return substitute(every[2][2], every[1], END)
    except KernelError:
        return None


def partial(t: Node) -> Iterator[Node]:
    """The sums and integrals up to b' in a term."""
    if isinstance(t, tuple):
        if t[0] in ("sum", "int") and t[3] == END:
            yield t
            return
        for part in t[1:]:
            yield from partial(part)


def limit_and_term(goal: Node) -> tuple[Node, Node]:
    """The term and the value of a goal that says that the one tends to the other."""
    body = _inside(goal)
    assert body is not None
    gap = body[2][1][2]  # e' + (t - L)
    return gap[1], gap[2][2]


# ---- closed forms ----

@dataclass
class Names:
    """Symbols for powers, which SymPy would write in its own way."""

    terms: dict[str, Node] = field(default_factory=dict)

    def symbol(self, term: Node) -> Any:
        name = next((n for n, t in self.terms.items() if t == term), f"a{len(self.terms)}'''''")
        self.terms[name] = term
        return sympy.Symbol(name, real=True)

    def read(self, term: Node) -> Any:
        """The term as an expression: what SymPy need not look into is a symbol."""
        if isinstance(term, tuple) and term[0] not in ("+", "*") and not (term[0] == "^" and integer(term[2])):
            return self.symbol(term)
        if isinstance(term, tuple):
            parts = [self.read(t) for t in term[1:]]
            return {"+": sympy.Add, "*": sympy.Mul, "^": sympy.Pow}[term[0]](*parts)
        return to_sympy(term)

    def term(self, expression: Any) -> Node:
        t = from_sympy(sympy.factor(expression))
        for name in free(t) & self.terms.keys():
            t = substitute(t, name, self.terms[name])
        return t


@dataclass(frozen=True)
class Form:
    """A partial sum or integral of factor(k) times what falls: its value is primitive(end) u - start, in B and U."""

    decay: Decay
    value: Any
    factor: Any  # of k; in a sum, of k and times the weight
    primitive: Any  # of k, times a^(k - 1) in a sum, or the weight before it
    k: Any
    fall: Node
    ratio: Node | None = None  # in a sum whose weight at the end is u: of one weight to that before it


def closed(t: Node, low: Node, names: Names) -> Form:
    """The partial sum or integral from ``low`` in closed form."""
    head, x, _, _, body = t
    falling = list(dict.fromkeys(_falling(body, x)))
    if len(falling) != 1:
        raise Stuck("no geometric or exponential weight")
    fall, k, start = falling[0], sympy.Symbol(x, real=True), names.read(low)
    summand = names.read(replaced(body, fall, str(U)))
    if any(x in free(names.terms.get(symbol.name, ZERO)) for symbol in summand.free_symbols):
        raise Stuck("the summand is no polynomial but for its weight")
    weight = sympy.Poly(sympy.expand(summand), U)
    if weight.degree() != 1 or weight.eval(0) != 0:
        raise Stuck("the weight stands in the summand more than once")
    factor = weight.coeff_monomial(U)
    if head == "sum" and (fall[0] != "^" or fall[2] != minus(x, ONE)):
        ratio, decay = decaying(fall, x, names)
        a = names.read(ratio)
        p = _summed(sympy.Poly(factor, k), a)
        value = a * p.subs(k, B + 1) * U - p.subs(k, start) * names.symbol(replaced(fall, x, low))
        return Form(decay, value, factor, p, k, fall, ratio)
    if head == "sum":
        base = names.read(fall[1])
        p, decay = _summed(sympy.Poly(factor, k), base), Decay(("^", fall[1], END), names.term(1 - base))
        first, last = ONE if low == ONE else ("^", fall[1], before(low)), B + 1
    else:
        rate = sympy.cancel(-names.read(fall[1]) / k) if fall[0] == "exp" else k
        if rate.has(k):
            raise Stuck("no exponential weight")
        p, decay = _integrated(sympy.Poly(factor, k), rate), Decay(replaced(fall, x, END), names.term(rate))
        first, last = ONE if low == ZERO else replaced(fall, x, low), B
    value = p.subs(k, last) * U - p.subs(k, start) * (1 if first == ONE else names.symbol(first))
    return Form(decay, value, factor, p, k, fall)


def decaying(fall: Node, x: str, names: Names) -> tuple[Node, Decay]:
    """The ratio of one weight to that before it, and the weight at b' with the rate of its decay."""
    inverse = fall[0] == "^" and fall[2] == MINUS
    power = fall[1] if inverse else fall
    k = sympy.Symbol(x, real=True)
    slope = sympy.cancel(names.read(power[1 if power[0] == "exp" else 2]) / k)
    if slope.has(k):
        raise Stuck("no geometric or exponential weight")
    if power[0] == "exp":
        rate = names.term(slope if inverse else -slope)
        return ("exp", neg_term(rate)), Decay(replaced(fall, x, END), rate)
    if slope not in (1, -1):
        raise Stuck("no geometric weight")
    base: Node = power[1]
    if inverse != (slope == -1):
        base = 1 / base if isinstance(base, Fraction) else ("^", base, MINUS)
    return base, Decay(replaced(fall, x, END), names.term(1 - names.read(base)))


def before(low: Node) -> Node:
    return low - 1 if isinstance(low, Fraction) else minus(low, ONE)


def _falling(body: Node, x: str) -> Iterator[Node]:
    if isinstance(body, tuple):
        power = body[1] if body[0] == "^" and body[2] == MINUS else body
        if isinstance(power, tuple) and ((power[0] == "^" and x in free(power[2]) and x not in free(power[1]))
                                         or (power[0] == "exp" and x in free(power))):
            yield body
        elif body[0] in ("+", "*", "^", "max"):
            for part in body[1:]:
                yield from _falling(part, x)


def replaced(t: Node, old: Node, new: Node) -> Node:
    if t == old or not isinstance(t, tuple):
        return new if t == old else t
    return tuple(replaced(part, old, new) for part in t)


def _summed(g: Any, a: Any) -> Any:
    """The polynomial P with P(k + 1) a - P(k) = g(k)."""
    found: dict[int, Any] = {}
    for j in range(g.degree(), -1, -1):
        above = sum(found[i] * sympy.binomial(i, j) for i in found)
        found[j] = sympy.factor((g.coeff_monomial(g.gen**j) - a * above) / (a - 1))
    return sum(c * g.gen**j for j, c in found.items())


def _integrated(g: Any, rate: Any) -> Any:
    """The polynomial Q with Q' - rate Q = g."""
    found: dict[int, Any] = {}
    for j in range(g.degree(), -1, -1):
        found[j] = sympy.factor(((j + 1) * found.get(j + 1, 0) - g.coeff_monomial(g.gen**j)) / rate)
    return sum(c * g.gen**j for j, c in found.items())


# ---- partial sums at an integer b' beyond their lower ends ----

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
        decays = {form.decay for form in self.forms.values()} or {
            decaying(fall, END, self.names)[1] for fall in _falling(term, END)}
        if len(decays) != 1:
            raise Stuck("weights of several kinds")
        (self.decay,) = decays
        self.outer += search.define(self.decay.rate, self.outer)
        self.outer.append(search.atom((">", self.decay.rate), self.outer))
        self.expand(term)

    def expand(self, term: Node) -> None:
        """r and M of a term in the partial sums."""
        marks = {f"s{i}''''''": s for i, s in enumerate(self.forms)}
        for name, s in marks.items():
            term = replaced(term, s, name)
        term = term if marks else replaced(term, self.decay.power, str(U))
        value = self.names.read(term).subs({sympy.Symbol(n, real=True): self.forms[s].value for n, s in marks.items()})
        if any(END in free(self.names.terms.get(symbol.name, ZERO)) for symbol in value.free_symbols):
            raise Stuck("not a polynomial but for its weight")
        poly = sympy.Poly(sympy.expand(value), B, U)
        if any(k == 0 and j > 0 for j, k in poly.monoms()):
            raise Stuck("the partial sums do not converge")
        self.limit = self.names.term(poly.coeff_monomial(1))
        self.rest = [(self.names.term(c), j, k) for (j, k), c in poly.terms() if k > 0]
        self.degree = max((j for _, j, _ in self.rest), default=0) + 1
        self.unit: Node = ("*", self.decay.rate, Fraction(1, self.degree))  # the s of u (1 + s b)^degree <= 1
        sizes = [("^", self.unit, Fraction(-j - 1)) for _, j, _ in self.rest]
        self.most: Node = ("+", ZERO, ZERO, *(("*", ("+", ("^", c, Fraction(2)), ONE), size)
                                              for (c, _, _), size in zip(self.rest, sizes, strict=True)))
        facts = [*self.outer, self.search.combine((">", self.unit), self.outer, 1)]
        for c, _, _ in self.rest:
            facts += self.search.define(c, facts)
        at = next(i for i, f in enumerate(facts) if f.concl == (">", self.unit))
        products = [(ONE, ((at, -j - 1),), squares) for c, j, _ in self.rest for squares in ((c,), ())]
        self.outer = [*facts, apply("combine", (">=", self.most), tuple(facts), tuple(products))]

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
        known.append(self.search.atom((">=", self.decay.power), known))
        n, m = "n'", Fraction(self.degree)
        claim = (">=", minus(ONE, ("*", self.decay.power, ("^", ("+", ONE, ("*", self.unit, END)), m))))
        known.append(self.by_tangent(claim, known) if self.decay.power[0] == "exp" else
                     self.everywhere(substitute(claim, END, n), n, ZERO, known))
        self.fall = claim
        return guard, known

    def by_tangent(self, claim: Node, known: Facts) -> Step:
        """1 - u y^m >= 0 for u = v^m, v = exp(-s b/m), where v y <= 1: e^(s b/m) >= 1 + s b/m = y."""
        m, t = self.degree, ("*", self.unit, END)
        y: Node = ("+", ONE, t)
        v: Node = ("exp", neg_term(t))
        both = [apply("exp_above_tangent", t, tuple(known)), apply("exp_positive", neg_term(t), tuple(known))]
        above = apply("combine", (">", y), tuple(known), (
            (ONE, (), ()), (ONE, tuple((next(i for i, f in enumerate(known) if f.concl == c), 1)
                                       for c in ((">", self.unit), (">", END))), ())))
        one = self.search.atom(("=", minus(("*", ("exp", t), v), ONE)), [*known, *both])
        below = apply("combine", (">=", minus(ONE, ("*", v, y))), (*both, one, *known), (
            (ONE, ((0, 1), (1, 1)), ()), (MINUS, ((2, 1),), ())))
        power = apply("exp_multiple", neg_term(t), Fraction(m), tuple(known))
        same = apply("combine", ("=", minus(power.concl[1][1][1], self.decay.power[1])), tuple(known), ())
        equal = apply("rewrite", same, power, "z'", replaced(power.concl, power.concl[1][1][1], "z'"),
                      power.concl[1][1][1], self.decay.power[1])
        rows: Products = [(ONE, tuple(p for p in ((0, 1), (1, i), (2, i)) if p[1]), ()) for i in range(m)]
        return apply("combine", claim, (below, both[1], above, equal, *known),
                     (*rows, (neg_term(("^", y, Fraction(m))), ((3, 1),), ())))

    def everywhere(self, claim: Node, n: str, low: Node, known: Facts) -> Step:
        """The claim on n at b', from its proof for all integers n >= low."""
        y = fresh("n", claim, [f.concl for f in self.outer], [h for f in self.outer for h in f.hyps])
        guard = ("and", ("isint", y), ge(y, low))
        assumed = parts(hyp(guard))
        inner = cut_all(assumed, self.search.solve(substitute(claim, n, y), [*self.outer, *assumed], 4))
        step = apply("all_elim", apply("all_intro", y, apply("imp_intro", guard, inner)), END, ())
        there = [self.search.atom(p, known) for p in step.concl[1][1:]]
        return apply("imp_elim", step, conjunction(step.concl[1], there))

    def value(self, s: Node) -> Node:
        """The closed form of a partial sum."""
        return substitute(self.names.term(self.forms[s].value), str(U), self.decay.power)

    def compared(self, above: Node, s: Node, known: Facts) -> Step:
        """closed form of ``above`` - partial sum >= 0, or = 0 where the two are the same."""
        plain, relation = (*s[:2], self.lows[above], *s[3:]), "=" if above == s else ">="
        if s[0] == "sum" and self.forms[above].ratio is not None:
            if above != s:
                raise Stuck("the summands are not compared")
            step = self._weighed(plain, known)
        elif s[0] == "sum":
            step = self._summed(above, plain, relation, known)
        else:
            step = self._integrated(above, plain, relation, known)
        if plain == s:
            return step
        same = self.search.atom(("=", minus(self.lows[above], s[2])), self.outer)
        template = replaced(step.concl, plain, (*plain[:2], "z'", *plain[3:]))
        return apply("rewrite", same, step, "z'", template, self.lows[above], s[2])

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
            t = replaced(replaced(t, str(form.k), n), self.decay.power, ZERO)
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
        facts += [moved, grown]
        facts += search.define(summand, facts)
        products: Products = [(ONE, ((len(facts), 1),), ()), (MINUS, ((len(facts) + 1, 1),), ()),
                              (at(form.primitive, self.names.read(n) + 2), ((facts.index(grown), 1),), ()),
                              (at(form.factor, self.names.read(n) + 1), ((facts.index(moved), 1),), ())]
        last = apply("sum_last", (*s[:3], upper, s[4]), (*facts, induced))
        more = [induced, last]
        if above != s and relation == ">=":
            more.append(self._below(larger_one, summand, facts))
            products.append((ONE, ((len(facts) + 2, 1),), ()))
        step = apply("combine", claim(upper, upper), (*facts, *more), tuple(products))
        whole = next(f for f in facts if f.concl == ("isint", base))
        every = apply("induction", n, base, claim(n, n), whole, first, step)
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(
            there.concl[1], [self.search.atom(p, [*known, *facts[:len(self.outer)]]) for p in there.concl[1][1:]]))

    def _weighed(self, s: Node, known: Facts) -> Step:
        """As ``_summed``, of weights w with w(n + 1) = a w(n): the sum to n is a P(n + 1) w(n) - P(low) w(low)."""
        form, low, search = next(f for t, f in self.forms.items() if (*t[:2], *t[3:]) == (*s[:2], *s[3:])), s[2], self.search
        n = fresh("n", s, [f.concl for f in self.outer], [h for f in self.outer for h in f.hyps])
        upper: Node = ("+", n, ONE)

        def claim(end: Node, upto: Node) -> Node:
            value = substitute(self.names.term(form.value), str(U), self.decay.power)
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
        ratio = search.atom(("=", minus(replaced(form.fall, s[1], upper),
                                        ("*", form.ratio, replaced(form.fall, s[1], n)))), facts)
        last = apply("sum_last", (*s[:3], upper, s[4]), (*facts, induced))
        multiplier = self.names.term(form.primitive.subs(form.k, self.names.read(n) + 1))
        step = apply("combine", claim(upper, upper), (*facts, induced, last, ratio), (
            (ONE, ((len(facts), 1),), ()), (MINUS, ((len(facts) + 1, 1),), ()),
            (multiplier, ((len(facts) + 2, 1),), ())))
        every = apply("induction", n, low, claim(n, n), whole, first, step)
        there = apply("all_elim", every, END, ())
        return apply("imp_elim", there, conjunction(
            there.concl[1], [search.atom(p, [*known, whole]) for p in there.concl[1][1:]]))

    def _below(self, above: Node, summand: Node, facts: Facts) -> Step:
        """above - summand >= 0, products of which the first factors are compared and the others are equal."""
        if above[0] != "*" or above[2:] != summand[2:]:
            raise Stuck("the summands are not compared")
        weight = above[2] if len(above) == 3 else ("*", *above[2:])
        pair = (self.search.atom((">=", minus(above[1], summand[1])), facts),
                self.search.atom((">=", weight), facts))
        return apply("combine", (">=", minus(above, summand)), (*facts, *pair), (
            (ONE, ((len(facts), 1), (len(facts) + 1, 1)), ()),))

    def _integrated(self, above: Node, s: Node, relation: str, known: Facts) -> Step:
        """By the fundamental theorem: the slope of the antiderivative is the integrand above."""
        form, (_, x, a, b, f) = self.forms[above], s
        primitive = ("*", self.names.term(form.primitive), form.fall)
        slope_of, search = derivative(primitive, x), self.search
        here = [k for k in known if x not in k.variables]
        inside = [*here, hyp(gt(x, a)), hyp(gt(b, x))]
        closed_in = [*here, hyp(ge(x, a)), hyp(ge(b, x))]
        facts = [*inside, *search.define(slope_of, inside), *search.define(above[4], inside), *search.define(f, inside)]
        rows: Products = []
        if relation == ">=":
            facts.append(self._below(above[4], f, facts))
            rows.append((ONE, ((len(facts) - 1, 1),), ()))
        slope = apply("combine", (relation, minus(slope_of, f)), tuple(facts), tuple(rows))
        domain, whole = (apply("defined", t, (*closed_in, *search.define(t, closed_in))) for t in (f, primitive))
        gain = apply("fundamental_theorem", s, primitive, search.atom(ge(b, a), known), domain, whole, slope)
        rows = [(ONE if relation == ">=" else MINUS, ((len(known), 1),), ())]
        more = [gain]
        if a == ZERO:  # e^0 = 1
            more.append(search.atom(("=", minus(replaced(form.fall, x, a), ONE)), known))
            rows.append((self.names.term(form.primitive.subs(form.k, 0)), ((len(known) + 1, 1),), ()))
        return apply("combine", (relation, minus(self.value(above), s)), (*known, *more), tuple(rows))

    def bound(self, gap: Node, sign: int, known: Facts) -> Step:
        """M - sign b gap >= 0, where the gap is formally r."""
        facts, products = [*known], Products()
        for c, j, k in self.rest:
            facts += [*self.search.define(c, known), *self._size(j, k, known)]
            i, c = len(facts) - 2, c if sign > 0 else neg_term(c)
            products += [(HALF, ((i, 1),), (("+", c, HALF),)), (Fraction(3, 8), ((i, 1),), ()),
                         (HALF, ((i + 1, 1),), (minus(c, HALF),)), (Fraction(3, 8), ((i + 1, 1),), ())]
        goal = (">=", minus(self.most, ("*", Fraction(sign), END, gap)))
        return apply("combine", goal, tuple(facts), tuple(products))

    def _size(self, j: int, k: int, known: Facts) -> tuple[Step, Step]:
        """s^-(j+1) - b^(j+1) u^k >= 0, and the same with +."""
        b, u, m = END, self.decay.power, self.degree
        at = {f.concl: i for i, f in enumerate(known)}
        fall, iu, ib, unit = at[self.fall], at[(">=", u)], at[(">", b)], at[(">", self.unit)]
        size, power = ("^", self.unit, Fraction(-j - 1)), ("^", b, Fraction(j + 1))
        spread = [int(sympy.binomial(m, i)) for i in range(m + 1)]  # of y^m, y = 1 + s b

        def times(coefficient: int, *powers: tuple[int, int]) -> tuple[Node, tuple[tuple[int, int], ...],
                                                                       tuple[Node, ...]]:
            return Fraction(coefficient), tuple(p for p in powers if p[1]), ()

        def more(goal: Node, facts: Facts, *products: Any) -> Step:
            return apply("combine", goal, tuple(facts), tuple(p for p in products if p[0]))

        # (1 - u y^m) s^-(j+1) + u (y^m - (s b)^(j+1)) s^-(j+1)
        once = more((">=", minus(size, ("*", power, u))), known, times(1, (fall, 1), (unit, -j - 1)),
                    *(times(c - (i == j + 1), (iu, 1), (unit, i - j - 1), (ib, i)) for i, c in enumerate(spread)))
        value: Node = ("*", power, ("^", u, Fraction(k)))
        high = more((">=", ("+", size, value)), known, times(1, (unit, -j - 1)), times(1, (ib, j + 1), (iu, k)))
        below = more((">=", minus(ONE, u)), known, times(1, (fall, 1)),
                     *(times(c, (iu, 1), (unit, i), (ib, i)) for i, c in enumerate(spread) if i))
        facts = [*known, once, below]  # u - u^k = (1 - u) (u + .. + u^(k-1))
        low = more((">=", minus(size, value)), facts, times(1, (len(known), 1)),
                   *(times(1, (ib, j + 1), (iu, i), (len(known) + 1, 1)) for i in range(1, k)))
        return low, high


def lower(search: Search, t: Node, facts: Facts) -> Node:
    """A lower end without max and floor, where the facts tell what these are."""
    if not isinstance(t, tuple) or t[0] not in ("+", "*", "max", "floor"):
        return t
    made = (t[0], *(lower(search, part, facts) for part in t[1:]))
    if made[0] in ("+", "*"):
        return from_sympy(sympy.expand(to_sympy(made)))
    if made[0] == "floor":
        if isinstance(made[1], Fraction):
            return Fraction(made[1].__floor__())
        return made[1] if search.quick(("isint", made[1]), facts) else made
    for a, b in (made[1:], made[:0:-1]):
        if search.quick(ge(a, b), facts):
            return a
    return made


# ---- the two goals ----

def moments(search: Search, goal: Node, facts: Facts) -> Step:
    """That partial sums are bounded, or that they tend to a value."""
    kind = shape(goal)
    if kind is None:
        raise Stuck("not of this shape")
    return bounded(search, goal, facts) if kind == "bounded" else tends(search, goal, facts)


def tends(search: Search, goal: Node, facts: Facts) -> Step:
    """With d' = M/e' + after: b > d' gives e' b > M >= b |r|."""
    term, value = limit_and_term(goal)
    every = _every(goal)
    assert every is not None
    tail = Tail(search, term, facts, every[2][1][0] == "and")
    told = [*tail.outer, *search.define(value, tail.outer), *search.define(tail.limit, tail.outer)]
    same = search.atom(("=", minus(tail.limit, value)), told, 2)
    positive = hyp((">", "e'"))
    witness: Node = ("+", ("*", tail.most, ("^", "e'", MINUS)), tail.after)
    guard, known = tail.assume(witness, [positive])
    x = every[1]
    own = substitute(term, END, x) if x != END else term
    aim, goal = goal, replaced(goal, minus(own, value), minus(own, tail.limit))
    inner = _inside(goal)
    assert inner is not None
    plain = inner
    for s in tail.forms:
        plain = replaced(plain, s, tail.value(s))
    known += search.define(plain[1][1], known)
    known.append(search.atom((">=", tail.after), known))
    at = {f.concl: i for i, f in enumerate(known)}
    b, e = at[(">", END)], at[(">", "e'")]
    halves = []
    for part, sign in ((plain[1], 1), (plain[2], -1)):
        bound = tail.bound(part[1][2][2] if sign > 0 else part[1][2], sign, known)
        # e' - gap = (b - d') e'/b + after e'/b + (M - b gap)/b
        halves.append(apply("combine", part, (*known, bound), (
            (ONE, ((at[gt(END, witness)], 1), (e, 1), (b, -1)), ()),
            (ONE, ((at[(">=", tail.after)], 1), (e, 1), (b, -1)), ()), (ONE, ((len(known), 1), (b, -1)), ()))))
    step = apply("and_intro", tuple(halves))
    for s in tail.forms:
        template = replaced(inner, s, "z'")
        for other in list(tail.forms)[list(tail.forms).index(s) + 1:]:
            template = replaced(template, other, tail.value(other))
        step = apply("rewrite", tail.compared(s, s, known), step, "z'", template, tail.value(s), s)
    step = cut_all(parts(hyp(guard)), step)
    step = apply("all_intro", END, apply("imp_intro", guard, step))
    if x != END:
        step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    step = apply("ex_intro", goal[2][2], witness, step, (*tail.outer, positive))
    step = apply("all_intro", "e'", apply("imp_intro", (">", "e'"), step))
    template = replaced(aim, minus(own, value), minus(own, "z'"))
    return step if goal == aim else apply("rewrite", same, step, "z'", template, tail.limit, value)


def described(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Some v is the limit of partial sums, and so on: the limit is."""
    _, v, body = goal
    for part in body[1:] if body[0] == "and" else ():
        if shape(part) == "tends" and limit_and_term(part)[1] == v:
            term = limit_and_term(part)[0]
            limit = Tail(search, term, facts).limit
            known = [*facts, *search.define(limit, facts)]
            return apply("ex_intro", goal, limit, search.solve(substitute(body, v, limit), known, depth), tuple(known))
    raise Stuck("not of this shape")


def mended(search: Search, formula: Node, facts: Facts) -> Step | None:
    """Of a part of the formula that says that partial sums tend to a value, and is wrong at some point: that they
    tend to their limit."""
    for part in formula[1:] if formula[0] == "and" else (formula,):
        if part[0] == "and" and (found := mended(search, part, facts)) is not None:
            return found
        if shape(part) == "tends":
            term, value = limit_and_term(part)
            tail = Tail(search, term, facts)
            gap = minus(tail.limit, value)
            points = samples([f.concl for f in facts], free(gap).union(*(f.variables for f in facts)), 6)
            if any(abs(evaluate(gap, p)) > 1e-9 for p in points or [{}]):
                own = substitute(term, END, _every(part)[1])  # type: ignore[index]
                return tends(search, replaced(part, minus(own, value), minus(own, tail.limit)), facts)
    return None


def bounded(search: Search, goal: Node, facts: Facts) -> Step:
    """c' is the limit and M of a sum above, and d' is the place after which that is known."""
    inner = _inside(goal)
    assert inner is not None
    (s,) = list(partial(inner[1]))
    above = larger(search, s, facts)
    tail = Tail(search, above, facts)
    guard, known = tail.assume(tail.after, [])
    total: Node = ("+", tail.limit, tail.most)
    value = tail.value(above)
    known += [*search.define(total, known), *search.define(value, known)]
    bound = tail.bound(minus(value, tail.limit), 1, known)
    known += [bound, search.atom((">=", minus(END, ONE)), known), tail.compared(above, s, known)]
    at, b = {f.concl: i for i, f in enumerate(known)}, len(known) - 3
    over = at[(">", END)]
    # c' - A = (M - b r)/b + M (b - 1)/b + (closed form - A)
    step = apply("combine", substitute(inner, "c'", total), tuple(known), (
        (ONE, ((b, 1), (over, -1)), ()), (ONE, ((at[(">=", tail.most)], 1), (b + 1, 1), (over, -1)), ()),
        (ONE, ((b + 2, 1),), ())))
    step = cut_all(parts(hyp(guard)), step)
    step = apply("all_intro", END, apply("imp_intro", guard, step))
    opened = substitute(goal[2], "c'", total)
    step = apply("ex_intro", opened, tail.after, step, tuple(tail.outer))
    return apply("ex_intro", goal, total, step, (*tail.outer, *search.define(total, tail.outer)))


def larger(search: Search, s: Node, facts: Facts) -> Node:
    """The sum with what is above each absolute value in its summand: the term, if it is not negative at some places,
    else one more than its square."""
    _, x, low, _, body = s
    outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
    for t in _maxima(body):
        g = t[1]
        places = [hyp(("isint", x)), hyp(ge(x, low))] if s[0] == "sum" else [hyp(ge(x, low))]
        try:
            search.combine((">=", g), [*outer, *places], 2)
            new = g
        except (Stuck, KernelError):
            new = ("+", ("^", g, Fraction(2)), ONE)
        body = replaced(body, t, new)
    return (*s[:4], body)


def _maxima(body: Node) -> list[Node]:
    if not isinstance(body, tuple):
        return []
    found = [m for part in body[1:] for m in _maxima(part)]
    return [*found, body] if body[0] == "max" and body[2] == neg_term(body[1]) else found


__all__ = ["described", "mended", "moments", "shape"]
