"""A network as the kernel's arrays: stations, queues, nodes and sources of variates get their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qtheory.simulate.checks import probabilities
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.kernel.layout import Model
from qtheory.simulate.laws import Law
from qtheory.simulate.networks import RULES, Network

# Roles of random streams; with the node's number they give the stream, whatever the rest of the network.
_GAP, _SIZE, _SERVICE, _ROUTE, _PATIENCE = range(5)
ROLE = 1 << 24


def _columns(width: int, columns: Mapping[int, Sequence[int] | np.ndarray]) -> np.ndarray:
    """An integer array of ``width`` columns, of which these are set."""
    rows = np.zeros((len(next(iter(columns.values()))), width), dtype=np.int64)
    for column, values in columns.items():
        rows[:, column] = values
    return rows


class Encoder:
    """Numbers stations, queues, nodes and variate sources. Nodes are the classes, then the dispatchers."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.laws: list[tuple[int, list[float]]] = []
        self.streams: list[int] = []

    def _variates(self, law: Law | None, role: int, number: int) -> int:
        if law is None:
            return -1
        self.laws.append(law.encode())
        self.streams.append(role * ROLE + number)
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

    def _ways(self) -> list[list[tuple[int, float]]]:
        """Of each node where it leads, with which chance; -1: out of the network."""
        index = {n.name: i for i, n in enumerate(self.network.nodes)}
        found = []
        for c in self.network.classes:
            out = 1.0 - sum(c.routes.values())
            ways = [(index[name], p) for name, p in c.routes.items() if p > 0]
            ways.sort()
            found.append([*ways, (-1, out)] if out > 1e-12 or not ways else ways)
        return found + [[(index[name], 1.0 / len(d.to)) for name in d.to] for d in self.network.dispatchers]

    def _routes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Slices (nodes + 1,), targets, cumulative chances, variate sources (nodes,) and rules (nodes,)."""
        rules = [L.RANDOM] * len(self.network.classes) + [RULES[d.rule] for d in self.network.dispatchers]
        first, to, cumulative, source = [0], list[int](), list[float](), []
        for k, ways in enumerate(self._ways()):
            steps = np.cumsum(probabilities("routes", [p for _, p in ways]))
            steps[-1] = 1.0
            to.extend(t for t, _ in ways)
            cumulative.extend(steps)
            first.append(len(to))
            chance = len(ways) > 1 and rules[k] != L.ROUND_ROBIN
            source.append(self._variates(_ROUTING, _ROUTE, k) if chance else -1)
        return tuple(map(np.array, (first, to, cumulative, source, rules)))  # type: ignore[return-value]

    def model(self, key: np.ndarray, window: float) -> Model:
        stations, classes = self.network.stations, self.network.classes
        place = {s.name: i for i, s in enumerate(stations)}
        servers = np.array([s.servers for s in stations], dtype=np.int64)
        batch = np.array([s.batch for s in stations], dtype=np.int64)
        first_server = np.concatenate(([0], np.cumsum(servers)))
        first_queue, class_queue = self._queues()
        preemptive = [s.discipline == "preemptive" for s in stations]
        number = {n.name: i for i, n in enumerate(self.network.nodes)}
        service = [self._variates(c.service, _SERVICE, i) for i, c in enumerate(classes)]
        patience = [self._variates(c.patience, _PATIENCE, i) for i, c in enumerate(classes)]
        gaps = [self._variates(c.arrivals, _GAP, number[c.name]) for c in self.network.sources]
        sizes = [self._variates(c.sizes, _SIZE, number[c.name]) for c in self.network.sources]
        route_first, route_to, route_cumulative, routing, rules = self._routes()
        # A dispatcher has no station, queue, service or patience.
        nowhere = [-1] * len(self.network.dispatchers)
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
                    L.CAPACITY: [L.NO_LIMIT if s.capacity is None else s.capacity for s in stations],
                    L.BLOCKS: [s.blocks for s in stations],
                },
            ),
            batch_stations=np.flatnonzero(batch > 1),
            limited=any(s.capacity is not None for s in stations),
            server_station=np.repeat(np.arange(len(stations)), servers),
            classes=_columns(
                L.CLASS_COLUMNS,
                {
                    L.STATION: [place[c.station] for c in classes] + nowhere,
                    L.QUEUE: [*class_queue, *nowhere],
                    L.SERVICE: service + nowhere,
                    L.ENDURANCE: patience + nowhere,
                    L.ROUTING: routing,
                    L.FIRST_ROUTE: route_first[:-1],
                    L.END_ROUTE: route_first[1:],
                    L.RULE: rules,
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
