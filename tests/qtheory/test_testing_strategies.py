"""The strategies: every value is valid, runs in the functions that take it, and shrinks to a simple one."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from scipy import stats

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import LAWS, AffineLaw
from qtheory.simulate.sources import iteration_time, length_law
from qtheory.testing import engines, laws, lengths, networks, profiles, thresholds, workloads
from qtheory.testing.conditions import CONDITIONS, WaitThresholds
from qtheory.testing.strategies import _POLICIES
from qtheory.workloads import Deterministic

CALM = settings(derandomize=True, database=None, deadline=None, max_examples=12,
                suppress_health_check=list(HealthCheck))
FEW = settings(CALM, max_examples=6)
SIMPLEST = settings(CALM, max_examples=100, phases=[Phase.generate, Phase.shrink])


@given(laws())
@CALM
def test_laws_take_positive_time(law) -> None:
    columns = {v: np.array([0.0, 1.0]) for v in law.variables}
    assert np.all(law.time(**columns) >= 0)
    assert law.kind in ("mixed_quadratic", "context_affine") or iteration_time(law).constants


@pytest.mark.later
@given(st.sampled_from(sorted(LAWS)), st.data())
@CALM
def test_profiles_are_complete_and_of_the_kind(kind: str, data) -> None:
    profile = data.draw(profiles(kind))
    assert profile.complete and profile.law.kind == kind
    assert type(profile).model_validate(profile.to_dict()) == profile


@pytest.mark.slow
@given(lengths())
@CALM
def test_lengths_have_moments_and_tails(law) -> None:
    ages = np.arange(1, 200)
    assert np.all((law.pmf(ages) >= 0) & (law.survival(ages) <= 1))
    assert law.minimum <= law.mean <= 4096 and length_law(law).mean == pytest.approx(law.mean, rel=1e-6)


@pytest.mark.parametrize("rising", [True, False])
def test_the_hazard_rate_is_as_asked(rising: bool) -> None:
    @given(lengths(increasing_hazard=rising), workloads(increasing_hazard=rising, classes=2))
    @CALM
    def check(law, workload) -> None:
        assert law.increasing_failure_rate().increasing is rising
        assert all(c.output.increasing_failure_rate().increasing is rising for c in workload.classes)

    check()


@given(workloads(), st.integers(0, 9))
@CALM
def test_workloads_are_sampled(workload, seed: int) -> None:
    sample = workload.sample(np.random.default_rng(seed), 20)
    assert sample.prompt_lengths.min() >= 1 and sample.output_lengths.min() >= 1
    assert workload.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("policy", sorted(_POLICIES))
def test_engines_run(policy: str) -> None:
    @given(engines(policy))
    @settings(CALM, max_examples=3, phases=[Phase.generate])
    def check(engine) -> None:
        assert engine.policy == policy
        run = engine.run(horizon=2.0, windows=2)
        assert run.iterations >= 0 and run.windows * run.window == pytest.approx(2.0)

    check()


@given(networks())
@CALM
def test_networks_have_loads_and_orders(network) -> None:
    """The busiest engine's load is one of the tenths from 1/10 to 6/5."""
    assert set(network.works) == set(network.rates) and network.scaled(2).rates
    assert network.to_networkx().number_of_nodes() >= len(network.visits)
    loads = [sum(network.rates[v.name] * network.works[v.name] for v in network.visits if v.engine == e.name)
             for e in network.engines]
    assert 10 * max(loads) in range(1, 13)


@given(networks(load="9/10", engines=2, types=1))
@CALM
def test_the_load_of_a_network_is_as_asked(network) -> None:
    loads = [sum(network.rates[v.name] * network.works[v.name] for v in network.visits if v.engine == e.name)
             for e in network.engines]
    assert max(loads) == Fraction(9, 10)


@given(networks(load="9/10", engines=2, types=1, routes=True))
@CALM
def test_networks_with_random_routes(network) -> None:
    """Each visit is made at least once in a while, and what goes on and what leaves balances what comes."""
    assert network.routed
    left = sum(network.rates[n] * (1 - sum(ways.values())) for n, ways in network.routing.items())
    assert left == sum(t.rate for t in network.types) and min(network.rates.values()) > 0


def is_best(t) -> bool:
    """Proposition 3.1's threshold has the largest fluid throughput, k over the time of a cycle, of all below N."""
    def throughput(k: int) -> float:
        decode = (t.beta_d * k - t.alpha_d * math.log1p(-k / t.N)) / t.p0
        return k / (decode + t.alpha_p + t.beta_p * k * t.prompt)

    rates = [throughput(k) for k in range(1, t.N)]
    return rates[t.k - 1] >= max(rates) * (1 - 1e-11)


def is_safe(t) -> bool:
    """E[M] Pr(O_1 + ... + O_N > capacity - N prompt) <= eps: M by the tails of a binomial law, the sum of geometric
    outputs by the law of the number of successes in that many trials."""
    iterations, m = 0.0, 0
    while (short := stats.binom.cdf(t.k - 1, t.N, 1 - (1 - t.p0) ** m)) > 1e-15:
        iterations, m = iterations + short, m + 1
    trials = t.capacity - t.N * t.prompt  # the N-th success comes later than this
    tail = 1.0 if trials < t.N else stats.binom.cdf(t.N - 1, trials, t.p0)
    return min(1.0, iterations * tail) <= t.eps


def is_waiting(t) -> bool:
    """(9): an iteration over all stages of all types at their thresholds is no longer than n_j/lambda_j."""
    tokens = sum(n * sum(prompt + stage for stage in range(output + 1))
                 for n, prompt, output in zip(t.n, t.prompts, t.outputs, strict=True))
    return all((t.d0 + t.d1 * tokens) * rate <= n for n, rate in zip(t.n, t.rates, strict=True))


ASKED = {"eb.prop-3.1": is_best, "eb.prop-3.3.corrected": is_safe, "wait.eq-9": is_waiting}


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("met", [True, False])
def test_thresholds_meet_or_break_a_condition(condition: str, met: bool) -> None:
    """The condition is computed here from its definition, and the object's own answer is held against that."""
    @given(thresholds(**{"meets" if met else "breaks": condition}))
    @FEW
    def check(threshold) -> None:
        assert bool(ASKED[condition](threshold)) is met is threshold.meets(condition)

    check()


def test_the_memory_of_waiting_by_its_stages() -> None:
    """Two requests of 3 + 2 tokens hold 3, 4 and 5 tokens in their three stages; one of 1 + 1 holds 1 and 2."""
    t = WaitThresholds((2, 1), (Fraction(1), Fraction(1)), (3, 1), (2, 1), Fraction(1), Fraction(1, 10))
    assert t.memory == 2 * (3 + 4 + 5) + 1 + 2 and t.iteration == 1 + Fraction(27, 10)


@given(thresholds(meets="eb.prop-3.1", breaks="eb.prop-3.3.corrected"))
@FEW
def test_conditions_are_combined(threshold) -> None:
    assert is_best(threshold) and not is_safe(threshold)


def test_what_is_shown_is_simple() -> None:
    assert find(laws(), lambda law: True, settings=SIMPLEST) == AffineLaw(0.0001, 0.0)
    assert find(lengths(), lambda law: law.mean > 100, settings=SIMPLEST) == Deterministic(101)
    found = find(thresholds(meets="eb.prop-3.1"), lambda t: t.N > 5, settings=SIMPLEST)
    assert found.N <= 8 and found.prompt == 1
    network = find(networks(), lambda n: len(n.visits) > 1, settings=SIMPLEST)
    assert len(network.visits) == 2 and len(network.engines) == 1


@pytest.mark.parametrize(("make", "error", "message"), [
    (lambda: laws("afine"), UnknownNameError, "unknown law 'afine'; nearest: affine"),
    (lambda: profiles("afine"), UnknownNameError, "unknown law 'afine'; nearest: affine"),
    (lambda: engines("vlm"), UnknownNameError, "unknown policy 'vlm'; nearest: vllm"),
    (lambda: lengths(longest=2), InputError, "longest is 2"),
    (lambda: workloads(classes=0), InputError, "classes is 0"),
    (lambda: thresholds(meets="eb.prop-3.2"), UnknownNameError, "unknown condition on thresholds 'eb.prop-3.2'"),
    (lambda: thresholds(meets="wait.eq-9", breaks="wait.eq-9"), InputError, "cannot be met and broken at once"),
    (lambda: thresholds(meets=["wait.eq-9", "eb.prop-3.1"]), InputError, "conditions of one paper are needed"),
])
def test_bad_options(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_condition_of_another_paper() -> None:
    threshold = find(thresholds(), lambda t: True, settings=SIMPLEST)
    with pytest.raises(UnknownNameError, match="condition on a threshold of exclusive batching"):
        threshold.meets("wait.eq-9")
