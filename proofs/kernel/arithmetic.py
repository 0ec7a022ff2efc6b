"""The rule of positive combination, the facts about functions, and balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .balls import MAX_BITS, Interval, enclose
from .poly import Forms
from .terms import ONE, TWO, Node, ge, gt, minus, neg_term, reject, require, require_form, require_limit
from .theorem import Theorem, all_hyps, rule, settled

# A product of a combination: (multiplier, ((index of a fact, exponent), ..), terms to be squared)
Product = tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]


@rule("formula", "thms", "products")
def combine(goal: Node, facts: tuple[Theorem, ...], products: tuple[Product, ...]) -> Theorem:
    """The goal's term is formally a sum of products of the facts' terms, whose signs give the goal's relation.

    A product with a fact ``f = 0`` is zero, whatever else stands in it; any other is a nonnegative number times
    facts times squares.  Everything in it is defined (``settled``), so formal equality is equality.
    """
    relation, term = goal[0], goal[1] if len(goal) == 2 else reject("combine: the goal is no comparison")
    require_form(relation in (">", ">=", "=", "!="), "combine: the goal is no comparison")
    require(settled(term, facts), "combine: the goal may be undefined")
    pieces: list[Node] = [neg_term(term)]
    signs = []
    for multiplier, powers, squares in products:
        require(all(settled(t, facts) for t in (multiplier, *squares)), "combine: a multiplier may be undefined")
        signs.append(sign(multiplier, powers, squares, facts))
        factors = [facts[i].concl[1] if e == 1 else ("^", facts[i].concl[1], Fraction(e)) for i, e in powers]
        pieces.append(("*", multiplier, *factors, *(("^", s, TWO) for s in squares)))
    require(Forms().zero(("+", *pieces, Fraction(0))), "combine: the sum is not the goal's term")
    nonzero = [s for s in signs if s != "="]
    if relation == "=":
        require(not nonzero, "combine: a product is not known to be zero")
    elif relation == "!=":
        require(len(nonzero) == 1 and nonzero[0] in (">", "!="), "combine: not one nonzero product")
    else:
        require("!=" not in nonzero, "combine: a product of unknown sign")
        require(relation == ">=" or ">" in nonzero, "combine: no product is strictly positive")
    return Theorem(all_hyps(*facts), goal)


def sign(multiplier: Node, powers: tuple[tuple[int, int], ...], squares: tuple[Node, ...],
         facts: tuple[Theorem, ...]) -> str:
    """The relation to zero that the facts give to a product."""
    strict, even, zero = True, True, False
    for i, exponent in powers:
        require_form(0 <= i < len(facts) and exponent != 0, "combine: a product names no fact")
        relation = facts[i].concl[0]
        require(relation in (">", ">=", "=", "!="), "combine: a fact is no comparison")
        require(exponent > 0 or relation in (">", "!="), "combine: a fact that may be zero below the fraction bar")
        zero = zero or relation == "="
        strict = strict and relation != ">="
        even = even and (relation != "!=" or exponent % 2 == 0)
    if zero:
        return "="
    require(isinstance(multiplier, Fraction), "combine: a multiplier that is not a number")
    positive = even and multiplier >= 0
    if strict and not squares and multiplier != 0:
        return ">" if positive else "!="
    require(positive, "combine: a product of unknown sign")
    return ">="


def fact(conclusion: Node, needs: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """A known truth about a function, where ``needs`` is defined."""
    require(settled(needs, facts), "an argument may be undefined")
    return Theorem(all_hyps(*facts), conclusion)


@rule("term", "thms")
def exp_positive(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """e^u > 0."""
    return fact((">", ("exp", u)), u, facts)


@rule("term", "thms")
def exp_above_tangent(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """e^u >= 1 + u (convexity), strictly if u != 0."""
    strict = any(f.concl == ("!=", u) for f in facts)
    return fact(gt(("exp", u), ("+", ONE, u)) if strict else ge(("exp", u), ("+", ONE, u)), u, facts)


@rule("term", "term", "thms")
def exp_sum(u: Node, v: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """e^(u+v) = e^u e^v."""
    return fact(("=", minus(("exp", ("+", u, v)), ("*", ("exp", u), ("exp", v)))), ("+", u, v), facts)


@rule("term", "term", "thms")
def exp_multiple(u: Node, n: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """e^(n u) = (e^u)^n: the base is positive, so the power is defined for every real n."""
    return fact(("=", minus(("exp", ("*", n, u)), ("^", ("exp", u), n))), ("+", u, n), facts)


@rule()
def exp_zero() -> Theorem:
    """e^0 = 1."""
    return Theorem(frozenset(), ("=", minus(("exp", Fraction(0)), ONE)))


@rule("term", "thms")
def log_exp(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """log e^u = u."""
    return fact(("=", minus(("log", ("exp", u)), u)), u, facts)


@rule("term", "thms")
def exp_log(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """e^(log u) = u for u > 0."""
    return fact(("=", minus(("exp", ("log", u)), u)), ("log", u), facts)


@rule("term", "thms")
def log_below_tangent(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """log u <= u - 1 for u > 0 (concavity), strictly if u - 1 != 0."""
    strict = any(f.concl == ("!=", minus(u, ONE)) for f in facts)
    bound = minus(u, ONE)
    return fact(gt(bound, ("log", u)) if strict else ge(bound, ("log", u)), ("log", u), facts)


@rule("term", "term", "thms")
def log_product(u: Node, v: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """log(u v) = log u + log v for u, v > 0."""
    return fact(("=", minus(("log", ("*", u, v)), ("+", ("log", u), ("log", v)))),
                ("+", ("log", u), ("log", v)), facts)


@rule("term", "term", "thms")
def log_power(u: Node, n: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """log(u^n) = n log u for u > 0 and any real n."""
    return fact(("=", minus(("log", ("^", u, n)), ("*", n, ("log", u)))), ("+", ("log", u), n), facts)


@rule()
def log_one() -> Theorem:
    """log 1 = 0."""
    return Theorem(frozenset(), ("=", ("log", ONE)))


@rule("term", "term", "thms")
def power_exp(a: Node, b: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """a^b = e^(b log a) for a > 0."""
    return fact(("=", minus(("^", a, b), ("exp", ("*", b, ("log", a))))), ("+", b, ("log", a)), facts)


@rule("term", "term", "thms")
def power_step(a: Node, n: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """a^(n+1) = a^n a where a^n is defined: n is an integer, or a > 0, or a = 0 and n > 0."""
    return fact(("=", minus(("^", a, ("+", n, ONE)), ("*", ("^", a, n), a))), ("^", a, n), facts)


@rule("term", "term", "thms")
def max_bounds(a: Node, b: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """max(a, b) is an upper bound of both and equal to one."""
    m = ("max", a, b)
    return fact(("and", ge(m, a), ge(m, b), ("=", ("*", minus(m, a), minus(m, b)))), m, facts)


@rule("term", "thms")
def sqrt_square(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """sqrt(u) >= 0 and sqrt(u)^2 = u for u >= 0."""
    s = ("sqrt", u)
    return fact(("and", (">=", s), ("=", minus(("^", s, Fraction(2)), u))), s, facts)


@rule("term", "thms")
def lambert_equation(w: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """W(u) e^W(u) = u, and W + 1 >= 0 on branch 0, <= 0 on branch -1, where W(u) is defined."""
    require_form(isinstance(w, tuple) and w[0] == "W", "lambert_equation needs a W")
    return fact(("and", ("=", minus(("*", w, ("exp", w)), w[2])), branch(w[1], w)), w, facts)


@rule("term", "term", "thm", "thm")
def lambert_value(w: Node, v: Node, equation: Theorem, side: Theorem) -> Theorem:
    """W(u) = v if v e^v = u on the branch's side: w e^w is strictly monotone on each side of -1."""
    require_form(isinstance(w, tuple) and w[0] == "W", "lambert_value needs a W")
    require(equation.concl == ("=", minus(("*", v, ("exp", v)), w[2])), "lambert_value: another equation")
    require(side.concl == branch(w[1], v), "lambert_value: the other branch")
    return Theorem(equation.hyps | side.hyps, ("=", minus(w, v)))


def branch(k: Node, w: Node) -> Node:
    return (">=", ("+", w, ONE)) if k == 0 else (">=", neg_term(("+", w, ONE)))


@rule("formula", "box", "tree", "int")
def ball(goal: Node, box: dict[str, Interval], tree: Any, bits: int) -> Theorem:
    """An inequality on a box of rational intervals, by enclosures over a finite subdivision of it.

    The tree is None at a leaf, else (variable, cut, left, right): the two parts cover the box whatever the cut.
    """
    require_form(goal[0] in (">", ">=", "!="), "ball: the goal is no inequality")
    require_limit(8 <= bits <= MAX_BITS, "ball: precision")
    cover(goal, box, tree, bits)
    ends = [ge(x, low) for x, (low, _) in box.items()] + [ge(high, x) for x, (_, high) in box.items()]
    return Theorem(frozenset(ends), goal)


def cover(goal: Node, box: dict[str, Interval], tree: Any, bits: int) -> None:
    if tree is None:
        low, high = enclose(goal[1], box, bits)
        good = low > 0 or (goal[0] == ">=" and low >= 0) or (goal[0] == "!=" and high < 0)
        require(good, "ball: undecided on a part")
        return
    x, cut, left, right = tree
    low, high = box.get(x, (cut + 1, cut))
    require_form(low <= cut <= high, "ball: a cut outside the box")
    cover(goal, {**box, x: (low, cut)}, left, bits)
    cover(goal, {**box, x: (cut, high)}, right, bits)
