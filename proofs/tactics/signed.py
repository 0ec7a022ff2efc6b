"""Polynomials with a known sign: their products, and where their monomials stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from qtheory.proofs.kernel import poly as normal
from qtheory.proofs.kernel.poly import Denominator, Forms, Monomial, Poly
from qtheory.proofs.kernel.terms import ONE, Node
from qtheory.proofs.tactics.builder import Stuck

Powers = tuple[tuple[int, int], ...]
UNIT = {(): 1}
MAX_PRODUCT = 20_000
merge = lru_cache(maxsize=100_000)(normal.merge)


def plain(poly: Poly) -> dict[Any, Any]:
    """The same with integers as such: they are multiplied many times faster than fractions, and mix with them."""
    return {m: c.numerator if c.denominator == 1 else c for m, c in poly.items()}


def times(p: dict[Any, Any], q: dict[Any, Any]) -> dict[Any, Any]:
    if len(p) * len(q) > MAX_PRODUCT:
        raise Stuck("a product of facts is too large")
    if len(p) == 1 or len(q) == 1:
        if p == UNIT or q == UNIT:
            return q if p == UNIT else p
        single, other = (p, q) if len(p) == 1 else (q, p)
        (n, b), = single.items()
        if b == 1:  # most often: a multiplication of fractions costs more than all the rest
            return {merge(m, n): a for m, a in other.items()}
        return {merge(m, n): c for m, a in other.items() if (c := a * b)}
    out: dict[Any, Any] = {}
    for m, a in p.items():
        for n, b in q.items():
            key = merge(m, n)
            out[key] = out.get(key, 0) + a * b
    return {m: c for m, c in out.items() if c}


@dataclass(slots=True)
class PolyFact:
    """A polynomial with known sign: scale * product of facts to powers (* squares)."""

    poly: dict[Any, Any]  # by monomial, or by (monomial, denominators) as in ``separated``
    relation: str
    powers: Powers  # a fact may stand more than once: ``finish`` gathers
    scale: Fraction = ONE
    squares: tuple[Node, ...] = ()
    multiplier: Node = ONE

    def poly_atom(self) -> int | None:
        """The atom that the fact says to be positive (nonnegative), if it is that simple."""
        if len(self.poly) == 1:
            (m, c), = self.poly.items()
            if len(m) == 1 and m[0][1] == 1 and c > 0:
                return m[0][0]
        return None

    def times(self, other: PolyFact) -> PolyFact:
        relation = "=" if "=" in (self.relation, other.relation) else \
            ">" if self.relation == other.relation == ">" else ">="
        scale = self.scale if other.scale is ONE else self.scale * other.scale
        return PolyFact(times(self.poly, other.poly), relation, self.powers + other.powers, scale,
                        self.squares + other.squares)


NO_FACT = PolyFact({(): 1}, ">", ())


def joined(a: Powers, b: Powers) -> Powers:
    powers: dict[int, int] = {}
    for i, e in (*a, *b):
        powers[i] = powers.get(i, 0) + e
    return tuple((i, e) for i, e in powers.items() if e)


def poly_term(forms: Forms, poly: Poly) -> Node:
    """The polynomial as a term."""
    parts = [monomial_term(forms, m, c) for m, c in sorted(poly.items(), key=lambda mc: mc[0])]
    return Fraction(0) if not parts else parts[0] if len(parts) == 1 else ("+", *parts)


def monomial_term(forms: Forms, monomial: Monomial, coefficient: Fraction = ONE) -> Node:
    factors: list[Node] = [forms.names[a] if e == 1 else ("^", forms.names[a], Fraction(e)) for a, e in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, coefficient)
    return factors[0] if len(factors) == 1 else ("*", *factors)


class Table(Forms):
    """Normal forms over one table of atoms, each kept: the terms of a search share their parts."""

    def __init__(self, base: Table | None = None) -> None:
        super().__init__()
        self.kept: dict[int, tuple[Node, tuple[Poly, Denominator]]] = {}  # by identity, which the term itself secures
        if base is not None:
            self.atoms.update(base.atoms)
            self.names.extend(base.names)
            self.kept.update(base.kept)

    def form(self, term: Node) -> tuple[Poly, Denominator]:
        if not isinstance(term, tuple):
            return super().form(term)
        kept = self.kept.get(id(term))
        if kept is None:
            kept = self.kept[id(term)] = term, super().form(term)
        return kept[1]


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


@lru_cache(maxsize=20_000)
def less_below(below: frozenset, under: frozenset) -> frozenset | None:
    """The denominators below without those under, or None."""
    if not under:
        return below
    more, less = dict(below), dict(under)
    if any(more.get(f, 0) < e for f, e in less.items()):
        return None
    return frozenset((f, e - less.get(f, 0)) for f, e in more.items() if e > less.get(f, 0))


@lru_cache(maxsize=20_000)
def more_below(below: frozenset, extra: frozenset) -> frozenset:
    if not below or not extra:
        return below or extra
    total = dict(below)
    for f, e in extra:
        total[f] = total.get(f, 0) + e
    return frozenset(total.items())


class Places:
    """Where the monomials of some facts stand."""

    def __init__(self, columns: Sequence[PolyFact], separated: bool = False) -> None:
        """``separated``: the monomials stand over whatever denominators."""
        self.at: dict[Monomial, list[tuple[int, PolyFact]]] = {}  # the facts with their numbers
        for number, p in enumerate(columns):
            for m in dict.fromkeys(m for m, _ in p.poly) if separated else p.poly:
                self.at.setdefault(m, []).append((number, p))
        self.monomials = [(m, _atoms(m)) for m in self.at]
        self.known: dict[Monomial, dict[Monomial, Monomial]] = {}  # quotients: of the numbers of atoms alone

    def quotients(self, m: Monomial) -> dict[Monomial, Monomial]:
        """m over those of the monomials that divide it."""
        if m not in self.known:
            self.known[m] = self.divided(m)
        return self.known[m]

    def divided(self, m: Monomial) -> dict[Monomial, Monomial]:
        exponents, absent = dict(m), ~_atoms(m)
        out: dict[Monomial, Monomial] = {}
        for n in [n for n, atoms in self.monomials if not atoms & absent]:
            for atom, e in n:
                if exponents[atom] < e:
                    break
            else:
                less = dict(n)
                out[n] = tuple([(a, e - less.get(a, 0)) for a, e in m if e > less.get(a, 0)]) if n else m
        return out

    def speaking(self, rests: Iterable[Monomial]) -> list[tuple[int, PolyFact]]:
        """The facts in which one of the monomials stands, in their order."""
        return sorted({number: p for m in rests for number, p in self.at[m]}.items())


@lru_cache(maxsize=100_000)
def _atoms(m: Monomial) -> int:
    """The atoms as the digits of a number."""
    return sum([1 << a for a, _ in m])
