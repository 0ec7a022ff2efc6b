"""What agent networks are made of: engines, visits at them, types of requests; their numbers are exact rationals."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import DECODE, TOKENS, Law

Number = int | str | Fraction
POLICIES = ("work-conserving", "priority", "fcfs", "processor-sharing", "sarathi")
RULES = {"fcfs": "first come, first served", "processor-sharing": "processor sharing", "sarathi": "Sarathi-Serve"}
# Schedulers of the throughput-optimal paper, Section 3, that the fluid model of whole visits does not fit
NO_POLICIES = {
    "orca": "puts prompts first, so that any number of requests may be in their outputs; give prompts and outputs "
            "visits of their own, prompts first by priority",
    "vllm": "is not work-conserving: its batches hold prompts or outputs, and need not be full",
    "fastertransformer": "is not work-conserving: a batch ends when its longest output does"}


MAX_DIGITS = 100  # of a numerator or denominator
_NUMBER = re.compile(r"[-+]?([0-9]+(/[0-9]+)?|([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?)", re.IGNORECASE)


class NetworkError(InputError):
    """What is wrong with a network; ``place`` says where: (table, its name, key)."""

    def __init__(self, place: tuple[str, str, str], message: str) -> None:
        self.place = place
        super().__init__(message)


def rational(text: str) -> Fraction:
    """The number that a text writes in ASCII digits, as 3/4 or 7.5e-1; ValueError for none, or for one of more digits
    than are read."""
    text = text.strip(" ")
    exponent = text.lower().partition("e")[2]
    if len(text) > 4 * MAX_DIGITS or not _NUMBER.fullmatch(text):
        raise ValueError
    if exponent and not -MAX_DIGITS <= int(exponent) <= MAX_DIGITS:
        raise ValueError
    return Fraction(text)


def exact(value: object, what: str, place: tuple[str, str, str], least: int | None = None) -> Fraction:
    """The value as a rational number; NetworkError unless it is one and exceeds ``least``."""
    try:
        if isinstance(value, bool | float) or not isinstance(value, int | str | Fraction):
            raise ValueError
        number = rational(value) if isinstance(value, str) else Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise NetworkError(place, f"{what} is {_short(value)}; an exact number such as 3/4 or 0.75 is needed") from None
    if max(abs(number.numerator), number.denominator) >= 10**MAX_DIGITS:
        raise NetworkError(place, f"{what} is {_short(value)}; numbers have at most {MAX_DIGITS} digits here")
    if least is not None and number <= least:
        raise NetworkError(place, f"{what} is {number}; it must be more than {least}")
    return number


def _short(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # too many digits for Python to print
        shown = "a number of thousands of digits"
    return shown if len(shown) <= 60 else shown[:57] + "..."


class _Shown:
    """Fields added after runs were recorded are shown where they are set: the hashes of the runs rest on the text."""

    def __repr__(self) -> str:
        fields = [f.name for f in dataclasses.fields(self)]  # type: ignore[arg-type]
        shown = (n for n in fields if n not in ("routes", "decode_time") or getattr(self, n))
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in shown)})"


@dataclass(frozen=True, repr=False)
class Engine(_Shown):
    """An engine that processes batches of at most ``budget`` tokens, each in ``batch_time`` seconds.

    Its service rate is ``budget / batch_time`` tokens a second; with both 1 (the default) lengths are mean service
    times. ``policy``: "priority" by ``priority``, groups of visits, the most urgent first (within a group the order
    is left open); "fcfs", first come, first served; "processor-sharing", all requests that are present at once, each
    with the same share of the engine; "sarathi", Sarathi-Serve as throughput-optimal scheduling, Section 3, models it:
    in each batch an output token of every request that has its prompt, then prompts as they came, in chunks; or
    "work-conserving", which stands for every work-conserving order.
    ``decode_time``: seconds
    of a batch of outputs, where batches hold prompts alone or outputs alone and are full whenever enough of one kind
    waits (None: both kinds in a batch).
    """

    name: str
    budget: Fraction = Fraction(1)
    batch_time: Fraction = Fraction(1)
    policy: str = "work-conserving"
    priority: tuple[tuple[str, ...], ...] = ()
    decode_time: Fraction | None = None

    def __post_init__(self) -> None:
        for key in ("budget", "batch_time", *(["decode_time"] if self.decode_time is not None else [])):
            place = ("engine", self.name, key)
            object.__setattr__(self, key, exact(getattr(self, key), f"engine {self.name!r}: {key}", place, 0))
        groups = tuple((g,) if isinstance(g, str) else tuple(g) for g in self.priority)
        object.__setattr__(self, "priority", groups)
        if self.policy in NO_POLICIES:
            raise NetworkError(("engine", self.name, "policy"),
                               f"engine {self.name!r}: {self.policy} {NO_POLICIES[self.policy]}")
        if self.policy == "sarathi" and self.decode_time is not None:
            raise NetworkError(("engine", self.name, "decode_time"), f"engine {self.name!r}: a batch of sarathi holds "
                               "prompts and outputs; decode_time is for batches of one kind")
        if self.policy not in POLICIES:
            place = ("engine", self.name, "policy")
            raise NetworkError(place, f"engine {self.name!r}: {UnknownNameError('policy', self.policy, [*POLICIES])}")
        if bool(groups) != (self.policy == "priority"):
            place = ("engine", self.name, "priority")
            raise NetworkError(place, f"engine {self.name!r}: a list of priorities goes with the policy 'priority'")
        if () in groups:
            place = ("engine", self.name, "priority")
            raise NetworkError(place, f"engine {self.name!r}: a group of its priorities is empty")

    @classmethod
    def of_law(cls, name: str, law: Law, budget: Number, **options: object) -> Engine:
        """An engine whose full batches of ``budget`` tokens need the time of an iteration-time law, of tokens alone or
        of prefill and decode batches.

        Raises NetworkError for a law by which work depends on what else a batch holds; for one engine see
        :func:`~qtheory.theory.stability.law_load`.
        """
        place = ("engine", name, "time")
        if not set(law.variables) <= {TOKENS, DECODE}:
            raise NetworkError(place, f"engine {name!r}: the {law.kind} law needs {law.variables[0]}; give batch_time")
        tokens = exact(budget, f"engine {name!r}: budget", ("engine", name, "budget"), 0)
        full = law.expression().subs(law.symbols()[TOKENS], f"{tokens}")
        if DECODE not in law.variables:
            return cls(name, tokens, Fraction(str(full)), **options)  # type: ignore[arg-type]
        prompts, outputs = (Fraction(str(full.subs(law.symbols()[DECODE], kind))) for kind in (0, 1))
        return cls(name, tokens, prompts, decode_time=outputs, **options)  # type: ignore[arg-type]

    @property
    def rate(self) -> Fraction:
        """Tokens a second of full batches, of prompts if outputs have their own."""
        return self.budget / self.batch_time

    def seconds(self, prompt: Fraction, output: Fraction) -> Fraction:
        """Work of so many tokens, in full batches."""
        return (prompt * self.batch_time + output * (self.decode_time or self.batch_time)) / self.budget


@dataclass(frozen=True, repr=False)
class Visit(_Shown):
    """A stay at ``engine`` that brings ``prompt`` + ``output`` tokens on average, begun when all visits of
    ``after`` (of the same type) have ended; with none, when the request arrives.

    ``routes``: (next visit, probability), or a mapping; what is missing to 1 leaves the network. A type any of whose
    visits has routes moves by them alone, from its first visit on, without ``after``.
    """

    name: str
    engine: str
    prompt: Fraction
    output: Fraction = Fraction(0)
    after: tuple[str, ...] = ()
    routes: tuple[tuple[str, Fraction], ...] = ()

    def __post_init__(self) -> None:
        for key in ("prompt", "output"):
            place, what = ("visit", self.name, key), f"visit {self.name!r}: {key}"
            number = exact(getattr(self, key), what, place)
            if number < 0:
                raise NetworkError(place, f"{what} is {number}; a length is not negative")
            object.__setattr__(self, key, number)
        if self.length == 0:
            raise NetworkError(("visit", self.name, "prompt"), f"visit {self.name!r} has length 0; leave it out")
        object.__setattr__(self, "after", (self.after,) if isinstance(self.after, str) else tuple(self.after))
        self._check_routes()

    def _check_routes(self) -> None:
        place = ("visit", self.name, "routes")
        routes = dict(self.routes)
        if len(routes) < len(self.routes):
            raise NetworkError(place, f"visit {self.name!r}: its routes name a visit twice")
        for name, share in routes.items():
            routes[name] = exact(share, f"visit {self.name!r}: the probability of {name!r}", place, 0)
        if sum(routes.values()) > 1:
            raise NetworkError(place, f"visit {self.name!r}: the probabilities of its routes sum to more than 1")
        object.__setattr__(self, "routes", tuple(routes.items()))

    @property
    def length(self) -> Fraction:
        """Mean number of tokens."""
        return self.prompt + self.output


@dataclass(frozen=True)
class RequestType:
    """Requests that arrive ``rate`` a second and make these visits."""

    name: str
    rate: Fraction
    visits: tuple[Visit, ...]

    def __post_init__(self) -> None:
        place = ("type", self.name, "rate")
        object.__setattr__(self, "rate", exact(self.rate, f"type {self.name!r}: rate", place, 0))
        object.__setattr__(self, "visits", tuple(self.visits))
        if not self.visits:
            raise NetworkError(("type", self.name, "visit"), f"type {self.name!r} makes no visit")

    @property
    def routed(self) -> bool:
        """Whether its requests choose their way at random."""
        return any(v.routes for v in self.visits)
