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

:mod:`qtheory.models.workflow_network` says what network it becomes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from qtheory import profiles
from qtheory.errors import InputError
from qtheory.models.laws import RESIDENT, TOKENS, Law, law_type
from qtheory.models.network import Engine
from qtheory.models.network import Number as Exact
from qtheory.models.network_parts import MAX_DIGITS, rational

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


def schema() -> dict[str, Any]:
    """The JSON schema of a workflow's file, as the TOML reads in JSON."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Workflow.model_json_schema()}


def read(path: str | Path) -> Workflow:
    """The workflow in a TOML file."""
    from qtheory.models.network_files import read as text

    return parse(text(path), Path(path).name)


__all__ = ["MOST_VISITS", "EngineTable", "Flow", "Loop", "Step", "Workflow", "of_graph", "parse", "read", "schema"]
