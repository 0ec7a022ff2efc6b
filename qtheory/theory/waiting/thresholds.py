"""The admissible thresholds of WAIT, (9), and of Nested WAIT, (10) and (14), and the cheapest of them.

Each of these conditions says that a threshold is at least a nondecreasing function of all thresholds: ``n_k >= r_k
T(M)`` with M the tokens of a batch at the thresholds, and ``n_{k+1} > p_k n_k``. So the componentwise minimum of two
admissible lists is admissible, and there is a least list, below every other in each threshold at once: it minimises
every nondecreasing cost, memory among them, over whole numbers as over reals. It is the limit of raising thresholds
from 1 to what the conditions ask, in exact numbers; no budget admits thresholds if not this list's. That also finds an
irreducible set of conditions that fail together: each is left out that is not needed for the failure. For ``d0 + d1 M``
and real thresholds its multipliers (Farkas) are found and verified exactly.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from qtheory.errors import InputError
from qtheory.numerics.lp import Form, multipliers
from qtheory.theory.any_law import Times
from qtheory.theory.waiting.requests import Law, RequestType, exact, seconds
from qtheory.theory.waiting.segments import Segments

Numbers = tuple[Fraction, ...]
MEMORY = "memory"  # the condition that a batch at the thresholds fits into the budget


@dataclass(frozen=True)
class System:
    """Conditions on thresholds ``n_1, ..., n_K``.

    ``rates``: r_k with ``n_k >= r_k T(M)`` (``> r_k T(M)`` if ``strict``), None for a threshold without this condition;
    ``ratios``: (k, i, p) for ``n_k > p n_i``, i < k; ``weights``: tokens of a batch for each unit of a threshold.
    """

    rates: tuple[Fraction | None, ...]
    ratios: tuple[tuple[int, int, Fraction], ...]
    weights: Numbers
    law: Law
    strict: bool

    def memory(self, n: Sequence[Fraction | int]) -> Fraction:
        """M, the tokens of a batch at thresholds n."""
        return sum((w * x for w, x in zip(self.weights, n, strict=True)), Fraction(0))

    def iteration(self, n: Sequence[Fraction | int]) -> Fraction | None:
        """T(M), the seconds of that batch; None beyond the end of the law."""
        return seconds(self.law, self.memory(n))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The conditions' names: ``arrivals k`` and ``ratio k``, k the threshold that they bound, from 1."""
        return (*(f"arrivals {k + 1}" for k, r in enumerate(self.rates) if r is not None),
                *(f"ratio {k + 1}" for k, _, _ in self.ratios))

    def only(self, names: Collection[str]) -> System:
        """The system with these conditions alone."""
        rates = tuple(r if f"arrivals {k + 1}" in names else None for k, r in enumerate(self.rates))
        return replace(self, rates=rates, ratios=tuple(x for x in self.ratios if f"ratio {x[0] + 1}" in names))

    def broken(self, n: Sequence[Fraction | int]) -> list[str]:
        """The names of the conditions that thresholds n break."""
        if len(n) != len(self.weights):
            raise InputError(f"{len(self.weights)} thresholds are needed, not {len(n)}")
        time = self.iteration(n)
        found = [f"arrivals {k + 1}" for k, r in enumerate(self.rates)
                 if r is not None and (time is None or n[k] < r * time or (self.strict and n[k] == r * time))]
        return found + [f"ratio {k + 1}" for k, i, p in self.ratios if not n[k] > p * n[i]]

    @cached_property
    def growth(self) -> Numbers:
        """What the thresholds need for each second of an iteration: reals, with >= for >."""
        need = [r or Fraction(0) for r in self.rates]
        for k, i, p in self.ratios:
            need[k] = max(need[k], p * need[i])
        return tuple(need)

    def least_real(self) -> Numbers | None:
        """The least real thresholds, >= for >; None if there are none."""
        work = self.memory(self.growth)
        if isinstance(self.law, Times):
            level = 1
            while level <= self.law.most and work * self.law.at(level) > level:
                level = math.ceil(work * self.law.at(level))
            time = self.law.at(level) if level <= self.law.most else None
        else:
            share = Fraction(str(self.law.d1)) * work
            time = Fraction(str(self.law.d0)) / (1 - share) if share < 1 else None
        return None if time is None else tuple(g * time for g in self.growth)

    def least(self, budget: Fraction | None = None) -> tuple[int, ...] | None:
        """The least whole thresholds, each at least 1; None if there are none, or not within a budget (tokens)."""
        start = self.least_real()
        if start is None:
            return None
        n = [max(math.ceil(x), 1) for x in start]
        while True:
            memory = self.memory(n)
            time = seconds(self.law, memory)
            if time is None or (budget is not None and memory > budget):
                return None
            before = list(n)
            for k, r in enumerate(self.rates):
                if r is not None:
                    n[k] = max(n[k], math.floor(r * time) + 1 if self.strict else math.ceil(r * time))
            for k, i, p in self.ratios:
                n[k] = max(n[k], math.floor(p * n[i]) + 1)
            if n == before:
                return tuple(n)


def wait_system(types: Sequence[RequestType], law: Law, strict: bool = False) -> System:
    """(9): the requests of each type that arrive during a batch of all types are no more than its threshold on average;
    fewer if ``strict``, as the second part of Theorem 1 has it."""
    return System(tuple(t.rate for t in types), (), tuple(t.work for t in types), law, strict)


def nested_system(segments: Segments, law: Law, slack: Fraction = Fraction(0)) -> System:
    """(10), and (14) for segments of several lengths: ``n_1 > r T(M)``, ``n_{k+1} > p_k n_k``, both sides on the right
    times ``1 + slack``."""
    more = 1 + slack
    rates = (segments.rate * more, *(None for _ in segments.passes))
    ratios = tuple((k, k - 1, p * more) for k, p in enumerate(segments.passes, 1))
    return System(rates, ratios, segments.weights, law, strict=True)


@dataclass(frozen=True)
class Conflict:
    """Conditions that cannot be met together, though those without any one of them can; where real thresholds already
    fail, ``multipliers``: the sum of (multiplier times condition, written as a form >= 0) is a negative constant."""

    names: tuple[str, ...]
    multipliers: Numbers | None

    def __str__(self) -> str:
        return f"these conditions cannot be met together: {', '.join(self.names)}"


def conflict(system: System, budget: Fraction | None = None) -> Conflict | None:
    """Why no whole thresholds are admissible within the budget (tokens): an irreducible set of conditions, ``memory``
    the budget's; None if some are."""
    if system.least(budget) is not None:
        return None
    kept = [*system.names, *([MEMORY] if budget is not None else [])]
    for name in list(kept):
        fewer = [other for other in kept if other != name]
        if system.only(fewer).least(budget if MEMORY in fewer else None) is None:
            kept = fewer
    return Conflict(tuple(kept), farkas(system, kept, budget))


def farkas(system: System, names: Sequence[str], budget: Fraction | None = None) -> Numbers | None:
    """Multipliers that show that real thresholds >= 0 cannot meet these conditions (with >=), one a condition; None if
    they can, or if the law is no ``d0 + d1 M``. Verified in exact numbers."""
    if isinstance(system.law, Times):
        return None
    forms = [_form(system, name, budget) for name in names]
    least = [*forms, *(Form({k: Fraction(1)}) for k in range(len(system.weights)))]
    found = multipliers(Form({}, Fraction(-1)), [], least)
    if found is None:
        return None
    total = sum((f * a for f, a in zip(least, found[1], strict=True)), Form())
    if total.coefficients or total.constant >= 0 or min(found[1]) < 0:
        raise ArithmeticError("multipliers that show nothing")
    return tuple(found[1][: len(forms)])


def _form(system: System, name: str, budget: Fraction | None) -> Form:
    """The condition as an affine form >= 0 of the thresholds."""
    assert not isinstance(system.law, Times)
    if name == MEMORY:
        assert budget is not None
        return Form({k: -w for k, w in enumerate(system.weights)}, budget)
    kind, number = name.split()
    k = int(number) - 1
    if kind == "ratio":
        [(_, i, p)] = [x for x in system.ratios if x[0] == k]
        return Form({k: Fraction(1)}) - Form({i: p})
    rate, d0, d1 = system.rates[k], Fraction(str(system.law.d0)), Fraction(str(system.law.d1))
    assert rate is not None
    return Form({k: Fraction(1)}) - Form({i: rate * d1 * w for i, w in enumerate(system.weights)}, rate * d0)


def cheapest(system: System, budget: float | Fraction | None = None) -> tuple[int, ...]:
    """The least whole thresholds, within a budget of tokens. InputError names the conditions that fail together."""
    limit = None if budget is None else exact(budget, "the memory")
    found = system.least(limit)
    if found is None:
        raise InputError(f"no thresholds are admissible; {conflict(system, limit)}")
    return found
