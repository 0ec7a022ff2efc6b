"""The programs (40) and (42) in exact rationals, for two classes, and what the policies earn at their fluid points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from qtheory.numerics.lp import minimum
from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome

ZERO, ONE = Fraction(0), Fraction(1)
EXACT = "the programs solved in exact rationals"


@dataclass(frozen=True)
class Instance:
    """Two classes by default; ``gamma`` is tokens a second of a solo decode, ``tau`` the time of a mixed iteration."""

    P: tuple[int, ...] = (300, 3000)
    D: tuple[int, ...] = (1000, 400)
    lam: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1, 2))
    theta: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(1, 10))
    B: int = 16
    C: int = 256
    tau: Fraction = Fraction(174, 10**4) + Fraction(62, 10**6) * 256
    gamma: Fraction = Fraction(1000, 22)
    prices: tuple[Fraction, Fraction] = (Fraction(1, 10), Fraction(1, 5))

    @property
    def rates(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """(4): mu_p, mu_m, mu_s by class."""
        return [(self.C / (p * self.tau), 1 / (d * self.tau), self.gamma / d)
                for p, d in zip(self.P, self.D, strict=True)]

    def plan(self, separate: bool, buffered: bool = True) -> tuple[Fraction, list[list[Fraction]]] | None:
        """An optimal solution of (42) or (40), as x, y_m, y_s, q_p, q_d by class, with its value; with q_d = 0 where
        not ``buffered``. None where the program has no solution."""
        count, (cp, cd) = len(self.P), self.prices
        columns, costs = [], []
        for k, i in product(range(5), range(count)):  # rows: three capacities, then two balances a class
            mu_p, mu_m, mu_s = self.rates[i]
            use = [ZERO] * (3 + 2 * count)
            use[0:3] = [(ONE, Fraction(1 - self.B), Fraction(self.B)), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE),
                        (ZERO,) * 3, (ZERO,) * 3][k]
            use[3 + i] = (mu_p, ZERO, ZERO, self.theta[i], ZERO)[k]
            use[3 + count + i] = (mu_p, -mu_m, -mu_s, ZERO, -self.theta[i])[k]
            w = cp * self.P[i] + cd * self.D[i]
            earns = ((cp * self.P[i] * mu_p, cd * self.D[i] * mu_m, cd * self.D[i] * mu_s) if separate
                     else (ZERO, w * mu_m, w * mu_s))
            columns.append(use if buffered or k < 4 else [ZERO] * len(use))
            costs.append(-earns[k] if k < 3 else ZERO)
        columns += [[ONE if r == k else ZERO for r in range(3 + 2 * count)] for k in range(3)]
        right = [ONE, ZERO, Fraction(self.B), *self.lam, *[ZERO] * count]
        found = minimum([*costs, ZERO, ZERO, ZERO], columns, right)
        if found is None:
            return None
        value = -sum((c * v for c, v in zip(costs, found, strict=False)), ZERO)
        return value, [found[k * count:(k + 1) * count] for k in range(5)]

    def decoded(self, x: list[Fraction], slots: Fraction) -> tuple[Fraction, Fraction]:
        """The decode work that prefills x bring, and what the two groups can do, in mixed-mode time (EC.3.2)."""
        work = sum((m[0] / m[1] * v for m, v in zip(self.rates, x, strict=True)), ZERO)
        return work, slots * (self.B - 1) + self.gamma * self.tau * (1 - slots) * self.B


def instances() -> Iterator[Instance]:
    half = Fraction(1, 2)
    for P, D, B, lam, theta, kappa in product(
            ((300, 3000), (100, 100), (200, 50)), ((1000, 400), (100, 300)), (1, 2, 16),
            ((half, half), (Fraction(2), Fraction(1, 4)), (Fraction(1, 20), Fraction(3))),
            ((Fraction(1, 10), Fraction(1, 10)), (Fraction(2), Fraction(1, 50))), (ONE, Fraction(3, 2))):
        tau = Fraction(1, 30)
        yield Instance(P, D, lam, theta, B, 256, tau, kappa / tau)


GRID = ("216 instances: P of 50 to 3,000 and D of 100 to 1,000 tokens, B in {1, 2, 16}, lambda of 0.05 to 3, theta of "
        "0.02 to 2, gamma tau in {1, 3/2}")


@every(GRID, EXACT)
def thm_2_run() -> Iterator[Case]:
    for case in instances():
        free, plan = case.plan(separate=False), case.plan(separate=False, buffered=False)
        assert free is not None and plan is not None
        best, (x, *_) = plan
        X = sum(x, ZERO)
        work, most = case.decoded(x, X)
        solo = case.gamma * case.tau * (1 - X) * case.B
        share = ONE if work <= solo else solo / work  # the part that finds a free solo slot, of every class alike
        flows = [m[0] * v for m, v in zip(case.rates, x, strict=True)]
        y_s = sum((share * f / m[2] for f, m in zip(flows, case.rates, strict=True)), ZERO)
        y_m = sum(((1 - share) * f / m[1] for f, m in zip(flows, case.rates, strict=True)), ZERO)
        cp, cd = case.prices
        earned = sum(((cp * p + cd * d) * f for p, d, f in zip(case.P, case.D, flows, strict=True)), ZERO)
        bad = y_s > (1 - X) * case.B or y_m > X * (case.B - 1) or work > most or not earned == best == free[0]
        yield {"instance": case, "R*": free[0], "at the point": earned} if bad else None


@every(GRID, EXACT)
def thm_3_run() -> Iterator[Case]:
    for case in instances():
        plan = case.plan(separate=True)
        assert plan is not None
        best, (planned, *_) = plan
        X = left = sum(planned, ZERO)
        x = [ZERO] * len(planned)
        values = [-Fraction(d, p) for d, p in zip(case.D, case.P, strict=True)]
        for i in sorted(range(len(x)), key=values.__getitem__):
            x[i] = min(left, case.lam[i] / case.rates[i][0])
            left -= x[i]
        work, most = case.decoded(x, X)
        cp, cd = case.prices
        earned = (cp * case.C * X + cd * min(work, most)) / case.tau
        yield {"instance": case, "R~*": best, "at the point": earned} if left or earned != best else None


def no_solo_run() -> Outcome:
    """Separate charging, two classes of which more comes than one prefill a GPU can take: an optimal plan."""
    case = replace(Instance(), lam=(Fraction(3), Fraction(3)))
    best = case.plan(separate=True)
    assert best is not None
    x, y_m, (cp, cd) = (Fraction(1, 10), Fraction(9, 10)), (Fraction(7), Fraction(8)), case.prices
    q_p = [(lam - m[0] * v) / t for lam, m, v, t in zip(case.lam, case.rates, x, case.theta, strict=True)]
    q_d = [(m[0] * v - m[1] * y) / t for m, v, y, t in zip(case.rates, x, y_m, case.theta, strict=True)]
    optimal = sum(x) == 1 and sum(y_m) == case.B - 1 and min(*q_p, *q_d) > 0 and (
        cp * case.C * sum(x) + cd * sum(y_m)) / case.tau == best[0]
    return found(shown(optimal, {
        "instance": "Section 6.2's with lambda = (3, 3)", "x*": "(1/10, 9/10)", "y_m*": "(7, 8)", "y_s*": "(0, 0)",
        "q_p*": f"({', '.join(map(str, q_p))})", "q_d*": f"({', '.join(map(str, q_d))})", "trace":
        "optimal for (42), every q*_{d,i} > 0, both decode capacities bind, p_s = 0 for both classes: from an empty "
        "cluster q_{d,s}(t) = 0 at every t, and no T_0 has q_{d,s}(t) > 0 from there on"}, EXACT))
