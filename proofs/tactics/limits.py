"""Limits and orders of magnitude, from explicit bounds near the point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, minus, neg_term, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.compiled import Place
from qtheory.proofs.tactics.numeric import evaluate, holds, samples
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import conjuncts

HALF = Fraction(1, 2)


class Near(dict[tuple[tuple[Node, ...], frozenset[str]], list[Place]]):
    """Points at which limits are looked at, by their conditions and variables."""


def limit(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The d' of a limit's definition (grammar.close), from an explicit bound near the point."""
    _, d, body = goal
    if not d.endswith("'") or not any(v.endswith("'") for v in free(goal) | {d}):
        raise Stuck("not of this shape")
    finite = body[0] == "and" and len(body) == 3 and body[1] == (">", d) and body[2][0] == "all"
    if not finite and body[0] != "all":
        raise Stuck("not of this shape")
    every = body[2] if finite else body
    _, x, (_, where, target) = every
    last = ""
    for bound, step_size in (near_point if finite else far_out)(search, x, where, target, d, facts):
        search.tick()
        try:
            return with_bound(search, goal, every, step_size, bound, facts, depth, finite)
        except (Stuck, KernelError) as reason:
            last = str(reason)
    raise Stuck("no explicit bound near the limit" + (f" ({last})" if last else ""))


Bound = tuple[list[Node], list[Node]]  # (conditions on x that the witness gives, lemmas that they give)


def with_bound(search: Search, goal: Node, every: Node, witness: Node, bound: Bound, facts: Facts, depth: int,
               finite: bool) -> Step:
    """The witness; then x meets the bound's conditions, so the lemmas hold, and the target is a combination."""
    _, x, (_, where, target) = every
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("x", goal, [s.concl for s in facts])
    d = goal[1]
    facts = [*facts, *search.define(witness, facts)]
    place = substitute(substitute(where, x, v), d, witness)
    assumed = parts(hyp(place))
    now = [s for s in facts if x not in free(s.concl)] + assumed
    conditions = [search.atom(substitute(c, x, v), now, 2) for c in bound[0]]
    # a lemma speaks of x alone: neither the distance nor the witness helps
    outer = [s for s in facts if not any(n.endswith("'") for n in free(s.concl))]
    lemmas = [search.atom(substitute(c, x, v), [*outer, *conditions, *side_facts(assumed, witness)], depth)
              for c in bound[1]]
    step = search.solve(substitute(substitute(target, x, v), d, witness), [*now, *conditions, *lemmas], 1)
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
        positive = search.atom((">", witness), facts, 2)
        step = apply("and_intro", (positive, step))
    return apply("ex_intro", goal, witness, step, tuple(facts))


def side_facts(assumed: Sequence[Step], witness: Node) -> list[Step]:
    """Those assumptions that do not speak of the witness."""
    return [s for s in assumed if not any(n.endswith("'") for n in free(s.concl))]


def near_point(search: Search, x: str, where: Node, target: Node, d: str, facts: Facts) -> Iterator[tuple[Bound, Node]]:
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
            for k in slopes(search, gap, distance, x, a, r, facts):
                lemmas = [(">=", minus(("*", k, distance), gap)), (">=", ("+", ("*", k, distance), gap))]
                size: Node = ("*", r, e, ("^", ("+", e, ("*", k, r)), MINUS))
                yield (conditions, lemmas), size
        else:
            m = "m'"
            f, _ = blown_up(target[1], m)
            height = ("+", ("^", m, Fraction(2)), ONE)
            for k in (ONE, HALF, Fraction(1, 10), *weights(search, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10), *weights(search, f, x, facts)):
                    lemma = (">=", minus(f, minus(("*", k, ("^", distance, MINUS)), c)))
                    if not seen_true(search, lemma, x, a, distance, r, facts):
                        continue
                    size = ("*", r, k, ("^", ("+", k, ("*", r, ("+", height, c))), MINUS))
                    yield (conditions, [lemma]), size
            for k in (ONE, HALF, *weights(search, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10)):
                    lemma = (">=", ("+", f, ("*", k, ("log", distance)), c))
                    if seen_true(search, lemma, x, a, distance, r, facts):
                        size = ("*", r, ("exp", neg_term(("*", ("+", height, c), ("^", k, MINUS)))))
                        yield (conditions, [lemma]), size


def far_out(search: Search, x: str, where: Node, target: Node, d: str, facts: Facts) -> Iterator[tuple[Bound, Node]]:
    """Bounds for large x: |f - L| <= K/x, or f >= K x - C, for x > r."""
    for r in (ONE, Fraction(10), Fraction(100)):
        conditions = [(">", minus(x, r))]
        if target[0] == "and":
            gap = reduce_term(minus("e'", target[1][1]))
            for k in (ONE, Fraction(2), Fraction(10), *weights(search, gap, x, facts)):
                lemmas = [(">=", minus(("*", k, ("^", x, MINUS)), gap)), (">=", ("+", ("*", k, ("^", x, MINUS)), gap))]
                if all(seen_true(search, c, x, r, minus(x, r), Fraction(10**6), facts) for c in lemmas):
                    yield (conditions, lemmas), ("+", r, ("*", k, ("^", "e'", MINUS)))
        else:
            f, _ = blown_up(target[1], "m'")
            height = ("+", ("^", "m'", Fraction(2)), ONE)
            for k in (ONE, HALF, Fraction(1, 10), *weights(search, f, x, facts)):
                for c in (ZERO, ONE, Fraction(10)):
                    lemma = (">=", minus(f, minus(("*", k, x), c)))
                    if seen_true(search, lemma, x, r, minus(x, r), Fraction(10**6), facts):
                        yield (conditions, [lemma]), ("+", r, ("*", ("+", height, c), ("^", k, MINUS)))


def blown_up(term: Node, m: str) -> tuple[Node, int]:
    """(g, sign): the target is g - m' > 0, or m' - f > 0 with g = -f."""
    plus = reduce_term(("+", term, m))
    return (plus, 1) if m not in free(plus) else (reduce_term(minus(term, m)), -1)


def weights(search: Search, f: Node, x: str, facts: Facts) -> list[Node]:
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


def slopes(search: Search, gap: Node, distance: Node, x: str, a: Node, r: Fraction, facts: Facts) -> Iterator[Node]:
    for k in (ONE, Fraction(2), Fraction(4), Fraction(20), Fraction(200), *weights(search, gap, x, facts)):
        both = [(">=", minus(("*", k, distance), gap)), (">=", ("+", ("*", k, distance), gap))]
        if all(seen_true(search, c, x, a, distance, r, facts) for c in both):
            yield k


def seen_true(search: Search, formula: Node, x: str, a: Node, distance: Node, r: Fraction, facts: Facts) -> bool:
    """Does the formula hold at sampled points with 0 < distance < r?"""
    search.tick()
    conditions = [f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")
                  and not any(n.endswith("'") for n in f.variables)]
    names = (free(formula) | free(a)).union(*(free(c) for c in conditions)) - {x}
    place = tuple(conditions), frozenset(names)
    near = search.own(Near)
    if place not in near:
        near[place] = samples(*place, 6)
    points = near[place]
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

def order_parts(goal: Node) -> tuple[Node, Node, Node]:
    """Of the definition of O(..) (grammar.big_o): what is said of c', what of d', and of it what is said of all x."""
    _, c, inner = goal
    if c != "c'" or inner[0] != "ex":
        raise Stuck("not of this shape")
    body = inner[2]
    every = body[2] if body[0] == "and" else body
    if every[0] != "all":
        raise Stuck("not of this shape")
    return inner, body, every


def big_o(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The c' and d' of |f| <= c' |g| near a point."""
    c, (inner, body, every) = goal[1], order_parts(goal)
    for size in (ONE, Fraction(2), Fraction(10), HALF, Fraction(100)):
        for r in (HALF, Fraction(1, 10), Fraction(1, 100)) if body[0] == "and" else (ONE, Fraction(10), Fraction(100)):
            claim = substitute(substitute(every, c, size), inner[1], r)
            _, _, (_, where, target) = claim
            conditions = [f.concl for f in facts] + conjuncts(where)
            points = samples(conditions, frozenset().union(*(free(q) for q in conditions)) | free(target), 24)
            if not points or not all(holds(t, p) for t in conjuncts(target) for p in points):
                continue
            try:
                step = search.solve(claim, facts, depth)
            except (Stuck, KernelError):
                search.tick()
                continue
            opened = substitute(inner, c, size)
            if body[0] == "and":
                step = apply("and_intro", (search.atom((">", r), facts), step))
            step = apply("ex_intro", opened, r, step, ())
            return apply("ex_intro", goal, size, step, ())
    raise Stuck("no constant for the order of magnitude")


__all__ = ["big_o", "limit", "order_parts"]
