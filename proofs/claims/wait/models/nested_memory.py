"""Theorem 2's memory (12) against the memory of a batch, by the exact law of the second segment's batches."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, log

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

METHOD = "the law of the number of batches with segment 2, by dynamic programming in exact arithmetic"


def batches_with_segment_2(n_1: int, n_2: int, iterations: int, wanted: int) -> Fraction:
    """The probability of at least so many, where half of the prompts are of type 2: Algorithm 2 as Section 5.1's text
    has it. A batch has n_1 prompts at each of the stages 0 and 1 from the second one on; those of stage 1 that are of
    type 2 go on to segment 2, which joins a batch where n_2 of them wait."""
    ways = [comb(n_1, k) for k in range(n_1 + 1)]  # of 2**n_1
    # of (prompts that wait at the first stage of segment 2, batches with it), times 2**n_1 for each batch so far
    law = {(0, 0): 1}
    for batch in range(iterations):
        then: dict[tuple[int, int], int] = {}
        for (waiting, seen), chance in law.items():
            joins = waiting >= n_2
            left, count = waiting - n_2*joins, min(wanted, seen + joins)
            for come, weight in enumerate(ways if batch >= 1 else [2**n_1]):
                key = (left + come, count)
                then[key] = then.get(key, 0) + chance*weight
        law = then
    return Fraction(sum(p for (_, c), p in law.items() if c >= wanted), 2**(n_1*iterations))


def thm_2c_run() -> Outcome:
    """Two types of equal rates, l = 1, l' = 1 and 61, thresholds 3 and 2: by (16) theta_2 = ln(2 + sqrt 5) > 1.44."""
    n_1, n_2, prompt, first, last, iterations, delta, theta = 3, 2, 1, 1, 61, 150, Fraction(1, 10), 1.44
    above = exp(-theta*n_2)*((1 + exp(theta))/2)**n_1 < 1  # so theta_2 is larger, and (12) smaller than with 1.44
    printed = n_1*(prompt + first/2)*first + n_2*(prompt + (first + last)/2)*(last - first)
    allowed = printed + (prompt + first)*(n_2 + log(2*iterations/float(delta))/theta)
    full = n_1*sum(prompt + k for k in range(first + 1)) + n_2*sum(prompt + k for k in range(first + 1, last + 1))
    chance = batches_with_segment_2(n_1, n_2, iterations, last - first)
    return shown(above and full > allowed and chance > delta, {
        "l": prompt, "l'": (first, last), "n": (n_1, n_2), "rates": "equal: p = 1/2", "S": iterations, "delta": delta,
        "M^pi by (11)": printed, "memory by (12)": f"less than {allowed:.1f}",
        "memory of a batch with all stages filled": full,
        "probability that such a batch runs within S iterations": f"more than {float(chance) - 1e-9:.6f}"}, METHOD)
