"""Rates of convergence guessed from samples and from the first term of a series: what the proof of a limit starts
from. A wrong guess costs time only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import sympy

from qtheory.proofs.kernel.terms import MINUS, ONE, Node, free, minus, neg_term, substitute
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Stuck
from qtheory.proofs.tactics.guidance import Speed
from qtheory.proofs.tactics.numeric import evaluate, samples
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import conjuncts

Point = dict[str, float]
SMALL = tuple(Fraction(n, d) for n, d in ((1, 10), (1, 2), (1, 1), (2, 1), (4, 1), (10, 1)))
LARGE = Fraction(40), Fraction(200)  # last: a logarithm, too, stays below them at all sampled points
REACH = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))
LONG = 1500  # characters of a term beyond which no series is taken
NEAR = (*(10.0**-e for e in (7, 5, 3, 2)), 0.05, 0.3, 0.6, 0.9, 0.99)


def guesses(search: Search, goal: Node, facts: Facts) -> Iterator[Speed]:
    """Rates (see rates.py) for the d' of a limit's definition that no sampled point contradicts."""
    _, d, body = goal
    finite = body[0] == "and" and len(body) == 3 and body[1] == (">", d) and body[2][0] == "all"
    every = body[2] if finite else body
    if d != "d'" or every[0] != "all" or every[2][0] != "imp" or every[2][2][0] != "and":
        raise Stuck("not of this shape")
    _, x, (_, where, target) = every
    gap = reduce_term(minus("e'", target[1][1]))
    distance = next((c[1] for c in conjuncts(where) if c[0] == ">" and x in free(c) and d not in free(c)), None)
    if finite and distance is None:
        raise Stuck("a two-sided limit: state both sides")
    conditions = [f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")
                  and not any(n.endswith("'") for n in f.variables)]
    names = free(gap).union(*(free(c) for c in conditions)) - {x, "e'"}
    points = samples(conditions, names, 24)
    if not points:
        raise Stuck("no sampled point")
    at = _inverse(distance, x) if finite and distance is not None else ("^", "s'", MINUS)
    leading = [*_leading(gap, x, at, names), *_of_parameters(sorted(free(gap) & names))]
    kinds = ((False, (*leading, *SMALL)), (True, SMALL[3:]), (False, LARGE), (True, LARGE))
    for slack, (root, sizes) in itertools.product((0.6, 1.0), kinds):  # a bound with room is proved more easily
        for r in REACH:
            for k in sizes:
                if all(_holds(gap, x, at, k, root, r, slack, p) for p in points):
                    yield Speed(k, r if finite else ONE / r, root=root)
                    break
    for k in leading if finite else ():  # within a reach that shrinks as the parameters grow
        wide: Node = ("+", ("*", Fraction(2), k), ONE)
        reach: Node = ("^", wide, MINUS)
        if all(_holds(gap, x, at, wide, False, reach, 1.0, p, NEAR[4:]) for p in points):
            yield Speed(wide, reach)


def _of_parameters(names: Sequence[str]) -> list[Node]:
    """Sizes for a gap that a parameter scales."""
    return [("*", c, ("^", n, e)) for n in names for e in (MINUS, ONE) for c in (ONE, Fraction(2))]


def _inverse(distance: Node, x: str) -> Node:
    """x as a term in the distance s': a + s' or a - s'."""
    low = reduce_term(minus(x, distance))
    return ("+", low, "s'") if x not in free(low) else minus(reduce_term(("+", x, distance)), "s'")


def _holds(gap: Node, x: str, at: Node, k: Node, root: bool, r: Node, slack: float, point: Point,
           shares: Sequence[float] = NEAR) -> bool:
    """|gap| <= slack k s, or slack k sqrt(s), at sampled distances s below r; where it is undefined, no."""
    size = slack * evaluate(k, point)
    if not size > 0:
        return False
    reach = evaluate(r, point)
    for share in shares:
        s = share * reach
        value = evaluate(gap, {**point, x: evaluate(at, {**point, "s'": s})})
        noise = 1e-6 if share < 1e-2 else 1e-9  # what is left of a difference of near numbers
        if math.isnan(value) or abs(value) > size * (math.sqrt(s) if root else s) * (1 + 1e-9) + noise * s**0.5:
            return False
    return True


def _leading(gap: Node, x: str, at: Node, names: frozenset[str]) -> list[Node]:
    """Sizes that depend on the parameters, from the first coefficient of the series in the distance."""
    if not names & free(gap) or len(str(gap)) > LONG:
        return []
    try:
        s = sympy.Symbol("s'", positive=True)
        share = to_sympy(substitute(gap, x, at), frozenset({"s'"})) / s
        first = answer(lambda: sympy.limit(share, s, 0))
        if first.has(sympy.oo, sympy.zoo, sympy.nan, sympy.Limit) or s in first.free_symbols:
            return []
        c = from_sympy(sympy.simplify(first))
    except (Stuck, ValueError, TypeError, KeyError, AttributeError, NotImplementedError, ArithmeticError):
        return []
    both = (c, neg_term(c))
    twice = [("*", Fraction(2), b) for b in both]
    return [reduce_term(t) for t in (*(("+", b, ONE) for b in (*twice, *both, ("^", c, Fraction(2)))), *twice)]


__all__ = ["guesses"]
