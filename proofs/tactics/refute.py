"""Counterexamples and witnesses: found in floating point, certified by the kernel at an exact point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from qtheory.proofs.functions.values import Flags
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, minus, substitute
from qtheory.proofs.tactics.branches import Branch, branches
from qtheory.proofs.tactics.builder import Step, Stuck, apply
from qtheory.proofs.tactics.closed import NoIntegral, Point, place
from qtheory.proofs.tactics.contrast import Original, refuting_branches
from qtheory.proofs.tactics.critical import between_zeros, rest_points
from qtheory.proofs.tactics.effort import spend_again, spent
from qtheory.proofs.tactics.elimination import Layout, algebraic, fold, layout
from qtheory.proofs.tactics.improper import improper
from qtheory.proofs.tactics.isolate import isolate
from qtheory.proofs.tactics.known import from_given
from qtheory.proofs.tactics.numeric import laborious
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.points import (
    GRID,
    Batch,
    Candidate,
    candidates,
    head,
    improve,
    judge,
    merged,
    plainer,
    random_points,
    simple_points,
)
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.quotients import Rational
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.universal import plausible

Value: TypeAlias = Fraction | tuple[Fraction, Fraction]
DIGITS = (4, 9, 18)  # of the isolating intervals, until everything else is decided over them
NOWHERE: Mapping[str, Node] = MappingProxyType({})
TRIES, SMOOTHED, LEVEL, HARD_TRIES, LOOKED_AT = 6, 2, 2, 20, 200
HUGE, FEWER, FACTORED, WITHOUT_INTEGRAL = 1000.0, 400, 6, 6
KEPT = 500  # witnesses
STARTS = 3  # of the best places, from which rest points are sought
LONG = 12  # monomials of an equation that is looked at for factors, at most
Meeting = tuple[Step, dict[str, Value]]


@dataclass(frozen=True)
class Refutation:
    """A certified point at which the hypotheses are true and the conclusion is false or undefined.

    ``point`` gives each variable a rational, or a rational interval with the only root of its equation (or the
    value of its defining term) in it; ``undefined`` is the subterm that has no value there.
    """

    step: Step
    point: dict[str, Value]
    undefined: Node | None
    note: str = ""


@dataclass(frozen=True)
class Witness:
    """Certified points at which the hypotheses and the guards of the goal are true (``Statement.owed``); the first."""

    steps: tuple[Step, ...]
    point: dict[str, Value]


_met: dict[Node, tuple[Meeting, int]] = {}  # by what is met; with the work that finding it was


@dataclass
class Tries:
    """Of a branch's points, those at which an integral has no antiderivative: as a rule it has none at others."""

    without_integral: int = 0


@dataclass(frozen=True)
class _Found:
    step: Step
    point: dict[str, Value]
    branch: Branch
    values: dict[str, Node]


def refute(statement: Statement, deadline: float, point: Mapping[str, Node] = NOWHERE,
           stages: int | None = None, given: Sequence[Step] = (), hard: bool = True) -> Refutation | None:
    """A counterexample to the statement, certified; None if none was found before the deadline, by the clock that
    counts work.  A plain violation is preferred to a point at which the conclusion is undefined.

    ``point``: closed terms for some of the variables, which are tried first.
    ``stages``: how many kinds of places to look at, of which simple numbers are the first; all by default.
    ``given``: proofs of universal statements that stand among the hypotheses, from others of them.
    ``hard``: are universal statements to be proved at the points, which takes longer than all else?
    """
    found = _search(statement.refutation, deadline, point, stages, given, hard)
    return None if found is None else _refutation(statement, found)


def refute_by(original: Original, statement: Statement, deadline: float,
              point: Mapping[str, Node] = NOWHERE, given: Sequence[Step] = ()) -> Refutation | None:
    """As ``refute``, where the conclusion fails because a proved statement, which this one was changed from, says
    otherwise (see ``contrast``): that is seen at one point as at another, so that where one is given no other is tried.
    """
    return refute_along(statement, refuting_branches(statement, original, given), deadline, point)


def refute_along(statement: Statement, group: Sequence[Branch], deadline: float,
                 point: Mapping[str, Node] = NOWHERE) -> Refutation | None:
    """As ``refute``, by these branches of the statement's refutation."""
    found = _first(statement.refutation, group, deadline, np.random.default_rng(0), point, 1 if point else None)
    return None if found is None else _refutation(statement, found)


def _refutation(statement: Statement, found: _Found) -> Refutation:
    place = {v: value for v, value in found.point.items() if v in statement.variables}
    inner = {v: value for v, value in found.point.items() if v not in statement.variables}
    note = "with " + ", ".join(f"{v.rstrip(chr(39))} = {_shown(q)}" for v, q in inner.items()) if inner else ""
    subterm = found.branch.undefined
    for v in sorted(free(subterm)) if subterm is not None else ():  # a name that was taken twice carries primes
        subterm = substitute(subterm, v, v.rstrip("'"))
    return Refutation(found.step, place, subterm, note)


def witness(statement: Statement, deadline: float) -> Witness | None:
    """Simple points at which the hypotheses and each guard of the goal hold, certified; None if one was not found."""
    found: list[Meeting] = []
    for formula in statement.owed:
        met = meeting(formula, deadline)
        if met is None:
            return None
        found.append(met)
    return Witness(tuple(step for step, _ in found), found[0][1] if found else {})


def meeting(formula: Node, deadline: float) -> Meeting | None:
    """A proof of the closed formula from a simple point, and the point; None if none was found."""
    if formula in _met:  # statements of one section share their conditions
        met, work = _met[formula]
        spend_again(work)
        return met if spent() <= deadline else None
    started = spent()
    found = _search(formula, deadline)
    if found is None:
        return None
    if len(_met) == KEPT:
        _met.clear()
    _met[formula] = (found.step, found.point), spent() - started
    return _met[formula][0]


def _shown(value: Value) -> str:
    return str(value) if isinstance(value, Fraction) else f"[{value[0]}, {value[1]}]"


def _search(formula: Node, deadline: float, point: Mapping[str, Node] = NOWHERE,
            stages: int | None = None, given: Sequence[Step] = (), hard: bool = True) -> _Found | None:
    rng = np.random.default_rng(0)
    options = [from_given(b, given) for b in branches(formula) if hard or not b.hard]
    now = spent()
    for plain, until in ((True, now + (deadline - now) / 2), (False, deadline)):
        group = [b for b in options if (b.undefined is None) == plain]
        found = _first(formula, group, until, rng, point, stages)
        if found is not None:
            return _of_values(formula, options, found, deadline) or found
    return None


def _of_values(formula: Node, options: Sequence[Branch], found: _Found, deadline: float) -> _Found | None:
    """At the same point, what has no value in the definition of a limit: that is why it does not exist."""
    values = [b for b in options if b.value] if found.branch.undefined is None else []
    place = {v: q for v, q in found.values.items() if not v.endswith("'") and not free(q)}
    return _first(formula, values, deadline, np.random.default_rng(0), place, 1) if values else None


def _first(formula: Node, group: Sequence[Branch], deadline: float, rng: np.random.Generator,
           point: Mapping[str, Node], stages: int | None = None) -> _Found | None:
    """Stage by stage over all branches, so that an easy branch is not kept waiting by a hard one."""
    hunts = [islice(_hunt(formula, b, deadline, rng, point, Tries()), stages) for b in group]
    while hunts:
        left = []
        for hunt in hunts:
            if spent() > deadline:
                return None
            try:
                found = next(hunt)
            except (StopIteration, KernelError, OverflowError):  # finished; a variable would be captured; no floats
                continue
            if found is not None:
                return found
            left.append(hunt)
        hunts = left
    return None


def _hunt(formula: Node, branch: Branch, deadline: float, rng: np.random.Generator,
          point: Mapping[str, Node], tries: Tries) -> Iterator[_Found | None]:
    """Yields None after each stage without success, or what was found."""
    literals = branch.literals
    if any(isinstance(s, tuple) and s[0] == "app" for lit in literals for s in occurring(lit[1])):
        return

    def at_simple(plan: Layout, most: int, *, given: bool = False) -> _Found | None:
        batch = judge(literals, plan, simple_points(plan, rng, most))
        return _certify(formula, branch, plan, batch, deadline, tries, given=given)

    tight = tuple(minus(v, t) for v, t in point.items() if v in branch.variables)
    given = layout(literals, branch.variables, tight) if tight else None
    if given is not None:
        yield at_simple(given, GRID, given=True)
    plan = layout(literals, branch.variables)
    if plan is not None and not branch.variables and not branch.hard:  # floating point may not hold its numbers
        with suppress(NoIntegral):
            yield _at(formula, branch, plan, {}, deadline)
    most = FEWER if any(laborious(lit[1]) for lit in literals) else GRID
    equations = [lit for lit in literals if lit[0] == "="]
    loose = layout([lit for lit in literals if lit not in equations], branch.variables) if equations else None
    # equations that solving them does not meet: zeros without a change of sign, as of a sum of squares; integers
    if loose is not None and (branch.undefined is not None or (loose.whole and (plan is None or plan.terms))):
        yield at_simple(loose, most)
    special = (p for p in _special_layouts(branch) if p != plan and not _contradictory(literals, p))
    if plan is None or _contradictory(literals, plan):
        for p in special:
            yield at_simple(p, most)
        return
    simple = simple_points(plan, rng, most)
    yield _certify(formula, branch, plan, judge(literals, plan, simple), deadline, tries)
    sums = any(isinstance(s, tuple) and s[0] == "sum" for lit in equations for s in occurring(lit[1]))
    if loose is not None and loose.whole and plan.roots and sums:
        yield at_simple(loose, most)  # an identity of sums holds at each point and has no roots
    for lit in [lit for lit in literals if lit[0] == ">=" and free(lit[1])][-6:]:
        edge = layout(literals, branch.variables, (lit[1],))
        if edge is not None and edge != plan:
            yield at_simple(edge, most)
    for p in special:
        yield at_simple(p, most)
    if not plan.chosen:
        return
    second = judge(literals, plan, random_points(plan, rng, most), scored=not branch.hard)
    yield _certify(formula, branch, plan, second, deadline, tries, ties=False)
    if branch.hard or tries.without_integral >= WITHOUT_INTEGRAL:
        return  # what is left is not a matter of numbers
    first = judge(literals, plan, simple, scored=True)
    start = first if first.score.size and first.score.max() >= second.score.max(initial=-9.0) else second
    # but where there is no point at all; or all else holds and only an inequation fails, which has no direction
    best = head(start, STARTS)
    if start.score.size and (start.score.max() <= -1e-12 or all(lit[0] != "!=" for lit in literals)):
        for batch in improve(literals, plan, start, rng):
            best = head(merged(best, batch), STARTS)
            if batch.clear.any():
                yield _certify(formula, branch, plan, batch, deadline, tries, ties=False)
    yield None
    # the last stages: they take SymPy tenths of a second
    starts = [{v: float(best.at[v][i]) for v in plan.chosen} for i in range(best.score.size)]
    for way in (rest_points(literals, plan, starts), ((plan, narrow) for narrow in between_zeros(literals, plan))):
        for there, narrow in way:
            if (found := _at(formula, branch, there, narrow, deadline)) is not None:
                yield found
        yield None


def _special_layouts(branch: Branch) -> Iterator[Layout]:
    """Where each product that is to vanish does so by one of its factors, and where all maxima change their sides."""
    literals = branch.literals
    choices = [[("=", f) for f in _factors(lit[1])] if lit[0] == "=" else [lit] for lit in literals]
    kinks = tuple(dict.fromkeys(minus(s[1], s[2]) for lit in literals for s in occurring(lit[1])
                                if isinstance(s, tuple) and s[0] == "max"))
    several = islice(product(*choices), FACTORED) if any(len(c) > 1 for c in choices) else ()
    for chosen, tight in [*((c, ()) for c in several), *([(literals, kinks)] if len(kinks) in (1, 2, 3) else [])]:
        found = layout(chosen, branch.variables, tight)
        if found is not None:
            yield found


def _factors(term: Node) -> list[Node]:
    """The factors of the term that hold variables, as it is written or over the rationals; the term itself if it is
    no product."""
    if isinstance(term, tuple) and term[0] == "+" and algebraic(term):
        forms = Forms()
        num, den = forms.quotient(term)
        rows = Rational(forms).split(num, den)[1] if len(num) <= LONG else []
        return [poly_term(forms, p) for p, e in rows if e > 0] if len(rows) > 1 else [term]
    whole = [f for f in term[1:] if free(f)] if isinstance(term, tuple) and term[0] == "*" else []
    return [g for f in whole for g in _factors(f)] if len(whole) > 1 else [term]


def _contradictory(literals: Sequence[Node], plan: Layout) -> bool:
    """Does a literal become false about numbers once the equations are solved?"""
    terms = dict(plan.terms)
    for lit in literals:
        value = fold(place(lit[1], terms)) if lit[0] in (">", ">=", "!=") else None
        if isinstance(value, Fraction) and not {">": value > 0, ">=": value >= 0, "!=": value != 0}[lit[0]]:
            return True
    return False


def _certify(formula: Node, branch: Branch, plan: Layout, batch: Batch, deadline: float,
             tries: Tries, *, ties: bool = True, given: bool = False) -> _Found | None:
    """The simplest of the batch's promising points at which the kernel agrees."""
    free_ones = plan.chosen if given else branch.variables
    flags, tied = (_plausible(branch, batch, f, free_ones) for f in (batch.clear, batch.level)) if branch.hard else \
        (batch.clear, batch.level)
    clear = candidates(batch, plan, flags, HARD_TRIES if branch.hard else TRIES)
    level = candidates(batch, plan, tied, LEVEL) if ties else []
    for i, raw in enumerate(clear + level):
        hopeless = tries.without_integral >= WITHOUT_INTEGRAL  # then but one point of each kind of place
        if hopeless and i:
            return None
        smoothed = i < min(SMOOTHED, len(clear)) and not hopeless
        for candidate in [plainer(branch.literals, plan, raw), raw] if smoothed else [raw]:
            if spent() > deadline and (i or not clear):  # what was looked for at length is tried once
                return None
            try:
                found = _at(formula, branch, plan, candidate, deadline)
            except NoIntegral:
                tries.without_integral += 1
                continue
            if found is not None:
                return found
    return None


def _plausible(branch: Branch, batch: Batch, among: Flags, names: Sequence[str]) -> Flags:
    """The points, of a sample among some, at which the universal statements are not seen to fail."""
    flags = np.zeros(among.size, bool)
    sizes = [np.abs(batch.at[v]) for v in names]  # at huge and tiny values a look near an end tells nothing
    middling = ((a <= HUGE) & ((a == 0) | (a >= 1 / HUGE)) for a in sizes)
    places = np.nonzero(np.logical_and.reduce([among, *middling]))[0]
    places = places[:: max(1, places.size // LOOKED_AT)]
    at = {v: np.asarray(a)[places] for v, a in batch.at.items()}
    if places.size:
        flags[places] = np.logical_and.reduce([plausible(h, at) for h in branch.hard])
    return flags


def _at(formula: Node, branch: Branch, plan: Layout, candidate: Candidate, deadline: float) -> _Found | None:
    if improper(branch.plan, candidate, plan.terms):
        return None
    for digits in DIGITS:
        try:
            return _proof(formula, branch, plan, candidate, digits, deadline)
        except NoIntegral:
            raise
        except (Stuck, KernelError):
            if not plan.roots:
                return None
    return None


def _proof(formula: Node, branch: Branch, plan: Layout, candidate: Candidate, digits: int,
           deadline: float) -> _Found:
    """The formula at the candidate: roots isolated, defining terms put in, every literal proved."""
    point = Point(ORDINARY, deadline)
    chosen: dict[str, Node] = {v: q for v, q in candidate.items() if isinstance(q, Fraction)}
    existence: list[tuple[str, Step]] = []
    for v, raw in plan.roots:
        name = v + "''"
        equation = place(substitute(raw, v, name), chosen)
        near = float(candidate[v])
        simple = Fraction(near).limit_denominator(1000)
        close = abs(float(simple) - near) < 1e-9 * max(1.0, abs(near))
        if close and _vanishes(point, substitute(equation, name, simple)):
            chosen[v] = simple
            continue
        existence.append((name, point.root(name, equation, isolate(point, equation, name, near, digits))))
        chosen[v] = name
    values = dict(chosen)
    for v, term in plan.terms:
        values[v] = fold(place(term, chosen))
    for lit in reversed(branch.literals):  # the conclusion's come last and are the likeliest to fail
        point.atom(place(lit, values))
    step = point.prove(formula, branch.plan, values)
    for name, exists in reversed(existence):
        step = apply("ex_elim", exists, name, step)
    return _Found(step, {v: _reported(point, t) for v, t in values.items()}, branch, values)


def _vanishes(point: Point, term: Node) -> bool:
    try:
        point.equal(fold(term))
    except (Stuck, KernelError):
        return False
    return True


def _reported(point: Point, value: Node) -> Value:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        low, high = point.box[value]
        return low, high
    low, high = enclose(value, point.box, 64)
    return (-_short(-low), _short(high)) if low < high else Fraction(low)


def _short(q: Fraction) -> Fraction:
    """A number not below q with 64 digits in base two."""
    unit = Fraction(2) ** (q.numerator.bit_length() - q.denominator.bit_length() - 64)
    return q if q.denominator.bit_length() <= 65 else (q / unit).__ceil__() * unit


__all__ = ["Refutation", "Witness", "meeting", "refute", "refute_along", "refute_by", "witness"]
