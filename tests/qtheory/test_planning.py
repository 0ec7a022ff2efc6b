"""The steady-state programs against the paper's own: rates, constraints, service levels, and known optima."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.linprog import Infeasible
from qtheory.theory.planning import (
    CHARGING,
    DecodeFairness,
    Instance,
    IterationTimes,
    PrefillFairness,
    Prices,
    RequestClass,
    TokenTime,
    eight_class_instance,
    frontier,
    plan,
    two_class_instance,
)

TWO = two_class_instance()


def drawn(seed: int, classes: int = 3) -> Instance:
    draw = random.Random(seed)
    rows = [RequestClass(f"class {i}", F(draw.randint(50, 3000)), F(draw.randint(50, 1500)),
                         F(draw.randint(1, 80), 100), F(draw.randint(1, 30), 100)) for i in range(classes)]
    times = IterationTimes.linear(F(draw.randint(5, 30), 1000), F(draw.randint(1, 100), 10**6), 256,
                                  gamma=F(draw.randint(20, 120)))
    return Instance(tuple(rows), times, draw.randint(1, 32), Prices(F(1, 10), F(draw.randint(0, 5), 10)))


def test_rates_are_the_papers() -> None:
    tau = F("0.0174") + F("0.000062") * 256
    assert TWO.times.mixed == tau and TWO.times.kappa == F("45.45") * tau
    assert TWO.mu_p == (256 / (300 * tau), 256 / (3000 * tau))
    assert TWO.mu_m == (1 / (1000 * tau), 1 / (400 * tau))
    assert TWO.mu_s == (F("45.45") / 1000, F("45.45") / 400)
    assert TWO.rewards == (F(230), F(380))


@pytest.mark.parametrize("charging", CHARGING)
@pytest.mark.parametrize("seed", range(12))
def test_a_plan_obeys_the_fluid_models_steady_state(seed: int, charging: str) -> None:
    """(33) to (35) and both flow balances, stated anew from the rates."""
    it = drawn(seed)
    found = plan(it, charging)
    assert found.optimum.check() == []
    x = sum(found.x)
    assert 0 <= x <= 1 and sum(found.y_m) <= (it.batch - 1) * x and sum(found.y_s) <= it.batch * (1 - x)
    for i, c in enumerate(it.classes):
        assert c.rate - c.patience * found.q_p[i] == it.mu_p[i] * found.x[i]
        done = it.mu_m[i] * found.y_m[i] + it.mu_s[i] * found.y_s[i]
        assert it.mu_p[i] * found.x[i] - c.patience * found.q_d[i] == done == found.served[i]
    if charging == "bundled":
        assert found.value == sum(w * s for w, s in zip(it.rewards, found.served, strict=True))
    else:
        prefills = sum(m * v * c.prompt for m, v, c in zip(it.mu_p, found.x, it.classes, strict=True))
        decodes = sum(s * c.decode for s, c in zip(found.served, it.classes, strict=True))
        assert found.value == it.prices.prefill * prefills + it.prices.decode * decodes


@pytest.mark.parametrize("seed", range(25))
def test_bundled_revenue_needs_no_decode_queue(seed: int) -> None:
    """Proposition 1, where solo decode is efficient enough; separate charging may need one."""
    it = drawn(seed)
    with_queue, without = plan(it), plan(it, buffers=False)
    assert with_queue.value >= without.value
    if it.solo_efficient:
        assert with_queue.value == without.value
    assert plan(it, "separate").value >= with_queue.value


def test_separate_charging_may_keep_a_decode_queue() -> None:
    found = plan(TWO, "separate")
    assert sum(found.q_d) > 0 and found.value > plan(TWO, "separate", buffers=False).value


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 6, 7])
def test_more_gpus_and_slots_are_worth_their_prices(seed: int) -> None:
    """The value's derivatives, against small steps of it; at a degenerate optimum it has two."""
    it = drawn(seed, 2)
    found = plan(it)
    assert not found.optimum.degenerate
    n, step = F(1000), F(1, 10**6)
    more = plan(it.scaled(n / (n + step))).value * (n + step)
    assert float((more - found.value * n) / step) == pytest.approx(float(found.gpu_worth), rel=1e-3, abs=1e-6)


def test_service_levels_bind_and_their_slope_is_their_price() -> None:
    for level, kind in ((PrefillFairness(F(1, 10)), "x"), (DecodeFairness(F(1)), "y_s")):
        found = plan(TWO, "bundled", [level])
        values = getattr(found, kind)
        assert max(values) - min(values) == level.bound and found.value < plan(TWO).value
        whole = frontier(TWO, type(level)(), F(0), F(1), "bundled")
        assert whole.at(level.bound) == found.value
        row = "prefill_fairness" if kind == "x" else "decode_fairness"
        assert found.price(row).right in [p.slope for p in whole.pieces]
    found = plan(TWO, "bundled", [TokenTime(F("0.023"))])
    assert found.token_time == F("0.023")


def test_a_penalty_is_a_bound_with_that_price() -> None:
    """Where the frontier's slope passes the weight, the penalised plan sits (44)."""
    whole = frontier(TWO, PrefillFairness(), F(0), F(3, 10))
    weight = (whole.pieces[0].slope + whole.pieces[1].slope) / 2
    found = plan(TWO, "bundled", [PrefillFairness(weight=weight)])
    assert max(found.x) - min(found.x) == whole.breakpoints[0]
    assert found.revenue - weight * whole.breakpoints[0] == found.value


def test_an_impossible_level_names_its_conflict() -> None:
    with pytest.raises(Infeasible, match=r"the mean time per output token is at most 0\.02 s"):
        plan(TWO, "bundled", [TokenTime(F("0.02"))])
    patient = Instance((RequestClass("a", 3000, 400, 5),), TWO.times, 16, TWO.prices)  # type: ignore[arg-type]
    with pytest.raises(Infeasible, match="all requests of 'a' are prefilled"):
        plan(patient)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Prices(F(-1), F(1)), "the price of prefill tokens must be at least 0, not -1"),
    (lambda: RequestClass("a", F(0), F(1), F(1)), "class 'a': prompt must be positive, not 0"),
    (lambda: RequestClass("a", F(1), F(1), F(-1)), "class 'a': rate must be at least 0, not -1"),
    (lambda: RequestClass("a", F(1), F(1), float("nan")), "class 'a': rate must be a finite number, not nan"),
    (lambda: Instance((), TWO.times, 16, TWO.prices), "at least one class"),
    (lambda: Instance(TWO.classes * 2, TWO.times, 16, TWO.prices), "two classes are named 'class 0'"),
    (lambda: Instance(TWO.classes, TWO.times, 0, TWO.prices), "the batch size is a whole number of at least 1, not 0"),
    (lambda: IterationTimes(F(0), F(1), F(1)), "mixed must be positive, not 0"),
    (lambda: IterationTimes.linear(1, 1, 1, gamma=0), "gamma must be positive, not 0"),
    (lambda: TokenTime(F(-1)), "the bound on the mean time per output token must be at least 0, not -1"),
    (lambda: plan(TWO, "bundled", [TokenTime(F(1)), TokenTime(F(2))]), "each service level is given once"),
])
def test_bad_input_says_what_would_be_right(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]


def test_an_unknown_charging_scheme_is_named() -> None:
    with pytest.raises(UnknownNameError, match="charging scheme 'bundle'; nearest: bundled"):
        plan(TWO, "bundle")


@pytest.mark.parametrize("charging", ["bundled", "separate"])
def test_pool_weights_are_shares_of_what_a_pool_completes(charging: str) -> None:
    """EC.6; a class's completions are p_s,i of solo and the rest of mixed GPUs, which the weights must agree with."""
    for instance in (two_class_instance(), eight_class_instance(3), eight_class_instance(6)):
        found = plan(instance, charging)
        solo, mixed = found.pool_weights
        done = [s * p for s, p in zip(found.served, found.solo_shares, strict=True)]
        beside = [s * (1 - p) for s, p in zip(found.served, found.solo_shares, strict=True)]
        for weights, flows in ((solo, done), (mixed, beside)):
            assert sum(weights) == (1 if sum(flows) else 0)
            assert [w * sum(flows) for w in weights] == flows
