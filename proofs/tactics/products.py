"""Columns of a combination: products of facts with each other, with squares and with monomials that meet the goal's."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable
from typing import Any

from qtheory.proofs.kernel import poly as normal
from qtheory.proofs.kernel.poly import Poly
from qtheory.proofs.tactics.monomials import STEP, Packed, packed, packed_poly, split, unpacked
from qtheory.proofs.tactics.signed import NO_FACT, Places, PolyFact, Table, monomial_term, poly_term, times


class Products:
    """Products over one table of atoms, each made once for all that are forked from one."""

    def __init__(self, forms: Table) -> None:
        self.forms = forms
        # atoms below, and factors of denominators, have one number in all that are forked
        self.common, self.common_factors = len(forms.names), len(forms.factors)
        self.products: dict[tuple[int, ...], PolyFact] = {}
        self.multiples_of: dict[tuple[int, int], PolyFact] = {}  # of a fact, known by its identity, by a monomial
        self.lists: dict[tuple[Any, ...], list[PolyFact]] = {}  # of columns, by what they are for
        self.places_of: dict[str, Places] = {}

    def product(self, facts: tuple[PolyFact, ...]) -> PolyFact:
        """Of some facts that last, so that they are known by their identity."""
        key = tuple(map(id, facts))
        if key not in self.products:
            self.products[key] = (self.product(facts[:-1]) if len(facts) > 2 else facts[0]).times(facts[-1])
        return self.products[key]

    def listed(self, kind: Any, wanted: Iterable[int], make: Callable[[], list[PolyFact]]) -> list[PolyFact]:
        """Columns of a kind for these monomials, made once for all that are forked, so far as they number alike."""
        wanted, own = tuple(wanted), ()
        above, below = split(functools.reduce(operator.or_, wanted, 0))
        if above >> STEP * self.common or below >> STEP * self.common_factors:
            own = *self.forms.names[self.common:], *itertools.islice(self.forms.factors, self.common_factors, None)
        key = kind, wanted, own
        if key not in self.lists:
            self.lists[key] = make()
        return self.lists[key]

    def placed(self, kind: str, facts: list[PolyFact], separated: bool = False) -> Places:
        """Where the monomials of the facts of this kind stand."""
        if kind not in self.places_of:
            self.places_of[kind] = Places(facts, separated)
        return self.places_of[kind]

    def kept(self, fact: PolyFact, monomial: int, product: PolyFact) -> PolyFact:
        """The product of a fact that lasts and a monomial, kept for all that are forked where they mean the same."""
        if not monomial >> STEP * self.common:
            self.multiples_of[id(fact), monomial] = product
        return product

    def square_columns(self, target: Packed, facts: list[PolyFact]) -> list[PolyFact]:
        """Squares of atoms, of differences of atoms, of atoms minus one or a half, alone and times a fact."""
        atoms = sorted({a for m in target for a, _ in unpacked(m)})[:7]
        singles = [packed(((a, 1),)) for a in atoms]
        return self.listed(("squares", *map(id, facts)), singles, lambda: self.squares(atoms, facts))

    def squares(self, atoms: list[int], facts: list[PolyFact]) -> list[PolyFact]:
        singles: list[Poly] = [{((a, 1),): 1} for a in atoms]
        bases = singles + [{((a, 1),): 1, ((b, 1),): -1} for a, b in itertools.combinations(atoms, 2)]
        bases += [{((a, 1),): c, (): -1} for a in atoms for c in (1, 2)]
        bases += [{((a, 1),): 1, ((b, 1),): 1} for a, b in itertools.combinations(atoms, 2)]
        bases += [normal.times(p, q) for p, q in itertools.combinations(singles, 2)]
        squares = [self.square(b) for b in bases]
        return squares + [s.times(f) for s in squares for f in facts if len(f.poly) <= 3]

    def square(self, base: Poly) -> PolyFact:
        root = packed_poly(base)
        return PolyFact(times(root, root), ">=", (), 1, (poly_term(self.forms, base),))

    def monomial_columns(self, target: Packed, signed: list[PolyFact]) -> list[PolyFact]:
        """Facts times monomials of positive atoms, chosen so that the products meet the target's monomials."""
        signs = {f.poly_atom(): f for f in signed if f.poly_atom() is not None}
        out: list[PolyFact] = []
        seen: set[tuple[int, int]] = set()
        wanted = dict.fromkeys(target)
        places = self.placed("signed", [NO_FACT, *signed])
        factors: dict[int, PolyFact] = {}
        for _ in range(2):
            grown: dict[int, None] = {}
            for m in wanted:
                rests = places.quotients(m)
                for number, f in places.speaking(rests):
                    for lead in f.poly:
                        rest = rests.get(lead)
                        if rest is None or (number, rest) in seen:
                            continue
                        powers = unpacked(rest)
                        if number and len(powers) < 2 and sum([e for _, e in powers]) < 2:
                            continue  # products of two facts are there already
                        seen.add((number, rest))
                        if any([a not in signs and e % 2 for a, e in powers]):
                            continue
                        column = self.multiples_of.get((id(f), rest))
                        if column is None:
                            if rest not in factors:
                                factors[rest] = self.monomial_fact(rest, signs)
                            column = self.kept(f, rest, f.times(factors[rest]))
                        out.append(column)
                        if len(out) > 500:
                            return out
                        grown |= dict.fromkeys(column.poly)
            wanted = {m: None for m in grown if m not in wanted}
        return out

    def monomial_fact(self, monomial: int, signs: dict[int | None, PolyFact]) -> PolyFact:
        """The monomial with its sign: atoms of known sign, and even powers of others."""
        out = NO_FACT
        for a, e in unpacked(monomial):
            for _ in range(e if a in signs else 0):
                out = out.times(signs[a])
            if a not in signs:
                square = monomial_term(self.forms, ((a, e // 2),))
                out = out.times(PolyFact({packed(((a, e),)): 1}, ">=", (), 1, (square,)))
        return out

    def equation_columns(self, target: Packed, equal: list[PolyFact]) -> list[PolyFact]:
        """Equations times the monomials that make them meet the target or each other."""
        out: list[PolyFact] = []
        wanted = dict.fromkeys(target)
        seen: set[tuple[int, int]] = set()
        places = self.placed("equal", equal)
        for _ in range(3):
            grown: dict[int, None] = {}
            rests = {m: places.quotients(m) for m in wanted}
            met: dict[int, list[int]] = {}  # by equation: what its multiples meet
            for m in wanted:
                for number, _ in places.speaking(rests[m]):
                    met.setdefault(number, []).append(m)
            for number in sorted(met):
                e = equal[number]
                for m in met[number]:
                    for lead in e.poly:
                        factor = rests[m].get(lead)
                        if factor is None or (number, factor) in seen:
                            continue
                        seen.add((number, factor))
                        column = self.multiples_of.get((id(e), factor))
                        if column is None:
                            column = self.kept(e, factor, PolyFact(
                                {n + factor: c for n, c in e.poly.items()}, "=", e.powers, e.scale, (),
                                monomial_term(self.forms, unpacked(factor))))
                        out.append(column)
                        if len(seen) > 400:
                            return out
                        grown |= dict.fromkeys(column.poly)
            wanted = {m: None for m in grown if m not in wanted}
            if not wanted:
                break
        return out


__all__ = ["Products"]
