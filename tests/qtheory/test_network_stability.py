"""Decisions on agent networks: published answers, both sides of critical loads, and certificates that hold."""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction as F
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sympy as sp

from qtheory.errors import InputError
from qtheory.models import network_files
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import (
    dai_wang,
    fork_join,
    last_buffer_first,
    lu_kumar,
    parallel,
    reentrant_line,
    rybko_stolyar,
    rybko_stolyar_agents,
    tandem,
)
from qtheory.networks import Decision, decide
from qtheory.networks.certificates import cycle_claim, made
from qtheory.networks.certified import Certified, Rejected
from qtheory.networks.critical import bracket
from qtheory.networks.simulation import evidence, simulator_network
from qtheory.numerics.fluid_paths import Cycle
from qtheory.proofs.kernel.terms import KernelError
from qtheory.theory import stability as T
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Lyapunov, cover, search
from qtheory.theory.obligations import obligations, pieces
from qtheory.theory.stability import worst_virtual_station

SHIPPED = Path(__file__).parents[2] / "qtheory" / "networks" / "data"
_SPEC = importlib.util.spec_from_file_location("network_instances", Path(__file__).with_name("network_instances.py"))
assert _SPEC is not None and _SPEC.loader is not None
listed = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(listed)


def two_stations(seed: int, complete: bool) -> AgentNetwork:
    """A random network of one or two types through two engines at loads from 0.8 to 0.99; complete orders or none."""
    rng = random.Random(seed)
    raw = [[(rng.choice("AB"), F(rng.choice([1, 1, 2, 5, 9, 20]))) for _ in range(rng.randint(2, 6))]
           for _ in range(rng.randint(1, 2))]
    loads = {e: F(rng.randint(80, 99), 100) for e in "AB"}
    total = {e: sum(m for route in raw for s, m in route if s == e) for e in "AB"}
    types, number = [], 0
    for t, route in enumerate(raw):
        visits: list[Visit] = []
        for engine, m in route:
            number += 1
            after = (visits[-1].name,) if visits else ()
            visits.append(Visit(str(number), engine, m * loads[engine] / total[engine], after=after))
        types.append(RequestType(f"type {t}", F(1), tuple(visits)))
    network = AgentNetwork((Engine("A"), Engine("B")), tuple(types))
    rank = {v.name: rng.random() for v in network.visits}
    return network.refined(rank) if complete else network


def proof_holds(decision: Decision) -> bool:
    """The certificate, as it is written, is one for the network."""
    if decision.certificate is None:
        return decision.verdict == "undecided"
    return Certified(network_files.dumps(decision.network), decision.certificate).verdict == decision.verdict


# ---- published answers ----

def test_fifty_instances_are_listed_and_their_names_differ() -> None:
    assert len({i.name for i in listed.INSTANCES}) == len(listed.INSTANCES) >= 50


@pytest.mark.slow
def test_published_answers() -> None:
    """Of those that are not close to a critical load, which have a test below: none is wrong, all but one are decided,
    and every certificate is one for its network."""
    others = [i for i in listed.INSTANCES if i not in listed.CRITICAL]
    decisions = {i.name: decide(i.network) for i in others}
    wrong = [i.name for i in others if decisions[i.name].verdict not in (i.answer, "undecided")]
    undecided = [n for n, d in decisions.items() if d.verdict == "undecided"]
    assert wrong == [] and undecided == ["Bramson's network"]
    assert [n for n, d in decisions.items() if not proof_holds(d)] == []


@pytest.mark.sliced(3)
@pytest.mark.parametrize("instance", listed.CRITICAL, ids=lambda i: i.name)
def test_both_sides_of_the_critical_load(instance: Any) -> None:
    decision = decide(instance.network)
    assert decision.verdict == instance.answer, instance.source
    assert max(decision.loads.values()) < F(9, 10) and proof_holds(decision)


@pytest.mark.slow
def test_at_the_critical_load_nothing_is_claimed() -> None:
    half = ["1/10", "1/2", "1/10", "1/2"]
    for network in (rybko_stolyar(half), lu_kumar(half), listed.every_order(lu_kumar(half)), tandem(["1/2", 1])):
        assert decide(network).verdict == "undecided"


@pytest.mark.slow
def test_the_papers_critical_load_is_19_34() -> None:
    """Load 608 lambda/768 of each agent; virtual station of the long sub-tasks at 1088 lambda/768."""
    around = bracket(rybko_stolyar_agents(1), F(1, 10**4))
    assert around.stable is not None and around.unstable is not None
    assert around.stable < F(19, 34) < around.unstable < around.stable * F(10001, 10000) + F(1, 10**9)
    assert around.exact == F(19, 34)


def answering(monkeypatch: pytest.MonkeyPatch, verdict: Callable[[F], str]) -> AgentNetwork:
    """A network at load 1 whose decisions are these, by its load."""
    def answer(network: AgentNetwork, budget: float) -> SimpleNamespace:
        load = max(T.nominal_loads(network).values())
        return SimpleNamespace(verdict=verdict(load))

    monkeypatch.setattr("qtheory.networks.critical.decide", answer)
    return tandem([1])


def test_both_ends_of_what_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    network = answering(monkeypatch, lambda x: "stable" if x < F(3, 10) else
                        "undecided" if x < F(7, 10) else "unstable")
    around = bracket(network)
    assert around.stable is not None and F(3, 10) - F(1, 500) < around.stable < F(3, 10) <= around.undecided[0]
    assert around.unstable is not None and around.undecided[-1] < F(7, 10) <= around.unstable < F(7, 10) + F(1, 500)
    assert around.exact is None and around.monotone and f"{len(around.undecided)} factors" in str(around)
    assert around.to_json()["tried"][-1]["verdict"] == "unstable" and len(around.tried) < 30


def test_verdicts_that_do_not_follow_each_other_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    network = answering(monkeypatch, lambda x: "undecided" if F(2, 5) < x < F(3, 5) else "stable")
    around = bracket(network)
    assert not around.monotone and "stable at 0.75" in str(around)


# ---- conditions and functions ----

def test_loads_of_the_papers_formulas() -> None:
    numbers = {T.lam: sp.Rational(1, 2), T.m_p: 512, T.m_d: 128, T.b: 768, T.t_b: sp.Rational(1, 4)}
    assert T.engine_load().subs(numbers) == sp.Rational(5, 48)
    assert T.parallel_load().subs({**numbers, T.K: 2}) == sp.Rational(5, 96)
    assert sp.simplify(T.types_load([T.lam, T.lam], [T.m_p, 0], [0, T.m_d]) - T.engine_load()) == 0
    like = T.nominal_loads(parallel(2, rate=F(1, 2), prompt=512, output=128, batch_time=F(1, 4)))
    assert like == {"engine 1": F(5, 96), "engine 2": F(5, 96)}
    fork = fork_join(rate=F(1, 2))
    tokens = {"agent 0": 96, "agent 1": 320, "agent 2": 256, "agent 3": 128}
    assert T.nominal_loads(fork) == {e: F(n, 2 * 768) for e, n in tokens.items()}


def test_virtual_stations_of_the_classics() -> None:
    m1, m3, m5 = F(1, 5), F(1, 2), F(2, 5)
    for network, visits, pushed, load in (
        (rybko_stolyar(["1/10", "3/10", "1/10", "2/5"]), ("2", "4"), (), F(7, 10)),
        (lu_kumar(["1/10", "3/10", "1/10", "2/5"]), ("2", "4"), (), F(7, 10)),
        (dai_wang([m1, "1/10", m3, "1/10", m5]), ("3", "5"), ("1",), m3 + m5 / (1 - m1)),
    ):
        found = worst_virtual_station(network)
        assert found is not None and (found.visits, found.pushed, found.load) == (visits, pushed, load)
    assert worst_virtual_station(tandem(["1/2"] * 4)) is None
    assert worst_virtual_station(fork_join()) is None


@pytest.mark.sliced(4)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=[pytest.mark.slow] * (s in (9, 11, 30))) for s in range(40)])
def test_two_stations_are_decided_as_their_virtual_stations_say(seed: int) -> None:
    """Dai and Vande Vate (2000): stable under every order if and only if no virtual station is overloaded."""
    network = two_stations(seed, complete=False)
    heaviest = worst_virtual_station(network)
    expected = "stable" if heaviest is None or heaviest.load < 1 else "unstable"
    assert decide(network).verdict == expected


def test_a_function_with_another_coefficient_is_none() -> None:
    model = FluidModel.of(rybko_stolyar_agents().reversed_priority())
    answer = search(model, linear=True)
    assert answer is not None
    found, _ = answer
    for k in model.visits:
        [piece] = found.pieces
        other = Lyapunov(((*piece[:k], -piece[k] - 1, *piece[k + 1:]),), found.decay, found.floor)
        assert cover(pieces(model, other.pieces, other.decay, other.floor)) is None
    assert cover(pieces(model, found.pieces, found.decay * 100, found.floor)) is None


def test_an_engine_that_nobody_visits_changes_nothing() -> None:
    network = dai_wang()
    idle = AgentNetwork((*listed.every_order(network).engines, Engine("idle")), network.types)
    decision = decide(idle)
    assert decision.verdict == "stable" and decision.lyapunov is not None and len(decision.lyapunov.pieces) == 3
    assert proof_holds(decision)


def test_the_equations_of_the_fluid_model() -> None:
    import sympy as sp

    equations = FluidModel.of(fork_join()).symbolic()
    t = sp.Symbol("t", nonnegative=True)
    last = [e for e in equations if isinstance(e, sp.Eq) and e.lhs == sp.Function("Z_4")(t)]
    R = [sp.Function(f"R_{k}")(t) for k in range(1, 5)]
    assert [e.rhs for e in last] == [R[3] - sp.Max(R[1], R[2])]
    assert sum(isinstance(e, sp.Implies) for e in equations) == 4


def test_orders_are_patterns() -> None:
    model = FluidModel.of(rybko_stolyar())
    assert len(list(model.patterns())) == 3 * 3 - 1 and model.is_static
    free = FluidModel.of(rybko_stolyar(), every_order=True)
    assert len(list(free.patterns())) == 2 * 2 - 1 and not free.is_static
    assert len(list(FluidModel.of(fork_join()).patterns())) == 2**3 + 2 * (2**3 - 1)  # joins in two ways


# ---- certificates ----

def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def mutants(data: Any, every: int = 1) -> Iterator[Any]:
    """Every copy (or every 2nd, ..) with one number increased by one, but for the version of the library that wrote
    it."""
    count = itertools.count()
    for path, value in leaves(data):
        if path == ("version",) or isinstance(value, bool) or value is None:
            continue
        changed = [value + 1] if isinstance(value, int) else [
            value[:m.start()] + str(int(m[0]) + 1) + value[m.end():] for m in re.finditer(r"\d+", value)]
        for new in changed:
            if next(count) % every:
                continue
            copied = copy.deepcopy(data)
            inner = copied
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = new
            yield copied


def accepted(network: AgentNetwork, data: Any) -> bool:
    try:
        Certified(network_files.dumps(network), data)
    except Rejected:
        return False
    return True


@pytest.mark.slow
@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("network", [tandem(["1/2", "5/4"]), reentrant_line("AB", ["1/2", "1/3"]),
                                     network_files.load(SHIPPED / "tool-calls.toml")],
                         ids=["overload", "linear", "random routes"])
def test_no_number_of_a_certificate_may_change(network: AgentNetwork) -> None:
    data = json.loads(json.dumps(decide(network).certificate))
    assert accepted(network, data)
    tried = list(mutants(data))
    assert len(tried) > 40 and not any(accepted(network, m) for m in tried)


def test_numbers_too_long_for_a_certificate() -> None:
    network = reentrant_line("AAAA", [F(10**90 + k, 10**91 + 7 * k) for k in (1, 3, 9, 27)])
    with pytest.raises(InputError, match="the load of A is a number of more than 250 digits"):
        decide(network)


@pytest.mark.slow
@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("network", [rybko_stolyar(), listed.every_order(dai_wang())], ids=["cycle", "pieces"])
def test_numbers_of_longer_certificates(network: AgentNetwork) -> None:
    """Every sixteenth number of a cycle's and of a piecewise linear function's certificate."""
    data = json.loads(json.dumps(decide(network).certificate))
    tried = list(mutants(data, every=16))
    assert len(tried) > 50 and not any(accepted(network, m) for m in tried)


@pytest.mark.slow
def test_a_certificate_is_for_one_network() -> None:
    pairs = [(rybko_stolyar(), rybko_stolyar(["1/10", "61/100", "1/10", "3/5"])), (lu_kumar(), rybko_stolyar()),
             (tandem(["1/2", "2/3"]), tandem(["1/2", "3/4"])), (tandem([2, 1]), tandem([3, 1])),
             (rybko_stolyar(), rybko_stolyar().reversed_priority()), (rybko_stolyar(), listed.fcfs(rybko_stolyar()))]
    for network, other in pairs:
        data = json.loads(json.dumps(decide(network).certificate))
        assert accepted(network, data) and not accepted(other, data)


def test_what_is_no_network_and_no_certificate_is_told_in_a_line() -> None:
    for act in (lambda: decide("lu-kumar"), lambda: bracket("lu-kumar")):  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"not a value of type str; one is read by .*\.load\('lu-kumar'\)"):
            act()
    text = network_files.dumps(tandem([2, 1]))
    for wrong, message in ((object(), "as JSON has it, .*: Object of type object is not JSON"), ({1, 2}, "of type set"),
                           (None, "has the keys schema")):
        with pytest.raises(Rejected, match=message):
            Certified(text, wrong)
    with pytest.raises(Rejected, match="of type AgentNetwork; the text of its file comes first"):
        Certified(tandem([2, 1]), {})  # type: ignore[arg-type]


@pytest.mark.later
@pytest.mark.usefixtures("remembered")
def test_no_step_may_be_left_out() -> None:
    for network in (rybko_stolyar(), listed.every_order(dai_wang()), tandem(["1/2", "5/4"])):
        data = json.loads(json.dumps(decide(network).certificate))
        for i in range(len(data["proofs"])):
            assert not accepted(network, {**data, "proofs": data["proofs"][:i] + data["proofs"][i + 1:]})


@pytest.mark.slow
@pytest.mark.usefixtures("remembered")
def test_an_irrational_growth_is_certified_by_a_cone() -> None:
    """One round maps the contents of visits 2 and 7 by a matrix whose larger eigenvalue is no rational number."""
    routes = [("1", "C", "97/1020"), ("2", "B", "91/1800"), ("3", "A", "19/128"), ("4", "A", "171/640"),
              ("5", "B", "91/225")], [("6", "C", "97/5100"), ("7", "B", "91/450"), ("8", "A", "171/320"),
                                      ("9", "B", "91/360"), ("10", "C", "291/340")]
    types = tuple(RequestType(f"type {i}", F(1), tuple(
        Visit(n, e, F(m), after=(route[j - 1][0],) if j else ()) for j, (n, e, m) in enumerate(route)))
        for i, route in enumerate(routes))
    network = AgentNetwork(tuple(Engine(e) for e in "ABC"), types).with_priority(
        {"A": ("3", "8", "4"), "B": ("9", "5", "7", "2"), "C": ("1", "10", "6")})
    decision = decide(network)
    assert decision.verdict == "unstable" and decision.cycle is None and decision.cone is not None
    assert decision.cone.growth > F(9, 8) and len(decision.cone.rounds) == 2
    data = json.loads(json.dumps(decision.certificate))
    assert accepted(network, data)
    assert not any(accepted(network, {**data, "proofs": data["proofs"][:i] + data["proofs"][i + 1:]}) for i in (0, 17))
    assert not any(accepted(network, m) for m in mutants(data, every=4000))
    assert decision.to_json()["cone"]["order"]["A"] == ["3", "8", "4"]


def test_a_path_that_jumps_is_no_path() -> None:
    network = rybko_stolyar()
    cycle = decide(network).cycle
    assert cycle is not None
    first, second, *rest = cycle.segments
    higher = dataclasses.replace(second, start=tuple(2 * z for z in second.start), duration=2 * second.duration)
    with pytest.raises(KernelError):
        made(network, cycle_claim(network, Cycle((first, higher, *rest), cycle.growth)))


def test_a_cycle_does_not_speak_of_orders_that_the_network_excludes() -> None:
    data = json.loads(json.dumps(decide(listed.every_order(rybko_stolyar())).certificate))
    assert accepted(rybko_stolyar(), data)  # that is its own order
    assert not accepted(rybko_stolyar().reversed_priority(), data)


@pytest.mark.slow
def test_the_largest_network_is_decided_within_its_steps() -> None:
    """Four stations, twelve visits: 4^4 - 1 patterns, of which few need a step of their own."""
    line = last_buffer_first(reentrant_line(["A", "B", "C", "D"] * 3, [F(3, 10)] * 12))
    decision = decide(line)
    assert decision.verdict == "stable" and decision.lyapunov is not None and decision.certificate is not None
    assert sum(1 for _ in obligations(line, decision.certificate["claim"])) == 4**4 + 1
    assert len(decision.certificate["proofs"]) < 80


def test_what_the_kernel_refuses_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(data: Any, statement: Any = None) -> None:
        raise KernelError("no")

    monkeypatch.setattr("qtheory.networks.certified.both", refuse)
    for network in (rybko_stolyar(), tandem(["1/2", "2/3"])):
        decision = decide(network)
        assert decision.verdict == "undecided" and decision.certificate is None
        assert any("refused by a checker (" in s for s in decision.searched)
    overloaded = decide(tandem(["1/2", "2"]))
    assert overloaded.verdict == "undecided" and ", but no certificate is accepted (" in overloaded.reason


def test_rates_of_too_many_digits_between_factors_are_undecided() -> None:
    """The network's own numbers have as many digits as there may be; those in the middle of two factors have more."""
    network = tandem(["1/2", "2/3"]).scaled(F(10**98 + 1, 10**98 + 3))
    found = bracket(network)
    assert found.stable is None and set(found.undecided) == {f for f, v in found.tried if v != "unstable"}


def test_large_networks_end_without_a_claim_or_with_a_certificate() -> None:
    line = reentrant_line(["A", "B"] * 18, [F(1, 19)] * 36)
    assert proof_holds(decide(line))
    wide = AgentNetwork(line.engines, tuple(RequestType(f"t{i}", F(1, 99), (Visit(f"v{i}", "A", F(1)),))
                                                for i in range(60)))
    decision = decide(wide)
    assert decision.verdict == "undecided" and "60 visits are too many" in decision.searched[0]


# ---- phases and simulation ----

@pytest.mark.slow
def test_phases_leave_the_critical_load_where_it_is() -> None:
    """Prompt and output apart, decode before prefill within a type: the load 19/34 decides as for whole visits."""
    network = rybko_stolyar_agents()
    phased = network.phased()
    assert phased.groups["agent 1"] == (("B1/d",), ("B1/p",), ("A1/d",), ("A1/p",))
    assert phased.works["A2/p"] == F(512, 768) and phased.works["A2/d"] == F(32, 768)
    assert T.nominal_loads(phased) == T.nominal_loads(network)
    for load, answer in ((F(19, 34) - listed.SMALL, "stable"), (F(19, 34) + listed.SMALL, "unstable")):
        assert decide(rybko_stolyar_agents(load).phased()).verdict == answer
    assert decide(network.reversed_priority().phased()).verdict == "stable"
    joined = fork_join().phased()
    assert {v.name: v.after for v in joined.visits}["3/p"] == ("1/d", "2/d") and decide(joined).verdict == "stable"


@pytest.mark.later
def test_the_papers_instance_grows_as_its_fluid_path_does() -> None:
    """The content of the fluid path grows by (growth - 1) * content / duration; simulated with exponential times."""
    network = rybko_stolyar_agents()
    cycle = decide(network).cycle
    assert cycle is not None
    low, high = cycle.rates()
    assert low == high == (cycle.growth - 1) * sum(cycle.segments[0].start) / cycle.duration
    growth = evidence(network, replications=10, events=100_000).stability.growth
    assert abs(growth.estimate - float(low)) < 0.05 * low and growth.high - growth.low < 0.1 * low

def test_the_simulators_network() -> None:
    made = simulator_network(rybko_stolyar_agents())
    assert {s.name: s.discipline for s in made.stations} == {"agent 1": "priority", "agent 2": "priority"}
    assert made.loads == pytest.approx({"agent 1": 0.9, "agent 2": 0.9})
    assert {c.name: c.priority for c in made.classes} == {"A1": 1, "A2": 0, "B2": 1, "B1": 0}
    with pytest.raises(ValueError, match="forks or joins"):
        simulator_network(fork_join())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_simulations_do_not_contradict_decisions(seed: int) -> None:
    network = two_stations(1000 + seed, complete=True)
    if seed < 2:
        network = (rybko_stolyar(), rybko_stolyar().reversed_priority())[seed]
    verdict = decide(network).verdict
    test = evidence(network, replications=5, seed=seed, events=20_000)
    assert {verdict, test.stability.verdict} != {"stable", "unstable"}


@pytest.mark.slow
def test_random_orders_are_decided_one_way() -> None:
    """Where a growing cycle is found there is no Lyapunov function of either family, and the other way round."""
    verdicts = []
    for seed in range(10):
        network = two_stations(2000 + seed, complete=True)
        decision = decide(network)
        verdicts.append(decision.verdict)
        if decision.verdict == "unstable":
            assert search(decision.model, linear=True) is None and search(decision.model, linear=False) is None
        assert proof_holds(decision)
    assert set(verdicts) == {"stable", "unstable"}
