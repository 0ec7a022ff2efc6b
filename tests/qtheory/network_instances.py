"""Networks whose stability is published: name, network, answer, policy and formula, source.

All at arrival rate 1 a second; m_k is the mean time of visit k. "Every order" is every work-conserving order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from typing import NamedTuple

from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import (
    bramson,
    dai_wang,
    first_buffer_first,
    fork_join,
    last_buffer_first,
    lu_kumar,
    reentrant_line,
    rybko_stolyar,
    rybko_stolyar_agents,
    tandem,
)

SMALL = F(1, 10**6)


class Instance(NamedTuple):
    name: str
    network: AgentNetwork
    answer: str
    source: str


def every_order(network: AgentNetwork) -> AgentNetwork:
    return network.with_priority({e.name: () for e in network.engines})


def fcfs(network: AgentNetwork) -> AgentNetwork:
    engines = tuple(Engine(e.name, e.budget, e.batch_time, "fcfs") for e in network.engines)
    return AgentNetwork(engines, network.types, network.title)


def _critical() -> Iterator[Instance]:
    """1e-6 to either side of the published critical value, the nominal loads well below 1."""
    for sign, answer in ((-1, "stable"), (1, "unstable")):
        side = f"{'below' if sign < 0 else 'above'} by 1e-6"
        half, tenth = F(1, 2) + sign * SMALL / 2, F(1, 10)
        source = "Rybko and Stolyar (1992), Botvich and Zamyatin (1992): priority to 2 and 4; m2 + m4 < 1"
        yield Instance(f"Rybko-Stolyar, priority to the last visits, {side}",
                       rybko_stolyar([tenth, half, tenth, half]), answer, source)
        skew = [tenth, F(3, 10), tenth, F(7, 10) + sign * SMALL]
        yield Instance(f"Rybko-Stolyar, unlike types, {side}", rybko_stolyar(skew), answer, source)
        source = "Bertsimas, Gamarnik and Tsitsiklis (1996), Dai and Vande Vate (2000): every order; m2 + m4 < 1"
        yield Instance(f"Rybko-Stolyar, every order, {side}", every_order(rybko_stolyar(skew)), answer, source)
        source = "Lu and Kumar (1991), Dai and Weiss (1996): priority to 4 and 2; m2 + m4 < 1"
        yield Instance(f"Lu-Kumar, {side}", lu_kumar([tenth, half, tenth, half]), answer, source)
        yield Instance(f"Lu-Kumar, unlike times, {side}", lu_kumar(skew), answer, source)
        source = "Dai and Weiss (1996), Dai and Vande Vate (2000): every order; m2 + m4 < 1"
        yield Instance(f"Lu-Kumar, every order, {side}", every_order(lu_kumar(skew)), answer, source)
        source = "Dai and Vande Vate (2000): push start of 1, virtual station 3 and 5; m3 + m5/(1 - m1) < 1"
        pushed = [F(1, 5), tenth, half, tenth, F(2, 5)]  # 1/2 + (2/5)/(4/5) = 1
        yield Instance(f"Dai-Wang, priority to 1 and 5, and to 3, {side}", dai_wang(pushed), answer, source)
        yield Instance(f"Dai-Wang, every order, {side}", every_order(dai_wang(pushed)), answer, source)
        source = "Throughput-optimal scheduling, Section 4.3, as Rybko-Stolyar: 2 * 544 lambda / 768 < 1, load < 19/34"
        load = F(19, 34) + sign * SMALL
        yield Instance(f"Rybko-Stolyar of LLM agents, {side}", rybko_stolyar_agents(load), answer, source)


def _rybko_stolyar() -> Iterator[Instance]:
    agents = rybko_stolyar_agents()
    paper = "Throughput-optimal scheduling, Section 4.3, Figure 8"
    yield Instance("the paper's instance, load 0.9", agents, "unstable", f"{paper} (up)")
    yield Instance("the paper's instance, priorities reversed", agents.reversed_priority(), "stable", f"{paper} (down)")
    yield Instance("Rybko-Stolyar, first visits first, load 0.98",
                   rybko_stolyar(["0.1", "0.88", "0.1", "0.88"]).reversed_priority(), "stable",
                   "Throughput-optimal scheduling, Section 4.3: priority to 1 and 3; loads < 1")
    kelly = "Bramson (1996), Kelly networks: first come, first served with like times at each station; loads < 1"
    like = ["0.49", "0.45", "0.45", "0.49"]
    yield Instance("Rybko-Stolyar, FCFS, like times", fcfs(rybko_stolyar(like)), "stable", kelly)
    line = reentrant_line("ABA", ["0.45", "0.9", "0.45"])
    yield Instance("a re-entrant line, FCFS, like times", fcfs(line), "stable", kelly)
    yield Instance("Rybko-Stolyar, FCFS, overloaded", fcfs(rybko_stolyar(["0.5", "0.3", "0.1", "0.6"])), "unstable",
                   "a load above 1")


def _reentrant() -> Iterator[Instance]:
    """Re-entrant lines at load 0.99 under the two buffer priorities."""
    source = "Kumar and Kumar (1994), Dai and Weiss (1996): {}-buffer-first; loads < 1"
    lines = ["ABBA", "AABBA", "ABABAB", "ABCABC", "ABCCBA", "ABCDABCD"]
    for number, line in enumerate(lines):
        weight = [F(1 + (3 * i + number) % 5) for i in range(len(line))]
        total = {s: sum(w for w, t in zip(weight, line, strict=True) if t == s) for s in line}
        means = [F(99, 100) * w / total[s] for w, s in zip(weight, line, strict=True)]
        for which, order in (("first", first_buffer_first), ("last", last_buffer_first)):
            yield Instance(f"{line}, {which} buffer first", order(reentrant_line(line, means)), "stable",
                           source.format(which))


def _feed_forward() -> Iterator[Instance]:
    source = "Dai (1995): feed-forward, every order; loads < 1"
    yield Instance("tandem at load 0.99", tandem(["0.5", "0.99", "0.7"]), "stable", source)
    yield Instance("tandem, overloaded", tandem(["0.5", "1.000001", "0.7"]), "unstable", "a load above 1")
    fast = (Visit("a1", "A", F("0.3")), Visit("a2", "B", F("0.4"), after=("a1",)),
            Visit("a3", "C", F("0.2"), after=("a2",)))
    slow = Visit("b1", "A", F("0.69")), Visit("b2", "C", F("0.79"), after=("b1",))
    types = RequestType("a", F(1), fast), RequestType("b", F(1), slow)
    network = AgentNetwork((Engine("A"), Engine("B"), Engine("C")), types)
    yield Instance("two types through three stations", network, "stable", source)
    yield Instance("two types, a priority", network.with_priority({"A": ("b1", "a1")}), "stable", source)
    source = "Throughput-optimal scheduling, Section 4.2: every order; the types' loads sum to less than 1"
    for load, answer in (("0.499999", "stable"), ("0.500001", "unstable")):
        types = tuple(RequestType(n, F(1), (Visit(n, "engine", F(load)),)) for n in "ab")
        one = AgentNetwork((Engine("engine"),), types)
        yield Instance(f"two types at one engine, {load} each", one, answer, source)
    forked = fork_join(rate=1)
    visits = forked.types[0].visits[:3]
    source = "Throughput-optimal scheduling, Section 4.3: the fork without agent 3; loads < 1"
    for rate, answer in (("2.39", "stable"), ("2.41", "unstable")):
        fork = AgentNetwork(forked.engines[:3], (RequestType("request", F(rate), visits),))
        yield Instance(f"fork at {rate} requests a second", fork, answer, source)


def _multitype() -> Iterator[Instance]:
    """Two stations, every order, from the published region m2 + m4 < 1 etc., away from the boundary."""
    source = "Dai and Vande Vate (2000): every order; m2 + m4 < 1 and loads < 1"
    for m2, m4, answer in (("0.3", "0.6", "stable"), ("0.8", "0.15", "stable"), ("0.7", "0.4", "unstable"),
                           ("0.25", "0.8", "unstable")):
        for name, made in (("Lu-Kumar", lu_kumar), ("Rybko-Stolyar", rybko_stolyar)):
            network = every_order(made(["0.1", m2, "0.1", m4]))
            yield Instance(f"{name}, every order, {m2}, {m4}", network, answer, source)
    source = "Bramson (1994): first come, first served, with two visits near 1 and very many very short ones"
    yield Instance("Bramson's network", bramson(1600, "399/400", F(1, 400) ** 8), "unstable", source)


INSTANCES = [*_critical(), *_rybko_stolyar(), *_reentrant(), *_feed_forward(), *_multitype()]
CRITICAL = [i for i in INSTANCES if i.name.endswith("by 1e-6")]
