"""Linear programs with exact optima: solved by HiGHS, certified in rationals; prices, frontiers, ratios.

>>> from fractions import Fraction
>>> program = LinearProgram({"x": 3, "y": 2}, (Row("a", {"x": 1, "y": 1}, "<=", 4), Row("b", {"x": 1}, "<=", 3)))
>>> found = solve(program)
>>> found.value, found.prices["a"], price(found, "a").high
(Fraction(11, 1), Fraction(2, 1), None)
"""

from qtheory.numerics.linprog.fractional import FractionalOptimum, maximise_ratio
from qtheory.numerics.linprog.program import LinearProgram, Row
from qtheory.numerics.linprog.sensitivity import Frontier, Piece, Price, price, sweep, sweep_objective
from qtheory.numerics.linprog.solving import Infeasible, Optimum, Unbounded, solve

__all__ = [
    "FractionalOptimum", "Frontier", "Infeasible", "LinearProgram", "Optimum", "Piece", "Price", "Row", "Unbounded",
    "maximise_ratio", "price", "solve", "sweep", "sweep_objective",
]
