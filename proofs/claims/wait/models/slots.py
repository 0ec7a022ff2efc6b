"""Theorems 1 and 2 on the appendices' chains: the mean of what waits, by the law of the chain, step by step.

A step is a batch at the thresholds, Delta T long. In it X prompts come, Poisson with mean a = lambda_j Delta T (type j
of Theorem 1, and segment 1 of Theorem 2), or Binomial(n_{k-1}, p) (segment k >= 2); where n are there, n leave. What
does not wait is completed, or at one of the l' + 1 stages, at most n at each. So with E[W] the gap of the throughput
over T = t Delta T is at most (l' + 1)(E[W] + n (l' + 1))/T, and by the sum of what is in the system over time the mean
latency at most (E[W] + n (l' + 1))/lambda_j, at the largest E[W] up to T.

Chances are whole numbers of 2^-BITS, none of them too small, and a law is one long number: multiplied by another it is
the law of the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb

from qtheory.proofs.claims.cases import Case, every
from qtheory.proofs.claims.wait.models.queues import BITS, binomial, poisson_above

METHOD = "the law of the chain, step by step, enclosed from above"
STEPS, MOST, PLACE = 400, 64, 2*BITS + 32  # arrivals in a step that are followed one by one; bits for one chance
DUST = 1 << 32  # a last chance below that is not followed on: it is lost, and W is at most STEPS*MOST there
THRESHOLDS = (1, 2, 5, 10)


def packed(chances: Sequence[int]) -> int:
    return sum(chance << (PLACE*k) for k, chance in enumerate(chances))


def unpacked(law: int) -> list[int]:
    places = law.to_bytes(-(-law.bit_length()//8), "little")
    return [int.from_bytes(places[k:k + PLACE//8], "little") for k in range(0, len(places), PLACE//8)]


def means_above(come: Sequence[int], n: int, mean: Fraction, tail: int = 0) -> Iterator[Fraction]:
    """Bounds on E[W^1], E[W^2], .. from above, from W^0 = 0. ``tail`` is E[(X - MOST)^+] of the X that come, in units
    of 2^-BITS: where one of t exceeds MOST, W^t is at most their sum."""
    law, step, lost = [1 << BITS], packed(come), 0
    for t in range(1, STEPS + 1):
        there = unpacked(packed(law)*step)
        there += [0]*(2*n)
        law = [-(-((there[j] if j < n else 0) + there[j + n]) >> BITS) for j in range(len(there) - n)]
        while law[-1] < DUST:
            lost += law.pop()
        left_out = lost*STEPS*MOST + tail*t*((t - 1)*mean + MOST + 1)
        yield (sum(w*chance for w, chance in enumerate(law)) + left_out)/Fraction(1 << BITS)


def _judge(n: int, come: Sequence[int], mean: Fraction, variance: Fraction, bound: str, tail: int = 0) -> Case:
    for t, above in enumerate(means_above(come, n, mean, tail), 1):
        beyond = above - n
        if beyond > 0 and (beyond**2 > variance*t if bound == "sqrt" else beyond > variance/(2*(n - mean))):
            return {"n": n, "a": str(mean), "t": t, "E[W^t]": float(above), "bound": bound}
    return None


def _poisson(n: int, mean: Fraction, bound: str) -> Case:
    weights, tail = poisson_above(mean, MOST)
    return _judge(n, weights, mean, mean, bound, tail)


def _segment(before: int, p: Fraction, n: int) -> Case:
    weights = [-int(-(chance*(1 << BITS)) // 1) for chance in binomial(before, p).values()]
    return _judge(n, weights, before*p, before*p*(1 - p), "kingman")


@every(f"one type, n in {THRESHOLDS}, a = n and 0.9 n, up to {STEPS} batches", METHOD)
def sqrt_run() -> Iterator[Case]:
    """E[W^t] <= n + sqrt(a t)."""
    for n in THRESHOLDS:
        for share in (10, 9):
            yield _poisson(n, Fraction(share*n, 10), "sqrt")


@every(f"one type, n in {THRESHOLDS}, a = 0.5 n, 0.8 n and 0.95 n, up to {STEPS} batches", METHOD)
def bounded_run() -> Iterator[Case]:
    """E[W^t] <= n + a/(2 (n - a))."""
    for n in THRESHOLDS:
        for share in (50, 80, 95):
            yield _poisson(n, Fraction(share*n, 100), "kingman")


@every(f"segment 1 as one type, n_1 in {THRESHOLDS}, a = 0.5 n_1, 0.8 n_1 and 0.95 n_1; a segment after one of n_k-1 "
       f"in (2, 5, 10, 20), p = 1/4, 1/2 and 3/4, each n_k from n_k-1 p to n_k-1; up to {STEPS} batches", METHOD)
def nested_run() -> Iterator[Case]:
    """The same of each segment, whose steps are the batches with the segment before it."""
    for n in THRESHOLDS:
        for share in (50, 80, 95):
            yield _poisson(n, Fraction(share*n, 100), "kingman")
    for before in (2, 5, 10, 20):
        for quarters in (1, 2, 3):
            p = Fraction(quarters, 4)
            for n in range(1, before + 1):
                if n > before*p:
                    yield _segment(before, p, n)


@every("one type at C = M^*, lambda t = 1, .., 10,000", "the Poisson law's closed form, enclosed")
def lower_run() -> Iterator[Case]:
    """E[(A - mu)^+] = mu^(mu + 1) exp(-mu)/mu! for a whole number mu, at least sqrt(mu)/3 and at most sqrt(mu)/2."""
    for mu in range(1, 10001):
        mean = (arb(mu).log()*(mu + 1) - mu - arb(mu + 1).lgamma()).exp()
        root = arb(mu).sqrt()
        yield None if root/3 <= mean and mean <= root/2 else {"lambda t": mu, "E[(A - lambda t)^+]": float(mean)}
