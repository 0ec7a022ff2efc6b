"""Limits far out from others: of a sum from those of its parts, of partial sums from that of their closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import sympy

from qtheory.proofs.kernel.terms import ONE, Node, ge, minus, substitute
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.falling import END, falling_in, partial
from qtheory.proofs.tactics.integrals import integral_value
from qtheory.proofs.tactics.moments import limit_and_term, limit_of, shape
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.primitives import antiderivative
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.thorough import closed_form

HALF, EPSILON = Fraction(1, 2), "e'"


def mixed(goal: Node) -> bool:
    """Does a sum tend to a value of which only some summands fall like weights?"""
    if shape(goal) != "tends":
        return False
    term = limit_and_term(goal)[0]
    return not any(True for _ in partial(term)) and term[0] == "+" and 0 < len(_falling(term)) < len(term) - 1


def _falling(term: Node) -> list[Node]:
    return [t for t in term[1:] if any(True for _ in falling_in(t, END))]


def by_summands(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Those that fall like weights, and the others: each is within half as much of its own limit."""
    term, value = limit_and_term(goal)
    falling = _falling(term)
    first: Node = ("+", *falling) if len(falling) > 1 else falling[0]
    rest = [t for t in term[1:] if t not in falling]
    second: Node = ("+", *rest) if len(rest) > 1 else rest[0]
    limit = limit_of(search, first, facts)
    x, some = goal[2][2][2][1], goal[2][2]
    pairs = ((first, limit), (second, minus(value, limit)))
    held = minus(_at(term, x), value)
    known = [*facts, *search.define(limit, facts)]
    each = [search.solve(replaced(goal, held, minus(_at(f, x), v)), known, depth - 1) for f, v in pairs]
    positive = hyp((">", EPSILON))
    near: Node = ("*", HALF, EPSILON)
    small = apply("combine", (">", near), (positive,), ((HALF, ((0, 1),), ()),))
    there = [apply("imp_elim", apply("all_elim", step, near, ()), small) for step in each]

    def together(halves: Sequence[Sequence[Step]], known: Facts) -> Step:
        return apply("and_intro", tuple(apply("combine", wanted, (*(h[i] for h in halves), *facts), (
            (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))) for i, wanted in enumerate(some[2][2][2][1:])))

    step = far_out(some, there, None, together)
    return apply("all_intro", EPSILON, apply("imp_intro", (">", EPSILON), step))


def summed(goal: Node) -> bool:
    """Do partial sums, or integrals, tend to a value?"""
    return shape(goal) == "tends" and len(list(partial(limit_and_term(goal)[0]))) == 1


def by_closed_form(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The partial sums as the closed form that SymPy proposes and induction proves; integrals by the fundamental
    theorem."""
    (s,) = partial(limit_and_term(goal)[0])
    low, x, some = s[2], goal[2][2][2][1], goal[2][2]
    own = _at(s, x)
    if s[0] == "sum":
        plain = _at(closed_form(s), x)
    else:
        plain = integral_value(search, own, [*facts, hyp(ge(x, low))]).concl[1][2][2]
    step = search.solve(replaced(goal, own, plain), facts, depth - 1)
    there = apply("imp_elim", apply("all_elim", step, EPSILON, ()), hyp((">", EPSILON)))

    def written(halves: Sequence[Sequence[Step]], known: Facts) -> Step:
        same = search.atom(("=", minus(plain, own)), [*facts, *known])
        return apply("rewrite", same, apply("and_intro", tuple(halves[0])), "z'", replaced(
            some[2][2][2], own, "z'"), plain, own)

    step = far_out(some, [there], low, written)
    return apply("all_intro", EPSILON, apply("imp_intro", (">", EPSILON), step))


def limit_of_closed_form(term: Node) -> Node:
    """What SymPy takes for the limit of a term with one partial sum."""
    sums = list(partial(term))
    if len(sums) != 1:
        raise Stuck("no partial sum, or several")
    (head, x, low, high, body), s = sums[0], sums[0]
    if head == "sum":
        closed = closed_form(s)
    else:
        primitive = antiderivative(body, x, frozenset())
        closed = minus(substitute(primitive, x, high), substitute(primitive, x, low))
    value = to_sympy(replaced(term, s, closed))
    try:
        return from_sympy(answer(lambda: sympy.limit(value, sympy.Symbol(END, real=True), sympy.oo)))
    except NotImplementedError as error:
        raise Stuck(str(error)) from None


def _at(term: Node, x: str) -> Node:
    return term if x == END else substitute(term, END, x)


def far_out(some: Node, known: Sequence[Step], after: Node | None,
            make: Callable[[Sequence[Sequence[Step]], Facts], Step]) -> Step:
    """That something holds far out, made from what is known far out: beyond the greatest of their bounds, and of
    ``after``."""
    _, d, (_, x, (_, guard, _)) = some
    names = [fresh(stem, some, after or ONE, *(s.concl for s in known)) for stem, _ in zip("dg", known, strict=False)]
    bounds: list[Node] = [*names, *([] if after is None else [after])]
    top: Node = bounds[0] if len(bounds) == 1 else ("max", *bounds)
    place = substitute(guard, d, top)
    assumed = parts(hyp(place))
    over = {top: assumed[-1]}
    for above in parts(apply("max_bounds", *bounds, ()))[:2] if len(bounds) > 1 else ():
        bound = above.concl[1][2][2]
        over[bound] = apply("combine", (">", minus(x, bound)), (assumed[-1], above), (
            (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    halves = []
    for step, name in zip(known, names, strict=True):
        inner = apply("all_elim", hyp(substitute(step.concl[2], step.concl[1], name)), x, ())
        here = over[name] if guard[0] != "and" else apply("and_intro", (*assumed[:-1], over[name]))
        halves.append(parts(apply("imp_elim", inner, here)))
    made = cut_all([s for s in assumed if s.concl != place], make(halves, [*assumed, *over.values()]))
    step = apply("ex_intro", some, top, apply("all_intro", x, apply("imp_intro", place, made)), ())
    for source, name in zip(known, names, strict=True):
        step = apply("ex_elim", source, name, step)
    return step


__all__ = ["by_closed_form", "by_summands", "far_out", "limit_of_closed_form", "mixed", "summed"]
