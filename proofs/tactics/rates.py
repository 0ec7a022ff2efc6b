"""Limits and orders of magnitude at a rate that is told: the witness and all but one inequality need no search.

A limit over x has the constant K within r: |f - L| <= K s where the distance is below r <= 1, s being the distance, or
its root; at infinity the same with s = 1/x, or 1/sqrt(x), where x > r.  An infinite limit at a point, with ``less`` C:
|f| >= K/distance - C.  An order over x: |f| <= C |g| within or beyond r.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qtheory.proofs.functions.sqrt import square_root
from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, free, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.guesses import guesses
from qtheory.proofs.tactics.guidance import Speed
from qtheory.proofs.tactics.limits import order_parts
from qtheory.proofs.tactics.state import Search

EPSILON, HEIGHT = "e'", "m'"
HALF, TWO = Fraction(1, 2), Fraction(2)


def row(weight: Node, *powers: tuple[int, int], squares: tuple[Node, ...] = ()) -> Product:
    return (weight, powers, squares)


def over(a: Node, b: Node) -> Node:
    return ("*", a, ("^", b, MINUS))


def guessed(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """As ``rated``, with rates that samples suggest."""
    reasons = []
    for rate in guesses(search, goal, facts):
        search.tick()
        try:
            return rated(search, goal, facts, depth, rate)
        except (Stuck, KernelError) as reason:
            reasons.append(str(reason))
    raise Stuck(reasons[0] if reasons else "no rate fits the samples")


def rated(search: Search, goal: Node, facts: Facts, depth: int, rate: Speed | None = None) -> Step:
    """A step for the existence of d' in a limit's definition, from the rate, given or of the proof."""
    _, d, body = goal
    finite = body[0] == "and" and len(body) == 3 and body[1] == (">", d) and body[2][0] == "all"
    every = body[2] if finite else body
    rate = rate or (search.told.rates.get(every[1]) if every[0] == "all" else None)
    if rate is None or d != "d'" or every[2][0] != "imp":
        raise Stuck("not of this shape")
    _, x, (_, where, target) = every
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("x", goal, [s.concl for s in facts])
    where, target = substitute(where, x, v), substitute(target, x, v)
    used = [t for t in (rate.constant, rate.less, rate.within) if t is not None]
    known = list(facts)
    for t in used:
        known += search.define(t, known)
    signs = [search.atom((">", used[0]), known), *(search.atom((">=", t), known) for t in used[1:-1])]
    signs.append(search.atom((">", rate.within), known))
    if target[0] != "and" and not finite:
        raise Stuck("no rates for growth at infinity")
    closing = (Shrinking if target[0] == "and" else Growing)(rate, signs, known, finite)
    place = substitute(where, d, closing.witness)
    settled = tuple(closing.known)
    assumed = parts(hyp(place))
    outer = [s for s in known if not any(n.endswith("'") for n in free(s.concl))]
    conditions, size = closing.near(assumed, v, target)
    outer += [*conditions, *assumed[:-1]]
    leaves = []
    for leaf in target[1:] if target[0] == "and" else (target,):
        lemma = search.solve((">=", closing.lemma(leaf)), outer, depth)
        leaves.append(apply("combine", leaf, (lemma, size, *closing.known), (row(ONE, (0, 1)), row(ONE, (1, 1)))))
    step = leaves[0] if target[0] != "and" else apply("and_intro", tuple(leaves))
    step = cut_all([s for s in assumed if s.concl != place], step)
    step = apply("all_intro", v, apply("imp_intro", place, step))
    if v != x:
        step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    if finite:
        step = apply("and_intro", (closing.positive, step))
    return apply("ex_intro", goal, closing.witness, step, settled)


class Shrinking:
    """|f - L| <= K s gives |f - L| < e' for s < e'/K."""

    def __init__(self, rate: Speed, signs: Sequence[Step], known: Sequence[Step], finite: bool) -> None:
        self.k, self.r, self.root, self.finite = rate.constant, rate.within, rate.root, finite
        self.e = next(s for s in known if s.concl == (">", EPSILON))
        self.reach = signs[-1]
        self.known = [*known, signs[0], self.reach, self.e]
        if finite:
            below: Node = ("+", EPSILON, ("*", self.k, self.r))
            self.below = self.combine((">", below), (self.e, signs[0], self.reach), row(ONE, (0, 1)),
                                      row(ONE, (1, 1), (2, 1)))
            size = over(("*", self.r, EPSILON), below)
            self.size = self.combine((">", size), (self.e, self.below, self.reach), row(ONE, (0, 1), (1, -1), (2, 1)))
            self.witness: Node = ("^", size, TWO) if self.root else size
            self.positive = self.combine((">", self.witness), (self.size,), row(ONE, (0, 2 if self.root else 1)))
        else:
            quotient = over(self.k, EPSILON)
            self.size = self.combine((">", quotient), (signs[0], self.e), row(ONE, (0, 1), (1, -1)))
            self.witness = ("+", self.r, ("^", quotient, TWO) if self.root else quotient)

    def combine(self, goal: Node, facts: Sequence[Step], *rows: Product) -> Step:
        step = apply("combine", goal, (*facts, *self.known), rows)
        self.known.append(step)
        return step

    def near(self, assumed: Sequence[Step], v: str, target: Node) -> tuple[list[Step], Step]:
        """(conditions, e' - K s > 0) from the assumption that the variable is close enough."""
        return self.at_point(assumed) if self.finite else self.at_infinity(assumed, v)

    def at_point(self, assumed: Sequence[Step]) -> tuple[list[Step], Step]:
        distance, within = assumed[0].concl[1], assumed[-1]
        k, r, size = self.k, self.r, self.size.concl[1]
        less = self.combine((">", minus(r, size)), (self.known_sign(k), self.below, self.reach),
                            row(ONE, (0, 1), (1, -1), (2, 2)))
        if not self.root:
            s, room = distance, within
            inside = self.combine((">", minus(r, distance)), (within, less), row(ONE, (0, 1)), row(ONE, (1, 1)))
            conditions = [inside]
        else:
            root, square = self.square_root(distance, assumed[0])
            s = root.concl[1]
            total = self.combine((">", ("+", size, s)), (self.size, root), row(ONE, (0, 1)), row(ONE, (1, 1)))
            room = self.combine((">", minus(size, s)), (within, square, total), row(ONE, (0, 1), (2, -1)),
                                row(-ONE, (1, 1), (2, -1)))
            inside = self.combine((">", minus(r, distance)), (within, less, self.size),
                                  row(ONE, (0, 1)), row(r - r * r),
                                  row(r, (1, 1)), row(ONE, (1, 1), (2, 1)))
            conditions = [inside, root, square, self.log_of_root(distance, root, square)]
        self.s = s
        small = self.combine((">", minus(EPSILON, ("*", k, s))), (room, self.known_sign(k), self.e, self.below),
                             row(ONE, (0, 1), (1, 1)), row(ONE, (2, 2), (3, -1)))
        return conditions, small

    def at_infinity(self, assumed: Sequence[Step], v: str) -> tuple[list[Step], Step]:
        within, k, r, e = assumed[-1], self.k, self.r, self.e
        quotient = self.size.concl[1]
        power = 2 if self.root else 1
        beyond = self.combine((">", minus(v, r)), (within, self.size), row(ONE, (0, 1)), row(ONE, (1, power)))
        positive = self.combine((">", v), (beyond, self.reach), row(ONE, (0, 1)), row(ONE, (1, 1)))
        conditions = [beyond, positive]
        if self.root:
            root, square = self.square_root(v, positive)
            s = root.concl[1]
            total = self.combine((">", ("+", s, quotient)), (root, self.size), row(ONE, (0, 1)), row(ONE, (1, 1)))
            room = self.combine((">", minus(s, quotient)), (within, total, square, self.reach),
                                row(ONE, (0, 1), (1, -1)), row(ONE, (3, 1), (1, -1)), row(ONE, (2, 1), (1, -1)))
            conditions += [root, square, self.log_of_root(v, root, square)]
        else:
            s, root = v, positive
            room = self.combine((">", minus(v, quotient)), (within, self.reach), row(ONE, (0, 1)), row(ONE, (1, 1)))
        self.s = ("^", s, MINUS)
        small = self.combine((">", minus(EPSILON, ("*", k, self.s))), (room, e, root),
                             row(ONE, (0, 1), (1, 1), (2, -1)))
        return conditions, small

    def square_root(self, x: Node, positive: Step) -> tuple[Step, Step]:
        """sqrt(x) > 0 and sqrt(x)^2 = x."""
        root, square = square_root(x, positive)
        self.known += [root, square]
        return root, square

    def log_of_root(self, x: Node, root: Step, square: Step) -> Step:
        """log(x) = 2 log(sqrt(x)), from which bounds of the logarithm by the root follow."""
        s = root.concl[1]
        power = apply("log_power", s, TWO, (root,))
        template = ("=", minus(("log", "w'"), ("*", TWO, ("log", s))))
        return apply("rewrite", square, power, "w'", template, ("^", s, TWO), x)

    def known_sign(self, t: Node) -> Step:
        return next(s for s in self.known if s.concl == (">", t))

    def lemma(self, leaf: Node) -> Node:
        """K s - (f - L), or K s + (f - L)."""
        return ("+", ("*", self.k, self.s), *leaf[1][2:])


class Growing(Shrinking):
    """f >= K/s - C gives f > m' for s below K/(m'^2 + 1 + C)."""

    def __init__(self, rate: Speed, signs: Sequence[Step], known: Sequence[Step], finite: bool) -> None:
        if rate.less is None:
            raise Stuck("no rate of growth")
        self.k, self.c, self.r = rate.constant, rate.less, rate.within
        self.known = [*known, *signs, apply("combine", ("=", minus(HEIGHT, HEIGHT)), (), ())]
        high: Node = ("+", ("^", HEIGHT, TWO), ONE, self.c)
        self.high = self.combine((">", high), (signs[1],), row(ONE, squares=(HEIGHT,)), row(ONE), row(ONE, (0, 1)))
        below = ("+", self.k, ("*", self.r, high))
        self.below = self.combine((">", below), (signs[0], self.high), row(ONE, (0, 1)), row(self.r, (1, 1)))
        self.witness = over(("*", self.r, self.k), below)
        self.positive = self.combine((">", self.witness), (signs[0], self.below), row(self.r, (0, 1), (1, -1)))

    def near(self, assumed: Sequence[Step], v: str, target: Node) -> tuple[list[Step], Step]:
        distance, within = assumed[0], assumed[-1]
        s = distance.concl[1]
        inside = self.combine((">", minus(self.r, s)), (within, self.high, self.below), row(ONE, (0, 1)),
                              row(self.r * self.r, (1, 1), (2, -1)))
        self.bound = minus(("*", self.k, ("^", s, MINUS)), self.c)
        m = neg_term(HEIGHT) if target[1][2] == neg_term(HEIGHT) else HEIGHT
        half = ("+", m, HALF)
        facts = within, self.high, self.below, distance, self.known_sign(self.k)
        size = self.combine((">", ("+", self.bound, m)), facts,
                            row(ONE, (0, 1), (1, 1), (3, -1)), row(ONE, (4, 2), (2, -1), (3, -1)),
                            row(ONE, squares=(half,)), row(Fraction(3, 4)))
        return [inside], size

    def lemma(self, leaf: Node) -> Node:
        """f - (K/s - C), or the same for -f."""
        f = leaf[1][1] if leaf[1][2] == neg_term(HEIGHT) else leaf[1][2]
        return minus(f, self.bound)


def ordered(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A step for the existence of c' in the definition of O(..), from the order of the proof."""
    c, (inner, body, every) = goal[1], order_parts(goal)
    order = search.told.orders.get(every[1])
    if order is None:
        raise Stuck("not of this shape")
    known = list(facts)
    for t in order:
        known += search.define(t, known)
    size, r = order
    known.append(search.solve((">", size), known, 3))  # a lemma may say so
    opened = substitute(inner, c, size)
    step = bounded(search, substitute(every, c, size), inner[1], r, known, depth)
    if body[0] == "and":
        step = apply("and_intro", (search.solve((">", r), known, 3), step))
    step = apply("ex_intro", opened, r, step, tuple(known))
    return apply("ex_intro", goal, size, step, tuple(known))


def bounded(search: Search, every: Node, d: str, r: Node, facts: Facts, depth: int) -> Step:
    """c |g| - f >= 0 and c |g| + f >= 0 for all x within r: from the same with g or -g in place of |g|."""
    _, x, (_, where, target) = substitute(every, d, r)
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("x", every, [s.concl for s in facts])
    where, target = substitute(where, x, v), substitute(target, x, v)
    assumed = parts(hyp(where))
    known = [*facts, *assumed]
    leaves = []
    for leaf in target[1:]:
        scaled, rest = leaf[1][1], leaf[1][2]
        c, (_, g, _) = scaled[1], scaled[2]
        lemma = search.solve((">=", ("+", ("*", c, g), rest)), known, depth)
        above = parts(apply("max_bounds", g, neg_term(g), (lemma, *known)))[0]
        sign = next(s for s in known if s.concl == (">", c))
        rows = (row(ONE, (0, 1)), row(ONE, (1, 1), (2, 1)))
        leaves.append(apply("combine", leaf, (lemma, above, sign, *known), rows))
    step = cut_all([s for s in assumed if s.concl != where], apply("and_intro", tuple(leaves)))
    step = apply("all_intro", v, apply("imp_intro", where, step))
    if v != x:
        step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    return step


__all__ = ["guessed", "ordered", "rated"]
