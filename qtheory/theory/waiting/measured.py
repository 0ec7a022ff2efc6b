"""A measured law, by the tokens that an iteration processes, for the theory, whose laws go by the tokens held.

At stage 0 a request of a prompt of l tokens processes l tokens and holds as many, at stage k > 0 it processes one and
holds l + k. So a full batch that holds M tokens processes at most rho M of them, where rho is the largest share of a
type, ``(l + l')/((l' + 1)(l + l'/2))``, or that of the first segment, ``(l + e_1)/((e_1 + 1)(l + e_1/2))``: the later
segments, without a prefill, have smaller ones. A law T(n) that does not decrease is at most T(rho M) there, so that
thresholds for that law are thresholds for the measured one.

Batches are counted by the least time that n_1 prompts take, T(n_1 l), which T(rho n_1 l) does not exceed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from qtheory.errors import InputError
from qtheory.models import laws
from qtheory.theory.any_law import LONGEST, Times
from qtheory.theory.waiting.requests import Law, RequestType, held
from qtheory.theory.waiting.segments import Segments


@dataclass(frozen=True)
class Measured:
    """``law``: a time by the tokens processed, and linearly by the context that attention reads.

    InputError for a law that has no time of a batch of prompts and decodes, or none by the number of tokens.
    """

    law: laws.Law

    def __post_init__(self) -> None:
        if {laws.DECODE, laws.RATIO} & set(self.law.variables):
            raise InputError(f"the law {self.law.kind} has no time of a batch of prompts and decodes; give d0 and d1")

    def of_types(self, types: Sequence[RequestType]) -> Law:
        """The law by the tokens held, for batches of WAIT."""
        return self._by_memory(_share((t.prompt, t.output) for t in types if t.rate))

    def of_segments(self, segments: Segments) -> Law:
        """The law by the tokens held, for batches of Nested WAIT."""
        return self._by_memory(_share([(segments.prompt, segments.ends[0])]))

    def _by_memory(self, share: Fraction) -> Law:
        """T(rho M): a line as one, any other law as a table, of as many tokens as such a table has at most."""
        law = self.law
        if isinstance(law, laws.MemoryLinearLaw):
            return law
        if isinstance(law, laws.AffineLaw | laws.ContextAffineLaw):
            context = law.gamma if isinstance(law, laws.ContextAffineLaw) else 0.0
            slope = float(share) * law.beta + context
            if slope > law.beta:  # n_1 prompts, which may read no context, would be told to take longer than they do
                raise InputError("reading a token of context takes longer than what such batches leave of the time to "
                                 "process one; give d0 and d1")
            return laws.MemoryLinearLaw(law.alpha, math.nextafter(slope, math.inf) if slope else 0.0)
        a, b = share.as_integer_ratio()
        return Times(tuple(self._table.counts[max(-(-a * m // b), 1) - 1] for m in range(1, LONGEST + 1)),
                     self._table.unit)

    @cached_property
    def _table(self) -> Times:
        """T(n), n = 1, ..., as many tokens as a table has at most."""
        return Times.of_law(self.law, LONGEST)


def _share(lengths: Iterable[tuple[int, int]]) -> Fraction:
    """rho: the largest share of the tokens held that is processed, at most 1, of prompts and outputs."""
    works = [(prompt + output, held(prompt, 0, output)) for prompt, output in lengths]
    return max((Fraction(n) / work for n, work in works if work), default=Fraction(1))
