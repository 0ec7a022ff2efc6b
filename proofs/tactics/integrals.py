"""Tactics: integrals by the fundamental theorem."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

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
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, fresh, hyp
from qtheory.proofs.tactics.signed import monomial_term, poly_term
from qtheory.proofs.tactics.simplify import antiderivative, replace

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]

class Integrals:
    """An antiderivative by SymPy, differentiated back by the kernel."""

    def integral(self: Prover, term: Node, facts: Facts, turn: bool = True) -> Step:
        """int_a^b f = F(b) - F(a), with F by SymPy; ``turn``: the ends may stand in the other order."""
        self.tick()
        assumed = frozenset().union(*(s.hyps for s in facts))
        for step in self.integrals.get(term, ()):
            if step.hyps <= assumed:
                return step
        _, x, a, b, f = term
        if x in free(a) | free(b) or any(x in free(h) for h in assumed):
            raise Stuck(f"the integration variable {x} has another meaning outside")
        facts = [s for s in facts if x not in free(s.concl)]
        facts = [*facts, *self.define(a, facts), *self.define(b, facts)]
        try:
            order = self.atom(ge(b, a), facts)
            if a == b:
                return self.nothing(term, order, facts)
        except Stuck:
            if not turn:
                raise
            step = self.flip(term, self.integral(("int", x, b, a, f), facts, turn=False), facts)
        else:
            try:
                step = self.fundamental(term, order, facts)
            except Stuck:
                step = self.spread(term, order, facts)
        self.integrals.setdefault(term, []).append(step)
        return step

    def nothing(self: Prover, term: Node, order: Step, facts: Facts) -> Step:
        """int_a^a f = 0: between its ends there is nothing, so that f is the slope of 0 there."""
        _, x, a, b, f = term
        closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
        domains = [apply("defined", g, (*closed, *self.define(g, closed))) for g in (f, ZERO)]
        ends = (hyp(gt(x, a)), hyp(gt(b, x)), *facts)
        false = apply("combine", (">", ZERO), ends, ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        slope = apply("absurd", false, ("=", minus(derivative(ZERO, x), f)))
        return apply("fundamental_theorem", term, ZERO, order, *domains, slope)

    def fundamental(self: Prover, term: Node, order: Step, facts: Facts) -> Step:
        _, x, a, b, f = term
        positive = frozenset(v for v in free(term) if self.quick((">", v), facts))
        if (f, x) in self.not_elementary or self.strategy.antiderivatives.get(x) == ():
            raise Stuck("no antiderivative found before, or none to be sought")
        try:
            primitive = antiderivative(f, x, positive)
        except Stuck:
            self.not_elementary.add((f, x))
            raise
        closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
        primitive = self.oriented(primitive, x, closed)
        domain = apply("defined", f, (*closed, *self.define(f, closed)))
        whole = apply("defined", primitive, (*closed, *self.define(primitive, closed)))
        inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
        slope = self.atom(("=", minus(derivative(primitive, x), f)), inside)
        return apply("fundamental_theorem", term, primitive, order, domain, whole, slope)

    def oriented(self: Prover, primitive: Node, x: str, facts: Facts) -> Node:
        """With log(-g) for log(g) where g is negative on the range: SymPy writes log(x - 1) for either sign."""
        for part in sorted(set(subterms(primitive)), key=str):
            if isinstance(part, tuple) and part[0] == "log" and x in free(part[1]):
                opposite = neg_term(part[1])
                with suppress(Stuck):
                    if not self.quick((">", part[1]), facts) and self.atom((">", opposite), facts, 1):
                        primitive = replace(primitive, part, ("log", opposite))
        return primitive

    def spread(self: Prover, term: Node, order: Step, facts: Facts) -> Step:
        """int_a^b (c f + d g) = c int_a^b f + d int_a^b g for c, d free of x: both sides grow alike with b."""
        _, x, a, b, f = term
        pieces = linear_pieces(f, x)
        if len(pieces) == 1 and not any(("int", x, a, b, pieces[0][0]) in self.evident(s) for s in facts):
            raise Stuck("one integrand, and nothing is known of its integral without the factor")
        z = fresh("z", term, [h for s in facts for h in s.hyps], [s.concl for s in facts])

        def value(end: Node) -> Node:
            return ("+", ZERO, *(("*", c, minus(end, a) if g == ONE else ("int", x, a, end, g)) for g, c in pieces))

        body = minus(("int", x, a, z, f), value(z))
        closed = [*facts, hyp(ge(z, a)), hyp(ge(b, z))]
        domain = apply("defined", body, (*closed, *self.define(body, closed)))
        inside = [*facts, hyp(gt(z, a)), hyp(gt(b, z))]
        rate = ("=", derivative(body, z))
        slope = apply("combine", rate, (*inside, *self.define(rate[1], inside)), ())
        change = apply("mean_value", z, body, a, b, order, domain, slope)
        half = Fraction(1, 2)
        known: list[Step] = [change, *facts]
        products: list[tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]] = [(ONE, ((0, 1),), ())]
        for g, c in ((f, half), *((g, ("*", -half, c)) for g, c in pieces if g != ONE)):
            products.append((c, ((len(known), 1),), ()))
            known.append(apply("integral_flip", ("int", x, a, a, g), (change, *facts)))  # twice itself is zero
        return apply("combine", ("=", minus(term, value(b))), tuple(known), tuple(products))

    def integral_bounds(self: Prover, term: Node, facts: Facts) -> list[Step]:
        """int_a^b f against F(b) - F(a) where F' lies on one side of f: F' = 0, f(a), f(b), and the F of the proof."""
        _, x, a, b, f = term
        known = frozenset().union(*(s.hyps for s in facts))
        if x in free(a) | free(b) or any(x in free(h) for h in known):
            return []
        facts = [s for s in facts if x not in free(s.concl)]
        levels = [("*", substitute(f, x, end), x) for end in (a, b)]
        out: list[Step] = []
        for primitive in (ZERO, *self.strategy.antiderivatives.get(x, levels)):
            tried, found = self.integral_sides.setdefault((term, primitive), (set(), []))
            usable = [s for s in found if s.hyps <= known]
            if not usable and (key := self.numbered(facts)) not in tried:
                tried.add(key)
                usable = self.one_sided(term, primitive, facts)
                found += usable
            out += usable
        return out

    def one_sided(self: Prover, term: Node, primitive: Node, facts: Facts) -> list[Step]:
        """The bound that this F gives, if its slope stays on one side of the integrand."""
        _, x, a, b, f = term
        slope = derivative(primitive, x)
        for difference in (minus(f, slope), minus(slope, f)):
            self.tick()
            try:
                order = self.quick((">", minus(b, a)), facts) or self.atom(ge(b, a), facts)
                closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
                inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
                side = self.solve((">=", difference), inside, 2)
                domains = [apply("defined", g, (*closed, *self.define(g, closed))) for g in (f, primitive)]
                return [apply("fundamental_theorem", term, primitive, order, *domains, side)]
            except (Stuck, KernelError):
                continue
        return []

    def flip(self: Prover, term: Node, flipped: Step, facts: Facts) -> Step:
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
