"""Speculative decoding: the drafted tokens that an iteration accepts.

An iteration drafts and verifies ``engine.draft`` tokens of each of its decode requests, beside the one that it makes
itself (Leviathan, Kalman and Matias, 2023). Accepted are those before the first that is refused, and no more than the
request has left. They come with the token of the iteration itself: at no time after it. The loop calls this by its
address, so that it is compiled only where something is drafted.
"""

from __future__ import annotations

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.engine_memory import advance_in_block, blocks
from qtheory.simulate.kernel.histogram import bin_of
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.patience import heap_push, heap_remove
from qtheory.simulate.kernel.variates import draw


@compiled
def accept_drafts(engine: Engine, s: EngineState) -> None:
    """The tokens that an iteration, whose own are counted, has of its drafts."""
    accepted = 0
    for g in range(engine.groups):
        if s.take[g] == 0:
            continue
        j = s.queue_head[engine.groups + g]
        for _ in range(s.active[g]):
            k = s.request_i[j, E.CLASS]
            left = int(s.request_t[j, E.KEY]) - s.counter[g]
            more = min(int(draw(engine, s, engine.class_accepted[k])), left)
            if more > 0:
                tokens = s.request_i[j, E.CONTEXT] + s.request_i[j, E.LEFT] - left
                s.held[g] += blocks(engine, tokens + more) - blocks(engine, tokens)
                advance_in_block(s, g, tokens, s.counter[g], -1)
                advance_in_block(s, g, tokens + more, s.counter[g], 1)
                # As if it had had them when it joined: it is so much nearer to its end.
                s.heap_size[g] = heap_remove(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
                s.request_i[j, E.CONTEXT] += more
                s.request_i[j, E.LEFT] -= more
                s.request_t[j, E.KEY] -= more
                s.heap_size[g] = heap_push(s.heap[g], s.heap_place, s.request_t, s.heap_size[g], j)
                s.context[g] += more
                s.histogram[k, E.TBT, bin_of(0.0)] += more
                accepted += more
            j = s.request_i[j, E.NEXT]
    s.seen[E.RESIDENT] += accepted
    s.sums[E.DECODE_TOKENS] += accepted
    s.sums[E.RESIDENT_AREA] += 0.5 * s.floats[E.LENGTH_NOW] * accepted
