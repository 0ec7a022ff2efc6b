"""Memory at the start of a phase, at the paper's own sizes: a lower bound of the chance that it exceeds a capacity.

Under a constant hazard rate the requests that are active when a phase starts are as good as new, so that phases are
independent of each other: counted backwards, phase j takes M_j iterations, and K_j >= k of the N requests complete in
it, any K_j of them alike.  With R_j the requests that have been there for the last j phases, R_0 = N,

    X_0 = N L + M_1 R_1 + M_2 R_2 + ...,   Pr(R_j = s | R_{j-1} = r, K_j) hypergeometric,

for prompts of L tokens all.  Probabilities are whole multiples of 2^-31 and every one is rounded down; so are the M_j,
to a multiple of ``step``, and what is still missing is rounded up to a multiple of ``grid``: what comes out is at most
the probability.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.int64]
BITS = 31
ONE = 1 << BITS  # the product of two probabilities, and a sum of such that is at most 1, fit into 64 bits
LONGEST = 400  # iterations of a phase that are followed; longer ones are left out


@cache
def start_exceeds(slots: int, k: int, p: Fraction, tokens: int, *, step: int = 4, grid: int = 150,
                  phases: int = 15) -> Fraction:
    """At most Pr(X_0 - N L > tokens) in steady state, from the last ``phases`` phases."""
    top = -(-(tokens + 1) // grid)
    lengths = _lengths(slots, k, p, step)
    now = {slots: _unit(top)}  # requests left -> the law of what is missing, in units of grid
    exceeded = 0
    for _ in range(phases):
        later: dict[int, Row] = {}
        for requests, missing in now.items():
            for left, generated in _phase(slots, requests, lengths, grid).items():
                after = np.convolve(missing[::-1], generated) >> BITS  # at i: top - i are missing, or fewer
                exceeded += int(after[top:].sum())
                if left:
                    rest = np.zeros(top + 1, dtype=np.int64)
                    rest[top - len(after[:top]) + 1:] = after[:top][::-1]
                    later[left] = later[left] + rest if left in later else rest
        now = later
    return Fraction(exceeded, ONE)


def _unit(place: int) -> Row:
    row = np.zeros(place + 1, dtype=np.int64)
    row[place] = ONE
    return row


def _lengths(slots: int, k: int, p: Fraction, step: int) -> dict[int, Row]:
    """The iterations of a phase, rounded down -> by the requests left at its end, the probability."""
    moves = np.zeros((slots + 1, slots + 1), dtype=np.int64)
    for n in range(slots - k + 1, slots + 1):
        for done in range(n + 1):
            moves[n, n - done] = (comb(n, done) * p.numerator**done * (p.denominator - p.numerator) ** (n - done) * ONE
                                  // p.denominator**n)
    active = _unit(slots)
    found: dict[int, Row] = {}
    for m in range(1, LONGEST):
        active = active @ moves >> BITS
        ended, active[: slots - k + 1] = active[: slots - k + 1].copy(), 0
        if ended.any():
            rounded = m // step * step
            found[rounded] = found[rounded] + ended if rounded in found else ended
    return found


def _phase(slots: int, requests: int, lengths: dict[int, Row], grid: int) -> dict[int, Row]:
    """Of so many requests, how many survive a phase -> the law of the tokens that these generate in it, M times
    their number, rounded down to units of grid."""
    found: dict[int, Row] = {}
    for m, ended in lengths.items():
        row = np.zeros(requests + 1, dtype=np.int64)
        for left in np.flatnonzero(ended):
            row += ended[left] * _survivors(slots, int(left), requests) >> BITS
        for s in np.flatnonzero(row):
            if int(s) not in found:
                found[int(s)] = np.zeros(max(lengths) * int(s) // grid + 1, dtype=np.int64)
            found[int(s)][m * int(s) // grid] += row[s]
    return found


@cache
def _survivors(slots: int, left: int, requests: int) -> Row:
    """The law of how many of the requests are among the ``left`` of all slots that survive."""
    ways = [comb(requests, s) * comb(slots - requests, left - s) if s <= left else 0 for s in range(requests + 1)]
    return np.array([way * ONE // comb(slots, left) for way in ways], dtype=np.int64)
