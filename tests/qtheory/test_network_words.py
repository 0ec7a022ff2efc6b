"""What is printed and saved of a decision on a network: each number recomputed from what it stands for."""

from __future__ import annotations

import importlib.util
import re
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import fork_join, reentrant_line, rybko_stolyar, rybko_stolyar_agents
from qtheory.models.network_files import dumps
from qtheory.networks import Decision, decide, tokens
from qtheory.networks.certified import Certified, Rejected
from qtheory.networks.simulation import require_simulated
from qtheory.networks.tokens import Return, growth, returned, spiral
from qtheory.proofs.api import prove
from qtheory.theory.stability import nominal_loads, virtual_stations

_SPEC = importlib.util.spec_from_file_location("network_instances", Path(__file__).with_name("network_instances.py"))
assert _SPEC is not None and _SPEC.loader is not None
listed = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(listed)


def path(network: AgentNetwork, visit: str, rounds: int) -> list[tuple[F, dict[str, F]]]:
    """The fluid path by the rule itself: an engine gives its time to its visits in their order, and to one that is
    empty what keeps it empty; (time, content) where a buffer empties. For visits whose inflow comes from one visit."""
    held = {v.name: F(int(v.name == visit)) for v in network.visits}
    before = {n: v for v, ways in network.routing.items() for n in ways}
    now, found = F(0), []
    for _ in range(rounds):
        found.append((now, dict(held)))
        out: dict[str, F] = {}
        for _ in held:  # until no rate changes: what flows in depends on other engines
            for e in network.engines:
                left = F(1)
                for (v,) in network.groups[e.name]:
                    come = network.arrivals[v] + (out.get(before[v], F(0)) if v in before else 0)
                    share = left if held[v] else min(left, come * network.works[v])
                    out[v], left = share / network.works[v], left - share
        rate = {v: network.arrivals[v] + (out[before[v]] if v in before else 0) - out[v] for v in held}
        step = min(held[v] / -rate[v] for v in held if rate[v] < 0)
        now, held = now + step, {v: held[v] + step * rate[v] for v in held}
    return [*found, (now, held)]


def test_the_cycle_that_is_shown_is_the_fluid_path() -> None:
    network = rybko_stolyar()
    decision = decide(network)
    data, corners = decision.to_json(), path(network, "1", 4)
    growth = corners[-1][1]["1"]
    assert corners[-1][1] == {"1": growth, "2": 0, "3": 0, "4": 0} and growth > 1
    assert data["schema"] == 1 and data["cycle"]["growth"] == str(growth)
    assert data["cycle"]["states"] == [{v: str(z) for v, z in held.items()} for _, held in corners[:-1]]
    assert data["cycle"]["durations"] == [str(b - a) for (a, _), (b, _) in pairwise(corners)]
    start = corners[-1][0] / (growth - 1)  # when the path out of the empty network reaches the cycle's start
    ratios = [sum(held.values()) / (start + time) for time, held in corners]
    assert data["cycle"]["requests_a_second"] == [str(min(ratios)), str(max(ratios))]
    said = str(decision).splitlines()
    for time, held in corners[:-1]:
        of = ", ".join(f"{z}{'' if z.denominator == 1 else f' = {float(z):.6g}'} at {v}" for v, z in held.items() if z)
        assert f"  at {float(time):.6g} s: {of}" in said
    assert f"  at {float(corners[-1][0]):.6g} s: {growth} = {float(growth):.6g} times the first" in said
    assert "  load of A: 7/10 = 0.7" in said  # 1/10 + 3/5
    assert said[said.index("  virtual stations, for orders that serve their visits first:") + 1].endswith(
        "2, 4 of A and B at load 6/5 = 1.2")  # 3/5 + 3/5


def quadratic() -> Decision:
    return decide(listed.fcfs(reentrant_line("ABCAC", ["9/20", "3/5", "1/50", "9/20", "4/5"])))


def test_the_quadratic_function_that_is_shown_is_the_matrix_and_falls() -> None:
    decision = quadratic()
    assert "virtual" not in str(decision) and decision.to_json()["virtual_stations"] == []
    found = decision.to_json()["lyapunov"]
    names = [*found["matrix"]]
    assert names == [v.name for v in decision.network.visits]
    Q = sp.Matrix([[sp.Rational(found["matrix"][a][b]) for b in names] for a in names])
    Z = sp.Matrix(sp.symbols("z1:6"))
    shown = next(line for line in str(decision).splitlines() if line.startswith("  V = ")).removeprefix("  V = ")
    text = re.sub(r"(\d|\))\s+Z", r"\1*Z", shown)
    text = re.sub(r"(\))\s+(?=Z)", r"\1*", text)
    V = sp.sympify(re.sub(r"Z\((\d)\)", r"z\1", text).replace("^", "**"))
    assert sp.expand(V - (Z.T * Q * Z)[0]) == 0
    decay = sp.Rational(found["decay"])
    assert f"falls by {2 * decay} a second for each request there is" in decision.reason
    floor = sp.Rational(found["floor"])
    for z in map(sp.Matrix, ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 2, 3, 4, 5], [5, 1, 0, 0, 4])):
        assert (z.T * Q * z)[0] >= floor * (z.T * z)[0] > 0


@pytest.mark.parametrize("scale", ["1", "3/2"])
def test_an_overload_names_the_engine_and_its_load(scale: str) -> None:
    network = reentrant_line("AB", ["9/10", "1/2"]).scaled(F(scale))
    decision = decide(network)
    said = "unstable" if F(scale) * F(9, 10) > 1 else "stable"
    assert decision.verdict == said and (decision.overloaded == "A") is (said == "unstable")
    assert decision.to_json()["loads"] == {"A": str(F(scale) * F(9, 10)), "B": str(F(scale) / 2)}


def policies(network: AgentNetwork, **policy: str) -> AgentNetwork:
    """The network without priorities at the engines that are named, under these policies."""
    engines = tuple(Engine(e.name, policy=policy[e.name]) if e.name in policy else e for e in network.engines)
    return AgentNetwork(engines, network.types)


EVERY, JOINS = "every work-conserving order", ("provided that each visit serves its requests in the order of their "
                                               "arrival, which joins rest on")
LIGHT, HEAVY = rybko_stolyar(["1/10", "1/5", "1/10", "1/5"]), rybko_stolyar()
WORDS: dict[str, tuple[AgentNetwork, str]] = {
    "no choice": (reentrant_line("AB", ["1/2", "1/3"]), f"stable under {EVERY}: "),
    "every order": (policies(LIGHT, A="work-conserving", B="work-conserving"), f"stable under {EVERY}: "),
    "complete priorities": (HEAVY.reversed_priority(), "stable under its priorities: "),
    "priorities at one engine": (policies(LIGHT, A="work-conserving"),
                                 f"stable under {EVERY} that its priorities leave open: "),
    "a growing path": (HEAVY, "not stable under its priorities: "),
    "a growing path of some order": (
        policies(HEAVY, A="work-conserving", B="work-conserving"),
        "unstable under one work-conserving order, the one below, and not judged under the others: "),
    "a growing path of an order that is left open": (
        policies(HEAVY, A="work-conserving"), "unstable under one work-conserving order that its priorities leave "
        "open, the one below, and not judged under the others: "),
    "overload": (HEAVY.scaled(2), "not stable under any order of service: "),
    "overload with joins": (fork_join(rate=100), "not stable under any order of service: "),
    "overload where time is shared": (policies(HEAVY, A="processor-sharing", B="fcfs").scaled(2),
                                      "not stable under any order of service: "),
    "joins": (fork_join(), f"stable under {EVERY}, {JOINS}: "),
    "load 1": (reentrant_line("AB", ["1", "1/3"]), f"undecided under {EVERY}: "),
    "load 1 with joins": (fork_join().scaled(1 / max(nominal_loads(fork_join()).values())),
                          f"undecided under {EVERY}, {JOINS}: "),
    "first come, first served": (policies(LIGHT, A="fcfs", B="fcfs"),
                                 f"stable under {EVERY}, first come, first served at A, B included: "),
    "first come, first served beside priorities": (
        policies(LIGHT, A="fcfs"),
        f"stable under {EVERY} that its priorities leave open, first come, first served at A included: "),
    "time that is shared": (
        policies(LIGHT, A="processor-sharing", B="fcfs"), f"stable under {EVERY}, first come, first served at B "
        "included, processor sharing of exponential times at A included: "),
    "Sarathi-Serve": (policies(LIGHT, A="sarathi", B="sarathi"),
                      f"stable under {EVERY}, Sarathi-Serve at A, B included: "),
    "Sarathi-Serve, of every order some are unstable": (
        policies(HEAVY, A="sarathi", B="sarathi"), f"undecided under {EVERY}, Sarathi-Serve at A, B included: "),
    "a product form": (policies(HEAVY, A="processor-sharing", B="processor-sharing"),
                       "stable under processor sharing at A, B, with Poisson arrivals and exponential times, where an "
                       "engine does one request's work at a time or shares it equally: "),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("case", WORDS)
def test_the_verdict_says_of_which_orders_it_speaks(case: str) -> None:
    network, begin = WORDS[case]
    decision = decide(network)
    said = [line for line in str(decision).splitlines() if line.startswith(begin)]
    assert said == [begin + decision.reason]
    assert begin.endswith(f"under {decision.scope}: ") and decision.to_json()["scope"] == decision.scope


def joining(short: str = "1") -> AgentNetwork:
    """Rybko and Stolyar's network, and a type that forks and joins at an engine of its own."""
    base = rybko_stolyar()
    visits = (Visit("f", "C", "1"), Visit("g", "C", short, after=("f",)), Visit("h", "C", "1", after=("f",)),
              Visit("j", "C", "1", after=("g", "h")))
    return AgentNetwork((*base.engines, Engine("C")), (*base.types, RequestType("J", F(1, 100), visits)))


def test_what_joins_has_no_virtual_stations() -> None:
    assert [v.visits for v in virtual_stations(rybko_stolyar())] == [("2", "4")]
    assert list(virtual_stations(joining())) == []


def test_what_no_model_can_simulate_is_refused() -> None:
    require_simulated(joining())
    with pytest.raises(InputError):
        require_simulated(joining("1/1000000007"))


def test_the_last_part_of_a_spiral_begins_where_its_factor_says() -> None:
    """Windows end at slots 2, 4, 6 and 8; the time has doubled from slot 4 on."""
    tokens = np.array([[20.0], [4.0], [12.0], [8.0]])
    run = SimpleNamespace(windows=4, slots=8, tokens=tokens)
    least, most = spiral([run], 2.0)  # type: ignore[list-item]
    assert (least.tolist(), most.tolist()) == ([1.0], [2.0])
    assert [x.tolist() for x in spiral([run], 1.9)] == [[1.0], [2.0]]  # type: ignore[list-item]
    assert [x.tolist() for x in spiral([run], 4.0)] == [[1.0], [10.0]]  # type: ignore[list-item]


def test_a_proof_that_nothing_asks_for_is_refused() -> None:
    network = reentrant_line("AB", ["1/2", "1/3"])
    data = decide(network).certificate
    assert data is not None and Certified(dumps(network), data).verdict == "stable"
    spare = prove("2 > 1").certificate
    assert spare is not None
    more = {"given": [], "wanted": "2 > 1", "certificate": spare.data}
    with pytest.raises(Rejected, match="nothing that is asked for"):
        Certified(dumps(network), {**data, "proofs": [*data["proofs"], more]})


def test_phases_of_a_visit_keep_its_place_and_decode_goes_first() -> None:
    by = {e.name: e.priority for e in rybko_stolyar_agents().phased().engines}
    assert by["agent 1"] == (("B1/d",), ("B1/p",), ("A1/d",), ("A1/p",))
    assert by["agent 2"] == (("A2/d",), ("A2/p",), ("B2/d",), ("B2/p",))


def test_growth_is_requests_a_slot() -> None:
    """Means of the halves 1.5 and 3.5, whose middles are four slots apart."""
    run = SimpleNamespace(windows=4, slots=8, present=np.array([1.0, 2.0, 3.0, 4.0]))
    assert growth([run]).tolist() == [0.5]  # type: ignore[list-item]


def test_a_return_is_awaited_for_its_time_and_counted_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def replicate(agents, **options):  # type: ignore[no-untyped-def]
        asked.update(options, slot=agents.slot_seconds)
        return [SimpleNamespace(left_over=30), SimpleNamespace(left_over=10)]

    monkeypatch.setattr(tokens, "replicate", replicate)
    network = rybko_stolyar_agents(batch_time=F(1, 2))
    back = Return("A1", F(9, 4), F(7, 2), ())
    assert returned(network, back, 20, replications=2).tolist() == [1.5, 0.5]
    assert asked["slot"] == F(1, 2) and asked["horizon"] == 20 * 3.5 and asked["windows"] == 1


def test_a_fraction_is_shown_with_its_decimals_where_its_denominator_is_short() -> None:
    from qtheory.networks.wording import _number

    assert (_number(F(3)), _number(F(1, 8))) == ("3", "1/8 = 0.125")
    assert _number(F(1, 999_999)) == "1/999999 = 1e-06" and _number(F(1, 10**6)) == "1e-06"
