"""WAIT and Nested WAIT as claims: the printed lines, run on small streams of arrivals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome
from qtheory.proofs.claims.replay import LINES

from .inventories import Arrivals, Trace, nested, promptwise, wait

METHOD = "the printed lines, replayed"
# No two events at one time, as with Poisson arrivals: batches of one unit end at these fractions of a unit too.
TIMES = tuple(Fraction(k, 10) for k in (0, 3, 9, 17, 26))
ARRIVALS = "up to 4 arrivals at 0, 0.3, 0.9, 1.7 and 2.6, batches of one unit of time"


def streams(types: int, most: int) -> list[Arrivals]:
    return [tuple(zip(times, kinds, strict=True)) for count in range(1, most + 1)
            for times in combinations(TIMES, count)
            for kinds in product(range(1, types + 1), repeat=count)]


def counted(trace: Trace) -> list[tuple[Fraction, dict[tuple[int, int], int]]]:
    return [(t, {place: c for place, c in batch.items() if c}) for t, batch in trace.batches]


# ---- Algorithm 1 ----

@every(f"{ARRIVALS}, l' in {{(0), (2), (1, 2)}}, n_1 in {{1, 2}}, n_2 = 1", LINES)
def wait_run() -> Iterator[Case]:
    for ends, thresholds in product(((0,), (2,), (1, 2)), ((1, 1), (2, 1))):
        n = thresholds[: len(ends)]
        for arrivals in streams(len(ends), 4):
            trace = wait(ends, n, arrivals, alone=True)
            batches, completed = promptwise(ends, n, arrivals, segments=False)
            lost = len(arrivals) != completed + sum(trace.left.values())
            crowded = any(c > n[j - 1] for (j, k), c in trace.most.items() if k > 0)
            bad = counted(trace) != batches or trace.completed != completed or lost or crowded or trace.overlap > 1
            yield {"l'": ends, "n": n, "arrivals": arrivals, "trace": trace} if bad else None


# ---- Algorithm 2 ----

def nested_run() -> Outcome:
    """l' = (2, 3), n = (1, 1), six prompts of type 2: none ever leaves the first stage of segment 2."""
    arrivals = tuple((Fraction(t), 2) for t in range(6))
    trace = nested((2, 3), (1, 1), arrivals)
    _, completed = promptwise((2, 3), (1, 1), arrivals, segments=True)
    stuck = trace.completed < completed and all(i < 2 for _, b in trace.batches for i, _ in b)
    return shown(stuck, {"m": 2, "l'": "(2, 3)", "n": "(1, 1)", "arrivals": "type 2 at 0, 1, ..., 5",
                         "completed by the text of Section 5.1": completed, "trace": trace}, METHOD)


@every(f"two types, {ARRIVALS}, l' in {{(1, 2), (1, 3), (2, 3)}}, thresholds 1 and 2", LINES)
def nested_corrected_run() -> Iterator[Case]:
    for ends, n in product(((1, 2), (1, 3), (2, 3)), ((1, 1), (2, 1), (1, 2), (2, 2))):
        entry = {0, ends[0] + 1}
        for arrivals in streams(2, 4):
            trace = nested(ends, n, arrivals, first=True)
            batches, completed = promptwise(ends, n, arrivals, segments=True)
            lost = len(arrivals) != completed + sum(trace.left.values())
            crowded = any(c > n[i - 1] for (i, k), c in trace.most.items() if k not in entry)
            bad = counted(trace) != batches or trace.completed != completed or lost or crowded
            yield {"l'": ends, "n": n, "arrivals": arrivals, "trace": trace} if bad else None
