"""The flat arrays of a cluster whose GPUs are told apart: what the loop reads (GPUs) and what it changes (GPUState)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Why the loop returned.
DONE, ROWS_FULL = 0, 1

# Columns of a row, which holds a request. NEXT, PREVIOUS (0, 1): of the queue in which it waits; PLACE: in the list of
# its class's requests in the same phase; ON: its GPU; TURN: a number that grows with each joining of a queue.
NEXT, PLACE, ON, TURN = 0, 2, 3, 4
COLUMNS = 5
ARRIVAL, START = 0, 1  # columns of its times: when it came, when its decode began

# Phases, each with a list of its requests, class by class. The first three wait in queues: a router with one buffer
# for decodes takes FOR_SOLO. Those in decode stand in one list, whichever mode their GPU is in.
WAITING, FOR_SOLO, FOR_MIXED, PREFILL, DECODE = range(5)
PHASES, QUEUES = 5, 3

# What is counted of each class: who is there, and the integral over time.
Q_P, Q_S, Q_M, X, Y_M, Y_S = range(6)
COUNTS = 6

# Totals of each class since the start: events; decodes whose GPU changed its mode; seconds from the arrival to the end
# of the prefill, from the arrival to the last token, and in decode, of those that have ended them.
ARRIVED, LEFT_PREFILL, LEFT_DECODE, PREFILLED, DECODED_MIXED, DECODED_SOLO, TO_MIXED, TO_SOLO = range(8)
FIRST, SOJOURN, DECODING = 8, 9, 10
TOTALS = 11

SOLO_GROUP, MIXED_GROUP, EITHER = range(3)  # groups of GPUs; EITHER: there is no partition

# Columns of a GPU. DECODES in service; PREFILLS: 1 while it runs one; LIST: which list of GPUs with room for a decode
# it stands in (-1: none), AT its place there; AT_PREFILL: its place among those with room for a prefill (-1: none).
GROUP, DECODES, PREFILLS, LIST, AT, AT_PREFILL = range(6)
GPU_COLUMNS = 6

ROOM_SOLO, ROOM_MIXED, ROOM_PREFILL = range(3)  # lists of GPUs with room
# Scalars of the state; SIZE: of the first list of GPUs with room, the others behind it.
WINDOW, FREE, FREE_ROWS, JOINED, HAPPENED, SIZE = range(6)
SCALARS = SIZE + 3
EXPONENTIAL, CHANCE = range(2)  # variate sources


class GPUs(NamedTuple):
    """Read only. n GPUs, k classes."""

    slots: int  # B of each GPU
    gate: int
    router: int
    rate: np.ndarray  # (k,) arrivals of the whole cluster, 1/s
    patience: np.ndarray  # (k,) 1/s
    mu_p: np.ndarray  # (k,) 1/s
    mu_m: np.ndarray
    mu_s: np.ndarray
    target: np.ndarray  # (k,) n x*_i
    backlog: np.ndarray  # (k,) n q*_i
    urgency: np.ndarray  # (k,) D_i/P_i
    solo_share: np.ndarray  # (k,) p_s,i
    weights: np.ndarray  # (2, k) pi of EC.6: solo, mixed
    kind: np.ndarray  # (2,) laws of the sources
    parameter_first: np.ndarray
    parameters: np.ndarray
    stream: np.ndarray
    key: np.ndarray
    window: float


class GPUState(NamedTuple):
    """Changed in place; rows, times and lists are replaced by longer ones between calls."""

    integers: np.ndarray
    floats: np.ndarray  # (1,) now
    buffer: np.ndarray
    words: np.ndarray
    position: np.ndarray
    drawn: np.ndarray
    rows: np.ndarray  # (r, COLUMNS)
    times: np.ndarray  # (r, 2)
    queue_head: np.ndarray  # (QUEUES k,)
    queue_tail: np.ndarray
    size: np.ndarray  # (PHASES k,) of the lists
    lists: np.ndarray  # (PHASES k, r) int32
    gpus: np.ndarray  # (n, GPU_COLUMNS)
    held: np.ndarray  # (n, k) decodes in service
    room: np.ndarray  # (3, n) GPUs with room
    rates: np.ndarray  # (6 k,) of what may happen next
    counts: np.ndarray  # (k, COUNTS)
    area: np.ndarray  # (k, COUNTS) integrals up to ``last``
    last: np.ndarray  # (k, COUNTS)
    totals: np.ndarray  # (k, TOTALS)
    area_windows: np.ndarray  # (w, k, COUNTS) since the start, at the windows' ends
    count_windows: np.ndarray  # (w, k, COUNTS)
    total_windows: np.ndarray  # (w, k, TOTALS)
