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
        found = [_number(search, end, facts) for end in (t[2:4] if t[0] == "sum" else t[1][3:4])]
        ends = [end for end in found if end is not None and integer(end)]
        if len(ends) < len(found):
            continue
        if t[0] == "sum":
            if ends[1] - ends[0] >= MOST or (all(map(integer, t[2:4])) and not _nested(t[4])):
                continue
            equation = _written_out(search, t, ends[0], ends[1], facts)
        elif 0 <= ends[0] <= MOST:
            value = Fraction(math.factorial(int(ends[0])))
            equation = search.atom(("=", minus(value, t)), facts)
        else:
            continue
        new = equation.concl[1][1]
        easier = search.atom(replaced(goal, t, new), [*facts, equation], depth)
        z = fresh("z", goal)
        return apply("rewrite", equation, easier, z, replaced(goal, t, z), new, t)
    raise Stuck("nothing to write out")


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


def _number(search: Search, end: Node, facts: Facts) -> Node | None:
    return None if free(end) else lower(search, end, facts)


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
    for place, number in ((2, low), (3, high)):
        if s[place] != number:
            equal = search.atom(("=", minus(number, s[place])), facts)
            t = step.concl[1][2][2]
            template = ("=", minus(total, (*t[:place], "z'", *t[place + 1:])))
            step = apply("rewrite", equal, step, "z'", template, number, s[place])
    return step


def _after(steps: Sequence[Step], step: Step) -> int:
    """How many steps come after this one."""
    return len(steps) - 1 - next(n for n, s in enumerate(steps) if s is step)


__all__ = ["places", "unrolled"]
