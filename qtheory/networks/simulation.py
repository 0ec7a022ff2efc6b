"""Agent networks in the simulator, token by token or with exponential times of the same means, and the test of their
stability."""

from __future__ import annotations

import dataclasses
import math
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.proofs.tactics.effort import spend
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, Factor, Move, up_to
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics.stability import Stability, stability

EVENTS = 100_000  # of a replication
BATCH = 16  # tokens, where times are made tokens
NO_MODEL = "no simulator has forks and joins beside random routes, or with times as unlike as these"
NO_SHARING = "no simulator has processor sharing beside joins, or beside an engine that chooses between its visits"


@dataclass(frozen=True)
class Evidence:
    """What the simulator's test says, and of how long a simulation; never a proof. ``model``: what was simulated."""

    stability: Stability
    horizon: float
    seed: int
    model: str = "with exponential times"

    def __str__(self) -> str:
        return f"simulated {self.model} for {self.horizon:.4g} s: {self.stability}"

    def to_json(self) -> dict[str, Any]:
        s = self.stability
        return {"verdict": s.verdict, "model": self.model, "error_rate": s.error_rate, "seed": self.seed,
                "replications": s.replications, "horizon": self.horizon,
                "growth": [s.growth.estimate, s.growth.low, s.growth.high]}


def simulator_network(network: AgentNetwork) -> Network:
    """The network for the simulator: Poisson arrivals, exponential times, non-preemptive priorities; first come,
    first served where an order is open. InputError for forks and joins, and for processor sharing
    (:func:`sharing_chain`), which the simulator does not have."""
    if network.sharing:
        raise InputError(f"engine {network.sharing[0]!r} shares its time; the simulator's stations serve in turn")
    if network.forks:
        raise InputError("the network forks or joins; the simulator has routes of single jobs alone")
    level = {n: i for groups in network.groups.values() for i, g in enumerate(groups) for n in g}
    stations = tuple(Station(e.name, discipline="priority" if e.priority else "fcfs") for e in network.engines)
    classes = tuple(
        JobClass(v.name, v.engine, Exponential(float(network.works[v.name])),
                 Exponential(1.0 / float(network.arrivals[v.name])) if network.arrivals[v.name] else None,
                 priority=level[v.name], routes={n: float(p) for n, p in network.routing[v.name].items()})
        for v in network.visits
    )
    return Network(stations, classes)


def sharing_chain(network: AgentNetwork) -> CountsChain:
    """The numbers of requests at each visit as a Markov chain, where engines share their time or have one visit:
    Poisson arrivals, exponential times. InputError for joins, and where an engine chooses between visits."""
    here = {e.name: [v.name for v in network.visits if v.engine == e.name] for e in network.engines}
    if network.joins or any(len(names) > 1 and e not in network.sharing for e, names in here.items()):
        raise InputError(NO_SHARING)
    moves = []
    for t in network.types:
        begin = [t.visits[0]] if t.routed else [v for v in t.visits if not v.after]
        moves.append(Move(f"{t.name!r} comes", {v.name: 1 for v in begin}, float(t.rate)))
    for v in network.visits:
        busy: tuple[Factor, ...] = (up_to(v.name, 1),)
        if v.engine in network.sharing:
            busy = up_to(v.name), Factor("inverse", dict.fromkeys(here[v.engine], 1.0))
        ways = network.routing[v.name]
        leaves = [({n: 1}, p) for n, p in v.routes] + [({}, 1 - sum(ways.values(), Fraction(0)))] if v.routes else \
            [(dict.fromkeys(ways, 1), Fraction(1))]
        for number, (then, share) in enumerate(leaves):
            if share and v.name not in then:
                moves.append(Move(f"{v.name!r} ends, way {number}", {v.name: -1, **then},
                                  float(share / network.works[v.name]), busy))
    return CountsChain({v.name: 0 for v in network.visits}, tuple(moves))


def token_model(network: AgentNetwork) -> SlottedAgents | None:
    """The network token by token, with Poisson lengths, forks and joins among them; None where its routes are random or
    its lengths are no tokens: no visit has an output, or a length, a budget or a batch time is none that a slotted
    engine has."""
    if not any(v.output for v in network.visits):
        return None
    try:
        return SlottedAgents(network)
    except InputError:
        return None


def in_tokens(network: AgentNetwork) -> AgentNetwork:
    """A network with the same fluid model whose lengths are tokens: prompts alone, in batches of :data:`BATCH` tokens
    that take the time of the shortest visit, so that this one brings a batch's tokens."""
    slot = min(network.works.values())
    engines = tuple(dataclasses.replace(e, budget=Fraction(BATCH), batch_time=slot, decode_time=None)
                    for e in network.engines)
    types = tuple(dataclasses.replace(t, visits=tuple(
        dataclasses.replace(v, prompt=BATCH * network.works[v.name] / slot, output=Fraction(0)) for v in t.visits))
        for t in network.types)
    return AgentNetwork(engines, types, network.title)


def forked_model(network: AgentNetwork) -> SlottedAgents:
    """A network that forks or joins and whose lengths are no tokens, with its times made tokens; InputError for random
    routes beside forks, and for times too unlike for that."""
    try:
        return SlottedAgents(in_tokens(network))
    except InputError:
        raise InputError(NO_MODEL) from None


def evidence_for(network: AgentNetwork, executor: Executor | None = None, share: float = 1.0) -> Evidence | None:
    """The simulator's stability test, whose replications an ``executor`` shares: token by token where lengths are
    tokens, else with exponential times, and where it forks or joins with times made tokens; where engines share their
    time with exponential times. ``share``: of the usual
    length of its runs. None for a network that no model has."""
    events = math.ceil(share * EVENTS)
    if network.sharing:
        try:
            return evidence(network, events=events, executor=executor)
        except InputError:
            return None
    agents = token_model(network)
    if agents is not None:
        return token_evidence(agents, events=4 * events, executor=executor)
    if not network.forks:
        return evidence(network, events=events, executor=executor)
    try:
        return token_evidence(forked_model(network), events=4 * events, executor=executor,
                              model=f"with times made tokens, {BATCH} in a batch,")
    except InputError:
        return None


def require_simulated(network: AgentNetwork) -> None:
    """Raises InputError for a network that :func:`evidence_for` has no model of."""
    if network.sharing:
        sharing_chain(network)
    elif network.forks and token_model(network) is None:
        forked_model(network)


def token_evidence(agents: SlottedAgents, *, replications: int = 10, seed: int = 0, events: int = 4 * EVENTS,
                   model: str = "token by token", executor: Executor | None = None) -> Evidence:
    """The simulator's stability test on ``replications`` token-level runs of about ``events`` visits each; ``model``:
    what it is called."""
    spend("events", replications * events // 1000)
    visits = sum(agents.network.rates.values()) * agents.slot_seconds
    slots = 200 * max(1, round(events / (200 * float(visits))))
    horizon = float(slots * agents.slot_seconds)
    runs = replicate(agents, replications=replications, executor=executor, horizon=horizon, windows=200, seed=seed)
    return Evidence(stability(runs), horizon, seed, model)


def evidence(network: AgentNetwork, *, replications: int = 10, seed: int = 0, events: int = EVENTS,
             executor: Executor | None = None) -> Evidence:
    """The simulator's stability test on ``replications`` runs of about ``events`` visits each from the empty state."""
    spend("events", replications * events // 1000)
    horizon = events / float(sum(network.rates.values()))
    model = sharing_chain(network) if network.sharing else simulator_network(network)
    runs = replicate(model, replications=replications, executor=executor, horizon=horizon,
                     windows=200, seed=seed)
    return Evidence(stability(runs), horizon, seed)
