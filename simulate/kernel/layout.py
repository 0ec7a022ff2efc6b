"""The flat arrays of a multiclass network: what the loop reads (Model) and what it changes (State).

Clocks, in this order (at equal times the earlier goes first): servers, the patience timer, arrival sources,
the end of the window. Everything in State suffices to go on after any return, so runs can be extended.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qtheory.simulate.kernel.queues import NEXT as NEXT
from qtheory.simulate.kernel.queues import PREVIOUS as PREVIOUS

# Why the loop returned.
DONE, JOBS_FULL, RECORDS_FULL = 0, 1, 2

# Columns of job_i (integers of a job), behind NEXT and PREVIOUS of its queue, and job_t (times of a job; ARRIVED is
# when it joined the queue, and from then on when its service last started).
CLASS, TYPE = 2, 3
BORN, ARRIVED, WORK, PATIENCE = 0, 1, 2, 3
JOB_INTEGERS, JOB_TIMES = 4, 4

# Rows of what belongs together: one address each in the loop, which has fewer registers than arrays.
# Columns of a class (read only): its station, its queue, the variate sources of its service times, its patience (-1:
# endless) and its routing (-1: only one way), and its slice of route_to and route_cumulative.
# Behind the classes stand the dispatchers, which have no station (-1) and choose among their routes by a rule.
STATION, QUEUE, SERVICE, ENDURANCE, ROUTING, FIRST_ROUTE, END_ROUTE, RULE = 0, 1, 2, 3, 4, 5, 6, 7
CLASS_COLUMNS = 8
RANDOM, ROUND_ROBIN, SHORTEST, LEAST_WORK = 0, 1, 2, 3
# ... a station (read only): its clocks; its queues, most urgent first; the largest number of jobs that one server
# serves together; 1: an urgent job takes a server from a less urgent one, which resumes later; the most jobs that it
# holds; 1: who has ended service elsewhere and finds it full waits there on its server.
FIRST_SERVER, END_SERVER, FIRST_QUEUE, END_QUEUE, BATCH, PREEMPTIVE, CAPACITY, BLOCKS = 0, 1, 2, 3, 4, 5, 6, 7
STATION_COLUMNS = 8
NO_LIMIT = 2**62
# ... a station's counts: jobs waiting, idle servers, busy servers (the others are blocked), jobs present.
WAITING, IDLE, BUSY_SERVERS, HELD = 0, 1, 2, 3
STATION_COUNTS = 4
# ... a station's work: when BUSY_SERVERS last changed; work that entered and server-seconds worked since the start;
# the latter at the last end of a window. Of its blocked servers the seconds since the start, as if all were blocked
# until the clock's zero; the true ones at the last end of a window.
BUSY_LAST, WORK_IN, WORK_DONE, WORK_BEFORE, BLOCKED_TIME, BLOCKED_BEFORE = 0, 1, 2, 3, 4, 5
STATION_WORK = 6
# ... a server that is blocked, behind NEXT and PREVIOUS of the line before the full station: the class that its job is
# to be.
TARGET = 2
LINE_COLUMNS = 3

# Columns of the sums of a window, a class: all are totals over the window. Behind them, in the state alone, the jobs
# present and when their number last changed.
ARRIVALS, STARTS, COMPLETIONS, ABANDONED, WAIT, DELAYED, AREA = 0, 1, 2, 3, 4, 5, 6
CLASS_SUMS = 7
JOBS, JOBS_LAST = 7, 8
CLASS_ROW = 9
# ... a type (an arrival source): sojourn times are those of jobs that leave in the window; lost ones leave for want of
# room, and are none of these.
BORN_JOBS, LEFT_JOBS, SOJOURN, SOJOURN2, LOST_JOBS = 0, 1, 2, 3, 4
TYPE_SUMS = 5
# ... a station: busy server-seconds in the window; at its end unfinished work and jobs present; server-seconds in which
# a job that had ended its service here waited for room elsewhere.
BUSY, UNFINISHED, PRESENT, BLOCKED = 0, 1, 2, 3
STATION_SUMS = 4

# Sums over regeneration cycles: number of cycles, then length L, jobs K, summed sojourn Y.
CYCLES, SUM_L, SUM_K, SUM_Y, SUM_LL, SUM_KK, SUM_YY, SUM_YK, SUM_YL = range(9)

# Scalars of the state.
FREE, FREE_JOBS, EVENTS, IN_SYSTEM, WINDOW, RECORDED, HEAP, CYCLE_JOBS, CYCLE_OPEN, SET_OUT = range(10)
NOW, CYCLE_START, CYCLE_SOJOURN = range(3)


class Model(NamedTuple):
    """Read only. m stations, k classes and dispatchers, a arrival sources, v variate sources."""

    stations: np.ndarray  # (m, STATION_COLUMNS)
    batch_stations: np.ndarray  # stations with BATCH > 1
    limited: bool  # whether a station can be full
    server_station: np.ndarray  # (servers,) station of a server
    classes: np.ndarray  # (k, CLASS_COLUMNS)
    route_to: np.ndarray  # next class, -1: leaves
    route_cumulative: np.ndarray
    source_class: np.ndarray  # (a,)
    source_gap: np.ndarray  # (a,) variate source of the times between arrivals
    source_size: np.ndarray  # (a,) variate source of the number of jobs an arrival, -1: always one
    kind: np.ndarray  # (v,) law, see variates
    parameter_first: np.ndarray  # (v + 1,)
    parameters: np.ndarray
    stream: np.ndarray  # (v,) stream number: (role, class), the same whatever the rest of the network
    key: np.ndarray  # (2,) uint64: seed, replication
    window: float  # length of a window


class State(NamedTuple):
    """Changed in place; jobs' and records' arrays are replaced by longer ones between calls."""

    integers: np.ndarray  # scalars
    floats: np.ndarray  # scalars
    when: np.ndarray
    who: np.ndarray
    buffer: np.ndarray  # (v, BLOCK)
    words: np.ndarray  # (BLOCK,) uint64
    position: np.ndarray  # (v,) next unused variate of the buffer
    drawn: np.ndarray  # (v,) variates drawn into buffers so far
    job_i: np.ndarray  # (jobs, JOB_INTEGERS)
    job_t: np.ndarray  # (jobs, JOB_TIMES)
    heap: np.ndarray  # (jobs,) waiting jobs with patience, least deadline first
    heap_place: np.ndarray  # (jobs,) place in the heap, -1: not there
    server_job: np.ndarray  # (servers,) first job in service, -1: idle
    idle: np.ndarray  # (servers,) a stack of idle servers a station
    queue_head: np.ndarray
    queue_tail: np.ndarray
    lines: np.ndarray  # (servers, LINE_COLUMNS): blocked servers, in lines that are the last queues, one a station
    turn: np.ndarray  # (k,) the next way of a dispatcher that sends jobs round robin
    station_i: np.ndarray  # (m, STATION_COUNTS)
    station_t: np.ndarray  # (m, STATION_WORK)
    class_sums: np.ndarray  # (classes, CLASS_ROW), of the open window
    type_sums: np.ndarray  # (a, TYPE_SUMS)
    class_windows: np.ndarray  # (windows, classes, CLASS_SUMS)
    type_windows: np.ndarray  # (windows, a, TYPE_SUMS)
    station_windows: np.ndarray  # (windows, m, STATION_SUMS)
    histogram: np.ndarray  # (a, BINS) sojourn times of jobs that left after the warm-up
    cycle_sums: np.ndarray  # (9,)
    records: np.ndarray  # (capacity, 3): type, born, left; capacity 0: none wanted
