"""Queues as doubly linked lists over the rows of the jobs: a job joins or leaves in O(1), wherever it stands."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.jit import compiled, inlined
from qtheory.simulate.kernel.layout import State


@inlined
def append(state: State, q: int, j: int) -> None:
    """Job ``j`` joins queue ``q`` at its end."""
    tail = state.queue_tail[q]
    state.job_i[j, L.NEXT] = -1
    state.job_i[j, L.PREVIOUS] = tail
    if tail >= 0:
        state.job_i[tail, L.NEXT] = j
    else:
        state.queue_head[q] = j
    state.queue_tail[q] = j


@compiled
def unlink(job_i: np.ndarray, head: np.ndarray, tail: np.ndarray, q: int, j: int) -> None:
    """Job ``j`` leaves queue ``q``, wherever it stands."""
    before, after = job_i[j, L.PREVIOUS], job_i[j, L.NEXT]
    if before >= 0:
        job_i[before, L.NEXT] = after
    else:
        head[q] = after
    if after >= 0:
        job_i[after, L.PREVIOUS] = before
    else:
        tail[q] = before
