"""Sizes without a bound, and algorithms that are work-conserving by (2.6) alone: a function like the one of
to.thm-1a.long-requests, and what to.thm-1a's note says of the rest.

No proof: the function is looked at in drawn states, with every batch that (2.5) and (2.6) allow there.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import ceil

import pytest

from qtheory.proofs.claims.to.models.chain import (
    Engine,
    Function,
    Law,
    State,
    by_2_3,
    chosen,
    drift,
    mean_tokens,
    next_state,
    sketched,
    squared,
)
from qtheory.proofs.claims.to.models.schedulers import Batch

Requests = tuple[tuple[int, int], ...]


def loadable(requests: Requests) -> int:
    return sum(max(p, 1) for p, _ in requests)


def batches(requests: Requests, b: int) -> list[Batch]:
    """All that (2.5) allows, of b tokens where (2.6) asks for them."""
    ways = [[(n, 0) for n in range(min(p, b) + 1)] if p else [(0, 0), (0, 1)] for p, _ in requests]
    full = loadable(requests) >= b
    return [list(x) for x in product(*ways) if (loaded := sum(map(sum, x))) == b or (loaded < b and not full)]


def room(engine: Engine, others: int) -> int:
    return engine.b + engine.times[-1] + 2 * (1 + engine.b) * engine.times[-1] * others


def function(engine: Engine, law: Law, others: int, long: int) -> tuple[Function, Fraction, Fraction]:
    """The function, by how much it falls, and the tokens beyond ``others`` from which on it does so below b."""
    b, t = engine.b, engine.times[-1]
    gap = engine.rate - mean_tokens(law)
    c = gap / (2 * (1 + sum((w * (1 + d) ** 2 for w, a in law for _, d in a), Fraction(0))))
    none = sum((w for w, a in law if not a), Fraction(0))
    good = sum((w for w, a in law if sum(d > others for _, d in a) <= 1 and sum(min(d, long) for _, d in a) >= long
                and sum(p + min(d, others) for p, d in a) <= 2 * others), Fraction(0))
    assert gap > 0 and none > 0 and good > 0 and long >= room(engine, others)
    base, eps = ceil(max(2 / none, 2 / good)), min(c, Fraction(1), gap / (8 * b))
    f, g = sketched(engine), squared(c)

    def value(state: State) -> Fraction:
        r, requests = state
        whole = g(state) + f(state) - sum(p + d for p, d in requests)
        if sum(d > others for _, d in requests) > b:
            return whole
        far = (b * long - sum(min(d, long) for _, d in requests) + r
               + (1 + b) * t * sum(p + min(d, others) for p, d in requests))
        assert far >= 0
        return whole - eps * beyond(requests, others) / Fraction(base) ** far

    farthest = b * long + (1 + b) * t * (1 + others) * b
    return value, gap / 4, 2 * b + (2 * b + gap) * base ** farthest / eps


def beyond(requests: Requests, others: int) -> int:
    return sum(max(0, d - others) for _, d in requests)


def some_states(b: int, others: int, long: int, level: Fraction, rng: random.Random) -> list[State]:
    sizes = (1, 2, others, others + 1, others + 2, long - 1, long, long + 1, 3 * long, ceil(level) + others)
    return [(rng.choice((0, 0, 1)), tuple((rng.choice((0, 0, 0, 1, 2, others)), rng.choice(sizes))
                                          for _ in range(rng.randint(1, b + 2)))) for _ in range(150)]


@pytest.mark.parametrize("b, c, others, beside", [(2, 1, 1, ()), (3, 1, 3, ((1, 1),)), (3, 2, 2, ()), (4, 1, 2, ())])
def test_one_step_is_enough_where_long_requests_come_and_slots_are_free_of_arrivals(
        b: int, c: int, others: int, beside: Requests) -> None:
    engine = by_2_3(b, c, 0, 1)
    long = room(engine, others)
    rare = Fraction(1, 400 * long)
    law: Law = ((Fraction(9, 10) - rare, ()), (Fraction(1, 10), ((1, 1),)), (rare, ((1, long + 3), *beside)))
    value, rate, level = function(engine, law, others, long)
    looked = 0
    for state in some_states(b, others, long, level, random.Random(b)):
        r, requests = state
        if r == 0 and loadable(requests) < b and beyond(requests, others) < level:
            continue
        for batch in [[(0, 0)] * len(requests)] if r else batches(requests, b):
            looked += 1
            assert drift(engine, lambda _, __, batch=batch: batch, law, value, state) <= -rate
    assert looked > 150


def avoiding(requests: Requests, b: int) -> Batch:
    """No token below b that can be loaded; else b tokens of others than the longest request, where there are any."""
    longest = max(range(len(requests)), key=lambda i: requests[i][1])
    left = b if loadable(requests) >= b else 0
    batch: Batch = [(0, 0)] * len(requests)
    for i, (p, _) in enumerate(requests):
        if i != longest:
            taken = min(left, max(p, 1))
            batch[i] = (taken, 0) if p else (0, taken)
            left -= taken
    if left:
        batch[longest] = (0, 1)
    return batch


@pytest.mark.parametrize("slots, served", [(((1, 1), (1, 1)), False), ((), True)])
def test_requests_in_every_slot_may_pay_for_each_batch(slots: Requests, served: bool) -> None:
    """b = 6, t_b = 1 and two requests of (1, 1) in every slot, load 4 of 6: the longest request is never loaded; it is
    where there are six long ones, and no arrivals."""
    engine, d = by_2_3(6, 1, 0, 1), 10**6
    state: State = (0, ((0, d), *((1, 1),) * 4)) if not served else (0, ((0, d), *((0, 60 * i) for i in range(1, 6))))
    seen = [state]
    for _ in range(60):
        batch = chosen(engine, avoiding, state)
        assert batch in batches(state[1], 6)
        state = next_state(engine, state, batch, slots)
        seen.append(state)
    assert (max(x for _, x in state[1]) < d) is served
    assert served or seen[3] == seen[0]
