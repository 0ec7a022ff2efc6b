"""Goals that something exists: roots, limits, orders of magnitude, and plain witnesses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.combination import poly_term
from qtheory.proofs.tactics.numeric import evaluate, samples

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
HALF = Fraction(1, 2)


def existential(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """A step for ("ex", x, body)."""
    _, x, body = goal
    reasons = []
    for tactic in (hinted, unique_root, big_o, limit, plain):
        prover.tick()
        try:
            return tactic(prover, goal, facts, depth)
        except (Stuck, KernelError) as reason:
            reasons.append(str(reason))
    raise Stuck(f"no witness for {x}: " + "; ".join(dict.fromkeys(r for r in reasons if r != "not of this shape")))


def introduce(prover: Prover, goal: Node, t: Node, facts: Facts, depth: int) -> Step:
    """The existence by the witness t."""
    facts = [*facts, *prover.define(t, facts)]
    step = prover.solve(substitute(goal[2], goal[1], t), facts, depth)
    return apply("ex_intro", goal, t, step, tuple(facts))


def hinted(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    witness = prover.hint.get("witness", {}).get(goal[1])
    if witness is None:
        raise Stuck("not of this shape")
    return introduce(prover, goal, witness, facts, depth)


def plain(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """Numbers and terms that stand about."""
    _, x, body = goal
    conditions = [b for b in conjuncts(body) if b[0] in (">", ">=", "=", "!=", "isint")]
    points = samples([f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")],
                     free(goal).union(*(free(f.concl) for f in facts)), 8)
    candidates: list[Node] = [ZERO, ONE, Fraction(2), HALF, MINUS, Fraction(1, 10), Fraction(9, 10), Fraction(10)]
    names = sorted(free(goal))
    candidates += names
    candidates += [t for n in names for t in (("+", n, ONE), ("*", HALF, n), ("^", ("+", n, ONE), MINUS), ("*", 2 * ONE, n),
                                              ("*", n, ("^", ("+", n, ONE), MINUS)))]
    candidates += [solved for c in conditions if c[0] == "=" if (solved := solve_linear(c[1], x)) is not None]
    for t in candidates:
        values = [{**p, x: evaluate(t, p)} for p in points]
        if any(not all(_plausible(c, v) for c in conditions) for v in values):
            continue
        try:
            return introduce(prover, goal, t, facts, depth - 1)
        except (Stuck, KernelError):
            prover.tick()
    raise Stuck("no candidate fits")


def _plausible(c: Node, at: dict[str, float]) -> bool:
    from qtheory.proofs.tactics.numeric import holds

    return holds(c, at)


def solve_linear(t: Node, x: str) -> Node | None:
    """The x at which t, linear in x, is zero."""
    forms = Forms()
    num, _ = forms.quotient(t)
    atom = next((i for i, n in enumerate(forms.names) if n == x), None)
    if atom is None or any(a == atom and e > 1 for m in num for a, e in m):
        return None
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in num.items() if (atom, 1) in m}
    rest = {m: -c for m, c in num.items() if (atom, 1) not in m}
    if any(isinstance(forms.names[a], tuple) and x in free(forms.names[a]) for m in num for a, _ in m):
        return None
    return reduce_term(("*", poly_term(forms, rest), ("^", poly_term(forms, slope), MINUS)))


def conjuncts(formula: Node) -> list[Node]:
    return [p for f in formula[1:] for p in conjuncts(f)] if formula[0] == "and" else [formula]


# ---- a unique root ----

def unique_root(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """There is exactly one x in an interval with f(x) = 0: a change of sign and strict monotonicity.

    Also without the part on uniqueness.
    """
    _, x, body = goal
    pieces = conjuncts(body)
    equations = [p for p in pieces if p[0] == "=" and x in free(p)]
    if len(equations) != 1 or any(p[0] not in (">", ">=", "=", "all", "!=") for p in pieces):
        raise Stuck("not of this shape")
    f = equations[0][1]
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("r", goal, [s.concl for s in facts])
    f, pieces = substitute(f, x, v), [substitute(p, x, v) for p in pieces]
    domain = [p for p in pieces if p[0] in (">", ">=", "!=")]
    inside = [*facts, *(hyp(p) for p in domain)]
    ends = prover.bounds(v, [hyp(p) for p in domain])
    for low, high in brackets(prover, ends, free(goal), facts):
        for sign in (1, -1):
            g = f if sign > 0 else neg_term(f)
            try:
                root = root_between(prover, g, v, low, high, facts, inside)
            except (Stuck, KernelError):
                prover.tick()
                continue
            found = parts(hyp(root.concl[2]))
            known = [*facts, *prover.define(low, facts), *prover.define(high, facts), *found]
            equation = apply("combine", ("=", f), (found[-1], *known, *prover.define(f, known)),
                             ((Fraction(sign), ((0, 1),), ()),))
            known.append(equation)
            leaves = [equation]
            for p in pieces:
                if p[0] == "all":
                    leaves.append(prover.solve(p, [*known, *leaves], depth) if p[2][0] != "imp" else
                                  only_root(prover, p, f, v, [*known, *leaves], depth))
                elif p != equation.concl:
                    leaves.append(prover.atom(p, known))
            whole = conjunction(substitute(body, x, v), leaves)
            step = apply("ex_intro", goal, v, whole, ())
            for leaf in found:
                if leaf.concl in step.hyps:
                    step = apply("cut", leaf, step)
            return apply("ex_elim", root, v, step)
    raise Stuck("no bracket for the root")


def only_root(prover: Prover, claim: Node, f: Node, x: str, facts: Facts, depth: int) -> Step:
    """For all y in the domain with f(y) = 0: y = x, since f is strictly monotone between them."""
    _, y, (_, premise, conclusion) = claim
    assumed = parts(hyp(premise))
    known = [*facts, *assumed]
    gap = minus(y, x)
    three = apply("trichotomy", gap, ())
    cases = []
    fy = substitute(f, x, y)
    zero_y = next(s for s in assumed if s.concl[0] == "=")
    zero_x = next(s for s in facts if s.concl == ("=", f))
    for case in three.concl[1:]:
        if case[0] == "=":
            cases.append(apply("combine", conclusion, (hyp(case),), ((ONE, ((0, 1),), ()),)))
            continue
        step = None
        for difference in (minus(fy, f), minus(f, fy)):
            # without the equations, which would make every sample point miss
            plain_facts = [s for s in known if s.concl[0] != "=" or not (free(s.concl) & {x, y})]
            try:
                step = prover.atom((">", difference), [*plain_facts, hyp(case)], depth)
                break
            except (Stuck, KernelError):
                prover.tick()
        if step is None:
            raise Stuck("the function is not seen to be strictly monotone")
        c = Fraction(-1) if step.concl[1] == minus(fy, f) else ONE
        false = apply("combine", (">", ZERO), (step, zero_y, zero_x),
                      ((ONE, ((0, 1),), ()), (c, ((1, 1),), ()), (-c, ((2, 1),), ())))
        cases.append(apply("absurd", false, conclusion))
    step = apply("or_elim", three, tuple(cases), conclusion)
    for leaf in assumed:
        if leaf.concl in step.hyps and leaf.concl != premise:
            step = apply("cut", leaf, step)
    return apply("all_intro", y, apply("imp_intro", premise, step))


def brackets(prover: Prover, ends: Iterable[tuple[Node, str]], names: Iterable[str],
             facts: Facts) -> Iterator[tuple[Node, Node]]:
    """Pairs of terms between which the root may be sought: the ends, and points near them or far out."""
    hint = prover.hint.get("bracket")
    if hint is not None:
        yield hint
    ends = list(ends)
    lows = [a for a, side in ends if side == "low"]
    highs = [a for a, side in ends if side == "high"]
    # 2 + the sum of the parameters is large where a parameter is
    big: Node = ("+", Fraction(2), *(n for n in sorted(names) if prover.quick((">", n), facts)))
    big = big if len(big) > 2 else Fraction(2)
    far = [("^", big, Fraction(k)) for k in (1, 2, 3)] + [("exp", big)]
    near = [("^", big, Fraction(-k)) for k in (1, 2, 3)] + [("exp", neg_term(big))]
    low_choices: list[Node] = [*lows, *(("+", a, n) for a in lows for n in near)] or \
        [ZERO, *near, *(neg_term(n) for n in far)]
    high_choices: list[Node] = [*highs, *(minus(b, n) for b in highs for n in near)] or \
        [*(("+", a, n) for a in lows for n in far), *far]
    for low in low_choices:
        for high in high_choices:
            yield low, high


def root_between(prover: Prover, f: Node, v: str, low: Node, high: Node, facts: Facts, inside: Facts) -> Step:
    """A root of f in [low, high], f negative at low and positive at high."""
    facts = [*facts, *prover.define(low, facts), *prover.define(high, facts)]
    at_low, at_high = neg_term(substitute(f, v, low)), substitute(f, v, high)
    points = prover.points(("=", ZERO), facts)
    if any(evaluate(at_low, p) < -1e-9 or evaluate(at_high, p) < -1e-9 or evaluate(low, p) > evaluate(high, p)
           for p in points):
        raise Stuck("no change of sign")
    signs = []
    for t in (at_low, at_high):
        try:
            signs.append(prover.atom((">", t), facts, 2))
        except Stuck:
            signs.append(prover.atom((">=", t), facts, 2))
    order = prover.atom(ge(high, low), facts, 2)
    closed = [*facts, hyp(ge(v, low)), hyp(ge(high, v))]
    domain = apply("defined", f, (*closed, *prover.define(f, closed)))
    return apply("intermediate_value", v, f, low, high, order, domain, *signs)


# ---- limits ----

def limit(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """The d' of a limit's definition (grammar.close), from an explicit bound near the point."""
    _, d, body = goal
    if not d.endswith("'") or not any(v.endswith("'") for v in free(goal) | {d}):
        raise Stuck("not of this shape")
    finite = body[0] == "and" and len(body) == 3 and body[1] == (">", d) and body[2][0] == "all"
    if not finite and body[0] != "all":
        raise Stuck("not of this shape")
    every = body[2] if finite else body
    _, x, (_, where, target) = every
    f = spoken(target)
    for bound, step_size in (near_point if finite else far_out)(prover, x, where, target, d, facts):
        prover.tick()
        try:
            return with_bound(prover, goal, every, step_size, bound, facts, depth, finite)
        except (Stuck, KernelError) as reason:
            last = str(reason)
    raise Stuck(f"no explicit bound near the limit for {f!s:.60}" + (f" ({last})" if "last" in locals() else ""))


def spoken(target: Node) -> Node:
    return target[1] if target[0] != "and" else target[1][1]


Bound = tuple[list[Node], list[Node]]  # (conditions on x that the witness gives, lemmas that they give)


def with_bound(prover: Prover, goal: Node, every: Node, witness: Node, bound: Bound, facts: Facts, depth: int,
               finite: bool) -> Step:
    """The witness; then x meets the bound's conditions, so the lemmas hold, and the target is a combination."""
    _, x, (_, where, target) = every
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("x", goal, [s.concl for s in facts])
    d = goal[1]
    facts = [*facts, *prover.define(witness, facts)]
    place = substitute(substitute(where, x, v), d, witness)
    assumed = parts(hyp(place))
    now = [s for s in facts if x not in free(s.concl)] + assumed
    conditions = [prover.atom(substitute(c, x, v), now, 2) for c in bound[0]]
    # a lemma speaks of x alone: neither the distance nor the witness helps
    outer = [s for s in facts if not any(n.endswith("'") for n in free(s.concl))]
    lemmas = [prover.atom(substitute(c, x, v), [*outer, *conditions, *side_facts(assumed, witness)], depth)
              for c in bound[1]]
    step = prover.solve(substitute(substitute(target, x, v), d, witness), [*now, *conditions, *lemmas], 1)
    for leaf in assumed:
        if leaf.concl in step.hyps and leaf.concl != place:
            step = apply("cut", leaf, step)
    step = apply("all_intro", v, apply("imp_intro", place, step))
    instance = substitute(every, d, witness)
    if v != x:
        step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    if step.concl != instance:
        raise Stuck("the limit's definition has another form")
    if finite:
        positive = prover.atom((">", witness), facts, 2)
        step = apply("and_intro", (positive, step))
    return apply("ex_intro", goal, witness, step, tuple(facts))


def side_facts(assumed: Sequence[Step], witness: Node) -> list[Step]:
    """Those assumptions that do not speak of the witness."""
    return [s for s in assumed if not any(n.endswith("'") for n in free(s.concl))]


def near_point(prover: Prover, x: str, where: Node, target: Node, d: str, facts: Facts) -> Iterator[tuple[Bound, Node]]:
    """Bounds near a finite point a: |f - L| <= K |x - a|, or f >= K/|x - a| - C, on 0 < |x - a| < r."""
    pieces = conjuncts(where)
    above = next((p for p in pieces if p[0] == ">" and x in free(p) and d not in free(p)), None)
    if above is None:
        raise Stuck("a two-sided limit: state both sides")
    distance = above[1]  # x - a or a - x
    a = reduce_term(minus(x, distance)) if x not in free(reduce_term(minus(x, distance))) else \
        reduce_term(("+", x, distance))
    for r in (HALF, Fraction(1, 10), Fraction(1, 100), ONE):
        conditions = [(">", distance), (">", minus(r, distance))]
        if target[0] == "and":
            e = "e'"
            gap = minus(e, target[1][1])  # f - L
            gap = reduce_term(gap)
            for k in slopes(prover, gap, distance, x, a, r, facts):
                lemmas = [(">=", minus(("*", k, distance), gap)), (">=", ("+", ("*", k, distance), gap))]
                size = ("*", r, e, ("^", ("+", e, ("*", k, r)), MINUS))
                yield (conditions, lemmas), size
        else:
            m = "m'"
            f, sign = blown_up(target[1], m)
            height = ("+", ("^", m, Fraction(2)), ONE)
            for k in (ONE, HALF, Fraction(1, 10), *weights(prover, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10), *weights(prover, f, x, facts)):
                    lemma = (">=", minus(f, minus(("*", k, ("^", distance, MINUS)), c)))
                    if not seen_true(lemma, x, a, distance, r, facts):
                        continue
                    size = ("*", r, k, ("^", ("+", k, ("*", r, ("+", height, c))), MINUS))
                    yield (conditions, [lemma]), size
            for k in (ONE, HALF, *weights(prover, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10)):
                    lemma = (">=", ("+", f, ("*", k, ("log", distance)), c))
                    if seen_true(lemma, x, a, distance, r, facts):
                        size = ("*", r, ("exp", neg_term(("*", ("+", height, c), ("^", k, MINUS)))))
                        yield (conditions, [lemma]), size


def far_out(prover: Prover, x: str, where: Node, target: Node, d: str, facts: Facts) -> Iterator[tuple[Bound, Node]]:
    """Bounds for large x: |f - L| <= K/x, or f >= K x - C, for x > r."""
    for r in (ONE, Fraction(10), Fraction(100)):
        conditions = [(">", minus(x, r))]
        if target[0] == "and":
            gap = reduce_term(minus("e'", target[1][1]))
            for k in (ONE, Fraction(2), Fraction(10), *weights(prover, gap, x, facts)):
                lemmas = [(">=", minus(("*", k, ("^", x, MINUS)), gap)), (">=", ("+", ("*", k, ("^", x, MINUS)), gap))]
                if all(seen_true(c, x, r, minus(x, r), Fraction(10**6), facts) for c in lemmas):
                    yield (conditions, lemmas), ("+", r, ("*", k, ("^", "e'", MINUS)))
        else:
            f, _ = blown_up(target[1], "m'")
            height = ("+", ("^", "m'", Fraction(2)), ONE)
            for k in (ONE, HALF, Fraction(1, 10), *weights(prover, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10)):
                    lemma = (">=", minus(f, minus(("*", k, x), c)))
                    if seen_true(lemma, x, r, minus(x, r), Fraction(10**6), facts):
                        yield (conditions, [lemma]), ("+", r, ("*", ("+", height, c), ("^", k, MINUS)))


def blown_up(term: Node, m: str) -> tuple[Node, int]:
    """(g, sign): the target is g - m' > 0, or m' - f > 0 with g = -f."""
    plus = reduce_term(("+", term, m))
    return (plus, 1) if m not in free(plus) else (reduce_term(minus(term, m)), -1)


def weights(prover: Prover, f: Node, x: str, facts: Facts) -> list[Node]:
    """Sizes made of the parameters' parts of f's summands, for bounds that depend on parameters."""
    forms = Forms()
    num, den = forms.quotient(f)
    below = [("^", poly_term(forms, dict(p)), Fraction(-e)) for p, e in den.items()
             if x not in free(poly_term(forms, dict(p)))]
    found: list[Node] = []
    for m, c in num.items():
        factors = [forms.names[a] if e == 1 else ("^", forms.names[a], Fraction(e)) for a, e in m
                   if x not in free(forms.names[a])]
        if factors:
            found.append(("*", abs(c), *factors, *below))
    if not found or (not den and not found):
        return []
    found = [reduce_term(t) for t in dict.fromkeys(found)]
    total = found[0] if len(found) == 1 else ("+", *found)
    return [("*", c, t) for t in dict.fromkeys([*found, total]) for c in (ONE, Fraction(2), Fraction(4), HALF)]


def slopes(prover: Prover, gap: Node, distance: Node, x: str, a: Node, r: Fraction, facts: Facts) -> Iterator[Node]:
    for k in (ONE, Fraction(2), Fraction(4), Fraction(20), Fraction(200), *weights(prover, gap, x, facts)):
        both = [(">=", minus(("*", k, distance), gap)), (">=", ("+", ("*", k, distance), gap))]
        if all(seen_true(c, x, a, distance, r, facts) for c in both):
            yield k


def seen_true(formula: Node, x: str, a: Node, distance: Node, r: Fraction, facts: Facts) -> bool:
    """Does the formula hold at sampled points with 0 < distance < r?"""
    conditions = [f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")
                  and not any(n.endswith("'") for n in free(f.concl))]
    names = (free(formula) | free(a)).union(*(free(c) for c in conditions)) - {x}
    points = samples(conditions, names, 6)
    sign = 1 if evaluate(distance, {**(points[0] if points else {}), x: 1e9}) > 0 else -1
    for p in points:
        centre = evaluate(a, p)
        for share in (1e-6, 1e-3, 0.1, 0.3, 0.6, 0.9, 0.999):
            at = {**p, x: centre + sign * share * float(r)}
            value = evaluate(formula[1], at)
            if math.isnan(value) or value < -1e-9 * (1 + abs(value)):
                return False
    return True


# ---- orders of magnitude ----

def big_o(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """The c' and d' of |f| <= c' |g| near a point (grammar.big_o)."""
    _, c, inner = goal
    if c != "c'" or inner[0] != "ex":
        raise Stuck("not of this shape")
    body = inner[2]
    every = body[2] if body[0] == "and" else body
    if every[0] != "all":
        raise Stuck("not of this shape")
    for size in (ONE, Fraction(2), Fraction(10), HALF, Fraction(100)):
        for r in (HALF, Fraction(1, 10), Fraction(1, 100)) if body[0] == "and" else (ONE, Fraction(10), Fraction(100)):
            claim = substitute(substitute(every, c, size), inner[1], r)
            _, x, (_, where, target) = claim
            conditions = [f.concl for f in facts] + conjuncts(where)
            points = samples(conditions, frozenset().union(*(free(q) for q in conditions)) | free(target), 24)
            if not points or not all(_plausible(t, p) for t in conjuncts(target) for p in points):
                continue
            try:
                step = prover.solve(claim, facts, depth)
            except (Stuck, KernelError):
                prover.tick()
                continue
            opened = substitute(inner, c, size)
            if body[0] == "and":
                step = apply("and_intro", (prover.atom((">", r), facts), step))
            step = apply("ex_intro", opened, r, step, ())
            return apply("ex_intro", goal, size, step, ())
    raise Stuck("no constant for the order of magnitude")


__all__ = ["existential", "gt"]
