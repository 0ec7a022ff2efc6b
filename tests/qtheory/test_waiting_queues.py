"""The martingale root, the queues' laws and the memory of Nested WAIT, against definitions computed apart."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.theory import waiting
from qtheory.theory.waiting import queues
from qtheory.theory.waiting.queues import Arrivals

CALM = settings(derandomize=True, deadline=None, max_examples=30)
SMALL = st.tuples(st.integers(2, 4), st.integers(1, 9), st.integers(1, 4)).map(lambda x: (x[0], x[1] / 10, x[2]))


# ---- the root ----

def test_500_roots_to_12_digits() -> None:
    """By mpmath at 50 digits, from the bracket of the bounds; loads near 1 and rare passes among them."""
    rng = np.random.default_rng(3)
    trials = rng.integers(2, 5000, 500)
    share = np.concatenate([rng.uniform(0.001, 0.999, 250), 10 ** rng.uniform(-6, -0.01, 250)])
    n = np.minimum(np.floor(trials * share) + 1 + rng.integers(0, 5, 500), trials - 1)
    good = n > trials * share
    trials, share, n = trials[good], share[good], n[good]
    assert len(n) > 400
    found = waiting.binomial_roots(trials, share, n)
    lower, sharper, upper = waiting.root_bounds(trials, share, n)
    assert (lower <= sharper * (1 + 1e-12)).all() and (sharper <= found * (1 + 1e-9)).all()
    assert (found <= upper * (1 + 1e-9)).all()
    with mpmath.workdps(50):
        for N, p, k, theta in zip(trials.tolist(), share.tolist(), n.tolist(), found.tolist(), strict=True):
            q = mpmath.mpf(p)
            exact = mpmath.findroot(lambda t, N=N, q=q, k=k: N * mpmath.log1p(q * mpmath.expm1(t)) - k * t, theta)
            assert abs(exact - theta) <= 1e-12 * theta, (N, p, k)


@given(st.floats(0.01, 500), st.floats(1e-6, 5))
@CALM
def test_poisson_roots(mean, more) -> None:
    n = mean * (1 + more)
    assume(n > mean)
    theta = float(waiting.poisson_roots(mean, n))
    with mpmath.workdps(50):
        a, k = mpmath.mpf(mean), mpmath.mpf(n)
        exact = -mpmath.lambertw(-a / k * mpmath.exp(-a / k), -1).real - a / k
        assert abs(exact - theta) <= 1e-11 * theta


@pytest.mark.parametrize(("N", "p", "n"), [(50, F(3, 10), 20), (100, F(999, 1000), 99), (10**6, F(1, 2), 500001),
                                           (3, F(1, 10**8), 1), (66, F(42, 66), 43)])
def test_the_enclosure_is_narrow_and_holds_the_root(N, p, n) -> None:
    if n <= N * p:
        with pytest.raises(InputError, match="N p < n < N"):
            waiting.enclosure(N, p, n)
        return
    low, high = waiting.enclosure(N, p, n)
    assert 0 < high - low <= F(1, 10**12) * low
    with mpmath.workdps(60):
        def g(t: F) -> mpmath.mpf:
            x = mpmath.mpf(t.numerator) / t.denominator
            return N * mpmath.log1p(mpmath.mpf(p.numerator) / p.denominator * mpmath.expm1(x)) - n * x
        assert g(low) < 0 < g(high)


def test_theorem_2s_own_lower_bound_fails() -> None:
    """8 (n_j - n_(j-1) p_j)/n_j of Theorem 2 is above the root; Lemma 8's, with n_(j-1) below the line, is not."""
    N, p, n = 10, 0.5, 6
    theta = float(waiting.binomial_roots(N, p, n))
    assert 8 * (n - N * p) / n > theta > 8 * (n - N * p) / N


# ---- queues ----

def test_variances_and_kingmans_bound_by_hand() -> None:
    assert Arrivals.binomial(20, 0.5).variance == 5 and Arrivals.poisson(8.0).variance == 8
    assert waiting.kingman(Arrivals.binomial(20, 0.5), 12) == 5 / (2 * 2)
    assert waiting.kingman(Arrivals.poisson(8.0), 10) == 8 / (2 * 2)


def test_a_level_that_is_reached_for_sure_is_reached_with_probability_one() -> None:
    """No more, though what is computed is rounded up."""
    y = Arrivals.binomial(3, 0.9)
    assert waiting.reaches(y, 3, 1, 40) == 1.0 and waiting.reaches(y, 3, 0, 1) == 1.0


def enumerated(y: Arrivals, steps: int) -> dict[tuple[int, ...], float]:
    one = [math.comb(y.trials, k) * y.share**k * (1 - y.share) ** (y.trials - k) for k in range(y.trials + 1)]
    return {path: math.prod(one[k] for k in path) for path in itertools.product(range(y.trials + 1), repeat=steps)}


@given(SMALL, st.integers(1, 5))
@CALM
def test_the_lindley_law_by_enumeration(small, steps) -> None:
    N, p, n = small
    assume(N * p < n)
    y, law = Arrivals.binomial(N, p), np.zeros(50)
    for path, weight in enumerated(y, steps).items():
        u = 0
        for k in path:
            u = max(u + k - n, 0)
        law[u] += weight
    found = waiting.lindley_law(y, n, steps)
    mean = float(law @ np.arange(50))
    assert found.mean[0] - 1e-12 <= mean <= found.mean[1] + 1e-12 and found.mean[1] - found.mean[0] < 1e-6
    assert mean <= waiting.kingman(y, n) + 1e-12
    for x in range(4):
        low, high = found.tail(x)
        assert low - 1e-12 <= law[x:].sum() <= high + 1e-12
        assert law[x:].sum() <= waiting.martingale_tail(y, n, x) + 1e-12


@given(SMALL, st.integers(1, 5), st.integers(1, 9))
@CALM
def test_reaching_a_level_by_enumeration(small, steps, level) -> None:
    N, p, n = small
    assume(N * p < n)
    y, exact = Arrivals.binomial(N, p), 0.0
    for path, weight in enumerated(y, steps).items():
        v, top = 0, 0
        for k in path:
            v = v - n * (v >= n) + k
            top = max(top, v)
        exact += weight * (top >= level)
    assert waiting.reaches(y, n, level, steps) == pytest.approx(exact, rel=1e-7, abs=1e-15)
    assert waiting.reaches_bound(y, n, level, steps) >= exact * (1 - 1e-12)


@given(st.integers(5, 30), st.floats(0.1, 0.9), st.integers(1, 5), st.integers(1, 60), st.integers(1, 400))
@CALM
def test_both_ways_to_reach_a_level_agree(N, p, more, level, steps) -> None:
    n = math.floor(N * p) + more
    pmf, tails = Arrivals.binomial(N, p).masses(level)
    one = queues._stepped(pmf, tails, n, level, steps)
    assert one == pytest.approx(queues._powered(pmf, tails, n, level, steps), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("y", "n"), [(Arrivals.binomial(20, 0.5), 12), (Arrivals.poisson(8.0), 10),
                                      (Arrivals.poisson(0.3), 1), (Arrivals.binomial(50, 0.9), 46)])
def test_the_stationary_law_by_spitzer_and_by_a_long_run(y, n) -> None:
    """E max of the walk is the sum of E(S_k)^+/k (the paper's Lemma 4); and the mean of 400,000 steps of the queue."""
    from scipy.stats import binom, poisson

    found = waiting.lindley_law(y, n)
    total = 0.0
    for k in range(1, 2000):
        law = binom(k * y.trials, y.share) if y.trials else poisson(k * y.mean)
        top = int(k * y.mean + 12 * math.sqrt(k * y.variance)) + 40
        if top <= k * n and k > 50:
            break
        x = np.arange(k * n, max(top, k * n + 1))
        total += float((x - k * n) @ law.pmf(x)) / k
    assert found.mean[0] - 1e-7 <= total <= found.mean[1] + 1e-7
    assert found.mean[1] <= waiting.kingman(y, n)
    rng = np.random.default_rng(5)
    steps = (rng.binomial(y.trials, y.share, 200_000) if y.trials else rng.poisson(y.mean, 200_000)) - n
    walk = np.cumsum(steps)
    queue = walk - np.minimum.accumulate(np.minimum(walk, 0))
    parts = queue.reshape(40, -1).mean(axis=1)
    assert abs(parts.mean() - sum(found.mean) / 2) < 5 * parts.std(ddof=1) / math.sqrt(40)


def test_the_couplings_of_the_paper_hold_on_paths() -> None:
    """Lemma 7: what a batch leaves is at most n + U; and V <= U + 2n - 1."""
    rng = random.Random(1)
    for _ in range(200):
        n, N = rng.randint(1, 6), rng.randint(1, 8)
        u = v = 0
        for _ in range(100):
            k = rng.randint(0, N)
            v, u = v - n * (v >= n) + k, max(u + k - n, 0)
            assert v <= u + 2 * n - 1 and v - n * (v >= n) <= u + n


# ---- memory ----

def nested(rates: list[int], thresholds: tuple[int, ...], outputs: list[int], batches: int, rng: random.Random
           ) -> list[int]:
    """Algorithm 2 with a queue that never is empty, request by request: tokens held in each batch, prompts of 3."""
    ends, fifo, most = outputs, [[] for _ in range(outputs[-1] + 1)], []
    for _ in range(batches):
        while len(fifo[0]) < thresholds[0]:
            fifo[0].append(rng.choices(outputs, rates)[0])
        first = [0, *(e + 1 for e in ends[:-1])]
        run = 0
        while run < len(ends) and len(fifo[first[run]]) >= thresholds[run]:
            run += 1
        moved, tokens = [], 0
        for k, held in enumerate(fifo):
            i = next(i for i, e in enumerate(ends) if k <= e)
            took = held[: thresholds[i]] if i < run else []
            tokens += sum(3 + k for _ in took)
            if k:
                tokens += sum(3 + k - 1 for _ in held[len(took):])
            moved.append(took)
            fifo[k] = held[len(took):]
        for k, took in enumerate(moved[:-1]):
            fifo[k + 1] += [o for o in took if o > k]
        most.append(tokens)
    return most


@pytest.mark.later
@pytest.mark.parametrize("delta", [0.2, 0.02])
def test_the_memory_suffices_as_often_as_promised(delta) -> None:
    rates, outputs, n, batches = [2, 1, 1], [2, 4, 5], (8, 5, 3), 60
    parts = waiting.segments(waiting.request_types(rates, 3, outputs))
    need = waiting.requirement(parts, n, batches, delta)
    assert need.batch == 8 * (3 + 4 + 5) + 5 * (6 + 7) + 3 * 8
    assert need.risk <= delta and need.total <= waiting.printed(parts, n, batches, delta).total
    rng = random.Random(7)
    peaks = [max(nested(rates, n, outputs, batches, rng)) for _ in range(400)]
    exceeded = sum(peak > need.total for peak in peaks)
    assert exceeded <= 400 * delta + 4 * math.sqrt(400 * delta)
    assert max(peaks) > float(need.batch)  # some requests do wait beyond the batch's own
    fewer = [x for x in need.beyond if x]
    assert fewer  # and the next smaller allowance of a segment has more than its share of the risk
    for (a, p, b), x, risk in zip(zip(n, map(float, parts.passes), n[1:], strict=False), need.beyond, need.risks,
                                  strict=True):
        assert waiting.reaches(Arrivals.binomial(a, p), b, b + x + 1, batches) == pytest.approx(risk)


def test_the_printed_parts_by_hand() -> None:
    parts = waiting.segments(waiting.request_types([1, 1, 2], 10, [20, 40, 80]))
    n = (20, 17, 13)
    assert parts.passes == (F(3, 4), F(2, 3))
    assert parts.printed_weights == ((10 + 10) * 20, (10 + 30) * 20, (10 + 70) * 40)
    assert parts.weights == (21 * 20, sum(10 + k for k in range(21, 41)), sum(10 + k for k in range(41, 81)))
    found = waiting.printed(parts, n, 1000, 0.1, weights="11")
    # the root above 0 of N log(1 - p + p exp(t)) = n t, by halving: the left side is less below it
    roots = [optimize.brentq(lambda t, N=N, p=p, n=n: N * math.log1p(p * math.expm1(t)) - n * t, 1e-3, 20)
             for N, p, n in ((20, 0.75, 17), (17, 2 / 3, 13))]
    assert found.batch == pytest.approx(20 * 400 + 17 * 800 + 13 * 3200)
    assert found.queues == 17 * 30 + 13 * 50
    assert found.reserve == pytest.approx((30 / roots[0] + 50 / roots[1]) * math.log(3 * 1000 / 0.1))


def test_batches_of_a_time() -> None:
    parts = waiting.segments(waiting.request_types([30, 30], 10, [5, 9]))
    assert waiting.most_batches(parts, MemoryLinearLaw(0.02, 0.0), (1, 1), 10, 1e-3) == (501, 0.0)
    count, late = waiting.most_batches(parts, MemoryLinearLaw(0.001, 0.0), (6, 4), 10, 1e-3)
    assert late == 1e-3 and 100 < count < 120  # 600 arrivals on average, six a batch
    rng = np.random.default_rng(0)
    assert (rng.poisson(600, 20_000) // 6 > count).mean() <= 2e-3


# ---- the rule ----

def test_the_rule_keeps_its_promise_and_says_what_is_missing() -> None:
    types = waiting.request_types([60, 30, 30], 20, [20, 40, 80])
    law = MemoryLinearLaw(0.1, 1e-6)
    found = waiting.nested_rule(types, law, horizon=600, delta=1e-3)
    assert found.risk <= 1e-3 and found.segments is not None and found.printed is not None
    assert found.memory < found.printed.total
    assert not waiting.nested_system(found.segments, law).broken(found.thresholds)
    known = waiting.wait_rule(types, law)
    assert known.memory < found.memory and known.risk == 0
    assert waiting.nested_rule(types, law, 600, 1e-3, memory=found.memory).thresholds == found.thresholds
    with pytest.raises(InputError, match="the least memory found is"):
        waiting.nested_rule(types, law, 600, 1e-3, memory=found.memory / 2)
    with pytest.raises(InputError, match=r"conditions cannot be met together: .*memory"):
        waiting.wait_rule(types, law, memory=100)
    with pytest.raises(InputError, match="arrivals 1"):
        waiting.nested_rule(types, MemoryLinearLaw(0.1, 1.0), 600, 1e-3)


def test_thresholds_for_rates_that_vary() -> None:
    parts = [waiting.segments(waiting.request_types(r, 5, [4, 8])) for r in ([3, 1], [1, 2])]
    worst, law = waiting.at_all_times(parts), MemoryLinearLaw(0.5, 1e-4)
    n = waiting.cheapest(waiting.nested_system(worst, law))
    assert all(not waiting.nested_system(p, law).broken(n) for p in parts)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: waiting.binomial_roots([10, 10], 0.5, [6, 5]), "above N p; at index 1"),
    (lambda: waiting.poisson_roots(3, 3), "above the mean arrivals"),
    (lambda: waiting.kingman(Arrivals.poisson(3.0), 3), "above the mean arrivals of a step"),
    (lambda: waiting.lindley_law(Arrivals.poisson(99.99), 100), "too near 1"),
    (lambda: waiting.requirement(waiting.segments(waiting.request_types([1, 1], 1, [1, 2])), (4, 2), 9, 0.1),
     "grow without bound"),
    (lambda: waiting.requirement(waiting.segments(waiting.request_types([1, 1], 1, [1, 2])), (4, 2.5), 9, 0.1),
     "whole thresholds"),
    (lambda: waiting.requirement(waiting.segments(waiting.request_types([1, 1], 1, [1, 2])), (4, 3), 9, 1.0), "delta"),
    (lambda: waiting.nested_rule(waiting.request_types([1], 1, [1]), MemoryLinearLaw(1.0, 0.0), 1, 0.0), "delta"),
    (lambda: waiting.at_all_times([waiting.segments(waiting.request_types([1], 1, [k])) for k in (1, 2)]), "same ends"),
])
def test_bad_input_is_one_line(make, message) -> None:
    with pytest.raises(InputError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)
