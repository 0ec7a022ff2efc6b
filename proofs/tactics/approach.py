"""A comparison near an end of x, or far out, from the signs of terms in the distance from the end (``ends``)."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from qtheory.proofs.functions.sqrt import square_root
from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, gt, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Step, Stuck, apply, cut_all, hyp
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.elimination import fold, linear
from qtheory.proofs.tactics.ends import End

T = "t'''"
TWO = Fraction(2)


class Approach:
    """x approaches a (None: infinity) from the side of ``sign``, at a distance d below r; at infinity d is 1/|x|.

    Steps have among their hypotheses only ``inside``: at a point that gap = |x - a| is positive and below r, at
    infinity that |x| is above 1/r; and, with a factor c, the same of c and c^2 times d.
    """

    def __init__(self, x: str, a: Node | None, sign: int, r: Fraction, c: str | None) -> None:
        self.x, self.a, self.sign, self.r, self.c = x, a, sign, r, c
        scales: tuple[Node, ...] = () if c is None else (c, ("^", c, TWO))
        if a is None:
            gap: Node = x if sign == 1 else neg_term(x)
            self.inside = (gt(gap, 1 / r), *(gt(gap, ("*", s, 1 / r)) for s in scales))
            over = apply("combine", (">", gap), (hyp(self.inside[0]),), ((ONE, ((0, 1),), ()), (1 / r, (), ())))
            self.d: Node = ("^", gap, MINUS)
            self.positive = apply("combine", (">", self.d), (over,), ((ONE, ((0, -1),), ()),))
            self.limits = [apply("combine", gt(r, d), (hyp(i), over), ((r, ((0, 1), (1, -1)), ()),))
                           for i, d in zip(self.inside, (self.d, *(("*", s, self.d) for s in scales)), strict=True)]
        else:
            self.d = minus(x, a) if sign == 1 else minus(a, x)
            self.inside = ((">", self.d), gt(r, self.d), *(gt(r, ("*", s, self.d)) for s in scales))
            self.positive, *self.limits = map(hyp, self.inside)

    def place(self, d: Node) -> Node:
        """x at the distance d."""
        if self.a is None:
            return ("*", Fraction(self.sign), ("^", d, MINUS))
        return ("+", self.a, d) if self.sign == 1 else minus(self.a, d)

    def prove(self, goal: Node, point: Point) -> Step:
        """The comparison, its hypotheses among ``inside``; Stuck if the signs at the end do not give it."""
        reason = Stuck("no signs")
        for half in (False, True):
            try:
                return self.from_end(goal, half, point)
            except (Stuck, KernelError) as error:
                reason = Stuck(str(error))
        raise reason

    def from_end(self, goal: Node, half: bool, point: Point) -> Step:
        small = root_of(self.r) if half else self.r
        end = End(T, small, half=half, point=point)
        there = substitute(goal, self.x, self.place(end.distance))
        step = end.sign(there) if self.c is None else self.with_factor(end, there, self.c)
        if half:
            t: Node = ("sqrt", self.d)
            positive, square = square_root(self.d, self.positive)
        else:
            t, positive, square = self.d, self.positive, None
        step = apply("instance", step, T, t, (positive, self.positive))
        step = cut_all([positive, *self.bounds(t, small, square)], step)
        reached = self.place(substitute(end.distance, T, t))
        facts: list[Step] = [self.positive, positive]
        products: list[tuple[Fraction, tuple[tuple[int, int], ...], tuple[Node, ...]]] = []
        if square is not None:
            facts += [square, apply("combine", (">", ("^", t, TWO)), (positive,), ((ONE, ((0, 2),), ()),))]
            products.append((Fraction(self.sign), ((2, 1),), ()) if self.a is not None else
                            (Fraction(-self.sign), ((2, 1), (0, -1), (1, -2)), ()))
        same = apply("combine", ("=", minus(reached, self.x)), tuple(facts), tuple(products))
        return apply("rewrite", same, step, self.x, goal, reached, self.x)

    def bounds(self, t: Node, small: Fraction, square: Step | None) -> list[Step]:
        """What the signs at the end suppose of t, here the distance or its root."""
        first, *scaled = self.limits
        if square is None:
            return [first, *scaled[:1]]
        out = [self.rooted(t, small, first, square, ONE)]
        if self.c is not None:
            out.append(self.rooted(t, small, scaled[1], square, self.c))
            goal = gt(self.r, ("*", self.c, ("^", t, TWO)))
            out.append(apply("combine", goal, (scaled[0], square),
                             ((ONE, ((0, 1),), ()), (neg_term(self.c), ((1, 1),), ()))))
        return out

    def rooted(self, t: Node, small: Fraction, limit: Step, square: Step, c: Node) -> Step:
        """small - c t > 0 from small^2 - c^2 d > 0 and t^2 = d."""
        share: Node = t if c == 1 else ("*", c, t)
        weight = 1 / (2 * small)
        return apply("combine", gt(small, share), (limit, square),
                     ((weight, ((0, 1),), ()), (("*", -weight, ("^", c, TWO)), ((1, 1),), ()),
                      (weight, (), (minus(small, share),))))

    def with_factor(self, end: End, goal: Node, c: str) -> Step:
        """f - c g > 0 where c times the distance or its root is small: from f - r g/t > 0 and g > 0."""
        pair = linear(goal[1], c)
        if pair is None:
            raise Stuck("the factor stands elsewhere")
        g = fold(neg_term(pair[0]))
        reason = "no power of the distance"
        for power, r in ((1, end.r), (2, self.r)) if end.half else ((1, end.r),):
            t: Node = T if power == 1 else ("^", T, TWO)
            try:
                rest = end.sign((goal[0], minus(pair[1], ("*", r, g, ("^", t, MINUS)))))
                size = end.sign((">", g))
            except (Stuck, KernelError) as error:
                reason = str(error)
                continue
            facts = (rest, size, hyp(gt(r, ("*", c, t))), end.positive, *end.defined(goal[1]))
            return apply("combine", goal, facts, ((ONE, ((0, 1),), ()), (ONE, ((1, 1), (2, 1), (3, -power)), ())))
        raise Stuck(reason)


def root_of(r: Fraction) -> Fraction:
    root = Fraction(isqrt(r.numerator), isqrt(r.denominator))
    if root * root != r:
        raise Stuck("no rational root")
    return root


__all__ = ["Approach"]
