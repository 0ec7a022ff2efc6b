"""Product forms: the measure balances the chain of the network's file exactly, and verdicts are right about load 1."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork, Engine, NetworkError, RequestType, Visit
from qtheory.models.network_classics import bramson, fork_join, reentrant_line, rybko_stolyar, rybko_stolyar_agents
from qtheory.models.network_files import dumps, parse
from qtheory.networks import bracket, decide, evidence_for, rereading
from qtheory.networks.certificates import made, product_claim
from qtheory.networks.certified import CHECKED_CHAIN, Certified, Rejected
from qtheory.networks.simulation import require_simulated, sharing_chain
from qtheory.theory.stability import nominal_loads

State = tuple[tuple[str, ...], ...]  # by engine its requests' visits, in the order of arrival; sorted where shared


def ruled(network: AgentNetwork, policy: str) -> AgentNetwork:
    return AgentNetwork(tuple(Engine(e.name, policy=policy) for e in network.engines), network.types)


def drawn(seed: int, load: F | None = None, engines: str = "AB", most: int = 3) -> AgentNetwork:
    """A network of a product form: routes random or fixed, engines shared or first come, first served; the heaviest
    engine at this load."""
    rng = random.Random(seed)
    policy = {e: rng.choice(("fcfs", "processor-sharing")) for e in engines}
    mean = {e: F(rng.randint(1, 5), rng.randint(1, 5)) for e in engines}
    types = []
    for t in range(rng.randint(1, 2)):
        names = [f"{'ab'[t]}{i}" for i in range(rng.randint(1, most))]
        routed, visits = rng.random() < 0.5, list[Visit]()
        for i, name in enumerate(names):
            engine = rng.choice(engines)
            work = mean[engine] if policy[engine] == "fcfs" else F(rng.randint(1, 5), rng.randint(1, 5))
            ways = {names[rng.randint(0, i)]: F(1, 4)} | ({names[i + 1]: F(1, 2)} if i + 1 < len(names) else {})
            visits.append(Visit(name, engine, work, after=(names[i - 1],) if i and not routed else (),
                                routes=ways if routed else ()))  # type: ignore[arg-type]
        types.append(RequestType(f"t{t}", F(rng.randint(1, 3)), tuple(visits)))
    network = AgentNetwork(tuple(Engine(e, policy=p) for e, p in policy.items()), tuple(types))
    return network if load is None else network.scaled(load / max(nominal_loads(network).values()))


def crossing(policy: str) -> AgentNetwork:
    types = tuple(RequestType(a, F(1), tuple(Visit(f"{a}{k}", b if k else a, F(19, 100), after=(f"{a}{k - 1}",) if k
                                                   else ()) for k in range(5))) for a, b in ("AB", "BA"))
    return AgentNetwork(tuple(Engine(e, policy=policy) for e in "AB"), types)


def moves(network: AgentNetwork, state: State) -> Iterator[tuple[State, F]]:
    """Where the chain goes from a state, and at what rates, by the definition of its engines."""
    place = {e.name: i for i, e in enumerate(network.engines)}
    shared = [e.policy == "processor-sharing" for e in network.engines]
    engine = {v.name: place[v.engine] for v in network.visits}

    def come(held: State, visit: str) -> State:
        i = engine[visit]
        queue = (*held[i], visit)
        return (*held[:i], tuple(sorted(queue)) if shared[i] else queue, *held[i + 1:])

    for visit, rate in network.arrivals.items():
        if rate:
            yield come(state, visit), rate
    for i, queue in enumerate(state):
        serving = [(n, F(1, len(queue))) for n in range(len(queue))] if shared[i] else [(0, F(1))][:len(queue)]
        for n, share in serving:
            left = (*state[:i], queue[:n] + queue[n + 1:], *state[i + 1:])
            speed, ways = share / network.works[queue[n]], network.routing[queue[n]]
            yield from ((come(left, to), speed * p) for to, p in ways.items())
            if sum(ways.values()) < 1:
                yield left, speed * (1 - sum(ways.values()))


def measure(network: AgentNetwork, state: State) -> F:
    """The product of rate times mean over all requests, with the number of orders where time is shared."""
    weight = F(1)
    for e, queue in zip(network.engines, state, strict=True):
        for visit in queue:
            weight *= network.rates[visit] * network.works[visit]
        if e.policy == "processor-sharing":
            weight *= math.factorial(len(queue))
            for visit in set(queue):
                weight /= math.factorial(queue.count(visit))
    return weight


def states(network: AgentNetwork, most: int) -> Iterator[State]:
    """All states with at most so many requests."""
    ways = []
    for e in network.engines:
        here = [v.name for v in network.visits if v.engine == e.name]
        each = itertools.combinations_with_replacement if e.policy == "processor-sharing" else None
        ways.append([q for n in range(most + 1) for q in (
            each(sorted(here), n) if each else itertools.product(here, repeat=n))])
    return (s for s in itertools.product(*ways) if sum(map(len, s)) <= most)


@pytest.mark.parametrize("seed", range(25))
def test_the_product_form_balances_the_chain(seed: int) -> None:
    """Global balance, exactly, in every state of at most two requests: what comes in from those of at most three."""
    network, most = drawn(seed), 2
    inflow: defaultdict[State, F] = defaultdict(F)
    out: defaultdict[State, F] = defaultdict(F)
    for state in states(network, most + 1):
        for to, rate in moves(network, state):
            out[state] += measure(network, state) * rate
            inflow[to] += measure(network, state) * rate
    checked = list(states(network, most))
    assert len(checked) >= 3 and all(inflow[s] == out[s] for s in checked)


def test_unlike_means_under_first_come_first_served_are_not_balanced() -> None:
    """The test above can fail: the conditions are needed."""
    network = ruled(reentrant_line("ABA", ["1/5", "1/4", "1/2"]), "fcfs")
    inflow: defaultdict[State, F] = defaultdict(F)
    out: defaultdict[State, F] = defaultdict(F)
    for state in states(network, 3):
        for to, rate in moves(network, state):
            out[state] += measure(network, state) * rate
            inflow[to] += measure(network, state) * rate
    assert any(inflow[s] != out[s] for s in states(network, 2))


@pytest.mark.sliced(4)
@pytest.mark.parametrize("seed", range(40))
def test_verdicts_about_load_1(seed: int) -> None:
    for load, verdict in ((F(9, 10), "stable"), (F(1), "undecided"), (F(11, 10), "unstable")):
        network = drawn(seed, load, "ABC", 4)
        assert decide(network).verdict == verdict
        proved = load < 1 and Certified(dumps(network), made(network, product_claim(network))).verdict == "stable"
        assert proved is (load < 1)
        if load >= 1:
            with pytest.raises(Exception, match=r".") as refused:
                made(network, product_claim(network))
            assert refused.type.__name__ in ("KernelError", "ValueError")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_simulations_agree(seed: int) -> None:
    for load, verdict in ((F(9, 10), "stable"), (F(11, 10), "unstable")):
        network = drawn(seed, load)
        said = evidence_for(network)
        if said is None:
            with pytest.raises(InputError, match="processor sharing"):
                require_simulated(network)
        else:
            assert said.stability.verdict == verdict == decide(network).verdict


def test_the_requests_there_are_in_equilibrium() -> None:
    """The mean number at an engine is load / (1 - load); the simulator's chain has it too."""
    from qtheory.simulate.runs import replicate

    network = ruled(rybko_stolyar(), "processor-sharing")
    decision = decide(network)
    assert "  requests at A in equilibrium: 7/3 = 2.33333 on average" in str(decision).splitlines()
    runs = replicate(sharing_chain(network), replications=10, horizon=20_000.0, windows=20, seed=1)
    mean = sum(float(r.present[5:].mean()) for r in runs) / len(runs)
    assert mean == pytest.approx(14 / 3, rel=0.05)


def test_what_is_said_of_a_product_form() -> None:
    network = ruled(rybko_stolyar(["0.1", "0.6", "0.1", "0.6"]), "processor-sharing")
    decision = decide(network)
    assert decision.scope == ("processor sharing at A, B, with Poisson arrivals and exponential times, where an engine "
                              "does one request's work at a time or shares it equally")
    said, data = str(decision).splitlines(), decision.to_json()
    assert any(line.startswith("stable under processor sharing at A, B, with Poisson arrivals") for line in said)
    assert f"  checked: {CHECKED_CHAIN}, 6 proofs" in said and data["checked"] == CHECKED_CHAIN
    assert any(line.startswith("  rests on: Kelly (1979)") for line in said)
    assert data["product_form"]["rates"] == dict.fromkeys("1234", "1") and "Kelly" in data["product_form"]["rests_on"]
    mixed = AgentNetwork((Engine("A", policy="processor-sharing"), Engine("B", policy="fcfs")), network.types)
    assert decide(mixed).verdict == "undecided"  # the means at B differ
    like = AgentNetwork(mixed.engines, rybko_stolyar(["0.1", "0.45", "0.45", "0.8"]).types)
    assert decide(like).scope.startswith("first come, first served at B and processor sharing at A, with Poisson")


@pytest.mark.slow
def test_a_kelly_network_that_no_function_decides() -> None:
    """Two types that cross, each with four visits to its second engine, like times: stable under first come, first
    served; under every order it is not, so that no function of the fluid model can say so."""
    network = crossing("fcfs")
    assert decide(crossing("work-conserving")).verdict == "unstable"
    decision = decide(network)
    assert decision.verdict == "stable" and decision.scope.startswith("first come, first served at A, B, with Poisson")
    shown = bracket(network)
    assert shown.exact == F(20, 19) and shown.stable is not None and shown.unstable is not None
    assert decide(ruled(rybko_stolyar(["0.1", "0.6", "0.1", "0.6"]), "fcfs")).verdict == "undecided"
    assert decide(bramson(20, "9/10", "1/1000")).verdict == "undecided"


@pytest.mark.parametrize(("change", "says"), [
    ({"A": "work-conserving"}, "a product form"), ({}, None)])
def test_a_certificate_is_of_its_policies(change: dict[str, str], says: str | None) -> None:
    network = crossing("fcfs")
    data = decide(network).certificate
    other = AgentNetwork(tuple(dataclasses.replace(e, policy=change.get(e.name, e.policy)) for e in network.engines),
                         network.types)
    if says is None:
        assert Certified(dumps(other), data).verdict == "stable"
        return
    with pytest.raises(Rejected, match=says):
        Certified(dumps(other), data)


def test_processor_sharing_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = ruled(rybko_stolyar(["0.1", "0.6", "0.1", "0.6"]), "processor-sharing")
    assert parse(dumps(network)) == network and network.sharing == network.ruled == ("A", "B")
    file, made_of = tmp_path / "net.toml", tmp_path / "cert.json"
    file.write_text(dumps(network), encoding="utf-8")

    def run(*arguments: str) -> tuple[Any, str]:
        with pytest.raises(SystemExit) as end:
            main(["network", str(file), *arguments])
        return end.value.code or 0, capsys.readouterr().out

    assert run("-o", str(made_of))[0] == 0
    code, out = run("--check", str(made_of))
    assert code == 0 and out.endswith(f"valid: stable, {CHECKED_CHAIN}\n")


@pytest.mark.parametrize("policy", ["processor-sharing", "sarathi"])
def test_joins_do_not_share_an_engine(policy: str) -> None:
    with pytest.raises(NetworkError, match="joins, and shares engine"):
        ruled(fork_join(), policy)
    text = dumps(fork_join()).replace('policy = "work-conserving"', f'policy = "{policy}"')
    with pytest.raises(ValueError, match="visits that join share no engine"):
        rereading.Network(text)
    with pytest.raises(InputError, match="shares engine"):
        parse(text)


def test_schedulers_that_the_fluid_model_does_not_fit_are_refused_by_name() -> None:
    for policy, why in (("orca", "visits of their own"), ("vllm", "not work-conserving"),
                        ("fastertransformer", "not work-conserving")):
        with pytest.raises(NetworkError, match=why):
            Engine("A", policy=policy)
    with pytest.raises(NetworkError, match="decode_time is for batches of one kind"):
        Engine("A", policy="sarathi", decode_time=F(1))


@pytest.mark.slow
def test_sarathi_token_by_token() -> None:
    """Two agents that hand over to each other, below load 1 and above: verdict and tokens agree."""
    for load, verdict in ((F(1, 4), "stable"), (F(11, 10), "unstable")):
        agents = rybko_stolyar_agents(load)
        network = AgentNetwork(tuple(dataclasses.replace(e, policy="sarathi", priority=()) for e in agents.engines),
                               agents.types)
        said = evidence_for(network)
        assert said is not None and said.model == "token by token"
        assert said.stability.verdict == verdict == decide(network).verdict
