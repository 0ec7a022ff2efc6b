"""The schedulers of Sections 2.3 and 3 as claims, on every small state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations, product

from qtheory.proofs.claims.cases import Case, Run, every
from qtheory.proofs.claims.replay import LINES

from .schedulers import (
    Batch,
    Scheduler,
    State,
    faster_transformer,
    infeasible,
    orca,
    sarathi,
    vllm,
)

Property = Callable[[State, Batch, int], bool]  # of a state, the batch formed in it, and the budget
SMALL = "up to 3 requests with p_i <= 3 and 1 <= d_i <= 2"
BOUND = f"{SMALL}, budgets 1 to 4"


def states() -> Iterator[State]:
    for count in range(1, 4):
        yield from product(product(range(4), (1, 2)), repeat=count)


def loaded(batch: Batch) -> tuple[int, int]:
    return sum(p for p, _ in batch), sum(d for _, d in batch)


def servable(state: State) -> int:
    """The left side of (2.6)'s condition: sum over i of p_i + 1(p_i = 0)."""
    return sum(p or 1 for p, _ in state)


def failures(scheduler: Scheduler, holds: Property, size: int | None = None) -> Iterator[Case]:
    """From every small state (of ``size`` requests): is the batch feasible and as it should be?"""
    for b in (1, 2, 3, 4):
        for state in (s for s in states() if size in (None, len(s))):
            batch = scheduler(state, b)
            why = infeasible(state, batch, b) or ("" if holds(state, batch, b) else "not as stated")
            yield {"(p_i, d_i)": list(state), "b": b, "batch": batch, "trace": why} if why else None


def on_every_state(scheduler: Scheduler, holds: Property) -> Run:
    @every(BOUND, LINES)
    def run() -> Iterator[Case]:
        return failures(scheduler, holds)

    return run


def decode_first(state: State, batch: Batch, b: int) -> bool:
    p, d = loaded(batch)
    waiting = sum(p == 0 for p, _ in state)
    return d == min(b, waiting) and (p == 0 if d else p == min(b, sum(p for p, _ in state)))


def prefill_first(state: State, batch: Batch, b: int) -> bool:
    p, d = loaded(batch)
    tokens = sum(p for p, _ in state)
    return p == min(b, tokens) and (d == 0 if p else d == min(b, len(state)))


def conserving(state: State, batch: Batch, b: int) -> bool:
    """(2.6), and no less than what there is where that is below b."""
    return sum(loaded(batch)) == min(b, servable(state))


def orca_mixes(state: State, batch: Batch, b: int) -> bool:
    return conserving(state, batch, b) and loaded(batch)[0] == min(b, sum(p for p, _ in state))


def sarathi_mixes(state: State, batch: Batch, b: int) -> bool:
    return conserving(state, batch, b) and loaded(batch)[1] == min(b, sum(p == 0 for p, _ in state))


def in_order(state: State, batch: Batch) -> bool:
    """No prefill token of a request is loaded that leaves one of an older request out."""
    left_out = [(p > dp, dp > 0) for (p, _), (dp, _) in zip(state, batch, strict=True)]
    return not any(older and later for i, (older, _) in enumerate(left_out) for _, later in left_out[i + 1:])


def oldest(k_p: int, k_d: int, state: State, batch: Batch, b: int) -> bool:
    prefills = [i for i, (p, _) in enumerate(state) if p > 0]
    decodes = [i for i, (p, _) in enumerate(state) if p == 0]
    return ({i for i, (p, _) in enumerate(batch) if p} <= set(prefills[:k_p])
            and {i for i, (_, d) in enumerate(batch) if d} <= set(decodes[:k_d]))


def in_turn(state: State, b: int, turns: Sequence[int], k_p: int, k_d: int) -> Batch:
    """Of the K_f oldest requests of each phase, in turn, as many tokens as there is room for."""
    old = {i for p in (True, False) for i in [i for i, r in enumerate(state) if (r[0] > 0) == p][: k_p if p else k_d]}
    batch, room = [(0, 0)] * len(state), b
    for i in (i for i in turns if i in old):
        p = state[i][0]
        batch[i] = (min(p, room), 0) if p else (0, min(1, room))
        room -= sum(batch[i])
    return batch


@every(BOUND + ", K_p and K_d in {1, 2, 3}, every order of the requests", LINES)
def k_fcfs_run() -> Iterator[Case]:
    for k_p, k_d, size in product((1, 2, 3), repeat=3):
        for turns in permutations(range(size)):
            rule = partial(in_turn, turns=turns, k_p=k_p, k_d=k_d)
            yield from failures(rule, partial(oldest, k_p, k_d), size)


# ---- Appendix B ----

@every(f"{SMALL}, b in {{2, 3, 4}}, every feasible batch", LINES)
def partial_run() -> Iterator[Case]:
    for b in (2, 3, 4):
        for state in states():
            if servable(state) >= b:
                continue
            choices = [[(dp, dd) for dp in range(p + 1) for dd in (0, 1) if not (p and dd)] for p, _ in state]
            for batch in product(*choices):
                if sum(map(sum, batch)) == servable(state):
                    good = all(dp == p if p else dd == 1 for (p, _), (dp, dd) in zip(state, batch, strict=True))
                    yield None if good else {"(p_i, d_i)": state, "b": b, "batch": batch}


# ---- what the paper says of its schedulers ----

def alone(state: State, batch: Batch, b: int) -> bool:
    """No batch mixes, and it is as large as it can be of its kind."""
    p, d = loaded(batch)
    return prefill_first(state, batch, b) and (p == 0 or d == 0)


def suffers(state: State, batch: Batch, b: int) -> bool:
    """Decode-first, and below what it could load wherever some requests decode, fewer than b, and others prefill."""
    deciding = sum(p == 0 for p, _ in state)
    short = 0 < deciding < min(b, len(state))
    return decode_first(state, batch, b) and (not short or sum(loaded(batch)) < min(b, servable(state)))


FASTER_TRANSFORMER = on_every_state(faster_transformer, decode_first)
VLLM = on_every_state(vllm, prefill_first)
ORCA = on_every_state(orca, orca_mixes)
SARATHI = on_every_state(sarathi, sarathi_mixes)
SARATHI_IN_ORDER = on_every_state(sarathi, lambda s, batch, b: sarathi_mixes(s, batch, b) and in_order(s, batch))
ORCA_CONSERVES = on_every_state(orca, conserving)
SARATHI_CONSERVES = on_every_state(sarathi, conserving)


@every(BOUND, LINES)
def orca_and_vllm_run() -> Iterator[Case]:
    """Batch by batch, and that some batch of Orca's mixes."""
    mixed = 0
    for b, state in product((1, 2, 3, 4), states()):
        its, other = orca(state, b), vllm(state, b)
        mixed += min(loaded(its)) > 0
        yield None if conserving(state, its, b) and alone(state, other, b) else {
            "(p_i, d_i)": state, "b": b, "Orca's batch": its, "vLLM's batch": other}
    yield None if mixed else {"Orca's batches": "never mixed"}


FASTER_TRANSFORMER_SUFFERS = on_every_state(faster_transformer, suffers)
