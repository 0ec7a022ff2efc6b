"""Polytopes: corners, facets, volumes and halves, against figures whose measures are known."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from qtheory.numerics.polytopes import Polytope, Side, apart, area, hull, less, negative, plain, round_about


def box(*most: int) -> tuple[Side, ...]:
    """0 <= x_i <= most_i."""
    unit = [tuple(F(int(i == j)) for j in range(len(most))) for i in range(len(most))]
    return (*((F(0), *u) for u in unit), *((F(m), *(-c for c in u)) for m, u in zip(most, unit, strict=True)))


@pytest.mark.parametrize(("sides", "volume", "corners"), [
    (box(3), 3, 2), (box(2, 3), 6, 4), (box(1, 2, 3), 6, 8),
    ((*box(2, 2), (F(2), F(-1), F(-1))), 2, 3),
    ((*box(1, 1, 1), (F(1), F(-1), F(-1), F(-1))), F(1, 6), 4),
    ((*box(1, 1, 1), (F(-1), F(1), F(1), F(1))), F(5, 6), 7),
])  # fmt: skip
def test_volumes_and_corners(sides: tuple[Side, ...], volume: F, corners: int) -> None:
    found = Polytope(sides)
    assert found.full and found.volume == volume and len(found.vertices) == corners
    assert found.trimmed().volume == volume and found.trimmed().vertices == found.vertices
    one, other = found.halves([F(1)] * found.dimension)
    assert one.full and other.full and one.volume + other.volume == volume
    if corners == 2**found.dimension:  # a box, whose longest way is through its centre: each half is as large
        assert one.volume == other.volume


def test_sides_that_are_not_needed_are_left_out() -> None:
    extra = ((F(9), F(-1), F(0)), (F(4), F(-2), F(0)), (F(5), F(0), F(0)), (F(4), F(-1), F(-1)))
    assert len(Polytope((*box(2, 2), *extra)).facets) == 4


@pytest.mark.parametrize("sides", [
    (*box(1, 1), (F(-1), F(1), F(0))),  # a line
    (*box(1, 1), (F(-2), F(1), F(1))),  # a point
    (*box(1, 1), (F(-3), F(1), F(1))),  # empty
    (*box(1), (F(0), F(-1))), (*box(1), (F(-2), F(1))),
    (*box(1, 1, 1), (F(0), F(0), F(0), F(-1))),
])  # fmt: skip
def test_what_has_no_inside(sides: tuple[Side, ...]) -> None:
    found = Polytope(sides)
    assert not found.full and found.volume == 0


def test_a_hull_and_the_order_of_corners() -> None:
    square = ((F(0), F(0)), (F(2), F(0)), (F(2), F(2)), (F(0), F(2)))
    assert hull([square[2], square[0], (F(1), F(1)), (F(1), F(0)), square[3], square[1]]) == square
    assert round_about([square[2], square[1], square[3], square[0]]) == square and area(square) == 4
    assert hull([square[0], square[1]]) == square[:2]


def test_forms() -> None:
    assert plain((F(1, 2), F(-3, 4))) == (2, -3) and plain((F(0), F(0))) == (0, 0)
    assert negative((F(1), F(-2))) == (-1, 2) and less((F(3), F(1)), (F(1), F(1))) == (2, 0)


def test_parts_of_a_cut_make_up_the_whole() -> None:
    whole, side = Polytope(box(3, 5)), (F(-7, 3), F(1), F(1, 2))
    assert whole.cut(side).volume + whole.cut(negative(side)).volume == 15


def test_bodies_that_only_touch_are_apart() -> None:
    square, cube = Polytope(box(1, 1)), Polytope(box(1, 1, 1))
    moved = Polytope(tuple((s[0] - s[1], *s[1:]) for s in square.sides))
    assert apart(square, moved) and not apart(square, Polytope(box(2, 2))) and not apart(square, square)
    # two wedges over crossing edges, parted by no side of theirs but by the plane between the edges
    low = Polytope(((F(0), F(0), F(0), F(1)), (F(1), F(1), F(0), F(-1)), (F(1), F(-1), F(0), F(-1)),
                    (F(2), F(0), F(1), F(0)), (F(2), F(0), F(-1), F(0))))
    high = Polytope(((F(3), F(0), F(0), F(-1)), (F(-1), F(0), F(1), F(1)), (F(-1), F(0), F(-1), F(1)),
                     (F(2), F(1), F(0), F(0)), (F(2), F(-1), F(0), F(0))))
    assert apart(low, high) and not apart(low, cube)
