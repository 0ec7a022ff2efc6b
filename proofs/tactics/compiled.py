"""Terms as functions of floating-point numbers, written out in Python's source: the same term is evaluated at thousands
of points, and reading it at each would take many times longer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.tactics.effort import spend

Place = dict[str, float]
Value = Callable[[Place], float]


@lru_cache(maxsize=20_000)
def compiled(term: Node) -> Value:
    """The value of the term at a point; nan or an error where it has none."""
    body = _Body("at")
    return body.function(body.value(term))


@lru_cache(maxsize=20_000)
def sized(term: Node) -> Value:
    """The size that the term would have if its sums did not cancel: its rounding error is a small part of that."""
    body = _Body("at")
    return body.function(body.size(term))


@lru_cache(maxsize=20_000)
def compared(relation: str, term: Node, share: float) -> Callable[[Place], bool]:
    """Is the comparison of the term with 0 true by more than this share of its size, an equation up to that?  An error
    where the term or its size has no value."""
    body = _Body("at")
    value = body.value(term)
    early = {">": f"if not {value} > 0: return False", ">=": f"if {value} >= 0: return True",
             "=": f"if {value} == 0: return True"}
    body.lines += [early[relation]] if relation in early else []  # the size costs as much as the value
    near = f"{share!r} * {body.size(carried_out(term) or term)}"
    function: Callable[[Place], Any] = body.function(
        {">": f"{value} > {near}", ">=": f"{value} >= -({near})", "=": f"abs({value}) <= {near}",
         "!=": f"abs({value}) > {near}"}[relation])
    return function


@lru_cache(maxsize=20_000)
def rough(term: Node) -> bool:
    """Does the term hold an operation that is evaluated with few digits: an integral, W near its branch point?"""
    return isinstance(term, tuple) and (term[0] in ("int", "W") or (term[0] == "diff" and carried_out(term) is None)
                                        or any(rough(c) for c in term[1:]))


@lru_cache(maxsize=2_000)
def carried_out(term: Node) -> Node | None:
    """The derivative as a term, where it can be written as one."""
    try:
        return undiff(term)[0]
    except KernelError:
        return None


class _Body:
    """The body of a function of a point: one line for each operation, equal subterms computed once."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.lines: list[str] = []
        self.places: dict[Node, str] = {}  # of values
        self.sizes: dict[Node, str] = {}

    def function(self, result: str) -> Value:
        made: dict[str, Any] = {}
        exec("\n".join([f"def value({self.at}):", *(f" {line}" for line in self.lines), f" return {result}"]),
             _NAMES, made)
        value: Value = made["value"]
        return value

    def put(self, expression: str) -> str:
        name = f"{self.at}_{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name

    def value(self, t: Node) -> str:
        """The name or the literal that stands for the value."""
        if not isinstance(t, str | tuple):
            return _literal(t) or self.put("huge()")  # an error only where it is computed
        if t not in self.places:
            self.places[t] = self.put(self.expression(t))
        return self.places[t]

    def expression(self, t: Node) -> str:
        if isinstance(t, str):
            return f"{self.at}[{t!r}]"
        head = t[0]
        if head == "+":
            return _sum(map(self.value, t[1:]))
        if head == "*":
            return " * ".join(map(self.value, t[1:]))
        if head == "^" and isinstance(t[2], Fraction) and t[2].denominator == 1:
            return f"{self.value(t[1])} ** {t[2].numerator:#x}"  # decimals may not be of any length
        if head in FUNCTIONS:
            function = FUNCTIONS[head]
            given = [*map(self.value, function.arguments(t)), *map(str, function.parameters(t))]
            return f"{function.word}({', '.join(given)})"
        if head in ("sum", "int"):
            return f"{head}_({self.inner(t[4])}, {self.at}, {t[1]!r}, {self.value(t[2])}, {self.value(t[3])})"
        if head == "diff":
            plain = carried_out(t)
            if plain is not None:
                return self.value(plain)
            if not rough(t[2]):
                return f"difference({self.inner(t[2])}, {self.at}, {t[1]!r}, {self.value(t[3])})"
        return "nan"

    def inner(self, t: Node) -> str:
        """The name of a function for what is evaluated at other points."""
        inner = _Body(self.at + "_")
        result = inner.value(t)
        name = f"f{len(self.lines)}{inner.at}"
        self.lines += [f"def {name}({inner.at}):", *(f" {line}" for line in inner.lines), f" return {result}"]
        return name

    def size(self, t: Node) -> str:
        if t not in self.sizes:
            self.sizes[t] = self.put(self.size_expression(t))
        return self.sizes[t]

    def size_expression(self, t: Node) -> str:
        if isinstance(t, tuple) and t[0] == "+":
            return _sum(map(self.size, t[1:]))
        if isinstance(t, tuple) and t[0] == "*":
            return " * ".join(map(self.size, t[1:]))
        if isinstance(t, tuple) and t[0] == "^" and isinstance(t[2], Fraction) and t[2] > 0:
            return f"float({self.size(t[1])} ** {_literal(t[2]) or 'huge()'})"
        return f"abs({self.value(t)})"


def _literal(q: Fraction) -> str | None:
    """None for a number that is too large."""
    try:
        return f"({float(q)!r})"
    except OverflowError:
        return None


def _sum(parts: Iterable[str]) -> str:
    return f"fsum(({', '.join(parts)},))"


# ---- what the functions call ----

def _huge() -> float:
    raise OverflowError("a number that is too large")


def _summed(body: Value, at: Place, index: str, low: float, high: float) -> float:
    finite = math.isfinite(low) and math.isfinite(high)
    if not finite or low != int(low) or high != int(high) or high < low - 1 or high - low > 5000:
        return math.nan
    there = {**at, index: low - 1}

    def summand(i: int) -> float:
        there[index] = float(i)
        return body(there)

    try:
        return math.fsum(map(summand, range(int(low), int(high) + 1)))
    finally:  # the first summand that has no value ends it; five plain ones cost what one long one does
        spend("summand", int(there[index] - low) // 5 + 1)


def _integrated(body: Value, at: Place, x: str, a: float, b: float) -> float:
    """The integral by two of Simpson's rules, nan where they differ."""
    spend("quadrature")
    there = dict(at)

    def integrand(v: float) -> float:
        there[x] = v
        return body(there)

    coarse, fine = (_simpson(integrand, a, b, n) for n in (50, 64))
    return fine if abs(fine - coarse) <= 1e-5 * abs(fine) else math.nan


def _simpson(f: Callable[[float], float], a: float, b: float, n: int) -> float:
    h = (b - a) / n
    return h / 3 * math.fsum((1 if i in (0, n) else 4 if i % 2 else 2) * f(a + i * h) for i in range(n + 1))


def _difference(function: Value, at: Place, x: str, middle: float, h: float = 1e-5) -> float:
    return (function({**at, x: middle + h}) - function({**at, x: middle - h})) / (2 * h)


_NAMES: dict[str, Any] = {**{f.word: f.real for f in FUNCTIONS.values()},
                          "fsum": math.fsum, "nan": math.nan, "huge": _huge,
                          "sum_": _summed, "int_": _integrated, "difference": _difference,
                          "__builtins__": {"abs": abs, "float": float}}

__all__ = ["Place", "Value", "carried_out", "compared", "compiled", "rough", "sized"]
