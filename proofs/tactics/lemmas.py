"""Tactics: the facts about the functions that occur in a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    integer,
    minus,
    neg_term,
)
from qtheory.proofs.tactics.builder import RELATIONS, Step, apply, attempt, hyp, parts
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.simplify import size

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]


class Lemmas:
    """Positivity, tangents and bounds of exp, log, max, sqrt, floor, W and powers."""

    def with_lemmas(self: Prover, goal: Node, facts: Facts) -> list[Step]:
        """The facts about the functions that occur: positivity, tangents, bounds."""
        out = list(facts)
        known = {f.concl for f in facts}
        terms = [goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS)]
        values = {s: None for t in terms for s in occurring(t) if isinstance(s, tuple) and s[0] not in ("+", "*")}
        for s in sorted(values, key=size):
            for step in self.lemmas(s, out):
                if step.concl not in known:
                    known.add(step.concl)
                    out.append(step)
        return out

    def lemmas(self: Prover, s: Node, facts: list[Step]) -> Iterator[Step]:
        known = tuple(facts)
        steps: list[Step | None] = []
        if s[0] == "exp":
            steps = [attempt("exp_positive", s[1], known), attempt("exp_above_tangent", s[1], known),
                     self.once(self.exp_from_above, s, known)]
        elif s[0] == "log":
            steps = [attempt("log_below_tangent", s[1], known), self.once(self.log_from_below, s, known)]
        elif s[0] == "max":
            steps = [attempt("max_bounds", s[1], s[2], known)]
        elif s[0] == "sqrt":
            positive = next((f for f in known if f.concl == (">", s[1])), None)
            steps = [attempt("sqrt_square", s[1], known)] if positive is None else list(square_root(s[1], positive))
        elif s[0] == "int" and not any(f.concl[0] == "=" and f.rule == "fundamental_theorem" and s in f.concl[1]
                                       for f in known):
            steps = list(self.integral_bounds(s, known))
        elif s[0] == "floor":
            steps = [attempt("floor_bounds", s[1], known)]
        elif s[0] == "W":
            steps = [attempt("lambert_equation", s, known)]
        elif s[0] == "^" and s[1] == ZERO and (above := self.quick((">", s[2]), known)) is not None:
            steps = [apply("cut", above, apply("zero_power", s[2]))]
        elif s[0] == "^" and not integer(s[2]):
            steps = [self.power_positive(s, known) or self.nonnegative(s, known)]
        for step in steps:
            if step is not None:
                yield from parts(step)

    def once(self: Prover, bound: Callable[[Node, tuple[Step, ...]], Step | None], s: Node,
             known: tuple[Step, ...]) -> Step | None:
        """The bound of s, which is the same from whatever facts: one that was proved before, if it rests on no more
        than these."""
        kept = self.bounds_proved.setdefault(s, [])
        assumed = frozenset().union(*(f.hyps for f in known)) if kept else frozenset()
        step = next((k for k in kept if k.hyps <= assumed), None)
        if step is None and (step := bound(s[1], known)) is not None:
            kept.append(step)
        return step

    def exp_from_above(self: Prover, u: Node, known: tuple[Step, ...]) -> Step | None:
        """(1 - u) e^u <= 1, from the tangent of e^(-u)."""
        v = neg_term(u)
        tangent = attempt("exp_above_tangent", v, known)
        positive = attempt("exp_positive", u, known)
        split = attempt("exp_sum", u, v, known)
        if tangent is None or positive is None or split is None:
            return None
        zero = attempt("combine", ("=", minus(("+", u, v), ZERO)), known, ())
        if zero is None:
            return None
        one = apply("rewrite", zero, split, "z'", ("=", minus(("exp", "z'"), split.concl[1][2][2])), ("+", u, v), ZERO)
        goal = (">=", minus(ONE, ("*", minus(ONE, u), ("exp", u))))
        return attempt("combine", goal, (tangent, positive, one, apply("exp_zero"), *known),
                       ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((2, 1),), ()), (-ONE, ((3, 1),), ())))

    def log_from_below(self: Prover, u: Node, known: tuple[Step, ...]) -> Step | None:
        """log u >= 1 - 1/u, from the tangent of log(1/u)."""
        inverse = ("^", u, Fraction(-1))
        positive = next((f for f in known if f.concl == (">", u)), None)
        if positive is None:
            return None
        above = apply("combine", (">", inverse), (positive,), ((ONE, ((0, -1),), ()),))
        power = attempt("log_power", u, Fraction(-1), (*known, positive))
        tangent = attempt("log_below_tangent", inverse, (above, *known))
        if power is None or tangent is None:
            return None
        goal = (">=", ("+", ("log", u), inverse, Fraction(-1)))
        return attempt("combine", goal, (tangent, power, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def nonnegative(self: Prover, s: Node, known: tuple[Step, ...]) -> Step | None:
        try:
            return self.power_nonnegative(s, known)
        except KernelError:
            return None

    def power_positive(self: Prover, s: Node, known: tuple[Step, ...]) -> Step | None:
        """a^n > 0 for a > 0."""
        if not any(f.concl == (">", s[1]) for f in known):
            return None
        log = ("*", s[2], ("log", s[1]))
        equal = attempt("power_exp", s[1], s[2], known)
        positive = attempt("exp_positive", log, known)
        if equal is None or positive is None:
            return None
        return attempt("combine", (">", s), (positive, equal, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


def square_root(u: Node, positive: Step) -> tuple[Step, Step]:
    """sqrt(u) > 0 and sqrt(u)^2 = u, from u > 0."""
    nonnegative, square = parts(apply("sqrt_square", u, (positive,)))
    root: Node = ("sqrt", u)
    at_zero, below = hyp(("=", root)), hyp((">", neg_term(root)))
    no_zero = apply("combine", (">", ZERO), (at_zero, square, positive),
                    ((neg_term(root), ((0, 1),), ()), (ONE, ((1, 1),), ()), (ONE, ((2, 1),), ())))
    no_below = apply("combine", (">", ZERO), (below, nonnegative), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    goal = (">", root)
    cases = (hyp(goal), apply("absurd", no_zero, goal), apply("absurd", no_below, goal))
    return apply("or_elim", apply("trichotomy", root, (nonnegative,)), cases, goal), square
