"""An inequality by the exponentials, or by the logarithms, of its two sides."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, minus, neg_term
from qtheory.proofs.tactics.applied import sides
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply
from qtheory.proofs.tactics.cases import by_cases
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.state import Search


def by_exponentials(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """c log(u) + b REL 0, c a number: u against exp(-b/c), of which the logarithm is -b/c."""
    forms = Forms()
    num, den = forms.quotient(goal[1])
    logs = [i for i, n in enumerate(forms.names) if isinstance(n, tuple) and n[0] == "log"]
    if den or len(logs) != 1 or depth < 2:
        raise Stuck("not one logarithm")
    own = ((logs[0], 1),)
    c = num.get(own, Fraction(0))
    if not c or any(a == logs[0] for m in num if m != own for a, _ in m):
        raise Stuck("not one logarithm")
    u = forms.names[logs[0]][1]
    if not isinstance(u, tuple):
        raise Stuck("the logarithm of a variable")
    other = poly_term(forms, {m: -a / c for m, a in num.items() if m != own})
    power: Node = ("exp", other)
    gap = minus(u, power) if c > 0 else minus(power, u)
    known = [*facts, *search.define(goal[1], facts)]
    step = search.atom((goal[0], gap), known, depth - 2)
    above, positive = apply("exp_positive", other, tuple(known)), search.atom((">", u), known, 2)
    small, large = (power, u) if c > 0 else (u, power)
    order = logs_in_order(small, large, above if c > 0 else positive, positive if c > 0 else above, step)
    image = apply("log_exp", other, tuple(known))
    return apply("combine", goal, (order, image, *known),
                 ((abs(c), ((0, 1),), ()), (c, ((1, 1),), ())))


def logs_in_order(small: Node, large: Node, below: Step, above: Step, order: Step) -> Step:
    """log(large) - log(small) REL 0 from large - small REL 0 and both signs: log(q) <= q - 1, q = small/large."""
    tangent = tangent_of_log(small, large, below, above)
    goal = (order.concl[0], minus(("log", large), ("log", small)))
    return apply("combine", goal, (tangent, order, below, above),
                 ((ONE, ((0, 1),), ()), (ONE, ((1, 1), (3, -1)), ())))


def tangent_of_log(a: Node, b: Node, above_a: Step, above_b: Step, strict: Step | None = None) -> Step:
    """log(a) <= log(b) + a/b - 1, for a > 0 and b > 0; ``strict``: that log(a/b) < a/b - 1."""
    inverse: Node = ("^", b, MINUS)
    ratio: Node = ("*", a, inverse)
    known = [above_a, above_b, apply("combine", (">", inverse), (above_b,), ((ONE, ((0, -1),), ()),))]
    known.append(apply("combine", (">", ratio), tuple(known), ((ONE, ((0, 1), (2, 1)), ()),)))
    facts = (strict or apply("log_below_tangent", ratio, tuple(known)), apply("log_product", a, inverse, tuple(known)),
             apply("log_power", b, MINUS, tuple(known)), *known)
    goal = (">" if strict else ">=", ("+", ("log", b), neg_term(("log", a)), ratio, MINUS))
    return apply("combine", goal, facts, ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()), (ONE, ((2, 1),), ())))


def tangent_of_exp(a: Node, b: Node, facts: Facts, strict: Step | None = None) -> Step:
    """exp(a) >= exp(b)*(1 + a - b); ``strict``: that exp(a - b) > 1 + a - b."""
    gap = minus(a, b)
    product = apply("exp_sum", gap, b, tuple(facts))
    same = apply("combine", ("=", minus(("+", gap, b), a)), tuple(facts), ())
    joined = apply("rewrite", same, product, "z'", ("=", minus(("exp", "z'"), product.concl[1][2][2])),
                   ("+", gap, b), a)
    tangent, above = strict or apply("exp_above_tangent", gap, tuple(facts)), apply("exp_positive", b, tuple(facts))
    goal = (tangent.concl[0], minus(("exp", a), ("*", ("exp", b), ("+", ONE, gap))))
    return apply("combine", goal, (tangent, above, joined, *facts), ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((2, 1),), ())))


def by_logarithms(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """a REL b, both positive products with exponentials or powers: log(a) REL log(b), taken apart; where a base may
    be 0, cases on that first."""
    a, b = sides(goal[1])
    rows = [factors_of(t) for t in (a, b)]
    if depth < 3 or ZERO in (a, b) or not any(raised(u, e) for row in rows for u, e in row):
        raise Stuck("no product with exponentials or powers")
    if any(exponential(s) for f in facts if f.concl[0] == "=" for s in occurring(f.concl[1])):
        raise Stuck("an equation tells of exponentials, and is what to use")
    known = list(facts)
    zero = {f.concl[1] for f in facts if f.concl[0] == "="}
    for u in dict.fromkeys(u for row in rows for u, _ in row if not isinstance(u, Fraction) and u[0] != "exp"):
        try:
            if u in zero:
                raise Stuck("a factor that is 0")
            known.append(search.atom((">", u), known, 2))
        except (Stuck, KernelError):
            if u in zero or search.quick((">=", u), known) is None:
                raise Stuck("a factor that may be negative") from None
            return by_cases(search, u, goal, facts, depth + 1)
    logs = [("+", ZERO, ZERO, *(("*", e, u[1] if exponential(u) else ("log", u)) for u, e in row if u != 1))
            for row in rows]
    gap = reduce_term(minus(*logs))
    step = search.atom((goal[0], gap), [*known, *search.define(gap, known)], depth - 1)
    known += [step, *search.define(minus(*logs), known)]
    known += [search.atom(("=", minus(("exp", log), t)), known, 3) for log, t in zip(logs, (a, b), strict=True)]
    equal = known[-2:]
    tangent = apply("exp_above_tangent", gap, tuple(known))
    product = apply("exp_sum", gap, logs[1], tuple(known))
    same = apply("combine", ("=", minus(("+", gap, logs[1]), logs[0])), tuple(known), ())
    joined = apply("rewrite", same, product, "z'", ("=", minus(("exp", "z'"), product.concl[1][2][2])),
                   ("+", gap, logs[1]), logs[0])
    above = apply("exp_positive", logs[1], tuple(known))
    # a - b = exp(log b) (exp(gap) - 1 - gap) + exp(log b) gap, and exp(log a) = exp(log b) exp(gap)
    return apply("combine", goal, (tangent, step, above, joined, *equal, *known), (
        (ONE, ((0, 1), (2, 1)), ()), (ONE, ((1, 1), (2, 1)), ()), (ONE, ((3, 1),), ()), (MINUS, ((4, 1),), ()),
        (ONE, ((5, 1),), ())))


def factors_of(t: Node) -> list[tuple[Node, Node]]:
    """Pairs (base, exponent) with the product t, as it is written; an exponential has the exponent 1."""
    if isinstance(t, tuple) and t[0] == "*":
        return [pair for part in t[1:] for pair in factors_of(part)]
    if isinstance(t, tuple) and t[0] == "^":
        return [(u, reduce_term(("*", e, t[2]))) for u, e in factors_of(t[1])]
    return [(t, ONE)]


def raised(u: Node, e: Node) -> bool:
    """Is it a power that a logarithm takes apart?"""
    return exponential(u) or not isinstance(e, Fraction) or e.denominator != 1


def exponential(u: Node) -> bool:
    return isinstance(u, tuple) and u[0] == "exp"


__all__ = ["by_exponentials", "by_logarithms", "tangent_of_exp", "tangent_of_log"]
