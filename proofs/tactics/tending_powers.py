"""Limits of powers and exponentials from those of their logarithms.

With g = v log(u), or the g of exp(g), tending to l, what is written u^v tends to L = exp(l): where |g - l| < h for
h = e'/(L + e'), exp(g - l) lies between 1 - h and 1/(1 - h).  A g that grows without bound takes exp(g) >= 1 + g along.
"""

from __future__ import annotations

from typing import NamedTuple

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, hyp, parts, unused
from qtheory.proofs.tactics.conditions import conditions_of
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.state import Search

EPSILON, HEIGHT, DISTANCE = "e'", "m'", "d'"


class Tending(NamedTuple):
    """What a limit says: the term f, its value L (None for oo), and the f - L, or f, that its goal holds."""

    some: Node  # there is a distance ..
    variable: str
    f: Node
    value: Node | None
    held: Node


def tending(goal: Node) -> Tending | None:
    """The goal read as the limit of a power with the variable in its exponent, or of an exponential."""
    try:
        finite = goal[:2] == ("all", EPSILON) and goal[2][:2] == ("imp", (">", EPSILON))
        some = goal[2][2] if finite else goal[2]
        every = some[2] if some[2][0] == "all" else some[2][2]
        x, target = every[1], every[2][2]
        held = target[2][1][2] if finite else target[1][1]
        f, value = (held[1], held[2][2]) if finite else (held, None)
        good = (finite or goal[:2] == ("all", HEIGHT)) and some[:2] == ("ex", DISTANCE) and (
            target == ("and", (">", minus(EPSILON, held)), (">", ("+", EPSILON, held)))
            if finite else target == (">", minus(f, HEIGHT)))
        raised = f[0] == "exp" or (f[0] == "^" and x in free(f[2]))
        return Tending(some, x, f, value, held) if good and raised and x in free(f) else None
    except (IndexError, TypeError):
        return None


def by_logarithm(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The limit of u^v, or of exp(g), from that of v log(u), or of g."""
    said = tending(goal)
    assert said is not None  # the strategy applies
    some, x, f, value, held = said
    taken = {x, EPSILON, HEIGHT, DISTANCE}
    known = [s for s in facts if not s.variables & taken]
    if any(free(h) & taken for s in known for h in s.hyps):
        raise Stuck("a fact speaks of a variable of the limit")
    g: Node = f[1] if f[0] == "exp" else ("*", f[2], ("log", f[1]))
    own: list[Step] = []
    if value is None:
        step = apply("all_elim", search.solve(replaced(goal, f, g), known, depth), HEIGHT, ())
    else:
        log: Node = ZERO if value == 1 else value[1] if isinstance(value, tuple) and value[0] == "exp" else \
            ("log", value)
        every = search.solve(replaced(goal, held, minus(g, log)), known, depth)
        known += search.define(("+", value, log), known)
        own = [hyp((">", EPSILON)), search.atom((">", value), known)]
        total: Node = ("+", value, EPSILON)
        own.append(apply("combine", (">", total), tuple(own), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))))
        near: Node = ("*", EPSILON, ("^", total, MINUS))
        own.append(apply("combine", (">", near), tuple(own), ((ONE, ((0, 1), (2, -1)), ()),)))
        step = apply("imp_elim", apply("all_elim", every, near, (*known, *own)), own[-1])
    y = unused("y", known, goal)
    body = substitute(step.concl[2], DISTANCE, y)
    opened = parts(hyp(body))
    inner = substitute(some[2], DISTANCE, y)
    place = (inner if inner[0] == "all" else inner[2])[2][1]
    assumed = hyp(place)
    halves = parts(apply("imp_elim", apply("all_elim", opened[-1], x, ()), assumed))
    here = [*known, *own, *halves, *conditions_of(halves)]
    same = apply("power_exp", f[1], f[2], tuple(here)) if f[0] == "^" else apply("combine", (
        "=", minus(f, f)), tuple(here), ())  # f - exp(g) = 0
    if value is None:
        tangent = apply("exp_above_tangent", g, tuple(here))
        # f - m' = (f - exp(g)) + (exp(g) - 1 - g) + 1 + (g - m')
        found = apply("combine", (">", minus(f, HEIGHT)), (same, tangent, halves[0], *here), (
            (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()), (ONE, (), ()), (ONE, ((2, 1),), ())))
    else:
        found = _within(search, same, log, value, held, [*halves, *own], here)
    found = apply("all_intro", x, apply("imp_intro", place, found))
    if inner[0] == "and":
        found = apply("and_intro", (opened[0], found))
    found = apply("ex_intro", some, y, found, ())
    found = apply("ex_elim", step, y, cut_all([s for s in opened if s.concl != body], found))
    if value is not None:
        found = apply("imp_intro", (">", EPSILON), found)
    return apply("all_intro", goal[1], found)


def _within(search: Search, same: Step, log: Node, value: Node, held: Node, own: Facts, known: Facts) -> Step:
    """e' - (f - L) > 0 and e' + (f - L) > 0, from h - t > 0 and h + t > 0 for t = g - l."""
    g = same.concl[1][2][2][1]
    t = minus(g, log)
    shift = apply("exp_sum", log, t, tuple(known))
    sums = apply("combine", ("=", minus(("+", log, t), g)), tuple(known), ())
    split = apply("rewrite", sums, shift, "z'", replaced(shift.concl, ("exp", ("+", log, t)), ("exp", "z'")),
                  ("+", log, t), g)  # exp(g) = exp(l) exp(t)
    image = search.atom(("=", minus(("exp", log), value)), known)
    minor, major = apply("exp_above_tangent", t, tuple(known)), apply("exp_above_tangent", neg_term(t), tuple(known))
    sizes = [apply("exp_positive", u, tuple(known)) for u in (t, neg_term(t))]
    one = search.atom(("=", minus(("*", ("exp", t), ("exp", neg_term(t))), ONE)), [*known, *sizes])
    facts = (*own, same, split, image, minor, major, one, sizes[0], *known)
    below, above, e, positive, total, _, a, b, c, low, high, unit, size = range(13)
    # f - L = (f - exp(g)) + (exp(g) - exp(l) exp(t)) + exp(t) (exp(l) - L) + L (exp(t) - 1)
    moved = [(a, ONE), (b, ONE), (c, ("exp", t))]

    def equal(sign: int) -> list[tuple[Node, tuple[tuple[int, int], ...], tuple[Node, ...]]]:
        return [(m if sign > 0 else neg_term(m), ((i, 1),), ()) for i, m in moved]

    # e' + L (exp(t) - 1) = L (exp(t) - 1 - t) + L (h + t) + e'^2/(L + e')
    upper = apply("combine", (">", ("+", EPSILON, held)), facts, (
        *equal(1), (ONE, ((positive, 1), (low, 1)), ()), (ONE, ((positive, 1), (above, 1)), ()),
        (ONE, ((e, 2), (total, -1)), ())))
    # e' - L (exp(t) - 1) = (L + e') ((1 - exp(t) exp(-t)) + exp(t) (exp(-t) - 1 + t) + exp(t) (h - t))
    lower = apply("combine", (">", minus(EPSILON, held)), facts, (
        *equal(-1), (neg_term(("+", value, EPSILON)), ((unit, 1),), ()), (ONE, ((total, 1), (size, 1), (high, 1)), ()),
        (ONE, ((total, 1), (size, 1), (below, 1)), ())))
    return apply("and_intro", (lower, upper))


__all__ = ["by_logarithm", "tending"]
