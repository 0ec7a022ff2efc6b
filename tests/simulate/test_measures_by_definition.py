"""What measures say of runs worked by hand: arrivals, services and patience are lists, so that every sum is known."""

from __future__ import annotations

from fractions import Fraction

import pytest
from test_policies_by_hand import SECOND

from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.simulate import measures
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Listed
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import run

AT_1_2_3 = Listed((1.0, 1.0, 1.0))


def test_the_unit_of_every_measure() -> None:
    """Those of an engine by name, of each class too; those of stations, types, visits and chains."""
    late = RequestClass("r", Deterministic(3.0), Deterministic(3.0), arrivals=Deterministic(9.0), tbt_slo=1.5)
    units = {name: m.unit for name, m in measures.of_engine(LLMEngine((late,), SECOND, "vllm", {"budget": 4})).items()}
    of = {"1/s": ("requests a second", "goodput, requests a second", "preemptions a second",
                  "times short of memory a second", "throughput of r, 1/s", "goodput of r, 1/s"),
          "tokens/s": ("output tokens a second", "prefill tokens a second"),
          "tokens": ("tokens an iteration", "prefill tokens an iteration", "decode tokens an iteration",
                     "mean KV tokens"),
          "1": ("busy fraction", "idle fraction", "fraction of iterations that mix", "fraction within every limit",
                "fraction within every limit of r", "fraction with a late token of r"),
          "s": ("mean latency, s", "mean TPOT, s", "mean TTFT of r, s", "mean latency of r, s", "mean TPOT of r, s")}
    assert units == {name: unit for unit, names in of.items() for name in names}
    others = {"s": (measures.wait("a"), measures.sojourn("a"), measures.agent_sojourn("a")), "jobs": (
        measures.number("a"),), "requests": (measures.agents_at("v"),), "tokens/s": (measures.agent_tokens("e"),),
        "1/s": (measures.throughput("a"), measures.agent_requests("a"), measures.move("m")),
        "1": (measures.delayed("a"), measures.abandoned("a"), measures.lost("a"), measures.blocked("s"),
              measures.utilisation("s"), measures.count("n"))}
    assert all(m.unit == unit for unit, found in others.items() for m in found)


def test_waits_delays_and_impatience() -> None:
    """Jobs at 1, 2 and 3, three seconds each: the second leaves at 3, the third waits from 3 to 4 and ends at 7. Only
    those who have to wait are given a patience."""
    model = Network((Station("s"),), (JobClass("a", "s", Deterministic(3.0), AT_1_2_3,
                                               patience=Listed((1.0, 10.0))),))
    found = run(model, horizon=10.0, windows=2)
    expected = {measures.wait("a"): 2 / 3, measures.delayed("a"): 2 / 3, measures.abandoned("a"): 1 / 3,
                measures.number("a"): (3 + 1 + 4) / 10, measures.utilisation("s"): 6 / 10}
    for measure, value in expected.items():
        assert measure.value(found) == pytest.approx(value, rel=1e-12), measure.name
    assert measures.number("a").series(found) == pytest.approx([6 / 5, 2 / 5])  # five seconds each


def test_what_is_lost_for_want_of_room() -> None:
    model = Network((Station("s", 2, capacity=2),), (JobClass("a", "s", Deterministic(2.5), AT_1_2_3),))
    found = run(model, horizon=10.0, windows=5)  # the third comes while both servers work
    assert measures.lost("a").value(found) == pytest.approx(1 / 3)
    assert measures.utilisation("s").value(found) == pytest.approx(2 * 2.5 / (2 * 10))
    assert measures.throughput("a").value(found) == pytest.approx(2 / 10)
    assert measures.sojourn("a").value(found) == pytest.approx(2.5)


def test_blocked_servers() -> None:
    """The first is at y from 2 to 5; the second has done with x at 3 and stays there until 5."""
    model = Network((Station("x", 2), Station("y", capacity=1, blocking="after-service")),
                    (JobClass("a", "x", Deterministic(1.0), Listed((1.0, 1.0)), routes={"b": 1.0}),
                     JobClass("b", "y", Deterministic(3.0))))
    found = run(model, horizon=10.0, windows=4)
    assert measures.blocked("x").value(found) == pytest.approx(2 / (2 * 10))
    assert measures.utilisation("x").value(found) == pytest.approx(2 / (2 * 10))
    assert measures.utilisation("y").value(found) == pytest.approx(6 / 10)


def test_an_engines_measures_are_those_of_its_records() -> None:
    """Prompts first, four tokens a second: those of 3 and 2 end at 1 and 2, that of 5, which comes at 2, at 4; all
    three then decode, to 7, 6 and 7: but for the third, their second tokens are late. The last comes at 22, its prompt
    of 40 ends at 32; it goes on when the horizon ends, and the run to the end of its iteration."""
    late = RequestClass("r", Listed((3.0, 2.0, 5.0), 40.0), Listed((3.0, 2.0, 3.0), 40.0),
                        arrivals=Listed((0.0, 0.0, 2.0, 20.0, 999.0)), tbt_slo=1.5)
    found = run_engine(LLMEngine((late,), SECOND, "vllm", {"budget": 4}), horizon=34.5, windows=3, records=True)
    assert found.seconds == 35.0 and found.class_sums[:, 0, measures.E.FIRST_TOKENS].sum() == 4
    cached = 2 + 4.5 + 7 + 9.5 + 11.5 + 14.5 + 13 + 10 * 20 + 3 * 41.5  # means over the seconds of an iteration
    expected = {
        "mean TTFT of r, s": (1 + 2 + 2 + 10) / 4,  # what has its first token counts, complete or not
        "mean latency of r, s": (7 + 6 + 5) / 3, "mean latency, s": (7 + 6 + 5) / 3,
        "mean TPOT of r, s": (6 / 3 + 4 / 2 + 3 / 3) / 3, "mean TPOT, s": (6 / 3 + 4 / 2 + 3 / 3) / 3,
        "requests a second": 3 / 35, "throughput of r, 1/s": 3 / 35,
        "busy fraction": (7 + 13) / 35, "idle fraction": 15 / 35, "mean KV tokens": cached / 35,
        "prefill tokens a second": 50 / 35, "output tokens a second": (8 + 3) / 35,
        "prefill tokens an iteration": 50 / 20, "decode tokens an iteration": 11 / 20, "tokens an iteration": 61 / 20,
        "fraction with a late token of r": 2 / 3, "goodput, requests a second": 1 / 35, "goodput of r, 1/s": 1 / 35,
        "fraction within every limit": 1 / 3, "fraction within every limit of r": 1 / 3,
        "fraction of iterations that mix": 0, "preemptions a second": 0, "times short of memory a second": 0,
    }
    known = measures.of_engine(found.engine)
    assert {name: measure.value(found) for name, measure in known.items()} == pytest.approx(expected, rel=1e-12)
    assert known["busy fraction"].series(found).size == 3
    assert found.records is not None and sorted(found.records[:, 3]) == [6.0, 7.0, 7.0]


def test_the_share_of_requests_with_a_late_token() -> None:
    """Prefill first: a prompt that comes while others decode lets a second pass without their tokens."""
    late = RequestClass("r", Listed((3.0, 3.0, 1.0), 1.0), Listed((6.0, 1.0, 1.0), 1.0),
                        arrivals=Listed((0.0, 3.0, 20.0, 999.0)), tbt_slo=1.5)
    found = run_engine(LLMEngine((late,), SECOND, "vllm", {"budget": 4}), horizon=40.0, windows=2, records=True)
    assert found.requests == 3
    measure = measures.of_engine(found.engine)["fraction with a late token of r"]
    assert measure.value(found) == pytest.approx(1 / 3)


def test_numbers_at_visits_do_not_depend_on_the_unit_of_time() -> None:
    """Requests of two batches each, one every three slots: as many are there whatever a slot's seconds are."""
    found = {}
    for step in (Fraction(1), Fraction(1, 4)):
        network = AgentNetwork((Engine("e", 4, step),), (RequestType("A", 1 / (3 * step), (Visit("v", "e", 8),)),))
        agents = SlottedAgents(network, "fixed", gaps={"A": Listed((3.0,), 3.0)})  # in slots
        done = agents.run(horizon=float(300 * step), windows=3)
        number, sojourn = measures.agents_at("v").value(done), measures.agent_sojourn("A").value(done)
        assert measures.agent_tokens("e").value(done) * float(step) == pytest.approx(8 / 3, rel=0.02)
        assert measures.agent_requests("A").value(done) * float(step) == pytest.approx(1 / 3, rel=0.02)
        assert sojourn == pytest.approx(number / measures.agent_requests("A").value(done))
        found[step] = number, sojourn / float(step)
    assert found[Fraction(1)] == pytest.approx(found[Fraction(1, 4)])
    assert found[Fraction(1)] == pytest.approx((2 / 3, 2), rel=0.02)
