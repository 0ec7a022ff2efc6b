"""A polynomial as a sum of squares and of nonnegative multiples of facts: a Gram matrix, made exact.

In monomials m the polynomial is m' G m for a symmetric matrix G, of which the coefficients fix some entries.  Where a G
without negative eigenvalues is found, in floating point, and rounded, its rational L D L' gives the squares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, ZERO, Node, free, neg_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.monomials import Packed, all_atoms, packed, packed_poly, unpacked, unpacked_poly
from qtheory.proofs.tactics.signed import NO_FACT, PolyFact, poly_term, times
from qtheory.proofs.tactics.weights import echelon

Matrix = list[list[Fraction]]
MAX_ATOMS, MAX_BASIS, MAX_FREE, MAX_FACTS, MAX_TERMS = 5, 15, 24, 14, 40
DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 20, 60, 720, 10**4, 10**6)
SHARPNESS = (10.0, 100.0, 1000.0, 10_000.0)  # of the smooth stand-in for the least eigenvalue


def by_squares(combiner: Combiner, goal: Node) -> Step:
    """The comparison t > 0 or t >= 0 from squares and the combiner's facts; Stuck if none are found."""
    relation, term = goal
    num, den = combiner.forms.quotient(term)
    cleared = combiner.clear(den, -1)
    if relation not in (">", ">=") or cleared is None or not num:
        raise Stuck("no polynomial inequality")
    powers, scale = cleared
    sign = -1 if scale < 0 else 1
    target = packed_poly({m: c * sign for m, c in num.items()})
    for facts in ([], _helpful(target, combiner.polynomial_facts())):
        for rows in _decompositions(combiner, target, facts):
            if relation == ">=" or any(p.relation == ">" for _, p in rows):
                return combiner.finish(goal, [(c * sign * scale, p.powers + powers, p) for c, p in rows])
        if not combiner.facts:
            break
    raise Stuck("no sum of squares")


def _degree(m: int) -> int:
    return sum(e for _, e in unpacked(m))


def _helpful(target: Packed, facts: Sequence[PolyFact]) -> list[PolyFact]:
    """Facts about the target's atoms alone, and their products, of no higher degree."""
    others = ~all_atoms(target)
    most = max(map(_degree, target))
    plain = [f for f in facts if f.relation in (">", ">=") and len(f.poly) <= 8
             and not all_atoms(f.poly) & others][:MAX_FACTS]
    pairs = [f.times(g) for f, g in itertools.combinations_with_replacement(plain[:6], 2)]
    return [f for f in [*plain, *pairs] if max(map(_degree, f.poly)) <= most][:MAX_FACTS]


def _basis(support: set[int]) -> list[int]:
    """The monomials whose squares the polynomial can hold, the constant last."""
    atoms = sorted({a for m in support for a, _ in unpacked(m)})
    if len(atoms) > MAX_ATOMS or len(support) > MAX_TERMS:
        raise Stuck("no small polynomial")
    high = [max(dict(unpacked(m)).get(a, 0) for m in support) // 2 for a in atoms]
    least, most = (end(map(_degree, support)) for end in (min, max))
    if int(np.prod([h + 1 for h in high])) > 400:
        raise Stuck("no small polynomial")
    found = [packed(tuple((a, e) for a, e in zip(atoms, powers, strict=True) if e))
             for powers in itertools.product(*(range(h + 1) for h in high)) if least <= 2 * sum(powers) <= most]
    while True:  # a square that nothing else can cancel must stand in the polynomial
        crossed = {m + n for m, n in itertools.combinations(found, 2)}
        kept = [m for m in found if 2 * m in support or 2 * m in crossed]
        if len(kept) == len(found):
            break
        found = kept
    if not found or len(found) > MAX_BASIS:
        raise Stuck("no small polynomial")
    return sorted(found, key=lambda m: (-_degree(m), unpacked(m)))


def _paired(basis: Sequence[int], support: set[int]) -> list[tuple[int, int]]:
    """Pairs of monomials whose product may have a coefficient: where the signs of some atoms do not matter, neither do
    they in one of the forms with its squares, which is the mean of such a form and of its image."""
    def odd(m: int) -> int:
        return sum(1 << a for a, e in unpacked(m) if e % 2)

    signs = [0]  # those that change none of the monomials
    for atom in sorted({a for m in support for a, _ in unpacked(m)}):
        signs += [s | 1 << atom for s in signs]
    for m in map(odd, support):
        signs = [s for s in signs if (s & m).bit_count() % 2 == 0]
    parity = [[(s & odd(m)).bit_count() % 2 for s in signs] for m in basis]
    return [(i, j) for i, j in itertools.combinations_with_replacement(range(len(basis)), 2) if parity[i] == parity[j]]


def by_multiplied_squares(combiner: Combiner, goal: Node) -> Step:
    """The comparison of t from that of (1 + x^2 + y^2 + ..) t, or without the 1 where all monomials are of one degree
    and x is not 0: a polynomial that is no sum of squares itself may be one when it is multiplied so."""
    names = sorted(free(goal[1]))
    if not 1 < len(names) <= 3:
        raise Stuck("not a polynomial of two or three variables")
    factor: Node = ("+", ONE, *(("^", v, Fraction(2)) for v in names))
    rows: list[Product] = [(ONE, (), (v,)) for v in names]
    told: list[Step] = []
    if homogeneous(goal[1]):  # then 1 times it would have to be a sum of squares
        told = [f for f in combiner.facts if f.concl[0] == ">" and f.concl[1] in (names[0], neg_term(names[0]))][:1]
        factor, rows[:1] = ("+", ZERO, *factor[2:]), [(ONE, ((0, 2),), ())] if told else []
    positive = apply("combine", (">", factor), tuple(told), (*rows, *([] if told else [(ONE, (), ())])))
    step = by_squares(combiner, (goal[0], ("*", factor, goal[1])))
    return apply("combine", goal, (step, positive, *combiner.facts), ((ONE, ((0, 1), (1, -1)), ()),))


def homogeneous(t: Node) -> bool:
    """Is it a polynomial with monomials of one degree?"""
    num, den = Forms().quotient(t)
    return not den and len({sum(e for _, e in m) for m in num}) == 1


def _decompositions(combiner: Combiner, target: Packed,
                    facts: Sequence[PolyFact]) -> Iterator[list[tuple[Fraction, PolyFact]]]:
    """Weights of squares and facts whose sum is the target."""
    try:
        basis = _basis({*target, *(m for f in facts for m in f.poly)})
        pairs = _paired(basis, {*target, *(m for f in facts for m in f.poly)})
        offset, moves = _solutions(target, basis, pairs, facts)
    except Stuck:
        return
    for values in _rounded(offset, moves, len(basis), pairs):
        weights = values[len(pairs):]
        if any(w < 0 for w in weights):
            continue
        gram = [[Fraction(0)] * len(basis) for _ in basis]
        for (i, j), v in zip(pairs, values, strict=False):
            gram[i][j] = gram[j][i] = v
        rows = _squares(combiner, basis, gram)
        if rows is not None:
            yield [*rows, *((w, f) for w, f in zip(weights, facts, strict=True) if w)]


def _solutions(target: Packed, basis: Sequence[int], pairs: Sequence[tuple[int, int]],
               facts: Sequence[PolyFact]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """The entries of G and the facts' weights with which the sum is the target: one solution, and the directions in
    which there are others."""
    columns: list[Packed] = [{basis[i] + basis[j]: 1 if i == j else 2} for i, j in pairs]
    columns += [f.poly for f in facts]
    size = len(columns)
    lines = echelon(columns, target)
    if size in lines or size - len(lines) > MAX_FREE:
        raise Stuck("the polynomial is no such sum")
    offset = [lines[k].get(size, ZERO) if k in lines else ZERO for k in range(size)]
    moves = []
    for loose in (k for k in range(size) if k not in lines):
        moves.append([-lines[k].get(loose, ZERO) if k in lines else ZERO for k in range(size)])
        moves[-1][loose] = ONE
    return offset, moves


def _rounded(offset: list[Fraction], moves: list[list[Fraction]], size: int,
             pairs: Sequence[tuple[int, int]]) -> Iterator[list[Fraction]]:
    """Exact solutions near one for which the least eigenvalue of G, and the least weight, is as large as can be."""
    if not moves:
        yield offset
        return
    best = _best(np.array(offset, dtype=float), np.array(moves, dtype=float), size, pairs)
    seen = set()
    for n in DENOMINATORS:
        steps = tuple(Fraction(round(float(x) * n), n) for x in best)
        if steps not in seen:
            seen.add(steps)
            yield [o + sum((s * m[k] for s, m in zip(steps, moves, strict=True)), Fraction(0))
                   for k, o in enumerate(offset)]


def _best(offset: np.ndarray, moves: np.ndarray, size: int, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    from scipy.optimize import minimize  # a tenth of a second to load

    count = len(pairs)
    i, j = np.array(pairs).T
    scale = float(np.abs(offset).max()) or 1.0

    def badness(x: np.ndarray, sharp: float) -> tuple[float, np.ndarray]:
        values = offset + x @ moves
        gram = np.zeros((size, size))
        gram[i, j] = gram[j, i] = values[:count]
        eigenvalues, vectors = np.linalg.eigh(gram)
        every = np.concatenate([eigenvalues, values[count:]]) / scale
        low = every.min()
        shares = np.exp(-sharp * (every - low))
        total = shares.sum()
        shares /= total
        dense = (vectors * shares[:size]) @ vectors.T
        slope = np.concatenate([np.where(i == j, 1.0, 2.0) * dense[i, j], shares[size:]]) / scale
        return float(np.log(total) / sharp - low), -(moves @ slope)

    x = np.zeros(len(moves))
    for sharp in SHARPNESS:
        x = minimize(badness, x, args=(sharp,), jac=True, method="BFGS", options={"maxiter": 80}).x
    return x


def _squares(combiner: Combiner, basis: Sequence[int], gram: Matrix) -> list[tuple[Fraction, PolyFact]] | None:
    """m' G m as a sum of squares, by L D L'; None if G has a negative eigenvalue."""
    rest = [row[:] for row in gram]
    out: list[tuple[Fraction, PolyFact]] = []
    for k in range(len(basis)):
        d = rest[k][k]
        if d < 0 or (d == 0 and any(rest[k][k:])):
            return None
        if d == 0:
            continue
        line = {basis[j]: c / d for j in range(k, len(basis)) if (c := rest[k][j])}
        if set(line) == {0}:
            out.append((d, NO_FACT))
        else:
            root = poly_term(combiner.forms, unpacked_poly(line))
            out.append((d, PolyFact(times(line, line), ">=", (), 1, (root,))))
        for a in range(k + 1, len(basis)):
            for b in range(k + 1, len(basis)):
                rest[a][b] -= rest[k][a] * rest[k][b] / d
    return out


__all__ = ["by_multiplied_squares", "by_squares"]
