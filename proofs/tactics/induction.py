"""Tactic: induction over an integer in an exponent or at the end of a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, ge, integer, minus, substitute
from qtheory.proofs.tactics.applied import applied
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, hyp
from qtheory.proofs.tactics.lemmas import cheaply
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import signs
from qtheory.proofs.tactics.terms import in_exponent

NESTED = 3  # inductions within one another


@dataclass
class Open:
    """How many inductions there are whose steps are being looked for."""

    number: int = 0


def by_induction(search: Search, goal: Node, facts: Facts, depth: int, over: Sequence[str] = ()) -> Step:
    """Over an integer variable with a numeric lower bound that stands in an exponent or at the end of a sum, or one
    that is told."""
    inductions = search.own(Open)
    if inductions.number == NESTED:
        raise Stuck("an induction within inductions")
    for v in over or sorted(free(goal[1])):
        if not any(f.concl == ("isint", v) for f in facts) or not (over or in_exponent(goal[1], v)):
            continue
        lows = [a for a, side in bounds(v, facts) if side == "low" and integer(a)]
        if not lows:
            continue
        low = max(lows)
        others = [f for f in facts if v not in f.variables and all(v not in free(h) for h in f.hyps)]
        start = at_once(search, substitute(goal, v, low), others, depth - 1)
        assumed = [hyp(("isint", v)), hyp(ge(v, low)), hyp(goal)]
        inductions.number += 1
        try:
            step = step_of(search, goal, v, others, assumed, depth - 1, told=bool(over))
        finally:
            inductions.number -= 1
        whole = apply("integral_polynomial", low, ())
        every = apply("induction", v, low, goal, whole, start, step)
        at_v = apply("all_elim", every, v, ())
        both = conjunction(every.concl[2][1], [search.atom(("isint", v), facts), search.atom(ge(v, low), facts)])
        return apply("imp_elim", at_v, both)
    raise Stuck("no variable for induction")


def step_of(search: Search, goal: Node, v: str, others: Facts, assumed: Sequence[Step], depth: int, told: bool) -> Step:
    """The goal at v + 1. A told induction has its lemmas told beside, which prove it at once."""
    facts, then = [*others, *assumed], substitute(goal, v, ("+", v, ONE))
    if told:
        with suppress(Stuck, KernelError):
            return at_once(search, then, facts, depth)
        search.tick()
    elif not _sums_to(goal[1], v):
        with suppress(Stuck, KernelError):
            return search.combined(then, applied(search, facts), 1)
    with suppress(Stuck, KernelError):
        return by_multiple(search, goal, v, [*others, *assumed[:2]], depth)
    search.tick()
    if told:
        raise Stuck("no step of the induction")
    return at_once(search, then, facts, depth)


def by_multiple(search: Search, goal: Node, v: str, facts: Facts, depth: int) -> Step:
    """The step for t >= 0: what t(v + 1) has beyond c t(v) has the sign, where t(v + 1) has c times some part of t(v).

    With a sum up to v in t, c is 1: no more than the signs of sums is asked for, and no induction within the induction
    is begun.
    """
    sums = _sums_to(goal[1], v)
    if goal[0] not in (">", ">="):
        raise Stuck("no sign")
    then = substitute(goal, v, ("+", v, ONE))
    simple = search.simplified(then, facts, eliminate=False)
    if simple.equation is None:
        raise Stuck("nothing changes")
    for c in [ONE] if sums else _ratios(goal[1], v):
        gap = reduce_term(minus(simple.current, ("*", c, goal[1])))
        try:
            known = [*simple.facts, *search.define(gap, simple.facts)]
            factor = search.atom((">=", c), known, depth)
            if any(isinstance(s, tuple) and s[0] == "sum" for s in occurring(gap)):
                step = cheaply(search, (">=", gap), [*known, *signs(search, gap, known)])
            else:
                step = search.atom((">=", gap), known, depth)
        except (Stuck, KernelError):
            search.tick()
            continue
        # t(v + 1) = c t(v) + gap, and its standard form is equal to it
        times = ((0, 1),) if c == ONE else ((0, 1), (3, 1))
        return apply("combine", then, (hyp(goal), step, simple.equation, factor, *known),
                     ((ONE, times, ()), (ONE, ((1, 1),), ()), (ONE, ((2, 1),), ())))
    raise Stuck("what is added has no sign")


def _sums_to(t: Node, v: str) -> list[Node]:
    return [s for s in occurring(t) if isinstance(s, tuple) and s[0] == "sum" and v in free(s[3])]


def _ratios(t: Node, v: str) -> Iterator[Node]:
    """The factors by which parts of t, whose powers have exponents that are linear in v, grow with v."""
    forms = Forms()
    numerator, denominator = forms.quotient(t)
    below = [(atom, -e * power) for part, power in denominator.items() if len(part) == 1
             for monomial, _ in part for atom, e in monomial]
    seen = set()
    for monomial in numerator:
        factors = []
        for atom, e in (*monomial, *below):
            s = forms.names[atom]
            if isinstance(s, tuple) and s[0] in ("^", "exp") and v in free(s[-1]):
                slope = reduce_term(("*", Fraction(e), minus(substitute(s[-1], v, ("+", v, ONE)), s[-1])))
                factors.append((*s[:-1], slope))
        ratio = reduce_term(("*", ONE, ONE, *factors))
        if ratio not in seen and v not in free(ratio):
            seen.add(ratio)
            yield ratio


def at_once(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A comparison by a combination of the facts and what the steps of the proof say of them, else by any means;
    what is said of all, as they say it."""
    if goal[0] == "all":
        return among(goal, applied(search, facts))
    try:
        return search.combined(goal, applied(search, facts), 1)
    except (Stuck, KernelError):
        return search.atom(goal, facts, depth)


def among(goal: Node, facts: Facts) -> Step:
    """The fact that says this."""
    for f in facts:
        if f.concl == goal:
            return f
    raise Stuck("none of the facts")


__all__ = ["by_induction"]
