"""The flat arrays of engines behind a router: what the loop reads (Routed) and what it changes (RoutedState).

An engine runs iterations without a pause while it has requests: each of its decodes gets a token, and what is left of
the ``chunk`` goes to the prompt that is prefilled. Iterations that are alike stand in one epoch, which ends with an
event: a decode has its last token, or the prompt's whole chunks or its rest are done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Why the loop returned.
DONE, ROWS_FULL, LEVELS_FULL = 0, 1, 2

# Columns of a row, which holds a request. NEXT: of its engine's queue, or of the free rows.
NEXT, CLASS, PROMPT, OUTPUT, PREFIX = range(5)
COLUMNS = 5
ARRIVAL, FIRST = 0, 1  # columns of its times

# Columns of an engine. PRESENT: requests; PLACE: in the order by that; DECODES in service, HELD tokens of their
# context; ROW in prefill (-1: none), LEFT of its prompt; HEAD, TAIL: its queue; TICK: iterations up to the epoch's
# start; COUNT: those of the epoch (0: idle), FULL: 1 if each has a whole chunk.
PRESENT, PLACE, DECODES, HELD, ROW, LEFT, HEAD, TAIL, TICK, COUNT, FULL = range(11)
ENGINE_COLUMNS = 11
START, BASE = 0, 1  # of its epoch: when it began, the seconds of an iteration without its context

# Sums of each class since the start: requests and tokens; seconds to the first token, between the first and the last,
# and to the last. SKIPPED: tokens of prompts that were found in a prefix cache.
ARRIVED, STARTED, ENDED, TOKENS_OUT, SKIPPED, TTFT_SUM, DECODE_SUM, LATENCY_SUM, TPOT_SUM, TPOT_OUT = range(10)
SUMS = 10
TTFT, TPOT, LATENCY = range(3)  # rows of a histogram

RANDOM, ROUND_ROBIN, SHORTEST, LEAST_TOKENS, AFFINITY = range(5)  # rules

# Scalars of the state. IN_FLIGHT: tokens of all requests present, prompts and outputs.
WINDOW, FREE, FREE_ROWS, TURN, TOTAL, IN_FLIGHT, HAPPENED, BUSY, SET_OUT = range(9)
SCALARS = 9
NOW, PRESENT_AREA, BUSY_AREA, LAST = range(4)
# Columns of a window: requests and busy engines, integrated over it; requests and tokens in flight at its end.
AREA, BUSY_TIME, REQUESTS, TOKENS = range(4)
WINDOW_COLUMNS = 4


class Routed(NamedTuple):
    """Read only. n engines, k classes; sources: gaps, prompts and outputs of each class, choices, prefixes."""

    rule: int
    slots: int
    chunk: int
    with_prompt: np.ndarray  # (chunk + 1,) seconds of an iteration with so many tokens
    decodes_alone: np.ndarray  # (chunk + 1,)
    context: float  # seconds for each token of the decodes' context
    expected: np.ndarray  # (k,) tokens of an output that the router counts with
    prefix_tokens: int
    cached: int  # prefixes that an engine holds
    prefix_chances: np.ndarray  # cumulative, by prefix; empty: no prefixes
    home: np.ndarray  # engine at a prefix's place on the ring
    bound: float  # of an engine's requests over the mean, under affinity
    kind: np.ndarray
    parameter_first: np.ndarray
    parameters: np.ndarray
    stream: np.ndarray
    key: np.ndarray
    window: float


class RoutedState(NamedTuple):
    """Changed in place; rows and levels are replaced by longer arrays between calls."""

    integers: np.ndarray
    floats: np.ndarray
    buffer: np.ndarray
    words: np.ndarray
    position: np.ndarray
    drawn: np.ndarray
    when: np.ndarray  # clocks: engines, classes, window
    who: np.ndarray
    load: np.ndarray  # tournament over the engines' tokens in flight, as the router counts them
    loaded: np.ndarray
    tokens: np.ndarray  # (n,)
    rows: np.ndarray  # (r, COLUMNS)
    times: np.ndarray  # (r, 2)
    engines: np.ndarray  # (n, ENGINE_COLUMNS)
    epoch: np.ndarray  # (n, 2)
    ends: np.ndarray  # (n, slots) ticks of the decodes' last tokens, a heap
    ending: np.ndarray  # (n, slots) their rows
    order: np.ndarray  # (n,) engines by their requests, the fewest first
    first: np.ndarray  # (levels,) in that order the first engine with at least so many
    cache: np.ndarray  # (n, cached) prefixes, the last used first; -1: none
    sums: np.ndarray  # (k, SUMS)
    sum_windows: np.ndarray  # (w, k, SUMS) since the start
    fleet_windows: np.ndarray  # (w, WINDOW_COLUMNS)
    histogram: np.ndarray  # (k, 3, BINS) after the warm-up
