"""Linear-fractional programs, exactly: ``(c x + alpha) / (d x + beta)`` made largest over a linear program's points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.numerics.linprog.program import ONE, ZERO, LinearProgram, Point, Row, value
from qtheory.numerics.linprog.solving import Optimum, solve


@dataclass(frozen=True)
class FractionalOptimum:
    """``point``: by variable; ``value``: the ratio there, the largest; ``transformed``: the optimum that shows it."""

    point: Point
    value: Fraction
    transformed: Optimum


def maximise_ratio(program: LinearProgram, over: Point, beta: Fraction) -> FractionalOptimum:
    """The largest ``program's objective / (over . x + beta)`` by the transformation of Charnes and Cooper (1962):
    with t = 1/(d x + beta) and z = t x it is linear in z and t. The denominator must be positive on all points.

    Raises InputError if it is not, and as :func:`solve` does.
    """
    least = -solve(program.with_objective({x: -c for x, c in over.items()})).value + beta
    if least <= 0:
        raise InputError(f"the denominator falls to {least} within the program; it must be positive")
    t = next(n for n in ("t", "t_scale", *(f"t_{i}" for i in range(len(program.variables) + 1)))
             if n not in program.variables)
    rows = [Row(r.name, {**r.coefficients, t: -r.right}, r.relation, ZERO, r.about) for r in program.rows]
    rows.append(Row("denominator", {**over, t: beta}, "==", ONE, "the denominator is scaled to 1"))
    scaled = LinearProgram({**program.objective, t: program.constant}, tuple(rows), (*program.variables, t))
    found = solve(scaled)
    scale = found.point[t]
    if scale == 0:
        raise InputError("the largest ratio is approached along a ray, and not attained")
    point = {x: found.point[x] / scale for x in program.variables}
    return FractionalOptimum(point, program.at(point) / (value(over, point) + beta), found)
