"""A basis of a linear program, solved exactly.

Columns are the program's variables, then one slack a row: ``a x + s = b`` for ``<=``, ``a x - s = b`` for ``>=``; the
slack of ``==`` is fixed at 0, so that every program has a basis. Rows and columns in which but one entry is left are
solved by themselves, again and again; only the rest is eliminated as a dense matrix of rationals (python-flint).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_mat, nmod_mat

from qtheory.numerics.linprog.program import ONE, ZERO, LinearProgram

Column = Mapping[int, Fraction]
PRIME = (1 << 61) - 1  # columns that are independent modulo a prime are so over the rationals


class Columns:
    """A program in equations: column j has the entries ``of[j]`` by row, the cost ``cost[j]``."""

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        place = {x: j for j, x in enumerate(program.variables)}
        self.of: list[dict[int, Fraction]] = [{} for _ in place]
        for i, row in enumerate(program.rows):
            for x, c in row.coefficients.items():
                self.of[place[x]][i] = c
        self.of += [{i: -ONE if r.relation == ">=" else ONE} for i, r in enumerate(program.rows)]
        self.right = [r.right for r in program.rows]
        self.cost = [program.objective.get(x, ZERO) for x in program.variables] + [ZERO] * len(self.right)
        self.fixed = [False] * len(place) + [r.relation == "==" for r in program.rows]
        self.own = len(place)  # where the slacks begin

    def name(self, j: int) -> str:
        """The variable, or the row whose slack it is."""
        return self.program.variables[j] if j < self.own else self.program.rows[j - self.own].name

    def independent(self, order: Sequence[int]) -> list[int]:
        """The first columns of this order that form a basis: each is independent of those before it."""
        rows = len(self.right)
        if not rows:
            return []
        table = nmod_mat(rows, len(order), PRIME)
        for place, j in enumerate(order):
            for i, c in self.of[j].items():
                table[i, place] = c.numerator % PRIME * pow(c.denominator, -1, PRIME) % PRIME
        reduced, rank = table.rref()
        found, place = [], 0
        for i in range(rank):
            while not int(reduced[i, place]):
                place += 1
            found.append(order[place])
        return found


class Basis:
    """Chosen columns, as many as rows and independent; everything about them exactly."""

    def __init__(self, columns: Columns, chosen: Sequence[int]) -> None:
        self.columns, self.chosen = columns, list(chosen)
        self._order()

    def _order(self) -> None:
        """Which entry solves which row: ``first`` forwards, ``last`` backwards, ``core`` together."""
        size = len(self.chosen)
        entries = [dict(self.columns.of[j]) for j in self.chosen]
        in_row: list[set[int]] = [set() for _ in range(size)]
        for c, column in enumerate(entries):
            for i in column:
                in_row[i].add(c)
        rows, cols = set(range(size)), set(range(size))
        self.first: list[tuple[int, int]] = []
        self.last: list[tuple[int, int]] = []
        left = [set(e) for e in entries]
        ready = [("row", i) for i in rows if len(in_row[i]) == 1] + [("col", c) for c in cols if len(left[c]) == 1]
        while ready:
            kind, at = ready.pop()
            if kind == "row":
                if at not in rows or len(in_row[at]) != 1:
                    continue
                i, c = at, next(iter(in_row[at]))
                self.first.append((i, c))
            else:
                if at not in cols or len(left[at]) != 1:
                    continue
                i, c = next(iter(left[at])), at
                self.last.append((i, c))
            rows.discard(i)
            cols.discard(c)
            for other in left[c]:
                in_row[other].discard(c)
                if other in rows and len(in_row[other]) == 1:
                    ready.append(("row", other))
            for other in in_row[i]:
                left[other].discard(i)
                if other in cols and len(left[other]) == 1:
                    ready.append(("col", other))
        self.core_rows, self.core_cols = sorted(rows), sorted(cols)
        self.entries = entries

    @cached_property
    def _core(self) -> fmpq_mat:
        place = {i: k for k, i in enumerate(self.core_rows)}
        size = len(place)
        table = fmpq_mat(size, size)
        for k, c in enumerate(self.core_cols):
            for i, v in self.entries[c].items():
                if i in place:
                    table[place[i], k] = fmpq(v.numerator, v.denominator)
        return table

    @cached_property
    def _core_inverse(self) -> fmpq_mat:
        return self._core.inv()

    @cached_property
    def by_row(self) -> list[dict[int, Fraction]]:
        """The entries of each row, by place in the basis."""
        found: list[dict[int, Fraction]] = [{} for _ in self.entries]
        for c, column in enumerate(self.entries):
            for i, v in column.items():
                found[i][c] = v
        return found

    def solve(self, right: Mapping[int, Fraction]) -> list[Fraction]:
        """x with B x = right."""
        rest = dict(right)
        x = [ZERO] * len(self.chosen)

        def put(c: int, v: Fraction) -> None:
            x[c] = v
            if v:
                for i, a in self.entries[c].items():
                    rest[i] = rest.get(i, ZERO) - a * v

        for i, c in self.first:
            put(c, rest.get(i, ZERO) / self.entries[c][i])
        for c, v in zip(self.core_cols, self._dense([rest.get(i, ZERO) for i in self.core_rows], False), strict=True):
            put(c, v)
        for i, c in reversed(self.last):
            put(c, rest.get(i, ZERO) / self.entries[c][i])
        return x

    def prices(self, costs: Sequence[Fraction]) -> list[Fraction]:
        """y, by row, with y B = costs (by place in the basis)."""
        rest = list(costs)
        y = [ZERO] * len(self.chosen)

        def put(i: int, v: Fraction) -> None:
            y[i] = v
            if v:
                for c, a in self.by_row[i].items():
                    rest[c] -= a * v

        for i, c in self.last:
            put(i, rest[c] / self.entries[c][i])
        for i, v in zip(self.core_rows, self._dense([rest[c] for c in self.core_cols], True), strict=True):
            put(i, v)
        for i, c in reversed(self.first):
            put(i, rest[c] / self.entries[c][i])
        return y

    def _dense(self, right: Sequence[Fraction], transposed: bool) -> list[Fraction]:
        if not right or not any(right):
            return [ZERO] * len(right)
        table = self._core_inverse.transpose() if transposed else self._core_inverse
        found = table * fmpq_mat(len(right), 1, [fmpq(v.numerator, v.denominator) for v in right])
        return [Fraction(int(v.p), int(v.q)) for v in found.entries()]

    @cached_property
    def values(self) -> list[Fraction]:
        """The basic solution, by place in the basis."""
        return self.solve({i: b for i, b in enumerate(self.columns.right) if b})

    @cached_property
    def dual(self) -> list[Fraction]:
        """The price of each row's right side."""
        return self.prices([self.columns.cost[j] for j in self.chosen])

    def reduced(self, j: int) -> Fraction:
        """What a unit of column j adds to the objective."""
        return self.columns.cost[j] - sum((self.dual[i] * a for i, a in self.columns.of[j].items()), ZERO)
