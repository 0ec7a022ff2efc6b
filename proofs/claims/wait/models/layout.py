"""Section 7.2's own layout: 500 types of decode lengths 1 to 500 in ten segments of 50 stages, prompts of 62 tokens."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, count, pairwise

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

from .memory import room

PROMPT, WIDTH, SEGMENTS = 62, 50, 10
BINS = (23, 11, 8, 7, 6, 4, 3, 2, 1, 1)  # l. 484: rates of the lengths 1 to 50, 51 to 100, ..; even within each
THRESHOLDS, RATE, D0, D1 = (350, 229, 171, 129, 92, 60, 39, 23, 12, 7), 5500, Fraction(1, 100), Fraction(686, 10**11)
LATER = tuple(sum(BINS[i:]) for i in range(SEGMENTS))  # rates of who comes to a segment
STAGES = [range(WIDTH * i + (i > 0), WIDTH * (i + 1) + 1) for i in range(SEGMENTS)]  # l. 336: segment 1 has stage 0


def printed() -> Fraction:
    """M^pi of l. 560, with Delta L = m/L."""
    return sum((n * (PROMPT + Fraction(i, 2) * WIDTH) * WIDTH for i, n in enumerate(THRESHOLDS, 1)), Fraction(0))


def meets_14() -> bool:
    return D0 + D1 * printed() < Fraction(THRESHOLDS[0], RATE) and all(
        b * now > a * then for (a, b), (now, then) in zip(pairwise(THRESHOLDS), pairwise(LATER), strict=True))


def lengths() -> Iterator[int]:
    """A stream of prompts in the mix in which they arrive."""
    edges = [0, *accumulate(WIDTH * b for b in BINS)]
    all_lengths = [WIDTH * i + (k - edges[i]) // BINS[i] + 1 for i in range(SEGMENTS) for k in range(*edges[i:i + 2])]
    return (all_lengths[i * 2039 % len(all_lengths)] for i in count())  # 2039 is prime to 3,300: each of them in turn


def first_batch_above(tokens: Fraction, iterations: int) -> tuple[int, int] | None:
    """The first batch that holds more, and what it holds: (its number, tokens). Who completes leaves at once."""
    stream = lengths()
    waiting: list[list[int]] = [[] for _ in range(SEGMENTS + 1)]
    inside: list[list[list[int]]] = [[] for _ in range(SEGMENTS)]  # by stage, the longest first
    for number in range(1, iterations + 1):
        waiting[0] = [next(stream) for _ in range(THRESHOLDS[0])]
        batch = 0
        for i, n in enumerate(THRESHOLDS):  # 19: up to the first segment with too few
            if len(waiting[i]) < n:
                break
            inside[i].insert(0, sorted(waiting[i][:n], reverse=True))
            del waiting[i][:n]
            for stage, prompts in zip(STAGES[i], inside[i], strict=False):
                while prompts and prompts[-1] < stage:
                    prompts.pop()
                batch += len(prompts) * (PROMPT + stage)
        else:
            i = SEGMENTS
        if batch > tokens:
            return number, batch
        for j in range(i):
            if len(inside[j]) == len(STAGES[j]):
                waiting[j + 1] += [k for k in inside[j].pop() if k > STAGES[j][-1]]
    return None


def moments() -> tuple[Fraction, Fraction]:
    """Mean and variance of the tokens of a batch with all segments, each of which has run through its stages: those of
    the n_i that came to a segment together and are as long as a stage are independent binomials, stage by stage."""
    mean = variance = Fraction(0)
    for i, n in enumerate(THRESHOLDS):
        for stage in STAGES[i]:
            p = 1 - Fraction(BINS[i] * max(0, stage - WIDTH * i - 1), WIDTH * LATER[i])
            mean += n * p * (PROMPT + stage)
            variance += n * p * (1 - p) * (PROMPT + stage) ** 2
    return mean, variance


def segments_run() -> Outcome:
    """Theorem 4's least memory against a batch, where who completes leaves at once, and where at its segment's end."""
    shares = [Fraction(1), *(Fraction(then, now) for now, then in pairwise(LATER))]
    ends, iterations = [stages[-1] for stages in STAGES], 3200
    # ln(500 * 3,200/0.1) < 16.6, as e^16.6 > 16,000,000
    least = printed() + room(PROMPT, ends, THRESHOLDS, shares, Fraction(166, 10))
    above = first_batch_above(least, iterations)
    mean, variance = moments()
    full = sum(n * sum(PROMPT + k for k in stages) for n, stages in zip(THRESHOLDS, STAGES, strict=True))
    if above is None or mean <= least:
        return shown(False, {}, "")
    chance = 1 - variance / (mean - least) ** 2
    return shown(meets_14() and chance > Fraction(1, 10), {
        "m": 500, "L": SEGMENTS, "l": PROMPT, "l'_j": "j", "rates by segment": BINS, "sum of lambda": RATE,
        "n": THRESHOLDS, "d_0": "0.01", "d_1": "6.86*10^-9", "T": 200, "S": iterations, "zeta": 1, "delta": "0.1",
        "trace":
        f"the least memory of the theorem is below {round(least)}; of prompts in the mix in which they arrive, who "
        f"leave as they complete, batch {above[0]} holds {above[1]} tokens. In the mean a batch with all segments "
        f"holds {round(mean)}, and more than that memory with probability above {int(1000 * chance) / 1000} "
        f"(Chebyshev's inequality). Were completed prompts kept to the end of their segment, it would hold {full}"},
        "Algorithm 2 in the reading of wait.alg-2.corrected, replayed")


def segments_memory_run() -> Outcome:
    """With L = 10: the tokens of a segment with one prompt at each stage, printed and counted."""
    by_print = [WIDTH * (PROMPT + Fraction(i, 2) * WIDTH) for i in range(1, SEGMENTS + 1)]
    counted = [sum(PROMPT + k for k in stages) for stages in STAGES]
    return shown(by_print != counted, {
        "m": 500, "L": SEGMENTS, "l": PROMPT, "l'_j": "j", "trace":
        f"tokens a segment and a prompt of its threshold: printed {[int(x) for x in by_print]}, counted {counted}"},
        "the stages of each segment, counted")
