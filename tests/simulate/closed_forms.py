"""Exact steady-state values of classical queues, for the checks of the simulator. Rates in 1/s, times in s."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.optimize import brentq
from scipy.sparse.linalg import spsolve
from scipy.stats import poisson

from qtheory.numerics.markov import birth_death, explore, stationary_of_rates


def erlang_c(servers: int, offered: float) -> float:
    """Probability of waiting in M/M/c (Erlang 1917)."""
    inverse = 1.0
    for n in range(1, servers + 1):
        inverse = 1.0 + inverse * n / offered  # inverse of Erlang B
    b = 1.0 / inverse
    return b / (1.0 - offered / servers * (1.0 - b))


def mmc_wait(arrival: float, service_mean: float, servers: int) -> float:
    offered = arrival * service_mean
    return erlang_c(servers, offered) * service_mean / (servers - offered)


def pollaczek_khinchine(arrival: float, mean: float, variance: float) -> float:
    """Mean wait in M/G/1."""
    return arrival * (variance + mean**2) / (2.0 * (1.0 - arrival * mean))


def residual_work(classes: list[tuple[float, float, float]]) -> float:
    """Mean residual service time seen by an arrival; classes: (arrival rate, mean, variance)."""
    return sum(a * (v + m * m) for a, m, v in classes) / 2.0


def cobham(classes: list[tuple[float, float, float]], k: int) -> float:
    """Mean wait of the k-th most urgent class, M/G/1 non-preemptive priority (Cobham 1954)."""
    load = np.cumsum([0.0] + [a * m for a, m, _ in classes])
    return residual_work(classes) / ((1.0 - load[k]) * (1.0 - load[k + 1]))


def preemptive_sojourn(classes: list[tuple[float, float, float]], k: int) -> float:
    """Mean sojourn time of the k-th most urgent class, M/G/1 preemptive resume (Jaiswal 1968)."""
    load = np.cumsum([0.0] + [a * m for a, m, _ in classes])
    residual = residual_work(classes[: k + 1])
    return classes[k][1] / (1.0 - load[k]) + residual / ((1.0 - load[k]) * (1.0 - load[k + 1]))


def erlang_a(arrival: float, service: float, impatience: float, servers: int) -> tuple[float, float]:
    """(fraction abandoning, mean number waiting) of M/M/n+M, from its birth and death equations."""
    waiting_at_most = 4000
    present = np.arange(1, servers + waiting_at_most + 1)
    leaving = np.minimum(present, servers) * service + np.maximum(present - servers, 0) * impatience
    p = birth_death(np.full(present.size, arrival), leaving)
    waiting = float(p[1:] @ np.maximum(0, present - servers))
    return impatience * waiting / arrival, waiting


def bulk_service_number(arrival: float, service: float, batch: int) -> float:
    """Mean number present in M/M^B/1 where a free server takes up to B and arrivals never join a batch (Bailey 1954).

    Present jobs in the chain (batch size in service, waiting), solved for its stationary law.
    """
    root = brentq(lambda r: service * r ** (batch + 1) - (arrival + service) * r + arrival, 1e-9, 1.0 - 1e-9)
    depth = int(40.0 / -math.log(root)) + 2 * batch
    size = 1 + batch * depth
    generator = np.zeros((size, size))

    def at(b: int, q: int) -> int:
        return 0 if b == 0 else 1 + (b - 1) * depth + q

    generator[0, at(1, 0)] = arrival
    for b in range(1, batch + 1):
        for q in range(depth):
            if q + 1 < depth:
                generator[at(b, q), at(b, q + 1)] = arrival
            taken = min(batch, q)
            generator[at(b, q), at(taken, q - taken)] += service
    law = stationary_of_rates(generator)
    jobs = np.array([0] + [b + q for b in range(1, batch + 1) for q in range(depth)])
    return float(law @ jobs)


def slotted_number(mean: float, variance: float) -> float:
    """E N for N' = max(N - 1, 0) + A, A the arrivals of a slot: squares of both sides in the mean."""
    return mean / 2.0 + variance / (2.0 * (1.0 - mean))


def batch_arrival_number(arrival: float, size_mean: float, size_square: float, service: float) -> float:
    """Mean number present in M^X/M/1; ``size_square`` = E X^2."""
    load = arrival * size_mean / service
    return load * (1.0 + size_square / size_mean) / (2.0 * (1.0 - load))


def gi_m_1_sojourn(transform: Callable[[float], float], service: float) -> float:
    """Mean sojourn time in GI/M/1 at service rate ``service``; ``transform(s)`` = E exp(-s A) of the times between
    arrivals (Kendall 1953)."""
    root = brentq(lambda r: transform(service * (1.0 - r)) - r, 0.0, 1.0 - 1e-6)
    return 1.0 / (service * (1.0 - root))


def erlang_b(servers: int, offered: float) -> float:
    """Fraction lost in M/G/c/c (Erlang 1917), whatever the law of service (Sevastyanov 1957)."""
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = offered * blocked / (n + offered * blocked)
    return blocked


def full(load: float, most: int) -> float:
    """Probability that M/M/1 with room for ``most`` is full."""
    return load**most / sum(load**n for n in range(most + 1))


def machines_up(many: int, failing: float, repairers: int) -> float:
    """Mean number of ``many`` machines that run: failing at this rate each, repaired at rate 1 (Palm 1947)."""
    up = np.arange(1, many + 1)
    p = birth_death(np.minimum(many - up + 1, repairers).astype(float), failing * up)
    return float(p[1:] @ up)


def fixed_patience_lost(load: float, patience: float) -> float:
    """Fraction that leaves unserved from M/M/1+D, service rate 1 and ``patience`` in s (Barrer 1957)."""
    e = math.exp(-(1.0 - load) * patience)
    return (1.0 - load) * load * e / (1.0 - load**2 * e)


def mdc_number(offered: float, servers: int) -> float:
    """Mean number present in M/D/c, service of 1 s: N' = max(N - c, 0) + Poisson(offered) from one second to the next
    (Crommelin 1932)."""
    size = 60 * servers
    arrivals = poisson.pmf(np.arange(size), offered)
    step = np.zeros((size, size))
    for n in range(size):
        left = max(n - servers, 0)
        step[n, left:] = arrivals[: size - left]
        step[n, -1] += 1.0 - step[n].sum()
    return float(stationary_of_rates(step - np.eye(size)) @ np.arange(size))


def limited(arrival: float, servers: int, room: int) -> tuple[float, float]:
    """(fraction lost, mean number present) of M/M/c/K, service rate 1, from its birth and death equations."""
    present = np.arange(1, room + 1)
    p = birth_death(np.full(room, arrival), np.minimum(present, servers).astype(float))
    return float(p[-1]), float(p[1:] @ present)


def shortest_queue_number(arrival: float, rates: tuple[float, float], most: int) -> float:
    """Mean number present where Poisson arrivals join the shorter of two queues, either with one half at a tie.

    The chain of both numbers, cut where ``most`` jobs stand at one server; from its sparse balance equations, for the
    elimination that ``explore`` uses takes minutes for so many states.
    """
    size = most + 1
    sources, targets, flows = [], [], []
    for a in range(size):
        for b in range(size):
            left = 0.5 if a == b else float(a < b)
            ways = [(arrival * left, min(a + 1, most), b), (arrival * (1.0 - left), a, min(b + 1, most)),
                    (rates[0], max(a - 1, 0), b), (rates[1], a, max(b - 1, 0))]
            for rate, *to in ways:  # a way back to itself adds to both sides of its equation, which changes nothing
                sources.append(a * size + b)
                targets.append(to[0] * size + to[1])
                flows.append(rate)
    into = sparse.csc_array((flows, (targets, sources)), shape=(size**2, size**2))
    balance = (into - sparse.diags_array(into.sum(axis=0))).tocsc()
    law = np.append(1.0, spsolve(balance[1:, 1:], -balance[1:, [0]].toarray().ravel()))  # that of an empty system is 1
    a, b = np.divmod(np.arange(size**2), size)
    return float(law @ (a + b) / law.sum())


def blocked_line(arrival: float, rates: tuple[float, float], rooms: tuple[int, int]) -> tuple[float, float, float]:
    """(fraction lost, mean number present, blocked fraction of the first server) of two M/M/1 stations in line with
    room for so many, where the first loses arrivals and is blocked after service by the second (Avi-Itzhak 1965).

    The chain of both numbers and of whether the first server is blocked.
    """

    def step(state: tuple[int, int, bool]) -> list[tuple[float, tuple[int, int, bool]]]:
        a, b, blocked = state
        ways = [(arrival, (a + 1, b, blocked))] if a < rooms[0] else []
        if a > 0 and not blocked:
            ways.append((rates[0], (a - 1, b + 1, False) if b < rooms[1] else (a, b, True)))
        if b > 0:
            ways.append((rates[1], (a - 1, b, False) if blocked else (a, b - 1, False)))
        return ways

    chain = explore((0, 0, False), step, continuous=True)
    return (chain.mean(lambda s: float(s[0] == rooms[0])), chain.mean(lambda s: s[0] + s[1]),
            chain.mean(lambda s: float(s[2])))
