"""The simulator against exact values: within intervals at 99.9 percent of at most 1 percent relative half-width.

The seed of a setting is its number in the list.
"""

import math

import closed_forms as exact
import pytest

from qtheory.simulate import measures
from qtheory.simulate.counts import CountsChain, Factor, Move, up_to
from qtheory.simulate.laws import (
    Deterministic,
    Discrete,
    Empirical,
    Erlang,
    Exponential,
    Geometric,
    HyperExponential,
    Law,
    LogNormal,
    PhaseType,
    Uniform,
)
from qtheory.simulate.networks import Dispatcher, JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.scenarios import parse_points, read
from qtheory.simulate.statistics import sojourn_quantile, steady_state

RATE = Exponential.with_rate
WAIT, STAY = measures.wait("a"), measures.sojourn("a")


def queue(rate, service: Law, servers=1, **station):
    return Network((Station("s", servers, **station),), (JobClass("a", "s", service, RATE(rate)),))


def pk(rate, law):
    return queue(rate, law), WAIT, exact.pollaczek_khinchine(rate, law.mean, law.variance)


def mmc(rate, servers):
    return queue(rate, RATE(1.0), servers), STAY, 1.0 + exact.mmc_wait(rate, 1.0, servers)


TWO = [(0.3, 1.0, 1.0), (0.4, 1.0, 0.25)]
TWO_LAWS = [Exponential(1.0), Erlang(4, 1.0)]
THREE = [(0.2, 0.5, 0.0), (0.3, 1.0, 1.0), (0.2, 1.5, 0.75)]
THREE_LAWS = [Deterministic(0.5), Exponential(1.0), Erlang(3, 1.5)]


def priorities(classes, laws, discipline):
    jobs = tuple(
        JobClass(name, "s", law, RATE(rate), priority=i)
        for i, (name, law, (rate, _, _)) in enumerate(zip("abc", laws, classes, strict=False))
    )
    return Network((Station("s", discipline=discipline),), jobs)


def erlang_a(rate, servers):
    network = Network((Station("s", servers),), (JobClass("a", "s", RATE(1.0), RATE(rate), patience=RATE(0.5)),))
    return network, exact.erlang_a(rate, 1.0, 0.5, servers)


def slotted(law):
    network = Network((Station("s"),), (JobClass("a", "s", Deterministic(1.0), Deterministic(1.0), sizes=law),))
    return network, measures.number(), exact.slotted_number(law.mean, law.variance)


JACKSON = Network(
    (Station("x"), Station("y", 2)),
    (
        JobClass("a", "x", RATE(2.0), RATE(0.8), routes={"b": 0.8}),
        JobClass("b", "y", RATE(1.0), RATE(0.2), routes={"a": 0.3}),
    ),
)


def jackson_number():
    # Traffic: x = 0.8 + 0.3 y, y = 0.2 + 0.8 x.
    x = (0.8 + 0.3 * 0.2) / (1.0 - 0.3 * 0.8)
    y = 0.2 + 0.8 * x
    return (x / 2.0) / (1.0 - x / 2.0) + y * (1.0 + exact.mmc_wait(y, 1.0, 2))


BULK = Network((Station("s", batch=4),), (JobClass("a", "s", RATE(1.0), RATE(2.4)),))
BULK_ARRIVALS = Network((Station("s"),), (JobClass("a", "s", RATE(1.0), RATE(0.2), sizes=Geometric(1.0 / 3.0)),))
HYPER = HyperExponential((0.9, 0.1), (0.5, 5.5))
PHASE = PhaseType((0.6, 0.4), ((-2.0, 1.0), (0.5, -1.5)))
ABANDON, (ABANDONED, _) = erlang_a(10.0, 10)
FULL, (FULL_ABANDONED, FULL_WAITING) = erlang_a(12.0, 8)

LOSS = Network((Station("s", 5),), (JobClass("a", "s", HYPER, RATE(4.0), patience=Deterministic(0.0)),))
HURRIED = Network((Station("s"),), (JobClass("a", "s", RATE(1.0), RATE(0.9), patience=Deterministic(3.0)),))


def gi_m_1(gaps: Law, transform):
    network = Network((Station("s"),), (JobClass("a", "s", RATE(1.0), gaps),))
    return network, STAY, exact.gi_m_1_sojourn(transform, 1.0)


def shared(load_a, load_b):
    """Two classes that share one processor: each has the mean of M/M/1 in proportion to its load (Kelly 1979)."""
    everyone = Factor("inverse", {"a": 1.0, "b": 1.0})
    chain = CountsChain(
        {"a": 0, "b": 0},
        (
            Move("a in", {"a": 1}, load_a),
            Move("b in", {"b": 1}, 3.0 * load_b),
            Move("a out", {"a": -1}, 1.0, (up_to("a"), everyone)),
            Move("b out", {"b": -1}, 3.0, (up_to("b"), everyone)),
        ),
    )
    return chain, measures.count("b"), load_b / (1.0 - load_a - load_b)


def finite(load, most):
    """M/M/1 with room for so many: what is served a second."""
    moves = (
        Move("come", {"n": 1}, load, (Factor("between", {"n": 1.0}, high=most - 1),)),
        Move("leave", {"n": -1}, 1.0, (up_to("n", 1),)),
    )
    return CountsChain({"n": 0}, moves), measures.move("leave"), load * (1.0 - exact.full(load, most))


def machines(many, failing, repairers):
    """Machines that run until they fail and are repaired at rate 1 by so many repairers."""
    moves = (
        Move("fail", {"up": -1}, failing, (up_to("up"),)),
        Move("repair", {"up": 1}, 1.0, (Factor("clamp", {"up": -1.0}, offset=many, high=repairers),)),
    )
    return CountsChain({"up": many}, moves), measures.count("up"), exact.machines_up(many, failing, repairers)


def shared_in_stages(load):
    """Service in two exponential stages on a shared processor: no mean depends on that, each stage has half."""
    everyone = Factor("inverse", {"a": 1.0, "b": 1.0})
    moves = (
        Move("in", {"a": 1}, load),
        Move("on", {"a": -1, "b": 1}, 2.0, (up_to("a"), everyone)),
        Move("out", {"b": -1}, 2.0, (up_to("b"), everyone)),
    )
    return CountsChain({"a": 0, "b": 0}, moves), measures.count("b"), load / 2.0 / (1.0 - load)


def dispatched(rule, rate, means, servers=1):
    """Poisson arrivals that a dispatcher sends to exponential stations with these mean services."""
    stations = tuple(Station(f"s{i}", servers) for i in range(len(means)))
    classes = tuple(JobClass(f"at {i}", f"s{i}", Exponential(m)) for i, m in enumerate(means))
    return Network(stations, classes, (Dispatcher("a", rule, tuple(c.name for c in classes), RATE(rate)),))


def shipped(name, number=0):
    """The network of a shipped scenario, at a point of its sweep."""
    return parse_points(*read(name))[number].scenario.variants["network"]


BLOCKED, LIMITED, LOST = shipped("tandem-blocking"), shipped("loss-mmck"), measures.lost("job")
BLOCKED_LOST, BLOCKED_NUMBER, BLOCKED_TIME = exact.blocked_line(0.9, (1.0, 0.8), (3, 2))
# name: (network, measure, exact value, horizon of each of 20 replications in s)
SETTINGS = {
    "M/M/1 at 0.3": (*mmc(0.3, 1), 2e5),
    "M/M/1 at 0.5": (*mmc(0.5, 1), 3e5),
    "M/M/1 at 0.7": (*mmc(0.7, 1), 1e6),
    "M/M/1 at 0.8": (*mmc(0.8, 1), 1.2e6),
    "M/M/2 at 0.7": (*mmc(1.4, 2), 3e5),
    "M/M/10 at 0.9": (*mmc(9.0, 10), 1e5),
    "M/M/50 at 0.8": (*mmc(40.0, 50), 4e3),
    "M/M/10 at 0.9, delayed": (queue(9.0, RATE(1.0), 10), measures.delayed("a"), exact.erlang_c(10, 9.0), 1e5),
    "M/E3/1": (*pk(0.6, Erlang(3, 1.0)), 6e5),
    "M/H2/1": (*pk(0.5, HYPER), 3e6),
    "M/PH/1": (*pk(0.4, PHASE), 1e6),
    "M/lognormal/1": (*pk(0.6, LogNormal(-0.125, 0.5)), 6e5),
    "M/empirical/1": (*pk(0.15, Empirical((1.0, 2.0, 7.0))), 2e6),
    "M/U/1": (*pk(0.6, Uniform(0.5, 1.5)), 6e5),
    "M/D/1 at 0.5": (*pk(0.5, Deterministic(1.0)), 3e5),
    "M/D/1 at 0.8": (*pk(0.8, Deterministic(1.0)), 1e6),
    "Erlang-A at 1": (ABANDON, measures.abandoned("a"), ABANDONED, 5e4),
    "Erlang-A at 1.5": (FULL, measures.abandoned("a"), FULL_ABANDONED, 2e4),
    "Erlang-A at 1.5, number": (FULL, measures.number(), FULL_WAITING + 12.0 * (1 - FULL_ABANDONED), 2e4),
    "priority, urgent": (priorities(TWO, TWO_LAWS, "priority"), WAIT, exact.cobham(TWO, 0), 4e5),
    "priority, other": (priorities(TWO, TWO_LAWS, "priority"), measures.wait("b"), exact.cobham(TWO, 1), 1.5e6),
    "preemptive, other": (
        priorities(TWO, TWO_LAWS, "preemptive"), measures.sojourn("b"), exact.preemptive_sojourn(TWO, 1), 6e5,
    ),
    "preemptive, last of three": (
        priorities(THREE, THREE_LAWS, "preemptive"), measures.sojourn("c"), exact.preemptive_sojourn(THREE, 2), 1e6,
    ),
    "batch service": (BULK, measures.number(), exact.bulk_service_number(2.4, 1.0, 4), 2e5),
    "batch arrivals": (BULK_ARRIVALS, measures.number(), exact.batch_arrival_number(0.2, 3.0, 15.0, 1.0), 2e6),
    "Lindley, binomial 2": (*slotted(Discrete.binomial(2, 0.4)), 2e5),
    "Lindley, binomial 10": (*slotted(Discrete.binomial(10, 0.08)), 3e5),
    "Jackson network with feedback": (JACKSON, measures.number(), jackson_number(), 3e5),
    "D/M/1": (*gi_m_1(Deterministic(1.25), lambda s: math.exp(-1.25 * s)), 5e5),
    "E3/M/1": (*gi_m_1(Erlang(3, 1.25), lambda s: (1.0 + 1.25 * s / 3.0) ** -3), 6e5),
    "H2/M/1": (*gi_m_1(HyperExponential((0.9, 0.1), (1.0, 11.0)), lambda s: 0.9 / (1 + s) + 0.1 / (1 + 11 * s)), 1e6),
    "M/H2/5/5, lost": (LOSS, measures.abandoned("a"), exact.erlang_b(5, 4.0), 1e5),
    "M/M/1+D, lost": (HURRIED, measures.abandoned("a"), exact.fixed_patience_lost(0.9, 3.0), 4e5),
    "M/D/3": (queue(2.4, Deterministic(1.0), 3), measures.number(), exact.mdc_number(2.4, 3), 2e5),
    "processor sharing, two classes": (*shared(0.4, 0.3), 4e5),
    "processor sharing, two stages": (*shared_in_stages(0.6), 2e5),
    "M/M/1/5, served": (*finite(1.2, 5), 2e4),
    "M/M/infinity": (queue(10.0, RATE(1.0), 64), measures.number(), 10.0, 1e4),
    "M/two values/1": (*pk(0.5, Discrete((0.5, 3.0), (0.8, 0.2))), 4e5),
    "machine repair": (*machines(12, 0.2, 2), 2e4),
    "M/M/1/5, lost": (queue(0.8, RATE(1.0), capacity=5), measures.lost("a"), exact.full(0.8, 5), 4e5),
    "M/M/1/5 overloaded, lost": (queue(3.0, RATE(1.0), capacity=5), measures.lost("a"), exact.full(3.0, 5), 1e4),
    "M/M/3/7, lost": (LIMITED, LOST, exact.limited(2.7, 3, 7)[0], 1e5),
    "M/M/3/7, number": (LIMITED, measures.number(), exact.limited(2.7, 3, 7)[1], 2e4),
    "M/H2/5/5, lost for want of room": (
        queue(4.0, HYPER, 5, capacity=5), measures.lost("a"), exact.erlang_b(5, 4.0), 1e5,
    ),
    "blocked after service, lost": (BLOCKED, LOST, BLOCKED_LOST, 4e4),
    "blocked after service, number": (BLOCKED, measures.number(), BLOCKED_NUMBER, 2e4),
    "blocked after service, time": (BLOCKED, measures.blocked("first"), BLOCKED_TIME, 2e5),
    "random routing": (shipped("dispatch-rules", 0), measures.sojourn("job"), 5.0, 6e5),
    "round robin": (
        shipped("dispatch-rules", 1), measures.sojourn("job"),
        exact.gi_m_1_sojourn(lambda s: (1.6 / (1.6 + s)) ** 2, 1.0), 6e5,
    ),
    "shortest queue": (
        shipped("dispatch-rules", 2), measures.number(), exact.shortest_queue_number(1.6, (1.0, 1.0), 60), 3e5,
    ),
    "least work": (shipped("dispatch-rules", 3), measures.sojourn("job"), 1.0 + exact.mmc_wait(1.6, 1.0, 2), 3e5),
    "shortest queue, unequal servers": (
        dispatched("shortest-queue", 1.2, (1.0, 2.0)), measures.number(),
        exact.shortest_queue_number(1.2, (1.0, 0.5), 60), 5e5,
    ),
    "least work is one queue of three servers": (
        dispatched("least-work", 2.4, (1.0, 1.0, 1.0)), measures.sojourn("a"), 1.0 + exact.mmc_wait(2.4, 1.0, 3), 2e5,
    ),
}  # fmt: skip
LONG = 1e5  # horizon of the runs that make test-fast leaves out


@pytest.mark.sliced(4)
@pytest.mark.studied(2)
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (horizon >= LONG))
                                  for n, (*_, horizon) in SETTINGS.items()])
def test_exact_value_within_a_narrow_interval(name):
    network, measure, value, horizon = SETTINGS[name]
    seed = list(SETTINGS).index(name)
    runs = replicate(network, replications=20, horizon=1.25 * horizon, seed=seed)  # a tenth is left out
    interval = steady_state(runs, measure, confidence=0.999)
    assert interval.relative_half_width <= 0.01
    assert value in interval


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("rate", "q", "seed"), [(0.5, 0.9, 0), (0.5, 0.99, 1), (0.7, 0.99, 2), (0.7, 0.999, 3)])
def test_tail_quantiles_of_mm1(rate, q, seed):
    runs = replicate(queue(rate, RATE(1.0)), replications=20, horizon=1e6 if q > 0.99 else 4e5, seed=seed, warm_up=0.05)
    interval = sojourn_quantile(runs, "a", q, confidence=0.999)
    assert interval.relative_half_width <= 0.05
    assert -math.log1p(-q) / (1.0 - rate) in interval
