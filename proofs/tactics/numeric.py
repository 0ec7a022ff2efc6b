"""Floating-point evaluation and sampling: a quick look before a proof is tried. Nothing rests on it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from qtheory.proofs.kernel.terms import Node, free, minus
from qtheory.proofs.tactics.compiled import Place, Value, carried_out, compared, compiled, rough, sized
from qtheory.proofs.tactics.effort import spend, spend_again, spent

Test = Callable[[Place, bool], bool]
# Whether a formula holds clearly: for a comparison, which counts as one value, in one call and, where that gives an
# error, in another; its variables.
_Clear = tuple[Callable[[Place], bool], Callable[[Place], bool] | None, frozenset[str]]
_SPECIAL = (0.5, 1.0, 2.0, 0.1, 0.9, 1e-3, 0.999, 3.0, 10.0, 100.0, -0.5, -1.0, -2.0, 0.0)

_WHOLE = (0, 1, 2, 3, 4, 5, 7, 10, 50, -1, 64, 100, 1000)
PATIENCE = 60  # tries for a first point
TINY = 1e-290  # floats next to it have all their digits
SMALL = 1e-90  # a product of some numbers below this may lie below every float
LOW = 30  # no power up to this of a number that is sampled lies below every float
_NO_VALUE = (ValueError, ZeroDivisionError, OverflowError, KeyError, TypeError)


def evaluate(term: Node, at: Place) -> float:
    """The value of the term, nan where it is undefined or not evaluated."""
    return _guarded(compiled(term), at)


def _guarded(value: Value, at: Place) -> float:
    spend("value")
    try:
        return value(at)
    except _NO_VALUE:
        return math.nan


def holds(formula: Node, at: Place, *, clearly: bool = False) -> bool:
    """Is the quantifier-free formula true at the point, up to rounding?  ``clearly``: inequalities by more than
    that, and with a value.  Atoms that are not evaluated count as true."""
    return _test(formula)(at, clearly)


def holds_at(formula: Node, points: Iterable[Place]) -> bool:
    """Is it true at each of the points, as ``holds`` sees it?"""
    test = _test(formula)
    return all(test(p, False) for p in points)


@lru_cache(maxsize=20_000)
def _test(formula: Node) -> Test:
    head = formula[0]
    if head in ("and", "or"):
        tests, every = [_test(f) for f in formula[1:]], all if head == "and" else any
        return lambda at, clearly: every(t(at, clearly) for t in tests)
    if head not in (">", ">=", "=", "!=", "isint"):
        return lambda at, clearly: True
    computed = cache(lambda: (compiled(formula[1]), _judge(formula)))  # only where there is a point

    def at_point(at: Place, clearly: bool) -> bool:
        value, judge = computed()
        return judge(_guarded(value, at), at, clearly)

    return at_point


@lru_cache(maxsize=20_000)
def _judge(formula: Node) -> Callable[[float, Place, bool], bool]:
    """Whether a comparison is true, as ``holds`` sees it, by the value of its term."""
    head, term = formula
    margin = _margin(term)
    size_at = cache(lambda: sized(carried_out(term) or term))

    def size(at: Place) -> float:
        try:
            return size_at()(at)
        except _NO_VALUE:
            return 1.0

    def judge(value: float, at: Place, clearly: bool) -> bool:
        if math.isnan(value):
            return not clearly
        if head == "isint":
            return abs(value - round(value)) < 1e-9
        if (head == "!=" and not clearly) or (head == ">=" and value >= 0) or (head == "=" and value == 0):
            return True
        if head == ">" and clearly != (value > 0):
            return value > 0
        near = margin * size(at)  # only now: it costs as much as the value
        if near < TINY and not clearly and _underflows(term, at):
            near = TINY
        if head == ">":
            return value > (near if clearly else -near)
        if head == ">=":
            return value >= -near
        return abs(value) <= near if head == "=" else abs(value) > near

    return judge


def _underflows(term: Node, at: Place) -> bool:
    """Is a part of it no zero and yet next to the least float, or below it, as ``exp(-1000)``?  Then what is next to 0
    may be all rounding."""
    return any(abs(evaluate(s, at)) < SMALL for s in _falling(term) if s[0] == "exp" or evaluate(s[1], at) != 0)


@lru_cache(maxsize=5_000)
def _falling(term: Node) -> tuple[tuple[Any, ...], ...]:
    """The exponentials and the powers in it that may be so small."""
    if not isinstance(term, tuple):
        return ()
    high = term[0] == "^" and not (isinstance(term[2], Fraction) and abs(term[2]) <= LOW)
    own = (term,) if term[0] == "exp" or high else ()
    return sum((_falling(part) for part in term[1:]), own)


def _margin(term: Node) -> float:
    return 1e-3 if rough(term) else 1e-9


@lru_cache(maxsize=20_000)
def _clearly(formula: Node) -> _Clear:
    used = free(formula)
    if formula[0] not in (">", ">=", "=", "!="):
        test = _test(formula)
        return lambda at: test(at, True), None, used
    head, term = formula

    def otherwise(at: Place) -> bool:
        try:
            return _judge(formula)(compiled(term)(at), at, True)
        except _NO_VALUE:
            return False

    return compared(head, term, _margin(term)), otherwise, used


def laborious(node: Node) -> bool:
    """Does it hold an integral, whose values are sums themselves?"""
    return isinstance(node, tuple) and (node[0] == "int" or any(map(laborious, node[1:])))


def samples(conditions: Sequence[Node], variables: Iterable[str], count: int = 24, seed: int = 0,
            solved: Sequence[tuple[str, Node]] = ()) -> list[Place]:
    """Points at which the conditions hold, found by random search, one variable after the other.

    ``solved``: variables whose values the equations among the conditions give from the others.
    """
    started = spent()
    names = tuple(sorted(set(variables) - {v for v, _ in solved}))
    found, work = _samples(tuple(conditions), names, count, seed, tuple(solved))
    spend_again(work - (spent() - started))
    return [dict(point) for point in found]


@lru_cache(maxsize=5_000)  # the lemmas of a claim, and its neighbours, speak of the same conditions
def _samples(conditions: tuple[Node, ...], names: tuple[str, ...], count: int, seed: int,
             solved: tuple[tuple[str, Node], ...]) -> tuple[list[Place], int]:
    """The points, and the work that it took to find them."""
    started = spent()
    return _sampled(conditions, names, count, random.Random(seed), solved), spent() - started


def _sampled(conditions: Sequence[Node], names: Sequence[str], count: int, rng: random.Random,
             solved: Sequence[tuple[str, Node]]) -> list[Place]:
    if not names:
        return [{}] if all(holds(c, {}, clearly=True) for c in conditions) else []
    whole = {c[1] for c in conditions if c[0] == "isint"} | {
        v for v in names if ("=", minus(("floor", v), v)) in conditions}
    tests = [_clearly(c) for c in sorted(conditions, key=laborious)]  # the quick ones first
    relevant = {name: [test for test in tests if name in test[2]] for name in names}
    found: list[Place] = []
    for tries in range(count * 12):
        if tries > PATIENCE and not found:
            break
        point: Place = {}
        for name in rng.sample(names, len(names)):
            value = _pick(name, point, relevant[name], name in whole, rng)
            if value is None:
                break
            point[name] = value
        else:
            for v, value in reversed(solved):
                point[v] = evaluate(value, point)
            if solved and not all(holds(c, point, clearly=True) for c in conditions):
                continue
            found.append(point)
            if len(found) == count:
                break
    return found


def _pick(name: str, point: Place, relevant: list[_Clear], whole: bool, rng: random.Random) -> float | None:
    """A value for the variable that breaks none of the conditions which it completes; ``relevant`` speak of it."""
    known, trial = point.keys() | {name}, dict(point)
    tests = [(test, otherwise) for test, otherwise, used in relevant if used <= known]
    others = list(point.values())
    ends = [0.0, 1.0, *others]
    choice, share, bits, done = rng.choice, rng.random, rng.getrandbits, 0
    for attempt in range(30):
        if whole:
            value = float(choice(_WHOLE))
        elif attempt < 3:
            value = choice(_SPECIAL)
        else:
            while (sign := bits(3)) > 3:  # one of four, as ``choice`` does it: most of the time would go there
                pass
            place = share()
            if attempt > 10 and others:  # between two known values: conditions such as x < z < y are met by chance only
                a, b = choice(others), choice(ends)
                value = a + (b - a) * share()
            else:
                value = (-1 if sign == 3 else 1) * math.exp(-4 + (7 if attempt % 2 else 4) * place)
        trial[name] = value
        for test, otherwise in tests:
            if otherwise is None:
                if test(trial):
                    continue
                break
            done += 1
            try:
                if not test(trial):
                    break
            except _NO_VALUE:
                if not otherwise(trial):
                    break
        else:
            spend("value", done)
            return value
    spend("value", done)
    return None
