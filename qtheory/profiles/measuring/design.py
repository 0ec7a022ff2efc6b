"""The designed points: which iterations are timed, in series each of which determines one law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["prefill", "decode", "mixed"]


@dataclass(frozen=True)
class Point:
    """One iteration: ``decode_requests`` that each hold ``context`` tokens, and one chunk of a prompt.

    ``chunk``: prompt tokens processed, 0 for none; ``chunk_context``: tokens of that prompt processed before.
    ``series``: the points with which it determines a law.
    """

    series: str
    decode_requests: int = 0
    context: int = 0
    chunk: int = 0
    chunk_context: int = 0

    @property
    def kind(self) -> Kind:
        return "prefill" if not self.decode_requests else "mixed" if self.chunk else "decode"

    @property
    def tokens(self) -> int:
        """Tokens that the iteration processes."""
        return self.decode_requests + self.chunk

    @property
    def decode_ratio(self) -> float:
        return self.decode_requests / self.tokens

    @property
    def resident_tokens(self) -> int:
        """Tokens whose keys and values the iteration holds at its end."""
        return self.decode_requests * (self.context + 1) + self.chunk_context + self.chunk


@dataclass(frozen=True)
class Grid:
    """Sizes (tokens, requests) of the series; ``context`` of `decode` and of the decodes beside chunks."""

    prefill: tuple[int, ...]
    decode: tuple[int, ...]
    context: int
    contexts: tuple[int, ...]
    context_requests: int
    mixed_tokens: int
    mixed_contexts: tuple[int, ...]
    ratios: int  # a mixed series has this many decode ratios, 0 and 1 among them
    chunks: tuple[int, ...]
    chunk_requests: int
    chunk_contexts: tuple[int, ...]


FULL = Grid(
    prefill=(16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192),
    decode=(1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    context=1024,
    contexts=(64, 256, 512, 1024, 2048, 4096, 8192, 16384),
    context_requests=32,
    mixed_tokens=512,
    mixed_contexts=(64, 256, 1024),
    ratios=9,
    chunks=(64, 128, 256, 512, 1024, 2048),
    chunk_requests=64,
    chunk_contexts=(0, 1024, 2048, 4096, 8192, 16384),
)
QUICK = Grid(
    prefill=(8, 16, 32, 64, 128, 192, 256),
    decode=(1, 2, 4, 8, 16, 24, 32),
    context=64,
    contexts=(16, 64, 128, 256, 512),
    context_requests=8,
    mixed_tokens=64,
    mixed_contexts=(16, 128),
    ratios=5,
    chunks=(16, 64),
    chunk_requests=8,
    chunk_contexts=(0, 64, 128),
)


def points(grid: Grid) -> list[Point]:
    """All points of a grid: series `prefill`, `decode`, `context`, `mixed-<context>`, `chunk`, `chunk-context`."""
    total = grid.mixed_tokens
    counts = [round(total * i / (grid.ratios - 1)) for i in range(grid.ratios)]
    return [
        *(Point("prefill", chunk=size) for size in grid.prefill),
        *(Point("decode", count, grid.context) for count in grid.decode),
        *(Point("context", grid.context_requests, context) for context in grid.contexts),
        *(Point(f"mixed-{context}", count, context if count else 0, total - count)
          for context in grid.mixed_contexts for count in counts),
        *(Point("chunk", grid.chunk_requests, grid.context, size) for size in grid.chunks),
        *(Point("chunk-context", chunk=grid.chunks[len(grid.chunks) // 2], chunk_context=before)
          for before in grid.chunk_contexts),
    ]
