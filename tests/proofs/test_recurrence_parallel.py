"""The theorems of two engines speak of the chain: their conditions hold in its states, and the function and its mean
change are those that are enumerated there."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from modelling import Model, conditions, term

from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.to.chain import (
    Balancer,
    Engine,
    Engines,
    Law,
    State,
    at_random,
    by_2_3,
    chosen,
    joint_transitions,
    least_requests,
    least_tokens,
    next_state,
    tokens,
)
from qtheory.proofs.claims.to.recurrence_parallel import CLAIMS
from qtheory.proofs.claims.to.schedulers import Scheduler, faster_transformer, idles_unless_full, orca, sarathi

HALF = Fraction(1, 2)
LAW: Law = ((HALF, ()), (HALF / 2, ((2, 3),)), (HALF / 2, ((1, 1), (1, 2))))
ENGINES = (by_2_3(3, 1, 0, 1), by_2_3(4, 1, 1, 2))
THEOREMS = {c.id: c.theorem for c in CLAIMS if c.theorem is not None}
RANDOM, TOKENS = THEOREMS["to.prop-1.random.two-engines"], THEOREMS["to.prop-1.least-tokens.two-engines"]


def joining(balancer: Balancer, law: Law, engines: Engines) -> tuple[list[Fraction], list[Fraction]]:
    """Of the tokens that a slot brings to each engine the mean, and the mean of the square."""
    means, squares = [Fraction(0)] * len(engines), [Fraction(0)] * len(engines)
    for weight, arrivals in law:
        for chance, routes in balancer(engines, len(arrivals)):
            for k in range(len(engines)):
                joined = sum(p + d for (p, d), j in zip(arrivals, routes, strict=True) if j == k)
                means[k] += weight * chance * joined
                squares[k] += weight * chance * joined ** 2
    return means, squares


def modelled(engine: Engine, scheduler: Scheduler, balancer: Balancer, engines: Engines) -> Model:
    """The theorem's variables in a state of the chain."""
    rows: list[tuple[int, ...]] = []
    values: dict[str, Any] = {}
    means, squares = joining(balancer, LAW, engines)
    for x, k in zip("ab", (0, 1), strict=True):
        r, requests = engines[k]
        batch = chosen(engine, scheduler, engines[k])
        for (p, d), (dp, dd) in zip(requests, batch, strict=True):
            left = (p - dp, d - dd) if d > dd else (0, 0)
            rows.append((p, d, k, dp, dd, *left, int(p > 0), len(rows) % 2))
        values |= {f"r{x}": r, f"S{x}": sum(map(sum, batch)), f"M{x}": sum(p or 1 for p, _ in requests),
                   f"R1{x}": next_state(engine, engines[k], batch, ())[0], f"G{x}": means[k], f"Q{x}": squares[k]}
    rate = sum((w * len(a) for w, a in LAW), Fraction(0))
    values |= {"q": len(rows), "b": engine.b, "t_b": engine.times[-1], "kinds": 1, "longest": 9, "K": 2, "lam": rate,
               "m_p": sum((w * p for w, a in LAW for p, _ in a), Fraction(0)) / rate,
               "m_d": sum((w * d for w, a in LAW for _, d in a), Fraction(0)) / rate,
               "Q": sum((w * sum(map(sum, a)) ** 2 for w, a in LAW), Fraction(0))}
    names = ("p", "d", "e", "dp", "dd", "p1", "d1", "u", "z")
    functions = {name: lambda i, j=j: rows[i - 1][j] for j, name in enumerate(names)}
    return Model({x: Fraction(v) for x, v in values.items()}, functions, len(rows))


def squared(engine: Engine, engines: Engines) -> Fraction:
    return sum(((tokens(x) + x[0] * engine.rate) ** 2 for x in engines), Fraction(0))


def some_states(engine: Engine, rng: random.Random) -> list[Engines]:
    def drawn() -> State:
        requests = tuple((rng.choice((0, 0, 1, 5)), rng.randint(1, 9)) for _ in range(rng.randint(0, 5)))
        return rng.randint(0, engine.times[-1] - 1), requests

    few_but_large: Engines = ((0, ((0, 9),)), (0, ((0, 1), (0, 1), (0, 1))))
    return [((0, ()), (0, ())), few_but_large, *((drawn(), drawn()) for _ in range(12))]


def breaks(theorem: Theorem, scheduler: Scheduler, balancer: Balancer) -> set[str]:
    """The conditions that fail in some state of the chain; the function and its mean change must be the chain's."""
    rng, broken = random.Random(5), set[str]()
    listed, value, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    for engine in ENGINES:
        for engines in some_states(engine, rng):
            model = modelled(engine, scheduler, balancer, engines)
            now = squared(engine, engines)
            after = joint_transitions(engine, scheduler, balancer, LAW, engines)
            assert sum(after.values()) == 1
            assert model.term(value, {}) == now
            mean = sum((w * squared(engine, x) for x, w in after.items()), Fraction(0))
            assert model.term(change, {}) == mean - now
            broken |= {w for w, h in listed if not model.holds(h)}
    return broken


@pytest.mark.parametrize("scheduler", [sarathi, orca, idles_unless_full])
def test_the_conditions_hold_in_the_states_of_the_chain(scheduler: Scheduler) -> None:
    assert breaks(RANDOM, scheduler, at_random) == set()
    assert breaks(TOKENS, scheduler, least_tokens) == set()


def test_other_balancers_break_the_conditions_of_routing() -> None:
    assert breaks(RANDOM, sarathi, least_tokens) == {"Ga == Gb"}
    for balancer in (at_random, least_requests):
        broken = breaks(TOKENS, sarathi, balancer)
        assert broken and broken <= {"Or(Ta <= Tb, Ga == 0)", "Or(Tb <= Ta, Gb == 0)"}


def test_other_schedulers_break_the_condition_of_work_conservation() -> None:
    broken = breaks(TOKENS, faster_transformer, least_tokens)
    assert broken and broken <= {f"Or(r{x} > 0, M{x} < b, S{x} == b)" for x in "ab"}
