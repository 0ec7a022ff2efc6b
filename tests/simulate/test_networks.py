import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.laws import Deterministic, Exponential, Listed, WaveRate
from qtheory.simulate.networks import Dispatcher, JobClass, Network, Station
from qtheory.simulate.runs import run

E = Exponential
S = (Station("s"),)
FULL = {"capacity": 2, "blocking": "after-service"}


def circle(**second):
    """Two stations that send jobs to each other, the first with room for two."""
    return Network((Station("x", **FULL), Station("y", **second)),
                   (job("a", "x", routes={"b": 1.0}), job("b", "y", arrivals=None, routes={"a": 0.5})))


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
        (lambda: Station("s", 3, capacity=2), "at least 3, not 2"),
        (lambda: Station("s", blocking="after-service"), "never full"),
        (lambda: circle(capacity=1, blocking="after-service"), "stations x, y: blocking after service goes round"),
        (lambda: Network((Station("x", batch=2), Station("y", **FULL)),
                         (job("a", "x", routes={"b": 1.0}), job("b", "y", arrivals=None))), "serves batches"),
        (lambda: Dispatcher("d", "random", ()), "at least one class"),
        (lambda: Dispatcher("d", "random", ("a", "a")), "names each once"),
        (lambda: Network(S, (job(),), (Dispatcher("a", "random", ("a",)),)), "'a' is defined twice"),
        (lambda: Network(S, (job(routes={"d": 1.0}),), (Dispatcher("d", "random", ("a",)),)), "loop without exit"),
        (lambda: Network(S, (job(),), (Dispatcher("d", "random", ("a",), sizes=Deterministic(2.0)),)),
         "dispatcher 'd': sizes of arrivals are given"),
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
    with pytest.raises(UnknownNameError, match="nearest: after-service"):
        Station("s", capacity=2, blocking="afterservice")
    with pytest.raises(UnknownNameError, match="nearest: shortest-queue"):
        Dispatcher("d", "shortest", ("a",))
    with pytest.raises(UnknownNameError, match="unknown class 'b'"):
        Network(S, (job(),), (Dispatcher("d", "random", ("b",)),))


def test_rates_and_loads_solve_the_traffic_equations():
    network = Network(
        (Station("x", 2), Station("y", batch=5)),
        (job("a", "x", routes={"b": 0.5}), job("b", "y", arrivals=None, routes={"a": 0.2})),
    )
    a = 0.5 / (1.0 - 0.1)
    assert network.rates == pytest.approx([a, a / 2.0])
    assert network.loads == pytest.approx({"x": a / 2.0, "y": a / 10.0})


def test_a_dispatcher_is_counted_with_what_each_station_is_worth():
    def network(rule):
        classes = (JobClass("a", "x", E(1.0)), JobClass("b", "y", E(3.0)))
        return Network((Station("x", 2), Station("y", 2)), classes, (Dispatcher("d", rule, ("a", "b"), E(0.5)),))

    for rule in ("random", "round-robin"):
        assert network(rule).rates == pytest.approx([1.0, 1.0])
    for rule in ("shortest-queue", "least-work"):
        assert network(rule).rates == pytest.approx([1.5, 0.5])
        assert network(rule).loads == pytest.approx({"x": 0.75, "y": 0.75})


def test_a_blocked_line_worked_by_hand():
    # Jobs come at 1, 2, 3, ...; x serves 1 s, y 3 s and holds one. x ends its first job at 2, y has it 2-5; x ends its
    # second at 3 and is blocked until 5, when y takes it 5-8 and x takes the third 5-6, which waits until 8, and so on.
    # x holds three: those of 1, 2, 3 and 4 enter (3 and 4 wait), 5 finds one gone at that moment, 6 and 7 find it full.
    network = Network(
        (Station("x", capacity=3), Station("y", capacity=1, blocking="after-service")),
        (JobClass("a", "x", Deterministic(1.0), Deterministic(1.0), routes={"b": 1.0}),
         JobClass("b", "y", Deterministic(3.0))),
    )
    got = run(network, horizon=11.5, windows=23, records=True)
    assert [tuple(row) for row in got.records] == [(0, 1, 5), (0, 2, 8), (0, 3, 11)]
    assert got.types[:, 0, [L.BORN_JOBS, L.LOST_JOBS]].sum(axis=0).tolist() == [11.0, 4.0]
    blocked = got.stations[:, 0, L.BLOCKED]
    assert blocked.sum() == pytest.approx(2.0 + 2.0 + 2.0)  # 3-5, 6-8, 9-11, and the next is served 11-12
    assert blocked[6:10] == pytest.approx([0.5] * 4) and blocked[10:12] == pytest.approx([0.0] * 2)


def test_turns_are_in_the_order_of_the_list():
    classes = tuple(JobClass(n, n, Deterministic(s)) for n, s in (("a", 0.1), ("b", 0.2), ("c", 0.3)))
    gate = Dispatcher("d", "round-robin", ("c", "a", "b"), Deterministic(1.0))
    got = run(Network(tuple(Station(n) for n in "abc"), classes, (gate,)), horizon=7.9, records=True).records
    assert got[:, 2] - got[:, 1] == pytest.approx([0.3, 0.1, 0.2] * 2 + [0.3])
