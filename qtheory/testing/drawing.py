"""Cases of a theorem for hypothesis: points that meet its hypotheses, the plainest first, and moves away from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qtheory.errors import InputError
from qtheory.proofs.kernel.terms import Node, free
from qtheory.proofs.tactics.elimination import Layout, layout
from qtheory.proofs.tactics.points import candidates, improve, judge, pool, random_points, simple_points
from qtheory.testing.asserting import NOTHING, Case, Question, Using
from qtheory.testing.claims import Part
from qtheory.testing.errors import BrokenHypothesesError, NoFiniteCasesError
from qtheory.testing.places import Place, UndecidedError
from qtheory.testing.truth import ATOMS, conjuncts, truth

GRID, KEPT = 600, 60  # points looked at, and kept, of each of the two kinds
EDGES = tuple(Fraction(1, 10**k) for k in range(1, 13))  # distances from a variable's ends
MOVES = 2  # variables that one case moves away from its point at most
Values = dict[str, Fraction]


def cases(id: str, /, using: Using = NOTHING) -> SearchStrategy[Case]:
    """Cases that meet the hypotheses of the claim; with ``using``, values that floats hold exactly.

    They shrink to the plainest points: small whole numbers and simple fractions.  Raises what ``assert_theorem``
    raises for a claim that is refuted, not proved, or about no single case; NoFiniteCasesError also where no point
    that meets the hypotheses is found.
    """
    question = Question(id, using)
    parts = [n for n in question.parts if not question.own or question.reached(question.theorem.parts[n])]
    if not parts:
        raise InputError(f"{id}: no value of {', '.join(sorted(question.using))} occurs at a case")
    pools = {number: _points(question, number) for number in parts}
    pools = {number: points for number, points in pools.items() if points}
    if not pools:
        raise NoFiniteCasesError(f"{id!r}: no point that meets its hypotheses was found")
    return _drawn(question, pools)


@st.composite
def _drawn(draw: DrawFn, question: Question, pools: Mapping[int, Sequence[Values]]) -> Case:
    number = draw(st.sampled_from(sorted(pools)))
    part = question.theorem.parts[number]
    point = draw(st.sampled_from(pools[number]))
    moved = dict(point)
    for _ in range(draw(st.integers(0, MOVES)) if point else 0):
        name = draw(st.sampled_from(sorted(point)))
        moved[name] = draw(_values(question, part, name))
    for values in [moved, point] if moved != point and _possible(question, part, moved) else [point]:
        given = question.given({v: q for v, q in values.items() if v not in question.using})
        try:
            return question.case(number, question.places(part, given))
        except (BrokenHypothesesError, UndecidedError):
            continue  # what floating point took for a case is none
    reject()


def _possible(question: Question, part: Part, values: Values) -> bool:
    """Do the conditions on these values alone hold?  They include one for each variable that a function supplies."""
    at = Place(values)
    return all(truth(f, at) for f in _atoms(question.literals(part)) if free(f) <= values.keys())


def _values(question: Question, part: Part, name: str) -> SearchStrategy[Fraction]:
    """Values of a variable within its own bounds, the plain ones first, the next to the ends last."""
    plan = layout([f for f in _atoms(question.literals(part)) if f[0] != "="], [name])
    assert plan is not None  # without equations there is nothing to contradict
    low, high = (side.get(name, (None, True))[0] for side in (plan.low, plan.high))
    plain = st.sampled_from(pool(name, plan))
    if name in plan.whole:
        return plain | st.integers(int(low) if low is not None else -100, 500).map(Fraction)
    near = [low + e * ((high - low) if high is not None else 1) for e in EDGES] if low is not None else []
    near += [high - e * ((high - low) if low is not None else 1) for e in EDGES] if high is not None else []
    wide = st.fractions(low, high, max_denominator=1000) if high is not None and low is not None else \
        st.integers(1, 9999).flatmap(lambda m: st.integers(-9, 3).map(lambda e: Fraction(m) * Fraction(10) ** e))
    return plain | wide | st.sampled_from(near or pool(name, plan))


def _atoms(literals: Iterable[Node]) -> list[Node]:
    return [f for lit in literals for f in conjuncts(lit) if f[0] in ATOMS]


def _points(question: Question, number: int) -> list[Values]:
    """Points of the chosen variables at which the part's conditions hold in floating point, the plainest first.

    A variable that a function supplies has a value too: one shows that the function can find one.
    """
    part = question.theorem.parts[number]
    literals = [f for f in _atoms(question.literals(part)) if free(f)]
    fixed = {o.name for o in question.asked(part) if any(f[0] == "=" and o.name in free(f) for f in literals)}
    literals = [f for f in literals if not free(f) & fixed]
    plan = layout(literals, sorted(question.needed(part) - fixed))
    if plan is None:
        return []
    if not plan.chosen:
        return [{}]
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        plain = judge(literals, plan, simple_points(plan, rng, GRID))
        odd = judge(literals, plan, random_points(plan, rng, GRID))
        found = _kept(plan, [plain, odd])
        if len(found) < KEPT // 2:
            start = plain if plain.score.size and plain.score.max() >= odd.score.max(initial=-9.0) else odd
            found += _kept(plan, list(improve(literals, plan, start, rng))) if start.score.size else []
    unique = {tuple(p.items()): p for p in found}
    return list(unique.values())


def _kept(plan: Layout, batches: Sequence[Any]) -> list[Values]:
    out = []
    for batch in batches:
        for point in candidates(batch, plan, batch.clear, KEPT):
            out.append({v: q for v, q in point.items() if isinstance(q, Fraction)})
    return out


__all__ = ["cases"]
