"""The critical request rate of one engine: by its law, its workload, its scheduler and limits; with what shows it.

Three kinds of answer, and which one it is is part of it:

- *certified*: two rationals between which the rate lies, from straight lines below and above the law
  (`qtheory.theory.any_law`), checked at every number of tokens in exact arithmetic. They meet for schedulers that fill
  every iteration, where no smaller batch has more tokens a second.
- *computed*: a finite sum or Markov chain of `qtheory.numerics.capacity` in floating point, for one prompt length; the
  certified upper bound, which holds under every scheduler, stands beside.
- *bounded*: the certified upper bound alone, where a scheduler has neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import DECODE, RESIDENT, Law, PrefillDecodeLaw
from qtheory.numerics import capacity as exact
from qtheory.theory.any_law import (
    LONGEST,
    Lengths,
    Line,
    Times,
    iterations_needed,
    least_with_full_batches,
    most_under_any_scheduler,
)
from qtheory.workloads import Deterministic, Empirical, Geometric, LengthLaw, Uniform, Workload

FULL = ("sarathi", "orca")  # whose iterations are full whenever enough waits
# scheduler: the limits that it needs and those that it may have
SCHEDULERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sarathi": (("budget",), ("slots", "memory")),
    "orca": (("budget",), ("slots", "memory")),
    "mixed": (("budget", "slots"), ("memory",)),
    "vllm": (("budget",), ("slots", "memory")),
    "faster-transformer": (("budget",), ("slots", "memory")),
    "request-level": (("batch",), ("memory",)),
    "eb": (("k", "slots"), ("memory",)),
}
CONTEXT = "context is that of the decoding requests; what a chunk reads of its own prompt is left out"
_TAIL = 1e-15  # of output lengths, left out of sums


@dataclass(frozen=True)
class Engine:
    """An engine: its law, a scheduler with its limits (tokens of an iteration, requests, tokens of memory), and how
    many of them share the requests evenly."""

    law: Law
    scheduler: str
    limits: Mapping[str, int]
    engines: int = 1

    def __post_init__(self) -> None:
        if self.scheduler not in SCHEDULERS:
            raise UnknownNameError("scheduler", self.scheduler, list(SCHEDULERS))
        needed, may = SCHEDULERS[self.scheduler]
        for name in needed:
            if name not in self.limits:
                raise InputError(f"{self.scheduler} needs a {name}: give --{name}")
        for name, value in self.limits.items():
            if name not in (*needed, *may):
                raise InputError(f"{self.scheduler} takes no {name}; it takes {', '.join((*needed, *may))}")
            if value < 1:
                raise InputError(f"{name} is {value}; it must be a whole number, at least 1")
        if "k" in self.limits and self.limits["k"] > self.limits["slots"]:
            raise InputError(f"k is {self.limits['k']}; at most all {self.limits['slots']} slots can be idle")
        if self.engines < 1:
            raise InputError(f"engines is {self.engines}; it must be a whole number, at least 1")


@dataclass(frozen=True)
class CriticalRate:
    """Requests a second, of all engines together.

    Stable below ``low`` (None: not known), unstable above ``high``; ``kind``: certified, computed or bounded, as the
    module says; ``any_scheduler``: the certified bound above which no scheduler helps. ``line``: the one below the law
    that shows the latter, for iterations of at most ``most`` tokens; ``limit``: what binds. ``exact``: whether the
    workload's means are exact, or a law's in floating point.
    """

    low: float | None
    high: float
    kind: str
    any_scheduler: float
    line: Line
    most: int
    limit: str
    lengths: Lengths
    exact: bool
    note: str = ""

    def verdict(self, rate: float) -> tuple[str, str]:
        """stable, unstable or undecided at a request rate, and why."""
        tokens = float(rate * self.lengths.tokens)
        brings = f"{rate:g} requests a second bring {tokens:,.0f} tokens a second"
        if rate > self.any_scheduler:
            return "unstable", (f"{brings}; limited by {self.limit}, no scheduler serves more than "
                                f"{self.any_scheduler:.5g} requests a second (load {rate / self.any_scheduler:.3f})")
        if rate > self.high:
            return "unstable", f"{brings}; this scheduler serves {self.high:.5g} requests a second ({self.kind})"
        if self.low is not None and rate < self.low:
            return "stable", f"{brings}, {rate / self.low:.1%} of what is served while enough waits ({self.kind})"
        low = "nothing" if self.low is None else f"{self.low:.5g} requests a second"
        return "undecided", f"theory shows stable below {low}, unstable above {self.high:.5g}; simulate"


def critical_rate(engine: Engine, workload: Workload) -> CriticalRate:
    """The critical rate of an engine under a workload; InputError where the law or workload does not do."""
    lengths, is_exact = lengths_of(workload)
    most = engine.limits.get("budget") or _unlimited(engine, workload)
    slots, memory = engine.limits.get("slots", engine.limits.get("batch")), engine.limits.get("memory")
    law, K = engine.law, engine.engines
    if isinstance(law, PrefillDecodeLaw):
        bound, line, limit = _of_a_pair(law, lengths, most, slots, memory)
        filled = 1 / (lengths.tokens * Fraction(str(max(law.prefill.time(most), law.decode.time(most)))) / most)
    else:
        times = _times(law, most)
        bound, line, limit = most_under_any_scheduler(times, lengths, slots, memory)
        assert line.is_below(times)
        filled = least_with_full_batches(times, lengths)
    try:
        full, high = float(filled), float(bound)
    except OverflowError:
        raise InputError(f"the times of the {law.kind} law are too short for any engine: a request takes less than "
                         "1e-308 s") from None
    low: float | None = None
    kind, note = "bounded", CONTEXT if RESIDENT in law.variables else ""
    if engine.scheduler in FULL and slots is None and memory is None:
        low, kind = full, "certified"
    elif memory is None:
        computed = _computed(engine, workload)
        if isinstance(computed, str):
            note = "; ".join(filter(None, (computed, note)))
        else:
            low, high, kind = computed, min(computed, high), "computed"
    else:
        unknown = "how much of a limited memory a scheduler can fill is not known in theory"
        note = "; ".join(filter(None, (unknown, note)))
    return CriticalRate(None if low is None else K * low, K * high, kind, K * float(bound), line, most, limit, lengths,
                        is_exact, note)


@lru_cache(maxsize=8)
def _times(law: Law, most: int) -> Times:
    """The law as a table, which a table of many workloads asks for again and again."""
    return Times.of_law(law, most)


def _of_a_pair(law: PrefillDecodeLaw, lengths: Lengths, most: int, slots: int | None, memory: int | None
               ) -> tuple[Fraction, Line, str]:
    """The bound of a law that tells prefill from decode: an iteration takes at least its tokens' times, each kind at
    its own or the lesser slope, and the lesser fixed time."""
    a_p, b_p, a_d, b_d = (Fraction(str(c)) for c in law.constants.values())
    fixed, decode = min(a_p, a_d), min(b_p, b_d)
    needed, limit = iterations_needed(lengths, most, slots, memory)
    seconds = fixed * needed + b_p * lengths.prompt + decode * lengths.output
    return 1 / seconds, Line(fixed, (b_p * lengths.prompt + decode * lengths.output) / lengths.tokens), limit


def _computed(engine: Engine, workload: Workload) -> float | str:
    """The rate by `qtheory.numerics.capacity`, or why there is none."""
    prompt, output = workload.prompt, workload.output
    if not isinstance(prompt, Deterministic):
        return "the exact computation takes prompts of one length"
    if RESIDENT in engine.law.variables:
        return "the exact computation takes laws of the number of tokens, not of their context"
    length, limits, time = int(prompt.length), engine.limits, _time(engine.law)
    if engine.scheduler == "request-level":
        return exact.one_batch(limits["batch"], length, survivors(output), time)
    if engine.scheduler == "faster-transformer" and "slots" not in limits:
        return exact.decode_first(length, limits["budget"], survivors(output), time)
    if engine.scheduler == "vllm" and "slots" not in limits:
        return exact.prefill_first(length, limits["budget"], float(output.mean), time)
    if not (isinstance(output, Geometric) and output.minimum == 1):
        return "the exact computation takes geometric outputs"
    if engine.scheduler == "eb":
        return exact.switching(limits["k"], limits["slots"], length, 1 / float(output.mean), time)
    if engine.scheduler in ("mixed", "sarathi") and "slots" in limits:
        if (limits["slots"] + 1) * length > exact.LARGEST:
            return f"{limits['slots']} slots and prompts of {length} tokens make too large a chain"
        return exact.mixed(limits["slots"], limits["budget"], length, 1 / float(output.mean), time)
    return f"no exact computation is known for {engine.scheduler} with these limits"


def _time(law: Law) -> exact.Time:
    if DECODE in law.variables:
        return lambda prefill, decode: np.asarray(law.time(prefill + decode, np.where(prefill > 0, 0, 1)))
    return lambda prefill, decode: np.asarray(law.time(prefill + decode))


def survivors(output: LengthLaw) -> exact.Array:
    """Pr(O > j), j = 0, 1, ..., to where it is negligible."""
    last = output.maximum if output.maximum is not None else output.quantile(1 - _TAIL)
    return np.asarray(output.survival(1 + np.arange(last)), dtype=float)


def _unlimited(engine: Engine, workload: Workload) -> int:
    """Tokens of an iteration at most where no budget says so: as many prompts at once as there are slots."""
    longest = workload.prompt.maximum or workload.prompt.quantile(1 - _TAIL)
    most = int(longest) * engine.limits.get("slots", engine.limits.get("batch", 1))
    if most > LONGEST:
        raise InputError(f"iterations of up to {most:,} tokens: give fewer slots or shorter prompts, so that it is at "
                         f"most {LONGEST:,}")
    return most


def lengths_of(workload: Workload) -> tuple[Lengths, bool]:
    """The means that the theory needs, and whether they are exact: of a trace those of its rows, of a law by its
    moments. A request that decodes its j-th token reads its prompt and j - 1 tokens before it."""
    if workload.trace is not None:
        p, d = ([int(x) for x in column] for column in (workload.trace.prompt_lengths, workload.trace.output_lengths))
        held = sum(y * x + y * (y - 1) // 2 for x, y in zip(p, d, strict=True))
        return Lengths(Fraction(sum(p), len(p)), Fraction(sum(d), len(d)), Fraction(held, len(p))), True
    parts = []
    weights = [Fraction(str(c.weight)) for c in workload.classes]
    _ = workload.prompt  # each class has one
    for c in workload.classes:
        assert c.prompt is not None
        (mean_p, _, one), (mean_d, square, other) = _moments(c.prompt), _moments(c.output)
        parts.append((mean_p, mean_d, mean_d * mean_p + (square - mean_d) / 2, one and other))
    total = sum(weights)
    means = [sum((w * part[i] for w, part in zip(weights, parts, strict=True)), Fraction(0)) / total for i in range(3)]
    return Lengths(*means), all(part[3] for part in parts)


def _moments(law: LengthLaw) -> tuple[Fraction, Fraction, bool]:
    """Mean and mean square, and whether they are exact."""
    if isinstance(law, Deterministic):
        return Fraction(law.length), Fraction(law.length) ** 2, True
    if isinstance(law, Uniform):
        a, b = Fraction(law.least), Fraction(law.greatest)
        mean = (a + b) / 2
        return mean, ((b - a + 1) ** 2 - 1) / 12 + mean**2, True
    if isinstance(law, Geometric):
        mean = 1 / Fraction(law.success).limit_denominator(10**12)
        return mean, mean * (2 * mean - 1), True
    if isinstance(law, Empirical):
        counts: Any = [(Fraction(x), Fraction(w)) for x, w in zip(law.lengths, law.counts, strict=True)]
        total = sum(w for _, w in counts)
        return sum(x * w for x, w in counts) / total, sum(x * x * w for x, w in counts) / total, True
    about, spread = float(law.mean), float(law.variance)
    if not (math.isfinite(about) and math.isfinite(spread)):
        raise InputError(f"{law!r} has no mean or no variance")
    return Fraction(about), Fraction(spread) + Fraction(about) ** 2, False
