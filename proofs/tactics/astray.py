"""Sequences, series and integrals without a value: what is said to have a limit, at a point at which it has none.

Two neighbouring terms, or partial sums, are both close to a limit, so that steps, or summands, become small; where
these stay away from 0 there is none.  Nor is there where integrals grow beyond every bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, ge, gt, minus, neg_term, substitute
from qtheory.proofs.tactics.branches import Branch, branches, failing
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.closed import Assignment, Point, place
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.falling import END
from qtheory.proofs.tactics.moments import limit_and_term, shape
from qtheory.proofs.tactics.numeric import evaluate, holds
from qtheory.proofs.tactics.refute import Refutation, refute_along
from qtheory.proofs.tactics.state import Search

SIMPLE = (ONE, MINUS, Fraction(2), Fraction(1, 2))
POINTS, FAR = 64, (5, 6, 11, 20, 41)  # points that are looked at, and places of the summands there
TEN, K, ENDED = Fraction(10), "k'", ("sum", "int")


def without_value(search: Search, statement: Statement, seconds: float) -> Refutation | None:
    """A counterexample at which a sequence has no limit, though the statement says so; None if none is found."""
    said = [(p, limit_and_term(p)[0]) for p in _said(statement.conclusion)]
    names = statement.variables
    for values in islice(product(SIMPLE, repeat=len(names)), POINTS) if said else ():
        at = dict(zip(names, values, strict=True))
        numbers = {v: float(x) for v, x in at.items()}
        if all(holds(h, numbers) for h in statement.hypotheses) and any(_stays(s, numbers) for _, s in said):
            with suppress(Stuck, KernelError):
                step = _contradiction(search, place(statement.conclusion, at), numbers)
                return refute_along(statement, list(_branches(statement, step)), after(seconds), at)
    return None


def _branches(statement: Statement, fails: Step) -> Iterator[Branch]:
    """The conditions as they come, and the conclusion's failing at the point."""
    def last(point: Point, formula: Node, at: Assignment) -> Step:
        if fails.hyps != {place(statement.conclusion, at)}:
            raise Stuck("another point")
        (said,) = fails.hyps
        cases = (apply("absurd", fails, formula), hyp(formula))
        return apply("or_elim", apply("excluded_middle", said), cases, formula)

    for b in branches(("and", *statement.hypotheses)):
        yield failing(statement, b, last)


def _said(formula: Node) -> Iterator[Node]:
    """The parts that say that partial sums tend to a value."""
    if shape(formula) == "tends":
        yield formula
    elif formula[0] == "and" or (formula[0] == "ex" and formula[1].startswith("v")):
        for part in formula[1:] if formula[0] == "and" else formula[2:]:
            yield from _said(part)


def _stays(s: Node, at: Mapping[str, float]) -> bool:
    """Do the steps, or the integrand, not become smaller?"""
    return (least := _least(s, at)) > 1e-6 and abs(evaluate(_step(s, K), {**at, K: FAR[-1]})) >= 0.99 * least


def _step(s: Node, k: Node) -> Node:
    """What partial sums, or a sequence, gain at k; of an integral the integrand."""
    return substitute(s[4], s[1], k) if s[0] in ENDED else minus(*(substitute(s, END, t) for t in (k, minus(k, ONE))))


def _least(s: Node, at: Mapping[str, float]) -> float:
    sizes = [abs(evaluate(_step(s, K), {**at, K: float(k)})) for k in FAR]
    return min(sizes) if all(size == size for size in sizes) else 0.0


def _contradiction(search: Search, formula: Node, at: Mapping[str, float]) -> Step:
    """0 > 0 from the formula, all of whose variables have values."""
    for part in parts(hyp(formula)):
        opened = part.concl
        pieces = [part] if opened[0] != "ex" else parts(hyp(opened[2]))
        for piece in pieces:
            if shape(piece.concl) == "tends":
                step = _no_limit(search, piece, at)
                return step if opened[0] != "ex" else apply("ex_elim", part, opened[1], step)
    raise Stuck("nothing is said of partial sums")


def _no_limit(search: Search, said: Step, at: Mapping[str, float]) -> Step:
    """0 > 0 from that a sequence tends to v."""
    s, v = limit_and_term(said.concl)
    d = fresh("d", said.concl, *said.hyps)
    known = search.define(v, [])
    least = Fraction(_least(s, at) * 0.9).limit_denominator(1000) if s[0] != "int" else Fraction(2)
    near = least / 2
    some = apply("imp_elim", apply("all_elim", said, near, ()), apply("combine", (">", near), (), ((near, (), ()),)))
    every = hyp(substitute(some.concl[2], some.concl[1], d))
    wide: Node = ("*", TEN, ("+", ("^", v, Fraction(2)), ONE, _start(s)))
    top: Node = ("max", d, wide)
    n: Node = ("+", ("floor", top), Fraction(2))
    m = minus(n, ONE)
    whole, _, over = parts(apply("floor_bounds", top, tuple(known)))
    above = parts(apply("max_bounds", d, wide, tuple(known)))[:2]
    facts = [*known, *(apply("integral_polynomial", t, (whole,)) for t in (n, m))]
    rows = [(ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())]
    for bound, far in zip((d, wide), above, strict=True):
        facts += [apply("combine", gt(m, bound), (over, far, *known), tuple(rows)),
                  apply("combine", gt(n, bound), (over, far, *known), (*rows, (ONE, (), ())))]
    close = {}
    for t in (n, m):
        there = apply("all_elim", every, t, tuple(facts))
        close[t] = parts(apply("imp_elim", there, conjunction(there.concl[1], facts)))
    step = (_grown if s[0] == "int" else _away)(search, s, v, least, (n, m), close, facts)
    return apply("ex_elim", some, d, step)


def _start(s: Node) -> Node:
    return s[2] if s[0] in ENDED else ONE


def _away(search: Search, s: Node, v: Node, least: Fraction, ends: tuple[Node, Node], close: Mapping[Node, list[Step]],
          facts: Facts) -> Step:
    """The summand at n is less than ``least``, as the sums to n and n - 1 are close to v: but it never is."""
    n, m = ends
    k = fresh("k", s, v)
    low, body = _start(s), _step(s, k)
    inside = [hyp(("isint", k)), hyp(ge(k, low))]
    ways: list[Node] = [(">=", minus(body, least)), (">=", minus(neg_term(body), least)),
                        (">=", minus(("^", body, Fraction(2)), least**2))]
    found = (i for i, goal in enumerate(ways) if _seen(search, goal, inside))
    i = next(found, None)
    if i is None:
        raise Stuck("the summands are not seen to stay away from 0")
    stays = search.atom(ways[i], inside)
    known = [*facts, search.atom(("isint", low), facts), search.combine(ge(n, low), facts, 1)]
    here = cut_all(known, apply("instance", stays, k, n, tuple(known)))
    summand = _step(s, n)
    last = apply("sum_last", (*s[:3], n, s[4]), (*known, *close[m], *search.define(summand, known))) if s[0] in ENDED \
        else apply("combine", ("=", ZERO), (), ())
    whole = (here, last, *close[n], *close[m], *known)
    # e - (S_n - v) and e + (S_m - v) give 2 e - a > 0, the others 2 e + a > 0
    small = [apply("combine", (">", t), whole, ((ONE, ((2 + j, 1),), ()), (ONE, ((5 - j, 1),), ()),
                                                (ONE if j == 0 else MINUS, ((1, 1),), ())))
             for j, t in enumerate((minus(least, summand), ("+", least, summand)))]
    if i < 2:
        return apply("combine", (">", ZERO), (small[i], here, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    return apply("combine", (">", ZERO), (*small, here, *known), ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((2, 1),), ())))


def _seen(search: Search, goal: Node, facts: Facts) -> bool:
    try:
        return search.atom(goal, facts) is not None
    except (Stuck, KernelError):
        return False


def _grown(search: Search, s: Node, v: Node, least: Fraction, ends: tuple[Node, Node], close: Mapping[Node, list[Step]],
           facts: Facts) -> Step:
    """The integral to n is more than v + 1."""
    n = ends[0]
    k = fresh("k", s, v)
    inside = [hyp(gt(k, next(f.concl[1][2][2] for f in facts if f.concl[0] == ">" and f.concl[1][1] == n
                             and isinstance(f.concl[1][2][2], tuple)))), *search.define(v, [])]
    beyond = search.atom(gt(("int", *s[1:3], k, s[4]), ("+", v, ONE)), inside)
    here = cut_all(facts, apply("instance", beyond, k, n, tuple(facts)))
    return apply("combine", (">", ZERO), (here, close[n][0], *facts), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


__all__ = ["without_value"]
