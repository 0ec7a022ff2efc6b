"""A workload: classes of requests with their prompt- and output-length laws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import Array, LengthLaw, Lengths, integer, positive
from qtheory.workloads.tabulated import Mixture


@dataclass(frozen=True)
class RequestClass:
    """One class of requests. ``weight`` is its share relative to the other classes.

    ``prompt`` is None where the source prints nothing about prompt lengths. ``*_basis`` says what the source
    prints and what the law adds to it.
    """

    name: str
    weight: float
    prompt: LengthLaw | None
    output: LengthLaw
    prompt_basis: str = ""
    output_basis: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive("weight", self.weight))
        for kind, law in (("prompt", self.prompt), ("output", self.output)):
            if not isinstance(law, LengthLaw) and (law is not None or kind == "output"):
                raise InputError(f"the {kind} of class {self.name!r} is {law!r}; it must be a length law")


@dataclass(frozen=True, eq=False)
class Trace:
    """Requests of a recorded service, in the file's order: prompt and output lengths (tokens), arrivals (s).

    ``arrival_times`` is None where none were recorded. ``prefixes``: for each request the hashes of its prompt's blocks
    (equal leading hashes share a prefix), None where the file has none.
    """

    prompt_lengths: Lengths
    output_lengths: Lengths
    arrival_times: Array | None
    prefixes: tuple[tuple[int, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.output_lengths)

    @property
    def arrival_rate(self) -> float:
        """Requests a second, from the first to the last arrival."""
        if self.arrival_times is None:
            raise InputError("the trace has no arrival times")
        span = float(self.arrival_times[-1] - self.arrival_times[0])
        if span <= 0:
            raise InputError("the trace's arrival times span no time")
        return (len(self) - 1) / span


@dataclass(frozen=True, eq=False)
class RequestSample:
    """Drawn requests: index of each one's class, prompt and output lengths (tokens); int64 arrays of one shape."""

    classes: NDArray[np.int64]
    prompt_lengths: Lengths
    output_lengths: Lengths


@dataclass(frozen=True)
class Workload:
    """Classes of requests, whose class, prompt and output lengths are independent from request to request.

    Within a class prompt and output lengths are independent, except for a trace, whose rows are kept together.
    """

    name: str
    title: str
    paper: str
    source: str
    note: str
    classes: tuple[RequestClass, ...]
    trace: Trace | None = None

    def __repr__(self) -> str:
        many = f"{len(self.classes)} classes of requests" if len(self.classes) > 1 else "one class of requests"
        recorded = "" if self.trace is None else ", a recorded trace"
        return f"<workload {self.name}: {self.title}; {many}{recorded}>"

    def __post_init__(self) -> None:
        if not self.classes:
            raise InputError(f"workload {self.name!r} has no class of requests")

    @cached_property
    def probabilities(self) -> Array:
        """Probability of each class."""
        weights = np.array([c.weight for c in self.classes])
        return np.asarray(weights / weights.sum())

    @cached_property
    def prompt(self) -> LengthLaw:
        """Prompt length of a request of any class. InputError where the source prints none."""
        laws = [c.prompt for c in self.classes]
        for c in self.classes:
            if c.prompt is None:
                raise InputError(f"workload {self.name!r} has no prompt lengths: {c.prompt_basis or 'none given'}")
        return self._marginal([law for law in laws if law is not None])

    @cached_property
    def output(self) -> LengthLaw:
        """Output length of a request of any class."""
        return self._marginal([c.output for c in self.classes])

    def _marginal(self, laws: list[LengthLaw]) -> LengthLaw:
        if all(law == laws[0] for law in laws):
            return laws[0]
        return Mixture(tuple(laws), tuple(c.weight for c in self.classes))

    def sample(self, generator: np.random.Generator, count: int) -> RequestSample:
        """``count`` independent requests from the caller's generator; rows of the trace, with replacement, for one."""
        number = integer("count", count, least=0)
        if not isinstance(generator, np.random.Generator):
            raise InputError(f"generator must be a numpy.random.Generator, not {type(generator).__name__}")
        if self.trace is not None:
            rows = generator.integers(len(self.trace), size=number)
            lengths = self.trace.prompt_lengths[rows], self.trace.output_lengths[rows]
            return RequestSample(np.zeros(number, dtype=np.int64), *lengths)
        _ = self.prompt  # every class has one
        classes = generator.choice(len(self.classes), size=number, p=self.probabilities)
        prompts, outputs = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
        for i, c in enumerate(self.classes):
            members = classes == i
            size = int(members.sum())
            if c.prompt is not None:
                prompts[members] = c.prompt.sample(generator, size)
            outputs[members] = c.output.sample(generator, size)
        return RequestSample(classes, prompts, outputs)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(c.name)}</td><td>{p:.4g}</td>"
            f"<td>{escape(c.prompt.describe()) if c.prompt else 'not printed'}</td>"
            f"<td>{escape(c.output.describe())}</td></tr>"
            for c, p in zip(self.classes, self.probabilities, strict=True)
        )
        head = "<tr><th>class</th><th>probability</th><th>prompt length</th><th>output length</th></tr>"
        return f"<table><caption>{escape(self.title)} ({escape(self.source)})</caption>{head}{rows}</table>"
