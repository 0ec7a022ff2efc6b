"""The plot ``rad-chunks``: the time of a prompt by its chunks, and the best chunks as a picture.

Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Sections 2.3 and 3.2; a fixed time a
batch, which measured times have, is stated.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.report.tiling import BANDWIDTH, FLOPS
from qtheory.theory import capacity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROMPT, LONG, LEAST, MOST = 8192, 131_072, 32, 2048  # tokens
FIXED = (0.0, 1.0, 5.0)  # ms a batch
BARS = ((0.2, 8192), (1.0, 8192), (5.0, 8192), (5.0, None), (50.0, None), (200.0, None))  # ms, limit


def law_of(milliseconds: float, tile: capacity.Tile = capacity.A100[0]) -> capacity.TileLaw:
    """Mistral-7B's dimensions on an A100, with a fixed time a batch."""
    law = capacity.TileLaw.of_rates(tile, capacity.MISTRAL_7B, FLOPS, BANDWIDTH)
    return replace(law, fixed=Fraction(str(milliseconds)) / 1000)


def picture(suffix: str) -> bytes:
    """Left: seconds of a prompt by the size of equal chunks, and of the best ones; right: where the best ones end."""
    sizes = np.unique(np.concatenate([np.arange(LEAST, 1025, 8), np.arange(1024, MOST, 32), np.arange(129, MOST, 128)]))

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        for (colour, dash), ms in zip(STYLES, FIXED, strict=False):
            law = law_of(ms)
            left.plot(sizes, [float(law.cut(PROMPT, int(c)).seconds) for c in sizes], dash, color=colour, linewidth=0.9,
                      label=f"{ms:g} ms a batch")
            left.axhline(float(law.chunks(PROMPT).seconds), color=colour, linewidth=0.6, linestyle=":")
        left.set(xscale="log", xlabel="tokens of a chunk", ylabel=f"s for a prompt of {PROMPT:,} tokens", ylim=(0, 1.6))
        left.set_xticks((ticks := (32, 64, 128, 256, 512, 1024, 2048)), map(str, ticks))
        left.minorticks_off()
        left.legend()
        for row, (pause, limit) in enumerate(BARS):
            found = law_of(pause).chunks(LONG, limit)
            starts = (0, *found.ends[:-1])
            colours = [STYLES[k % 2][0] for k in range(len(found.chunks))]
            right.barh([row] * len(starts), found.chunks, left=starts, color=colours, height=0.7, linewidth=0)
            right.annotate(f"{len(found.chunks)}", (LONG, row), (3, 0), textcoords="offset points", va="center",
                           fontsize=7)
        names = [f"{ms:g} ms" + (f", at most {most:,}" if most else "") for ms, most in BARS]
        right.set_yticks(range(len(BARS)), names)
        right.set(xlabel=f"the best chunks of {LONG:,} tokens, and how many", xlim=(0, LONG * 1.08))
        right.invert_yaxis()

    return drawn(draw, (PAGE, 2.8), suffix)
