"""Agents as people build them: steps, tool calls, retries, bounded loops, fan-out and join, on shared engines.

A workflow's TOML file, or a networkx graph (:func:`of_graph`), becomes an agent network:

    title = ".."
    [[engine]]                    # as in a network's file; or, in place of batch_time, a measured profile:
    name = "model"
    budget = 2048
    profile = "h100-llama-8b-vllm-kernels"
    context = 100000              # for a profile whose time depends on it: tokens held in a full batch, on average
    priority = ["answer", "think"]
    [[workflow]]
    name = "question"
    rate = 2                      # requests a second
    [[workflow.step]]
    name = "think"
    engine = "model"
    prompt = 800                  # mean tokens; a tool's step: its mean seconds, at an engine of budget 1 in 1 s
    output = 60
    next = ["search", "read"]     # all of these, side by side; by default the step below, [] ends the request
    choose = {search = 0.6, answer = 0.4}  # or one of these; what is missing to 1 ends the request
    retry = 0.1                   # the step is made again with this probability, as often as that happens
    copies = 4                    # so many at once, which the next step waits for
    [[workflow.loop]]             # steps in a row that are repeated
    steps = ["think", "search"]
    again = 0.75                  # after a round the probability of another; 1 by default
    at_most = 6                   # rounds
    grows = {think = 400}         # tokens by which a step's prompt grows each round

What becomes of it. A step is a visit. A loop is unrolled: each round's steps are visits of their own, ``think.1``,
``think.2``, .., with their own prompts, and after each round but the last the request goes on by ``again``; nothing is
made geometric that is bounded. A retry, and a way back by ``choose``, has no bound: it is a random route back to the
same visit. In a workflow that forks, requests take no random ways, since a network's joins wait for all that were
begun; there a retry is further work of the same visit, served at once: the mean of its tokens over 1 - retry.
``copies`` are visits side by side. A priority that names a step means all of its visits, as one group.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from qtheory import profiles
from qtheory.errors import InputError, QTheoryError, UnknownNameError
from qtheory.models.laws import RESIDENT, TOKENS, Law, law_type
from qtheory.models.network import MAX_DIGITS, AgentNetwork, Engine, RequestType, Visit, rational
from qtheory.models.network import Number as Exact

if TYPE_CHECKING:
    import networkx as nx

MOST_ROUNDS, MOST_VISITS = 1_000, 2_000


def _exact(value: Any) -> Fraction:
    if isinstance(value, bool | float) or not isinstance(value, int | str | Fraction):
        raise ValueError("an exact number such as 3, 0.75 or \"2/3\" is needed")
    try:
        return rational(value) if isinstance(value, str) else Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError("an exact number such as 3, 0.75 or \"2/3\" is needed") from None


_NUMBER = BeforeValidator(_exact), WithJsonSchema({"type": ["number", "string"]})
Amount = Annotated[Fraction, *_NUMBER, Field(ge=0)]
Positive = Annotated[Fraction, *_NUMBER, Field(gt=0)]
Chance = Annotated[Fraction, *_NUMBER, Field(gt=0, le=1)]
Again = Annotated[Fraction, *_NUMBER, Field(gt=0, lt=1)]
Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, arbitrary_types_allowed=True)


class TimeLaw(_Part):
    """A law of the seconds of a batch."""

    law: Text
    """The law's name."""
    constants: dict[str, Amount]
    """The law's constants by name, in seconds and tokens."""


class EngineTable(_Part):
    """An engine that steps share: a model's server, a tool's workers."""

    name: Text
    """The engine's name."""
    budget: Positive = Fraction(1)
    """Tokens of a batch at most; 1 if it is left out."""
    batch_time: Positive | None = None
    """Seconds of a batch, whatever it holds; 1 if nothing else says it."""
    decode_time: Positive | None = None
    """Seconds of a batch of outputs, where prompts and outputs have batches of their own."""
    time: TimeLaw | None = None
    """The law of the seconds of a batch by its tokens, in place of batch_time."""
    profile: Text | None = None
    """A measured profile, by name or file, that gives the law in place of batch_time."""
    context: Amount | None = None
    """Tokens held in a full batch on average, for a profile whose times depend on them."""
    policy: Literal["work-conserving", "priority", "fcfs"] | None = None
    """The order of service: fcfs, work-conserving (any, the default), or by priority."""
    priority: tuple[Text | tuple[Text, ...], ...] = ()
    """Steps, or lists of steps without an order among them, those that come first on top."""

    def built(self, groups: tuple[tuple[str, ...], ...]) -> Engine:
        """The network's engine, with these groups of visits; InputError for times that do not go together."""
        policy = self.policy or ("priority" if groups else "work-conserving")
        given = [k for k in ("batch_time", "time", "profile") if getattr(self, k) is not None]
        if len(given) > 1 or (self.decode_time is not None and given not in ([], ["batch_time"])):
            raise InputError(f"engine {self.name!r}: give one of batch_time (with decode_time), time and profile")
        if self.context is not None and self.profile is None:
            raise InputError(f"engine {self.name!r}: context goes with a profile")
        if self.profile is not None:
            return self._of_law(_exact_law(profiles.load(self.profile).law), policy, groups)
        if self.time is not None:
            law = law_type(self.time.law)
            if set(self.time.constants) != set(law.constant_names()):
                raise InputError(f"engine {self.name!r}: the {law.kind} law has the constants "
                                 f"{', '.join(law.constant_names())}")
            return self._of_law(law(**self.time.constants), policy, groups)
        return Engine(self.name, self.budget, self.batch_time or Fraction(1), policy, groups, self.decode_time)

    def _of_law(self, law: Law, policy: str, groups: tuple[tuple[str, ...], ...]) -> Engine:
        if law.variables != (TOKENS, RESIDENT):
            if self.context is not None:
                raise InputError(f"engine {self.name!r}: the times of its profile do not depend on a context")
            return Engine.of_law(self.name, law, self.budget, policy=policy, priority=groups)
        if self.context is None:
            raise InputError(f"engine {self.name!r}: the times of its profile depend on the tokens that a batch holds; "
                             "give their mean in full batches as context")
        symbols = law.symbols()
        full = law.expression().subs({symbols[TOKENS]: f"{self.budget}", symbols[RESIDENT]: f"{self.context}"})
        return Engine(self.name, self.budget, Fraction(str(full)), policy, groups)


def _exact_law(law: Law) -> Law:
    """The law with its measured constants as the decimal numbers that they are printed as."""
    return type(law)(**{k: Fraction(repr(float(getattr(law, k)))) for k in law.constant_names()})


class Step(_Part):
    """A stay at an engine."""

    name: Text
    """The step's name."""
    engine: Text
    """The engine that it is made at."""
    prompt: Amount
    """Mean tokens of the prompt; of a tool, seconds where its engine has budget 1 in 1 s."""
    output: Amount = Fraction(0)
    """Mean tokens of the output; 0 if it is left out."""
    next: Text | tuple[Text, ...] | None = None
    """The step, or all the steps, that follow; by default the one below."""
    choose: dict[Text, Chance] | None = None
    """The probability of each next step, one of which follows; what is missing to 1 ends the request."""
    retry: Again | None = None
    """The probability with which the step is made again, each time anew."""
    copies: Annotated[int, Field(ge=1, le=MOST_VISITS, strict=True)] = 1
    """How many are made at once; what follows waits for all."""


class Loop(_Part):
    """Steps in a row that are made again."""

    steps: Annotated[tuple[Text, ...], Field(min_length=1)]
    """The steps of a round, in order."""
    again: Chance = Fraction(1)
    """The probability of another round after one that is not the last; 1 if it is left out."""
    at_most: Annotated[int, Field(ge=1, le=MOST_ROUNDS, strict=True)]
    """Rounds at most."""
    grows: dict[Text, Amount] = Field(default_factory=dict)
    """Tokens by which a step's prompt grows with each round."""


class Flow(_Part):
    """A kind of request and the steps that it makes."""

    name: Text
    """The workflow's name."""
    rate: Positive
    """Requests a second that arrive."""
    step: Annotated[tuple[Step, ...], Field(min_length=1)]
    """The steps; a request begins with the first."""
    loop: tuple[Loop, ...] = ()
    """What is repeated."""


class Workflow(_Part):
    """Workflows of agents on shared engines."""

    title: str = ""
    """What it is, in a line."""
    engine: Annotated[tuple[EngineTable, ...], Field(min_length=1)]
    """The engines."""
    workflow: Annotated[tuple[Flow, ...], Field(min_length=1)]
    """The workflows."""


@dataclass(frozen=True)
class Compiled:
    """``network``: what the workflows are for the theory; ``notes``: what became of retries, loops and forks, a line
    each; ``visits``: by step its visits."""

    network: AgentNetwork
    notes: tuple[str, ...]
    visits: Mapping[str, tuple[str, ...]]


def parse(text: str, name: str = "workflow") -> Workflow:
    """The workflow in a TOML text; InputError names the key of what is wrong."""
    from qtheory.profiles.files import first_problem, toml_problem

    try:
        data = tomllib.loads(text, parse_float=lambda x: rational(x.replace("_", "")))
    except tomllib.TOMLDecodeError as error:
        raise InputError(toml_problem(text, name, str(error))) from None
    except (RecursionError, ValueError):
        raise InputError(f"{name}: nested too deeply, or with numbers that are none or have more than {MAX_DIGITS} "
                         "digits") from None
    try:
        return Workflow.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{name}: {first_problem(error, 'workflow')}") from None


def of_graph(graph: nx.DiGraph, rate: Exact, loops: Iterable[Loop] = (), name: str = "request") -> Flow:
    """The workflow that a graph says, its steps the nodes with engine, prompt and, if wanted, output, retry and copies.

    Edges with a ``probability`` are ways of which one is taken, those without are all taken; an edge from a node to
    itself is a retry. A request begins at the node without an edge from another, or at ``graph.graph["first"]``.
    InputError for a graph that says no workflow.
    """
    from qtheory.profiles.files import first_problem

    heads = [n for n in graph if not [p for p in graph.predecessors(n) if p != n]]
    first = graph.graph.get("first", heads[0] if len(heads) == 1 else None)
    if first not in graph:
        raise InputError("a workflow begins at one step: give graph.graph['first'] where not exactly one node is "
                         "without an edge from another")
    steps: list[dict[str, Any]] = []
    for node in [first, *(n for n in graph if n != first)]:
        step: dict[str, Any] = {"name": node, **graph.nodes[node]}
        chances = {to: data["probability"] for _, to, data in graph.out_edges(node, data=True) if "probability" in data}
        certain = [to for to in graph.successors(node) if to not in chances]
        if node in certain:
            raise InputError(f"step {node!r} is followed by itself with certainty: a loop without exit")
        if node in chances:
            step["retry"] = chances.pop(node)
        if chances and certain:
            raise InputError(f"step {node!r}: either all or none of the ways on have a probability")
        retried = _exact(step["retry"]) if "retry" in step else Fraction(0)
        if chances and retried < 1:  # an edge's probability counts all ways, the retry among them
            step["choose"] = {to: _exact(p) / (1 - retried) if node in graph.successors(node) else p
                              for to, p in chances.items()}
        else:
            step["next"] = certain
        steps.append(step)
    try:
        return Flow.model_validate({"name": name, "rate": rate, "step": steps, "loop": list(loops)})
    except ValidationError as error:
        raise InputError(f"the graph: {first_problem(error, 'graph')}") from None


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


def schema() -> dict[str, Any]:
    """The JSON schema of a workflow's file, as the TOML reads in JSON."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Workflow.model_json_schema()}


def read(path: str | Path) -> Workflow:
    """The workflow in a TOML file."""
    from qtheory.models.network_files import read as text

    return parse(text(path), Path(path).name)


__all__ = ["Compiled", "EngineTable", "Flow", "Loop", "Step", "Workflow", "compiled", "of_graph", "parse", "read",
           "schema"]
