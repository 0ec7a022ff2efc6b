"""What a full batch of Nested WAIT holds, and whether Theorem 3 leaves room for it and for the queues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome

from .inventories import nested
from .queues import binomial, root_above

METHOD = "Algorithm 2 in the reading of wait.alg-2.corrected, replayed"


def printed_eleven(prompt: int, ends: Sequence[int], n: Sequence[int]) -> Fraction:
    """M^pi of (11)."""
    sums = list(accumulate(ends))
    steps = [b - a for a, b in zip([0, *ends], ends, strict=False)]
    return sum((t * (prompt + Fraction(s, 2)) * d for t, s, d in zip(n, sums, steps, strict=True)), Fraction(0))


def room(prompt: int, ends: Sequence[int], n: Sequence[int], shares: Sequence[Fraction],
         logarithm: Fraction) -> Fraction:
    """No less than the sums over j >= 2 of (12) and (15): 1/theta_j is at most n_{j-1}/(8 D_j), by Lemma 8."""
    return sum(((prompt + ends[j - 1]) * (n[j] + n[j - 1] / (8 * (n[j] - n[j - 1] * shares[j])) * logarithm)
                for j in range(1, len(n))), Fraction(0))


def fullest(prompt: int, ends: Sequence[int], n: Sequence[int], kinds: Sequence[int], prompts: int) -> int:
    """Most tokens that a batch holds, of a stream of prompts of these types, over and over."""
    arrivals = [(Fraction(i, prompts), kinds[i % len(kinds)]) for i in range(prompts)]
    trace = nested(ends, n, arrivals, first=True)
    return max(sum(count * (prompt + k) for (_, k), count in batch.items()) for _, batch in trace.batches)


def printed_bound_run() -> Outcome:
    """Section 6.1's low demand, 1,000 prompts a second of each type, thresholds 100 and 60, 20 seconds."""
    prompt, ends, n = 10, (10, 20), (100, 60)
    # at most 20/0.01 = 2,000 iterations; ln(2 * 2,000/0.1) < 10.6, as e^10.6 > 40,000
    least = printed_eleven(prompt, ends, n) + room(prompt, ends, n, (Fraction(1), Fraction(1, 2)), Fraction(106, 10))
    most = fullest(prompt, ends, n, (1, 2), 4000)
    return shown(most > least, {
        "l": prompt, "l'": ends, "lambda": "(1000, 1000)", "n": n, "d_0": "0.01", "d_1": "10^-6", "T": 20, "zeta": 1,
        "delta": "0.1", "trace":
        f"(10): 0.01 + 10^-6 M^pi = 0.04 < 100/2000, 60/100 > 1/2. The least memory of the theorem is below {least}; a "
        f"batch with all thresholds full holds {most}. Segment 2 is full from its tenth batch on, which among the "
        "first 60 batches it has reached with probability above 0.99: Chebyshev's inequality for the 4,000 first "
        "prompts, of which 600 of type 2 do"}, METHOD)


@every("two segments, n_1 <= 4, n_1 > n_2 > n_1 p, p in {1/4, 1/3, 1/2, 2/3}, S in {5, 20}, delta in {1/2, 1/10, "
       "1/100}", "the law of the second segment's queue by dynamic programming in exact arithmetic")
def bound_corrected_run() -> Iterator[Case]:
    shares = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
    risks = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))
    for before, p, S, delta in product(range(2, 5), shares, (5, 20), risks):
        for n in range(1, before):
            if n <= before * p:
                continue
            step, y = binomial(before, p), root_above(n, before, p)
            law, out = {0: Fraction(1)}, Fraction(0)  # of the queue, as long as it has not been too long
            for _ in range(S):
                later: dict[int, Fraction] = {}
                for w, q in law.items():
                    for a, r in step.items():
                        waiting = w + a - n if w + a >= n else w + a  # beside a batch that has taken its n
                        if y ** (waiting - n) > S / delta:
                            out += q * r
                        else:
                            later[waiting] = later.get(waiting, Fraction(0)) + q * r
                law = later
            yield {"n_1": before, "n_2": n, "p": p, "S": S, "delta": delta, "probability": out} if out > delta else None
