"""Integers by their remainders: parity, divisibility, and equations that no integers solve."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, minus, neg_term
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, called, hyp, in_place_of, parts, unused
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.state import Search

MAX_CASES, MODULI = 36, (2, 3, 4, 5, 6, 7, 8, 9, 12)


@dataclass
class Remainders:
    """Are remainders being looked at?  Cases within cases are made at once, by several variables."""

    looking: bool = False


def whole_term(search: Search, goal: Node, facts: Facts) -> Step:
    """That a term is an integer: as a polynomial, through an equation, or by the remainders of its variables."""
    for mean in (search.whole_number, partial(whole_by_equation, search), partial(whole_by_remainders, search)):
        search.tick()
        try:
            return mean(goal, facts) if mean == search.whole_number else with_names(search, goal, facts, mean)
        except (Stuck, KernelError):
            continue
    raise Stuck("an atom may be no integer")


def with_names(search: Search, goal: Node, facts: Facts, prove: Callable[[Node, Facts], Step]) -> Step:
    """The goal where each term with fractions that the facts say to be an integer has a name, v = t."""
    for f in facts:
        t = f.concl[1] if f.concl[0] == "isint" else ZERO
        whole = all(c.denominator == 1 for c in Forms().quotient(t)[0].values())
        if whole or any(e.concl[0] == "=" and e.concl[1][-1] == neg_term(t) for e in facts):
            continue
        v = unused("v", facts, goal)
        return called(v, t, (f,), (f,), lambda named: with_names(search, goal, [*facts, *named], prove))
    return prove(goal, facts)


def whole_by_equation(search: Search, goal: Node, facts: Facts) -> Step:
    """t is an integer where t + c e is, e = 0 being a fact that has a monomial in common with t."""
    t = goal[1]
    for e in (f for f in facts if f.concl[0] == "="):
        forms = Forms()
        (num, _), (other, _) = forms.quotient(t), forms.quotient(e.concl[1])
        for m in num.keys() & other.keys():
            moved = reduced(forms, ("+", t, ("*", -num[m] / other[m], e.concl[1])))
            try:
                whole = search.whole_number(("isint", moved), facts)
            except Stuck:
                continue
            equation = apply("combine", ("=", minus(moved, t)), (e, whole, *facts, *search.define(t, facts)),
                             ((-num[m] / other[m], ((0, 1),), ()),))
            return apply("rewrite", equation, whole, "z'", ("isint", "z'"), moved, t)
    raise Stuck("no equation helps")


def whole_by_remainders(search: Search, goal: Node, facts: Facts) -> Step:
    num, den = Forms().quotient(goal[1])
    below = math.lcm(*(c.denominator for c in num.values())) if not den else 1
    if below == 1 or search.own(Remainders).looking:
        raise Stuck("no remainders to look at")
    return by_remainders(search, goal, facts, [below], sorted(free(goal[1])))


def unequal_by_remainders(search: Search, goal: Node, facts: Facts) -> Step:
    """t != 0, for t = 0 has no solution in integers."""
    t = goal[1]
    if not any(f.concl[0] == "isint" for f in facts):
        raise Stuck("no integers")
    three = apply("trichotomy", t, (*facts, *search.define(t, facts)))
    away = [apply("combine", goal, (hyp(case),), ((sign, ((0, 1),), ()),))
            for case, sign in ((three.concl[1], ONE), (three.concl[3], MINUS))]
    return apply("or_elim", three, (away[0], no_solution(search, goal, [*facts, hyp(("=", t))]), away[1]), goal)


def no_solution(search: Search, goal: Node, facts: Facts) -> Step:
    """Anything, from an equation between integers that has no solution: by divisibility, or for each remainder."""
    return with_names(search, goal, facts, partial(unsolvable, search))


def unsolvable(search: Search, goal: Node, facts: Facts) -> Step:
    try:
        return indivisible(search, goal, facts)
    except Stuck:
        names = {x for f in facts if f.concl[0] == "=" for x in free(f.concl[1])}
        if search.own(Remainders).looking or not names:
            raise
    return by_remainders(search, goal, facts, MODULI, sorted(names))


def indivisible(search: Search, goal: Node, facts: Facts) -> Step:
    """Anything, from c (a polynomial in integers) = d where c does not divide d: it lies between two neighbours."""
    for weighed in combinations([f for f in facts if f.concl[0] == "="]):
        forms = Forms()
        num, den = forms.quotient(("+", ZERO, *(("*", w, f.concl[1]) for w, f in weighed), ZERO))
        common = math.lcm(*(c.denominator for c in num.values()))
        factor = math.gcd(*(int(c * common) for m, c in num.items() if m))
        if den or not factor:
            continue
        scale = Fraction(common, factor)
        value = -num.get((), Fraction(0)) * scale
        below = Fraction(value.numerator // value.denominator)
        if value == below:
            continue
        rest = poly_term(forms, {m: c * scale for m, c in num.items() if m})
        t = minus(rest, below)  # in (0, 1)
        try:
            whole = search.whole_number(("isint", t), facts)
        except Stuck:
            continue
        equations = tuple(f for _, f in weighed)
        zero = [(scale * w, ((i, 1),), ()) for i, (w, _) in enumerate(weighed)]
        positive = apply("combine", (">", t), (*equations, whole), (*zero, (value - below, (), ())))
        far = apply("gap", whole, positive)
        false = apply("combine", (">", ZERO), (*equations, far), (
            *((-c, p, s) for c, p, s in zero), (ONE, ((len(zero), 1),), ()), (below + 1 - value, (), ())))
        return apply("absurd", false, goal)
    raise Stuck("no equation without a solution in integers")


def by_remainders(search: Search, goal: Node, facts: Facts, moduli: Iterable[int], names: Sequence[str]) -> Step:
    """Cases on the remainders of the integer variables, all by the same modulus."""
    among = [x for x in names if any(f.concl == ("isint", x) for f in facts)]
    search.own(Remainders).looking = True
    try:
        for m, count in itertools.product(moduli, range(len(among), 0, -1)):
            for chosen in itertools.combinations(among, count):
                if m ** count > MAX_CASES:
                    continue
                try:
                    return remainders(search, goal, list(facts), m, list(chosen))
                except (Stuck, KernelError):
                    search.tick()
    finally:
        search.own(Remainders).looking = False
    raise Stuck("not by remainders")


def remainders(search: Search, goal: Node, facts: list[Step], m: int, names: list[str]) -> Step:
    if not names:
        return with_remainders(search, goal, facts)
    n, rest = names[0], names[1:]
    quotient: Node = ("floor", ("*", Fraction(1, m), n))
    whole, low, high = parts(apply("floor_bounds", quotient[1], ()))
    remainder = minus(n, ("*", Fraction(m), quotient))
    known = [*facts, whole]
    least = apply("combine", (">=", minus(remainder, ZERO)), (low,), ((Fraction(m), ((0, 1),), ()),))

    def from_(j: int, least: Step) -> Step:
        """The goal, where the remainder is at least j."""
        if j == m:
            return impossible(goal, least, high, Fraction(m))
        gap = minus(remainder, Fraction(j))
        three = apply("trichotomy", gap, ())
        integer = apply("integral_polynomial", gap, (*known,))
        more = apply("gap", integer, hyp(three.concl[1]))
        more = apply("combine", (">=", minus(remainder, Fraction(j + 1))), (more,), ((ONE, ((0, 1),), ()),))
        equal = at_remainder(search, goal, known, n, ("+", ("*", Fraction(m), quotient), Fraction(j)),
                             hyp(three.concl[2]), m, rest)
        less = impossible(goal, hyp(three.concl[3]), least, ONE)
        return apply("or_elim", three, (from_(j + 1, more), equal, less), goal)

    return from_(0, least)


def at_remainder(search: Search, goal: Node, facts: list[Step], n: str, value: Node, case: Step, m: int,
                 names: list[str]) -> Step:
    """The goal where n is the value, which is put in its place in the goal and in the facts."""
    equation = apply("combine", ("=", minus(n, value)), (case,), ((ONE, ((0, 1),), ()),))
    spoken = [f for f in facts if n in f.variables and f.concl[0] in (*RELATIONS, "isint") and f.concl[1] != n
              and value[1][2] not in occurring(f.concl[1])]
    return in_place_of(n, value, equation, goal, spoken, lambda now, moved: remainders(
        search, now, [*facts, *moved], m, names))


def with_remainders(search: Search, goal: Node, facts: list[Step]) -> Step:
    for part in goal[1:] if goal[0] == "or" else (goal,):
        try:
            step = search.whole_number(part, facts) if part[0] == "isint" else search.combined(part, facts, 1)
        except (Stuck, KernelError, ValueError):
            continue
        return apply("or_intro", step, goal) if goal[0] == "or" else step
    return indivisible(search, goal, facts)


def combinations(equations: Sequence[Step]) -> Iterator[list[tuple[Fraction, Step]]]:
    """Each equation, and of each two that with which a monomial that they share is eliminated."""
    for e in equations:
        yield [(ONE, e)]
    for e, f in itertools.combinations(equations, 2):
        forms = Forms()
        (one, _), (other, _) = forms.quotient(e.concl[1]), forms.quotient(f.concl[1])
        for m in sorted(m for m in one.keys() & other.keys() if m):
            yield [(other[m], e), (-one[m], f)]


def impossible(goal: Node, one: Step, other: Step, weight: Fraction) -> Step:
    """Anything, from two facts whose terms, the other one times the weight, add up to 0, of which one is positive."""
    false = apply("combine", (">", ZERO), (one, other), ((ONE, ((0, 1),), ()), (weight, ((1, 1),), ())))
    return apply("absurd", false, goal)


def reduced(forms: Forms, t: Node) -> Node:
    num, den = forms.quotient(t)
    if den:
        raise Stuck("a quotient")
    return poly_term(forms, num)
