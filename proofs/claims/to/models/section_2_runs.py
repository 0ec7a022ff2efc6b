"""Section 2 on the chain: histories, departures, overload, irreducibility and the limits K_p and K_d."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import prod

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome

from .algorithms import BOUND, SMALL, loaded, servable, states
from .chain import Law, State, by_2_3, mean_tokens, run, tokens, transitions
from .schedulers import idles_unless_full, k_fcfs, orca, sarathi

METHOD = "the chain's lines, enumerated"
STEEP = by_2_3(4, 1, 1, 2)  # t_1 = t_2 = 1, t_4 = 3: b/t_b = 4/3, and 2/t_2 = 2
THREE_QUARTERS: Law = ((Fraction(1, 4), ()), (Fraction(3, 4), ((1, 1),)))


def overload_run() -> Outcome:
    """The states that Sarathi-Serve reaches from the empty system are few, with at most three tokens."""
    scheduler = partial(k_fcfs, k_p=4, k_d=4)  # decode tokens first, then prefill tokens
    seen: set[State] = set()
    new: list[State] = [(0, ())]
    while new and len(seen) < 100:
        state = new.pop()
        seen.add(state)
        new += [s for s in transitions(STEEP, scheduler, THREE_QUARTERS, state) if s not in seen]
    return found(shown(not new and mean_tokens(THREE_QUARTERS) > STEEP.rate, {
        "(2.3)": "c = 1, a = 1, b_0 = 2: t_1 = t_2 = 1, t_3 = 2, t_4 = 3", "b": 4,
        "scheduler": "Sarathi-Serve, (4, 4)-FCFS",
        "arrivals": "one request with v_p = v_d = 1 with probability 3/4 in each slot",
        "lambda (m_p + m_d)": mean_tokens(THREE_QUARTERS), "b/t_b": STEEP.rate,
        "states reached from the empty one": sorted(seen), "max |X(n)|": max(map(tokens, seen))}, METHOD))


@every(f"{SMALL}, or none, and R < t_b; Orca and Sarathi-Serve; budgets 1 to 3 with t_b from 1 to 4; one request in a "
       "slot with probability 3/4", METHOD)
def empties_run() -> Iterator[Case]:
    """The path without arrivals ends in the empty state, and each of its steps has a positive probability."""
    for engine in (by_2_3(1, 1, 0, 1), by_2_3(2, 1, 1, 1), by_2_3(3, 2, 1, 1)):
        last = engine.times[-1]
        for scheduler, remaining, requests in product((sarathi, orca), range(last), ((), *states())):
            start: State = (remaining, tuple(requests))
            path = list(run(engine, scheduler, start, [()] * (remaining + last * tokens(start))))
            likely = all(transitions(engine, scheduler, THREE_QUARTERS, x).get(y, 0) > 0 for x, y in pairwise(path))
            yield None if likely and path[-1] == (0, ()) else {"X": start, "times": engine.times, "path": path}


@every(BOUND + ", K_p and K_d in {b, b + 1}", METHOD)
def large_k_run() -> Iterator[Case]:
    for b in (1, 2, 3, 4):
        for k_p, k_d in product((b, b + 1), repeat=2):
            for state in states():
                batch = k_fcfs(state, b, k_p=k_p, k_d=k_d)
                yield None if sum(loaded(batch)) == min(b, servable(state)) else {
                    "(p_i, d_i)": state, "b": b, "(K_p, K_d)": (k_p, k_d), "batch": batch}


@every("up to 2 requests with p_i <= 3 and 1 <= d_i <= 2 at the start, n <= 3, three schedulers, two engines, one law "
       "of arrivals", METHOD)
def markov_run() -> Iterator[Case]:
    """Both sides from the joint law of the arrivals: of each history the chance, and that it goes on to each state."""
    law: Law = ((Fraction(1, 4), ()), (Fraction(1, 2), ((1, 2),)), (Fraction(1, 4), ((2, 1), (1, 1))))
    for engine, scheduler in product((by_2_3(2, 1, 0, 1), by_2_3(3, 1, 1, 2)), (sarathi, orca, idles_unless_full)):
        for requests in states():
            if len(requests) > 2:
                continue
            start: State = (0, tuple((p, d) for p, d in requests))
            chances: dict[tuple[State, ...], Fraction] = {(start,): Fraction(1)}
            for slots in product(law, repeat=3):
                path = tuple(run(engine, scheduler, start, [arrivals for _, arrivals in slots]))
                weight = prod(w for w, _ in slots)
                for n in (2, 3, 4):  # a history of n - 1 slots has so many ends, each counted once
                    chances[path[:n]] = chances.get(path[:n], Fraction(0)) + weight
            for history, chance in chances.items():
                if len(history) > 1:
                    *past, last = history
                    due = transitions(engine, scheduler, law, past[-1])[last]
                    yield None if chance == chances[tuple(past)] * due else {"X(1), ..., X(n)": past, "X(n+1)": last}


def departs_run() -> Outcome:
    """A batch of one token, by line 116 in slots of 0.1 ms: its request is gone before it ends."""
    start: State = (0, ((0, 1),))
    engine = by_2_3(512, 455, 3, 64)
    _, after = run(engine, sarathi, start, [()])
    return shown(after[0] > 0 and not after[1], {
        "X(1)": start, "b": 512, "t_1": engine.times[1], "X(2)": after, "trace": "the last decode token is loaded in "
        "slot 1 and finishes at the end of slot 455; Q_2 is empty, and |X(2)| is 0"}, METHOD)
