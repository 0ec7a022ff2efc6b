"""Positive combinations: a goal as a sum of products of facts, found by linear programming, made exact."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from qtheory.proofs.kernel import poly as normal
from qtheory.proofs.kernel.poly import Denominator, Forms, Monomial, Poly, power
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, neg_term
from qtheory.proofs.tactics import program
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply
from qtheory.proofs.tactics.effort import spend, spend_again, spent

Powers = tuple[tuple[int, int], ...]
TWO = Fraction(2)
UNIT = {(): 1}
MAX_COLUMNS, MAX_PRODUCT = 2500, 20_000
SMALL = 80  # rows of a system that is solved at once
GAIN = 1e6  # of strictness, against costs of about 0.001
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


def _join(a: Powers, b: Powers) -> Powers:
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


class Combiner:
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
        self.raw += [self.forms.form(f.concl[1]) for f in self.facts[known:]]
        self.signs: dict[frozenset, tuple[int, Fraction, str]] = dict(base.signs) if base else {}
        for i, (f, (num, den)) in enumerate(zip(self.facts[known:], self.raw[known:], strict=True), known):
            if not den and num and f.concl[0] in (">", "!="):
                lead = Fraction(num[min(num)])
                key = frozenset((m, c / lead) for m, c in num.items())
                if key not in self.signs or self.signs[key][2] == "!=":
                    self.signs[key] = (i, lead, f.concl[0])
        # what follows is from the facts alone, for all that are forked
        self.separate: list[PolyFact] = list(base.separate) if base else []
        self.derived: dict[str, list[PolyFact]] = {}
        self.products: dict[tuple[int, ...], PolyFact] = {}
        self.multiples_of: dict[tuple[int, Monomial], PolyFact] = {}  # of a fact, known by its identity, by a monomial
        self.squares: dict[tuple[tuple[int, ...], tuple[int, ...]], list[PolyFact]] = {}  # of atoms, times facts
        self.places_of: dict[str, Places] = {}
        self.common = len(self.forms.names)  # atoms below have one number in all that are forked
        self.multipliers: dict[tuple[Monomial, frozenset], tuple[Powers, Fraction] | None] = {}
        self.not_linear: dict[Node, int] = {}  # goals that are no sum of multiples, and the work to see it
        self.told: dict[Node, tuple[Step | None, int]] = {}  # terms' signs, and the work to find them

    def forked(self) -> Combiner:
        """What a new one with the same facts would be, with a table of atoms of its own."""
        other = copy(self)
        other.forms = Table(self.forms)
        return other

    def clear(self, den: dict, sign: int, any_sign: bool = False) -> tuple[Powers, Fraction] | None:
        """(powers, scale) with scale * the product of the facts to the powers = den^sign."""
        powers: Powers = ()
        scale = ONE
        for factor, e in den.items():
            if factor not in self.signs:
                return None
            index, lead, relation = self.signs[factor]
            if relation == "!=" and e % 2 and not any_sign:
                return None
            # factor = fact / lead, so factor^(sign e) = lead^(-sign e) fact^(sign e)
            powers = _join(powers, ((index, sign * e),))
            scale *= lead ** (-sign * e)
        return powers, scale

    def missing(self, term: Node) -> list[Node]:
        """Denominators of the term whose sign no fact tells, as terms."""
        _, den = self.forms.quotient(term)
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
                out.append(PolyFact(times(num, num), ">", ((i, 2),)))
            if f.concl[0] == "!=" or not num:
                continue
            cleared = self.clear(den, 1, f.concl[0] == "=")
            if cleared is None or (cleared[1] < 0 and f.concl[0] != "="):
                continue
            powers, scale = cleared  # num = fact * den
            out.append(PolyFact(num, f.concl[0], _join(((i, 1),), powers), scale))
        return out

    def prove(self, goal: Node, degree: int = 2, limit: int = 14) -> Step:
        """The goal as a combination of the facts, or Stuck."""
        relation, term = goal
        if relation != "!=":
            if goal in self.not_linear:
                spend_again(self.not_linear[goal])
                self.separated(term)
            else:
                started = spent()
                try:
                    return self.linear(goal)
                except (Stuck, KernelError):
                    self.not_linear[goal] = spent() - started
        try:
            num, den = self.forms.quotient(term)
            if relation == "!=":
                return self.nonzero(goal, num)
            if not num:
                if relation == ">":
                    columns = self.columns({}, relation, degree, limit)
                    return self.finish(goal, [(c, p.powers, p) for c, p in
                                              self.linear_program({}, relation, columns)])
                return apply("combine", goal, self.all_facts, ())
            cleared = self.clear(den, -1, relation == "=")
            if cleared is None:
                raise Stuck("a denominator of unknown sign")
            powers, scale = cleared
            sign = -1 if scale < 0 else 1
            target = {m: c * sign for m, c in num.items()}
            try:
                products = self.linear_program(target, relation, self.columns(target, relation, degree, limit))
            except Stuck:
                common = self.common_denominator(den)
                if not common:
                    raise
                for factor, e in common.items():
                    target = normal.times(target, power(dict(factor), e))
                more, size = self.clear(common, -1, relation == "=") or ((), ZERO)
                if size <= 0:
                    raise
                powers, scale = _join(powers, more), scale * size
                products = self.linear_program(target, relation, self.columns(target, relation, degree, limit))
            return self.finish(goal, [(c * sign * scale, _join(p.powers, powers), p) for c, p in products])
        except KernelError as error:
            raise Stuck(str(error)) from None

    def renumber(self, powers: Powers) -> Powers:
        return tuple((self.numbers[i], e) for i, e in _join(powers, ()))

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
        lead = num[min(num)] if num else ONE
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

    def columns(self, target: Poly, relation: str, degree: int, limit: int) -> list[PolyFact]:
        """Products of facts that may help: those of low degree first."""
        facts = self.polynomial_facts()
        signed = [f for f in facts if f.relation != "="]
        equal = [f for f in facts if f.relation == "="]
        out: list[PolyFact] = []
        if relation != "=":
            out.append(PolyFact({(): 1}, ">", ()))
            out += signed
            wanted = {a for m in target for a, _ in m}
            ranked = sorted(signed, key=lambda f: (len(f.poly), -len(wanted & {a for m in f.poly for a, _ in m})))
            chosen = ranked[:limit]
            for k in range(2, degree + 1):
                pool = chosen if k == 2 else chosen[: max(4, limit // 2)]
                for combo in itertools.combinations_with_replacement(pool, k):
                    if sum(len(f.poly) for f in combo) <= 40:
                        out.append(self.product(combo))
            if degree >= 2:
                out += self.square_columns(target or {m: ONE for f in facts for m in f.poly}, ranked[:4])
            out += self.monomial_columns(target, signed)
        out += self.equation_columns(target or {m: ONE for f in out for m in f.poly}, equal)
        spend("column", len(out))
        return out[:MAX_COLUMNS]

    def product(self, facts: tuple[PolyFact, ...]) -> PolyFact:
        """Of some of ``polynomial_facts``, which last, so that they are known by their identity."""
        key = tuple(map(id, facts))
        if key not in self.products:
            self.products[key] = (self.product(facts[:-1]) if len(facts) > 2 else facts[0]).times(facts[-1])
        return self.products[key]

    def placed(self, kind: str, facts: list[PolyFact], separated: bool = False) -> Places:
        """Where the monomials of the facts of this kind stand."""
        if kind not in self.places_of:
            self.places_of[kind] = Places(facts, separated)
        return self.places_of[kind]

    def kept(self, fact: PolyFact, monomial: Monomial, product: PolyFact) -> PolyFact:
        """The product of a fact that lasts and a monomial, kept for all that are forked where they mean the same."""
        if not monomial or monomial[-1][0] < self.common:
            self.multiples_of[id(fact), monomial] = product
        return product

    def square_columns(self, target: Poly, facts: list[PolyFact]) -> list[PolyFact]:
        """Squares of atoms, of differences of atoms, of atoms minus one or a half, alone and times a fact."""
        atoms = sorted({a for m in target for a, _ in m})[:7]
        key = tuple(atoms), tuple(map(id, facts))
        if key in self.squares:
            return self.squares[key]
        singles: list[Poly] = [{((a, 1),): ONE} for a in atoms]
        bases = singles + [{((a, 1),): ONE, ((b, 1),): -ONE} for a, b in itertools.combinations(atoms, 2)]
        bases += [{((a, 1),): c, (): -ONE} for a in atoms for c in (ONE, TWO)]
        bases += [{((a, 1),): ONE, ((b, 1),): ONE} for a, b in itertools.combinations(atoms, 2)]
        bases += [normal.times(p, q) for p, q in itertools.combinations(singles, 2)]
        squares = [PolyFact(times(plain(b), plain(b)), ">=", (), ONE, (poly_term(self.forms, b),)) for b in bases]
        made = squares + [s.times(f) for s in squares for f in facts if len(f.poly) <= 3]
        if not atoms or atoms[-1] < self.common:
            self.squares[key] = made
        return made

    def monomial_columns(self, target: Poly, signed: list[PolyFact]) -> list[PolyFact]:
        """Facts times monomials of positive atoms, chosen so that the products meet the target's monomials."""
        signs = {f.poly_atom(): f for f in signed if f.poly_atom() is not None}
        out: list[PolyFact] = []
        seen: set[tuple[int, Monomial]] = set()
        wanted = dict.fromkeys(target)
        places = self.placed("signed", [NO_FACT, *signed])
        factors: dict[Monomial, PolyFact] = {}
        for _ in range(2):
            grown: dict[Monomial, None] = {}
            for m in wanted:
                rests = places.quotients(m)
                for number, f in places.speaking(rests):
                    for lead in f.poly:
                        rest = rests.get(lead)
                        if rest is None or (number, rest) in seen:
                            continue
                        if number and sum(e for _, e in rest) < 2 and f.relation != "=":
                            continue  # products of two facts are there already
                        seen.add((number, rest))
                        if any(a not in signs and e % 2 for a, e in rest):
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

    def monomial_fact(self, monomial: Monomial, signs: dict[int | None, PolyFact]) -> PolyFact:
        """The monomial with its sign: atoms of known sign, and even powers of others."""
        out = PolyFact({(): 1}, ">", ())
        for a, e in monomial:
            for _ in range(e if a in signs else 0):
                out = out.times(signs[a])
            if a not in signs:
                square = monomial_term(self.forms, ((a, e // 2),))
                out = out.times(PolyFact({((a, e),): 1}, ">=", (), ONE, (square,)))
        return out

    def equation_columns(self, target: Poly, equal: list[PolyFact]) -> list[PolyFact]:
        """Equations times the monomials that make them meet the target or each other."""
        out: list[PolyFact] = []
        wanted = dict.fromkeys(target)
        seen: set[tuple[int, Monomial]] = set()
        places = self.placed("equal", equal)
        for _ in range(3):
            grown: dict[Monomial, None] = {}
            rests = {m: places.quotients(m) for m in wanted}
            met: dict[int, list[Monomial]] = {}  # by equation: what its multiples meet
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
                                {merge(n, factor): c for n, c in e.poly.items()}, "=", e.powers, e.scale, (),
                                monomial_term(self.forms, factor)))
                        out.append(column)
                        if len(seen) > 400:
                            return out
                        grown |= dict.fromkeys(column.poly)
            wanted = {m: None for m in grown if m not in wanted}
            if not wanted:
                break
        return out

    def linear(self, goal: Node) -> Step:
        """The goal as a sum of multiples of the facts, their summands compared with their denominators."""
        columns = [PolyFact({((), frozenset()): 1}, ">", ())] if goal[0] != "=" else []
        for i, f in enumerate(self.facts[len(self.separate):], len(self.separate)):  # their atoms are in the table
            self.separate.append(PolyFact(self.separated(f.concl[1]), f.concl[0], ((i, 1),)))
        columns += [p for p in self.separate if p.relation == "=" or (p.relation != "!=" and goal[0] != "=")]
        target = self.separated(goal[1])
        if not target and goal[0] != ">":
            return apply("combine", goal, self.all_facts, ())
        try:
            products = self.linear_program(target, goal[0], columns)
        except Stuck:
            scaled = self.scaled_equations(columns) + self.guided(columns, target)
            if not scaled:
                raise
            products = self.linear_program(target, goal[0], columns + scaled)
        return self.finish(goal, [(c, p.powers, p) for c, p in products])

    def scaled_equations(self, columns: list[PolyFact]) -> list[PolyFact]:
        """The equations times one variable each."""
        out: list[PolyFact] = []
        for p in columns:
            if p.relation != "=" or len(out) > 200:
                continue
            for atom, name in enumerate(self.forms.names):
                if isinstance(name, str):
                    poly = {(merge(m, ((atom, 1),)), below): c for (m, below), c in p.poly.items()}
                    out.append(PolyFact(poly, "=", p.powers, ONE, (), name))
        return out

    def guided(self, columns: list[PolyFact], target: Poly) -> list[PolyFact]:
        """Facts times positive variables and over positive denominators, chosen so that they meet the target or an
        equation; keys are those of ``separated``."""
        wanted: dict[Any, None] = dict.fromkeys([*target, *(k for p in columns if p.relation == "=" for k in p.poly)])
        out: list[PolyFact] = []
        seen: set[Any] = set()
        every = bool(columns) and columns[0].relation != "="  # not for the equations alone
        places = self.placed("summands" if every else "summands of equations", columns, separated=True)
        speaking: dict[Monomial, tuple[dict[Monomial, Monomial], list[tuple[int, PolyFact]]]] = {}
        for _ in range(2):  # the second round for the summands that the first brings in
            for m, below in wanted:
                if m not in speaking:
                    rests = {n: rest for n, rest in places.quotients(m).items()
                             if all(a in self.positive for a, _ in rest)}
                    speaking[m] = rests, [f for f in places.speaking(rests) if f[1].relation != "="]
                rests, facts = speaking[m]
                for number, p in facts:
                    if len(out) <= 300:
                        out += self.multiples(rests, below, number, p, seen)
            if not target or len(out) > 60:
                break
            wanted = {k: None for p in out for k in p.poly if k not in wanted}
        return out

    def multiples(self, rests: dict[Monomial, Monomial], below: frozenset, number: int, p: PolyFact,
                  seen: set[Any]) -> list[PolyFact]:
        """The fact times positive variables over positive denominators, so that one summand becomes what is wanted,
        over below; ``rests``: by what the monomials have to be multiplied."""
        out: list[PolyFact] = []
        for lead, under in p.poly:
            rest = rests.get(lead)
            if rest is None:
                continue
            extra = _less(below, under)
            if extra is None or not (rest or extra):
                continue
            key = (number, rest, extra)
            if key in seen:
                continue
            factor = self.multiplier(rest, extra)
            if factor is None:
                continue
            seen.add(key)
            shifted: Any = {(merge(n, rest), _more(d, extra)): c for (n, d), c in p.poly.items()}
            out.append(PolyFact(shifted, p.relation, _join(p.powers, factor[0]), p.scale * factor[1]))
        return out

    @cached_property
    def positive(self) -> dict[int, PolyFact]:
        """The facts that say atoms to be positive, by atom."""
        found = ((f.poly_atom(), f) for f in self.polynomial_facts() if f.relation == ">")
        return {atom: f for atom, f in found if atom is not None}

    def multiplier(self, monomial: Monomial, below: frozenset) -> tuple[Powers, Fraction] | None:
        """The powers of facts, and the scale, of a monomial of positive atoms over denominators; None if these may be
        negative."""
        key = monomial, below
        if key not in self.multipliers:
            powers, scale = self.clear(dict(below), -1) or ((), ZERO)
            product: Powers = ()
            for a, e in monomial:
                product += self.positive[a].powers * e
                scale *= self.positive[a].scale ** e
            self.multipliers[key] = (_join(product, powers), scale) if scale > 0 else None
        return self.multipliers[key]

    def separated(self, term: Node) -> Poly:
        """The term's monomials, each with the denominators below it."""
        out: Poly = {}
        for s in summands(term):
            num, den = self.forms.form(s)
            below = frozenset(den.items())
            for m, c in num.items():
                key: Any = (m, below)
                out[key] = out.get(key, 0) + c
        return {m: c for m, c in out.items() if c}

    def linear_program(self, target: Poly, relation: str,
                       columns: list[PolyFact]) -> list[tuple[Fraction, PolyFact]]:
        rows: dict[Monomial, int] = {}
        entries = [rows.setdefault(m, len(rows)) for p in columns for m in p.poly]
        if any(m not in rows for m in target):
            raise Stuck("no fact speaks of a part of the goal")
        ci = np.repeat(np.arange(len(columns)), [len(p.poly) for p in columns])
        ri = np.array(entries, dtype=int)
        coefficients = (c for p in columns for c in p.poly.values())
        data = np.array([c if type(c) is int else c.numerator / c.denominator for c in coefficients], dtype=float)
        spend("entry", len(data))
        right = np.zeros(len(rows))
        for m, c in target.items():
            right[rows[m]] = float(c)
        left = _possible(ri, ci, data, right, np.array([p.relation == "=" for p in columns], dtype=bool))
        kept = left[ci]
        ri, ci, data = ri[kept], (np.cumsum(left) - 1)[ci[kept]], data[kept]
        columns = [p for p, here in zip(columns, left, strict=True) if here]
        if not columns or (relation == ">" and not any(p.relation == ">" for p in columns)):
            raise Stuck("no strict combination of the facts")
        spend("program")
        equations = np.array([p.relation == "=" for p in columns], dtype=bool)
        values = _only_one(ri, ci, data, right, equations)
        if values is None:
            values = self.cheapest(ri, ci, data, right, columns, relation)
        products = self.exact(columns, [j for j, v in enumerate(values) if abs(v) > 1e-9], values, rows, target)
        if relation == ">" and not any(p.relation == ">" for _, p in products):
            raise Stuck("no strict combination of the facts")
        return products

    def cheapest(self, ri: np.ndarray, ci: np.ndarray, data: np.ndarray, right: np.ndarray, columns: list[PolyFact],
                 relation: str) -> np.ndarray:
        """The weights of least cost; for a strict goal of those that give the strict facts most, up to a share."""
        cost = [0.0 if p.relation == "=" else 0.001 * (1 + len(p.powers) + len(p.squares)) for p in columns]
        lower = [-np.inf if p.relation == "=" else 0.0 for p in columns]
        upper = [np.inf] * len(columns)
        size, below_zero = len(columns), 0
        if relation == ">":  # a last variable: the part of the strict facts, which is worth more than all costs
            share = 1e-3 * (float(np.max(np.abs(right))) or 1000.0)
            cost, lower, upper = [*cost, -GAIN], [*lower, 0.0], [*upper, share]
            strict = [j for j, p in enumerate(columns) if p.relation == ">"]
            first = np.zeros(len(strict) + 1, dtype=int)
            ri, ci = np.concatenate([first, ri + 1]), np.concatenate([[*strict, size], ci])
            data = np.concatenate([-np.ones(len(strict)), [1.0], data])
            right, below_zero = np.concatenate([[0.0], right]), 1
        matrix = program.by_columns(ri, ci, data, (len(right), len(cost)))
        found = program.cheapest(np.array(cost), matrix, right, np.array(lower), np.array(upper), below_zero)
        if found is None:
            raise Stuck("no combination of the facts")
        return found[:size]

    def exact(self, columns: list[PolyFact], support: list[int], values: np.ndarray, rows: dict[Monomial, int],
              target: Poly) -> list[tuple[Fraction, PolyFact]]:
        """The rational solution on the support of the floating one."""
        used = sorted({rows[m] for j in support for m in columns[j].poly} | {rows[m] for m in target})
        place = {r: k for k, r in enumerate(used)}
        system = fmpq_mat(len(used), len(support) + 1)
        for k, j in enumerate(support):
            for m, c in columns[j].poly.items():
                system[place[rows[m]], k] = fmpq(c.numerator, c.denominator)
        for m, c in target.items():
            system[place[rows[m]], len(support)] = fmpq(c.numerator, c.denominator)
        reduced, rank = system.rref()
        solution = [Fraction(float(values[j])).limit_denominator(10**6) for j in support]
        pivots = []
        for r in range(rank):
            pivot = next(k for k in range(len(support) + 1) if reduced[r, k] != 0)
            if pivot == len(support):
                raise Stuck("the combination is not exact")
            pivots.append(pivot)
        for r, pivot in enumerate(pivots):
            value = _fraction(reduced[r, len(support)])
            for k in range(pivot + 1, len(support)):
                if k not in pivots and reduced[r, k] != 0:
                    value -= _fraction(reduced[r, k]) * solution[k]
            solution[pivot] = value
        out = []
        for j, v in zip(support, solution, strict=True):
            if v < 0 and columns[j].relation != "=":
                raise Stuck("the combination is not exact")
            if v != 0:
                out.append((v, columns[j]))
        return out


def _possible(ri: np.ndarray, ci: np.ndarray, data: np.ndarray, right: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Which columns may have a weight: none in a row that all others only add to.  Stuck if a row cannot be met."""
    left = np.ones(free.size, dtype=bool)
    size = right.size
    fixed = np.bincount(ri[free[ci]], minlength=size) == 0  # rows in which no equation stands
    while True:
        here = left[ci]
        plus = np.bincount(ri[here & (data > 0)], minlength=size) > 0
        minus = np.bincount(ri[here & (data < 0)], minlength=size) > 0
        if np.any(fixed & (((right > 0) & ~plus) | ((right < 0) & ~minus))):
            raise Stuck("no combination of the facts")
        gone = (fixed & (right == 0) & (plus != minus))[ri] & here
        if not gone.any():
            return left
        left[ci[gone]] = False


def _only_one(ri: np.ndarray, ci: np.ndarray, data: np.ndarray, right: np.ndarray,
              free: np.ndarray) -> np.ndarray | None:
    """The only weights with which the columns give the right side: no program need be solved for them.

    None where there may be others, or rounding hides whether they are what is wanted; Stuck where there are none.
    """
    shape = right.size, free.size
    if shape[1] > shape[0] or max(shape) > SMALL:
        return None
    matrix = np.zeros(shape)
    np.add.at(matrix, (ri, ci), data)
    sizes = np.abs(matrix).max(axis=0)
    if not sizes.all():
        return None
    scaled, _, rank, _ = np.linalg.lstsq(matrix / sizes, right, rcond=1e-9)
    if rank < free.size:
        return None
    beyond = np.abs(matrix @ (scaled / sizes) - right).max() / (np.abs(right).max() or 1.0)
    negative = -min(scaled[~free].min(initial=0.0), 0.0) / (np.abs(scaled).max() or 1.0)
    if max(beyond, negative) > 1e-4:
        raise Stuck("no combination of the facts")
    return np.where(free, scaled, np.maximum(scaled, 0.0)) / sizes if max(beyond, negative) < 1e-11 else None


def _fraction(q: fmpq) -> Fraction:
    return Fraction(int(q.p), int(q.q))


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
def _less(below: frozenset, under: frozenset) -> frozenset | None:
    """The denominators below without those under, or None."""
    if not under:
        return below
    more, less = dict(below), dict(under)
    if any(more.get(f, 0) < e for f, e in less.items()):
        return None
    return frozenset((f, e - less.get(f, 0)) for f, e in more.items() if e > less.get(f, 0))


@lru_cache(maxsize=20_000)
def _more(below: frozenset, extra: frozenset) -> frozenset:
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
