"""Appendix A.3's two types on a GPU of 9 tokens: which arrivals fit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome

CAPACITY = 9
LAST = {1: 1, 2: 2}  # l'_j; l_j = 1
PRINTED = {(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)}


def tokens(first: int, second: int, iterations: int = 2) -> list[int]:
    """What the batches after the equilibrium batch hold, with the prompts that have come meanwhile and no others."""
    here = [(1, 1), (2, 1), (2, 2)] + [(1, 0)] * first + [(2, 0)] * second  # type, stage
    out = []
    for _ in range(iterations):
        out.append(sum(1 + stage for _, stage in here))
        here = [(kind, stage + 1) for kind, stage in here if stage < LAST[kind]]
    return out


def combinations_run() -> Outcome:
    held = tokens(0, 2)
    return shown(max(held) <= CAPACITY and (0, 2) not in PRINTED, {
        "X": "(0, 2)", "trace": f"the next two batches hold {held} tokens, as with (2, 0): {tokens(2, 0)}"},
        "the stages of each prompt, followed")


@every("X_1, X_2 <= 6", "the stages of each prompt, followed")
def corrected_run() -> Iterator[Case]:
    for first, second in product(range(7), repeat=2):
        fits = max(tokens(first, second)) <= CAPACITY
        yield {"X": (first, second), "tokens": tokens(first, second)} if fits != (first + second <= 2) else None
