"""The weights of a positive combination: found by linear programming, made exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, compress, count
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from qtheory.proofs.kernel.terms import ZERO
from qtheory.proofs.tactics import program
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.monomials import Packed
from qtheory.proofs.tactics.signed import PolyFact

SMALL = 80  # rows of a system that is solved at once
GAIN = 1e6  # of strictness, against costs of about 0.001


def weighted(target: Packed, relation: str, columns: list[PolyFact]) -> list[tuple[Fraction, PolyFact]]:
    """Facts with weights, positive but for equations, whose sum is the target; Stuck where there are none. For a strict
    relation one of them is strict."""
    entries = list(chain.from_iterable([p.poly for p in columns]))
    rows: defaultdict[int, int] = defaultdict(count().__next__)
    ri = np.fromiter(map(rows.__getitem__, entries), dtype=np.intp, count=len(entries))
    if not target.keys() <= rows.keys():
        raise Stuck("no fact speaks of a part of the goal")
    spend("entry", len(entries))
    multiple = _multiple(target, relation, columns)
    if multiple is not None:
        return [multiple]
    ci = np.repeat(np.arange(len(columns)), [len(p.poly) for p in columns])
    data = _floats(list(chain.from_iterable([p.poly.values() for p in columns])))
    right = np.zeros(len(rows))
    right[[rows[m] for m in target]] = _floats(list(target.values()))
    equations = np.array([p.relation == "=" for p in columns], dtype=bool)
    left = _possible(ri, ci, data, right, equations)
    if not left.all():
        kept = left[ci]
        ri, ci, data = ri[kept], (np.cumsum(left) - 1)[ci[kept]], data[kept]
        columns, equations = list(compress(columns, left)), equations[left]
        met = np.zeros(right.size, dtype=bool)  # the other rows say 0 = 0
        met[ri] = True
        ri, right = (np.cumsum(met) - 1)[ri], right[met]
    if not columns or (relation == ">" and not any(p.relation == ">" for p in columns)):
        raise Stuck("no strict combination of the facts")
    spend("program")
    values = _only_one(ri, ci, data, right, equations)
    if values is None:
        values = _cheapest(ri, ci, data, right, columns, relation)
    products = _exact(columns, [j for j, v in enumerate(values) if abs(v) > 1e-9], values, target)
    if relation == ">" and not any(p.relation == ">" for _, p in products):
        raise Stuck("no strict combination of the facts")
    return products


def _multiple(target: Packed, relation: str, columns: list[PolyFact]) -> tuple[Fraction, PolyFact] | None:
    """The first fact of which the goal is a multiple, with its weight: no program need be solved for it."""
    for p in columns:
        if len(p.poly) == len(target) and (p.relation == ">" or relation != ">") and p.poly.keys() == target.keys():
            first = next(iter(target), None)
            weight = Fraction(target[first]) / p.poly[first] if first is not None else ZERO
            if (weight > 0 or (weight and p.relation == "=")) and \
                    all(c * weight == target[m] for m, c in p.poly.items()):
                return weight, p
    return None


def _floats(coefficients: list[Any]) -> np.ndarray:
    """As an array: most are int, and to divide the numerators of the others takes a third of the time of float()."""
    try:
        if set(map(type, coefficients)) - {int}:
            coefficients = [c if type(c) is int else c.numerator / c.denominator for c in coefficients]
        return np.array(coefficients, dtype=float)
    except OverflowError:
        raise Stuck("a number beyond the floats") from None


def _cheapest(ri: np.ndarray, ci: np.ndarray, data: np.ndarray, right: np.ndarray, columns: list[PolyFact],
             relation: str) -> np.ndarray:
    """The weights of least cost; for a strict goal of those that give the strict facts most, up to a share."""
    cost = [0.0 if p.relation == "=" else 0.001 * (1 + len(p.powers) + len(p.squares)) for p in columns]
    lower = [-np.inf if p.relation == "=" else 0.0 for p in columns]
    upper = [np.inf] * len(columns)
    size, below_zero = len(columns), 0
    if relation == ">":  # a last variable: the part of the strict facts, which is worth more than all costs
        share = 1e-3 * (float(np.max(np.abs(right), initial=0.0)) or 1000.0)
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


def _exact(columns: list[PolyFact], support: list[int], values: np.ndarray,
           target: Packed) -> list[tuple[Fraction, PolyFact]]:
    """The rational solution on the support of the floating one."""
    solution = [Fraction(float(values[j])).limit_denominator(10**6) for j in support]
    lines = echelon([columns[j].poly for j in support], target)
    if len(support) in lines:
        raise Stuck("the combination is not exact")
    for pivot, line in lines.items():
        solution[pivot] = line.pop(len(support), ZERO) - sum((c * solution[k] for k, c in line.items()), ZERO)
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
    fixed = np.ones(size, dtype=bool)  # rows in which no equation stands
    fixed[ri[free[ci]]] = False
    needs_plus, needs_minus, is_zero = fixed & (right > 0), fixed & (right < 0), fixed & (right == 0)
    positive, negative = data > 0, data < 0
    while True:
        plus, minus = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
        plus[ri[positive]] = minus[ri[negative]] = True
        if (needs_plus & ~plus | needs_minus & ~minus).any():
            raise Stuck("no combination of the facts")
        gone = (is_zero & (plus != minus))[ri]
        if not gone.any():
            return left
        left[ci[gone]] = False
        here = left[ci]
        ri, ci, positive, negative = ri[here], ci[here], positive[here], negative[here]


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


def echelon(columns: Sequence[Packed], target: Packed) -> dict[int, dict[int, Fraction]]:
    """The exact system in which weights of the columns give the target, solved for as many of them as can be: by the
    number of each its row's other entries, by column, the target's being the last.  A row for the target itself says
    that there is no solution."""
    rows = {m: r for r, m in enumerate(dict.fromkeys([m for p in (*columns, target) for m in p]))}
    system = fmpq_mat(len(rows), len(columns) + 1)
    for k, p in enumerate((*columns, target)):
        for m, c in p.items():
            system[rows[m], k] = fmpq(c.numerator, c.denominator)
    reduced, rank = system.rref()
    out: dict[int, dict[int, Fraction]] = {}
    for line in reduced.tolist()[:rank]:
        entries = {k: Fraction(int(q.p), int(q.q)) for k, q in enumerate(line) if q}
        pivot = next(iter(entries))
        del entries[pivot]
        out[pivot] = entries
    return out
