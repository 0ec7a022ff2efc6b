"""Goals that something exists: roots, limits, orders of magnitude, and plain witnesses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.applied import applied
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply
from qtheory.proofs.tactics.generalise import generalised
from qtheory.proofs.tactics.limits import big_o, limit
from qtheory.proofs.tactics.numeric import evaluate, holds, samples
from qtheory.proofs.tactics.rates import guessed, ordered, rated
from qtheory.proofs.tactics.roots import unique_root
from qtheory.proofs.tactics.sides import two_sided
from qtheory.proofs.tactics.solving import solve_linear
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strategy import Strategy, always, by_cost, first
from qtheory.proofs.tactics.tending import from_tendency
from qtheory.proofs.tactics.terms import conjuncts
from qtheory.proofs.tactics.turning import stationary

HALF = Fraction(1, 2)


def existential(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A step for ("ex", x, body)."""
    return first(search, EXISTENCES, goal, facts, depth, lambda reasons: f"no witness for {goal[1]}: " + "; ".join(
        dict.fromkeys(r for r in reasons if r != "not of this shape")))


def compound_level(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return generalised(search, goal, facts, depth, unique_root)


def from_sides(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return two_sided(search, goal, facts, depth, existential)


def introduce(search: Search, goal: Node, t: Node, facts: Facts, depth: int) -> Step:
    """The existence by the witness t."""
    facts = [*facts, *search.define(t, facts)]
    step = search.solve(substitute(goal[2], goal[1], t), facts, depth)
    return apply("ex_intro", goal, t, step, tuple(facts))


def by_witness(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    witness = search.told.witness.get(goal[1])
    if witness is None:
        raise Stuck("not of this shape")
    return introduce(search, goal, witness, applied(search, facts), depth)


def one_equation(goal: Node) -> Node | None:
    """What the goal's only equation, linear in its variable, says that this is; None where it is of another shape."""
    _, x, body = goal
    equations = [p for p in conjuncts(body) if p[0] == "=" and x in free(p)]
    return solve_linear(equations[0][1], x) if len(equations) == 1 else None


def linear_root(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The solution of a linear equation, where its coefficient is seen not to be 0; that no other has it is an
    equation that follows from two others."""
    found = one_equation(goal)
    assert found is not None  # the strategy applies
    return introduce(search, goal, found, facts, depth - 1)


def plain(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Numbers and terms that stand about."""
    _, x, body = goal
    either = [[p for p in b[1:] if p[0] != "undef"] or [b] if b[0] == "or" else [b] for b in conjuncts(body)]
    seen = [parts for parts in either if all(p[0] in (">", ">=", "=", "!=", "isint") for p in parts)]
    wanted, conditions = [p for parts in either for p in parts], [p for parts in seen for p in parts]
    points = samples([f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")],
                     free(goal).union(*(f.variables for f in facts)), 8)
    candidates: list[Node] = [c for p in conditions if p[0] == "=" for c in stationary(p[1], x)]  # a double root
    candidates += [ZERO, ONE, Fraction(2), HALF, MINUS, Fraction(1, 10), Fraction(9, 10), Fraction(10)]
    names = sorted(free(goal))
    candidates += names
    candidates += [t for n in names for below in [("^", ("+", n, ONE), MINUS)] for t in
                   (("+", n, ONE), ("*", HALF, n), below, ("*", Fraction(2), n), ("*", n, below),
                    ("*", Fraction(2), ("^", n, MINUS)))]
    candidates += [solved for c in conditions if c[0] == "=" if (solved := solve_linear(c[1], x)) is not None]
    beyond = [solved for c in conditions if c[0] in (">", ">=") and free(c[1]) != {x}
              if (solved := solve_linear(minus(c[1], ONE), x)) is not None]
    candidates += [t for s in beyond for t in (s, ("+", ("max", s, neg_term(s)), ONE))]
    if any(c[0] == "isint" for c in conditions):
        ends = [solved for c in wanted if c[0] in (">", ">=", "=") and free(c[1]) != {x}
                if (solved := solve_linear(c[1], x)) is not None]
        ends = [*([("max", *ends[:2])] if len(ends) > 1 else []), *ends]
        candidates += [("+", ("floor", ("max", s, ZERO)), ONE) for s in ends]
        candidates += [t for s in ends for low, high in [(("floor", s), neg_term(("floor", neg_term(s))))]
                       for t in (low, ("+", low, ONE), high, minus(high, ONE))]
    bounds = [solved for c in conditions if c[0] in (">", ">=") and (solved := solve_linear(c[1], x)) is not None][:4]
    candidates += [*(("*", HALF, ("+", s, t)) for s, t in combinations(bounds, 2)), *bounds,
                   *(t for s in bounds for t in (("+", s, ONE), minus(s, ONE)))]
    for t in candidates:
        values = [{**p, x: evaluate(t, p)} for p in points]
        if any(not all(any(_plausible(p, v) for p in parts) for parts in seen) for v in values):
            continue
        try:
            return introduce(search, goal, t, facts, depth - 1)
        except (Stuck, KernelError):
            search.tick()
    raise Stuck("no candidate fits")


def _plausible(c: Node, at: dict[str, float]) -> bool:
    return holds(c, at)


# ---- a unique root ----


def _existence(name: str, cost: int, run: Callable[[Search, Node, Facts, int], Step], does: str, *example: str,
               needs: str = "") -> Strategy:
    return Strategy(name, cost, run, always, does, example, needs)


EXISTENCES = by_cost(
    _existence("told witness", 0, by_witness, "the value that the proof names", needs="a proof that names one"),
    _existence("told rate", 10, rated, "a limit at the rate that the proof names", needs="a proof that names one"),
    _existence("told order", 20, ordered, "an order of magnitude with the constant that the proof names",
               needs="a proof that names one"),
    _existence("tendency", 30, from_tendency, "a limit from one that is known",
               needs="a tendency among the facts"),
    _existence("compound level", 40, compound_level, "a unique root at a height that is a term",
               "ExistsUnique(t, t > 0, Eq(t*exp(t), a*b))", "a > 0", "b > 0"),
    Strategy("linear equation", 45, linear_root, lambda search, goal, facts, depth: one_equation(goal) is not None,
             "the solution of an equation that is linear in the variable",
             ("ExistsUnique(n, n > 0, n == a*(b + c*n))", "a > 0", "b > 0", "c > 0", "a*c < 1"),
             "a coefficient that is not 0"),
    _existence("unique root", 50, unique_root, "a change of sign, and strict monotonicity",
               "ExistsUnique(t, t > 0, Eq(t*exp(t), a))", "a > 0", needs="a bracket; a slope of one sign"),
    _existence("order", 60, big_o, "an order of magnitude by a constant that is guessed",
               "BigO(log(x), x, x, oo)"),
    _existence("limit from both sides", 70, from_sides, "a limit from those of both sides", "Eq(limit(x**2, x, 1), 1)"),
    _existence("guessed rate", 80, guessed, "a limit at a rate read off the term",
               "Eq(limit((exp(x) - 1)/x, x, 0), 1)"),
    _existence("epsilon and delta", 90, limit, "a limit by a neighbourhood as wide as a power of epsilon",
               "Limit(2*x + 1, x, oo) == oo"),
    _existence("witness", 100, plain, "numbers, bounds and what equations give, tried in turn",
               "Exists(t, t > x, t < x + 1)"),
)
