"""A second simulator of the same networks: plain Python, one heap, jobs as dictionaries. Slow and obvious.

It shares with the compiled loop only the laws' variates, so that the two must agree job by job.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

import pytest

from qtheory.simulate.laws import Law, Uniform
from qtheory.simulate.network_arrays import ROLE
from qtheory.simulate.networks import Network, Station

GAP, SIZE, SERVICE, ROUTE, PATIENCE = range(5)
FINISH, GIVE_UP, ARRIVE = range(3)  # order of events at equal times


def stream(law: Law, role: int, number: int, seed: int, chunk: int = 20_000) -> Iterator[float]:
    yield from law.sample(chunk, seed=seed, source=role * ROLE + number)
    raise AssertionError("the reference run needs more variates than were drawn")


class Reference:
    """Run ``network`` to ``horizon``; ``left``: (type, born, left) of each job, in order of leaving; ``lost``: the same
    of those that found no room."""

    def __init__(self, network: Network, horizon: float, seed: int = 0) -> None:
        self.net, self.seed = network, seed
        self.number = {n.name: i for i, n in enumerate(network.nodes)}
        self.classes = {c.name: c for c in network.classes}
        self.nodes = {n.name: n for n in network.nodes}
        self.turns = {d.name: itertools.cycle(d.to) for d in network.dispatchers}
        self.blocked: dict[str, list[tuple[dict, str]]] = {s.name: [] for s in network.stations}
        self.stations = {s.name: s for s in network.stations}
        self.streams: dict[tuple[int, int], Iterator[float]] = {}
        self.events: list = []
        self.order = itertools.count()
        self.queues: dict[str, list[dict]] = {s.name: [] for s in network.stations}
        self.serving: dict[str, list[list[dict]]] = {s.name: [] for s in network.stations}
        self.gone: list[dict] = []  # of a batch that ends now, those who have left their server
        self.left: list[tuple[int, float, float]] = []
        self.lost: list[tuple[int, float, float]] = []
        for a, c in enumerate(network.sources):
            self.at(self.draw(c.arrivals, GAP, c.name), ARRIVE, (a, c.name))
        while self.events[0][0] <= horizon:
            self.now, kind, _, what = heapq.heappop(self.events)
            (self.finish, self.give_up, self.arrive)[kind](what)

    def at(self, time: float, kind: int, what: object) -> None:
        heapq.heappush(self.events, (time, kind, next(self.order), what))

    def draw(self, law: Law, role: int, name: str) -> float:
        key = (role, self.number[name])
        if key not in self.streams:
            self.streams[key] = stream(law, *key, self.seed)
        return float(next(self.streams[key]))

    def arrive(self, what: tuple[int, str]) -> None:
        a, name = what
        c = self.nodes[name]
        size = 1 if c.sizes is None else int(self.draw(c.sizes, SIZE, name))
        self.at(self.now + self.draw(c.arrivals, GAP, name), ARRIVE, what)
        for _ in range(size):
            job = {"type": a, "born": self.now, "class": self.dispatched(name)}
            if self.full(job["class"]):
                self.lost.append((a, self.now, self.now))
            else:
                self.enter(job)
        for station in self.net.stations:
            self.serve(station)

    def present(self, station: str) -> list[dict]:
        served = [j for b in self.serving[station] for j in b if not any(j is g for g in self.gone)]
        return self.queues[station] + served

    def full(self, name: str, at: str = "") -> bool:
        station = self.stations[self.classes[name].station]
        held = len(self.present(station.name))
        return station.capacity is not None and held >= station.capacity and at != station.name

    def dispatched(self, name: str) -> str:
        """The class to which a route of this name leads a job."""
        if name in self.classes:
            return name
        d = self.nodes[name]
        if d.rule == "round-robin":
            return next(self.turns[name])
        burdens = [self.burden(d.rule, self.stations[self.classes[to].station]) for to in d.to]
        equal = [to for to, b in zip(d.to, burdens, strict=True) if b == pytest.approx(min(burdens), abs=1e-9)]
        if len(equal) == 1:
            return equal[0]
        return equal[int(len(equal) * self.draw(Uniform(0, 1), ROUTE, name))]

    def burden(self, rule: str, station: Station) -> float:
        waiting, served = self.queues[station.name], [b[0] for b in self.serving[station.name]]
        if rule == "shortest-queue":
            return len(self.present(station.name)) / station.servers
        if rule == "least-work":
            work = sum(j["work"] for j in waiting) + sum(max(0.0, j["ends"] - self.now) for j in served)
            return work / station.servers
        return 0.0

    def enter(self, job: dict) -> None:
        c = self.classes[job["class"]]
        station = self.stations[c.station]
        job.update(work=self.draw(c.service, SERVICE, c.name), arrived=next(self.order), resumed=0)
        urgent = c.priority if station.discipline != "fcfs" else 0
        job["rank"] = urgent
        self.queues[station.name].append(job)
        if station.batch == 1:
            self.serve(station)
        if job in self.queues[station.name]:
            if station.discipline == "preemptive":
                self.preempt(station, job)
            if c.patience is not None and job in self.queues[station.name]:
                self.at(self.now + self.draw(c.patience, PATIENCE, c.name), GIVE_UP, (job, job["arrived"]))

    def preempt(self, station: Station, job: dict) -> None:
        running = [b for b in self.serving[station.name] if b[0]["ends"] > self.now]
        victim = max(running, key=lambda b: (b[0]["rank"], b[0]["started"]), default=None)
        if victim is None or victim[0]["rank"] <= job["rank"]:
            return
        self.serving[station.name].remove(victim)
        old = victim[0]
        old.update(work=old["ends"] - self.now, resumed=-next(self.order), token=None)
        self.queues[station.name].append(old)
        self.serve(station)

    def serve(self, station: Station) -> None:
        queue, serving = self.queues[station.name], self.serving[station.name]
        while queue and len(serving) < station.servers:
            # Preempted jobs go on before the rest of their rank, the last preempted first.
            queue.sort(key=lambda j: (j["rank"], j["resumed"], j["arrived"]))
            batch, queue[:] = queue[: station.batch], queue[station.batch :]
            serving.append(batch)
            batch[0].update(started=self.now, ends=self.now + batch[0]["work"])
            batch[0]["token"] = object()
            self.at(batch[0]["ends"], FINISH, (station, batch, batch[0]["token"]))

    def give_up(self, what: tuple[dict, int]) -> None:
        job, arrived = what
        if job["arrived"] != arrived:
            return  # it waits elsewhere by now
        queue = self.queues[self.classes[job["class"]].station]
        if any(j is job for j in queue):
            queue[:] = [j for j in queue if j is not job]
            self.move_up(self.classes[job["class"]].station)
            self.left.append((job["type"], job["born"], self.now))

    def finish(self, what: tuple[Station, list[dict], object]) -> None:
        station, batch, token = what
        if batch[0].get("token") is not token:
            return  # preempted since
        for job in batch:
            c = self.classes[job["class"]]
            target = self.route(c.name)
            target = target and self.dispatched(target)
            if target and self.full(target, station.name) and self.stations[self.classes[target].station].blocks:
                job["ends"] = -1.0  # cannot be preempted
                self.blocked[self.classes[target].station].append((job, target))
                return
            self.gone.append(job)
            if target is None:
                self.left.append((job["type"], job["born"], self.now))
            elif self.full(target, station.name):
                self.lost.append((job["type"], job["born"], self.now))
            else:
                job["class"] = target
                self.enter(job)
        self.gone.clear()
        self.serving[station.name] = [b for b in self.serving[station.name] if b is not batch]
        self.serve(station)
        self.move_up(station.name)
        for other in self.net.stations:
            if other.batch > 1:
                self.serve(other)

    def move_up(self, station: str) -> None:
        """Who waits for room at the station, on a server elsewhere, moves in, and so on behind it."""
        held = self.stations[station].capacity
        while self.blocked[station] and len(self.present(station)) < held:
            job, target = self.blocked[station].pop(0)
            behind = self.classes[job["class"]].station
            self.serving[behind] = [b for b in self.serving[behind] if b[0] is not job]
            job["class"] = target
            self.enter(job)
            self.serve(self.stations[behind])
            self.move_up(behind)

    def route(self, name: str) -> str | None:
        row = self.net.routing[self.number[name]]
        ways = [(self.net.nodes[t].name, float(row[t])) for t in row.nonzero()[0]]
        if 1.0 - row.sum() > 1e-12 or not ways:
            ways.append((None, 1.0 - row.sum()))
        if len(ways) == 1:
            return ways[0][0]
        u = self.draw(Uniform(0, 1), ROUTE, name)
        total = 0.0
        for target, p in ways:
            total += p
            if u <= total:
                return target
        return ways[-1][0]
