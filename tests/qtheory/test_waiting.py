"""WAIT's fluid equilibrium and thresholds: by definition, by brute force, by HiGHS, and by the simulator's policies."""

from __future__ import annotations

import doctest
import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, linprog, milp

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Exponential
from qtheory.theory import waiting
from qtheory.theory.any_law import Times
from qtheory.theory.waiting import thresholds

CALM = settings(derandomize=True, deadline=None, max_examples=40)
LENGTHS = st.tuples(st.integers(0, 6), st.integers(0, 6))
RATES = st.fractions(F(1, 50), 3, max_denominator=50)
TYPES = st.lists(st.tuples(RATES, LENGTHS), min_size=1, max_size=3).map(
    lambda rows: tuple(waiting.RequestType(r, a, b) for r, (a, b) in rows))
LAWS = st.tuples(st.integers(1, 50), st.integers(1, 40)).map(lambda d: MemoryLinearLaw(d[0] / 100, d[1] / 10000))
STEPS = st.lists(st.integers(0, 3), min_size=200, max_size=200).map(
    lambda s: Times(tuple(int(v) for v in 1 + np.cumsum(s)), F(1, 100)))


def held(n, types) -> F:
    """Tokens of a batch with so many requests of each type at each of its stages."""
    return sum((x * sum(t.prompt + k for k in range(t.output + 1)) for x, t in zip(n, types, strict=True)), F(0))


def lasts(law: MemoryLinearLaw, memory: F) -> F:
    return F(str(law.d0)) + F(str(law.d1)) * memory


# ---- equality ----

def test_at_equality_a_strict_condition_is_broken() -> None:
    """An iteration of a second in which 3 requests come: 3 are enough on average, 4 to catch up. Half go on."""
    law, one = MemoryLinearLaw(1.0, 0.0), waiting.request_types([3], 1, [2])
    plain, strict = (waiting.wait_system(one, law, strict=s) for s in (False, True))
    assert plain.broken([3]) == [] and plain.least() == (3,) and plain.broken([2]) == ["arrivals 1"]
    assert strict.broken([3]) == ["arrivals 1"] and strict.broken([4]) == [] and strict.least() == (4,)
    need = plain.memory((3,))  # a budget of just the batch's tokens holds it
    assert need == 3 * (1 + 2 + 3) and plain.least(need) == (3,) and plain.least(need - 1) is None
    parts = waiting.segments(waiting.request_types([F(3, 2), F(3, 2)], 1, [2, 4]))
    nested = waiting.nested_system(parts, law)
    assert parts.passes == (F(1, 2),) and parts.waiting_tokens == (3,)
    assert nested.least() == (4, 3) and nested.broken([4, 2]) == ["ratio 2"] and nested.broken([3, 2]) == ["arrivals 1"]


# ---- equilibrium ----

def test_what_an_equilibrium_serves_and_how_long_it_takes() -> None:
    """40 requests a second of 1 + 10 stages and 20 of 1 + 20, d1 R = 0.4: an iteration takes d0/0.6."""
    types = waiting.request_types([40, 20], 10, [10, 20])
    work = 40 * sum(10 + k for k in range(11)) + 20 * sum(10 + k for k in range(21))
    found = waiting.equilibrium(types, MemoryLinearLaw(0.03, 0.4 / work))
    assert float(found.iteration) == pytest.approx(0.05) and float(found.memory) == pytest.approx(work * 0.05)
    assert (found.throughput, found.stage_throughput) == (40 * 10 + 20 * 20, 40 * 11 + 20 * 21)
    assert found.population == (40 * 11 * found.iteration, 20 * 21 * found.iteration)
    assert float(found.latency) == pytest.approx(0.05 * (40 * 11 + 20 * 21) / 60)


@given(TYPES, LAWS)
@CALM
def test_work_is_the_tokens_of_every_stage_and_the_equilibrium_balances(types, law) -> None:
    work = sum((t.rate * sum(t.prompt + k for k in range(t.output + 1)) for t in types), F(0))
    assert waiting.total_work(types) == work
    if F(str(law.d1)) * work >= 1:
        with pytest.raises(InputError, match="no equilibrium"):
            waiting.equilibrium(types, law)
        return
    found = waiting.equilibrium(types, law)
    assert lasts(law, found.memory) == found.iteration and found.memory == held(found.entering, types)
    assert found.throughput == sum((x * t.output for x, t in zip(found.entering, types, strict=True)), F(0)
                                   ) / found.iteration
    scale = waiting.largest_scale(types, law)
    for factor, exists in ((F(999, 1000), True), (F(1), False)) if scale else ():
        near = [waiting.RequestType(t.rate * scale * factor, t.prompt, t.output) for t in types]
        assert (waiting.over_time(near, law, [[F(1)] * len(types)]) != [None]) is exists


@pytest.mark.later
@given(TYPES, STEPS)
@CALM
def test_under_any_law_it_is_the_least_solution(types, law) -> None:
    work = waiting.total_work(types)
    solutions = [law.at(n) for n in range(1, law.most + 1)
                 if max(-(-(work * law.at(n)) // 1), 1) == n]
    if solutions:
        assert waiting.equilibrium(types, law).iteration == min(solutions)
    else:
        with pytest.raises(InputError, match="no equilibrium"):
            waiting.equilibrium(types, law)
        scale = waiting.largest_scale(types, law)
        assert scale < 1
        below = [waiting.RequestType(t.rate * scale, t.prompt, t.output) for t in types]
        assert waiting.equilibrium(below, law).memory <= law.most


def test_the_papers_instance_of_proposition_4() -> None:
    """K = d0/(1 - 9 d1), populations 2K and 3K, memory 9K (Appendix A.3)."""
    types, d1 = waiting.request_types([1, 1], 1, [1, 2]), 0.05
    found = waiting.equilibrium(types, MemoryLinearLaw(0.55, d1))
    assert found.iteration == 1 and found.population == (2, 3) and found.memory == 9


@pytest.mark.parametrize("scale", [40, 400])
def test_the_equilibrium_and_the_bound_on_a_batch_in_the_simulator(scale) -> None:
    """WAIT at its least thresholds: no batch is longer than theirs, and at scale its time is the equilibrium's."""
    types = waiting.request_types([F(scale), F(scale, 2)], 10, [10, 20])
    law = MemoryLinearLaw(0.02, 0.4 / float(waiting.total_work(types)))
    rule = waiting.wait_rule(types, law)
    classes = tuple(
        RequestClass(f"r{i}", Deterministic(t.prompt), Deterministic(t.output), Exponential(1 / float(t.rate)))
        for i, t in enumerate(types))
    model = LLMEngine(classes, IterationTime("memory", (law.d0, law.d1)), "wait", {"thresholds": rule.thresholds})
    run = run_engine(model, horizon=40.0, windows=4)
    assert run.longest <= rule.iteration * (1 + 1e-9)
    assert run.longest == pytest.approx(rule.iteration, rel=1e-9)
    fluid = float(waiting.equilibrium(types, law).iteration)
    assert fluid <= rule.iteration * (1 + 1e-12)
    assert run.seconds / run.iterations == pytest.approx(fluid, rel=0.6 if scale == 40 else 0.08)


# ---- thresholds ----

@given(TYPES, LAWS, st.booleans())
@CALM
def test_the_least_thresholds_by_brute_force(types, law, strict) -> None:
    system = waiting.wait_system(types, law, strict)
    found, most = system.least(), 6
    admissible = [n for n in itertools.product(range(1, most + 1), repeat=len(types))
                  for time in [lasts(law, held(n, types))]
                  if all(time * t.rate < x or (not strict and time * t.rate == x)
                         for x, t in zip(n, types, strict=True))]
    for n in itertools.product(range(1, most + 1), repeat=len(types)):
        assert (not system.broken(n)) == (n in admissible)
    if admissible:
        assert found == tuple(min(column) for column in zip(*admissible, strict=True)) and found in admissible
    else:
        assert found is None or max(found) > most
        assert found is None or not system.broken(found)


@given(TYPES, LAWS)
@CALM
def test_the_least_thresholds_by_highs(types, law) -> None:
    """The cheapest whole thresholds by branch and bound, the real ones by the simplex method."""
    system = waiting.wait_system(types, law)
    work, rates = [float(t.work) for t in types], [float(t.rate) for t in types]
    rows = np.eye(len(types)) - law.d1 * np.outer(rates, work)
    real = linprog(work, A_ub=-rows, b_ub=[-law.d0 * r for r in rates], bounds=[(0, 1e6)] * len(types))
    least = system.least_real()
    assert (least is None) == (real.status == 2) or waiting.largest_scale(types, law) < 1.001
    if least is not None and max(least) < 1e5:
        assert real.fun == pytest.approx(float(held(least, types)), rel=1e-6, abs=1e-9)
    whole = system.least()
    if whole is not None and max(whole) < 1000 and min(work) > 0:
        found = milp(work, constraints=LinearConstraint(rows, lb=[law.d0 * r for r in rates]), integrality=1,
                     bounds=(1, 2000))
        assert found.fun == pytest.approx(float(held(whole, types)), rel=1e-6)


@pytest.mark.later
@given(st.lists(RATES, min_size=2, max_size=3), LAWS, st.sampled_from([F(0), F(1, 10), F(1, 2)]))
@CALM
def test_the_least_nested_thresholds_by_brute_force(rates, law, slack) -> None:
    parts = waiting.segments(waiting.request_types(rates, 3, [2, 4, 5][: len(rates)]))
    total = sum(rates, F(0))
    assert parts.passes == tuple(sum(rates[i + 1:], F(0)) / sum(rates[i:], F(0)) for i in range(len(rates) - 1))
    system = waiting.nested_system(parts, law, slack)

    def admissible(n: tuple[int, ...]) -> bool:
        stages = [range(3), range(3, 5), range(5, 6)][: len(n)]
        memory = sum((x * (3 + k) for x, of in zip(n, stages, strict=True) for k in of), 0)
        return n[0] > (1 + slack) * total * lasts(law, F(memory)) and \
            all(n[k + 1] > (1 + slack) * p * n[k] for k, p in enumerate(parts.passes))

    good = [n for n in itertools.product(range(1, 8), repeat=len(rates)) if admissible(n)]
    found = system.least()
    if good:
        assert found == tuple(min(column) for column in zip(*good, strict=True))
    else:
        assert found is None or max(found) > 7


@given(TYPES, st.one_of(LAWS, STEPS), st.integers(1, 60))
@CALM
def test_a_conflict_is_irreducible(types, law, budget) -> None:
    system = waiting.wait_system(types, law, strict=True)
    found = thresholds.conflict(system, F(budget))
    assert (found is None) == (system.least(F(budget)) is not None)
    if found is None:
        return
    for left_out in (None, *found.names):
        names = [x for x in found.names if x != left_out]
        rest = system.only(names).least(F(budget) if thresholds.MEMORY in names else None)
        assert (rest is None) == (left_out is None)


def test_farkas_multipliers_show_the_papers_condition_fails() -> None:
    """d1 R >= 1: the conditions weighted by the types' work."""
    types = waiting.request_types([3, 2], [2, 4], [3, 5])
    law = MemoryLinearLaw(0.1, 0.01)  # d1 R = 0.42 + 0.78
    with pytest.raises(InputError, match=r"no thresholds are admissible; .*arrivals 1, arrivals 2"):
        waiting.cheapest(waiting.wait_system(types, law))
    found = waiting.conflict(waiting.wait_system(types, law))
    assert found is not None and found.multipliers is not None and min(found.multipliers) > 0
    short = waiting.conflict(waiting.wait_system(types, MemoryLinearLaw(0.1, 0.0001)), F(2))
    assert short is not None and "memory" in short.names


# ---- the paper's own choices (Section 6) ----

def test_the_papers_thresholds_for_wait_break_nine() -> None:
    """n_j = B rho_j/(l'_j + 1) is proportional to rho_j/(l'_j + 1), (9) at the equilibrium to rho_j: the type with the
    longer output binds, for every B, and at B where it holds the others have more than they need."""
    types = waiting.request_types([6000, 4000, 2000], 20, [100, 200, 300])
    chosen = [F(6000, 101), F(4000, 201), F(2000, 301)]
    needed = [n / t.rate for n, t in zip(chosen, types, strict=True)]
    assert needed[0] > needed[1] > needed[2] and needed[0] / needed[2] > F(29, 10)


@pytest.mark.parametrize(("rates", "outputs", "n"), [
    ([20, 40, 80, 160], [20, 40, 80, 160], [15, 14, 12, 8]),
    ([23, 11, 8, 7, 6, 4, 3, 2, 1, 1], list(range(50, 501, 50)), [66, 43, 32, 24, 17, 11, 7, 4, 2, 1]),
])
def test_the_papers_nested_thresholds_meet_every_ratio_of_ten_with_equality(rates, outputs, n) -> None:
    """(10) asks for n_(i+1)/n_i > p_i; the printed ratios are the p_i themselves, so that no queue has a drift."""
    parts = waiting.segments(waiting.request_types(rates, 10, outputs))
    assert [F(b, a) for a, b in itertools.pairwise(n)] == list(parts.passes)
    broken = waiting.nested_system(parts, MemoryLinearLaw(1e-9, 0.0)).broken(n)
    assert broken == [f"ratio {i}" for i in range(2, len(n) + 1)]


# ---- input ----

def test_types_of_a_workload() -> None:
    types = waiting.of_workload(workloads.load("wait-lmsys"), 50)
    assert len(types) == 500 and sum(t.rate for t in types) == 50
    assert [t.output for t in types] == list(range(1, 501))
    assert float(types[0].rate) == pytest.approx(50 * 23 / 66 / 50, rel=1e-9)
    parts = waiting.segments(types, 10)
    assert parts.ends == tuple(range(50, 501, 50)) and float(parts.passes[0]) == pytest.approx(43 / 66, rel=1e-9)
    two = waiting.of_workload(workloads.load("wait-low-demand"), 2000)
    assert [(t.rate, t.prompt, t.output) for t in two] == [(1000, 10, 10), (1000, 10, 20)]


@pytest.mark.parametrize(("make", "message"), [
    (lambda: waiting.RequestType("x", 1, 1), "must be a finite number"),
    (lambda: waiting.RequestType(-1, 1, 1), "at least 0"),
    (lambda: waiting.RequestType(1, 1.5, 1), "prompt length must be a whole number"),
    (lambda: waiting.request_types([1], [1, 2], [3]), "as many rates"),
    (lambda: waiting.segments(waiting.request_types([1, 1], [1, 2], [3, 4])), "one prompt length"),
    (lambda: waiting.segments(waiting.request_types([1, 1], 1, [3, 4]), 3), "1 to 2 segments"),
    (lambda: waiting.of_workload(workloads.load("eb-sharegpt"), 1), "the prompts of class .* no one length"),
    (lambda: waiting.over_time(waiting.request_types([1], 1, [1]), MemoryLinearLaw(1.0, 0.0), [[F(1)] * 2]), "factors"),
])
def test_bad_input_is_one_line(make, message) -> None:
    with pytest.raises(InputError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)


def test_500_types_and_the_example_of_the_package() -> None:
    types = waiting.of_workload(workloads.load("wait-lmsys"), 400)
    law = MemoryLinearLaw(0.02, 1e-7)
    found = waiting.cheapest(waiting.wait_system(types, law, strict=True))
    assert len(found) == 500 and not waiting.wait_system(types, law, strict=True).broken(found)
    assert doctest.testmod(waiting).failed == 0


