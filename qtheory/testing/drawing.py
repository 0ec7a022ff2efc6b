"""Cases of a theorem for hypothesis: points that meet its hypotheses, the plainest first, and moves away from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qtheory.errors import InputError, QTheoryError
from qtheory.proofs.kernel.terms import Node, free
from qtheory.proofs.notation import sides
from qtheory.proofs.tactics.elimination import Layout, layout
from qtheory.proofs.tactics.points import Batch, complexity, exact, improve, judge, pool, random_points, simple_points
from qtheory.testing.asserting import NOTHING, Case, Question, Using
from qtheory.testing.claims import Conjecture, Part
from qtheory.testing.collecting import RAISED, asked_for, put_off
from qtheory.testing.errors import BrokenHypothesesError, NoFiniteCasesError, TheoremFailedError
from qtheory.testing.places import Place
from qtheory.testing.series import UndecidedError, speaks_of_operators
from qtheory.testing.telling import slowly
from qtheory.testing.truth import ATOMS, conjuncts, truth

GRID, PLAIN, KEPT = 600, 20, 60  # points looked at, on a grid and at random, and kept of each
EDGES = tuple(Fraction(1, 10**k) for k in range(1, 10))  # distances from a variable's ends
TRIED = 8  # points at which a case is looked for before any is drawn
NEAR = (1e-4, 1e-2, 0.1)  # shares of the way to where the conditions end, from one point
STEPS, ROUNDS = 33, 8  # of a search for that end: it is known to twelve digits of the way
DIGITS = 3  # of the distance from that end
MOVES = 2  # variables, on average, that a case moves away from its point
Values = dict[str, Fraction]


@partial(asked_for, lambda error: _failing(error))
def cases(id: str | Conjecture, /, using: Using = NOTHING) -> SearchStrategy[Case]:
    """Cases that meet the hypotheses of the claim; with ``using``, values that floats hold exactly.

    They shrink to the plainest points: small whole numbers and simple fractions.  Points at which the enclosures do
    not decide the conclusion are not drawn.  Raises what ``assert_theorem`` raises for a claim that is refuted, not
    proved, or about no single case; NoFiniteCasesError also where no point that meets the hypotheses is found, and
    UndecidedError where the enclosures decide nothing at the plainest of those that are.  In a module that pytest
    collects, outside of its tests, that is the failure of the test that draws the cases, or of an item of its own.
    """
    __tracebackhide__ = True  # a test shows its own line and the message
    try:
        return drawn(Question(id, using))
    except QTheoryError as error:
        if not put_off(f"cases({str(id)!r})", error):
            raise error.with_traceback(None) from error.__cause__
        return _failing(error)


def drawn(question: Question) -> SearchStrategy[Case]:
    """The cases of a question."""
    return source_of(question).cases()


def source_of(question: Question) -> Source:
    """Where the question's cases are drawn from."""
    with slowly(f"looking for cases of {question.theorem.id}"):
        return _source(question)


def _failing(error: QTheoryError) -> SearchStrategy[Case]:
    """A strategy that raises the error when a test checks it, which is before anything is drawn."""

    def raises() -> SearchStrategy[Case]:
        __tracebackhide__ = True
        setattr(error, RAISED, True)
        raise error.with_traceback(None) from None

    return st.deferred(raises)


class Source:
    """Where cases are drawn from; shown by the claim's name, since hypothesis shows a strategy's arguments."""

    def __init__(self, question: Question, pools: Mapping[int, Sequence[Values]],
                 ends: Mapping[int, Sequence[Values]]) -> None:
        self.question, self.pools, self.ends = question, pools, ends

    def __repr__(self) -> str:
        return repr(self.question.theorem.id)

    def cases(self) -> SearchStrategy[Case]:
        return _drawn(self)

    def at_ends(self, most: int) -> list[Case]:
        """The cases next to where the conditions end, the closest first."""
        rows = [[(n, point) for point in points] for n, points in self.ends.items()]
        places = [place for some in zip_longest(*rows) for place in some if place]
        found = (_case(self.question, number, point) for number, point in places[:most])
        return [case for case in found if case is not None]


def _source(question: Question) -> Source:
    name = question.theorem.id
    parts = [n for n in question.parts if not question.own or question.reached(question.theorem.parts[n])]
    if never := sorted(question.using.difference(*(question.reached(question.theorem.parts[n]) for n in parts))):
        raise InputError(f"{name}: no value of {', '.join(never)} occurs at a case")
    pools = {number: _points(question, number) for number in parts}
    met = {number: points for number, points in pools.items() if points}
    if not met:
        raise NoFiniteCasesError(f"{name!r}: no point that meets its hypotheses was found")
    useful = {number: points for number, points in met.items() if _decidable(question, number, points)}
    blind = [p for n in met.keys() - useful.keys() if speaks_of_operators((p := question.theorem.parts[n]).conclusion)]
    if blind or not useful:
        first = f", as {min(question.undecided)}" if question.undecided else ""
        raise UndecidedError(f"{name!r}: the enclosures decide its conclusion at none of the first points{first}")
    return Source(question, useful, {number: _ends(question, number, useful[number][0]) for number in useful})


def _decidable(question: Question, number: int, points: Sequence[Values]) -> bool:
    """Is there a case among the plainest points?  An implementation that fails there does so when it is drawn."""
    try:
        return any(_case(question, number, point) is not None for point in points[:TRIED])
    except TheoremFailedError:
        return True


def _case(question: Question, number: int, point: Values) -> Case | None:
    """The case at the point; None where it is none, or where nothing is decided."""
    part = question.theorem.parts[number]
    try:
        given = question.given({v: q for v, q in point.items() if v not in question.using})
        places = question.places(part, given)
    except (BrokenHypothesesError, UndecidedError):
        return None  # what floating point took for a case is none
    for place in places:
        if question.said(part, place) is None:
            question.undecided.add(f"{part} at {question.text(place)}{place.reason}")
            return None
    return question.case(number, places)


@st.composite
def _drawn(draw: DrawFn, source: Source) -> Case:
    """A point of the pool in which a few variables have a value of their own.

    The numbers that hypothesis makes smaller stand for plainer values, and the point's own value is the last.  Few
    numbers stand for the same thing, since hypothesis takes what they make for cases of their own.
    """
    question = source.question
    number = draw(st.sampled_from(sorted(source.pools)))
    part, points, ends = question.theorem.parts[number], source.pools[number], source.ends[number]
    names = sorted(points[0])
    leaving = [name for name in names if draw(st.integers(0, max(1, len(names) // MOVES))) == 0]
    moved = {name: draw(st.sampled_from(_values(question, part, name))) for name in leaving}
    if len(moved) < len(names):  # else each point would make the same case
        rows = [row for row in (points[::2], points[1::2], ends) if row]
        row = rows[draw(st.integers(0, len(rows) - 1))]
        moved = {**row[draw(st.integers(0, len(row) - 1))], **moved}
    case = _case(question, number, moved) if not leaving or _possible(question, part, moved) else None
    if case is None:
        reject()
    return case


def _values(question: Question, part: Part, name: str) -> list[Fraction]:
    """Values of a variable within its own bounds, the plain ones first, those next to the ends last."""
    plan = layout([f for f in _atoms(question.literals(part)) if f[0] != "="], [name])
    assert plan is not None  # without equations there is nothing to contradict
    if name in plan.whole:
        return list(pool(name, plan))
    low, high = (side.get(name, (None, True))[0] for side in (plan.low, plan.high))
    span = high - low if low is not None and high is not None else Fraction(1)
    near = [low + e * span for e in EDGES] if low is not None else []
    near += [high - e * span for e in EDGES] if high is not None else []
    return list(dict.fromkeys([*sorted(pool(name, plan), key=complexity), *near]))


def _possible(question: Question, part: Part, values: Values) -> bool:
    """Do the conditions on these values alone hold?  They include one for each variable that a function supplies."""
    at = Place(values)
    return all(truth(f, at) for f in _atoms(question.literals(part)) if free(f) <= values.keys())


def _atoms(literals: Iterable[Node]) -> list[Node]:
    return [f for lit in literals for f in conjuncts(lit) if f[0] in ATOMS]


def _points(question: Question, number: int) -> list[Values]:
    """Points of the chosen variables at which the part's conditions hold in floating point, the plainest first.

    A variable that a function supplies has a value too: one shows that the function can find one.
    """
    part = question.theorem.parts[number]
    literals = [f for f in _atoms(question.literals(part)) if free(f)]
    fixed = {v for f in literals if speaks_of_operators(f) and (v := _alone(f)) is not None}
    fixed |= {o.name for o in question.asked(part) if any(f[0] == "=" and o.name in free(f) for f in literals)}
    literals = [f for f in literals if not free(f) & fixed and not speaks_of_operators(f)]
    plan = layout(literals, sorted(question.needed(part) - fixed))
    if plan is None:
        return []
    if not plan.chosen:
        return [{}]
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        plain = judge(literals, plan, simple_points(plan, rng, GRID))
        odd = judge(literals, plan, random_points(plan, rng, GRID))
        found = _kept(plan, plain, PLAIN)
        found += _kept(plan, judge(literals, plan, _neighbours(plan, found[0])), 10 * KEPT) if found else []
        found += _kept(plan, odd, KEPT)
        if not found:
            start = plain if plain.score.size and plain.score.max() >= odd.score.max(initial=-9.0) else odd
            batches = improve(literals, plan, start, rng) if start.score.size else ()
            found = [point for batch in batches for point in _kept(plan, batch, KEPT)]
    unique = {tuple(p.items()): p for p in found}
    return list(unique.values())


def _alone(equation: Node) -> str | None:
    """The variable that an equation equates to a term without it."""
    if equation[0] != "=" or equation[1][0] != "+":
        return None
    _, left, right = sides(equation)
    pairs = (left, right), (right, left)
    return next((v for v, t in pairs if isinstance(v, str) and v not in free(t)), None)


def _ends(question: Question, number: int, point: Values) -> list[Values]:
    """Points close to where the conditions end, in one variable each: what is wrong at heavy traffic alone shows there.

    The closest come first, before them those at a number that is itself allowed.
    From the point towards 1,000 times the variable, and towards none of it, the last place at which they hold in
    floating point is looked for; it is no end where they hold all the way.
    """
    literals = [f for f in _atoms(question.literals(question.theorem.parts[number])) if free(f)]
    literals = [f for f in literals if free(f) <= point.keys()]
    plan = layout(literals, sorted(point))
    if plan is None or set(plan.chosen) != set(point):
        return []
    closed = [{**point, name: end} for name in plan.chosen for side in (plan.low, plan.high)
              for end, strict in [side.get(name, (None, True))] if end is not None and not strict]
    found = []
    with np.errstate(all="ignore"):
        for name in sorted(set(plan.chosen) - plan.whole):
            start = float(point[name])
            for far in (start * 1000 + (start == 0), 0.0 if start else -1.0):
                low, high = 0.0, 1.0
                for _ in range(ROUNDS):
                    shares = np.linspace(low, high, STEPS)
                    at = {v: np.full(STEPS, float(q)) for v, q in point.items()}
                    at[name] = start + (far - start) * shares
                    broken = np.nonzero(~judge(literals, plan, at).clear)[0]
                    if not broken.size or not broken[0]:
                        break
                    low, high = float(shares[broken[0] - 1]), float(shares[broken[0]])
                else:
                    found.append([{**point, name: _before(start, start + (far - start) * high, e)} for e in NEAR])
    return [*closed, *(moved for some in zip(*found, strict=True) for moved in some)]


def _before(start: float, end: float, share: float) -> Fraction:
    """The number from which this share of the way is left to the end."""
    gap = abs(end - start) * share
    unit = Fraction(10) ** (math.floor(math.log10(gap)) + 1 - DIGITS) if gap else Fraction(1)
    place = exact(end + (start - end) * share)
    return round(place / unit) * unit if gap else place


def _neighbours(plan: Layout, point: Values) -> dict[str, Any]:
    """The points that differ from this one in one variable, which has one of its plain values."""
    rows = [{**point, v: q} for v in plan.chosen for q in pool(v, plan)]
    return {v: np.array([float(row[v]) for row in rows]) for v in plan.chosen}


def _kept(plan: Layout, batch: Batch, count: int) -> list[Values]:
    """The plainest of the batch's points at which the conditions clearly hold."""
    places = np.nonzero(batch.clear)[0]
    points = [{v: exact(float(batch.at[v][i])) for v in plan.chosen} for i in places]
    return sorted(points, key=lambda p: sum(map(complexity, p.values())))[:count]


__all__ = ["cases", "drawn"]
