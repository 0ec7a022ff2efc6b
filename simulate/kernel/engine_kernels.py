"""The seconds of an iteration as the sum of its measured kernels, read off tables.

What depends on the batch's tokens alone (products, experts, all-reduces) is one table over their number, the head's
product one over the sampled rows; attention of prompts and of decodes is a surface each, over the number of sequences
and the tokens that they see, linear in logarithms between the points of a grid. Beyond the last of any of them time
grows in proportion.
"""

from __future__ import annotations

import math

import numpy as np

from qtheory.simulate.kernel.jit import apart

# The parameters: seconds an iteration, seconds a running request, and a factor on the kernels; the tables' last entry.
# 4 and 5 are attention of the other laws. From TABLES on: both tables from 0 on, then both surfaces.
FIXED, REQUEST, SCALE, MOST = range(4)
TABLES = 6
LEVELS_AN_OCTAVE, LEVELS = 4, 49  # of sequences, from 1 to 4,096
KNOTS_AN_OCTAVE, KNOTS = 8, 137  # of tokens, from 1 to 131,072
REACH = 1.0 / 32.0  # share by which contexts grow in iterations that are taken together


@apart
def _at(par: np.ndarray, table: int, most: int, n: int) -> float:
    return float(par[table + n] if n <= most else par[table + most] * n / most)


@apart
def _surface(par: np.ndarray, at: int, sequences: float, tokens: float) -> float:
    x = LEVELS_AN_OCTAVE * math.log2(max(sequences, 1.0))
    y = KNOTS_AN_OCTAVE * math.log2(max(tokens, 1.0))
    i, j = min(int(x), LEVELS - 2), min(int(y), KNOTS - 2)
    u, v = min(x - i, 1.0), min(y - j, 1.0)
    at += i * KNOTS + j
    below = par[at] + v * (par[at + 1] - par[at])
    above = par[at + KNOTS] + v * (par[at + KNOTS + 1] - par[at + KNOTS])
    beyond = max(x - (LEVELS - 1), 0.0) / LEVELS_AN_OCTAVE + max(y - (KNOTS - 1), 0.0) / KNOTS_AN_OCTAVE
    return float(2.0 ** (below + u * (above - below) + beyond))


@apart
def kernel_sum(
    par: np.ndarray, tokens: int, chunks: int, whole: float, work: float, decode: int, context: float, sampled: int
) -> float:
    """Seconds of an iteration of ``tokens``: ``decode`` of them with ``context`` tokens in their caches, the others in
    ``chunks`` of prompts. ``whole``: sum of the squares of the tokens that these see at their ends, ``work``: the same
    less the squares of those that lie before them; ``sampled``: rows of the head's product."""
    most = int(par[MOST])
    surfaces = TABLES + 2 * (most + 1)
    time = _at(par, TABLES, most, tokens) + _at(par, TABLES + most + 1, most, sampled)
    if chunks > 0:
        time += work / whole * _surface(par, surfaces, float(chunks), math.sqrt(whole / chunks))
    if decode > 0:
        time += _surface(par, surfaces + LEVELS * KNOTS, float(decode), context / decode)
    return float(par[SCALE] * time + par[FIXED] + par[REQUEST] * (decode + chunks))
