"""A workflow of agents judged: its load, its verdict, its critical rate, and a priority that destabilises it.

A workflow is a networkx graph, or a TOML file (:mod:`qtheory.models.workflow`); it becomes an agent network, whose
verdicts have certificates that both checkers accept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from qtheory.errors import InputError
from qtheory.models import shipped
from qtheory.models import workflow as files
from qtheory.models.network import AgentNetwork, Number
from qtheory.models.network_files import dumps
from qtheory.models.workflow import EngineTable, Flow, Loop, Workflow
from qtheory.models.workflow_network import Compiled, compiled
from qtheory.networks.deciding import Decision, decide
from qtheory.networks.region_words import factor_lines, number
from qtheory.networks.regions import Region, factors
from qtheory.networks.wording import lines, listed, named
from qtheory.proofs.visible import visible

if TYPE_CHECKING:
    import networkx as nx

FOLDER = Path(__file__).parent / "workflows"


@dataclass(frozen=True)
class Judged:
    """What is known of a workflow.

    ``decision``: of its network under its own policies; ``region``: over the factor of all its arrival rates; ``free``:
    the decision under every work-conserving order, which has the destabilising priority, if one is found. All are of
    the network that ``compiled`` holds, as :func:`~qtheory.models.network_files.dumps` writes it.
    """

    compiled: Compiled
    decision: Decision
    region: Region
    free: Decision

    @property
    def network(self) -> AgentNetwork:
        return self.compiled.network

    @property
    def critical(self) -> tuple[Fraction, Fraction | None]:
        """(factor below which all factors are certified stable, the least above which all are certified not to be):
        exact where they are equal; None where none is known. (0, ..) where nothing is certified stable."""
        stable = [p for p in self.region.merged("stable") if p.vertices[0][0] == 0]
        low = max((p.vertices[-1][0] for p in stable), default=Fraction(0))
        if self.region.whole is None:
            return low, None
        high = self.region.whole.vertices[-1][0]
        ends = {p.vertices[-1][0]: p.vertices[0][0] for p in self.region.merged("unstable")}
        while high in ends and self.region.at((high,)) == "unstable":  # else this one factor is not certified
            high = ends[high]
        return low, high

    @property
    def destabilising(self) -> dict[str, list[str]] | None:
        """By engine the visits in an order under which the network is certified not to be stable, though no engine is
        overloaded; None if none is known."""
        if self.free.order is None:
            return None
        return {e: [n for g in groups for n in g] for e, groups in self.free.order.groups.items()}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The workflow's visits, the decision, its critical rate and the priority, a line each."""
        first, *rest = lines(self.decision)
        found = [first, *(f"  {note}" for note in self.compiled.notes), *rest, *factor_lines(self.region)]
        found += [f"  {line}" for line in self._critical_lines()]
        found.append(f"  {self._priority_line()}")
        return [visible(line) for line in found]

    def _critical_lines(self) -> list[str]:
        low, high = self.critical
        if not low:
            return ["critical rate: no rate is certified stable"]
        told = []
        for t in self.network.types:
            at = f"{number(low * t.rate)} = {float(low * t.rate):.6g}"
            above = "" if high == low else ", not stable above " + (
                "an unknown rate" if high is None else f"{float(high * t.rate):.6g}") + ", undecided between"
            together = ", all rates growing together" if len(self.network.types) > 1 else ""
            told.append(f"critical rate of {named(t.name)}: stable below {at} requests a second{above}{together}")
        return told

    def _priority_line(self) -> str:
        if self.free.overloaded is not None:
            return "priorities: an engine is overloaded, so that no order helps"
        if self.free.verdict == "stable":
            return "priorities: none destabilises it; it is stable under every work-conserving order"
        if (order := self.destabilising) is not None:
            lists = "; ".join(f"{named(e)} serves first {listed(some, ', then ')}" for e, some in order.items()
                              if len(some) > 1)
            return f"priorities: not stable where {lists}"
        why = "; orders are not searched where visits join" if self.network.joins else ""
        return f"priorities: none is known that destabilises it, and none is excluded{why}"

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, numbers as texts of exact rationals; certificates are apart."""
        low, high = self.critical
        region = self.region.to_json()
        return {"schema": 1, "notes": list(self.compiled.notes),
                "visits": {n: list(some) for n, some in self.compiled.visits.items()},
                "decision": self.decision.to_json(), "intervals": region["polygons"],
                "critical": {"stable": str(low), "unstable": None if high is None else str(high),
                             "rates": {t.name: str(low * t.rate) for t in self.network.types}},
                "priorities": {"every_order": self.free.verdict, "destabilising": self.destabilising}}


def names() -> list[str]:
    """The shipped workflows."""
    return shipped.names(FOLDER)


def load(name: str | Path) -> Workflow:
    """The workflow in a TOML file, or the shipped one of that name; InputError for a bad file, UnknownNameError for an
    unknown name."""
    return files.read(shipped.find(name, FOLDER, "workflow"))


def workflow(source: nx.DiGraph | Workflow | str | Path, engines: Iterable[Mapping[str, Any]] = (), *,
             rate: Number | None = None, loops: Sequence[Loop | Mapping[str, Any]] = (), name: str = "request",
             budget: float = 60.0) -> Judged:
    """What becomes of a workflow: load, verdict, critical rate, and a priority that destabilises it.

    ``source``: a TOML file, the name of a shipped workflow, or a networkx graph, which needs ``engines`` (the keys of a
    file's engine each) and ``rate``, and may have ``loops`` (steps, again, at_most, grows) and a ``name``
    (:func:`qtheory.models.workflow.of_graph`). ``budget``: units of work in all. InputError for what is no workflow.
    """
    if isinstance(source, str | Path):
        source = load(source)
    if not isinstance(source, Workflow):
        source = _of_graph(source, engines, rate, loops, name)
    elif rate is not None or loops or tuple(engines):
        raise InputError("engines, rate and loops go with a graph; a file has its own")
    return judge(compiled(source), budget=budget)


def _of_graph(graph: nx.DiGraph, engines: Iterable[Mapping[str, Any]], rate: Number | None,
              loops: Sequence[Loop | Mapping[str, Any]], name: str) -> Workflow:
    from qtheory.profiles.files import first_problem

    if rate is None:
        raise InputError("a graph needs a rate, in requests a second")
    try:
        read = [found if isinstance(found, Loop) else Loop.model_validate(found) for found in loops]
        flow: Flow = files.of_graph(graph, rate, read, name)
        return Workflow(engine=tuple(EngineTable.model_validate(dict(e)) for e in engines), workflow=(flow,))
    except ValidationError as error:
        raise InputError(f"the workflow: {first_problem(error, 'engines')}") from None


def judge(compiled: Compiled, *, budget: float = 60.0) -> Judged:
    """The decisions about a compiled workflow; ``budget``: units of work, shared by the three of them."""
    if not 0 < budget < math.inf:
        raise InputError(f"the budget is {budget}; a positive number of units of work is needed")
    network = compiled.network
    open_to_all = network.with_priority({e.name: () for e in network.engines})
    decision = decide(network, budget=budget / 3)
    free = decision if open_to_all == network else decide(open_to_all, budget=budget / 3)
    return Judged(compiled, decision, factors(network, budget=budget / 3, text=dumps(network)), free)
