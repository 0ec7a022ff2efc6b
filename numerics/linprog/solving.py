"""Optima of linear programs: HiGHS says where to look, the basis found there is solved in rationals and improved there
until it is optimal, so that primal and dual solution, and their equal objectives, are exact.

An optimum is a certificate of itself: its point obeys every row, its prices and reduced costs have the signs of a dual
solution, and both objectives are equal; :meth:`Optimum.check` looks at just that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.numerics.linprog.basis import Basis, Columns
from qtheory.numerics.linprog.program import ONE, ZERO, LinearProgram, Row, value

MOST_PIVOTS = 5_000


class Infeasible(InputError):
    """No point obeys all rows. ``multipliers``: of rows, by name, with which their sum is a contradiction;
    ``conflict``: rows that cannot hold together, while all but any one of them can."""

    def __init__(self, program: LinearProgram, multipliers: Mapping[str, Fraction]) -> None:
        self.program, self.multipliers = program, multipliers
        super().__init__(program, multipliers)

    @cached_property
    def conflict(self) -> tuple[Row, ...]:
        """Looked for only when it is asked for."""
        return _irreducible(self.program, [r for r in self.program.rows if r.name in self.multipliers])

    def __str__(self) -> str:
        return "these cannot hold together: " + "; ".join(r.about or r.name for r in self.conflict)


class Unbounded(InputError):
    """The objective has no upper bound. ``ray``: a direction in which it grows for ever."""

    def __init__(self, ray: Mapping[str, Fraction]) -> None:
        self.ray = ray
        super().__init__(f"the objective has no upper bound: {', '.join(ray)} can grow for ever")


@dataclass(frozen=True)
class Optimum:
    """A basic optimal solution. ``point``: by variable; ``prices``: by row, the shadow price of its right side;
    ``reduced``: by variable, what a unit of it would add to the objective (at most 0); all exact."""

    program: LinearProgram
    basis: Basis
    point: Mapping[str, Fraction]
    prices: Mapping[str, Fraction]
    reduced: Mapping[str, Fraction]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<optimum {float(self.value):.9g}; binding: {', '.join(self.binding) or 'nothing'}>")

    @property
    def value(self) -> Fraction:
        """The largest objective."""
        return self.program.at(self.point)

    @cached_property
    def binding(self) -> tuple[str, ...]:
        """Inequalities that hold with equality."""
        return tuple(r.name for r in self.program.rows if r.relation != "==" and r.slack(self.point) == 0)

    @cached_property
    def degenerate(self) -> bool:
        """Is a basic variable 0, so that prices may differ to both sides?"""
        return any(v == 0 for v in self.basis.values)

    def check(self) -> list[str]:
        """What is wrong with this as a primal and dual solution of equal objectives; nothing if it is optimal."""
        wrong = [f"the point breaks {name}" for name in self.program.broken(self.point)]
        spent, dual = dict.fromkeys(self.program.variables, ZERO), self.program.constant
        for row in self.program.rows:
            price = self.prices[row.name]
            if (row.relation == "<=" and price < 0) or (row.relation == ">=" and price > 0):
                wrong.append(f"the price of {row.name} has the wrong sign")
            dual += price * row.right
            for x, c in row.coefficients.items() if price else ():
                spent[x] += price * c
        for x, v in spent.items():
            if self.program.objective.get(x, ZERO) - v != self.reduced[x] or self.reduced[x] > 0:
                wrong.append(f"the reduced cost of {x} is positive, or not what it should be")
        return [*wrong, *(["the objectives differ"] if dual != self.value else [])]

    def other(self) -> Optimum | None:
        """Another optimal solution, as far from this one as can be; None if there is no other.

        Optimal points are those at which all variables and slacks of nonzero reduced cost are 0 (complementary
        slackness); among these the sum of the nonbasic ones is maximised.
        """
        columns, inside = self.basis.columns, set(self.basis.chosen)
        fixed, free = list[int](), list[int]()
        for j in range(len(columns.of)):
            if j not in inside and not columns.fixed[j]:
                (free if self.basis.reduced(j) == 0 else fixed).append(j)
        if not free:
            return None
        rows = list(self.program.rows)
        aim = dict[str, Fraction]()
        for j in fixed:
            if j < columns.own:
                rows.append(Row(f"fixed_{columns.name(j)}", {columns.name(j): ONE}, "<=", ZERO))
            else:
                i = j - columns.own
                rows[i] = replace(rows[i], relation="==")
        for j in free:
            if j < columns.own:
                aim[columns.name(j)] = aim.get(columns.name(j), ZERO) + ONE
            else:
                row = self.program.rows[j - columns.own]
                for x, c in row.coefficients.items():
                    aim[x] = aim.get(x, ZERO) + (c if row.relation == ">=" else -c)
        face = LinearProgram(aim, tuple(rows), self.program.variables)
        try:
            found = solve(face)
        except Unbounded as error:
            far = {x: v + error.ray.get(x, ZERO) for x, v in self.point.items()}
            return replace(self, point=far)
        if found.value == face.at(self.point):
            return None
        return replace(self, point=found.point)

    def spread(self, form: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
        """(least, most) of a linear form over all optimal points. Unbounded if it has no end."""
        best = Row("optimal", self.program.objective, ">=", self.value - self.program.constant)
        face = self.program.with_rows([best])
        high = solve(face.with_objective(form)).value
        return -solve(face.with_objective({x: -c for x, c in form.items()})).value, high


def solve(program: LinearProgram) -> Optimum:
    """An optimal solution, exactly. Infeasible, with the conflict, or Unbounded, with a ray, if there is none."""
    columns = Columns(program)
    start = _highs(program, columns)
    if start is None:
        start = _feasible(program, columns)
    return _improved(columns, start)


def _highs(program: LinearProgram, columns: Columns) -> list[int] | None:
    """The basis at which HiGHS ends, as far as its numbers say; None if it finds none."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    place = {x: j for j, x in enumerate(program.variables)}
    entries: dict[bool, list[tuple[int, int, float]]] = {True: [], False: []}
    right: dict[bool, list[float]] = {True: [], False: []}
    where: list[tuple[bool, int, float]] = []
    for row in program.rows:
        equal, sign = row.relation == "==", -1.0 if row.relation == ">=" else 1.0
        scale = sign / max((abs(float(c)) for c in row.coefficients.values()), default=1.0)
        where.append((equal, len(right[equal]), scale))
        entries[equal] += [(len(right[equal]), place[x], scale * float(c)) for x, c in row.coefficients.items()]
        right[equal].append(scale * float(row.right))
    if not place:
        return None

    def matrix(equal: bool) -> csr_array | None:
        if not right[equal]:
            return None
        rows, cols, data = (list(v) for v in zip(*entries[equal], strict=True)) if entries[equal] else ([], [], [])
        return csr_array((data, (rows, cols)), shape=(len(right[equal]), len(place)))

    costs = np.array([-float(program.objective.get(x, ZERO)) for x in program.variables])
    found = linprog(costs / (np.abs(costs).max() or 1.0), A_ub=matrix(False), b_ub=right[False] or None,
                    A_eq=matrix(True), b_eq=right[True] or None, bounds=(0, None), method="highs-ds",
                    options={"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9})
    if found.status != 0 or found.x is None:
        return None
    slack = [0.0 if equal else float(found.slack[i]) / abs(scale) for equal, i, scale in where]
    costs_left = [abs(v) for v in found.lower.marginals]
    dual = [0.0 if equal else abs(float(found.ineqlin.marginals[i])) for equal, i, scale in where]
    sizes = [*map(float, found.x), *slack]
    idle = [*costs_left, *dual]
    scale = max(sizes, default=1.0) or 1.0
    usable = [j for j in range(len(sizes)) if not columns.fixed[j]]
    basic = sorted((j for j in usable if sizes[j] > 1e-9 * scale), key=lambda j: -sizes[j])
    rest = sorted(set(usable) - set(basic), key=lambda j: (idle[j] > 1e-9, j < columns.own, idle[j]))
    return columns.independent([*basic, *rest, *(j for j in range(len(sizes)) if columns.fixed[j])])


def _lacking(program: LinearProgram, plain: bool = False) -> Optimum:
    """Each row gets what is lacking to it as a variable of its own, after the program's, and the sum of these is made
    least: from where HiGHS ends, or, if ``plain``, from the slacks by the exact simplex method alone. It is 0 if all
    rows can hold; else the prices are multipliers of rows whose sum is a contradiction.
    """
    prefix = "lack_"
    while any(x.startswith(prefix) for x in program.variables):  # this may itself be such a program
        prefix += "_"
    lacking, aim = [], dict[str, Fraction]()
    rows = []
    for i, row in enumerate(program.rows):
        needs = row.right < 0 if row.relation == "<=" else row.right > 0 if row.relation == ">=" else row.right != 0
        if not needs and row.relation != "==":
            rows.append(row)
            continue
        name = f"{prefix}{i}"
        lacking.append(name)
        aim[name] = -ONE
        sign = ONE if row.right >= 0 else -ONE
        rows.append(replace(row, coefficients={**row.coefficients, name: sign}))
    phase = LinearProgram(aim, tuple(rows), (*program.variables, *lacking))
    helped = Columns(phase)
    place = {x: j for j, x in enumerate(phase.variables)}
    start = [place[f"{prefix}{i}"] if f"{prefix}{i}" in place else helped.own + i for i in range(len(rows))]
    return _improved(helped, start if plain else _highs(phase, helped) or start)


def _feasible(program: LinearProgram, columns: Columns, plain: bool = False) -> list[int]:
    """A feasible basis; Infeasible if there is none."""
    found = _lacking(program, plain)
    if found.value < 0:
        raise Infeasible(program, {n: p for n, p in found.prices.items() if p})
    own = found.basis.columns.own
    chosen = [j for j in found.basis.chosen if j < len(program.variables) or j >= own]
    offset = own - len(program.variables)
    kept = [j if j < len(program.variables) else j - offset for j in chosen]
    rest = [j for j in range(len(columns.of)) if j not in set(kept) and not columns.fixed[j]]
    return columns.independent([*kept, *sorted(rest, key=lambda j: -j),
                                *(j for j in range(len(columns.of)) if columns.fixed[j] and j not in set(kept))])


def _irreducible(program: LinearProgram, rows: list[Row]) -> tuple[Row, ...]:
    """Of rows that cannot hold together, those that are left when each is dropped that need not be there."""
    kept = list(rows)
    for row in rows:
        fewer = [r for r in kept if r is not row]
        if len(fewer) < len(kept):
            found = _lacking(LinearProgram({}, tuple(fewer), program.variables))
            if found.value < 0:
                kept = [r for r in fewer if found.prices[r.name]]
    return tuple(kept)


def _improved(columns: Columns, start: list[int]) -> Optimum:
    """The optimal basis reached from this one, exactly: by dual steps while it is not feasible, then by primal ones,
    the first that can enter or leave each time (Bland's rule, so that it ends)."""
    chosen = list(start)
    for _ in range(MOST_PIVOTS):
        basis = Basis(columns, chosen)
        inside = set(chosen)
        gains = {j: basis.reduced(j) for j in range(len(columns.of)) if j not in inside and not columns.fixed[j]}
        bad = [k for k, v in enumerate(basis.values) if v < 0 or (v and columns.fixed[chosen[k]])]
        better = next((j for j, g in gains.items() if g > 0), None)
        if not bad and better is None:
            return _optimum(columns, basis, gains)
        if bad and better is not None:
            return _improved(columns, _feasible(columns.program, columns, plain=True))
        if bad:
            step = _dual_step(basis, min(bad, key=lambda k: chosen[k]), gains)
            if step is None:
                return _improved(columns, _feasible(columns.program, columns))  # which tells the conflict
        else:
            assert better is not None
            step = _primal_step(basis, better)
        chosen[step[0]] = step[1]
    raise ArithmeticError(f"no optimal basis within {MOST_PIVOTS} exact steps")


def _primal_step(basis: Basis, entering: int) -> tuple[int, int]:
    """(place that is left, column that enters)."""
    columns = basis.columns
    direction = basis.solve(columns.of[entering])
    ratios = [(basis.values[k] / d if d > 0 else ZERO, basis.chosen[k], k) for k, d in enumerate(direction)
              if d > 0 or (d < 0 and columns.fixed[basis.chosen[k]])]
    if not ratios:
        ray = {columns.name(entering): ONE} if entering < columns.own else {}
        ray |= {columns.name(basis.chosen[k]): -d for k, d in enumerate(direction)
                if d and basis.chosen[k] < columns.own}
        raise Unbounded(ray)
    return min(ratios)[2], entering


def _dual_step(basis: Basis, leaving: int, gains: Mapping[int, Fraction]) -> tuple[int, int] | None:
    columns = basis.columns
    row = basis.prices([ONE if k == leaving else ZERO for k in range(len(basis.chosen))])
    sign = -1 if basis.values[leaving] < 0 else 1
    ratios = []
    for j, gain in gains.items():
        entry = sign * sum((row[i] * a for i, a in columns.of[j].items()), ZERO)
        if entry > 0:
            ratios.append((-gain / entry, j))
    return (leaving, min(ratios)[1]) if ratios else None


def _optimum(columns: Columns, basis: Basis, gains: Mapping[int, Fraction]) -> Optimum:
    program = columns.program
    at = {columns.name(j): v for j, v in zip(basis.chosen, basis.values, strict=True) if j < columns.own}
    prices = {r.name: y for r, y in zip(program.rows, basis.dual, strict=True)}
    return Optimum(program, basis, {x: at.get(x, ZERO) for x in program.variables}, prices,
                   {x: gains.get(j, ZERO) for j, x in enumerate(program.variables)})


__all__ = ["Infeasible", "Optimum", "Unbounded", "solve", "value"]
