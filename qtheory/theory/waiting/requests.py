"""What the theory of WAIT knows of requests and of iterations: types with their rates and lengths, and a law of time.

A request of a type with a prompt of l and an output of l' tokens takes part in l' + 1 iterations, its stages 0
(prefill) to l'; at stage k it holds l + k tokens. An iteration whose requests hold M tokens takes T(M) seconds: ``d0 +
d1 M``, or any nondecreasing law that is given as a table (`qtheory.theory.any_law.Times`), taken at M rounded up. All
numbers are exact. Source: "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints", Section
2.

Units: rates in requests a second, lengths and memory in tokens, time in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.theory.any_law import Times

if TYPE_CHECKING:
    from qtheory.workloads.base import LengthLaw
    from qtheory.workloads.workload import Workload

Law: TypeAlias = MemoryLinearLaw | Times


def exact(value: Any, name: str) -> Fraction:
    """The number as printed; InputError for what is none or not finite."""
    try:
        return value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} must be a finite number, not {value!r}") from None


@dataclass(frozen=True)
class RequestType:
    """Requests with prompts of ``prompt`` and outputs of ``output`` tokens that arrive at ``rate`` (1/s)."""

    rate: Fraction
    prompt: int
    output: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", exact(self.rate, "a type's rate"))
        if self.rate < 0:
            raise InputError(f"a type's rate must be at least 0, not {float(self.rate):g}")
        for name, length in (("prompt", self.prompt), ("output", self.output)):
            if isinstance(length, bool) or not isinstance(length, int) or length < 0:
                raise InputError(f"a type's {name} length must be a whole number of tokens, not {length!r}")

    @property
    def stages(self) -> int:
        """l' + 1, the iterations that a request takes part in."""
        return self.output + 1

    @property
    def work(self) -> Fraction:
        """``(l' + 1)(l + l'/2)``: the tokens that a request holds, summed over its iterations."""
        return held(self.prompt, 0, self.output)


def held(prompt: int, first: int, last: int) -> Fraction:
    """The tokens of one request at each of the stages ``first``, ..., ``last``, summed."""
    return (last - first + 1) * (prompt + Fraction(first + last, 2))


def request_types(rates: Sequence[Any], prompts: Sequence[int] | int, outputs: Sequence[int]
                  ) -> tuple[RequestType, ...]:
    """Types from lists of one length; ``prompts`` may be one number for all."""
    each = [prompts] * len(rates) if isinstance(prompts, int) else list(prompts)
    if not len(rates) == len(each) == len(outputs) or not rates:
        raise InputError(f"types need as many rates ({len(rates)}) as prompts ({len(each)}) and outputs "
                         f"({len(outputs)}), at least one")
    return tuple(RequestType(exact(r, "a type's rate"), p, o) for r, p, o in zip(rates, each, outputs, strict=True))


def of_workload(workload: Workload, rate: Any) -> tuple[RequestType, ...]:
    """The types of a workload whose requests arrive at ``rate`` in all: one for each class and output length.

    Raises InputError for a class whose prompts have several lengths, or whose outputs have no longest one.
    """
    total, found = exact(rate, "the rate"), list[RequestType]()
    weight = sum((Fraction(str(c.weight)) for c in workload.classes), Fraction(0))
    for c in workload.classes:
        if c.prompt is None or c.prompt.minimum != c.prompt.maximum:
            raise InputError(f"workload {workload.name}: the prompts of class {c.name} have no one length; types do")
        if c.output.maximum is None:
            raise InputError(f"workload {workload.name}: the outputs of class {c.name} have no longest length; types "
                             "are finitely many")
        share = total * Fraction(str(c.weight)) / weight
        found += [RequestType(share * q, c.prompt.minimum, n) for n, q in _masses(c.output)]
    return tuple(found)


def _masses(law: LengthLaw) -> Iterator[tuple[int, Fraction]]:
    """Output lengths with their probabilities, to twelve decimals, so that they sum to one."""
    assert law.maximum is not None
    lengths = range(law.minimum, law.maximum + 1)
    tails = [round(float(s) * 10**12) for s in np.atleast_1d(law.survival([*lengths, law.maximum + 1]))]
    for n, (before, after) in zip(lengths, pairwise(tails), strict=True):
        if before > after:
            yield n, Fraction(before - after, 10**12)


def total_work(types: Sequence[RequestType]) -> Fraction:
    """``sum of rate (l' + 1)(l + l'/2)``: the tokens held, for each second of an iteration's time."""
    return sum((t.rate * t.work for t in types), Fraction(0))


def seconds(law: Law, tokens: Fraction) -> Fraction | None:
    """T(M) at M = ``tokens``; None beyond the end of a law that is given as a table."""
    if isinstance(law, Times):
        at = max(math.ceil(tokens), 1)
        return law.at(at) if at <= law.most else None
    return Fraction(str(law.d0)) + Fraction(str(law.d1)) * tokens
