"""Integrals to b' against their closed form, by the fundamental theorem: what ``tail`` needs of integrals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, ge, gt, minus
from qtheory.proofs.tactics.builder import Facts, Step, apply, hyp
from qtheory.proofs.tactics.falling import Form
from qtheory.proofs.tactics.order import replaced

if TYPE_CHECKING:  # in annotations alone: partial sums ask for their integrals
    from qtheory.proofs.tactics.tail import Products, Tail


def integrated(tail: Tail, above: Node, s: Node, relation: str, known: Facts) -> Step:
    """By the fundamental theorem: the slope of the antiderivative is the integrand above."""
    form, (_, x, a, b, f) = tail.forms[above], s
    if form.pieces:
        return _in_pieces(tail, form, above, s, relation, known)
    primitive = ("*", tail.names.term(form.primitive), form.fall)
    slope_of, search = derivative(primitive, x), tail.search
    here = [k for k in known if x not in k.variables]
    inside = [*here, hyp(gt(x, a)), hyp(gt(b, x))]
    closed_in = [*here, hyp(ge(x, a)), hyp(ge(b, x))]
    facts = [*inside, *search.define(slope_of, inside), *search.define(above[4], inside), *search.define(f, inside)]
    rows: Products = []
    if relation == ">=":
        facts.append(tail.below(above[4], f, facts))
        rows.append((ONE, ((len(facts) - 1, 1),), ()))
    slope = apply("combine", (relation, minus(slope_of, f)), tuple(facts), tuple(rows))
    domain, whole = (apply("defined", t, (*closed_in, *search.define(t, closed_in))) for t in (f, primitive))
    gain = apply("fundamental_theorem", s, primitive, search.atom(ge(b, a), known), domain, whole, slope)
    rows = [(ONE if relation == ">=" else MINUS, ((len(known), 1),), ())]
    more = [gain]
    if a == ZERO:  # e^0 = 1
        more.append(search.atom(("=", minus(replaced(form.fall, x, a), ONE)), known))
        rows.append((tail.names.term(form.primitive.subs(form.k, 0)), ((len(known) + 1, 1),), ()))
    return apply("combine", (relation, minus(tail.value(above), s)), (*known, *more), tuple(rows))


def _in_pieces(tail: Tail, form: Form, above: Node, s: Node, relation: str, known: Facts) -> Step:
    """The same, of an integrand with several weights, which are multiplied out at each place."""
    (_, x, a, b, f), search = s, tail.search
    primitive: Node = ("+", ZERO, *(("*", tail.names.term(piece.primitive), piece.weight) for piece in form.pieces))
    slope_of, here = derivative(primitive, x), [k for k in known if x not in k.variables]
    inside, within = ([*here, hyp((order, minus(x, a))), hyp((order, minus(b, x)))] for order in (">", ">="))
    facts = [*inside, *search.define(slope_of, inside), *search.define(above[4], inside), *search.define(f, inside)]
    rows: Products = []
    for piece in form.pieces:
        for coefficient, product in piece.products:
            facts.append(search.atom(("=", minus(piece.weight, product)), inside))
            rows.append((tail.names.term(coefficient), ((len(facts) - 1, 1),), ()))
    if relation == ">=":
        facts.append(tail.below(above[4], f, facts))
        rows.append((ONE, ((len(facts) - 1, 1),), ()))
    slope = apply("combine", (relation, minus(slope_of, f)), tuple(facts), tuple(rows))
    domain, whole = (apply("defined", t, (*within, *search.define(t, within))) for t in (f, primitive))
    more = [apply("fundamental_theorem", s, primitive, search.atom(ge(b, a), known), domain, whole, slope)]
    rows = [(ONE if relation == ">=" else MINUS, ((len(known), 1),), ())]
    for piece in form.pieces if a == ZERO else ():
        more.append(search.atom(("=", minus(replaced(piece.weight, x, a), ONE)), known))
        rows.append((tail.names.term(piece.primitive.subs(form.k, 0)), ((len(known) + len(more) - 1, 1),), ()))
    return apply("combine", (relation, minus(tail.value(above), s)), (*known, *more), tuple(rows))


__all__ = ["integrated"]
