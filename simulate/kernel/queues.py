"""Queues as doubly linked lists over the rows of an integer array: a row joins or leaves in O(1), wherever it stands.

For the arrays of any state that names them ``queue_head`` and ``queue_tail``, -1 where there is none; ``links``: its
rows, whose first columns say who is next and who before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qtheory.simulate.kernel.jit import inlined

NEXT, PREVIOUS = 0, 1  # the columns of ``links``, in every layout


@inlined
def append(state: Any, links: np.ndarray, q: int, j: int) -> None:
    """Row ``j`` joins queue ``q`` at its end."""
    tail = state.queue_tail[q]
    links[j, NEXT] = -1
    links[j, PREVIOUS] = tail
    if tail >= 0:
        links[tail, NEXT] = j
    else:
        state.queue_head[q] = j
    state.queue_tail[q] = j


@inlined
def unlink(state: Any, links: np.ndarray, q: int, j: int) -> None:
    """Row ``j`` leaves queue ``q``, wherever it stands; its own links stay."""
    before, after = links[j, PREVIOUS], links[j, NEXT]
    if before >= 0:
        links[before, NEXT] = after
    else:
        state.queue_head[q] = after
    if after >= 0:
        links[after, PREVIOUS] = before
    else:
        state.queue_tail[q] = before


@inlined
def insert_after(state: Any, links: np.ndarray, q: int, before: int, j: int) -> None:
    """Row ``j`` joins queue ``q`` behind ``before``, at its head if ``before`` is -1."""
    after = links[before, NEXT] if before >= 0 else state.queue_head[q]
    links[j, PREVIOUS] = before
    links[j, NEXT] = after
    if before >= 0:
        links[before, NEXT] = j
    else:
        state.queue_head[q] = j
    if after >= 0:
        links[after, PREVIOUS] = j
    else:
        state.queue_tail[q] = j
