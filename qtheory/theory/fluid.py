"""The fluid model of an agent network, under its priorities and under every work-conserving order.

This page defines what the certificates are about; two readers of network files are written from it.

*Balance.* Visit k has ``R_k(t)``, the fluid requests that have still to end it, and effort ``u_k >= 0``, the share of
its engine's time: ``R_k' = alpha_k - mu_k u_k`` (alpha: requests a second that make the visit, 1/mu: its mean work in
seconds). Where requests choose their way at random, from j to k with probability P_jk, alpha solves the traffic
equations ``alpha_k = outside_k + sum_j P_jk alpha_j``, and R_k is what is still to end on average.

*Buffers.* Within a visit requests are served in the order of their arrival. A request may begin a visit that waits for
others when all of these have ended: of the visits that k waits for the one with most left to end decides, so that the
content of k's buffer is ``Z_k = R_k - max of R_p over the p it waits for`` (R_k without one, R_k - sum_j P_jk R_j with
random routes). Hence forks and joins need no equation of their own. Contents are never negative.

*Capacity.* The efforts at an engine sum to at most 1.

*Work conservation and priorities.* An engine has groups of visits, the most urgent first; within a group the order is
left open, and an engine without priorities has one group. While a visit of its first g groups is not empty, the efforts
of these groups sum to 1. *First come, first served* obeys the same equation with one group, and another that is not
modelled here: what holds under every work-conserving order holds under it, but a path under some order says nothing
of it. So does *processor sharing* of exponential times, under which the numbers of requests change as if each engine
gave the oldest request of each visit the share of all that visit's requests; it keeps no order of arrival within a
visit, and goes with no joins. Nor does *Sarathi-Serve*, which obeys it as well: at most as many requests as a batch has
tokens are in their outputs, and a batch is full whenever there are that many (:mod:`qtheory.networks.tokens`).

*Regular times.* At almost every time all of these functions and their maxima are differentiable. An empty buffer is at
its minimum there, so that Z_k' = 0; where it joins others, R_k' = R_p' for each p that attains the maximum. The
engine's most urgent nonempty group of visits decides: groups above it are empty, and with it they take all of the
engine's time; groups below get none. Which group that is, engine by engine, and which p, is the pattern; whichever
buffers are empty, some pattern's equations hold.

*Stable*: there is a time by which every path that starts with content 1 is empty, and it stays so. Dai and Harrison
(2020), Processing Networks; throughput-optimal scheduling, (C.10)-(C.17).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from qtheory.models.network import AgentNetwork
from qtheory.numerics.lp import ONE, ZERO, Form, solve_exactly

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Pattern:
    """``tops``: for each engine the index of its most urgent nonempty group, None where all are empty; ``joined``:
    for each empty visit that joins others, the one of these that it keeps up with."""

    tops: tuple[int | None, ...]
    joined: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class FluidModel:
    """The fluid model as plain numbers. Visits and engines are numbered as in the network.

    ``alpha``, ``mu``: by visit; ``after``: the visits that a visit waits for; ``random``: the visits that its requests
    come from at random, each with the share of that visit's requests; ``groups``: for each engine its groups of visits
    by priority.
    """

    alpha: tuple[Fraction, ...]
    mu: tuple[Fraction, ...]
    after: tuple[tuple[int, ...], ...]
    random: tuple[tuple[tuple[int, Fraction], ...], ...]
    groups: tuple[tuple[tuple[int, ...], ...], ...]

    @classmethod
    def of(cls, network: AgentNetwork, every_order: bool = False) -> FluidModel:
        """The fluid model of a network under its priorities, or, if ``every_order``, under all work-conserving
        orders."""
        number = {v.name: k for k, v in enumerate(network.visits)}
        groups = [tuple(tuple(number[n] for n in g) for g in network.groups[e.name]) for e in network.engines]
        if every_order:
            groups = [(tuple(sorted(k for g in engine for k in g)),) if engine else () for engine in groups]
        sources = {v.name: [(number[w.name], p) for w in network.visits for n, p in w.routes if n == v.name]
                   for v in network.visits}
        return cls(tuple(network.rates[v.name] for v in network.visits),
                   tuple(1 / network.works[v.name] for v in network.visits),
                   tuple(tuple(dict.fromkeys(number[n] for n in v.after)) for v in network.visits),
                   tuple(tuple(sources[v.name]) for v in network.visits), tuple(groups))

    @property
    def visits(self) -> range:
        return range(len(self.alpha))

    @property
    def margin(self) -> Form:
        """What a decay is a multiple of: 1, or a form in the free rates (:mod:`qtheory.theory.regions`)."""
        return Form({}, ONE)

    @property
    def cell(self) -> tuple[Form, ...]:
        """What is known of the free rates, as forms >= 0; nothing where none is free."""
        return ()

    @cached_property
    def engine_of(self) -> tuple[int, ...]:
        """The engine of each visit."""
        place = {k: i for i, engine in enumerate(self.groups) for g in engine for k in g}
        return tuple(place[k] for k in self.visits)

    @cached_property
    def inflow(self) -> tuple[tuple[tuple[int, Fraction], ...], ...]:
        """For each visit (the visit that its requests come from, the share of those): without joins, all of them."""
        return tuple(self.random[k] + tuple((p, ONE) for p in self.after[k]) for k in self.visits)

    @cached_property
    def outside(self) -> tuple[Fraction, ...]:
        """Requests a second that come to each visit from outside, without joins."""
        return tuple(self.alpha[k] - sum((p * self.alpha[j] for j, p in self.inflow[k]), ZERO) for k in self.visits)

    @cached_property
    def then(self) -> tuple[tuple[tuple[int, Fraction], ...], ...]:
        """For each visit (one that follows it, the share of its requests that goes there)."""
        return tuple(tuple((j, p) for j in self.visits for i, p in self.inflow[j] if i == k) for k in self.visits)

    @cached_property
    def to_come(self) -> tuple[dict[int, Fraction], ...]:
        """How often a request at each visit will still make each visit on average, this one included; no joins."""
        n = len(self.alpha)
        found = []
        for k in self.visits:
            rows = [[ZERO] * n for _ in self.visits]
            for j in self.visits:
                rows[j][j] += ONE
                for i, p in self.inflow[j]:
                    rows[j][i] -= p
            times = solve_exactly(rows, [ONE if j == k else ZERO for j in self.visits])
            assert times is not None  # every request leaves
            found.append({j: t for j, t in enumerate(times) if t})
        return tuple(found)

    @cached_property
    def fills(self) -> tuple[Form, ...]:
        """How fast each visit's content grows, as a form in the efforts; no joins."""
        return tuple(self.growth(self.buffer(k)) for k in self.visits)

    @property
    def has_joins(self) -> bool:
        return any(len(a) > 1 for a in self.after)

    @property
    def is_static(self) -> bool:
        """Whether every engine has a complete order, so that a state leaves little choice."""
        return all(len(g) == 1 for engine in self.groups for g in engine)

    def rate(self, k: int) -> Form:
        """``R_k'`` as a form in the efforts."""
        return Form({k: -self.mu[k]}, self.alpha[k])

    def growth(self, value: Form) -> Form:
        """How fast a form in R grows, as a form in the efforts."""
        return sum((self.rate(k) * c for k, c in value.coefficients.items()), Form())

    def patterns(self) -> Iterator[Pattern]:
        """All patterns but that of the empty network."""
        choices = [(*range(len(engine)), None) for engine in self.groups]
        for tops in itertools.product(*choices):
            if all(t is None for t in tops):
                continue
            for joined in self.joined(self._empty(tops)):
                yield Pattern(tops, joined)

    def joined(self, empty: Iterable[int]) -> Iterator[tuple[tuple[int, int], ...]]:
        """For each of these visits that joins others the one of these that it keeps up with, in every way."""
        joins = [k for k in empty if len(self.after[k]) > 1]
        for chosen in itertools.product(*(self.after[k] for k in joins)):
            yield tuple(zip(joins, chosen, strict=True))

    def _empty(self, tops: tuple[int | None, ...]) -> list[int]:
        """Visits whose buffers are empty: those above the top group, all where an engine has none."""
        return sorted(k for engine, top in zip(self.groups, tops, strict=True) for g in engine[:top] for k in g)

    def equations(self, pattern: Pattern) -> tuple[list[Form], list[Form]]:
        """What a pattern says of the efforts at a regular time: (forms that are 0, forms that are >= 0)."""
        joined = dict(pattern.joined)
        equal, least = [], [*(Form({k: ONE}) for k in self.visits), *self.cell]
        for k in self._empty(pattern.tops):
            equal.append(self.growth(self.buffer(k, joined.get(k))))
        for engine, top in zip(self.groups, pattern.tops, strict=True):
            used = [k for g in (engine if top is None else engine[:top + 1]) for k in g]
            rest = Form(dict.fromkeys(used, -ONE), ONE)
            if top is None:
                least.append(rest)
            else:
                equal.append(rest)
                equal += [Form({k: ONE}) for g in engine[top + 1:] for k in g]
        return equal, least

    def buffer(self, k: int, before: int | None = None) -> Form:
        """``Z_k`` as a form in R, against the visit ``before`` (default: the first that it waits for)."""
        if before is None and self.after[k]:
            before = self.after[k][0]
        sources = self.random[k] if before is None else ((before, ONE),)
        return Form({k: ONE}) - sum((Form({j: p}) for j, p in sources), Form())

    def symbolic(self) -> list[sp.Basic]:
        """The fluid model equations as SymPy objects in R_k(t), T_k(t) (cumulative effort) and Z_k(t)."""
        import sympy as sp

        t = sp.Symbol("t", nonnegative=True)
        remaining = [sp.Function(f"R_{k + 1}")(t) for k in self.visits]
        effort = [sp.Function(f"T_{k + 1}")(t) for k in self.visits]
        content = [sp.Function(f"Z_{k + 1}")(t) for k in self.visits]
        found: list[sp.Basic] = []
        for k in self.visits:
            alpha, mu = (sp.Rational(v.numerator, v.denominator) for v in (self.alpha[k], self.mu[k]))
            found.append(sp.Eq(remaining[k], remaining[k].subs(t, 0) + alpha * t - mu * effort[k]))
            waits = [remaining[p] for p in self.after[k]]
            random = sp.Add(*(sp.Rational(p.numerator, p.denominator) * remaining[j] for j, p in self.random[k]))
            found.append(sp.Eq(content[k], remaining[k] - (sp.Max(*waits) if waits else random)))
            found += [sp.Ge(content[k], 0), sp.Ge(effort[k].diff(t), 0)]
        for engine in self.groups:
            used: list[int] = []
            for g in engine:
                used += g
                total = sp.Add(*(effort[k].diff(t) for k in used))
                found.append(sp.Implies(sp.Gt(sp.Add(*(content[k] for k in used)), 0), sp.Eq(total, 1)))
            if used:
                found.append(sp.Le(sp.Add(*(effort[k].diff(t) for k in used)), 1))
        return found
