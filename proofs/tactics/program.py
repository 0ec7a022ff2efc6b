"""Linear programs, solved by HiGHS.

A search for a proof solves hundreds of programs with a few dozen entries, each in a quarter of a millisecond:
``scipy.optimize.linprog`` takes several times as long to prepare the call.  So HiGHS is called through SciPy's own
binding of it, with options that ``linprog`` could set; where SciPy has none of this shape, through ``linprog``.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array

try:
    highs: Any = importlib.import_module("scipy.optimize._highspy._core")
except ImportError:  # another version of SciPy
    highs = None
NEEDED = ("HighsModelStatus", "HighsOptions", "HighsStatus", "_Highs")
COLUMN_BY_COLUMN = MINIMIZE = 1  # as HiGHS numbers formats of matrices, and senses
SMALL = 250  # entries: to presolve fewer takes longer than it saves


class Matrix(NamedTuple):
    """A sparse matrix: the entries column by column, and where each column starts among them."""

    starts: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    shape: tuple[int, int]


def by_columns(rows: np.ndarray, columns: np.ndarray, data: np.ndarray, shape: tuple[int, int]) -> Matrix:
    """The matrix with these entries, of which no two have the same place."""
    order = np.lexsort((rows, columns))
    starts = np.zeros(shape[1] + 1, dtype=np.int32)
    np.cumsum(np.bincount(columns, minlength=shape[1]), out=starts[1:])
    return Matrix(starts, rows[order].astype(np.int32), data[order], shape)


def cheapest(cost: np.ndarray, matrix: Matrix, right: np.ndarray, lower: np.ndarray, upper: np.ndarray,
             below_zero: int = 0) -> np.ndarray | None:
    """The x of least cost with lower <= x <= upper and matrix @ x = right, but for some first rows, ``below_zero`` in
    number, whose values may also be below the right side, 0; None without one."""
    if highs is None or not all(hasattr(highs, name) for name in NEEDED):
        return by_linprog(cost, matrix, right, lower, upper, below_zero)
    rows, columns = matrix.shape
    least = right.copy()
    least[:below_zero] = -np.inf
    solver = _solver(len(matrix.values) >= SMALL)
    continuous = np.zeros(columns, dtype=np.int32)  # each variable
    try:  # arrays at once, in a third of the time that an object with a property for each takes
        passed = solver.passModel(columns, rows, len(matrix.values), COLUMN_BY_COLUMN, MINIMIZE, 0.0, cost, lower,
                                  upper, least, right, matrix.starts, matrix.rows, matrix.values, continuous)
    except TypeError:  # another version's binding
        return by_linprog(cost, matrix, right, lower, upper, below_zero)
    if highs.HighsStatus.kError in (passed, solver.run()):
        return None
    if solver.getModelStatus() != highs.HighsModelStatus.kOptimal:
        return None
    return np.array(solver.getSolution().col_value)


@cache
def _solver(presolve: bool) -> Any:
    """One for all programs: to make it takes as long as to solve a small one.  A new model clears what was there."""
    options = highs.HighsOptions()
    options.output_flag = options.log_to_console = False
    options.presolve = "on" if presolve else "off"
    solver = highs._Highs()
    solver.passOptions(options)
    return solver


def by_linprog(cost: np.ndarray, matrix: Matrix, right: np.ndarray, lower: np.ndarray, upper: np.ndarray,
               below_zero: int = 0) -> np.ndarray | None:
    """The same through SciPy's interface."""
    whole = csc_array((matrix.values, matrix.rows, matrix.starts), shape=matrix.shape)
    extra: dict[str, Any] = {"A_ub": whole[:below_zero], "b_ub": right[:below_zero]} if below_zero else {}
    result = linprog(cost, A_eq=whole[below_zero:], b_eq=right[below_zero:], bounds=np.column_stack([lower, upper]),
                     method="highs", options={"presolve": len(matrix.values) >= SMALL}, **extra)
    return np.asarray(result.x) if result.status == 0 else None


__all__ = ["Matrix", "by_columns", "by_linprog", "cheapest"]
