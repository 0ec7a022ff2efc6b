"""Quadratic Lyapunov functions of fluid models, for networks where the piecewise linear ones fail.

``V = sum of Q_jk Z_j Z_k`` in the contents Z_k of the buffers, Q symmetric: ``V' = 2 sum_k Z_k L_k'`` with the rows
``L_k = sum_j Q_kj Z_j``. In a pattern a buffer may be nonempty if its group is the first in line at the engine or comes
after it. V' is linear in each such Z_k, which can be any number > 0, so each of these rows has to fall: linear
inequalities in Q, met by linear programming. If each falls by ``decay`` a second, V' <= -2 decay sum_k Z_k, and with
V >= floor sum_k Z_k^2 the root of V falls at a rate above 0: the fluid model is stable.

Kumar and Meyn (1996), Duality and linear programs for stability and performance analysis of queueing networks and
scheduling policies, IEEE Trans. Automat. Control 41. That V is positive (Q copositive) is shown by Q = P + N, P
positive semidefinite and N >= 0. The program need not ask for it: along a path that drains V falls to 0, so in a stable
model it was positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from qtheory.numerics.lp import ONE, ZERO, Form, roundings
from qtheory.theory.fluid import FluidModel, Pattern
from qtheory.theory.lyapunov import Program, Proof, Tick, below, cover, untold
from qtheory.theory.obligations import nonempty
from qtheory.theory.obligations import quadratic as obligations

MAX_VISITS, MAX_FALLS = 24, 400  # visits, and rows in patterns, beyond which no function is looked for
PROJECTIONS = 400  # between positive semidefinite matrices and those below Q

Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Quadratic:
    """``matrix``: Q, by visit; each row falls by ``decay`` a second while its buffer is not empty; ``floor``: V is at
    least this times the sum of all Z_k^2."""

    matrix: Matrix
    decay: Fraction
    floor: Fraction

    @property
    def half(self) -> Matrix:
        """The lower half of the matrix."""
        return tuple(row[:k + 1] for k, row in enumerate(self.matrix))


@dataclass(frozen=True)
class Positive:
    """Q less floor times the unit matrix = P + N: ``squares``, (number >= 0, coefficients of Z) with P the sum of their
    multiples of squares; ``products``, the entries of N, which are >= 0."""

    squares: tuple[tuple[Fraction, tuple[Fraction, ...]], ...]
    products: Matrix


class _Rows(Program):
    """The program for Q, its entries between -1 and 1."""

    def __init__(self, model: FluidModel, tick: Tick = untold) -> None:
        super().__init__(model, tick)
        for j in model.visits:
            for k in range(j + 1):
                entry = Form({self.column((k, j), free=True): ONE})
                self.rows += [Form({}, ONE) - entry, Form({}, ONE) + entry]
        self.require_falls()

    def coefficient(self, j: int, k: int) -> Form:
        return self._entry(j, k) - sum((self._entry(j, i) * p for i, p in self.model.then[k]), Form())

    def _entry(self, j: int, k: int) -> Form:
        return Form({self.columns[min(j, k), max(j, k)]: ONE})

    def active(self, pattern: Pattern) -> list[int]:
        return nonempty(self.model, pattern)


def fits(model: FluidModel) -> bool:
    """Whether a quadratic function is looked for: no joins, and not too large."""
    return not model.has_joins and len(model.alpha) <= MAX_VISITS and \
        sum(len(nonempty(model, p)) for p in model.patterns()) <= MAX_FALLS


def search(model: FluidModel, tick: Tick = untold) -> tuple[Quadratic, list[Proof], Positive] | None:
    """A quadratic Lyapunov function with its proofs; None if there is none, or none that is shown to be positive.
    ``tick``: told of each piece of work, (kind, how many), before it is done; it may end the search by raising."""
    program = _Rows(model, tick)
    x = program.largest_decay()
    if x is None:
        return None
    entries = [(k, j) for j in model.visits for k in range(j + 1)]
    for rounded in roundings([float(x[program.columns[e]]) for e in entries]):
        value = dict(zip(entries, rounded, strict=True))
        matrix = tuple(tuple(value[min(j, k), max(j, k)] for k in model.visits) for j in model.visits)
        tick("program")
        shown = positive(matrix)
        if shown is None:
            continue
        floor, parts = shown
        found = Quadratic(matrix, below(float(x[0]) / 2), floor)
        proofs = cover(obligations(model, found.half, found.decay, found.floor), tick)
        if proofs is not None:
            return found, proofs, parts
    return None


def positive(matrix: Matrix) -> tuple[Fraction, Positive] | None:
    """A floor > 0 and why Q is positive by it; None if none is found."""
    least = min(row[k] for k, row in enumerate(matrix))
    if least <= 0:
        return None
    for exponent in range(1, 7):
        floor = below(float(least) / 10**exponent)
        rest = tuple(tuple(q - floor if j == k else q for k, q in enumerate(row)) for j, row in enumerate(matrix))
        parts = _split(rest, float(floor))
        if parts is not None:
            return floor, parts
    return None


def _split(matrix: Matrix, room: float) -> Positive | None:
    """The matrix as P + N: P by projections of floats, rounded, and then exact."""
    n = len(matrix)
    bound = np.array([[float(q) for q in row] for row in matrix])
    semidefinite = np.minimum(bound, np.diag(np.diag(bound)))  # with the entries < 0 alone
    for _ in range(PROJECTIONS):
        values, vectors = np.linalg.eigh(semidefinite)
        if values[0] >= room / 2:
            break
        semidefinite = np.minimum((vectors * np.maximum(values, room)) @ vectors.T, bound)
    else:
        return None
    for rounded in roundings([float(v) for v in semidefinite.ravel()]):
        entries = [[min(rounded[max(j, k) * n + min(j, k)], matrix[j][k]) for k in range(n)] for j in range(n)]
        squares = _squares(entries)
        if squares is not None:
            return Positive(squares, tuple(tuple(q - p for q, p in zip(row, line, strict=True))
                                           for row, line in zip(matrix, entries, strict=True)))
    return None


def _squares(entries: list[list[Fraction]]) -> tuple[tuple[Fraction, tuple[Fraction, ...]], ...] | None:
    """P = sum of d_i l_i l_i' with d_i > 0 by elimination, exactly; None unless P is positive definite."""
    found, rest, n = [], [list(row) for row in entries], len(entries)
    for i in range(n):
        d = rest[i][i]
        if d <= 0:
            return None
        line = tuple(rest[i][k] / d if k >= i else ZERO for k in range(n))
        for j in range(i + 1, n):
            for k in range(i + 1, n):
                rest[j][k] -= d * line[j] * line[k]
        found.append((d, line))
    return tuple(found)
