"""Theorem 1(a) in continuous time: its conditions and its function hold along batches of requests that are drawn."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from modelling import UNMIXED, conditions, term
from test_recurrence import ENGINES, LAWS, NAMED, modelled, some_states

from qtheory.proofs.claims.to.models.chain import chosen
from qtheory.proofs.claims.to.models.continuous_time import AT_BATCHES, FULL_OR_NOT
from qtheory.proofs.claims.to.models.schedulers import Scheduler, idles_unless_full


def breaks(scheduler: Scheduler) -> set[str]:
    """The conditions that fail where a batch begins; the function and its mean change must be those of the tokens."""
    rng, broken = random.Random(5), set[str]()
    listed, value, change = conditions(AT_BATCHES), term(AT_BATCHES, "value"), term(AT_BATCHES, "change")
    for engine, law in zip(ENGINES, LAWS, strict=True):
        came = sum((w * (p + d) for w, a in law for p, d in a), Fraction(0))
        for _, requests in some_states(engine, scheduler, rng):
            loaded = sum(map(sum, chosen(engine, scheduler, (0, requests))))
            wait = Fraction(engine.times[-1]) if loaded == engine.b else Fraction(rng.randint(0, 9), 2)
            made = modelled(engine, scheduler, law, (0, requests), Fraction(1))
            model = replace(made, values={**made.values, "wait": wait})
            assert model.term(value, {}) == sum(map(sum, requests))
            assert model.term(change, {}) == wait * came - loaded
            broken |= {w for w, h in listed if not model.holds(h)}
    return broken


@pytest.mark.parametrize("name", [*NAMED, "idles unless full"])
def test_the_conditions_hold_where_batches_begin(name: str) -> None:
    assert breaks(NAMED.get(name, idles_unless_full)) == set()


@pytest.mark.parametrize("scheduler", UNMIXED)
def test_other_schedulers_break_the_condition_of_work_conservation(scheduler: Scheduler) -> None:
    assert breaks(scheduler) == {FULL_OR_NOT}
