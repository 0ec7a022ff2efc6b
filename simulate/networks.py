"""Multiclass open queueing networks as plain data: stations, classes, routes; validated, then compiled to arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import MOST, whole
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.layout import Model
from qtheory.simulate.law import noise_per_second, per_second
from qtheory.simulate.law_of_values import MOST_AT_ONCE, whole_law
from qtheory.simulate.laws import Law, Listed, VaryingRate
from qtheory.simulate.showing import InALine, listed

if TYPE_CHECKING:
    from qtheory.simulate.runs import Run

MOST_SERVERS = 10**6
BLOCKING = ("loss", "after-service")
RULES = {"random": L.RANDOM, "round-robin": L.ROUND_ROBIN, "shortest-queue": L.SHORTEST, "least-work": L.LEAST_WORK}
LOOKING = ("shortest-queue", "least-work")  # rules that look at the stations


@dataclass(frozen=True)
class Station:
    """A station with ``servers`` identical servers.

    ``discipline``: "fcfs" (first come first served across its classes), "priority" (non-preemptive) or
    "preemptive" (preemptive resume), by the classes' ``priority``. ``batch``: how many waiting jobs one server
    takes together; they need the time of the first of them.

    ``capacity``: how many jobs it holds, those in service among them (None: any number; the K of M/M/c/K). A job that
    comes from outside to a full station is lost. One that comes from another station is lost as well (``blocking``
    "loss"), or stays on its server there, which serves nobody meanwhile, until there is room ("after-service": transfer
    or manufacturing blocking; those who are blocked move in the order in which they ended their service). A server
    that becomes free first takes who waits, then the blocked move up; a job that stays at its station keeps its place.
    """

    name: str
    servers: int = 1
    discipline: str = "fcfs"
    batch: int = 1
    capacity: int | None = None
    blocking: str = "loss"

    def __post_init__(self) -> None:
        whole(f"station {self.name!r}: the number of servers", self.servers, 1, MOST_SERVERS)
        whole(f"station {self.name!r}: the batch", self.batch)
        if self.discipline not in ("fcfs", "priority", "preemptive"):
            raise InputError(
                f"station {self.name!r}: unknown discipline {self.discipline!r}; known: fcfs, priority, preemptive"
            )
        if self.batch > 1 and self.discipline == "preemptive":
            raise InputError(f"station {self.name!r}: batches are not preempted; use discipline 'priority'")
        if self.blocking not in BLOCKING:
            raise UnknownNameError(f"blocking of station {self.name!r}", self.blocking, list(BLOCKING))
        if self.capacity is not None:
            whole(f"station {self.name!r}: the capacity, which is that of servers and queue,", self.capacity,
                  self.servers)
        elif self.blocks:
            raise InputError(f"station {self.name!r} is never full: blocking after service needs a capacity")

    @property
    def blocks(self) -> bool:
        """Whether a job that ends its service elsewhere waits there for room here."""
        return self.blocking == "after-service"


@dataclass(frozen=True)
class JobClass:
    """Jobs at one stage of their route.

    ``arrivals``: law of the times between arrivals from outside, None for a class that is only routed to;
    ``sizes``: law of the number of jobs an arrival (None: one); ``priority``: smaller is more urgent;
    ``patience``: law of the time that a job waits before it leaves (None: for ever); ``routes``: next class ->
    probability, what is missing to 1 leaves the network.
    """

    name: str
    station: str
    service: Law
    arrivals: Law | None = None
    sizes: Law | None = None
    priority: int = 0
    patience: Law | None = None
    routes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Dispatcher:
    """Sends each job that comes to it on at once, to one of the classes ``to`` at their stations.

    Jobs come from outside, by ``arrivals`` and ``sizes``, or from a class whose routes name the dispatcher. ``rule``:
    "random" (with equal chances), "round-robin" (in the order of ``to``), "shortest-queue" (fewest jobs present, in
    service or not) or "least-work" (least unfinished work in seconds of service), a station's servers dividing
    both; ties are broken at random. Rules see jobs and work, not whether there is room.
    """

    name: str
    rule: str
    to: tuple[str, ...]
    arrivals: Law | None = None
    sizes: Law | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", tuple(self.to))
        if self.rule not in RULES:
            raise UnknownNameError(f"rule of dispatcher {self.name!r}", self.rule, list(RULES))
        if not self.to or len(set(self.to)) < len(self.to):
            raise InputError(f"dispatcher {self.name!r} sends jobs to at least one class, and names each once")


@dataclass(frozen=True)
class Network(InALine):
    """Stations, classes and dispatchers. Raises InputError or UnknownNameError for what cannot be simulated."""

    stations: tuple[Station, ...]
    classes: tuple[JobClass, ...]
    dispatchers: tuple[Dispatcher, ...] = ()

    @property
    def line(self) -> str:
        return f"network of stations {listed(s.name for s in self.stations)}; {listed(n.name for n in self.nodes)}"

    def __post_init__(self) -> None:
        for name in ("stations", "classes", "dispatchers"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        names = [s.name for s in self.stations]
        labels = [n.name for n in self.nodes]
        for kind, group, needed in (("station", names, names), ("class", labels, self.classes)):
            if not needed:
                raise InputError(f"a network needs at least one {kind}")
            twice = [n for n in group if group.count(n) > 1]
            if twice:
                raise InputError(f"{kind} {twice[0]!r} is defined twice")
        for d in self.dispatchers:
            for target in d.to:
                if target not in labels[: len(self.classes)]:
                    raise UnknownNameError("class", target, labels[: len(self.classes)])
        for c in self.classes:
            self._check_class(c, names, labels)
        for n in self.nodes:
            self._check_arrivals(n)
        if not self.sources:
            raise InputError("no class has arrivals from outside: nothing would ever happen")
        self._check_exits()
        self._check_blocking()

    def _check_class(self, c: JobClass, names: list[str], labels: list[str]) -> None:
        if c.station not in names:
            raise UnknownNameError("station", c.station, names)
        for target in c.routes:
            if target not in labels:
                raise UnknownNameError("class", target, labels)
        out = sum(c.routes.values())
        if any(not p >= 0 for p in c.routes.values()) or out > 1 + 1e-9:
            raise InputError(f"class {c.name!r}: routing probabilities must be nonnegative and sum to at most 1")
        for what, law in (("service", c.service), ("patience", c.patience)):
            if isinstance(law, VaryingRate):
                raise InputError(f"class {c.name!r}: a rate that varies with time is for arrivals, not for {what}")
            if isinstance(law, Listed) and what != "patience" and law.beyond == math.inf:
                raise InputError(f"class {c.name!r}: a list for {what} needs a finite value for what comes beyond it")
        whole(f"class {c.name!r}: the priority", c.priority, -MOST)

    @staticmethod
    def _check_arrivals(n: JobClass | Dispatcher) -> None:
        where = f"{'class' if isinstance(n, JobClass) else 'dispatcher'} {n.name!r}"
        if n.arrivals is not None and not n.arrivals.mean > 0:
            raise InputError(f"{where}: the mean time between arrivals must be positive")
        if isinstance(n.sizes, VaryingRate):
            raise InputError(f"{where}: a rate that varies with time is for arrivals, not for sizes")
        if isinstance(n.sizes, Listed) and n.sizes.beyond == math.inf:
            raise InputError(f"{where}: a list for sizes needs a finite value for what comes beyond it")
        whole_law(f"{where}: sizes of arrivals", n.sizes, 0, MOST_AT_ONCE)
        if n.arrivals is None and n.sizes is not None:
            raise InputError(f"{where}: sizes of arrivals are given, but no arrivals")

    def _check_exits(self) -> None:
        # Spectral radius below 1 is what makes every job leave.
        radius = max(abs(np.linalg.eigvals(self.routing)))
        if radius > 1 - 1e-12:
            raise InputError("the routes have a loop without exit: jobs would never leave")

    def _check_blocking(self) -> None:
        """Who is blocked waits for a station downstream, so that no circle of full stations can wait for each other."""
        station = {s.name: s for s in self.stations}
        waits: dict[str, set[str]] = {s.name: set() for s in self.stations}
        for c in self.classes:
            for way in c.routes:
                for target in self._targets(way):
                    if station[target].blocks and target != c.station and c.routes[way] > 0:
                        waits[c.station].add(target)
                        if station[c.station].batch > 1:
                            raise InputError(f"station {c.station!r} serves batches, which {target!r} cannot block "
                                             "after service; use blocking = 'loss' there")  # fmt: skip
        left = set(waits)
        while free := {name for name in left if not waits[name] & left}:
            left -= free
        if left:
            raise InputError(f"stations {', '.join(sorted(left))}: blocking after service goes round in a circle, in "
                             "which full stations would wait for each other for ever; let one of them lose jobs or "
                             "have no capacity")  # fmt: skip

    def _targets(self, way: str) -> set[str]:
        """The stations to which a route of that name leads."""
        names = next((d.to for d in self.dispatchers if d.name == way), (way,))
        return {c.station for c in self.classes if c.name in names}

    @property
    def nodes(self) -> tuple[JobClass | Dispatcher, ...]:
        """Where a route may lead: the classes, then the dispatchers."""
        return (*self.classes, *self.dispatchers)

    @property
    def sources(self) -> tuple[JobClass | Dispatcher, ...]:
        """The classes and dispatchers with arrivals from outside, in order: the types of jobs."""
        return tuple(n for n in self.nodes if n.arrivals is not None)

    @property
    def routing(self) -> np.ndarray:
        """Routing probabilities, shape (nodes, nodes). A dispatcher that looks at the stations is taken to send each
        what it is worth, in proportion to its speed: what happens near the critical load."""
        index = {n.name: i for i, n in enumerate(self.nodes)}
        matrix = np.zeros((len(index), len(index)))
        for c in self.classes:
            for target, p in c.routes.items():
                matrix[index[c.name], index[target]] = p
        for d in self.dispatchers:
            ways = [index[name] for name in d.to]
            speeds = np.array([self._speed(self.classes[k]) if d.rule in LOOKING else 1.0 for k in ways])
            matrix[index[d.name], ways] = speeds / speeds.sum()
        return matrix

    def _speed(self, c: JobClass) -> float:
        """Jobs of the class that its station serves a second."""
        station = next(s for s in self.stations if s.name == c.station)
        return station.servers * station.batch / max(c.service.mean, 1e-100)

    @property
    def rates(self) -> np.ndarray:
        """Effective arrival rate of each class in 1/s, from the traffic equations, where no job is lost; shape
        (classes,)."""
        external = np.array([per_second(n.arrivals, n.sizes) for n in self.nodes])
        return np.linalg.solve(np.eye(external.size) - self.routing.T, external)[: len(self.classes)]

    @property
    def event_rate(self) -> tuple[float, str]:
        """Arrivals from outside a second."""
        return sum(per_second(n.arrivals, n.sizes) for n in self.nodes), "arrivals"

    @property
    def loads(self) -> dict[str, float]:
        """Nominal load of each station, with full batches and without impatience."""
        loads = dict.fromkeys((s.name for s in self.stations), 0.0)
        for c, rate in zip(self.classes, self.rates, strict=True):
            loads[c.station] += rate * c.service.mean
        return {s.name: loads[s.name] / (s.servers * s.batch) for s in self.stations}

    @property
    def work_to_come(self) -> np.ndarray:
        """Mean work in seconds of service that a job of each class brings after this class; shape (classes,)."""
        services = np.array([*(c.service.mean for c in self.classes), *(0.0 for _ in self.dispatchers)])
        return (np.linalg.solve(np.eye(services.size) - self.routing, services) - services)[: len(self.classes)]

    @property
    def noise(self) -> float:
        """Variance, a second, of the work that enters for the most loaded station: the scale of what piles up there
        at the critical load."""
        loads = self.loads
        critical = max(loads, key=loads.__getitem__)
        size = len(self.nodes)
        services, squares = np.zeros(size), np.zeros(size)
        for k, c in enumerate(self.classes):
            if c.station == critical:
                services[k], squares[k] = c.service.mean, c.service.mean**2 + c.service.variance
        system = np.eye(services.size) - self.routing
        means = np.linalg.solve(system, services)
        variances = np.linalg.solve(system, squares + 2.0 * services * (self.routing @ means)) - means**2
        return sum(noise_per_second(n.arrivals, n.sizes, float(m), float(v))
                   for n, m, v in zip(self.nodes, means, variances, strict=True))  # fmt: skip

    def run(self, **options: Any) -> Run:
        """One replication: :func:`qtheory.simulate.runs.run`."""
        from qtheory.simulate.runs import run

        return run(self, **options)

    def arrays(self, key: np.ndarray, window: float) -> Model:
        """The kernel's arrays for random streams under ``key`` and windows of ``window`` seconds."""
        from qtheory.simulate.network_arrays import Encoder

        return Encoder(self).model(key, window)
