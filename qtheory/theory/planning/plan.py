"""The optimal plan of a cluster: occupancies, queues, revenue, prices, and what they ask of a number of GPUs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.numerics.linprog import Frontier, Optimum, Price, price, solve, sweep
from qtheory.theory.planning.instance import Instance, evaluate
from qtheory.theory.planning.levels import ServiceLevel
from qtheory.theory.planning.programs import KINDS, row_of, steady_state

Numbers = tuple[Fraction, ...]
ZERO = Fraction(0)


@dataclass(frozen=True)
class Plan:
    """An optimal solution of a steady-state program; all numbers exact, occupancies and queues in requests a GPU."""

    instance: Instance
    charging: str
    levels: tuple[ServiceLevel, ...]
    optimum: Optimum

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        printer.text(f"<plan of {len(self.instance)} classes, {self.charging} charging: {float(self.value):.6g} $/s "
                     "a GPU>")

    def _kind(self, kind: str) -> Numbers:
        point = self.optimum.point
        return tuple(point.get(f"{kind}_{i}", ZERO) for i in range(1, len(self.instance) + 1))

    @cached_property
    def x(self) -> Numbers:
        """In prefill, by class."""
        return self._kind("x")

    @cached_property
    def y_m(self) -> Numbers:
        """In decode beside a prefill, by class."""
        return self._kind("ym")

    @cached_property
    def y_s(self) -> Numbers:
        """In decode on GPUs without prefill, by class."""
        return self._kind("ys")

    @cached_property
    def q_p(self) -> Numbers:
        """Waiting for prefill, by class."""
        return self._kind("qp")

    @cached_property
    def q_d(self) -> Numbers:
        """Waiting for decode, by class."""
        return self._kind("qd")

    @property
    def value(self) -> Fraction:
        """The objective, $ a second of a GPU: the revenue less the penalties."""
        return self.optimum.value

    @cached_property
    def revenue(self) -> Fraction:
        """$ a second of a GPU, without the penalties."""
        from qtheory.numerics.linprog.program import value
        from qtheory.theory.planning.programs import revenue

        return value(revenue(self.instance, self.charging), self.optimum.point)

    @cached_property
    def mixed_share(self) -> Fraction:
        """x* = sum of x_i, the share of GPUs that take prefills."""
        return sum(self.x, ZERO)

    def mixed_gpus(self, gpus: int) -> int:
        """M = ceil(n x*), of n GPUs those that take prefills (Section 4.1)."""
        return math.ceil(gpus * self.mixed_share)

    @cached_property
    def token_time(self) -> Fraction | None:
        """The mean time per output token (47) in seconds; None where there is no decode slot (B = 1, x* = 1)."""
        times, batch = self.instance.times, Fraction(self.instance.batch)
        if batch == self.mixed_share:
            return None
        return evaluate("token_time", self.mixed_share, batch, times.mixed, times.gamma)

    @cached_property
    def solo_shares(self) -> Numbers:
        """p_s,i, the share of a class's decodes that go to solo GPUs (Section 5.1); 1 for a class without decodes."""
        times = self.instance.times
        return tuple(evaluate("solo_share", m, s, times.mixed, times.gamma) if m or s else Fraction(1)
                     for m, s in zip(self.y_m, self.y_s, strict=True))

    @cached_property
    def pool_weights(self) -> tuple[Numbers, Numbers]:
        """pi_s,i and pi_m,i, the shares of the classes in what solo and mixed GPUs complete (EC.6); 0 in a pool that
        completes nothing."""
        pools = ((self.y_s, self.instance.mu_s), (self.y_m, self.instance.mu_m))
        done = [tuple(y * mu for y, mu in zip(ys, rates, strict=True)) for ys, rates in pools]
        totals = [sum(pool, ZERO) for pool in done]
        solo, mixed = (tuple(v / total if total else ZERO for v in pool)
                       for pool, total in zip(done, totals, strict=True))
        return solo, mixed

    @cached_property
    def served(self) -> Numbers:
        """Completed requests a second of a GPU, by class."""
        rates = zip(self.y_m, self.y_s, self.instance.mu_m, self.instance.mu_s, strict=True)
        return tuple(m * mu_m + s * mu_s for m, s, mu_m, mu_s in rates)

    @property
    def prices(self) -> Mapping[str, Fraction]:
        """Shadow prices by row, $ a second for each unit of its right side."""
        return self.optimum.prices

    def price(self, row: str) -> Price:
        """The shadow price of a row, with the exact range in which it holds."""
        return price(self.optimum, row)

    @cached_property
    def slot_worth(self) -> Fraction:
        """$ a second that one more slot on every GPU would add: the value's derivative in B at the optimum, by the
        prices of both decode capacities. To first order: a whole slot is worth at most about this."""
        rows = self.optimum.prices
        return rows["mixed_capacity"] * self.mixed_share + rows["solo_capacity"] * (1 - self.mixed_share)

    @cached_property
    def gpu_worth(self) -> Fraction:
        """$ a second that one more GPU would add to a large cluster whose arrivals stay the same: all GPUs' value
        n V(lambda/n) has the derivative V - sum of lambda_i dV/dlambda_i."""
        demand = sum((self.prices[f"prefill_{i}"] * c.rate for i, c in enumerate(self.instance.classes, 1)), ZERO)
        return self.value - demand

    @cached_property
    def other(self) -> Plan | None:
        """Another optimal plan, far from this one; None if the optimum is unique."""
        found = self.optimum.other()
        return None if found is None else Plan(self.instance, self.charging, self.levels, found)

    def spread(self, variable: str) -> tuple[Fraction, Fraction]:
        """(least, most) of a variable, such as ``x_1``, over all optimal plans."""
        return self.optimum.spread({variable: Fraction(1)})


def plan(instance: Instance, charging: str = "bundled", levels: Sequence[ServiceLevel] = (), *,
         buffers: bool | None = None) -> Plan:
    """The optimal plan, exactly. Infeasible, with the rows that conflict, if there is none. A weight of the time per
    output token is no linear objective: see :func:`qtheory.theory.planning.penalised.maximise`.

    >>> from qtheory.theory.planning import plan, two_class_instance
    >>> found = plan(two_class_instance(), "separate")
    >>> round(float(found.value), 1), found.mixed_gpus(200)
    (298.6, 43)
    """
    program = steady_state(instance, charging, levels, buffers=buffers)
    return Plan(instance, charging, tuple(levels), solve(program))


def frontier(instance: Instance, level: ServiceLevel, low: Fraction, high: Fraction, charging: str = "bundled", *,
             buffers: bool | None = None) -> Frontier:
    """The exact Pareto frontier: the largest value against the level's bound, from ``low`` to ``high``. The slope of a
    piece is the level's shadow price; for the token time, whose row's coefficients move with its bound, see
    :func:`qtheory.theory.planning.penalised.token_time_frontier`."""
    bounded = type(level)(bound=high, weight=level.weight)
    return sweep(steady_state(instance, charging, [bounded], buffers=buffers), row_of(level), low, high)


__all__ = ["KINDS", "Plan", "frontier", "plan"]
