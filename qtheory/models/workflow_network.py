"""The agent network that a workflow becomes.

A step is a visit. A loop is unrolled: each round's steps are visits of their own, ``think.1``,
``think.2``, .., with their own prompts, and after each round but the last the request goes on by ``again``; nothing is
made geometric that is bounded. A retry, and a way back by ``choose``, has no bound: it is a random route back to the
same visit. In a workflow that forks, requests take no random ways, since a network's joins wait for all that were
begun; there a retry is further work of the same visit, served at once: the mean of its tokens over 1 - retry.
``copies`` are visits side by side. A priority that names a step means all of its visits, as one group.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError, QTheoryError, UnknownNameError
from qtheory.models.network import AgentNetwork, RequestType, Visit
from qtheory.models.workflow import MOST_VISITS, Flow, Loop, Workflow


@dataclass(frozen=True)
class Compiled:
    """``network``: what the workflows are for the theory; ``notes``: what became of retries, loops and forks, a line
    each; ``visits``: by step its visits."""

    network: AgentNetwork
    notes: tuple[str, ...]
    visits: Mapping[str, tuple[str, ...]]


def compiled(workflow: Workflow) -> Compiled:
    """The agent network of a workflow; InputError for what is none."""
    engines = [e.name for e in workflow.engine]
    notes: list[str] = []
    visits: dict[str, tuple[str, ...]] = {}
    types, taken = [], [s.name for f in workflow.workflow for s in f.step]
    for flow in workflow.workflow:
        for step in flow.step:
            if step.engine not in engines:
                raise InputError(f"workflow {flow.name!r}, step {step.name!r}: "
                                 f"{UnknownNameError('engine', step.engine, engines)}")
        prefix = f"{flow.name}." if any(taken.count(s.name) > 1 for s in flow.step) else ""
        made = _Flow(flow, prefix)
        types.append(RequestType(flow.name, flow.rate, made.visits()))
        notes += made.notes
        visits |= {prefix + n: tuple(v) for n, v in made.named.items()}
    tables = []
    for e in workflow.engine:
        groups = tuple(tuple(n for s in ([g] if isinstance(g, str) else g) for n in _meant(e.name, s, visits))
                       for g in e.priority)
        try:
            tables.append(e.built(groups))
        except QTheoryError as error:
            raise InputError(str(error)) from None
    return Compiled(AgentNetwork(tuple(tables), tuple(types), workflow.title), tuple(notes), visits)


def _meant(engine: str, name: str, visits: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The visits that a priority names: those of a step, or one by its own name."""
    if name in visits:
        return visits[name]
    every = [n for some in visits.values() for n in some]
    if name in every:
        return (name,)
    raise InputError(f"engine {engine!r}: the priorities name an {UnknownNameError('step', name, [*visits, *every])}")


class _Flow:
    """One workflow's visits."""

    def __init__(self, flow: Flow, prefix: str) -> None:
        self.flow, self.prefix = flow, prefix
        self.steps = {s.name: s for s in flow.step}
        self.notes: list[str] = []
        if len(self.steps) < len(flow.step):
            twice = next(s.name for i, s in enumerate(flow.step) if s.name in [t.name for t in flow.step[:i]])
            raise self.wrong(f"two steps are named {twice!r}")
        self.all: dict[str, tuple[str, ...]] = {}
        self.one: dict[str, dict[str, Fraction]] = {}
        for i, s in enumerate(flow.step):
            below = (flow.step[i + 1].name,) if i + 1 < len(flow.step) else ()
            if s.choose is not None and s.next is not None:
                raise self.wrong(f"step {s.name!r} has next and choose; give one of them")
            after = below if s.next is None else (s.next,) if isinstance(s.next, str) else tuple(dict.fromkeys(s.next))
            self.all[s.name] = after if s.choose is None else ()
            self.one[s.name] = dict(s.choose or {})
            for n in (*self.all[s.name], *self.one[s.name]):
                if n not in self.steps:
                    raise self.wrong(f"step {s.name!r}: {UnknownNameError('step', n, [*self.steps])}")
            if sum(self.one[s.name].values()) > 1:
                raise self.wrong(f"step {s.name!r}: the probabilities of choose sum to more than 1")
        self.loop_of = self._loops()
        rounds = {n: loop.at_most for n, loop in self.loop_of.items()}
        self.named = {n: [prefix + n + (f".{r}" if n in rounds else "") + (f" {c}" if s.copies > 1 else "")
                          for r in range(1, rounds.get(n, 1) + 1) for c in range(1, s.copies + 1)]
                      for n, s in self.steps.items()}
        if sum(map(len, self.named.values())) > MOST_VISITS:
            raise self.wrong(f"more than {MOST_VISITS} visits; fewer rounds or copies are needed")
        self.forks = [n for n, s in self.steps.items() if s.copies > 1 or len(self.all[n]) > 1]
        self.random = [n for n in self.steps if self.one[n]] + [
            loop.steps[-1] for loop in flow.loop if loop.again < 1 and loop.at_most > 1]
        if self.forks and self.random:
            raise self.wrong(f"it forks at {self.forks[0]!r}, so that a request may take no way at random, as at "
                             f"{self.random[0]!r}; retries, and loops whose again is 1, go with forks")

    def wrong(self, what: str) -> InputError:
        return InputError(f"workflow {self.flow.name!r}: {what}")

    def _loops(self) -> dict[str, Loop]:
        """The loop of each step in one, which is a row of steps with one way in and one way on."""
        found: dict[str, Loop] = {}
        for loop in self.flow.loop:
            for n in (*loop.steps, *loop.grows):
                if n not in self.steps:
                    raise self.wrong(f"a loop has the {UnknownNameError('step', n, [*self.steps])}")
                if n in found or loop.steps.count(n) > 1:
                    raise self.wrong(f"step {n!r} is in two loops, or twice in one")
            if outside := [n for n in loop.grows if n not in loop.steps]:
                raise self.wrong(f"grows names {outside[0]!r}, which the loop does not repeat")
            found |= dict.fromkeys(loop.steps, loop)
            for n, then in itertools.pairwise(loop.steps):
                if self.all[n] != (then,):
                    raise self.wrong(f"the loop's steps follow each other, so that {n!r} has {then!r} as its only next")
            for n, ways in self.all.items():
                inside = [m for m in (*ways, *self.one[n]) if m in loop.steps]
                for m in inside:
                    begins, follows = m == loop.steps[0], (n, m) in itertools.pairwise(loop.steps)
                    if n in loop.steps if begins else not follows:
                        raise self.wrong(f"the way from {n!r} to {m!r} enters or repeats the loop; its first step is "
                                         "the way in, and at_most and again say how often")
        return found

    def visits(self) -> tuple[Visit, ...]:
        """The visits of the request, the first of the first step first."""
        self._tell()
        routed = bool(self.random) or (not self.forks and any(s.retry for s in self.steps.values()))
        found, before = list[Visit](), self._before()
        if not routed:
            for n in [*self.steps][1:]:
                if not before[self.named[n][0]]:
                    raise self.wrong(f"step {n!r} follows no other")
        for n, s in self.steps.items():
            loop = self.loop_of.get(n)
            for r in range(loop.at_most if loop else 1):
                prompt = s.prompt + r * (loop.grows.get(n, Fraction(0)) if loop else 0)
                tries = 1 / (1 - s.retry) if s.retry and not routed else Fraction(1)
                for c in range(s.copies):
                    name = self.named[n][r * s.copies + c]
                    routes = self._routes(n, r, name) if routed else ()
                    after = () if routed else tuple(before[name])
                    found.append(Visit(name, s.engine, prompt * tries, s.output * tries, after, routes))
        return tuple(found)

    def _tell(self) -> None:
        for n, s in self.steps.items():
            if s.retry:
                how = f"{1 / (1 - s.retry)} tries on average within its visit" if self.forks else \
                    f"a route back to it with probability {s.retry}"
                self.notes.append(f"{self.prefix}{n}: retried, {how}")
            if s.copies > 1:
                self.notes.append(f"{self.prefix}{n}: {s.copies} visits side by side")
        for loop in self.flow.loop:
            again = "" if loop.again == 1 else f", another one with probability {loop.again}"
            self.notes.append(f"{', '.join(self.prefix + n for n in loop.steps)}: {loop.at_most} rounds of visits of "
                              f"their own{again}")

    def _at(self, n: str, r: int) -> list[str]:
        """The visits of a step in a round."""
        copies = self.steps[n].copies
        return self.named[n][r * copies:(r + 1) * copies]

    def _ways(self, n: str, r: int) -> list[tuple[str, int, Fraction]]:
        """(step, its round, probability) that follow a step in its round."""
        loop = self.loop_of.get(n)
        on = [(m, 0, p) for m, p in self.one[n].items()] or [(m, 0, Fraction(1)) for m in self.all[n]]
        if loop is None:
            return on
        if n != loop.steps[-1]:
            return [(loop.steps[loop.steps.index(n) + 1], r, Fraction(1))]
        if r + 1 == loop.at_most:
            return on
        out = [(m, s, p * (1 - loop.again)) for m, s, p in on if loop.again < 1]
        return [(loop.steps[0], r + 1, loop.again), *out]

    def _routes(self, n: str, r: int, name: str) -> tuple[tuple[str, Fraction], ...]:
        retry = self.steps[n].retry or Fraction(0)
        ways: dict[str, Fraction] = {name: retry} if retry else {}
        for m, s, p in self._ways(n, r):
            [to] = self._at(m, s)
            ways[to] = ways.get(to, Fraction(0)) + p * (1 - retry)
        return tuple((to, p) for to, p in ways.items() if p)

    def _before(self) -> dict[str, list[str]]:
        """By visit those that it waits for, where nothing is random."""
        before: dict[str, list[str]] = {v: [] for some in self.named.values() for v in some}
        for n in self.steps:
            for r in range(self.loop_of[n].at_most if n in self.loop_of else 1):
                for m, s, _ in self._ways(n, r):
                    for v in self._at(m, s):
                        before[v] += self._at(n, r)
        return before


__all__ = ["Compiled", "compiled"]
