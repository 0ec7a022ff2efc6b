"""Positive combinations: a goal as a sum of products of facts, found by linear programming, made exact."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property

from qtheory.proofs.kernel import poly as normal
from qtheory.proofs.kernel.poly import Denominator, Poly, power
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, neg_term
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply
from qtheory.proofs.tactics.effort import spend, spend_again, spent
from qtheory.proofs.tactics.monomials import (
    STEP,
    Packed,
    all_atoms,
    atoms_of,
    packed_poly,
    quotients,
    split,
    unpacked,
)
from qtheory.proofs.tactics.products import Products
from qtheory.proofs.tactics.signed import (
    NO_FACT,
    PolyFact,
    Powers,
    Table,
    joined,
    poly_term,
    times,
)
from qtheory.proofs.tactics.weights import weighted

MAX_COLUMNS = 2500


class Combiner(Products):
    """Facts in polynomial form over one table of atoms, and the search for combinations of them."""

    def __init__(self, facts: Sequence[Step], base: Combiner | None = None) -> None:
        """``base``: one for the first of the facts, whose work is taken over."""
        self.order: dict[Node, int] = dict(base.order) if base else {}  # of the conclusions
        self.places: list[int] = list(base.places) if base else []  # of the given facts in that order
        self.places += [self.order.setdefault(f.concl, len(self.order)) for f in facts[len(self.places):]]
        first: list[Step] = []
        last: list[Step] = []
        for f, place in zip(facts, self.places, strict=True):
            if place == len(first):
                first.append(f)
                last.append(f)
            last[place] = f
        self.numbers = [n for n, f in enumerate(first) if f.concl[0] in RELATIONS]  # of the comparisons among all
        self.facts: Facts = tuple(first[n] for n in self.numbers)
        self.all_facts: Facts = tuple(last)
        spend("combiner", len(self.facts))
        self.forms: Table = Table(base.forms if base else None)
        known = len(base.facts) if base else 0
        self.raw: list[tuple[Poly, Denominator]] = list(base.raw) if base else []
        self.raw += [self.forms.counted(f.concl[1]) for f in self.facts[known:]]
        self.signs: dict[frozenset, tuple[int, Fraction, str]] = dict(base.signs) if base else {}
        for i, (f, (num, den)) in enumerate(zip(self.facts[known:], self.raw[known:], strict=True), known):
            if not den and num and f.concl[0] in (">", "!="):
                lead = Fraction(num[min(num)])
                key = frozenset((m, c / lead) for m, c in num.items())
                if key not in self.signs or self.signs[key][2] == "!=":
                    self.signs[key] = (i, lead, f.concl[0])
        for factor in (*self.signs, *(f for _, den in self.raw[known:] for f in den)):  # the same for all forked
            self.forms.factors.setdefault(factor, len(self.forms.factors))
        super().__init__(self.forms)
        # what follows is from the facts alone, for all that are forked
        self.separate: list[PolyFact] = list(base.separate) if base else []
        self.derived: dict[str, list[PolyFact]] = {}
        self.multipliers: dict[int, tuple[Powers, Fraction | int] | None] = {}
        self.not_linear: dict[Node, int] = {}  # goals that are no sum of multiples, and the work to see it
        self.told: dict[Node, tuple[Step | None, int]] = {}  # terms' signs, and the work to find them

    def forked(self) -> Combiner:
        """What a new one with the same facts would be, with a table of atoms of its own."""
        other = copy(self)
        other.forms = Table(self.forms)
        return other

    def clear(self, den: dict, sign: int, any_sign: bool = False) -> tuple[Powers, Fraction | int] | None:
        """(powers, scale) with scale * the product of the facts to the powers = den^sign."""
        powers: Powers = ()
        scale: Fraction | int = 1
        for factor, e in den.items():
            if factor not in self.signs:
                return None
            index, lead, relation = self.signs[factor]
            if relation == "!=" and e % 2 and not any_sign:
                return None
            # factor = fact / lead, so factor^(sign e) = lead^(-sign e) fact^(sign e)
            powers = joined(powers, ((index, sign * e),))
            if lead != 1:
                scale *= lead ** (-sign * e)
        return powers, scale

    def missing(self, term: Node) -> list[Node]:
        """Denominators of the term whose sign no fact tells, as terms."""
        _, den = self.forms.form(term)
        return [poly_term(self.forms, dict(f)) for f, e in den.items()
                if f not in self.signs or (self.signs[f][2] == "!=" and e % 2)]

    def told_sign(self, term: Node) -> Step | None:
        """The term's sign, where the facts give it strictly."""
        if term in self.told:
            spend_again(self.told[term][1])
        else:
            started = spent()
            step = self.strict_sign(term)
            self.told[term] = step, spent() - started
        return self.told[term][0]

    def strict_sign(self, term: Node) -> Step | None:
        for t in (term, neg_term(term)):
            try:
                return self.prove((">", t), 2)
            except Stuck:
                continue
        return None

    def polynomial_facts(self) -> list[PolyFact]:
        if "polynomial" not in self.derived:
            self.derived["polynomial"] = self.as_polynomials()
        return self.derived["polynomial"]

    def as_polynomials(self) -> list[PolyFact]:
        out = []
        for i, (f, (num, den)) in enumerate(zip(self.facts, self.raw, strict=True)):
            if f.concl[0] == "!=" and num and not den and len(num) <= 6:
                poly = packed_poly(num)
                out.append(PolyFact(times(poly, poly), ">", ((i, 2),)))
            if f.concl[0] == "!=" or not num:
                continue
            cleared = self.clear(den, 1, f.concl[0] == "=")
            if cleared is None or (cleared[1] < 0 and f.concl[0] != "="):
                continue
            powers, scale = cleared  # num = fact * den
            out.append(PolyFact(packed_poly(num), f.concl[0], joined(((i, 1),), powers), scale))
        return out

    def prove(self, goal: Node, degree: int = 2, limit: int = 14) -> Step:
        """The goal as a combination of the facts, or Stuck."""
        relation, term = goal
        if relation != "!=":
            if goal in self.not_linear:
                spend_again(self.not_linear[goal])
                self.forms.separated(term)
            else:
                started = spent()
                try:
                    return self.linear(goal)
                except (Stuck, KernelError):
                    self.not_linear[goal] = spent() - started
        try:
            num, den = self.forms.form(term)
            if relation == "!=":
                return self.nonzero(goal, num)
            if not num:
                if relation == ">":
                    columns = self.columns({}, relation, degree, limit)
                    return self.finish(goal, [(c, p.powers, p) for c, p in
                                              weighted({}, relation, columns)])
                return apply("combine", goal, self.all_facts, ())
            cleared = self.clear(den, -1, relation == "=")
            if cleared is None:
                raise Stuck("a denominator of unknown sign")
            powers, scale = cleared
            sign = -1 if scale < 0 else 1
            num = {m: c * sign for m, c in num.items()}
            target = packed_poly(num)
            try:
                products = weighted(target, relation, self.columns(target, relation, degree, limit))
            except Stuck:
                common = self.common_denominator(den)
                if not common:
                    raise
                for factor, e in common.items():
                    num = normal.times(num, power(dict(factor), e))
                target = packed_poly(num)
                more, size = self.clear(common, -1, relation == "=") or ((), 0)
                if size <= 0:
                    raise
                powers, scale = joined(powers, more), scale * size
                products = weighted(target, relation, self.columns(target, relation, degree, limit))
            return self.finish(goal, [(c * sign * scale, joined(p.powers, powers), p) for c, p in products])
        except KernelError as error:
            raise Stuck(str(error)) from None

    def renumber(self, powers: Powers) -> Powers:
        return tuple((self.numbers[i], e) for i, e in joined(powers, ()))

    def finish(self, goal: Node, products: list[tuple[Fraction, Powers, PolyFact]]) -> Step:
        rows: list[tuple[Node, Powers, tuple[Node, ...]]] = []
        for c, powers, p in products:
            weight = c * p.scale
            if p.relation == "=":
                rows.append((("*", weight, p.multiplier), self.renumber(powers), ()))
            else:
                rows.append((weight, self.renumber(powers), p.squares))
        return apply("combine", goal, self.all_facts, tuple(rows))

    def common_denominator(self, den: dict) -> dict:
        """The denominators of the facts that the goal lacks, each of known sign."""
        common: dict = {}
        for f, (_, below) in zip(self.facts, self.raw, strict=True):
            for factor, e in below.items():
                if f.concl[0] != "!=" and factor not in den and factor in self.signs and self.signs[factor][2] == ">":
                    common[factor] = max(common.get(factor, 0), e)
        return common if sum(common.values()) <= 4 else {}

    def nonzero(self, goal: Node, num: Poly) -> Step:
        """t != 0 because t is a number, or a multiple of a nonzero fact."""
        if set(num) == {()}:
            return apply("combine", goal, self.all_facts, ((goal[1], (), ()),))
        lead = Fraction(num[min(num)]) if num else ONE
        key = frozenset((m, c / lead) for m, c in num.items())
        if key in self.signs:
            index, scale, _ = self.signs[key]
            return apply("combine", goal, self.all_facts, ((lead / scale, self.renumber(((index, 1),)), ()),))
        for sign in (1, -1):
            try:
                positive = self.prove((">", goal[1] if sign > 0 else neg_term(goal[1])))
            except Stuck:
                continue
            return apply("combine", goal, (*self.all_facts, positive),
                         ((Fraction(sign), ((len(self.all_facts), 1),), ()),))
        raise Stuck("not known to be nonzero")

    def columns(self, target: Packed, relation: str, degree: int, limit: int) -> list[PolyFact]:
        """Products of facts that may help: those of low degree first."""
        facts = self.polynomial_facts()
        signed = [f for f in facts if f.relation != "="]
        equal = [f for f in facts if f.relation == "="]
        out: list[PolyFact] = []
        if relation != "=":
            out.append(NO_FACT)
            out += signed
            wanted = all_atoms(target)
            ranked = sorted(signed, key=lambda f: (len(f.poly), -(wanted & all_atoms(f.poly)).bit_count()))
            chosen = ranked[:limit]
            for k in range(2, degree + 1):
                pool = chosen if k == 2 else chosen[: max(4, limit // 2)]
                for combo in itertools.combinations_with_replacement(pool, k):
                    if sum(len(f.poly) for f in combo) <= 40:
                        out.append(self.product(combo))
            if degree >= 2:
                out += self.square_columns(target or {m: 1 for f in facts for m in f.poly}, ranked[:4])
            out += self.listed("monomials", target, lambda: self.monomial_columns(target, signed))
        wanted_equal = target or {m: 1 for f in out for m in f.poly}
        out += self.listed("equations", wanted_equal, lambda: self.equation_columns(wanted_equal, equal))
        spend("column", len(out))
        return out[:MAX_COLUMNS]

    def linear(self, goal: Node) -> Step:
        """The goal as a sum of multiples of the facts, their summands compared with their denominators."""
        columns = [NO_FACT] if goal[0] != "=" else []
        for i, f in enumerate(self.facts[len(self.separate):], len(self.separate)):  # their atoms are in the table
            self.separate.append(PolyFact(self.forms.separated(f.concl[1]), f.concl[0], ((i, 1),)))
        columns += [p for p in self.separate if p.relation == "=" or (p.relation != "!=" and goal[0] != "=")]
        target = self.forms.separated(goal[1])
        if not target and goal[0] != ">":
            return apply("combine", goal, self.all_facts, ())
        plain = self.positive_parts(target) if goal[0] != "=" else []
        if plain:
            return self.finish(goal, plain)
        try:
            products = weighted(target, goal[0], columns)
        except Stuck:
            scaled = self.scaled_equations(columns) + self.listed(
                ("summands", goal[0] != "="), target, lambda: self.guided(columns, target))
            if not scaled:
                raise
            products = weighted(target, goal[0], columns + scaled)
        return self.finish(goal, [(c, p.powers, p) for c, p in products])

    def positive_parts(self, target: Packed) -> list[tuple[Fraction, Powers, PolyFact]]:
        """The target as a sum of monomials of positive atoms over positive denominators, none if it is no such sum."""
        out: list[tuple[Fraction, Powers, PolyFact]] = []
        for m, c in target.items():
            factor = self.multiplier(m) if c > 0 and not atoms_of(m) & self.unsigned else None
            if factor is None:
                return []
            powers, scale = factor
            out.append((Fraction(c), powers, PolyFact({m: 1}, ">", powers, scale)))
        spend("entry", len(out))
        return out

    def scaled_equations(self, columns: list[PolyFact]) -> list[PolyFact]:
        """The equations times one variable each."""
        out: list[PolyFact] = []
        for p in columns:
            if p.relation != "=" or len(out) > 200:
                continue
            for atom, name in enumerate(self.forms.names):
                if isinstance(name, str):
                    poly = {m + (1 << STEP * atom): c for m, c in p.poly.items()}
                    out.append(PolyFact(poly, "=", p.powers, 1, (), name))
        return out

    def guided(self, columns: list[PolyFact], target: Packed) -> list[PolyFact]:
        """Facts times positive variables and over positive denominators, chosen so that they meet the target or an
        equation; keys are those of ``separated``."""
        wanted = dict.fromkeys([*target, *(k for p in columns if p.relation == "=" for k in p.poly)])
        out: list[PolyFact] = []
        seen: set[tuple[int, int]] = set()
        every = bool(columns) and columns[0].relation != "="  # not for the equations alone
        places = self.placed("summands" if every else "summands of equations", columns, separated=True)
        speaking: dict[int, tuple[dict[int, int], list[tuple[int, PolyFact]]]] = {}
        unsigned = self.unsigned
        for _ in range(2):  # the second round for the summands that the first brings in
            for m, below in map(split, wanted):
                if m not in speaking:
                    rests = {n: rest for n, rest in places.quotients(m).items() if not atoms_of(rest) & unsigned}
                    speaking[m] = rests, [f for f in places.speaking(rests) if f[1].relation != "="]
                rests, facts = speaking[m]
                for number, p in facts:
                    if len(out) <= 300:
                        out += self.multiples(rests, below, number, p, seen)
            if not target or len(out) > 60:
                break
            wanted = {k: None for p in out for k in p.poly if k not in wanted}
        return out

    def multiples(self, rests: dict[int, int], below: int, number: int, p: PolyFact,
                  seen: set[tuple[int, int]]) -> list[PolyFact]:
        """The fact times positive variables over positive denominators, so that one summand becomes what is wanted,
        over below; ``rests``: by what the monomials have to be multiplied."""
        out: list[PolyFact] = []
        for lead, under in map(split, p.poly):
            rest = rests.get(lead)
            if rest is None or (under and not quotients(below, (under,))):
                continue
            extra = rest + below - under
            if not extra or (number, extra) in seen:
                continue
            factor = self.multiplier(extra)
            if factor is None:
                continue
            seen.add((number, extra))
            shifted = {m + extra: c for m, c in p.poly.items()}
            out.append(PolyFact(shifted, p.relation, joined(p.powers, factor[0]), p.scale * factor[1]))
        return out

    @cached_property
    def positive(self) -> dict[int, PolyFact]:
        """The facts that say atoms to be positive, by atom."""
        found = ((f.poly_atom(), f) for f in self.polynomial_facts() if f.relation == ">")
        return {atom: f for atom, f in found if atom is not None}

    @cached_property
    def unsigned(self) -> int:
        """The other atoms as the digits of a number."""
        return ~sum(1 << a for a in self.positive)

    def multiplier(self, factor: int) -> tuple[Powers, Fraction | int] | None:
        """The powers of facts, and the scale, of a monomial of positive atoms over denominators; None if these may be
        negative."""
        if factor not in self.multipliers:
            powers, scale = self.clear(self.forms.denominator(factor), -1) or ((), 0)
            product: Powers = ()
            for a, e in unpacked(factor):
                product += self.positive[a].powers * e
                scale *= self.positive[a].scale ** e
            self.multipliers[factor] = (joined(product, powers), scale) if scale > 0 else None
        return self.multipliers[factor]
