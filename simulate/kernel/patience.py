"""Waiting jobs with patience: an indexed binary heap by deadline, so that leaving the queue costs O(log waiting)."""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.layout import PATIENCE


@compiled
def _place(heap: np.ndarray, place: np.ndarray, position: int, job: int) -> None:
    heap[position] = job
    place[job] = position


@compiled
def _rise(heap: np.ndarray, place: np.ndarray, times: np.ndarray, position: int, job: int) -> int:
    deadline = times[job, PATIENCE]
    while position > 0:
        parent = (position - 1) // 2
        if times[heap[parent], PATIENCE] <= deadline:
            break
        _place(heap, place, position, heap[parent])
        position = parent
    _place(heap, place, position, job)
    return position


@compiled
def heap_push(heap: np.ndarray, place: np.ndarray, times: np.ndarray, size: int, job: int) -> int:
    """Add ``job`` with deadline ``times[job, PATIENCE]``; returns the new size."""
    _rise(heap, place, times, size, job)
    return size + 1


@compiled
def heap_remove(heap: np.ndarray, place: np.ndarray, times: np.ndarray, size: int, job: int) -> int:
    """Remove ``job`` from anywhere in the heap; returns the new size."""
    position = place[job]
    place[job] = -1
    size -= 1
    last = heap[size]
    if last == job:
        return size
    if _rise(heap, place, times, position, last) < position:
        return size
    deadline = times[last, PATIENCE]
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        if child + 1 < size and times[heap[child + 1], PATIENCE] < times[heap[child], PATIENCE]:
            child += 1
        if times[heap[child], PATIENCE] >= deadline:
            break
        _place(heap, place, position, heap[child])
        position = child
    _place(heap, place, position, last)
    return size
