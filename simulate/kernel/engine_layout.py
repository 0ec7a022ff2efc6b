"""The flat arrays of one LLM engine at token level: what the loop reads (Engine) and what it changes (EngineState).

Requests that decode together advance in lockstep: an active request is known by the value of its group's decode
counter at which it ends, and is touched only when it starts, pauses, resumes or ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qtheory.simulate.kernel.layout import PATIENCE
from qtheory.simulate.kernel.queues import NEXT as NEXT
from qtheory.simulate.kernel.queues import PREVIOUS as PREVIOUS

# Why the loop returned.
DONE, REQUESTS_FULL, RECORDS_FULL, TOO_LONG, OVER_CAPACITY, INFEASIBLE, STUCK, BLOCKED = range(8)

ENDLESS = 1 << 60  # no limit
FOREVER = float("inf")

# Arrivals.
OPEN, CLOSED, SATURATED = 0, 1, 2

# Columns of request_i, behind NEXT and PREVIOUS of its queue. LEFT: decode iterations to the end of its segment, REST:
# those in later segments.
CLASS, ORDER, PROMPT, LEFT, PROMPT_ALL, OUTPUT_ALL, CONTEXT, STARTED, ACTIVE, GROUP, REST = range(2, 13)
# NUMBER: in order of arrival; LATE: 1 if a token came late; LATE_BEFORE: its group's count of these when it joined.
NUMBER, LATE, LATE_BEFORE = range(13, 16)
REQUEST_COLUMNS = 16
# Columns of request_t. KEY: the decode counter at which an active request ends; in a prefill pool, when it may join.
ARRIVAL, FIRST, LAST, KEY = range(4)
# ORDER and KEY stand where the heaps of :mod:`qtheory.simulate.kernel.patience` look.
assert ORDER == KEY == PATIENCE

# Orders of the requests that wait for prefill.
FCFS, SPF, SRPT, CLASS_FIRST, CLASS_SPF = range(5)

# A decision of a policy, an int64 array.
CHUNK = 0  # prefill tokens at most
TOTAL = 1  # tokens at most (the budget)
PREFILL_FIRST = 2  # 1: prefill tokens are loaded before decode tokens
EXCLUSIVE = 3  # 1: the kind loaded first excludes the other
WHOLE = 4  # 1: prompts are not cut into chunks
PIECES = 5  # prefill requests in the batch at most
REPEAT = 6  # iterations for which the decision stands if nothing happens
WATCH = 7  # when an arrival ends it: 0 never, 1 if no request waits, 2 always
FILL = 8  # above 0: after prefill decodes fill up to so many, in the order of their deadlines
ROTATE = 9  # 1: decode requests that were served go behind those of their group that were not
HOLD = 10  # 1: those who are there wait for more, so that the batch may be empty; else that is a fault
DECISION = 11

# What a policy sees, an int64 array.
DECODING, WAITING, IN_SERVICE, RESIDENT, PREFILLED, COMPLETED, CAPACITY, SLOTS = range(8)
VIEW = 8

# Columns of the sums of a window.
REQUESTS_IN, REQUESTS_OUT, PREFILL_TOKENS, DECODE_TOKENS, ITERATIONS, MIXED, BUSY_TIME = range(7)
RESIDENT_AREA, WAITING_AREA, DECODING_AREA, PREEMPTIONS, GOOD, LENGTH, PRESENT_AT_END, RESIDENT_AT_END = range(7, 15)
OUT_OF_MEMORY, IDLE_TIME, POOL_TIME = range(15, 18)  # times that memory was short; idle; of the prefill pool's nodes
WINDOW_SUMS = 18

# Columns of the sums of a window and class. TTFT_SUM: of FIRST_TOKENS requests, LATENCY_SUM: of CLASS_OUT; LATE_OUT of
# these had a token later than their limit after the one before.
CLASS_IN, CLASS_OUT, CLASS_GOOD, FIRST_TOKENS, TTFT_SUM, LATENCY_SUM, OUTPUT_TOKENS, LATE_OUT = range(8)
TPOT_SUM, TPOT_OUT = 8, 9  # times per output token, of so many of these: who has one token has none
CLASS_SUMS = 10

# A span of alike iterations on a decode node: start, seconds of the first, by how much each is longer, end or infinity;
# how many, and how many requests joined.
START, SECONDS, SLOPE, END = range(4)
COUNT, JOINED = range(2)

# Histograms.
TTFT, TBT, LATENCY, TPOT = range(4)
HISTOGRAMS = 4

# Iteration-time laws of p prefill and d decode tokens, n = p + d, M resident tokens of the batch.
AFFINE, PIECEWISE, STAIRCASE, TWO_AFFINE, MIXED_QUADRATIC, MEMORY, CONCAVE, KERNELS = range(8)

# Scalars.
FREE, FREE_REQUESTS, NOW_WINDOW, RECORDED, EPOCHS, TOTAL_ITERATIONS, SET_OUT, FAULT = range(8)  # FAULT: a request
STINTS, NUMBERED, PARTIAL, WINDOW_LAST = range(8, 12)  # PARTIAL: the request whose chunk ended this batch, or -1
WANTED = 12  # decode requests that the decision may load
INTEGERS = 13
NOW, OVERHEAD, TOTAL_BUSY, LONGEST = range(4)
# Sums over the batch's chunks, of squares: of the tokens that each sees at its end, and of these less those before.
CHUNK_WHOLE, CHUNK_WORK = 4, 5
LENGTH_NOW = 6  # of the iteration whose drafts are accepted
FLOATS = 7


class Engine(NamedTuple):
    """Read only. k request classes, g groups, v variate sources."""

    decide: int  # where the machine code of the policy is
    observe: int  # and of what it does at each completed request, 0: nothing
    accept: int  # and of what accepts drafts, 0: nothing is drafted
    policy_parameters: np.ndarray  # (.,) int64
    policy_reals: np.ndarray  # (.,) float64
    segments: np.ndarray  # (g,) decode iterations in a group, after which a request moves to the next; (0,): no end
    groups: int
    class_group: np.ndarray  # (k,) where requests decode
    class_queue: np.ndarray  # (k,) where they wait for prefill
    class_gap: np.ndarray  # (k,) variate source of the times between arrivals
    class_size: np.ndarray  # (k,) of the number of requests an arrival, -1: one
    class_prompt: np.ndarray  # (k,)
    class_output: np.ndarray  # (k,)
    class_cached: np.ndarray  # (k,) of the prompt tokens that a prefix cache holds, -1: none
    class_accepted: np.ndarray  # (k,) of the drafted tokens that an iteration accepts, -1: none is drafted
    kind: np.ndarray  # (v,)
    parameter_first: np.ndarray
    parameters: np.ndarray
    stream: np.ndarray
    key: np.ndarray
    arrivals: int  # OPEN, CLOSED or SATURATED
    concurrency: int
    law: int
    law_parameters: np.ndarray  # of the law, then alpha and beta of attention
    capacity: int  # KV cache in tokens
    block: int  # tokens of a block
    blocks: int  # whole blocks of the KV cache
    draft: int  # tokens that a decode iteration drafts, and verifies, of each request
    draft_time: float  # seconds an iteration with decodes, for its drafts
    slots: int  # requests in service at most
    spare: int  # requests that one batch may start at most
    overhead: np.ndarray  # (3,): preemption overhead c0 + c1 x + c2 x^2 in s, x tokens
    recompute: int  # 1: a preempted request prefills again; 0: it is swapped out and in
    order: int  # of the requests that wait for prefill: FCFS, SPF, SRPT, CLASS_FIRST or CLASS_SPF
    oldest: int  # which is kept among so many oldest of them
    decode_order: int  # of a group's decode requests: FCFS, SRPT or CLASS_FIRST
    decode_oldest: int  # which is kept among so many oldest of them
    deadlines: int  # 1: a group's decode requests stand in the order of their last tokens
    pool: int  # prefill nodes of a pool of their own; 0: the engine prefills
    nodes: int  # decode nodes beside it, a group each; 0: the engine is the only one
    share: float  # that a node's time is of the engine's
    transfer: np.ndarray  # (2,): c0 + c1 x seconds to bring the KV cache of x tokens from the pool
    late_first: int  # 1: a first token comes with the first decode iteration, not with the prompt's end
    ttft_limit: np.ndarray  # (k,) SLOs of goodput in s
    tbt_limit: np.ndarray  # (k,)
    tpot_limit: np.ndarray  # (k,)
    latency_limit: np.ndarray  # (k,)
    window: float


class EngineState(NamedTuple):
    """Changed in place."""

    integers: np.ndarray
    floats: np.ndarray
    seen: np.ndarray
    decision: np.ndarray
    take: np.ndarray  # (g,) decode requests of a group at most
    prompts: np.ndarray  # (g,) new prompts of a group at most
    memory: np.ndarray  # (16,) the policy's own integers
    memory_reals: np.ndarray  # (16,) and its own real numbers
    observed: np.ndarray  # (2, W) prompt and output lengths of the last completed requests, W = 0: not kept
    next_arrival: np.ndarray  # (k,)
    buffer: np.ndarray
    words: np.ndarray
    position: np.ndarray
    drawn: np.ndarray
    request_i: np.ndarray
    request_t: np.ndarray
    heap: np.ndarray  # (g, requests) active requests of a group, the next to end first
    heap_place: np.ndarray  # (requests,)
    heap_size: np.ndarray  # (g,)
    queue_head: np.ndarray  # (2 g,) waiting for prefill (g,), then decoding in order (g,)
    queue_tail: np.ndarray
    waiting: np.ndarray  # (g,)
    decoding: np.ndarray  # (g,)
    active: np.ndarray  # (g,) the first so many of the decoding requests advance
    last_active: np.ndarray  # (g,) the last of them, -1: none
    counter: np.ndarray  # (g,) decode iterations of the group so far
    group_last: np.ndarray  # (g,) end of the group's last decode iteration
    context: np.ndarray  # (g,) tokens in the KV cache of active requests
    held: np.ndarray  # (g,) blocks of the KV cache that the group's requests hold
    phase: np.ndarray  # (g, block) active requests by their tokens less the group's counter, where blocks are of many
    paused: np.ndarray  # (g, block) other decode requests by their tokens, both modulo the block
    order_heap: np.ndarray  # (2, requests): not started and started requests that wait for prefill, in their order
    order_size: np.ndarray  # (2,) or, with nodes, (1 + nodes,): in prefill, then on the way to each decode node
    sorted_size: np.ndarray  # (g,) decode requests sorted at the head of their list
    sorted_last: np.ndarray  # (g,) the last of them, -1: none
    pool_free: np.ndarray  # (prefill nodes,) when each is free
    span: np.ndarray  # (nodes, 4): alike iterations of a decode node under way, columns START to END
    span_i: np.ndarray  # (nodes, 2): columns COUNT and JOINED
    cursor: np.ndarray  # (g,) work space: the next decode request to be considered
    list_a: np.ndarray  # (requests,) work space: requests whose prefill ends in this batch
    list_b: np.ndarray  # (requests,) requests that become active in this batch; then those that end with it
    active_class: np.ndarray  # (g, k) active requests
    late: np.ndarray  # (g, k) decode iterations of the group that ended later after the last than the class's limit
    sums: np.ndarray  # (WINDOW_SUMS,)
    windows: np.ndarray  # (windows, WINDOW_SUMS)
    class_sums: np.ndarray  # (k, CLASS_SUMS)
    class_windows: np.ndarray  # (windows, k, CLASS_SUMS)
    histogram: np.ndarray  # (k, HISTOGRAMS, BINS): TTFT, TBT, latency, TPOT
    batch_histogram: np.ndarray  # (2, 4097) prefill, decode tokens of a batch, the last bin: more
    records: np.ndarray  # (capacity, 7): class, arrival, first token, end, prompt, output, number
    # (capacity, 7): start, iterations, time of the first, slope, prefill, decode tokens, sum of 2^g over groups g in it
    epochs: np.ndarray
    stints: np.ndarray  # (capacity, 4): number of a request, group, the group's counter before and after
