"""Theorem 2's memory (12) against the memory of a batch, by the exact law of the second segment's batches."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, log

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

METHOD = "the law of the number of batches with segment 2, by dynamic programming in exact arithmetic"


def batches_with_segment_2(n_1: int, n_2: int, first: int, iterations: int, wanted: int) -> Fraction:
    """The probability of at least so many, where half of the prompts are of type 2: Algorithm 2 as Section 5.1's text
    has it. A batch has n_1 prompts at each of the stages 0 to ``first`` from the batch of that number on; those of the
    last of these stages that are of type 2 go on to segment 2, which joins a batch where n_2 of them wait."""
    ways = [comb(n_1, k) for k in range(n_1 + 1)]  # of 2**n_1
    # of (prompts that wait at the first stage of segment 2, batches with it), times 2**n_1 for each batch so far
    law = {(0, 0): 1}
    for _ in range(first, iterations):
        then: dict[tuple[int, int], int] = {}
        for (waiting, seen), chance in law.items():
            joins = waiting >= n_2
            left, count = waiting - n_2*joins, min(wanted, seen + joins)
            for come, weight in enumerate(ways):
                key = (left + come, count)
                then[key] = then.get(key, 0) + chance*weight
        law = then
    return Fraction(sum(p for (_, c), p in law.items() if c >= wanted), 2**(n_1*(iterations - first)))


def thm_2c_run() -> Outcome:
    """Section 6.1's low demand: two types of equal rates, thresholds 100 and 60; by (16) theta_2 > 0.8."""
    n_1, n_2, prompt, first, last, iterations, delta, theta = 100, 60, 10, 10, 20, 2000, Fraction(1, 10), 0.8
    above = n_1*log((1 + exp(theta))/2) < theta*n_2  # so theta_2 of (16) is larger, and (12) smaller than with 0.8
    printed = n_1*(prompt + first/2)*first + n_2*(prompt + (first + last)/2)*(last - first)
    allowed = printed + (prompt + first)*(n_2 + log(2*iterations/float(delta))/theta)
    full = n_1*sum(prompt + k for k in range(first + 1)) + n_2*sum(prompt + k for k in range(first + 1, last + 1))
    early = 26
    chance = batches_with_segment_2(n_1, n_2, first, early, last - first)
    return shown(above and full > allowed and chance > delta, {
        "l": prompt, "l'": (first, last), "n": (n_1, n_2), "rates": "equal: p = 1/2", "S": iterations, "zeta": 1,
        "delta": delta, "M^pi by (11)": printed, "memory by (12)": f"less than {allowed:.1f}",
        "memory of a batch with all stages filled": full,
        f"probability that such a batch runs within {early} iterations": f"more than {int(1000*chance)/1000}"}, METHOD)
