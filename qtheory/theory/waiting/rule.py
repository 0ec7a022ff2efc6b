"""Thresholds with a guarantee: for rates, lengths, a law of iteration times and a memory.

*Lengths known* (WAIT). A type's stages never hold more than its threshold, and only a batch adds tokens: at the least
thresholds the memory of a full batch is never exceeded, with probability 1.

*Lengths unknown* (Nested WAIT). The thresholds are the least ones of the system (10) or (14) with its right sides times
1 + slack, over numbers of segments and slacks; of those that are best by an estimate the need is computed, by
`requirement.requirement` over the batches that can begin within the horizon. More slack makes larger batches and
shorter queues. The answer is a guarantee, and no claim that no smaller memory would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.theory.waiting.measured import Measured
from qtheory.theory.waiting.requests import Law, RequestType, exact
from qtheory.theory.waiting.requirement import Parts, Requirement, most_batches, printed, requirement
from qtheory.theory.waiting.segments import Segments, segments
from qtheory.theory.waiting.thresholds import System, cheapest, nested_system, wait_system

SLACKS = tuple(Fraction(s, 100) for s in (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50))
EXACT = 4  # of the candidates, those best by the estimate whose need is computed
COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50)


@dataclass(frozen=True)
class Guarantee:
    """Thresholds n and the tokens that suffice for them; ``risk``: a bound on the probability that more are needed
    within the horizon. For Nested WAIT its segments, and (12) as printed for the same thresholds."""

    thresholds: tuple[int, ...]
    memory: float
    risk: float
    iteration: float
    segments: Segments | None = None
    batches: int = 0
    needed: Requirement | None = None
    printed: Parts | None = None


def wait_rule(types: Sequence[RequestType], law: Law | Measured, memory: float | None = None) -> Guarantee:
    """The least thresholds of WAIT with a shorter batch than its arrivals take (Theorem 1, second part), which need the
    least memory of all; never exceeded. InputError names the conditions that fail together."""
    system = wait_system(types, law.of_types(types) if isinstance(law, Measured) else law, strict=True)
    n = cheapest(system, memory)
    return Guarantee(n, float(system.memory(n)), 0.0, _iteration(system, n))


def nested_rule(types: Sequence[RequestType], law: Law | Measured, horizon: float, delta: float,
                memory: float | None = None, counts: Iterable[int] | None = None,
                slacks: Iterable[Fraction] = SLACKS) -> Guarantee:
    """Thresholds of Nested WAIT whose memory is exceeded within ``horizon`` seconds with probability delta at most.

    ``counts``: the numbers of segments to try. InputError where none has thresholds, or where the least memory found is
    above ``memory`` (tokens).
    """
    if not 0 < delta < 1:
        raise InputError(f"delta must be above 0 and below 1, not {delta:g}")
    lengths = len({t.output for t in types if t.rate})
    tried = sorted({c for c in (COUNTS if counts is None else counts) if 1 <= c <= lengths} or {lengths})
    slacks, candidates = tuple(slacks), list[tuple[float, Segments, Law, tuple[int, ...]]]()
    for count in tried:
        parts = segments(types, count)
        by_memory = law.of_segments(parts) if isinstance(law, Measured) else law
        candidates += _candidates(parts, by_memory, horizon, delta, slacks)
    if not candidates:
        cheapest(nested_system(parts, by_memory))
        raise InputError("no thresholds are admissible with these slacks")
    candidates.sort(key=lambda c: c[0])
    best = min((_guarantee(*candidate[1:], horizon, delta) for candidate in candidates[:EXACT]),
               key=lambda g: g.memory)
    if memory is not None and best.memory > exact(memory, "the memory"):
        raise InputError(f"no thresholds with this guarantee are found within {float(memory):.6g} tokens; the least "
                         f"memory found is {best.memory:.6g}, with {len(best.thresholds)} segments")
    return best


def _candidates(parts: Segments, law: Law, horizon: float, delta: float, slacks: Iterable[Fraction]
                ) -> Iterator[tuple[float, Segments, Law, tuple[int, ...]]]:
    """Least thresholds at each slack, with (12) less the n_k that it counts twice: an estimate of what they need."""
    seen = set()
    for slack in slacks:
        n = nested_system(parts, law, slack).least()
        if n is not None and n not in seen:
            seen.add(n)
            batches, late = most_batches(parts, law, n, horizon, delta / 10)
            bound = printed(parts, n, batches, delta - late)
            yield bound.batch + bound.reserve, parts, law, n


def _guarantee(parts: Segments, law: Law, n: tuple[int, ...], horizon: float, delta: float) -> Guarantee:
    batches, late = most_batches(parts, law, n, horizon, delta / 10)
    if len(n) == 1:  # all requests move on together, and none waits after its prefill
        late = 0.0
    needed = requirement(parts, n, batches, delta - late)
    return Guarantee(n, needed.total, needed.risk + late, _iteration(nested_system(parts, law), n), parts, batches,
                     needed, printed(parts, n, batches, delta))


def _iteration(system: System, n: Sequence[int]) -> float:
    time = system.iteration(n)
    assert time is not None
    return float(time)


def at_all_times(parts: Sequence[Segments]) -> Segments:
    """Segments that dominate those of several times, of the same ends: the largest rate, and of the shares that pass on
    the largest ones. Thresholds of its system meet (13) at rates that vary among these."""
    if len({(s.prompt, s.ends) for s in parts}) != 1:
        raise InputError("segments of all times need the same prompt length and the same ends")
    return Segments(max(s.rate for s in parts), parts[0].prompt, parts[0].ends,
                    tuple(max(p) for p in zip(*(s.passes for s in parts), strict=True)))
