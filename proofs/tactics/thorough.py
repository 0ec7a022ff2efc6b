"""The prover with further means for what the usual ones leave open: squares, turning points, both sides' exponentials.

They are kept apart from the others because each costs time in every attempt that fails, of which a search has many.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

import numpy as np
import sympy

from qtheory.proofs.functions.sqrt import square_root
from qtheory.proofs.functions.values import Array
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, free, minus, neg_term, substitute
from qtheory.proofs.tactics.arrays import values
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.cases import by_cases, in_case
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.instances import rounded
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term, shortest
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.squares import by_multiplied_squares, by_squares
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strategy import Strategy, by_cost
from qtheory.proofs.tactics.strict import by_either_side, by_order_of_exponents, by_strict_tangents
from qtheory.proofs.tactics.terms import free_of_functions, size, swap

HALF, TWO = Fraction(1, 2), Fraction(2)
NEAR = 1e-7  # relative: closer than this two numbers are taken for one, until the kernel says otherwise
MAX_SUMMAND = 30  # nodes
SPLITS = 3  # turning points to try for one goal


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
    """A polynomial of degree six or more of two variables, or four or more of three, need be no sum of squares."""
    return squares_strategy(search, goal, facts, depth, by_multiplied_squares)


def without_denominators(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal from that for its numerator: a slope is simpler without the denominators, whose signs are told."""
    known = [*facts, *search.define(goal[1], facts)]
    combiner = Combiner(known)
    num, den = combiner.forms.quotient(goal[1])
    if not den or not free_of_functions(goal[1]) or not Forms().quotient(shortest(goal[1]))[1]:
        raise Stuck("no denominators")
    signs = [combiner.told_sign(poly_term(combiner.forms, dict(d))) for d in den]
    known += [s for s in signs if s is not None]
    cleared = Combiner(known).clear(den, 1)
    if cleared is None:
        raise Stuck("a denominator of unknown sign")
    whole = poly_term(combiner.forms, num if cleared[1] > 0 else {m: -c for m, c in num.items()})
    return search.combine(goal, [search.atom((goal[0], whole), known, depth), *known], 1)

# ---- powers with the exponent n/2 ----


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


def by_sums_in_closed_form(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal from equations of its sums with closed forms, which SymPy proposes."""
    equations = []
    for s in occurring(goal[1]):
        if isinstance(s, tuple) and s[0] == "sum" and free(minus(s[3], s[2])):
            equation = ("=", minus(s, closed_form(s)))
            if equation[1] == goal[1] or any(f.concl == equation for f in facts):
                raise Stuck("the sum has no other form")
            equations.append((s, search.atom(equation, facts, 3)))
    if not equations:
        raise Stuck("no sum")
    now, back = goal[1], []
    for s, step in equations:
        value = step.concl[1][2][2]
        back.append((now, s, value, step))
        now = swap(now, s, value)
    step = search.atom((goal[0], now), [*facts, *(e for _, e in equations)], depth)
    for before, s, value, known in reversed(back):
        same = apply("combine", ("=", minus(value, s)), (known,), ((MINUS, ((0, 1),), ()),))
        step = apply("rewrite", same, step, "z'", (goal[0], swap(before, s, "z'")), value, s)
    return step

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

# ---- turning points ----


def by_turning_point(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on which side of a turning point within its domain a function of one variable is; beside it the
    mean value theorem does the rest."""
    names = free(goal[1])
    if len(names) != 1 or free_of_functions(goal[1]) != names or depth < 3:
        raise Stuck("no function of one variable")
    v = next(iter(names))
    if any(f.concl[0] == "=" and v in f.variables for f in facts):
        raise Stuck("no variable")
    for c in turning_points(search, goal[1], v, facts):
        try:
            return beside(search, v, c, goal, facts, depth)
        except (Stuck, KernelError):
            search.tick()
    raise Stuck("no turning point")


def beside(search: Search, v: str, c: Node, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on the sign of v - c; where it is 0, the goal at c."""
    three = apply("trichotomy", minus(v, c), (*facts, *search.define(c, facts)))
    at_c = search.atom(substitute(goal, v, c), [f for f in facts if v not in f.variables], depth - 1)
    back = apply("combine", ("=", minus(c, v)), (hyp(three.concl[2]),), ((MINUS, ((0, 1),), ()),))
    level = apply("rewrite", back, at_c, "z'", substitute(goal, v, "z'"), c, v)
    above, below = (in_case(search, case, goal, facts, depth - 1) for case in three.concl[1::2])
    return apply("or_elim", three, (above, level, below), goal)


def turning_points(search: Search, t: Node, v: str, facts: Facts) -> list[Node]:
    """Simple numbers at which the term seems to have a minimum between the ends of its domain."""
    ends = [(evaluate(a, {}), side) for a, side in bounds(v, facts) if not free(a)]
    grid = _grid(max((a for a, side in ends if side == "low"), default=None),
                 min((a for a, side in ends if side == "high"), default=None))
    spend("value", grid.size)
    found = values(t, {v: grid})
    f = np.broadcast_to(np.where(found.undefined, np.inf, found.value), grid.shape)
    low = [k for k in range(1, grid.size - 1) if np.isfinite(f[k - 1:k + 2]).all() and f[k - 1] > f[k] < f[k + 1]]
    out: list[Node] = []
    for k in sorted(low, key=lambda k: float(f[k]))[:SPLITS]:
        out += [c for c in _closed_forms(_minimum(t, v, grid[k - 1], grid[k + 1])) if c not in out]
    return out

# ---- a logarithm against the rest ----


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
    inverse: Node = ("^", large, MINUS)
    ratio: Node = ("*", small, inverse)
    known = [below, above, apply("combine", (">", inverse), (above,), ((ONE, ((0, -1),), ()),))]
    known.append(apply("combine", (">", ratio), tuple(known), ((ONE, ((0, 1), (2, 1)), ()),)))
    facts = (apply("log_below_tangent", ratio, tuple(known)), apply("log_product", small, inverse, tuple(known)),
             apply("log_power", large, MINUS, tuple(known)), order, *known)
    goal = (order.concl[0], minus(("log", large), ("log", small)))
    return apply("combine", goal, facts, ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()), (ONE, ((2, 1),), ()),
                                          (ONE, ((3, 1), (5, -1)), ())))


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
    return from_sympy(sympy.factor_terms(found))


def _grid(low: float | None, high: float | None) -> Array:
    wide = np.geomspace(1e-6, 1e5, 221)
    if low is not None and high is not None:
        return np.linspace(low, high, 402)[1:-1]
    if low is not None:
        return low + wide
    return high - wide[::-1] if high is not None else np.concatenate([-wide[::-1], [0.0], wide])


def _minimum(t: Node, v: str, low: float, high: float) -> float:
    """Where the term is least between two places around a minimum, to about eight digits: where its values lie
    symmetrically, for the minimum itself is flat."""
    for _ in range(14):
        line = np.linspace(low, high, 33)
        f = values(t, {v: line}).value
        k = int(np.clip(np.nanargmin(f), 1, 31))
        if high - low < 1e-3 * (abs(low) + abs(high) + 1e-9):
            break
        low, high = float(line[k - 1]), float(line[k + 1])
    middle, h = float(line[k]), 2e-3 * (abs(float(line[k])) + 1e-6)
    for _ in range(4):  # Newton's method on differences of fourth order
        at = values(t, {v: middle + h * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])}).value
        first = (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * h)
        second = (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h)
        if not np.isfinite(first / second):
            break
        middle -= float(first / second)
    return middle


def _closed_forms(x: float) -> list[Node]:
    """Simple numbers close to x: rationals, and the exponentials, logarithms and roots of such."""
    options: list[tuple[float, Callable[[Fraction], Node]]] = [(x, lambda q: q)]
    if x > 0:
        options += [(float(np.log(x)), lambda q: ("exp", q)), (x * x, lambda q: ("sqrt", q))]
    if abs(x) < 20:
        options.append((float(np.exp(x)), lambda q: ("log", q)))
    out = []
    for y, build in options:
        q = Fraction(y).limit_denominator(60)
        if (q or y is x) and abs(float(q) - y) <= NEAR * max(1.0, abs(y)):
            out.append(build(q))
    return out[:1]


def _sign(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return depth > 0 and goal[0] in (">", ">=")


def _any(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return depth > 0


EARLY = (Strategy("ball of a number", 0, in_ball,
                  lambda search, goal, facts, depth: goal[0] in (">", ">=", "!=") and not free(goal),
                  "encloses a term without variables", ("exp(1) > 27/10",)),)
FURTHER = by_cost(
    Strategy("half exponents", 20, with_roots, _any,
             "a power of sqrt(u) for a power whose exponent is half an odd number",
             ("x**(3/2) >= 2*x - sqrt(x)", "x > 0"), "a positive base"),
    Strategy("order of ends", 21, by_order_of_ends, _any, "cases on which end of an integral is the greater one",
             (), "an integral"),
    Strategy("sums in closed form", 22, by_sums_in_closed_form, _any,
             "a closed form for a sum, which SymPy proposes and induction proves",
             ("Sum(k, (k, 1, n)) >= n", "n in naturals"), "a sum with a closed form"),
    Strategy("either side", 23, by_either_side, _any, "an inequality from the slopes on both sides of a point",
             ("n**2 + n + 1 != 0",)),
    Strategy("strict tangents", 24, by_strict_tangents, _any, "tangents of exp and log are met at one point alone",
             ("log(1 + 1/n) < 1/n", "n > 0")),
    Strategy("order of exponents", 25, by_order_of_exponents, _any,
             "powers of one base in the order of their exponents",
             ("(1 - p)**t <= exp(-p*t)", "0 < p < 1", "t > 0")),
    Strategy("squares", 30, squares_strategy, _sign, "a sum of squares, weighed by a semidefinite program",
             ("x**4 - 4*x + 3 >= 0",), "a polynomial"),
    Strategy("multiple of an integer", 31, rounded_up, _sign, "t >= 0 where a multiple of t is an integer",
             ("n/2 >= 1/2", "n in integers", "n > 0"), "integers"),
    Strategy("numerator", 32, without_denominators, _sign, "the goal from that for its numerator",
             ("exp(x)/(1 + x) >= 1", "x > 0"), "denominators of known sign"),
    Strategy("turning point", 33, by_turning_point, _sign,
             "cases on which side of a turning point a function of one variable is",
             ("exp(x) - 2*x + 1/2 > 0",), "a turning point that is a simple number"),
    Strategy("exponentials", 34, by_exponentials, _sign, "a logarithm against the rest, by exponentials of both sides",
             ("log(1 + x**2) <= x**2",), "one logarithm"),
    Strategy("multiplied squares", 35, multiplied_squares, _sign,
             "a sum of squares once it is multiplied by 1 + x**2 + y**2 + ..",
             ("x**4*y**2 + x**2*y**4 + 27 >= 9*x**2*y**2",), "a polynomial of two or three variables"),
)
