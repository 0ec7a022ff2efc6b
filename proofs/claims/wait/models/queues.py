"""Laws of the queues of Appendices B to D: exact, or enclosed by integers over 2^BITS."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

BITS = 96


def binomial(n: int, p: Fraction) -> dict[int, Fraction]:
    return {a: comb(n, a) * p**a * (1 - p) ** (n - a) for a in range(n + 1)}


def root_above(n: int, before: int, p: Fraction, bits: int = 24) -> Fraction:
    """A rational just above e^theta, theta the positive root of (16): where (1 - p + p y)^before passes y^n."""
    def beyond(y: Fraction) -> bool:
        return (1 - p + p * y) ** before > y**n

    low, high = Fraction(1), Fraction(2)
    while not beyond(high):
        low, high = high, 2 * high
    for _ in range(bits):
        middle = (low + high) / 2
        # just above 1 the left side is the smaller one: D > 0
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high


def poisson_above(mean: Fraction, most: int) -> tuple[list[int], int]:
    """The weights of 0, .., ``most`` and E[(X - most)^+], in units of 2^-BITS, none of them too small."""
    one, weights = 1 << BITS, []
    series = sum((mean**i / factorial(i) for i in range(most + 60)), Fraction(0))  # of e^mean, from below
    rest = Fraction(0)
    for i in range(most + 1):
        term = mean**i / factorial(i)
        weights.append(-int(-(term / series * one) // 1))
        low = term / (series * (1 + Fraction(1, one)))  # the tail of the series is below that
        rest += (most - i) * low
    return weights, -int(-((mean - most + rest) * one) // 1)


def mean_above(mean: Fraction, n: int, steps: int, most: int) -> list[Fraction]:
    """Bounds from above on E[V^s], s = 1, 2, .., for V^0 = 0, V^{s+1} = max{0, V^s + X - n} with Poisson X.

    X is cut at ``most``: V grows with each X, and by no more than X does.
    """
    one = 1 << BITS
    weights, tail = poisson_above(mean, most)
    law, out, beyond = [one], [], 0
    for _ in range(steps):
        later = [0] * (len(law) + most)
        for w, q in enumerate(law):
            for a, r in enumerate(weights):
                later[max(0, w + a - n)] += -(-(q * r) >> BITS)
        while later[-1] == 0:
            later.pop()
        law, beyond = later, beyond + tail
        out.append(Fraction(sum(w * q for w, q in enumerate(law)) + beyond, one))
    return out
