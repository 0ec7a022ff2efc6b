"""A cluster of GPUs to be planned, as its TOML file says it: kinds of GPU, request classes, prices, limits.

    title = ".."
    charging = "bundled"                  # or "separate"
    seconds = 3600                        # how long an hour to simulate is, for classes given by laws
    [prices]                              # $ a million tokens
    prefill = 0.2
    decode = 0.6
    [limits]                              # on means, in seconds; and, if wanted, prefill_fairness, decode_fairness
    ttft = 1.0
    tpot = 0.05
    [engine]                              # of every GPU: tokens of an iteration at most, requests in decode at most
    chunk = 512
    slots = 64
    [[gpu]]                               # a kind: a profile, $ an hour, how many there are (for the plan)
    name = "H100"
    profile = "h100-llama-8b-vllm-kernels"
    price = 2.5
    count = 4
    [[class]]                             # lengths by a number, a law, or a trace; requests a second of the cluster
    name = "chat"
    prompt = 300
    output = {law = "geometric", mean = 200}
    rate = 5.0
    patience = 0.1                        # 1/s at which who waits gives up, in the fluid plan; 0 by default
    [[class]]
    name = "code"
    trace = "code.csv"                    # beside the file; its own arrival times, laid over each other ``copies``
    copies = 4                            # times, each shifted by an equal part of its length
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from qtheory import profiles, workloads
from qtheory.errors import InputError, QTheoryError
from qtheory.models.laws import AffineLaw, ContextAffineLaw, Law, PiecewiseLinearLaw
from qtheory.workloads import Deterministic, LengthLaw, Workload
from qtheory.workloads.catalogue import length_law

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
MOST = 1_000_000_000_000  # of any number in a file, so that what is computed from them is finite
Positive = Annotated[float, Field(gt=0, le=MOST)]
NotNegative = Annotated[float, Field(ge=0, le=MOST)]
Whole = Annotated[int, Field(ge=1, le=1_000_000)]
PLANNED = (AffineLaw, ContextAffineLaw, PiecewiseLinearLaw)  # laws whose iterations have a price a token


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False,
                              use_attribute_docstrings=True)  # what stands below a field describes it in the schema


class TokenPrices(_Part):
    """$ a million tokens."""

    prefill: NotNegative
    """$ a million prompt tokens."""
    decode: NotNegative
    """$ a million output tokens."""


class Limits(_Part):
    """Service levels: mean time to the first token and mean time per output token (s); bounds of the fairness levels
    (requests a GPU)."""

    ttft: Positive | None = None
    """Limit on the mean time to the first token, in seconds."""
    tpot: Positive | None = None
    """Limit on the mean time per output token over all tokens, in seconds."""
    prefill_fairness: NotNegative | None = None
    """Bound on how far the classes' prefills a GPU lie apart, in requests."""
    decode_fairness: NotNegative | None = None
    """Bound on how far the classes' decodes on GPUs without prefill lie apart, in requests a GPU."""


class Engine(_Part):
    """What every GPU runs: at most ``chunk`` tokens an iteration, at most ``slots`` requests in service."""

    chunk: Whole = 512
    """Tokens of an iteration at most."""
    slots: Annotated[int, Field(ge=2, le=1_000_000)] = 64
    """Requests in service at most."""

    @model_validator(mode="after")
    def _room(self) -> Engine:
        if self.chunk < self.slots:
            raise ValueError(f"a chunk of {self.chunk} tokens has no room for the decodes of {self.slots} slots and a "
                             "token of a prompt")
        return self


class GPU(_Part):
    """A kind of GPU: a measured profile, $ an hour, and how many of them there are."""

    name: Text
    """The kind's name."""
    profile: Text
    """A hardware profile's name or TOML file."""
    price: NotNegative
    """$ an hour of one such GPU."""
    count: Whole | None = None
    """How many the plan has; none where another kind has a count, else those of the smallest fleet that was found."""

    @cached_property
    def law(self) -> Law:
        """Its iteration-time law; InputError for a kind of law that is not planned with."""
        law = profiles.load(self.profile).law
        if not isinstance(law, PLANNED):
            raise InputError(f"GPU {self.name!r}: the law of {self.profile} is {law.kind}; a plan takes "
                             f"{', '.join(c.kind for c in PLANNED)}")
        return law


class RequestClass(_Part):
    """A class of requests by length laws and a rate, or by a recorded trace."""

    name: Text
    """The class's name."""
    prompt: Annotated[int, Field(ge=1)] | dict[str, Any] | None = None
    """Tokens of a prompt: a number, or a law as a table."""
    output: Annotated[int, Field(ge=1)] | dict[str, Any] | None = None
    """Tokens of an output: a number, or a law as a table."""
    rate: Positive | None = None
    """Requests a second that come to the whole cluster."""
    trace: Text | None = None
    """A recorded trace with arrival times, beside the file, in place of prompt, output and rate."""
    copies: Annotated[int, Field(ge=1, le=10_000)] = 1
    """How many times the trace is laid over itself, each time shifted by an equal part of its length."""
    patience: NotNegative = 0.0
    """1/s at which who waits gives up, in the fluid plan."""

    @model_validator(mode="after")
    def _one_source(self) -> RequestClass:
        laws = (self.prompt, self.output, self.rate)
        if self.trace is None and any(v is None for v in laws):
            raise ValueError(f"class {self.name!r} needs prompt, output and rate, or a trace")
        if self.trace is not None and any(v is not None for v in laws):
            raise ValueError(f"class {self.name!r}: a trace has its own prompts, outputs and rate")
        if self.trace is None and self.copies > 1:
            raise ValueError(f"class {self.name!r}: copies are of a trace; laws take a higher rate")
        return self


class Cluster(_Part):
    """A cluster as its file says it. ``folder``: where the traces are looked for."""

    title: Text
    """What the cluster is, in a line."""
    charging: Literal["bundled", "separate"] = "bundled"
    """Whether a request pays when it is complete (bundled), or each token as it is processed (separate)."""
    seconds: Positive = 3600.0
    """Simulated seconds of classes that are given by laws."""
    prices: TokenPrices
    """What tokens are sold for."""
    limits: Limits = Limits()
    """Service levels."""
    engine: Engine = Engine()
    """What every GPU runs."""
    gpu: Annotated[tuple[GPU, ...], Field(min_length=1, strict=False)]
    """The kinds of GPU."""
    classes: Annotated[tuple[RequestClass, ...], Field(min_length=1, strict=False, alias="class")]
    """The classes of requests."""
    folder: Path = Field(default=Path(), exclude=True, strict=False)
    """Where traces are looked for: the cluster file's folder."""

    def __repr__(self) -> str:
        limits = ", ".join(f"{name} {value:g}" for name, value in self.limits if value is not None) or "none"
        return (f"<cluster {self.title!r}: {', '.join(g.name for g in self.gpu)}; classes "
                f"{', '.join(c.name for c in self.classes)}; limits: {limits}>")

    @field_validator("gpu", "classes")
    @classmethod
    def _names_differ(cls, values: tuple[Any, ...]) -> tuple[Any, ...]:
        names = [v.name for v in values]
        if len(set(names)) < len(names):
            raise ValueError(f"two are named {next(n for n in names if names.count(n) > 1)!r}")
        return values

    def workload(self, which: RequestClass) -> Workload | None:
        """The trace of a class, None for laws. InputError for a trace that cannot be read, or has no arrival times."""
        if which.trace is None:
            return None
        path = Path(which.trace)
        known = workloads.load(path if path.is_absolute() else self.folder / path)
        if known.trace is None or known.trace.arrival_times is None:
            raise InputError(f"class {which.name!r}: {which.trace} has no arrival times")
        return known


def lengths(given: int | dict[str, Any], place: str) -> LengthLaw:
    """A length law as a class's file gives it; InputError with the place."""
    if isinstance(given, int):
        return Deterministic(given)
    return length_law(place, given)


def parse(text: str, file: str, folder: Path = Path()) -> Cluster:
    """The cluster in a TOML text; InputError names the file and the line or key that is wrong."""
    from qtheory.profiles.files import first_problem, toml_problem

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(toml_problem(text, file, str(error))) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{file}: {error}") from None
    if not data.get("gpu", True):
        raise InputError(f"{file}: no GPU: a plan needs at least one [[gpu]]")
    if "folder" in data:
        raise InputError(f"{file}: key 'folder': unknown key; traces are looked for beside the file")
    try:
        found = Cluster.model_validate({**data, "folder": folder})
        for gpu in found.gpu:
            assert gpu.law
    except ValidationError as error:
        raise InputError(f"{file}: {first_problem(error, 'cluster')}") from None
    except QTheoryError as error:
        raise InputError(f"{file}: {error}") from None
    return found
