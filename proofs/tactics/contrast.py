"""A changed statement about a limit or an order, refuted by the proof of the statement that it was changed from.

The original says that f - R is as small as one likes near an end of x (or that |f| <= k |g| there).  Where the
changed f' - R' is formally A (f - R) + B with a number A and a B that stays away from 0 near the end (or f' = A f + B
with a B that outgrows every c |g|), the changed statement is false, whatever sums and integrals stand in f: no value
of theirs is needed.  The original's proof becomes a part of the certificate, at the point's values of the variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    minus,
    neg_term,
    negate,
    substitute,
)
from qtheory.proofs.tactics.approach import Approach
from qtheory.proofs.tactics.arrays import values as evaluated
from qtheory.proofs.tactics.branches import Branch, branches, failing
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, cut_all, hyp, parts
from qtheory.proofs.tactics.closed import Assignment, Point, place
from qtheory.proofs.tactics.elimination import linear
from qtheory.proofs.tactics.known import from_given, instance_at, shown
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.terms import swap

E, D, C, Y, K, W = "e'", "d'", "c'", "y''''", "k''''", "w'''''"
HALF = Fraction(1, 2)
RADII = (Fraction(1, 10**6), Fraction(1, 10**12), Fraction(1, 100))
KINDS = (("all", E), ("ex", C))  # limits that are numbers, and orders
OPAQUE = ("sum", "int", "app")
SECONDS = 0.3  # of work, for what a term near the end needs in order to be defined


@dataclass(frozen=True)
class Original:
    """A statement and a proof of it, whose hypotheses are among the statement's."""

    statement: Statement
    proof: Step


@dataclass(frozen=True)
class Near:
    """A formula that holds of all x near an end: ("ex", d', ..) as ``grammar.close`` and its like write it."""

    x: str
    where: Node  # of x and d'
    inside: Node
    finite: bool

    @staticmethod
    def of(formula: Node) -> Near:
        if formula[0] == "ex" and formula[1] == D:
            body = formula[2]
            finite = body[0] == "and" and len(body) == 3 and body[1] == (">", D)
            every = body[2] if finite else body
            if every[0] == "all" and every[2][0] == "imp":
                return Near(every[1], every[2][1], every[2][2], finite)
        raise Stuck("no limit or order")

    @property
    def conditions(self) -> tuple[Node, ...]:
        return tuple(self.where[1:]) if self.where[0] == "and" else (self.where,)


def refuting_branches(statement: Statement, original: Original, given: Sequence[Step] = ()) -> list[Branch]:
    """Branches of the statement's refutation that take the hypotheses as they come, and the conclusion's failing from
    the original; none where the original says nothing of the kind."""
    if not any(part[:2] in KINDS for part in _changed(statement.conclusion, original.proof.concl)):
        return []

    def last(point: Point, formula: Node, at: Assignment) -> Step:
        return Contrast(point, original, at).against(place(statement.conclusion, at))

    out = (failing(statement, from_given(b, given), last) for b in branches(("and", *statement.hypotheses)))
    return [b for b in out if b.undefined is None]


def _changed(phi: Node, truth: Node) -> Iterator[Node]:
    """The parts of the formula that the truth has not got as they are."""
    known = set(_said(truth))
    return (part for part in _said(phi) if part not in known)


def _said(phi: Node) -> Iterator[Node]:
    if phi[0] == "and":
        for part in phi[1:]:
            yield from _said(part)
    elif phi[0] == "imp":
        yield from _said(phi[2])
    else:
        yield phi


class Contrast:
    """What the original says at the point, held against a changed conclusion."""

    def __init__(self, point: Point, original: Original, at: Mapping[str, Node]) -> None:
        self.point = point
        self.truths = parts(self._instance(original, at))

    def _instance(self, original: Original, at: Mapping[str, Node]) -> Step:
        step = instance_at(self.point, original.proof, at)
        return cut_all([self.shown(h) for h in sorted(step.hyps, key=str)], step)

    def shown(self, formula: Node) -> Step:
        return shown(self.point, formula)

    def against(self, phi: Node) -> Step:
        """The complement of the formula."""
        opposite = negate(phi)
        if phi[0] == "and":
            for part in phi[1:]:
                try:
                    return apply("or_intro", self.against(part), opposite)
                except (Stuck, KernelError):
                    continue
        if phi[0] == "imp":
            return apply("and_intro", (self.shown(phi[1]), self.against(phi[2])))
        kinds = dict(zip(KINDS, (self.limit, self.order), strict=True))
        for said in self.truths if phi[:2] in kinds else ():
            if said.concl[0] == "imp":
                try:
                    said = apply("imp_elim", said, self.shown(said.concl[1]))
                except (Stuck, KernelError):
                    continue
            if said.concl[:2] == phi[:2]:
                try:
                    return kinds[phi[:2]](phi, said)
                except (Stuck, KernelError):
                    self.point.tick()
        raise Stuck("the original does not contradict this")

    # ---- limits ----

    def limit(self, phi: Node, truth: Step) -> Step:
        """Not: for every e' > 0, |g'| < e' near the end; from the same of g, where g' = A g + B."""
        new, old = Near.of(phi[2][2]), Near.of(truth.concl[2][2])
        x, g, changed = new.x, _gap(old), _gap(new)
        if old.x != x or old.where != new.where:
            raise Stuck("another end")
        a, b = split(changed, g, x)
        way, sign, size = self.away(new, b)
        bound = max(ONE, self.size_of(a))
        e_old, e_new = size / (2 * bound), size / 2
        facts = [hyp(substitute(f, E, e_old)) for f in old.inside[1:]]
        apart = self.stays(way, (">=", minus(b if sign == 1 else neg_term(b), size)))
        leaf = negate(substitute(new.inside[1 if sign == 1 else 2], E, e_new))
        goal, a = leaf[2], a if sign == 1 else neg_term(a)
        if isinstance(a, Fraction):
            rows: list[Product] = [(abs(a), ((1 if a > 0 else 0, 1),), ())] if a else []
            rest = e_new - abs(a) * e_old
            known = [*facts, apart]
        else:  # a closed term: a (g + e) + (bound - a) e, or the like for a < 0
            up = self.point.sign(a) == 1
            positive, below = self.point.atom((">=", a if up else neg_term(a))), self.point.atom(
                (">=", minus(bound, a if up else neg_term(a))))
            known, rest = [*facts, apart, positive, below], e_new - bound * e_old
            rows = [(ONE, ((1 if up else 0, 1), (3, 1)), ()), (e_old, ((4, 1),), ())]
        step = self.combined(goal, known, [*rows, (ONE, ((2, 1),), ()), (rest, (), ())], way)
        step = apply("or_intro", apply("or_intro", step, leaf), negate(substitute(new.inside, E, e_new)))
        there = apply("imp_elim", apply("all_elim", truth, e_old, ()), self.point.atom((">", e_old)))
        step = self.everywhere(there, Near.of(there.concl), substitute(phi[2][2], E, e_new), way, step, ())
        return apply("ex_intro", negate(phi), e_new, apply("and_intro", (self.point.atom((">", e_new)), step)), ())

    # ---- orders ----

    def order(self, phi: Node, truth: Step) -> Step:
        """Not: |f'| <= c' |g| near the end for some c'; from the same of f, where f' = A f + B."""
        new, old = Near.of(phi[2]), Near.of(truth.concl[2])
        x, (most, f), (same, changed) = new.x, _sizes(old), _sizes(new)
        if old.x != x or old.where != new.where or most != same:
            raise Stuck("another end or order")
        a, b = split(changed, f, x)
        if not isinstance(a, Fraction):
            raise Stuck("the factor is no rational number")
        way, sign, _ = self.away(new, b, C)
        height = most[2]  # of c' |g|
        apart = self.stays(way, (">", minus(b if sign == 1 else neg_term(b), ("*", C, height))))
        total: Node = ("+", C, ("*", abs(a), K))
        apart = apply("instance", apart, C, total, ())
        conditions = [substitute(i, C, total) for i in way.inside]
        facts = [hyp(substitute(i, C, K)) for i in old.inside[1:]]
        leaf = negate(new.inside[1 if sign == 1 else 2])
        towards = a * sign
        rows: list[Product] = [(ONE, ((2, 1),), ())]
        if towards:
            rows.append((abs(towards), ((1 if towards > 0 else 0, 1),), ()))
        step = self.combined(leaf[2], [*facts, apart], rows, way, [hyp(i) for i in conditions])
        step = apply("or_intro", apply("or_intro", step, leaf), negate(new.inside))
        existence = hyp(substitute(truth.concl[2], C, K))
        step = self.everywhere(existence, Near.of(existence.concl), phi[2], way, step, conditions, total)
        step = apply("ex_elim", truth, K, step)
        return apply("all_intro", C, step)

    # ---- near the end ----

    def away(self, near: Near, b: Node, c: str | None = None) -> tuple[Approach, int, Fraction]:
        """A neighbourhood of the end, the sign of b near it, and a size that |b| seems to exceed there."""
        x = near.x
        a, side = _end(near)
        for r in RADII:
            way = Approach(x, a, side, r, c)
            end = 0.0 if a is None else float(evaluated(a, self._middle()).value)
            gaps = float(r) * np.array([0.9, 0.3, 0.05])
            points = end + side * gaps if a is not None else side / gaps
            at = {v: np.asarray(q)[None] for v, q in self._middle().items()}
            found = evaluated(b, {**at, x: points})
            value = np.broadcast_to(found.value, points.shape)
            if bool(np.all(np.isfinite(value))) and abs(np.sign(value).sum()) == value.size:
                least = float(np.abs(value).min())
                if c is not None or least > 1e-9 * float(np.broadcast_to(found.size, points.shape).max()):
                    return way, int(np.sign(value[0])), min(ONE, Fraction(least / 2).limit_denominator(10**9))
        raise Stuck("the difference has no sign near the end")

    def _middle(self) -> dict[str, Any]:
        return {v: np.asarray(float(low + high) / 2) for v, (low, high) in self.point.box.items()}

    def size_of(self, a: Node) -> Fraction:
        if isinstance(a, Fraction):
            return abs(a)
        low, high = enclose(a, self.point.box, 64)
        return Fraction(max(abs(low), abs(high))).limit_denominator(1000) + Fraction(1, 100)

    def stays(self, way: Approach, goal: Node) -> Step:
        """The comparison near the end; its hypotheses are the neighbourhood's."""
        if way.x not in free(goal) and way.c not in free(goal):
            return self.point.atom(goal)
        if self.point.box and way.c is None:
            return self.enclosed(way, goal)
        return way.prove(goal, self.point)

    def enclosed(self, way: Approach, goal: Node) -> Step:
        """By one ball over the distance from the end, or over 1/|x|, and the roots."""
        t = reduce_term(substitute(goal[1], way.x, way.place(W)))
        step = self.point.over({W: (ZERO, way.r)}).ball((goal[0], t))
        step = apply("instance", step, W, way.d, (way.positive,))
        above = apply("combine", ge(way.d, ZERO), (way.positive,), ((ONE, ((0, 1),), ()),))
        below = apply("combine", ge(way.r, way.d), (way.limits[0], way.positive), ((ONE, ((0, 1),), ()),))
        step = cut_all([above, below], step)
        known = (step, way.positive, *map(hyp, way.inside), *self.point.facts)
        return apply("combine", goal, (*known, *self.defined(goal[1], known)), ((ONE, ((0, 1),), ()),))

    def defined(self, term: Node, facts: Sequence[Step]) -> list[Step]:

        return self.point.search(SECONDS).define(term, facts)

    def combined(self, goal: Node, facts: Sequence[Step], rows: Sequence[Product], way: Approach,
                 near: Sequence[Step] | None = None) -> Step:
        """By the rows, with what the goal needs besides in order to be defined."""
        inside = [hyp(i) for i in way.inside] if near is None else list(near)
        known = (*facts, *inside, *self.point.facts)
        found = attempt("combine", goal, (*facts, *inside), tuple(rows))
        if found is not None:
            return found
        return apply("combine", goal, (*known, *self.defined(goal[1], known)), tuple(rows))

    def everywhere(self, truth: Step, old: Near, phi: Node, way: Approach, step: Step, conditions: Sequence[Node],
                   c: Node | None = None) -> Step:
        """The complement of ``phi`` = ("ex", d', ..): beyond each d' the step's conclusion holds of some x, namely of
        one that meets the original's conditions too, whose bound is ``Y``."""
        opposite = negate(phi)
        new = Near.of(phi)
        at, facts, rows = _place(way, new, c)
        known: list[Step] = []

        def met(goal: Node) -> Step:
            for f in (*facts, *known):
                if f.concl == goal:
                    return f
            for row in rows:
                found = attempt("combine", goal, tuple(facts), row)
                if found is not None:
                    return found
            raise Stuck("the place is not shown")

        wheres = [substitute(substitute(w, D, bound), new.x, at) for bound in (D, Y) for w in new.conditions]
        shown = [met(w) for w in wheres]
        half = len(shown) // 2
        here, there = (_conjunction(new.where, shown[:half]), _conjunction(new.where, shown[half:]))
        body = substitute(truth.concl[2], D, Y)
        every = apply("and_elim", hyp(body), 1) if old.finite else hyp(body)
        told = apply("imp_elim", apply("all_elim", every, at, tuple(facts)), there)
        step = apply("instance", step, new.x, at, tuple(facts))
        inside = [met(substitute(i, new.x, at)) for i in (conditions or way.inside)]
        step = cut_all([*parts(told), *inside], step)
        exists = opposite[2][2] if new.finite else opposite[2]
        step = apply("ex_intro", exists, at, apply("and_intro", (here, step)), tuple(facts))
        if old.finite:
            step = apply("cut", apply("and_elim", hyp(body), 0), step)
        step = apply("ex_elim", truth, Y, step)
        if new.finite:
            body = opposite[2]
            cases = (apply("or_intro", step, body), apply("or_intro", hyp(body[1]), body))
            step = apply("or_elim", apply("excluded_middle", (">", D)), cases, body)
        return apply("all_intro", D, step)


def _conjunction(where: Node, shown: Sequence[Step]) -> Step:
    return apply("and_intro", tuple(shown)) if where[0] == "and" else shown[0]


def _gap(near: Near) -> Node:
    """f - R of a limit's neighbourhood."""
    inside = near.inside
    if inside[0] != "and" or len(inside) != 3 or inside[2][1][:2] != ("+", E):
        raise Stuck("no limit that is a number")
    return inside[2][1][2]


def _sizes(near: Near) -> tuple[Node, Node]:
    """c' |g| and f of an order's neighbourhood."""
    inside = near.inside
    if inside[0] != "and" or len(inside) != 3 or inside[2][1][0] != "+" or inside[2][1][1][:2] != ("*", C):
        raise Stuck("no order")
    return inside[2][1][1], inside[2][1][2]


def _end(near: Near) -> tuple[Node | None, int]:
    """Where x goes, None for infinity, and from which side."""
    x, conditions = near.x, near.conditions
    if not near.finite:
        return None, 1 if conditions[-1] == gt(x, D) else -1
    first = conditions[0]
    if first[0] == "!=" or first[1][1] == x:
        return first[1][2][2], 1
    return first[1][1], -1


def split(changed: Node, g: Node, x: str) -> tuple[Node, Node]:
    """(A, B) with changed = A g + B formally, A without x, no sums or integrals over x in B, and if possible no x."""
    options: list[Node] = [ONE]
    for u in (s for s in occurring(g) if isinstance(s, tuple) and s[0] not in ("+", "*") and x in free(s)):
        first, second = (linear(swap(t, u, "z'''"), "z'''") for t in (g, changed))
        if first is not None and second is not None:
            options.append(reduce_term(("*", second[0], ("^", first[0], MINUS))))
    found = None
    for a in dict.fromkeys(options):
        b = reduce_term(minus(changed, ("*", a, g)))
        opaque = any(isinstance(s, tuple) and s[0] in OPAQUE and x in free(s) for s in occurring(b))
        if b == ZERO or x in free(a) or opaque or not Forms().zero(minus(changed, ("+", ("*", a, g), b))):
            continue
        if x not in free(b):
            return a, b
        found = found or (a, b)
    if found is None:
        raise Stuck("no difference, or another sum or integral")
    return found


def _place(way: Approach, near: Near, c: Node | None) -> tuple[Node, list[Step], list[tuple[Product, ...]]]:
    """A term for x within d', Y and the neighbourhood at once, facts about it, and rows by which that is shown."""
    r, sign = way.r, way.sign
    factor: Node = ("+", ONE, ("^", c, Fraction(2))) if c is not None else ONE
    if near.finite:
        d, y = hyp((">", D)), hyp((">", Y))
        total: Node = ("+", ("^", D, MINUS), ("^", Y, MINUS), ("*", 1 / r, factor))
        rows: list[Product] = [(ONE, ((0, -1),), ()), (ONE, ((1, -1),), ()), (1 / r, (), ())]
        rows += [(1 / r, (), (c,))] if c is not None else []
        sum_ = apply("combine", (">", total), (d, y), tuple(rows))
        facts = [d, y, sum_]
        w: Node = ("^", total, MINUS)
        at: Node = ("+", way.a, w if sign == 1 else neg_term(w))
        # r (total - factor / r) / total
        own: list[Product] = [(r, ((0, -1), (2, -1)), ()), (r, ((1, -1), (2, -1)), ())]
        square: list[Product] = [(ONE, ((2, -1),), (c,))] if c is not None else []
        options: list[list[Product]] = [[(ONE, ((2, -1),), ())]]
        for mine, other in ((0, 1), (1, 0)):  # d' - w = d' (1/y + factor/r) / total, and so for y
            row: list[Product] = [(ONE, ((mine, 1), (other, -1), (2, -1)), ()), (1 / r, ((mine, 1), (2, -1)), ())]
            options.append(row + ([(1 / r, ((mine, 1), (2, -1)), (c,))] if c is not None else []))
        options += [own + square]
        if c is not None:  # r - c w, r - c^2 w
            options += [[*own, (ONE, ((2, -1),), (minus(c, HALF),)), (Fraction(3, 4), ((2, -1),), ())],
                        [*own, (ONE, ((2, -1),), ())]]
        options += [[(-ONE, ((2, -1),), ())]]
        return at, facts, [tuple(o) for o in options]
    size: Node = ("+", ("^", D, Fraction(2)), ("^", Y, Fraction(2)), ONE, ("*", 1 / r, factor))
    reflexive = apply("combine", ("=", minus(size, size)), (), ())
    facts = [reflexive]
    at = size if sign == 1 else neg_term(size)
    more: list[Product] = []
    whole = any(w == ("isint", near.x) for w in near.conditions)
    if whole:
        at = ("+", ("floor", size), ONE)
        bounds = parts(apply("floor_bounds", size, ()))
        facts = [apply("integral_polynomial", at, (bounds[0],)), bounds[2]]
        more = [(ONE, ((1, 1),), ())]
    squares: list[Product] = [(ONE, (), (D,)), (ONE, (), (Y,))]
    tail: list[Product] = [(1 / r, (), ())] + ([(1 / r, (), (c,))] if c is not None else [])
    options = []
    for v, u in ((D, Y), (Y, D)):
        shifted: Product = (ONE, (), (("+", v, Fraction(-sign, 2)),))
        options.append([shifted, (ONE, (), (u,)), (Fraction(3, 4), (), ()), *tail])
    options.append([*squares, (ONE, (), ())] + ([(1 / r, (), (c,))] if c is not None else []))
    if c is not None:
        options.append([*squares, (ONE, (), ()), (1 / r, (), (minus(c, HALF),)), (3 / (4 * r), (), ())])
        options.append([*squares, (ONE, (), ()), (1 / r, (), ())])
    return at, facts, [(*o, *more) for o in options]


__all__ = ["Contrast", "Original", "refuting_branches", "split"]
