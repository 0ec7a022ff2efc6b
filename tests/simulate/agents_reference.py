"""A second simulator of slotted networks of LLM engines: plain Python, the rules as Sections 2 and 4 of the
throughput-optimal paper print them, a request a dictionary with its unprocessed tokens. Slow and obvious.

It shares with the compiled loop only the laws' variates, so that the two must agree slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qtheory.simulate.agents import _GAP, _OUTPUT, _PROMPT, SlottedAgents, length_law
from qtheory.simulate.laws import Exponential, Law


def stream(law: Law, number: int, seed: int) -> Iterator[float]:
    yield from law.sample(20_000, seed=seed, source=number)
    raise AssertionError("the reference run needs more variates than were drawn")


class Reference:
    """``history``: after each slot, by visit (requests, of these in decode, prompt tokens, output tokens left); and
    ``loads``: by slot and engine the tokens of the batch that is loaded in it, 0 for none."""

    def __init__(self, agents: SlottedAgents, slots: int, seed: int = 0) -> None:
        self.agents, self.net = agents, agents.network
        self.visits = {v.name: v for v in self.net.visits}
        self.queue: dict[str, list[dict[str, Any]]] = {v: [] for v in self.visits}  # all requests of a visit
        self.order = 0
        self.draws = {}
        for k, v in enumerate(self.net.visits):
            for what, role, mean in (("prompt", _PROMPT, v.prompt), ("output", _OUTPUT, v.output)):
                if mean:
                    self.draws[v.name, what] = stream(length_law(mean, agents.lengths), role + k, seed)
        self.gap, self.next = {}, {}
        self.left = self.born = 0
        for name, count in agents.start.items():
            for _ in range(count):
                self.enter(name, {"done": set(), "type": self.type_of(name)})
                self.born += 1
        for a, t in enumerate(self.net.types):
            law = agents.gaps.get(t.name) or Exponential(1.0 / float(t.rate * agents.slot_seconds))
            self.gap[t.name] = stream(law, _GAP + a, seed)
            self.next[t.name] = next(self.gap[t.name])
        self.remaining = {e.name: 0 for e in self.net.engines}
        self.ending: dict[str, list[dict[str, Any]]] = {e.name: [] for e in self.net.engines}
        self.history, self.loads, self.present = [], [], []
        self.partial = [0, 0]  # batches with room for most of a decode list, and for at most half of it
        for n in range(slots):
            self.slot(n)

    def type_of(self, visit: str) -> Any:
        return next(t for t in self.net.types if visit in [v.name for v in t.visits])

    def enter(self, visit: str, request: dict[str, Any]) -> None:
        prompt, output = (int(next(self.draws[visit, what])) if (visit, what) in self.draws else 0
                          for what in ("prompt", "output"))
        if not self.agents.one_token:
            prompt, output = prompt + output, 0
        self.order += 1
        self.queue[visit].append({"visit": visit, "p": prompt, "d": output, "decodes": prompt == 0, "at": self.order,
                                  "request": request})

    def slot(self, n: int) -> None:
        self.loads.append([])
        for e in self.net.engines:
            loaded = 0
            if self.remaining[e.name] == 0:
                loaded = self.load(e)
                if loaded:
                    times = self.agents.times.get(e.name)
                    whole = e.batch_time / self.agents.slot_seconds
                    self.remaining[e.name] = int(whole if times is None else times[loaded])
            self.loads[-1].append(loaded)
        for e in self.net.engines:
            if self.remaining[e.name] > 0:
                self.remaining[e.name] -= 1
                if self.remaining[e.name] == 0:
                    for task in self.ending[e.name]:
                        self.queue[task["visit"]].remove(task)
                        self.move_on(task)
                    self.ending[e.name] = []
        for t in self.net.types:
            while self.next[t.name] < n + 1:
                self.next[t.name] += next(self.gap[t.name])
                self.born += 1
                request = {"done": set(), "type": t}
                for v in self.net.visits:
                    if v in t.visits and not v.after:
                        self.enter(v.name, request)
        self.history.append([(len(q), sum(r["decodes"] and r["d"] > 0 for r in q), sum(r["p"] for r in q),
                              sum(r["d"] for r in q)) for q in self.queue.values()])
        self.present.append(self.born - self.left)

    def move_on(self, task: dict[str, Any]) -> None:
        """Begin the visits that wait for this one alone, or for it as the last of several."""
        request = task["request"]
        request["done"].add(task["visit"])
        for v in self.net.visits:
            if task["visit"] in v.after and set(v.after) <= request["done"]:
                self.enter(v.name, request)
        if {v.name for v in request["type"].visits} == request["done"]:
            self.left += 1

    def load(self, e: Any) -> int:
        """Fill a batch group by group; within a group the phases in their order, each in the order of arrival."""
        room = could = int(e.budget)
        here = [r for v in self.net.visits if v.engine == e.name for r in self.queue[v.name]]
        could = min(could, sum(r["p"] if r["p"] else (1 if r["d"] else 0) for r in here))
        for group in self.net.groups[e.name]:
            there = [r for name in group for r in self.queue[name] if r["p"] + r["d"] > 0]
            decodes = sorted((r for r in there if r["decodes"]), key=lambda r: r["at"])
            prefills = sorted((r for r in there if not r["decodes"]), key=lambda r: r["at"])
            phases = ("decode", "prefill") if self.agents.phases == "decode first" else ("prefill", "decode")
            for phase in phases:
                if phase == "decode":
                    if 0 < room < len(decodes):
                        self.partial[2 * room <= len(decodes)] += 1
                    for r in decodes[:room]:
                        r["d"] -= 1
                        room -= 1
                        if r["d"] == 0:
                            self.ending[e.name].append(r)
                else:
                    for r in prefills:
                        take = min(r["p"], room)
                        r["p"] -= take
                        room -= take
                        if take and r["p"] == 0:
                            self.order += 1
                            r.update(decodes=True, at=self.order)
                            if r["d"] == 0:
                                self.ending[e.name].append(r)
        assert int(e.budget) - room == could, "work-conserving (2.6)"
        return int(e.budget) - room
