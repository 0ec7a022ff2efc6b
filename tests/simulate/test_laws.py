import math

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.simulate import laws

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
        (lambda: laws.Empirical(()), "at least one"),
        (lambda: laws.Discrete((1.0, -2.0), (0.5, 0.5)), "nonnegative"),
        (lambda: laws.Uniform(2.0, 1.0), "low < high"),
        (lambda: laws.Geometric(0.0), "chance"),
        (lambda: laws.LogNormal(0.0, 0.0), "spread"),
        (lambda: laws.Weibull(1.0, -1.0), "shape"),
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
