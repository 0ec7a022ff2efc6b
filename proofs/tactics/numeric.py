"""Floating-point evaluation and sampling: a quick look before a proof is tried. Nothing rests on it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from scipy.special import lambertw

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import KernelError, Node, free, minus
from qtheory.proofs.tactics.effort import spend

Point = dict[str, float]
Test = Callable[["Point", bool], bool]
_SPECIAL = (0.5, 1.0, 2.0, 0.1, 0.9, 1e-3, 0.999, 3.0, 10.0, 100.0, -0.5, -1.0, -2.0, 0.0)

_WHOLE = (0, 1, 2, 3, 4, 5, 7, 10, 50, -1, 64, 100, 1000)
PATIENCE = 60  # tries for a first point


def evaluate(term: Node, at: Point) -> float:
    """The value of the term, nan where it is undefined or not evaluated."""
    spend("value")
    try:
        return _value(term, at)
    except (ValueError, ZeroDivisionError, OverflowError, KeyError, TypeError):
        return math.nan


def _value(t: Node, at: Point) -> float:
    if isinstance(t, Fraction):
        return float(t)
    if isinstance(t, str):
        return at[t]
    head = t[0]
    if head == "+":
        return math.fsum(_value(c, at) for c in t[1:])
    if head == "*":
        out = 1.0
        for c in t[1:]:
            out *= _value(c, at)
        return out
    if head == "^":
        return _power(_value(t[1], at), _value(t[2], at))
    if head in _FUNCTIONS:
        return _FUNCTIONS[head](*(_value(c, at) for c in t[1:]))
    if head == "W":
        u = _value(t[2], at)
        w = lambertw(u, t[1])
        return float(w.real) if abs(w.imag) < 1e-12 and abs(u) > 1e-300 else math.nan
    if head == "sum":
        low, high = _value(t[2], at), _value(t[3], at)
        if low != int(low) or high != int(high) or high < low - 1 or high - low > 5000:
            return math.nan
        return math.fsum(_value(t[4], {**at, t[1]: float(i)}) for i in range(int(low), int(high) + 1))
    if head == "int":
        return _integral(lambda x: _value(t[4], {**at, t[1]: x}), _value(t[2], at), _value(t[3], at))
    if head == "diff":
        plain = _carried_out(t)
        if plain is not None:
            return _value(plain, at)
        if _rough(t[2]):
            return math.nan
        x, h = _value(t[3], at), 1e-5
        return (_value(t[2], {**at, t[1]: x + h}) - _value(t[2], {**at, t[1]: x - h})) / (2 * h)
    return math.nan


def _power(a: float, b: float) -> float:
    if b == int(b):
        return a ** int(b)
    if a < 0 or (a == 0 and b < 0):
        return math.nan
    return float(a**b)


def _integral(f: Callable[[float], float], a: float, b: float) -> float:
    """The integral by two of Simpson's rules, nan where they differ."""
    spend("quadrature")
    coarse, fine = (_simpson(f, a, b, n) for n in (50, 64))
    return fine if abs(fine - coarse) <= 1e-5 * abs(fine) else math.nan


def _simpson(f: Callable[[float], float], a: float, b: float, n: int) -> float:
    h = (b - a) / n
    return h / 3 * math.fsum((1 if i in (0, n) else 4 if i % 2 else 2) * f(a + i * h) for i in range(n + 1))


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "max": max, "floor": lambda v: float(math.floor(v)),
}


def holds(formula: Node, at: Point, *, clearly: bool = False) -> bool:
    """Is the quantifier-free formula true at the point, up to rounding?  ``clearly``: inequalities by more than
    that, and with a value.  Atoms that are not evaluated count as true."""
    return _test(formula)(at, clearly)


@lru_cache(maxsize=20_000)
def _test(formula: Node) -> Test:
    head = formula[0]
    if head in ("and", "or"):
        tests, every = [_test(f) for f in formula[1:]], all if head == "and" else any
        return lambda at, clearly: every(t(at, clearly) for t in tests)
    if head not in (">", ">=", "=", "!=", "isint"):
        return lambda at, clearly: True
    term = formula[1]
    plain, margin = _carried_out(term) or term, 1e-3 if _rough(term) else 1e-9

    def size(at: Point) -> float:
        try:
            return _size(plain, at)
        except (ValueError, ZeroDivisionError, OverflowError, KeyError, TypeError):
            return 1.0

    def test(at: Point, clearly: bool) -> bool:
        value = evaluate(term, at)
        if math.isnan(value):
            return not clearly
        if head == "isint":
            return abs(value - round(value)) < 1e-9
        if (head == "!=" and not clearly) or (head == ">=" and value >= 0) or (head == "=" and value == 0):
            return True
        if head == ">" and clearly != (value > 0):
            return value > 0
        near = margin * size(at)  # only now: it costs as much as the value
        return {">": value > (near if clearly else -near), ">=": value >= -near, "=": abs(value) <= near,
                "!=": abs(value) > near}[head]

    return test


@lru_cache(maxsize=20_000)
def _rough(term: Node) -> bool:
    """Does the term hold an operation that is evaluated with few digits: an integral, W near its branch point?"""
    return isinstance(term, tuple) and (term[0] in ("int", "W") or (term[0] == "diff" and _carried_out(term) is None)
                                        or any(_rough(c) for c in term[1:]))


@lru_cache(maxsize=2_000)
def _carried_out(term: Node) -> Node | None:
    """The derivative as a term, where it can be written as one."""
    try:
        return undiff(term)[0]
    except KernelError:
        return None


def _size(t: Node, at: Point) -> float:
    """The size that the term would have if its sums did not cancel: its rounding error is a small part of that."""
    if isinstance(t, tuple) and t[0] in ("+", "*"):
        sizes = [_size(c, at) for c in t[1:]]
        return math.fsum(sizes) if t[0] == "+" else math.prod(sizes)
    if isinstance(t, tuple) and t[0] == "^" and isinstance(t[2], Fraction) and t[2] > 0:
        return float(_size(t[1], at) ** float(t[2]))
    return abs(_value(t, at))


def laborious(node: Node) -> bool:
    """Does it hold an integral, whose values are sums themselves?"""
    return isinstance(node, tuple) and (node[0] == "int" or any(map(laborious, node[1:])))


def samples(conditions: Sequence[Node], variables: Iterable[str], count: int = 24, seed: int = 0,
            solved: Sequence[tuple[str, Node]] = ()) -> list[Point]:
    """Points at which the conditions hold, found by random search, one variable after the other.

    ``solved``: variables whose values the equations among the conditions give from the others.
    """
    rng = random.Random(seed)
    names = sorted(set(variables) - {v for v, _ in solved})
    if not names:
        return [{}] if all(holds(c, {}, clearly=True) for c in conditions) else []
    whole = {c[1] for c in conditions if c[0] == "isint"} | {
        v for v in names if ("=", minus(("floor", v), v)) in conditions}
    relevant = [(_test(c), free(c)) for c in sorted(conditions, key=laborious)]  # the quick ones first
    found: list[Point] = []
    for tries in range(count * 12):
        if tries > PATIENCE and not found:
            break
        point: Point = {}
        for name in rng.sample(names, len(names)):
            value = _pick(name, point, relevant, name in whole, rng)
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


def _pick(name: str, point: Point, relevant: list[tuple[Test, frozenset[str]]], whole: bool,
          rng: random.Random) -> float | None:
    """A value for the variable that breaks none of the conditions which it completes."""
    known = point.keys() | {name}
    tests = [test for test, used in relevant if name in used and used <= known]
    for attempt in range(30):
        if whole:
            value = float(rng.choice(_WHOLE))
        elif attempt < 3:
            value = rng.choice(_SPECIAL)
        else:
            value = rng.choice((1, 1, 1, -1)) * math.exp(rng.uniform(-4, 3 if attempt % 2 else 0))
        # between two known values: conditions such as x < z < y are met by chance only
        if attempt > 10 and len(point) >= 1 and not whole:
            a, b = rng.choice(list(point.values())), rng.choice([0.0, 1.0, *point.values()])
            value = a + (b - a) * rng.random()
        trial = {**point, name: value}
        if all(test(trial, True) for test in tests):
            return value
    return None
