"""Segments of Nested WAIT: decode stages in a row, between whose ends some requests complete and the others pass on.

Segment 1 holds the stages 0, ..., e_1, segment i the stages e_{i-1} + 1, ..., e_i, where the e_i are output lengths
(Section 5.1; Section 7.2 with several lengths a segment). All requests have the same prompt length. Of the requests
that enter segment i the share p_i passes on to segment i + 1, those whose output is longer than e_i.

The tokens of a batch at thresholds n are ``sum of n_i w_i``, w_i the tokens of one request at each stage of segment i,
summed: ``w_i = (e_i - e_{i-1})(l + (e_{i-1} + 1 + e_i)/2)`` for i > 1, ``w_1 = (e_1 + 1)(l + e_1/2)``. The paper's (11)
has ``(e_1 + ... + e_i)/2`` for the mean stage, and Section 7.2 ``i D/2`` with all segments D stages long; both are here
as printed, to be set beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise

from qtheory.errors import InputError
from qtheory.theory.waiting.requests import RequestType, held


@dataclass(frozen=True)
class Segments:
    """``rate`` (1/s) of all requests, ``prompt`` (tokens), the ``ends`` e_i, increasing, and the ``passes`` p_i, one
    fewer."""

    rate: Fraction
    prompt: int
    ends: tuple[int, ...]
    passes: tuple[Fraction, ...]

    @cached_property
    def weights(self) -> tuple[Fraction, ...]:
        """w_i: tokens of a batch for each unit of threshold i."""
        first = (0, *(e + 1 for e in self.ends[:-1]))
        return tuple(held(self.prompt, a, b) for a, b in zip(first, self.ends, strict=True))

    @cached_property
    def printed_weights(self) -> tuple[Fraction, ...]:
        """Those of (11): ``(l + L'_i/2)(e_i - e_{i-1})``, ``L'_i = e_1 + ... + e_i``, e_0 = 0."""
        steps = (b - a for a, b in pairwise((0, *self.ends)))
        return tuple((self.prompt + Fraction(total, 2)) * step
                     for total, step in zip(accumulate(self.ends), steps, strict=True))

    @cached_property
    def printed_even_weights(self) -> tuple[Fraction, ...]:
        """Those of Section 7.2: ``(l + i D/2) D``, D = e_L/L."""
        d = Fraction(self.ends[-1], len(self.ends))
        return tuple((self.prompt + i * d / 2) * d for i in range(1, len(self.ends) + 1))

    @cached_property
    def waiting_tokens(self) -> tuple[int, ...]:
        """Tokens of a request that waits for segment i, i >= 2: ``l + e_{i-1}``."""
        return tuple(self.prompt + e for e in self.ends[:-1])


def segments(types: Sequence[RequestType], count: int | None = None) -> Segments:
    """The types, by output length, in ``count`` segments of as many lengths each (the last ones one more where they do
    not divide); one segment a length if left out."""
    prompts = {t.prompt for t in types if t.rate}
    if len(prompts) != 1:
        raise InputError(f"segments need one prompt length, not {len(prompts)}; group the types by it")
    rates: dict[int, Fraction] = {}
    for t in types:
        if t.rate:
            rates[t.output] = rates.get(t.output, Fraction(0)) + t.rate
    lengths = sorted(rates)
    count = len(lengths) if count is None else count
    if not 1 <= count <= len(lengths):
        raise InputError(f"{len(lengths)} output lengths make 1 to {len(lengths)} segments, not {count}")
    last = [len(lengths) * (i + 1) // count - 1 for i in range(count)]
    beyond = [sum((rates[n] for n in lengths[i + 1:]), Fraction(0)) for i in last]
    total = sum(rates.values(), Fraction(0))
    passes = tuple(after / before for before, after in pairwise((total, *beyond[:-1])))
    return Segments(total, next(iter(prompts)), tuple(lengths[i] for i in last), passes)
