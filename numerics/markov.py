"""Finite Markov chains: stationary laws without subtraction, and the chain of a rule explored from a state.

The elimination of Grassmann, Taksar and Heyman (1985) adds, multiplies and divides nonnegative numbers alone, so
that every probability is right to nearly all its digits, however small it is, and the diagonal is never read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

Vector = NDArray[np.float64]
Step = Callable[[Any], Iterable[tuple[float, Hashable]]]


def _square(matrix: ArrayLike, what: str) -> Vector:
    a = np.array(matrix, dtype=float)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or a.shape[0] == 0:
        raise InputError(f"{what} must be square, not of shape {a.shape}")
    if not np.isfinite(a).all():
        row, column = (int(v[0]) for v in np.nonzero(~np.isfinite(a)))
        raise InputError(f"{what}: entry ({row}, {column}) is not finite")
    off = a.copy()
    np.fill_diagonal(off, 0.0)
    if (off < 0).any():
        row, column = (int(v[0]) for v in np.nonzero(off < 0))
        raise InputError(f"{what}: entry ({row}, {column}) is negative: {a[row, column]}")
    return a


def _closed_class(a: Vector) -> NDArray[np.int64]:
    """The states of the one class that is never left; raises InputError if there are more."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(a > 0, directed=True, connection="strong")
    source, target = np.nonzero(a > 0)
    left = np.zeros(count, dtype=bool)
    left[label[source[label[source] != label[target]]]] = True
    closed = np.flatnonzero(~left)
    if closed.size > 1:
        first, second = (int(np.flatnonzero(label == c)[0]) for c in closed[:2])
        raise InputError(f"the chain has {closed.size} closed classes, say those of states {first} and {second}: "
                         "its stationary law is not unique")  # fmt: skip
    return np.flatnonzero(label == closed[0])


def _eliminate(rates: Vector) -> Vector:
    """The stationary law of the irreducible chain with these transitions off the diagonal, shape (n,)."""
    a, n = rates.copy(), rates.shape[0]
    for k in range(n - 1, 0, -1):
        a[:k, k] /= a[k, :k].sum()
        a[:k, :k] += np.outer(a[:k, k], a[k, :k])
    law = np.zeros(n)
    law[0] = 1.0
    for k in range(1, n):
        law[k] = law[:k] @ a[:k, k]
    return law / law.sum()


def _stationary(a: Vector) -> Vector:
    inside = _closed_class(a)
    law = np.zeros(a.shape[0])
    law[inside] = _eliminate(a[np.ix_(inside, inside)])
    return law


def stationary(transitions: ArrayLike) -> Vector:
    """The stationary law of a discrete-time chain, shape (n,), from its (n, n) matrix of transition probabilities.

    Transient states have probability 0. Raises InputError for what is no stochastic matrix, and where the law is
    not unique.
    """
    a = _square(transitions, "the transition matrix")
    if (np.diag(a) < 0).any() or (np.abs(a.sum(axis=1) - 1.0) > 1e-9).any():
        row = int(np.argmax(np.abs(a.sum(axis=1) - 1.0) + (np.diag(a) < 0)))
        raise InputError(f"row {row} of the transition matrix is no probability law: it sums to {a[row].sum()}")
    return _stationary(a)


def stationary_of_rates(generator: ArrayLike) -> Vector:
    """The stationary law of a continuous-time chain, shape (n,), from its (n, n) generator in 1/s.

    The diagonal is not read: a matrix of jump rates will do. Raises InputError as :func:`stationary` does.
    """
    return _stationary(_square(generator, "the generator"))


def birth_death(births: Sequence[float] | Vector, deaths: Sequence[float] | Vector) -> Vector:
    """The stationary law on 0, ..., n of a birth and death chain, shape (n + 1,).

    ``births[i]``: rate from i to i + 1; ``deaths[i]``: from i + 1 to i, positive. In logarithms, so that chains of
    any length neither overflow nor vanish.
    """
    up, down = np.asarray(births, dtype=float), np.asarray(deaths, dtype=float)
    if up.shape != down.shape or up.ndim != 1 or not (np.isfinite(up).all() and np.isfinite(down).all()):
        raise InputError("births and deaths must be equally many finite rates")
    if (up < 0).any() or (down <= 0).any():
        raise InputError("birth rates must be nonnegative and death rates positive")
    with np.errstate(divide="ignore"):
        weights = np.concatenate(([0.0], np.cumsum(np.log(up) - np.log(down))))
    law = np.exp(weights - weights.max())
    return law / law.sum()


@dataclass(frozen=True)
class Chain:
    """A finite chain: ``states`` and (n, n) ``matrix``, of probabilities or, if ``continuous``, of rates in 1/s."""

    states: tuple[Any, ...]
    matrix: Vector
    continuous: bool

    def stationary(self) -> Vector:
        """The stationary law in the order of ``states``, shape (n,)."""
        return stationary_of_rates(self.matrix) if self.continuous else stationary(self.matrix)

    def mean(self, value: Callable[[Any], float]) -> float:
        """The stationary mean of ``value(state)``."""
        return math.fsum(p * value(state) for p, state in zip(self.stationary(), self.states, strict=True))


def explore(start: Hashable, step: Step, *, continuous: bool = False, limit: int = 5000) -> Chain:
    """The chain that ``step`` reaches from ``start``.

    ``step(state)``: pairs (probability, or rate in 1/s; next state); several pairs to one state add up. Raises
    InputError when more than ``limit`` states are reached, or probabilities out of a state do not sum to 1.
    """
    number: dict[Hashable, int] = {start: 0}
    entries: list[tuple[int, int, float]] = []
    waiting = [start]
    for state in waiting:  # grows as states are found
        total = 0.0
        for p, target in step(state):
            if not p >= 0:
                raise InputError(f"state {state!r}: the transition to {target!r} has the weight {p}")
            total += p
            if target not in number:
                if len(number) == limit:
                    raise InputError(f"more than {limit} states can be reached from {start!r}")
                number[target] = len(number)
                waiting.append(target)
            entries.append((number[state], number[target], p))
        if not continuous and abs(total - 1.0) > 1e-9:
            raise InputError(f"state {state!r}: its transition probabilities sum to {total}, not to 1")
    matrix = np.zeros((len(number), len(number)))
    for i, j, p in entries:
        matrix[i, j] += p
    return Chain(tuple(number), matrix, continuous)
