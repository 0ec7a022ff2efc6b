"""Random routes: traffic equations, decisions and certificates, the simulator's network, files and bad input."""

from __future__ import annotations

import dataclasses
import json
import random
import tomllib
from fractions import Fraction as F
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork, Engine, NetworkError, RequestType, Visit
from qtheory.models.network_classics import dai_wang, lu_kumar, reentrant_line, rybko_stolyar
from qtheory.models.network_files import dumps, load, parse, schema
from qtheory.networks import Decision, decide
from qtheory.networks.certificates import paths_of
from qtheory.networks.certified import Certified, Rejected
from qtheory.networks.simulation import evidence_for, simulator_network
from qtheory.numerics.fluid_paths import starts
from qtheory.simulate import SlottedAgents
from qtheory.testing import networks
from qtheory.theory.fluid import FluidModel
from qtheory.theory.stability import nominal_loads, worst_virtual_station

SMALL = F(1, 10**6)
TOOLS = load(Path(__file__).parents[2] / "qtheory" / "networks" / "data" / "tool-calls.toml")


def repeated(network: AgentNetwork, again: F) -> AgentNetwork:
    """The same fluid model by random routes: each visit is made again with this probability, and is shorter for it."""
    types = []
    for t in network.types:
        visits = []
        for v in t.visits:
            onward = {w.name: 1 - again for w in t.visits if v.name in w.after}
            visits.append(Visit(v.name, v.engine, v.length * (1 - again), routes={v.name: again, **onward}))
        types.append(dataclasses.replace(t, visits=tuple(visits)))
    return dataclasses.replace(network, types=tuple(types))


def drawn(seed: int) -> AgentNetwork:
    """Two types at random over three visits each at two engines, loads 0.5 to 0.95, under a random complete order."""
    rng = random.Random(seed)
    types = []
    for letter in "ab":
        names = [f"{letter}{i}" for i in range(3)]
        visits = []
        for i, name in enumerate(names):
            raw = {n: F(rng.randint(0, 3)) for n in names}
            raw[names[(i + 1) % 3]] += 1
            total = sum(raw.values()) + rng.randint(1, 4)
            visits.append(Visit(name, rng.choice("AB"), F(rng.randint(1, 9)),
                                routes={n: p / total for n, p in raw.items() if p}))
        types.append(RequestType(letter, F(1), tuple(visits)))
    network = AgentNetwork((Engine("A"), Engine("B")), tuple(types))
    loads = nominal_loads(network)
    scale = {e: F(rng.randint(50, 95), 100) / x for e, x in loads.items() if x}
    engines = tuple(Engine(e, 1 / scale.get(e, F(1))) for e in loads)
    rank = {v.name: rng.random() for v in network.visits}
    return dataclasses.replace(network, engines=engines).refined(rank)


def accepted(decision: Decision, network: AgentNetwork) -> bool:
    try:
        return Certified(dumps(network), decision.certificate).verdict == decision.verdict
    except Rejected:
        return False


# ---- loads ----

def test_the_traffic_equations() -> None:
    """A request thinks 1/(1 - 2/3) times, and calls the tool once less."""
    assert TOOLS.rates == {"think": 18, "call": 12} and TOOLS.arrivals == {"think": 6, "call": 0}
    assert nominal_loads(TOOLS) == {"model": F(18 * 460, 10240), "tools": F(12, 50)}


@pytest.mark.parametrize("seed", range(8))
def test_rates_are_those_of_the_simulators_network(seed: int) -> None:
    network = drawn(seed)
    simulated = simulator_network(network)
    assert np.allclose(simulated.rates, [float(x) for x in network.rates.values()], rtol=1e-12)
    assert simulated.loads == pytest.approx({e: float(x) for e, x in nominal_loads(network).items()})


def test_repeats_leave_loads_and_contents_as_they_are() -> None:
    plain, random = lu_kumar(), repeated(lu_kumar(), F(1, 3))
    assert nominal_loads(plain) == nominal_loads(random)
    one, other = paths_of(FluidModel.of(plain)), paths_of(FluidModel.of(random))
    for state in starts(4):
        first, second = one.step(state), other.step(state)
        assert first is not None and second is not None
        assert (first.duration, one.end(first)) == (second.duration, other.end(second))


# ---- decisions ----

@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("made", [rybko_stolyar, lu_kumar], ids=["Rybko-Stolyar", "Lu-Kumar"])
def test_both_sides_of_the_critical_load(made: object, sign: int) -> None:
    """Priority to the visits 2 and 4, each made again with probability 1/3: stable if and only if m2 + m4 < 1, as Rybko
    and Stolyar (1992) and Lu and Kumar (1991), for the mean times m of all its repeats."""
    assert callable(made)
    network = repeated(made([F(1, 10), F(3, 10), F(1, 10), F(7, 10) + sign * SMALL]), F(1, 3))
    decision = decide(network)
    assert decision.verdict == ("stable" if sign < 0 else "unstable") and max(decision.loads.values()) < F(9, 10)
    assert accepted(decision, network)


@pytest.mark.slow
def test_every_kind_of_certificate() -> None:
    """Piecewise linear, quadratic, growing cycle under some order, overload."""
    line = reentrant_line("ABCAC", ["9/20", "3/5", "1/50", "9/20", "4/5"])
    free = {e.name: () for e in dai_wang().engines}
    cases = (("piecewise", dai_wang().with_priority(free)), ("quadratic", line),
             ("cycle", lu_kumar().with_priority(free)), ("overload", TOOLS.scaled(2)))
    for kind, plain in cases:
        network = plain if plain.routed else repeated(plain, F(1, 5))
        decision = decide(network)
        found = {"piecewise": decision.lyapunov, "quadratic": decision.quadratic, "cycle": decision.cycle,
                 "overload": decision.overloaded}[kind]
        assert found is not None and accepted(decision, network), kind


@pytest.mark.later
def test_a_certificate_is_for_one_routing() -> None:
    """Not for other probabilities; a cycle also for the network without repeats, which has the same contents."""
    for made in (lu_kumar(), lu_kumar().reversed_priority(), dai_wang()):
        network, other = repeated(made, F(1, 3)), repeated(made, F(1, 4))
        moved = dataclasses.replace(other, engines=network.engines, types=tuple(
            dataclasses.replace(t, visits=tuple(dataclasses.replace(v, prompt=w.prompt) for v, w in
                                                zip(t.visits, u.visits, strict=True)))
            for t, u in zip(other.types, network.types, strict=True)))
        decision = decide(network)
        assert accepted(decision, network) and not accepted(decision, moved)
        assert accepted(decision, made) == (decision.cycle is not None)


def test_nor_for_other_routes_of_the_same_rates() -> None:
    """All visits are made once on average, through all three in order or by a short cut and a repeat."""
    def line(routes: dict[str, dict[str, F]]) -> AgentNetwork:
        visits = tuple(Visit(n, e, F(m), routes=routes.get(n, {})) for n, e, m in
                       (("1", "A", "2/5"), ("2", "B", "3/5"), ("3", "A", "2/5")))
        return AgentNetwork((Engine("A"), Engine("B")), (RequestType("t", F(1), visits),)).with_priority(
            {"A": ("3", "1")})

    half = F(1, 2)
    straight = line({"1": {"2": F(1)}, "2": {"3": F(1)}})
    short = line({"1": {"2": half, "3": half}, "2": {"2": half, "3": half}})
    assert straight.rates == short.rates == {"1": 1, "2": 1, "3": 1}
    for one, other in ((straight, short), (short, straight)):
        decision = decide(one)
        assert decision.verdict == "stable" and accepted(decision, one) and not accepted(decision, other)


@pytest.mark.slow
def test_functions_fall_along_paths() -> None:
    """What the certificate says of all paths, read off exact ones of random networks; none of both verdicts is rare."""
    verdicts = []
    for seed in range(12):
        decision = decide(drawn(seed))
        verdicts.append(decision.verdict)
        assert decision.verdict == "undecided" or accepted(decision, decision.network)
        if decision.lyapunov is None:
            continue
        model, paths = decision.model, paths_of(decision.model)
        weights = [decision.lyapunov.weights(model, i) for i in range(len(decision.lyapunov.pieces))]
        for state in starts(6)[:10]:
            for _ in range(20):
                segment = paths.step(state)
                if segment is None or not any(state):
                    break
                end = paths.end(segment)
                before, after = (max(sum(w * z for w, z in zip(piece, held, strict=True)) for piece in weights)
                                 for held in (state, end))
                assert after <= before - decision.lyapunov.decay * segment.duration
                state = end
    assert {"stable"} <= set(verdicts) and verdicts.count("undecided") <= 2


@pytest.mark.slow
@given(networks(routes=True, engines=2))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_certificates_of_random_networks_hold(network: AgentNetwork) -> None:
    decision = decide(network)
    assert decision.verdict == "undecided" or accepted(decision, network)
    assert max(decision.loads.values()) <= 1 or decision.verdict == "unstable"


@pytest.mark.later
def test_simulations_do_not_contradict_decisions() -> None:
    for network in (TOOLS, repeated(rybko_stolyar(), F(1, 2))):
        test = evidence_for(network)
        assert test is not None and test.model == "with exponential times"
        assert test.stability.verdict == decide(network).verdict


def test_no_token_level_run_without_its_routes() -> None:
    with pytest.raises(InputError, match="no random routes"):
        SlottedAgents(TOOLS)


def test_virtual_stations_are_for_routes_that_are_certain() -> None:
    assert worst_virtual_station(repeated(lu_kumar(), F(1, 3))) is None
    assert decide(TOOLS).searched[0] == "virtual stations: not looked at, routes are random"


# ---- files, phases, pictures ----

@pytest.mark.slow
@pytest.mark.parametrize("network", [TOOLS, repeated(lu_kumar(), F(2, 7)), drawn(3)], ids=["tools", "again", "drawn"])
def test_what_is_written_is_read_back(network: AgentNetwork, tmp_path: Path) -> None:
    assert parse(dumps(network)) == network
    jsonschema.validate(json.loads(json.dumps(tomllib.loads(dumps(network)))), schema())
    network.draw(tmp_path / "network.svg")
    assert (tmp_path / "network.svg").stat().st_size > 5_000
    edges = network.to_networkx().edges(data="share")
    assert {(a, b): p for a, b, p in edges} == {(v.name, n): p for v in network.visits for n, p in v.routes}


def test_phases_leave_the_loads() -> None:
    phased = TOOLS.phased()
    assert phased.routing["think/p"] == {"think/d": 1} and phased.routing["think/d"] == {"call/p": F(2, 3)}
    assert nominal_loads(phased) == nominal_loads(TOOLS) and decide(phased).verdict == "stable"


def test_visits_without_routes_look_as_ever() -> None:
    """Hashes of recorded runs rest on the text of a network."""
    assert repr(Visit("v", "e", F(1))) == ("Visit(name='v', engine='e', prompt=Fraction(1, 1), output=Fraction(0, 1), "
                                           "after=())")
    assert "routes=(('w', Fraction(1, 2)),)" in repr(Visit("v", "e", F(1), routes={"w": F(1, 2)}))


TEXT = dumps(TOOLS)


@pytest.mark.parametrize(("old", "new", "line", "says"), [
    ('{"call" = "2/3"}', '{"cal" = "2/3"}', 22, "unknown visit 'cal'; nearest: call"),
    ('{"call" = "2/3"}', '{"call" = "2/3", "think" = "1/2"}', 22, "sum to more than 1"),
    ('{"call" = "2/3"}', '{"call" = 0}', 22, "the probability of 'call' is 0; it must be more than 0"),
    ('{"call" = "2/3"}', '["call"]', 22, "write routes as {next = probability, ..}"),
    ('{"call" = "2/3"}', '{"call" = 1}', 22, "a loop without exit, among think, call"),
    ('{"call" = "2/3"}', '{"think" = "2/3"}', 27, "no route from 'think' leads to visit 'call'"),
    ('routes = {"think" = 1}', 'after = ["think"]', 29, "after does not go with routes"),
])
def test_errors_name_their_line(old: str, new: str, line: int, says: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as error:
        parse(TEXT.replace(old, new, 1), "net.toml")
    assert str(error.value).startswith(f"net.toml, line {line}: ") and says in str(error.value)


def test_a_trap_that_is_only_part_of_the_type() -> None:
    visits = (Visit("a", "e", F(1), routes={"b": "1/2"}), Visit("b", "e", F(1), routes={"c": 1}),
              Visit("c", "e", F(1), routes={"b": "1/2", "c": "1/2"}))
    with pytest.raises(NetworkError, match="twice"):
        Visit("a", "e", F(1), routes=(("b", F(1, 2)), ("b", F(1, 4))))
    with pytest.raises(NetworkError, match="a loop without exit, among b, c"):
        AgentNetwork((Engine("e"),), (RequestType("t", F(1), visits),))
