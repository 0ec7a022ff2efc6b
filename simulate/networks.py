"""Multiclass open queueing networks as plain data: stations, classes, routes; validated, then compiled to arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import MOST, probabilities, whole
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.layout import Model
from qtheory.simulate.law import noise_per_second, per_second
from qtheory.simulate.law_of_values import MOST_AT_ONCE, whole_law
from qtheory.simulate.laws import Law, Listed, VaryingRate

if TYPE_CHECKING:
    from qtheory.simulate.runs import Run

# Roles of random streams; with the class number they give the stream, whatever the rest of the network.
_GAP, _SIZE, _SERVICE, _ROUTE, _PATIENCE = range(5)
_ROLE = 1 << 24
MOST_SERVERS = 10**6


@dataclass(frozen=True)
class Station:
    """A station with ``servers`` identical servers.

    ``discipline``: "fcfs" (first come first served across its classes), "priority" (non-preemptive) or
    "preemptive" (preemptive resume), by the classes' ``priority``. ``batch``: how many waiting jobs one server
    takes together; they need the time of the first of them.
    """

    name: str
    servers: int = 1
    discipline: str = "fcfs"
    batch: int = 1

    def __post_init__(self) -> None:
        whole(f"station {self.name!r}: the number of servers", self.servers, 1, MOST_SERVERS)
        whole(f"station {self.name!r}: the batch", self.batch)
        if self.discipline not in ("fcfs", "priority", "preemptive"):
            raise InputError(
                f"station {self.name!r}: unknown discipline {self.discipline!r}; known: fcfs, priority, preemptive"
            )
        if self.batch > 1 and self.discipline == "preemptive":
            raise InputError(f"station {self.name!r}: batches are not preempted; use discipline 'priority'")


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
class Network:
    """Stations and classes. Raises InputError or UnknownNameError for what cannot be simulated."""

    stations: tuple[Station, ...]
    classes: tuple[JobClass, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "stations", tuple(self.stations))
        object.__setattr__(self, "classes", tuple(self.classes))
        names = [s.name for s in self.stations]
        labels = [c.name for c in self.classes]
        for kind, group in (("station", names), ("class", labels)):
            if not group:
                raise InputError(f"a network needs at least one {kind}")
            twice = [n for n in group if group.count(n) > 1]
            if twice:
                raise InputError(f"{kind} {twice[0]!r} is defined twice")
        for c in self.classes:
            self._check_class(c, names, labels)
        if not self.sources:
            raise InputError("no class has arrivals from outside: nothing would ever happen")
        self._check_exits()

    def _check_class(self, c: JobClass, names: list[str], labels: list[str]) -> None:
        if c.station not in names:
            raise UnknownNameError("station", c.station, names)
        for target in c.routes:
            if target not in labels:
                raise UnknownNameError("class", target, labels)
        out = sum(c.routes.values())
        if any(not p >= 0 for p in c.routes.values()) or out > 1 + 1e-9:
            raise InputError(f"class {c.name!r}: routing probabilities must be nonnegative and sum to at most 1")
        if c.arrivals is not None and not c.arrivals.mean > 0:
            raise InputError(f"class {c.name!r}: the mean time between arrivals must be positive")
        for what, law in (("service", c.service), ("sizes", c.sizes), ("patience", c.patience)):
            if isinstance(law, VaryingRate):
                raise InputError(f"class {c.name!r}: a rate that varies with time is for arrivals, not for {what}")
            if isinstance(law, Listed) and what != "patience" and law.beyond == math.inf:
                raise InputError(f"class {c.name!r}: a list for {what} needs a finite value for what comes beyond it")
        whole_law(f"class {c.name!r}: sizes of arrivals", c.sizes, 0, MOST_AT_ONCE)
        whole(f"class {c.name!r}: the priority", c.priority, -MOST)
        if c.arrivals is None and c.sizes is not None:
            raise InputError(f"class {c.name!r}: sizes of arrivals are given, but no arrivals")

    def _check_exits(self) -> None:
        # Spectral radius below 1 is what makes every job leave.
        radius = max(abs(np.linalg.eigvals(self.routing)))
        if radius > 1 - 1e-12:
            raise InputError("the routes have a loop without exit: jobs would never leave")

    @property
    def sources(self) -> tuple[JobClass, ...]:
        """The classes with arrivals from outside, in order: the types of jobs."""
        return tuple(c for c in self.classes if c.arrivals is not None)

    @property
    def routing(self) -> np.ndarray:
        """Routing probabilities, shape (classes, classes)."""
        index = {c.name: i for i, c in enumerate(self.classes)}
        matrix = np.zeros((len(index), len(index)))
        for c in self.classes:
            for target, p in c.routes.items():
                matrix[index[c.name], index[target]] = p
        return matrix

    @property
    def rates(self) -> np.ndarray:
        """Effective arrival rate of each class in 1/s, from the traffic equations; shape (classes,)."""
        external = np.array([per_second(c.arrivals, c.sizes) for c in self.classes])
        return np.linalg.solve(np.eye(external.size) - self.routing.T, external)

    @property
    def event_rate(self) -> tuple[float, str]:
        """Arrivals from outside a second."""
        return sum(per_second(c.arrivals, c.sizes) for c in self.classes), "arrivals"

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
        services = np.array([c.service.mean for c in self.classes])
        return np.linalg.solve(np.eye(services.size) - self.routing, services) - services

    @property
    def noise(self) -> float:
        """Variance, a second, of the work that enters for the most loaded station: the scale of what piles up there
        at the critical load."""
        loads = self.loads
        critical = max(loads, key=loads.__getitem__)
        here = np.array([float(c.station == critical) for c in self.classes])
        services = here * [c.service.mean for c in self.classes]
        squares = services**2 + here * [c.service.variance for c in self.classes]
        system = np.eye(here.size) - self.routing
        means = np.linalg.solve(system, services)
        variances = np.linalg.solve(system, squares + 2.0 * services * (self.routing @ means)) - means**2
        return sum(noise_per_second(c.arrivals, c.sizes, float(m), float(v))
                   for c, m, v in zip(self.classes, means, variances, strict=True))  # fmt: skip

    def run(self, **options: Any) -> Run:
        """One replication: :func:`qtheory.simulate.runs.run`."""
        from qtheory.simulate.runs import run

        return run(self, **options)

    def arrays(self, key: np.ndarray, window: float) -> Model:
        """The kernel's arrays for random streams under ``key`` and windows of ``window`` seconds."""
        return _Encoder(self).model(key, window)


def _columns(width: int, columns: Mapping[int, Sequence[int] | np.ndarray]) -> np.ndarray:
    """An integer array of ``width`` columns, of which these are set."""
    rows = np.zeros((len(next(iter(columns.values()))), width), dtype=np.int64)
    for column, values in columns.items():
        rows[:, column] = values
    return rows


class _Encoder:
    """Numbers stations, queues, classes and variate sources."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.laws: list[tuple[int, list[float]]] = []
        self.streams: list[int] = []

    def _variates(self, law: Law | None, role: int, number: int) -> int:
        if law is None:
            return -1
        self.laws.append(law.encode())
        self.streams.append(role * _ROLE + number)
        return len(self.laws) - 1

    def _queues(self) -> tuple[np.ndarray, np.ndarray]:
        """First queue of each station (m + 1,), and the queue of each class (k,): one a priority level in use."""
        first = [0]
        of_class = np.zeros(len(self.network.classes), dtype=np.int64)
        for s in self.network.stations:
            members = [(i, c) for i, c in enumerate(self.network.classes) if c.station == s.name]
            levels = sorted({c.priority for _, c in members}) if s.discipline != "fcfs" else [0]
            for i, c in members:
                of_class[i] = first[-1] + (levels.index(c.priority) if s.discipline != "fcfs" else 0)
            first.append(first[-1] + max(1, len(levels)))
        return np.array(first, dtype=np.int64), of_class

    def _routes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        first = [0]
        to: list[int] = []
        cumulative: list[float] = []
        source: list[int] = []
        for k, row in enumerate(self.network.routing):
            ways = [(int(t), float(row[t])) for t in np.flatnonzero(row)]
            if 1.0 - row.sum() > 1e-12 or not ways:
                ways.append((-1, 1.0 - row.sum()))
            steps = np.cumsum(probabilities("routes", [p for _, p in ways]))
            steps[-1] = 1.0
            to.extend(t for t, _ in ways)
            cumulative.extend(steps)
            first.append(len(to))
            source.append(self._variates(_ROUTING, _ROUTE, k) if len(ways) > 1 else -1)
        return tuple(map(np.array, (first, to, cumulative, source)))  # type: ignore[return-value]

    def model(self, key: np.ndarray, window: float) -> Model:
        stations, classes = self.network.stations, self.network.classes
        place = {s.name: i for i, s in enumerate(stations)}
        servers = np.array([s.servers for s in stations], dtype=np.int64)
        batch = np.array([s.batch for s in stations], dtype=np.int64)
        first_server = np.concatenate(([0], np.cumsum(servers)))
        first_queue, class_queue = self._queues()
        preemptive = [s.discipline == "preemptive" for s in stations]
        number = {c.name: i for i, c in enumerate(classes)}
        service = [self._variates(c.service, _SERVICE, i) for i, c in enumerate(classes)]
        patience = [self._variates(c.patience, _PATIENCE, i) for i, c in enumerate(classes)]
        gaps = [self._variates(c.arrivals, _GAP, number[c.name]) for c in self.network.sources]
        sizes = [self._variates(c.sizes, _SIZE, number[c.name]) for c in self.network.sources]
        route_first, route_to, route_cumulative, routing = self._routes()
        station = [place[c.station] for c in classes]
        lengths = [len(p) for _, p in self.laws]
        return Model(
            stations=_columns(
                L.STATION_COLUMNS,
                {
                    L.FIRST_SERVER: first_server[:-1],
                    L.END_SERVER: first_server[1:],
                    L.FIRST_QUEUE: first_queue[:-1],
                    L.END_QUEUE: first_queue[1:],
                    L.BATCH: batch,
                    L.PREEMPTIVE: preemptive,
                },
            ),
            batch_stations=np.flatnonzero(batch > 1),
            server_station=np.repeat(np.arange(len(stations)), servers),
            classes=_columns(
                L.CLASS_COLUMNS,
                {
                    L.STATION: station,
                    L.QUEUE: class_queue,
                    L.SERVICE: service,
                    L.ENDURANCE: patience,
                    L.ROUTING: routing,
                    L.FIRST_ROUTE: route_first[:-1],
                    L.END_ROUTE: route_first[1:],
                },
            ),
            route_to=route_to,
            route_cumulative=route_cumulative,
            source_class=np.array([number[c.name] for c in self.network.sources], dtype=np.int64),
            source_gap=np.array(gaps, dtype=np.int64),
            source_size=np.array(sizes, dtype=np.int64),
            kind=np.array([kind for kind, _ in self.laws], dtype=np.int64),
            parameter_first=np.concatenate(([0], np.cumsum(lengths))),
            parameters=np.concatenate([p for _, p in self.laws]).astype(float),
            stream=np.array(self.streams, dtype=np.int64),
            key=key,
            window=float(window),
        )


class _UnitInterval(Law):
    """Uniform on (0, 1): what picks a route."""

    def encode(self) -> tuple[int, list[float]]:
        from qtheory.simulate.kernel.variates import UNIFORM

        return UNIFORM, [0.0, 1.0]


_ROUTING = _UnitInterval()
