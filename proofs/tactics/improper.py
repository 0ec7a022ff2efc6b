"""Integrals whose integrand has no value at single points: improper ones, some of which have a value all the same.

The kernel's integral is Riemann's, so it has no value where its integrand has none at one point of the range.  A
reader may mean the improper integral by it, as in the integral of log x from 0 to 1.  So a statement is refuted for
want of a value only where the improper integral has none either: where the integrand is undefined all along one side
of the point, or grows there at least like the inverse of the distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.arrays import Points, values

DISTANCES = np.array([1e-5, 1e-7, 1e-9])  # shares of the range
LIKE_INVERSE = 0.9  # value times distance is 1 for 1/x, and falls along the distances for all that has an integral


def improper(plan: tuple[Any, ...], at: Mapping[str, Fraction | float], terms: Sequence[tuple[str, Node]]) -> bool:
    """Does the branch rest on an integral that may have a value as an improper one?  ``terms`` gives the variables
    that equations fix by the others."""
    integrals = list(_places(plan))
    if not integrals:
        return False
    point = {v: np.asarray(float(q)) for v, q in at.items()}
    point |= {v: values(term, point).value for v, term in terms}
    return any(not _hopeless(s, name, point) for s, name in integrals)


def _places(plan: tuple[Any, ...]) -> Iterator[tuple[Node, str]]:
    """The integrals that a plan takes to be undefined, each with the variable that stands for the place."""
    if plan[0] == "undef" and plan[1][0] == "int":
        yield plan[1], plan[3][1]
    inner = plan[1] if plan[0] == "and" else {"or": plan[2:3], "imp": plan[2:3], "ex": plan[2:3],
                                              "undef": plan[3:4]}.get(plan[0], ())
    for part in inner:
        yield from _places(part)


def _hopeless(integral: Node, name: str, point: Points) -> bool:
    _, x, low, high, body = integral
    a, b, c = (float(values(t, point).value) for t in (low, high, name))
    a, b = min(a, b), max(a, b)
    for side in (1, -1):
        gaps = DISTANCES * (b - a)
        places = c + side * gaps
        if not np.all((a <= places) & (places <= b)):
            continue
        found = values(body, {**{v: q[None] for v, q in point.items()}, x: places})
        if bool(np.all(found.undefined)):
            return True
        mass = np.abs(found.value) * gaps
        if bool(np.all(np.isfinite(mass))) and mass[-1] > LIKE_INVERSE * mass[0] > 0:
            return True
    return False


__all__ = ["improper"]
