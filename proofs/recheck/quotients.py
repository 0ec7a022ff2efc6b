"""Terms as quotients of FLINT polynomials over the rationals, in indeterminates for what is no sum, product or power.

Where a term is defined, the denominator of its quotient is nonzero and the term equals the quotient.  Two subterms
share an indeterminate only if they are the same operation on arguments whose quotients are equal as rational
functions (compared in lowest terms), hence of equal value wherever both are defined.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from .errors import RecheckError, demand
from .graph import Node

Quotient = tuple[fmpq_mpoly, fmpq_mpoly]
MAX_POWER = 200
MAX_TERMS = 20_000
MAX_PAIRS = 2_000_000
MAX_COEFFICIENT_BITS = 2_000_000
OPAQUE = ("sum", "int", "diff", "var")  # compared as they stand


def _indeterminates(terms: Iterable[Node]) -> int:
    """How many indeterminates the terms may need."""
    seen: set[Node] = set()
    stack, count = list(terms), 0
    while stack:
        t = stack.pop()
        if t in seen:
            continue
        seen.add(t)
        if not _algebraic(t):
            count += 1
        if t.op not in OPAQUE:
            stack.extend(t.kids)
    return count


def _algebraic(t: Node) -> bool:
    return t.op in ("num", "+", "*") or (t.op == "^" and t.kids[1].whole is not None)


class Field:
    """The field of quotients for some terms."""

    def __init__(self, terms: Iterable[Node]) -> None:
        wanted, room = _indeterminates(terms), 4
        while room < wanted:
            room *= 2
        self.context = fmpq_mpoly_ctx.get([f"a{i}" for i in range(room)], Ordering.degrevlex)
        self.one = self.context.constant(1)
        self.nothing = self.context.constant(0)
        self.places: dict[Any, int] = {}
        self.terms: list[Node] = []  # indeterminate -> the first term that it stood for
        self.done: dict[Node, Quotient] = {}

    def times(self, p: fmpq_mpoly, q: fmpq_mpoly) -> fmpq_mpoly:
        demand(len(p) * len(q) <= MAX_PAIRS, "limit: a product of polynomials")
        demand(self.bits(p) + self.bits(q) <= MAX_COEFFICIENT_BITS, "limit: a coefficient")
        result = p * q
        demand(len(result) <= MAX_TERMS, "limit: a polynomial")
        return result

    @staticmethod
    def bits(p: fmpq_mpoly) -> int:
        if len(p) == 0:
            return 0
        c = p.leading_coefficient()
        return int(c.p.bit_length()) + int(c.q.bit_length())

    def raised(self, p: fmpq_mpoly, n: int) -> fmpq_mpoly:
        result = self.one
        for _ in range(n):
            result = self.times(result, p)
        return result

    def quotient(self, term: Node) -> Quotient:
        if term not in self.done:
            self.done[term] = self._quotient(term)
        return self.done[term]

    def _quotient(self, t: Node) -> Quotient:
        if t.op == "num":
            return self.context.constant(t.value), self.one
        if t.op == "+":
            return self.total(map(self.quotient, t.kids))
        if t.op == "*":
            return self.product(map(self.quotient, t.kids))
        if t.op == "^" and t.kids[1].whole is not None:
            return self.to_power(self.quotient(t.kids[0]), t.kids[1].whole)
        key = t if t.op in OPAQUE else (t.op, t.tag, *map(self.reduced, t.kids))
        place = self.places.setdefault(key, len(self.terms))
        if place == len(self.terms):
            self.terms.append(t)
        return self.context.gen(place), self.one

    def total(self, parts: Iterable[Quotient]) -> Quotient:
        top, bottom = self.nothing, self.one
        for p, q in parts:
            if q == bottom:
                top = top + p
            else:
                common = bottom.gcd(q)
                mine, theirs = q / common, bottom / common
                top = self.times(top, mine) + self.times(p, theirs)
                bottom = self.times(bottom, mine)
            demand(len(top) <= MAX_TERMS, "limit: a polynomial")
        return top, bottom

    def product(self, parts: Iterable[Quotient]) -> Quotient:
        top, bottom = self.one, self.one
        for p, q in parts:
            top, bottom = self.times(top, p), self.times(bottom, q)
        return top, bottom

    def to_power(self, base: Quotient, n: int) -> Quotient:
        demand(abs(n) <= MAX_POWER, "limit: an exponent")
        top, bottom = base
        if n < 0:
            demand(not top.is_zero(), "a division by what is identically zero")
            top, bottom = bottom, top
        return self.raised(top, abs(n)), self.raised(bottom, abs(n))

    def reduced(self, term: Node) -> tuple[Any, Any]:
        """The quotient in lowest terms with a monic denominator, as a hashable key."""
        top, bottom = self.quotient(term)
        common = top.gcd(bottom)
        top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        return _key(top / lead), _key(bottom / lead)


def _key(p: fmpq_mpoly) -> frozenset[Any]:
    return frozenset((m, (int(c.p), int(c.q))) for m, c in p.to_dict().items())


def vanishes(term: Node) -> bool:
    """Is the term zero as a rational function of its indeterminates?"""
    return bool(Field([term]).quotient(term)[0].is_zero())


def integral(term: Node, integers: Iterable[Node]) -> None:
    """Demand that the term is a polynomial with integer coefficients in indeterminates among the integers."""
    known = list(integers)
    field = Field([term, *known])
    whole = {field.reduced(t) for t in known}
    top, bottom = field.quotient(term)
    demand(bool(bottom.is_constant()), "integral_polynomial: a quotient")
    top = top / bottom.leading_coefficient()
    for exponents, coefficient in top.to_dict().items():
        demand(fmpq(coefficient).q == 1, "integral_polynomial: a coefficient that is no integer")
        for place, exponent in enumerate(exponents):
            if exponent and field.reduced(field.terms[place]) not in whole:
                raise RecheckError("integral_polynomial: an indeterminate that may be no integer")
