"""Theorems 1 and 2 on the appendices' chains: the mean of what waits, by the law of the chain, step by step.

A step is a batch at the thresholds, Delta T long. In it X prompts come, Poisson with mean a = lambda_j Delta T (type j
of Theorem 1, and segment 1 of Theorem 2), or Binomial(n_{k-1}, p) (segment k >= 2); where n are there, n leave. What
does not wait is completed, or at one of the l' + 1 stages, at most n at each. So with E[W] the gap of the throughput
over T = t Delta T is at most (l' + 1)(E[W] + n (l' + 1))/T, and by the sum of what is in the system over time the mean
latency at most (E[W] + n (l' + 1))/lambda_j, at the largest E[W] up to T.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, exp, lgamma, log, sqrt

from qtheory.proofs.claims.cases import Case, every

METHOD = "the law of the chain, step by step in floating point, 1e-9 allowed"
STEPS, LOST, SLACK = 400, 1e-13, 1e-9
THRESHOLDS = (1, 2, 5, 10)


def poisson(mean: float) -> list[float]:
    """The weights until those left are less than ``LOST``."""
    out, total, k = list[float](), 0.0, 0
    while total < 1 - LOST and k < 400:
        out.append(exp(k*log(mean) - mean - lgamma(k + 1)))
        total, k = total + out[-1], k + 1
    return out


def binomial(n: int, p: float) -> list[float]:
    return [comb(n, k)*p**k*(1 - p)**(n - k) for k in range(n + 1)]


def means(come: Sequence[float], n: int, steps: int = STEPS) -> Iterator[float]:
    """E[W^1], E[W^2], .. from W^0 = 0."""
    law = [1.0]
    for _ in range(steps):
        then = [0.0]*(len(law) + len(come))
        for w, chance in enumerate(law):
            if chance > LOST:
                for x, weight in enumerate(come):
                    there = w + x
                    then[there - n if there >= n else there] += chance*weight
        while then and then[-1] <= LOST:
            then.pop()
        law = then
        yield sum(w*chance for w, chance in enumerate(law))


def _judge(a: float, n: int, come: Sequence[float], bound: str) -> Case:
    variance = sum(x*x*w for x, w in enumerate(come)) - a*a
    for t, mean in enumerate(means(come, n), 1):
        most = n + (sqrt(variance*t) if bound == "sqrt" else variance/(2*(n - a)))
        if mean > most + SLACK:
            return {"n": n, "a": a, "t": t, "E[W^t]": mean, "bound": most}
    return None


@every(f"one type, n in {THRESHOLDS}, a = n and 0.9 n, up to {STEPS} batches", METHOD)
def sqrt_run() -> Iterator[Case]:
    """E[W^t] <= n + sqrt(a t)."""
    for n in THRESHOLDS:
        for a in (float(n), 0.9*n):
            yield _judge(a, n, poisson(a), "sqrt")


@every(f"one type, n in {THRESHOLDS}, a = 0.5 n, 0.8 n and 0.95 n, up to {STEPS} batches", METHOD)
def bounded_run() -> Iterator[Case]:
    """E[W^t] <= n + a/(2 (n - a))."""
    for n in THRESHOLDS:
        for a in (0.5*n, 0.8*n, 0.95*n):
            yield _judge(a, n, poisson(a), "kingman")


@every(f"segment 1 as one type, n_1 in {THRESHOLDS}, a = 0.5 n_1, 0.8 n_1 and 0.95 n_1; a segment after one of n_k-1 "
       f"in (2, 5, 10, 20), p = 1/4, 1/2 and 3/4, each n_k from n_k-1 p to n_k-1; up to {STEPS} batches", METHOD)
def nested_run() -> Iterator[Case]:
    """The same of each segment, whose steps are the batches with the segment before it."""
    for n in THRESHOLDS:
        for a in (0.5*n, 0.8*n, 0.95*n):
            yield _judge(a, n, poisson(a), "kingman")
    for before in (2, 5, 10, 20):
        for p in (0.25, 0.5, 0.75):
            for n in range(1, before + 1):
                if n > before*p:
                    yield _judge(before*p, n, binomial(before, p), "kingman")


@every("one type at C = M^*, lambda t = 1, .., 10,000", "the Poisson law's closed form, in floating point")
def lower_run() -> Iterator[Case]:
    """E[(A - mu)^+] = mu^(mu + 1) exp(-mu)/mu! for a whole number mu, at least sqrt(mu)/3 and at most sqrt(mu)/2."""
    for mu in range(1, 10001):
        mean = exp((mu + 1)*log(mu) - mu - lgamma(mu + 1))
        yield None if sqrt(mu)/3 <= mean <= sqrt(mu)/2 else {"lambda t": mu, "E[(A - lambda t)^+]": mean}
