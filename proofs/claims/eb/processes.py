"""Verdicts on statements about the random process itself, each computed from the literal chain of `chain`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from qtheory.proofs.kernel.balls import exp_bounds, log_bounds

from .chain import BITS, active_after, base_threshold_bounds, completions, decode_phase, idle_bounds, length_law, phases

HALF = Fraction(1, 2)
Verdict = Mapping[str, Any]

DISCRETE_LIMIT = "Pr(max_{t <= T} |N_t/N - (1 - p0)^t| > eps) <= T/(4 N eps^2)"
VARIANCE = "E[N_t/N] = (1 - p0)^t and Var(N_t/N) = (1 - p0)^t (1 - (1 - p0)^t)/N"
INTEGER_STOP = "for k < N the expected number of idle slots at the end of a decode phase exceeds k"
COMPLETIONS = ("where every completion counts, E[I]/(E[T_d] + alpha_p + beta_p mu_L E[I]) with I the idle slots at the "
               "end of the phase, the best k is within 1 of theta0 N")
DECODE_COST = "E[sum_{i=1}^{M} N_i] = E[idle slots at the end]/p0"


def verdict(name: str, method: str, *, counterexample: Mapping[str, str] | None = None, note: str = "",
            statement: str | None = None, **evidence: Any) -> Verdict:
    """The verdict's fields; ``statement`` where the claim quotes no sentence of the paper."""
    found = {"verdict": name, "method": method, "counterexample": counterexample, "note": note, "evidence": evidence}
    return found if statement is None else {**found, "statement": statement}


def throughput(slots: int, k: int, p: Fraction, alpha_p: Fraction, alpha_d: Fraction, beta_d: Fraction) -> Fraction:
    """(1) with the exact expected decode time and beta_p = 0, in requests per unit of time."""
    return k / (decode_phase(slots, k, p).duration(alpha_d, beta_d) + alpha_p)


# ---- Appendix B.1: where N_t/N goes ----

def convergence_judge() -> Verdict:
    """Does sup_{t <= T} |N_t/N - e^{-p0 t}| tend to 0 in probability?  At a p0 of the paper's regime.

    N_t is Binomial(N, (1 - p0)^t), so by Chebyshev's inequality N_t/N is near (1 - p0)^t for every large N; where that
    is more than eps below e^{-p0 t}, the supremum is above eps.
    """
    p, t, eps, slots = Fraction(1, 100), 100, Fraction(1, 1000), 10**6
    alive, fluid = (1 - p) ** t, exp_bounds(-p * t, BITS)
    room = fluid[0] - alive - eps
    if room <= 0 or alive * (1 - alive) / (slots * room**2) > HALF:
        return verdict("unknown", "Chebyshev's inequality")
    return verdict(
        "refuted", "exact mean of N_t, an enclosure of exp, Chebyshev's inequality",
        counterexample={"p0": str(p), "T": str(t), "eps": str(eps), "N": "every N >= 10^6",
                        "(1 - p0)^T": f"{float(alive):.6f}...", "e^{-p0 T}": f"{float(fluid[0]):.6f}...",
                        "Pr(|N_T/N - e^{-p0 T}| > eps)": "at least 1/2"},
        note="At p0 = 1/2 the first iteration shows it: N_1/N tends to 1/2, and e^{-1/2} is 0.6065...")


def discrete_limit_judge() -> Verdict:
    """Chebyshev's bound Pr(max_{t <= T} |N_t/N - (1 - p0)^t| > eps) <= T/(4 N eps^2), on a grid."""
    checked = 0
    for p in (Fraction(1, 100), Fraction(1, 10), HALF, Fraction(9, 10), Fraction(1)):
        for slots in (1, 2, 5, 10, 20):
            for horizon, eps in product((1, 2, 4), (Fraction(1, 5), Fraction(2, 5))):
                if _exceeds(slots, horizon, p, eps) > horizon / (4 * slots * eps**2):
                    return verdict("refuted", "exact enumeration", statement=DISCRETE_LIMIT, counterexample={
                        "p0": str(p), "N": str(slots), "T": str(horizon), "eps": str(eps)})
                checked += 1
    return verdict("checked", "exact enumeration of the chain", statement=DISCRETE_LIMIT, bound="p0 in {1/100, 1/10, "
                                                                                                "1/2, 9/10, 1}, "
                   "N in {1, 2, 5, 10, 20}, T in {1, 2, 4}, eps in {1/5, 2/5}", cases=checked)


def _exceeds(slots: int, horizon: int, p: Fraction, eps: Fraction) -> Fraction:
    """Pr(|N_t/N - (1 - p)^t| > eps for some t <= horizon), by killing the paths that do."""
    law: dict[int, Fraction] = {slots: Fraction(1)}
    for t in range(1, horizon + 1):
        new: dict[int, Fraction] = {}
        for n, weight in law.items():
            for rest, q in enumerate(_survivors(n, p)):
                if abs(Fraction(rest, slots) - (1 - p) ** t) <= eps:
                    new[rest] = new.get(rest, Fraction(0)) + weight * q
        law = new
    return 1 - sum(law.values(), Fraction(0))


@cache
def _survivors(n: int, p: Fraction) -> list[Fraction]:
    return completions(n, p)[::-1]


def variance_judge() -> Verdict:
    """Var(N_t/N) = (1 - p0)^t (1 - (1 - p0)^t)/N and E(N_t/N) = (1 - p0)^t, on a grid."""
    cases = 0
    for p in (Fraction(1, 100), Fraction(1, 3), HALF, Fraction(1)):
        for slots in (1, 2, 7, 12):
            for t, law in enumerate(active_after(slots, 4, p)):
                mean = sum(Fraction(n, slots) * q for n, q in enumerate(law))
                second = sum(Fraction(n, slots) ** 2 * q for n, q in enumerate(law))
                alive = (1 - p) ** t
                if mean != alive or second - mean**2 != alive * (1 - alive) / slots:
                    return verdict("refuted", "exact enumeration", statement=VARIANCE, counterexample={
                        "p0": str(p), "N": str(slots), "t": str(t)})
                cases += 1
    return verdict("checked", "exact enumeration of the chain", statement=VARIANCE,
                   bound="p0 in {1/100, 1/3, 1/2, 1}, N in {1, 2, 7, 12}, t <= 4", cases=cases)


# ---- Appendix B.3, Source 2: stopping at integers, overshoot ----

def stopping_judge() -> Verdict:
    """Is the number of iterations M of the actual discrete system the constant ceil(t*)?"""
    law = length_law(2, 1, HALF, 2)
    low, high = log_bounds(HALF, BITS)
    ceilings = {-((end / HALF) // 1) for end in (low, high)}  # t* = -ln(1 - theta)/p0 at theta = k/N = 1/2
    refuted = len(ceilings) == 1 and all(q > 0 for q in law)
    return verdict(
        "refuted" if refuted else "unknown", "the chain's law of M, exactly",
        counterexample={"N": "2", "k": "1", "p0": "1/2", "t*": "2 ln 2 = 1.386...", "ceil(t*)": str(*ceilings),
                        "trace": "iteration 1: one of the two requests completes; 1 slot is idle; the phase ends, M "
                                 "= 1",
                        "Pr(M = 1)": str(law[0]), "Pr(M = 2)": str(law[1])} if refuted else None,
        note="M is random: both M = 1 and M = 2 have positive probability, so M is not the constant ceil(t*).")


def mean_field_stop_judge() -> Verdict:
    """The first integer t with (1 - p0)^t <= 1 - theta against ceil(t*), at a p0 of the paper's regime."""
    p, theta = Fraction(1, 100), HALF
    discrete = next(t for t in range(1, 1000) if (1 - p) ** t <= 1 - theta)
    low, high = (-end / p for end in reversed(log_bounds(1 - theta, BITS)))
    ceiling = -(-low // 1)
    if ceiling != -(-high // 1) or ceiling == discrete:
        return verdict("unknown", "exact powers")
    return verdict("refuted", "exact powers and an enclosure of ln", counterexample={
        "p0": str(p), "theta": str(theta), "ceil(t*)": str(ceiling), "first t with (1 - p0)^t <= 1 - "
                                                                     "theta": str(discrete)},
        note=f"The large-N limit of the number of iterations is {discrete}, where ceil(t*) is {ceiling}.")


def integer_stop_judge() -> Verdict:
    """P(overshoot) > 0 whenever k < N and p0 > 0; the phase takes a whole number of iterations, at least 1."""
    cases = 0
    for p in (Fraction(1, 100), HALF, Fraction(1)):
        for slots in range(2, 9):
            for k in range(1, slots):
                # first iteration: all complete, with probability p^N
                if not (p**slots > 0 and decode_phase(slots, k, p).idle > k):
                    return verdict("refuted", "exact enumeration", statement=INTEGER_STOP, counterexample={
                        "p0": str(p), "N": str(slots), "k": str(k)})
                cases += 1
    return verdict("checked", "exact enumeration of the chain", statement=INTEGER_STOP, bound="p0 in {1/100, 1/2, "
                                                                                              "1}, N <= 8, k < N",
                   cases=cases)


def overshoot_monotone_judge() -> Verdict:
    """Does the expected overshoot relative to k fall with every increase of theta = k/N?  At the paper's p0 and N."""
    slots, p, small, large = 2048, Fraction(1, 100), 18, 23
    at_small, at_large = (tuple(idle / k - 1 for idle in idle_bounds(slots, k, p)) for k in (small, large))
    if at_large[0] <= at_small[1]:
        return verdict("unknown", "bounds by first-step analysis of the chain")
    return verdict("refuted", "bounds by first-step analysis of the chain", counterexample={
        "N": str(slots), "p0": str(p), f"relative overshoot at k = {small}": f"{float(at_small[1]):.6f}",
        f"relative overshoot at k = {large}": f"{float(at_large[0]):.6f}"},
        note=f"One iteration completes about p0 N = {float(p * slots):.2f} requests: a threshold just above that needs "
             "a second iteration and overshoots by most of it, one just below does not.")


def overshoot_largest_at_one_judge() -> Verdict:
    """Is the relative overshoot at k = 1 at least that of every other k?"""
    bound = [(slots, p) for slots in (2, 4, 8, 12, 16) for p in (Fraction(3, 1000), Fraction(1, 100), Fraction(1, 10),
                                                                 HALF, Fraction(9, 10), Fraction(1))]
    for slots, p in bound:
        by_k = {k: (v.idle - k) / k for k, v in phases(slots, slots, p).items()}
        worst = max(by_k, key=lambda k: (by_k[k], -k))
        if worst != 1:
            return verdict("refuted", "exact first-step analysis", counterexample={
                "N": str(slots), "p0": str(p), "k": str(worst)})
    return verdict("checked", "exact first-step analysis of the chain", cases=len(bound),
                   bound="N in {2, 4, 8, 12, 16}, p0 in {3/1000, 1/100, 1/10, 1/2, 9/10, 1}, all k")


def decode_cost_judge() -> Verdict:
    """E[sum of N_i over the phase] = E[idle slots at its end]/p0, on a grid."""
    cases = 0
    for p in (Fraction(1, 100), Fraction(1, 3), HALF, Fraction(1)):
        for slots in (1, 2, 5, 9):
            for k, phase in phases(slots, slots, p).items():
                if phase.request_iterations != phase.idle / p:
                    return verdict("refuted", "exact enumeration", statement=DECODE_COST, counterexample={
                        "p0": str(p), "N": str(slots), "k": str(k)})
                cases += 1
    return verdict("checked", "exact first-step analysis of the chain", statement=DECODE_COST, cases=cases,
                   bound="p0 in {1/100, 1/3, 1/2, 1}, N in {1, 2, 5, 9}, all k")


# ---- what the approximation does to the optimum of (1) ----

def exact_optimum_judge() -> Verdict:
    """Does k*/N of (1), with the exact E[T_d], tend to theta0?  At a p0 of the paper's regime and N >= 10^7.

    The cost per request is beta_d E[sum N_i]/k and a rest >= 0, with E[sum N_i] = E[idle slots at the end]/p0.  With
    I_t the idle slots after t iterations without a stop, Binomial(N, 1 - (1 - p0)^t), let theta0 lie between the means
    a = E[I_{m-1}]/N and b = E[I_m]/N.  A threshold k near theta0 N, more than g N above the former, ends the phase
    before iteration m with probability at most a (1 - a)/(N g^2) (Chebyshev), so E[idle] >= N (b - a (1 - a)/(N g^2)).
    At k = N all slots are idle at the end: the cost is beta_d/p0 and (alpha_d E[M] + alpha_p)/N, where Pr(M > t) <=
    min(1, N (1 - p0)^t) gives E[M] <= ln(N)/p0 + 1 + 1/p0.  The bounds move apart as N grows.
    """
    p, alpha_p, alpha_d, beta_d, slots = Fraction(1, 100), Fraction(1), Fraction(1), Fraction(1, 20), 10**7
    near, log = Fraction(1, 1000), log_bounds(Fraction(slots), BITS)[1]
    low, high = (end + shift for end, shift in zip(base_threshold_bounds(p * alpha_p / alpha_d), (-near, near),
                                                   strict=True))
    m = next(t for t in range(1, 1000) if 1 - (1 - p) ** t > high)
    a, b = (1 - (1 - p) ** t for t in (m - 1, m))
    if a >= low:
        return verdict("unknown", "two bounds on E[T_d]")
    idle = b - a * (1 - a) / (slots * (low - a) ** 2)
    near_theta0 = beta_d / p * idle / high
    at_all = beta_d / p + (alpha_d * (log / p + 1 + 1 / p) + alpha_p) / slots
    if near_theta0 <= at_all:
        return verdict("unknown", "two bounds on E[T_d]")
    return verdict(
        "refuted", "two bounds on E[T_d], compared in exact arithmetic", counterexample={
            "p0": str(p), "alpha_d": str(alpha_d), "alpha_p": str(alpha_p), "beta_d": str(beta_d), "beta_p": "0",
            "N": "every N >= 10^7", "theta0": f"{float(low + near):.4f}...",
            "cost per request at |k/N - theta0| <= 1/1000": f"more than {float(near_theta0) - 5e-5:.4f}",
            "cost per request at k = N": f"less than {float(at_all) + 5e-5:.4f}"},
        note=f"The phase ends after whole iterations, when about {float(a):.4f} N or {float(b):.4f} N slots are idle; "
             "a threshold between them pays for idle slots that it does not count.")


def immaterial_strong_judge() -> Verdict:
    """Is the exact optimum of (1) floor(theta0 N) or its successor?  At the paper's own p0 and N."""
    slots, p = 64, Fraction(1, 100)
    alpha_p = alpha_d = Fraction(1)
    beta_d = Fraction(1, 20)
    low, high = base_threshold_bounds(p * alpha_p / alpha_d)
    k0 = low * slots // 1
    rates = {k: throughput(slots, k, p, alpha_p, alpha_d, beta_d) for k in (k0, k0 + 1, k0 + 6)}
    if high * slots // 1 == k0 and rates[k0 + 6] > max(rates[k0], rates[k0 + 1]):
        return verdict("refuted", "exact first-step analysis of the chain", counterexample={
            "N": "64", "p0": "1/100", "alpha_p": "1", "alpha_d": "1", "beta_d": "1/20", "beta_p": "0",
            "floor(theta0 N)": str(k0), "a better k": str(k0 + 6)},
            throughputs={str(k): f"{float(v):.6f}" for k, v in rates.items()})
    return verdict("unknown", "exact first-step analysis of the chain")


def immaterial_weak_judge() -> Verdict:
    """Throughput lost in (1) by floor(theta0 N) against the exact optimum: under 5 percent?"""
    worst, cases, slots, one = Fraction(0), 0, 24, Fraction(1)
    for p in (Fraction(3, 1000), Fraction(1, 100)):
        exact = phases(slots, slots, p)
        for ratio in (Fraction(1), Fraction(10), Fraction(50)):
            k0 = base_threshold_bounds(p * ratio)[0] * slots // 1
            for beta_d in (Fraction(0), Fraction(1, 200), Fraction(1, 20)):
                rates = {k: k / (v.duration(one, beta_d) + ratio) for k, v in exact.items()}
                worst, cases = max(worst, 1 - rates[k0] / max(rates.values())), cases + 1
    if worst >= Fraction(1, 20):
        return verdict("refuted", "exact first-step analysis of the chain", counterexample={"loss": str(float(worst))})
    return verdict("checked", "exact first-step analysis of the chain", cases=cases, largest_loss=f"{float(worst):.5f}",
                   bound="N = 24, p0 in {3/1000, 1/100}, alpha_p/alpha_d in {1, 10, 50}, beta_d/alpha_d in {0, 1/200, "
                         "1/20}, beta_p = 0")


def immaterial_completions_judge() -> Verdict:
    """The best k where all completions of a phase count, against theta0 N, on a grid.

    The request-iterations are E[I]/p0, so the cost per completion is beta_d/p0 + beta_p mu_L and (alpha_d E[M] +
    alpha_p)/E[I]: the costs per token play no part, as in Corollary B.3.
    """
    cases = 0
    for p, slots in product((Fraction(3, 1000), Fraction(1, 100)), (8, 16, 24)):
        exact = phases(slots, slots, p)
        for ratio in (Fraction(1), Fraction(10), Fraction(50)):
            costs = {k: (v.iterations + ratio) / v.idle for k, v in exact.items()}
            best = min(costs, key=lambda k: costs[k])
            low, high = base_threshold_bounds(p * ratio)
            if best > low * slots + 1 or best < high * slots - 1:
                return verdict("refuted", "exact first-step analysis of the chain", statement=COMPLETIONS,
                               counterexample={"N": str(slots), "p0": str(p), "alpha_p/alpha_d": str(ratio),
                                               "the best k": str(best), "theta0 N": f"{float(low * slots):.4f}"})
            cases += 1
    return verdict("checked", "exact first-step analysis of the chain", statement=COMPLETIONS, cases=cases,
                   bound="N in {8, 16, 24}, p0 in {3/1000, 1/100}, alpha_p/alpha_d in {1, 10, 50}, any beta_d, beta_p")
