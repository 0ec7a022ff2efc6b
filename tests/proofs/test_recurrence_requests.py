"""The theorem of two engines with the fewest requests speaks of the chain: its conditions hold in the chain's states,
and the function and its mean change are those that are enumerated there; the bound that its proof comes to holds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from modelling import TWO_SIZES, Model, conditions, of_two, term, two_engines

from qtheory.proofs.claims.to.models.chain import (
    Balancer,
    Engine,
    Engines,
    at_random,
    by_2_3,
    joint_transitions,
    least_requests,
    least_tokens,
    tokens,
)
from qtheory.proofs.claims.to.models.recurrence_requests import FEWEST, LOAD, THEOREM
from qtheory.proofs.claims.to.models.schedulers import Scheduler, faster_transformer, idles_unless_full, orca, sarathi
from qtheory.proofs.proving.reading import proof
from qtheory.proofs.theorems import referee_theorem

ENGINES = (by_2_3(4, 1, 0, 1), by_2_3(6, 1, 1, 4))
LONGEST = 14  # tokens of a request, at most
Potential = Callable[[Fraction], Fraction]  # of the work of an engine: s W + exp(-s W)


def work(engine: Engine, engines: Engines) -> list[Fraction]:
    return [tokens(x) + x[0] * engine.rate for x in engines]


def rational(engine: Engine) -> tuple[Fraction, Fraction, Callable[[Fraction], Fraction]]:
    """s, a bound of the second moment of a slot's tokens, and a stand-in for exp: (1 - s)^n at -s n, multiplicative as
    exp is, and within the bounds of phi for whole numbers n."""
    came = sum((w * sum(map(sum, a)) for w, a in TWO_SIZES), Fraction(0))
    margin, b, s = min(engine.rate, 2 * engine.rate - came), engine.b, Fraction(1, 20000)
    second = margin / (8 * s) - 1 - 2 * b ** 2 - b * came - 2 * (1 + LONGEST) * b * b
    assert margin > 0 and engine.rate.denominator == 1
    assert second >= sum((w * sum(map(sum, a)) ** 2 for w, a in TWO_SIZES), Fraction(0))
    return s, second, lambda x: (1 - s) ** int(-x / s)


def modelled(engine: Engine, scheduler: Scheduler, balancer: Balancer, engines: Engines) -> Model:
    """The theorem's variables in a state of the chain."""
    model, (s, second, power) = of_two(engine, scheduler, TWO_SIZES, engines), rational(engine)
    now, [first, *rest] = work(engine, engines), balancer(engines, 1)
    chances = [sum((w for w, (k,) in (first, *rest) if k == j), Fraction(0)) for j in (0, 1)]
    came = sum((w * sum(map(sum, a)) for w, a in TWO_SIZES), Fraction(0))
    margin = min(engine.rate, 2 * engine.rate - came)
    values = {**model.values, "longest": Fraction(LONGEST), "Q": second, "g": margin, "s": s,
              "F": 4 * engine.rate / (s * margin),
              "phi": sum((w * power(-s * sum(map(sum, a))) for w, a in TWO_SIZES), Fraction(0))}
    for x, w, chance, many in zip("ab", now, chances, map(len, (e[1] for e in engines)), strict=True):
        change = (values[f"R1{x}"] - values[f"r{x}"]) * engine.rate - values[f"S{x}"]
        values |= {f"v{x}": chance, f"w{x}": w, f"n{x}": Fraction(many), f"x{x}": power(-s * w),
                   f"c{x}": change, f"y{x}": power(-s * (w + change))}
    return replace(model, values=values, functions={**model.functions, "exp": power})


def mean_change(engine: Engine, scheduler: Scheduler, balancer: Balancer, engines: Engines, of: Potential) -> Fraction:
    after = joint_transitions(engine, scheduler, balancer, TWO_SIZES, engines)
    assert sum(after.values()) == 1
    total = sum((w * of(x) for y, w in after.items() for x in work(engine, y)), Fraction(0))
    return total - sum(map(of, work(engine, engines)), Fraction(0))


def breaks(scheduler: Scheduler, balancer: Balancer) -> set[str]:
    """The conditions that fail in some state of the chain; the function and its mean change must be the chain's."""
    rng, broken = random.Random(5), set[str]()
    listed, value, change = conditions(THEOREM), term(THEOREM, "value"), term(THEOREM, "change")
    for engine in ENGINES:
        s, _, power = rational(engine)

        def of(w: Fraction, s: Fraction = s, power: Potential = power) -> Fraction:
            return s * w + power(-s * w)

        for engines in two_engines(engine, rng):
            model = modelled(engine, scheduler, balancer, engines)
            assert model.term(value, {}) == sum(map(of, work(engine, engines)), Fraction(0))
            if balancer is not at_random:  # which does not keep a slot's requests together
                assert model.term(change, {}) == mean_change(engine, scheduler, balancer, engines, of)
            broken |= {w for w, h in listed if not model.holds(h)}
    return broken


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", [sarathi, orca, idles_unless_full])
def test_the_conditions_hold_in_the_states_of_the_chain(scheduler: Scheduler) -> None:
    assert breaks(scheduler, least_requests) == set()


def test_whichever_is_joined_where_both_have_as_many() -> None:
    def second_of_them(engines: Engines, many: int) -> list[tuple[Fraction, tuple[int, ...]]]:
        [(weight, (k,))] = least_requests(tuple(reversed(engines)), 1)
        return [(weight, (1 - k,) * many)]

    assert breaks(sarathi, second_of_them) == set()


def test_other_balancers_break_the_conditions_of_routing() -> None:
    for balancer in (at_random, least_tokens):
        broken = breaks(sarathi, balancer)
        assert broken and broken <= set(FEWEST)


def test_other_schedulers_break_the_condition_of_work_conservation() -> None:
    broken = breaks(faster_transformer, least_requests)
    assert broken and broken <= {f"Or(r{x} > 0, M{x} < b, S{x} == b)" for x in "ab"}


def alike(many: int, size: tuple[int, int]) -> tuple[int, tuple[tuple[int, int], ...]]:
    return 0, (size,) * many


@pytest.mark.parametrize("engines", [
    (alike(300, (0, 14)), alike(301, (0, 1))), (alike(400, (0, 1)), alike(399, (5, 9))),
    (alike(9, (0, 1)), alike(8, (5, 9))), (alike(500, (1, 1)), alike(500, (1, 1))),
    (alike(0, (0, 1)), alike(400, (5, 9)))])
def test_the_function_falls_as_its_proof_has_it(engines: Engines) -> None:
    """With exp itself: where one engine has the most tokens and gets all arrivals, too, the mean change is at most s
    ((b/t_b) exp(-s W) - 3 g/4), W the work of the engine that gets none."""
    for engine in ENGINES:
        came, b = sum((w * sum(map(sum, a)) for w, a in TWO_SIZES), Fraction(0)), engine.b
        margin = min(engine.rate, 2 * engine.rate - came)
        second = sum((w * sum(map(sum, a)) ** 2 for w, a in TWO_SIZES), Fraction(0))
        s = margin / (8 * (1 + 2 * b ** 2 + b * came + second + 2 * (1 + LONGEST) * b * b))
        change = mean_change(engine, sarathi, least_requests, engines,
                             lambda w, s=s: Fraction(float(s * w) + math.exp(-float(s * w))))
        [(_, (joined,))] = least_requests(engines, 1)
        other = float(s * work(engine, engines)[1 - joined])
        assert change <= s * (engine.rate * Fraction(math.exp(-other)) - 3 * margin / 4)


def test_at_load_one_nothing_is_proved() -> None:
    """The margin g is 0 then, and no weight s is positive."""
    heavier = LOAD.replace("<", "<=")
    known = proof("to", "prop-1.least-requests.two-engines")
    assert LOAD in THEOREM.where and any(LOAD in (step.by or ()) for step in known.steps if step.label == "room")
    given = tuple(heavier if w == LOAD else w for w in THEOREM.chain.given)
    steps = tuple(replace(x, by=x.by and tuple(heavier if g == LOAD else g for g in x.by)) for x in known.steps)
    verdict = referee_theorem(replace(THEOREM, chain=replace(THEOREM.chain, given=given)),
                              replace(known, steps=steps), 10.0)
    assert verdict.verdict == "unknown" and "not proved: room" in verdict.note
