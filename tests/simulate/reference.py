"""A second simulator of the same networks: plain Python, one heap, jobs as dictionaries. Slow and obvious.

It shares with the compiled loop only the laws' variates, so that the two must agree job by job.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

from qtheory.simulate.laws import Law, Uniform
from qtheory.simulate.networks import _ROLE, Network, Station

GAP, SIZE, SERVICE, ROUTE, PATIENCE = range(5)
FINISH, GIVE_UP, ARRIVE = range(3)  # order of events at equal times


def stream(law: Law, role: int, number: int, seed: int, chunk: int = 20_000) -> Iterator[float]:
    yield from law.sample(chunk, seed=seed, source=role * _ROLE + number)
    raise AssertionError("the reference run needs more variates than were drawn")


class Reference:
    """Run ``network`` to ``horizon``; ``left``: (type, born, left) of each job, in order of leaving."""

    def __init__(self, network: Network, horizon: float, seed: int = 0) -> None:
        self.net, self.seed = network, seed
        self.number = {c.name: i for i, c in enumerate(network.classes)}
        self.classes = {c.name: c for c in network.classes}
        self.stations = {s.name: s for s in network.stations}
        self.streams: dict[tuple[int, int], Iterator[float]] = {}
        self.events: list = []
        self.order = itertools.count()
        self.queues: dict[str, list[dict]] = {s.name: [] for s in network.stations}
        self.serving: dict[str, list[list[dict]]] = {s.name: [] for s in network.stations}
        self.left: list[tuple[int, float, float]] = []
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
        c = self.classes[name]
        size = 1 if c.sizes is None else int(self.draw(c.sizes, SIZE, name))
        self.at(self.now + self.draw(c.arrivals, GAP, name), ARRIVE, what)
        for _ in range(size):
            self.enter({"type": a, "born": self.now, "class": name})
        self.serve(self.stations[c.station])

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
                self.at(self.now + self.draw(c.patience, PATIENCE, c.name), GIVE_UP, job)

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

    def give_up(self, job: dict) -> None:
        queue = self.queues[self.classes[job["class"]].station]
        if any(j is job for j in queue):
            queue[:] = [j for j in queue if j is not job]
            self.left.append((job["type"], job["born"], self.now))

    def finish(self, what: tuple[Station, list[dict], object]) -> None:
        station, batch, token = what
        if batch[0].get("token") is not token:
            return  # preempted since
        for job in batch:
            c = self.classes[job["class"]]
            target = self.route(c.name)
            if target is None:
                self.left.append((job["type"], job["born"], self.now))
            else:
                job["class"] = target
                self.enter(job)
        self.serving[station.name] = [b for b in self.serving[station.name] if b is not batch]
        self.serve(station)
        for other in self.net.stations:
            if other.batch > 1:
                self.serve(other)

    def route(self, name: str) -> str | None:
        row = self.net.routing[self.number[name]]
        ways = [(self.net.classes[t].name, float(row[t])) for t in row.nonzero()[0]]
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
