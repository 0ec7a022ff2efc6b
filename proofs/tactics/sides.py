"""A limit at a point from its two one-sided limits."""

from __future__ import annotations

from collections.abc import Callable

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, gt, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.state import Search


def two_sided(search: Search, goal: Node, facts: Facts, depth: int,
              prove: Callable[[Search, Node, Facts, int], Step]) -> Step:
    """The d' of a two-sided limit's definition (grammar.close): r m/(r + m) from r above and m below."""
    _, d, body = goal
    if body[0] != "and" or len(body) != 3 or body[1] != (">", d) or body[2][0] != "all":
        raise Stuck("not of this shape")
    _, x, (_, ball, inner) = body[2]
    if ball[0] != "and" or len(ball) != 4 or ball[1][0] != "!=":
        raise Stuck("not of this shape")
    u = ball[1][1]
    a = u[2][2]
    right, left = (prove(search, ("ex", d, ("and", (">", d), ("all", x, ("imp", ("and", *side), inner)))), facts, depth)
                   for side in ((gt(x, a), ball[2]), (gt(a, x), ball[3])))
    used = [f.concl for f in facts], [h for f in facts for h in f.hyps]
    r, m, v = (fresh(stem, goal, *used) for stem in ("r", "m", "x"))
    near_r, near_l = (parts(hyp(substitute(found.concl[2], d, name))) for found, name in ((right, r), (left, m)))
    total = apply("combine", (">", ("+", r, m)), (near_r[0], near_l[0]), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    w: Node = ("*", r, m, ("^", ("+", r, m), MINUS))
    known = (near_r[0], near_l[0], total, *facts)
    positive = apply("combine", (">", w), known, ((ONE, ((0, 1), (1, 1), (2, -1)), ()),))
    known = (*known, positive)
    there = substitute(u, x, v)
    place = substitute(substitute(ball, x, v), d, w)
    apart, above, below = parts(hyp(place))
    target = substitute(inner, x, v)

    def case(sign: Node, within: Step, side: list[Step], number: int) -> Step:
        """v lies on this side: within r (or m), as it is within w, which is less."""
        premise = side[1].concl[2][1]
        strict = apply("combine", substitute(premise[1], x, v), (hyp(sign), *known), ((ONE, ((0, 1),), ()),))
        inside = apply("combine", substitute(premise[2], x, v), (within, *known),
                       ((ONE, ((0, 1),), ()), (ONE, ((1 + number, 2), (3, -1)), ())))
        return apply("imp_elim", apply("all_elim", side[1], v, ()), apply("and_intro", (strict, inside)))

    cases = (case((">", there), above, near_r, 0),
             apply("absurd", apply("combine", ("!=", ZERO), (apart, hyp(("=", there))),
                                   ((ONE, ((0, 1),), ()), (MINUS, ((1, 1),), ()))), target),
             case((">", neg_term(there)), below, near_l, 1))
    three = apply("trichotomy", there, facts)
    step = apply("or_elim", three, cases, target)
    step = apply("all_intro", v, apply("imp_intro", place, cut_all((apart, above, below), step)))
    step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    step = apply("ex_intro", goal, w, apply("and_intro", (positive, step)), known)
    return apply("ex_elim", right, r, apply("ex_elim", left, m, step))


__all__ = ["two_sided"]
