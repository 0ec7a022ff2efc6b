"""The sign of a term close to an end: on 0 < t < r, where r may be small and the term singular at t = 0.

A term is opened: log v and exp v, where v is regular at t = 0, become value at 0 + h t, the slope h being enclosed by
the mean value theorem; log t becomes h / t and whole parts v - h.  What is left is a quotient of polynomials in t, the
h and constants.  Its powers of t are taken out, and enclosures over the box of t and the h give the signs of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qtheory.proofs.functions.table import PARTIAL
from qtheory.proofs.kernel.balls import Interval
from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms, Poly
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    integer,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.builder import Step, Stuck, apply, cut_all, hyp, parts
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.enclosing import enclosed
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.terms import swap

BITS, TWO = 96, Fraction(2)
COMPARED = tuple(head for head in PARTIAL if head != "W")  # defined where a comparison of the argument holds
PLACE, NEAR = "z'''", "s'''"  # names of no statement


class End:
    """Signs on 0 < t < r.  The distance from the end is t or, if ``half``, its square."""

    def __init__(self, t: str, r: Fraction, *, half: bool, point: Point) -> None:
        self.t, self.r, self.half = t, r, half
        self.distance: Node = ("^", t, TWO) if half else t
        self.point = point.afresh()
        self.positive, self.below = hyp((">", t)), hyp(gt(r, t))
        self.box: dict[str, Interval] = {t: (ZERO, r)}
        self.slopes: dict[str, tuple[Node, tuple[Step, ...], Step, Step]] = {}  # h: its term, why defined, its bounds
        self.opened: dict[Node, Node] = {}
        self.proved: dict[Node, Step] = {}

    # ---- signs ----

    def sign(self, goal: Node) -> Step:
        """The comparison, from t > 0 and r - t > 0; Stuck if the enclosures do not give it."""
        if goal not in self.proved:
            self.point.tick()
            self.proved[goal] = self.point.atom(goal) if self.t not in free(goal) else self.rewritten(goal)
        return self.proved[goal]

    def rewritten(self, goal: Node) -> Step:
        """The goal itself, or the goal with a plainer term for one of its subterms."""
        relation, term = goal
        if any(isinstance(s, tuple) and s[0] == "diff" for s in occurring(term)):
            plain, duties = undiff(term)
            facts = tuple(f for d in (plain, *duties) for f in self.defined(d))
            return self.exchanged(goal, term, plain, apply("differentiate", term, facts))
        singular = [s for s in occurring(term) if isinstance(s, tuple) and self.t in free(s)]
        for s in sorted(singular, key=lambda s: len(str(s))):
            found = self.plainer(s)
            if found is not None:
                return self.exchanged(goal, s, *found)
        return self.direct(relation, term)

    def exchanged(self, goal: Node, old: Node, new: Node, equation: Step) -> Step:
        """The goal from the goal with ``new`` for ``old``, where old - new = 0."""
        template = (goal[0], swap(goal[1], old, PLACE))
        back = apply("combine", ("=", minus(new, old)), (equation,), ((MINUS, ((0, 1),), ()),))
        return apply("rewrite", back, self.sign(substitute(template, PLACE, new)), PLACE, template, new, old)

    def direct(self, relation: str, term: Node) -> Step:
        forms, power, number, pieces = self.split(self.open(term))
        if not number:
            raise Stuck("a term that vanishes")
        top = poly_term(forms, number)
        sign = self.seen(top) * (-1) ** sum(e for piece, e in pieces if self.seen(piece) < 0)
        if relation == "=" or (sign < 0 and relation != "!="):
            raise Stuck("another sign")
        facts = [self.positive]
        factors = [(0, power)] if power else []
        flips = 0
        for piece, e in [(top, 1), *((p, -e) for p, e in pieces)]:
            if isinstance(piece, Fraction) and piece > 0 and e < 0:  # a factor t, whose power is taken out
                continue
            negative = self.seen(piece) < 0
            flips += e if negative else 0
            facts.append(self.instance(self.ball((">", neg_term(piece) if negative else piece))))
            factors.append((len(facts) - 1, e))
        products = ((Fraction((-1) ** flips), tuple(factors), ()),)
        return apply("combine", (relation, term), (*facts, *self.defined(term)), products)

    def split(self, term: Node) -> tuple[Forms, int, Poly, list[tuple[Node, int]]]:
        """The term as t^power times a polynomial over powers of others, none of which has the factor t."""
        forms = Forms()
        t, = next(iter(forms.quotient(self.t)[0]))
        num, den = forms.quotient(term)

        def lowest(p: Poly) -> int:
            return min((dict(m).get(t[0], 0) for m in p), default=0)

        def without(p: Poly, k: int) -> Poly:
            return {tuple((a, e - k) if a == t[0] else (a, e) for a, e in m if a != t[0] or e != k): c
                    for m, c in p.items()}

        power, pieces = lowest(num), []
        for factor, e in den.items():
            p = dict(factor)
            k = lowest(p)
            power -= k * e
            pieces.append((poly_term(forms, without(p, k)), e))
        return forms, power, without(num, lowest(num)), pieces

    def seen(self, term: Node) -> int:
        """The sign that an enclosure over the box gives; Stuck if it gives none."""
        low, high = self.enclosed(term)
        if low <= 0 <= high:
            raise Stuck("no sign over the box")
        return 1 if low > 0 else -1

    def enclosed(self, term: Node) -> Interval:
        return enclosed(term, self.box, BITS)

    def ball(self, goal: Node) -> Step:
        return apply("ball", goal, {v: self.box[v] for v in sorted(free(goal))}, None, BITS)

    def instance(self, step: Step) -> Step:
        """A theorem over the box as one about t alone."""
        for h, (term, why, low, high) in reversed(self.slopes.items()):
            if any(h in free(f) for f in (step.concl, *step.hyps)):
                step = cut_all((low, high), apply("instance", step, h, term, why))
        return cut_all(self.ends(), step)

    def ends(self) -> tuple[Step, Step]:
        return (apply("combine", ge(self.t, ZERO), (self.positive,), ((ONE, ((0, 1),), ()),)),
                apply("combine", ge(self.r, self.t), (self.below,), ((ONE, ((0, 1),), ()),)))

    # ---- definedness ----

    def defined(self, term: Node) -> tuple[Step, ...]:
        """Facts by which the kernel sees that the term is defined."""
        out: list[Step] = []
        for s in occurring(term):
            if not isinstance(s, tuple) or s[0] not in (*COMPARED, "sum", "int", "diff", "W"):
                continue
            if self.t not in free(s):
                out += self.point.condition(s)
            elif s[0] not in COMPARED:
                raise Stuck(f"no signs for {s[0]}")
            elif s[0] != "^" or not integer(s[2]) or s[2] < 0:
                out.append(self.sign(("!=" if s[0] == "^" and integer(s[2]) else ">", s[1])))
        return tuple(dict.fromkeys(out))

    # ---- plainer terms ----

    def plainer(self, s: Node) -> tuple[Node, Step] | None:
        """(new, s - new = 0) for a maximum, a real power, or a root or logarithm that is singular at the end."""
        if s[0] == "max":
            return self.larger(s)
        if s[0] == "^" and not integer(s[2]):
            new: Node = ("exp", ("*", s[2], ("log", s[1])))
            return new, apply("power_exp", s[1], s[2], self.defined(("+", s[2], ("log", s[1]))))
        if s[0] not in ("exp", "log", "sqrt") or s == ("log", self.t):
            return None
        if s[0] != "exp":
            k = self.split(self.open(s[1]))[1]
            if k != 0:
                rest: Node = ("*", s[1], ("^", ("^", self.t, MINUS), Fraction(k)))
                return self.root(s, k, rest) if s[0] == "sqrt" else self.logarithm(s, k, rest)
        try:
            self.open(s)
        except (Stuck, KernelError):
            return self.with_regular(s)
        return None

    def with_regular(self, s: Node) -> tuple[Node, Step]:
        """The function of an argument that is written without negative powers of t."""
        over_box = self.regular(s[1])
        argument = over_box
        for h, (term, *_) in self.slopes.items():
            argument = substitute(argument, h, term)
        new = (s[0], argument)
        self.opened[new] = (s[0], over_box)
        known = self.defined(("+", s, new))
        equal = apply("combine", ("=", minus(s[1], argument)), known, ())
        same = apply("combine", ("=", minus(s, s)), known, ())
        return new, apply("rewrite", equal, same, PLACE, ("=", minus(s, (s[0], PLACE))), s[1], argument)

    def larger(self, s: Node) -> tuple[Node, Step]:
        for a, b in (s[1:], (s[2], s[1])):
            try:
                more = self.sign((">", minus(a, b)))
            except (Stuck, KernelError):
                continue
            above = parts(apply("max_bounds", s[1], s[2], self.defined(s)))
            gap = apply("combine", (">", minus(s, b)), (above[0 if a == s[1] else 1], more),
                        ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
            return a, apply("combine", ("=", minus(s, a)), (above[2], gap), ((ONE, ((0, 1), (1, -1)), ()),))
        raise Stuck("neither part of a maximum is known to be larger")

    def logarithm(self, s: Node, k: int, rest: Node) -> tuple[Node, Step]:
        """log v = k log t + log(v t^-k)."""
        power: Node = ("^", self.t, Fraction(k))
        first = apply("log_power", self.t, Fraction(k), (self.positive,))
        if Forms().zero(minus(rest, ONE)):
            new: Node = ("*", Fraction(k), ("log", self.t))
            facts: tuple[Step, ...] = (first,)
        else:
            new = ("+", ("*", Fraction(k), ("log", self.t)), ("log", rest))
            at_power = apply("combine", (">", power), (self.positive,), ((ONE, ((0, k),), ()),))
            facts = (first, apply("log_product", power, rest, (at_power, self.sign((">", rest)))))
        products = tuple((ONE, ((i, 1),), ()) for i in range(len(facts)))
        return new, apply("combine", ("=", minus(s, new)), (*facts, *self.defined(minus(s, new))), products)

    def root(self, s: Node, k: int, rest: Node) -> tuple[Node, Step]:
        """sqrt v = t^(k/2) sqrt(v t^-k)."""
        if k % 2:
            raise Stuck("a root of an odd power")
        new: Node = ("*", ("^", self.t, Fraction(k // 2)), ("sqrt", rest))
        known = self.defined(("+", s, new))
        low, square = parts(apply("sqrt_square", s[1], known))
        inner = parts(apply("sqrt_square", rest, known))[1]
        size = self.sign((">", ("sqrt", rest)))
        total = apply("combine", (">", ("+", s, new)), (low, size, self.positive, *known),
                      ((ONE, ((0, 1),), ()), (ONE, ((1, 1), (2, k // 2)), ())))
        weight = ("*", MINUS, ("^", self.t, Fraction(k)))
        return new, apply("combine", ("=", minus(s, new)), (square, inner, total, self.positive, *known),
                          ((ONE, ((0, 1), (2, -1)), ()), (weight, ((1, 1), (2, -1)), ())))

    # ---- opened terms ----

    def open(self, term: Node) -> Node:
        """The term over the box: equal to it once each h is replaced by the term that it stands for."""
        if self.t not in free(term) or term == self.t:
            return term
        if term not in self.opened:
            self.opened[term] = self.open_new(term)
        return self.opened[term]

    def open_new(self, term: Node) -> Node:
        head = term[0]
        if head in ("+", "*"):
            return (head, *(self.open(c) for c in term[1:]))
        if head == "^" and integer(term[2]):
            return (head, self.open(term[1]), term[2])
        if head == "floor":
            whole, low, high = parts(apply("floor_bounds", term[1], self.defined(term[1])))
            assert whole.concl[0] == "isint"
            below = apply("combine", ge(ONE, minus(term[1], term)), (high,), ((ONE, ((0, 1),), ()),))
            above = apply("combine", ge(minus(term[1], term), ZERO), (low,), ((ONE, ((0, 1),), ()),))
            part = self.slope(minus(term[1], term), self.defined(term), above, below, ZERO, ONE)
            return minus(self.open(term[1]), part)
        if term == ("log", self.t):
            return ("*", self.log_slope(), ("^", self.t, MINUS))
        if head not in ("exp", "log", "sqrt"):
            raise Stuck(f"no enclosure near the end for {head}")
        plain = swap(term, self.distance, NEAR)
        if self.t in free(plain):
            raise Stuck("no function of the distance")
        return self.expanded(term, plain)

    def regular(self, term: Node) -> Node:
        """The opened argument without negative powers of t."""
        forms, power, number, pieces = self.split(self.open(term))
        if power < 0:
            raise Stuck("an argument that is unbounded at the end")
        below = [("^", p, Fraction(-e)) for p, e in pieces]
        return ("*", ("^", self.t, Fraction(power)), poly_term(forms, number), *below)

    def expanded(self, term: Node, plain: Node) -> Node:
        """value at 0 + h * distance."""
        s, far = NEAR, self.r**2 if self.half else self.r
        inner = self.point.over({s: (ZERO, far)})
        slope = derivative(plain, s)
        low, high = (_short(q, sign) for q, sign in zip(enclosed(slope, inner.box, BITS), (-1, 1), strict=True))
        start, steps = substitute(plain, s, ZERO), []
        for bound, sign in ((low, ONE), (high, MINUS)):
            gap: Node = ("*", sign, minus(plain, ("*", bound, s)))
            steps.append(self.by_mean_value(inner, gap, s, far))
        special = self.point.special(start)
        value, equal = (start, []) if special is None else (special[0], [special[1]])
        excess = minus(term, value)
        share: Node = ("*", excess, ("^", self.distance, MINUS))
        facts = (self.near(), *equal, *self.defined(share))
        bounds = []
        for step, bound, sign in zip(steps, (low, high), (ONE, MINUS), strict=True):
            goal = ge(share, bound) if sign == 1 else ge(bound, share)
            products = [(ONE, ((0, 1), (1, -1)), ())]
            if equal:
                products.append((sign, ((2, 1), (1, -1)), ()))
            bounds.append(apply("combine", goal, (step, *facts), tuple(products)))
        h = self.slope(share, (self.near(), *self.defined(share)), bounds[0], bounds[1], low, high)
        return ("+", value, ("*", h, self.distance))

    def by_mean_value(self, inner: Point, gap: Node, s: str, far: Fraction) -> Step:
        """gap(distance) - gap(0) >= 0, since the slope is nowhere negative on [0, far]."""
        d = self.distance
        at_end = apply("combine", ge(far, d), (self.positive, self.below),
                       ((ONE, ((1, 1), (0, 1)), ()), (self.r, ((1, 1),), ())) if self.half else ((ONE, ((1, 1),), ()),))
        within = apply("combine", ge(far, s), (hyp(ge(d, s)), at_end), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        domain = cut_all((within,), apply("defined", gap, inner.settle(gap)))
        rising = cut_all((within,), inner.ball((">=", derivative(gap, s))))
        order = apply("combine", gt(d, ZERO), (self.positive,), ((ONE, ((0, 2 if self.half else 1),), ()),))
        return apply("mean_value", s, gap, ZERO, d, order, domain, rising)

    def near(self) -> Step:
        """The distance is positive."""
        return apply("combine", (">", self.distance), (self.positive,), ((ONE, ((0, 2),), ()),)) if self.half \
            else self.positive

    def log_slope(self) -> Node:
        """t log t lies between -1 and 0 for t < r <= 1."""
        term: Node = ("*", self.t, ("log", self.t))
        inverse: Node = ("^", self.t, MINUS)
        below = apply("log_below_tangent", self.t, (self.positive,))
        above = apply("log_below_tangent", inverse, (self.positive, self.ratio()))
        flip = apply("log_power", self.t, MINUS, (self.positive,))
        high = apply("combine", ge(ZERO, term), (below, self.positive, self.below),
                     ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((1, 1), (2, 1)), ()), (1 - self.r, ((1, 1),), ())))
        low = apply("combine", ge(term, MINUS), (above, flip, self.positive),
                    ((ONE, ((0, 1), (2, 1)), ()), (ONE, ((1, 1), (2, 1)), ()), (ONE, ((2, 1),), ())))
        return self.slope(term, (self.positive,), low, high, MINUS, ZERO)

    def ratio(self) -> Step:
        return apply("combine", (">", ("^", self.t, MINUS)), (self.positive,), ((ONE, ((0, -1),), ()),))

    def slope(self, term: Node, why: Sequence[Step], low: Step, high: Step, least: Fraction, most: Fraction) -> str:
        name = f"h{len(self.slopes) + 1}'''"
        self.slopes[name] = term, tuple(why), low, high
        self.box[name] = (least, most)
        return name


def _short(q: Fraction, sign: int) -> Fraction:
    """A number of six digits on the given side."""
    scale = 10**6
    return Fraction((q * scale * sign).__ceil__() * sign, scale)


__all__ = ["End"]
