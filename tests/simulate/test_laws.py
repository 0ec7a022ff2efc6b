import math

import numpy as np
import pytest
from scipy.stats import kstest

from qtheory.errors import InputError
from qtheory.simulate import JobClass, Network, Station, laws
from qtheory.simulate.law import per_second

LAWS = [
    laws.Deterministic(2.5),
    laws.Exponential(0.7),
    laws.Exponential.with_rate(3.0),
    laws.Erlang(1, 2.0),
    laws.Erlang(4, 2.0),
    laws.Erlang(5, 2.0),
    laws.HyperExponential((0.3, 0.7), (1.0, 4.0)),
    laws.PhaseType((0.5, 0.5), ((-2.0, 1.0), (0.5, -3.0))),
    laws.Empirical((1.0, 2.0, 7.0)),
    laws.Discrete((0.0, 3.0, 5.0), (0.25, 0.0, 0.75)),
    laws.Discrete.binomial(5, 0.3),
    laws.Discrete.poisson(3.0),
    laws.Uniform(1.0, 3.0),
    laws.Geometric(0.1),
    laws.Geometric(1.0),
    laws.Geometric.with_mean(256.0),
    laws.LogNormal(0.0, 0.5),
    laws.Weibull(2.0, 1.5),
]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_mean_and_variance_are_those_of_the_variates(law):
    x = law.sample(200_000, source=7)
    centred = x - law.mean
    mean_error = math.sqrt(law.variance / x.size)
    square = centred**2
    assert abs(centred.mean()) <= 4.0 * mean_error
    assert abs(square.mean() - law.variance) <= 4.5 * square.std() / math.sqrt(x.size) + 1e-12


def test_phase_type_covers_erlang_and_hyperexponential():
    erlang = laws.PhaseType((1.0, 0.0), ((-2.0, 2.0), (0.0, -2.0)))
    assert erlang.mean == pytest.approx(laws.Erlang(2, 1.0).mean)
    assert erlang.variance == pytest.approx(laws.Erlang(2, 1.0).variance)
    mixed = laws.PhaseType((0.3, 0.7), ((-1.0, 0.0), (0.0, -0.25)))
    assert mixed.variance == pytest.approx(laws.HyperExponential((0.3, 0.7), (1.0, 4.0)).variance)


def test_a_value_of_probability_zero_never_comes():
    x = laws.Discrete((0.0, 3.0, 5.0), (0.25, 0.0, 0.75)).sample(100_000)
    assert set(np.unique(x)) == {0.0, 5.0}


def test_geometric_frequencies():
    x = laws.Geometric(0.3).sample(200_000)
    for n in (1, 2, 5):
        p = 0.3 * 0.7 ** (n - 1)
        assert abs((x == n).mean() - p) < 4 * math.sqrt(p * (1 - p) / x.size)


def test_a_sample_is_a_prefix_of_a_longer_one():
    for law in LAWS:
        assert np.array_equal(law.sample(101, seed=3), law.sample(500, seed=3)[:101])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: laws.Exponential(-1.0), "positive"),
        (lambda: laws.Exponential.with_rate(0.0), "rate"),
        (lambda: laws.Deterministic(math.nan), "nonnegative"),
        (lambda: laws.Erlang(0, 1.0), "stages"),
        (lambda: laws.HyperExponential((0.5, 0.6), (1.0, 1.0)), "sum to 1"),
        (lambda: laws.HyperExponential((1.0,), (1.0, 1.0)), "as many"),
        (lambda: laws.PhaseType((1.0,), ((1.0,),)), "generator"),
        (lambda: laws.PhaseType((1.0, 0.0), ((-1.0, 1.0), (1.0, -1.0))), "singular"),
        (lambda: laws.Empirical(()), "Empirical needs at least one"),
        (lambda: laws.Discrete((1.0, -2.0), (0.5, 0.5)), "nonnegative"),
        (lambda: laws.Uniform(2.0, 1.0), "low < high"),
        (lambda: laws.Geometric(0.0), "chance"),
        (lambda: laws.LogNormal(0.0, 0.0), "spread"),
        (lambda: laws.Weibull(1.0, -1.0), "shape"),
        (lambda: laws.StepRate((), ()), "one of them positive"),
        (lambda: laws.StepRate((0.0, 0.0), (1.0, 1.0)), "one of them positive"),
        (lambda: laws.StepRate((1.0, -1.0), (1.0, 1.0)), "nonnegative"),
        (lambda: laws.StepRate((1.0, 2.0), (1.0,)), "as many lengths"),
        (lambda: laws.StepRate((1.0,), (0.0,)), "length of a piece"),
        (lambda: laws.WaveRate(1.0, 1.5, 10.0), "amplitude"),
        (lambda: laws.WaveRate(-1.0, 0.5, 10.0), "rate"),
        (lambda: laws.WaveRate(1.0, 0.5, 0.0), "period"),
        (lambda: laws.WaveRate(1.0, 0.5, 1.0, math.inf), "phase"),
        (lambda: laws.StepRate((1.0,), (1.0,)).variance, "no variance"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(make, says):
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_a_list_comes_in_order_and_ends():
    values = tuple(float(i) for i in range(300))
    x = laws.Listed(values).sample(310)
    assert x[:300].tolist() == list(values) and np.isinf(x[300:]).all()
    assert laws.Listed((2.0, 5.0), 1.0).sample(4).tolist() == [2.0, 5.0, 1.0, 1.0]
    with pytest.raises(InputError, match="at least one"):
        laws.Listed(())


VARYING = [
    laws.StepRate((2.0, 0.0, 5.0), (3.0, 2.0, 1.0)),
    laws.StepRate((4.0, 1.0), (100.0, 50.0), periodic=False),
    laws.StepRate((1.5,), (7.0,)),
    laws.WaveRate(3.0, 3.0, 20.0),
    laws.WaveRate(0.5, 0.2, 3.0, phase=1.0),
]


@pytest.mark.parametrize("law", VARYING, ids=repr)
def test_a_varying_process_is_poisson_on_its_own_clock(law):
    """Seen on the clock of its expected number the process is of rate 1: its gaps are exponential and independent."""
    times = np.cumsum(law.sample(20_000, source=3))
    clock = np.diff(np.array([law.expected(t) for t in times]), prepend=0.0)
    assert kstest(clock, "expon").pvalue > 1e-3
    assert abs(np.corrcoef(clock[1:], clock[:-1])[0, 1]) < 4.0 / math.sqrt(clock.size)
    assert times[-1] / times.size == pytest.approx(law.mean, rel=0.05)
    assert np.array_equal(law.sample(101, seed=3), law.sample(500, seed=3)[:101])


@pytest.mark.parametrize(("law", "rate"), [
    (VARYING[0], lambda t: (2.0, 2.0, 2.0, 0.0, 0.0, 5.0)[int(t % 6.0)]),
    (VARYING[1], lambda t: 4.0 if t < 100.0 else 1.0),
    (VARYING[3], lambda t: 3.0 + 3.0 * math.sin(math.tau * t / 20.0)),
    (VARYING[4], lambda t: 0.5 + 0.2 * math.sin(math.tau * t / 3.0 + 1.0)),
], ids=["round", "once", "wave", "shifted"])
def test_the_expected_number_is_the_integral_of_the_rate(law, rate):
    """By the middles of small steps, which no change of a rate falls into."""
    middles = (np.arange(40_000) + 0.5) / 200.0
    sums = np.cumsum([rate(t) for t in middles]) / 200.0
    for steps in (1, 333, 900, 1234, 20_600, 40_000):
        assert law.expected(steps / 200.0) == pytest.approx(sums[steps - 1], rel=1e-5)


def test_arrivals_only_while_the_rate_is_positive():
    law = laws.StepRate((2.0, 0.0), (3.0, 2.0))
    assert (np.cumsum(law.sample(5000)) % 5.0 < 3.0).all()
    ending = laws.StepRate((2.0, 0.0), (10.0, 1.0), periodic=False)
    gaps = ending.sample(200)
    last = int(np.flatnonzero(np.isinf(gaps))[0])
    assert np.isinf(gaps[last:]).all() and gaps[:last].sum() < 10.0 and 5 < last < 45
    assert ending.mean == math.inf


def test_arrivals_a_second_in_groups() -> None:
    gaps, sizes = laws.Exponential(4.0), laws.Geometric(0.5)
    assert [per_second(gaps, None), per_second(gaps, sizes), per_second(None, None)] == [0.25, 0.5, 0.0]
    service = laws.Exponential(1.0)
    jobs = JobClass("a", "s", service, gaps, sizes, routes={"b": 0.5}), JobClass("b", "s", service)
    network = Network((Station("s"),), jobs)
    assert network.event_rate == (0.5, "arrivals") and list(network.rates) == [0.5, 0.25]
