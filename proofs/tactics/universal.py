"""Universal statements at a point, such as the negation of an existence, of a uniqueness or of a limit."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, minus, neg_term, negate, substitute
from qtheory.proofs.tactics.arrays import Flags, Points, margin
from qtheory.proofs.tactics.branches import Branch, branches
from qtheory.proofs.tactics.builder import Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.divergence import diverges
from qtheory.proofs.tactics.elimination import layout
from qtheory.proofs.tactics.isolate import isolate
from qtheory.proofs.tactics.points import exact, judge, simple_points

SECONDS = 0.6  # for one call of the prover
LOOK = np.unique(np.concatenate([s * np.geomspace(1e-6, 1e4, 160) for s in (-1, 1)]
                                + [np.array([0.0]), np.linspace(-3, 3, 121)]))


def universal(point: Point, formula: Node) -> Step:
    """A step for ("all", x, body), body a disjunction as ``negate`` gives it; Stuck if none is found."""
    if formula[0] != "all":
        return _prover(point, formula, [])
    _, x, body = formula
    if not (free(formula) | set(point.box)):
        try:
            return diverges(formula, lambda goal, facts: _prover(point, goal, facts))
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


def _truth(formula: Node, at: Points) -> Flags:
    """Where the formula seems to be true; existences count as false, other quantifiers as true."""
    head = formula[0]
    if head in ("and", "or"):
        out = np.asarray(head == "and")
        for part in formula[1:]:
            out = (out & _truth(part, at)) if head == "and" else (out | _truth(part, at))
        return np.asarray(out)
    if head in ("ex", "all", "imp"):
        return np.asarray(head != "ex")
    m, error = margin(formula, at)
    return np.isnan(m) | (m >= -error)


def _has_solution(x: str, body: Node) -> bool:
    """Does some x seem to meet the complements of all parts (existences apart)?"""
    plain = [part for part in (body[1:] if body[0] == "or" else (body,)) if part[0] != "ex"]
    try:
        existence = ("ex", x, ("and", *(complement(part) for part in plain)))
    except Stuck:
        return False
    return any(_solutions(b) for b in branches(existence) if not b.hard)


def _prover(point: Point, goal: Node, facts: list[Step]) -> Step:
    from qtheory.proofs.tactics.solve import Prover  # the prover looks for counterexamples in turn

    return Prover(max(0.05, min(point.deadline - time.monotonic(), SECONDS))).solve(goal, [*point.facts, *facts])


def complement(formula: Node) -> Node:
    """The formula whose negation this is; Stuck if it is none that ``negate`` gives."""
    out: Node | None = None
    if formula[0] == "or" and len(formula) == 3 and formula[1][0] == "undef":
        t, (relation, u) = formula[1][1], formula[2]
        if relation == "!=" and u == minus(t, ("floor", t)):
            out = ("isint", t)
        else:
            out = ({">=": ">", ">": ">=", "!=": "=", "=": "!="}[relation], t)
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
        return _prover(point, goal, facts)
    if len(goal) == 3 and goal[1][0] == "undef":
        return apply("or_intro", _opposite(point, goal[2], facts), goal)
    numbers = [i for i, part in enumerate(goal[1:]) if part[0] != "ex"]
    others = {i: complement(goal[i + 1]) for i in numbers}
    for j in reversed(numbers):
        assumed = [f for i in numbers if i != j for f in parts(hyp(others[i]))]
        try:
            step = apply("or_intro", _alternatives(point, goal[j + 1], facts + assumed), goal)
        except (Stuck, KernelError):
            continue
        for i in numbers:
            if i != j:
                either = apply("excluded_middle", others[i])
                step = apply("or_elim", either, (step, apply("or_intro", hyp(goal[i + 1]), goal)), goal)
        return step
    raise Stuck("no part of the disjunction follows from the others' failing")


def _opposite(point: Point, goal: Node, facts: list[Step]) -> Step:
    """An atom; an inequation by one of the two signs."""
    if goal[0] != "!=":
        return _prover(point, goal, facts)
    for sign in (1, -1):
        try:
            strict = _prover(point, (">", goal[1] if sign == 1 else neg_term(goal[1])), facts)
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
    inner = Point(point.deadline)
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


__all__ = ["complement", "universal"]
