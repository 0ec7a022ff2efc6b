"""Positive combination, facts about functions, enclosures, and the rules of calculus."""

from __future__ import annotations

from typing import Any

from .enclosure import Range, verify_on_box
from .errors import demand
from .graph import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    Node,
    add,
    conjunction,
    difference,
    exp,
    log,
    make,
    mul,
    number,
    opposite,
    power,
    relation,
    replace,
    var,
)
from .judgement import NOTHING, Facts, Judgement, is_comparison, need_defined, pooled, rule
from .quotients import Field
from .rules_logic import speak_of
from .slopes import carried_out, continuous, slope

# multiplier, ((fact, exponent), ..), terms to be squared
Product = tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]


@rule("formula", "thms", "products")
def combine(goal: Node, facts: Facts, products: tuple[Product, ...]) -> Judgement:
    """The goal's term is a sum of products of the facts' terms and squares, whose signs give the goal's."""
    demand(is_comparison(goal), "combine: the goal is no comparison")
    term = goal.kids[0]
    need_defined(facts, term, *(t for p in products for t in (p[0], *p[2])))
    signs = [s for s in (product_sign(p, facts) for p in products) if s != "="]
    if goal.op == "=":
        demand(not signs, "combine: a product is not known to be zero")
    elif goal.op == "!=":
        demand(signs in ([">"], ["!="]), "combine: not one nonzero product")
    else:
        demand("!=" not in signs and (goal.op == ">=" or ">" in signs), "combine: the signs do not give the goal")
    used = [facts[i].claim.kids[0] for _, powers, _ in products for i, _ in powers]
    field = Field([term, *used, *(t for p in products for t in (p[0], *p[2]))])
    summands = [field.product([field.quotient(MINUS_ONE), field.quotient(term)])]
    for multiplier, powers, squares in products:
        factors = [field.to_power(field.quotient(facts[i].claim.kids[0]), e) for i, e in powers]
        factors += [field.to_power(field.quotient(s), 2) for s in squares]
        summands.append(field.product([field.quotient(multiplier), *factors]))
    demand(bool(field.total(summands)[0].is_zero()), "combine: the sum is not the goal's term")
    return Judgement(pooled(facts), goal)


def product_sign(product: Product, facts: Facts) -> str:
    """What the facts say of a product: = (zero), > , >= or != (nonzero of unknown sign)."""
    multiplier, powers, squares = product
    relations = []
    for i, e in powers:
        demand(0 <= i < len(facts) and e != 0, "combine: no such factor")
        r = facts[i].claim.op
        demand(is_comparison(facts[i].claim), "combine: a fact that is no comparison")
        demand(e > 0 or r in (">", "!="), "combine: a factor below the fraction bar may be zero")
        relations.append((r, e))
    if any(r == "=" for r, _ in relations):
        return "="
    demand(multiplier.op == "num", "combine: a multiplier that is no number")
    nonnegative = multiplier.value >= 0 and all(r != "!=" or e % 2 == 0 for r, e in relations)
    nonzero = multiplier.value != 0 and not squares and all(r != ">=" for r, _ in relations)
    demand(nonnegative or nonzero, "combine: a product of unknown sign")
    return {(True, True): ">", (True, False): ">=", (False, True): "!="}[nonnegative, nonzero]


def known(facts: Facts, claim: Node, *needed: Node) -> Judgement:
    """A truth about functions, wherever the needed terms are defined."""
    need_defined(facts, *needed)
    return Judgement(pooled(facts), claim)


def among(facts: Facts, claim: Node) -> bool:
    return any(f.claim is claim for f in facts)


@rule("term", "thms")
def exp_positive(u: Node, facts: Facts) -> Judgement:
    return known(facts, make(">", exp(u)), u)


@rule("term", "thms")
def exp_above_tangent(u: Node, facts: Facts) -> Judgement:
    sign = ">" if among(facts, make("!=", u)) else ">="
    return known(facts, relation(sign, exp(u), add(ONE, u)), u)


@rule("term", "term", "thms")
def exp_sum(u: Node, v: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", exp(add(u, v)), mul(exp(u), exp(v))), u, v)


@rule("term", "term", "thms")
def exp_multiple(u: Node, n: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", exp(mul(n, u)), power(exp(u), n)), u, n)


@rule()
def exp_zero() -> Judgement:
    return Judgement(NOTHING, relation("=", exp(ZERO), ONE))


@rule("term", "thms")
def log_exp(u: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", log(exp(u)), u), u)


@rule("term", "thms")
def exp_log(u: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", exp(log(u)), u), log(u))


@rule("term", "thms")
def log_below_tangent(u: Node, facts: Facts) -> Judgement:
    sign = ">" if among(facts, relation("!=", u, ONE)) else ">="
    return known(facts, relation(sign, difference(u, ONE), log(u)), log(u))


@rule("term", "term", "thms")
def log_product(u: Node, v: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", log(mul(u, v)), add(log(u), log(v))), log(u), log(v))


@rule("term", "term", "thms")
def log_power(u: Node, n: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", log(power(u, n)), mul(n, log(u))), log(u), n)


@rule()
def log_one() -> Judgement:
    return Judgement(NOTHING, make("=", log(ONE)))


@rule("term", "term", "thms")
def power_exp(a: Node, b: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", power(a, b), exp(mul(b, log(a)))), b, log(a))


@rule("term", "term", "thms")
def power_step(a: Node, n: Node, facts: Facts) -> Judgement:
    return known(facts, relation("=", power(a, add(n, ONE)), mul(power(a, n), a)), power(a, n))


@rule("term", "term", "thms")
def max_bounds(a: Node, b: Node, facts: Facts) -> Judgement:
    m = make("max", a, b)
    one_of = make("=", mul(difference(m, a), difference(m, b)))
    return known(facts, conjunction(relation(">=", m, a), relation(">=", m, b), one_of), m)


@rule("term", "thms")
def sqrt_square(u: Node, facts: Facts) -> Judgement:
    s = make("sqrt", u)
    return known(facts, conjunction(make(">=", s), relation("=", power(s, TWO), u)), s)


@rule("term", "thms")
def lambert_equation(w: Node, facts: Facts) -> Judgement:
    demand(w.op == "W", "lambert_equation: not a W")
    return known(facts, conjunction(lambert_defining(w, w), lambert_side(w, w)), w)


@rule("term", "term", "thm", "thm")
def lambert_value(w: Node, v: Node, equation: Judgement, side: Judgement) -> Judgement:
    demand(w.op == "W", "lambert_value: not a W")
    demand(equation.claim is lambert_defining(w, v), "lambert_value: another equation")
    demand(side.claim is lambert_side(w, v), "lambert_value: the other branch")
    return Judgement(equation.hyps | side.hyps, relation("=", w, v))


def lambert_defining(w: Node, v: Node) -> Node:
    """v e^v = u, for w = W(u)."""
    return relation("=", mul(v, exp(v)), w.kids[0])


def lambert_side(w: Node, v: Node) -> Node:
    """v is on the branch of w."""
    above = add(v, ONE)
    return make(">=", above if w.tag == 0 else opposite(above))


@rule("formula", "box", "tree", "int")
def ball(goal: Node, box: dict[str, Range], tree: Any, bits: int) -> Judgement:
    demand(goal.op in (">", ">=", "!="), "ball: no inequality")
    verify_on_box(goal, box, tree, bits)
    hyps = [relation(">=", var(x), number(low)) for x, (low, _) in box.items()]
    hyps += [relation(">=", number(high), var(x)) for x, (_, high) in box.items()]
    return Judgement(frozenset(hyps), goal)


class Interval:
    """The closed interval from a to b of the variable x, a <= b by the theorem ``order``."""

    def __init__(self, x: str, a: Node, b: Node, order: Judgement) -> None:
        demand(x not in a.free | b.free, f"an end of the interval speaks of {x}")
        self.proper = order.claim is relation(">", b, a)
        demand(self.proper or order.claim is relation(">=", b, a), "the ends may be in the other order")
        self.x = x
        self.closed = {relation(">=", var(x), a), relation(">=", b, var(x))}
        self.open = {relation(">", var(x), a), relation(">", b, var(x))}

    def rest(self, thm: Judgement, allowed: set[Node]) -> frozenset[Node]:
        """The theorem's other hypotheses; they must not speak of x."""
        rest = thm.hyps - allowed
        demand(not speak_of(self.x, rest), f"another hypothesis on the interval speaks of {self.x}")
        return rest

    def function(self, f: Node, thm: Judgement) -> frozenset[Node]:
        """What it takes for f to be defined, hence continuous, on the closed interval."""
        demand(continuous(f, self.x), "the function may be discontinuous")
        demand(thm.claim is make("def", f), "the function may be undefined on the interval")
        return self.rest(thm, self.closed)

    def inside(self, thm: Judgement) -> frozenset[Node]:
        return self.rest(thm, self.closed | self.open)


@rule("name", "term", "term", "term", "thm", "thm", "thm")
def mean_value(x: str, f: Node, a: Node, b: Node, order: Judgement, domain: Judgement,
               rate: Judgement) -> Judgement:
    span = Interval(x, a, b, order)
    hyps = order.hyps | span.function(f, domain) | span.inside(rate)
    sign = rate.claim.op
    demand(sign in (">", ">=", "="), "mean_value: the derivative has no sign")
    demand(rate.claim.kids[0] is slope(f, x), "mean_value: not the literal derivative")
    if sign == ">" and not span.proper:
        sign = ">="
    return Judgement(hyps, relation(sign, replace(f, x, b), replace(f, x, a)))


@rule("name", "term", "term", "term", "thm", "thm", "thm", "thm")
def intermediate_value(x: str, f: Node, a: Node, b: Node, order: Judgement, domain: Judgement, low: Judgement,
                       high: Judgement) -> Judgement:
    span = Interval(x, a, b, order)
    hyps = pooled((order, low, high)) | span.function(f, domain)
    for thm, end in ((low, opposite(replace(f, x, a))), (high, replace(f, x, b))):
        demand(thm.claim in (make(">", end), make(">=", end)), "intermediate_value: the sign at an end")
    root = conjunction(relation(low.claim.op, var(x), a), relation(high.claim.op, b, var(x)), make("=", f))
    return Judgement(hyps, make("ex", root, tag=x))


@rule("term", "term", "thm", "thm", "thm", "thm")
def fundamental_theorem(integral: Node, F: Node, order: Judgement, domain: Judgement, primitive: Judgement,
                        rate: Judgement) -> Judgement:
    demand(integral.op == "int", "fundamental_theorem: not an integral")
    x, (a, b, f) = integral.tag, integral.kids
    span = Interval(x, a, b, order)
    hyps = order.hyps | span.function(f, domain) | span.function(F, primitive) | span.inside(rate)
    sign, gain = rate.claim.op, difference(replace(F, x, b), replace(F, x, a))
    demand(sign in (">", ">=", "="), "fundamental_theorem: no sign")
    upper, lower = relation(sign, slope(F, x), f), relation(sign, f, slope(F, x))
    demand(rate.claim is upper or rate.claim is lower, "fundamental_theorem: not F' against f")
    weak = ">=" if sign == ">" and not span.proper else sign
    if sign == "=" or rate.claim is not upper:
        return Judgement(hyps, relation(weak, integral, gain))
    return Judgement(hyps, relation(weak, gain, integral))


@rule("term", "thms")
def integral_flip(integral: Node, facts: Facts) -> Judgement:
    demand(integral.op == "int", "integral_flip: not an integral")
    a, b, f = integral.kids
    other = make("int", b, a, f, tag=integral.tag)
    return known(facts, make("=", add(integral, other)), other)


@rule("term", "term", "name", "term", "term", "thm", "thms")
def derivative_near(t: Node, g: Node, y: str, low: Node, high: Node, same: Judgement, facts: Facts) -> Judgement:
    """Functions that agree on an open interval have the same derivative at each of its points."""
    demand(t.op == "diff", "derivative_near: no derivative")
    f, point = t.kids
    other = make("diff", g, point, tag=t.tag)
    outside = low.free | high.free | ((f.free | g.free) - {t.tag})
    demand(y not in outside, f"derivative_near: {y} is not fresh")
    demand(same.claim is relation("=", replace(f, t.tag, var(y)), replace(g, t.tag, var(y))),
           "derivative_near: another equation")
    demand(among(facts, relation(">", point, low)) and among(facts, relation(">", high, point)),
           "derivative_near: the point may lie outside")
    need_defined(facts, other)
    within = {relation(r, a, b) for r in (">", ">=") for a, b in ((var(y), low), (high, var(y)))}
    rest = same.hyps - within
    demand(not speak_of(y, rest), f"another hypothesis on the interval speaks of {y}")
    return Judgement(rest | pooled(facts), relation("=", t, other))


@rule("term", "thms")
def differentiate(t: Node, facts: Facts) -> Judgement:
    plain, conditions = carried_out(t)
    return known(facts, relation("=", t, plain), plain, *conditions)

