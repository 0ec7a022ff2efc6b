"""Laws of the seconds of an iteration, by their constants; validated, encoded for the kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.kernel import engine_layout as E

_ROUNDING = 2.0**-48  # of a sum's terms: below it a computed sum may have either sign
LONGEST = 10**9  # tokens of a prompt or an output at most, on average where they have no bound


@dataclass(frozen=True)
class IterationTime:
    """Seconds of an iteration with p prefill and d decode tokens, n = p + d.

    affine: a + b n; piecewise: c + a max(0, n - b0); concave: a + b n + e min(n, b0); staircase: a ceil(n / tile) +
    b n; two-affine: the first pair if p > 0, else the second; mixed-quadratic: a + (c0 + c1 r + c2 r^2) n, r = d/n;
    memory: d0 + d1 (tokens in the batch's KV cache after it). ``prefill_attention`` times the sum of squared chunks and
    ``decode_attention`` times the KV tokens of the decoding requests come on top (throughput-optimal paper, A.1).
    Raises InputError for constants by which an iteration of one token, of either phase, would take no time.
    """

    kind: str
    constants: tuple[float, ...]
    prefill_attention: float = 0.0
    decode_attention: float = 0.0

    KINDS: ClassVar[dict[str, tuple[int, int]]] = {  # name: (the kernel's number, how many constants)
        "affine": (E.AFFINE, 2),
        "piecewise": (E.PIECEWISE, 3),
        "concave": (E.CONCAVE, 4),
        "staircase": (E.STAIRCASE, 3),
        "two-affine": (E.TWO_AFFINE, 4),
        "mixed-quadratic": (E.MIXED_QUADRATIC, 4),
        "memory": (E.MEMORY, 2),
    }
    FORMULAS: ClassVar[dict[str, str]] = {  # what must be positive
        "affine": "a + b",
        "piecewise": "c + a max(0, 1 - b0)",
        "concave": "a + b + e min(1, b0)",
        "staircase": "a + b (a: seconds a tile, b: seconds a token)",
        "two-affine": "a + b of either pair",
        "mixed-quadratic": "a + (c0 + c1 r + c2 r^2) n, r from 0 to 1,",
        "memory": "d0 + d1",
    }

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise UnknownNameError("iteration-time law", self.kind, sorted(self.KINDS))
        wanted = self.KINDS[self.kind][1]
        if len(self.constants) != wanted:
            raise InputError(f"law {self.kind!r} needs {wanted} constants, not {len(self.constants)}")
        every = (*self.constants, self.prefill_attention, self.decode_attention)
        if not all(math.isfinite(v) for v in every):
            raise InputError(f"law {self.kind!r}: constants must be finite, not {every}")
        if min(every if self.kind != "mixed-quadratic" else every[wanted:]) < 0:
            raise InputError(f"law {self.kind!r}: constants must not be negative, not {every}")
        if self.kind == "staircase" and not (self.constants[1] >= 1 and self.constants[1] == int(self.constants[1])):
            raise InputError(f"law 'staircase': the second constant, the tokens of a tile, is a whole number, at least "
                             f"1, not {self.constants[1]}")  # fmt: skip
        self.check(1)

    def least(self, tokens: float) -> float:
        """The shortest iteration of 1 to ``tokens`` tokens (infinity: without a bound) in seconds, without attention.

        Mixed batches at any share r in [0, 1]: what rounding could make of a sum near zero counts as zero.
        """
        c = self.constants
        if self.kind == "piecewise":
            return c[0] + c[1] * max(0.0, 1.0 - c[2])
        if self.kind == "concave":
            return c[0] + c[1] + c[2] * min(1.0, c[3])
        if self.kind == "staircase":
            return c[0] + c[2]
        if self.kind == "two-affine":
            return min(c[0] + c[1], c[2] + c[3])
        if self.kind != "mixed-quadratic":
            return c[0] + c[1]
        inside = -c[2] / (2.0 * c[3]) if c[3] > 0 else 0.0  # where the parabola is lowest
        shares = (0.0, 1.0, min(max(inside, 0.0), 1.0))
        lowest, terms = min(c[1] + c[2] * r + c[3] * r * r for r in shares), sum(map(abs, c[1:]))
        if abs(lowest) <= _ROUNDING * terms:
            lowest = 0.0
        time = c[0] + (lowest * tokens if lowest < 0 else lowest)
        slack = _ROUNDING * (abs(c[0]) + terms * (1.0 if lowest > 0 else min(tokens, LONGEST)))
        return time if abs(time) > slack else 0.0

    def check(self, tokens: float) -> None:
        """Raise InputError unless every iteration of 1 to ``tokens`` tokens takes some time."""
        time = self.least(tokens)
        if not time > 0:
            took = "no time" if time == 0 else f"{time:g} s"
            of = "one token" if tokens == 1 else "many tokens" if math.isinf(tokens) else f"{tokens:.0f} tokens"
            raise InputError(f"law {self.kind!r}: an iteration of {of} would take {took}; with the constants "
                             f"{list(self.constants)}, {self.FORMULAS[self.kind]} must be positive")  # fmt: skip

    def encode(self) -> tuple[int, np.ndarray]:
        constants = np.zeros(6)
        constants[: len(self.constants)] = self.constants
        constants[4:] = self.prefill_attention, self.decode_attention
        return self.KINDS[self.kind][0], constants
