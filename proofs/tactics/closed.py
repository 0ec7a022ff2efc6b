"""Proofs at one point: formulas without free variables, or over the isolating boxes of a few roots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import Any

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.balls import Interval
from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
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
    negate,
    substitute,
)
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, cut_all, hyp, parts
from qtheory.proofs.tactics.effort import spend_again, spent
from qtheory.proofs.tactics.enclosing import enclosed
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.primitives import antiderivative, primitive
from qtheory.proofs.tactics.quotients import share_of
from qtheory.proofs.tactics.smooth import smoothed
from qtheory.proofs.tactics.state import Prover, Search
from qtheory.proofs.tactics.terms import swap

SHORT = 0.3  # seconds for means of the prover
BODIES = {"sum": 4, "int": 4, "diff": 2, "all": 2, "ex": 2}  # where a binder's bound part stands
PRECISIONS = (64, 128, 256, 512)
Assignment = Mapping[str, Node]
Plan = tuple[Any, ...]


def place(node: Node, values: Assignment) -> Node:
    """The node with the values for its free variables, all at once; no value has a variable that is bound here."""
    if isinstance(node, str):
        return values.get(node, node)
    if not isinstance(node, tuple):
        return node
    head = node[0]
    if head in BODIES:
        inner = {v: t for v, t in values.items() if v != node[1]}
        body = BODIES[head]
        return (head, node[1], *(place(c, inner if i == body else values) for i, c in enumerate(node[2:], 2)))
    first = 2 if head in ("W", "app") else 1
    return (*node[:first], *(place(c, values) for c in node[first:]))


class Point:
    """Proves formulas at a point: every free variable is a root that lies in a rational box."""

    def __init__(self, prover: Prover, deadline: float = float("inf")) -> None:
        self.prover = prover
        self.box: dict[str, Interval] = {}
        self.facts: list[Step] = []  # what is known of the roots
        self.known: dict[Node, Step] = {}
        self.deadline = deadline

    # ---- roots ----

    def root(self, name: str, equation: Node, box: Interval) -> Step:
        """There is exactly one root of the equation in the box; from here on ``name`` is that root."""
        low, high = box
        f = equation if self.sign(substitute(equation, name, high)) == 1 else neg_term(equation)
        ends = self.atom((">", neg_term(substitute(f, name, low)))), self.atom((">", substitute(f, name, high)))
        inner = self.over({name: box})
        slope = inner.ball((">", derivative(f, name)))  # strictly monotone: no other root in the box
        domain = apply("defined", f, inner.settle(f))
        order = self.atom(gt(high, low))
        step = apply("intermediate_value", name, f, low, high, order, domain, *ends)
        if not slope.hyps <= domain.hyps | inner.box_hyps() | set().union(*(f.hyps for f in self.facts), set()):
            raise Stuck("the root is not known to be unique")
        self.box[name] = box
        for fact in parts(hyp(step.concl[2])):
            self.facts.append(fact)
            if fact.concl[0] == ">":
                self.facts.append(apply("combine", (">=", fact.concl[1]), (fact,), ((ONE, ((0, 1),), ()),)))
        return cut_all(self.facts, step)

    def afresh(self) -> Point:
        """A point of which nothing is known, with the same prover and deadline."""
        return Point(self.prover, self.deadline)

    def search(self, seconds: float) -> Search:
        return self.prover.search(seconds)

    def over(self, box: dict[str, Interval]) -> Point:
        """The same point with further variables that range over boxes."""
        other = self.afresh()
        other.box, other.facts, other.known = {**self.box, **box}, list(self.facts), dict(self.known)
        return other

    def box_hyps(self) -> set[Node]:
        return {h for x, (low, high) in self.box.items() for h in (ge(x, low), ge(high, x))}

    # ---- signs ----

    def sign(self, term: Node) -> int | None:
        """1, -1 or 0 where the enclosure tells; None where it does not."""
        for bits in PRECISIONS:
            try:
                low, high = enclosed(term, self.box, bits)
            except KernelError:
                return None
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if low == high == 0:
                return 0
            if self.box and bits >= 128:
                return None
            self.tick()
        return None

    def tick(self) -> None:
        if spent() > self.deadline:
            raise Stuck("out of time: a larger budget may decide it")

    def ball(self, goal: Node) -> Step:
        """The inequality by an enclosure over the box."""
        for bits in PRECISIONS:
            box = {x: self.box[x] for x in sorted(free(goal)) if x in self.box}
            try:
                low, high = enclosed(goal[1], box, bits)
            except KernelError as error:
                raise Stuck(str(error)) from None
            if low > 0 or (goal[0] == ">=" and low >= 0) or (goal[0] == "!=" and high < 0):
                return cut_all(self.facts, apply("ball", goal, box, None, bits))
            if high < 0 or (high <= 0 and goal[0] == ">") or low == high or (box and bits >= 128):
                break
            self.tick()
        raise Stuck(f"no enclosure shows {goal}")

    # ---- formulas ----

    def prove(self, formula: Node, plan: Plan, values: Assignment) -> Step:
        """The formula by a branch's plan (see ``branches``)."""
        kind = plan[0]
        if kind == "and":
            return apply("and_intro", tuple(self.prove(f, p, values)
                                            for f, p in zip(formula[1:], plan[1], strict=True)))
        if kind == "or":
            return apply("or_intro", self.prove(formula[plan[1] + 1], plan[2], values), formula)
        if kind == "imp":
            return self.implication(formula, plan, values)
        if kind == "ex":
            value = values[plan[1]]
            step = self.prove(substitute(formula[2], formula[1], value), plan[2], values)
            return apply("ex_intro", formula, value, step, self.settle(value))
        if kind == "undef":
            subterm, failing = place(plan[1], values), place(plan[2], values)
            return apply("undefined", formula[1], subterm, self.prove(failing, plan[3], values))
        if kind == "hard":
            return self.hard(formula)
        if kind == "by":
            return plan[1](self, formula, values)
        return self.atom(formula)

    def implication(self, formula: Node, plan: Plan, values: Assignment) -> Step:
        if plan[1] == 1:
            return apply("imp_intro", formula[1], self.prove(formula[2], plan[2], values))
        false = self.prove(negate(formula[1]), plan[2], values)
        return apply("imp_intro", formula[1], apply("clash", hyp(formula[1]), false, formula[2]))

    def hard(self, formula: Node) -> Step:
        """A universal statement."""
        if formula not in self.known:
            self.known[formula] = self.prover.universal(self, formula)
        return self.known[formula]

    def atom(self, goal: Node) -> Step:
        if goal in self.known:
            return self.known[goal]
        head, term = goal
        if head == "def":
            step = apply("defined", term, self.settle(term))
        elif head == "isint":
            step = apply("integral_polynomial", term, self.settle(term))
        else:
            step = self.compared(head, term)
        self.known[goal] = step
        return step

    def compared(self, head: str, term: Node) -> Step:
        goal = (head, term)
        if any(isinstance(s, tuple) and s[0] in ("int", "diff", "W") for s in occurring(term)):
            return self.rewritten(goal)
        if head == "=":
            return self.equal(term)
        try:
            return self.ball(goal)
        except Stuck:
            special = next((found for s in occurring(term) if isinstance(s, tuple)
                            and (found := self.special(s)) is not None), None)
            if head != ">=" and special is not None:
                return self.substituted(goal, special[1].concl[1][1], *special)
            if head != ">=":
                raise
        same = self.equal(term)
        return apply("combine", goal, (same,), ((ONE, ((0, 1),), ()),))

    def equal(self, term: Node) -> Step:
        """term = 0: formally, by a root's equation, by values at 0 and 1, or because the enclosure is exact."""
        goal = ("=", term)
        if Forms().zero(term):
            return apply("combine", goal, self.settle(term), ())
        for fact in (f for f in self.facts if f.concl[0] == "="):
            share = share_of(term, fact.concl[1])
            if share is not None:
                facts = (*self.settle(term), *self.settle(share), fact)
                return apply("combine", goal, facts, ((share, ((len(facts) - 1, 1),), ()),))
        special = next((s for s in occurring(term) if isinstance(s, tuple) and self.special(s) is not None), None)
        if special is not None:
            value, equation = self.special(special) or (ZERO, None)
            return self.substituted(goal, special, value, equation)
        sign = self.sign(term)
        if sign is None and not free(term):  # before it is found too close to 0 to tell, which takes long
            with suppress(Stuck, KernelError):
                return self.search(SHORT).atom(goal, ())
        if sign != 0:
            raise Stuck(f"not shown to be zero: {term}")
        above, below_zero = self.ball((">=", term)), self.ball((">=", neg_term(term)))
        cases = apply("trichotomy", term, (above,))
        ends = []
        for case, bound in zip(cases.concl[1:], (below_zero, None, above), strict=True):
            if bound is None:
                ends.append(hyp(case))
                continue
            opposite = negate(case)
            exact = bound if bound.concl == opposite[2] else \
                apply("combine", opposite[2], (bound,), ((ONE, ((0, 1),), ()),))
            ends.append(apply("clash", hyp(case), apply("or_intro", exact, opposite), goal))
        return apply("or_elim", cases, tuple(ends), goal)

    def special(self, s: Node) -> tuple[Node, Step] | None:
        """exp 0 = 1 and the like, for arguments that are formally so; 0**b = 0 for b > 0."""
        if s[0] == "^" and s[1] == ZERO and not integer(s[2]) and self.sign(s[2]) == 1:
            zero = apply("cut", self.atom((">", s[2])), apply("zero_power", s[2]))
            return ZERO, apply("combine", ("=", minus(s, ZERO)), (zero,), ((ONE, ((0, 1),), ()),))
        at = FUNCTIONS[s[0]].at if s[0] in FUNCTIONS else None
        if at is None or not Forms().zero(minus(s[1], at[0])):
            return None
        _, value, rule = at
        facts = (*self.settle(s), apply(rule))
        return value, apply("combine", ("=", minus(s, value)), facts, ((ONE, ((len(facts) - 1, 1),), ()),))

    def substituted(self, goal: Node, old: Node, new: Node, equation: Step | None) -> Step:
        """The goal from the goal with ``new`` for ``old``, and old - new = 0."""
        if equation is None:
            raise Stuck("no equation")
        z = "z'''"
        template = (goal[0], swap(goal[1], old, z))
        step = self.compared(goal[0], substitute(template[1], z, new))
        back = apply("combine", ("=", minus(new, old)), (equation,), ((Fraction(-1), ((0, 1),), ()),))
        return apply("rewrite", back, step, z, template, new, old)

    def rewritten(self, goal: Node) -> Step:
        """Integrals by the fundamental theorem, derivatives carried out, Lambert's function by its equation."""
        target = min(_outside_binders(goal[1]), key=lambda s: len(str(s)))
        if target[0] == "W":
            return self.lambert(goal, target)
        if target[0] == "int":
            equation = self.integral(target)
            return self.substituted(goal, target, equation.concl[1][2][2], equation)
        try:
            plain, duties = undiff(target)
        except KernelError:

            plain, equation = smoothed(self.search(SHORT), target, ())
            return self.substituted(goal, target, plain, equation)
        facts = [f for d in (plain, *duties) for f in self.settle(d)]
        return self.substituted(goal, target, plain, apply("differentiate", target, tuple(facts)))

    def integral(self, target: Node) -> Step:
        """integral = F(b) - F(a), with an antiderivative that the kernel differentiates back."""
        _, x, a, b, body = target
        if self.sign(minus(b, a)) == -1:
            other = self.integral(("int", x, b, a, body))
            flip = apply("integral_flip", target, (other,))
            value = neg_term(other.concl[1][2][2])
            return apply("combine", ("=", minus(target, value)), (flip, other),
                         ((ONE, ((0, 1),), ()), (Fraction(-1), ((1, 1),), ())))
        for candidate in (primitive(body, x), primitive(body, x, negative=True), None):
            try:
                return self.fundamental(target, candidate or _by_sympy(body, x))
            except (Stuck, KernelError):
                if candidate is None:
                    raise
        raise Stuck("no antiderivative")

    def fundamental(self, target: Node, antiderivative: Node) -> Step:
        _, x, a, b, body = target
        low, high = enclosed(a, self.box, 64)[0], enclosed(b, self.box, 64)[1]
        inner = self.over({x: (low, high)})
        inner.facts += [self.within(ge(x, low), ge(x, a), minus(a, low)),
                        self.within(ge(high, x), ge(b, x), minus(high, b))]
        inner.known = {}
        domain = [apply("defined", f, inner.settle(f)) for f in (body, antiderivative)]
        slope = minus(derivative(antiderivative, x), body)
        step = apply("combine", ("=", slope), inner.settle(slope), ())
        return apply("fundamental_theorem", target, antiderivative, self.atom(ge(b, a)), *domain, step)

    def within(self, goal: Node, given: Node, slack: Node) -> Step:
        """A bound at a rounded end from the bound at the end itself."""
        if goal == given:
            return hyp(given)
        return apply("combine", goal, (hyp(given), self.atom((">=", slack))),
                     ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def lambert(self, goal: Node, target: Node) -> Step:
        """W(u) is the root w of w e^w = u on its branch, isolated; the goal is proved of that root."""
        from scipy.special import lambertw

        name = "w" + "'" * (4 + len(self.box))
        low, high = enclosed(target[2], self.box, 64)
        near = float(lambertw(float((low + high) / 2), target[1]).real)
        if not math.isfinite(near):
            raise Stuck("Lambert's function has no value there")
        estimate = Fraction(near)
        exact = estimate.limit_denominator(1000)
        side = (">=", ("+", exact, ONE)) if target[1] == 0 else (">=", neg_term(("+", exact, ONE)))
        with suppress(Stuck, KernelError):  # as at 0
            equation = self.equal(minus(("*", exact, ("exp", exact)), target[2]))
            value = apply("lambert_value", target, exact, equation, self.atom(side))
            return self.substituted(goal, target, exact, value)
        for digits in (6, 12):
            width = Fraction(1, 10**digits)
            at = (estimate / width).__floor__() * width
            inner = self.afresh()
            inner.box, inner.facts, inner.known = dict(self.box), list(self.facts), dict(self.known)
            try:
                existence = inner.root(name, minus(("*", name, ("exp", name)), target[2]), (at - width, at + 2 * width))
                side = (">=", ("+", name, ONE)) if target[1] == 0 else (">=", neg_term(("+", name, ONE)))
                equation = inner.equal(minus(("*", name, ("exp", name)), target[2]))
                value = apply("lambert_value", target, name, equation, inner.atom(side))
                step = inner.substituted(goal, target, name, value)
                return apply("ex_elim", existence, name, step)
            except Stuck:
                continue
        raise Stuck("Lambert's function is not enclosed")

    # ---- definedness ----

    def settle(self, term: Node) -> tuple[Step, ...]:
        """Facts by which the kernel sees that the term is defined."""
        out: list[Step] = []
        for s in occurring(term):
            if isinstance(s, tuple) and s[0] in ("log", "sqrt", "^", "sum", "int", "diff", "W"):
                out += self.condition(s)
        return tuple(dict.fromkeys(out))

    def condition(self, s: Node) -> list[Step]:
        head, u = s[0], s[1]
        if head in ("sum", "int", "diff", "W"):
            return [self.some_value(s)]
        number = isinstance(u, Fraction)
        if head == "log":
            return [] if number and u > 0 else [self.atom((">", u))]
        if head == "sqrt":
            return [] if number and u >= 0 else [self.atom((">=", u))]
        exponent = s[2]
        if integer(exponent):
            if exponent >= 0 or (number and u != 0):
                return []
            return [self.atom(("!=", u))]
        whole = attempt("integral_polynomial", exponent, ())
        if whole is not None:
            low = self.sign(exponent)
            return [whole, self.atom((">=", exponent) if low is not None and low >= 0 else ("!=", u))]
        if self.sign(u) == 0:
            return [self.atom((">=", u)), self.atom((">", exponent))]
        return [] if number and u > 0 else [self.atom((">", u))]

    def some_value(self, s: Node) -> Step:
        """A true atom about a sum, integral, derivative or Lambert value: it is defined."""
        if s[0] == "sum":
            sign = self.sign(s)
            if sign is None:
                raise Stuck("a sum without an enclosure")
            return self.ball((">=", s) if sign >= 0 else (">=", neg_term(s)))
        if s[0] == "int":
            return self.integral(s)
        for goal in ((">=", s), (">=", neg_term(s))):
            try:
                return self.rewritten(goal)
            except (Stuck, KernelError):
                continue
        raise Stuck(f"not shown to be defined: {s[0]}")


def _outside_binders(term: Node) -> Iterator[Node]:
    """The integrals, derivatives and Lambert values that ``swap`` reaches."""
    if not isinstance(term, tuple):
        return
    if term[0] in ("int", "diff", "W"):
        yield term
    for child in term[1:] if term[0] not in BODIES else term[3:4] if term[0] == "diff" else term[2:4]:
        yield from _outside_binders(child)


class NoIntegral(Stuck):
    """No antiderivative was found, as it will not be at other points."""


def _by_sympy(body: Node, x: str) -> Node:
    started = spent()
    found, work = _antiderivative(body, x)
    spend_again(work - (spent() - started))
    if isinstance(found, Stuck):
        raise NoIntegral(str(found))
    return found


@cache
def _antiderivative(body: Node, x: str) -> tuple[Node, int]:
    """SymPy's, or the Stuck that says why there is none, and the work: points of one search share their integrands."""
    started = spent()
    try:
        found = antiderivative(body, x, frozenset())
    except Stuck as obstacle:
        found = obstacle
    return found, spent() - started


__all__ = ["Assignment", "NoIntegral", "Point", "place"]
