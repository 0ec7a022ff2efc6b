"""The fluid equilibrium: as many requests of each type come in during an iteration as are completed by one.

With x_j requests of type j at each of its stages, ``x_j = rate_j T`` and ``M = sum of x_j (l'_j + 1)(l_j + l'_j/2)``
give ``M = R T(M)``, R the work that arrives in a second (`requests.total_work`): the least solution is the equilibrium.
For ``T = d0 + d1 M`` it is ``T = d0/(1 - d1 R)``, and there is one exactly if d1 R < 1 (d0 > 0). For a nondecreasing
law there can be several solutions; those above the least one are reached from larger batches alone.

The paper's population n*_j of Section 3.1 and (2)-(3) counts all stages, ``x_j (l'_j + 1)``; its Section 3.2 uses the
same letter for x_j. Its throughput (8) counts a token for the prefill too; that of its Section 2.3 does not. Both are
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.theory.any_law import Times
from qtheory.theory.waiting.requests import Law, RequestType, seconds, total_work


@dataclass(frozen=True)
class Equilibrium:
    """``iteration`` (s), ``memory`` (tokens), and for each type ``entering``, the requests at each stage."""

    types: tuple[RequestType, ...]
    iteration: Fraction
    memory: Fraction

    @property
    def entering(self) -> tuple[Fraction, ...]:
        """Requests of each type that enter, and leave, in an iteration."""
        return tuple(t.rate * self.iteration for t in self.types)

    @property
    def population(self) -> tuple[Fraction, ...]:
        """Requests of each type at all of its stages."""
        return tuple(x * t.stages for x, t in zip(self.entering, self.types, strict=True))

    @property
    def throughput(self) -> Fraction:
        """Output tokens a second (Section 2.3)."""
        return sum((t.rate * t.output for t in self.types), Fraction(0))

    @property
    def stage_throughput(self) -> Fraction:
        """Stages a second, the prefill among them, as (8) counts."""
        return sum((t.rate * t.stages for t in self.types), Fraction(0))

    @property
    def latency(self) -> Fraction:
        """Mean seconds of a request in service: as many iterations as it has stages."""
        rate = sum((t.rate for t in self.types), Fraction(0))
        return self.iteration * self.stage_throughput / rate if rate else Fraction(0)


def equilibrium(types: Sequence[RequestType], law: Law) -> Equilibrium:
    """The equilibrium with the shortest iteration. InputError where there is none, with the factor on the rates below
    which there is one."""
    work, least = total_work(types), seconds(law, Fraction(0))
    assert least is not None
    if isinstance(law, Times):
        level = 1
        while (needed := max(-(-(work * law.at(level)) // 1), 1)) > level:
            if needed > law.most:
                raise InputError(_none(types, law))
            level = int(needed)
        return Equilibrium(tuple(types), law.at(level), work * law.at(level))
    share = Fraction(str(law.d1)) * work
    if share >= 1:
        raise InputError(_none(types, law))
    iteration = least / (1 - share)
    return Equilibrium(tuple(types), iteration, work * iteration)


def largest_scale(types: Sequence[RequestType], law: Law) -> Fraction | None:
    """The factor on all rates up to which there is an equilibrium: below it under ``d0 + d1 M``, at it too under a law
    that is given as a table. None where there is one at every rate."""
    work = total_work(types)
    if isinstance(law, Times):
        best = max(Fraction(n) / law.at(n) for n in range(1, law.most + 1))
        return best / work if work else None
    share = Fraction(str(law.d1)) * work
    return 1 / share if share else None


def _none(types: Sequence[RequestType], law: Law) -> str:
    scale = largest_scale(types, law)
    assert scale is not None
    return ("there is no equilibrium: a second brings more work than a second of iterations can hold; the rates must "
            f"be below {float(scale):.4g} times these")


def over_time(types: Sequence[RequestType], law: Law, factors: Iterable[Sequence[Fraction]]
              ) -> list[Equilibrium | None]:
    """The equilibrium solved anew wherever rates change (Section 8.1): for each row of factors, one a type, on the
    types' rates; None where the rates are beyond what the engine can hold."""
    found: list[Equilibrium | None] = []
    for row in factors:
        if len(row) != len(types):
            raise InputError(f"a row of factors needs one for each of the {len(types)} types, not {len(row)}")
        now = [RequestType(t.rate * f, t.prompt, t.output) for t, f in zip(types, row, strict=True)]
        try:
            found.append(equilibrium(now, law))
        except InputError:
            found.append(None)
    return found
