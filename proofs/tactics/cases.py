"""Tactics: cases, contradiction, induction and balls."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.proofs.functions.sqrt import base_of_square
from qtheory.proofs.kernel.balls import enclose
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
from qtheory.proofs.tactics.applied import applied
from qtheory.proofs.tactics.arrays import values
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, hyp
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.equations import definitions
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import difference_of_variables, in_function, size

FIRST_LEAVES, MAX_LEAVES = 60, 1500  # before a look whether more are of use, and in all
ROUNDS, PLACES = 24, 60  # of that look


def by_two_sides(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    above = search.atom((">=", goal[1]), facts, depth - 1)
    below = search.atom((">=", neg_term(goal[1])), facts, depth - 1)
    return equal_from(search, goal, above, below)


def equal_from(search: Search, goal: Node, above: Step, below: Step) -> Step:
    """t = 0 from t >= 0 and -t >= 0: neither t > 0 nor -t > 0."""
    t = goal[1]
    three = apply("trichotomy", t, (above,))
    no_plus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", t)), below),
                                    ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
    no_minus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", neg_term(t))), above),
                                     ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
    return apply("or_elim", three, (no_plus, hyp(goal), no_minus), goal)


def by_max(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on which argument of a maximum is the greater one."""
    done = {h for f in facts for h in f.hyps}
    for s in sorted({s: None for t in (goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS))
                     for s in occurring(t) if isinstance(s, tuple) and s[0] == "max"}, key=size):
        gap = minus(s[1], s[2])
        if not free(gap) and s not in occurring(goal[1]):
            continue  # of numbers, in an end of a range that was written out
        if any(h in done for h in ((">", gap), ("=", gap), (">", neg_term(gap)))):
            continue
        return by_cases(search, gap, goal, facts, depth)
    raise Stuck("no maximum to split")


def by_base(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on whether the base of a real power, which is not negative, is 0: the powers of 0 are known, and those of
    positive numbers are exponentials."""
    for s in occurring(goal[1]):
        if isinstance(s, tuple) and s[0] == "^" and free(s[1]) and not integer(s[2]):
            for u in s[1][1:] if s[1][0] == "*" else (s[1],):
                if not search.quick((">", u), facts) and search.quick((">=", u), facts):
                    return by_cases(search, u, goal, facts, depth)
    raise Stuck("no power of a base that may be 0")


def by_root_of_square(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on the sign of t, of which sqrt(t^2) is t or -t."""
    for s in occurring(goal[1]):
        t = base_of_square(s[1]) if isinstance(s, tuple) and s[0] == "sqrt" and free(s) else None
        if t is not None and not search.quick((">=", t), facts) and not search.quick((">=", neg_term(t)), facts):
            return by_cases(search, reduce_term(t), goal, facts, depth)
    raise Stuck("no root of a square whose base has no sign")


def by_order(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on the order of the goal's variables, in each of which it is a combination of products of three facts."""
    pairs = list(itertools.combinations(sorted(free(goal[1])), 2))
    if not 0 < len(pairs) <= 3:
        raise Stuck("not two or three variables")
    return _ordered(search, pairs, goal, list(facts))


def _ordered(search: Search, pairs: Sequence[tuple[str, str]], goal: Node, facts: list[Step]) -> Step:
    while pairs and any(search.quick(ge(*pair), facts) for pair in (pairs[0], pairs[0][::-1])):
        pairs = pairs[1:]
    if not pairs:
        return search.combine(goal, facts, 3)
    (v, w), *others = pairs
    return either_way(goal, [(way, _ordered(search, others, goal, [*facts, hyp(way)])) for way in (ge(v, w), ge(w, v))])


def either_way(goal: Node, ways: Sequence[tuple[Node, Step]], facts: Facts = ()) -> Step:
    """The goal from its proofs for t >= 0 and for -t >= 0, each with the formula that it assumes."""
    (above, _), (below, _) = ways
    three = apply("trichotomy", above[1], tuple(facts))
    cases = [apply("combine", c, (hyp(case),), ((ONE, ((0, 1),), ()),))
             for case, c in zip(three.concl[1:], (above, above, below), strict=True)]
    return apply("or_elim", three, tuple(apply("cut", case, step) for case, step in zip(
        cases, (ways[0][1], *(step for _, step in ways)), strict=True)), goal)


def by_cases(search: Search, t: Node, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on the sign of a term."""
    three = apply("trichotomy", t, (*facts, *search.define(t, facts)))
    cases = []
    for case in three.concl[1:]:
        cases.append(in_case(search, case, goal, facts, depth - 1))
    return apply("or_elim", three, tuple(cases), goal)


def by_all_cases(search: Search, terms: Sequence[Node], goal: Node, facts: Facts) -> Step:
    """Cases on the signs of the terms, those of the later ones within those of the earlier ones."""
    if not terms:
        return search.atom(goal, facts, 6)
    three = apply("trichotomy", terms[0], (*facts, *search.define(terms[0], facts)))
    cases = []
    for case in three.concl[1:]:
        now = applied(search, [*facts, hyp(case)])
        try:
            cases.append(apply("absurd", search.combined((">", ZERO), now, 2), goal))
        except Stuck:
            cases.append(by_all_cases(search, terms[1:], goal, now))
    return apply("or_elim", three, tuple(cases), goal)


def by_signs(search: Search, goal: Node, facts: Facts) -> Step:
    """A disjunction of comparisons: whatever the sign of the first one's term, a part follows by combination."""
    if goal[1][0] not in RELATIONS:
        raise Stuck("no comparison")
    t = goal[1][1]
    three = apply("trichotomy", t, (*facts, *search.define(t, facts)))
    cases = []
    for case in three.concl[1:]:
        now = [*facts, hyp(case)]
        found = next((s for p in goal[1:] if p[0] in RELATIONS and (s := search.quick(p, now)) is not None), None)
        if found is None:
            raise Stuck("a sign with which no part is proved")
        cases.append(apply("or_intro", found, goal))
    return apply("or_elim", three, tuple(cases), goal)


def in_case(search: Search, case: Node, goal: Node, facts: Facts, depth: int) -> Step:
    now = [*facts, *consequences(search, hyp(case), facts)]
    for known in (lambda: now, lambda: applied(search, now)):  # the case may be impossible
        try:
            return apply("absurd", search.combined((">", ZERO), known(), 2), goal)
        except Stuck:
            search.tick()
    now = applied(search, now)
    return search.atom(goal, now, depth)


def by_contradiction(search: Search, goal: Node, facts: Facts) -> Step:
    """The goal's complement and the facts give 0 > 0."""
    t = goal[1]
    three = apply("trichotomy", t, tuple(facts))
    cases = []
    for case in three.concl[1:]:
        assumed = hyp(case)
        if (case == (">", t) and goal[0] in (">", ">=")) or (case[0] == "=" and goal[0] in (">=", "=")):
            cases.append(apply("combine", goal, (assumed,), ((ONE, ((0, 1),), ()),)))
        else:
            now = applied(search, [*facts, *consequences(search, assumed, facts)])
            cases.append(apply("absurd", search.combined((">", ZERO), now, 2), goal))
    return apply("or_elim", three, tuple(cases), goal)


def by_whole(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """t >= 0 for an integer t from t + 1 > 0."""
    t = goal[1]
    more = ("+", t, ONE)
    whole = search.quick(("isint", more), facts)
    if goal[0] != ">=" or whole is None:
        raise Stuck("no integer")
    positive = search.atom((">", more), facts, depth - 1)
    return apply("combine", goal, (apply("gap", whole, positive), *facts), ((ONE, ((0, 1),), ()),))


def consequences(search: Search, assumed: Step, facts: Facts) -> list[Step]:
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
                    out += moved(search, f.concl[1], x, y, [*plain, assumed])
    elif assumed.concl[0] == "=":
        for v, value, equation in definitions(search, [assumed, *facts]):
            if isinstance(value, Fraction | str):
                out += [s for f in facts if v in f.variables
                        for s in specialised(search, f, v, value, equation, facts)]
    return out


def moved(search: Search, f: Node, x: str, y: str, facts: Facts) -> list[Step]:
    """The sign of f(x) - f(y), if it follows from that of the slope."""
    change = minus(f, substitute(f, x, y))
    for t in (change, neg_term(change)):
        try:
            return [search.atom((">", t), facts, 2)]
        except Stuck:
            search.tick()
    return []


def specialised(search: Search, fact: Step, v: str, value: Node, equation: Step, facts: Facts) -> list[Step]:
    """The fact with the value for the variable, and the same simplified."""
    if fact.concl[0] not in RELATIONS:
        return []
    moved = apply("rewrite", equation, fact, "z'", substitute(fact.concl, v, "z'"), v, value)
    try:
        others = [f for f in facts if v not in f.variables]
        simple = search.simplified(moved.concl, [moved, *others], eliminate=False)
    except (Stuck, KernelError):
        return [moved]
    if simple.equation is None:
        return [moved]
    short = apply("combine", (moved.concl[0], simple.current), (moved, simple.equation, *simple.facts),
                  ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))
    return [moved, short]


def meeting_point(search: Search, goal: Node, facts: Facts) -> Node | None:
    """x - y for two variables at whose meeting the goal's term vanishes, where the facts leave the order open."""
    points = search.points(goal, facts)
    names = sorted(free(goal[1]))
    for v, w in ((v, w) for v in names for w in names if v < w and points):
        if all(abs(evaluate(substitute(goal[1], v, w), p)) < 1e-9 for p in points):
            t = minus(v, w)
            if not any(search.quick(c, facts) for c in ((">", t), (">", neg_term(t)), ("=", t))):
                return t
    return None


def by_sign_cases(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Cases on the sign of a variable, or of a variable minus one, where the facts leave it open."""
    gap = meeting_point(search, goal, facts) if depth > 1 else None
    if gap is not None:
        return by_cases(search, gap, goal, facts, depth - 1)
    for v in sorted(free(goal[1])):
        for t in (v, minus(v, ONE)):
            if depth < 2 or search.quick((">", t), facts) or search.quick((">", neg_term(t)), facts):
                continue
            if any(f.concl[1] == t for f in facts if f.concl[0] in (">", "=")):
                continue
            values = [evaluate(t, p) for p in search.points(goal, facts)]
            edge = any(f.concl == (">=", t) for f in facts)
            if not edge and (not values or min(values) > 0 or max(values) < 0):
                continue
            try:
                return by_cases(search, t, goal, facts, depth - 1)
            except Stuck:
                search.tick()
    raise Stuck("no sign to split")


def by_ball(search: Search, goal: Node, facts: Facts) -> Step:
    """A box of numeric bounds around the variables, subdivided until each part is decided."""
    if goal[0] not in (">", ">=", "!="):
        raise Stuck("not for balls")
    box: dict[str, tuple[Fraction, Fraction]] = {}
    for v in sorted(free(goal[1])):
        lows, highs = (numbers_beyond(v, side, facts) for side in ("low", "high"))
        if not lows or not highs:
            raise Stuck(f"{v} has no numeric bounds")
        box[v] = (max(lows), min(highs))
        if box[v][0] > box[v][1]:
            raise Stuck("an empty box")
    at_corners(search, goal, box)
    bits = 96 if not box else 53
    try:
        tree = subdivide(search, goal, box, bits, [FIRST_LEAVES], 0)
    except TooMany:
        inside(goal, box)
        tree = subdivide(search, goal, box, bits, [MAX_LEAVES], 0)
    step = apply("ball", goal, box, tree, bits)
    for x, (low, high) in box.items():
        for bound in (ge(x, low), ge(high, x)):
            step = apply("cut", Combiner(facts).prove(bound, 1), step)
    return step


def numbers_beyond(v: str, side: str, facts: Facts, between: tuple[str, ...] = ()) -> list[Fraction]:
    """Numbers that bound v on that side, by the facts or through variables that bound it."""
    out: list[Fraction] = []
    for a, where in bounds(v, facts):
        if where == side and isinstance(a, Fraction):
            out.append(a)
        elif where == side and isinstance(a, str) and a not in between:
            out += numbers_beyond(a, side, facts, (*between, v))
    return out


def at_corners(search: Search, goal: Node, box: dict[str, tuple[Fraction, Fraction]]) -> None:
    """Stuck where no subdivision can decide: at a corner the goal is false, or only just true, or without value."""
    for corner in itertools.product(*box.values()) if len(box) <= 4 else ():
        value = evaluate(goal[1], {v: float(x) for v, x in zip(box, corner, strict=True)})
        if not (abs(value) > 1e-12 if goal[0] == "!=" else value > 1e-12 or (goal[0] == ">=" and value >= 0)):
            raise Stuck("undecided at a corner of the box")


def inside(goal: Node, box: dict[str, tuple[Fraction, Fraction]]) -> None:
    """Stuck where the term comes down to 0 within the box, as that of a tangent does: no part around that place is
    ever decided."""
    rng = np.random.default_rng(len(box))
    ends = {v: (float(low), float(high)) for v, (low, high) in box.items()}
    for _ in range(ROUNDS):
        at = {v: rng.uniform(low, high, PLACES) for v, (low, high) in ends.items()}
        found = values(goal[1], at)
        least = np.where(found.undefined | np.isnan(found.value), np.inf, np.abs(found.value))
        k = int(np.argmin(np.broadcast_to(least, (PLACES,))))
        if np.broadcast_to(least, (PLACES,))[k] <= 1e-11 * max(1e-3, np.broadcast_to(found.size, (PLACES,))[k]):
            raise Stuck("the term comes down to 0 within the box")
        half = {v: (high - low) / 4 for v, (low, high) in ends.items()}
        ends = {v: (max(float(box[v][0]), at[v][k] - h), min(float(box[v][1]), at[v][k] + h)) for v, h in half.items()}


class TooMany(Stuck):
    """The box needs more parts than were allowed."""


def subdivide(search: Search, goal: Node, box: dict[str, tuple[Fraction, Fraction]], bits: int, budget: list[int],
              depth: int) -> Any:
    search.tick()
    spend("part")
    budget[0] -= 1
    if budget[0] < 0 or depth > 40:
        raise TooMany("the box needs too many parts")
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
    return (x, cut, subdivide(search, goal, {**box, x: (low, cut)}, bits, budget, depth + 1),
            subdivide(search, goal, {**box, x: (cut, high)}, bits, budget, depth + 1))

