"""The flat arrays of a slotted network of LLM engines: what the loop reads (Agents) and what it changes (AgentState).

Throughput-optimal scheduling, Section 2 and 4: engines, visits, types; a level is a group of visits of one engine
among which it serves first come, first served.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qtheory.simulate.kernel.queues import NEXT as NEXT
from qtheory.simulate.kernel.queues import PREVIOUS as PREVIOUS

# Why the loop returned.
DONE, ROWS_FULL = 0, 1

# Columns of a row, which holds a request's stay at an engine. NEXT: of the queue of prefills, the decode list or the
# finishing batch. While it waits for its prefill, PROMPT and OUTPUT are the tokens that are left; in the decode list
# PREVIOUS takes PROMPT's place and END that of OUTPUT: the level's tick at which its last decode token is loaded.
PROMPT, OUTPUT, END, VISIT, AFTER, BEFORE = 1, 2, 2, 3, 4, 5  # AFTER, BEFORE: in the bucket of its END
COLUMNS = 6

# Counters of a visit: requests and, of these, those in the decode list; unprocessed tokens; and since the start
# requests that came, requests that ended it, and the requests present summed over slots.
PRESENT, DECODING, PROMPTS, OUTPUTS, CAME, ENDED, AREA = range(7)
COUNTERS = 7
# Of an engine: tokens that could be loaded at once are PREFILL and DECODE; batches and tokens since the start.
PREFILL, DECODE, BATCHES, LOADED = range(4)
# Of a type: requests that arrived and that left since the start.
BORN, LEFT = range(2)

# Scalars of the state. ARRIVING: 1 from the end of a slot until all have come; COMING, LAST: the first and last row
# that comes to a visit; IDLED: batches that were smaller than they could have been.
NOW, WINDOW, FREE, FREE_ROWS, ARRIVING, COMING, LAST, IDLED = range(8)


class Agents(NamedTuple):
    """Read only. e engines, l levels, k visits, a types, v variate sources."""

    budget: np.ndarray  # (e,) most tokens of a batch
    slots_first: np.ndarray  # (e + 1,) slice of slots
    slots: np.ndarray  # slots that a batch of 0, 1, ... tokens takes
    level_first: np.ndarray  # (e + 1,) levels of an engine, the most urgent first
    visit_first: np.ndarray  # (l + 1,) slice of level_visit
    level_visit: np.ndarray  # visits of each level
    decode_first: np.ndarray  # (e,) 1: within a level decode tokens come before prefill tokens
    visit_level: np.ndarray  # (k,)
    visit_engine: np.ndarray  # (k,)
    visit_type: np.ndarray  # (k,)
    prompt_source: np.ndarray  # (k,) variate source of prompt lengths, -1: no prompt
    output_source: np.ndarray  # (k,) variate source of output lengths, -1: no output
    together: np.ndarray  # (k,) 1: output tokens are loaded like prompt tokens, any number in a batch
    follow_first: np.ndarray  # (k + 1,) slice of follow
    follow: np.ndarray  # visits that wait for each
    join: np.ndarray  # (k,) the column of ``joined`` of a visit that waits for several, -1: it does not
    needs: np.ndarray  # (k,) how many visits it waits for
    start_first: np.ndarray  # (a + 1,) slice of start
    start: np.ndarray  # first visits of each type
    forks: np.ndarray  # (a,) 1: its requests can be at several visits at once
    leaves: np.ndarray  # (a,) visits after which nothing follows
    reserve: int  # rows that the endings of one slot may need
    ring: int  # buckets of a level, a power of two
    window: int  # slots of a window
    gap_source: np.ndarray  # (a,) variate source of the slots between arrivals
    kind: np.ndarray  # (v,) law, see variates
    parameter_first: np.ndarray  # (v + 1,)
    parameters: np.ndarray
    stream: np.ndarray  # (v,)
    key: np.ndarray  # (2,) uint64


class AgentState(NamedTuple):
    """Changed in place; the rows are replaced by longer arrays between calls."""

    integers: np.ndarray  # scalars
    arrival: np.ndarray  # (a,) time of a type's next arrival, in slots; negative before the first gap is drawn
    buffer: np.ndarray  # (v, BLOCK)
    words: np.ndarray  # (BLOCK,) uint64
    position: np.ndarray  # (v,)
    drawn: np.ndarray  # (v,)
    rows: np.ndarray  # (r, COLUMNS) int32
    root: np.ndarray  # (r or 1,) int32: the row that stands for the whole request, where its type forks
    joined: np.ndarray  # (r or 1, 1 + joins) int32 of such a row: leaves to come, then endings that a join has seen
    remaining: np.ndarray  # (e,) slots until the batch ends, 0: no batch
    ending_head: np.ndarray  # (e,) rows that end their visit with the batch
    ending_tail: np.ndarray
    queue_head: np.ndarray  # (2 l,) queue of prefills of a level, then the decode lists
    queue_tail: np.ndarray
    tick: np.ndarray  # (l,) batches that served the whole decode list, less corrections: see agent_decode
    decoding: np.ndarray  # (l,) length of the decode list
    bucket_head: np.ndarray  # (l, ring)
    bucket_tail: np.ndarray
    visits: np.ndarray  # (k, COUNTERS)
    counted: np.ndarray  # (k,) slot up to which AREA holds
    engines: np.ndarray  # (e, 4)
    types: np.ndarray  # (a, 2)
    visit_windows: np.ndarray  # (windows, k, COUNTERS): the counters at the ends of windows
    engine_windows: np.ndarray  # (windows, e, 4)
    type_windows: np.ndarray  # (windows, a, 2)


class Census(NamedTuple):
    """Where the rows of all queues are counted."""

    found: np.ndarray  # (k, COUNTERS)
