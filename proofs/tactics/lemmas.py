"""Tactics: the facts about the functions that occur in a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    integer,
    minus,
    neg_term,
)
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, attempt, hyp, parts
from qtheory.proofs.tactics.instances import power_nonnegative
from qtheory.proofs.tactics.integrals import integral_bounds
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size


class Bounds(dict[Node, list[Step]]):
    """By the value of exp or log, its bounds: the same from whatever facts."""


def with_lemmas(search: Search, goal: Node, facts: Facts) -> list[Step]:
    """The facts about the functions that occur: positivity, tangents, bounds."""
    out = list(facts)
    known = {f.concl for f in facts}
    terms = [goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS)]
    values = {s: None for t in terms for s in occurring(t) if isinstance(s, tuple) and s[0] not in ("+", "*")}
    for s in sorted(values, key=size):
        for step in facts_about(search, s, out):
            if step.concl not in known:
                known.add(step.concl)
                out.append(step)
    return out


def facts_about(search: Search, s: Node, facts: list[Step]) -> Iterator[Step]:
    known = tuple(facts)
    steps: list[Step | None] = []
    if s[0] == "exp":
        steps = [attempt("exp_positive", s[1], known), attempt("exp_above_tangent", s[1], known),
                 bound_once(search, exp_from_above, s, known)]
    elif s[0] == "log":
        steps = [attempt("log_below_tangent", s[1], known), bound_once(search, log_from_below, s, known)]
    elif s[0] == "max":
        steps = [attempt("max_bounds", s[1], s[2], known)]
    elif s[0] == "sqrt":
        positive = next((f for f in known if f.concl == (">", s[1])), None)
        steps = [attempt("sqrt_square", s[1], known)] if positive is None else list(square_root(s[1], positive))
    elif s[0] == "int" and not any(f.concl[0] == "=" and f.rule == "fundamental_theorem" and s in f.concl[1]
                                   for f in known):
        steps = list(integral_bounds(search, s, known))
    elif s[0] == "floor":
        steps = [attempt("floor_bounds", s[1], known)]
    elif s[0] == "W":
        steps = [attempt("lambert_equation", s, known)]
    elif s[0] == "^" and s[1] == ZERO and (above := search.quick((">", s[2]), known)) is not None:
        steps = [apply("cut", above, apply("zero_power", s[2]))]
    elif s[0] == "^" and not integer(s[2]):
        steps = [power_positive(search, s, known) or nonnegative(search, s, known)]
    for step in steps:
        if step is not None:
            yield from parts(step)


def bound_once(search: Search, bound: Callable[[Search, Node, tuple[Step, ...]], Step | None], s: Node,
               known: tuple[Step, ...]) -> Step | None:
    """The bound of s, which is the same from whatever facts: one that was proved before, if it rests on no more
    than these."""
    kept = search.own(Bounds).setdefault(s, [])
    assumed = frozenset().union(*(f.hyps for f in known)) if kept else frozenset()
    step = next((k for k in kept if k.hyps <= assumed), None)
    if step is None and (step := bound(search, s[1], known)) is not None:
        kept.append(step)
    return step


def exp_from_above(search: Search, u: Node, known: tuple[Step, ...]) -> Step | None:
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


def log_from_below(search: Search, u: Node, known: tuple[Step, ...]) -> Step | None:
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


def nonnegative(search: Search, s: Node, known: tuple[Step, ...]) -> Step | None:
    try:
        return power_nonnegative(search, s, known)
    except KernelError:
        return None


def power_positive(search: Search, s: Node, known: tuple[Step, ...]) -> Step | None:
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


def cheaply(search: Search, goal: Node, facts: Facts) -> Step:
    """A goal in standard form by a combination with the facts about its functions."""
    facts = facts if isinstance(goal[1], Fraction) else with_lemmas(search, goal, facts)
    try:
        return search.combined(goal, facts, 1)
    except Stuck:
        return search.combine(goal, facts, 2)
