"""Routes at random, as plain data: what they lead to, and the traffic equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from qtheory.numerics.lp import ZERO, solve_exactly


def reached(first: Iterable[str], ways: Mapping[str, Sequence[str]]) -> set[str]:
    """The visits that these ways lead to from the first ones, which are among them."""
    found, new = set(first), list(first)
    while new:
        new = [n for n in dict.fromkeys(m for k in new for m in ways[k]) if n not in found]
        found.update(new)
    return found


def times_made(routes: Mapping[str, Mapping[str, Fraction]]) -> dict[str, Fraction]:
    """How often a request makes each visit on average, by the traffic equations.

    ``routes``: by visit the probabilities of the next ones; a request begins at the first visit, and leaves.
    """
    names = list(routes)
    place = {n: i for i, n in enumerate(names)}
    rows = [[ZERO] * len(names) for _ in names]
    for i, ways in enumerate(routes.values()):
        rows[i][i] += 1
        for n, share in ways.items():
            rows[place[n]][i] -= share
    found = solve_exactly(rows, [Fraction(int(n == names[0])) for n in names])
    if found is None:
        raise ArithmeticError("requests never leave")
    return dict(zip(names, found, strict=True))
