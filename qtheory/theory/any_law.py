"""One engine under any nondecreasing iteration-time law, in exact rational numbers.

An iteration of n tokens takes T(n) seconds; n is a whole number, so that a law on 1, ..., b is a table of b numbers,
whatever formula or data it is from. What an engine can do follows from straight lines below T:

*At most.* Let every iteration take n <= b tokens and hold at most N requests. A request brings m tokens on average and
takes part in at least h iterations' worth of what is limited: ``h = max(m/b, (1 + m_d)/N, W/C)``, W the tokens that it
holds, summed over its iterations, and C the memory. If ``A + B n <= T(n)`` for n = 1, ..., b and A >= 0, then the
seconds of each second bound the rate under **every** scheduler: ``rate (A h + B m) <= 1``. The best line touches the
lower convex hull of T at ``min(m/h, n0)``, where n0 has the most tokens a second (`fastest`).

*At least.* A scheduler whose iterations are full (b tokens) whenever enough waits is stable below ``b/(T(b) m)``; the
two meet where no smaller batch has more tokens a second (n0 = b), as under every concave law with T(0) >= 0, and need
not elsewhere. docs/any-law.md says what of the papers' theorems survives for which laws, with proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, lcm
from typing import Any

from qtheory.errors import InputError
from qtheory.models.laws import DECODE, RATIO, RESIDENT, TOKENS, Law

LONGEST = 65_536  # tokens of an iteration at most


@dataclass(frozen=True)
class Times:
    """``counts[n - 1]`` times ``unit`` seconds: an iteration of n tokens, n = 1, ..., b; positive and nondecreasing.

    Whole numbers of a common ``unit``, for they are compared much faster than fractions. ``context``: seconds for each
    token of the decoding requests' context, on top.
    """

    counts: tuple[int, ...]
    unit: Fraction
    context: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not 1 <= len(self.counts) <= LONGEST:
            raise InputError(f"a law is given at 1 to {LONGEST} tokens, not at {len(self.counts)}")
        if self.counts[0] <= 0 or self.unit <= 0 or self.context < 0:
            raise InputError("an iteration of one token must take some time, and context no negative one")
        for n, (before, after) in enumerate(pairwise(self.counts), 2):
            if after < before:
                raise InputError(f"the time falls from {float(before * self.unit):g} s to {float(after * self.unit):g} "
                                 f"s at {n} tokens; a law must not decrease")

    @classmethod
    def of_seconds(cls, seconds: Sequence[Fraction], context: Fraction = Fraction(0)) -> Times:
        """A law given at 1, ..., b tokens."""
        common = lcm(*(t.denominator for t in seconds))
        return cls(tuple(t.numerator * (common // t.denominator) for t in seconds), Fraction(1, common), context)

    @property
    def most(self) -> int:
        """b, the most tokens of an iteration."""
        return len(self.counts)

    def at(self, n: int) -> Fraction:
        """Seconds of an iteration of n tokens."""
        return self.counts[n - 1] * self.unit

    @classmethod
    def of_function(cls, time: Callable[[int], Any], most: int) -> Times:
        """A law given as a function of the number of tokens; floats are taken as the numbers that they are."""
        try:
            return cls.of_seconds([Fraction(time(n)) for n in range(1, _most(most) + 1)])
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(f"the law is no number of seconds somewhere: {error}") from None

    @classmethod
    def of_points(cls, points: Sequence[tuple[Any, Any]], most: int) -> Times:
        """A law given as data, (tokens, seconds): straight between the points, constant before the first one.

        Raises InputError for tokens that do not increase, and where ``most`` is beyond the last point.
        """
        known = [(Fraction(str(n)), Fraction(str(t))) for n, t in points]
        if not known or any(a >= b for (a, _), (b, _) in pairwise(known)):
            raise InputError("the points of a law need increasing token counts")
        if known[-1][0] < _most(most):
            raise InputError(f"the law's last point is at {float(known[-1][0]):g} tokens; {most} are asked for")
        seconds, i = [], 0
        for n in range(1, most + 1):
            while i + 1 < len(known) and known[i + 1][0] < n:
                i += 1
            (a, s), (b, t) = known[i], known[min(i + 1, len(known) - 1)]
            seconds.append(s if n <= a or a == b else s + (t - s) * (n - a) / (b - a))
        return cls.of_seconds(seconds)

    @classmethod
    def of_law(cls, law: Law, most: int) -> Times:
        """A law of the library whose time depends on tokens, and linearly on context; its constants as printed.

        Raises InputError for the others: the time of a pair depends on the kind of tokens, that of a mixed batch on
        its decode ratio.
        """
        if DECODE in law.variables or RATIO in law.variables:
            raise InputError(f"the law {law.kind} is no function of the number of tokens alone")
        constants = [Fraction(str(value)) for value in law.constants.values()]
        time, none = _FORMULAS[law.kind], dict.fromkeys(law.variables, Fraction(0))

        def seconds(**values: Fraction) -> Fraction:
            return time(*constants, *(none | values).values())

        context = seconds(**{RESIDENT: Fraction(1)}) - seconds() if RESIDENT in law.variables else Fraction(0)
        counted = TOKENS if TOKENS in law.variables else RESIDENT  # the tokens of the batch are held too
        return cls.of_seconds([seconds(**{counted: Fraction(n)}) for n in range(1, _most(most) + 1)], context)

    @cached_property
    def fastest(self) -> int:
        """n0: the largest of the batches with the most tokens a second."""
        best = 1
        for n in range(2, self.most + 1):
            if n * self.counts[best - 1] >= best * self.counts[n - 1]:
                best = n
        return best

    @property
    def concave(self) -> bool:
        """Whether the time's increments never grow, from T(1) - T(0) with T(0) = 0 on."""
        steps = [b - a for a, b in pairwise((0, *self.counts))]
        return all(b <= a for a, b in pairwise(steps))

    def line_below(self, tokens: Fraction) -> Line:
        """The highest line at ``tokens`` that is nowhere above the law on 1, ..., b, among those with A >= 0."""
        if tokens >= self.fastest:  # the ray from 0 touches there
            return Line(Fraction(0), self.at(self.fastest) / self.fastest)
        return self._edge(tokens, below=True)

    def line_above(self, tokens: Fraction) -> Line:
        """The lowest line at ``tokens`` that is nowhere below the law on 1, ..., b: no mean of iterations with so many
        tokens on average takes longer."""
        return self._edge(tokens, below=False)

    def _edge(self, tokens: Fraction, below: bool) -> Line:
        """The edge of the lower or upper convex hull at ``tokens``."""
        if not 1 <= tokens <= self.most:
            raise InputError(f"{float(tokens):g} tokens; the law is given from 1 to {self.most}")
        sign, hull = (1 if below else -1), list[int]()
        for n in range(1, self.most + 1):
            while len(hull) > 1 and sign * self._turn(hull[-2], hull[-1], n) >= 0:
                hull.pop()
            hull.append(n)
        if len(hull) == 1:
            return Line(self.at(1), Fraction(0))
        left, right = next((a, b) for a, b in pairwise(hull) if a <= tokens <= b)
        slope = (self.at(right) - self.at(left)) / (right - left)
        return Line(self.at(left) - slope * left, slope)

    def _turn(self, a: int, b: int, c: int) -> int:
        """Positive where the law at b lies above the chord from a to c."""
        t = self.counts
        return (t[b - 1] - t[a - 1]) * (c - a) - (t[c - 1] - t[a - 1]) * (b - a)


@dataclass(frozen=True)
class Line:
    """``intercept + slope n`` seconds."""

    intercept: Fraction
    slope: Fraction

    def at(self, n: Fraction) -> Fraction:
        """Its value at n tokens."""
        return self.intercept + self.slope * n

    def is_below(self, times: Times) -> bool:
        """Whether the line is nowhere above the law, and its intercept not below 0: by each n, in exact numbers."""
        scale = lcm(self.intercept.denominator, self.slope.denominator, times.unit.denominator)
        a, b, unit = (int(x * scale) for x in (self.intercept, self.slope, times.unit))
        return a >= 0 and all(a + b * n <= unit * t for n, t in enumerate(times.counts, 1))


@dataclass(frozen=True)
class Lengths:
    """What the theory needs of a workload: means of prompt, of output, and of ``held`` (W): the sum, over a request's
    decode iterations, of the tokens of its context."""

    prompt: Fraction
    output: Fraction
    held: Fraction

    @property
    def tokens(self) -> Fraction:
        """m, the mean tokens of a request."""
        return self.prompt + self.output


def iterations_needed(lengths: Lengths, most: int, slots: int | None = None, memory: int | None = None
                      ) -> tuple[Fraction, str]:
    """h and which limit it is that gives it: tokens, slots or memory."""
    needs = {"tokens": lengths.tokens / most}
    if slots is not None:
        needs["slots"] = (1 + lengths.output) / slots
    if memory is not None:
        needs["memory"] = (lengths.held + lengths.prompt) / memory
    limit = max(needs, key=lambda name: needs[name])
    return needs[limit], limit


def most_under_any_scheduler(times: Times, lengths: Lengths, slots: int | None = None, memory: int | None = None
                             ) -> tuple[Fraction, Line, str]:
    """The rate (1/s) above which every scheduler is unstable, the line that shows it, and the limit that binds."""
    needed, limit = iterations_needed(lengths, times.most, slots, memory)
    if lengths.tokens < needed:
        raise InputError(f"{memory} tokens of memory hold less than one request, which reads "
                         f"{float(lengths.held / lengths.output):g} tokens of context on average as it decodes")
    line = times.line_below(lengths.tokens / needed)
    if limit == "tokens" and lengths.tokens / needed >= times.fastest:
        limit = "tokens a second"
    seconds = line.intercept * needed + line.slope * lengths.tokens + times.context * lengths.held
    return 1 / seconds, line, limit


def least_with_full_batches(times: Times, lengths: Lengths) -> Fraction:
    """The rate (1/s) below which every scheduler is stable that fills its iterations while enough waits, without other
    limits: 1 over a request's share of full iterations, and the time of its context."""
    return 1 / (lengths.tokens * times.at(times.most) / times.most + times.context * lengths.held)


def with_slots_refilled(times: Times, lengths: Lengths, slots: int) -> tuple[Fraction, Fraction]:
    """Bounds on the rate (1/s) of N slots, each refilled with a whole prompt in the iteration after it fell idle, where
    an iteration takes up to b tokens: a slot's cycle is 1 + O iterations, and the mean of T lies between its hulls at
    the mean tokens. Both are the closed form ``1/(alpha (1 + m_d)/N + beta m)`` where T is affine."""
    needed = (1 + lengths.output) / slots
    mean = lengths.tokens / needed
    if mean > times.most:
        raise InputError(f"{slots} slots have {float(mean):g} tokens an iteration on average; the law ends at "
                         f"{times.most}")
    held = times.context * lengths.held
    low, high = (needed * line.at(mean) + held for line in (times.line_below(mean), times.line_above(mean)))
    return 1 / high, 1 / low


# the formulas of `qtheory.models.laws` on exact numbers: of the constants and then the variables (a test compares them)
_FORMULAS: dict[str, Callable[..., Fraction]] = {
    "affine": lambda alpha, beta, n: alpha + beta * n,
    "piecewise_linear": lambda c, a, b0, n: c + a * max(Fraction(0), n - b0),
    "concave": lambda alpha, beta, eta, b0, n: alpha + beta * n + eta * min(n, b0),
    "staircase": lambda tile, token, width, n: tile * ceil(n / width) + token * n,
    "memory_linear": lambda d0, d1, held: d0 + d1 * held,
    "context_affine": lambda alpha, beta, gamma, n, held: alpha + beta * n + gamma * held,
}


def _most(most: int) -> int:
    if isinstance(most, bool) or most != int(most) or not 1 <= most <= LONGEST:
        raise InputError(f"the most tokens of an iteration are a whole number from 1 to {LONGEST}, not {most}")
    return int(most)
