"""Lyapunov functions of fluid models: linear and piecewise linear, found by linear programming, exact in the end.

``L(R) = max over the pieces of sum_k c_k R_k`` in the fluid requests ``R_k`` that have still to end visit k. What
makes L a Lyapunov function are finitely many linear inequalities (:func:`qtheory.theory.obligations.pieces`); if all
hold, L falls by at least ``decay`` a second at every regular time at which the network is not empty, so the fluid model
is stable: Dai and Harrison (2020), Processing Networks, Lemma 8.5. This module proposes; what decides is elsewhere.

One piece: Chen and Zhang (2000), Stability of multiclass queueing networks under priority service disciplines,
Oper. Res. 48. One piece an engine: Bertsimas, Gamarnik, Tsitsiklis (1996), Stability conditions for multiclass fluid
queueing networks, IEEE Trans. Automat. Control 41, who show that for two engines and every work-conserving order
these functions exist whenever the fluid model is stable; Chen and Ye (2002) for priorities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from qtheory.numerics.lp import ONE, ZERO, Form, highs, multipliers, roundings, solve_exactly
from qtheory.theory.fluid import FluidModel, Pattern
from qtheory.theory.obligations import Obligation, comparisons, falling, least, pieces, states, zero

Tick = Callable[..., None]
LEAST = 1e-9  # the decay, for weights of at most 1, below which the floats say nothing


def untold(kind: str, amount: int = 1) -> None:
    """Work that nobody counts."""


@dataclass(frozen=True)
class Lyapunov:
    """``pieces``: coefficients c_k, by visit; one piece, or one for each engine. ``decay``: units of L a second;
    ``floor``: L is at least this times the sum of all R_k."""

    pieces: tuple[tuple[Fraction, ...], ...]
    decay: Fraction
    floor: Fraction

    @property
    def linear(self) -> bool:
        return len(self.pieces) == 1

    def weights(self, model: FluidModel, piece: int = 0) -> tuple[Fraction, ...]:
        """The piece's weight of a unit in each buffer (for a network without joins): its sum over what is to come."""
        return tuple(sum((self.pieces[piece][j] * times for j, times in model.to_come[k].items()), ZERO)
                     for k in model.visits)


@dataclass(frozen=True)
class Proof:
    """Why a linear obligation holds: its goal less the multiples of the facts that are used is a number >= 0.

    ``given``: their texts; ``multipliers``: in order, those of facts ``>= 0`` positive; ``rest``: the number.
    """

    wanted: str
    given: tuple[str, ...]
    multipliers: tuple[Fraction, ...]
    rest: Fraction


def proof(o: Obligation) -> Proof | None:
    """Exact multipliers that prove a linear obligation, or None."""
    assert o.forms is not None
    goal, equal, rest = o.forms
    found = multipliers(goal, equal, rest)
    if found is None:
        return None
    used = [(zero(f, o.letter), f, a) for f, a in zip(equal, found[0], strict=True) if a]
    used += [(least(f, o.letter), f, a) for f, a in zip(rest, found[1], strict=True) if a]
    left = goal - sum((f * a for _, f, a in used), Form())
    return Proof(o.wanted, tuple(t for t, _, _ in used), tuple(a for _, _, a in used), left.constant)


def cover(wanted: Iterable[Obligation], tick: Tick = untold) -> list[Proof] | None:
    """Proofs that meet all linear ones of them, each by one that wants the same and uses nothing else; None if one is
    not proved. ``tick``: told of each program."""
    known: dict[str, list[Proof]] = {}
    for o in wanted:
        same = known.setdefault(o.wanted, [])
        if o.forms is None or any(o.given.issuperset(p.given) for p in same):
            continue
        tick("program")
        found = proof(o)
        if found is None:
            return None
        same[:] = [*(p for p in same if not set(found.given) <= set(p.given)), found]  # without those that need more
    return [p for same in known.values() for p in same]


class Program:
    """A linear program for coefficients under which forms in R fall: columns by name, rows that are >= 0.

    Column 0 is the decay, to be as large as can be. A kind of function says what its forms' coefficients are in the
    program's columns, and which forms have to fall in a pattern.
    """

    def __init__(self, model: FluidModel, tick: Tick = untold) -> None:
        self.model, self.tick = model, tick
        self.columns: dict[object, int] = {"t": 0}
        self.free: list[bool] = [False]
        self.rows: list[Form] = []

    def coefficient(self, j: int, k: int) -> Form:
        """The coefficient of R_k in form j."""
        raise NotImplementedError

    def active(self, pattern: Pattern) -> list[int]:
        """The forms that have to fall in a pattern."""
        raise NotImplementedError

    @property
    def slack(self) -> Form:
        return Form({0: ONE})

    def column(self, name: object, free: bool) -> int:
        self.columns[name] = len(self.free)
        self.free.append(free)
        return self.columns[name]

    def require_falls(self) -> None:
        """The rows that say that in each pattern its forms fall."""
        for pattern in self.model.patterns():
            self._pattern(pattern)

    def _pattern(self, pattern: Pattern) -> None:
        self.tick("pattern")
        equal, least = self.model.equations(pattern)
        width = len(self.model.alpha)
        rows = [[f.coefficients.get(k, ZERO) for k in range(width)] for f in equal]
        point = solve_exactly(rows, [-f.constant for f in equal])
        if point is None:
            return
        at = dict(enumerate(point))
        determined = len(equal) >= width and _full_rank(rows, width)
        if determined and any(f.at(at) < 0 for f in least):
            return
        for j in self.active(pattern):
            if determined:
                falls = sum((self.coefficient(j, k) * -self.model.rate(k).at(at) for k in range(width)), Form())
                self.rows.append(falls - self.slack)
            else:
                self._dual(pattern, j, equal, least)

    def _dual(self, pattern: Pattern, j: int, equal: list[Form], least: list[Form]) -> None:
        """-(rate of form j) - t = sum of multiples of the pattern's facts + a number >= 0."""
        model = self.model
        goal = {k: self.coefficient(j, k) * model.mu[k] for k in model.visits}
        constant = sum((self.coefficient(j, k) * -model.alpha[k] for k in model.visits), Form())
        self.follow((pattern, j), goal, constant - self.slack, equal, least)

    def follow(self, name: object, goal: Mapping[int, Form], constant: Form, equal: Sequence[Form],
               least: Sequence[Form]) -> None:
        """The rows that say that the form with these coefficients is a sum of multiples of the facts and a number
        >= 0."""
        prices = [(f, self.column((name, i), i < len(equal))) for i, f in enumerate((*equal, *least))]
        for k, value in goal.items():
            left = value - sum((Form({y: f.coefficients[k]}) for f, y in prices if k in f.coefficients), Form())
            self.rows += [left, left * -1]
        self.rows.append(constant - sum((Form({y: f.constant}) for f, y in prices), Form()))

    def largest_decay(self) -> np.ndarray | None:
        """The columns as floats; None if nothing falls by more than :data:`LEAST`."""
        self.tick("entry", sum(len(row.coefficients) for row in self.rows))
        x = highs([-1.0] + [0.0] * (len(self.free) - 1), self.rows, self.free)
        return None if x is None or x[0] < LEAST else x


class Pieces(Program):
    """What programs for pieces, one (``linear``) or one an engine, have in common: the columns and signs of their
    coefficients, and how they compare."""

    def __init__(self, model: FluidModel, linear: bool, slack: Form, tick: Tick = untold) -> None:
        """``slack``: how much those weights exceed 0 that have to be positive."""
        super().__init__(model, tick)
        self.linear = linear
        for j in range(1 if linear else len(model.groups)):
            for k in model.visits:
                self.column(("c", j, k), free=not model.has_joins)
            for k in model.visits:
                own = linear or model.engine_of[k] == j
                value = self.coefficient(j, k) if model.has_joins else self.weight(j, k)
                self.rows += [value - slack if own else value, Form({}, ONE) - value]

    def compare(self, slack: Form) -> None:
        """The rows that say that the pieces of engines with requests exceed those of others: by the slack, a request
        there, without joins."""
        model = self.model
        for place, (some, other) in enumerate(() if self.linear else comparisons(model)):
            if model.has_joins:
                goal = {k: self._above(self.coefficient, some, other, k) for k in model.visits}
                for i, (equal, least) in enumerate(states(model, some)):
                    self.follow(("above", place, i), goal, Form(), equal, least)
                continue
            self.rows += [self._above(self.weight, some, other, k) - slack for k in model.visits
                          if model.engine_of[k] in some]

    def coefficient(self, j: int, k: int) -> Form:
        return Form({self.columns["c", j, k]: ONE})

    def weight(self, j: int, k: int) -> Form:
        return Form({self.columns["c", j, i]: times for i, times in self.model.to_come[k].items()})

    def _above(self, of: Callable[[int, int], Form], some: Sequence[int], other: int, k: int) -> Form:
        """How much the mean of some pieces' coefficients or weights exceeds another's."""
        return sum((of(j, k) * Fraction(1, len(some)) for j in some), Form()) - of(other, k)

    def active(self, pattern: Pattern) -> list[int]:
        return falling(pattern, self.linear)


class _PiecesAtRates(Pieces):
    """The program for pieces at given arrival rates."""

    def __init__(self, model: FluidModel, linear: bool, tick: Tick = untold) -> None:
        super().__init__(model, linear, self.slack, tick)
        self.require_falls()
        self.compare(self.slack)

    def solve(self) -> tuple[float, list[list[float]]] | None:
        """(decay, coefficients by piece) as floats."""
        x = self.largest_decay()
        if x is None:
            return None
        each = range(1 if self.linear else len(self.model.groups))
        return float(x[0]), [[float(x[self.columns["c", j, k]]) for k in self.model.visits] for j in each]


def _full_rank(rows: list[list[Fraction]], width: int) -> bool:
    from flint import fmpq, fmpq_mat

    flat = [fmpq(v.numerator, v.denominator) for row in rows for v in row]
    return int(fmpq_mat(len(rows), width, flat).rank()) == width


def search(model: FluidModel, linear: bool, tick: Tick = untold) -> tuple[Lyapunov, list[Proof]] | None:
    """A Lyapunov function of the family (one piece if ``linear``, else one an engine) with its proofs, or None.
    ``tick``: told of each piece of work, (kind, how many), before it is done; it may end the search by raising."""
    if not linear and len(model.groups) < 2:
        return None
    solved = _PiecesAtRates(model, linear, tick).solve()
    if solved is None:
        return None
    decay, rows = solved
    n = len(model.alpha)
    for rounded in roundings([c for row in rows for c in row]):
        coefficients = tuple(tuple(rounded[j * n:(j + 1) * n]) for j in range(len(rows)))
        floor = _floor(model, coefficients)
        if floor <= 0:
            continue
        found = Lyapunov(coefficients, below(decay / 2), floor)
        proofs = cover(pieces(model, found.pieces, found.decay, found.floor), tick)
        if proofs is not None:
            return found, proofs
    return None


def below(value: float) -> Fraction:
    """A simple positive fraction of at most the value."""
    return Fraction(1, math.ceil(1 / value))


def _floor(model: FluidModel, pieces: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    """The largest floor for which the sum of the pieces shows L >= floor * sum of R."""
    total = [sum(column, ZERO) for column in zip(*pieces, strict=True)]
    if model.has_joins:
        return min(total) / len(pieces)
    return min(sum((total[j] * times for j, times in come.items()), ZERO) / sum(come.values())
               for come in model.to_come) / len(pieces)
