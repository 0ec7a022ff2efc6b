"""Bounds that no combination gives: t != 0 from t's sign, strict tangents of exp and log, powers in the order of their
exponents."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import permutations

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, minus, neg_term, negate
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.cleared import nonzero
from qtheory.proofs.tactics.equations import inverted
from qtheory.proofs.tactics.given import learn
from qtheory.proofs.tactics.guidance import Lemma
from qtheory.proofs.tactics.induction import by_induction
from qtheory.proofs.tactics.logarithms import tangent_of_exp, tangent_of_log
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.parameters import ASSUMED
from qtheory.proofs.tactics.quotients import share_of
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import free_of_functions

# Each says of a function's value at x what the lemma's facts about it say less strictly.
TANGENTS = {head: Statement(f.strict).conclusion for head, f in FUNCTIONS.items() if f.strict}


ORDER = {relation: Statement(f"Implies(x {sign} y, exp(x) {sign} exp(y))").conclusion
         for relation, sign in ((">", "<"), (">=", "<="))}
COMPLEMENTS = {"!=": ("=", ONE), ">": (">=", MINUS)}  # of t, or -t
MOST = 4  # powers to be held against each other


def by_either_side(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """t != 0 from t > 0 or from t < 0."""
    for term in (goal[1], neg_term(goal[1])):
        with suppress(Stuck, KernelError):
            return nonzero(goal[1], search.atom((">", term), facts, depth - 1))
    raise Stuck("neither sign is told")


def by_failing_fact(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """t != 0, for with t = 0 one of the facts would fail, as one that a product with the factor t is not 0."""
    t = goal[1]
    known = [*facts, *search.define(t, facts)]
    three = apply("trichotomy", t, tuple(known))
    for f in [f for f in facts if f.concl[0] in COMPLEMENTS and f.variables & free(t)]:
        relation, sign = COMPLEMENTS[f.concl[0]]
        opposite = (relation, f.concl[1] if sign == ONE else neg_term(f.concl[1]))
        with suppress(Stuck, KernelError):
            fails = _vanishing(opposite, t, known)
            if sign == ONE:
                false = apply("clash", fails, apply("or_intro", f, negate(opposite)), goal)
            else:
                false = apply("absurd", apply("combine", (">", ZERO), (f, fails), (
                    (ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
            away = [nonzero(t, hyp(case)) for case in (three.concl[1], three.concl[3])]
            return apply("or_elim", three, (away[0], false, away[1]), goal)
        search.tick()
    raise Stuck("no fact is seen to fail")


def by_failing_equation(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """t = 0, for with t > 0, and with t < 0, one of the equations among the facts would fail."""
    t = goal[1]
    three = apply("trichotomy", t, (*facts, *search.define(t, facts)))
    cases = [hyp(case) if case == goal else apply("absurd", _failing(search, hyp(case), facts, depth), goal)
             for case in three.concl[1:]]
    return apply("or_elim", three, tuple(cases), goal)


def _failing(search: Search, case: Step, facts: Facts, depth: int) -> Step:
    """0 > 0 from an equation whose term has a sign in the case."""
    plain = [f for f in facts if f.concl[0] != "="]
    for f in equations_to_fail(case.concl, facts):
        for sign, term in ((MINUS, f.concl[1]), (ONE, neg_term(f.concl[1]))):
            with suppress(Stuck, KernelError):
                apart = search.atom((">", term), [*plain, case], depth - 1)
                return apply("combine", (">", ZERO), (apart, f), ((ONE, ((0, 1),), ()), (sign, ((1, 1),), ())))
            search.tick()
    raise Stuck("no equation is seen to fail")


def equations_to_fail(goal: Node, facts: Facts) -> list[Step]:
    """Those that were assumed of functions of the goal's variables."""
    return [f for f in facts if f.concl[0] == "=" and f.rule in ASSUMED and free_of_functions(f.concl[1]) & free(goal)]


def _vanishing(goal: Node, factor: Node, facts: Facts) -> Step:
    """The goal of a product from that its factor is 0."""
    share = share_of(goal[1], factor)
    if share is None:
        raise Stuck("no factor of it")
    return apply("combine", goal, (hyp(("=", factor)), *facts), ((share, ((0, 1),), ()),))


def by_strict_tangents(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A strict goal by a combination with the strict tangents of the logarithms and exponentials in it."""
    found = [Lemma(TANGENTS[s[0]], {"x": s[1]}) for s in occurring(goal[1])
             if isinstance(s, tuple) and s[0] in TANGENTS and isinstance(s[1], tuple)]
    if goal[0] != ">" or not found or depth < 2:
        raise Stuck("no tangent to be made strict")
    known = [*facts, *_instances(search, found, facts)]
    return search.combine(goal, [*known, *search.define(goal[1], known)], 2)


def by_tangents_elsewhere(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A goal by a combination with the tangents of its exponentials, and logarithms, at each other's arguments."""
    values = [s for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] in ("exp", "log")]
    pairs = [(s, r) for s, r in permutations(values, 2) if s[0] == r[0]]
    if goal[0] not in (">", ">=") or not pairs or len(values) > MOST:
        raise Stuck("no two exponentials or logarithms")
    known = [*facts, *search.define(goal[1], facts)]
    new = []
    for s, r in pairs:
        with suppress(Stuck, KernelError):
            new.append(tangent(search, s, r, known, strictly=goal[0] == ">" and s[0] == "log"))
    return search.combine(goal, [*known, *new], 2)


def tangent(search: Search, s: Node, r: Node, known: Facts, strictly: bool) -> Step:
    """The tangent of the exponential s, or logarithm, at the argument of r: that it lies on the other side of it, and
    strictly so where that is asked and the arguments are seen to differ."""
    gap: Node = minus(s[1], r[1]) if s[0] == "exp" else ("*", s[1], ("^", r[1], MINUS))
    strict = None
    if strictly:
        with suppress(Stuck, KernelError):
            strict = _instances(search, [Lemma(TANGENTS[s[0]], {"x": gap})], known)[0]
    if s[0] == "exp":
        return tangent_of_exp(s[1], r[1], known, strict)
    above = [search.quick((">", t[1]), known) for t in (s, r)]
    if above[0] is None or above[1] is None:
        raise Stuck("an argument that may not be positive")
    return tangent_of_log(s[1], r[1], above[0], above[1], strict and apply(
        "combine", (">", ("+", gap, MINUS, neg_term(("log", gap)))), (strict, *known), ((ONE, ((0, 1),), ()),)))


def by_strict_contradiction(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal's complement, the facts, and the strict tangents of the logarithms and exponentials in these give
    0 > 0: what an equation says of its root, against what it says at another."""
    given = [f for f in facts if f.concl[0] == "=" and f.rule in ASSUMED]
    known = inverted(search, [*facts, *search.define(goal[1], facts)]) if given else []
    found = dict.fromkeys(s for f in (*given, *known[len(facts):]) if f.concl[0] == "=" for s in occurring(f.concl[1])
                          if isinstance(s, tuple) and s[0] in TANGENTS and free(s[1]) & free(goal[1]))
    if not found or len(found) > MOST or depth < 2:
        raise Stuck("no equation with logarithms or exponentials")
    three = apply("trichotomy", goal[1], tuple(known))
    cases = []
    for case in three.concl[1:]:
        assumed = hyp(case)
        if case == (">", goal[1]) or (case[0] == "=" and goal[0] == ">="):
            cases.append(apply("combine", goal, (assumed,), ((ONE, ((0, 1),), ()),)))
            continue
        now = [*known, assumed]
        now += _instances(search, [Lemma(TANGENTS[s[0]], {"x": s[1]}) for s in found], now)
        step = None
        for degree in (2, 3):
            with suppress(Stuck, KernelError):
                step = step or search.combine((">", ZERO), now, degree)
        if step is None:
            raise Stuck("the strict tangents do not contradict the goal's complement")
        cases.append(apply("absurd", step, goal))
    return apply("or_elim", three, tuple(cases), goal)


def by_order_of_exponents(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A goal by a combination with the order of its exponentials and powers, from that of their exponents."""
    powers = [s for s in occurring(goal[1]) if isinstance(s, tuple) and (
        s[0] == "exp" or (s[0] == "^" and not isinstance(s[2], Fraction)))]
    if goal[0] not in (">", ">=") or not 2 <= len(powers) <= MOST or depth < 2:
        raise Stuck("no powers to be compared")
    exponents = [s[1] if s[0] == "exp" else ("*", s[2], ("log", s[1])) for s in powers]
    known = [*facts, *search.define(goal[1], facts)]
    if any(s[0] == "^" and search.quick((">", s[1]), known) is None for s in powers):
        raise Stuck("a base that may not be positive")
    for s, exponent in zip(powers, exponents, strict=True):
        if s[0] == "^":
            known.append(search.atom(("=", minus(("exp", exponent), s)), known, 2))
    found = [Lemma(ORDER[goal[0]], {"x": a, "y": b}) for a, b in permutations(exponents, 2)]
    known += _instances(search, found, known)
    return search.combine(goal, known, 2)


def _instances(search: Search, lemmas: list[Lemma], facts: Facts) -> list[Step]:
    """What the lemmas say, where their premises hold; Stuck where none does."""
    before = list(search.given)
    try:
        for lemma in lemmas:
            with suppress(Stuck, KernelError):
                learn(search, [lemma], facts)
        out = [p for g in search.given[len(before):] if g.concl[0] != "imp" for p in parts(g)]
    finally:
        search.use(before)
    if not out:
        raise Stuck("no premise holds")
    return out


def by_bernoulli(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A goal by a combination with what induction says of its powers u**n for every n: u**n >= 1 + n*(u - 1), and on
    which side of 1 they are."""
    powers = [s for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] == "^" and isinstance(s[2], str)]
    if goal[0] not in (">", ">=") or not powers or len(powers) > MOST or depth < 2:
        raise Stuck("no power with an exponent that is a variable")
    known = [*facts, *search.define(goal[1], facts)]
    for s in powers:
        more = minus(s, ONE)
        for term in (minus(more, ("*", s[2], minus(s[1], ONE))), more, neg_term(more)):
            with suppress(Stuck, KernelError):
                known.append(by_induction(search, (">=", term), facts, 2))
    return search.combine(goal, known, 2)


__all__ = ["by_bernoulli", "by_either_side", "by_failing_equation", "by_failing_fact", "by_order_of_exponents",
           "by_strict_contradiction", "by_strict_tangents", "by_tangents_elsewhere", "equations_to_fail", "tangent"]
