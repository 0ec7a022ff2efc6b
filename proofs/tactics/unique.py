"""What is said of the value of an endless operator, held against the value that it has: a limit is unique.

"Some v' is the limit of S, and C(v')" gives C(L) for the limit L of S; that v' is the limit gives v' = L.  So what is
said has a consequence without the operator, and a point at which that fails is a counterexample.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, free, minus, neg_term, negate, substitute
from qtheory.proofs.tactics.beyond import limit_of_closed_form
from qtheory.proofs.tactics.branches import Branch, branches, failing
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.closed import Assignment, Plan, Point, place
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.falling import END
from qtheory.proofs.tactics.known import instance_at, shown
from qtheory.proofs.tactics.moments import limit_and_term, limit_of, shape, tends
from qtheory.proofs.tactics.numeric import evaluate, samples
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.refute import Refutation, refute_along
from qtheory.proofs.tactics.state import Search

HALF = Fraction(1, 2)
ROUNDING = 1e-9


def against_values(search: Search, statement: Statement, at: Mapping[str, Node], seconds: float) -> Refutation | None:
    """A counterexample to what the statement says of values, with ``at`` for some of its variables, where a sample
    point shows one; None if none is found."""
    equations = tuple(("=", minus(v, x)) for v, x in at.items())
    facts = [hyp(h) for h in (*statement.hypotheses, *equations)]
    for told in consequences(search, statement.conclusion, facts):
        if _fails_somewhere(told.concl, facts):
            found = refute_along(statement, list(_against(statement, equations, told)), after(seconds))
            if found is not None:
                return found
    return None


def _against(statement: Statement, equations: tuple[Node, ...], told: Step) -> Iterator[Branch]:
    """The branches on which the conditions hold and what is told fails: there the conclusion fails."""
    conditions, fails = (*statement.hypotheses, *equations), negate(told.concl)
    for b in branches(("and", *conditions, fails)):
        def last(point: Point, formula: Node, at: Assignment, plan: Plan = b.plan[1][-1]) -> Step:
            said = place(statement.conclusion, at)
            here = instance_at(point, told, at)
            here = cut_all([shown(point, h) for h in sorted(here.hyps - {said}, key=str)], here)
            clash = apply("clash", here, point.prove(place(fails, at), plan, at), formula)
            return apply("or_elim", apply("excluded_middle", said), (clash, hyp(formula)), formula)

        yield dataclasses.replace(failing(statement, b, last), undefined=None)


def consequences(search: Search, formula: Node, facts: Facts) -> Iterator[Step]:
    """What the formula, as a hypothesis, says once each operator's value is put in its place."""
    for part in parts(hyp(formula)):
        with suppress(Stuck, KernelError):
            if (told := _told(search, part, facts)) is not part:
                yield told


def _told(search: Search, said: Step, facts: Facts) -> Step:
    """The part with the limits that it speaks of; itself where it speaks of none."""
    if shape(said.concl) == "tends":
        return _equal(search, said, *true_limit(search, said.concl, facts), facts)
    if said.concl[0] != "ex" or said.concl[2][0] != "and":
        return said
    _, v, body = said.concl
    *before, rest = parts(hyp(body))
    value = next((p for p in before if shape(p.concl) == "tends" and limit_and_term(p.concl)[1] == v), None)
    if value is None:
        return said
    limit, truth = true_limit(search, value.concl, facts)
    same = _equal(search, value, limit, truth, facts)
    step = apply("rewrite", same, rest, "z'", substitute(rest.concl, v, "z'"), v, limit)
    return apply("ex_elim", said, v, _told(search, step, facts))


def true_limit(search: Search, goal: Node, facts: Facts) -> tuple[Node, Step]:
    """Of a goal that says that a term tends to a value: the limit that it has, and the goal with that."""
    term, value = limit_and_term(goal)
    x = goal[2][2][2][1]
    own = term if x == END else substitute(term, END, x)
    with suppress(Stuck, KernelError):
        limit = limit_of(search, term, facts)
        return limit, tends(search, replaced(goal, minus(own, value), minus(own, limit)), facts)
    limit = limit_of_closed_form(term)
    return limit, search.solve(replaced(goal, minus(own, value), minus(own, limit)), facts)


def _equal(search: Search, said: Step, limit: Node, truth: Step, facts: Facts) -> Step:
    """v - L = 0 from that partial sums tend to v and to L: else both are within half their distance somewhere."""
    value = limit_and_term(said.concl)[1]
    gap = minus(value, limit)
    known = [*facts, *search.define(value, facts)]
    known += search.define(limit, known)
    d, g = (fresh(stem, said.concl, limit, [h for s in (said, *known) for h in s.hyps]) for stem in ("d", "g"))
    top: Node = ("max", d, g)
    n: Node = ("+", ("floor", top), ONE)
    whole, _, over = parts(apply("floor_bounds", top, ()))
    place = {("isint", n): apply("integral_polynomial", n, (whole,))}
    for bound in parts(apply("max_bounds", d, g, ()))[:2]:
        beyond = (">", minus(n, bound.concl[1][2][2]))
        place[beyond] = apply("combine", beyond, (over, bound), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    cases = [hyp(("=", gap))]
    for far in (gap, neg_term(gap)):
        here = [*known, hyp((">", far))]
        near: Node = ("*", HALF, far)
        here.append(apply("combine", (">", near), tuple(here), ((HALF, ((len(here) - 1, 1),), ()),)))
        somewhere = [apply("imp_elim", apply("all_elim", s, near, tuple(here)), here[-1]) for s in (said, truth)]
        halves = []
        for some, y in zip(somewhere, (d, g), strict=True):
            every = apply("all_elim", hyp(substitute(some.concl[2], some.concl[1], y)), n, tuple(place.values()))
            wanted = every.concl[1]
            halves.append(parts(apply("imp_elim", every, apply("and_intro", tuple(place[p] for p in wanted[1:]))
                                      if wanted[0] == "and" else place[wanted])))
        both = (halves[0][1], halves[1][0]) if far == gap else (halves[0][0], halves[1][1])
        false = apply("combine", (">", ZERO), both, ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        step = apply("absurd", false, ("=", gap))
        for some, y in zip(somewhere, (d, g), strict=True):
            step = apply("ex_elim", some, y, step)
        cases.append(step)
    equal, above, below = cases
    return apply("or_elim", apply("trichotomy", gap, tuple(known)), (above, equal, below), ("=", gap))


def _fails_somewhere(formula: Node, facts: Facts) -> bool:
    """Does a sample point show that the comparison fails, or may it be an equality there?"""
    relation, gap = formula
    points = samples([f.concl for f in facts], free(gap).union(*(f.variables for f in facts)), 24)
    values = [evaluate(gap, p) for p in points or [{}]]
    if relation == "=":
        return any(abs(v) > ROUNDING for v in values)
    return relation in (">", ">=") and any(v < (ROUNDING if relation == ">" else -ROUNDING) for v in values)


__all__ = ["against_values", "consequences"]
