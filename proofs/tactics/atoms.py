"""Comparisons: by combination of the facts, by those about functions, and in standard form by dearer means."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, integer
from qtheory.proofs.tactics.binomials import binomial_sums, by_binomial_sums
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply
from qtheory.proofs.tactics.cases import (
    by_ball,
    by_base,
    by_cases,
    by_contradiction,
    by_max,
    by_sign_cases,
    by_two_sides,
    by_whole,
    meeting_point,
)
from qtheory.proofs.tactics.cleared import (
    by_clearing,
    by_factors,
    by_signs_below,
    sums_below,
    sums_cleared,
    told_below,
    untold,
)
from qtheory.proofs.tactics.congruence import by_congruence, values_of_functions
from qtheory.proofs.tactics.equations import inverted
from qtheory.proofs.tactics.generalise import by_difference, by_ratio, by_root, differences, ratio, under_roots
from qtheory.proofs.tactics.induction import by_induction
from qtheory.proofs.tactics.instances import rounded, with_instances
from qtheory.proofs.tactics.lemmas import cheaply, with_lemmas
from qtheory.proofs.tactics.maxima import by_maxima, maxima_in
from qtheory.proofs.tactics.monotone import by_mean_value
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.radicals import by_radicals
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strategy import Strategy, always, by_cost, first
from qtheory.proofs.tactics.terms import difference_of_variables, free_of_functions, in_exponent, in_function
from qtheory.proofs.tactics.unrolled import places, unrolled
from qtheory.proofs.tactics.whole_numbers import unequal_by_remainders


def has_functions(goal: Node) -> bool:
    return goal[0] != "=" and bool(free_of_functions(goal[1]))


def spoken_of(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    """Do the facts speak of every function's value in the goal?  Others need the facts about them first."""
    return not (has_functions(goal) and spoken_anew(search, goal, facts))


def by_combination(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    found = search.quick(goal, facts)
    if found is None:
        raise Stuck("no combination of the facts")
    return found


def by_tangents(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Before logarithms of products are taken apart, which loses their tangents."""
    return cheaply(search, goal, [*facts, *search.define(goal[1], facts)])


def in_standard_form(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal with universal facts used at its terms and its term rewritten, by ``STANDARD``."""
    more = with_instances(search, goal, facts)
    if len(more) > len(facts) and (found := search.quick(goal, more)) is not None:
        return found
    facts = inverted(search, more)
    simple = search.simplified(goal, facts, eliminate=False)
    now, known = (goal[0], simple.current), simple.facts
    try:
        inner = cheaply(search, now, known)
    except (Stuck, KernelError):
        rooted = depth > 1 and goal[0] in (">", ">=") and any(
            f.concl[0] == "=" and any(in_function(f.concl[1], v) for v in free(f.concl[1])) for f in facts)
        gap = meeting_point(search, goal, facts) if rooted else None
        if gap is not None:
            try:
                return by_cases(search, gap, goal, facts, depth)
            except (Stuck, KernelError):
                search.tick()
        changed = search.simplified(goal, facts, eliminate=True) if any(f.concl[0] == "=" for f in facts) else simple
        if changed.current == simple.current:
            inner = by_standard_means(search, now, known, depth, tried=True)
        else:
            try:
                inner = by_standard_means(search, (goal[0], changed.current), changed.facts, depth)
                simple = changed
            except (Stuck, KernelError):
                inner = by_standard_means(search, now, known, depth, tried=True)
    if simple.equation is None:
        return inner
    return apply("combine", goal, (inner, simple.equation, *simple.facts),
                 ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


def spoken_anew(search: Search, goal: Node, facts: Facts) -> bool:
    """Does the goal, in normal form, hold what none of the facts speaks of: a variable, or a function's value?"""
    base = search.combiner(facts)
    try:
        numerator, _ = base.forked().forms.form(goal[1])
    except KernelError:
        return False
    return any(a >= base.common for m in numerator for a, _ in m)


def by_standard_means(search: Search, goal: Node, facts: Facts, depth: int, tried: bool = False) -> Step:
    """A goal in standard form whose definedness is settled; ``tried``: cheaply, with these facts."""
    if isinstance(goal[1], Fraction):
        raise Stuck("a plain number of the wrong sign")
    facts = with_lemmas(search, goal, facts)
    # again, with what the facts about functions say of functions in turn: that gives no strict sign
    again = not (tried and goal[0] == ">" and free_of_functions(goal[1]))
    return first(search, STANDARD if again else STANDARD[1:], goal, facts, depth)


def by_higher_products(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return search.combine(goal, facts, 3)


def signed(goal: Node) -> bool:
    return goal[0] in (">", ">=")


def integers_in(facts: Facts) -> bool:
    return any(f.concl[0] == "isint" for f in facts)


# In standard form, its definedness settled, with the facts about its functions
STANDARD = by_cost(
    Strategy("nested tangents", 0, lambda search, goal, facts, depth: cheaply(search, goal, facts), always,
             "combines with the facts about functions of functions", (), "functions of functions"),
    Strategy("radicals", 10, lambda search, goal, facts, depth: by_radicals(search, goal, facts),
             lambda search, goal, facts, depth: goal[0] == "=",
             "an equation between roots, powers and logarithms of numbers and terms, taken apart to their primes",
             ("Eq(sqrt(12), 2*sqrt(3))",)),
    Strategy("congruence", 20, lambda search, goal, facts, depth: by_congruence(search, goal, facts),
             lambda search, goal, facts, depth: bool(values_of_functions(search, goal, facts)),
             "equal arguments give a function equal values",
             ("exp(x*log(y)) == exp(z)", "z == x*w", "w == log(y)", "y > 0")),
    Strategy("a fact's denominator", 25, lambda search, goal, facts, depth: by_signs_below(search, goal, facts),
             lambda search, goal, facts, depth: depth > 0 and signed(goal) and told_below(search, goal, facts),
             "a fact without its denominators, once their signs are found",
             ("a*(b + d)*c <= M", "a <= M/((b + d)*c)", "a > 0", "b > 0", "c > 0", "d > 0", "M > 0"),
             "a fact whose numerator is the goal's"),
    Strategy("cleared equations", 30, lambda search, goal, facts, depth: by_clearing(search, goal, facts),
             lambda search, goal, facts, depth: goal[0] == "=" and any(f.concl[0] == "=" for f in facts),
             "an equation by others, all without denominators and factors that are not zero",
             (), "equations among the facts"),
    Strategy("numerator with powers", 39, sums_cleared, lambda search, goal, facts, depth: depth > 1 and
             signed(goal) and sums_below(goal, facts), "the goal from that for its numerator, before an induction",
             ("rho**N*(1 - rho)/(1 - rho**(N + 1)) <= 1/(N + 1)", "0 < rho < 1", "N in naturals"),
             "a denominator of several summands, with an integer in an exponent"),
    Strategy("induction", 40, by_induction, lambda search, goal, facts, depth: depth > 0 and any(
        f.concl[0] == "isint" and in_exponent(goal[1], f.concl[1]) for f in facts),
             "over an integer in an exponent or at the end of a sum", ("2**n >= n + 1", "n in naturals"),
             "an integer with a number below it"),
    Strategy("next integer", 50, by_whole, lambda search, goal, facts, depth: depth > 0 and goal[0] == ">=" and
             integers_in(facts), "t >= 0 for an integer t above -1", (),
             "an integer term"),
    Strategy("unequal remainders", 60, lambda search, goal, facts, depth: unequal_by_remainders(search, goal, facts),
             lambda search, goal, facts, depth: goal[0] == "!=" and integers_in(facts),
             "an equation that no integers solve fails", ("Ne(n**2, 3*m + 2)", "n in integers", "m in integers"),
             "integers among the variables"),
    Strategy("factors", 70, by_factors,
             lambda search, goal, facts, depth: goal[0] != "=",
             "the sign of a product or quotient from those of its factors", ("x**4 - 4*x + 3 >= 0",),
             "signs of all factors but one"),
    Strategy("balls", 80, lambda search, goal, facts, depth: by_ball(search, goal, facts),
             lambda search, goal, facts, depth: goal[0] != "=",
             "encloses the term on a box, subdivided until each part is decided",
             ("exp(x) > x**3/3 + x/2", "0 <= x <= 2"),
             "numeric bounds of each variable; a term away from 0"),
    Strategy("contradiction", 90, lambda search, goal, facts, depth: by_contradiction(search, goal, facts),
             lambda search, goal, facts, depth: (depth > 1 and signed(goal)) or (depth > 0 and goal[0] == "=" and
             difference_of_variables(goal[1]) is not None),
             "the complement and the facts give 0 > 0", ("x > 0", "x**3 > 0"), ),
    Strategy("greater argument", 100, by_max, lambda search, goal, facts, depth: depth > 0,
             "cases on which argument of a maximum is the greater one", ("Max(0, x)*exp(Max(0, x)) >= x*exp(x)",),
             "a maximum"),
    Strategy("base of a power", 102, by_base, lambda search, goal, facts, depth: depth > 0 and any(
        isinstance(s, tuple) and s[0] == "^" and not integer(s[2]) for s in occurring(goal[1])),
             "cases on whether the base of a real power is 0", ("x**(1/2)*x**(1/2) == x", "x >= 0"),
             "a base that may be 0, but not negative"),
    Strategy("two sides", 105, by_two_sides, lambda search, goal, facts, depth: depth > 0 and goal[0] == "=",
             "t = 0 from t >= 0 and -t >= 0", ("floor(n/2) + ceiling(n/2) == n", "n in integers")),
    Strategy("mean value", 110, by_mean_value, lambda search, goal, facts, depth: depth > 0 and signed(goal),
             "the sign at one end of an interval and that of the slope on it", ("log(1 + x) > x/(1 + x)", "x > 0"),
             "an end, and a slope of one sign"),
    Strategy("sign cases", 120, by_sign_cases, lambda search, goal, facts, depth: depth > 0 and signed(goal),
             "cases on the sign of a variable, or of a variable minus one", ("x**4 - 4*x + 3 >= 0",)),
    Strategy("products of three", 130, by_higher_products, lambda search, goal, facts, depth: goal[0] != "=",
             "combines products of three facts", (), "products of three facts"),
    Strategy("facts' denominators", 135, lambda search, goal, facts, depth: by_signs_below(search, goal, facts),
             lambda search, goal, facts, depth: depth > 0 and bool(untold(search.combiner(facts))),
             "a combination of facts with denominators, once their signs are found",
             ("lam*O*(L + O) <= M + O", "lam <= M/(O*(L + O))", "L > 0", "O > 0"),
             "signs of denominators that the facts give"),
)

COMBINATION = Strategy("combination", 10, by_combination, spoken_of,
                       "a combination of the facts and of products of two, with nonnegative coefficients",
                       ("x*y > 0", "x > 0", "y > 0"))
ATOMS = by_cost(
    Strategy("written out", 0, unrolled, lambda search, goal, facts, depth: any(True for _ in places(goal[1])),
             "writes out sums over few numbers, and factorials of numbers", ("factorial(5) > 100",)),
    COMBINATION,
    Strategy("binomial sums", 20, by_binomial_sums,
             lambda search, goal, facts, depth: depth > 0 and bool(binomial_sums(goal[1])),
             "sums of binomial coefficients with powers and polynomials, by Pascal's rule and the ratio of neighbours",
             ("Sum(binomial(n, k)*p**k*(1 - p)**(n - k), (k, 0, n)) == 1", "0 <= p <= 1", "n in naturals"),
             "powers of the index and of what is left to the upper end"),
    Strategy("maxima", 30, by_maxima, lambda search, goal, facts, depth: len(maxima_in(goal)) > 1,
             "each maximum is one of its arguments; in each case a combination", (
                 "Max(2*x, x + y, 2*y) == 2*Max(x, y)",), "several maxima"),
    Strategy("one variable for a quotient", 35, by_ratio,
             lambda search, goal, facts, depth: depth > 0 and signed(goal) and ratio(goal) is not None,
             "a positive quotient with a symbolic power is a variable, below or above 1 as the quotient is",
             ("(a/b)**N*(1 - a/b)/(1 - (a/b)**(N + 1)) < 1", "0 < a < b", "N in naturals", "N >= 1"),
             "the quotient's sign; its variables nowhere else"),
    Strategy("difference of integers", 36, by_difference, lambda search, goal, facts, depth: depth > 1 and bool(
             differences(goal, facts)), "k + m for n, where n >= k and both are in exponents or ends of sums",
             ("binomial(n, k) >= 1", "k in naturals", "n in naturals", "k <= n"), "integers of known order"),
    Strategy("half an integer", 37, by_root, lambda search, goal, facts, depth: depth > 1 and bool(
             under_roots(goal[1], plain=False)), "r**2 for x, where half an integer stands in an exponent of x",
             ("(1 - q**n)/(1 - q) >= n*q**((n - 1)/2)", "0 < q < 1", "n in naturals", "n >= 1"), "a positive base"),
    Strategy("rounded", 40, rounded, lambda search, goal, facts, depth: goal[0] == ">=" and depth > 0,
             "an integer above -1 is not negative", ("n >= 1", "n in integers", "n > 0"), "an integer term"),
    Strategy("tangents", 50, by_tangents, lambda search, goal, facts, depth: has_functions(goal),
             "combines with positivity, tangents and bounds of the functions in the goal", ("exp(x) >= 1 + x",)),
    Strategy("standard form", 60, in_standard_form, always,
             "rewrites the term: exponentials and logarithms taken apart, derivatives and integrals carried out, "
             "powers split; then the strategies for terms in standard form", ("log(x*y) - log(x) - log(y) >= 0",
                                                                              "x > 0", "y > 0")),
)
