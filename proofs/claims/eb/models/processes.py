"""Runs on statements about the random process itself, each computed from the literal chain of `chain`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided
from qtheory.proofs.kernel.balls import exp_bounds, log_bounds

from .chain import BITS, active_after, base_threshold_bounds, completions, decode_phase, phases

HALF = Fraction(1, 2)
ENUMERATED = "exact enumeration of the chain"
STEPS = "exact first-step analysis of the chain"


def throughput(slots: int, k: int, p: Fraction, alpha_p: Fraction, alpha_d: Fraction, beta_d: Fraction) -> Fraction:
    """(1) with the exact expected decode time and beta_p = 0, in requests per unit of time."""
    return k / (decode_phase(slots, k, p).duration(alpha_d, beta_d) + alpha_p)


# ---- Appendix B.1: where N_t/N goes ----

@every("p0 in {1/100, 1/10, 1/2, 9/10, 1}, N in {1, 2, 5, 10, 20}, T in {1, 2, 4}, eps in {1/5, 2/5}", ENUMERATED)
def limit_run() -> Iterator[Case]:
    """Pr(max_{t <= T} |N_t/N - e^{-p0 t}| > eps + p0/2) <= T/(4 N eps^2), on a grid.

    Chebyshev's bound for the distance to (1 - p0)^t, which is within p0/2 of e^{-p0 t}.
    """
    for p in (Fraction(1, 100), Fraction(1, 10), HALF, Fraction(9, 10), Fraction(1)):
        for slots in (1, 2, 5, 10, 20):
            for horizon, eps in product((1, 2, 4), (Fraction(1, 5), Fraction(2, 5))):
                above = _exceeds(slots, horizon, p, eps)
                apart = max(abs(end - (1 - p) ** t) for t in range(horizon + 1) for end in exp_bounds(-p * t, BITS))
                yield {"p0": p, "N": slots, "T": horizon, "eps": eps, "the probability": above} if (
                    above > horizon / (4 * slots * eps**2) or apart > p / 2) else None


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


@every("p0 in {1/100, 1/3, 1/2, 1}, N in {1, 2, 7, 12}, t <= 4", ENUMERATED)
def variance_run() -> Iterator[Case]:
    """Var(N_t/N) = (1 - p0)^t (1 - (1 - p0)^t)/N and E(N_t/N) = (1 - p0)^t, on a grid."""
    for p in (Fraction(1, 100), Fraction(1, 3), HALF, Fraction(1)):
        for slots in (1, 2, 7, 12):
            for t, law in enumerate(active_after(slots, 4, p)):
                mean = sum(Fraction(n, slots) * q for n, q in enumerate(law))
                second = sum(Fraction(n, slots) ** 2 * q for n, q in enumerate(law))
                alive = (1 - p) ** t
                bad = mean != alive or second - mean**2 != alive * (1 - alive) / slots
                yield {"p0": p, "N": slots, "t": t} if bad else None


# ---- Appendix B.3, Source 2: stopping at integers, overshoot ----


@every("p0 in {1/100, 1/2, 1}, N in {2, ..., 8}, k < N", ENUMERATED)
def integer_stop_run() -> Iterator[Case]:
    """P(overshoot) > 0 whenever k < N and p0 > 0: in the first iteration all complete with probability p0^N."""
    for p, slots in product((Fraction(1, 100), HALF, Fraction(1)), range(2, 9)):
        for k in range(1, slots):
            yield None if decode_phase(slots, k, p).idle > k else {"p0": p, "N": slots, "k": k}


@every("N in {2, 4, 8, 12, 16}, p0 in {3/1000, 1/100, 1/10, 1/2, 9/10, 1}, all k", STEPS)
def overshoot_largest_at_one_run() -> Iterator[Case]:
    """Is the relative overshoot at k = 1 at least that of every other k?"""
    for slots, p in product((2, 4, 8, 12, 16), (Fraction(3, 1000), Fraction(1, 100), Fraction(1, 10), HALF,
                                                Fraction(9, 10), Fraction(1))):
        by_k = {k: (v.idle - k) / k for k, v in phases(slots, slots, p).items()}
        for k, overshoot in by_k.items():
            yield {"N": slots, "p0": p, "k": k} if overshoot > by_k[1] else None


@every("p0 in {1/100, 1/3, 1/2, 1}, N in {1, 2, 5, 9}, all k", STEPS)
def decode_cost_run() -> Iterator[Case]:
    """E[sum of N_i over the phase] = E[idle slots at its end]/p0, on a grid."""
    for p, slots in product((Fraction(1, 100), Fraction(1, 3), HALF, Fraction(1)), (1, 2, 5, 9)):
        for k, phase in phases(slots, slots, p).items():
            yield None if phase.request_iterations == phase.idle / p else {"p0": p, "N": slots, "k": k}


# ---- what the approximation does to the optimum of (1) ----


def exact_optimum_run() -> Outcome:
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
    g = max(low - a, Fraction(0))  # the bound below is empty at 0
    idle = b - a * (1 - a) / (slots * g**2) if g else Fraction(0)
    near_theta0 = beta_d / p * idle / high
    at_all = beta_d / p + (alpha_d * (log / p + 1 + 1 / p) + alpha_p) / slots
    return found(shown(near_theta0 > at_all, {
        "p0": p, "alpha_d": alpha_d, "alpha_p": alpha_p, "beta_d": beta_d, "beta_p": 0, "N": "every N >= 10^7",
        "theta0": f"{float(low + near):.4f}...",
        "cost per request at |k/N - theta0| <= 1/1000": f"more than {float(near_theta0) - 5e-5:.4f}",
        "cost per request at k = N": f"less than {float(at_all) + 5e-5:.4f}",
        "trace": f"the phase ends after whole iterations, when about {float(a):.4f} N or {float(b):.4f} N slots are "
        "idle; a threshold between them pays for idle slots that it does not count"},
        "two bounds on E[T_d], compared in exact arithmetic"))


def immaterial_strong_run() -> Outcome:
    """Is the exact optimum of (1) floor(theta0 N) or its successor?  At the paper's own p0 and N."""
    slots, p, one, beta_d = 64, Fraction(1, 100), Fraction(1), Fraction(1, 20)
    low, high = base_threshold_bounds(p)
    k0 = low * slots // 1
    rates = {k: throughput(slots, k, p, one, one, beta_d) for k in (k0, k0 + 1, k0 + 6)}
    return found(shown(high * slots // 1 == k0 and rates[k0 + 6] > max(rates[k0], rates[k0 + 1]), {
        "N": slots, "p0": p, "alpha_p": 1, "alpha_d": 1, "beta_d": beta_d, "beta_p": 0, "floor(theta0 N)": k0,
        "a better k": k0 + 6}, STEPS, throughputs={str(k): f"{float(v):.6f}" for k, v in rates.items()}))


@every("N = 24, p0 in {3/1000, 1/100}, alpha_p/alpha_d in {1, 10, 50}, beta_d/alpha_d in {0, 1/200, 1/20}, beta_p = 0",
       STEPS)
def immaterial_weak_run() -> Iterator[Case]:
    """Throughput lost in (1) by floor(theta0 N) against the exact optimum: under 5 percent?"""
    slots, one = 24, Fraction(1)
    for p in (Fraction(3, 1000), Fraction(1, 100)):
        exact = phases(slots, slots, p)
        for ratio in (Fraction(1), Fraction(10), Fraction(50)):
            k0, other = (end * slots // 1 for end in base_threshold_bounds(p * ratio))
            if other != k0:
                yield Undecided(f"floor(theta0 N) is {k0} or {other}")
            for beta_d in (Fraction(0), Fraction(1, 200), Fraction(1, 20)):
                rates = {k: k / (v.duration(one, beta_d) + ratio) for k, v in exact.items()}
                loss = 1 - rates[k0] / max(rates.values())
                yield {"p0": p, "alpha_p/alpha_d": ratio, "beta_d/alpha_d": beta_d, "loss": loss} if (
                    loss >= Fraction(1, 20)) else None


@every("N in {8, 16, 24}, p0 in {3/1000, 1/100}, alpha_p/alpha_d in {1, 10, 50}, any beta_d, beta_p", STEPS)
def immaterial_completions_run() -> Iterator[Case]:
    """The best k where all completions of a phase count, against theta0 N, on a grid.

    The request-iterations are E[I]/p0, so the cost per completion is beta_d/p0 + beta_p mu_L and (alpha_d E[M] +
    alpha_p)/E[I]: the costs per token play no part, as in Corollary B.3.
    """
    for p, slots in product((Fraction(3, 1000), Fraction(1, 100)), (8, 16, 24)):
        exact = phases(slots, slots, p)
        for ratio in (Fraction(1), Fraction(10), Fraction(50)):
            costs = {k: (v.iterations + ratio) / v.idle for k, v in exact.items()}
            low, high = (end * slots for end in base_threshold_bounds(p * ratio))
            for best in (k for k, cost in costs.items() if cost == min(costs.values())):
                if best > high + 1 or best < low - 1:
                    yield {"N": slots, "p0": p, "alpha_p/alpha_d": ratio, "the best k": best,
                           "theta0 N": f"{float(low):.4f}"}
                elif best > low + 1 or best < high - 1:
                    yield Undecided(f"|k - theta0 N| is 1 within the enclosure of theta0 at k = {best}")
                else:
                    yield None
