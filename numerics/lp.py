"""Linear programs: floats by HiGHS to find where to look, exact rationals to be sure.

An affine form over variables is a pair (coefficients by variable, constant), all Fractions. The exact solver is a
dense two-phase simplex method with Bland's rule: slow for large programs, always right, never cycling.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

ZERO, ONE = Fraction(0), Fraction(1)
Variable = Hashable
TINY = 1e-11  # multipliers in floats that count as 0


@dataclass(frozen=True)
class Form:
    """The affine form ``constant + sum of coefficient * variable``; zero coefficients are dropped."""

    coefficients: Mapping[Any, Fraction] = field(default_factory=dict)
    constant: Fraction = ZERO

    def __post_init__(self) -> None:
        kept = {x: Fraction(c) for x, c in self.coefficients.items() if c}
        object.__setattr__(self, "coefficients", kept)
        object.__setattr__(self, "constant", Fraction(self.constant))

    def __add__(self, other: Form) -> Form:
        total = dict(self.coefficients)
        for x, c in other.coefficients.items():
            total[x] = total.get(x, ZERO) + c
        return Form(total, self.constant + other.constant)

    def __mul__(self, scale: Fraction | int) -> Form:
        return Form({x: c * scale for x, c in self.coefficients.items()}, self.constant * scale)

    def __sub__(self, other: Form) -> Form:
        return self + other * Fraction(-1)

    @cached_property
    def key(self) -> tuple[frozenset[tuple[Any, Fraction]], Fraction]:
        """What makes two forms the same."""
        return frozenset(self.coefficients.items()), self.constant

    def at(self, point: Mapping[Any, Fraction]) -> Fraction:
        """The value at a point; variables that it leaves out are 0."""
        return self.constant + sum((c * point.get(x, ZERO) for x, c in self.coefficients.items()), ZERO)


def solve_exactly(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """A solution of rows x = right with free unknowns at 0, exactly; None if there is none."""
    from flint import fmpq, fmpq_mat

    if not rows:
        return []
    width = len(rows[0])
    flat = [fmpq(v.numerator, v.denominator) for row, b in zip(rows, right, strict=True) for v in (*row, b)]
    reduced, rank = fmpq_mat(len(rows), width + 1, flat).rref()
    solution = [ZERO] * width
    for i in range(rank):
        pivot = next(j for j in range(width + 1) if reduced[i, j] != 0)
        if pivot == width:
            return None
        solution[pivot] = Fraction(int(reduced[i, width].p), int(reduced[i, width].q))
    return solution


def minimum(costs: Sequence[Fraction], columns: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
            ) -> list[Fraction] | None:
    """A vertex x >= 0 with sum_j x_j columns[j] = right of least cost, exactly; None if there is none.

    ``columns``: one of len(right) numbers for each x. Raises ArithmeticError if the cost has no lower bound.
    """
    m, n = len(right), len(columns)
    signs = [Fraction(1 if b >= 0 else -1) for b in right]
    table = [[columns[j][i] * signs[i] for j in range(n)] + [ONE if i == k else ZERO for k in range(m)]
             + [right[i] * signs[i]] for i in range(m)]
    basis = list(range(n, n + m))
    _iterate(table, basis, [ZERO] * n + [ONE] * m, n + m)
    if any(table[i][-1] for i in range(m) if basis[i] >= n):
        return None
    for i in range(m):
        if basis[i] >= n:
            j = next((j for j in range(n) if table[i][j]), None)
            if j is not None:
                _pivot(table, basis, i, j)
    if not _iterate(table, basis, [*costs, *[ZERO] * m], n):
        raise ArithmeticError("the linear program is unbounded")
    solution = [ZERO] * n
    for i, j in enumerate(basis):
        if j < n:
            solution[j] = table[i][-1]
    return solution


def _iterate(table: list[list[Fraction]], basis: list[int], costs: Sequence[Fraction], enter: int) -> bool:
    """Pivot to optimality by Bland's rule over the first ``enter`` columns; False if unbounded."""
    while True:
        duals = [(i, costs[j]) for i, j in enumerate(basis) if costs[j]]
        inside = set(basis)
        column = next((j for j in range(enter) if j not in inside
                       and costs[j] - sum((c * table[i][j] for i, c in duals), ZERO) < 0), None)
        if column is None:
            return True
        rows = [i for i in range(len(table)) if table[i][column] > 0]
        if not rows:
            return False
        _pivot(table, basis, min(rows, key=lambda i: (table[i][-1] / table[i][column], basis[i])), column)


def _pivot(table: list[list[Fraction]], basis: list[int], row: int, column: int) -> None:
    scale = table[row][column]
    pivot = table[row] = [v / scale if v else v for v in table[row]]
    for i, line in enumerate(table):
        factor = line[column]
        if i != row and factor:
            table[i] = [a - factor * b if b else a for a, b in zip(line, pivot, strict=True)]
    basis[row] = column


def multipliers(goal: Form, equal: Sequence[Form], least: Sequence[Form]
                ) -> tuple[list[Fraction], list[Fraction]] | None:
    """Farkas multipliers that show goal >= 0 wherever all ``equal`` are 0 and all ``least`` are >= 0, exactly.

    Returns (a, b), b >= 0, with goal - sum a_i equal_i - sum b_i least_i a constant >= 0; None if there are none,
    which for a feasible system says that the goal fails somewhere.
    """
    names = sorted({x for f in (goal, *equal, *least) for x in f.coefficients}, key=str)
    plain = _span(goal, equal, names)
    if plain is not None:
        if plain[1] >= 0:
            return plain[0], [ZERO] * len(least)
        for r, fact in enumerate(least):  # a fact that the equations alone refute shows anything
            false = _span(fact, equal, names)
            if false is not None and false[1] < 0:
                scale = plain[1] / false[1]
                return [p - scale * q for p, q in zip(plain[0], false[0], strict=True)], \
                    [scale if i == r else ZERO for i in range(len(least))]
    likely = _likely(goal, equal, least, names)
    if likely is not None:
        return likely
    forms = [*equal, *(f * -1 for f in equal), *least, Form({}, ONE)]  # the last takes up what is left over
    columns = [[*(f.coefficients.get(x, ZERO) for x in names), f.constant] for f in forms]
    right = [*(goal.coefficients.get(x, ZERO) for x in names), goal.constant]
    found = minimum([ZERO] * len(forms), columns, right)
    if found is None:
        return None
    k = len(equal)
    return [p - q for p, q in zip(found[:k], found[k:2 * k], strict=True)], found[2 * k:-1]


def _likely(goal: Form, equal: Sequence[Form], least: Sequence[Form], names: Sequence[Any]
            ) -> tuple[list[Fraction], list[Fraction]] | None:
    """Exact multipliers on the facts that floats say are used; None if these do not show it."""
    from scipy.optimize import linprog

    forms = [*equal, *least, Form({}, ONE)]
    columns = np.array([[float(f.coefficients.get(x, ZERO)) for x in names] + [float(f.constant)] for f in forms]).T
    right = [*(goal.coefficients.get(x, ZERO) for x in names), goal.constant]
    bounds = [(None, None)] * len(equal) + [(0, None)] * (len(least) + 1)
    found = linprog([0.0] * len(equal) + [1.0] * (len(least) + 1), A_eq=columns, b_eq=[float(b) for b in right],
                    bounds=bounds, method="highs-ds")
    if found.x is None or found.status != 0:
        return None
    used = [i for i, value in enumerate(found.x) if abs(value) > TINY]
    rows = [[forms[i].coefficients.get(x, ZERO) for i in used] for x in names] + [[forms[i].constant for i in used]]
    solved = solve_exactly(rows, right) if used else None
    if solved is None or any(v < 0 for i, v in zip(used, solved, strict=True) if i >= len(equal)):
        return None
    exact = [ZERO] * len(forms)
    for i, v in zip(used, solved, strict=True):
        exact[i] = v
    return exact[:len(equal)], exact[len(equal):-1]


def least_value(costs: Sequence[float] | np.ndarray, equal: Sequence[Form], least: Sequence[Form]
                ) -> tuple[float, np.ndarray] | None:
    """(least cost, x) in floats where all ``equal`` are 0 and all ``least`` are >= 0, x_j the variable j; None if
    HiGHS finds none."""
    from scipy.optimize import linprog

    def side(forms: Sequence[Form], sign: int) -> tuple[np.ndarray, list[float]] | tuple[None, None]:
        if not forms:
            return None, None
        rows = np.zeros((len(forms), len(costs)))
        for i, f in enumerate(forms):
            for j, c in f.coefficients.items():
                rows[i, j] = sign * float(c)
        return rows, [-sign * float(f.constant) for f in forms]

    at, b = side(least, -1)
    exactly, c = side(equal, 1)
    found = linprog(costs, A_ub=at, b_ub=b, A_eq=exactly, b_eq=c, bounds=(None, None), method="highs")
    return None if found.x is None or found.status != 0 else (float(found.fun), np.asarray(found.x))


def _span(form: Form, equal: Sequence[Form], names: Sequence[Any]) -> tuple[list[Fraction], Fraction] | None:
    """(a, c) with form = sum a_i equal_i + c; None if there are none."""
    rows = [[f.coefficients.get(x, ZERO) for f in equal] for x in names]
    found = solve_exactly(rows, [form.coefficients.get(x, ZERO) for x in names]) if equal else \
        None if form.coefficients else []
    if found is None:
        return None
    return found, form.constant - sum((a * f.constant for a, f in zip(found, equal, strict=True)), ZERO)


def highs(costs: Sequence[float], rows: Sequence[Form], free: Sequence[bool]) -> np.ndarray | None:
    """Floats x of least cost with every row >= 0, by HiGHS; x_j >= 0 unless ``free``; None if it finds none.

    The rows' variables are the indices of x. What it returns is a place to look, not a solution.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    entries = [(i, j, -float(c)) for i, row in enumerate(rows) for j, c in row.coefficients.items()]
    data, at = [e[2] for e in entries], ([e[0] for e in entries], [e[1] for e in entries])
    matrix = csr_array((data, at), shape=(len(rows), len(costs)))
    bounds = [(None, None) if f else (0, None) for f in free]
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(costs, A_ub=matrix, b_ub=[float(row.constant) for row in rows], bounds=bounds, method="highs",
                    options=tight)
    return None if found.x is None or found.status != 0 else np.asarray(found.x)


def roundings(values: Sequence[float]) -> list[list[Fraction]]:
    """The numbers as fractions, the coarsest first, at last exactly as the floats are."""
    exact = [Fraction(float(v)) for v in values]
    coarse = [[v.limit_denominator(d) for v in exact] for d in (10, 100, 1000, 10**4, 10**6, 10**9, 10**12)]
    return [*coarse, exact]
