"""Fluid and scaled paths in exact arithmetic, where a printed step of a proof fails."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from qtheory.proofs.claims.cases import found, shown
from qtheory.proofs.claims.outcomes import Outcome

from .cluster import Event, after, capped, empty
from .programs import Instance


def batches_run() -> Outcome:
    """Nobody is admitted until n jobs wait; then n are, at one epoch."""
    jumps = []
    for n in (1, 4, 16, 64):
        state, kept = empty(n), True
        for _ in range(n):
            state = after(state, Event("arrival", 1))
        before = sum(map(bool, state.prefills))
        for g in range(n):
            state = after(state, Event("admission", 1, g))
            kept &= capped(state, 2)
        jumps.append(Fraction(sum(map(bool, state.prefills)) - before, n) if kept else Fraction(0))
    return found(shown(set(jumps) == {Fraction(1)}, {
        "I": 1, "B": 2, "policy": "no prefill until n jobs wait, then one on each GPU", "n": "1, 4, 16, 64", "trace":
        "X^n/n and U^n_p/n jump from 0 to 1 at the n-th arrival, near the time 1/lambda: admissions at an arrival "
        "epoch, in order of arrival, and (12) to (14) hold. The limit of X^n/n jumps as well"}, "the scaled path"))


def supremum_run() -> Outcome:
    """A path that passes its target after t_0: the supremum over times before t_0 is t_0 itself."""
    target, t0, t1 = Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)

    def x(t: Fraction) -> Fraction:
        return t

    below = all(x(t0 * k / 64) <= target for k in range(64)) and x(t0) < target < x(t1) <= 1  # x grows
    return shown(below, {
        "x_i(t)": "t on [0, 1]", "x*_i": target, "t_0": t0, "t_1": t1, "trace": "x_i(t_1) = 3/4 > x*_i; the supremum "
        "of the times before t_0 = 1/4 at which x_i <= 1/2 is 1/4, where x_i is 1/4, not x*_i, and x_i <= x*_i on "
        "(1/4, 1/2]"}, "the printed supremum")


def exp_near(u: Fraction, terms: int) -> Fraction:
    """The alternating series of e^-u with so many terms beyond the first, which fall at last: just above it for an even
    number, just below it for an odd one."""
    total, term = Fraction(0), Fraction(1)
    for k in range(terms + 1):
        total += term
        term *= -u / (k + 1)
    return total


def rising_run() -> Outcome:
    """Section 6.2's instance with two classes like its first, from the empty cluster: until the reserved slots are full
    every arrival is admitted."""
    case = replace(Instance(), P=(300, 300), D=(1000, 1000))
    plan = case.plan(separate=False, buffered=False)
    assert plan is not None
    # the classes are alike, so that a plan with the same sum is optimal too
    x_star, t = [Fraction(1, 100), sum(plan[1][0]) - Fraction(1, 100)], Fraction(29, 1000)
    mu, lam = case.rates[0][0], case.lam[0]
    low, most = (lam / mu * (1 - exp_near(mu * t, terms)) for terms in (40, 41))  # of each x_i(t)
    idle = sum(x_star) - 2 * most
    fits = all(mu * v < lam for v in x_star)  # q*_{p,i} > 0
    return shown(fits and idle > 0 and low > x_star[0] and most < lam / mu, {
        "instance": f"P = (300, 300), D = (1000, 1000), lambda = ({lam}, {case.lam[1]}), theta = "
        f"({case.theta[0]}, {case.theta[1]}), B = {case.B}, C = {case.C}, alpha = 0.0174, beta = 0.000062, "
        f"tau = alpha + beta C = {float(case.tau):.4f}, gamma = {float(case.gamma):.2f}",
        "plan": f"x* = (0.01, {float(x_star[1]):.5f}), optimal for (40), q*_p > 0",
        "t": "0.029 s", "x(t)": f"({float(low):.5f}, {float(low):.5f})", "queues": "empty", "trace":
        f"{int(10000 * idle) / 10000} of the GPUs at least have their reserved slot idle: each arrival is admitted at "
        "once, x_i' = lambda_i - mu_{p,i} x_i > 0, as x_i < lambda_i/mu_{p,i}, and the first class is above its "
        "target"},
        "the gate's lines, and the solution of the ODE")
