"""The online controller (Algorithm 1, Appendix D.7) as a claim: the printed lines, run in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided
from qtheory.proofs.claims.replay import LINES

Applied = tuple[int, Fraction, Fraction, Fraction]  # after so many requests: p0hat, etahat, mu_Lhat
Lengths = Sequence[tuple[int, int]]  # (L, O) of the completed requests, in order


class NoValue(Exception):
    """A line of the algorithm asks for the root of an equation that has none."""


def hazard(outputs: Sequence[int]) -> list[tuple[Fraction, int]]:
    """(hhat(t), number at risk) for t = 1, ..., t95, the least length that 95 percent of the outputs do not exceed."""
    t95 = sorted(outputs)[ceil(Fraction(19, 20) * len(outputs)) - 1]
    active = [sum(o >= t for o in outputs) for t in range(1, t95 + 1)]
    return [(Fraction(sum(o == t for o in outputs), n), n) for t, n in enumerate(active, start=1)]


def least_squares(points: Iterable[tuple[int, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """(intercept, slope) of the weighted least squares of (t, value, weight), by the normal equations."""
    s0 = s1 = s2 = y0 = y1 = Fraction(0)
    for t, value, weight in points:
        s0, s1, s2 = s0 + weight, s1 + weight * t, s2 + weight * t * t
        y0, y1 = y0 + weight * value, y1 + weight * value * t
    if s0 * s2 == s1 * s1:
        return y0 / s0, Fraction(0)
    return (y0 * s2 - y1 * s1) / (s0 * s2 - s1 * s1), (y1 * s0 - y0 * s1) / (s0 * s2 - s1 * s1)


def fit_linear_hazard(outputs: Sequence[int]) -> tuple[Fraction, Fraction]:
    """(p0hat, etahat) of line 7, weighted by the numbers at risk: the paper names no weights."""
    return _line_7(tuple(outputs))


@lru_cache(maxsize=1000)  # short windows come again many times
def _line_7(outputs: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    return least_squares((t, h, Fraction(n)) for t, (h, n) in enumerate(hazard(outputs), start=1))


def controller(requests: Lengths, W: int, W_min: int, T_upd: int) -> Iterator[Applied]:
    """Algorithm 1; lines 9 to 12 are functions of what is yielded, and of the pair before."""
    W_O: list[int] = []
    W_L: list[int] = []
    j = 0  # 1
    for number, (prompt, output) in enumerate(requests, start=1):  # 3
        W_O.append(output)
        W_L.append(prompt)
        if len(W_O) > W:
            W_O.pop(0)
            W_L.pop(0)  # 4
        j = j + 1  # 5
        if j >= T_upd and len(W_O) >= W_min:  # 6
            p0, eta = fit_linear_hazard(W_O)  # 7
            mu_L = Fraction(sum(W_L), len(W_L))  # 8
            if p0 <= 0:  # 9: theta/(1 - theta) + ln(1 - theta) = p0 alpha_p/alpha_d, positive on (0, 1)
                raise NoValue(f"after request {number}: p0hat = {p0}, so (3) has no solution in (0, 1)")
            yield number, p0, eta, mu_L  # 9 to 12
            j = 0


def by_the_text(requests: Lengths, W: int, W_min: int, T_upd: int) -> Iterator[Applied]:
    """Section 3.4: "sliding windows of the most recent output lengths and input lengths", updated every T_upd requests
    once the windows hold W_min; the fit as the minimum of the weighted squares, in centred form."""
    last = 0
    for number in range(1, len(requests) + 1):
        recent = requests[max(0, number - W):number]
        if number - last < T_upd or len(recent) < W_min:
            continue
        yield number, *_centred(tuple(o for _, o in recent)), Fraction(sum(x for x, _ in recent), len(recent))
        last = number


@lru_cache(maxsize=1000)
def _centred(outputs: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """(p0hat, etahat) by the means of the ages and of the hazard rates."""
    rates = hazard(outputs)
    total = sum(n for _, n in rates)
    t_mean = Fraction(sum(t * n for t, (_, n) in enumerate(rates, start=1)), total)
    h_mean = sum((h * n for h, n in rates), Fraction(0)) / total
    spread = sum(((t - t_mean) ** 2 * n for t, (_, n) in enumerate(rates, start=1)), Fraction(0))
    eta = sum(((t - t_mean) * (h - h_mean) * n for t, (h, n) in enumerate(rates, start=1)), Fraction(0))
    eta = eta / spread if spread else Fraction(0)
    return h_mean - eta * t_mean, eta


# The paper's prefill-heavy synthetic workload: output lengths uniform between half and one and a half times 128.
UNIFORM = tuple(range(64, 193))
NUMINA = tuple(range(800, 1279))  # NuminaMath's least output length and mean, 800 and 1039 (Table 9)


def continuous_run() -> Outcome:
    """One request of each length of the uniform law: the fitted intercept is negative.

    With other weights too: (3, 4, 4, 5, 5, 5, 5, 5) has the hazards 0, 0, 1/8, 2/7, 1, convex from 0 on, so for any
    positive weights the residuals of the fit are +, -, + in t: the line is below 0 at t = 1, rises, and is below 0 at
    t = 0. Equal weights and the numbers at risk are computed.
    """
    requests = [(1024, o) for o in UNIFORM]
    rates = hazard(UNIFORM)
    fits = {"the numbers at risk": fit_linear_hazard(UNIFORM)[0],
            "equal": least_squares((t, h, Fraction(1)) for t, (h, _) in enumerate(rates, start=1))[0]}
    from_800 = fit_linear_hazard(NUMINA)[0]
    try:
        list(controller(requests, len(UNIFORM), len(UNIFORM), len(UNIFORM)))
    except NoValue as error:
        return found(shown(max(*fits.values(), from_800) < 0, {
            "W_O": "each length from 64 to 192 once", "W": 129, "W_min": 129, "T_upd": 129, "trace": error},
            "the printed lines in exact arithmetic",
            **{"p0hat by weights": {k: f"{float(v):.6f}" for k, v in fits.items()},
               "p0hat with each length from 800 to 1278 once": f"{float(from_800):.6f}"}))
    return Undecided("line 9 has a root for this window")


@every("up to 5 completed requests, O in {1, 2, 3}, W in {1, 2, 3}, W_min and T_upd in {1, 2}, each p0hat positive",
       LINES)
def same_run() -> Iterator[Case]:
    for W, W_min, T_upd in product((1, 2, 3), (1, 2), (1, 2)):
        for count in (1, 2, 3, 4, 5):
            for outputs in product((1, 2, 3), repeat=count):
                requests = [(n, o) for n, o in enumerate(outputs, start=1)]
                text = list(by_the_text(requests, W, W_min, T_upd))
                if all(p0 > 0 for _, p0, _, _ in text):
                    yield None if _updates(requests, W, W_min, T_upd) == text else {
                        "outputs": outputs, "W": W, "W_min": W_min, "T_upd": T_upd}


def _updates(requests: Lengths, W: int, W_min: int, T_upd: int) -> list[Applied] | None:
    try:
        return list(controller(requests, W, W_min, T_upd))
    except NoValue:
        return None
