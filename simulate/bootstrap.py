"""What a recorded trace can say of chance: nothing by itself, and by a block bootstrap what the user asks for.

Where the arrivals and the lengths of every class come from lists, each replication is the same run: it is one sample,
and an interval or a test from its copies would claim what nobody observed. A block bootstrap (Künsch, 1989, with the
circle of Politis and Romano, 1992) draws blocks of consecutive requests anew, gaps and lengths together, so that what
depends on each other within a block stays together; it says how much the result hangs on which stretches of this trace
happened to be recorded, not what another day would bring.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Law, Listed
from qtheory.simulate.networks import Network
from qtheory.simulate.routing import RoutedFleet
from qtheory.simulate.showing import InALine

_PARTS = ("arrivals", "prompt", "output", "cached")


def is_random(model: Network | LLMEngine | CountsChain | SlottedAgents | RoutedFleet) -> bool:
    """Can two replications of the model differ?"""
    if isinstance(model, CountsChain | SlottedAgents):
        return True
    if isinstance(model, RoutedFleet):
        if model.rule in ("random", "shortest-queue") or model.prefixes is not None:
            return True
        laws = [law for c in model.classes for law in (c.arrivals, c.prompt, c.output)]
    elif isinstance(model, LLMEngine):
        laws = [law for c in model.classes for law in (c.arrivals, c.sizes, c.prompt, c.output, c.cached)]
    else:
        laws = [law for c in model.classes for law in (c.arrivals, c.sizes, c.service, c.patience)]
        laws += [law for d in model.dispatchers for law in (d.arrivals, d.sizes)]
        if any(0 < chance < 1 for c in model.classes for chance in c.routes.values()):
            return True
        if any(d.rule != "round-robin" and len(d.to) > 1 for d in model.dispatchers):
            return True  # ties are broken at random
    return any(law is not None and not isinstance(law, Deterministic | Listed) for law in laws)


@dataclass(frozen=True)
class Bootstrapped(InALine):
    """An engine whose traces are drawn anew for each replication, in blocks of ``block`` consecutive requests.

    Raises InputError where a class has no trace, or parts of different lengths.
    """

    engine: LLMEngine
    block: int

    @property
    def line(self) -> str:
        return f"{self.engine.line}; traces drawn anew in blocks of {self.block}"

    def __post_init__(self) -> None:
        for c in self.engine.classes:
            lengths = {len(law.values) for law in self._listed(c).values()}
            if not lengths:
                raise InputError(f"a block bootstrap draws from traces, and class {c.name!r} has none")
            if len(lengths) > 1:
                raise InputError(f"class {c.name!r}: a block bootstrap draws gaps and lengths together, and its traces "
                                 f"have {' and '.join(map(str, sorted(lengths)))} requests")  # fmt: skip
            if not 1 <= self.block <= min(lengths):
                raise InputError(f"blocks are of 1 to {min(lengths)} requests, not of {self.block}")

    @staticmethod
    def _listed(c: RequestClass) -> dict[str, Listed]:
        laws: dict[str, Law | None] = {name: getattr(c, name) for name in _PARTS}
        return {name: law for name, law in laws.items() if isinstance(law, Listed)}

    def drawn(self, seed: int, replication: int) -> LLMEngine:
        """The engine with one draw of its traces."""
        random = np.random.Generator(np.random.Philox(key=[seed, replication]))
        classes = []
        for c in self.engine.classes:
            listed = self._listed(c)
            count = len(next(iter(listed.values())).values)
            starts = random.integers(count, size=-(-count // self.block))
            rows = (starts[:, None] + np.arange(self.block)).ravel()[:count] % count
            new: dict[str, Any] = {name: replace(law, values=tuple(np.asarray(law.values)[rows].tolist()))
                                   for name, law in listed.items()}  # fmt: skip
            classes.append(replace(c, **new))
        return replace(self.engine, classes=tuple(classes))

    def run(self, *, seed: int = 0, replication: int = 0, **options: Any) -> EngineRun:
        """One replication: a draw of the traces, and their run."""
        drawn = self.drawn(seed, replication)
        return replace(drawn.run(seed=seed, replication=replication, **options), engine=self.engine)
