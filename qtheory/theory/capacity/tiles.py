"""The tile law of one batch, (2)-(7) of the tiling paper, with its constants as exact numbers.

A product of matrices is done tile by tile, a tile that is not full as long as a full one. With w = t_col the products
with the weights take ``column ceil(tau/w)`` for a batch of tau tokens; attention takes, for a chunk of c tokens that
ends at token e, ``pair ceil(c/w) (ceil(e/t_row) d/t_red + ceil(e/t_red) d/t_row)``, and for a decode iteration that
reads e tokens ``vector (ceil(e/v_row) d/v_col + ceil(e/v_col) d/v_row)``, both for all layers; the rest ``token tau``.
``fixed`` seconds a batch, which measured times have, are 0 in the paper.

Units: seconds and tokens. Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Sections 2.3
and 3.2; (5) is taken with the 1/s of (3), which it leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, ContextAffineLaw, Law, StaircaseLaw
from qtheory.theory.waiting.requests import exact
from qtheory.workloads.base import integer

if TYPE_CHECKING:
    from qtheory.theory.capacity.chunking import Chunking

_SIGNIFICANT = 9  # digits of a rate: more are not known, and make whole numbers long
_INT64 = 2**62


@dataclass(frozen=True)
class Tile:
    """An output tile of ``row`` x ``col`` and the reduction's ``red``, whole numbers, at least 1."""

    row: int
    col: int
    red: int = 1

    def __post_init__(self) -> None:
        for name in ("row", "col", "red"):
            integer(f"a tile's {name}", getattr(self, name))

    @property
    def lcm(self) -> int:
        """LCM of the three, the chunk of RAD. Tokens."""
        return lcm(self.row, self.col, self.red)


# the printed output tiles with the reduction tile that the paper calls best (Section 2.3); the first two are its best
A100 = tuple(Tile(row, col, 32) for row, col in (
    (256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64)))


@dataclass(frozen=True)
class Decoder:
    """A transformer as Section 2.1 has it: ``layers`` of three d x d_x projections, d_ff x d and d_x x d_ff, and a last
    d_out x d_x product."""

    layers: int
    d_x: int
    d: int
    d_ff: int
    d_out: int

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            integer(f"a decoder's {name}", value)

    @property
    def weights(self) -> int:
        """Entries of all matrices that multiply a token's features."""
        return self.layers * (3 * self.d_x * self.d + self.d_ff * (self.d + self.d_x)) + self.d_x * self.d_out


MISTRAL_7B = Decoder(layers=32, d_x=4096, d=4096, d_ff=14336, d_out=32000)


@dataclass(frozen=True)
class TileLaw:
    """The tile law: see the module. ``read``: seconds for each token that a decode iteration reads, of a measured law,
    beside ``vector``, which is by tiles."""

    tile: Tile
    column: Fraction
    token: Fraction = Fraction(0)
    pair: Fraction = Fraction(0)
    vector: Fraction = Fraction(0)
    vector_tile: Tile = Tile(64, 64)
    d: int = 1
    fixed: Fraction = Fraction(0)
    read: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("tile", "vector_tile"):
            if not isinstance(getattr(self, name), Tile):
                raise InputError(f"the {name} is {getattr(self, name)!r}; it must be a Tile(row, col, red)")
        for name in ("column", "token", "pair", "vector", "fixed", "read"):
            value = exact(getattr(self, name), name)
            object.__setattr__(self, name, value)
            if value < 0:
                raise InputError(f"{name} is {float(value):g} s; a time must be at least 0")
        integer("d", self.d)
        if not self.column + self.token + self.fixed:
            raise InputError("a batch must take some time: column, token and fixed are all 0")

    @classmethod
    def of_rates(cls, tile: Tile, decoder: Decoder, flops: float, bandwidth: float, token: float = 0.0,
                 fixed: float = 0.0, vector_tile: Tile = Tile(64, 64)) -> TileLaw:
        """The law at a data sheet's rates: ``flops`` (1/s) of full tiles, so that 1/(s mu) = 2 t_row t_col t_red/flops,
        and ``bandwidth`` (bytes/s), by which a decode iteration reads two bytes an entry of the KV cache.

        InputError where the tile does not divide the decoder's dimensions, as Section 3.2.1 has it.
        """
        if not isinstance(tile, Tile):
            raise InputError(f"the tile is {tile!r}; it must be a Tile(row, col, red)")
        for name in ("flops", "bandwidth"):
            if exact(locals()[name], name) <= 0:
                raise InputError(f"{name} is {locals()[name]:g}; it must be positive")
        for name, size in vars(decoder).items():
            if name != "layers" and (size % tile.row or size % tile.red):
                raise InputError(f"the decoder's {name} = {size} is no multiple of the tile's {tile.row} and "
                                 f"{tile.red}")
        pair = _rounded(2 * tile.row * tile.col * tile.red / exact(flops, "flops"))
        column = pair * Fraction(decoder.weights, tile.row * tile.red)
        vector = _rounded(2 * vector_tile.row * vector_tile.col / exact(bandwidth, "bandwidth"))
        return cls(tile, column, exact(token, "token"), decoder.layers * pair, decoder.layers * vector, vector_tile,
                   decoder.d, exact(fixed, "fixed"))

    @classmethod
    def of_law(cls, law: Law, width: int | None = None) -> TileLaw:
        """A measured law as a tile law without prefill attention: a staircase, or a law that is affine in tokens, as
        columns of one token. ``width``: tokens of a column, instead.

        InputError for a law with a bend, or that tells prefill from decode: it is no tile law.
        """
        if not isinstance(law, (StaircaseLaw, AffineLaw, ContextAffineLaw)):
            kind = getattr(law, "kind", repr(law))
            raise InputError(f"a {kind} law is no tile law: a staircase, or one affine in tokens, is needed")
        value = {name: _rounded(exact(number, name)) for name, number in law.constants.items()}
        if isinstance(law, StaircaseLaw):
            return cls(Tile(1, int(law.t_col)), value["tile_time"], value["token_time"])
        w = width or 1
        return cls(Tile(1, w), w * value["beta"], fixed=value["alpha"], read=value.get("gamma", Fraction(0)))

    # ---- one batch ----

    def linear(self, tokens: int) -> Fraction:
        """(4) and Section 3.2.3, with ``fixed``: a batch of so many tokens, without attention. Seconds."""
        if not tokens:
            return Fraction(0)
        return self.fixed + self.column * -(-tokens // self.tile.col) + self.token * tokens

    def decode_attention(self, end: int) -> Fraction:
        """(5) for all layers: a decode iteration that reads ``end`` tokens. Seconds."""
        v = self.vector_tile
        return self.read * end + self.vector * Fraction(self.d) * (
            Fraction(-(-end // v.row), v.col) + Fraction(-(-end // v.col), v.row))

    def decode_attention_to(self, end: int) -> Fraction:
        """The sum of `decode_attention` at 1, ..., ``end`` tokens. Seconds."""
        v = self.vector_tile
        return self.read * (end * (end + 1) // 2) + self.vector * Fraction(self.d) * (
            Fraction(_ceilings(end, v.row), v.col) + Fraction(_ceilings(end, v.col), v.row))

    def prefill_attention(self, end: int, chunk: int) -> Fraction:
        """(6): a chunk that ends at token ``end``. Seconds."""
        return self.pair * -(-chunk // self.tile.col) * self._column(end)

    def batch(self, chunks: Sequence[tuple[int, int]] = (), decodes: Sequence[int] = ()) -> Fraction:
        """(7): a batch of ``chunks``, pairs (i, c) of a start and a size, and of ``decodes``, each with the tokens that
        it reads. Seconds."""
        for i, c in chunks:
            integer("a chunk's start", i)
            integer("a chunk's size", c)
        for end in decodes:
            integer("a decode's position", end)
        tokens = len(decodes) + sum(c for _, c in chunks)
        attention = sum((self.prefill_attention(i + c - 1, c) for i, c in chunks), Fraction(0))
        return self.linear(tokens) + attention + sum(map(self.decode_attention, decodes), Fraction(0))

    def _column(self, end: int) -> Fraction:
        t = self.tile
        return Fraction(self.d) * (Fraction(-(-end // t.row), t.red) + Fraction(-(-end // t.red), t.row))

    # ---- a prompt ----

    def chunks(self, prompt: int, limit: int | None = None, linear: bool = True) -> Chunking:
        """The cheapest chunks of a prompt alone in its batches, of at most ``limit`` tokens each: `Chunking.best`."""
        from qtheory.theory.capacity.chunking import Chunking

        return Chunking.best(self, prompt, limit, linear)

    def cut(self, prompt: int, chunk: int) -> Chunking:
        """Chunks of ``chunk`` tokens each, the last one of what is left, as RAD cuts (line 13 of Algorithm 1)."""
        from qtheory.theory.capacity.chunking import Chunking

        return Chunking.equal(self, prompt, chunk)

    @cached_property
    def unit(self) -> Fraction:
        """Seconds of which a column's and a batch's time are whole numbers."""
        t = self.tile
        parts = (self.column, self.fixed, self.pair * Fraction(self.d, t.red), self.pair * Fraction(self.d, t.row))
        return Fraction(1, lcm(*(p.denominator for p in parts)))

    def columns(self, ends: NDArray[np.int64], linear: bool = True, parts: int = 1) -> NDArray[Any]:
        """Time of one column of a chunk that ends at each token, in `unit`: its attention, and its products. As int64
        where that holds ``parts`` times the longest."""
        t, unit = self.tile, self.unit
        by_row, by_red = (int(self.pair * Fraction(self.d, x) / unit) for x in (t.red, t.row))
        base, fixed = int(self.column / unit) if linear else 0, int(self.fixed / unit)
        longest = int(ends.max(initial=1))
        most = base + fixed + by_row * -(-longest // t.row) + by_red * -(-longest // t.red)
        kind = np.int64 if most * parts < _INT64 else object
        rows, reds = (-(-ends // x) for x in (t.row, t.red))
        return np.asarray(base + by_row * rows.astype(kind) + by_red * reds.astype(kind))


def _ceilings(n: int, tile: int) -> int:
    """``ceil(1/tile) + ... + ceil(n/tile)``: q whole tiles of tokens, and the rest in tile q + 1."""
    q = n // tile
    return tile * q * (q + 1) // 2 + (n - tile * q) * (q + 1)


def _rounded(value: Fraction) -> Fraction:
    """To nine significant digits."""
    return Fraction(f"{float(value):.{_SIGNIFICANT}g}")
