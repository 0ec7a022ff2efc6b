"""The KV cache in blocks: what requests hold of it, what they may need next, and how long it lasts.

A request holds as many whole blocks as its tokens fill or begin; one that is in prefill, from its start on, those of
its whole prompt. Its next decode iteration needs room for one token, and for each one that is drafted. The decode
requests of a group that are active grow in step: they are counted by their tokens less the group's counter, modulo the
block (``s.phase``), so that the blocks of any number of iterations are known without a look at each. Blocks of one
token are the cache counted in tokens, and need no such table; what larger ones take is compiled apart.
"""

from __future__ import annotations

import numpy as np

from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import apart, inlined


@apart
def _rounded_up(tokens: int, block: int) -> int:
    return (tokens + block - 1) // block


@inlined
def blocks(engine: Engine, tokens: int) -> int:
    """Blocks that so many tokens of one request fill or begin."""
    return tokens if engine.block == 1 else _rounded_up(tokens, engine.block)


@apart
def free_blocks(engine: Engine, s: EngineState, first: int, end: int) -> int:
    """Of the KV cache of the groups from ``first`` to before ``end``."""
    free = engine.blocks
    for g in range(first, end):
        free -= s.held[g]
    return free


@apart
def _count(table: np.ndarray, g: int, place: int, number: int) -> None:
    table[g, place % table.shape[1]] += number


@inlined
def pause_in_block(s: EngineState, g: int, tokens: int, number: int) -> None:
    """So many (``number``: 1 or -1) more decode requests of group ``g`` with ``tokens`` each do not advance."""
    if s.paused.shape[1] > 1:
        _count(s.paused, g, tokens, number)


@inlined
def advance_in_block(s: EngineState, g: int, tokens: int, counter: int, number: int) -> None:
    """So many more of group ``g`` advance: they had ``tokens`` each when its counter was ``counter``."""
    if s.phase.shape[1] > 1:
        _count(s.phase, g, tokens - counter, number)


@apart
def _next_of_many(engine: Engine, s: EngineState, first: int, end: int, requests: int) -> int:
    new = 0
    for r in range(engine.block):
        count = 0
        for g in range(first, end):
            count += s.paused[g, r] + s.phase[g, (r - s.counter[g]) % engine.block]
        new += count * (blocks(engine, r + 1 + engine.draft) - blocks(engine, r))
    return min(requests * blocks(engine, engine.draft + engine.block), new)


@inlined
def next_blocks(engine: Engine, s: EngineState, first: int, end: int, requests: int) -> int:
    """Blocks that a decode iteration of ``requests`` of the decode requests of these groups begins at most."""
    if engine.block == 1:
        return requests * (1 + engine.draft)
    return _next_of_many(engine, s, first, end, requests)


@apart
def _begun_of_many(engine: Engine, s: EngineState, g: int, n: int) -> int:
    new = n // engine.block * s.active[g]
    for i in range(n % engine.block):
        new += s.phase[g, (-s.counter[g] - i) % engine.block]
    return int(new)


@inlined
def begun_blocks(engine: Engine, s: EngineState, g: int, n: int) -> int:
    """Blocks that ``n`` further iterations of the active requests of group ``g`` begin, a token each."""
    return int(n * s.active[g]) if engine.block == 1 else _begun_of_many(engine, s, g, n)


@apart
def iterations_in_memory(
    engine: Engine, s: EngineState, first: int, end: int, decode: int, wanted: int, most: int
) -> int:
    """Of ``most`` alike iterations of ``decode`` requests of these groups those before which none need be evicted,
    where the policy may load ``wanted`` of them."""
    free = free_blocks(engine, s, first, end)
    if engine.block == 1:
        return int(free // decode)
    still = present = 0  # requests that stand at a block's end, and stay there; all
    for g in range(first, end):
        present += s.decoding[g]
        still += s.paused[g, 0]
        if s.take[g] == 0:
            still += s.phase[g, -s.counter[g] % engine.block]
    # As many iterations as a block has tokens begin a block of each request, and leave all at the same places in them.
    cycles = max(0, (free - present) // decode)
    n = cycles * engine.block
    free -= cycles * decode
    while n < most:
        new = 0
        for g in range(first, end):
            if s.take[g] > 0:
                new += s.phase[g, (-s.counter[g] - n) % engine.block]
        if min(wanted, new + still) > free:
            break
        free -= new
        n += 1
    return n
