"""Convex and concave functions: the tangent at the middle point lies on one side, so the chord does."""

from __future__ import annotations

from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.grammar import curved
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, gt, minus, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, hyp, parts, unused
from qtheory.proofs.tactics.monotone import from_end
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import conjuncts


def by_curvature(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A step for the whole goal; Stuck if it is of another shape."""
    x, f, where, relation, sign = shape(goal)
    if any(x in free(h) for s in facts for h in s.hyps):
        raise Stuck("a fact speaks of the curve's variable")
    inside, gap = goal[2][2][2][1:]
    z = unused("z", facts, goal)
    middle: Node = ("+", ("*", minus(ONE, "t'"), x), ("*", "t'", "y'"))
    there = substitute(where, x, z)
    known = [*facts, *(hyp(c) for w in (where, substitute(where, x, "y'"), there) for c in conjuncts(w)),
             hyp(gt(z, x)), hyp(gt("y'", z))]
    slope = reduce_term(undiff(derivative(substitute(f, x, z), z))[0])
    f_z = substitute(f, x, z)
    tangents = []
    for v in (x, "y'"):
        above: Node = ("+", substitute(f, x, v), ("*", -ONE, f_z), ("*", -ONE, slope, minus(v, z)))
        gap_there: Node = above if sign > 0 else ("*", -ONE, above)
        side = "high" if v == x else "low"
        tangents.append(from_end(search, relation, gap_there, v, z, side, known, depth, search.points(goal, known)))
    assumed = parts(hyp(inside))
    settled = [*facts, *assumed, *search.define(gap[1], [*facts, *assumed])]
    place = [*parts(search.solve(substitute(where, x, middle), settled, 2)),
             *(search.atom(c, settled, 2) for c in (gt(middle, x), gt("y'", middle)))]
    settled += place
    leaves = [cut_all(place, apply("instance", t, z, middle, tuple(settled))) for t in tangents]
    shares = [next(s for s in assumed if s.concl == c) for c in ((">", minus(ONE, "t'")), (">", "t'"))]
    step = apply("combine", gap, (*leaves, *shares, *settled),
                 ((ONE, ((0, 1), (2, 1)), ()), (ONE, ((1, 1), (3, 1)), ())))
    step = apply("imp_intro", inside, cut_all([s for s in assumed if s.concl != inside], step))
    for v in ("t'", "y'", x):
        step = apply("all_intro", v, step)
    return step


def shape(goal: Node) -> tuple[str, Node, Node, str, int]:
    """(variable, function, domain, relation, 1 for convex and -1 for concave) of the notation's part on chords."""
    try:
        _, x, (_, _, (_, _, (_, inside, (relation, gap)))) = goal
        chords = ((1, gap[1]), (-1, gap[2][2]))
        for sign, chord in chords:
            f, where = chord[1][2], inside[1]
            if curved(relation, sign)(f, x, where)[2] == goal:
                return x, f, where, relation, sign
    except (ValueError, IndexError, TypeError, KernelError):
        pass
    raise Stuck("not of this shape")
