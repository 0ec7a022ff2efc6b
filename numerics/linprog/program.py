"""A linear program as exact data: nonnegative variables by name, rows with a relation, an objective to be largest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.errors import InputError

RELATIONS = ("<=", ">=", "==")
ZERO, ONE = Fraction(0), Fraction(1)
Point = Mapping[str, Fraction]


def linear(coefficients: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
    """The coefficients as fractions, without those that are 0."""
    return {x: Fraction(c) for x, c in coefficients.items() if c}


def value(coefficients: Point, point: Point) -> Fraction:
    """The linear form at a point; variables that it leaves out are 0."""
    return sum((c * point[x] for x, c in coefficients.items() if x in point), ZERO)


@dataclass(frozen=True)
class Row:
    """``coefficients . x  relation  right``; the relation is ``<=``, ``>=`` or ``==``. ``about``: in words."""

    name: str
    coefficients: Point
    relation: str
    right: Fraction
    about: str = ""

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise InputError(f"row {self.name!r}: the relation is one of {', '.join(RELATIONS)}, not {self.relation!r}")
        object.__setattr__(self, "coefficients", linear(self.coefficients))
        object.__setattr__(self, "right", Fraction(self.right))

    def slack(self, point: Point) -> Fraction:
        """How far the point is from the row's bound, negative where it breaks it (for ``==``: either sign does)."""
        gap = self.right - value(self.coefficients, point)
        return -gap if self.relation == ">=" else gap

    def holds(self, point: Point) -> bool:
        """Does the point obey the row, exactly?"""
        gap = self.slack(point)
        return gap == 0 if self.relation == "==" else gap >= 0


@dataclass(frozen=True)
class LinearProgram:
    """Maximise ``objective . x + constant`` over x >= 0 that obey all rows. Names are of the statement language:
    a letter, then letters, digits and underscores."""

    objective: Point
    rows: tuple[Row, ...]
    variables: tuple[str, ...] = ()
    constant: Fraction = field(default=ZERO)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<linear program of {len(self.variables)} variables and {len(self.rows)} rows>")

    def __post_init__(self) -> None:
        object.__setattr__(self, "objective", linear(self.objective))
        object.__setattr__(self, "constant", Fraction(self.constant))
        object.__setattr__(self, "rows", tuple(self.rows))
        known = dict.fromkeys((*self.variables, *self.objective, *(x for r in self.rows for x in r.coefficients)))
        object.__setattr__(self, "variables", tuple(known))
        names = [r.name for r in self.rows]
        if len(set(names)) < len(names):
            raise InputError(f"two rows are named {next(n for n in names if names.count(n) > 1)!r}")

    @cached_property
    def by_name(self) -> Mapping[str, Row]:
        """The rows by name."""
        return {r.name: r for r in self.rows}

    def at(self, point: Point) -> Fraction:
        """The objective at a point."""
        return self.constant + value(self.objective, point)

    def broken(self, point: Point) -> list[str]:
        """What the point breaks: names of rows, and of variables that are negative."""
        return [r.name for r in self.rows if not r.holds(point)] + [x for x in self.variables if point.get(x, ZERO) < 0]

    def with_rows(self, rows: Iterable[Row]) -> LinearProgram:
        """This program with more rows."""
        return replace(self, rows=(*self.rows, *rows))

    def with_right(self, name: str, right: Fraction) -> LinearProgram:
        """This program with another right side of one row."""
        if name not in self.by_name:
            raise InputError(f"the program has no row {name!r}; its rows are {', '.join(self.by_name)[:300]}")
        return replace(self, rows=tuple(replace(r, right=right) if r.name == name else r for r in self.rows))

    def with_objective(self, objective: Point, constant: Fraction = ZERO) -> LinearProgram:
        """This program with another objective."""
        return replace(self, objective=objective, constant=constant)
