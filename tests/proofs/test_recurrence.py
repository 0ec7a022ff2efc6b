"""The theorems of positive recurrence speak of the chain: their conditions hold in its states, and the function and its
mean change are those that are enumerated there, for every scheduler that the paper names."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from modelling import UNMIXED, Model, conditions, conserving, term

from qtheory.proofs.api import prove
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.to.models.chain import (
    Engine,
    Function,
    Law,
    State,
    by_2_3,
    chosen,
    drift,
    next_state,
    run,
    sketched,
    squared,
)
from qtheory.proofs.claims.to.models.recurrence import LOAD, MEANS, SKETCHED, SQUARES, STABLE
from qtheory.proofs.claims.to.models.schedulers import Scheduler, idles_unless_full, k_fcfs, orca, sarathi
from qtheory.proofs.corpus import paper

BY_ID = {c.id: c for c in paper("to").claims}
HALF = Fraction(1, 2)
LAWS: tuple[Law, ...] = (
    ((HALF, ()), (HALF, ((1, 1),))),
    ((Fraction(3, 4), ()), (Fraction(1, 8), ((2, 3),)), (Fraction(1, 8), ((1, 1), (1, 2)))),
    ((Fraction(7, 8), ()), (Fraction(1, 8), ((4, 5),))))


def shortest(state: Any, b: int) -> Any:
    """Sarathi-Serve's rule with the fewest remaining tokens first."""
    order = sorted(range(len(state)), key=lambda i: sum(state[i]))
    batch = dict(zip(order, sarathi([state[i] for i in order], b), strict=True))
    return [batch[i] for i in range(len(state))]


NAMED = {**conserving(5, 6), "SJF": shortest}
del NAMED["idles unless full"]  # in SKETCHED alone: test_idling_below_the_budget_is_left_out_of_one_theorem_alone
ENGINES = (by_2_3(4, 1, 0, 1), by_2_3(4, 1, 1, 2), by_2_3(4, 2, 0, 1))


def modelled(engine: Engine, scheduler: Scheduler, law: Law, state: State, c: Fraction) -> Model:
    """The theorem's variables in a state of the chain."""
    r, requests = state
    batch = chosen(engine, scheduler, state)
    after = [(p - dp, d - dd) for (p, d), (dp, dd) in zip(requests, batch, strict=True)]
    left = [(p, d) if d else (0, 0) for p, d in after]
    loaded, rate = sum(map(sum, batch)), sum((w * len(a) for w, a in law), Fraction(0))
    many, b = len(requests), engine.b

    def column(rows: Any, j: int) -> Any:
        return lambda i: rows[i - 1][j]

    young, old = [i for i in range(many) if requests[i][0] > 0][:5], [i for i in range(many) if requests[i][0] == 0][:6]
    functions = {"p": column(requests, 0), "d": column(requests, 1), "dp": column(batch, 0), "dd": column(batch, 1),
                 "yd": lambda i: i - 1 in old, "yp": lambda i: i - 1 in young,
                 "p1": column(left, 0), "d1": column(left, 1), "z": lambda i: i % 2,
                 "u": lambda i: requests[i - 1][0] > 0, "u1": lambda i: left[i - 1][0] > 0}
    values = {
        "r": r, "q": many, "b": b, "t_b": engine.times[-1], "kinds": 1, "longest": 100, "lam": rate,
        "m_p": sum((w * p for w, a in law for p, _ in a), Fraction(0)) / rate,
        "m_d": sum((w * d for w, a in law for _, d in a), Fraction(0)) / rate,
        "Q": sum((w * (1 + d) ** 2 for w, a in law for _, d in a), Fraction(0)), "c": c, "S": loaded,
        "M": sum(p or 1 for p, _ in requests), "R1": next_state(engine, state, batch, ())[0],
        "k": int(r == 0 and loaded < b), "Sd": sum(d for _, d in batch), "Sp": sum(p for p, _ in batch),
        "Yd": len(old), "Wp": len(young), "K_p": 5, "K_d": 6}
    return Model({x: Fraction(v) for x, v in values.items()}, functions, many)


def weight(engine: Engine, law: Law) -> Fraction:
    model = modelled(engine, sarathi, law, (0, ()), Fraction(1)).values
    return (engine.rate - model["lam"] * (model["m_p"] + model["m_d"])) / (2 * (1 + model["Q"]))


def some_states(engine: Engine, scheduler: Scheduler, rng: random.Random) -> list[State]:
    """Drawn ones, and those that are reached from them with a few arrivals."""
    out: list[State] = [(0, ())]
    for _ in range(5):
        requests = tuple((rng.choice((0, 0, 1, 5)), rng.randint(1, 9)) for _ in range(rng.randint(1, 6)))
        out += list(run(engine, scheduler, (rng.choice((0, 0, 1)), requests), [(), ((2, 3),), (), ((1, 1), (1, 2))]))
    return out


def breaks(theorem: Recurrence, scheduler: Scheduler) -> set[str]:
    """The conditions that fail in some state of the chain; the function and its mean change must be the chain's."""
    rng, broken = random.Random(3), set[str]()
    listed, value, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    for engine, law in zip(ENGINES, LAWS, strict=True):
        c = weight(engine, law)
        f: Function = sketched(engine)
        if theorem != SKETCHED:
            g = squared(c)

            def f(state: State, g: Function = g, rate: Fraction = engine.rate) -> Fraction:
                return g(state) + state[0] * rate

        for state in some_states(engine, scheduler, rng):
            model = modelled(engine, scheduler, law, state, c)
            assert model.term(value, {}) == f(state)
            assert model.term(change, {}) == drift(engine, scheduler, law, f, state)
            broken |= {w for w, h in listed if not model.holds(h)}
    return broken


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_the_conditions_hold_in_the_states_of_the_chain(name: str) -> None:
    assert breaks(SKETCHED, NAMED[name]) == set()
    assert breaks(SQUARES, NAMED[name]) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name, scheduler", [("sarathi-wc", sarathi), ("sarathi-wc", shortest), ("orca-wc", orca)])
def test_the_rules_are_those_of_the_schedulers(name: str, scheduler: Scheduler) -> None:
    theorem = BY_ID[f"to.sec-3.{name}"].theorem
    assert theorem is not None and breaks(theorem, scheduler) == set()
    broken = breaks(theorem, sarathi if scheduler is orca else orca)
    assert broken and all("Or(r > 0, S" in w for w in broken)


@pytest.mark.slow
def test_the_oldest_requests_are_those_of_the_scheduler() -> None:
    theorem = BY_ID["to.sec-2.3.kfcfs.stable"].theorem
    assert theorem is not None and breaks(theorem, NAMED["(K_p, K_d)-FCFS"]) == set()
    fewer = breaks(theorem, partial(k_fcfs, k_p=5, k_d=1))
    assert fewer and all("Or(yd(i) == 0, dd(i) == 1)" in w for w in fewer)


@pytest.mark.parametrize("scheduler", UNMIXED)
def test_other_schedulers_break_the_condition_of_work_conservation(scheduler: Scheduler) -> None:
    assert breaks(SKETCHED, scheduler) == {"Or(r > 0, M < b, S == b)"}


@pytest.mark.later
def test_idling_below_the_budget_is_left_out_of_one_theorem_alone() -> None:
    """The scheduler that waits for full batches is work-conserving by (2.6), and does not load all that there is."""
    assert breaks(SKETCHED, idles_unless_full) == set()
    [condition] = breaks(SQUARES, idles_unless_full)
    assert "Or(k == 0, dp(i) + dd(i)" in condition


@pytest.mark.parametrize("left_out", STABLE)
def test_stable_fluid_limits_need_the_load_below_one(left_out: str) -> None:
    """to.prop-3: each of their equations is needed for (2.7); that all are enough is a step of its proof."""
    where = [c for c in (*MEANS, "b >= 1", "t_b >= 1", *STABLE) if c != left_out]
    assert prove(LOAD, where).verdict == "refuted"


def test_no_chain_is_left_unenumerated() -> None:
    """Each chain is one of Section 2's above, or of several engines (test_recurrence_parallel.py), but for other
    conditions; or it is that of (B.1), of which it is said; or it is held against its network in test_fork_join.py, in
    test_forked.py or in test_rybko_stolyar.py, or against batches in test_continuous_time.py; of
    to.thm-1a.long-requests, for one and for two types, whose steps are Section 2's with other means,
    test_longest_request.py looks at drawn states."""
    engines = {"to.prop-1.random", "to.prop-1.least-tokens", "to.prop-1.least-requests"}
    known = [t.chain.outcomes for t in (SKETCHED, SQUARES)]
    left = {c.id for c in BY_ID.values()
            if isinstance(c.theorem, Recurrence) and c.theorem.chain.outcomes not in known}
    assert left - engines == {"to.app-B.foster", "to.sec-4.3.fj-without-3.bounded", "to.conj-1.bounded",
                              "to.sec-4.3.fj-without-3", "to.conj-1", "to.sec-4.3.rs-reversed",
                              "to.sec-4.3.rs-reversed.bounded",
                              "to.sec-2.1.continuous-time.bounded", "to.thm-1a.long-requests",
                              "to.sec-4.2.dtmc.long-requests"}
