"""The theorems of two engines speak of the chain: their conditions hold in its states, and the function and its mean
change are those that are enumerated there."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from modelling import TWO_SIZES, Model, conditions, of_two, term, two_engines

from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.to.models.chain import (
    Balancer,
    Engine,
    Engines,
    Law,
    at_random,
    by_2_3,
    joint_transitions,
    least_requests,
    least_tokens,
    tokens,
)
from qtheory.proofs.claims.to.models.schedulers import Scheduler, faster_transformer, idles_unless_full, orca, sarathi
from qtheory.proofs.corpus import paper

ENGINES = (by_2_3(3, 1, 0, 1), by_2_3(4, 1, 1, 2))
THEOREMS = {c.id: c.theorem for c in paper("to").claims if isinstance(c.theorem, Recurrence)}
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
    model = of_two(engine, scheduler, TWO_SIZES, engines)
    means, squares = joining(balancer, TWO_SIZES, engines)
    of_engine = {f"{name}{x}": n for name, numbers in (("G", means), ("Q", squares))
                 for x, n in zip("ab", numbers, strict=True)}
    return replace(model, values={**model.values, **of_engine, "longest": Fraction(9)})


def squared(engine: Engine, engines: Engines) -> Fraction:
    return sum(((tokens(x) + x[0] * engine.rate) ** 2 for x in engines), Fraction(0))


def breaks(theorem: Recurrence, scheduler: Scheduler, balancer: Balancer) -> set[str]:
    """The conditions that fail in some state of the chain; the function and its mean change must be the chain's."""
    rng, broken = random.Random(5), set[str]()
    listed, value, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    for engine in ENGINES:
        for engines in two_engines(engine, rng):
            model = modelled(engine, scheduler, balancer, engines)
            now = squared(engine, engines)
            after = joint_transitions(engine, scheduler, balancer, TWO_SIZES, engines)
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
