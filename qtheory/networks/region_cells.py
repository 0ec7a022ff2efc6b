"""A region of arrival rates as its parts: each a polygon with its certificate, put together where that is exact."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.networks.certified_cells import CertifiedCell
from qtheory.numerics.polytopes import Polytope, at, hull
from qtheory.theory.regions import Affine


@dataclass(frozen=True)
class Cell:
    """A polygon (interval, body) of free rates; without a certificate it is undecided. ``reason``: in words."""

    polytope: Polytope
    certified: CertifiedCell | None = None
    reason: str = ""

    @property
    def verdict(self) -> str:
        return "undecided" if self.certified is None else self.certified.verdict


@dataclass(frozen=True)
class Region:
    """What is known of a network over free rates.

    ``axes``: their names; ``rates``: each type's arrival rate, affine in them; ``whole``: where no engine is
    overloaded, None if that has no inside; ``cells``: its parts; ``beyond``: for each engine the half of the rates at
    which it is overloaded.
    """

    network: AgentNetwork
    axes: tuple[str, ...]
    rates: tuple[Affine, ...]
    whole: Polytope | None
    cells: tuple[Cell, ...]
    beyond: tuple[Cell, ...]

    def at(self, point: Sequence[Fraction | int]) -> str:
        """The certified verdict at these free rates, else undecided."""
        exact = [Fraction(x) for x in point]
        if len(exact) != len(self.axes) or min(exact) < 0:
            raise InputError(f"a point has {len(self.axes)} rates of at least 0: {', '.join(self.axes)}")
        return next((c.verdict for c in (*self.beyond, *self.cells) if c.certified and c.certified.holds(exact)),
                    "undecided")

    def share(self, verdict: str) -> Fraction:
        """The part of the rates without an overloaded engine that has a verdict, by length, area or volume."""
        if self.whole is None:
            return Fraction(0)
        return sum((c.polytope.volume for c in self.cells if c.verdict == verdict), Fraction(0)) / self.whole.volume

    def merged(self, verdict: str) -> list[Polytope]:
        """The cells of a verdict, put together where their union is convex and all of its inside is certified."""
        some = [c for c in self.cells if c.verdict == verdict]
        return _merged(some) if len(self.axes) < 3 else [c.polytope for c in some]

    def to_json(self) -> dict[str, Any]:
        """The region as plain data, with its certificates; numbers as texts of exact rationals. A cell's ``open`` says
        of each of its ``sides`` whether the verdict is not shown on it."""
        return {"schema": 1, "title": self.network.title, "axes": list(self.axes),
                "rates": {t.name: list(map(str, r)) for t, r in zip(self.network.types, self.rates, strict=True)},
                "share": {v: str(self.share(v)) for v in ("stable", "unstable", "undecided")},
                "polygons": {v: [_corners(p) for p in self.merged(v)] for v in ("stable", "unstable", "undecided")},
                "cells": [_cell_json(c) for c in self.cells], "beyond": [_cell_json(c) for c in self.beyond]}


def _corners(polytope: Polytope) -> list[list[str]]:
    return [list(map(str, v)) for v in polytope.vertices]


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {"verdict": cell.verdict, "reason": cell.reason,
            "sides": [list(map(str, s)) for s in cell.polytope.sides], "open": open_sides(cell),
            "corners": _corners(cell.polytope),
            "certificate": None if cell.certified is None else cell.certified.certificate}


def open_sides(cell: Cell) -> list[bool]:
    """Of each side whether the verdict is not shown on it: there the margin is 0."""
    if cell.certified is None:
        return [False] * len(cell.polytope.sides)
    margin, out = cell.certified.margin, list[bool]()
    for side in cell.polytope.sides:
        there = [at(margin, v) for v in cell.polytope.vertices if at(side, v) == 0]
        out.append(side == margin or (bool(there) and not any(there)))
    return out


def _merged(some: Sequence[Cell]) -> list[Polytope]:
    """Unions of cells that are convex, and certified at all of their inside."""
    parts: list[list[Cell]] = [[c] for c in some]
    if len(parts) > 1 and _united(list(some)):
        return [_union(list(some))]
    again = True
    while again:
        again = False
        for first, second in itertools.combinations(parts, 2):
            if _touch(first, second) and _united([*first, *second]):
                parts = [*(p for p in parts if p is not first and p is not second), [*first, *second]]
                again = True
                break
    return [_union(p) for p in parts]


def _touch(first: Sequence[Cell], second: Sequence[Cell]) -> bool:
    corners = {v for c in first for v in c.polytope.vertices}
    return any(v in corners for c in second for v in c.polytope.vertices)


def _union(some: Sequence[Cell]) -> Polytope:
    """The convex hull of cells on a line or in the plane."""
    if len(some) == 1:
        return some[0].polytope
    points = [v for c in some for v in c.polytope.vertices]
    if len(points[0]) == 1:
        return Polytope(((-min(points)[0], Fraction(1)), (max(points)[0], Fraction(-1))))
    corners = hull(points)
    return Polytope(tuple((p[1] * q[0] - p[0] * q[1], p[1] - q[1], q[0] - p[0]) for p, q in
                          zip(corners, [*corners[1:], corners[0]], strict=True)))


def _united(some: Sequence[Cell]) -> bool:
    """Whether the union is convex, and no point of its inside is left open by a margin of 0."""
    union = _union(some)
    if sum(c.polytope.volume for c in some) != union.volume:
        return False
    if some[0].certified is None:
        return True

    def open_at(cell: Cell, points: Iterable[Sequence[Fraction]]) -> bool:
        return cell.certified is not None and all(at(cell.certified.margin, p) == 0 for p in points)

    def inner(point: Sequence[Fraction]) -> bool:
        return all(at(s, point) > 0 for s in union.sides)

    for cell in some:
        corners = cell.polytope.vertices
        if any(inner(v) and all(open_at(c, [v]) for c in some if v in c.polytope.vertices) for v in corners):
            return False
        if len(corners[0]) == 1:
            continue
        for p, q in zip(corners, [*corners[1:], corners[0]], strict=True):
            middle = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
            if inner(middle) and open_at(cell, [p, q]) and not any(
                    {p, q} <= set(c.polytope.vertices) and not open_at(c, [p, q]) for c in some):
                return False
    return True
