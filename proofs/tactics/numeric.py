"""Floating-point evaluation and sampling: a quick look before a proof is tried. Nothing rests on it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

from scipy.special import lambertw

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import KernelError, Node, free, minus
from qtheory.proofs.tactics.effort import spend

Point = dict[str, float]
Value = Callable[[Point], float]
Test = Callable[[Point, bool], bool]
_SPECIAL = (0.5, 1.0, 2.0, 0.1, 0.9, 1e-3, 0.999, 3.0, 10.0, 100.0, -0.5, -1.0, -2.0, 0.0)

_WHOLE = (0, 1, 2, 3, 4, 5, 7, 10, 50, -1, 64, 100, 1000)
PATIENCE = 60  # tries for a first point


def evaluate(term: Node, at: Point) -> float:
    """The value of the term, nan where it is undefined or not evaluated."""
    return _guarded(_compiled(term), at)


def _guarded(value: Value, at: Point) -> float:
    spend("value")
    try:
        return value(at)
    except (ValueError, ZeroDivisionError, OverflowError, KeyError, TypeError):
        return math.nan


def _compiled(t: Node) -> Value:
    """The term as a function of the point: many times faster than reading the term at each point."""
    if isinstance(t, str):
        return itemgetter(t)
    if not isinstance(t, tuple):
        return _constant(t)
    head = t[0]
    if head == "+":
        parts = [_compiled(c) for c in t[1:]]
        return lambda at: math.fsum([p(at) for p in parts])
    if head == "*":
        first, *rest = [_compiled(c) for c in t[1:]]
        return lambda at: _product(first, rest, at)
    if head == "^":
        return _compiled_power(_compiled(t[1]), t[2])
    if head in _FUNCTIONS:
        function, arguments = _FUNCTIONS[head], [_compiled(c) for c in t[1:]]
        if len(arguments) == 1:
            argument, = arguments
            return lambda at: function(argument(at))
        return lambda at: function(*[a(at) for a in arguments])
    if head == "W":
        return _lambert(_compiled(t[2]), t[1])
    if head in ("sum", "int"):
        compute = _summed if head == "sum" else _integrated
        return compute(t[1], _compiled(t[2]), _compiled(t[3]), _compiled(t[4]))
    if head == "diff":
        plain = _carried_out(t)
        if plain is not None:
            return _compiled(plain)
        if not _rough(t[2]):
            return _difference(t[1], _compiled(t[2]), _compiled(t[3]))
    return lambda at: math.nan


def _constant(q: Fraction) -> Value:
    try:
        value = float(q)
    except OverflowError:
        return lambda at: float(q)  # where it is needed, that it is too large is found there
    return lambda at: value


def _product(first: Value, rest: Sequence[Value], at: Point) -> float:
    out = first(at)
    for p in rest:
        out *= p(at)
    return out


def _compiled_power(base: Value, exponent: Node) -> Value:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = exponent.numerator
        return lambda at: base(at) ** n
    power = _compiled(exponent)
    return lambda at: _power(base(at), power(at))


def _lambert(argument: Value, branch: int) -> Value:
    def value(at: Point) -> float:
        u = argument(at)
        w = lambertw(u, branch)
        return float(w.real) if abs(w.imag) < 1e-12 and abs(u) > 1e-300 else math.nan

    return value


def _summed(index: str, start: Value, end: Value, body: Value) -> Value:
    def value(at: Point) -> float:
        low, high = start(at), end(at)
        if low != int(low) or high != int(high) or high < low - 1 or high - low > 5000:
            return math.nan
        return math.fsum([body({**at, index: float(i)}) for i in range(int(low), int(high) + 1)])

    return value


def _integrated(x: str, start: Value, end: Value, body: Value) -> Value:
    return lambda at: _integral(lambda v: body({**at, x: v}), start(at), end(at))


def _difference(x: str, function: Value, place: Value, h: float = 1e-5) -> Value:
    def value(at: Point) -> float:
        middle = place(at)
        return (function({**at, x: middle + h}) - function({**at, x: middle - h})) / (2 * h)

    return value


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
    compiled, sized = _compiled(term), _sized(plain)

    def size(at: Point) -> float:
        try:
            return sized(at)
        except (ValueError, ZeroDivisionError, OverflowError, KeyError, TypeError):
            return 1.0

    def test(at: Point, clearly: bool) -> bool:
        value = _guarded(compiled, at)
        if math.isnan(value):
            return not clearly
        if head == "isint":
            return abs(value - round(value)) < 1e-9
        if (head == "!=" and not clearly) or (head == ">=" and value >= 0) or (head == "=" and value == 0):
            return True
        if head == ">" and clearly != (value > 0):
            return value > 0
        near = margin * size(at)  # only now: it costs as much as the value
        if head == ">":
            return value > (near if clearly else -near)
        if head == ">=":
            return value >= -near
        return abs(value) <= near if head == "=" else abs(value) > near

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


def _sized(t: Node) -> Value:
    """The size that the term would have if its sums did not cancel: its rounding error is a small part of that."""
    if isinstance(t, tuple) and t[0] in ("+", "*"):
        sizes, joined = [_sized(c) for c in t[1:]], math.fsum if t[0] == "+" else math.prod
        return lambda at: joined([s(at) for s in sizes])
    if isinstance(t, tuple) and t[0] == "^" and isinstance(t[2], Fraction) and t[2] > 0:
        base, exponent = _sized(t[1]), float(t[2])
        return lambda at: float(base(at) ** exponent)
    value = _compiled(t)
    return lambda at: abs(value(at))


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
    tests = [(_test(c), free(c)) for c in sorted(conditions, key=laborious)]  # the quick ones first
    relevant = {name: [(test, used) for test, used in tests if name in used] for name in names}
    found: list[Point] = []
    for tries in range(count * 12):
        if tries > PATIENCE and not found:
            break
        point: Point = {}
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


def _pick(name: str, point: Point, relevant: list[tuple[Test, frozenset[str]]], whole: bool,
          rng: random.Random) -> float | None:
    """A value for the variable that breaks none of the conditions which it completes; ``relevant`` speak of it."""
    known, trial = point.keys() | {name}, dict(point)
    tests = [test for test, used in relevant if used <= known]
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
        trial[name] = value
        for test in tests:
            if not test(trial, True):
                break
        else:
            return value
    return None
