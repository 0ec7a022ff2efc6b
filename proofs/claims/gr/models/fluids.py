"""Fluid and scaled paths in exact arithmetic, where a printed step of a proof fails."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

from .cluster import Event, after, capped, empty


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
    return shown(set(jumps) == {Fraction(1)}, {
        "I": 1, "B": 2, "policy": "no prefill until n jobs wait, then one on each GPU", "n": "1, 4, 16, 64", "trace":
        "X^n/n and U^n_p/n jump from 0 to 1 at the n-th arrival, near the time 1/lambda: admissions at an arrival "
        "epoch, in order of arrival, and (12) to (14) hold. The limit of X^n/n jumps as well"}, "the scaled path")


def supremum_run() -> Outcome:
    """A path that passes its target after t_0: the supremum over times before t_0 is t_0 itself."""
    target, t0, t1 = Fraction(1), Fraction(1, 2), Fraction(2)

    def x(t: Fraction) -> Fraction:
        return t

    grid = [t0 * k / 64 for k in range(64)]
    below = all(x(t) <= target for t in grid) and x(t0) < target < x(t1)  # x grows: so on all of [0, t_0)
    return shown(below and x(t0) != target and x(t0) <= target, {
        "x_i(t)": "t", "x*_i": target, "t_0": t0, "t_1": t1, "trace": "x_i(t_1) = 2 > x*_i; the supremum of the times "
        "before t_0 = 1/2 at which x_i <= 1 is 1/2, where x_i is 1/2, not x*_i = 1, and x_i <= x*_i on (1/2, 1]"},
        "the printed supremum")


def rising_run() -> Outcome:
    """Section 6.2's instance from the empty cluster: before the reserved slots are full every arrival is admitted."""
    rate, n_targets = Fraction(1, 2), {0: Fraction(1, 200), 1: Fraction(1, 10)}
    tau = Fraction(174, 10**4) + Fraction(62, 10**6) * 256
    mu = {0: 256 / (300 * tau), 1: 256 / (3000 * tau)}
    x = {0: Fraction(1, 100), 1: Fraction(0)}  # class 0 above its target, idle slots, no queue
    slope = {i: rate - mu[i] * x[i] for i in x}  # u_i = lambda_i: each arrival finds an idle slot
    idle = sum(n_targets.values()) - sum(x.values())
    return shown(idle > 0 and x[0] > n_targets[0] and slope[0] > 0, {
        "lambda": "(1/2, 1/2)", "mu_p": f"({float(mu[0]):.3f}, {float(mu[1]):.3f})", "x*": "(0.005, 0.1)", "x":
        "(0.01, 0)", "queues": "empty", "trace": "0.095 of the GPUs have their reserved slot idle: each arrival "
        f"is admitted at once, and x_0'(t) = lambda_0 - mu_p,0 x_0 = {float(slope[0]):.3f} > 0 though x_0 > x*_0"},
        "the gate's lines")


def regained_run() -> Outcome:
    """A path that falls by c eta on [2k, 2k + 1] and regains it on [2k + 1, 2k + 2], for ever."""
    c, eta = Fraction(1, 2), Fraction(1)

    def W(t: Fraction) -> Fraction:
        part = t % 2
        return 1 - c * part if part <= 1 else 1 - c + c * (part - 1)

    falls = all(W(Fraction(2 * k + 1)) - W(Fraction(2 * k)) <= -c * eta for k in range(100))
    least = min(W(Fraction(k, 8)) for k in range(16))  # of a period
    return shown(falls and least >= 0, {
        "W_d(t)": "1 - t/2 on [0, 1], t/2 on [1, 2], and so on with period 2", "c": c, "eta": eta, "trace":
        f"on each [2k, 2k + 1] it falls by {c * eta}, at the rate c; it is never below {least}. While the decode slots "
        "are partly idle nothing that is proved keeps W_d from growing (l. 3164)"}, "the scaled path")
