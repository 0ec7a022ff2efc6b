"""One GPU that takes prefills, beside at most one that never does, by the paper's words: each jump, written out.

A state is (classes that wait for prefill in order, the class in prefill or -1, classes that wait for solo and for mixed
decode in order, classes in decode on the GPU that takes prefills, and on the other one, sorted). Nothing of the
simulator's is in the jumps: it knows kinds of GPUs where this knows GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from qtheory.numerics import markov
from qtheory.simulate.fleet import FleetRun, GPURun
from qtheory.theory.planning import IterationTimes, Plan, Prices, RequestClass, plan
from qtheory.theory.planning.instance import Instance
from qtheory.theory.planning.policies import Policy

Classes = tuple[int, ...]
Outcome = tuple[float, "State"]


class State(NamedTuple):
    waiting: Classes
    prefill: int
    for_solo: Classes
    for_mixed: Classes
    mover: Classes
    other: Classes


EMPTY = State((), -1, (), (), (), ())
NAMES = ("q_p", "x", "q_d", "y_m", "y_s")
# policies besides those that have names
OWN = {"greedy gate without a partition": Policy("occupancy", "greedy", planned=False),
       "queues and a split": Policy("queue", "split"), "first come and weights": Policy("fcfs", "weighted")}


def levels(run: FleetRun | GPURun) -> tuple[np.ndarray, np.ndarray]:
    """Mean numbers of a run and their standard errors by batches, shape (5, classes) each."""
    values = np.stack([run.occupancies[name] for name in NAMES])[:, run.warm_up:]
    return values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])


@dataclass(frozen=True)
class ByHand:
    """``gpus`` (1 or 2) under a policy; each queue is cut off at ``most`` requests."""

    plan: Plan
    policy: Policy
    gpus: int
    most: int

    def jumps(self, s: State) -> Iterator[Outcome]:
        it = self.plan.instance
        for i, c in enumerate(it.classes):
            if len(s.waiting) < self.most:
                for p, later in self.settled(s._replace(waiting=(*s.waiting, i))):
                    yield self.gpus * float(c.rate) * p, later
        for field in ("waiting", "for_solo", "for_mixed"):
            queue = getattr(s, field)
            for place, i in enumerate(queue):
                yield float(it.classes[i].patience), s._replace(**{field: queue[:place] + queue[place + 1:]})
        if s.prefill >= 0:
            for p, later in self.prefilled(s._replace(prefill=-1), s.prefill):
                yield float(it.mu_p[s.prefill]) * p, later
        rates = {"mover": it.mu_m if s.prefill >= 0 else it.mu_s, "other": it.mu_s}
        for field, rate in rates.items():
            decodes = getattr(s, field)
            for place, i in enumerate(decodes):
                for p, later in self.settled(s._replace(**{field: decodes[:place] + decodes[place + 1:]})):
                    yield float(rate[i]) * p, later

    def prefilled(self, s: State, i: int) -> Iterator[Outcome]:
        if self.policy.router == "immediate":
            yield from self.settled(s._replace(mover=tuple(sorted((*s.mover, i)))))
            return
        share = float(self.plan.solo_shares[i]) if self.policy.router in ("split", "weighted") else 1.0
        for p, field in ((share, "for_solo"), (1 - share, "for_mixed")):
            queue = getattr(s, field)
            if p > 0 and len(queue) < self.most:
                for q, later in self.settled(s._replace(**{field: (*queue, i)})):
                    yield p * q, later
            elif p > 0:
                for q, later in self.settled(s):
                    yield p * q, later

    def settled(self, s: State) -> Iterator[Outcome]:
        """The gate and the router in the policy's order; a decode slot is given at a time."""
        steps = [self.decode, self.admit]
        if self.policy.router == "prefill-first":
            steps.reverse()
        for step in steps:
            found = list(step(s))
            if found:
                for p, later in found:
                    for q, end in self.settled(later):
                        yield p * q, end
                return
        yield 1.0, s

    def admit(self, s: State) -> Iterator[Outcome]:
        batch = self.plan.instance.batch
        if s.prefill >= 0 or not s.waiting or (not self.policy.planned and len(s.mover) == batch):
            return
        k = len(self.plan.instance)
        n, x, q = self.gpus, self.plan.x, self.plan.q_p
        counts = [s.waiting.count(i) for i in range(k)]
        above = [counts[i] - n * q[i] for i in range(k)]
        some = [i for i in range(k) if counts[i]]
        if self.policy.gate == "fcfs":
            place = 0
        else:
            if self.policy.gate == "queue":
                some = [i for i in some if above[i] > 0]
                if not some:
                    return
                key = {i: -above[i] for i in some}
            elif self.policy.gate == "priority":
                key = {i: -self.plan.instance.classes[i].decode / self.plan.instance.classes[i].prompt for i in some}
            else:  # nobody is in prefill: all with a target are as far below it
                key = {i: (0 if x[i] else 1, -above[i]) for i in some}  # type: ignore[assignment]
            place = s.waiting.index(min(some, key=key.__getitem__))
        yield 1.0, s._replace(waiting=s.waiting[:place] + s.waiting[place + 1:], prefill=s.waiting[place])

    def decode(self, s: State) -> Iterator[Outcome]:
        batch = self.plan.instance.batch
        divided = self.policy.router in ("split", "weighted")
        most = batch - 1 if self.policy.planned or s.prefill >= 0 else batch
        if s.for_solo and self.gpus == 2 and len(s.other) < batch:
            for p, i, rest in self.next_of(s.for_solo, 0):
                yield p, s._replace(for_solo=rest, other=tuple(sorted((*s.other, i))))
            return
        field = "for_mixed" if divided else "for_solo"
        if getattr(s, field) and len(s.mover) < most:
            for p, i, rest in self.next_of(getattr(s, field), 1):
                yield p, s._replace(**{field: rest, "mover": tuple(sorted((*s.mover, i)))})

    def next_of(self, queue: Classes, pool: int) -> Iterator[tuple[float, int, Classes]]:
        if self.policy.router != "weighted":
            yield 1.0, queue[0], queue[1:]
            return
        classes = sorted(set(queue))
        weights = {i: float(self.plan.pool_weights[pool][i]) for i in classes}
        if not sum(weights.values()):
            weights = {i: float(queue.count(i)) for i in classes}
        for i, w in weights.items():
            if w:
                place = queue.index(i)
                yield w / sum(weights.values()), i, queue[:place] + queue[place + 1:]


def impatient(classes: int, batch: int = 2) -> Plan:
    """A loaded GPU whose queues stay short, since nobody waits long: iterations of a second, or three beside a prefill.
    """
    made = [RequestClass("a", Fraction(4), Fraction(1), Fraction(1, 8), Fraction(4)),
            RequestClass("b", Fraction(2), Fraction(2), Fraction(1, 4), Fraction(5))][:classes]
    return plan(Instance(tuple(made), IterationTimes(Fraction(3), Fraction(1), Fraction(4)), batch,
                         Prices(Fraction(1), Fraction(2))))


def crowded() -> Plan:
    """A GPU of one slot where several wait most of the time, of both classes: whom a gate takes is seen in all levels.
    The plan serves the class that the priority gate takes last.
    """
    instance = impatient(2, 1).instance.scaled(12)
    return plan(replace(instance, prices=Prices(Fraction(3), Fraction(1))))


def exact_levels(planned: Plan, policy: Policy, gpus: int, most: int) -> np.ndarray:
    """Mean numbers a GPU by name and class, from the stationary law of the chain by hand; shape (5, classes)."""
    small = ByHand(planned, policy, gpus, most)
    found = markov.explore(EMPTY, small.jumps, continuous=True, limit=4000)
    law, k = found.stationary(), len(planned.instance)
    out = np.zeros((5, k))
    for p, s in zip(law, found.states, strict=True):
        beside = s.prefill >= 0
        held = (s.waiting, (s.prefill,), s.for_solo + s.for_mixed, s.mover if beside else (),
                s.other + (() if beside else s.mover))
        out += p / gpus * np.array([[classes.count(i) for i in range(k)] for classes in held])
    return out
