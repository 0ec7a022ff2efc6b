"""The mean time per output token exactly: its frontier, and plans that pay for it (47), (48).

With x the sum of prefill occupancies it is ``g(x) = (tau (B - 1) x + (B/gamma)(1 - x)) / (B - x)``, a function of x
alone. The best revenue ``v(x)`` at each x is concave and piecewise linear, with exact breakpoints; so the penalised
objective ``v(x) - eta g(x)`` is explored piece by piece. Where mixed iterations are longer than solo ones, g is convex:
the maximum is at a breakpoint, or where ``eta g'(x) = eta B (B - 1)(tau - 1/gamma)/(B - x)^2`` equals the slope of a
piece, at ``x = B - sqrt(..)``. Else g is concave, and the maximum is at a breakpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import sympy as sp

from qtheory.errors import InputError
from qtheory.numerics.linprog import Frontier, LinearProgram, Row, maximise_ratio, solve, sweep
from qtheory.theory.planning.instance import Instance, evaluate, exact
from qtheory.theory.planning.levels import ServiceLevel, TokenTime
from qtheory.theory.planning.plan import Plan
from qtheory.theory.planning.programs import steady_state

ZERO, ONE = Fraction(0), Fraction(1)
SHARE = "share"
DIGITS = 10**24  # of a root that is no rational number


@dataclass(frozen=True)
class PenalisedPlan:
    """The best of revenue less ``weight`` times the mean time per output token.

    ``plan``: a point of the program; ``value``: its objective, penalty included; ``upper``: no point has more (equal to
    ``value`` where the best x is rational); ``share``: the best sum of prefill occupancies in closed form.
    """

    plan: Plan
    weight: Fraction
    value: Fraction
    upper: Fraction
    share: sp.Expr


def by_share(instance: Instance, charging: str = "bundled", levels: Sequence[ServiceLevel] = (), *,
             relation: str = "==", buffers: bool | None = None) -> tuple[LinearProgram, Fraction, Fraction]:
    """The program with a row ``share`` for the sum of prefill occupancies, and the least and largest value of that sum.
    """
    program = steady_state(instance, charging, levels, buffers=buffers)
    x = {f"x_{i}": ONE for i in range(1, len(instance) + 1)}
    low = -solve(program.with_objective({v: -ONE for v in x})).value
    high = solve(program.with_objective(x)).value
    return program.with_rows([Row(SHARE, x, relation, high, "the sum of prefill occupancies")]), low, high


def maximise(instance: Instance, weight: Fraction, charging: str = "bundled", levels: Sequence[ServiceLevel] = (), *,
             buffers: bool | None = None) -> PenalisedPlan:
    """The plan that pays ``weight`` ($ a second for each second of it) for the mean time per output token (48), beside
    other ``levels``. Infeasible as a plan is."""
    weight = exact(weight, "the weight of the mean time per output token")
    if weight < 0:
        raise InputError(f"the weight of the mean time per output token must be at least 0, not {float(weight):g}")
    program, low, high = by_share(instance, charging, levels, buffers=buffers)
    ends = [(low, high)] if low < high else []
    pieces = [(p.low, p.high if p.high is not None else high, p.slope)
              for a, b in ends for p in sweep(program, SHARE, a, b).pieces]
    points = sorted({low, high, *(p[0] for p in pieces)})

    def value(x: Fraction) -> Fraction:
        return solve(program.with_right(SHARE, x)).value - weight * time(instance, x)

    best = max(points, key=value)
    share: sp.Expr = sp.Rational(best.numerator, best.denominator)
    batch, times = Fraction(instance.batch), instance.times
    bend = weight * batch * (batch - 1) * (times.mixed - times.solo)
    upper = value(best)
    for a, b, slope in pieces if bend > 0 else ():
        if slope > 0:
            square = bend / slope
            near = batch - _root(square)
            if a < near < b:
                best, share = near, sp.Integer(instance.batch) - sp.sqrt(sp.Rational(square.numerator,
                                                                                     square.denominator))
                upper = _tangent(program, instance, weight, near)
    found = solve(program.with_right(SHARE, best))
    plan = Plan(instance, charging, tuple(levels), found)
    return PenalisedPlan(plan, weight, value(best), max(upper, value(best)), sp.nsimplify(share))


def time(instance: Instance, x: Fraction) -> Fraction:
    """g(x), the mean time per output token at the sum x of prefill occupancies, in seconds."""
    times = instance.times
    if x == instance.batch:
        raise InputError("with B = 1 and a prefill on every GPU there is no decode slot")
    return evaluate("token_time", x, Fraction(instance.batch), times.mixed, times.gamma)


def _root(square: Fraction) -> Fraction:
    """The square root, to 24 digits; itself where it is rational."""
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return Fraction(top, bottom)
    return Fraction(isqrt(square.numerator * DIGITS**2 // square.denominator), DIGITS)


def _tangent(program: LinearProgram, instance: Instance, weight: Fraction, at: Fraction) -> Fraction:
    """No point has more: g is convex, so it lies above its tangent, with which the program is linear."""
    batch, times = Fraction(instance.batch), instance.times
    slope = batch * (batch - 1) * (times.mixed - times.solo) / (batch - at) ** 2
    objective = dict(program.objective)
    for x in program.by_name[SHARE].coefficients:
        objective[x] = objective.get(x, ZERO) - weight * slope
    rest = LinearProgram(objective, tuple(r for r in program.rows if r.name != SHARE), program.variables,
                         -weight * (time(instance, at) - slope * at))
    return solve(rest).value


@dataclass(frozen=True)
class TokenTimeFrontier:
    """The largest value against a bound on the mean time per output token: piecewise linear in the share of prefills
    that the bound allows, so a piecewise ratio in the bound. ``by_share``: the exact frontier over that share."""

    instance: Instance
    by_share: Frontier

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Bounds (s) at which the slope over the share changes, exact; the last is where it no longer binds."""
        return tuple(time(self.instance, x) for x in self.by_share.breakpoints)

    def allowed(self, bound: Fraction) -> Fraction:
        """The largest sum of prefill occupancies within the bound: ``B u/(u + (B - 1)(tau - 1/gamma))``, u being the
        bound less 1/gamma."""
        batch, times = Fraction(self.instance.batch), self.instance.times
        u = bound - times.solo
        if u < 0:
            raise InputError(f"a bound of {float(bound):g} s is below the {float(times.solo):g} s without any prefill")
        gap = (batch - 1) * (times.mixed - times.solo)
        return batch * u / (u + gap) if u + gap else ONE

    def at(self, bound: Fraction) -> Fraction:
        """The largest value ($ a second a GPU) within the bound."""
        pieces = self.by_share.pieces
        last = pieces[-1].high
        share = self.allowed(bound)
        return self.by_share.at(share if last is None else min(share, last))

    def price(self, bound: Fraction) -> Fraction:
        """$ a second for each second more that the bound allows: the slope over the share times its derivative."""
        share = self.allowed(bound)
        pieces = self.by_share.pieces
        slope = next((p.slope for p in pieces if p.low <= share and (p.high is None or share < p.high)), ZERO)
        batch, times = Fraction(self.instance.batch), self.instance.times
        bend = batch * (batch - 1) * (times.mixed - times.solo) / (batch - share) ** 2
        return slope / bend


def token_time_frontier(instance: Instance, charging: str = "bundled", levels: Sequence[ServiceLevel] = (), *,
                        buffers: bool | None = None) -> TokenTimeFrontier:
    """The exact frontier of (47). InputError where mixed iterations are no longer than solo ones: then prefills do not
    lengthen the mean time per output token."""
    if instance.times.mixed <= instance.times.solo or instance.batch < 2:
        raise InputError("prefills do not lengthen the mean time per output token here: there is no frontier")
    program, low, high = by_share(instance, charging, levels, relation="<=", buffers=buffers)
    return TokenTimeFrontier(instance, sweep(program, SHARE, low, max(high, low + 1)))


def least_token_time(instance: Instance, revenue: Fraction, charging: str = "bundled", *,
                     buffers: bool | None = None) -> Fraction:
    """The least mean time per output token (s) at which a GPU still earns ``revenue`` ($ a second): a ratio of linear
    functions, by the transformation of Charnes and Cooper."""
    program = steady_state(instance, charging, [TokenTime()], buffers=buffers)
    earns = Row("revenue", program.objective, ">=", exact(revenue, "the revenue"), "the revenue is reached")
    batch, times = Fraction(instance.batch), instance.times
    x = [f"x_{i}" for i in range(1, len(instance) + 1)]
    top = times.mixed * (batch - 1) - times.solo * batch
    ratio = program.with_rows([earns]).with_objective(dict.fromkeys(x, -top), -times.solo * batch)
    return -maximise_ratio(ratio, dict.fromkeys(x, -ONE), batch).value
