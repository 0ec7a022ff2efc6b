"""How to cut a prompt into chunks under the tile law, and what a cut costs.

*Without a fixed time* a batch the best chunks have w = t_col tokens each, the first one what is left over: a chunk of n
columns that ends at e takes n column(e), and its n columns as chunks of their own end no later and take no longer. So
chunks of LCM(t_row, t_col, t_red) tokens, which the proof of Theorem 1 (Appendix B.1) calls optimal, are so only where
t_col is that multiple. With a fixed time the trade-off is decided exactly by `qtheory.numerics.chunks`, where the proof
stands that a grid of ends is enough; the seconds of its chunks are then added up anew as fractions.

Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", (6), (7), Appendix B.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from qtheory.errors import InputError
from qtheory.numerics.chunks import cheapest_chunks
from qtheory.theory.capacity.tiles import TileLaw
from qtheory.workloads.base import integer

LONGEST = 4_194_304  # tokens of a prompt at most


@dataclass(frozen=True)
class Chunking:
    """``chunks`` of a prompt, in tokens, from the first to the last, and ``seconds`` of their batches in all."""

    chunks: tuple[int, ...]
    seconds: Fraction

    @property
    def prompt(self) -> int:
        """Tokens of the prompt."""
        return sum(self.chunks)

    @property
    def ends(self) -> tuple[int, ...]:
        """The last token of each chunk."""
        return tuple(accumulate(self.chunks))

    @classmethod
    def of(cls, law: TileLaw, chunks: tuple[int, ...], linear: bool = True) -> Chunking:
        """These chunks, each alone in its batch; without ``linear`` their attention and fixed times alone."""
        for c in chunks:
            integer("a chunk", c)
        ends, sizes = np.cumsum(np.array(chunks, dtype=np.int64)), np.array(chunks, dtype=np.int64)
        times = law.columns(ends, linear)
        columns = -(-sizes // law.tile.col)
        spent = sum(int(n) * int(t) for n, t in zip(columns, times, strict=True)) * law.unit
        return cls(tuple(chunks), spent + law.fixed * len(chunks) + (law.token * sum(chunks) if linear else 0))

    @classmethod
    def equal(cls, law: TileLaw, prompt: int, chunk: int) -> Chunking:
        """Chunks of ``chunk`` tokens, the last one of what is left."""
        _prompt(prompt)
        integer("a chunk", chunk)
        whole, rest = divmod(prompt, chunk)
        return cls.of(law, (chunk,) * whole + ((rest,) if rest else ()))

    @classmethod
    def best(cls, law: TileLaw, prompt: int, limit: int | None = None, linear: bool = True) -> Chunking:
        """The chunks of the least time, each of at most ``limit`` tokens; without ``linear`` the products with the
        weights are left out, as where other tokens of the batch fill the columns."""
        _prompt(prompt)
        if limit is not None:
            integer("the limit", limit)
        parts = 2 * (prompt // min(law.tile.col, limit or prompt) + 2)
        _, chunks = cheapest_chunks(prompt, law.tile.col, limit, lambda ends: law.columns(ends, linear, parts),
                                    int(law.fixed / law.unit))
        return cls.of(law, chunks, linear)


def _prompt(prompt: int) -> None:
    integer("the prompt", prompt)
    if prompt > LONGEST:
        raise InputError(f"the prompt has {prompt:,} tokens; at most {LONGEST:,} are cut")
