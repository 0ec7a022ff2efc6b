"""Tactics: integrals by the fundamental theorem."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    minus,
    neg_term,
    substitute,
    subterms,
)
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, fresh, hyp
from qtheory.proofs.tactics.conditions import settled_by
from qtheory.proofs.tactics.primitives import antiderivative
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import monomial_term, poly_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import swap


@dataclass
class Integrals:
    """Values of integrals; their bounds on one side, with the facts from which these were sought; and those without an
    elementary antiderivative."""

    values: dict[Node, list[Step]] = field(default_factory=dict)
    sides: dict[tuple[Node, Node], tuple[set[frozenset[int]], list[Step]]] = field(default_factory=dict)
    not_elementary: set[tuple[Node, str]] = field(default_factory=set)


def integral_value(search: Search, term: Node, facts: Facts, turn: bool = True) -> Step:
    """int_a^b f = F(b) - F(a), with F by SymPy; ``turn``: the ends may stand in the other order."""
    search.tick()
    assumed = frozenset().union(*(s.hyps for s in facts))
    for step in search.own(Integrals).values.get(term, ()):
        if step.hyps <= assumed:
            return step
    _, x, a, b, f = term
    if x in free(a) | free(b) or any(x in free(h) for h in assumed):
        raise Stuck(f"the integration variable {x} has another meaning outside")
    facts = [s for s in facts if x not in free(s.concl)]
    facts = [*facts, *search.define(a, facts), *search.define(b, facts)]
    try:
        order = search.atom(ge(b, a), facts)
        if a == b:
            return nothing(search, term, order, facts)
    except Stuck:
        if not turn:
            raise
        step = flipped_integral(search, term, integral_value(search, ("int", x, b, a, f), facts, turn=False), facts)
    else:
        try:
            step = by_fundamental(search, term, order, facts)
        except Stuck:
            step = spread(search, term, order, facts)
    search.own(Integrals).values.setdefault(term, []).append(step)
    return step


def nothing(search: Search, term: Node, order: Step, facts: Facts) -> Step:
    """int_a^a f = 0: between its ends there is nothing, so that f is the slope of 0 there."""
    _, x, a, b, f = term
    closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
    domains = [apply("defined", g, (*closed, *search.define(g, closed))) for g in (f, ZERO)]
    ends = (hyp(gt(x, a)), hyp(gt(b, x)), *facts)
    false = apply("combine", (">", ZERO), ends, ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    slope = apply("absurd", false, ("=", minus(derivative(ZERO, x), f)))
    return apply("fundamental_theorem", term, ZERO, order, *domains, slope)


def by_fundamental(search: Search, term: Node, order: Step, facts: Facts) -> Step:
    _, x, a, b, f = term
    positive = frozenset(v for v in free(term) if search.quick((">", v), facts))
    if (f, x) in search.own(Integrals).not_elementary or search.told.antiderivatives.get(x) == ():
        raise Stuck("no antiderivative found before, or none to be sought")
    try:
        primitive = antiderivative(f, x, positive)
    except Stuck:
        search.own(Integrals).not_elementary.add((f, x))
        raise
    closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
    primitive = oriented(search, primitive, x, closed)
    domain = apply("defined", f, (*closed, *search.define(f, closed)))
    whole = apply("defined", primitive, (*closed, *search.define(primitive, closed)))
    inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
    slope = search.atom(("=", minus(derivative(primitive, x), f)), inside)
    return apply("fundamental_theorem", term, primitive, order, domain, whole, slope)


def oriented(search: Search, primitive: Node, x: str, facts: Facts) -> Node:
    """With log(-g) for log(g) where g is negative on the range: SymPy writes log(x - 1) for either sign."""
    for part in sorted(set(subterms(primitive)), key=str):
        if isinstance(part, tuple) and part[0] == "log" and x in free(part[1]):
            opposite = neg_term(part[1])
            with suppress(Stuck):
                if not search.quick((">", part[1]), facts) and search.atom((">", opposite), facts, 1):
                    primitive = swap(primitive, part, ("log", opposite))
    return primitive


def spread(search: Search, term: Node, order: Step, facts: Facts) -> Step:
    """int_a^b (c f + d g) = c int_a^b f + d int_a^b g for c, d free of x: both sides grow alike with b."""
    _, x, a, b, f = term
    pieces = linear_pieces(f, x)
    if len(pieces) == 1 and not any(("int", x, a, b, pieces[0][0]) in settled_by(search, s) for s in facts):
        raise Stuck("one integrand, and nothing is known of its integral without the factor")
    z = fresh("z", term, [h for s in facts for h in s.hyps], [s.concl for s in facts])

    def value(end: Node) -> Node:
        return ("+", ZERO, *(("*", c, minus(end, a) if g == ONE else ("int", x, a, end, g)) for g, c in pieces))

    body = minus(("int", x, a, z, f), value(z))
    closed = [*facts, hyp(ge(z, a)), hyp(ge(b, z))]
    domain = apply("defined", body, (*closed, *search.define(body, closed)))
    inside = [*facts, hyp(gt(z, a)), hyp(gt(b, z))]
    rate = ("=", derivative(body, z))
    slope = apply("combine", rate, (*inside, *search.define(rate[1], inside)), ())
    change = apply("mean_value", z, body, a, b, order, domain, slope)
    half = Fraction(1, 2)
    known: list[Step] = [change, *facts]
    products: list[tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]] = [(ONE, ((0, 1),), ())]
    for g, c in ((f, half), *((g, ("*", -half, c)) for g, c in pieces if g != ONE)):
        products.append((c, ((len(known), 1),), ()))
        known.append(apply("integral_flip", ("int", x, a, a, g), (change, *facts)))  # twice itself is zero
    return apply("combine", ("=", minus(term, value(b))), tuple(known), tuple(products))


def integral_bounds(search: Search, term: Node, facts: Facts) -> list[Step]:
    """int_a^b f against F(b) - F(a) where F' lies on one side of f: F' = 0, f(a), f(b), and the F of the proof."""
    _, x, a, b, f = term
    known = frozenset().union(*(s.hyps for s in facts))
    if x in free(a) | free(b) or any(x in free(h) for h in known):
        return []
    facts = [s for s in facts if x not in free(s.concl)]
    levels = [("*", substitute(f, x, end), x) for end in (a, b)]
    out: list[Step] = []
    for primitive in (ZERO, *search.told.antiderivatives.get(x, levels)):
        tried, found = search.own(Integrals).sides.setdefault((term, primitive), (set(), []))
        usable = [s for s in found if s.hyps <= known]
        if not usable and (key := search.numbered(facts)) not in tried:
            tried.add(key)
            usable = one_sided(search, term, primitive, facts)
            found += usable
        out += usable
    return out


def one_sided(search: Search, term: Node, primitive: Node, facts: Facts) -> list[Step]:
    """The bound that this F gives, if its slope stays on one side of the integrand."""
    _, x, a, b, f = term
    slope = derivative(primitive, x)
    for difference in (minus(f, slope), minus(slope, f)):
        search.tick()
        try:
            order = search.quick((">", minus(b, a)), facts) or search.atom(ge(b, a), facts)
            closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
            inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
            side = search.solve((">=", difference), inside, 2)
            domains = [apply("defined", g, (*closed, *search.define(g, closed))) for g in (f, primitive)]
            return [apply("fundamental_theorem", term, primitive, order, *domains, side)]
        except (Stuck, KernelError):
            continue
    return []


def flipped_integral(search: Search, term: Node, flipped: Step, facts: Facts) -> Step:
    turn = apply("integral_flip", term, (flipped, *facts))
    value = neg_term(flipped.concl[1][2][2])
    return apply("combine", ("=", minus(term, value)), (turn, flipped, *facts),
                 ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))


def linear_pieces(f: Node, x: str) -> list[tuple[Node, Node]]:
    """(g, c) with f the sum of the c g, c free of x; Stuck if that is f itself."""
    forms = Forms()
    num, den = forms.quotient(f)
    below: list[Node] = [("^", poly_term(forms, dict(d)), Fraction(-e)) for d, e in den.items()]
    moving = [d for d in below if x in free(d)]
    pieces: dict[Node, list[Node]] = {}
    for m, c in sorted(num.items()):
        own = tuple(p for p in m if x in free(forms.names[p[0]]))
        core = [monomial_term(forms, own), *moving] if own or not moving else moving
        g = core[0] if len(core) == 1 else ("*", *core)
        pieces.setdefault(g, []).append(monomial_term(forms, tuple(p for p in m if p not in own), c))
    fixed = [d for d in below if d not in moving]
    out = [(g, reduce_term(("*", ONE, ("+", ZERO, *cs), *fixed))) for g, cs in pieces.items()]
    if len(out) == 1 and out[0][1] == ONE:
        raise Stuck("one integrand without a factor")
    return out
