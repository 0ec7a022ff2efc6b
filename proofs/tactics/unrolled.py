"""Sums over few numbers written out, and factorials of numbers as numbers: the goal is solved without them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from qtheory.proofs.kernel.factorials import factorial
from qtheory.proofs.kernel.terms import ONE, ZERO, Node, children, free, ge, integer, minus, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, fresh
from qtheory.proofs.tactics.maxima import lower
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.state import Search

MOST = 12  # summands, and the number whose factorial is written out


def unrolled(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal from that in which one such sum or factorial is written out."""
    for t in places(goal[1]):
        ends = [_plain(search, end, facts) for end in (t[2:4] if t[0] == "sum" else t[1][3:4])]
        if not all(map(integer, ends)):
            if t[0] != "sum" or tuple(ends) == t[2:4]:
                continue
            plain = (*t[:2], *ends, t[4])
            same = apply("combine", ("=", minus(plain, plain)), (*facts, *search.define(plain, facts)), ())
            equation = _with_ends(search, same, plain, t, facts)
        elif t[0] == "sum":
            if ends[1] - ends[0] >= MOST or (all(map(integer, t[2:4])) and not _nested(t[4])):
                continue
            equation = _written_out(search, t, ends[0], ends[1], facts)
        elif 0 <= ends[0] <= MOST:
            value = Fraction(math.factorial(int(ends[0])))
            equation = search.atom(("=", minus(value, t)), facts)
        else:
            continue
        new = equation.concl[1][1]
        easier = _settled(search, replaced(goal, t, new), [*facts, equation], depth)
        z = fresh("z", goal)
        return apply("rewrite", equation, easier, z, replaced(goal, t, z), new, t)
    raise Stuck("nothing to write out")


def _settled(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal from that without what is multiplied by 0 in it, as the conditions of a law are."""
    plain = (goal[0], _without_zeros(goal[1]))
    easier = search.atom(plain, facts, depth)
    return easier if plain == goal else apply("combine", goal, (easier, *facts, *search.define(goal[1], facts)), (
        (ONE, ((0, 1),), ()),))


def _without_zeros(t: Node) -> Node:
    if not isinstance(t, tuple) or t[0] not in ("+", "*"):
        return t
    made = [_without_zeros(part) for part in t[1:]]
    if t[0] == "*":
        return ZERO if ZERO in made else ("*", *made)
    kept = [part for part in made if part != ZERO]
    return ("+", *kept) if len(kept) > 1 else kept[0] if kept else ZERO


def places(t: Node) -> Iterator[Node]:
    """Sums outside binders, and factorials, the outermost first; a sum of logarithms is its factorial's."""
    if isinstance(t, tuple):
        whole = t[0] == "exp" and isinstance(t[1], tuple) and t[1][0] == "sum" and factorial(t[1][3]) == t
        if t[0] == "sum" or whole:
            yield t
        for part in () if whole else children(t)[0]:
            yield from places(part)


def _nested(body: Node) -> bool:
    return isinstance(body, tuple) and (body[0] == "sum" or any(map(_nested, body[1:])))


def _plain(search: Search, end: Node, facts: Facts) -> Node:
    """The end without maxima and whole parts, where the facts tell what these are; of numbers, the number."""
    return end if free(end) and not _rounded(end) else lower(search, end, facts)


def _rounded(t: Node) -> bool:
    return isinstance(t, tuple) and (t[0] in ("max", "floor") or any(map(_rounded, t[1:])))


def _written_out(search: Search, s: Node, low: Fraction, high: Fraction, facts: Facts) -> Step:
    """s_low + .. + s_high - s = 0."""
    i, body = s[1], s[4]

    def upto(k: Node) -> Node:
        return ("sum", i, low, k, body)

    whole = [apply("integral_polynomial", low, ())]
    empty = apply("sum_empty", upto(low - 1), tuple(whole))
    known = apply("combine", ("=", minus(upto(low - 1), ZERO)), (empty,), ((ONE, ((0, 1),), ()),))
    total: Node = ZERO
    k = low
    while k <= high:
        summand = substitute(body, i, k)
        same = apply("combine", ("=", minus(k - 1, minus(k, ONE))), (), ())
        before = apply("rewrite", same, known, "z'", ("=", minus(upto("z'"), total)), k - 1, minus(k, ONE))
        more = [*facts, *whole, apply("integral_polynomial", k, ()), apply("combine", ge(k, low), (), (
            (k - low, (), ()),)), before]
        more += search.define(summand, more)
        last = apply("sum_last", upto(k), tuple(more))
        sides = ("+", total, summand) if total != ZERO else summand
        known = apply("combine", ("=", minus(upto(k), sides)), (*more, last), (
            (ONE, ((len(more), 1),), ()), (ONE, ((len(more) - 1 - _after(more, before), 1),), ())))
        total, k = sides, k + 1
    step = apply("combine", ("=", minus(total, upto(high))), (known,), ((-ONE, ((0, 1),), ()),))
    return _with_ends(search, step, upto(high), s, facts)


def _with_ends(search: Search, step: Step, t: Node, s: Node, facts: Facts) -> Step:
    """An equation value - t = 0 as one with the ends that the sum s has."""
    for place in (2, 3):
        if s[place] != t[place]:
            equal = search.atom(("=", minus(t[place], s[place])), facts)
            template = ("=", minus(step.concl[1][1], (*t[:place], "z'", *t[place + 1:])))
            step = apply("rewrite", equal, step, "z'", template, t[place], s[place])
            t = (*t[:place], s[place], *t[place + 1:])
    return step


def _after(steps: Sequence[Step], step: Step) -> int:
    """How many steps come after this one."""
    return len(steps) - 1 - next(n for n, s in enumerate(steps) if s is step)


__all__ = ["places", "unrolled"]
