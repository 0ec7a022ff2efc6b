"""Operators over laws without an end, at a place: the limit of their partial sums or integrals as a closed term.

From some b on the summand is made of f(y) u^y and f(y) u^y/(y + n)! with y = x - b >= 0, polynomials f, and numbers u:
    sum f(y) u^y        = sum_j (D^j f)(0) u^j/(1 - u)^(j+1), |u| < 1, with differences D
    sum g(z) u^z/z!     = sum_j (D^j g)(0) u^j/j! (exp(u) - sum_{i < n - j} u^i/i!), over z >= n
    int f(y) exp(-s y)  = sum_j f^(j)(0)/s^(j+1), s > 0
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from qtheory.errors import QTheoryError
from qtheory.proofs.kernel.averages import END
from qtheory.proofs.kernel.balls import Interval, enclose
from qtheory.proofs.kernel.grammar import at_large_integers
from qtheory.proofs.kernel.operators import VALUE, tending
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, integer, minus, neg_term, substitute
from qtheory.proofs.plain import term_text
from qtheory.proofs.printer import to_infinity
from qtheory.proofs.signs import counting
from qtheory.proofs.tactics.elimination import fold, linear
from qtheory.proofs.tactics.moments import limit_and_term, shape
from qtheory.testing.exact import carried_out, rational

if TYPE_CHECKING:
    from qtheory.testing.places import Place

STARTS = (0, 1, 2, 4, 8, 16, 32, 64, 128)  # where the summand may begin to have its form
DEGREE = 12  # of a polynomial, at most
BINDERS = ("sum", "int", "diff", "mean")
Y = "y''"  # the distance from there


class UndecidedError(QTheoryError):
    """The enclosures, at every precision tried, neither show the statement at this point nor refute it."""


# ---- what a statement says ----

def unfolded(formula: Node) -> Node:
    """A formula in which that partial sums tend to a value is an equation with the value that there is.

    That value is a node ("mean", (all, b', t), condition..), the limit of t in b'; a further (all, b', u) says that
    there is a limit of u.
    """
    if formula[0] in ("and", "or", "imp"):
        return (formula[0], *map(unfolded, formula[1:]))
    if (said := _said(formula)) is not None:
        return ("=", minus(("mean", _endlessly(said[0])), closed(said[1])))
    if (sums := _bounded(formula)) is not None:
        return ("def", ("mean", _endlessly(sums)))
    if formula[0] == "ex" and formula[2][0] == "and":
        body = unfolded(formula[2])
        for part in _flat(body):
            value = part[1][1] if part[0] == "=" and isinstance(part[1], tuple) and part[1][0] == "+" else ZERO
            if isinstance(value, tuple) and value[0] == "mean" and part[1] == minus(value, formula[1]):
                return substitute(body, formula[1], value)
    if formula[0] in ("all", "ex"):
        return (*formula[:2], unfolded(formula[2]))
    return closed(formula)


def closed(node: Node) -> Node:
    """A term or atom with such nodes for the operators of the kernel."""
    if not isinstance(node, tuple):
        return node
    if node[0] != "mean" or node[1][:2] == ("all", END):
        return tuple(map(closed, node))
    value: list[Node] = []
    conditions: list[Node] = [("def", closed(d)) for d in node[2:]]
    for part in _flat(("and", node[1])):
        if (said := _said(part)) is not None and said[1] == VALUE:
            value.append(_endlessly(said[0]))
        elif said is not None:
            conditions.append(("=", minus(("mean", _endlessly(said[0])), closed(said[1]))))
        elif (sums := _bounded(part)) is not None:
            conditions.append(_endlessly(sums))
        else:
            conditions.append(("def", ("mean", part)))  # which no place decides
    return ("mean", *value, *conditions)


def speaks_of_operators(node: Node) -> bool:
    return isinstance(node, tuple) and (node[0] == "mean" or any(map(speaks_of_operators, node)))


def _endlessly(sums: Node) -> Node:
    return ("all", END, closed(sums))


def _flat(formula: Node) -> Iterator[Node]:
    for part in formula[1:]:
        yield from _flat(part) if part[0] == "and" else (part,)


def _said(formula: Node) -> tuple[Node, Node] | None:
    """(t, v) where the formula says, in just these words, that t tends to v."""
    if formula[0] != "all" or shape(formula) != "tends":
        return None
    said = limit_and_term(formula)
    return said if tending(*said) == formula else None


def _bounded(formula: Node) -> Node | None:
    """The partial sums of which the formula says that they are bounded; their summand is an absolute value."""
    if formula[0] != "ex" or shape(formula) != "bounded":
        return None
    sums = formula[2][2][2][2][1][2][2]
    return sums if formula == ("ex", "c'", at_large_integers(END, (">=", minus("c'", sums)))) else None


def shown(node: Node) -> str:
    """A term or formula to be read, sums and integrals to infinity standing for the values of operators."""
    return term_text(_told(node))


def _told(node: Node) -> Node:
    if not isinstance(node, tuple):
        return node
    if node[0] == "mean":
        return _to_infinity(_told(node[1][2]))
    return tuple(map(_told, node))


def _to_infinity(t: Node) -> Node:
    return tuple(map(_to_infinity, to_infinity(t))) if isinstance(t, tuple) else t


# ---- the limit ----

def mean_value(node: Node, at: Place) -> Node:
    """The value of a "mean" as a closed term; UndecidedError, with the reason, where none is found."""
    _, value, *conditions = node
    if value[:2] != ("all", END):
        raise UndecidedError("an operator of an unknown form")
    for condition in conditions:
        if condition[0] == "all":
            limit_of(condition[2], at)
        elif condition[0] == "=" and rational(at.plain(condition[1])) != 0:
            raise UndecidedError(f"{shown(condition)} is not seen")
        elif condition[0] == "def" and at.enclose(condition[1], 64) is None:
            raise UndecidedError(f"{shown(condition[1])} is not enclosed")
    return limit_of(value[2], at)


def limit_of(term: Node, at: Place) -> Node:
    """The limit of a term in partial sums to b', which are continuous in it."""
    if END not in free(term):
        return term
    head = term[0]
    if head in ("sum", "int") and term[3] == END and END not in free(term[2]) | free(term[4]):
        return _series(term, at)
    if head in ("+", "*", "max") or (head == "^" and integer(term[2]) and term[2] >= 0):
        return (head, *(limit_of(t, at) for t in term[1:]))
    raise UndecidedError("sums to infinity within one another, or functions of them, have no closed form here")


def _series(term: Node, at: Place) -> Node:
    head, x, low, _, body = term
    low = carried_out(at.plain(low))
    if head == "sum" and not (isinstance(low, Fraction) and low.denominator == 1):
        raise UndecidedError(f"the sum's first index {term_text(low)} is not known")
    reason: UndecidedError | None = None
    for start in STARTS:
        begin = fold(("+", low, Fraction(start)))
        try:
            parts = Reader(head == "sum", at, fold(minus(x, begin))).parts(substitute(body, x, fold(("+", Y, begin))))
        except UndecidedError as error:
            reason = reason or error
            continue
        tail = [_total(p, head == "sum", at) for p in parts]
        first: list[Node] = []
        if start:
            first = [(head, x, low, minus(begin, ONE) if head == "sum" else begin, body)]
        return carried_out(("+", ZERO, ZERO, *first, *tail))
    raise UndecidedError(f"the {'sum' if head == 'sum' else 'integral'} to infinity has no closed form here: {reason}")


def without_maxima(term: Node, at: Place) -> Node | None:
    """An integral in pieces, at whose ends maxima of what is linear in x have their kinks; None where none is gone."""
    _, x, *ends, body = term
    low, high = (rational(at.plain(e)) for e in ends)
    inner = [m for m in _maxima(body) if not any(map(_maxima, m[1:]))]
    if not inner or low is None or high is None or low >= high:
        return None
    lines = [line for m in inner if (line := linear(minus(m[1], m[2]), x)) is not None]
    kinks = {rational(at.plain(("*", MINUS, b, ("^", a, MINUS)))) for a, b in lines}
    cuts = [low, *sorted(k for k in kinks if k is not None and low < k < high), high]
    parts = [("int", x, a, b, _chosen(body, x, (a, b), at)) for a, b in pairwise(cuts)]
    return ("+", ZERO, ZERO, *parts) if any(part[4] != body for part in parts) else None


def _maxima(t: Node) -> list[Node]:
    """The maxima of a term outside of its sums and integrals, inner ones first."""
    if not isinstance(t, tuple) or t[0] in BINDERS:
        return []
    return [m for c in t[1:] for m in _maxima(c)] + [t] * (t[0] == "max")


def _chosen(t: Node, x: str, span: Interval, at: Place) -> Node:
    """The term with the larger one, in all of the span, in place of each maximum of which that is shown."""
    if not isinstance(t, tuple) or t[0] in BINDERS:
        return t
    parts = [_chosen(c, x, span, at) for c in t]
    if t[0] == "max":
        gap = at.plain(minus(parts[1], parts[2]))
        with suppress(KernelError):
            low, high = enclose(gap, {**at.box(64, free(gap) - {x}), x: span}, 64)
            if low >= 0 or high <= 0:
                return parts[1 if low >= 0 else 2]
    return tuple(parts)


class Summand(NamedTuple):
    """f(y) u^y, over (y + n)! where an n is given, of a sum; f(y) exp(u y) of an integral."""

    polynomial: tuple[Node, ...]  # coefficients, the constant one first
    rate: Node
    factorial: int | None = None


class Reader:
    """Reads a term in y >= 0 as a sum of summands; every part of it is shown to be defined there."""

    def __init__(self, whole: bool, at: Place, distance: Node) -> None:
        self.whole, self.at, self.distance = whole, at, distance
        self.unit = ONE if whole else ZERO  # the rate of what does not grow

    def _text(self, t: Node) -> str:
        return term_text(fold(substitute(t, Y, self.distance)))

    def parts(self, t: Node) -> list[Summand]:
        found: dict[tuple[Node, int | None], list[Node]] = {}
        for p in self._read(t):
            known = found.setdefault((carried_out(p.rate), p.factorial), [])
            known += [ZERO] * (len(p.polynomial) - len(known))
            for i, c in enumerate(p.polynomial):
                known[i] = carried_out(("+", known[i], c))
        for coefficients in found.values():
            while coefficients and coefficients[-1] == 0:
                coefficients.pop()
        return [Summand(tuple(c), rate, n) for (rate, n), c in found.items() if c]

    def _read(self, t: Node) -> list[Summand]:
        if Y not in free(t):
            if self.at.enclose(t, 64) is None:
                raise UndecidedError(f"{term_text(t)} is not enclosed")
            return [Summand((self.at.plain(t),), self.unit)]
        if t == Y:
            return [Summand((ZERO, ONE), self.unit)]
        head = t[0]
        if head == "+":
            return [p for part in t[1:] for p in self.parts(part)]
        if head == "*":
            if ZERO in t[1:] and all(isinstance(f, Fraction) or self._nonnegative_root(f) for f in t[1:]):
                return []
            return self._product([self.parts(f) for f in t[1:]])
        if head == "^" and (n := self._below_factorial(t)) is not None:
            return [Summand((ONE,), self.unit, n)]
        e = carried_out(t[2]) if head == "^" else ZERO
        if head == "^" and Y not in free(t[2]) and integer(e) and 0 <= e <= DEGREE:
            return self._product([self.parts(t[1])] * int(e)) if e else [Summand((ONE,), self.unit)]
        if head == "^" and Y not in free(t[2]) and isinstance(e, Fraction) and e < 0:
            return self._inverse(t[1], e)
        if head == "^" and Y not in free(t[1]):
            return self._exponential(t[1], *self._line(t[2]))
        if head == "exp":
            slope, rest = self._line(t[1])
            return [Summand((self.at.plain(("exp", rest)),), ("exp", slope) if self.whole else slope)]
        if head == "max":
            return self.parts(t[1] if self._sign(minus(t[1], t[2])) >= 0 else t[2])
        if head == "floor" and self.whole:
            slope, rest = self._line(t[1])
            if integer(slope) and (down := rational(("floor", rest))) is not None:
                return [Summand((down, slope), self.unit)]
        raise UndecidedError(f"no rule for {self._text(t)}")

    def _product(self, factors: Sequence[list[Summand]]) -> list[Summand]:
        out = []
        for chosen in product(*factors):
            polynomial: tuple[Node, ...] = (ONE,)
            for p in chosen:
                polynomial = _times(polynomial, p.polynomial)
            below = [p.factorial for p in chosen if p.factorial is not None]
            if len(below) > 1 or len(polynomial) > DEGREE:
                raise UndecidedError("two factorials, or a high power")
            rate = fold(("*" if self.whole else "+", self.unit, *(p.rate for p in chosen)))
            out.append(Summand(polynomial, rate, below[0] if below else None))
        return out

    def _line(self, t: Node) -> tuple[Node, Node]:
        """(a, b) where the term is a y + b."""
        parts = self.parts(t)
        if any(p.rate != self.unit or p.factorial is not None or len(p.polynomial) > 2 for p in parts):
            raise UndecidedError(f"{self._text(t)} is not linear")
        rest, slope = (*(parts[0].polynomial if parts else ()), ZERO, ZERO)[:2]
        return slope, rest

    def _exponential(self, base: Node, slope: Node, rest: Node) -> list[Summand]:
        base = carried_out(self.at.plain(base))
        if base == 0 and self.whole and integer(slope) and integer(rest) and slope >= 0 and rest >= 1:
            return []
        if self.at.sign(base) != 1:
            raise UndecidedError(f"{term_text(base)} is not seen to be positive")
        return [Summand((("^", base, rest),), ("^", base, slope) if self.whole else ("*", slope, ("log", base)))]

    def _inverse(self, t: Node, exponent: Fraction) -> list[Summand]:
        """A power of what is c u^y."""
        parts = self.parts(t)
        if len(parts) != 1 or len(parts[0].polynomial) != 1 or parts[0].factorial is not None or any(
                self.at.sign(c) != 1 for c in (*parts[0].polynomial, *([parts[0].rate] * self.whole))):
            raise UndecidedError(f"no rule for a power of {self._text(t)}")
        (c,), rate, _ = parts[0]
        return [Summand((("^", c, exponent),), ("^" if self.whole else "*", rate, exponent))]

    def _below_factorial(self, t: Node) -> int | None:
        """The n of 1/(y + n)!"""
        inside = counting(t[1]) if self.whole and t[2] == MINUS and isinstance(t[1], tuple) else None
        if inside is None or inside.name != "factorial":
            return None
        slope, rest = self._line(inside.arguments[0])
        return int(rest) if slope == 1 and integer(rest) and rest >= 0 else None

    def _sign(self, t: Node) -> int:
        """1 or -1 where the term is >= 0, or <= 0, at all y >= 0."""
        parts = self.parts(t)
        signs = {self.at.sign(c) for p in parts for c in p.polynomial} - {0}
        falls = self.whole and any(self.at.sign(p.rate) not in (0, 1) for p in parts)
        if None in signs or len(signs) > 1 or falls:
            raise UndecidedError("a maximum that is not decided")
        return signs.pop() if signs else 1  # type: ignore[return-value]

    def _nonnegative_root(self, t: Node) -> bool:
        """Is it a square root of a sum of summands that are not negative?"""
        return isinstance(t, tuple) and t[0] == "sqrt" and all(
            self.at.sign(c) in (0, 1) for p in self.parts(t[1]) for c in (*p.polynomial, *([p.rate] * self.whole)))


def _times(p: Sequence[Node], q: Sequence[Node]) -> tuple[Node, ...]:
    out: list[Node] = [ZERO] * (len(p) + len(q) - 1)
    for (i, a), (j, b) in product(enumerate(p), enumerate(q)):
        out[i + j] = fold(("+", out[i + j], ("*", a, b)))
    return tuple(out)


def _differences(polynomial: Sequence[Node], at: int = 0) -> list[Node]:
    """The polynomial's differences of every order there."""
    row = [_at(polynomial, Fraction(at + i)) for i in range(len(polynomial))]
    out = []
    while row:
        out.append(row[0])
        row = [fold(minus(b, a)) for a, b in pairwise(row)]
    return out


def _at(polynomial: Sequence[Node], y: Fraction) -> Node:
    return fold(("+", ZERO, ZERO, *(("*", c, y ** i) for i, c in enumerate(polynomial))))


def _total(p: Summand, whole: bool, at: Place) -> Node:
    """What a summand comes to over all y."""
    if not whole:
        speed = neg_term(p.rate)
        if at.sign(speed) != 1:
            raise UndecidedError("an integral without an end that is not seen to fall")
        return ("+", ZERO, ZERO, *(("*", c, Fraction(math.factorial(i)), ("^", speed, Fraction(-i - 1)))
                                   for i, c in enumerate(p.polynomial)))
    if p.factorial is None:
        rest = minus(ONE, p.rate)
        if at.sign(rest) != 1 or at.sign(("+", ONE, p.rate)) != 1:
            raise UndecidedError("a series that is not seen to fall")
        return ("+", ZERO, ZERO, *(("*", d, ("^", p.rate, Fraction(j)), ("^", rest, Fraction(-j - 1)))
                                   for j, d in enumerate(_differences(p.polynomial))))
    return _over_factorials(p, p.factorial, at)


def _over_factorials(p: Summand, n: int, at: Place) -> Node:
    """sum f(y) u^y/(y + n)! = u^-n sum g(z) u^z/z! over z >= n, where g(z) = f(z - n)."""
    u = p.rate
    if at.sign(u) == 0:
        return ("*", p.polynomial[0], Fraction(1, math.factorial(n)))
    if at.sign(u) is None:
        raise UndecidedError(f"{term_text(u)} is not seen to differ from 0")
    out: list[Node] = [ZERO, ZERO]
    for j, d in enumerate(_differences(p.polynomial, -n)):
        head = [("*", Fraction(1, math.factorial(i)), ("^", u, Fraction(i))) for i in range(n - j)]
        out.append(("*", d, Fraction(1, math.factorial(j)), ("^", u, Fraction(j - n)),
                    ("+", ("exp", u), *map(neg_term, head)) if head else ("exp", u)))
    return ("+", *out)


__all__ = ["UndecidedError", "closed", "mean_value", "shown", "speaks_of_operators", "unfolded", "without_maxima"]
