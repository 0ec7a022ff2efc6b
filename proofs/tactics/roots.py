"""Roots: a change of sign, uniqueness by strict monotonicity, and brackets in which to look for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, ge, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.conditions import conditions_of
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import summands
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strict import tangent
from qtheory.proofs.tactics.terms import conjuncts
from qtheory.proofs.tactics.turning import stationary


def unique_root(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """There is exactly one x in an interval with f(x) = 0: a change of sign and strict monotonicity.

    Also without the part on uniqueness.
    """
    _, x, body = goal
    pieces = conjuncts(body)
    equations = [p for p in pieces if p[0] == "=" and x in free(p)]
    if len(equations) != 1 or any(p[0] not in (">", ">=", "=", "all", "!=") for p in pieces):
        raise Stuck("not of this shape")
    if any(p[0] == "all" and p[2][0] == "imp" and all(c[0] != "=" for c in conjuncts(p[2][1])) for p in pieces):
        raise Stuck("not of this shape")
    f = equations[0][1]
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("r", goal, [s.concl for s in facts])
    f, pieces = substitute(f, x, v), [substitute(p, x, v) for p in pieces]
    domain = [p for p in pieces if p[0] in (">", ">=", "!=")]
    ends = bounds(v, [hyp(p) for p in domain])
    outside = [e for e, _ in bounds(v, [hyp(p) for p in domain if p[0] == ">"])]
    for low, high in brackets(search, ends, level(f, v), facts, stationary(f, v)):
        for sign in (1, -1):
            g = f if sign > 0 else neg_term(f)
            try:
                root = root_between(search, g, v, low, high, facts, outside)
            except (Stuck, KernelError):
                search.tick()
                continue
            found = parts(hyp(root.concl[2]))
            known = [*facts, *search.define(low, facts), *search.define(high, facts), *found]
            equation = apply("combine", ("=", f), (found[-1], *known, *search.define(f, known)),
                             ((Fraction(sign), ((0, 1),), ()),))
            known.append(equation)
            leaves = [equation]
            for p in pieces:
                if p[0] == "all":
                    leaves.append(search.solve(p, [*known, *leaves], depth) if p[2][0] != "imp" else
                                  only_root(search, p, f, v, [*known, *leaves], depth, ends, outside))
                elif p != equation.concl:
                    leaves.append(search.atom(p, known))
            whole = conjunction(substitute(body, x, v), leaves)
            step = apply("ex_intro", goal, v, whole, ())
            for leaf in found:
                if leaf.concl in step.hyps:
                    step = apply("cut", leaf, step)
            return apply("ex_elim", root, v, step)
    raise Stuck("no bracket for the root")


def only_root(search: Search, claim: Node, f: Node, x: str, facts: Facts, depth: int,
              ends: Sequence[tuple[Node, str]] = (), outside: Sequence[Node] = ()) -> Step:
    """For all y in the domain with f(y) = 0: y = x, since f is strictly monotone between them; or, where f has
    another root at an end a ``outside`` the domain, f(x)/(x - a) is; or since f is bent, and has no such sign at an end
    as a third place would need."""
    _, y, (_, premise, conclusion) = claim
    assumed = parts(hyp(premise))
    known = [*facts, *assumed]
    gap = minus(y, x)
    three = apply("trichotomy", gap, ())
    cases = []
    fy = substitute(f, x, y)
    zero_y = next(s for s in assumed if s.concl[0] == "=")
    zero_x = next(s for s in facts if s.concl == ("=", f))
    shares = [ONE, *(("^", minus(x, a), MINUS) for a in outside if vanishes(search, substitute(f, x, a), facts))]
    compared = [(s, substitute(s, x, y), sign) for s in shares for sign in (ONE, MINUS)]
    for case in three.concl[1:]:
        if case[0] == "=":
            cases.append(apply("combine", conclusion, (hyp(case),), ((ONE, ((0, 1),), ()),)))
            continue
        # without the equations, which would make every sample point miss
        plain_facts = [s for s in known if s.concl[0] != "=" or not (free(s.concl) & {x, y})]
        plain_facts += [*conditions_of(known), hyp(case)]
        false = bent(search, f, x, y, [hyp(case), zero_x, zero_y, *plain_facts], ends)
        for at_x, at_y, sign in compared if false is None else ():
            difference = minus(("*", at_y, fy), ("*", at_x, f)) if at_x != ONE else minus(fy, f)
            try:
                step = search.atom((">", difference if sign > 0 else neg_term(difference)), plain_facts, depth)
            except (Stuck, KernelError):
                search.tick()
                continue
            false = apply("combine", (">", ZERO), (step, zero_y, zero_x, *plain_facts, *search.define(
                          difference, plain_facts)), ((ONE, ((0, 1),), ()), (("*", -sign, at_y), ((1, 1),), ()),
                                                      (("*", sign, at_x), ((2, 1),), ())))
            break
        if false is None:
            raise Stuck("the function is not seen to be strictly monotone")
        cases.append(apply("absurd", false, conclusion))
    step = apply("or_elim", three, tuple(cases), conclusion)
    for leaf in assumed:
        if leaf.concl in step.hyps and leaf.concl != premise:
            step = apply("cut", leaf, step)
    return apply("all_intro", y, apply("imp_intro", premise, step))


def bent(search: Search, f: Node, x: str, y: str, facts: Facts, ends: Sequence[tuple[Node, str]]) -> Step | None:
    """0 > 0 where the first fact says that x and y differ, the next two that f vanishes there, and f is c exp(u) or
    c log(u) but for linear terms: at the middle one of x, y and an end it is on one side of the chord of the others."""
    forms = Forms()
    num, den = forms.quotient(f)
    curved = [i for i, s in enumerate(forms.names) if isinstance(s, tuple) and x in free(s)]
    own = tuple((i, 1) for i in curved)
    if den or own not in num or len(curved) != 1 or forms.names[curved[0]][0] not in ("exp", "log"):
        return None
    s, c = forms.names[curved[0]], num[own]
    sign = ONE if (c > 0) == (s[0] == "exp") else MINUS  # convex or concave
    low, high = (x, y) if search.quick((">", minus(y, x)), facts[:1]) is not None else (y, x)
    for a, side in ends:
        left, middle, right = (a, low, high) if side == "low" else (low, high, a)
        at_end = substitute(f, x, a)
        with suppress(Stuck, KernelError):
            plain = [g for g in facts if not g.variables & {x, y}]
            known = [*facts, *search.define(at_end, plain), search.atom((">=", ("*", -sign, at_end)), plain, 2)]
            gaps = [minus(middle, left), minus(right, middle)]
            known += [search.combine((">", gap), known, 1) for gap in gaps]
            at = [substitute(s, x, t) for t in (left, middle, right)]
            known += [tangent(search, at[k], at[1], known, strictly=True) for k in (0, 2)]
            n, other = len(known), 1 if side == "low" else 0  # the gap that the end does not bound
            zeros = [(("*", sign, minus(right, left)), middle), (("*", -sign, gaps[1 - other]), high if other else low)]
            return apply("combine", (">", ZERO), tuple(known), (
                (abs(c), ((n - 2, 1), (n - 3, 1)), ()), (abs(c), ((n - 1, 1), (n - 4, 1)), ()),
                (ONE, ((n - 5, 1), (n - 4 + other, 1)), ()),
                *((weight, ((1 if v == x else 2, 1),), ()) for weight, v in zeros)))
        search.tick()
    return None


def vanishes(search: Search, t: Node, facts: Facts) -> bool:
    """Is the term 0 at the sample points of the facts?"""
    points = search.points(("=", t), facts) if free(t) else [{}]
    return bool(points) and all(abs(evaluate(t, p)) < 1e-12 for p in points)


def level(f: Node, v: str) -> list[Node]:
    """The parts of f that do not speak of v: the height at which the root lies, and the parameters."""
    fixed = [s for s in summands(f) if v not in free(s) and free(s)]
    whole = [] if not fixed else [fixed[0] if len(fixed) == 1 else ("+", *fixed)]
    return [reduce_term(t) for w in whole for t in (neg_term(w), w)] + sorted(free(f) - {v})


def brackets(search: Search, ends: Iterable[tuple[Node, str]], names: Iterable[Node],
             facts: Facts, turns: Sequence[Node] = ()) -> Iterator[tuple[Node, Node]]:
    """Pairs of terms between which the root may be sought: the ends, the turning points, and points near the ends or
    far out."""
    if search.told.bracket is not None:
        yield search.told.bracket
    ends = list(ends)
    lows = [a for a, side in ends if side == "low"]
    highs = [a for a, side in ends if side == "high"]
    between = [(low, high) for low in lows for high in highs]
    yield from between
    for c in turns:
        yield from ((low, c) for low in lows)
        yield from ((c, high) for high in highs)
    # 2 + the height is large where the height is
    positive: list[Node] = []
    for n in names:
        try:
            if not isinstance(n, Fraction) and not (positive and isinstance(n, str)):
                search.atom((">", n), [*facts, *search.define(n, facts)], 1)
                positive.append(n)
        except (Stuck, KernelError):
            continue
    big: Node = ("+", Fraction(2), *positive) if positive else Fraction(2)
    far = [("^", big, Fraction(k)) for k in (1, 2, 3)] + [("exp", big)]
    near = [("^", big, Fraction(-k)) for k in (1, 2, 3)] + [("exp", neg_term(big))]
    low_choices: list[Node] = [*lows, *(("+", a, n) for a in lows for n in near)] or \
        [ZERO, *near, *(neg_term(n) for n in far)]
    high_choices: list[Node] = [*highs, *(minus(b, n) for b in highs for n in near)] or \
        [*(("+", a, n) for a in lows for n in far), *far]
    yield from ((low, high) for low in low_choices for high in high_choices if (low, high) not in between)


def root_between(search: Search, f: Node, v: str, low: Node, high: Node, facts: Facts,
                 outside: Sequence[Node] = ()) -> Step:
    """A root of f in [low, high], f negative at low and positive at high; not at an end that is ``outside``."""
    facts = [*facts, *search.define(low, facts), *search.define(high, facts)]
    at_low, at_high = neg_term(substitute(f, v, low)), substitute(f, v, high)
    points = search.points(("=", ZERO), facts)
    if any(points and all(evaluate(t, p) == 0 for p in points)  # at one it may be rounding
           for end, t in ((low, at_low), (high, at_high)) if end in outside):
        raise Stuck("a root at an end that is left out")
    if any(evaluate(at_low, p) < -1e-9 or evaluate(at_high, p) < -1e-9 or evaluate(low, p) > evaluate(high, p)
           for p in points):
        raise Stuck("no change of sign")
    signs = []
    for end, t in ((low, at_low), (high, at_high)):
        try:
            signs.append(search.atom((">", t), facts, 2))
        except Stuck:
            if end in outside:
                raise
            signs.append(search.atom((">=", t), facts, 2))
    order = search.atom(ge(high, low), facts, 2)
    closed = [*facts, hyp(ge(v, low)), hyp(ge(high, v))]
    domain = apply("defined", f, (*closed, *search.define(f, closed)))
    return apply("intermediate_value", v, f, low, high, order, domain, *signs)
