"""Tactics: cases, contradiction, induction and balls."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    integer,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, apply, conjunction, hyp
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.equations import in_function
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.simplify import size

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
MAX_LEAVES = 1500


class Cases:
    """Means that take a goal apart."""

    def by_two_sides(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        above = self.atom((">=", goal[1]), facts, depth - 1)
        below = self.atom((">=", neg_term(goal[1])), facts, depth - 1)
        return self.equal_from(goal, above, below)

    def equal_from(self: Prover, goal: Node, above: Step, below: Step) -> Step:
        """t = 0 from t >= 0 and -t >= 0: neither t > 0 nor -t > 0."""
        t = goal[1]
        three = apply("trichotomy", t, (above,))
        no_plus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", t)), below),
                                        ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
        no_minus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", neg_term(t))), above),
                                         ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
        return apply("or_elim", three, (no_plus, hyp(goal), no_minus), goal)

    def by_max(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on which argument of a maximum is the greater one."""
        done = {h for f in facts for h in f.hyps}
        for s in sorted({s: None for t in (goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS))
                         for s in occurring(t) if isinstance(s, tuple) and s[0] == "max"}, key=size):
            gap = minus(s[1], s[2])
            if any(h in done for h in ((">", gap), ("=", gap), (">", neg_term(gap)))):
                continue
            return self.by_cases(gap, goal, facts, depth)
        raise Stuck("no maximum to split")

    def by_cases(self: Prover, t: Node, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on the sign of a term."""
        three = apply("trichotomy", t, (*facts, *self.define(t, facts)))
        cases = []
        for case in three.concl[1:]:
            cases.append(self.case(case, goal, facts, depth - 1))
        return apply("or_elim", three, tuple(cases), goal)

    def by_all_cases(self: Prover, terms: Sequence[Node], goal: Node, facts: Facts) -> Step:
        """Cases on the signs of the terms, those of the later ones within those of the earlier ones."""
        if not terms:
            return self.atom(goal, facts, 6)
        three = apply("trichotomy", terms[0], (*facts, *self.define(terms[0], facts)))
        cases = []
        for case in three.concl[1:]:
            now = self.applied([*facts, hyp(case)])
            try:
                cases.append(apply("absurd", self.combined((">", ZERO), now, 2), goal))
            except Stuck:
                cases.append(self.by_all_cases(terms[1:], goal, now))
        return apply("or_elim", three, tuple(cases), goal)

    def by_signs(self: Prover, goal: Node, facts: Facts) -> Step:
        """A disjunction of comparisons: whatever the sign of the first one's term, a part follows by combination."""
        if goal[1][0] not in RELATIONS:
            raise Stuck("no comparison")
        t = goal[1][1]
        three = apply("trichotomy", t, (*facts, *self.define(t, facts)))
        cases = []
        for case in three.concl[1:]:
            now = [*facts, hyp(case)]
            found = next((s for p in goal[1:] if p[0] in RELATIONS and (s := self.quick(p, now)) is not None), None)
            if found is None:
                raise Stuck("a sign with which no part is proved")
            cases.append(apply("or_intro", found, goal))
        return apply("or_elim", three, tuple(cases), goal)

    def case(self: Prover, case: Node, goal: Node, facts: Facts, depth: int) -> Step:
        now = [*facts, *self.consequences(hyp(case), facts)]
        for known in (lambda: now, lambda: self.applied(now)):  # the case may be impossible
            try:
                return apply("absurd", self.combined((">", ZERO), known(), 2), goal)
            except Stuck:
                self.tick()
        now = self.applied(now)
        return self.atom(goal, now, depth)

    def by_contradiction(self: Prover, goal: Node, facts: Facts) -> Step:
        """The goal's complement and the facts give 0 > 0."""
        t = goal[1]
        three = apply("trichotomy", t, tuple(facts))
        cases = []
        for case in three.concl[1:]:
            assumed = hyp(case)
            if (case == (">", t) and goal[0] in (">", ">=")) or (case[0] == "=" and goal[0] in (">=", "=")):
                cases.append(apply("combine", goal, (assumed,), ((ONE, ((0, 1),), ()),)))
            else:
                now = self.applied([*facts, *self.consequences(assumed, facts)])
                cases.append(apply("absurd", self.combined((">", ZERO), now, 2), goal))
        return apply("or_elim", three, tuple(cases), goal)

    def by_whole(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        """t >= 0 for an integer t from t + 1 > 0."""
        t = goal[1]
        more = ("+", t, ONE)
        whole = self.quick(("isint", more), facts)
        if goal[0] != ">=" or whole is None:
            raise Stuck("no integer")
        positive = self.atom((">", more), facts, depth - 1)
        return apply("combine", goal, (apply("gap", whole, positive), *facts), ((ONE, ((0, 1),), ()),))

    def consequences(self: Prover, assumed: Step, facts: Facts) -> list[Step]:
        """The assumption, and what it says through the equations: of variables x and y with f(x) = .. among the
        facts, that f(x) - f(y) has the sign of its slope; of a variable that is now a number, the facts at it."""
        out = [assumed]
        pair = difference_of_variables(assumed.concl[1])
        if pair is not None and assumed.concl[0] == ">":
            equations = [f for f in facts if f.concl[0] == "="]
            plain = [f for f in facts if f.concl[0] != "="]
            for x, y in (pair, pair[::-1]):
                for f in equations:
                    if x in free(f.concl[1]) and y not in free(f.concl[1]) and in_function(f.concl[1], x):
                        out += self.moved(f.concl[1], x, y, [*plain, assumed])
        elif assumed.concl[0] == "=":
            for v, value, equation in self.definitions([assumed, *facts]):
                if isinstance(value, Fraction | str):
                    out += [s for f in facts if v in f.variables
                            for s in self.specialised(f, v, value, equation, facts)]
        return out

    def moved(self: Prover, f: Node, x: str, y: str, facts: Facts) -> list[Step]:
        """The sign of f(x) - f(y), if it follows from that of the slope."""
        change = minus(f, substitute(f, x, y))
        for t in (change, neg_term(change)):
            try:
                return [self.atom((">", t), facts, 2)]
            except Stuck:
                self.tick()
        return []

    def specialised(self: Prover, fact: Step, v: str, value: Node, equation: Step, facts: Facts) -> list[Step]:
        """The fact with the value for the variable, and the same simplified."""
        if fact.concl[0] not in RELATIONS:
            return []
        moved = apply("rewrite", equation, fact, "z'", substitute(fact.concl, v, "z'"), v, value)
        try:
            others = [f for f in facts if v not in f.variables]
            simple = self.simplified(moved.concl, [moved, *others], eliminate=False)
        except (Stuck, KernelError):
            return [moved]
        if simple.equation is None:
            return [moved]
        short = apply("combine", (moved.concl[0], simple.current), (moved, simple.equation, *simple.facts),
                      ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))
        return [moved, short]

    def meeting(self: Prover, goal: Node, facts: Facts) -> Node | None:
        """x - y for two variables at whose meeting the goal's term vanishes, where the facts leave the order open."""
        points = self.points(goal, facts)
        names = sorted(free(goal[1]))
        for v, w in ((v, w) for v in names for w in names if v < w and points):
            if all(abs(evaluate(substitute(goal[1], v, w), p)) < 1e-9 for p in points):
                t = minus(v, w)
                if not any(self.quick(c, facts) for c in ((">", t), (">", neg_term(t)), ("=", t))):
                    return t
        return None

    def by_sign_cases(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on the sign of a variable, or of a variable minus one, where the facts leave it open."""
        gap = self.meeting(goal, facts) if depth > 1 else None
        if gap is not None:
            return self.by_cases(gap, goal, facts, depth - 1)
        for v in sorted(free(goal[1])):
            for t in (v, minus(v, ONE)):
                if depth < 2 or self.quick((">", t), facts) or self.quick((">", neg_term(t)), facts):
                    continue
                if any(f.concl[1] == t for f in facts if f.concl[0] in (">", "=")):
                    continue
                values = [evaluate(t, p) for p in self.points(goal, facts)]
                edge = any(f.concl == (">=", t) for f in facts)
                if not edge and (not values or min(values) > 0 or max(values) < 0):
                    continue
                try:
                    return self.by_cases(t, goal, facts, depth - 1)
                except Stuck:
                    self.tick()
        raise Stuck("no sign to split")

    def by_induction(self: Prover, goal: Node, facts: Facts, depth: int, over: Sequence[str] = ()) -> Step:
        """Over an integer variable with a numeric lower bound that stands in an exponent or at the end of a sum, or one
        that is told."""
        for v in over or sorted(free(goal[1])):
            if not any(f.concl == ("isint", v) for f in facts) or not (over or in_exponent(goal[1], v)):
                continue
            lows = [a for a, side in self.bounds(v, facts) if side == "low" and integer(a)]
            if not lows:
                continue
            low = max(lows)
            others = [f for f in facts if v not in f.variables and all(v not in free(h) for h in f.hyps)]
            start = self.at_once(substitute(goal, v, low), others, depth - 1)
            assumed = [hyp(("isint", v)), hyp(ge(v, low)), hyp(goal)]
            step = self.at_once(substitute(goal, v, ("+", v, ONE)), [*others, *assumed], depth - 1)
            whole = apply("integral_polynomial", low, ())
            every = apply("induction", v, low, goal, whole, start, step)
            at_v = apply("all_elim", every, v, ())
            both = conjunction(every.concl[2][1], [self.atom(("isint", v), facts), self.atom(ge(v, low), facts)])
            return apply("imp_elim", at_v, both)
        raise Stuck("no variable for induction")

    def at_once(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        """A comparison by a combination of the facts and what the steps of the proof say of them, else by any means;
        what is said of all, as they say it."""
        if goal[0] == "all":
            return self.among(goal, self.applied(facts))
        try:
            return self.combined(goal, self.applied(facts), 1)
        except (Stuck, KernelError):
            return self.atom(goal, facts, depth)

    def among(self: Prover, goal: Node, facts: Facts) -> Step:
        """The fact that says this."""
        for f in facts:
            if f.concl == goal:
                return f
        raise Stuck("none of the facts")

    def by_ball(self: Prover, goal: Node, facts: Facts) -> Step:
        """A box of numeric bounds around the variables, subdivided until each part is decided."""
        if goal[0] not in (">", ">=", "!="):
            raise Stuck("not for balls")
        box: dict[str, tuple[Fraction, Fraction]] = {}
        for v in sorted(free(goal[1])):
            ends = [(a, side) for a, side in self.bounds(v, facts) if isinstance(a, Fraction)]
            lows, highs = [a for a, s in ends if s == "low"], [a for a, s in ends if s == "high"]
            if not lows or not highs:
                raise Stuck(f"{v} has no numeric bounds")
            box[v] = (max(lows), min(highs))
            if box[v][0] > box[v][1]:
                raise Stuck("an empty box")
        self.at_corners(goal, box)
        bits = 96 if not box else 53
        budget = [MAX_LEAVES]
        tree = self.subdivide(goal, box, bits, budget, 0)
        step = apply("ball", goal, box, tree, bits)
        for x, (low, high) in box.items():
            for bound in (ge(x, low), ge(high, x)):
                step = apply("cut", Combiner(facts).prove(bound, 1), step)
        return step

    def at_corners(self: Prover, goal: Node, box: dict[str, tuple[Fraction, Fraction]]) -> None:
        """Stuck where no subdivision can decide: at a corner the goal is false, or only just true, or without value."""
        for corner in itertools.product(*box.values()) if len(box) <= 4 else ():
            value = evaluate(goal[1], {v: float(x) for v, x in zip(box, corner, strict=True)})
            if not (abs(value) > 1e-12 if goal[0] == "!=" else value > 1e-12 or (goal[0] == ">=" and value >= 0)):
                raise Stuck("undecided at a corner of the box")

    def subdivide(self: Prover, goal: Node, box: dict[str, tuple[Fraction, Fraction]], bits: int, budget: list[int],
                  depth: int) -> Any:
        self.tick()
        spend("part")
        budget[0] -= 1
        if budget[0] < 0 or depth > 40:
            raise Stuck("the box needs too many parts")
        try:
            low, high = enclose(goal[1], box, bits)
            if low > 0 or (goal[0] == ">=" and low >= 0) or (goal[0] == "!=" and high < 0):
                return None
            if (high < 0 and goal[0] != "!=") or low == high:
                raise Stuck("false on the box")
        except KernelError:
            if not box:
                raise Stuck("no enclosure") from None
        if not box:
            raise Stuck("undecided number")
        x = max(box, key=lambda n: box[n][1] - box[n][0])
        low, high = box[x]
        cut = (low + high) / 2
        return (x, cut, self.subdivide(goal, {**box, x: (low, cut)}, bits, budget, depth + 1),
                self.subdivide(goal, {**box, x: (cut, high)}, bits, budget, depth + 1))


def in_exponent(t: Node, v: str) -> bool:
    if not isinstance(t, tuple) or not isinstance(v, str):
        return False
    if (t[0] == "^" and v in free(t[2])) or (t[0] == "sum" and v in free(t[3])):
        return True
    return any(in_exponent(c, v) for c in t[1:] if isinstance(c, tuple))


def difference_of_variables(t: Node) -> tuple[str, str] | None:
    """(x, y) if t is formally x - y."""
    names = sorted(free(t))
    if len(names) != 2:
        return None
    for x, y in (names, names[::-1]):
        if Forms().zero(minus(t, minus(x, y))):
            return x, y
    return None
