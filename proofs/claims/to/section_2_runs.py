"""Section 2 on the chain: what overload, irreducibility and the limits K_p and K_d do, state by state."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

from qtheory.proofs.claims.replay import Verdict, checked

from .algorithms import BOUND, loaded, servable, states
from .chain import Law, State, by_2_3, drift, mean_tokens, run, sketched, tokens, transitions
from .schedulers import idles_unless_full, infeasible, k_fcfs, orca, sarathi

METHOD = "the chain's lines, enumerated"
STEEP = by_2_3(4, 1, 1, 2)  # t_1 = t_2 = 1, t_4 = 3: b/t_b = 4/3, and 2/t_2 = 2
THREE_QUARTERS: Law = ((Fraction(1, 4), ()), (Fraction(3, 4), ((1, 1),)))


def overload_judge() -> Verdict:
    """The states that Sarathi-Serve reaches from the empty system are few, with at most three tokens."""
    scheduler = partial(k_fcfs, k_p=4, k_d=4)  # decode tokens first, then prefill tokens
    seen: set[State] = set()
    new: list[State] = [(0, ())]
    while new and len(seen) < 100:
        state = new.pop()
        seen.add(state)
        new += [s for s in transitions(STEEP, scheduler, THREE_QUARTERS, state) if s not in seen]
    if new or mean_tokens(THREE_QUARTERS) <= STEEP.rate:
        return {"verdict": "unknown", "method": METHOD}
    return {"verdict": "refuted", "method": METHOD, "counterexample": {
        "(2.3)": "c = 1, a = 1, b_0 = 2: t_1 = t_2 = 1, t_3 = 2, t_4 = 3", "b": "4",
        "scheduler": "Sarathi-Serve, (4, 4)-FCFS",
        "arrivals": "one request with v_p = v_d = 1 with probability 3/4 in each slot",
        "lambda (m_p + m_d)": str(mean_tokens(THREE_QUARTERS)), "b/t_b": str(STEEP.rate),
        "states reached from the empty one": str(sorted(seen)), "max |X(n)|": str(max(map(tokens, seen)))}}


def irreducible_judge() -> Verdict:
    """Work-conserving by (2.6), and never empty again: idle unless the batch is full."""
    start: State = (0, ((0, 1),))
    path = list(run(by_2_3(3, 1, 0, 1), idles_unless_full, start, [()] * 5))
    if any(s != start for s in path):
        return {"verdict": "unknown", "method": METHOD}
    return {"verdict": "refuted", "method": METHOD, "counterexample": {
        "scheduler": "decode first, mixed, and idle unless the batch is full: work-conserving by (2.6)", "b": "3",
        "t": "1", "a_n": "0 for ever", "X(n)": f"{start} for every n"}}


EMPTIES = "with no arrivals a scheduler that loads min{b, sum_i p_i + 1(p_i = 0)} tokens empties the system"


def empties_judge() -> Verdict:
    cases = 0
    for engine in (by_2_3(1, 1, 0, 1), by_2_3(2, 1, 1, 1), by_2_3(3, 2, 1, 1)):
        for scheduler, requests in product((sarathi, orca), states()):
            present = tuple(requests)
            horizon = engine.times[-1] * sum(p + d for p, d in present) + 1
            if list(run(engine, scheduler, (0, present), [()] * horizon))[-1][1]:
                return {"verdict": "refuted", "method": METHOD, "statement": EMPTIES,
                        "counterexample": {"X": str(present), "times": str(engine.times)}}
            cases += 1
    return checked(EMPTIES, cases, f"{BOUND}; Orca and Sarathi-Serve; budgets 1 to 3 with t_b from 1 to 4")


def any_k_judge() -> Verdict:
    state, b = [(0, 2), (0, 2)], 2
    batch = k_fcfs(state, b, 1, 1)
    if servable(state) < b or sum(loaded(batch)) == b:
        return {"verdict": "unknown", "method": "replay"}
    return {"verdict": "refuted", "method": "one batch replayed", "counterexample": {
        "(K_p, K_d)": "(1, 1)", "b": "2", "(p_i, d_i)": str(state), "batch": str(batch),
        "trace": "one decode token a batch where two requests decode: the rate of decoding is 1/t_1, not b/t_b"}}


LARGE_K = "for K_p, K_d >= b a (K_p, K_d)-FCFS scheduler, decode tokens first, loads min{b, sum_i p_i + 1(p_i = 0)}"


def large_k_judge() -> Verdict:
    cases = 0
    for b in (1, 2, 3, 4):
        for k_p, k_d in product((b, b + 1), repeat=2):
            chooser = partial(k_fcfs, k_p=k_p, k_d=k_d)
            for state in states():
                if sum(loaded(chooser(state, b))) != min(b, servable(state)):
                    return {"verdict": "refuted", "method": METHOD, "statement": LARGE_K, "counterexample": {
                        "(p_i, d_i)": str(state), "b": str(b), "(K_p, K_d)": str((k_p, k_d))}}
                cases += 1
    return checked(LARGE_K, cases, BOUND + ", K_p and K_d in {b, b + 1}")


MARKOV = "P(X(n+1) = y | X(n) = x, X(n-1) = w) = P(X(n+1) = y | X(n) = x)"


def markov_judge() -> Verdict:
    """Both sides from the joint law of two slots' arrivals."""
    law: Law = ((Fraction(1, 4), ()), (Fraction(1, 2), ((1, 2),)), (Fraction(1, 4), ((2, 1), (1, 1))))
    cases = 0
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
                if weight / past != transitions(engine, scheduler, law, first)[second]:
                    return {"verdict": "refuted", "method": METHOD, "statement": MARKOV,
                            "counterexample": {"w": str(start), "x": str(first), "y": str(second)}}
                cases += 1
    return checked(MARKOV, cases, "up to 2 requests with p_i <= 3 and 1 <= d_i <= 2 at the start, three schedulers, "
                   "two engines, one law of arrivals")


RULES = "every feasible batch of b tokens gives sum_i (P_i + D_i) + R b/t_b the drift lambda (m_p + m_d) - b/t_b"


def rules_judge() -> Verdict:
    engine = by_2_3(3, 1, 1, 2)
    law: Law = ((Fraction(1, 2), ()), (Fraction(1, 2), ((1, 1),)))
    due = mean_tokens(law) - engine.rate
    cases = 0
    for state in states():
        choices = [[(dp, 0) for dp in range(p + 1)] if p else [(0, 0), (0, 1)] for p, _ in state]
        for batch in product(*choices):
            if sum(map(sum, batch)) != engine.b or infeasible(state, list(batch), engine.b):
                continue
            found = drift(engine, lambda *_, now=batch: list(now), law, sketched(engine), (0, tuple(state)))
            if found != due:
                return {"verdict": "refuted", "method": METHOD, "statement": RULES,
                        "counterexample": {"X": str(state), "batch": str(batch), "drift": str(found)}}
            cases += 1
    return checked(RULES, cases, BOUND.replace("budgets 1 to 4", "b = 3, t = 1, 1, 2"))
