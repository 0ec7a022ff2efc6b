"""Universal statements at a point, such as the negation of an existence, of a uniqueness or of a limit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

import numpy as np

from qtheory.proofs.functions.values import Array, Flags
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    minus,
    neg_term,
    negate,
    substitute,
)
from qtheory.proofs.tactics.arrays import Points, margin, values
from qtheory.proofs.tactics.branches import Branch, branches, failures
from qtheory.proofs.tactics.builder import Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.closed import Point, place
from qtheory.proofs.tactics.divergence import diverges, seems_away
from qtheory.proofs.tactics.effort import left
from qtheory.proofs.tactics.elimination import algebraic, layout, linear
from qtheory.proofs.tactics.isolate import isolate
from qtheory.proofs.tactics.order import names, occurring
from qtheory.proofs.tactics.points import candidates, exact, judge, simple_points
from qtheory.proofs.tactics.terms import conjuncts
from qtheory.proofs.tactics.whole import each_integer

SECONDS = 0.6  # of work, for one call of the prover
LOOK = np.unique(np.concatenate([s * np.geomspace(1e-6, 1e4, 160) for s in (-1, 1)]
                                + [np.array([0.0]), np.linspace(-3, 3, 121)]))
SPARSE = LOOK[::7]  # of a second variable
WITH_INTEGERS = np.unique(np.concatenate([SPARSE, np.arange(65.0)]))
ONE_MORE = 0.4375  # a value inside most ranges, that is no root of most equations
FEW = np.array([-1000.0, -1.0, -0.01, -1e-9, 1e-9, 0.01, 1.0, 1000.0])
NEAR_AND_FAR = np.unique(np.concatenate([LOOK] + [e + s * np.geomspace(1e-7, 0.1, 40) for e in (-1, 1)
                                                  for s in (-1, 1)]))  # domains often end at 0 or 1


def universal(point: Point, formula: Node) -> Step:
    """A step for ("all", x, body), body a disjunction as ``negate`` gives it; Stuck if none is found."""
    if formula[0] != "all":
        return _proved(point, formula, [])
    floor = next(_closed_floors(formula), None)
    if floor is not None:
        return _with_value(point, formula, *floor)
    _, x, body = formula
    try:
        return each_integer(point, formula)
    except (Stuck, KernelError):
        point.tick()
    if not (free(formula) | set(point.box)):
        try:
            return diverges(formula, lambda goal, facts: _proved(point, goal, facts), point)
        except (Stuck, KernelError):
            pass
    if body[0] == "or" and body[-1][0] == "ex" and not (free(formula) | set(point.box)):
        try:
            return _two_solutions(point, formula)
        except (Stuck, KernelError):
            pass
    closed = not point.box and not free(formula)
    if closed and (not bool(np.all(_truth(body, {x: LOOK}))) or _has_solution(x, body)):
        raise Stuck("a sample contradicts the universal statement")
    if any(x in free(h) for f in point.facts for h in f.hyps):
        raise Stuck("the variable is taken")
    return apply("all_intro", x, _alternatives(point, body, list(point.facts)))


def _closed_floors(node: Node) -> Iterator[tuple[Node, Fraction]]:
    """The whole parts of numbers that stand in the formula, and their values."""
    if not isinstance(node, tuple):
        return
    if node[0] == "floor" and not free(node):
        try:
            low, high = enclose(node, {}, 64)
        except KernelError:  # undefined, or beyond an enclosure
            return
        if low == high:
            yield node, low
    for part in node[1:]:
        yield from _closed_floors(part)


def _with_value(point: Point, formula: Node, old: Node, value: Fraction) -> Step:
    """The formula from that with the value for a closed term, wherever it stands."""
    def put(node: Node) -> Node:
        return "z'''" if node == old else tuple(map(put, node)) if isinstance(node, tuple) else node

    template = put(formula)
    equation = point.equal(minus(old, value))
    back = apply("combine", ("=", minus(value, old)), (equation,), ((Fraction(-1), ((0, 1),), ()),))
    step = universal(point, substitute(template, "z'''", value))
    return apply("rewrite", back, step, "z'''", template, value, old)


def _truth(formula: Node, at: Points, strictly: bool = False) -> Flags:
    """Where the formula seems to be true; existences by sampling, other quantifiers count as true.  ``strictly``:
    inequations only where the two sides differ by more than rounding."""
    head = formula[0]
    if head == "ex" and len(at) == 1 and formula[1] not in at:
        wide = {v: a[:, None] for v, a in at.items()} | {formula[1]: SPARSE[None, :]}
        return np.asarray(np.broadcast_to(_truth(formula[2], wide, strictly), (LOOK.size, SPARSE.size)).any(axis=1))
    if head in ("and", "or"):
        out = np.asarray(head == "and")
        for part in formula[1:]:
            out = (out & _truth(part, at, strictly)) if head == "and" else (out | _truth(part, at, strictly))
        return np.asarray(out)
    if head in ("ex", "all", "imp"):
        return np.asarray(head != "ex")
    m, error = margin(formula, at)
    return np.isnan(m) | (m > error if head == "!=" and strictly else m >= -error)


def plausible(formula: Node, at: Points) -> Flags:
    """At which of the points no sampled value of the variable contradicts ("all", x, body).

    Where the body's last part is an existence, of another solution, several solutions are no contradiction.
    """
    size = next((np.size(a) for a in at.values()), 1)
    none: Node = (None, "", ("ex",))
    _, x, body = formula if formula[0] == "all" else none
    if body[0] == "imp" and x not in at and not _quantified(body[2]):
        return _nowhere_broken(x, body, at)
    if body[0] in ("all", "ex") or (body[0] == "or" and len(body) == 3 and body[1] == negate((">", x))):
        away = seems_away(formula, at)
        if away is not None or body[0] != "or":
            return np.ones(size, bool) if away is None else away
    parts_of = body[1:] if body[0] == "or" else (body,)
    plain = [part for part in parts_of if part[0] != "ex"]
    try:
        literals = [lit for part in plain for lit in conjuncts(complement(part))]
    except Stuck:
        literals = []
    if not plain or not literals or any(lit[0] not in (">", ">=", "=", "!=") for lit in literals) or x in at:
        return np.ones(size, bool)
    if body[-1][0] == "ex" and not any(lit[0] == "=" for lit in literals) and not _quantified(body[-1][2]):
        return _met_whatever(x, literals, body[-1], at)
    wide = {v: np.asarray(a)[:, None] for v, a in at.items()} | {x: NEAR_AND_FAR[None, :]}
    inside = np.ones((size, NEAR_AND_FAR.size), bool)
    crossing = np.ones((size, NEAR_AND_FAR.size - 1), bool)
    for head, term in literals:
        m, error = margin((">=" if head == "=" else head, term), wide)
        m, error = np.broadcast_to(m, inside.shape), np.broadcast_to(error, inside.shape)
        if head == "=":
            crossing &= (np.sign(m[:, :-1]) * np.sign(m[:, 1:]) <= 0) & np.isfinite(m[:, :-1]) & np.isfinite(m[:, 1:])
        else:
            inside &= (m > error) if head in (">", "!=") else (m >= -error)
    met = crossing & inside[:, :-1] & inside[:, 1:]
    if not any(lit[0] == "=" for lit in literals):
        met = inside
    count = met.sum(axis=1)
    return np.asarray((count == 0) | (count > 1) if body[-1][0] == "ex" else count == 0)


def _quantified(formula: Node) -> bool:
    return formula[0] in ("ex", "all", "imp") or (formula[0] in ("and", "or") and any(map(_quantified, formula[1:])))


def _nowhere_broken(x: str, implication: Node, at: Points) -> Flags:
    """At which of the points no sampled value of x meets the condition clearly and breaks the conclusion as clearly."""
    _, condition, conclusion = implication
    size = next((np.size(a) for a in at.values()), 1)
    wide = {v: np.asarray(a)[:, None] for v, a in at.items()} | {x: WITH_INTEGERS[None, :]}
    broken = _surely(condition, wide) & ~_truth(conclusion, wide)
    return np.asarray(~np.broadcast_to(broken, (size, WITH_INTEGERS.size)).any(axis=1))


def _surely(formula: Node, at: Points) -> Flags:
    """Where the comparisons are true beyond rounding, equations up to it; other formulas count as false."""
    head = formula[0]
    if head in ("and", "or"):
        join = np.logical_and if head == "and" else np.logical_or
        out = np.asarray(head == "and")
        for part in formula[1:]:
            out = join(out, _surely(part, at))
        return np.asarray(out)
    if head not in (">", ">=", "=", "!="):
        return np.asarray(False)
    m, error = margin(formula, at)
    return np.asarray(m >= -error if head == "=" else m >= error if head == ">=" else m > error)


def _met_whatever(x: str, literals: list[Node], exists: Node, at: Points) -> Flags:
    """At which of the points each of some values of x that meet the literals has a y as the existence says."""
    _, y, inner = exists
    if y in at or y == x:
        return np.ones(next((np.size(a) for a in at.values()), 1), bool)
    size = next((np.size(a) for a in at.values()), 1)
    wide = {v: np.asarray(a)[:, None, None] for v, a in at.items()}
    few = np.concatenate([np.broadcast_to(FEW, (size, FEW.size)), *_levels(x, y, inner, wide, size)], axis=1)
    wide |= {x: few[:, :, None], y: SPARSE[None, None, :]}
    shape = (size, few.shape[1], SPARSE.size)
    inside = np.ones(shape[:2], bool)
    for lit in literals:
        inside &= np.broadcast_to(_truth(lit, wide), shape)[:, :, 0]
    found = np.broadcast_to(_truth(inner, wide, strictly=True), shape).any(axis=2)
    return np.asarray((found | ~inside).all(axis=1))


def _levels(x: str, y: str, inner: Node, wide: Points, size: int) -> Iterator[Array]:
    """Values of x at which an inequation in it fails for one y, if it is linear in x: it may fail there for all."""
    if inner[0] in ("and", "or"):
        for part in inner[1:]:
            yield from _levels(x, y, part, wide, size)
    if inner[0] == "!=" and x in names(inner):
        there = wide | {y: np.asarray(ONE_MORE)}
        at_zero, at_one = (values(inner[1], there | {x: np.asarray(end)}).value for end in (0.0, 1.0))
        with np.errstate(all="ignore"):
            yield np.broadcast_to(at_zero / (at_zero - at_one), (size, 1, 1))[:, :, 0]


def _has_solution(x: str, body: Node) -> bool:
    """Does some x seem to meet the complements of all parts?  Inequalities may leave an existence over."""
    plain = [part for part in (body[1:] if body[0] == "or" else (body,)) if part[0] != "ex"]
    try:
        existence = ("ex", x, ("and", *(complement(part) for part in plain)))
    except Stuck:
        return False
    if body[-1][0] == "ex" and not any(lit[0] == "=" for b in branches(existence) for lit in b.literals):
        return False
    return any(_solutions(b) for b in branches(existence) if not b.hard)


def _proved(point: Point, goal: Node, facts: list[Step]) -> Step:
    point.tick()
    return point.search(min(SECONDS, left(point.deadline))).solve(goal, [*point.facts, *facts])


def complement(formula: Node) -> Node:
    """The formula whose negation this is; Stuck if it is none that ``negate`` gives."""
    out: Node | None = None
    opposite = {">=": ">", ">": ">=", "!=": "=", "=": "!="}
    if formula[0] == "or" and len(formula) == 3 and formula[1][0] == "undef" and formula[2][0] in opposite:
        t, (relation, u) = formula[1][1], formula[2]
        out = ("isint", t) if relation == "!=" and u == minus(t, ("floor", t)) else (opposite[relation], t)
    elif formula[0] in ("and", "or"):
        out = ("or" if formula[0] == "and" else "and", *(complement(f) for f in formula[1:]))
    elif formula[0] in ("def", "undef"):
        out = negate(formula)
    if out is None or negate(out) != formula:
        raise Stuck("no complement")
    return out


def _alternatives(point: Point, goal: Node, facts: list[Step]) -> Step:
    """A disjunction: one part from the complements of the others."""
    if goal[0] != "or":
        return _proved(point, goal, facts)
    if len(goal) == 3 and goal[1][0] == "undef":
        return _undefined_or_unequal(point, goal, facts)
    numbers = [i for i, part in enumerate(goal[1:]) if part[0] != "ex"]
    others = {i: complement(goal[i + 1]) for i in numbers}
    # where an equation is to fail, nothing is gained by assuming that it holds
    aims = [i for i in numbers if others[i][0] == "="] or list(reversed(numbers))
    for j in aims:
        assumed = [f for i in numbers if i != j for f in parts(hyp(others[i]))]
        try:
            step = apply("or_intro", _alternatives(point, goal[j + 1], facts + assumed), goal)
        except (Stuck, KernelError):
            continue
        return _otherwise(step, [i for i in numbers if i != j], others, goal)
    assumed = [f for i in numbers for f in parts(hyp(others[i]))]
    if not any(f.concl[0] == "=" for f in assumed):
        for part in (part for part in goal[1:] if part[0] == "ex"):
            for means in (_at_least_level, _proved):
                try:
                    step = apply("or_intro", means(point, part, facts + assumed), goal)
                except (Stuck, KernelError):
                    continue
                return _otherwise(step, numbers, others, goal)
    raise Stuck("no part of the disjunction follows from the others' failing")


def _at_least_level(point: Point, exists: Node, facts: list[Step]) -> Step:
    """An existence for every x > 0 by one y: its literals hold at x = 0, and those that speak of x rise with it."""
    positive = next((f for f in facts if f.concl[0] == ">" and isinstance(f.concl[1], str)
                     and f.concl[1] not in point.box), None)
    if positive is None or _quantified(exists[2]):
        raise Stuck("not of this shape")
    x = positive.concl[1]
    for branch in branches(exists):
        level = tuple(substitute(lit, x, ZERO) for lit in branch.literals)
        plan = layout(level, branch.variables)
        if plan is None or plan.terms or plan.roots or free(("and", *level)) - set(branch.variables):
            continue
        batch = judge(level, plan, simple_points(plan, np.random.default_rng(0)))
        for candidate in candidates(batch, plan, batch.clear, 2):
            values = {v: q for v, q in candidate.items() if isinstance(q, Fraction)}
            inner = point.over({})
            try:
                for lit in (lit for lit in branch.literals if x in free(lit)):
                    inner.known[place(lit, values)] = _risen(inner, place(lit, values), x, positive)
                return inner.prove(exists, branch.plan, values)
            except (Stuck, KernelError):
                continue
    raise Stuck("no value for every x")


def _risen(point: Point, goal: Node, x: str, positive: Step) -> Step:
    pair = linear(goal[1], x)
    if pair is None or not isinstance(pair[0], Fraction) or pair[0] <= 0:
        raise Stuck("it does not rise")
    return apply("combine", goal, (point.atom((">=", pair[1])), positive, *point.settle(goal[1])),
                 ((ONE, ((0, 1),), ()), (pair[0], ((1, 1),), ())))


def _otherwise(step: Step, numbers: list[int], others: dict[int, Node], goal: Node) -> Step:
    """The disjunction, proved under the complements of some parts, by cases on these."""
    for i in numbers:
        either = apply("excluded_middle", others[i])
        step = apply("or_elim", either, (step, apply("or_intro", hyp(goal[i + 1]), goal)), goal)
    return step


def _undefined_or_unequal(point: Point, goal: Node, facts: list[Step]) -> Step:
    """The negation of t = 0; if need be, by cases on the sign of what t takes a logarithm or a power of."""
    try:
        return apply("or_intro", _opposite(point, goal[2], facts), goal)
    except (Stuck, KernelError):
        t = goal[1][1]
        partial = [s for s in occurring(t) if isinstance(s, tuple) and s[0] in ("log", "^")]
        s = next((s for s in partial if free(s[1]) and algebraic(s[1]) and failures(s)), None)
        if s is None:
            raise
    three = apply("trichotomy", s[1], ())
    cases = []
    for case in three.concl[1:]:
        try:
            fails = _proved(point, failures(s)[0], [hyp(case)])
            cases.append(apply("or_intro", apply("undefined", t, s, fails), goal))
        except (Stuck, KernelError):
            cases.append(apply("or_intro", _opposite(point, goal[2], [*facts, hyp(case)]), goal))
    return apply("or_elim", three, tuple(cases), goal)


def _opposite(point: Point, goal: Node, facts: list[Step]) -> Step:
    """An atom; an inequation by one of the two signs, or for integers by whatever the prover knows of these."""
    if goal[0] != "!=":
        return _proved(point, goal, facts)
    if any(f.concl[0] == "isint" for f in facts):
        with suppress(Stuck, KernelError):
            return _proved(point, goal, facts)
    for sign in (1, -1):
        try:
            strict = _proved(point, (">", goal[1] if sign == 1 else neg_term(goal[1])), facts)
        except (Stuck, KernelError):
            continue
        return apply("combine", goal, (strict,), ((Fraction(sign), ((0, 1),), ()),))
    raise Stuck("neither sign of an inequation is proved")


def _two_solutions(point: Point, formula: Node) -> Step:
    """Not exactly one: whatever x is, one of two solutions is another."""
    _, x, body = formula
    other = body[-1]
    y, (_, meets, differs) = other[1], other[2]
    existence = ("ex", y, meets)
    if free(existence):
        raise Stuck("no uniqueness")
    inner = point.afresh()
    for branch in branches(existence):
        roots: list[tuple[str, Step]] = []
        solutions = []
        values = _solutions(branch)
        for value in values if len(values) > 1 else []:
            try:
                c = _exact_solution(inner, branch, value, f"{y.rstrip(chr(39))}{len(roots) + 1}''", roots)
                proof = inner.prove(substitute(meets, y, c), branch.plan[2], {branch.variables[0]: c})
            except (Stuck, KernelError):
                continue
            solutions.append((c, proof))
            if len(solutions) == 2:
                break
        if len(solutions) == 2:
            step = apply("all_intro", x, _one_differs(inner, x, y, body, differs, solutions))
            for name, exists in reversed(roots):
                step = apply("ex_elim", exists, name, step)
            return step
    raise Stuck("two solutions were not found")


def _solutions(branch: Branch) -> list[float]:
    """Values at which the branch's literals hold: up to six, spread out."""
    plan = layout(branch.literals, branch.variables)
    if plan is None or len(branch.variables) != 1 or plan.terms:
        return []
    batch = judge(branch.literals, plan, simple_points(plan, np.random.default_rng(0)))
    name = branch.variables[0]
    found = np.sort(batch.at[name][batch.clear])
    far = np.concatenate([[True], np.diff(found) > 1e-8 * (1 + np.abs(found[1:]))]) if found.size else found > 0
    return [float(v) for v in found[far][:6]]


def _exact_solution(point: Point, branch: Branch, value: float, name: str,
                    roots: list[tuple[str, Step]]) -> Node:
    equation = next((lit[1] for lit in branch.literals if lit[0] == "="), None)
    if not math.isfinite(value):
        raise Stuck("no solution in floating point")
    if equation is None:
        return exact(value)
    variable = branch.variables[0]
    simple = Fraction(value).limit_denominator(1000)
    if abs(float(simple) - value) < 1e-8:
        try:
            point.equal(substitute(equation, variable, simple))
            return simple
        except (Stuck, KernelError):
            pass
    renamed = substitute(equation, variable, name)
    roots.append((name, point.root(name, renamed, isolate(point, renamed, name, value, 6))))
    return name


def _one_differs(point: Point, x: str, y: str, body: Node, differs: Node, solutions: list[tuple[Node, Step]]) -> Step:
    (c, first), (d, second) = solutions
    other = body[-1]

    def found(value: Node, proof: Step, difference: Step) -> Step:
        return apply("ex_intro", other, value, apply("and_intro", (proof, difference)), ())

    equal = ("=", minus(c, x))
    if negate(equal) != substitute(differs, y, c):
        raise Stuck("another kind of uniqueness")
    apart = point.atom(("!=", minus(d, c)))
    unequal = apply("combine", ("!=", minus(d, x)), (apart, hyp(equal)), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    when_equal = found(d, second, apply("or_intro", unequal, substitute(differs, y, d)))
    cases = (when_equal, found(c, first, hyp(negate(equal))))
    step = apply("or_elim", apply("excluded_middle", equal), cases, other)
    return apply("or_intro", step, body)


__all__ = ["complement", "plausible", "universal"]
