"""RAD's cycles in slots: the laws of what is pending at their starts, exactly, and what a cycle depends on.

A batch takes a slot, and in each slot a request arrives with chance ARRIVES, with an output of 1 or 2 tokens; prompts
are one chunk. The lines are those of Algorithm 1, line 13 corrected, run from the start of a cycle to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from qtheory.proofs.claims.cases import Case, every
from qtheory.proofs.claims.replay import LINES, Gpu, Iteration, Request, at, inputs

from .schedulers import rad

CAP, T_COL = 2, 2  # n and t*_col
ARRIVES, OUTPUTS = Fraction(1, 2), {1: Fraction(1, 3), 2: Fraction(2, 3)}
FIRST = {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 4), 3: Fraction(1, 4)}  # a law of X[1]
METHOD = "the joint law of the sets pending at the starts of cycles, in fractions"
BOUND = "n = t_col = 2, an arrival in a slot with chance 1/2, outputs of 1 and 2 tokens with chances 1/3 and 2/3"
Outputs = tuple[int, ...]  # of the pending requests, oldest first
Told = tuple[Any, ...]  # some of X[1], the set X[2], X[3] and X[2]
SLOT: tuple[tuple[Outputs, Fraction], ...] = (
    ((), 1 - ARRIVES), *(((d,), ARRIVES*chance) for d, chance in OUTPUTS.items()))


def chance(outputs: Outputs) -> Fraction:
    """Of these lengths."""
    total = Fraction(1)
    for d in outputs:
        total *= OUTPUTS[d]
    return total


@cache
def next_law(pending: Outputs) -> Mapping[Outputs, Fraction]:
    """The law of what is pending at the start of the next cycle. An empty node waits for a request."""
    law: dict[Outputs, Fraction] = defaultdict(Fraction)
    if pending:
        _cycle(pending, (), 0, Fraction(1), law)
    else:
        for d, p in OUTPUTS.items():
            _cycle((d,), (), 0, p, law)
    return law


def _cycle(waiting: Outputs, decoding: Outputs, begun: int, weight: Fraction, law: dict[Outputs, Fraction]) -> None:
    """Lines 6 to 18, a batch at a time, ``decoding``: the decode iterations left; what arrives in it, by its chance."""
    ends = False
    if len(decoding) == T_COL or not waiting or begun == CAP:
        decoding = tuple(d - 1 for d in decoding if d > 1)
        ends = not decoding
    else:
        waiting, decoding, begun = waiting[1:], (*decoding, waiting[0]), begun + 1
    for come, p in SLOT:
        if ends:
            law[waiting + come] += weight*p
        else:
            _cycle(waiting + come, decoding, begun, weight*p, law)


@cache
def joint() -> Mapping[tuple[int, Outputs, int], Fraction]:
    """The joint law of X[1], the set X[2], and X[3]."""
    law: dict[tuple[int, Outputs, int], Fraction] = defaultdict(Fraction)
    for x, p in FIRST.items():
        for outputs in product(OUTPUTS, repeat=x):
            for middle, q in next_law(outputs).items():
                for last, then in next_law(middle).items():
                    law[x, middle, len(last)] += p*chance(outputs)*q*then
    return law


def conditioned(event: list[int], on: list[int]) -> dict[Told, dict[Told, Fraction]]:
    """The law of some of (X[1], set X[2], X[3], X[2]) given others of them, by place."""
    found: dict[Told, dict[Told, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (x, middle, last), p in joint().items():
        told = x, middle, last, len(middle)
        found[tuple(told[i] for i in on)][tuple(told[i] for i in event)] += p
    return {given: {e: p/sum(law.values()) for e, p in law.items()} for given, law in found.items()}


def _equal(event: list[int], on: list[int], more: list[int], names: str) -> Iterator[Case]:
    """The law of the event given ``on`` is that given ``more`` besides, wherever that has a chance."""
    plain = conditioned(event, on)
    for given, law in conditioned(event, on + more).items():
        yield None if law == plain[given[:len(on)]] else {names: given, "law": dict(law)}


@every(BOUND, METHOD)
def markov_run() -> Iterator[Case]:
    """Of X[3] given X[2], and given X[1] too."""
    yield from _equal([2], [3], [0], "X[2], X[1]")


@every(BOUND, METHOD)
def lengths_run() -> Iterator[Case]:
    """Of the set X[2] given its number, and given X[1] too."""
    yield from _equal([1], [3], [0], "X[2], X[1]")


@every(BOUND, METHOD)
def given_the_set_run() -> Iterator[Case]:
    """Of X[3] given the set X[2], and given X[1] too."""
    yield from _equal([2], [1], [0], "the set X[2], X[1]")


def _products(law: Mapping[Outputs, Fraction], number: int) -> bool:
    return law == {s: chance(s) for s in product(OUTPUTS, repeat=number)}


@every(BOUND, METHOD)
def product_run() -> Iterator[Case]:
    """Of the set X[2] given its number, and of the set X[3] given its number."""
    for (x,), law in conditioned([1], [3]).items():
        yield None if _products({s: p for (s,), p in law.items()}, x) else {"X[2]": x}
    third: dict[int, dict[Outputs, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (_, middle), p in _pairs().items():
        for last, then in next_law(middle).items():
            third[len(last)][last] += p*then
    for x, sets in third.items():
        yield None if _products({s: p/sum(sets.values()) for s, p in sets.items()}, x) else {"X[3]": x}


@every(BOUND, METHOD)
def product_given_run() -> Iterator[Case]:
    """The same, given X[1] too, or X[2] too."""
    for (x, z), law in conditioned([1], [3, 0]).items():
        yield None if _products({s: p for (s,), p in law.items()}, x) else {"X[2], X[1]": (x, z)}
    third: dict[tuple[int, int], dict[Outputs, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (_, middle), p in _pairs().items():
        for last, then in next_law(middle).items():
            third[len(last), len(middle)][last] += p*then
    for (x, y), sets in third.items():
        yield None if _products({s: p/sum(sets.values()) for s, p in sets.items()}, x) else {"X[3], X[2]": (x, y)}


@cache
def _pairs() -> Mapping[tuple[int, Outputs], Fraction]:
    """The joint law of X[1] and the set X[2]."""
    law: dict[tuple[int, Outputs], Fraction] = defaultdict(Fraction)
    for (x, middle, _), p in joint().items():
        law[x, middle] += p
    return law


# ---- runs of the lines ----

INPUTS = {"prompts": (1,), "outputs": (1, 2), "arrivals": (0, 1, 2, 4)}
RUNS = "up to 4 requests, L^P = 1, L^D in {1, 2}, arrivals at 0, 1, 2 and 4, n in {2, 3}, t_col in {1, 2}"


class Timed(Gpu):
    """With the times at which the batches begin, and those at which cycles do: when a batch of decode iterations has
    left no active request."""

    def __init__(self, requests: list[Request]) -> None:
        super().__init__(requests)
        self.requests, self.times, self.starts = list(requests), list[int](), list[int]()

    def before(self, time: int) -> list[tuple[str, ...]]:
        """The batches that begin before the time."""
        return [b for b, t in zip(self.batches, self.times, strict=True) if t < time]

    def schedule(self, *batch: Iteration) -> None:
        self.times.append(self.clock)
        super().schedule(*batch)
        if not any(r.prefilled and not r.stopped for r in self.requests):
            self.starts.append(self.clock)


def fresh(requests: list[Request], before: int | None = None, since: int = 0) -> list[Request]:
    """The requests anew, those that arrive until then, a time ``since`` earlier."""
    return [Request(r.name, r.prompt, r.output, max(0, r.arrival - since)) for r in requests
            if before is None or r.arrival <= before]


def run(requests: list[Request], n: int, t_col: int) -> Timed:
    gpu = Timed(requests)
    rad(gpu, n, t_col, 1, count=1)
    return gpu


def runs() -> Iterator[tuple[list[Request], int, int, Timed]]:
    for n, t_col in product((2, 3), (1, 2)):
        for requests in inputs(**INPUTS, most=4):
            yield requests, n, t_col, run(fresh(requests), n, t_col)


@every(RUNS, LINES)
def memoryless_run() -> Iterator[Case]:
    """From each start of a cycle on, against a run that begins with what is pending there."""
    for requests, n, t_col, gpu in runs():
        for start in gpu.starts:
            done = [m for m, t in enumerate(gpu.times) if t < start]
            served = {name for m in done for i in gpu.batches[m] for name in [i[3:-1].partition(",")[0]]}
            later = fresh([r for r in requests if r.name not in served], since=start)
            same = run(later, n, t_col).batches == gpu.batches[len(done):]
            yield None if same else at(requests, f"from {start} on: {gpu.batches}", n=n, t_col=t_col)


@every(RUNS, LINES)
def causal_run() -> Iterator[Case]:
    """Against a run without those that arrive after the start of the cycle."""
    for requests, n, t_col, gpu in runs():
        for start in gpu.starts:
            known = run(fresh(requests, before=start), n, t_col)
            same = start in known.starts and known.before(start) == gpu.before(start)
            yield None if same else at(requests, f"a cycle from {start} on: {gpu.batches}", n=n, t_col=t_col)


# ---- what a cycle serves ----

@dataclass(frozen=True)
class Cycle:
    """A cycle of a run: its start, the time of its first batch, its end, those pending at its start, those that it
    completes, and its batches."""

    start: int
    first: int
    end: int
    pending: list[str]
    served: list[str]
    batches: list[tuple[str, ...]]


def cycles(requests: list[Request], gpu: Timed) -> Iterator[Cycle]:
    """One after the other; the last one ends with the run."""
    start, done = 0, set[str]()
    for end in gpu.starts:
        batches = [b for b, t in zip(gpu.batches, gpu.times, strict=True) if start <= t < end]
        served = [i[3:i.index(",")] for b in batches for i in b if i.startswith("PI")]  # prompts are one chunk
        pending = [r.name for r in requests if r.arrival <= start and r.name not in done]
        yield Cycle(start, next(t for t in gpu.times if t >= start), end, pending, served, batches)
        done |= {*served}
        start = end


@every(RUNS, LINES)
def completed_run() -> Iterator[Case]:
    """Of n pending requests or more a cycle takes the first; fewer than n where it has full batches alone."""
    for requests, n, t_col, gpu in runs():
        for cycle in cycles(requests, gpu):
            if len(cycle.pending) >= n:
                k = len(cycle.served)
                full = all(len(b) == t_col for b in cycle.batches if b[0].startswith("DI"))
                right = k <= n and cycle.served == cycle.pending[:k] and (k == n or full)
                yield None if right else at(requests, str(cycle), n=n, t_col=t_col)


@every(RUNS, LINES)
def duration_run() -> Iterator[Case]:
    """Against a run in which nothing arrives after the start of the cycle."""
    for requests, n, t_col, gpu in runs():
        for cycle in cycles(requests, gpu):
            if len(cycle.pending) >= n:
                alone = run(fresh(requests, before=cycle.start), n, t_col)
                yield None if cycle.end in alone.starts and not any(
                    cycle.start < t < cycle.end for t in alone.starts) else at(requests, str(cycle), n=n, t_col=t_col)


@every(RUNS, LINES)
def at_most_n_run() -> Iterator[Case]:
    """And its batches follow one another; it waits at its start only, and only where nothing is pending."""
    for requests, n, t_col, gpu in runs():
        for cycle in cycles(requests, gpu):
            right = (1 <= len(cycle.served) <= n and cycle.end - cycle.first == len(cycle.batches)
                     and (cycle.first == cycle.start or not cycle.pending))
            yield None if right else at(requests, str(cycle), n=n, t_col=t_col)


@every(RUNS, LINES)
def starts_run() -> Iterator[Case]:
    """Whenever all that have come by a time between batches are completed."""
    for requests, n, t_col, gpu in runs():
        ends = {r.name: max(t + 1 for b, t in zip(gpu.batches, gpu.times, strict=True) if f"DI({r})" in b)
                for r in requests}
        for t in sorted({*ends.values()}):
            if all(ends[r.name] <= t for r in requests if r.arrival <= t):
                yield None if t in gpu.starts else at(requests, f"empty at {t}: {gpu.batches}", n=n, t_col=t_col)


@every(RUNS, LINES)
def regenerates_run() -> Iterator[Case]:
    """From each time at which nothing is pending, against a run that begins with what comes later."""
    for requests, n, t_col, gpu in runs():
        for cycle in cycles(requests, gpu):
            if not cycle.pending:
                later = [r for r in requests if r.arrival > cycle.start]
                again = run(fresh(later, since=cycle.start), n, t_col)
                done, moved = len(gpu.before(cycle.start)), [t + cycle.start for t in again.times]
                same = again.batches == gpu.batches[done:] and moved == gpu.times[done:]
                yield None if same else at(requests, f"empty at {cycle.start}: {gpu.batches}", n=n, t_col=t_col)
