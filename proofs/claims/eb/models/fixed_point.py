"""The one-step update of Section 3.4, replayed in exact arithmetic, and Algorithm 1 on simulated completions."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

from qtheory.proofs.claims.cases import Case, Model, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node

from .chain import Interval, base_threshold_bounds

ZETA = "zeta(x) = -log(1 - x)"
DELTA_N = ("deltaN(x, e, n) = e*(1 - x)**2/(p0**2*x)*(zeta(x)*(x/(1 - x) - zeta(x)/2) "
           "+ beta_d*n/alpha_d*(zeta(x) - x))")  # (5)
MEAN = "m = mu_L + (1 - theta)/(theta*p0)*log(1/(1 - theta))"  # the denominator of (6)
VBAR = "vbar = 1/(p0**2*mu_L)"
SAFE = "floor((C - vbar*log(1/eps))/m)"

BITS = 48
METHOD = "the printed update, its floor certified by enclosures"
# line 10 and line 11 of Algorithm 1: (5) at the N before, clipped, and (6)
CLIPPED = "clipped(n) = Min(Max(theta0 + deltaN(theta0, eta, n), theta_min), theta_max)"
FEW = 5  # cycles


@cache
def term(text: str) -> Node:
    """A term in the paper's quantities."""
    return Statement(f"{text} == 0", (), (ZETA, DELTA_N, CLIPPED, MEAN, VBAR)).conclusion[1]


class Unclear(Exception):
    """An enclosure that does not decide a floor."""


class Estimates(NamedTuple):
    """What an update takes besides N: tokens, costs in units of alpha_d, per iteration; eta is slope p0^2."""

    p0: Fraction
    slope: Fraction
    mu_L: Fraction
    C: Fraction
    alpha_p: Fraction
    beta_d: Fraction
    eps: Fraction = Fraction(1, 100)
    theta_min: Fraction = Fraction(1, 20)
    theta_max: Fraction = Fraction(19, 20)

    def box(self) -> dict[str, Interval]:
        exact = {**self._asdict(), "eta": self.slope * self.p0**2, "alpha_d": Fraction(1)}
        out = {name: (value, value) for name, value in exact.items()}
        return {**out, "theta0": base_threshold_bounds(self.p0 * self.alpha_p)}

    def words(self) -> dict[str, str]:
        shown = {name: str(value) for name, value in self._asdict().items() if name != "slope"}
        return {**shown, "eta": str(self.slope * self.p0**2), "alpha_d": "1"}


class Update:
    """Lines 9 to 11 with estimates that stay as they are."""

    def __init__(self, estimates: Estimates) -> None:
        self.box = estimates.box()

    def __call__(self, n: int) -> int:
        """N*hat after a cycle with N*hat = n; Unclear where the enclosure holds two integers."""
        now = (Fraction(n), Fraction(n))
        theta = enclose(term("clipped(n)"), {**self.box, "n": now}, BITS)
        low, high = enclose(term(SAFE), {**self.box, "theta": theta}, BITS)
        if low != high:
            raise Unclear(f"the next N is {low} or {high}")
        return int(low)

    def path(self, start: int, most: int) -> list[int]:
        """N*hat from the start on, until a value comes again or after so many cycles."""
        seen = [start]
        while len(seen) <= most and (len(seen) == 1 or seen[-1] not in seen[:-1]):
            seen.append(self(seen[-1]))
        return seen


# NuminaMath's mean prompt length (Table 9); p0, eta and the costs are a machine's that the paper does not exclude
SLOW = Estimates(Fraction(1, 500), Fraction(5, 2), Fraction(122), Fraction(400_000), Fraction(10), Fraction(1, 500))
FALLING = Estimates(Fraction(1, 500), Fraction(-1), Fraction(122), Fraction(100_000), Fraction(30), Fraction(1, 500))
START = 256


def few_run() -> Outcome:
    """How many cycles does the update need where the slope of the map comes near 1?"""
    path = Update(SLOW).path(START, 200)
    trace = (f"N: {', '.join(map(str, path[:8]))}, ..., {', '.join(map(str, path[-4:-1]))}; kept from cycle "
             f"{len(path) - 2} on")
    return found(shown(path[-1] == path[-2] and len(path) - 2 > FEW, {
        **SLOW.words(), "N before the first cycle": START, "trace": trace}, METHOD))


def sign_run() -> Outcome:
    """A falling fitted rate: the map falls, and there need not be an N that it keeps.  The path comes back to a value
    that it has left, so it goes round for ever."""
    path = Update(FALLING).path(START, 200)
    return found(shown(path[-1] in path[:-2] and path[-1] != path[-2], {
        **FALLING.words(), "N before the first cycle": START,
        "trace": f"N: {', '.join(map(str, path))}, and so on for ever"}, METHOD))


def grid() -> Iterator[Estimates]:
    for p0, slope in product((4, 8), (1, 3)):
        yield Estimates(Fraction(1, p0), Fraction(slope), Fraction(4), Fraction(200), Fraction(4), Fraction(1, 10))


@every("starts from 1 to 50, p0 in {1/4, 1/8}, eta/p0^2 in {1, 3}, beta_d/alpha_d = 1/10, alpha_p/alpha_d = 4, mu_L = "
       "4, C = 200", METHOD)
def settles_run() -> Iterator[Case]:
    """Every start from 1 to the most slots that the memory can hold, for each of the estimates."""
    for estimates in grid():
        update, starts = Update(estimates), range(1, 51)
        following = {n: update(n) for n in starts}
        if not all(n in following for n in following.values()):
            yield Undecided("an N*hat outside the bound")
        for start in starts:
            path = [start]
            while path[-1] not in path[:-1]:
                path.append(following[path[-1]])
            yield None if path[-1] == path[-2] else {**estimates.words(), "trace": ", ".join(map(str, path))}


# ---- Algorithm 1 with the windows that it keeps ----


@dataclass(frozen=True, repr=False)
class Controller:
    """Algorithm 1 on independent completed requests: outputs Gamma(2) rounded up, prompts of one length.

    ``window`` W, ``interval`` T_upd, lengths in tokens, costs in units of alpha_d; W_min is W, and the range of
    theta is [0.05, 0.95].  The horizon of a run is counted in requests.
    """

    mean_output: float
    prompt: int
    capacity: int
    alpha_p: float
    beta_d: float
    slots: int
    window: int
    interval: int
    eps: float = 0.01

    def __repr__(self) -> str:
        """The source and the fields: the record of a run is current as long as these are what they were."""
        return inspect.getsource(type(self)) + str(astuple(self))

    def run(self, *, horizon: float = 1.0, seed: int = 0, replication: int = 0, **_: Any) -> list[int]:
        """N*hat after each update."""
        import numpy as np

        from qtheory.simulate.kernel import control

        stream = np.random.default_rng([seed, replication])
        outputs = np.ceil(stream.gamma(2.0, self.mean_output / 2, int(horizon))).astype(np.int64)
        n, found, fitted = self.slots, [], np.empty(2)
        for last in range(self.window, outputs.size + 1, self.interval):
            control.fit(control.Fit(outputs[last - self.window:last], fitted))
            p0, eta = map(float, fitted)
            if p0 <= 0:
                continue
            zeta = control.base_zeta(p0 * self.alpha_p)
            theta0 = -math.expm1(-zeta)
            theta = theta0 + control.threshold_shift(theta0, zeta, p0, eta, self.beta_d * n)
            theta = min(max(theta, 0.05), 0.95)
            n = max(1, math.floor(control.safe_batch(theta, p0, float(self.prompt), float(self.capacity), self.eps)))
            found.append(n)
        return found


def change(run: list[int]) -> float:
    """The mean relative change of N*hat from one cycle to the next, after the first five."""
    late = run[FEW:]
    return sum(abs(b - a) / a for a, b in pairwise(late)) / (len(late) - 1)


def process_studies() -> Mapping[str, Any]:
    """Table 13's Gamma workload, in windows of 1,000 requests that move on by 100."""
    from qtheory.proofs.claims.evidence import Study

    model = Controller(mean_output=256.0, prompt=105, capacity=400_000, alpha_p=17.0, beta_d=0.001, slots=START,
                       window=1000, interval=100)
    return {"gamma": Study(
        hypothesis="Algorithm 1 on independent Gamma(2) outputs of mean 256 (Table 13), prompts of 105 tokens, C = "
        "400,000, eps = 0.01, alpha_p/alpha_d = 17, beta_d/alpha_d = 0.001, W = W_min = 1000, T_upd = 100: the mean "
        "relative change of N*hat from one cycle to the next, after the first five, is at most 1 percent",
        model=model, value=change, low=0.0, high=0.01, horizon=5000.0, replications=40)}


WINDOWS = Model(studies=process_studies)
