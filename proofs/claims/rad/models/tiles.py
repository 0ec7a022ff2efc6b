"""The batch time (7) and the effective completion time (12), literally and in exact arithmetic, on an A100's tiles.

Times in units of 1/(s mu(t*)), one tile pair on all multiprocessors; all batches use the optimal tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

METHOD = "the batches' times by (7), added up, against (12)"
UNIT = "1/(s mu(t*)) (one tile pair on all multiprocessors)"


@dataclass(frozen=True)
class Node:
    """Tiles (t*_row, t*_col, t*_red) and the model's dimensions; ``per_token``: 1/mu_nLin; ``gemv``: what a tile pair
    of a GeMV takes, of 64 x 64."""

    tiles: tuple[int, int, int] = (256, 128, 32)  # Section 2.3: an A100's
    N: int = 32
    d: int = 4096
    d_ff: int = 14336
    d_out: int = 32000  # d_x = d; Mistral-7B
    per_token: Fraction = Fraction(1, 10)
    gemv: Fraction = Fraction(3)  # above 2, by Assumption 2: a GeMM of one column has up to twice as many tile pairs

    @property
    def told(self) -> dict[str, object]:
        """What the two sides take besides the requests."""
        return {"(t*_row, t*_col, t*_red)": self.tiles, "N": self.N, "d = d_x": self.d, "d_ff": self.d_ff,
                "d_out": self.d_out, "unit of time": UNIT, "1/mu_nLin": self.per_token,
                "a 64 x 64 tile pair of a GeMV": self.gemv}

    @property
    def linear(self) -> Fraction:
        """1/mu_Lin, Section 3.2.1."""
        row, _, red = self.tiles
        N, d, ff = self.N, self.d, self.d_ff
        return Fraction(3*N*d*d + 2*N*d*ff + d*self.d_out, row*red)

    def decode(self, i: int) -> Fraction:
        """T^{D,SA}(i), (5)."""
        return self.gemv*2*Fraction(self.d, 64)*-(-i//64)

    def batch(self, chunks: Sequence[tuple[int, int]], decodes: Sequence[int]) -> Fraction:
        """(7): chunks (i, c) of prompts, and token indices of decode iterations."""
        row, col, red = self.tiles
        tokens = len(decodes) + sum(c for _, c in chunks)
        attention = sum(-(-(i + c - 1)//row)*-(-c//col)*Fraction(self.d, red)
                        + Fraction(self.d, row)*-(-c//col)*-(-(i + c - 1)//red) for i, c in chunks)
        return (self.linear*-(-tokens//col) + self.per_token*tokens + self.N*sum(map(self.decode, decodes))
                + self.N*attention)

    def effective(self, prompt: int, output: int) -> Fraction:
        """T_*^R, (12)."""
        row, col, red = self.tiles
        decodes = sum(self.decode(i) for i in range(prompt + 1, prompt + output + 1))
        return (self.linear*Fraction(prompt + output, col) + self.per_token*(prompt + output) + self.N*decodes
                + Fraction(self.N*self.d, row*col*red)*prompt*(prompt + lcm(*self.tiles)))

    def worst(self, prompt: int, output: int) -> Fraction:
        """T^max, (13), with these tiles alone."""
        return ((self.linear + self.per_token)*(prompt + output)
                + self.N*sum(self.decode(i) for i in range(1, prompt + output + 1)))

    def together(self, k: int, prompt: int, output: int, chunk: int) -> Fraction:
        """The time for k requests of one size on one node: prefills one after the other in such chunks, each alone in
        its batch, then all decode together."""
        starts = range(1, prompt + 1, chunk)
        prefill = sum((self.batch([(i, min(chunk, prompt - i + 1))], ()) for i in starts), Fraction(0))
        return k*prefill + sum(self.batch((), [prompt + i]*k) for i in range(1, output + 1))


K, PROMPT, OUTPUT = 128, 256, 1  # t*_col requests, prompts of t*_lcm tokens


def prop_1_run() -> Outcome:
    """r = 1. In chunks of t*_lcm the two sides are equal; chunks of t*_col take less."""
    node = Node()
    needed, bound = (node.together(K, PROMPT, OUTPUT, c) for c in (128, 256))
    assert bound == K*node.effective(PROMPT, OUTPUT)
    return shown(needed < bound, {
        "r": 1, "k": K, **node.told, "L^P": PROMPT, "L^D": OUTPUT, "chunks": 128,
        "trace": f"each prompt in two batches of 128 tokens, then one batch of {K} decode iterations: {needed} < "
                 f"{bound}"}, METHOD)


def lem_1_run() -> Outcome:
    """All K requests come about time 0 and are completed about the time t: the margin is more than a moment."""
    node = Node()
    t, work = node.together(K, PROMPT, OUTPUT, 128), K*node.effective(PROMPT, OUTPUT)
    return shown(work > t, {
        "r": 1, "A(t)": K, **node.told, "L^P": PROMPT, "L^D": OUTPUT, "chunks": 128,
        "trace": f"all come within a short time and are completed at t = {t} after it: Q(t) = 0, and the sum of "
                 f"T_*^R(j) is {work} > t"}, METHOD)


def thm_1_run() -> Outcome:
    """A rate between 1/T^R and that at which K requests take K times the time between two arrivals."""
    node = Node()
    needed, mean = node.together(K, PROMPT, OUTPUT, 128), node.effective(PROMPT, OUTPUT)
    rate = 1/((needed/K + mean)/2).limit_denominator(1)  # a whole time between two arrivals lies between them
    return shown(rate*mean > 1 and rate*needed < K, {
        "r": 1, "lambda": rate, **node.told, "L^P": PROMPT, "L^D": OUTPUT,
        "trace": f"lambda T^R - 1 = {float(rate*mean - 1):.2g} > 0, and {K} requests, each prefilled in two chunks of "
                 f"128 tokens, then decoded together, take {float(rate*needed/K):.5f} of {K}/lambda"}, METHOD)
