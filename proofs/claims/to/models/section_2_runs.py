"""Section 2 on the chain: what overload, irreducibility and the limits K_p and K_d do, state by state."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome

from .algorithms import BOUND, SMALL, loaded, oldest, servable, states
from .chain import Law, State, by_2_3, drift, mean_tokens, run, sketched, tokens, transitions
from .schedulers import idles_unless_full, infeasible, k_fcfs, orca, sarathi

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
    return shown(not new and mean_tokens(THREE_QUARTERS) > STEEP.rate, {
        "(2.3)": "c = 1, a = 1, b_0 = 2: t_1 = t_2 = 1, t_3 = 2, t_4 = 3", "b": 4,
        "scheduler": "Sarathi-Serve, (4, 4)-FCFS",
        "arrivals": "one request with v_p = v_d = 1 with probability 3/4 in each slot",
        "lambda (m_p + m_d)": mean_tokens(THREE_QUARTERS), "b/t_b": STEEP.rate,
        "states reached from the empty one": sorted(seen), "max |X(n)|": max(map(tokens, seen))}, METHOD)


def irreducible_run() -> Outcome:
    """Work-conserving by (2.6), and never empty again: idle unless the batch is full.  A state without arrivals that
    comes again at once stays."""
    start: State = (0, ((0, 1),))
    path = list(run(by_2_3(3, 1, 0, 1), idles_unless_full, start, [()] * 5))
    return shown(all(s == start for s in path), {
        "scheduler": "decode first, mixed, and idle unless the batch is full: work-conserving by (2.6)", "b": 3, "t": 1,
        "a_n": "0 for ever", "X(n)": f"{start} for every n"}, METHOD)


EMPTIES = "with no arrivals a scheduler that loads min{b, sum_i p_i + 1(p_i = 0)} tokens empties the system"


@every(f"{SMALL}; Orca and Sarathi-Serve; budgets 1 to 3 with t_b from 1 to 4", METHOD)
def empties_run() -> Iterator[Case]:
    for engine in (by_2_3(1, 1, 0, 1), by_2_3(2, 1, 1, 1), by_2_3(3, 2, 1, 1)):
        for scheduler, requests in product((sarathi, orca), states()):
            present = tuple(requests)
            horizon = engine.times[-1] * sum(p + d for p, d in present) + 1
            left = list(run(engine, scheduler, (0, present), [()] * horizon))[-1][1]
            yield {"X": present, "times": engine.times, "left": left} if left else None


EVERY_K = "for all K_p, K_d >= 1 there are (K_p, K_d)-FCFS schedulers that are work-conserving (2.6)"


def any_k_run() -> Outcome:
    """Every batch that keeps to the K_p = K_d = 1 oldest requests, in a state where two can be served."""
    state, b = ((0, 2), (0, 2)), 2
    allowed = [batch for batch in product([(0, 0), (0, 1)], repeat=2) if oldest(1, 1, list(state), list(batch), b)]
    most = max(sum(loaded(list(batch))) for batch in allowed)
    return shown(servable(list(state)) >= b > most, {
        "(K_p, K_d)": "(1, 1)", "b": b, "(p_i, d_i)": list(state), "batches allowed": allowed,
        "trace": "one decode token a batch where two requests decode: the rate of decoding is 1/t_1, not b/t_b"},
        "every batch of a state")


LARGE_K = "for K_p, K_d >= b a (K_p, K_d)-FCFS scheduler, decode tokens first, loads min{b, sum_i p_i + 1(p_i = 0)}"


@every(BOUND + ", K_p and K_d in {b, b + 1}", METHOD)
def large_k_run() -> Iterator[Case]:
    for b in (1, 2, 3, 4):
        for k_p, k_d in product((b, b + 1), repeat=2):
            for state in states():
                batch = k_fcfs(state, b, k_p=k_p, k_d=k_d)
                yield None if sum(loaded(batch)) == min(b, servable(state)) else {
                    "(p_i, d_i)": state, "b": b, "(K_p, K_d)": (k_p, k_d), "batch": batch}


MARKOV = "P(X(n+1) = y | X(n) = x, X(n-1) = w) = P(X(n+1) = y | X(n) = x)"


@every("up to 2 requests with p_i <= 3 and 1 <= d_i <= 2 at the start, three schedulers, two engines, one law of "
       "arrivals", METHOD)
def markov_run() -> Iterator[Case]:
    """Both sides from the joint law of two slots' arrivals."""
    law: Law = ((Fraction(1, 4), ()), (Fraction(1, 2), ((1, 2),)), (Fraction(1, 4), ((2, 1), (1, 1))))
    for engine, scheduler in product((by_2_3(2, 1, 0, 1), by_2_3(3, 1, 1, 2)), (sarathi, orca, idles_unless_full)):
        for requests in states():
            if len(requests) > 2:
                continue
            start: State = (0, tuple((p, d) for p, d in requests))
            joint: dict[tuple[State, State], Fraction] = {}
            for (w1, a1), (w2, a2) in product(law, law):
                _, first, second = run(engine, scheduler, start, [a1, a2])
                joint[first, second] = joint.get((first, second), Fraction(0)) + w1 * w2
            for (first, second), weight in joint.items():
                past = sum((w for (x, _), w in joint.items() if x == first), Fraction(0))
                good = weight / past == transitions(engine, scheduler, law, first)[second]
                yield None if good else {"w": start, "x": first, "y": second}


RULES = "every feasible batch of b tokens gives sum_i (P_i + D_i) + R b/t_b the drift lambda (m_p + m_d) - b/t_b"


@every(f"{SMALL}, b = 3, t = 1, 1, 2", METHOD)
def rules_run() -> Iterator[Case]:
    engine = by_2_3(3, 1, 1, 2)
    law: Law = ((Fraction(1, 2), ()), (Fraction(1, 2), ((1, 1),)))
    due = mean_tokens(law) - engine.rate
    for state in states():
        choices = [[(dp, 0) for dp in range(p + 1)] if p else [(0, 0), (0, 1)] for p, _ in state]
        for batch in product(*choices):
            if sum(map(sum, batch)) != engine.b or infeasible(state, list(batch), engine.b):
                continue
            found = drift(engine, lambda *_, now=batch: list(now), law, sketched(engine), (0, tuple(state)))
            yield None if found == due else {"X": state, "batch": batch, "drift": found}
