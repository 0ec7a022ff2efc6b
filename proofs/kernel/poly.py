"""Normal forms: terms as quotients of polynomials in opaque atoms.

Soundness.  ``Forms.quotient(t)`` = (num, den) satisfies: wherever t is defined, every factor of den is nonzero
and t = num / den, atoms being read as the values of their terms.  By induction on t: sums and products are
formal; u^-n, where defined, has u nonzero, so num(u) is nonzero there and may become a factor of den.  Two
subterms share an atom only if they have the same head and formally equal arguments, so the same value.  Hence if
num = 0 formally, then t = 0 wherever t is defined.

Whole coefficients are kept as ``int``, whose arithmetic is as exact as a Fraction's and many times faster; they are
divided only after they are made Fractions (``inverse``), and ``quotient`` gives Fractions alone.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .terms import Node, integer, require_form, require_limit

Monomial = tuple[tuple[int, int], ...]  # ((atom, exponent > 0), ...), atoms ascending
Poly = dict[Monomial, Any]  # Fraction, or within this module int
Denominator = dict[frozenset[tuple[Monomial, Any]], int]
MAX_TERMS = 6000
MAX_EXPONENT = 200


def whole(q: Fraction) -> Fraction | int:
    return q.numerator if q.denominator == 1 else q


def add_to(out: Poly, m: Monomial, c: Any) -> None:
    total = out.pop(m, 0) + c
    if total:
        out[m] = total


def times(p: Poly, q: Poly) -> Poly:
    require_limit(len(p) * len(q) <= 40 * MAX_TERMS, "product of polynomials too large")
    # No two of the products have the same monomial, and none is zero.  The result may be q itself: none is changed.
    if len(p) == 1 or len(q) == 1:
        return q if p == {(): 1} else {merge(m, n): a * b for m, a in p.items() for n, b in q.items()}
    out: Poly = {}
    for m, a in p.items():
        for n, b in q.items():
            add_to(out, merge(m, n), a * b)
    require_limit(len(out) <= MAX_TERMS, "polynomial too large")
    return out


def merge(m: Monomial, n: Monomial) -> Monomial:
    if not m or not n:
        return m or n
    exponents = dict(m)
    for atom, e in n:
        exponents[atom] = exponents.get(atom, 0) + e
    return tuple(sorted(exponents.items()))


def power(p: Poly, n: int) -> Poly:
    bits = max((c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()), default=0)
    require_limit(n <= MAX_EXPONENT and n * bits <= 100_000, "power too large")
    out: Poly = {(): 1}
    for _ in range(n):
        out = times(out, p)
    return out


class Forms:
    """Normal forms over one table of atoms."""

    def __init__(self) -> None:
        self.atoms: dict[object, int] = {}
        self.names: list[Node] = []  # atom number -> one term that it stands for

    def atom(self, key: object, term: Node) -> Poly:
        number = self.atoms.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(term)
        return {((number, 1),): 1}

    def key(self, term: Node) -> object:
        """Formally equal terms may share a key; terms that share one are formally equal."""
        num, den = self.form(term)
        return frozenset(num.items()), frozenset(den.items())

    def quotient(self, term: Node) -> tuple[Poly, Denominator]:
        num, den = self.form(term)
        return {m: Fraction(c) for m, c in num.items()}, {frozenset((m, Fraction(c)) for m, c in f): e
                                                          for f, e in den.items()}

    def form(self, term: Node) -> tuple[Poly, Denominator]:
        if isinstance(term, str):
            return self.atom(term, term), {}
        if not isinstance(term, tuple):
            return ({(): whole(term)} if term else {}), {}
        head = term[0]
        if head == "+":
            return self.total([self.form(t) for t in term[1:]])
        if head == "*":
            num: Poly = {(): 1}
            den: Denominator = {}
            for t in term[1:]:
                over, under = self.form(t)
                num = times(num, over)
                for factor, e in under.items():
                    den[factor] = den.get(factor, 0) + e
            return num, den
        if head == "^" and integer(term[2]):
            num, den = self.form(term[1])
            n = int(term[2])
            require_limit(abs(n) <= MAX_EXPONENT, "exponent too large")
            if n >= 0:
                return power(num, n), {f: e * n for f, e in den.items()} if n else {}
            return self.inverse(num, den, -n)
        if head in ("sum", "int", "diff"):
            return self.atom(term, term), {}
        if head in ("W", "app"):
            return self.atom((head, term[1], *(self.key(t) for t in term[2:])), term), {}
        return self.atom((head, *(self.key(t) for t in term[1:])), term), {}

    def total(self, parts: list[tuple[Poly, Denominator]]) -> tuple[Poly, Denominator]:
        """A sum over the common denominator."""
        den: Denominator = {}
        for _, d in parts:
            for factor, e in d.items():
                den[factor] = max(den.get(factor, 0), e)
        out: Poly = {}
        for num, d in parts:
            for factor, e in den.items():
                missing = e - d.get(factor, 0)
                if missing and num:
                    num = times(num, power(dict(factor), missing))
            for m, c in num.items():
                add_to(out, m, c)
        return out, den

    def inverse(self, num: Poly, den: Denominator, n: int) -> tuple[Poly, Denominator]:
        """(num / den)^-n: the factors of num move below, each scaled to leading coefficient one."""
        require_form(bool(num), "division by a term that is identically zero")
        top: Poly = {(): 1}
        for factor, e in den.items():
            top = times(top, power(dict(factor), e * n))
        lead = Fraction(num[min(num)])
        scale: Poly = {(): whole(lead ** -n)}
        below: Denominator = {}
        if len(num) == 1:
            for atom, e in next(iter(num)):
                below[frozenset({(((atom, 1),), 1)})] = e * n
        else:
            below[frozenset((m, whole(c / lead)) for m, c in num.items())] = n
        return times(top, scale), below

    def zero(self, term: Node) -> bool:
        """Is the term formally zero (so zero wherever it is defined)?"""
        return not self.form(term)[0]
