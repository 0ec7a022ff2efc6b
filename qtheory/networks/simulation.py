"""Agent networks in the simulator, token by token or with exponential times of the same means, and the test of their
stability."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.proofs.tactics.effort import COSTS, SECOND, spend
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, Factor, Move, up_to
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate
from qtheory.simulate.statistics.stability import Stability, stability

EVENTS = 100_000  # of a replication
REPLICATIONS = 10
LONG = 20  # times what a request takes alone that a run lasts at least, so that not all are of the first still there
MOST = 60.0  # units of work, where nothing else is said
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


class TooMuchWork(InputError):
    """A simulation that is long enough takes more work than it may."""


def evidence_for(network: AgentNetwork, executor: Executor | None = None, share: float = 1.0,
                 most: float = MOST) -> Evidence | None:
    """The simulator's stability test, whose replications an ``executor`` shares: token by token where lengths are
    tokens, else with exponential times, and where it forks or joins with times made tokens; where engines share their
    time with exponential times. ``share``: of the usual length of its runs, which are longer where a request takes
    long. None for a network that no model has; TooMuchWork, and nothing is run, where that takes more than ``most``
    units of work."""
    in_turn = not network.sharing
    has_tokens = in_turn and not network.routed and any(v.output for v in network.visits)
    slotted = has_tokens or (in_turn and network.forks)
    kinds = _work(network, _events(network, share, slotted, has_tokens), slotted)
    units = sum(COSTS[kind] * amount for kind, amount in kinds.items()) / SECOND
    if units > most:
        raise TooMuchWork(f"to simulate {len(network.visits)} visits for long enough takes about {units:.2g} units of "
                          f"work, and at most {most:.2g} may go to it")
    tokens = token_model(network) if has_tokens else None
    if tokens is not None:
        return token_evidence(tokens, events=_events(network, share, True, True), executor=executor)
    try:
        if in_turn and network.forks:
            return token_evidence(forked_model(network), events=_events(network, share, True), executor=executor,
                                  model=f"with times made tokens, {BATCH} in a batch,")
    except InputError:
        return None
    try:
        return evidence(network, events=_events(network, share), executor=executor)
    except InputError:
        if in_turn:
            raise
        return None


def _events(network: AgentNetwork, share: float, slotted: bool = False, tokens: bool = False) -> int:
    """Visits that are made in a run: the usual number, and at least :data:`LONG` times those that are made in the time
    that a request of the slowest type takes alone, on average. Token by token it has one output token in a batch."""
    at = {e.name: e for e in network.engines}
    rate = {v.name: t.rate for t in network.types for v in t.visits}
    ends = dict[str, Fraction]()
    for v in network.visits:
        takes = network.works[v.name] * network.rates[v.name] / rate[v.name]
        if tokens and v.output:
            takes = at[v.engine].seconds(v.prompt, Fraction(0)) + v.output * at[v.engine].batch_time
        ends[v.name] = takes + max((ends[n] for n in v.after), default=Fraction(0))
    longest = max((sum if t.routed else max)(ends[v.name] for v in t.visits) for t in network.types)
    usual = math.ceil(share * EVENTS) * (4 if slotted else 1)
    return max(usual, math.ceil(LONG * longest * sum(network.rates.values())))


def _work(network: AgentNetwork, events: int, slotted: bool, runs: int = REPLICATIONS) -> dict[str, int]:
    """What a test of so many runs of so many events takes, by kind."""
    visits = len(network.visits)
    kinds = {"events": runs * events // 1000, "station": runs * visits}
    if slotted:
        return kinds | {"length": runs * sum((v.prompt > 0) + (v.output > 0) for v in network.visits)}
    if network.sharing:
        here = [sum(map(len, groups)) for groups in network.groups.values()]
        return kinds | {"summands": runs * events * sum(n * n for n in here) // 1000}
    return kinds | {"equations": runs * visits**3 // 10**6}


def _spend(kinds: Mapping[str, int]) -> None:
    for kind, amount in kinds.items():
        spend(kind, amount)


def require_simulated(network: AgentNetwork) -> None:
    """Raises InputError for a network that :func:`evidence_for` has no model of."""
    if network.sharing:
        sharing_chain(network)
    elif network.forks and token_model(network) is None:
        forked_model(network)


def token_evidence(agents: SlottedAgents, *, replications: int = REPLICATIONS, seed: int = 0, events: int = 4 * EVENTS,
                   model: str = "token by token", executor: Executor | None = None) -> Evidence:
    """The simulator's stability test on ``replications`` token-level runs of about ``events`` visits each; ``model``:
    what it is called."""
    _spend(_work(agents.network, events, True, replications))
    visits = sum(agents.network.rates.values()) * agents.slot_seconds
    slots = 200 * max(1, round(events / (200 * float(visits))))
    horizon = float(slots * agents.slot_seconds)
    runs = replicate(agents, replications=replications, executor=executor, horizon=horizon, windows=200, seed=seed)
    return Evidence(stability(runs), horizon, seed, model)


def evidence(network: AgentNetwork, *, replications: int = REPLICATIONS, seed: int = 0, events: int = EVENTS,
             executor: Executor | None = None) -> Evidence:
    """The simulator's stability test on ``replications`` runs of about ``events`` visits each from the empty state."""
    _spend(_work(network, events, False, replications))
    horizon = events / float(sum(network.rates.values()))
    model = sharing_chain(network) if network.sharing else simulator_network(network)
    runs = replicate(model, replications=replications, executor=executor, horizon=horizon,
                     windows=200, seed=seed)
    return Evidence(stability(runs), horizon, seed)
