"""Agent networks token by token beside their fluid model: how fast they grow, and what a cycle makes of its start.

The fluid model knows a visit by its mean number of tokens alone. In the slotted model a request has at most one output
token in a batch (throughput-optimal scheduling, (2.5c)), so that its output takes as many batches as it has tokens.
That changes no equation of the fluid model:

- Every request at an engine has a token that could be loaded, so that a batch is full whenever the engine, or its
  groups of visits down to some priority, hold as many requests as the budget has tokens. Less urgent groups get none.
- With decode first no group has more requests in their decode phase than the budget has tokens: at n of them a batch
  loads at most budget - n prompt tokens, and each new one takes at least one. So the requests that are half done are
  bounded, and tokens processed turn into requests ended as in the classical model.

Both bounds are numbers of requests that do not grow with the content; they vanish in the fluid scaling. So Dai's
criterion (1995) speaks of the same fluid model with the rule and without. :func:`returned` measures the same on paths
that return: the rule adds a number of requests to what comes back, whatever the content.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork
from qtheory.networks.certificates import paths_of
from qtheory.numerics.fluid_paths import Segment
from qtheory.simulate.agent_runs import AgentRun
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.runs import replicate
from qtheory.theory.fluid import FluidModel

SEGMENTS = 80  # after which a fluid path is given up

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Return:
    """The fluid path from one unit at ``visit`` alone to the next state of that kind, which holds ``growth`` units
    and is reached after ``duration`` seconds; n units take n times as long."""

    visit: str
    growth: Fraction
    duration: Fraction
    segments: tuple[Segment, ...]

    def contents(self) -> tuple[list[Fraction], list[tuple[Fraction, ...]]]:
        """(times, content of each visit at them): the corners of the path, the end included."""
        times, held, now = [], [], Fraction(0)
        for s in self.segments:
            times.append(now)
            held.append(s.start)
            now += s.duration
        last = tuple(self.growth * z for z in self.segments[0].start)
        return [*times, now], [*held, last]


def fluid_return(network: AgentNetwork, visit: str) -> Return | None:
    """The return of the fluid path from requests at ``visit`` alone; None if it drains or does not return.

    Growth above 1 says that the fluid model is not stable, at 1 the load is critical for this path, below it the path
    spirals inwards. InputError without a complete order at each engine, and with joins.
    """
    model = FluidModel.of(network)
    names = [v.name for v in network.visits]
    if visit not in names:
        raise UnknownNameError("visit", visit, names)
    if not model.is_static or model.has_joins:
        raise InputError("a fluid path needs a complete order of the visits at each engine, and no joins")
    paths, segments = paths_of(model), []
    state = tuple(Fraction(int(n == visit)) for n in names)
    for _ in range(SEGMENTS):
        step = paths.step(state)
        if step is None:
            return None
        segments.append(step)
        state = paths.end(step)
        if all((z > 0) == (n == visit) for n, z in zip(names, state, strict=True)):
            growth = state[names.index(visit)]
            return Return(visit, growth, sum((s.duration for s in segments), Fraction(0)), tuple(segments))
    return None


def returned(network: AgentNetwork, back: Return, count: int, *, replications: int, seed: int = 0,
             executor: Executor | None = None, **options: Any) -> Array:
    """Requests present when the fluid path from ``count`` requests returns, over ``count``, in each replication of the
    token-level model; shape (replications,). In the fluid model all are ``back.growth``.

    ``options``: of :class:`~qtheory.simulate.agents.SlottedAgents`; ``executor``: shares the replications. The same
    seed gives the same arrivals and lengths.
    """
    agents = SlottedAgents(network, start={back.visit: count}, **options)
    slots = round(count * back.duration / agents.slot_seconds)
    runs = replicate(agents, replications=replications, executor=executor,
                     horizon=float(slots * agents.slot_seconds), windows=1, seed=seed)
    return np.array([r.left_over / count for r in runs])


def simulated(network: AgentNetwork, slots: int, *, replications: int, seed: int = 0, windows: int = 200,
              executor: Executor | None = None, **options: Any) -> list[AgentRun]:
    """Token-level replications of ``slots`` slots from the empty network; ``executor`` and ``options`` as for
    :func:`returned`."""
    agents = SlottedAgents(network, **options)
    return replicate(agents, replications=replications, executor=executor,
                     horizon=float(slots * agents.slot_seconds), windows=windows, seed=seed)


def growth(runs: list[AgentRun]) -> Array:
    """Growth of the number of requests a slot, from the means of the two halves of each run; shape (replications,)."""
    found = []
    for r in runs:
        half = r.windows // 2
        first, second = r.present[:half].mean(), r.present[half:2 * half].mean()
        found.append((second - first) / (half * (r.slots // r.windows)))
    return np.array(found)


def spiral(runs: list[AgentRun], factor: float) -> tuple[Array, Array]:
    """(least, most) of the unprocessed tokens over the time, a slot, in the last part of each run in which time grew by
    ``factor``, a whole cycle of a path that grows by it; shapes (replications,)."""
    found = []
    for r in runs:
        slots = (1 + np.arange(r.windows)) * (r.slots // r.windows)
        last = slots >= r.slots / factor
        ratio = r.tokens.sum(axis=1)[last] / slots[last]
        found.append((ratio.min(), ratio.max()))
    least, most = np.array(found).T
    return least, most
