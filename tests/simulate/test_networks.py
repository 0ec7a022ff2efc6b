import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.laws import Deterministic, Exponential, Listed, WaveRate
from qtheory.simulate.networks import JobClass, Network, Station

E = Exponential
S = (Station("s"),)


def job(name="a", station="s", **options):
    return JobClass(name, station, E(1.0), **{"arrivals": E(2.0), **options})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Station("s", 0), "at least 1"),
        (lambda: Station("s", 1.5), "whole number"),
        (lambda: Station("s", discipline="lifo"), "unknown discipline 'lifo'"),
        (lambda: Station("s", batch=0), "batch"),
        (lambda: Station("s", float("nan")), "servers must be a whole number"),
        (lambda: Station("s", 10**12), "at most 1000000"),
        (lambda: Network(S, (job(priority=0.5),)), "priority must be a whole number"),
        (lambda: Network(S, (job(sizes=Deterministic(1.5)),)), "sizes of arrivals must be whole"),
        (lambda: Network(S, (JobClass("a", "s", Listed((1.0,)), E(2.0)),)), "a list for service needs a finite"),
        (lambda: Station("s", discipline="preemptive", batch=2), "not preempted"),
        (lambda: Network((), (job(),)), "at least one station"),
        (lambda: Network(S, ()), "at least one class"),
        (lambda: Network(S * 2, (job(),)), "'s' is defined twice"),
        (lambda: Network(S, (job(), job())), "'a' is defined twice"),
        (lambda: Network(S, (job(routes={"a": 1.2}),)), "sum to at most 1"),
        (lambda: Network(S, (job(routes={"a": -0.1}),)), "nonnegative"),
        (lambda: Network(S, (job(routes={"a": 1.0}),)), "loop without exit"),
        (lambda: Network(S, (job(routes={"b": 1.0}), job("b", arrivals=None, routes={"a": 1.0}))), "loop"),
        (lambda: Network(S, (job(arrivals=None),)), "no class has arrivals"),
        (lambda: Network(S, (job(), job("b", arrivals=None, sizes=Deterministic(2.0)))), "no arrivals"),
        (lambda: Network(S, (job(arrivals=Deterministic(0.0)),)), "must be positive"),
        (lambda: Network(S, (JobClass("a", "s", WaveRate(1.0, 0.5, 9.0), E(2.0)),)), "for arrivals, not for service"),
        (lambda: Network(S, (job(patience=WaveRate(1.0, 0.5, 9.0)),)), "for arrivals, not for patience"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_line(make, says):
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_unknown_names_name_the_nearest():
    with pytest.raises(UnknownNameError, match="nearest: s"):
        Network(S, (job(station="ss"),))
    with pytest.raises(UnknownNameError, match="nearest: a"):
        Network(S, (job(routes={"aa": 0.5}),))


def test_rates_and_loads_solve_the_traffic_equations():
    network = Network(
        (Station("x", 2), Station("y", batch=5)),
        (job("a", "x", routes={"b": 0.5}), job("b", "y", arrivals=None, routes={"a": 0.2})),
    )
    a = 0.5 / (1.0 - 0.1)
    assert network.rates == pytest.approx([a, a / 2.0])
    assert network.loads == pytest.approx({"x": a / 2.0, "y": a / 10.0})
