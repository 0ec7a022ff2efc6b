"""Decode phases whose requests keep their age, in exact rational arithmetic, and the runs that rest on them.

In the fluid limit of Section 3.1's system a phase of D iterations in steady state finds cohorts of the ages 0, D,
2D, ...; of each batch the share 1/M(D) completes, with M(D) = Pr(O > 0) + Pr(O > D) + Pr(O > 2D) + ...  A threshold
theta gives the least D with 1/M(D) >= theta.  The time per completed request is (alpha_d D + alpha_p) M(D)/N, and the
per-token costs, which depend on the mean lengths alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome

from .chain import base_threshold_bounds


def cohort_batch(survivors: Sequence[Fraction], iterations: int) -> Fraction:
    """M(D) for survivors[t] = Pr(O > t), 0 from its end on."""
    return sum(survivors[::iterations], Fraction(0))


def hazard(survivors: Sequence[Fraction]) -> list[Fraction]:
    """Pr(O = t | O >= t) for t = 1, 2, ..."""
    return [1 - b / a for a, b in pairwise([*survivors, Fraction(0)])]


def cut_geometric(p: Fraction, longest: int) -> list[Fraction]:
    """Pr(O > t) of geometric lengths cut at ``longest`` tokens: an increasing hazard rate, p and then 1."""
    return [(1 - p) ** t for t in range(longest)]


def higher_run() -> Outcome:
    """Is the optimal threshold of an IFR law above that of CFR?  Geometric outputs cut at a greatest length.

    Every phase length up to the greatest output length is tried; longer ones complete no more requests.
    """
    p, longest, ratio = Fraction(1, 40), 121, Fraction(160)
    law = cut_geometric(p, longest)
    rates = hazard(law)
    costs = {d: (d + ratio) * cohort_batch(law, d) for d in range(1, longest + 1)}
    best = min(costs, key=lambda d: costs[d])
    ties = [d for d, c in costs.items() if c == costs[best]]
    theta = max(1 / cohort_batch(law, d) for d in ties)
    mean = sum(law, Fraction(0))
    same_start, same_mean = base_threshold_bounds(p * ratio)[0], base_threshold_bounds(ratio / mean)[0]
    return found(shown(all(a <= b for a, b in pairwise(rates)) and theta < min(same_start, same_mean), {
        "output length": "geometric with p0 = 1/40, cut at 121 tokens (hazard rate 1/40 for t <= 120, then 1)",
        "alpha_p/alpha_d": ratio, "best phase (iterations)": best, "its threshold": f"{float(theta):.4f}...",
        "theta0 at the same p0": f"{float(same_start):.4f}...", "theta0 at the same mean": f"{float(same_mean):.4f}...",
        "trace": "in its fluid limit and steady state, requests keeping their age across phases, a second cohort that "
        "is cut at its 121st token makes a shorter phase the best"},
        "all phase lengths in exact arithmetic; the base threshold enclosed"))


EXACT = "enumeration of the chain with ages, exactly"


# ---- two slots, one idle slot ends the phase: the chain of the continuing request's age ----

Ending = tuple[int, int, Fraction]  # iterations, the age at which the next phase finds the other request, probability


def phase(age: int, rates: Sequence[Fraction]) -> list[Ending]:
    """One decode phase of N = 2, k = 1 from a fresh request and one of this age; ``rates[a]``: the hazard at age a,
    1 at the last. An age of 0 afterwards means that both completed."""
    found, alive = [], Fraction(1)
    for t in range(len(rates)):
        own, other = rates[t], rates[age + t]
        both, first, second = own * other, own * (1 - other), (1 - own) * other
        found += [(t + 1, 0, alive * both), (t + 1, age + t + 1, alive * first), (t + 1, t + 1, alive * second)]
        alive *= (1 - own) * (1 - other)
        if not alive:
            break
    return [outcome for outcome in found if outcome[2]]


def linear(p0: Fraction, eta: Fraction) -> list[Fraction]:
    """h(t) = p0 + eta t for t = 0, 1, ..., up to where it would exceed 1."""
    rates: list[Fraction] = []
    while not rates or rates[-1] < 1:
        rates.append(min(p0 + eta * len(rates), Fraction(1)))
    return rates


def length_law(age: int, rates: Sequence[Fraction]) -> dict[int, Fraction]:
    law: dict[int, Fraction] = {}
    for iterations, _, q in phase(age, rates):
        law[iterations] = law.get(iterations, Fraction(0)) + q
    return law


GRID = tuple(product((Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 20), Fraction(1, 8),
                                                                         Fraction(1, 4))))
BOUND = "N = 2, k = 1, h(t) = p0 + eta t up to 1, p0 in {1/10, 1/4, 1/2}, eta in {1/20, 1/8, 1/4}"


@every(BOUND, EXACT)
def not_iid_run() -> Iterator[Case]:
    """Are the first two cycles, from fresh requests, neither identically distributed nor independent under IFR?"""
    for p0, eta in GRID:
        rates = linear(p0, eta)
        first = length_law(0, rates)
        second: dict[int, Fraction] = {}
        given: dict[int, Fraction] = {}
        for m, age, q in phase(0, rates):
            law = length_law(age, rates)
            given[m] = given.get(m, Fraction(0)) + q * law.get(1, Fraction(0))
            for n, r in law.items():
                second[n] = second.get(n, Fraction(0)) + q * r
        dependent = any(given[m] != first[m] * second[1] for m in first)
        yield None if first != second and dependent else {"p0": p0, "eta": eta, "N": 2, "k": 1}


def renewals(rates: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], Fraction]:
    """Completions and iterations between two phases of fresh requests alone; completions per iteration in steady
    state.  After such a phase starts nothing depends on what was before it: the renewal-reward theorem applies."""
    ages = range(len(rates))
    steady = _stationary(rates, ages)
    done = sum(steady[a] * sum(q * (2 if b == 0 else 1) for _, b, q in phase(a, rates)) for a in ages)
    time = sum(steady[a] * sum(q * m for m, _, q in phase(a, rates)) for a in ages)
    return _solve(rates, ages), Fraction(done / time)


@every(BOUND, EXACT)
def renewal_run() -> Iterator[Case]:
    """The throughput from renewals against that of the stationary law, on a grid."""
    for p0, eta in GRID:
        between, steady = renewals(linear(p0, eta))
        yield None if between[0] / between[1] == steady else {"p0": p0, "eta": eta}


def _solve(rates: Sequence[Fraction], ages: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Completions and iterations from a phase of fresh requests to the next one, by first-step analysis."""
    size = len(ages)
    rows = []
    for a in ages:
        row = [Fraction(int(a == b)) for b in ages] + [Fraction(0), Fraction(0)]
        for m, b, q in phase(a, rates):
            if b:
                row[b] -= q
            row[size] += q * (2 if b == 0 else 1)
            row[size + 1] += q * m
        rows.append(row)
    _eliminate(rows)
    return rows[0][size], rows[0][size + 1]


def _stationary(rates: Sequence[Fraction], ages: Sequence[int]) -> list[Fraction]:
    """The steady state of the ages at phase starts: expected visits between two visits to 0, normalized."""
    rows = [[Fraction(int(a == b)) for a in ages] + [Fraction(int(b == 0))] for b in ages]
    for a in ages:
        for _, b, q in phase(a, rates):
            if b:
                rows[b][a] -= q
    _eliminate(rows)
    visits = [row[-1] for row in rows]
    return [v / sum(visits, Fraction(0)) for v in visits]


def _eliminate(rows: list[list[Fraction]]) -> None:
    """Gauss and Jordan's elimination in place; the right-hand sides stand behind the square part."""
    for i in range(len(rows)):
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for j in range(len(rows)):
            if j != i:
                rows[j] = [v - rows[j][i] * w for v, w in zip(rows[j], rows[i], strict=True)]
