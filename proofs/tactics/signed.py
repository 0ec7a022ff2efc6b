"""Polynomials with a known sign: their products, and where their monomials stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from qtheory.proofs.kernel.poly import Denominator, Form, Forms, Monomial, Poly
from qtheory.proofs.kernel.terms import ONE, Node
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.monomials import Packed, below_bar, exponents_below, packed, quotients, split, unpacked

Powers = tuple[tuple[int, int], ...]
UNIT: Packed = {0: 1}
MAX_PRODUCT = 20_000


def times(p: Packed, q: Packed) -> Packed:
    if len(p) * len(q) > MAX_PRODUCT:
        raise Stuck("a product of facts is too large")
    if len(p) == 1 or len(q) == 1:
        if p == UNIT or q == UNIT:
            return q if p == UNIT else p
        single, other = (p, q) if len(p) == 1 else (q, p)
        (n, b), = single.items()
        if b == 1:  # most often: a multiplication of fractions costs more than all the rest
            return {m + n: a for m, a in other.items()}
        return {m + n: a * b for m, a in other.items()}
    out: Packed = {}
    for m, a in p.items():
        for n, b in q.items():
            out[m + n] = out.get(m + n, 0) + a * b
    return {m: c for m, c in out.items() if c}


@dataclass(slots=True)
class PolyFact:
    """A polynomial with known sign: scale * product of facts to powers (* squares)."""

    poly: Packed  # the monomials with what is below them, as in ``Table.separated``, or without
    relation: str
    powers: Powers  # a fact may stand more than once: ``finish`` gathers
    scale: Fraction | int = 1
    squares: tuple[Node, ...] = ()
    multiplier: Node = ONE

    def poly_atom(self) -> int | None:
        """The atom that the fact says to be positive (nonnegative), if it is that simple."""
        if len(self.poly) == 1:
            (number, c), = self.poly.items()
            m = unpacked(number)
            if len(m) == 1 and m[0][1] == 1 and c > 0:
                return m[0][0]
        return None

    def times(self, other: PolyFact) -> PolyFact:
        relation = "=" if "=" in (self.relation, other.relation) else \
            ">" if self.relation == other.relation == ">" else ">="
        return PolyFact(times(self.poly, other.poly), relation, self.powers + other.powers, self.scale * other.scale,
                        self.squares + other.squares)


NO_FACT = PolyFact(UNIT, ">", ())


def joined(a: Powers, b: Powers) -> Powers:
    powers: dict[int, int] = {}
    for i, e in (*a, *b):
        powers[i] = powers.get(i, 0) + e
    return tuple((i, e) for i, e in powers.items() if e)


def poly_term(forms: Forms, poly: Poly) -> Node:
    """The polynomial as a term."""
    parts = [monomial_term(forms, m, c) for m, c in sorted(poly.items(), key=lambda mc: mc[0])]
    return Fraction(0) if not parts else parts[0] if len(parts) == 1 else ("+", *parts)


def monomial_term(forms: Forms, monomial: Monomial, coefficient: Fraction | int = 1) -> Node:
    factors: list[Node] = [forms.names[a] if e == 1 else ("^", forms.names[a], Fraction(e)) for a, e in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, Fraction(coefficient))
    return factors[0] if len(factors) == 1 else ("*", *factors)


class Table(Forms):
    """Normal forms over one table of atoms, with what another table knows already."""

    def __init__(self, base: Table | None = None) -> None:
        super().__init__()
        self.factors: dict[frozenset, int] = {}  # of denominators, numbered
        if base is not None:
            self.factors.update(base.factors)
            self.atoms.update(base.atoms)
            self.names.extend(base.names)
            self.kept.update(base.kept)

    def counted(self, term: Node) -> Form:
        """Its form, which counts as work by its length, also where it is known already."""
        num, den = self.form(term)
        spend("monomial", len(num))
        return num, den

    def separated(self, term: Node) -> Packed:
        """The term's monomials, each with the denominators below it."""
        out: Packed = {}
        for s in summands(term):
            num, den = self.counted(s)
            below = self.below(den) if den else 0
            for m, c in num.items():
                key = packed(m) + below
                out[key] = out.get(key, 0) + c
        return {m: c for m, c in out.items() if c}

    def below(self, den: Denominator) -> int:
        """The denominator as a number."""
        return below_bar((self.factors.setdefault(f, len(self.factors)), e) for f, e in den.items())

    def denominator(self, number: int) -> Denominator:
        """What the number has below the fraction bar."""
        every = list(self.factors)
        return {every[n]: e for n, e in exponents_below(number)}


def summands(term: Node) -> list[Node]:
    """The term as a sum, products of sums multiplied out."""
    if not isinstance(term, tuple) or term[0] not in ("+", "*"):
        return [term]
    if term[0] == "+":
        return [s for t in term[1:] for s in summands(t)]
    rows: list[tuple[Node, ...]] = [()]
    for t in term[1:]:
        rows = [(*r, s) for r in rows for s in summands(t)]
        if len(rows) > 60:
            return [term]
    return [("*", *r) if len(r) > 1 else r[0] for r in rows]


class Places:
    """Where the monomials of some facts stand."""

    def __init__(self, columns: Sequence[PolyFact], separated: bool = False) -> None:
        """``separated``: the monomials stand over whatever denominators."""
        self.at: dict[int, list[tuple[int, PolyFact]]] = {}  # the facts with their numbers
        for number, p in enumerate(columns):
            for m in dict.fromkeys(split(m)[0] for m in p.poly) if separated else p.poly:
                self.at.setdefault(m, []).append((number, p))
        self.known: dict[int, dict[int, int]] = {}  # quotients: of the numbers of atoms alone

    def quotients(self, m: int) -> dict[int, int]:
        """m over those of the monomials that divide it."""
        if m not in self.known:
            spend("compared", len(self.at) // 8)
            self.known[m] = quotients(m, self.at)
        return self.known[m]

    def speaking(self, rests: Iterable[int]) -> list[tuple[int, PolyFact]]:
        """The facts in which one of the monomials stands, in their order."""
        return sorted({number: p for m in rests for number, p in self.at[m]}.items())
