"""Tactics: equations without denominators and without factors that are not zero."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import product

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, integer, minus, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.lemmas import cheaply
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import Rational, shortest
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.simplify import Simplifier
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import signs
from qtheory.proofs.tactics.terms import free_of_functions, in_exponent

MAX_FACTORS = 8
FEW = 3  # equations, of each of which what the others determine is put into the others


class Shorter(dict[tuple[Node, bool, frozenset[Node]], list[Step]]):
    """By the fact, whether the other equations were put into it, and what was said not to be zero: what is left of it
    without denominators and such factors."""


def without_denominators_in(search: Search, facts: Facts) -> list[Step]:
    """The facts, and what is left of their equations."""
    out, shorter = list(facts), search.own(Shorter)
    concls = {f.concl for f in facts}
    assumed = frozenset().union(*(f.hyps for f in facts))
    apart = frozenset(f.concl for f in facts if f.concl[0] == "!=")
    equations = [f for f in facts if f.concl[0] == "="]
    for f, eliminate in product(equations, (False, True) if 1 < len(equations) <= FEW else (False,)):
        if not _fraction(f.concl[1]):
            continue
        key = f.concl, eliminate, apart
        kept = next((s for s in shorter.get(key, ()) if s.hyps <= assumed), None)
        if kept is None:
            search.tick()
            try:
                kept = cleared_fact(search, f, facts, eliminate)
            except (Stuck, KernelError):
                search.tick()
                kept = f
            shorter.setdefault(key, []).append(kept)
        if kept.concl not in concls:
            concls.add(kept.concl)
            out.append(kept)
    return out


def cleared_fact(search: Search, fact: Step, facts: Facts, eliminate: bool) -> Step:
    """``eliminate``: without what the other equations determine, with which its factors may be seen."""
    others = [f for f in facts if f is not fact]
    simple = Simplifier(search, fact.concl[1], [*others, fact] if eliminate else [fact, *others])
    if eliminate:
        simple.eliminate()
    simple.run()
    plain = fact
    if simple.equation is not None:
        plain = apply("combine", ("=", simple.current), (fact, simple.equation, *simple.facts),
                      ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))
    left, factor, known = factored(search, simple.current, simple.facts)
    return apply("combine", ("=", left), (plain, *known), ((("^", factor, -ONE), ((0, 1),), ()),))


def by_clearing(search: Search, goal: Node, facts: Facts) -> Step:
    """An equation by the equations among the facts, all without denominators."""
    left, factor, known = factored(search, goal[1], facts)
    known = without_denominators_in(search, known)
    inner = Combiner(known).prove(("=", left), 1)
    return apply("combine", goal, (inner, *known), ((factor, ((0, 1),), ()),))


def untold(combiner: Combiner) -> list[Node]:
    """Denominators in the facts whose sign no fact tells; that one is not 0 is enough below an equation."""
    signs, below = combiner.signs, dict[frozenset, None]()
    for f, (_, den) in zip(combiner.facts, combiner.raw, strict=True):
        below |= dict.fromkeys(d for d, e in den.items() if f.concl[0] != "!=" and (
            d not in signs or (signs[d][2] == "!=" and e % 2 and f.concl[0] != "=")))
    return [poly_term(combiner.forms, dict(d)) for d in below]


def told_below(search: Search, goal: Node, facts: Facts) -> bool:
    """Is the goal, up to a number, the numerator of a fact with denominators?"""
    combiner = search.combiner(facts)
    quotients = [num for num, den in combiner.raw if den]
    if not quotients:
        return False
    wanted, below = combiner.forked().forms.form(goal[1])
    if below or not wanted:
        return False
    return any(num.keys() == wanted.keys() and len({Fraction(num[m]) / Fraction(c) for m, c in wanted.items()}) == 1
               for num in quotients)


def by_signs_below(search: Search, goal: Node, facts: Facts) -> Step:
    """A combination of the facts and of the signs of their denominators, so far as the facts give these."""
    combiner = search.combiner(facts)
    signs = [found for d in untold(combiner) if (found := combiner.told_sign(d)) is not None]
    if not signs:
        raise Stuck("the signs of the facts' denominators are not found")
    return search.combine(goal, [*facts, *signs], 2)


def by_factors(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The sign of a quotient of products from those of its factors.  One of a product's may take a search; that of a
    quotient without its denominators has slopes that are no simpler."""
    relation, term = goal
    forms = Forms()
    num, den = forms.quotient(term)
    number, factors = Rational(forms).split(num, den)
    rows = [(poly_term(forms, p), e) for p, e in factors]
    if len(rows) > MAX_FACTORS or not any(len(rows) > 1 or e != 1 for _, e in rows):
        raise Stuck("no product")
    known, powers, squares = list(facts), list[tuple[Step, int]](), list[Node]()
    hard: list[tuple[Node, int]] = []
    rows.sort(key=lambda row: len(str(row[0])))
    for p, e in rows:
        odd = e > 0 and e % 2 == 1
        # the signs of the shorter ones tell which one the longest must have: no other is looked for
        told = p is rows[-1][0] and odd and not hard and relation != "!="
        found = None if told else sign_of(search, p, relation if e > 0 else ">", known)
        if found is None and relation == ">=" and e > 0 and e % 2 == 0:
            squares += [p] * (e // 2)
            continue
        if found is None:
            hard.append((p, e))
            if len(hard) > 1 or not odd:
                raise Stuck("more than one factor of unknown sign")
            continue
        step, sign = found
        number *= Fraction(sign) ** e
        powers.append((step, e))
    for p, e in hard:
        wanted = p if number > 0 else neg_term(p)
        number *= (1 if number > 0 else -1) ** e
        try:
            powers.append((cheaply(search, (relation, wanted), known), e))
        except (Stuck, KernelError):
            if not free_of_functions(wanted) or depth < 2 or any(power < 0 for _, power in rows):
                raise
            powers.append((search.atom((relation, wanted), known, depth - 1), e))
    if number < 0 and relation != "!=":
        raise Stuck("the product has the other sign")
    steps = tuple(s for s, _ in powers)
    product = (number, tuple((i, e) for i, (_, e) in enumerate(powers)), tuple(squares))
    return apply("combine", goal, (*steps, *known), (product,))


def without_denominators(search: Search, goal: Node, facts: Facts, depth: int, every: bool = True) -> Step:
    """The goal from that for its numerator: a slope, or the step of an induction, is simpler without denominators.
    ``every``: also without those that are products of variables, powers and factorials."""
    known = [*facts, *search.define(goal[1], facts)]
    combiner = Combiner(known)
    num, den = combiner.forms.quotient(goal[1])
    own = {d: e for d, e in den.items() if every or len(d) > 1 or summed(poly_term(combiner.forms, dict(d)))}
    if not own or not free_of_functions(goal[1]) or not Forms().quotient(shortest(goal[1]))[1]:
        raise Stuck("no denominators")
    below = [poly_term(combiner.forms, dict(d)) for d in own]
    found = [combiner.told_sign(d) or sought_sign(search, d, known, depth) for d in below]
    known += [s for s in found if s is not None]
    cleared = Combiner(known).clear(own, 1)
    if cleared is None:
        raise Stuck("a denominator of unknown sign")
    rest = [("^", poly_term(combiner.forms, dict(d)), Fraction(-e)) for d, e in den.items() if d not in own]
    whole: Node = ("*", poly_term(combiner.forms, num if cleared[1] > 0 else {m: -c for m, c in num.items()}), *rest)
    whole = whole if rest else whole[1]
    return search.combine(goal, [search.atom((goal[0], whole), known, depth), *known], 1)


def sought_sign(search: Search, t: Node, facts: Facts, depth: int) -> Step | None:
    """The strict sign of a term, by the signs of its sums or a search."""
    known = [*facts, *signs(search, t, facts)]
    for u in (t, neg_term(t)):
        if search.points((">", u), known) and not search.seen_false((">", u), known):
            with suppress(Stuck, KernelError):
                return search.atom((">", u), known, min(depth - 1, 3))
    return None


def summed(t: Node) -> bool:
    return isinstance(t, tuple) and t[0] == "sum"


def sums_below(goal: Node, facts: Facts) -> bool:
    """Is there a denominator of several summands with an integer in an exponent, or in the end of a sum?"""
    whole = [f.concl[1] for f in facts if f.concl[0] == "isint" and isinstance(f.concl[1], str)]
    forms = Forms()
    below = [poly_term(forms, dict(d)) for d in forms.quotient(goal[1])[1]] if whole else []
    return any(in_exponent(d, v) for d in below if summed(d) or d[0] == "+" for v in whole)


def sums_cleared(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Denominators that an induction would have to take along."""
    return without_denominators(search, goal, facts, depth, every=False)


def sign_of(search: Search, p: Node, relation: str, facts: Facts) -> tuple[Step, int] | None:
    """A step for p REL 0 or -p REL 0, and which."""
    for r in dict.fromkeys((">", relation)):
        for t, sign in ((p, 1), (neg_term(p), -1)):
            found = search.quick((r, t), facts)
            if found is not None:
                return found, sign
    return None


def factored(search: Search, term: Node, facts: Facts) -> tuple[Node, Node, list[Step]]:
    """(p, q, facts) with term = p q, q not zero and defined by the facts, p a polynomial."""
    forms = Forms()
    num, den = forms.quotient(term)
    rational = Rational(forms)
    known = list(facts)
    top, below = rational.reduced(num, den)
    content, rows = rational.factors(top)
    kept: list[Node] = []
    gone: list[Node] = [content]
    for p, e in rows[:MAX_FACTORS]:
        factor = poly_term(forms, p)
        positive = not_zero(search, factor, known) if len(rows) > 1 else None
        if positive is None:
            kept.append(factor)  # p^e = 0 exactly where p = 0, but the combination needs p^e
            kept += [factor] * (e - 1)
        else:
            known.append(positive)
            gone.append(factor if e == 1 else ("^", factor, Fraction(e)))
    size, rows = rational.factors(below)
    gone[0] = content / size
    for p, e in rows:
        factor = poly_term(forms, p)
        if (positive := not_zero(search, factor, known)) is None:
            raise Stuck("a denominator may be zero")
        known.append(positive)
        gone.append(("^", factor, Fraction(-e)))
    left: Node = ZERO if not num else ONE if not kept else kept[0] if len(kept) == 1 else ("*", *kept)
    factor = gone[0] if len(gone) == 1 else ("*", *gone)
    nonzero = apply("combine", ("!=", factor), tuple(known), product_of(search, factor, known))
    return left, factor, [*known, nonzero]


def product_of(search: Search, factor: Node, known: list[Step]) -> tuple:
    """The product of facts that makes the factor."""
    places = {f.concl: i for i, f in enumerate(known)}
    number, powers = ONE, []
    for g in factor[1:] if isinstance(factor, tuple) and factor[0] == "*" else (factor,):
        if isinstance(g, Fraction):
            number *= g
            continue
        base, e = (g[1], int(g[2])) if isinstance(g, tuple) and g[0] == "^" and integer(g[2]) else (g, 1)
        place = next((places[c] for c in ((">", base), ("!=", base)) if c in places), None)
        if place is None:
            raise Stuck("a factor of unknown sign")
        powers.append((place, e))
    return ((number, tuple(powers), ()),)


def not_zero(search: Search, t: Node, facts: Facts) -> Step | None:
    if isinstance(t, Fraction):
        return None
    for f in facts:
        if f.concl in ((">", t), ("!=", t)):
            return f
        for way in (ONE, MINUS) if f.concl[0] == "!=" else ():
            if Forms().zero(minus(f.concl[1], ("*", way, t))):
                return apply("combine", ("!=", t), (f,), ((way, ((0, 1),), ()),))
    found = search.quick((">", t), facts)
    if found is not None:
        return found
    below = search.quick((">", neg_term(t)), facts)
    return below and nonzero(t, below)


def nonzero(t: Node, strict: Step) -> Step:
    """t != 0 from t > 0 or from -t > 0."""
    return apply("combine", ("!=", t), (strict,), ((ONE if strict.concl[1] == t else MINUS, ((0, 1),), ()),))


def _fraction(t: Node) -> bool:
    """Is there anything to be cleared in the term: a denominator, a derivative, a product?"""
    return any(isinstance(s, tuple) and s[0] in ("^", "diff", "*") for s in occurring(t))
