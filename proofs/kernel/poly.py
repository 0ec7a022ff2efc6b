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
from functools import lru_cache
from typing import Any

from .terms import Node, integer, require_form, require_limit

Monomial = tuple[tuple[int, int], ...]  # ((atom, exponent > 0), ...), atoms ascending
Poly = dict[Monomial, Any]  # Fraction, or within this module int
Denominator = dict[frozenset[tuple[Monomial, Any]], int]
Form = tuple[Poly, Denominator]
UNIT: Poly = {(): 1}  # to compare with: it is handed to nobody
MAX_TERMS, MAX_EXPONENT = 6000, 200


def whole(q: Fraction) -> Fraction | int:
    return q.numerator if q.denominator == 1 else q


def add_to(out: Poly, m: Monomial, c: Any) -> None:
    """Add c, which is not zero, to the coefficient of m."""
    total = out.pop(m) + c if m in out else c
    if total:
        out[m] = total


def times(p: Poly, q: Poly) -> Poly:
    require_limit(len(p) * len(q) <= 40 * MAX_TERMS, "product of polynomials too large")
    # No two of the products have the same monomial, and none is zero.  The result may be q itself: none is changed.
    if len(p) == 1 or len(q) == 1:
        return q if p == UNIT else {merge(m, n): a * b for m, a in p.items() for n, b in q.items()}
    out: Poly = {}
    for m, a in p.items():
        for n, b in q.items():
            add_to(out, merge(m, n), a * b)
    require_limit(len(out) <= MAX_TERMS, "polynomial too large")
    return out


@lru_cache(maxsize=100_000)
def merge(m: Monomial, n: Monomial) -> Monomial:
    if len(m) + len(n) > 40:  # many long ones would fill the memory
        merge.cache_clear()
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
    """Normal forms over one table of atoms, the small ones kept: terms share their parts."""

    def __init__(self) -> None:
        self.atoms: dict[object, int] = {}
        self.names: list[Node] = []  # atom number -> one term that it stands for
        # By the identity of the term, which stands beside its form: so no other can come to have this identity.
        self.kept: dict[int, tuple[Node, Form]] = {}

    def atom(self, key: object, term: Node) -> Form:
        number = self.atoms.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(term)
        return {((number, 1),): 1}, {}

    def key(self, term: Node) -> object:
        """Formally equal terms may share a key; terms that share one are formally equal."""
        num, den = self.form(term)
        return frozenset(num.items()), frozenset(den.items())

    def quotient(self, term: Node) -> Form:
        num, den = self.form(term)
        return {m: Fraction(c) for m, c in num.items()}, {frozenset((m, Fraction(c)) for m, c in f): e
                                                          for f, e in den.items()}

    def form(self, term: Node) -> Form:
        """(num, den), which nobody may change."""
        known = self.kept.get(id(term))
        if known is None:
            known = term, self.composed(term)
            # Only those of at most some 150,000 bits: many larger ones would fill the memory.
            if len(known[1][0]) <= 200 and sum([500 * len(m) + c.numerator.bit_length() + c.denominator.bit_length()
                                                for m, c in known[1][0].items()]) <= 150_000:
                self.kept[id(term)] = known
        return known[1]

    def composed(self, term: Node) -> Form:
        if not isinstance(term, tuple | str):
            return ({(): whole(term)} if term else {}), {}
        if isinstance(term, str) or term[0] in ("sum", "int", "diff"):
            return self.atom(term, term)
        head = term[0]
        if head == "+":
            return self.total([self.form(t) for t in term[1:]])
        if head == "*":
            num, den = self.form(term[1])
            for over, under in [self.form(t) for t in term[2:]]:
                num = times(num, over)
                den = {f: den.get(f, 0) + under.get(f, 0) for f in den | under} if under else den
            return num, den
        if head == "^" and integer(term[2]):
            (num, den), n = self.form(term[1]), int(term[2])
            require_limit(abs(n) <= MAX_EXPONENT, "exponent too large")
            if n >= 0:
                return power(num, n), {f: e * n for f, e in den.items()} if n else {}
            return self.inverse(num, den, -n)
        first = 2 if head in ("W", "app") else 1
        return self.atom((*term[:first], *(self.key(t) for t in term[first:])), term)

    def total(self, parts: list[Form]) -> Form:
        """A sum over the common denominator."""
        den: Denominator = {}
        for _, d in parts:
            for factor, e in d.items():
                den[factor] = max(den.get(factor, 0), e)
        out: Poly = {}
        for num, d in parts:
            if d != den and num:
                for factor, e in den.items():
                    if e > d.get(factor, 0):
                        num = times(num, power(dict(factor), e - d.get(factor, 0)))
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
        if len(num) == 1:
            below: Denominator = {frozenset({(((atom, 1),), 1)}): e * n for atom, e in next(iter(num))}
        else:
            below = {frozenset((m, whole(c / lead)) for m, c in num.items()): n}
        return times(top, {(): whole(lead ** -n)}), below

    def zero(self, term: Node) -> bool:
        """Is the term formally zero (so zero wherever it is defined)?"""
        return not self.form(term)[0]
