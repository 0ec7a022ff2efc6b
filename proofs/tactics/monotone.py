"""Tactics: the sign of a function from its value at an end and the sign of its slope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from math import isnan
from typing import Any

from qtheory.proofs.functions.table import FUNCTIONS
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
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.applied import conclusions, instantiated
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts, unused
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import free_of_functions

BEYOND_SIZE = 1500  # more nodes than a slope that is worth trying has


def by_mean_value(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The sign at one end of an interval, and that of the derivative on it."""
    relation, t = goal
    points = search.points(goal, facts)
    found: list[tuple[tuple[bool, bool, int], str, Node, str]] = []
    for v in sorted(free(t)):
        ends = bounds(v, facts)
        extra = [(c, side) for c in (ZERO, ONE) for side in ("low", "high")
                 if (c, side) not in ends and search.quick(ge(v, c) if side == "low" else ge(c, v), facts)]
        inside, size = v in free_of_functions(t), slope_size(t, v)
        for a, side in dict.fromkeys([*ends, *extra]):
            base = substitute(t, v, a)
            vanishes = all(abs(evaluate(base, p)) < 1e-9 for p in points)
            found.append(((not inside, not vanishes, size), v, a, side))
    # first the ends at which the goal's term vanishes, and the variables with the simplest slope
    for _, v, a, side in sorted(found, key=lambda c: c[0]):
        for function, factor in easier_shapes(search, t, facts):
            search.tick()
            try:
                step = from_end(search, relation, function, v, a, side, facts, depth, points)
                if factor is None:
                    return step
                if factor.concl[0] == ">":  # the function is t times the factor
                    known = (step, factor, *facts, *search.define(t, facts))
                    return apply("combine", goal, known, ((ONE, ((0, 1), (1, -1)), ()),))
                return search.combine(goal, [*facts, step, *parts(factor)], 2)
            except (Stuck, KernelError):
                continue
    raise Stuck("no end of an interval from which the sign follows")


def easier_shapes(search: Search, t: Node, facts: Facts) -> Iterator[tuple[Node, Step | None]]:
    """t, and t divided by a positive term, where that makes the derivative simpler."""
    yield t, None
    forms = Forms()
    num, den = forms.quotient(t)
    if len(den) > 1 and (cleared := without_divisors(search, t, forms, den, facts)) is not None:
        yield cleared
    if den and any(isinstance(n, tuple) for n in forms.names):
        for d in Combiner(facts).missing(t):
            found = search.quick((">", d), facts)
            facts = [*facts, found] if found else facts
        if not Combiner(facts).missing(t):
            yield poly_term(forms, num), apply("and_intro", ())
    for index, name in enumerate(forms.names):
        if not isinstance(name, tuple) or name[0] not in FUNCTIONS or not FUNCTIONS[name[0]].alone:
            continue
        coefficient = {tuple((a, e) for a, e in m if a != index): c for m, c in num.items() if (index, 1) in m}
        inside = {forms.names[a] for m in coefficient for a, _ in m}
        if not coefficient or set(coefficient) == {()} or any(isinstance(n, tuple) for n in inside):
            continue
        factor = poly_term(forms, coefficient)
        for sign in (1, -1):
            c = factor if sign > 0 else neg_term(factor)
            positive = search.quick((">", c), facts)
            if positive is not None:
                rest = {m: a for m, a in num.items() if (index, 1) not in m}
                lead: Node = name if sign > 0 else neg_term(name)
                yield ("+", lead, ("*", poly_term(forms, rest), ("^", c, Fraction(-1)))), \
                    apply("and_intro", (positive,))
                break


def without_divisors(search: Search, t: Node, forms: Forms, den: Mapping[Any, int],
                     facts: Facts) -> tuple[Node, Step] | None:
    """t times those of its divisors that hold no function, and their product, which is positive."""
    steps: list[tuple[Step, int]] = []
    for p, e in den.items():
        d = poly_term(forms, dict(p))
        if free_of_functions(d):
            continue
        found = search.quick((">", d), facts) or search.quick((">", neg_term(d)), facts)
        if found is None:
            return None
        steps.append((found, e))
    if not steps:
        return None
    factor: Node = ("*", ONE, *(("^", s.concl[1], Fraction(e)) for s, e in steps))
    positive = apply("combine", (">", factor), (*(s for s, _ in steps), *facts),
                     ((ONE, tuple((i, e) for i, (_, e) in enumerate(steps)), ()),))
    spread = [("*", factor, s) for s in (t[1:] if isinstance(t, tuple) and t[0] == "+" else (t,))]
    whole: Node = ("+", *(reduce_term(s) for s in spread)) if len(spread) > 1 else reduce_term(spread[0])
    return whole, positive


def from_end(search: Search, relation: str, f: Node, v: str, a: Node, side: str, facts: Facts, depth: int,
             points: list[dict[str, float]], between: bool = False) -> Step:
    """f REL 0 at v, from f at the end a and the slope between; ``between``: what the facts say of all values of a
    variable is told of the place between."""
    facts = [*facts, *search.define(f, facts)]
    rising = side == "low"
    base = substitute(f, v, a)
    values = [evaluate(base, p) for p in points]
    if any(x < -1e-7 * max(1.0, abs(x)) for x in values):
        raise Stuck("the end has the wrong sign")
    if values and all(isnan(x) and not isnan(evaluate(f, p)) for x, p in zip(values, points, strict=True)):
        raise Stuck("the function has no value at the end")
    strict = search.quick(gt(v, a) if rising else gt(a, v), facts)
    order = strict or search.quick(ge(v, a) if rising else ge(a, v), facts)
    if order is None:
        raise Stuck("the variable may lie beyond the end")
    z = unused("z", facts, f, a)
    low, high = (a, v) if rising else (v, a)
    fz = substitute(f, v, z)
    closed = [*facts, hyp(ge(z, low)), hyp(ge(high, z))]
    domain = apply("defined", fz, (*closed, *search.define(fz, closed)))
    inside = [*facts, hyp(gt(z, low)), hyp(gt(high, z))]
    inside += told_at(search, z, inside) if between else []
    slope = derivative(fz, z)
    wanted: Node = slope if rising else neg_term(slope)
    base_relation = ">=" if relation == ">" and strict is not None else relation
    slopes = [r for r in (">", ">=") if r == ">" or relation == ">=" or base_relation == ">"]
    slopes = [relation] if between and relation == ">=" else slopes
    step = None
    for r in slopes:
        if between:
            step = search.quick((r, wanted), [s for s in inside if s.variables <= free(wanted)])
            if step is not None:
                break
        try:
            step = search.atom((r, wanted), inside, depth - 1)
            break
        except Stuck:
            search.tick()
    if step is None:
        raise Stuck("the slope has no sign")
    if not rising:  # the rule speaks of f(b) - f(a): use -f
        domain = apply("defined", neg_term(fz), (domain,))
        wanted_literal = derivative(neg_term(fz), z)
        known = (step, *inside, *search.define(wanted_literal, [*inside, step]))
        step = apply("combine", (step.concl[0], wanted_literal), known, ((ONE, ((0, 1),), ()),))
        change = apply("mean_value", z, neg_term(fz), low, high, order, domain, step)
    else:
        change = apply("mean_value", z, fz, low, high, order, domain, step)
    at_end = search.atom((base_relation, base), facts, depth - 1)
    return apply("combine", (relation, f), (change, at_end, *facts), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


def told_at(search: Search, z: str, facts: Facts) -> list[Step]:
    """The universal facts about one variable, at z."""
    out: list[Step] = []
    for f in facts:
        for path, _ in conclusions(f.concl) if f.concl[0] == "all" else ():
            with suppress(Stuck, KernelError):
                out.append(instantiated(search, f, path, {f.concl[1]: z}, facts))
    return out


def slope_size(t: Node, v: str) -> int:
    """Nodes of the derivative, carried out."""
    try:
        return _nodes(reduce_term(undiff(derivative(t, v))[0]))
    except KernelError:
        return BEYOND_SIZE


def _nodes(t: Node) -> int:
    return 1 + sum(_nodes(c) for c in t[1:] if not isinstance(c, int)) if isinstance(t, tuple) else 1

