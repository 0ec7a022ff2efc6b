"""Quotients of polynomials over the atoms of a term, reduced and in factors; what comes of it the kernel checks."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

from qtheory.proofs.kernel.poly import Forms, Poly
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.signed import poly_term, summands


class Rational:
    """Reduced quotients of polynomials over the atoms of a table."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        names = [f"a{i}" for i in range(max(1, len(forms.names)))]
        self.ring = fmpq_mpoly_ctx.get(names, "degrevlex")

    def poly(self, p: Poly) -> Any:
        n = self.ring.nvars()
        out: dict[tuple[int, ...], fmpq] = {}
        for m, c in p.items():
            key = [0] * n
            for atom, e in m:
                key[atom] = e
            out[tuple(key)] = fmpq(c.numerator, c.denominator)
        return self.ring.from_dict(out)

    def back(self, p: Any) -> Poly:
        return {tuple((i, int(e)) for i, e in enumerate(key) if e): Fraction(int(c.p), int(c.q))
                for key, c in p.to_dict().items()}

    def reduced(self, num: Poly, den: dict) -> tuple[Any, Any]:
        """Numerator and denominator without common factor."""
        top, below = self.poly(num), self.ring.from_dict({(0,) * self.ring.nvars(): fmpq(1)})
        for factor, e in den.items():
            below *= self.poly(dict(factor)) ** e
        common = top.gcd(below) if num else below
        return (top // common, below // common) if num else (top, below // common)

    def factors(self, p: Any) -> tuple[Fraction, list[tuple[Poly, int]]]:
        content, parts = p.factor()
        return Fraction(int(content.p), int(content.q)), [(self.back(f), int(e)) for f, e in parts]

    def split(self, num: Poly, den: dict) -> tuple[Fraction, list[tuple[Poly, int]]]:
        """The quotient as a number times powers of irreducible polynomials."""
        top, below = self.reduced(num, den)
        content, above = self.factors(top)
        size, under = self.factors(below)
        return content / size, above + [(p, -e) for p, e in under]


def share_of(term: Node, other: Node) -> Node | None:
    """What ``other`` is to be multiplied with to give the term, if its numerator divides the term's."""
    forms = Forms()
    (num, den), (top, below) = forms.quotient(term), forms.quotient(other)
    rational = Rational(forms)
    share, rest = divmod(rational.poly(num), rational.poly(top)) if top else (0, 1)
    if rest != 0:
        return None
    factors = [("^", poly_term(forms, dict(p)), Fraction(e * sign)) for q, sign in ((below, 1), (den, -1))
               for p, e in q.items()]
    return ("*", poly_term(forms, rational.back(share)), *factors) if factors else poly_term(
        forms, rational.back(share))


def shortest(term: Node) -> Node:
    """The shorter of: the whole over one denominator, and the summands over theirs."""
    whole = reduce_term(term)
    pieces = summands(term)
    if len(pieces) < 2 or len(pieces) > 60:
        return whole
    groups: dict[Node, list[Node]] = {}
    for piece in pieces:
        piece = reduce_term(piece)
        forms = Forms()
        _, den = forms.quotient(piece)
        key = frozenset((poly_term(forms, dict(f)), e) for f, e in den.items())
        groups.setdefault(key, []).append(piece)
    parts = [reduce_term(("+", *g) if len(g) > 1 else g[0]) for g in groups.values()]
    parts = [p for p in parts if p != 0]
    split = Fraction(0) if not parts else parts[0] if len(parts) == 1 else ("+", *parts)
    return split if _size(split) < _size(whole) else whole


def _size(term: Node) -> int:
    return 1 + sum(_size(c) for c in term[1:]) if isinstance(term, tuple) else 1


def reduce_term(term: Node) -> Node:
    """The term as a polynomial over factors, without common factor, in a standard order."""
    spend("form")
    return _reduced(term)


@lru_cache(maxsize=5_000)  # a search reduces the terms of one goal again and again, under ever more facts
def _reduced(term: Node) -> Node:
    forms = Forms()
    num, den = forms.quotient(term)
    rational = Rational(forms)
    top, below = rational.reduced(num, den)
    content, rows = rational.factors(below)
    high, lower = rational.back(top), []
    for p, e in rows:
        lead = p[min(p)]
        content *= lead**e
        lower.append(("^", poly_term(forms, {m: c / lead for m, c in p.items()}), Fraction(-e)))
    upper = poly_term(forms, {m: c / content for m, c in high.items()})
    if not lower:
        return upper
    pieces = lower if upper == 1 else [upper, *lower]
    return pieces[0] if len(pieces) == 1 else ("*", *pieces)
