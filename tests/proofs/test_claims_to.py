"""The claims of the throughput-optimal paper: complete, sourced, quoted, and true or false where exact runs say so."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from claim_checks import SEEDS, check_form, check_hypotheses, check_lines, check_refutations

from qtheory.proofs.catalogue import items
from qtheory.proofs.claims.outcomes import Fails
from qtheory.proofs.claims.to.models.appendix_b_runs import FIGURE_1, LONG_PROMPTS, STATES, breaks, constants
from qtheory.proofs.claims.to.models.chain import (
    Law,
    State,
    by_2_3,
    chosen,
    decrease,
    drift,
    mean_tokens,
    run,
    sketched,
    squared,
    tokens,
)
from qtheory.proofs.claims.to.models.schedulers import Scheduler, faster_transformer, orca, sarathi, vllm
from qtheory.proofs.claims.to.models.sources import STATED, sourced
from qtheory.proofs.corpus import paper
from qtheory.proofs.records import records

SEED = SEEDS / "002_80b108a7b765e413.txt"
CLAIMS = paper("to").claims
BY_ID = {c.id: c for c in CLAIMS}
PRINTED = {i.id: i for i in items("to")}


# ---- the catalogue ----

@pytest.mark.later
def test_claims_are_well_formed() -> None:
    check_form(CLAIMS)


def test_the_nearest_source_is_taken() -> None:
    section, own = {"b > 0": "l. 3"}, {"c > 0": "l. 4"}
    assert sourced(("c > 0", "b > 0", "b >= 1"), own, section) == {
        "c > 0": "l. 4", "b > 0": "l. 3", "b >= 1": STATED["b >= 1"]}
    with pytest.raises(KeyError, match="d > 0"):
        sourced(("d > 0",))
    with pytest.raises(KeyError, match="no condition"):
        sourced(("a > 0",), own, section)


def test_an_added_hypothesis_makes_a_correction() -> None:
    check_hypotheses("to", CLAIMS)


def test_refutations_say_how_and_are_recorded() -> None:
    recorded = records()
    for c in CLAIMS:
        assert c.id in recorded, c.id
        assert (recorded[c.id]["verdict"] == "refuted") == (c.severity is not None), c.id
        if c.severity is not None and c.id in PRINTED:
            assert not c.corrected_by or recorded[c.corrected_by]["verdict"] in ("proved", "checked", "supported"), c.id
    check_refutations("to", CLAIMS)


@pytest.mark.skipif(not SEED.exists(), reason="the papers' text is not beside this checkout")
def test_quoted_lines_exist() -> None:
    check_lines(SEED, CLAIMS, [*STATED.values(), *(c.note for c in CLAIMS)])


# ---- Section 2.2's chain ----

def random_state(rng: random.Random, full: bool) -> State:
    """At most six requests that decode, or one that fills the batch with prefill tokens among them."""
    requests = [(0, rng.randint(1, 40)) for _ in range(rng.randint(1, 6))]
    if full or rng.random() < 0.5:
        requests.insert(rng.randint(0, len(requests)), (rng.randint(1, 30), rng.randint(1, 40)))
    return 0, tuple(requests)


HALF = Fraction(1, 2)
SINGLE: Law = ((HALF, ()), (HALF, ((1, 1),)))
LAWS: tuple[Law, ...] = (LONG_PROMPTS, FIGURE_1, SINGLE, ((HALF, ()), (HALF, ((1, 1), (1, 1)))), (
    (Fraction(1, 4), ()), (Fraction(1, 2), ((2, 3),)), (Fraction(1, 4), ((1, 1), (4, 2)))))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("scheduler", [sarathi, orca])
def test_appendix_b_drift_is_the_enumerated_one(law: Law, scheduler: Scheduler) -> None:
    """E f(X(n+1)) - f(X(n)) = lambda (p + d) + eps lambda E[(d + 1)^2]/(4 L lambda) - Delta, with the corrected Delta;
    and the printed Delta is too large wherever a decoding request is left out."""
    rng, engine, weight = random.Random(1), by_2_3(4, 1, 0, 1), Fraction(1, 7)
    squares = sum((w * sum((d + 1) ** 2 for _, d in arrivals) for w, arrivals in law), Fraction(0))
    left_out = 0
    for _ in range(40):
        state = random_state(rng, full=False)
        batch = chosen(engine, scheduler, state)
        found = drift(engine, scheduler, law, squared(weight), state)
        assert found == mean_tokens(law) + weight * squares - decrease(weight, state, batch, printed=False)
        waits = any(p == 0 and d == 0 for (p, _), (_, d) in zip(state[1], batch, strict=True))
        assert (decrease(weight, state, batch, printed=True) > decrease(weight, state, batch, printed=False)) == waits
        left_out += waits
    assert left_out > 5


@pytest.mark.slow
def test_appendix_b_bound_holds_with_its_constants_put_right() -> None:
    """On states of the chain: L with E[(d + 1)^2] <= 2L, and no idle scheduler."""
    rng, engine = random.Random(2), by_2_3(4, 1, 0, 1)
    eps, weight, least = constants(engine, SINGLE, Fraction(4))
    f = squared(weight)
    for scheduler in (sarathi, orca):
        for _ in range(40):
            _, requests = random_state(rng, full=False)
            state: State = (0, (*requests, (0, rng.randint(1000, 2000))))
            assert f(state) >= least
            assert drift(engine, scheduler, SINGLE, f, state) <= -eps / 2
    for name in ("to.eq-B.1", "to.app-B.conclusion"):
        run_of = BY_ID[name].run
        assert run_of is not None and isinstance(run_of(), Fails)
    for engine, scheduler, law, L, state in STATES.values():
        assert breaks(engine, scheduler, law, L, state) is not None
        assert mean_tokens(law) < engine.rate  # (2.7)
        assert sum(w * len(a) * max(d for _, d in a) ** 2 for w, a in law if a) <= L * sum(w * len(a) for w, a in law)
        remaining, requests = state  # with twice as many requests, and any number, the drift is the same
        weight = constants(engine, law, L)[1]
        more: State = (remaining, requests * 2)
        assert drift(engine, scheduler, law, squared(weight), more) == drift(
            engine, scheduler, law, squared(weight), state)


def waiting(state: State, phase: int) -> int:
    """Prefill tokens, or decode tokens of prefilled requests."""
    return sum(p if phase == 0 else d for p, d in state[1] if phase == 0 or p == 0)


def test_unmixed_schedulers_fail_below_load_one() -> None:
    """The instances of to.sec-3.ft-unstable and to.sec-3.vllm-unstable, slot by slot; mixed ones carry the load."""
    slots = 300
    ft = list(run(by_2_3(5, 1, 0, 1), faster_transformer, (0, ()), [((2, 2),)] * slots))
    cycles = [waiting(s, 0) for s in ft[4::3]]
    assert all(b >= a + 1 for a, b in pairwise(cycles)) and tokens(ft[-1]) > 150
    one = list(run(by_2_3(4, 1, 0, 1), vllm, (0, ()), [((1, 1),)] * slots))
    assert [waiting(s, 1) for s in one[1:]] == list(range(slots))
    for engine, request in ((by_2_3(5, 1, 0, 1), (2, 2)), (by_2_3(4, 1, 0, 1), (1, 1))):
        for scheduler in (sarathi, orca):
            assert max(map(tokens, run(engine, scheduler, (0, ()), [(request,)] * slots))) <= 12


def test_the_sketched_function_has_the_drift_that_is_claimed() -> None:
    """to.sec-2.3.sketch-drift: at (0, {(0, d)}), without the bound of l. 204, and where R > 0 or the batch is full."""
    engine = by_2_3(3, 1, 1, 1)
    f, load = sketched(engine), mean_tokens(SINGLE)
    for d in (2, 50, 10**6):
        assert drift(engine, sarathi, SINGLE, f, (0, ((0, d),))) == load - 1 + (engine.times[1] - 1) * engine.rate
    for state in ((2, ((0, 9),)), (1, ()), (0, ((5, 1), (0, 3))), (0, ((0, 2),) * 4)):
        assert drift(engine, sarathi, SINGLE, f, state) == load - engine.rate
