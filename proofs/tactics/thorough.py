"""The prover with further means for what the usual ones leave open: squares, turning points, both sides' exponentials.

They are kept apart from the others because each costs time in every attempt that fails, of which a search has many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import sympy

from qtheory.proofs.functions.exp import mostly_negative
from qtheory.proofs.functions.sqrt import square_root
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, Node, free, ge, minus, neg_term, substitute
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, hyp, parts, unused
from qtheory.proofs.tactics.cases import by_cases, by_order, by_root_of_square, in_case
from qtheory.proofs.tactics.cleared import without_denominators
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.generalise import by_root, under_roots
from qtheory.proofs.tactics.instances import rounded
from qtheory.proofs.tactics.logarithms import by_exponentials, by_logarithms
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.parameters import ASSUMED, by_parameter
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.radicals import by_squared_root
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.squares import by_multiplied_squares, by_squares, homogeneous
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strategy import Strategy, by_cost
from qtheory.proofs.tactics.strict import (
    by_bernoulli,
    by_either_side,
    by_failing_equation,
    by_failing_fact,
    by_order_of_exponents,
    by_strict_contradiction,
    by_strict_tangents,
    by_tangents_elsewhere,
    equations_to_fail,
)
from qtheory.proofs.tactics.sums import ends_times_number, outer_sums, with_values
from qtheory.proofs.tactics.terms import free_of_functions, size, swap
from qtheory.proofs.tactics.turning import by_contact, by_mirror, by_turning_point

HALF, TWO = Fraction(1, 2), Fraction(2)
MAX_SUMMAND = 30  # nodes


def in_ball(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Neither a float nor a normal form is needed, which may be too large."""
    return Point(search.prover).ball(goal)


def squares_strategy(search: Search, goal: Node, facts: Facts, depth: int,
                     way: Callable[[Combiner, Node], Step] = by_squares) -> Step:
    if any(isinstance(s, tuple) and s[0] in ("sum", "int", "diff", "max", "floor") for s in occurring(goal[1])):
        raise Stuck("no polynomial")
    spend("program", 5)
    return way(Combiner([*facts, *search.define(goal[1], facts)]), goal)


def multiplied_squares(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A polynomial of degree six or more of two variables, or four or more of three, need be no sum of squares; in one
    of monomials of one degree the first variable is nonzero, or else there is one variable less."""
    names = sorted(free(goal[1]))
    if not homogeneous(goal[1]) or not 1 < len(names) <= 3:
        return squares_strategy(search, goal, facts, depth, by_multiplied_squares)
    three = apply("trichotomy", names[0], ())
    cases = [in_case(search, case, goal, facts, depth - 1) if case[0] == "=" else squares_strategy(
        search, goal, [hyp(case), *facts], depth, by_multiplied_squares) for case in three.concl[1:]]
    return apply("or_elim", three, tuple(cases), goal)

# ---- powers with the exponent n/2, or n in base and exponent ----


def in_base_and_exponent(goal: Node, facts: Facts) -> frozenset[str]:
    """Integers that stand in the base and in the exponent of one power: no induction takes that apart."""
    powers = [s for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] == "^"]
    return frozenset(f.concl[1] for f in facts if f.concl[0] == "isint" and any(
        f.concl[1] in free(s[1]) & free(s[2]) for s in powers))


def over_the_reals(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal for all numbers, not for integers alone."""
    integers = in_base_and_exponent(goal, facts)
    return search.atom(goal, [f for f in facts if f.concl[0] != "isint" or f.concl[1] not in integers], depth)


def with_roots(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal with a power of sqrt(u) for each power of u whose exponent is half an odd number."""
    for s in occurring(goal[1]):
        if isinstance(s, tuple) and s[0] == "^" and isinstance(s[2], Fraction) and s[2].denominator == 2:
            equation = rooted(search, s, facts)
            simple = equation.concl[1][2][2]
            known = [*facts, equation, *parts(apply("sqrt_square", s[1], (*facts, equation)))]
            step = search.atom((goal[0], swap(goal[1], s, simple)), known, depth)
            back = apply("combine", ("=", minus(simple, s)), (equation,), ((MINUS, ((0, 1),), ()),))
            return apply("rewrite", back, step, "z'", (goal[0], swap(goal[1], s, "z'")), simple, s)
    raise Stuck("no such power")


def rooted(search: Search, power: Node, facts: Facts) -> Step:
    """u^(n/2) = sqrt(u)^n for u > 0: sqrt(u)^2 = u, and (r^2)^(n/2) = exp(n log(r)) = r^n."""
    _, u, exponent = power
    positive = search.atom((">", u), facts, 2)
    root, square = square_root(u, positive)
    r, n = root.concl[1], 2 * exponent
    logs = apply("log_power", r, TWO, (root,))  # log(r^2) = 2 log(r)
    above = apply("combine", (">", ("^", r, TWO)), (root,), ((ONE, ((0, 2),), ()),))
    known = (root, above, positive, logs, square)
    left = apply("power_exp", ("^", r, TWO), exponent, known)  # (r^2)^(n/2) = exp(n/2 log(r^2))
    multiple = ("*", n, ("log", r))
    inner = apply("combine", ("=", minus(("*", exponent, ("log", ("^", r, TWO))), multiple)), known,
                  ((exponent, ((3, 1),), ()),))
    base = ("^", ("^", r, TWO), exponent)
    left = apply("rewrite", inner, left, "z'", ("=", minus(base, ("exp", "z'"))), left.concl[1][2][2][1], multiple)
    steps = [left, apply("exp_multiple", ("log", r), n, known), apply("exp_log", r, known)]
    whole = apply("rewrite", steps[2], steps[1], "z'", ("=", minus(("exp", multiple), ("^", "z'", n))),
                  ("exp", ("log", r)), r)
    joined = apply("combine", ("=", minus(base, ("^", r, n))), (steps[0], whole, *known),
                   ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    return apply("rewrite", square, joined, "z'", ("=", minus(("^", "z'", exponent), ("^", r, n))),
                 ("^", r, TWO), u)

# ---- integrals and sums ----


def by_order_of_ends(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on which end of an integral is the greater one."""
    for s in occurring(goal[1]):
        if isinstance(s, tuple) and s[0] == "int":
            gap = reduce_term(minus(s[3], s[2]))
            if free(gap) and not any(search.quick((">=", t), facts) for t in (gap, neg_term(gap))):
                return by_cases(search, gap, goal, facts, depth)
    raise Stuck("no integral with ends of unknown order")


@dataclass
class Summing:
    """Is the closed form of a sum being proved?  That is by induction, not by another one's."""

    up: bool = False


def by_sums_in_closed_form(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal from equations of its sums with closed forms, which SymPy proposes."""
    sums, summing = outer_sums(goal), search.own(Summing)
    if not sums or summing.up:
        raise Stuck("no sum, or one that is summed up already")
    summing.up = True
    try:
        equations = [summed_up(search, s, facts) for s in sums]
    finally:
        summing.up = False
    return with_values(search, goal, facts, equations, depth)


def summed_up(search: Search, s: Node, facts: Facts) -> Step:
    """The sum and its closed form; of another upper end first, over which an induction can be made, where the end is
    no variable or stands in the summand too."""
    _, i, low, high, body = s
    if isinstance(high, str) and high not in free(body) - {i}:
        return search.atom(("=", minus(s, closed_form(s))), facts, 3)
    m = unused("m", facts, s)
    general: Node = ("sum", i, low, m, body)
    least = reduce_term(minus(low, ONE))
    said = [("isint", m), ge(m, least)]
    step = search.atom(("=", minus(general, closed_form(general))), [*facts, *map(hyp, said)], 3)
    given = [search.atom(substitute(f, m, high), facts, 2) for f in said]
    return cut_all(given, apply("instance", step, m, high, (*facts, *given)))

# ---- whole numbers ----


def rounded_up(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """t >= 0 from n t + 1 > 0 for an integer n t, n the common denominator of t's coefficients."""
    forms = Forms()
    num, den = forms.quotient(goal[1])
    n = lcm(*(c.denominator for c in num.values()))
    if goal[0] != ">=" or den or n == 1:
        raise Stuck("no multiple of an integer")
    multiple = poly_term(forms, {m: c * n for m, c in num.items()})
    step = rounded(search, (">=", multiple), facts, depth - 1)
    return apply("combine", goal, (step, *facts, *search.define(goal[1], facts)), ((Fraction(1, n), ((0, 1),), ()),))

def closed_form(s: Node) -> Node:
    """A term without a sum that SymPy takes for the sum's value."""
    _, i, low, high, body = s
    if size(body) > MAX_SUMMAND or any(isinstance(t, tuple) and t[0] in ("sum", "int", "app") for t in occurring(body)):
        raise Stuck("no simple summand")
    spend("sympy", 2)
    index = sympy.Symbol(i, real=True)
    summand, ends = to_sympy(body), (to_sympy(low), to_sympy(high))
    found = answer(lambda: sympy.summation(summand, (index, *ends)))
    if isinstance(found, sympy.Piecewise):
        found = found.args[-1][0]
    if found.has(sympy.Sum):
        raise Stuck("no closed form")
    return upright(from_sympy(sympy.factor_terms(sympy.powsimp(sympy.expand(found)))))


def upright(t: Node) -> Node:
    """The term with inverses of powers in the place of powers whose exponents are negative."""
    if not isinstance(t, tuple):
        return t
    made = (t[0], *map(upright, t[1:]))
    if t[0] == "^" and not isinstance(t[2], Fraction) and mostly_negative(t[2]):
        return ("^", ("^", made[1], reduce_term(neg_term(t[2]))), MINUS)
    return made


def _sign(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return depth > 0 and goal[0] in (">", ">=")


def _any(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return depth > 0


def _unequal(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return depth > 0 and goal[0] == "!="


EARLY = (Strategy("ball of a number", 0, in_ball,
                  lambda search, goal, facts, depth: goal[0] in (">", ">=", "!=") and not free(goal),
                  "encloses a term without variables", ("exp(1) > 27/10",)),)
FURTHER = by_cost(
    Strategy("root of a square", 19, by_root_of_square, _any, "cases on the sign of t, where sqrt(t**2) stands",
             ("sqrt((1 - 2*x)**2) >= 1 - 2*x",), "a root of a square"),
    Strategy("root as a variable", 19, by_root, lambda search, goal, facts, depth: depth > 1 and bool(
             under_roots(goal[1])),
             "r for sqrt(x), and r**2 for x", ("(x**(3/2) - 1)/(x - 1) >= sqrt(x)", "x > 1"),
             "a root, or a power with halves in its exponent, of a positive variable"),
    Strategy("order of variables", 36, by_order, lambda search, goal, facts, depth: _sign(
             search, goal, facts, depth) and not free_of_functions(goal[1]),
             "cases on the order of the variables",
             ("x*(x - y)*(x - z) + y*(y - x)*(y - z) + z*(z - x)*(z - y) >= 0", "x >= 0", "y >= 0", "z >= 0"),
             "two or three variables of unknown order"),
    Strategy("half exponents", 20, with_roots, _any,
             "a power of sqrt(u) for a power whose exponent is half an odd number",
             ("x**(3/2) >= 2*x - sqrt(x)", "x > 0"), "a positive base"),
    Strategy("order of ends", 21, by_order_of_ends, _any, "cases on which end of an integral is the greater one",
             (), "an integral"),
    Strategy("over the reals", 12, over_the_reals, lambda search, goal, facts, depth: depth > 0 and bool(
        in_base_and_exponent(goal, facts)), "forgets that a number is an integer, which stands in base and exponent",
             ("(1 + 1/n)**n < exp(1)", "n in naturals", "n >= 1"), "an inequality that holds between integers too"),
    Strategy("sums in closed form", 20, by_sums_in_closed_form, _any,
             "a closed form for a sum, which SymPy proposes and induction proves",
             ("Sum(k, (k, 1, n)) >= n", "n in naturals"), "a sum with a closed form"),
    Strategy("either side", 22, by_either_side, _unequal, "an inequality from the slopes on both sides of a point",
             ("n**2 + n + 1 != 0",)),
    Strategy("failing fact", 21, by_failing_fact, _unequal, "t != 0, for with t = 0 one of the facts would fail",
             ("x != 1", "(1 - x)*log(x) < 0", "x > 0"), "a fact that speaks of the goal's variables"),
    Strategy("failing equation", 61, by_failing_equation, lambda search, goal, facts, depth: depth > 1 and
             goal[0] == "=" and bool(equations_to_fail(goal, facts)),
             "t = 0, for with t > 0 or with t < 0 an equation among the facts would fail",
             ("x == 1", "x*exp(-x) == exp(-1)", "x > 0"), "an equation with functions of a variable of t"),
    Strategy("strict tangents", 25, by_strict_tangents, _any, "tangents of exp and log are met at one point alone",
             ("log(1 + 1/n) < 1/n", "n > 0")),
    Strategy("strict contradiction", 25, by_strict_contradiction, lambda search, goal, facts, depth: _sign(
             search, goal, facts, depth) and any(f.concl[0] == "=" for f in facts),
             "the complement of the goal against the strict tangents of an equation's logarithms and exponentials",
             ("x < 1/m", "m > 1", "0 < x", "x < 1", "x == exp(m*(x - 1))"), "an equation with exponentials"),
    Strategy("tangents elsewhere", 24, by_tangents_elsewhere, _sign,
             "tangents of each exponential, or logarithm, of the goal at the argument of another one",
             ("n*log(n + 1) >= n*log(n)", "n > 0"), "two exponentials, or two logarithms"),
    Strategy("ends of a sum", 21, ends_times_number, lambda search, goal, facts, depth: _sign(
             search, goal, facts, depth) and bool(outer_sums(goal)),
             "each summand against the first or the last, and the sum against as many times that",
             ("Sum(1/(n + k), (k, 1, n)) >= 1/2", "n in naturals", "n >= 1"), "a sum whose summand rises or falls"),
    Strategy("Bernoulli", 24, by_bernoulli, _sign,
             "u**n >= 1 + n*(u - 1), and the side of 1 on which u**n is, for powers in the goal",
             ("q**n*(1 - q**n) <= n*(1 - q)", "0 <= q <= 1", "n in naturals"), "powers whose exponent is an integer"),
    Strategy("variable from an equation", 26, by_parameter, lambda search, goal, facts, depth: _sign(
             search, goal, facts, depth) and any(f.concl[0] == "=" and f.rule in ASSUMED for f in facts),
             "what an equation with exponentials says of a variable outside of them is put in its place",
             ("y > 1 - 1/m", "m > 1", "0 < y", "y < 1", "y == 1 - exp(-m*y)"),
             "an equation that is linear in a variable, perhaps once its exponential is inverted"),
    Strategy("squares of a root", 28, by_squared_root, _sign,
             "a side without the square root against that with it, by their squares",
             ("x + 1 - sqrt(x**2 + x) >= 1/2", "x > 0"), "one square root, which the goal is linear in"),
    Strategy("order of exponents", 26, by_order_of_exponents, _any,
             "powers of one base in the order of their exponents",
             ("(1 - p)**t <= exp(-p*t)", "0 < p < 1", "t > 0")),
    Strategy("mirror", 23, by_mirror, _sign, "a goal that is the same at v and at -v, for v >= 0",
             ("exp(x) + exp(-x) >= 2",), "a variable of which nothing is known"),
    Strategy("logarithms", 27, by_logarithms, _sign,
             "products with exponentials or powers, by the logarithms of both sides",
             ("p**n*(1 - p)**n <= 4**(-n)", "0 <= p <= 1", "n in naturals"), "two positive sides"),
    Strategy("squares", 30, squares_strategy, _sign, "a sum of squares, weighed by a semidefinite program",
             ("x**4 - 4*x + 3 >= 0",), "a polynomial"),
    Strategy("multiple of an integer", 31, rounded_up, _sign, "t >= 0 where a multiple of t is an integer",
             ("n/2 >= 1/2", "n in integers", "n > 0"), "integers"),
    Strategy("numerator", 32, without_denominators, _sign, "the goal from that for its numerator",
             ("(exp(x) + x)/(1 + x) >= 1", "x > 0"), "denominators of known sign"),
    Strategy("turning point", 33, by_turning_point, _sign,
             "cases on which side of a turning point a function is",
             ("exp(x) - 2*x + 1/2 > 0",), "a turning point that is a simple number, or where the slope is linear"),
    Strategy("contact at an end", 13, by_contact, lambda search, goal, facts, depth: depth > 2 and _sign(
             search, goal, facts, depth) and len(free(goal[1])) == 1,
             "near an end at which the term is 0 by the sign of a slope, elsewhere by balls",
             ("(exp(x) + exp(-x))/2 <= 1 + x**2/2 + x**4/20", "0 <= x <= 1"), "one variable with numeric bounds"),
    Strategy("exponentials", 34, by_exponentials, _sign, "a logarithm against the rest, by exponentials of both sides",
             ("log(1 + x**2) <= x**2",), "one logarithm"),
    Strategy("multiplied squares", 35, multiplied_squares, _sign,
             "a sum of squares once it is multiplied by 1 + x**2 + y**2 + ..",
             ("x**4*y**2 + x**2*y**4 + 27 >= 9*x**2*y**2",), "a polynomial of two or three variables"),
)
