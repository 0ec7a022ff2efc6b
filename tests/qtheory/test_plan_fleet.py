"""Lower bounds on fleets: the knapsack, the program against hand-made schedules, and fleets in simulation."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F

import numpy as np
import pytest

from qtheory.models.laws import AffineLaw, ContextAffineLaw, PiecewiseLinearLaw
from qtheory.numerics.linprog import Infeasible, solve
from qtheory.planning.simulating import RULES, dispatch, simulate_fleet
from qtheory.theory.planning.fleet import Needs, Requests, Worker, least_fleet, left_over

LAW = ContextAffineLaw(alpha=0.01, beta=5e-5, gamma=8e-8)
WORKER = Worker.of_law("one", LAW, 256, 16, F(2))


def requests(count: int, seconds: float, seed: int = 0) -> Requests:
    draw = np.random.default_rng(seed)
    return Requests(np.sort(draw.uniform(0, seconds, count)), draw.integers(1, 400, count), draw.integers(1, 60, count))


@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_over_is_at_least_the_best_choice(seed: int) -> None:
    draw = random.Random(seed)
    values = np.array([draw.randint(0, 9) for _ in range(7)])
    waits = np.array([draw.choice([0.0, draw.random()]) for _ in range(7)])
    room = draw.random() * 2
    best = max(sum(values[list(s)]) for k in range(8) for s in itertools.combinations(range(7), k)
               if sum(waits[list(s)]) <= room)
    assert best <= left_over(values, waits, room) <= best + values.max()


def test_totals_are_those_of_the_iterations() -> None:
    r = Requests(np.array([0.0, 1.0]), np.array([10, 3]), np.array([4, 1]))
    assert r.decodes.tolist() == [3, 0]
    assert r.contexts.tolist() == [11 + 12 + 13, 0]
    needs = Needs.forever(r, F(1, 10))
    assert (needs.prompts, needs.decodes, needs.contexts, needs.decode_seconds) == (13, 3, 36, F(3, 10))


def test_the_long_run_bound_is_the_load_of_full_iterations() -> None:
    """One kind and no limit on decodes: iterations are full of tokens, or of decodes."""
    r = requests(500, 100.0)
    found = -solve(least_fleet(Needs.forever(r, None), [WORKER], "count")).value
    p, d, c = (int(v.sum()) for v in (r.prompts, r.decodes, r.contexts))
    iterations = max(F(p + d, 256), F(d, 16))
    assert found == (F("0.01") * iterations + F("0.00005") * (p + d) + F("8e-8") * c) / r.seconds


def test_a_limit_on_decodes_makes_iterations_smaller() -> None:
    r = requests(500, 100.0)
    values = [-solve(least_fleet(Needs.forever(r, tpot), [WORKER], "count")).value
              for tpot in (None, F("0.02"), F("0.0115"), F("0.0105"))]
    assert values == sorted(values) and values[-1] > values[0]
    with pytest.raises(Infeasible, match="a decode on one lasts at least its own iteration"):
        solve(least_fleet(Needs.forever(r, F("0.01")), [WORKER], "count"))


@pytest.mark.parametrize("law", [AffineLaw(alpha=0.01, beta=1e-4), PiecewiseLinearLaw(c=0.01, a=1e-4, b0=64), LAW])
def test_lines_lie_below_the_law(law: object) -> None:
    worker = Worker.of_law("one", law, 256, 16, F(1))  # type: ignore[arg-type]
    tokens = np.arange(1, 257)
    columns = {v: tokens if v == "tokens" else 0 for v in law.variables}  # type: ignore[attr-defined]
    times = law.time(**columns)  # type: ignore[attr-defined]
    for fixed, slope in worker.lines:
        assert (float(fixed) + float(slope) * tokens <= times * (1 + 1e-12)).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", ["sarathi", "vllm"])
def test_no_fleet_below_its_bound_meets_its_limits(policy: str, rule: str) -> None:
    """The bound is of all schedulers and dispatchers, in this hour."""
    r = requests(5_000, 50.0, seed=3)
    ttft, tpot = F("0.3"), F("0.03")
    bound = -solve(least_fleet(Needs.of(r, ttft, tpot), [WORKER], "count")).value
    assert bound > 2
    for count in range(1, int(-(-bound // 1)) + 2):
        measured = simulate_fleet(r, [LAW], [WORKER], [count], policy=policy, rule=rule)
        assert measured.unfinished == 0 and measured.requests == len(r)
        assert count >= bound or not measured.meets(float(ttft), float(tpot))


@pytest.mark.parametrize(("ttft", "tpot"), [(None, None), (F(3), None), (None, F("0.03"))])
def test_without_both_limits_work_may_be_left_for_later(ttft: F | None, tpot: F | None) -> None:
    """A small fleet works off the hour after its end, so that this hour bounds little."""
    r = requests(2_000, 15.0, seed=3)
    bound, stable = (-solve(least_fleet(needs, [WORKER], "count")).value
                     for needs in (Needs.of(r, ttft, tpot), Needs.forever(r, tpot)))
    limits = [None if v is None else float(v) for v in (ttft, tpot)]
    least = next(n for n in range(1, 9) if simulate_fleet(r, [LAW], [WORKER], [n]).meets(*limits))
    assert bound <= least < stable


def test_a_request_has_the_tokens_that_it_asks_for() -> None:
    """Alone on a GPU: the first token with the prompt, each further one an iteration."""
    for output in (1, 2, 5):
        r = Requests(np.array([0.0]), np.array([100]), np.array([output]))
        found = simulate_fleet(r, [LAW], [WORKER], [1])
        each = [0.01 + 5e-5 + 8e-8 * (100 + k) for k in range(1, output)]
        assert found.ttft == pytest.approx(0.01 + 5e-5 * 100, rel=1e-2)
        assert found.tpot == pytest.approx(sum(each) / max(len(each), 1), rel=1e-3)


def test_two_kinds_share_by_their_speed() -> None:
    fast = Worker.of_law("fast", AffineLaw(alpha=0.005, beta=2.5e-5), 256, 16, F(4))
    r = requests(3_000, 100.0)
    to = dispatch(r, [WORKER, fast], [1, 2], "least-work", 0)
    share = np.bincount(to, minlength=3) / len(r)
    assert share[0] < share[1] == pytest.approx(share[2], abs=0.02)
    assert (dispatch(r, [WORKER, fast], [1, 2], "least-work", 0) == to).all()


def test_mixed_fleets_cost_no_more_than_single_ones() -> None:
    fast = Worker.of_law("fast", AffineLaw(alpha=0.005, beta=2.5e-5), 256, 16, F(5))
    needs = Needs.forever(requests(500, 100.0), None)
    both = -solve(least_fleet(needs, [WORKER, fast])).value
    single = [-solve(least_fleet(needs, [w])).value for w in (WORKER, fast)]
    assert 0 < both <= min(single)
