"""Random changes to networks and their certificates, and an oracle that shares nothing with the checkers.

``python tests/qtheory/network_mutations.py 0 10000`` runs the whole campaign; the tests run a slice of it.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction as F
from functools import cache
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import dai_wang, fork_join, lu_kumar, reentrant_line, rybko_stolyar, tandem
from qtheory.models.network_files import dumps
from qtheory.networks import decide, quadratic, shipped
from qtheory.networks.certificates import lyapunov_claim, made, quadratic_claim
from qtheory.networks.certified import Certified, Rejected
from qtheory.proofs.kernel.terms import KernelError
from qtheory.theory import lyapunov
from qtheory.theory.fluid import FluidModel

Network = AgentNetwork
STEPS = 20_000  # of a simulated path


# ---- the oracle: fluid in small steps, in floats ----

def content(network: Network, orders: Sequence[Sequence[str]], start: dict[str, float], time: float) -> float:
    """What a path under these orders holds after that time, or when it has all but drained, from these contents; a join
    begins with the least of what is done of the visits that it waits for."""
    visits = network.visits
    mu = {v.name: 1 / float(network.works[v.name]) for v in visits}
    come = {v.name: float(network.arrivals[v.name]) for v in visits}
    routes = {v.name: [(n, float(p)) for n, p in v.routes] for v in visits}
    after = {v.name: v.after for v in visits}
    got = {v.name: start.get(v.name, 0.0) for v in visits}  # all that has come to a visit, but from those it waits for
    done = dict.fromkeys(got, 0.0)
    dt = time / STEPS

    def held(n: str) -> float:
        """Of types in order all requests that have come wait, those that are upstream too."""
        return got[n] + (min(done[p] for p in after[n]) if after[n] else 0.0) - done[n]

    for step in range(STEPS):
        if step % 500 == 499 and sum(held(n) for n in got) < 0.1 * sum(start.values()):
            break  # it drains
        for order in orders:
            left = dt
            for n in order:
                amount = min(max(held(n), 0.0), mu[n] * left)
                left -= amount / mu[n]
                done[n] += amount
                for to, p in routes[n]:
                    got[to] += p * amount
        for n, rate in come.items():
            got[n] += rate * dt
    return sum(held(n) for n in got)


def orders_of(network: Network) -> Iterator[list[list[str]]]:
    """Complete orders within the groups, as they stand and the other way round."""
    groups = [network.groups[e.name] for e in network.engines]
    for step in (1, -1):
        yield [[n for g in engine for n in g[::step]] for engine in groups]


def contradicts(network: Network, claim: dict[str, Any], verdict: str) -> bool:
    """Do simulated paths say otherwise?"""
    load = {e.name: sum((network.rates[v.name] * network.works[v.name] for v in network.visits if v.engine == e.name),
                        F(0)) for e in network.engines}
    names = [v.name for v in network.visits]
    if claim["kind"] == "overload":
        return max(load.values()) <= 1
    if verdict == "stable":
        if max(load.values()) >= 1:
            return True
        if claim["kind"] == "product":
            return any(len(here) > 1 and (e.policy not in ("fcfs", "processor-sharing") or (
                e.policy == "fcfs" and len({network.works[n] for n in here}) > 1)) for e in network.engines
                for here in [[v.name for v in network.visits if v.engine == e.name]])
        scale = float(sum(network.works.values())) / (1 - float(max(load.values())))
        starts = [{n: 1.0} for n in names] if not network.joins else [{v.name: 1.0 for v in network.visits
                                                                       if not v.after}]
        return any(content(network, orders, start, 8 * scale) > 0.5 for orders in orders_of(network)
                   for start in starts)
    ray = claim["rays"][0]
    start = {n: float(F(z)) for n, z in zip(names, ray["starts"][0], strict=True)}
    orders = [[names[k] for k in line] for line in claim["order"]]
    return content(network, orders, start, float(sum(map(F, ray["durations"])))) <= 1.01 * sum(start.values())


# ---- what is changed ----

def joined() -> Network:
    """Decided by one piece an engine, and not by one piece."""
    visits = (Visit("0", "B", F(9)), Visit("1", "A", F(1), after=("0",)), Visit("2", "A", F(2), after=("1",)),
              Visit("3", "B", F(1), after=("1", "2")))
    return Network((Engine("A"), Engine("B")), (RequestType("t", F(9, 100), visits),))


def crossing(policy: str) -> Network:
    """Decided by its product form alone: under some orders it is not stable."""
    types = tuple(RequestType(a, F(1), tuple(Visit(f"{a}{k}", b if k else a, F(19, 100), after=(f"{a}{k - 1}",) if k
                                                   else ()) for k in range(5))) for a, b in ("AB", "BA"))
    return Network(tuple(Engine(e, policy=policy) for e in "AB"), types)


@cache
def bases() -> list[tuple[Network, str, dict[str, Any]]]:
    """Networks with their published or evident answers, and certificates of every kind."""
    free = {e.name: () for e in dai_wang().engines}
    answers = [(tandem(["1/2", "2/3"]), "stable"), (rybko_stolyar(), "unstable"), (fork_join(), "stable"),
               (rybko_stolyar().reversed_priority(), "stable"), (dai_wang().with_priority(free), "stable"),
               (lu_kumar().with_priority(free), "unstable"), (shipped.load("tool-calls"), "stable"),
               (tandem(["1/2", "5/4"]), "unstable"), (shipped.load("three-stations"), "stable")]
    answers += [(crossing(policy), "stable") for policy in ("fcfs", "processor-sharing")]
    found: list[tuple[Network, str, dict[str, Any]]] = []
    for network, answer in answers:
        data = decide(network).certificate
        assert data is not None
        found.append((network, answer, data))
    pieces = lyapunov.search(FluidModel.of(joined()), linear=False)
    line = reentrant_line("AB", ["1/2", "1/3"])
    square = quadratic.search(FluidModel.of(line))
    assert pieces is not None and square is not None
    found.append((joined(), "stable", made(joined(), lyapunov_claim(pieces[0]), pieces[1])))
    found.append((line, "stable", made(line, quadratic_claim(square[0]), square[1], square[2])))
    return [(n, a, json.loads(json.dumps(d))) for n, a, d in found]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*path, key))
    elif data is not None:
        yield path


def inside(data: Any, path: Sequence[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


def numbers(data: Any, rng: random.Random) -> None:
    """Another number, or text."""
    path = rng.choice(list(places(data)))
    holder, value = inside(data, path[:-1]), inside(data, path)
    if isinstance(value, int):
        holder[path[-1]] = value + rng.choice((-1, 1))
    elif (digits := [i for i, c in enumerate(value) if c.isdigit()]) and rng.random() < 0.8:
        i = rng.choice(digits)
        holder[path[-1]] = value[:i] + rng.choice("0123456789") + value[i + 1:]
    else:
        holder[path[-1]] = rng.choice(("0", "1", "-1", "1/2", value.replace(">=", ">"), value.replace("-", "", 1)))


def lists(data: Any, rng: random.Random) -> None:
    """An element of a list dropped, doubled, or exchanged with another."""
    every = {path[:i] for path in places(data) for i in range(len(path)) if isinstance(inside(data, path[:i]), list)}
    some = [p for p in sorted(every, key=str) if inside(data, p)]
    if not some:
        return
    chosen = inside(data, rng.choice(some))
    i, j = rng.randrange(len(chosen)), rng.randrange(len(chosen))
    way = rng.randrange(3)
    if way == 0:
        del chosen[i]
    elif way == 1:
        chosen.insert(j, copy.deepcopy(chosen[i]))
    else:
        chosen[i], chosen[j] = chosen[j], chosen[i]


def exchanged(data: Any, rng: random.Random) -> None:
    """Parts of two proofs exchanged."""
    key = rng.choice(("given", "wanted", "certificate"))
    one, other = rng.choice(data["proofs"]), rng.choice(data["proofs"])
    one[key], other[key] = other[key], one[key]


def facts(data: Any, rng: random.Random) -> None:
    """A fact more or less."""
    one, other = rng.choice(data["proofs"]), rng.choice(data["proofs"])
    if one["given"] and rng.random() < 0.5:
        one["given"].remove(rng.choice(one["given"]))
    elif other["given"]:
        one["given"].append(rng.choice(other["given"]))


def perturbed(network: Network, rng: random.Random) -> Network:
    """Another rate, length, time, priority, policy, engine, order, join or route."""
    factor = rng.choice((F(1, 2), F(9, 10), F(99, 100), F(101, 100), F(11, 10), F(2), F(10)))
    e, t = rng.randrange(len(network.engines)), rng.randrange(len(network.types))
    engine, kind = network.engines[e], network.types[t]
    v = rng.randrange(len(kind.visits))
    visit = kind.visits[v]
    way = rng.randrange(9)
    if way in (0, 1):
        engine = dataclasses.replace(engine, batch_time=engine.batch_time * factor)
    elif way == 2:
        kind = dataclasses.replace(kind, rate=kind.rate * factor)
    elif way in (3, 4):
        here = [w.name for w in network.visits if w.engine == engine.name]
        groups = network.groups[engine.name]
        shuffled: tuple[tuple[str, ...], ...] = tuple((n,) for n in rng.sample(here, len(here)))
        return network.with_priority({engine.name: rng.choice((groups[::-1], (), shuffled))})
    elif way == 5:
        engine = dataclasses.replace(engine, policy="fcfs", priority=())
    elif way == 6:
        visit = dataclasses.replace(visit, prompt=visit.prompt * factor)
    elif way == 7 and not kind.routed:
        more = rng.choice(kind.visits[:v] or (visit,)).name
        after = tuple(n for n in visit.after if n != more) if more in visit.after else (*visit.after, more)
        visit = dataclasses.replace(visit, after=after)
    elif visit.routes:
        to, p = visit.routes[0]
        visit = dataclasses.replace(visit, routes=((to, p * factor), *visit.routes[1:]))
    else:
        return dataclasses.replace(network, types=network.types[::-1])
    visits = (*kind.visits[:v], visit, *kind.visits[v + 1:])
    kind = dataclasses.replace(kind, visits=visits)
    return dataclasses.replace(network, engines=(*network.engines[:e], engine, *network.engines[e + 1:]),
                               types=(*network.types[:t], kind, *network.types[t + 1:]))


def proved_again(network: Network, data: Any) -> None:
    """The proofs that the claim in the data has for this network, where all can be had."""
    claim, parts = data["claim"], None
    try:
        if claim["kind"] == "quadratic":
            half = [[F(q) for q in row] for row in claim["matrix"]]
            n = len(half)
            matrix = tuple(tuple(half[max(j, k)][min(j, k)] - (F(claim["floor"]) if j == k else 0) for k in range(n))
                           for j in range(n))
            parts = quadratic._split(matrix, float(F(claim["floor"])))
        data["proofs"] = made(network, claim, None, parts)["proofs"]
    except (ValueError, KernelError, ArithmeticError, LookupError, TypeError, AttributeError):
        pass  # it is held against the network with the proofs that it has


def mutant(seed: int) -> tuple[Network, str, bool, Any]:
    """(network, the answer of the one that it comes from, whether it is another one, a file's data)."""
    rng = random.Random(seed)
    network, answer, data = rng.choice(bases())
    data, other = copy.deepcopy(data), network
    if rng.random() < 0.35:
        try:
            other = perturbed(network, rng)
        except InputError:  # no network
            other = network
    elif rng.random() < 0.1:
        other = rng.choice(bases())[0]
    part: Any = data["claim"] if rng.random() < 0.6 else data
    changes: list[Callable[[Any, random.Random], None]] = [numbers, numbers, lists]
    changes += [exchanged, facts] if part is data else []
    if other == network or rng.random() < 0.3:
        for _ in range(rng.choice((1, 1, 1, 2))):
            rng.choice(changes)(part, rng)
    if part is not data or other != network:
        proved_again(other, data)
    return other, answer, other != network, data


def outcome(seed: int) -> str:
    """rejected, accepted, or how an accepted one is false."""
    network, answer, changed, data = mutant(seed)
    try:
        verdict = Certified(dumps(network), data).verdict
    except (Rejected, InputError):
        return "rejected"
    if not changed:
        return "accepted" if verdict == answer else f"FALSE: {verdict} of a network that is {answer}"
    if contradicts(network, data["claim"], verdict):
        return f"FALSE: {verdict} is contradicted by simulated paths"
    return "accepted, another network"


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    for number in range(*map(int, sys.argv[1:])):
        said = outcome(number)
        counted[said] += 1
        if said.startswith("FALSE"):
            print(number, said, flush=True)
        if number % 500 == 499:
            print(number + 1, dict(counted), flush=True)
    print(dict(counted))
