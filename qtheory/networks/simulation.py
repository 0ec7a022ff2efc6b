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
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics.stability import Stability, stability

EVENTS = 100_000  # of a replication
BATCH = 16  # tokens, where times are made tokens
NO_MODEL = "no simulator has forks and joins beside random routes, or with times as unlike as these"


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


def forks(network: AgentNetwork) -> bool:
    """Whether a request can be at several visits at once."""
    starts = (sum(not v.after for v in t.visits) for t in network.types if not t.routed)
    return bool(network.joins) or max(starts, default=1) > 1 or any(
        sum(ways.values()) > 1 for ways in network.routing.values())


def simulator_network(network: AgentNetwork) -> Network:
    """The network for the simulator: Poisson arrivals, exponential times, non-preemptive priorities; first come,
    first served where an order is open. InputError for forks and joins, which the simulator does not have."""
    if forks(network):
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
    tokens, else with exponential times, and where it forks or joins with times made tokens. ``share``: of the usual
    length of its runs. None for a network that no model has."""
    agents, events = token_model(network), math.ceil(share * EVENTS)
    if agents is not None:
        return token_evidence(agents, events=4 * events, executor=executor)
    if not forks(network):
        return evidence(network, events=events, executor=executor)
    try:
        return token_evidence(forked_model(network), events=4 * events, executor=executor,
                              model=f"with times made tokens, {BATCH} in a batch,")
    except InputError:
        return None


def require_simulated(network: AgentNetwork) -> None:
    """Raises InputError for a network that :func:`evidence_for` has no model of."""
    if forks(network) and token_model(network) is None:
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
    runs = replicate(simulator_network(network), replications=replications, executor=executor, horizon=horizon,
                     windows=200, seed=seed)
    return Evidence(stability(runs), horizon, seed)
