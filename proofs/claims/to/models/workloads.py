"""Small workloads on which the printed schedulers do what the text says of Figure 5."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from qtheory.proofs.claims.cases import Run
from qtheory.proofs.claims.outcomes import Holds, Outcome, Undecided

from .algorithms import loaded, servable, states
from .chain import by_2_3, run
from .schedulers import Batch, Scheduler, State, faster_transformer, vllm

METHOD = "the scheduler's lines, replayed"


def batches(scheduler: Scheduler, start: State, b: int, count: int) -> list[tuple[State, Batch]]:
    """The first batches from these requests, and the states in which they are formed."""
    path = list(run(by_2_3(b, 1, 0, 1), scheduler, (0, tuple(start)), [()] * count))
    return [(requests, scheduler(requests, b)) for _, requests in path[:count]]


def workload(scheduler: Scheduler, places: tuple[int, ...], why: Callable[[State, Batch, int], bool]) -> Run:
    """Is there a workload of whose first batches exactly those at these places break (2.6), for this reason?"""

    def run() -> Outcome:
        for b, start in product((2, 3, 4, 5), [*states(), *product(product(range(4), (3,)), repeat=2)]):
            steps = batches(scheduler, start, b, max(places))
            broken = {n for n, (state, batch) in enumerate(steps, start=1)
                      if servable(state) >= b > sum(loaded(batch))}
            if broken == set(places) and all(why(*steps[n - 1], b) for n in places):
                return Holds(1, f"one workload is enough: {list(start)} at b = {b}", METHOD,
                             {"batches": str([b for _, b in steps])})
        return Undecided("no small workload is one")

    return run


def decodes_wait(state: State, batch: Batch, b: int) -> bool:
    """Fewer prefill tokens than b are loaded, and decode tokens of others are left out."""
    return 0 < loaded(batch)[0] < b and any(p == 0 for p, _ in state) and loaded(batch)[1] == 0


def prefills_blocked(state: State, batch: Batch, b: int) -> bool:
    """Decode tokens alone, fewer than b, and prefill tokens of others are left out."""
    return 0 < loaded(batch)[1] < b and any(p > 0 for p, _ in state) and loaded(batch)[0] == 0


VLLM_SECOND_BATCH = workload(vllm, (2,), decodes_wait)
FASTER_TRANSFORMER_LATER_BATCHES = workload(faster_transformer, (2, 3, 4), prefills_blocked)
