"""The event list: a tournament tree over a fixed set of clocks (one a server, a source, a timer).

``when[1]`` and ``who[1]`` are the next event's time and clock; the leaves of n clocks start at ``size``, the
least power of two with room for all. Changing one clock costs log2(size) steps without a branch. At equal
times the clock with the lower number goes first, so that ties end the same way in every run.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel.jit import either, index, inlined


def empty_tree(clocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays ``when`` (float64) and ``who`` (int64) of 2*size nodes for ``clocks`` clocks, all set to never."""
    size = 2
    while size < clocks:
        size *= 2
    who = np.zeros(2 * size, dtype=np.int64)
    who[size:] = np.arange(size)
    for node in range(size - 1, 0, -1):
        who[node] = who[2 * node]
    return np.full(2 * size, np.inf), who


@inlined
def set_clock(when: np.ndarray, who: np.ndarray, clock: int, time: float) -> None:
    """Let ``clock`` ring at ``time`` (infinity: never)."""
    node = index(clock + when.size // 2)
    when[node] = time
    # Times are not negative: their bits, read as integers, are in the same order.
    bits = np.float64(time).view(np.int64)
    best = clock
    while node > 1:
        sibling = node ^ 1
        other = np.float64(when[sibling]).view(np.int64)
        # At a tie the left child wins: its clocks have lower numbers.
        earlier = other - (node & 1) < bits
        bits = either(earlier, other, bits)
        best = either(earlier, who[sibling], best)
        node >>= 1
        when[node] = np.int64(bits).view(np.float64)
        who[node] = best
