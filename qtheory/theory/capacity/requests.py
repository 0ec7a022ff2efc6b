"""What a request takes of an engine on average, the rates that follow, and RAD's cycle, by the tile law.

Where batches are full, w = t_col tokens a column, a request of L_P and L_D tokens takes ``column (L_P + L_D)/w + token
(L_P + L_D)``, the attention of its decode iterations, which read L_P + 1 to L_P + L_D tokens, and that of its chunks:
T_*^R of (11). Since no batch is better than full, no scheduler with this tile serves more than r over its mean, **taken
over the chunks of the least attention**, which have w tokens (`chunking`). The paper takes chunks of t_lcm, so that for
t_lcm > w its bound can be beaten; RAD with chunks of t_lcm comes up to the paper's, RAD with chunks of w to this one.

Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", (11), (12), Theorems 1, 2, Appendix C.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.theory.capacity.tiles import TileLaw
from qtheory.theory.waiting.requests import exact
from qtheory.workloads.base import integer

if TYPE_CHECKING:
    from qtheory.workloads.base import LengthLaw
    from qtheory.workloads.workload import Workload

Array = NDArray[np.float64]
_TAIL = 1e-12  # of lengths, left out of means
LONGEST = 1_000_000  # tokens of a request at most
_TOO_LONG = f"requests of up to {{:,}} tokens; at most {LONGEST:,} are taken"


def request_time(law: TileLaw, prompt: int, output: int, chunk: int | None = None) -> Fraction:
    """T_*^R of (11) for one request, in chunks of ``chunk`` tokens, the last one what is left; None: in the chunks of
    the least attention, so that no scheduler spends less on the request. Seconds, without ``law.fixed``."""
    integer("the prompt", prompt)
    integer("the output", output, 0)
    tokens = prompt + output
    size = chunk or law.tile.col
    integer("the chunk", size)
    cuts = range(size, prompt + size, size) if chunk else range(prompt, 0, -size)
    attention = sum((law.prefill_attention(min(e, prompt), size if e <= prompt else prompt - e + size) for e in cuts),
                    Fraction(0))
    decodes = law.decode_attention_to(tokens) - law.decode_attention_to(prompt)
    return law.column * Fraction(tokens, law.tile.col) + law.token * tokens + attention + decodes


def worst_time(laws: TileLaw | Iterable[TileLaw], prompt: int, output: int) -> Fraction:
    """T^max of (13): a request of the longest lengths, one token a batch, under the worst of the tile laws. Seconds.

    A prompt's token takes the longer of GeMV, as printed, and of a chunk of one token by GeMM, which Assumption 2 says
    is not longer: at data-sheet rates it is, for its tile is padded.
    """
    several = (laws,) if isinstance(laws, TileLaw) else tuple(laws)
    if not several:
        raise InputError("T^max needs a tile law at least")
    integer("the longest prompt", prompt)
    integer("the longest output", output)
    return max(_one_by_one(law, prompt, output) for law in several)


def _one_by_one(law: TileLaw, prompt: int, output: int) -> Fraction:
    tokens = prompt + output
    reads = law.decode_attention_to(tokens)
    if law.pair:  # where a padded chunk takes longer than GeMV
        v, t = law.vector_tile, law.tile
        parts = (law.pair * Fraction(law.d, t.red), law.pair * Fraction(law.d, t.row),
                 law.vector * Fraction(law.d, v.col), law.vector * Fraction(law.d, v.row), law.read)
        unit = Fraction(1, lcm(*(p.denominator for p in parts)))
        by_row, by_red, of_row, of_col, each = (int(p / unit) for p in parts)
        ends = np.arange(1, prompt + 1).astype(object)
        chunk = by_row * -(-ends // t.row) + by_red * -(-ends // t.red)
        vector = of_row * -(-ends // v.row) + of_col * -(-ends // v.col) + each * ends
        reads += int(np.maximum(chunk - vector, 0).sum()) * unit
    return (law.fixed + law.column + law.token) * tokens + reads


@dataclass(frozen=True)
class Means:
    """Mean seconds of a request where batches are full: in products and elsewhere (``linear``), in ``decodes``'
    attention and in that of its ``chunks``; ``prompt`` and ``output``, the most tokens that a request has."""

    linear: float
    decodes: float
    chunks: float
    prompt: int
    output: int

    @property
    def seconds(self) -> float:
        """T_R."""
        return self.linear + self.decodes + self.chunks

    def rate(self, engines: int = 1) -> float:
        """``r/T_R``, requests a second."""
        return engines / self.seconds


def means(law: TileLaw, workload: Workload, chunk: int | None = None) -> Means:
    """The mean of `request_time` over a workload's lengths, in floating point; of a trace over its rows. T̄^R of Theorem
    1 is that for ``chunk`` = t_lcm and prompts that are multiples of it.

    Lengths of probability 1e-12 and less, in all, are left out; InputError for requests of more than a million tokens.
    """
    if chunk is not None:
        integer("the chunk", chunk)
    if workload.trace is not None:
        prompts, outputs = workload.trace.prompt_lengths, workload.trace.output_lengths
        whole = prompts + outputs
        table = _Tables(law, int(prompts.max()), int(whole.max()), chunk)
        decodes = float((table.reads[whole] - table.reads[prompts]).mean())
        return Means(_linear(law, float(whole.mean())), decodes, float(table.chunks[prompts].mean()),
                     int(prompts.max()), int(outputs.max()))
    _ = workload.prompt  # each class has one
    laws = [(float(w), _pmf(c.prompt), _pmf(c.output)) for w, c in zip(workload.probabilities, workload.classes,
                                                                         strict=True) if c.prompt is not None]
    prompt, output = max(p.size for _, p, _ in laws) - 1, max(d.size for _, _, d in laws) - 1
    table = _Tables(law, prompt, prompt + output, chunk)
    total = decodes = chunks = 0.0
    for weight, p, d in laws:
        both = np.convolve(p, d) if min(p.size, d.size) < 512 else _convolved(p, d)
        total += weight * float(p @ np.arange(p.size) + d @ np.arange(d.size))
        decodes += weight * float(both @ table.reads[:both.size] - p @ table.reads[:p.size])
        chunks += weight * float(p @ table.chunks[:p.size])
    return Means(_linear(law, total), decodes, chunks, prompt, output)


class _Tables:
    """For every length: attention of the decode iterations that read up to so many tokens, and of a prompt's chunks."""

    def __init__(self, law: TileLaw, prompt: int, most: int, chunk: int | None) -> None:
        if most > LONGEST:
            raise InputError(_TOO_LONG.format(most))
        ends, v, w = np.arange(most + 1), law.vector_tile, law.tile.col
        tiles = -(-ends // v.row) / v.col + -(-ends // v.col) / v.row
        self.reads = np.cumsum(float(law.read) * ends + float(law.vector) * law.d * tiles)
        ends = np.arange(prompt + 1)
        t = law.tile
        column = float(law.pair) * law.d * (-(-ends // t.row) / t.red + -(-ends // t.red) / t.row)
        if chunk is None:
            rows = -(-(prompt + 1) // w)
            stacked = np.zeros(rows * w)
            stacked[:prompt + 1] = column
            self.chunks = np.cumsum(stacked.reshape(rows, w), axis=0).ravel()[:prompt + 1]
        else:
            whole = np.concatenate([[0.0], np.cumsum(column[chunk::chunk] * -(-chunk // w))])
            self.chunks = whole[ends // chunk] + column * -(-(ends % chunk) // w)


def _linear(law: TileLaw, tokens: float) -> float:
    return float(law.column) * tokens / law.tile.col + float(law.token) * tokens


def _pmf(length: LengthLaw) -> Array:
    last = int(length.maximum) if length.maximum is not None else int(length.quantile(1 - _TAIL))
    if last > LONGEST:
        raise InputError(_TOO_LONG.format(last))
    chances = np.asarray(length.pmf(np.arange(last + 1)), dtype=float)
    return np.asarray(chances / chances.sum())


def _convolved(p: Array, d: Array) -> Array:
    size = p.size + d.size - 1
    both = np.fft.irfft(np.fft.rfft(p, size) * np.fft.rfft(d, size), size)
    return np.asarray(np.maximum(both, 0.0))


def cycle_length(law: TileLaw, mean: float, worst: float, slack: float) -> int:
    """The least n of Theorem 2: RAD with n prefills a cycle is stable wherever ``lambda T_R <= r (1 - slack)``.

    ``mean``: T_R; ``worst``: T^max (`worst_time`), seconds. InputError for a slack outside (0, 1).
    """
    if not 0 < slack < 1:
        raise InputError(f"the slack is {slack}; it must lie between 0 and 1")
    for name, value in (("mean", mean), ("worst", worst)):
        if not (math.isfinite(value) and value > 0):
            raise InputError(f"the {name} time is {value} s; it must be positive and finite")
    needed = (law.tile.col - 1) * exact(worst, "worst") / (exact(slack, "slack") * exact(mean, "mean"))
    return max(math.floor(needed) + 1, 1)


def stable_below(law: TileLaw, n: int, mean: float, worst: float, engines: int = 1) -> float:
    """The rate (1/s) below which RAD with n prefills a cycle is stable by the drift of Appendix C.3: r over ``T_R +
    (t_col - 1) T^max/n``. It is no bound from above: RAD may be stable beyond."""
    integer("n", n)
    return engines / (mean + (law.tile.col - 1) * worst / n)

