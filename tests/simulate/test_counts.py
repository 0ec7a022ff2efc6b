"""Chains of counts: the compiled loop against exact laws, paths and the network loop."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import binom, kstest, poisson
from test_engine_exact import exact_eb_throughput

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.markov import birth_death
from qtheory.simulate import measures
from qtheory.simulate.counts import CountsChain, Factor, Move, exact, up_to
from qtheory.simulate.kernel import counts as K
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.laws import Discrete, Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics import NotStableError, stability, steady_state


def room(name, most):
    return Factor("between", {name: 1.0}, high=most - 1)


def finite_queue(load, servers, most):
    moves = (
        Move("arrive", {"n": 1}, load, (room("n", most),)),
        Move("leave", {"n": -1}, 1.0, (up_to("n", servers),)),
    )
    return CountsChain({"n": 0}, moves)


def exclusive(slots, k, mean, prompt, alpha_p=0.02, beta_p=0.001, alpha_d=0.01, beta_d=0.0005):
    """EB(k), saturated, geometric outputs, as a chain of its busy slots; steps are decode iterations."""
    refill = (
        Factor("between", {"busy": 1.0}, high=slots - k),
        Factor("clamp", {"busy": -1.0}, offset=slots),
    )
    moves = (
        Move("end", {"busy": -1}, 1.0 / mean, (up_to("busy"),), "binomial"),
        Move("refill", {"busy": 1}, 1.0, refill, seconds=(alpha_p, beta_p * prompt)),
    )
    return CountsChain({"busy": slots}, moves, step=alpha_d, step_each={"busy": beta_d})


def slotted(law):
    moves = (Move("serve", {"n": -1}, 1.0, (up_to("n", 1),)), Move("arrive", {"n": 1}, 1.0, (), "law", law))
    return CountsChain({"n": 0}, moves, step=1.0)


PRIORITY = CountsChain(
    {"urgent": 0, "other": 0},
    (
        Move("urgent in", {"urgent": 1}, 0.3, (room("urgent", 12),)),
        Move("other in", {"other": 1}, 0.4, (room("other", 30),)),
        Move("urgent out", {"urgent": -1}, 1.0, (up_to("urgent", 1),)),
        Move("other out", {"other": -1}, 1.0, (up_to("other", 1), Factor("between", {"urgent": 1.0}, high=0.0))),
    ),
)


def sharing(most):
    everyone = Factor("inverse", {"a": 1.0, "b": 1.0})
    moves = (
        Move("a in", {"a": 1}, 0.5, (room("a", most),)),
        Move("b in", {"b": 1}, 0.3, (room("b", most),)),
        Move("a out", {"a": -1}, 1.0, (up_to("a"), everyone)),
        Move("b out", {"b": -1}, 1.5, (up_to("b"), everyone)),
    )
    return CountsChain({"a": 0, "b": 0}, moves)


BATCHES = CountsChain(
    {"n": 0},
    (
        Move("serve", {"n": -1}, 1.0, (up_to("n", 3),)),
        Move("arrive", {"n": 1}, 1.2, (Factor("between", {"n": 1.0}, high=60.0),), "poisson"),
    ),
    step=0.5,
)

# chain, move whose rate is compared, horizon
CHAINS = {
    "M/M/2/20": (finite_queue(1.6, 2, 20), "leave", 2e5),
    "M/M/1/5, overloaded": (finite_queue(3.0, 1, 5), "leave", 5e4),
    "preemptive priority": (PRIORITY, "other out", 1e6),
    "processor sharing": (sharing(25), "b out", 4e5),
    "slots, binomial": (slotted(Discrete.binomial(3, 0.25)), "serve", 4e5),
    "slots, Poisson": (BATCHES, "serve", 1e5),
    "EB(1) of 4": (exclusive(4, 1, 10.0, 7), "end", 2e3),
    "EB(3) of 8": (exclusive(8, 3, 20.0, 7), "end", 4e3),
    "EB(16) of 16": (exclusive(16, 16, 8.0, 7), "end", 4e3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_exact_stationary_values_within_narrow_intervals(name):
    chain, move, horizon = CHAINS[name]
    if name == "slots, binomial":
        # Its own chain has no end: the mean by Lindley's recursion, squares of both sides.
        law = chain.moves[1].law
        number, rate = law.mean / 2.0 + law.variance / (2.0 * (1.0 - law.mean)), law.mean
    else:
        want = exact(chain)
        number, rate = want.counts[chain.names[-1]], want.moves[move]
    runs = replicate(chain, replications=20, horizon=1.25 * horizon, seed=list(CHAINS).index(name))
    for measure, value in ((measures.count(chain.names[-1]), number), (measures.move(move), rate)):
        interval = steady_state(runs, measure, confidence=0.999)
        assert interval.relative_half_width <= 0.01
        assert value in interval


def test_exact_values_of_birth_and_death():
    law = exact(finite_queue(1.6, 2, 20)).law
    want = birth_death([1.6] * 20, [min(n, 2) for n in range(1, 21)])
    assert [law[(n,)] for n in range(21)] == pytest.approx(want, rel=1e-12)


def test_exact_values_of_a_shared_processor():
    """A chain that is reversible has its law, in proportion to (a + b)!/(a! b!) 0.5^a 0.2^b, in any rooms (Kelly)."""
    weights = {(a, b): math.comb(a + b, a) * 0.5**a * 0.2**b for a in range(5) for b in range(5)}
    total = sum(weights.values())
    found = exact(sharing(4))
    assert found.law == pytest.approx({state: w / total for state, w in weights.items()}, rel=1e-12)
    assert found.counts["b"] == pytest.approx(sum(b * w for (_, b), w in weights.items()) / total, rel=1e-12)
    full = sum(w for (a, _), w in weights.items() if a == 4) / total
    assert found.moves["a out"] == pytest.approx(0.5 * (1 - full), rel=1e-12)  # as many as come


@pytest.mark.parametrize(("slots", "k", "mean"), [(4, 1, 10.0), (8, 3, 20.0), (16, 16, 8.0)])
def test_exact_values_of_exclusive_batching(slots, k, mean):
    """In discrete time, with steps and moves that take time: a cycle's completions over its seconds."""
    wanted = exact_eb_throughput(slots, k, 1.0 / mean, 7)
    assert exact(exclusive(slots, k, mean, 7)).moves["end"] == pytest.approx(wanted, rel=1e-10)


def test_exact_values_of_slots_by_powers_of_their_matrix():
    step = np.zeros((90, 90))
    for n in range(90):
        left = max(n - 3, 0)
        step[n, left:] = poisson.pmf(np.arange(90 - left), 1.2)
    law = np.linalg.matrix_power(step, 1000)[0]
    found = exact(BATCHES)
    assert found.counts["n"] == pytest.approx(law @ np.arange(90), rel=1e-9)
    assert found.moves == pytest.approx({"serve": 2.4, "arrive": 2.4}, rel=1e-9)  # a second, of steps of half a one


def test_histogram_is_the_law_over_time():
    (run,) = replicate(finite_queue(0.5, 1, 30), replications=1, horizon=1e6, warm_up=0.1)
    share = run.levels[0] / run.levels.sum()
    assert run.levels.sum() == pytest.approx(0.9e6)
    assert share[:5] == pytest.approx(0.5 ** np.arange(1, 6), rel=0.03)


@pytest.mark.later
def test_the_same_queue_as_the_network_loop():
    network = Network((Station("s", 3),), (JobClass("a", "s", Exponential(1.0), Exponential(0.5)),))
    chain = CountsChain({"n": 0}, (Move("in", {"n": 1}, 2.0), Move("out", {"n": -1}, 1.0, (up_to("n", 3),))))
    a = steady_state(replicate(network, replications=20, horizon=1e5), measures.number(), confidence=0.999)
    b = steady_state(replicate(chain, replications=20, horizon=1e5), measures.count("n"), confidence=0.999)
    assert a.low <= b.high and b.low <= a.high


def test_a_path_is_what_its_records_say():
    (run,) = replicate(PRIORITY, replications=1, horizon=500.0, windows=10, records=True)
    state, area, last = np.zeros(2), np.zeros(2), 0.0
    for time, move, times in run.records:
        area += state * (time - last)
        state += times * np.array([PRIORITY.moves[int(move)].change.get(n, 0) for n in PRIORITY.names])
        last = time
    area += state * (500.0 - last)
    assert run.area.sum(axis=0) == pytest.approx(area)
    assert run.at_end[-1].tolist() == state.tolist()
    assert run.events == len(run.records) == run.moves.sum() > 500


@pytest.mark.parametrize("chain", [PRIORITY, exclusive(8, 3, 20.0, 7)])
def test_nothing_depends_on_windows_or_records(chain):
    (a,) = replicate(chain, replications=1, horizon=300.0, windows=1)
    (b,) = replicate(
        chain, replications=1, horizon=300.0, windows=60, records=True, progress=lambda fraction, events: None
    )
    assert a.events == b.events and (a.moves.sum(axis=0) == b.moves.sum(axis=0)).all()
    assert a.area.sum(axis=0) == pytest.approx(b.area.sum(axis=0), rel=1e-12)


def test_shared_clocks_couple_two_chains():
    """With the same random numbers a second server never makes the queue longer at any end of a window."""
    one, two = (finite_queue(0.8, servers, 1000) for servers in (1, 2))
    for r in range(5):
        a, b = (c.run(horizon=2000.0, replication=r) for c in (one, two))
        assert (a.moves[:, 0] == b.moves[:, 0]).all()  # the same arrivals
        assert a.area.sum() > b.area.sum()


class Spaced(NamedTuple):
    """Numbers between 0 and 1, and room for what is made of each."""

    u: Any
    found: Any

    @classmethod
    def evenly(cls, many):
        return cls((np.arange(many) + 0.5) / many, np.empty(many, np.int64))


@compiled
def binomials(at, n, p):
    for i in range(at.u.size):
        at.found[i] = K.binomial(at.u[i], n, p)


@compiled
def poissons(at, mean):
    for i in range(at.u.size):
        at.found[i] = K.poisson(at.u[i], mean)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (10, 0.001), (37, 0.5), (1000, 0.02), (100_000, 0.9)])
def test_binomial_numbers(n, p):
    at = Spaced.evenly(200_000)
    binomials(at, n, p)
    counts = np.bincount(at.found, minlength=n + 1) / at.u.size
    law = binom.pmf(np.arange(n + 1), n, p)
    assert np.abs(counts - law).max() <= 2.0 / at.u.size + 1e-9


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (5, 0.4), (9, 0.75), (40, 0.05)])
def test_a_binomial_number_has_as_many_variates_as_its_probability_says(n, p):
    """Of 2,000 evenly spaced ones all but two, for each of the two ends of where a number is taken."""
    found = [K.binomial((i + 0.5) / 2000, n, p) for i in range(2000)]
    for k in range(n + 1):
        assert found.count(k) / 2000 == pytest.approx(math.comb(n, k) * p**k * (1 - p) ** (n - k), abs=2 / 2000)


@pytest.mark.sliced(4)
@pytest.mark.parametrize("mean", [0.01, 1.0, 30.0, 5000.5])
def test_poisson_numbers(mean):
    at = Spaced.evenly(200_000)
    poissons(at, mean)
    counts = np.bincount(at.found) / at.u.size
    assert np.abs(counts - poisson.pmf(np.arange(counts.size), mean)).max() <= 2.0 / at.u.size + 1e-9


def test_numbers_that_are_certain():
    assert K.binomial(0.5, 0, 0.5) == K.binomial(0.5, 9, 0.0) == K.poisson(0.5, 0.0) == 0
    assert K.binomial(0.5, 9, 1.0) == 9


def test_gaps_of_a_move_are_exponential():
    chain = CountsChain({"n": 0}, (Move("in", {"n": 1}, 2.5), Move("other", {}, 1.0)))
    (run,) = replicate(chain, replications=1, horizon=20_000.0, records=True)
    gaps = np.diff(run.records[run.records[:, 1] == 0, 0])
    assert kstest(gaps, "expon", args=(0, 0.4)).pvalue > 1e-3


def test_a_chain_at_rest_stays():
    chain = CountsChain({"n": 3}, (Move("die", {"n": -1}, 1.0, (up_to("n"),)),))
    (run,) = replicate(chain, replications=1, horizon=1000.0)
    assert run.events == 3 and run.at_end[-1, 0] == 0


def test_growth_is_told():
    chain = CountsChain({"n": 0}, (Move("in", {"n": 1}, 1.2), Move("out", {"n": -1}, 1.0, (up_to("n", 1),))))
    runs = replicate(chain, replications=10, horizon=20_000.0)
    assert 0.2 in stability(runs).growth
    with pytest.raises(NotStableError, match="unstable"):
        steady_state(runs, measures.count("n"))


def test_cost_does_not_grow_with_the_counts():
    few, many = finite_queue(1.0, 1, 10**9), CountsChain({"n": 10**9}, finite_queue(1.0, 1, 10**10).moves)
    for chain in (few, many):
        assert chain.run(horizon=1000.0).events > 1500


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: CountsChain({}, (Move("m", {}),)), "at least one count"),
        (lambda: CountsChain({"n": -1}, (Move("m", {}),)), "at the start must be a whole number, at least 0"),
        (lambda: CountsChain({"n": 0}, (Move("m", {}), Move("m", {}))), "'m' is defined twice"),
        (lambda: CountsChain({"n": 0}, (Move("m", {}, number="binomial", rate=0.5),)), "give a step"),
        (lambda: CountsChain({"n": 0}, (Move("m", {}),), step=0.0), "positive"),
        (lambda: CountsChain({"n": 0}, (Move("m", {}),), step=1.0, step_each={"n": -1.0}), "nonnegative"),
        (lambda: Move("m", {}, -1.0), "nonnegative"),
        (lambda: Move("m", {}, 1.5, number="binomial"), "at most 1"),
        (lambda: Move("m", {}, number="law"), "needs a law"),
        (lambda: Move("m", {"n": 0.5}), "changes by must be a whole number"),
        (lambda: Factor("clamp", {"n": 1.0}, low=2.0, high=1.0), "low <= high"),
        (lambda: Factor("clamp", {"n": math.inf}), "finite"),
        (lambda: exact(CountsChain({"n": 0}, (Move("in", {"n": 1}),)), limit=50), "more than 50 states"),
        (lambda: exact(CountsChain({"n": 0}, (Move("out", {"n": -1}),))), "negative at n = 0"),
        (lambda: CountsChain({"n": 2}, (Move("out", {"n": -1}),)).run(horizon=100.0), "'out' makes .* at n = 0"),
        (
            lambda: CountsChain({"n": 5}, (Move("out", {"n": -2}),), step=1.0).run(horizon=100.0),
            "'out' makes .* at n = 1",
        ),
        (lambda: finite_queue(1.0, 1, 5).run(horizon=-1.0), "horizon"),
    ],
)
def test_bad_chains_are_one_line(make, says):
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_unknown_names_name_the_nearest():
    with pytest.raises(UnknownNameError, match="nearest: n"):
        CountsChain({"n": 0}, (Move("m", {"nn": 1}),))
    with pytest.raises(UnknownNameError, match="nearest: binomial"):
        Move("m", {}, number="binomal")
    with pytest.raises(UnknownNameError, match="nearest: clamp"):
        Factor("clam", {})
    run = finite_queue(1.0, 1, 5).run(horizon=10.0)
    with pytest.raises(UnknownNameError, match="nearest: n"):
        measures.count("nn").value(run)
    with pytest.raises(UnknownNameError, match="nearest: leave"):
        measures.move("leaves").value(run)
