"""Generators of the classical networks. Mean service times are lengths at engines of rate 1; all numbers exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from qtheory.models.network import AgentNetwork, Engine, Number, RequestType, Visit

Orders = Mapping[str, Sequence[str]]


def reentrant_line(stations: Sequence[str], means: Sequence[Number], rate: Number = 1,
                   priority: Orders | None = None, title: str = "re-entrant line") -> AgentNetwork:
    """One type that visits ``stations`` in this order, with these mean service times; visits are named 1, 2, ...

    ``priority``: by station its visits, the most urgent first; stations without one serve in any order.
    """
    visits = []
    for number, (station, mean) in enumerate(zip(stations, means, strict=True), 1):
        after = (str(number - 1),) if number > 1 else ()
        visits.append(Visit(str(number), station, Fraction(mean), after=after))
    engines = tuple(Engine(s) for s in dict.fromkeys(stations))
    return AgentNetwork(engines, (RequestType("request", Fraction(rate), tuple(visits)),), title).with_priority(
        priority or {}
    )


def tandem(means: Sequence[Number], rate: Number = 1) -> AgentNetwork:
    """Stations 1, 2, ... one after the other."""
    return reentrant_line([str(i) for i in range(1, len(means) + 1)], means, rate, title="tandem")


def last_buffer_first(network: AgentNetwork) -> AgentNetwork:
    """The network under last-buffer-first-served, within the priorities that it has: later visits first."""
    return network.refined({v.name: -i for i, v in enumerate(network.visits)})


def first_buffer_first(network: AgentNetwork) -> AgentNetwork:
    """The network under first-buffer-first-served, within the priorities that it has: earlier visits first."""
    return network.refined({v.name: i for i, v in enumerate(network.visits)})


def lu_kumar(means: Sequence[Number] = ("1/10", "2/3", "1/10", "2/3"), rate: Number = 1) -> AgentNetwork:
    """Lu and Kumar (1991), Distributed scheduling based on due dates and buffer priorities, IEEE Trans. Automat.
    Control 36: visits 1 at A, 2 and 3 at B, 4 at A, with priority to 4 at A and to 2 at B."""
    return reentrant_line("ABBA", means, rate, {"A": ("4", "1"), "B": ("2", "3")}, "Lu-Kumar network")


def dai_wang(means: Sequence[Number] = ("2/5", "1/10", "3/10", "1/10", "2/5"), rate: Number = 1) -> AgentNetwork:
    """Dai and Wang (1993), Nonexistence of Brownian models for certain multiclass queueing networks, Queueing
    Systems 13: visits 1 and 2 at A, 3 and 4 at B, 5 at A.

    The priorities are those of the push start of Dai and Vande Vate (2000): 1, then 5, then 2 at A; 3 at B.
    """
    return reentrant_line("AABBA", means, rate, {"A": ("1", "5", "2"), "B": ("3", "4")}, "Dai-Wang network")


def rybko_stolyar(means: Sequence[Number] = ("1/10", "3/5", "1/10", "3/5"), rates: Sequence[Number] = (1, 1)
                  ) -> AgentNetwork:
    """Rybko and Stolyar (1992), Ergodicity of stochastic processes that describe the functioning of open queueing
    networks, Probl. Inf. Transm. 28: 1 at A then 2 at B; 3 at B then 4 at A; priority to the last visits, 4 and 2.

    ``means``: of visits 1 to 4; in the original all times are exponential.
    """
    m1, m2, m3, m4 = (Fraction(m) for m in means)
    types = (RequestType("A", Fraction(rates[0]), (Visit("1", "A", m1), Visit("2", "B", m2, after=("1",)))),
             RequestType("B", Fraction(rates[1]), (Visit("3", "B", m3), Visit("4", "A", m4, after=("3",)))))
    engines = (Engine("A", policy="priority", priority=("4", "1")),  # type: ignore[arg-type]
               Engine("B", policy="priority", priority=("2", "3")))  # type: ignore[arg-type]
    return AgentNetwork(engines, types, "Rybko-Stolyar network")


def rybko_stolyar_agents(load: Number = "9/10", short: Sequence[Number] = (32, 32), long: Sequence[Number] = (512, 32),
                         budget: Number = 768, batch_time: Number = 1) -> AgentNetwork:
    """The token version, throughput-optimal scheduling, Section 4.3, (4.4)-(4.5): two agents, types A and B.

    ``short``, ``long``: mean (prompt, output) tokens of a type's first and second sub-task; ``load``: of each agent;
    both types arrive at equal rates. Agent 1 gives priority to B, agent 2 to A.
    """
    (short_p, short_d), (long_p, long_d) = ((Fraction(p), Fraction(d)) for p, d in (short, long))
    rate = Fraction(load) * Fraction(budget) / Fraction(batch_time) / (short_p + short_d + long_p + long_d)
    types = tuple(
        RequestType(name, rate, (Visit(f"{name}{first}", f"agent {first}", short_p, short_d),
                                 Visit(f"{name}{second}", f"agent {second}", long_p, long_d, (f"{name}{first}",))))
        for name, first, second in (("A", 1, 2), ("B", 2, 1))
    )
    engines = tuple(
        Engine(f"agent {number}", Fraction(budget), Fraction(batch_time), "priority", order)  # type: ignore[arg-type]
        for number, order in ((1, ("B1", "A1")), (2, ("A2", "B2")))
    )
    return AgentNetwork(engines, types, f"Rybko-Stolyar network of LLM agents at load {Fraction(load)}")


def bramson(visits: int = 10, long: Number = "9/10", short: Number = "1/5000", rate: Number = 1) -> AgentNetwork:
    """Bramson (1994), Instability of FIFO queueing networks, Ann. Appl. Probab. 4: first at A, ``visits`` visits in
    a row at B, last at A; the first at B and the last at A have mean time ``long``, all others ``short``; first come,
    first served at both. Bramson shows it unstable for ``long`` near 1, many visits and a small enough ``short``."""
    stations = ["A", *["B"] * visits, "A"]
    means = [short, Fraction(long), *[short] * (visits - 1), Fraction(long)]
    line = reentrant_line(stations, means, rate, title="Bramson's network under first come, first served")
    engines = tuple(Engine(e.name, policy="fcfs") for e in line.engines)
    return AgentNetwork(engines, line.types, line.title)


def fork_join(tokens: Sequence[Sequence[Number]] = ((64, 32), (256, 64), (128, 128), (64, 64)), rate: Number = 1,
              budget: Number = 768, batch_time: Number = 1) -> AgentNetwork:
    """Throughput-optimal scheduling, Section 4.3: agent 0 forks into agents 1 and 2, which join at agent 3.

    ``tokens``: mean (prompt, output) at each agent.
    """
    after = ((), ("0",), ("0",), ("1", "2"))
    visits = tuple(Visit(str(j), f"agent {j}", Fraction(p), Fraction(d), a)
                   for j, ((p, d), a) in enumerate(zip(tokens, after, strict=True)))
    engines = tuple(Engine(f"agent {j}", Fraction(budget), Fraction(batch_time)) for j in range(4))
    return AgentNetwork(engines, (RequestType("request", Fraction(rate), visits),), "fork-join network of LLM agents")


def parallel(engines: int = 2, rate: Number = 1, prompt: Number = 64, output: Number = 32, budget: Number = 768,
             batch_time: Number = 1) -> AgentNetwork:
    """Like engines side by side under random routing, throughput-optimal scheduling, Section 4.1: a request goes to
    each with the same probability, so that a thinned Poisson process of ``rate/engines`` comes to each."""
    names = [f"engine {k}" for k in range(1, engines + 1)]
    visits = (Visit(f"at {n}", n, Fraction(prompt), Fraction(output)) for n in names)
    types = (RequestType(f"to {v.engine}", Fraction(rate) / engines, (v,)) for v in visits)
    made = (Engine(n, Fraction(budget), Fraction(batch_time)) for n in names)
    return AgentNetwork(tuple(made), tuple(types), f"{engines} parallel engines under random routing")
