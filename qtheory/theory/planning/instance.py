"""A cluster to be planned, as the fluid model knows it: request classes, iteration times, batch size and prices, exact.

Everything is per GPU: a class's arrival rate is that of the whole cluster over its number of GPUs. Source:
arXiv:2602.02987v1, Sections 2.2 and 2.3.

Units: rates in 1/s, lengths in tokens, times in seconds, prices in $ a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import sympy as sp

from qtheory.errors import InputError
from qtheory.theory.planning import formulas


def exact(value: Any, name: str) -> Fraction:
    """The number as printed (0.1 is 1/10); InputError for what is none or not finite."""
    try:
        return value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} must be a finite number, not {value!r}") from None


@cache
def _arithmetic(name: str) -> Any:
    """The formula of that name for exact numbers, in the order of its symbols."""
    import inspect

    formula = formulas.FORMULAS[name]
    symbols = [p.default for p in inspect.signature(formula).parameters.values()]
    return sp.lambdify(symbols, formula(), modules=[{}])


def evaluate(name: str, *values: Fraction) -> Fraction:
    """A formula of :mod:`qtheory.theory.planning.formulas` at exact numbers, in the order of its arguments."""
    return Fraction(_arithmetic(name)(*values))


@dataclass(frozen=True)
class RequestClass:
    """Requests with representative ``prompt`` and ``decode`` lengths (tokens, positive), that arrive at ``rate``
    (1/s for each GPU of the cluster, at least 0) and lose patience, in either queue, at ``patience`` (1/s, at least 0).
    """

    name: str
    prompt: Fraction
    decode: Fraction
    rate: Fraction
    patience: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for key, positive in (("prompt", True), ("decode", True), ("rate", False), ("patience", False)):
            value = exact(getattr(self, key), f"class {self.name!r}: {key}")
            object.__setattr__(self, key, value)
            if value < 0 or (positive and value == 0):
                raise InputError(f"class {self.name!r}: {key} must be {'positive' if positive else 'at least 0'}, "
                                 f"not {float(value):g}")


@dataclass(frozen=True)
class IterationTimes:
    """``mixed``: tau, the seconds of an iteration with a prefill chunk; ``solo``: 1/gamma, those of one without;
    ``chunk``: C, tokens of a chunk."""

    mixed: Fraction
    solo: Fraction
    chunk: Fraction

    def __post_init__(self) -> None:
        for key in ("mixed", "solo", "chunk"):
            value = exact(getattr(self, key), f"the iteration times: {key}")
            object.__setattr__(self, key, value)
            if value <= 0:
                raise InputError(f"the iteration times: {key} must be positive, not {float(value):g}")

    @staticmethod
    def linear(alpha: Any, beta: Any, chunk: Any, *, gamma: Any) -> IterationTimes:
        """``tau = alpha + beta C`` (3); ``gamma``: tokens a second of a decode slot on a GPU without prefill."""
        gamma = exact(gamma, "gamma")
        if gamma <= 0:
            raise InputError(f"gamma must be positive, not {float(gamma):g}")
        values = [exact(v, k) for k, v in (("chunk", chunk), ("alpha", alpha), ("beta", beta))]
        return IterationTimes(evaluate("mixed_time", *values), 1 / gamma, values[0])

    @property
    def gamma(self) -> Fraction:
        """Tokens a second of a decode slot on a GPU without prefill."""
        return 1 / self.solo

    @property
    def kappa(self) -> Fraction:
        """gamma tau, the ratio of the two modes' speeds (EC.3)."""
        return evaluate("speed_ratio", self.gamma, self.mixed)


@dataclass(frozen=True)
class Prices:
    """``prefill`` (c_p) and ``decode`` (c_d), $ for each token; neither is negative."""

    prefill: Fraction
    decode: Fraction

    def __post_init__(self) -> None:
        for key in ("prefill", "decode"):
            value = exact(getattr(self, key), f"the price of {key} tokens")
            object.__setattr__(self, key, value)
            if value < 0:
                raise InputError(f"the price of {key} tokens must be at least 0, not {float(value):g}")


@dataclass(frozen=True)
class Instance:
    """Classes, the GPUs' iteration times, ``batch`` (B, decode slots of a GPU; one of them is a prefill's in mixed
    mode) and prices."""

    classes: tuple[RequestClass, ...]
    times: IterationTimes
    batch: int
    prices: Prices

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        if not self.classes:
            raise InputError("an instance needs at least one class of requests")
        names = [c.name for c in self.classes]
        if len(set(names)) < len(names):
            raise InputError(f"two classes are named {next(n for n in names if names.count(n) > 1)!r}")
        if isinstance(self.batch, bool) or not isinstance(self.batch, int) or self.batch < 1:
            raise InputError(f"the batch size is a whole number of at least 1, not {self.batch!r}")

    def __len__(self) -> int:
        return len(self.classes)

    @cached_property
    def mu_p(self) -> tuple[Fraction, ...]:
        """Prefill rates (1/s), by class."""
        return tuple(evaluate("prefill_rate", c.prompt, self.times.chunk, self.times.mixed) for c in self.classes)

    @cached_property
    def mu_m(self) -> tuple[Fraction, ...]:
        """Decode rates beside a prefill (1/s), by class."""
        return tuple(evaluate("mixed_rate", c.decode, self.times.mixed) for c in self.classes)

    @cached_property
    def mu_s(self) -> tuple[Fraction, ...]:
        """Decode rates on GPUs without prefill (1/s), by class."""
        return tuple(evaluate("solo_rate", c.decode, self.times.gamma) for c in self.classes)

    @cached_property
    def rewards(self) -> tuple[Fraction, ...]:
        """w_i, $ of a completed request, by class."""
        return tuple(evaluate("reward", c.prompt, c.decode, self.prices.prefill, self.prices.decode)
                     for c in self.classes)

    @property
    def solo_efficient(self) -> bool:
        """gamma tau >= (B - 1)/B, the condition of Proposition 1."""
        return self.times.kappa * self.batch >= self.batch - 1

    def scaled(self, factor: Any) -> Instance:
        """The instance with all arrival rates multiplied."""
        by = exact(factor, "the factor")
        return replace(self, classes=tuple(replace(c, rate=c.rate * by) for c in self.classes))


def two_class_instance(rates: Sequence[Any] = ("0.5", "0.5")) -> Instance:
    """The two-class instance of Section 6.2, gamma = 45.45 tokens/s as printed in Section 6.1."""
    return Instance(
        (RequestClass("class 0", Fraction(300), Fraction(1000), exact(rates[0], "rate"), Fraction(1, 10)),
         RequestClass("class 1", Fraction(3000), Fraction(400), exact(rates[1], "rate"), Fraction(1, 10))),
        IterationTimes.linear("0.0174", "0.000062", 256, gamma="45.45"), 16, Prices(Fraction(1, 10), Fraction(1, 5)))


TASKS = (("brainstorming", 61, 331, 1764), ("classification", 123, 142, 2136), ("closed QA", 992, 182, 1738),
         ("creative writing", 89, 915, 699), ("general QA", 69, 572, 2187), ("information extraction", 1139, 273, 1462),
         ("open QA", 45, 293, 3739), ("summarization", 1177, 436, 1150))  # Table EC.1: mean P, mean D, samples


def eight_class_instance(rate: Any = 2) -> Instance:
    """The eight task categories of Table EC.1 in proportion to their samples, ``rate`` requests a second and GPU in
    all, with the patience, iteration times, batch and prices of :func:`two_class_instance`."""
    total, samples = exact(rate, "rate"), sum(n for *_, n in TASKS)
    classes = tuple(RequestClass(name, Fraction(p), Fraction(d), total * n / samples, Fraction(1, 10))
                    for name, p, d, n in TASKS)
    return replace(two_class_instance(), classes=classes)
