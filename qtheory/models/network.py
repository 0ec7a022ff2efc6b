"""Networks of agents: engines, request types whose visits follow each other, fork and join, and priorities.

A visit is a request's stay at one engine; it brings tokens of work. A request moves on along the visits' order: a
visit that several others wait for forks, one that waits for several joins. Or, where a type's visits have routes, it
moves on at random, possibly to a visit that it has made before. All numbers are exact rationals.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qtheory.errors import UnknownNameError
from qtheory.models.network_parts import RULES, Engine, NetworkError, Number, RequestType, Visit
from qtheory.models.network_routes import reached, times_made

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class AgentNetwork:
    """Engines and request types; raises NetworkError for what is no network."""

    engines: tuple[Engine, ...]
    types: tuple[RequestType, ...]
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "engines", tuple(self.engines))
        object.__setattr__(self, "types", tuple(self.types))
        for kind, names in (("engine", [e.name for e in self.engines]), ("type", [t.name for t in self.types]),
                            ("visit", [v.name for t in self.types for v in t.visits])):
            if not names:
                raise NetworkError((kind, "", ""), f"a network needs at least one {kind}")
            if twice := next((n for n, times in Counter(names).items() if times > 1), None):
                raise NetworkError((kind, twice, "name"), f"two {kind}s are named {twice!r}")
        for t in self.types:
            self._check_routes(t)
            self._check_sharing(t)
        for e in self.engines:
            self._check_priority(e)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<network {self.title!r}: engines {', '.join(e.name for e in self.engines)}; "
                     f"{', '.join(f'{t.name} {t.rate}/s' for t in self.types)}>")

    def _check_routes(self, t: RequestType) -> None:
        engines, own, routed = [e.name for e in self.engines], dict.fromkeys(v.name for v in t.visits), t.routed
        for v in t.visits:
            if v.engine not in engines:
                unknown = UnknownNameError("engine", v.engine, engines)
                raise NetworkError(("visit", v.name, "engine"), f"type {t.name!r}, visit {v.name!r}: {unknown}")
            for key, names in (("after", v.after), ("routes", tuple(n for n, _ in v.routes))):
                for name in names:
                    if name not in own:
                        unknown = UnknownNameError("visit", name, list(own))
                        raise NetworkError(("visit", v.name, key), f"type {t.name!r}, visit {v.name!r}: {unknown}")
            if routed and v.after:
                raise NetworkError(("visit", v.name, "after"), f"type {t.name!r}, visit {v.name!r}: after does not go "
                                   "with routes; give one or the other")
        if routed:
            self._check_random(t)
            return
        try:
            TopologicalSorter({v.name: v.after for v in t.visits}).prepare()
        except CycleError as error:
            loop = error.args[1][1:]
            loop = loop[loop.index(min(loop)):] + loop[:loop.index(min(loop))]
            raise NetworkError(("visit", loop[0], "after"),
                               f"type {t.name!r}: a loop without exit, {' -> '.join([*loop, loop[0]])}") from None

    def _check_sharing(self, t: RequestType) -> None:
        """What joins needs the order of arrival at each visit, which engines that hold many requests do not keep."""
        rules = {e.name: e.policy for e in self.engines if e.policy in ("processor-sharing", "sarathi")}
        sharing = [v.engine for v in t.visits if v.engine in rules]
        if sharing and any(len(v.after) > 1 for v in t.visits):
            raise NetworkError(("engine", sharing[0], "policy"),
                               f"type {t.name!r} joins, and shares engine {sharing[0]!r}; visits that join need the "
                               f"order of arrival, which {RULES[rules[sharing[0]]]} does not keep")

    def _check_random(self, t: RequestType) -> None:
        """Every visit is made, and every request leaves."""
        ways = {v.name: [n for n, _ in v.routes] for v in t.visits}
        made = reached([t.visits[0].name], ways)
        if unmade := [n for n in ways if n not in made]:
            raise NetworkError(("visit", unmade[0], "name"), f"type {t.name!r}: no route from {t.visits[0].name!r} "
                               f"leads to visit {unmade[0]!r}")
        back = {n: [m for m in ways if n in ways[m]] for n in ways}
        leaving = reached([v.name for v in t.visits if sum(p for _, p in v.routes) < 1], back)
        if caught := [n for n in ways if n not in leaving]:
            raise NetworkError(("visit", caught[0], "routes"),
                               f"type {t.name!r}: a loop without exit, among {', '.join(caught)}")

    def _check_priority(self, e: Engine) -> None:
        if e.policy != "priority":
            return
        place = ("engine", e.name, "priority")
        there, named = [v.name for v in self.visits if v.engine == e.name], [n for g in e.priority for n in g]
        for n in named:
            if n not in there:
                unknown = UnknownNameError("visit", n, there or ["none comes here"])
                raise NetworkError(place, f"engine {e.name!r}: the priorities name an {unknown}")
            if named.count(n) > 1:
                raise NetworkError(place, f"engine {e.name!r}: the priorities name {n!r} twice")
        if missing := [n for n in there if n not in named]:
            raise NetworkError(place, f"engine {e.name!r}: the priorities leave out {', '.join(map(repr, missing))}")

    @cached_property
    def visits(self) -> tuple[Visit, ...]:
        """All visits, type by type, each after those that it waits for."""
        found: dict[str, Visit] = {}
        for t in self.types:
            waiting = list(t.visits)
            while waiting:
                ready = next(v for v in waiting if all(n in found for n in v.after))
                found[ready.name] = ready
                waiting.remove(ready)
        return tuple(found.values())

    @property
    def routed(self) -> bool:
        """Whether any type's requests choose their way at random."""
        return any(t.routed for t in self.types)

    @cached_property
    def routing(self) -> dict[str, dict[str, Fraction]]:
        """By visit the visits that follow it and the share of its requests that goes there: 1 each after a fork."""
        found: dict[str, dict[str, Fraction]] = {v.name: dict(v.routes) for v in self.visits}
        for v in self.visits:
            for before in v.after:
                found[before][v.name] = Fraction(1)
        return found

    @cached_property
    def rates(self) -> dict[str, Fraction]:
        """Requests a second that make each visit: the rate of the type times how often a request makes the visit."""
        found: dict[str, Fraction] = {}
        for t in self.types:
            once = dict.fromkeys((v.name for v in t.visits), Fraction(1))
            made = times_made({v.name: dict(v.routes) for v in t.visits}) if t.routed else once
            found |= {name: t.rate * times for name, times in made.items()}
        return found

    @cached_property
    def arrivals(self) -> dict[str, Fraction]:
        """Requests a second that come to each visit from outside: the rate of its type where they begin, else 0."""
        return {v.name: t.rate if not v.after and (v is t.visits[0] or not t.routed) else Fraction(0)
                for t in self.types for v in t.visits}

    @cached_property
    def works(self) -> dict[str, Fraction]:
        """Mean seconds of work of each visit at its engine, in full batches."""
        at = {e.name: e for e in self.engines}
        return {v.name: at[v.engine].seconds(v.prompt, v.output) for v in self.visits}

    @cached_property
    def groups(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """For each engine its visits by priority, the most urgent first; one group where the order is left open."""
        at: dict[str, tuple[str, ...]] = {
            e.name: tuple(v.name for v in self.visits if v.engine == e.name) for e in self.engines
        }
        return {e.name: e.priority or ((at[e.name],) if at[e.name] else ()) for e in self.engines}

    @property
    def joins(self) -> tuple[Visit, ...]:
        """The visits that wait for more than one other."""
        return tuple(v for v in self.visits if len(v.after) > 1)

    @property
    def sharing(self) -> tuple[str, ...]:
        """The engines that share their time among the requests that are present."""
        return tuple(e.name for e in self.engines if e.policy == "processor-sharing" and self.groups[e.name])

    @property
    def ruled(self) -> tuple[str, ...]:
        """The engines where one of :data:`RULES` chooses between visits: their order is one of
        those that are left open, but not any."""
        return tuple(e.name for e in self.engines if e.policy in RULES
                     and any(len(g) > 1 for g in self.groups[e.name]))

    @property
    def forks(self) -> bool:
        """Whether a request can be at several visits at once."""
        starts = (sum(not v.after for v in t.visits) for t in self.types if not t.routed)
        return bool(self.joins) or max(starts, default=1) > 1 or any(
            sum(ways.values()) > 1 for ways in self.routing.values())

    def phased(self) -> AgentNetwork:
        """The same network with a visit for the prompt's tokens and one for the output's, named with /p and /d.

        At an engine with priorities the decode phase comes right before the prefill phase of the same visit.
        """
        parts = {v.name: tuple(v.name + end for end, n in (("/p", v.prompt), ("/d", v.output)) if n)
                 for v in self.visits}
        types = []
        for t in self.types:
            visits: list[Visit] = []
            for v in t.visits:
                after = tuple(parts[n][-1] for n in v.after)
                ways = [*[((name, Fraction(1)),) for name in parts[v.name][1:]],
                        tuple((parts[n][0], p) for n, p in v.routes)]
                for name, routes in zip(parts[v.name], ways, strict=True):
                    lengths = (v.prompt, Fraction(0)) if name.endswith("/p") else (Fraction(0), v.output)
                    visits.append(Visit(name, v.engine, *lengths, after=after, routes=routes if t.routed else ()))
                    after = () if t.routed else (name,)
            types.append(dataclasses.replace(t, visits=tuple(visits)))
        engines = []
        for e in self.engines:
            groups = tuple(tuple(parts[n][i] for n in g if len(parts[n]) > i) for g in e.priority for i in (1, 0))
            engines.append(dataclasses.replace(e, priority=tuple(g for g in groups if g)))
        return AgentNetwork(tuple(engines), tuple(types), self.title)

    def scaled(self, factor: Number) -> AgentNetwork:
        """The same network with every arrival rate multiplied by ``factor``."""
        scale = Fraction(factor)
        types = tuple(dataclasses.replace(t, rate=t.rate * scale) for t in self.types)
        return dataclasses.replace(self, types=types)

    def with_priority(self, orders: Mapping[str, Sequence[str | Iterable[str]]]) -> AgentNetwork:
        """The same network with these priorities, by engine; () leaves the order at an engine open."""
        names = [e.name for e in self.engines]
        if unknown := [n for n in orders if n not in names]:
            raise UnknownNameError("engine", unknown[0], names)
        changed = []
        for e in self.engines:
            if e.name in orders:
                groups = tuple((g,) if isinstance(g, str) else tuple(g) for g in orders[e.name])
                policy = "priority" if groups else "work-conserving"
                e = dataclasses.replace(e, policy=policy, priority=groups)
            changed.append(e)
        return dataclasses.replace(self, engines=tuple(changed))

    def refined(self, rank: Mapping[str, Any]) -> AgentNetwork:
        """A complete order at every engine: within each group the visits of least ``rank`` first."""
        return self.with_priority({
            name: tuple(n for g in groups for n in sorted(g, key=rank.__getitem__)) for name, groups in
            self.groups.items()
        })

    def reversed_priority(self) -> AgentNetwork:
        """The same network with every list of priorities upside down."""
        return self.with_priority({e.name: e.priority[::-1] for e in self.engines if e.priority})

    def to_networkx(self) -> nx.DiGraph:
        """Visits as nodes (type, engine, prompt, output, rate, work), their order or routes as edges (share)."""
        import networkx as nx

        graph = nx.DiGraph(title=self.title)
        for t in self.types:
            for v in t.visits:
                graph.add_node(v.name, type=t.name, engine=v.engine, prompt=v.prompt, output=v.output,
                               rate=self.rates[v.name], work=self.works[v.name])
        graph.add_edges_from((name, to, {"share": p}) for name, ways in self.routing.items() for to, p in ways.items())
        return graph

    def draw(self, path: str | Path | None = None) -> Figure:
        """The network as a figure, saved where ``path`` is given: :func:`qtheory.models.network_drawing.draw`."""
        from qtheory.models.network_drawing import draw

        return draw(self, path)


__all__ = ["AgentNetwork", "Engine", "NetworkError", "Number", "RequestType", "Visit"]
